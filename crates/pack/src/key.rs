//! [`SettingKey`]: something that can be set about a pack, as data.
//!
//! From it follow what the config file may say, what an environment variable and a flag mean, what
//! `doctor` shows, what is kept out of every text, and what a project's file may decide.

use std::time::Duration;

use toml::Value;

/// Something that can be set about a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettingKey {
    /// Its name in the pack's section.
    pub name: &'static str,
    /// What it is, for people.
    pub about: &'static str,
    /// What its values look like.
    pub kind: SettingKind,
    /// The environment variable that sets it, too.
    pub env: Option<&'static str>,
    /// The flag that sets it, too.
    pub flag: Option<&'static str>,
    /// What the flag does, for people.
    pub help: &'static str,
    /// What holds where nobody sets it.
    pub usual: Option<&'static str>,
    /// What a project's file may do with it.
    pub project: ProjectRule,
    /// Whether it is never shown.
    pub secret: bool,
    /// The task that is meant where this is set for a run; and what holds, where it is not set, in a
    /// task that names the pack.
    pub selects: Option<(&'static str, &'static str)>,
}

/// What the values of a setting look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// Any text.
    Text,
    /// A whole number.
    Number,
    /// `true` or `false`.
    Switch,
    /// A time: `30s`, `5m`.
    Duration,
    /// An address on a network. What may be a login or a key in it is not shown.
    Address,
    /// A file or a folder. A project's file may name what lies in the project.
    Path,
    /// Several texts.
    List,
}

/// What the file of a project that is trusted may do with a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectRule {
    /// Nothing. For where something of the user's is kept or sent, and what the user's keys are used
    /// for.
    Never,
    /// Make it less than what holds without it. For numbers and times.
    Narrow,
    /// Set it, where the user does not for this very run.
    Free,
}

impl SettingKey {
    const fn new(name: &'static str, about: &'static str, kind: SettingKind) -> Self {
        Self {
            name,
            about,
            kind,
            env: None,
            flag: None,
            help: "",
            usual: None,
            project: ProjectRule::Never,
            secret: false,
            selects: None,
        }
    }

    /// A text.
    pub const fn text(name: &'static str, about: &'static str) -> Self {
        Self::new(name, about, SettingKind::Text)
    }

    /// An address on a network.
    pub const fn address(name: &'static str, about: &'static str) -> Self {
        Self::new(name, about, SettingKind::Address)
    }

    /// A text that is never shown: a key, a token.
    pub const fn secret(name: &'static str, about: &'static str) -> Self {
        let mut key = Self::text(name, about);
        key.secret = true;
        key
    }

    /// A whole number.
    pub const fn number(name: &'static str, about: &'static str) -> Self {
        Self::new(name, about, SettingKind::Number)
    }

    /// `true` or `false`.
    pub const fn switch(name: &'static str, about: &'static str) -> Self {
        Self::new(name, about, SettingKind::Switch)
    }

    /// A time.
    pub const fn duration(name: &'static str, about: &'static str) -> Self {
        Self::new(name, about, SettingKind::Duration)
    }

    /// A file or a folder.
    pub const fn path(name: &'static str, about: &'static str) -> Self {
        Self::new(name, about, SettingKind::Path)
    }

    /// Several texts.
    pub const fn list(name: &'static str, about: &'static str) -> Self {
        Self::new(name, about, SettingKind::List)
    }

    /// The same, set by an environment variable, too.
    pub const fn env(mut self, variable: &'static str) -> Self {
        self.env = Some(variable);
        self
    }

    /// The same, set by a flag, too: what it is called, and what it does.
    pub const fn flag(mut self, flag: &'static str, help: &'static str) -> Self {
        self.flag = Some(flag);
        self.help = help;
        self
    }

    /// The same with what holds where nobody sets it.
    pub const fn usual(mut self, value: &'static str) -> Self {
        self.usual = Some(value);
        self
    }

    /// The same with what a project's file may do with it.
    pub const fn project(mut self, rule: ProjectRule) -> Self {
        self.project = rule;
        self
    }

    /// The same, set for a run meaning this task; in a task that names the pack it is `usual` where it
    /// is not set.
    pub const fn selects(mut self, task: &'static str, usual: &'static str) -> Self {
        self.selects = Some((task, usual));
        self
    }

    /// A value as a flag and a variable give it.
    ///
    /// # Errors
    /// When it is not of this kind.
    pub fn parse(&self, text: &str) -> Result<Value, String> {
        match self.kind {
            SettingKind::Text | SettingKind::Path => Ok(Value::String(text.to_owned())),
            SettingKind::Address => address(text).map(|()| Value::String(text.to_owned())),
            SettingKind::Number => match text.trim().parse() {
                Ok(number) => Ok(Value::Integer(number)),
                Err(_) => Err("use a whole number".to_owned()),
            },
            SettingKind::Switch => match text.trim().parse() {
                Ok(truth) => Ok(Value::Boolean(truth)),
                Err(_) => Err("use true or false".to_owned()),
            },
            SettingKind::Duration => {
                time(text).map(|_| Value::String(text.to_owned())).map_err(|it| it.to_string())
            }
            SettingKind::List => {
                let parts = text.split(',').map(str::trim).filter(|it| !it.is_empty());
                Ok(Value::Array(parts.map(|it| Value::String(it.to_owned())).collect()))
            }
        }
    }

    /// A value of the config file, where it is of this kind.
    ///
    /// # Errors
    /// When it is not.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        match (self.kind, value) {
            (SettingKind::Text | SettingKind::Path, Value::String(_))
            | (SettingKind::Switch, Value::Boolean(_)) => Ok(()),
            (SettingKind::Address, Value::String(text)) => address(text),
            (SettingKind::Number, Value::Integer(number)) if *number >= 0 => Ok(()),
            (SettingKind::Duration, Value::String(text)) => {
                time(text).map(|_| ()).map_err(|error| error.to_string())
            }
            (SettingKind::List, Value::Array(values)) if values.iter().all(Value::is_str) => Ok(()),
            (SettingKind::Text | SettingKind::Address | SettingKind::Path, _) => {
                Err("expected a text".to_owned())
            }
            (SettingKind::Switch, _) => Err("expected true or false".to_owned()),
            (SettingKind::Number, _) => Err("expected a whole number".to_owned()),
            (SettingKind::Duration, _) => Err("expected a time, such as \"30s\"".to_owned()),
            (SettingKind::List, _) => Err("expected a list of texts".to_owned()),
        }
    }

    /// Whether one value allows less than another.
    pub fn is_narrower(&self, new: &Value, old: &Value) -> bool {
        match (self.kind, new, old) {
            (SettingKind::Number, Value::Integer(new), Value::Integer(old)) => new < old,
            (SettingKind::Duration, Value::String(new), Value::String(old)) => {
                matches!((time(new), time(old)), (Ok(new), Ok(old)) if new < old)
            }
            _ => false,
        }
    }
}

/// Whether it has the form of an address on a network.
fn address(text: &str) -> Result<(), String> {
    let is_address = text.trim().split_once("://").is_some_and(|(scheme, rest)| {
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        scheme.starts_with(|it: char| it.is_ascii_alphabetic())
            && !host.trim_start_matches(':').is_empty()
            && !host.contains(char::is_whitespace)
    });
    if is_address {
        Ok(())
    } else {
        Err("use an address such as https://host.example/path".to_owned())
    }
}

/// A time, as it is written.
pub(crate) fn time(text: &str) -> Result<Duration, toolwright_duration::DurationError> {
    toolwright_duration::parse_nonzero(text)
}
