//! [`list_tools`] and [`list_all`]: all that a server has, within bounds.

use std::{collections::HashSet, time::Duration};

use rmcp::{
    model::{
        ClientRequest, ListPromptsRequest, ListResourceTemplatesRequest, ListResourcesRequest,
        ListToolsRequest, PaginatedRequestParams, ServerResult,
    },
    service::{Peer, RoleClient},
};

use super::{McpError, PromptDefinition, ResourceDefinition, TemplateDefinition, ToolDefinition};

/// The most pages of a list.
const PAGES: usize = 100;
/// How long listing may take in all.
const TIME: Duration = Duration::from_secs(30);
/// The same for what no run waits for.
const SHORT_TIME: Duration = Duration::from_secs(10);
/// How much all of them may say, in bytes.
const SIZE: usize = 16 << 20;

/// Something that a server lists.
pub(super) trait Listed: Sized {
    /// What people call many of it.
    const MANY: &'static str;
    /// The most of it.
    const MOST: usize;

    /// What asks for a page.
    fn request(params: PaginatedRequestParams) -> ClientRequest;

    /// What stands on a page, and what the next is called; nothing where the reply is no such page.
    fn page(reply: ServerResult) -> Option<(Vec<Self>, Option<String>)>;

    /// What it is known by.
    fn key(&self) -> &str;

    /// About how much it says, in bytes.
    fn size(&self) -> usize;
}

/// The tools of a server: all of them, or none.
///
/// # Errors
/// Where it does not list them, or lists too many.
pub(super) async fn list_tools(peer: &Peer<RoleClient>) -> Result<Vec<ToolDefinition>, McpError> {
    let mut tools = Vec::new();
    within(TIME, peer, &mut tools).await.map(|()| tools)
}

/// What a server lists besides tools: as much of it as may be, and why that is not all.
pub(super) async fn list_all<T: Listed>(peer: &Peer<RoleClient>) -> (Vec<T>, Option<McpError>) {
    let mut items = Vec::new();
    let problem = within(SHORT_TIME, peer, &mut items).await.err();
    items.truncate(T::MOST);
    (items, problem)
}

async fn within<T: Listed>(
    time: Duration,
    peer: &Peer<RoleClient>,
    items: &mut Vec<T>,
) -> Result<(), McpError> {
    match tokio::time::timeout(time, pages(peer, items)).await {
        Ok(listed) => listed,
        Err(_) => Err(McpError::Bounds(format!(
            "it was not done listing its {} after {}",
            T::MANY,
            toolwright_duration::format(time)
        ))),
    }
}

async fn pages<T: Listed>(peer: &Peer<RoleClient>, items: &mut Vec<T>) -> Result<(), McpError> {
    let (many, most) = (T::MANY, T::MOST);
    let mut names = HashSet::new();
    let (mut cursor, mut size): (Option<String>, usize) = (None, 0);
    for _ in 0..PAGES {
        // Not by the method of the peer, which may answer out of a cache that the server rules.
        let params = PaginatedRequestParams::default().with_cursor(cursor.take());
        let reply = peer.send_request(T::request(params)).await;
        let reply = reply.map_err(|it| McpError::of_request(&it))?;
        let Some((page, next)) = T::page(reply) else {
            return Err(McpError::Protocol(format!("it does not list its {many} when asked to")));
        };
        for item in page {
            size += item.size();
            // Of two with one name nobody can say which is meant: the first counts.
            if names.insert(item.key().to_owned()) {
                items.push(item);
            }
            if items.len() > most || size > SIZE {
                return Err(McpError::Bounds(format!(
                    "it lists more than {most} {many}, or more than {} MiB about them",
                    SIZE >> 20
                )));
            }
        }
        match next {
            Some(next) => cursor = Some(next),
            None => return Ok(()),
        }
    }
    Err(McpError::Bounds(format!("its list of {many} has more than {PAGES} pages")))
}

impl Listed for ToolDefinition {
    const MANY: &'static str = "tools";
    const MOST: usize = 2_048;

    fn request(params: PaginatedRequestParams) -> ClientRequest {
        ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params))
    }

    fn page(reply: ServerResult) -> Option<(Vec<Self>, Option<String>)> {
        let ServerResult::ListToolsResult(page) = reply else { return None };
        Some((page.tools.iter().map(Self::of).collect(), page.next_cursor))
    }

    fn key(&self) -> &str {
        &self.name
    }

    fn size(&self) -> usize {
        Self::size(self)
    }
}

impl Listed for PromptDefinition {
    const MANY: &'static str = "prompts";
    const MOST: usize = 256;

    fn request(params: PaginatedRequestParams) -> ClientRequest {
        ClientRequest::ListPromptsRequest(ListPromptsRequest::with_param(params))
    }

    fn page(reply: ServerResult) -> Option<(Vec<Self>, Option<String>)> {
        let ServerResult::ListPromptsResult(page) = reply else { return None };
        Some((page.prompts.into_iter().map(Self::of).collect(), page.next_cursor))
    }

    fn key(&self) -> &str {
        &self.name
    }

    fn size(&self) -> usize {
        serde_json::json!(self).to_string().len()
    }
}

impl Listed for ResourceDefinition {
    const MANY: &'static str = "resources";
    const MOST: usize = 2_048;

    fn request(params: PaginatedRequestParams) -> ClientRequest {
        ClientRequest::ListResourcesRequest(ListResourcesRequest::with_param(params))
    }

    fn page(reply: ServerResult) -> Option<(Vec<Self>, Option<String>)> {
        let ServerResult::ListResourcesResult(page) = reply else { return None };
        Some((page.resources.iter().map(Self::of).collect(), page.next_cursor))
    }

    fn key(&self) -> &str {
        &self.uri
    }

    fn size(&self) -> usize {
        self.uri.len() + self.name.len()
    }
}

impl Listed for TemplateDefinition {
    const MANY: &'static str = "templates of resources";
    const MOST: usize = 256;

    fn request(params: PaginatedRequestParams) -> ClientRequest {
        let request = ListResourceTemplatesRequest::with_param(params);
        ClientRequest::ListResourceTemplatesRequest(request)
    }

    fn page(reply: ServerResult) -> Option<(Vec<Self>, Option<String>)> {
        let ServerResult::ListResourceTemplatesResult(page) = reply else { return None };
        Some((page.resource_templates.iter().map(Self::of).collect(), page.next_cursor))
    }

    fn key(&self) -> &str {
        &self.uri_template
    }

    fn size(&self) -> usize {
        self.uri_template.len() + self.name.len()
    }
}
