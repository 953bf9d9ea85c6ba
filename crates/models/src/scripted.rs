//! [`Scripted`]: a model that says what a test wrote down.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_util::stream;
use toolwright_core::{
    Conversation, Model, ModelError, ModelErrorKind, ModelRequest, ModelResponse, ModelStream,
    ToolChoice,
};

use crate::function::in_parts;

/// A model that gives the replies it was made with, first in, first out. Clones share the script.
#[derive(Clone, Default)]
pub struct Scripted(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    replies: VecDeque<Result<ModelResponse, ModelError>>,
    asked: Vec<RecordedRequest>,
    beyond: usize,
}

/// What a scripted model was asked.
#[derive(Clone, Debug)]
pub struct RecordedRequest {
    /// The conversation it was sent.
    pub conversation: Conversation,
    /// The tools on offer, by name.
    pub tools: Vec<String>,
    /// Whether it may, must or must not call one.
    pub choice: ToolChoice,
}

impl Scripted {
    /// A model that gives these replies in turn.
    pub fn new(replies: impl IntoIterator<Item = ModelResponse>) -> Self {
        let script = Self::default();
        script.lock().replies = replies.into_iter().map(Ok).collect();
        script
    }

    /// Adds a reply.
    #[must_use]
    pub fn then(self, reply: ModelResponse) -> Self {
        self.lock().replies.push_back(Ok(reply));
        self
    }

    /// Adds a failure.
    #[must_use]
    pub fn then_fail(self, error: ModelError) -> Self {
        self.lock().replies.push_back(Err(error));
        self
    }

    /// What it was asked so far.
    pub fn asked(&self) -> Vec<RecordedRequest> {
        self.lock().asked.clone()
    }

    /// Fails the test unless every reply was used and none was missing.
    ///
    /// # Panics
    /// When replies are left, or the model was asked after the last.
    #[track_caller]
    pub fn assert_complete(&self) {
        let state = self.lock();
        assert!(state.replies.is_empty(), "{} scripted replies were not used", state.replies.len());
        assert!(state.beyond == 0, "the model was asked {} times too often", state.beyond);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Model for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn call(&self, request: ModelRequest<'_>) -> ModelStream {
        let mut state = self.lock();
        state.asked.push(RecordedRequest {
            conversation: request.conversation.clone(),
            tools: request.tools.specs().iter().map(|spec| spec.name.clone()).collect(),
            choice: request.choice,
        });
        let reply = state.replies.pop_front().unwrap_or_else(|| {
            state.beyond += 1;
            Err(ModelError::new(ModelErrorKind::NotConfigured, "the script has no more replies"))
        });
        Box::pin(stream::iter(in_parts(reply)))
    }
}
