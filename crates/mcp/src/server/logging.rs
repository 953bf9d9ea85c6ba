//! [`LogLevel`]: what clients that want it are told in their log while a call runs.
//!
//! It is what tools say of how far they are, and nothing of what goes on in the server: that is the operator's. The
//! modern era asks for it with each request, the other with `logging/setLevel`, for the session.
#![expect(
    deprecated,
    reason = "it is deprecated since 2026-07-28, and spoken by clients all the same"
)]

use std::sync::{Mutex, PoisonError};

use rmcp::{
    ErrorData, Peer, RoleServer,
    model::{
        LoggingLevel, LoggingMessageNotificationParam, SetLevelRequestMethod, SetLevelRequestParams,
    },
    service::RequestContext,
};
use serde_json::Value;
use toolwright_core::truncate_line;

use super::{McpServer, handler::Client};

/// How much of what a tool says goes into one message, in characters.
const LONGEST: usize = 2_000;

/// How grave a message has to be for a client to be told.
#[derive(Clone, Copy)]
pub(super) struct LogLevel(LoggingLevel);

impl LogLevel {
    /// Whether what is only to be known is told.
    fn has_info(self) -> bool {
        matches!(self.0, LoggingLevel::Debug | LoggingLevel::Info)
    }
}

/// What a session asked for.
#[derive(Default)]
pub(super) struct SessionLevel(Mutex<Option<LogLevel>>);

impl McpServer {
    /// How much a client wants to be told of this call; nothing where it did not ask for anything.
    pub(super) fn log_level(
        &self,
        client: &Client,
        context: &RequestContext<RoleServer>,
    ) -> Option<LogLevel> {
        match client.is_modern {
            true => context.meta.log_level().map(LogLevel),
            false => *self.level.0.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    pub(super) fn set_log_level(
        &self,
        request: &SetLevelRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        // Without sessions there is nothing that it could be set for.
        if Client::of(context).is_modern {
            return Err(ErrorData::method_not_found::<SetLevelRequestMethod>());
        }
        let level = Some(LogLevel(request.level));
        *self.level.0.lock().unwrap_or_else(PoisonError::into_inner) = level;
        Ok(())
    }
}

/// Tells a client something, where it wants to know as much.
pub(super) async fn log(peer: &Peer<RoleServer>, level: LogLevel, words: &str) {
    if !level.has_info() {
        return;
    }
    let words = Value::from(truncate_line(words, LONGEST));
    let message = LoggingMessageNotificationParam::new(LoggingLevel::Info, words);
    let _ = peer.notify_logging_message(message).await;
}
