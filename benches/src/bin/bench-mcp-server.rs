//! An MCP server over standard input and output that does the least possible: so many tools, after so long.
//!
//!     bench-mcp-server TOOLS [DELAY_MS]

use std::{
    io::{self, BufRead, Write},
    thread,
    time::Duration,
};

use anyhow::Result;
use serde_json::{Value, json};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let tools: usize = arguments.next().as_deref().unwrap_or("1").parse()?;
    let delay: u64 = arguments.next().as_deref().unwrap_or("0").parse()?;
    thread::sleep(Duration::from_millis(delay));
    let (input, mut output) = (io::stdin().lock(), io::stdout().lock());
    for line in input.lines() {
        let message: Value = serde_json::from_str(&line?)?;
        // What has no id wants no answer.
        let Some(id) = message.get("id") else { continue };
        let mut reply = match message.get("method").and_then(Value::as_str) {
            Some("initialize") => json!({"result": {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "bench", "version": "1"},
            }}),
            Some("tools/list") => {
                json!({"result": {"tools": (0..tools).map(tool).collect::<Vec<_>>()}})
            }
            Some("tools/call") => {
                json!({"result": {"content": [{"type": "text", "text": "It is 21 degrees."}]}})
            }
            Some("ping") => json!({"result": {}}),
            _ => json!({"error": {"code": -32601, "message": "there is no such method"}}),
        };
        if let Some(reply) = reply.as_object_mut() {
            reply.insert("jsonrpc".to_owned(), json!("2.0"));
            reply.insert("id".to_owned(), id.clone());
        }
        writeln!(output, "{reply}")?;
        output.flush()?;
    }
    Ok(())
}

/// A tool of the usual size.
fn tool(number: usize) -> Value {
    let verb = ["create", "list", "update", "search"].get(number % 4).unwrap_or(&"");
    let nouns = ["issue", "branch", "invoice", "contact", "dashboard"];
    let noun = nouns.get(number / 4 % 5).unwrap_or(&"");
    json!({
        "name": format!("{verb}_{noun}_{number}"),
        "description": format!(
            "Use this to {verb} one or several of the {noun}s that the account may see. It returns the {noun} as \
             JSON, with its id, its state and who changed it last; at most 100 of them in one page."
        ),
        "inputSchema": {
            "type": "object",
            "properties": {
                "owner": {"type": "string", "description": "Whose it is, by the name of the account"},
                "query": {"type": "string", "description": "Words that have to be in it"},
                "page": {"type": "integer", "minimum": 1, "description": "Which page of the results"},
            },
            "required": ["owner"],
        },
        "annotations": {"readOnlyHint": true},
    })
}
