//! [`Generation`]: an answer as it comes, and that tools ran on the way to it.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use futures_core::Stream;
use futures_util::StreamExt;
use serde::Serialize;
use toolwright_core::{Answer, Event, EventKind, Failure};

use crate::RunStream;

/// An answer as it comes: a fold of a run's events, for those who want no more of them than the text
/// and that tools ran.
pub struct Generation {
    running: RunStream,
    /// Calls of the reply that have no result yet.
    open: usize,
    /// How many of its calls ran.
    executed: u32,
    /// Whether there are pieces of a reply that is not whole yet.
    has_content: bool,
}

/// What a [`Generation`] yields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum GenerationEvent {
    /// A piece of the text.
    Content {
        /// The piece.
        data: String,
    },
    /// The model broke off, and another begins anew: the pieces since the last reply do not count.
    ContentDiscarded,
    /// Every call of a reply has its result; the model goes on with them.
    ToolExecutionComplete {
        /// What was done.
        data: ToolsExecuted,
    },
}

/// What was done between two replies of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ToolsExecuted {
    /// How many tools ran. A call that was refused ran none.
    pub tool_calls_executed: u32,
}

impl Generation {
    pub(crate) fn new(running: RunStream) -> Self {
        Self { running, open: 0, executed: 0, has_content: false }
    }

    /// The next piece; none at the end.
    pub async fn next(&mut self) -> Option<GenerationEvent> {
        StreamExt::next(self).await
    }

    /// Goes on to the end, whatever was listened to before: the whole text, why it ended and how many
    /// tools ran.
    ///
    /// # Errors
    /// When the run has no answer; the failure says why and what to do.
    pub async fn finish(&mut self) -> Result<Answer, Failure> {
        self.running.finish().await
    }

    /// The run itself, for whoever wants every event of it.
    pub fn into_running(self) -> RunStream {
        self.running
    }

    fn told(&mut self, event: Event) -> Option<GenerationEvent> {
        match event.kind {
            EventKind::Content { data } => {
                self.has_content = true;
                return Some(GenerationEvent::Content { data });
            }
            EventKind::Reply { .. } => self.has_content = false,
            EventKind::ModelFallback { .. } if std::mem::take(&mut self.has_content) => {
                return Some(GenerationEvent::ContentDiscarded);
            }
            EventKind::ToolCalls { tool_calls } => {
                (self.open, self.executed) = (tool_calls.len(), 0);
            }
            EventKind::CallStarted { .. } => self.executed += 1,
            EventKind::CallFinished { .. } if self.open > 0 => {
                self.open -= 1;
                if self.open == 0 {
                    let data = ToolsExecuted { tool_calls_executed: self.executed };
                    return Some(GenerationEvent::ToolExecutionComplete { data });
                }
            }
            _ => {}
        }
        None
    }
}

impl Stream for Generation {
    type Item = GenerationEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<GenerationEvent>> {
        loop {
            match self.running.poll_next_unpin(cx) {
                Poll::Ready(Some(event)) => {
                    if let Some(generated) = self.told(event) {
                        return Poll::Ready(Some(generated));
                    }
                }
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}
