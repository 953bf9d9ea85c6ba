//! [`Fields`]: an object of the broker's, any field of which may be missing or of another type.

use jiff::civil::{Date, DateTime};
use serde_json::{Map, Value};

/// An object of the broker's, any field of which may be missing or of another type.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(Option<&'a Map<String, Value>>);

impl<'a> Fields<'a> {
    pub(super) fn of(value: &'a Value) -> Self {
        Self(value.as_object())
    }

    pub(super) fn get(self, name: &str) -> Option<&'a Value> {
        self.0?.get(name)
    }

    /// The object in this field; one without fields if there is none.
    pub(super) fn inner(self, name: &str) -> Self {
        Self(self.get(name).and_then(Value::as_object))
    }

    /// The list in this field; empty if there is none.
    pub(super) fn list(self, name: &str) -> &'a [Value] {
        self.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn entries(self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.0.into_iter().flatten().map(|(name, value)| (name.as_str(), value))
    }

    pub(super) fn is_empty(self) -> bool {
        self.0.is_none_or(Map::is_empty)
    }

    pub(super) fn number(self, name: &str) -> Option<f64> {
        number(self.get(name)?)
    }

    pub(super) fn count(self, name: &str) -> Option<u64> {
        count(self.get(name)?)
    }

    /// A whole number that may be negative.
    pub(super) fn quantity(self, name: &str) -> Option<i64> {
        // A float's cast stays within the range by itself.
        self.number(name).map(|it| it.round() as i64)
    }

    /// Text that says something; a number is text too.
    pub(super) fn text(self, name: &str) -> Option<String> {
        let text = match self.get(name)? {
            Value::String(text) => text.trim().to_owned(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        (!matches!(text.as_str(), "" | "NA" | "N/A" | "null")).then_some(text)
    }

    pub(super) fn date(self, name: &str) -> Option<Date> {
        let text = self.text(name)?;
        let day = text.get(..10)?;
        day.parse().ok().or_else(|| Date::strptime("%d/%m/%Y", day).ok()).filter(|it| is_real(*it))
    }

    pub(super) fn date_time(self, name: &str) -> Option<DateTime> {
        date_time(&self.text(name)?)
    }
}

/// A number, however it is written.
pub(super) fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().replace(',', "").parse().ok()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// A whole number that is not negative, however it is written.
pub(super) fn count(value: &Value) -> Option<u64> {
    if let Some(exact) = value.as_u64() {
        return Some(exact);
    }
    // A float's cast stays within the range by itself.
    number(value).filter(|it| *it >= 0.0).map(|it| it.round() as u64)
}

fn date_time(text: &str) -> Option<DateTime> {
    const FORMS: [&str; 2] = ["%d/%m/%Y %H:%M:%S", "%d/%m/%Y %H:%M"];
    let plain = || text.parse::<DateTime>().ok();
    let slashed = FORMS.iter().find_map(|form| DateTime::strptime(form, text).ok());
    slashed.or_else(plain).filter(|it| is_real(it.date()))
}

/// `0001-01-01` and `01/01/1980` stand for never.
fn is_real(date: Date) -> bool {
    date > Date::constant(1980, 1, 1)
}
