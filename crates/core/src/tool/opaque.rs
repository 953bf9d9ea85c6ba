//! [`OpaqueCommand`]: a part of a call whose text does not tell what is carried out.

/// A part of a call whose text does not tell what is carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpaqueCommand {
    /// It runs text that comes from a file or from another program.
    Brought {
        /// The part, in words.
        part: String,
    },
    /// It cannot be understood.
    Unclear {
        /// The part, in words.
        part: String,
        /// What about it: `it has an unusual …`.
        reason: String,
    },
}

impl OpaqueCommand {
    /// The part, in words.
    pub fn part(&self) -> &str {
        match self {
            Self::Brought { part } | Self::Unclear { part, .. } => part,
        }
    }
}
