//! [`Task`]: which tools and instructions a job gets.

use std::{fmt, str::FromStr, time::Duration};

use toolwright_core::{Limits, ReviewMode, ToolChoice};

use crate::AppError;

/// A job with its tools and instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Task {
    /// Everything there is.
    #[default]
    General,
    /// The weather, tips and notes: small tools to try things out with.
    Demo,
    /// Prices, candles and option chains of the Indian markets.
    Trading,
    /// What the user watched: lately, about a topic, how much.
    History,
    /// Files and commands in a folder of the user's.
    Workspace,
}

impl Task {
    /// Every task.
    pub const ALL: [Self; 5] =
        [Self::General, Self::Demo, Self::Trading, Self::History, Self::Workspace];

    /// The name, as typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Demo => "demo",
            Self::Trading => "trading",
            Self::History => "history",
            Self::Workspace => "workspace",
        }
    }

    /// The name, for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::General => "Everything",
            Self::Demo => "Demo",
            Self::Trading => "Trading desk",
            Self::History => "Watch history",
            Self::Workspace => "Workspace",
        }
    }

    /// Questions to begin with.
    pub fn starters(self) -> &'static [&'static str] {
        match self {
            Self::General => &[
                "What's the current price of NIFTY?",
                "What videos have I watched recently?",
                "What's the weather in San Francisco and a 20% tip on $45.60?",
            ],
            Self::Demo => &[
                "What's the weather in San Francisco and a 20% tip on $45.60?",
                "Make a note: buy coffee",
                "Show my notes",
            ],
            Self::Trading => &[
                "What's the current price of NIFTY?",
                "Show me daily candles for RELIANCE over the last month",
                "Show me the option chain for BANKNIFTY",
            ],
            Self::History => &[
                "What videos have I watched recently?",
                "Find me Python tutorials from last month",
                "What are my watch statistics?",
            ],
            Self::Workspace => {
                &["Show me README.md", "What is in this folder?", "Where is TODO written?"]
            }
        }
    }

    /// What it is for, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Self::General => "everything there is",
            Self::Demo => "the weather, tips and notes, to try things out with",
            Self::Trading => "prices, candles and option chains of the Indian markets",
            Self::History => "the videos you watched: lately, about a topic, how much",
            Self::Workspace => {
                "files and commands in a folder, the current one where none is named"
            }
        }
    }

    /// All names, for people.
    pub fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// How strictly its answers are held against the results, where nobody says otherwise.
    pub fn review(self) -> ReviewMode {
        match self {
            Self::General | Self::Demo | Self::Trading => ReviewMode::Warn,
            // What somebody watched is in the results or nowhere: an answer that says otherwise is
            // sent back.
            Self::History => ReviewMode::Enforce,
            // Code is full of figures that no tool returned.
            Self::Workspace => ReviewMode::Off,
        }
    }

    /// What bounds its runs, where nobody says otherwise.
    pub fn limits(self) -> Limits {
        match self {
            Self::General | Self::Demo | Self::Trading | Self::History => Limits::default(),
            // A change takes many small steps, and a person to look at them.
            Self::Workspace => Limits {
                rounds: 50,
                calls: 200,
                wall_clock: Some(Duration::from_secs(3600)),
                ..Limits::default()
            },
        }
    }

    /// Whether the first round must call a tool.
    pub fn first_choice(self) -> ToolChoice {
        match self {
            Self::General | Self::Demo | Self::History | Self::Workspace => ToolChoice::Auto,
            // A price that was not looked up is a price that was made up.
            Self::Trading => ToolChoice::Required,
        }
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Task {
    type Err = AppError;

    fn from_str(name: &str) -> Result<Self, AppError> {
        let found = Self::ALL.into_iter().find(|task| task.name() == name.trim());
        found.ok_or_else(|| AppError::NoSuchTask(name.to_owned()))
    }
}
