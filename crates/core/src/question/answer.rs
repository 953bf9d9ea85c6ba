//! [`QuestionAnswer`]: what the user said to a tool's question.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    Question,
    field::{FieldKind, FieldOption, QuestionField},
    format,
};

/// The longest text that is taken where a field says nothing, in characters.
const LONGEST: u32 = 10_000;

/// What the user said to a tool's question. As JSON it is MCP's result of an elicitation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum QuestionAnswer {
    /// The user filled in the form, or agreed to visit the address.
    Accept {
        /// The fields by their names; those that were left empty are not there.
        #[serde(default)]
        content: Map<String, Value>,
    },
    /// The user does not want to. So it is, too, where nobody can be asked.
    Decline,
    /// Nobody decided: the question was closed, or the tool did not wait for its answer.
    Cancel,
}

impl QuestionAnswer {
    /// Accepts, with nothing filled in.
    pub fn accept() -> Self {
        Self::Accept { content: Map::new() }
    }

    /// Accepts with these fields; those of a value that is no object are none.
    pub fn accept_with(content: Value) -> Self {
        match content {
            Value::Object(content) => Self::Accept { content },
            _ => Self::accept(),
        }
    }

    /// What was filled in, if the user accepted.
    pub fn content(&self) -> Option<&Map<String, Value>> {
        match self {
            Self::Accept { content } => Some(content),
            Self::Decline | Self::Cancel => None,
        }
    }

    /// Its action, as it is serialised.
    pub fn action(&self) -> &'static str {
        match self {
            Self::Accept { .. } => "accept",
            Self::Decline => "decline",
            Self::Cancel => "cancel",
        }
    }
}

impl Question {
    /// The answer as the tool is given it: every field valid, those that were left out filled in with what
    /// stood there at first. A field that is `null` was left empty on purpose.
    ///
    /// # Errors
    /// Everything that is wrong with it, each in a line.
    pub fn check_answer(&self, answer: QuestionAnswer) -> Result<QuestionAnswer, Vec<String>> {
        let QuestionAnswer::Accept { mut content } = answer else { return Ok(answer) };
        let (mut checked, mut wrong) = (Map::new(), Vec::new());
        for field in self.fields() {
            let given = content.remove(&field.name).or_else(|| field.kind.default_value());
            match given.filter(|it| !it.is_null()) {
                Some(value) => {
                    match field.kind.violation(&value) {
                        Some(reason) => wrong.push(format!("{} {reason}", field.label())),
                        None => drop(checked.insert(field.name.clone(), value)),
                    };
                }
                None if field.required => wrong.push(format!("{} is missing", field.label())),
                None => {}
            }
        }
        // No more of it is repeated than can be read.
        wrong.extend(
            content
                .keys()
                .take(3)
                .map(|name| format!("there is no field `{}`", crate::truncate_line(name, 40))),
        );
        match wrong.is_empty() {
            true => Ok(QuestionAnswer::Accept { content: checked }),
            false => Err(wrong),
        }
    }
}

impl QuestionField {
    /// What is wrong with a value for this field.
    pub fn violation(&self, value: &Value) -> Option<String> {
        self.kind.violation(value)
    }

    /// What stands there at first.
    pub fn default_value(&self) -> Option<Value> {
        self.kind.default_value()
    }
}

impl FieldKind {
    /// What stands there at first.
    pub(super) fn default_value(&self) -> Option<Value> {
        match self {
            Self::Text { default, .. } | Self::Choice { default, .. } => {
                default.clone().map(Value::from)
            }
            Self::Number { default, .. } => default.map(Value::from),
            Self::Integer { default, .. } => default.map(Value::from),
            Self::Boolean { default } => default.map(Value::from),
            Self::MultipleChoice { default, .. } => {
                (!default.is_empty()).then(|| Value::from(default.clone()))
            }
        }
    }

    /// What stands there at first and could not be sent is not there.
    pub(super) fn drop_invalid_default(&mut self) {
        let Some(value) = self.default_value() else { return };
        if self.violation(&value).is_none() {
            return;
        }
        match self {
            Self::Text { default, .. } | Self::Choice { default, .. } => *default = None,
            Self::Number { default, .. } => *default = None,
            Self::Integer { default, .. } => *default = None,
            Self::Boolean { default } => *default = None,
            Self::MultipleChoice { default, .. } => default.clear(),
        }
    }

    fn violation(&self, value: &Value) -> Option<String> {
        match (self, value) {
            (Self::Text { format, min_length, max_length, .. }, Value::String(text)) => {
                let (least, most) =
                    (min_length.unwrap_or(0), max_length.unwrap_or(LONGEST).min(LONGEST));
                let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
                let format = || format.and_then(|it| format::violation(it, text));
                outside("characters", length, least, most).or_else(|| format().map(str::to_owned))
            }
            (Self::Number { minimum, maximum, .. }, Value::Number(number)) => {
                let number = number.as_f64()?;
                beyond(number, *minimum, *maximum)
            }
            (Self::Integer { minimum, maximum, .. }, Value::Number(number)) => {
                match number.as_i64() {
                    Some(number) => beyond(number, *minimum, *maximum),
                    None => Some("is no whole number".to_owned()),
                }
            }
            (Self::Boolean { .. }, Value::Bool(_)) => None,
            (Self::Choice { options, .. }, value) => not_chosen(options, value),
            (Self::MultipleChoice { options, min_items, max_items, .. }, Value::Array(items)) => {
                let (least, most) = (min_items.unwrap_or(0), max_items.unwrap_or(u32::MAX));
                let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
                let is_twice =
                    |(at, item): (usize, &Value)| items.iter().take(at).any(|it| it == item);
                // First, as it bounds the work of the others.
                if items.len() > options.len() || items.iter().enumerate().any(is_twice) {
                    return Some("has a choice twice, or one that there is not".to_owned());
                }
                outside("choices", count, least, most)
                    .or_else(|| items.iter().find_map(|item| not_chosen(options, item)))
            }
            (Self::Text { .. }, _) => Some("has to be a text".to_owned()),
            (Self::Number { .. }, _) => Some("has to be a number".to_owned()),
            (Self::Integer { .. }, _) => Some("has to be a whole number".to_owned()),
            (Self::Boolean { .. }, _) => Some("has to be true or false".to_owned()),
            (Self::MultipleChoice { .. }, _) => Some("has to be a list".to_owned()),
        }
    }
}

fn not_chosen(options: &[FieldOption], value: &Value) -> Option<String> {
    let is_option = options.iter().any(|it| value.as_str() == Some(&it.value));
    (!is_option).then(|| {
        let all: Vec<_> = options.iter().take(10).map(|it| it.value.as_str()).collect();
        let more = if options.len() > all.len() { ", …" } else { "" };
        format!("has to be one of: {}{more}", all.join(", "))
    })
}

fn outside(what: &str, count: u32, least: u32, most: u32) -> Option<String> {
    if count < least {
        return Some(format!("needs at least {least} {what}"));
    }
    (count > most).then(|| format!("may have at most {most} {what}"))
}

fn beyond<T: PartialOrd + std::fmt::Display + Copy>(
    number: T,
    minimum: Option<T>,
    maximum: Option<T>,
) -> Option<String> {
    if let Some(least) = minimum.filter(|it| number < *it) {
        return Some(format!("has to be at least {least}"));
    }
    maximum.filter(|it| number > *it).map(|most| format!("has to be at most {most}"))
}
