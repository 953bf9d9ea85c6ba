//! [`Log`]: what log lines say about a call.

use std::time::Duration;

use toolwright_core::{CallId, ConversationId, Outcome, ToolRun, in_a_line};

/// What log lines say about a call. A library does not know who reads its log: names, sizes and times
/// are told to everybody, what was said only where that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Log {
    /// Which tool, how long, how much.
    #[default]
    Names,
    /// And what it was called with, and the beginning of what it returned.
    Contents,
}

/// How much of a result stands in a log line.
const PREVIEW: usize = 120;

impl Log {
    pub(crate) fn executing(self, call: &ToolRun) {
        let (id, tool, arguments) = (&call.id, &call.tool, &call.arguments);
        match self {
            Self::Contents => {
                tracing::info!(call = %id, "[execute_tool] Executing: {tool} {arguments}");
            }
            Self::Names => {
                let bytes = || arguments.to_string().len();
                tracing::info!(call = %id, bytes = bytes(), "[execute_tool] Executing: {tool}");
            }
        }
    }

    pub(crate) fn finished(
        self,
        conversation: &ConversationId,
        call: &CallId,
        outcome: &Outcome,
        elapsed: Duration,
    ) {
        let result = (self == Self::Contents).then(|| in_a_line(&outcome.text, PREVIEW));
        tracing::info!(
            conversation = %conversation,
            call = %call,
            status = %outcome.status,
            latency_ms = elapsed.as_secs_f64() * 1e3,
            bytes = outcome.text.len(),
            result,
            "[execute_tool] finished"
        );
    }
}
