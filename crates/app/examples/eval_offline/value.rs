//! [`Judge`]: whether a value is what was wanted, as questions write it.

use regex::Regex;
use serde_json::{Map, Value};

use crate::days::Days;

/// What values are held against: what the results returned before them, and what day it is.
#[derive(Clone, Copy)]
pub(crate) struct Judge<'a> {
    pub(crate) results: &'a [String],
    pub(crate) days: &'a Days,
}

impl Judge<'_> {
    /// Whether a value is what was wanted. A missing one is null.
    pub(crate) fn accepts(self, wanted: &Value, value: &Value) -> bool {
        match wanted {
            Value::Object(form) => self.has_form(form, value),
            Value::String(text) => match text.strip_prefix("date:") {
                Some(symbol) => value.as_str().is_some_and(|it| self.days.matches(symbol, it)),
                None => text_of(value).is_some_and(|it| plain(&it) == plain(text)),
            },
            Value::Number(number) => number_of(value).is_some_and(|it| number.as_f64() == Some(it)),
            Value::Array(items) => value.as_array().is_some_and(|values| {
                let pairs = items.iter().zip(values);
                items.len() == values.len() && pairs.into_iter().all(|(a, b)| self.accepts(a, b))
            }),
            Value::Null => matches!(value, Value::Null) || value.as_str() == Some(""),
            Value::Bool(_) => wanted == value,
        }
    }

    fn has_form(self, form: &Map<String, Value>, value: &Value) -> bool {
        let text = text_of(value).unwrap_or_default();
        let has = |part: &Value| {
            part.as_str().is_some_and(|it| text.to_lowercase().contains(&it.to_lowercase()))
        };
        let Some((kind, wanted)) = form.iter().find(|(kind, _)| *kind != "within") else {
            return false;
        };
        match kind.as_str() {
            "free" => true,
            "any" => list(wanted).iter().any(|it| self.accepts(it, value)),
            "words" => list(wanted).iter().all(has),
            "has" => has(wanted),
            "re" => wanted.as_str().and_then(pattern).is_some_and(|it| it.is_match(&text)),
            "like" => is_like(wanted, value),
            "fields" => self.has_fields(wanted, value),
            "holds" => self.holds(wanted, value),
            "from_result" => wanted.as_str().is_some_and(|pattern| {
                self.captured(pattern).iter().any(|it| {
                    if form.contains_key("within") {
                        says(&text, it)
                    } else {
                        plain(it) == plain(&text)
                    }
                })
            }),
            _ => false,
        }
    }

    /// Ids by segment: each that is wanted is among those of the value.
    fn holds(self, wanted: &Value, value: &Value) -> bool {
        wanted.as_object().into_iter().flatten().all(|(segment, ids)| {
            let given = value.get(segment).map(list).unwrap_or_default();
            list(ids).iter().all(|id| given.iter().any(|it| self.accepts(id, it)))
        })
    }

    /// Every field is as wanted, and there is no other.
    fn has_fields(self, wanted: &Value, value: &Value) -> bool {
        let (Some(wanted), Some(value)) = (wanted.as_object(), value.as_object()) else {
            return false;
        };
        value.keys().all(|it| wanted.contains_key(it))
            && wanted
                .iter()
                .all(|(key, it)| self.accepts(it, value.get(key).unwrap_or(&Value::Null)))
    }

    /// What the pattern captures in the results.
    pub(crate) fn captured(self, pattern: &str) -> Vec<String> {
        let Some(pattern) = self::pattern(pattern) else { return Vec::new() };
        let found = self.results.iter().flat_map(|text| pattern.captures_iter(text));
        found
            .filter_map(|it| it.iter().skip(1).flatten().next().map(|it| it.as_str().to_owned()))
            .collect()
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn pattern(text: &str) -> Option<Regex> {
    Regex::new(&format!("(?i){text}")).ok()
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(it) => Some(it.to_string()),
        _ => None,
    }
}

