//! [`Fields`]: an object of the broker's, any field of which may be missing or of another type.

use jiff::civil::{Date, DateTime};
use serde_json::{Map, Value};

use super::trouble;
use crate::MarketError;

/// What a field holds, if anything of its kind. A number that its type cannot hold is an error: the
/// nearest one that fits would be an answer nobody gave.
pub(super) type Read<T> = Result<Option<T>, MarketError>;

/// The first floats that whole numbers of 63 and 64 bits do not reach.
const TWO_63: f64 = 9_223_372_036_854_775_808.0;
const TWO_64: f64 = 18_446_744_073_709_551_616.0;

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

    pub(super) fn number(self, name: &str) -> Read<f64> {
        self.get(name).map_or(Ok(None), |value| number(name, value))
    }

    pub(super) fn count(self, name: &str) -> Read<u64> {
        self.get(name).map_or(Ok(None), |value| count(name, value))
    }

    /// A whole number that may be negative.
    pub(super) fn quantity(self, name: &str) -> Read<i64> {
        let Some(value) = self.get(name) else { return Ok(None) };
        if let Some(exact) = value.as_i64() {
            return Ok(Some(exact));
        }
        let Some(number) = number(name, value)? else { return Ok(None) };
        let whole = number.round();
        if (-TWO_63..TWO_63).contains(&whole) {
            Ok(Some(whole as i64))
        } else {
            Err(trouble::too_large(name, value))
        }
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
pub(super) fn number(name: &str, value: &Value) -> Read<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().replace(',', "").parse().ok(),
        _ => None,
    };
    match number {
        Some(number) if number.is_infinite() => Err(trouble::too_large(name, value)),
        number => Ok(number.filter(|it| !it.is_nan())),
    }
}

/// A whole number that is not negative, however it is written.
pub(super) fn count(name: &str, value: &Value) -> Read<u64> {
    if let Some(exact) = value.as_u64() {
        return Ok(Some(exact));
    }
    match number(name, value)?.filter(|it| *it >= 0.0).map(f64::round) {
        Some(whole) if whole >= TWO_64 => Err(trouble::too_large(name, value)),
        whole => Ok(whole.map(|it| it as u64)),
    }
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
