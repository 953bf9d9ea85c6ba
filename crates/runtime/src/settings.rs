//! [`Settings`]: what an agent is made of.

use std::{sync::Arc, time::Duration};

use toolwright_core::{Guard, Limits, Model, ToolChoice, guard};

use crate::{Approver, DenyAll, Toolbox};

/// What an agent is made of.
pub struct Settings {
    /// What decides.
    pub model: Arc<dyn Model>,
    /// What may be called.
    pub toolbox: Arc<Toolbox>,
    /// What stands between the two.
    pub guards: Vec<Arc<dyn Guard>>,
    /// Who is asked before a destructive tool runs.
    pub approver: Arc<dyn Approver>,
    /// Instructions that stand above every conversation.
    pub system: Option<String>,
    /// What bounds a run.
    pub limits: Limits,
    /// Whether the first round must call a tool.
    pub first_choice: ToolChoice,
    /// How long one call may take where its tool says nothing.
    pub tool_timeout: Duration,
    /// How many calls may run side by side.
    pub parallel: usize,
    /// Whether the model is asked for its reply piece by piece.
    pub stream: bool,
}

impl Settings {
    /// A model, no tools, and the defaults.
    pub(crate) fn new(model: Arc<dyn Model>) -> Self {
        Self {
            model,
            toolbox: Arc::default(),
            guards: guard::defaults(),
            approver: Arc::new(DenyAll),
            system: None,
            limits: Limits::default(),
            first_choice: ToolChoice::Auto,
            tool_timeout: Duration::from_secs(60),
            parallel: 8,
            stream: true,
        }
    }
}