fn number_of(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// A text as it counts here: large and small letters are the same, and so are `docs` and `./docs`.
fn plain(text: &str) -> String {
    let text = text.trim().to_lowercase();
    text.strip_prefix("./").unwrap_or(&text).to_owned()
}

/// As BFCL compares: without punctuation and case in texts, a whole number for a fraction.
fn is_like(wanted: &Value, value: &Value) -> bool {
    let bare = |text: &str| {
        let text = text.replace('\'', "\"").to_lowercase();
        text.replace([' ', ',', '.', '/', '-', '_', '*', '^'], "")
    };
    match (wanted, value) {
        (Value::String(a), Value::String(b)) => bare(a) == bare(b),
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_like(a, b))
        }
        _ => wanted == value,
    }
}

/// Whether a text says a figure or some words, however the figure is written.
pub(crate) fn says(text: &str, part: &str) -> bool {
    let bare = part.trim().trim_end_matches(['.', ',']).replace(',', "");
    match bare.parse::<f64>() {
        Ok(number) => numbers(text).any(|it| it.parse() == Ok(number)),
        Err(_) => text.to_lowercase().contains(&part.to_lowercase()),
    }
}

/// The figures in a text, without the commas in them.
pub(crate) fn numbers(text: &str) -> impl Iterator<Item = String> {
    let runs = text.split(|c: char| !c.is_ascii_digit() && !matches!(c, ',' | '.'));
    let figures = runs.filter(|it| it.contains(|c: char| c.is_ascii_digit()));
    figures.map(|it| it.trim_matches(['.', ',']).replace(',', ""))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Judge, numbers, says};
    use crate::days::Days;

    fn accepts(wanted: &Value, value: &Value) -> bool {
        let results = ["1. One\nVideo IDs: 1. sample-0001, 2. sample-0038".to_owned()];
        Judge { results: &results, days: &Days::now() }.accepts(wanted, value)
    }

    #[test]
    fn what_is_wanted_is_accepted_and_nothing_else() {
        for (wanted, value, is_right) in [
            (json!("Paris"), json!("paris "), true),
            (json!("docs/faq.md"), json!("./docs/faq.md"), true),
            (json!("Paris"), json!("the weather in Paris"), false),
            (json!(13), json!("13"), true),
            (json!(20), json!(20.0), true),
            (json!(20), json!(21), false),
            (json!(null), json!(null), true),
            (json!(null), json!(5), false),
            (json!({"free": true}), json!(null), true),
            (json!({"any": [null, 18]}), json!(18.0), true),
            (json!({"any": [null, 18]}), json!(20), false),
            (json!({"words": ["milk", "eggs"]}), json!("eggs and Milk"), true),
            (json!({"words": ["milk", "eggs"]}), json!("milk"), false),
            (json!({"re": "wc -l .*csv"}), json!("wc -l data/a.csv"), true),
            (json!({"holds": {"NSE_EQ": [2885]}}), json!({"NSE_EQ": ["2885", 1]}), true),
            (json!({"holds": {"NSE_EQ": [2885]}}), json!({"BSE_EQ": [2885]}), false),
            (json!({"from_result": r"2\. ([\w-]{11})"}), json!("sample-0038"), true),
            (json!({"from_result": r"2\. ([\w-]{11})"}), json!("sample-0001"), false),
            (json!({"like": "New York, NY"}), json!("new york ny"), true),
            (json!({"like": 5.0}), json!(5), true),
            (json!({"like": 5}), json!("5"), false),
            (json!({"fields": {"a": {"like": 1}}}), json!({"a": 1, "b": 2}), false),
        ] {
            assert_eq!(accepts(&wanted, &value), is_right, "{wanted} {value}");
        }
    }

    #[test]
    fn a_figure_is_the_same_however_it_is_written() {
        assert!(says("It is ₹25,715 now.", "25,715.00"));
        assert!(says("The tip is $14.40.", "14.4"));
        assert!(!says("It is 125,715.00", "25,715.00"));
        assert!(says("Noted: Buy Milk", "buy milk"));
        let all: Vec<_> = numbers("from 1,234.50 to 7.").collect();
        assert_eq!(all, ["1234.50", "7"]);
    }
}
