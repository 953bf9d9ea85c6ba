//! [`Limits`]: what bounds a run. Each ends it with an answer or an error that names the limit.

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};

use crate::plural;

/// What bounds a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Limits {
    /// Rounds in which the model may call tools; after them it has one more to answer in.
    pub rounds: u32,
    /// Calls in all.
    pub calls: u32,
    /// Tokens read and written in all; estimated where a provider does not report them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Money in all, in millionths of the unit that [`Price`] speaks of.
    #[serde(default, rename = "cost_millionths", skip_serializing_if = "Option::is_none")]
    pub cost: Option<u64>,
    /// Time from start to end, without the time in which somebody is asked about a call.
    #[serde(
        default,
        rename = "wall_clock_ms",
        with = "milliseconds",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Option<u64>")]
    pub wall_clock: Option<Duration>,
}

impl Limits {
    /// The same, and of what is counted in all no more than `most`. Rounds are each run's own.
    #[must_use]
    pub fn within(self, most: &Self) -> Self {
        Self {
            rounds: self.rounds,
            calls: self.calls.min(most.calls),
            tokens: least(self.tokens, most.tokens),
            cost: least(self.cost, most.cost),
            wall_clock: least(self.wall_clock, most.wall_clock),
        }
    }
}

fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rounds: 5,
            calls: 64,
            tokens: None,
            cost: None,
            wall_clock: Some(Duration::from_secs(600)),
        }
    }
}

/// About how many tokens a text of this many characters has, where nobody counted.
pub fn tokens(characters: usize) -> u64 {
    (characters as u64).div_ceil(4)
}

/// What a model's tokens cost, per million of them, in whatever unit the owner pays in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Price {
    /// A million tokens read.
    pub input: f64,
    /// A million tokens that the provider read from its cache; as dear as the others where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
    /// A million tokens written.
    pub output: f64,
}

impl Price {
    /// A price for what is read and what is written.
    pub const fn new(input: f64, output: f64) -> Self {
        Self { input, cached_input: None, output }
    }

    /// What this much use costs, in millionths.
    pub fn of(&self, usage: &crate::Usage) -> u64 {
        // A provider that counts more in its cache than it read at all is not believed.
        let cached = usage.cached_tokens.min(usage.prompt_tokens);
        let read = self.input * (usage.prompt_tokens - cached) as f64;
        let cached = self.cached_input.unwrap_or(self.input) * cached as f64;
        // Prices per million, in millionths: the two cancel out. The cast saturates.
        (read + cached + self.output * usage.completion_tokens as f64).ceil() as u64
    }
}

/// An amount in millionths, for people.
fn money(millionths: u64) -> String {
    format!("{:.4}", millionths as f64 / 1e6)
}

/// A duration in events is a number of milliseconds, as all times there are.
mod milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "serde passes a reference")]
    pub(super) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let millis = time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        match millis {
            Some(millis) => serializer.serialize_u64(millis),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(deserializer)?.map(Duration::from_millis))
    }
}

/// One of the [`Limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// [`Limits::rounds`].
    Rounds,
    /// [`Limits::calls`].
    Calls,
    /// [`Limits::tokens`].
    Tokens,
    /// [`Limits::cost`].
    Cost,
    /// [`Limits::wall_clock`].
    WallClock,
}

impl Limit {
    /// What the limit was, for people: `5 rounds of tool calls`.
    pub fn describe(self, limits: &Limits) -> String {
        match self {
            Self::Rounds => {
                let rounds = plural(limits.rounds.into(), "round", "rounds");
                format!("{} {rounds} of tool calls", limits.rounds)
            }
            Self::Calls => {
                format!("{} tool {}", limits.calls, plural(limits.calls.into(), "call", "calls"))
            }
            Self::Tokens => format!("{} tokens", limits.tokens.unwrap_or_default()),
            Self::Cost => format!("{} in cost", money(limits.cost.unwrap_or_default())),
            Self::WallClock => toolwright_duration::format(limits.wall_clock.unwrap_or_default()),
        }
    }

    /// How to raise it, for people.
    pub fn advice(self) -> String {
        format!("raise `limits.{self}` (in toolwright.toml, or `Limits` in code)")
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rounds => "rounds",
            Self::Calls => "calls",
            Self::Tokens => "tokens",
            Self::Cost => "cost",
            Self::WallClock => "wall_clock",
        })
    }
}
