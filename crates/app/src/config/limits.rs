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
