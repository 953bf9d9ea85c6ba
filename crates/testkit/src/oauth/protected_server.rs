//! The MCP server: it lets nobody in without a token, and repeats the token of those who have one.

use serde_json::{Value, json};

use super::{
    Shared,
    wire::{Asked, Reply},
};

pub(super) fn answer(shared: &Shared, asked: &Asked) -> Reply {
    match (asked.method.as_str(), asked.path.as_str()) {
        ("GET", "/.well-known/oauth-protected-resource/mcp") => {
            let document = json!({
                "resource": shared.url, "authorization_servers": [shared.issuer],
                "scopes_supported": ["files:read"],
            });
            shared.twisted(document, shared.twists.resource.as_ref())
        }
        ("POST", "/mcp") => protected(shared, asked),
        (_, "/mcp") => Reply::empty(405, String::new()),
        _ => Reply::empty(404, String::new()),
    }
}

fn protected(shared: &Shared, asked: &Asked) -> Reply {
    let shown = asked.headers.get("authorization").cloned().unwrap_or_default();
    let token = shown.strip_prefix("Bearer ").unwrap_or_default();
    let message: Value = serde_json::from_slice(&asked.body).unwrap_or_default();
    let is_beginning = message["method"] != "tools/list" && message["method"] != "tools/call";
    if shared.twists.begins_with_anybody && is_beginning {
        return reply(&message, "");
    }
    let scope = shared.state.lock().unwrap().access.get(token).cloned();
    let Some(scope) = scope else {
        let usual = || {
            let origin = shared.url.trim_end_matches("/mcp");
            format!(
                "Bearer resource_metadata=\"{origin}/.well-known/oauth-protected-resource/mcp\", scope=\"files:read\""
            )
        };
        let challenge = shared.twists.challenge.clone().unwrap_or_else(usual);
        return Reply::empty(401, format!("www-authenticate: {challenge}\r\n"));
    };
    let tool = message["params"]["name"].as_str().unwrap_or_default();
    if message["method"] == "tools/call" && tool == "write" && !scope.contains("files:write") {
        let challenge = "Bearer error=\"insufficient_scope\", scope=\"files:write\"";
        return Reply::empty(403, format!("www-authenticate: {challenge}\r\n"));
    }
    if message["method"] == "tools/call" && shared.twists.fails_with_token {
        let body = [&b"\xff\xfe it broke for "[..], shown.as_bytes()].concat();
        return Reply { status: 500, headers: String::new(), body };
    }
    reply(&message, &format!("{tool} for {shown}"))
}

fn reply(message: &Value, said: &str) -> Reply {
    let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}});
    let result = match message["method"].as_str() {
        Some("server/discover") => return Reply::empty(400, String::new()),
        Some("initialize") => json!({
            "protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
            "serverInfo": {"name": "protected", "version": "1"},
        }),
        Some("tools/list") => json!({"tools": [tool("read"), tool("write")]}),
        Some("tools/call") => json!({"content": [{"type": "text", "text": said}]}),
        _ => return Reply::empty(202, String::new()),
    };
    Reply::json(200, &json!({"jsonrpc": "2.0", "id": message["id"], "result": result}))
}
