//! [`ToolMode`]: how a model is offered its tools.

use std::{fmt, str::FromStr};

/// How a model is offered its tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ToolMode {
    /// In the request, as the provider's API has it; what the model writes is only text.
    Native,
    /// In the prompt; calls are found in what the model writes.
    Text,
    /// In the request, and in the prompt from the moment the provider refuses that. Calls that the
    /// provider left in the text are found.
    #[default]
    Auto,
}

/// There is no such mode.
#[derive(Debug, PartialEq, Eq)]
pub struct UnknownToolMode;

impl ToolMode {
    const ALL: [Self; 3] = [Self::Native, Self::Text, Self::Auto];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Text => "text",
            Self::Auto => "auto",
        }
    }
}

impl fmt::Display for ToolMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ToolMode {
    type Err = UnknownToolMode;

    fn from_str(word: &str) -> Result<Self, UnknownToolMode> {
        let mut all = Self::ALL.into_iter();
        all.find(|it| it.name().eq_ignore_ascii_case(word.trim())).ok_or(UnknownToolMode)
    }
}

impl fmt::Display for UnknownToolMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("use native, text or auto")
    }
}

impl std::error::Error for UnknownToolMode {}
