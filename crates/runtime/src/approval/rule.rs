//! [`Rule`]: what may run without a question, and what may not run at all.

use std::{fmt, path::Path};

use serde::{Deserialize, Serialize};
use toolwright_core::{RuleTarget, Timestamp};

use super::pattern::{is_exact, matches, may_match};

/// What may run without a question, and what may not run at all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// What becomes of a call.
    pub verdict: RuleVerdict,
    /// The tool it is about; `*` for all.
    pub tool: String,
    /// The calls it is about, by their subjects: a command, a path, `name=value`. `*` stands for
    /// anything; without a pattern it is about every call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Whether the pattern is a text and nothing else: a star in it stands for a star.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exact: bool,
    /// The folder in which it holds, and below; everywhere where none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// When it ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// What becomes of a call that a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleVerdict {
    /// It runs, if every other subject of it may, too.
    Allow,
    /// Somebody is asked, whatever another rule allows.
    Ask,
    /// It does not run, whatever anybody says.
    Deny,
}

impl Rule {
    /// A rule about every call of `tool`.
    pub fn new(verdict: RuleVerdict, tool: impl Into<String>) -> Self {
        Self { verdict, tool: tool.into(), pattern: None, exact: false, place: None, until: None }
    }

    /// The rule, about subjects of this form only.
    #[must_use]
    pub fn pattern(mut self, pattern: impl Into<String>) -> Self {
        self.pattern = Some(pattern.into());
        self
    }

    /// The rule, about exactly this subject.
    #[must_use]
    pub fn exactly(self, subject: impl Into<String>) -> Self {
        Self { exact: true, ..self.pattern(subject) }
    }

    /// The rule, in this folder only.
    #[must_use]
    pub fn place(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// The rule, until then only.
    #[must_use]
    pub fn until(mut self, until: Timestamp) -> Self {
        self.until = Some(until);
        self
    }

    /// Whether it has ended.
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.until.is_some_and(|until| until <= now)
    }

    /// Whether it holds for calls of `tool` that would run in `place`.
    pub(super) fn holds(&self, tool: &str, place: Option<&str>, now: Timestamp) -> bool {
        let is_there = match (&self.place, place) {
            (None, _) => true,
            // Component by component: `/srv/app-2` is not in `/srv/app`.
            (Some(mine), Some(place)) => Path::new(place).starts_with(mine),
            (Some(_), None) => false,
        };
        self.is_of(tool) && is_there && !self.is_over(now)
    }

    /// Whether it is about this tool.
    pub(super) fn is_of(&self, tool: &str) -> bool {
        self.tool == "*" || self.tool == tool
    }

    /// Whether it is about this subject.
    pub(super) fn is_about(&self, subject: &RuleTarget) -> bool {
        match self.pattern.as_deref() {
            None => true,
            Some(text) if self.exact => text == subject.text,
            Some(pattern) => matches(pattern, &subject.text),
        }
    }

    /// Whether it allows this subject.
    pub(super) fn lets(&self, subject: &RuleTarget) -> bool {
        match subject.exact && self.pattern.is_some() {
            true => self.names(subject),
            false => self.is_about(subject),
        }
    }

    /// Whether it may be about this subject, of which only the beginning is certain. Compares what is
    /// certain of both, so it says yes too often rather than too seldom.
    pub(super) fn may_be_about(&self, subject: &RuleTarget) -> bool {
        let Some(certain) = subject.certain else { return self.is_about(subject) };
        // Where it ends within a character nothing is.
        let known = subject.text.get(..certain).unwrap_or_default();
        match self.pattern.as_deref() {
            None => true,
            Some(text) if self.exact => text.starts_with(known),
            Some(pattern) => may_match(pattern, known),
        }
    }

    /// Whether it says that this subject may run whatever it runs in turn: `cargo *` says so of
    /// `cargo test`. A rule about everything says so of nothing.
    pub(super) fn vouches_for(&self, subject: &RuleTarget) -> bool {
        let names = |it: &str| self.exact || !it.starts_with('*');
        self.pattern.as_deref().is_some_and(names) && self.lets(subject)
    }

    /// Whether it names exactly this subject and no other.
    pub(super) fn names(&self, subject: &RuleTarget) -> bool {
        let pattern = self.pattern.as_deref();
        pattern.is_some_and(|it| it == subject.text && (self.exact || is_exact(it)))
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.verdict {
            RuleVerdict::Allow => "allow",
            RuleVerdict::Ask => "ask about",
            RuleVerdict::Deny => "deny",
        };
        write!(f, "{verdict} {}", self.tool)?;
        if let Some(pattern) = &self.pattern {
            write!(f, " `{pattern}`")?;
        }
        match &self.place {
            Some(place) => write!(f, " in {place}"),
            None => Ok(()),
        }
    }
}
