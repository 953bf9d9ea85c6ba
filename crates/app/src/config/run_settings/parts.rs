//! [`ModelSettings`] and [`LimitSettings`]: those of a model, and those that bound a run.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use toolwright_core::{AttachmentKind, ModelOptions, OutputStrategy, Price};
use toolwright_dialects::Dialect;

use super::{super::model::accepted, asked, unusable};
use crate::{
    AppError,
    config::{LimitsConfig, ModelConfig},
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelSettings {
    pub(super) name: Option<String>,
    pub(super) tool_mode: String,
    pub(super) dialect: Dialect,
    judge: Option<String>,
    idle_timeout: Duration,
    price: Option<Price>,
    /// Without headers: there are keys among them.
    options: ModelOptions,
    accepts: Option<Vec<String>>,
    output_strategy: Option<OutputStrategy>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LimitSettings {
    rounds: u32,
    calls: u32,
    tokens: Option<u64>,
    cost: Option<f64>,
    wall_clock: Duration,
    pub(super) tool_timeout: Duration,
    agent_depth: u32,
    parallel_agents: u32,
}

impl ModelSettings {
    pub(super) fn of(config: &ModelConfig) -> Self {
        let ModelConfig {
            name,
            tool_mode,
            dialect,
            judge,
            idle_timeout,
            price,
            options,
            accepts,
            output_strategy,
            // Where models are, and the keys to them: the driver's own.
            base_url: _,
            api_key: _,
            withheld: _,
            offline_folder: _,
            package_index: _,
        } = config;
        let mut options = options.value.clone();
        options.headers.clear();
        let words = |kinds: &Vec<AttachmentKind>| kinds.iter().copied().filter_map(word).collect();
        Self {
            name: name.value.clone(),
            tool_mode: tool_mode.value.name().to_owned(),
            dialect: dialect.value,
            judge: judge.value.clone(),
            idle_timeout: idle_timeout.value,
            price: price.value,
            options,
            accepts: accepts.value.as_ref().map(words),
            output_strategy: output_strategy.value,
        }
    }

    pub(super) fn apply(&self, config: &mut ModelConfig) -> Result<(), AppError> {
        let mode = self.tool_mode.parse();
        let mode = mode.map_err(|_| unusable("tool_mode", &self.tool_mode, "no such mode"))?;
        let accepts = self.accepts.as_deref().map(accepted).transpose();
        let accepts = accepts.map_err(|it| unusable("model.accepts", &it, "no such kind"))?;
        let mut options = self.options.clone();
        options.headers.clone_from(&config.options.value.headers);
        config.name = asked(self.name.clone());
        config.tool_mode = asked(mode);
        config.dialect = asked(self.dialect);
        config.judge = asked(self.judge.clone());
        config.idle_timeout = asked(self.idle_timeout);
        config.price = asked(self.price);
        config.options = asked(options);
        config.accepts = asked(accepts);
        config.output_strategy = asked(self.output_strategy);
        Ok(())
    }
}

impl LimitSettings {
    pub(super) fn of(config: &LimitsConfig) -> Self {
        let LimitsConfig {
            rounds,
            calls,
            tokens,
            cost,
            wall_clock,
            tool_timeout,
            agent_depth,
            parallel_agents,
        } = config;
        Self {
            rounds: rounds.value,
            calls: calls.value,
            tokens: tokens.value,
            cost: cost.value,
            wall_clock: wall_clock.value,
            tool_timeout: tool_timeout.value,
            agent_depth: agent_depth.value,
            parallel_agents: parallel_agents.value,
        }
    }

    pub(super) fn apply(&self, config: &mut LimitsConfig) {
        *config = LimitsConfig {
            rounds: asked(self.rounds),
            calls: asked(self.calls),
            tokens: asked(self.tokens),
            cost: asked(self.cost),
            wall_clock: asked(self.wall_clock),
            tool_timeout: asked(self.tool_timeout),
            agent_depth: asked(self.agent_depth),
            parallel_agents: asked(self.parallel_agents),
        };
    }
}

/// What `accepted` reads.
fn word(kind: AttachmentKind) -> Option<String> {
    let word = match kind {
        AttachmentKind::Image => "image",
        AttachmentKind::Pdf => "pdf",
        AttachmentKind::Audio => "audio",
        _ => return None,
    };
    Some(word.to_owned())
}
