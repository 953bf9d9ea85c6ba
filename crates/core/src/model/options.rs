//! [`ModelOptions`]: how a model is to write: how freely, how long, with how much thought.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How a model is to write. What is not said is the provider's own choice.
///
/// ```
/// use toolwright_core::ModelOptions;
///
/// let mut options = ModelOptions::default();
/// options.set("temperature", "0.2")?;
/// options.set("extra.top_k", "40")?;
/// assert_eq!(options.temperature, Some(0.2));
/// # Ok::<_, toolwright_core::OptionError>(())
/// ```
#[derive(Clone, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ModelOptions {
    /// How freely it writes, from 0 to 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Of how much of what is likely it chooses, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// The longest reply, in tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u64>,
    /// Where it stops.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_many")]
    #[schemars(with = "Vec<String>")]
    pub stop: Vec<String>,
    /// What it begins to choose from, so that it chooses the same again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// How much it thinks, in the provider's words: `low`, `medium`, `high`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<String>,
    /// Whether it may call several tools at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel_tool_calls: Option<bool>,
    /// Further headers of every request. Their values are never shown.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Further fields of every request, as the provider has them.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

/// The options there are, for people.
const NAMES: &str = "temperature, top_p, max_output_tokens, stop, seed, reasoning_effort, \
    parallel_tool_calls, headers.NAME, extra.NAME";
/// Fields of a request that are not a person's to set.
const OURS: [&str; 7] =
    ["model", "messages", "tools", "tool_choice", "stream", "stream_options", "response_format"];
/// Headers that say how a request is sent.
const FRAMING: [&str; 8] = [
    "content-length",
    "content-type",
    "connection",
    "host",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];
/// The most places to stop at.
const MOST_STOPS: usize = 16;

/// Why an option cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// There is none of this name.
    #[error("there is no option `{0}`: use {NAMES}")]
    Unknown(String),
    /// It cannot have this value.
    #[error("`{name}` {problem}")]
    Value {
        /// The option.
        name: String,
        /// What it has to be.
        problem: String,
    },
}

impl ModelOptions {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Sets one of them by its name, as a person writes it: `temperature`, `0.2`. A field of the provider's
    /// own is `extra.NAME`, a header `headers.NAME`.
    ///
    /// # Errors
    /// When there is no such option, or it cannot have this value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        if let Some(name) = name.strip_prefix("headers.").filter(|it| !it.is_empty()) {
            self.headers.insert(name.to_owned(), value.to_owned());
            return self.check();
        }
        let read = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
        if let Some(name) = name.strip_prefix("extra.").filter(|it| !it.is_empty()) {
            self.extra.insert(name.to_owned(), read);
            return self.check();
        }
        // What is a number to JSON may be a word here.
        let given = [read, Value::from(value)].into_iter().find_map(|value| {
            serde_json::from_value::<Self>(Value::Object(
                [(name.to_owned(), value)].into_iter().collect(),
            ))
            .ok()
        });
        let Some(given) = given else {
            let known = NAMES.split(", ").any(|it| it == name);
            return Err(match known {
                true => OptionError::value(
                    name,
                    format!("cannot be `{}`", crate::truncate_line(value, 100)),
                ),
                false => OptionError::Unknown(crate::truncate_line(name, 100)),
            });
        };
        given.check()?;
        *self = self.with(&given);
        Ok(())
    }

    /// These, and where `other` says something, that.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let mut headers = self.headers.clone();
        headers.extend(other.headers.clone());
        let mut extra = self.extra.clone();
        extra.extend(other.extra.clone());
        let stop = if other.stop.is_empty() { &self.stop } else { &other.stop };
        Self {
            temperature: other.temperature.or(self.temperature),
            top_p: other.top_p.or(self.top_p),
            max_output_tokens: other.max_output_tokens.or(self.max_output_tokens),
            stop: stop.clone(),
            seed: other.seed.or(self.seed),
            reasoning_effort: other
                .reasoning_effort
                .clone()
                .or_else(|| self.reasoning_effort.clone()),
            parallel_tool_calls: other.parallel_tool_calls.or(self.parallel_tool_calls),
            headers,
            extra,
        }
    }

    /// Whether every value can be used.
    ///
    /// # Errors
    /// When one cannot; the error names it.
    pub fn check(&self) -> Result<(), OptionError> {
        let within = |name, value: Option<f64>, most: f64| match value {
            Some(it) if !(0.0..=most).contains(&it) => {
                Err(OptionError::value(name, format!("is from 0 to {most}, not {it}")))
            }
            _ => Ok(()),
        };
        within("temperature", self.temperature, 2.0)?;
        within("top_p", self.top_p, 1.0)?;
        if self.max_output_tokens == Some(0) {
            return Err(OptionError::value("max_output_tokens", "is at least 1"));
        }
        if self.stop.len() > MOST_STOPS || self.stop.iter().any(String::is_empty) {
            return Err(OptionError::value(
                "stop",
                format!("has at most {MOST_STOPS} texts, none of them empty"),
            ));
        }
        if let Some(name) = self.extra.keys().find(|name| OURS.contains(&name.as_str())) {
            let problem = "is what a request is made of, and no option";
            return Err(OptionError::value(&format!("extra.{name}"), problem));
        }
        let is_token = |name: &str| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
        };
        let is_sendable =
            |value: &str| value.bytes().all(|b| b == b'\t' || (b' '..=b'~').contains(&b));
        for (name, value) in &self.headers {
            let is_ours = FRAMING.iter().any(|it| name.eq_ignore_ascii_case(it));
            if is_ours || !is_token(name) || !is_sendable(value) {
                let name = format!("headers.{}", crate::truncate_line(name, 100));
                return Err(OptionError::value(&name, "cannot be sent as an HTTP header"));
            }
        }
        Ok(())
    }
}

impl OptionError {
    /// The option.
    pub fn name(&self) -> &str {
        match self {
            Self::Unknown(name) | Self::Value { name, .. } => name,
        }
    }

    fn value(name: &str, problem: impl Into<String>) -> Self {
        Self::Value { name: name.to_owned(), problem: problem.into() }
    }
}

/// Shows neither what headers hold nor what goes to a provider in fields of its own: it may be a key.
impl fmt::Debug for ModelOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = self.clone();
        shown.headers.values_mut().for_each(|value| "[hidden]".clone_into(value));
        shown.extra.values_mut().for_each(|value| *value = "[hidden]".into());
        f.write_str(&serde_json::to_string(&shown).unwrap_or_default())
    }
}

/// A list of texts, or one of them.
fn one_or_many<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        One(String),
        Many(Vec<String>),
    }
    Ok(match Option::<Given>::deserialize(deserializer)? {
        None => Vec::new(),
        Some(Given::One(one)) => vec![one],
        Some(Given::Many(many)) => many,
    })
}
