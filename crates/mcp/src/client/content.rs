//! [`ServerContent`]: what a server has for the user besides tools. It is listed when somebody wants to know, and
//! again when the server said that it changed: no run waits for it.

use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, Weak, atomic::Ordering},
    time::Duration,
};

use futures_util::future::BoxFuture;
use rmcp::{
    model::{
        ClientRequest, GetPromptRequest, GetPromptRequestParams, ReadResourceRequest,
        ReadResourceRequestParams, ServerResult,
    },
    service::PeerRequestOptions,
};
use toolwright_core::{
    Attachment, ContentError, ContentSource, PromptText, SEPARATOR, SourceContent, SourceResource,
    ToolSource, qualified_names,
};

use super::{
    McpError, McpServer, PromptDefinition, ResourceDefinition, ServerState, TemplateDefinition,
    connection::Connection,
    error::request_failure,
    listing::list_all,
    prompt,
    resource::{attached, is_address},
    tool::GivenUp,
};

/// How long a prompt or a resource may take, where nothing is said.
const TIMEOUT: Duration = Duration::from_secs(60);

/// What a server has for the user besides tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerContent {
    /// Its prompts.
    pub prompts: Vec<PromptDefinition>,
    /// Its resources.
    pub resources: Vec<ResourceDefinition>,
    /// Its templates of resources.
    pub templates: Vec<TemplateDefinition>,
    /// Why that is not all, a line each.
    pub problems: Vec<String>,
}

/// What is known of it, and since when.
pub(super) struct KnownContent {
    connection: Weak<Connection>,
    /// How often the server had said that something changed.
    changes: u64,
    content: Arc<ServerContent>,
}

impl ServerContent {
    async fn list(connection: &Connection) -> Self {
        let can = connection.info().map(|it| it.capabilities.clone()).unwrap_or_default();
        let peer = &connection.peer;
        let prompts =
            async { if can.prompts.is_some() { list_all(peer).await } else { Default::default() } };
        let resources = async {
            if can.resources.is_some() { list_all(peer).await } else { Default::default() }
        };
        let templates = async {
            if can.resources.is_some() { list_all(peer).await } else { Default::default() }
        };
        let (prompts, resources, templates) = tokio::join!(prompts, resources, templates);
        // Many that have resources have no templates, and do not know the question.
        let of_templates = templates.1.filter(|it| matches!(it, McpError::Bounds(_)));
        let problems = [prompts.1, resources.1, of_templates].into_iter().flatten();
        let mut content = Self {
            prompts: prompts.0,
            resources: resources.0,
            templates: templates.0,
            problems: problems.map(|it| it.to_string()).collect(),
        };
        content.leave_out();
        content
    }

    /// Leaves out what nobody can see and type.
    fn leave_out(&mut self) {
        let before = self.resources.len() + self.templates.len();
        self.resources.retain(|it| is_address(&it.uri));
        self.templates.retain(|it| is_address(&it.uri_template));
        let count = before - self.resources.len() - self.templates.len();
        if count > 0 {
            self.problems.push(format!(
                "{count} of its resources are left out: their addresses cannot be shown"
            ));
        }
    }

    /// What the prompts are called here, without the server.
    pub(super) fn prompt_names(&self, server: &str) -> Vec<String> {
        let own = self.prompts.iter().map(|it| it.name.as_str());
        let qualified = qualified_names(server, own).into_iter();
        let bare = |name: String| match name.split_once(SEPARATOR) {
            Some((_, bare)) => bare.to_owned(),
            None => name,
        };
        qualified.map(bare).collect()
    }
}

impl McpServer {
    /// What it has for the user besides tools, once it is ready.
    ///
    /// # Errors
    /// Why it is not.
    pub async fn server_content(&self) -> Result<Arc<ServerContent>, McpError> {
        let connection = self.reached().await?;
        let changes = connection.content_changes.load(Ordering::Relaxed);
        if let Some(known) = &*self.shared().content.lock().unwrap_or_else(PoisonError::into_inner)
            && known.changes == changes
            && std::ptr::eq(known.connection.as_ptr(), Arc::as_ptr(&connection))
        {
            return Ok(known.content.clone());
        }
        let content = Arc::new(ServerContent::list(&connection).await);
        let known = KnownContent {
            connection: Arc::downgrade(&connection),
            changes,
            content: content.clone(),
        };
        *self.shared().content.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
        Ok(content)
    }

    /// What was listed last.
    pub(super) fn known_content(&self) -> Option<Arc<ServerContent>> {
        let known = self.shared().content.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().map(|it| it.content.clone())
    }

