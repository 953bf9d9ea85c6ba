//! [`LimitsConfig`]: what bounds a run and a call.

use std::time::Duration;

use toolwright_core::Limits;

use super::{
    Flags, Setting,
    file::LimitsSection,
    sources::{Sources, parsed},
};
use crate::{AppError, Task};

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
        task: Task,
        file: LimitsSection,
    ) -> Result<Self, AppError> {
        let usual = task.limits();
        let rounds = flags.rounds.map(|it| it.to_string());
        let rounds = sources.pick("--rounds", rounds, "", file.rounds.map(|it| it.to_string()));
        let timeout = flags.tool_timeout.clone();
        let timeout = sources.pick("--tool-timeout", timeout, "", file.tool_timeout);
        let wall_clock = sources.pick("", None, "", file.wall_clock);
        let longest = usual.wall_clock.unwrap_or(Duration::MAX);
        let time = humantime::parse_duration;
        Ok(Self {
            rounds: parsed("rounds", rounds, usual.rounds, str::parse::<u32>)?,
            calls: sources.in_file(file.calls, usual.calls),
            tokens: sources.in_file(file.tokens.map(Some), None),
            cost: sources.in_file(file.cost.map(Some), None),
            wall_clock: parsed("limits.wall_clock", wall_clock, longest, time)?,
            tool_timeout: parsed("limits.tool_timeout", timeout, Duration::from_secs(60), time)?,
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
