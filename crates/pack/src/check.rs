//! [`Check`]: one thing that `doctor` looked at.

/// One thing that was looked at: what it is, how it is, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was looked at, in a word or two.
    pub name: &'static str,
    /// How it is.
    pub state: CheckState,
    /// What was found, in a sentence.
    pub says: String,
    /// What a person can do about it.
    pub advice: Option<String>,
}

/// How something is that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckState {
    /// As it should be.
    Good,
    /// It works, but not as somebody may expect.
    Warning,
    /// It does not work.
    Bad,
}

impl Check {
    /// Something is as it should be.
    pub fn good(name: &'static str, says: impl Into<String>) -> Self {
        Self { name, state: CheckState::Good, says: says.into(), advice: None }
    }

    /// Something works, but not as somebody may expect.
    pub fn warning(name: &'static str, says: impl Into<String>) -> Self {
        Self { name, state: CheckState::Warning, says: says.into(), advice: None }
    }

    /// Something does not work.
    pub fn bad(name: &'static str, says: impl Into<String>) -> Self {
        Self { name, state: CheckState::Bad, says: says.into(), advice: None }
    }

    /// The same with what to do about it.
    pub fn with_advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }
}
