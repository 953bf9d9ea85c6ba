//! [`NestingHost`]: what a driver gives to a call that is a run itself, and [`Nesting`]: what that run's own driver
//! is given.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use tokio::sync::SemaphorePermit;
use toolwright_core::{
    CallId, Conversation, ConversationId, Event, Journal, Run, RunId, ToolError, ToolErrorKind,
};

use super::{
    AgentLimits,
    link::{Link, LinkedJournal, Said},
};
use crate::{
    AgentConfig, Approver,
    driver::Asking,
    pause::{PauseHandle, Rest},
};

/// Where a run stands among runs that are parts of each other.
#[derive(Clone)]
pub(crate) struct Nesting {
    /// The agents on the way to it, by the names of the tools that they are; empty for a run that is no part of
    /// another.
    pub(crate) path: Arc<[String]>,
    /// The same, to recognise one that is asked by itself.
    agents: Vec<Arc<AgentConfig>>,
    limits: AgentLimits,
    /// The outermost run.
    pub(crate) root: Option<RunId>,
    /// To the run that it is a part of.
    pub(crate) outer: Option<Arc<Link>>,
    /// Whether somebody is asked in the run that it is a part of.
    pub(crate) asking: Asking,
    /// What has it left, and whether it could be.
    pub(crate) pause: PauseHandle,
    pub(crate) rest: Arc<Rest>,
}

impl Nesting {
    /// A run that is no part of another.
    pub(crate) fn none(settings: &Arc<AgentConfig>) -> Self {
        Self {
            path: Arc::default(),
            agents: vec![settings.clone()],
            limits: settings.agents,
            root: None,
            outer: None,
            asking: Asking::default(),
            pause: PauseHandle::default(),
            rest: Arc::default(),
        }
    }

    /// The link to runs that are parts of this one.
    pub(crate) fn link(&self) -> Arc<Link> {
        Arc::new(Link::new(self.outer.clone(), self.limits.parallel))
    }
}

/// What a driver gives to a call that is a run itself.
pub(crate) struct NestingHost {
    pub(crate) call: CallId,
    /// The run of the driver.
    run: RunId,
    pub(crate) link: Arc<Link>,
    /// The driver's own place, and whether somebody is asked in it.
    pub(crate) nesting: Nesting,
    pub(crate) approver: Arc<dyn Approver>,
    /// What was said in the run of the driver.
    pub(crate) outer: Arc<Conversation>,
    pub(crate) conversation_id: ConversationId,
    /// What the user switched off there.
    pub(crate) tools_off: Vec<String>,
    /// Where bytes of attachments are.
    pub(crate) kept_in: Option<Arc<dyn Journal>>,
    /// Whether it was run.
    used: AtomicBool,
    resumed: Mutex<Option<Run>>,
}

impl NestingHost {
    /// For a call; `resumed` is its run as far as a process that is gone had come with it.
    pub(crate) fn new(
        call: CallId,
        link: Arc<Link>,
        nesting: Nesting,
        approver: Arc<dyn Approver>,
        run: &Run,
        kept_in: Option<Arc<dyn Journal>>,
    ) -> Self {
        Self {
            run: run.id().clone(),
            link,
            nesting,
            approver,
            outer: Arc::new(run.conversation().clone()),
            conversation_id: run.conversation_id().clone(),
            tools_off: run.tools_off().to_vec(),
            kept_in,
            used: AtomicBool::new(false),
            resumed: Mutex::new(run.nested_run(&call).cloned()),
            call,
        }
    }

    pub(super) fn link(&self) -> &Link {
        &self.link
    }

    /// Waits until one more run may begin. Nothing is lost where it is left meanwhile.
    pub(super) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        self.nesting.rest.until(self.link.turn()).await
    }

    /// Whether an agent may be run here, for the first time.
    pub(super) fn admit(&self, name: &str, agent: &Arc<AgentConfig>) -> Result<(), ToolError> {
        let refused = |text: String| Err(ToolError::new(text).of_kind(ToolErrorKind::Refused));
        if self.used.swap(true, Relaxed) {
            return refused("an agent is asked once for each call.".to_owned());
        }
        if self.nesting.agents.iter().any(|it| Arc::ptr_eq(it, agent)) {
            return refused(format!("`{name}` cannot be asked by itself. Do it without."));
        }
        let AgentLimits { depth, .. } = self.nesting.limits;
        if self.nesting.path.len() as u64 >= u64::from(depth) {
            return refused(format!(
                "agents may ask each other {depth} deep here, and no deeper. Do it without."
            ));
        }
        Ok(())
    }

    /// The run as far as it had come before, once.
    pub(super) fn resumed(&self) -> Option<Run> {
        self.resumed.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The place of the run that the call is.
    pub(super) fn nesting(&self, name: &str, agent: &Arc<AgentConfig>) -> Nesting {
        let Nesting { path, agents, limits, root, .. } = &self.nesting;
        Nesting {
            path: path.iter().cloned().chain([name.to_owned()]).collect(),
            agents: agents.iter().chain([agent]).cloned().collect(),
            limits: *limits,
            root: Some(root.as_ref().unwrap_or(&self.run).clone()),
            outer: Some(self.link.clone()),
            asking: self.nesting.asking.clone(),
            pause: self.nesting.pause.clone(),
            rest: self.nesting.rest.clone(),
        }
    }

    /// Where the run's events are kept.
    pub(super) fn journal(&self) -> LinkedJournal {
        LinkedJournal::new(self.call.clone(), self.link.clone(), self.kept_in.clone())
    }

    /// Shows an event that is not kept. Ends when whoever listens has taken it.
    pub(super) async fn show(&self, event: Event) {
        let (taken, is_taken) = tokio::sync::oneshot::channel();
        self.link.say(self.call.clone(), Said::Show(Box::new(event), taken));
        // Where nobody takes it any more, the run is about to be dropped.
        let _ = is_taken.await;
    }
}
