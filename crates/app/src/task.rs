//! [`Task`]: which tools and instructions a job gets.

use std::{fmt, str::FromStr, sync::Arc};

use toolwright_core::{Reviewing, Tool, ToolChoice};

use crate::{AppError, Config, demo};

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
}

const ASSISTANT: &str = "You are a helpful assistant with tools. Use them whenever they can answer a \
    part of the question; never make up what a tool can tell you. Answer in the user's language, \
    briefly, and state the values the tools returned.";

const MARKET: &str = "For prices and markets first look the instrument up, then use the security_id and \
    the exchange_segment of one and the same result; say when a market is closed and when data is \
    simulated.";

impl Task {
    /// Every task.
    pub const ALL: [Self; 3] = [Self::General, Self::Demo, Self::Trading];

    /// The name, as typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Demo => "demo",
            Self::Trading => "trading",
        }
    }

    /// What it is for, in a line.
    pub fn about(self) -> &'static str {
        match self {
            Self::General => "everything there is",
            Self::Demo => "the weather, tips and notes, to try things out with",
            Self::Trading => "prices, candles and option chains of the Indian markets",
        }
    }

    /// All names, for people.
    pub fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// The tools of the task.
    pub fn tools(self, config: &Config) -> Vec<Arc<dyn Tool>> {
        let demo = || demo::tools(&config.data.value);
        let trading = || config.desk().tools();
        match self {
            Self::General => [demo(), trading()].concat(),
            Self::Demo => demo(),
            Self::Trading => trading(),
        }
    }

    /// The instructions that stand above its conversations.
    pub fn system(self, config: &Config) -> String {
        match self {
            Self::General => format!("{ASSISTANT} {MARKET}"),
            Self::Demo => ASSISTANT.to_owned(),
            Self::Trading => config.desk().instructions(),
        }
    }

    /// How strictly its answers are held against the results, where nobody says otherwise.
    pub fn review(self) -> Reviewing {
        match self {
            Self::General | Self::Demo | Self::Trading => Reviewing::Warn,
        }
    }

    /// Whether the first round must call a tool.
    pub fn first_choice(self) -> ToolChoice {
        match self {
            Self::General | Self::Demo => ToolChoice::Auto,
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
