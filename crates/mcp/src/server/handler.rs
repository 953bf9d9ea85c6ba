//! [`McpServer`]: what a client can ask for.

use std::{borrow::Cow, sync::Arc, time::Duration};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, GetPromptRequestParams, GetPromptResponse,
        Implementation, JsonObject, ListPromptsResult, ListToolsResult, PaginatedRequestParams,
        PromptsCapability, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
        ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
    },
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use toolwright_runtime::Toolbox;

use super::{
    RunStarter, ServedTools,
    approval::{can_ask, can_visit},
    client_model::shown_name,
    conversations::{Conversations, Slot},
    logging::SessionLevel,
    parked::ParkedCalls,
    prompts,
    request_state::RequestStates,
    tools::{ReturnedSchemas, described, listed},
};

/// How many calls wait or run at the same time, over all clients.
const CALLS: usize = 256;
/// How often it is looked whether tools from elsewhere changed.
const LOOKING: Duration = Duration::from_secs(1);

/// For how long a list of tools that do not come from elsewhere holds, in milliseconds.
const FRESH: u64 = 60_000;

/// A toolbox for clients of the Model Context Protocol. A clone serves one more of them: tools, limits and
/// policies are shared.
pub struct McpServer {
    pub(super) shared: Arc<Shared>,
    /// The conversation of this session.
    own: Slot,
    /// What this session wants to be told in its log.
    pub(super) level: SessionLevel,
    /// Whether whoever has no session is known by name, because many come in here.
    is_shared: bool,
    /// Room for it, for as long as it is there.
    _place: Option<OwnedSemaphorePermit>,
}

/// What all clients share.
pub(super) struct Shared {
    pub(super) served: ServedTools,
    pub(super) starter: Arc<dyn RunStarter>,
    pub(super) states: RequestStates,
    pub(super) calls: Arc<Semaphore>,
    pub(super) parked: ParkedCalls,
    pub(super) returned: ReturnedSchemas,
    conversations: Conversations,
}

impl McpServer {
    /// Serves these tools; `starter` drives the runs.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn new(served: ServedTools, starter: Arc<dyn RunStarter>) -> Result<Self, std::io::Error> {
        let states = RequestStates::new()?;
        let (calls, parked) = (Arc::new(Semaphore::new(CALLS)), ParkedCalls::default());
        let (returned, conversations) = (ReturnedSchemas::default(), Conversations::default());
        let shared = Shared { served, starter, states, calls, parked, returned, conversations };
        let shared = Arc::new(shared);
        let (own, level) = (Slot::default(), SessionLevel::default());
        Ok(Self { shared, own, level, is_shared: false, _place: None })
    }

    /// The same for one of many clients that come in over HTTP.
    pub(super) fn for_http(&self, place: Option<OwnedSemaphorePermit>) -> Self {
        let (shared, own, level) = (self.shared.clone(), Slot::default(), SessionLevel::default());
        Self { shared, own, level, is_shared: true, _place: place }
    }

    /// The conversation that the calls of a client belong to.
    pub(super) fn slot(&self, client: &Client) -> Slot {
        match self.is_shared && client.is_modern {
            true => self.shared.conversations.of(&client.key),
            false => self.own.clone(),
        }
    }

    pub(super) fn toolbox(&self) -> &Arc<Toolbox> {
        &self.shared.served.session.agent().settings().toolbox
    }

    /// Ends when what the toolbox has is no longer what it was, or nobody is there to be told.
    async fn changed(&self, known: &mut Arc<Toolbox>, is_gone: impl Fn() -> bool) {
        loop {
            tokio::time::sleep(LOOKING).await;
            let now = self.toolbox().current();
            let is_same = Arc::ptr_eq(&now, known)
                || now.definitions().specs() == known.definitions().specs();
            *known = now;
            if !is_same || is_gone() {
                return;
            }
        }
    }

    fn may_change(&self) -> bool {
        !self.toolbox().sources().is_empty()
    }
}

