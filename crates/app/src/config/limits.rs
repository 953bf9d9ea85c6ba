//! [`LimitsConfig`]: what bounds a run and a call.

use std::time::Duration;

use toolwright_core::Limits;
use toolwright_runtime::AgentLimits;

use serde::Deserialize;

use super::{
    Flags, Setting, SettingSource,
    sources::{Sources, parsed},
    values,
};
use crate::{AppError, Task, task::TaskSettings};

/// What files say about it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LimitsSection {
    pub(crate) rounds: Option<u32>,
    pub(crate) calls: Option<u32>,
    pub(crate) tokens: Option<u64>,
    /// In the unit of the prices.
    #[serde(deserialize_with = "values::amount")]
    pub(crate) cost: Option<f64>,
    #[serde(deserialize_with = "values::time")]
    pub(crate) wall_clock: Option<Duration>,
    #[serde(deserialize_with = "values::time")]
    pub(crate) tool_timeout: Option<Duration>,
    /// How deep agents may ask each other.
    pub(crate) agent_depth: Option<u32>,
    /// How many agents one run may ask at the same time.
    pub(crate) parallel_agents: Option<u32>,
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
    /// How deep agents may ask each other.
    pub agent_depth: Setting<u32>,
    /// How many agents one run may ask at the same time.
    pub parallel_agents: Setting<u32>,
}

impl LimitsConfig {
    pub(super) fn read(
        sources: &Sources<'_>,
        flags: &Flags,
        task: &Task,
        file: &LimitsSection,
    ) -> Result<Self, AppError> {
        let none = Limits::default();
        let rounds =
            flags.rounds.map(|it| Setting { value: it, place: SettingSource::Flag(ROUNDS) });
        let timeout = sources.pick(TIMEOUT, flags.tool_timeout.clone(), "", None);
        let timeout = parsed("limits.tool_timeout", timeout, None, |text| {
            toolwright_duration::parse_nonzero(text).map(Some)
        })?;
        let timeout = timeout.value.map(|value| Setting { value, place: timeout.place });
        let limit = Reading { sources, task, file };
        let agents = AgentLimits::default();
        let parallel = u32::try_from(agents.parallel).unwrap_or(u32::MAX);
        let longest = none.wall_clock.unwrap_or(Duration::MAX);
        Ok(Self {
            rounds: limit.read(rounds, none.rounds, |it| it.rounds),
            calls: limit.read(None, none.calls, |it| it.calls),
            tokens: limit.read_if_any(|it| it.tokens),
            cost: limit.read_if_any(|it| it.cost),
            wall_clock: limit.read(None, longest, |it| it.wall_clock),
            tool_timeout: limit.read(timeout, USUAL_TIMEOUT, |it| it.tool_timeout),
            agent_depth: limit.read(None, agents.depth, |it| it.agent_depth),
            parallel_agents: limit.read(None, parallel, |it| it.parallel_agents),
        })
    }

    /// What bounds agents that are tools. None at all may not run at the same time: they would wait for ever.
    pub fn of_agents(&self) -> AgentLimits {
        let most = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
        AgentLimits {
            depth: self.agent_depth.value,
            parallel: most(self.parallel_agents.value.max(1)),
        }
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

const ROUNDS: &str = "--max-rounds";
const TIMEOUT: &str = "--tool-timeout";

/// For tools that say nothing themselves.
const USUAL_TIMEOUT: Duration = Duration::from_secs(60);

/// The one way in which a limit is read: what is typed, then what the user's files say, then what comes
/// with the task; and less than that, where a trusted folder or its task says so.
struct Reading<'a> {
    sources: &'a Sources<'a>,
    task: &'a Task,
    file: &'a LimitsSection,
}

impl Reading<'_> {
    fn read<T: Copy + PartialOrd>(
        &self,
        typed: Option<Setting<T>>,
        none: T,
        limit: impl Fn(&LimitsSection) -> Option<T>,
    ) -> Setting<T> {
        let of_task = |it: &TaskSettings| limit(&it.limits);
        let said = typed.or_else(|| self.sources.users(self.task, of_task, limit(self.file)));
        let setting = said.unwrap_or_else(|| Sources::usual(self.task, of_task, none));
        let folder = limit(&self.sources.folder.limits);
        let folders = self.sources.folders(self.task, of_task, folder);
        Sources::narrowed(setting, folders, |new, old| new < old)
    }

    /// As [`Reading::read`], where there may be no limit.
    fn read_if_any<T: Copy + PartialOrd>(
        &self,
        limit: impl Fn(&LimitsSection) -> Option<T>,
    ) -> Setting<Option<T>> {
        let of_task = |it: &TaskSettings| limit(&it.limits).map(Some);
        let said = self.sources.users(self.task, of_task, limit(self.file).map(Some));
        let setting = said.unwrap_or_else(|| Sources::usual(self.task, of_task, None));
        let folder = limit(&self.sources.folder.limits).map(Some);
        let folders = self.sources.folders(self.task, of_task, folder);
        Sources::narrowed(setting, folders, |new, old| match (new, old) {
            (Some(new), Some(old)) => new < old,
            (new, _) => new.is_some(),
        })
    }
}
