//! [`Setting`]: a value and where it came from; and [`Secret`], a value that is not printed.

use std::{fmt, path::PathBuf};

use toml::Value;

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingSource {
    /// A flag on the command line.
    Flag(&'static str),
    /// An environment variable.
    Env(&'static str),
    /// The user's config file.
    File(PathBuf),
    /// The file of the folder one stands in, which is trusted.
    Folder(PathBuf),
    /// Nobody set it.
    Default,
}

impl SettingSource {
    /// Whether the user says it for this very run.
    pub fn is_said_now(&self) -> bool {
        matches!(self, Self::Flag(_) | Self::Env(_))
    }
}

impl fmt::Display for SettingSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) => write!(f, "flag --{}", name.trim_start_matches('-')),
            Self::Env(name) => write!(f, "environment {name}"),
            Self::File(path) | Self::Folder(path) => write!(f, "file {}", path.display()),
            Self::Default => f.write_str("default"),
        }
    }
}

/// A value and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Where it came from.
    pub place: SettingSource,
}

impl<T> Setting<T> {
    /// The same setting, its value made into another.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Setting<U> {
        Setting { value: make(self.value), place: self.place }
    }
}

/// A text that is not printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A text that is not printed from now on.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, for the one place that needs it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[hidden]")
    }
}

impl fmt::Display for Secret {
    /// Its first and last letters, so that two keys can be told apart.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: Vec<char> = self.0.chars().collect();
        match letters.as_slice() {
            [a, b, c, .., y, z] if letters.len() >= 16 => write!(f, "{a}{b}{c}…{y}{z}"),
            _ => f.write_str("set"),
        }
    }
}

/// A value, for people.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Datetime(moment) => moment.to_string(),
        Value::Array(values) => values.iter().map(shown).collect::<Vec<_>>().join(", "),
        Value::Table(table) => {
            let pairs = table.iter().map(|(name, value)| format!("{name} {}", shown(value)));
            pairs.collect::<Vec<_>>().join(", ")
        }
    }
}
