//! [`StopReason`]: how a prompt is answered once its run is over.

use serde_json::{Value, json};
use toolwright_core::{Answer, Failure, FailureKind, FinishReason, Limit};

use crate::rpc::RpcError;

/// Why a turn is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopReason {
    /// The model had said everything.
    EndTurn,
    /// It reached the most it may write, or read.
    MaxTokens,
    /// It asked for more rounds, or calls, than there are.
    MaxTurnRequests,
    /// It declined, or its provider withheld the answer.
    Refusal,
    /// The user stopped it.
    Cancelled,
}

impl StopReason {
    /// The result of the request.
    pub(crate) fn json(self) -> Value {
        let word = match self {
            Self::EndTurn => "end_turn",
            Self::MaxTokens => "max_tokens",
            Self::MaxTurnRequests => "max_turn_requests",
            Self::Refusal => "refusal",
            Self::Cancelled => "cancelled",
        };
        json!({"stopReason": word})
    }

    fn of_limit(limit: Limit) -> Option<Self> {
        match limit {
            Limit::Rounds | Limit::Calls => Some(Self::MaxTurnRequests),
            Limit::Tokens => Some(Self::MaxTokens),
            _ => None,
        }
    }

    /// Of a run that has an answer, and may have reached a limit before.
    pub(crate) fn of_answer(answer: &Answer, limit: Option<Limit>) -> Self {
        match answer.finish_reason {
            FinishReason::Length => Self::MaxTokens,
            FinishReason::ContentFilter | FinishReason::Refusal => Self::Refusal,
            _ => limit.and_then(Self::of_limit).unwrap_or(Self::EndTurn),
        }
    }

    /// Of a run that has none.
    pub(crate) fn of_failure(failure: &Failure) -> Result<Self, RpcError> {
        match failure.kind {
            FailureKind::Cancelled => Ok(Self::Cancelled),
            FailureKind::ContentFilter | FailureKind::Refused => Ok(Self::Refusal),
            FailureKind::Truncated => Ok(Self::MaxTokens),
            FailureKind::Limit(limit) => Self::of_limit(limit).ok_or_else(|| error(failure)),
            _ => Err(error(failure)),
        }
    }
}

fn error(failure: &Failure) -> RpcError {
    let kind = serde_json::to_value(failure.kind).unwrap_or_default();
    RpcError::internal(&failure.message).advice(failure.advice.clone()).kind(kind)
}
