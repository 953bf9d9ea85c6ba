//! [`Policies`]: what is said about how tools are treated, by whom.

use std::{sync::Arc, time::Duration};

use toolwright_core::{Policy, SEPARATOR, Tool, ToolSource, ToolSpec};

use super::ToolboxError;
use crate::{Layer, layers::check};

/// Stands for every tool.
const ALL: &str = "*";

/// What is said about how tools are treated. From the weakest word to the strongest: the defaults,
/// what a tool declares, what is said of all, what is said of the tool.
#[derive(Default)]
pub(super) struct Policies {
    defaults: Vec<Policy>,
    /// Each with the tool it is said of.
    said: Vec<(String, Policy)>,
    /// Layers of the program's own, the outermost first, each for one tool or for all.
    layers: Vec<(Option<String>, Arc<dyn Layer>)>,
    /// How long any call may take, whatever else is said.
    most: Option<Duration>,
}

impl Policies {
    pub(super) fn default_policy(&mut self, policy: Policy) {
        self.defaults.push(policy);
    }

    pub(super) fn set(&mut self, tool: String, policy: Policy) {
        self.said.push((tool, policy));
    }

    pub(super) fn layer(&mut self, tool: Option<String>, layer: impl Layer + 'static) {
        self.layers.push((tool, Arc::new(layer)));
    }

    pub(super) fn call_timeout(&mut self, most: Duration) {
        self.most = Some(most);
    }

    /// How long any call may take, with all its attempts.
    pub(super) fn most(&self) -> Option<Duration> {
        self.most
    }

    /// The policy that is in effect for a tool.
    pub(super) fn of(&self, spec: &ToolSpec) -> Result<Policy, ToolboxError> {
        let defaults = self.defaults.iter().map(|policy| allowed(policy, spec));
        let all = self.said_of(ALL).map(|policy| allowed(policy, spec));
        let named = self.said_of(&spec.name).cloned();
        let said = defaults.chain([spec.policy.clone()]).chain(all).chain(named);
        let mut policy = said.fold(Policy::default(), |policy, said| policy.with(&said));
        if let Some(most) = self.most.filter(|_| !spec.agent) {
            policy.timeout = Some(policy.timeout.map_or(most, |own| own.min(most)));
        }
        let bad = |reason| ToolboxError::BadPolicy { tool: spec.name.clone(), reason };
        check(spec, &policy).map_err(bad)?;
        Ok(policy)
    }

    fn said_of(&self, name: &str) -> impl Iterator<Item = &Policy> {
        self.said.iter().filter(move |(tool, _)| tool == name).map(|(_, policy)| policy)
    }

    /// The layers around a tool, the outermost first.
    pub(super) fn layers_of(&self, tool: &str) -> Vec<Arc<dyn Layer>> {
        let is_meant = |of: &Option<String>| of.as_ref().is_none_or(|of| of == tool);
        let layers = self.layers.iter().filter(|(of, _)| is_meant(of));
        layers.map(|(_, layer)| layer.clone()).collect()
    }

    /// Whether everything that was said of one tool is said of one that is there, or that a source may
    /// still have.
    pub(super) fn check_names(
        &self,
        tools: &[Arc<dyn Tool>],
        sources: &[Arc<dyn ToolSource>],
    ) -> Result<(), ToolboxError> {
        let is_of = |source: &Arc<dyn ToolSource>, name: &str| {
            let rest = name.strip_prefix(source.name());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(SEPARATOR))
        };
        let is_there = |name: &str| {
            tools.iter().any(|tool| tool.spec().name == name)
                || sources.iter().any(|source| is_of(source, name))
        };
        let layered = self.layers.iter().filter_map(|(of, _)| of.as_ref());
        let mut said = self.said.iter().map(|(tool, _)| tool).chain(layered);
        match said.find(|said| *said != ALL && !is_there(said)) {
            Some(unknown) => {
                let reason = "there is no such tool: check how it is spelled".to_owned();
                Err(ToolboxError::BadPolicy { tool: unknown.clone(), reason })
            }
            None => Ok(()),
        }
    }
}

/// Of what is said of many tools, what the effect of this one allows.
fn allowed(policy: &Policy, spec: &ToolSpec) -> Policy {
    let mut policy = policy.clone();
    if !spec.effect.is_repeatable() || spec.agent {
        policy.retry = None;
    }
    if spec.agent {
        (policy.timeout, policy.idle_timeout) = (None, None);
    }
    if !spec.effect.is_read_only() {
        policy.cache = None;
    }
    policy
}