    async fn reached(&self) -> Result<Arc<Connection>, McpError> {
        self.ready().await;
        match (self.shared().link.get(), self.state()) {
            (Some(connection), _) => Ok(connection),
            (None, ServerState::Restarting(error) | ServerState::Off(error)) => Err(error),
            (None, _) => Err(McpError::Protocol("it is not ready yet".to_owned())),
        }
    }

    /// Asks for something, for as long as that may take.
    async fn asked(&self, request: ClientRequest) -> Result<ServerResult, ContentError> {
        let connection = self.reached().await.map_err(|it| ContentError(it.to_string()))?;
        let limit = self.shared().config.timeout.unwrap_or(TIMEOUT);
        let asking = async {
            let options = PeerRequestOptions::no_options();
            let handle = connection.peer.send_request_with_option(request, options).await?;
            let mut given_up = GivenUp::new(&connection.peer, &handle.id);
            let reply = handle.await_response().await;
            given_up.id = None;
            reply
        };
        match tokio::time::timeout(limit, asking).await {
            Ok(reply) => reply.map_err(|error| ContentError(request_failure(&error))),
            Err(_) => Err(ContentError(format!(
                "it did not answer within {}",
                toolwright_duration::format(limit)
            ))),
        }
    }

    async fn prompt_text(
        &self,
        name: &str,
        arguments: BTreeMap<String, String>,
    ) -> Result<PromptText, ContentError> {
        let content = self.server_content().await.map_err(|it| ContentError(it.to_string()))?;
        let mut named = content.prompts.iter().zip(content.prompt_names(self.name()));
        let found = named.find(|(_, here)| here == name);
        let (definition, here) = found.ok_or_else(|| {
            let server = self.name();
            ContentError(format!(
                "there is no such prompt: `toolwright mcp inspect {server}` shows which there are"
            ))
        })?;
        let approved = self.shared().pins.prompts_of(self.shared().config.pinned_as());
        let approved = approved.map_err(|error| {
            let path = self.shared().pins.path(self.name());
            let path = path.display();
            ContentError(format!("what was approved cannot be read ({path}): {error}"))
        })?;
        if let Some(reason) = definition.shown(self.name(), &here, &approved).withheld {
            return Err(ContentError(reason));
        }
        let mut params = GetPromptRequestParams::new(definition.name.clone());
        if !arguments.is_empty() {
            params.arguments =
                Some(arguments.into_iter().map(|(name, value)| (name, value.into())).collect());
        }
        let request = ClientRequest::GetPromptRequest(GetPromptRequest::new(params));
        match self.asked(request).await? {
            ServerResult::GetPromptResult(result) => prompt::told(result),
            other => Err(unexpected(&other, "prompt")),
        }
    }

    async fn read(&self, uri: &str) -> Result<Vec<Attachment>, ContentError> {
        if !is_address(uri) {
            return Err(ContentError("that is no address of a resource".to_owned()));
        }
        let params = ReadResourceRequestParams::new(uri);
        let request = ClientRequest::ReadResourceRequest(ReadResourceRequest::new(params));
        match self.asked(request).await? {
            ServerResult::ReadResourceResult(result) => attached(self.name(), uri, result),
            other => Err(unexpected(&other, "resource")),
        }
    }
}

fn unexpected(reply: &ServerResult, wanted: &str) -> ContentError {
    ContentError(match reply {
        ServerResult::InputRequiredResult(_) => {
            "it wants to know something first, which only a tool may ask".to_owned()
        }
        _ => format!("what it answered is no {wanted}"),
    })
}

impl ContentSource for McpServer {
    fn content(&self) -> BoxFuture<'_, SourceContent> {
        Box::pin(async {
            let Ok(content) = self.server_content().await else { return SourceContent::default() };
            // Where that cannot be read nothing is approved.
            let approved =
                self.shared().pins.prompts_of(self.shared().config.pinned_as()).unwrap_or_default();
            let named = content.prompts.iter().zip(content.prompt_names(self.name()));
            let resources = content.resources.iter();
            SourceContent {
                prompts: named.map(|(it, name)| it.shown(self.name(), &name, &approved)).collect(),
                resources: resources
                    .map(|it| SourceResource { uri: it.uri.clone(), name: it.name.clone() })
                    .collect(),
            }
        })
    }

    fn prompt<'a>(
        &'a self,
        name: &'a str,
        arguments: BTreeMap<String, String>,
    ) -> BoxFuture<'a, Result<PromptText, ContentError>> {
        Box::pin(self.prompt_text(name, arguments))
    }

    fn resource<'a>(
        &'a self,
        uri: &'a str,
    ) -> BoxFuture<'a, Result<Vec<Attachment>, ContentError>> {
        Box::pin(self.read(uri))
    }
}
