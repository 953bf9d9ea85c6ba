//! [`CassetteMode`]: what a cassette does with a request.

use std::{fmt, str::FromStr};

/// What a cassette does with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CassetteMode {
    /// Asks the model and writes down what it says. What was recorded before is replaced.
    Record,
    /// Gives what was recorded, and asks nobody. A request that was not recorded is an error that says
    /// what is different.
    Replay,
    /// Gives what was recorded, and asks the model for the rest, which is added.
    RecordMissing,
}

impl CassetteMode {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Replay, Self::Record, Self::RecordMissing];

    /// Its name: `replay`, `record` or `missing`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Replay => "replay",
            Self::RecordMissing => "missing",
        }
    }

    /// Whether it writes to the file.
    pub fn records(self) -> bool {
        self != Self::Replay
    }

    /// Whether what was recorded answers.
    pub fn replays(self) -> bool {
        self != Self::Record
    }
}

impl fmt::Display for CassetteMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for CassetteMode {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|mode| mode.name() == text.trim());
        found.ok_or("use replay, record or missing")
    }
}
