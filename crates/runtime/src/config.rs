//! [`AgentConfig`]: what an agent is made of.

use std::{sync::Arc, time::Duration};

use toolwright_core::{
    Guard, Limits, Model, ModelOptions, Observer, OutputSchema, Price, ResultMode, ReviewMode,
    ToolChoice, review::Reviewer,
};

use crate::{
    AgentLimits, Approver, CallLogging, ContextWindow, DenyAll, FallbackModel, ResultAppendix,
    Toolbox, model_health::ModelHealth,
};

/// What an agent is made of.
#[derive(Clone)]
#[non_exhaustive]
pub struct AgentConfig {
    /// What decides.
    pub model: Arc<dyn Model>,
    /// What decides where that gives no reply, in this order.
    pub fallback_models: Vec<FallbackModel>,
    /// Whether the first of them is passed over. Copies of an agent share what they learn.
    pub(crate) health: Arc<ModelHealth>,
    /// What may be called.
    pub toolbox: Arc<Toolbox>,
    /// What the user switched off of it, by name: it is not offered, and calls of it are refused.
    pub tools_off: Vec<String>,
    /// What stands between the two.
    pub guards: Vec<Arc<dyn Guard>>,
    /// Who is asked before a destructive tool runs.
    pub approver: Arc<dyn Approver>,
    /// Instructions that stand above every conversation.
    pub system: Option<String>,
    /// What files of the project say, told to every conversation as the project's words.
    pub project: Option<String>,
    /// What is said beside a result.
    pub appendix: Option<Arc<dyn ResultAppendix>>,
    /// What bounds a run.
    pub limits: Limits,
    /// Whether the first round must call a tool.
    pub first_choice: ToolChoice,
    /// What becomes of the results.
    pub mode: ResultMode,
    /// How long one call may take where its tool says nothing.
    pub tool_timeout: Duration,
    /// How long the first run waits for sources of tools that have none yet; the others do not wait again.
    pub source_wait: Duration,
    /// How many calls may run side by side.
    pub parallel: usize,
    /// How deep agents that are its tools may use each other, and how many of them run at once.
    pub agents: AgentLimits,
    /// Whether the model is asked for its reply piece by piece.
    pub stream: bool,
    /// How much of a conversation the model is sent.
    pub window: ContextWindow,
    /// Whether the older part of a conversation is replaced before the first request, however long it is.
    pub compact_first: bool,
    /// Whether an answer is held against the results.
    pub review: ReviewMode,
    /// Who does that. None where the program has no reviewer: then no answer is taken for supported.
    pub reviewer: Option<Arc<dyn Reviewer>>,
    /// A model that looks at the answer, too.
    pub judge: Option<Arc<dyn Model>>,
    /// What tokens cost.
    pub price: Option<Price>,
    /// How the model is to write.
    pub options: Arc<ModelOptions>,
    /// The form every answer has to have.
    pub output: Option<Arc<OutputSchema>>,
    /// Those who watch every run.
    pub observers: Vec<Arc<dyn Observer>>,
    /// What log lines say about a call.
    pub log: CallLogging,
}

impl AgentConfig {
    /// A model, no tools, and the defaults.
    pub(crate) fn new(model: Arc<dyn Model>) -> Self {
        Self {
            model,
            fallback_models: Vec::new(),
            health: Arc::default(),
            toolbox: Arc::default(),
            tools_off: Vec::new(),
            guards: Vec::new(),
            approver: Arc::new(DenyAll),
            system: None,
            project: None,
            appendix: None,
            limits: Limits::default(),
            first_choice: ToolChoice::Auto,
            mode: ResultMode::Loop,
            tool_timeout: Duration::from_secs(60),
            source_wait: Duration::from_secs(10),
            parallel: 8,
            agents: AgentLimits::default(),
            stream: true,
            window: ContextWindow::default(),
            compact_first: false,
            review: ReviewMode::Off,
            reviewer: None,
            judge: None,
            price: None,
            options: Arc::default(),
            output: None,
            observers: Vec::new(),
            log: CallLogging::default(),
        }
    }
}