/// Who calls, as far as it says.
pub(super) struct Client {
    /// Its name, as it is shown.
    pub(super) name: String,
    /// What it is known by.
    pub(super) key: String,
    /// Whether it speaks the protocol without sessions.
    pub(super) is_modern: bool,
    /// Whether it can ask its user, in a form.
    pub(super) can_ask: bool,
    /// Whether it can send its user to an address.
    pub(super) can_visit: bool,
    /// Whether it knows how choices with titles have been spelled since 2025-11-25.
    pub(super) knows_titles: bool,
}

/// How much of what a client says of itself it is known by, in characters.
const KEY: usize = 300;

impl Client {
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let info = context.client_info();
        let said = info.as_ref().map_or("", |it| it.title.as_deref().unwrap_or(&it.name));
        let key = info.as_ref().map(|it| format!("{}\n{}", it.name, it.version));
        let version = context.protocol_version();
        let can = context.client_capabilities().unwrap_or_default();
        Self {
            name: shown_name(said),
            key: key.unwrap_or_default().chars().take(KEY).collect(),
            is_modern: version.as_ref().is_some_and(|it| *it >= ProtocolVersion::V_2026_07_28),
            can_ask: can_ask(&can),
            can_visit: can_visit(&can),
            knows_titles: version.is_some_and(|it| it >= ProtocolVersion::V_2025_11_25),
        }
    }
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        // What a call returns may be a link to more than fits into a result.
        let builder = ServerCapabilities::builder().enable_tools().enable_resources();
        let mut capabilities = match self.may_change() {
            true => builder.enable_tool_list_changed().build(),
            false => builder.build(),
        };
        capabilities.logging = Some(JsonObject::new());
        if prompts::are_there(&self.shared.served) {
            capabilities.prompts = Some(PromptsCapability::default());
        }
        let ours = Implementation::new("toolwright", env!("CARGO_PKG_VERSION"));
        let info = ServerConfig::new(capabilities).with_server_info(ours.with_title("Toolwright"));
        match &self.shared.served.instructions {
            Some(words) => info.with_instructions(words.clone()),
            None => info,
        }
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::KNOWN_VERSIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let wait = self.shared.served.session.agent().settings().source_wait;
        self.toolbox().ready_within(wait).await;
        let cursor = request.and_then(|it| it.cursor);
        let fresh = if self.may_change() { 0 } else { FRESH };
        let fresh = Client::of(&context).is_modern.then_some(fresh);
        listed(&self.toolbox().current(), fresh, cursor.as_deref())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let toolbox = self.toolbox().current();
        let spec = toolbox.definitions().specs().iter().find(|spec| spec.name == name)?;
        Some(described(spec))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Box::pin(self.call(request, context)).await
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.read(&request.uri, &context).await.map(Into::into)
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let fresh = Client::of(&context).is_modern.then_some(FRESH);
        prompts::listed(&self.shared.served, fresh)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::told(&self.shared.served, &Client::of(&context), &request).await
    }

    #[expect(
        deprecated,
        reason = "clients of the era with sessions ask for log messages in this way"
    )]
    async fn set_level(
        &self,
        request: rmcp::model::SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.set_log_level(&request, &context)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if !self.may_change() {
            return;
        }
        let mut known = self.toolbox().current();
        loop {
            self.changed(&mut known, || context.peer.is_transport_closed()).await;
            if context.peer.is_transport_closed()
                || context.peer.notify_tool_list_changed().await.is_err()
            {
                return;
            }
        }
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let mut accepted = SubscriptionFilter::new();
        accepted.tools_list_changed = self.may_change().then_some(true);
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut known = self.toolbox().current();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                () = self.changed(&mut known, || false) => {
                    if context.sink().notify_tool_list_changed().await.is_err() {
                        return Ok(());
                    }
                }
            }
        }
    }
}
