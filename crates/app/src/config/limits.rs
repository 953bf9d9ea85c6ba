//! [`LimitsConfig`]: what bounds a run and a call.

use std::time::Duration;

use toolwright_core::Limits;

use serde::Deserialize;

use super::{
    Flags, Setting,
    sources::{Sources, parsed},
};
use crate::{AppError, Task, task::TaskSource};

/// What files say about it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LimitsSection {
    pub(super) rounds: Option<u32>,
    pub(super) calls: Option<u32>,
    pub(super) tokens: Option<u64>,
    /// In the unit of the prices.
    pub(super) cost: Option<f64>,
    pub(super) wall_clock: Option<String>,
    pub(super) tool_timeout: Option<String>,
}

impl LimitsSection {
    /// What this says, and what the other says where this does not.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            rounds: self.rounds.or(other.rounds),
            calls: self.calls.or(other.calls),
            tokens: self.tokens.or(other.tokens),
            cost: self.cost.or(other.cost),
            wall_clock: self.wall_clock.or(other.wall_clock),
            tool_timeout: self.tool_timeout.or(other.tool_timeout),
        }
    }

    /// The same, with nothing that is more than these.
    pub(crate) fn at_most(self, most: &Limits) -> Self {
        let longest = most.wall_clock.unwrap_or(Duration::MAX);
        let is_short =
            |text: &String| toolwright_duration::parse_nonzero(text).is_ok_and(|it| it <= longest);
        Self {
            rounds: self.rounds.map(|it| it.min(most.rounds)),
            calls: self.calls.map(|it| it.min(most.calls)),
            wall_clock: self.wall_clock.filter(is_short),
            ..self
        }
    }

    /// Whether its times are some.
    pub(crate) fn check(&self) -> Result<(), String> {
        let times = [("wall_clock", &self.wall_clock), ("tool_timeout", &self.tool_timeout)];
        for (name, text) in times {
            if let Some(text) = text {
                toolwright_duration::parse_nonzero(text)
                    .map_err(|error| format!("limits.{name}: {error}"))?;
            }
        }
        Ok(())
    }
}

/// What bounds a run and a call.
#[derive(Clone, Debug)]
pub struct LimitsConfig {
    /// Rounds in which tools may be called.
    pub rounds: Setting<u32>,
    /// Calls in all.
    pub calls: Setting<u32>,
    /// Tokens in all.
    pub tokens: Setting<Option<u64>>,
    /// Money in all, in the unit of the prices.
    pub cost: Setting<Option<f64>>,
    /// Time from start to end.
    pub wall_clock: Setting<Duration>,
    /// How long one call may take.
    pub tool_timeout: Setting<Duration>,
}

impl LimitsConfig {
    pub(super) fn read(
        sources: &Sources<'_>,
        flags: &Flags,
        task: &Task,
        file: LimitsSection,
    ) -> Result<Self, AppError> {
        let none = Limits::default();
        // What the user wrote about the task beats what is said of all; what comes with it does not.
        let (file, of_task) = match task.source {
            TaskSource::BuiltIn => (file, task.limits.clone()),
            _ => (task.limits.clone().or(file), LimitsSection::default()),
        };
        let time =
            |text: &Option<String>| toolwright_duration::parse_nonzero(text.as_deref()?).ok();
        let usual = Limits {
            rounds: of_task.rounds.unwrap_or(none.rounds),
            calls: of_task.calls.unwrap_or(none.calls),
            wall_clock: time(&of_task.wall_clock).or(none.wall_clock),
            ..none
        };
        let rounds = flags.rounds.map(|it| it.to_string());
        let rounds = sources.pick("--max-rounds", rounds, "", file.rounds.map(|it| it.to_string()));
        let timeout = flags.tool_timeout.clone();
        let timeout = sources.pick("--tool-timeout", timeout, "", file.tool_timeout);
        let wall_clock = sources.pick("", None, "", file.wall_clock);
        let longest = usual.wall_clock.unwrap_or(Duration::MAX);
        let time = toolwright_duration::parse_nonzero;
        let rounds = parsed("rounds", rounds, usual.rounds, str::parse::<u32>)?;
        let wall_clock = parsed("limits.wall_clock", wall_clock, longest, time)?;
        let timeout = parsed("limits.tool_timeout", timeout, Duration::from_secs(60), time)?;
        let folder = &sources.folder.limits;
        let folders_clock =
            sources.folders_time("limits.wall_clock", folder.wall_clock.as_ref())?;
        let folders_timeout =
            sources.folders_time("limits.tool_timeout", folder.tool_timeout.as_ref())?;
        let (tokens, cost) = (file.tokens.map(Some), file.cost.map(Some));
        Ok(Self {
            rounds: sources.at_most(rounds, folder.rounds),
            calls: sources.at_most(sources.in_file(file.calls, usual.calls), folder.calls),
            tokens: sources.at_most_if_any(sources.in_file(tokens, None), folder.tokens),
            cost: sources.at_most_if_any(sources.in_file(cost, None), folder.cost),
            wall_clock: sources.at_most(wall_clock, folders_clock),
            tool_timeout: sources.at_most(timeout, folders_timeout),
        })
    }

    /// What bounds a run.
    pub fn of_run(&self) -> Limits {
        Limits {
            rounds: self.rounds.value,
            calls: self.calls.value,
            tokens: self.tokens.value,
            cost: self.cost.value.map(|cost| (cost * 1e6) as u64),
            wall_clock: Some(self.wall_clock.value),
        }
    }
}
