//! [`list`]: all that a server has, within bounds.

use std::{collections::HashSet, time::Duration};

use rmcp::{
    model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerResult},
    service::{Peer, RoleClient},
};

use super::{McpError, ToolDefinition};

/// The most pages.
const PAGES: usize = 100;
/// The most tools.
const TOOLS: usize = 2_048;
/// How long listing may take in all.
const TIME: Duration = Duration::from_secs(30);
/// How much all of them may say, in bytes.
const SIZE: usize = 16 << 20;

/// The tools of a server.
pub(super) async fn list(peer: &Peer<RoleClient>) -> Result<Vec<ToolDefinition>, McpError> {
    match tokio::time::timeout(TIME, pages(peer)).await {
        Ok(listed) => listed,
        Err(_) => Err(McpError::Bounds(format!(
            "it was not done listing its tools after {}",
            toolwright_duration::format(TIME)
        ))),
    }
}

async fn pages(peer: &Peer<RoleClient>) -> Result<Vec<ToolDefinition>, McpError> {
    let mut tools: Vec<ToolDefinition> = Vec::new();
    let mut names = HashSet::new();
    let (mut cursor, mut size): (Option<String>, usize) = (None, 0);
    for _ in 0..PAGES {
        // Not by the method of the peer, which may answer out of a cache that the server rules.
        let params = PaginatedRequestParams::default().with_cursor(cursor.take());
        let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params));
        let reply = peer.send_request(request).await.map_err(|it| McpError::of_request(&it))?;
        let ServerResult::ListToolsResult(page) = reply else {
            return Err(McpError::Protocol("it does not list its tools when asked to".to_owned()));
        };
        for tool in &page.tools {
            let tool = ToolDefinition::of(tool);
            size += tool.size();
            // Of two with one name nobody can say which is meant: the first counts.
            if names.insert(tool.name.clone()) {
                tools.push(tool);
            }
        }
        if tools.len() > TOOLS || size > SIZE {
            return Err(McpError::Bounds(format!(
                "it lists more than {TOOLS} tools, or more than {} MiB about them",
                SIZE >> 20
            )));
        }
        match page.next_cursor {
            Some(next) => cursor = Some(next),
            None => return Ok(tools),
        }
    }
    Err(McpError::Bounds(format!("its list of tools has more than {PAGES} pages")))
}
