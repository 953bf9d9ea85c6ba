//! [`Sources`]: tools that come from elsewhere, and change while a run goes on.

use std::sync::Arc;

use toolwright_core::{Step, ToolChanges};

use super::{Driver, Gate};
use crate::{AgentConfig, Toolbox};

/// Where tools come from that may change.
pub(super) struct Sources {
    /// The toolbox as the agent has it: what is made of a change has no sources itself.
    agent: Arc<Toolbox>,
    is_ready: bool,
    /// What it had last, and the same without what the user switched off.
    lessened: Option<(Arc<Toolbox>, Arc<Toolbox>)>,
}

impl Sources {
    pub(super) fn new(agent: Arc<Toolbox>) -> Self {
        Self { agent, is_ready: false, lessened: None }
    }

    /// What they have now, without these.
    fn current(&mut self, off: &[String]) -> Arc<Toolbox> {
        let current = self.agent.current();
        if off.is_empty() {
            return current;
        }
        match &self.lessened {
            Some((from, made)) if Arc::ptr_eq(from, &current) => made.clone(),
            _ => {
                let made = Arc::new(current.without(off));
                self.lessened = Some((current, made.clone()));
                made
            }
        }
    }
}

impl Driver {
    /// Takes up what sources have now: once they are ready, and then before each request to the model, so
    /// that the calls of a reply are of the tools that it was offered.
    pub(super) async fn refresh_tools(&mut self, step: &Step) {
        if self.sources.agent.sources().is_empty() {
            return;
        }
        let is_first = !self.sources.is_ready;
        if is_first {
            let agent = self.sources.agent.clone();
            agent.ready_within(self.settings.source_wait).await;
            self.sources.is_ready = true;
            if let Some(reason) = agent.missing().await {
                let reason = self.screen.text(reason);
                return self.report(|run, at| run.source_missing(reason, at));
            }
        } else if !matches!(step, Step::CallModel { .. }) {
            return;
        }
        let current = self.sources.current(self.run.tools_off());
        let changes = match is_first {
            // The run begins with them: all that has to be told is what is missing.
            true => ToolChanges { withheld: current.withheld().to_vec(), ..ToolChanges::default() },
            false => current.changes_since(&self.settings.toolbox),
        };
        self.use_toolbox(current);
        if !changes.is_empty() && matches!(step, Step::CallModel { .. }) {
            self.report(|run, at| run.tools_changed(changes, at));
        }
    }

    fn use_toolbox(&mut self, toolbox: Arc<Toolbox>) {
        if Arc::ptr_eq(&toolbox, &self.settings.toolbox) {
            return;
        }
        let settings = AgentConfig { toolbox, ..AgentConfig::clone(&self.settings) };
        self.settings = Arc::new(settings);
        let Gate { guards, output, .. } = &*self.gate;
        let (guards, output) = (guards.clone(), output.clone());
        self.gate = Arc::new(Gate { settings: self.settings.clone(), guards, output });
        // Its places are those of the toolbox before.
        self.offer = None;
    }
}
