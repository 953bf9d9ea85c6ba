//! [`NewSession`] and its kin: what requests carry, as far as it is looked at.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use toolwright_core::ConversationId;

use crate::{McpServer, prompt::ContentBlock};

/// `initialize`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Initialize {
    /// Whatever it speaks, version 1 is answered: it is then for the client to leave.
    #[serde(rename = "protocolVersion")]
    pub(crate) _version: u16,
    #[serde(default)]
    pub(crate) client_capabilities: Value,
}

/// What a client can do, as far as it matters here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClientCapabilities {
    /// It shows notices that are no part of a conversation.
    pub(crate) notices: bool,
    /// It lets its user fill in forms.
    pub(crate) forms: bool,
    /// It sends its user to addresses.
    pub(crate) addresses: bool,
}

impl ClientCapabilities {
    /// What it says, read leniently: what is not understood it cannot do.
    pub(crate) fn of(said: &Value) -> Self {
        let can = |what: &str| said.pointer(what).is_some_and(Value::is_object);
        Self {
            notices: can("/session/notices"),
            forms: can("/elicitation/form"),
            addresses: can("/elicitation/url"),
        }
    }
}

/// `session/new`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewSession {
    pub(crate) cwd: PathBuf,
    #[serde(default, deserialize_with = "or_none")]
    pub(crate) mcp_servers: Vec<McpServer>,
}

/// `session/load` and `session/resume`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OldSession {
    pub(crate) session_id: ConversationId,
    pub(crate) cwd: PathBuf,
    #[serde(default, deserialize_with = "or_none")]
    pub(crate) mcp_servers: Vec<McpServer>,
}

/// Whatever names a session and nothing else.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfSession {
    pub(crate) session_id: ConversationId,
}

/// `session/list`.
#[derive(Debug, Deserialize)]
pub(crate) struct List {
    #[serde(default)]
    pub(crate) cwd: Option<PathBuf>,
    #[serde(default)]
    pub(crate) cursor: Option<String>,
}

/// `session/prompt`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Prompt {
    pub(crate) session_id: ConversationId,
    pub(crate) prompt: Vec<ContentBlock>,
}

/// `session/set_mode`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetMode {
    pub(crate) session_id: ConversationId,
    pub(crate) mode_id: String,
}

/// `session/set_config_option`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetConfigOption {
    pub(crate) session_id: ConversationId,
    pub(crate) config_id: String,
    pub(crate) value: String,
}

/// `$/cancel_request`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CancelRequest {
    pub(crate) request_id: Value,
}

/// A list, which may be null.
fn or_none<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    Option::<Vec<T>>::deserialize(from).map(Option::unwrap_or_default)
}
