//! [`LoggedReplies`]: a model that says what the log says it said.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::stream;
use toolwright_core::{
    Attachment, Model, ModelDelta, ModelError, ModelErrorKind, ModelRequest, ModelResponse,
    ModelStream,
};

type Said = Result<ModelResponse, ModelError>;

/// A model that says what the log says it said, in order, whatever it is asked: what is looked at is what
/// becomes of it. Clones are the same model.
#[derive(Clone)]
pub(super) struct LoggedReplies {
    name: String,
    replies: Arc<Mutex<VecDeque<Said>>>,
}

impl LoggedReplies {
    /// A model of this name that says nothing yet.
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), replies: Arc::default() }
    }

    /// From now on it says these.
    pub(super) fn say(&self, replies: Vec<Said>) {
        *self.replies.lock().unwrap_or_else(PoisonError::into_inner) = replies.into();
    }
}

impl Model for LoggedReplies {
    fn name(&self) -> &str {
        &self.name
    }

    fn call(&self, _request: ModelRequest<'_>) -> ModelStream {
        let next = self.replies.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let said = next.unwrap_or_else(|| {
            let message = "the log has no further reply to this question";
            Err(ModelError::new(ModelErrorKind::Recording, message)
                .with_advice("the run goes on longer than it did; --model lets a model answer"))
        });
        Box::pin(stream::iter([said.map(ModelDelta::Response)]))
    }

    /// It was sent what there was.
    fn accepts(&self, _attachment: &Attachment) -> bool {
        true
    }
}
