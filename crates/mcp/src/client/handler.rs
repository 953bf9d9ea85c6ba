//! [`Handler`]: what a server may say and ask for while it runs.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use rmcp::{
    ClientHandler,
    model::{
        ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
        ElicitationCapability, ErrorData, FormElicitationCapability, Implementation,
        NumberOrString, ProgressNotificationParam, ProgressToken, ProtocolVersion,
        UrlElicitationCapability,
    },
    service::{NotificationContext, RequestContext, RoleClient},
};
use tokio::sync::Notify;
use toolwright_core::RunContext;

use super::{elicitation::elicit, error::words};

/// More messages about one call than this are not passed on.
const MOST: usize = 200;
/// How much is kept of what is told before it is known whose it is.
const EARLY: usize = 64;

/// What a server may say and ask for while it runs: it may ask the user something while it works on a call, and
/// nothing else. Neither does it get a model's words, nor does it learn of folders.
pub(super) struct Handler {
    server: Arc<str>,
    pub(super) calls: Arc<OpenCalls>,
    pub(super) changed: Arc<Notify>,
    /// How often it said that its prompts or resources changed.
    pub(super) content_changes: Arc<AtomicU64>,
}

impl Handler {
    pub(super) fn new(server: &str) -> Self {
        let (calls, changed, content_changes) = (Arc::default(), Arc::default(), Arc::default());
        Self { server: server.into(), calls, changed, content_changes }
    }
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let us = Implementation::new("toolwright", env!("CARGO_PKG_VERSION"));
        let mut can = ClientCapabilities::default();
        let asking = ElicitationCapability::new().with_form(FormElicitationCapability::default());
        can.elicitation = Some(asking.with_url(UrlElicitationCapability::new()));
        ClientConfig::new(can, us).with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        // It does not say which call it asks for. Whose user is asked must be certain, and which of the user's calls
        // it is about need not be, where that is told.
        match self.calls.of_one_run() {
            Some((context, several)) => {
                let request = if several { about_several(request) } else { request };
                Ok(elicit(&self.server, request, &context).await)
            }
            None => Ok(ElicitResult::new(ElicitationAction::Decline)),
        }
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    async fn on_prompt_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.content_changes.fetch_add(1, Relaxed);
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.content_changes.fetch_add(1, Relaxed);
    }

    #[expect(deprecated, reason = "servers of the legacy era write logs in this way")]
    async fn on_logging_message(
        &self,
        params: rmcp::model::LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        tracing::debug!(server = %self.server, "{}", words(&params.data.to_string()));
    }
}

/// A question that may be about any of several calls, with that said: it is shown beside one of them.
fn about_several(request: ElicitRequestParams) -> ElicitRequestParams {
    let told = |message: String| {
        format!(
            "{message}\n\n(The server works on several calls, and does not say which this is about.)"
        )
    };
    match request {
        ElicitRequestParams::FormElicitationParams { meta, message, requested_schema } => {
            let message = told(message);
            ElicitRequestParams::FormElicitationParams { meta, message, requested_schema }
        }
        ElicitRequestParams::UrlElicitationParams { meta, message, url, elicitation_id } => {
            let message = told(message);
            ElicitRequestParams::UrlElicitationParams { meta, message, url, elicitation_id }
        }
        other => other,
    }
}

/// The calls that a server works on.
#[derive(Default)]
pub(super) struct OpenCalls {
    calls: Mutex<HashMap<u64, OpenCall>>,
    /// What was told under tokens that no call is known by yet: a server may be quicker than whoever sent the call.
    early: Mutex<Vec<ProgressNotificationParam>>,
    next: AtomicU64,
}

struct OpenCall {
    context: RunContext,
    /// Under which it tells how far it is, once that is known.
    token: Option<NumberOrString>,
    told: usize,
}

impl OpenCalls {
    /// Counts a call as worked on, for as long as what is returned is kept. That is from before it is sent: what the
    /// server asks for it must not be taken for another's.
    pub(super) fn open(self: &Arc<Self>, context: &RunContext) -> CallGuard {
        let number = self.next.fetch_add(1, Relaxed);
        let call = OpenCall { context: context.clone(), token: None, told: 0 };
        self.lock().insert(number, call);
        CallGuard { calls: self.clone(), number }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, OpenCall>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A call that is worked on, and whether it is one of several, where all of them are of one run: those of others
    /// may be other people's.
    fn of_one_run(&self) -> Option<(RunContext, bool)> {
        let calls = self.lock();
        let mut all = calls.values().map(|it| &it.context);
        let first = all.next()?;
        let is_one = calls.len() == 1
            || first.run().is_some() && all.all(|other| other.run() == first.run());
        is_one.then(|| (first.clone(), calls.len() > 1))
    }

    /// Passes on how far a call is.
    pub(super) fn tell(&self, progress: &ProgressNotificationParam) {
        let mut calls = self.lock();
        let token = Some(&progress.progress_token.0);
        let Some(call) = calls.values_mut().find(|it| it.token.as_ref() == token) else {
            let mut early = self.early.lock().unwrap_or_else(PoisonError::into_inner);
            if early.len() < EARLY && calls.values().any(|it| it.token.is_none()) {
                early.push(progress.clone());
            }
            return;
        };
        call.told += 1;
        if call.told > MOST {
            return;
        }
        let context = call.context.clone();
        drop(calls);
        context.progress(words_of(progress));
    }
}

/// How far a call is, in words.
fn words_of(progress: &ProgressNotificationParam) -> String {
    let (done, all) = (progress.progress, progress.total);
    let far = all.map_or_else(|| format!("{done}"), |all| format!("{done}/{all}"));
    match &progress.message {
        Some(message) => format!("{far} {}", words(message)),
        None => far,
    }
}

/// A call that is worked on, until it is dropped.
pub(super) struct CallGuard {
    calls: Arc<OpenCalls>,
    number: u64,
}

impl CallGuard {
    /// Passes on what is told under this token.
    pub(super) fn told_under(&self, token: &ProgressToken) {
        loop {
            let mut calls = self.calls.lock();
            let mut early = self.calls.early.lock().unwrap_or_else(PoisonError::into_inner);
            let told: Vec<_> = early.extract_if(.., |it| it.progress_token == *token).collect();
            let Some(call) = calls.get_mut(&self.number) else { return };
            if told.is_empty() {
                call.token = Some(token.0.clone());
                if calls.values().all(|it| it.token.is_some()) {
                    early.clear();
                }
                return;
            }
            // What comes meanwhile is early, too, and told after it.
            let context = call.context.clone();
            drop((early, calls));
            told.iter().for_each(|it| context.progress(words_of(it)));
        }
    }
}

impl Drop for CallGuard {
    fn drop(&mut self) {
        self.calls.lock().remove(&self.number);
    }
}
