//! [`Sink`]: where the parts of a reply go as they are read.

use toolwright_core::{ModelDelta, ModelError, StreamSender};

/// Where the parts of a reply go as they are read. What has arrived and was not yet taken is
/// joined: a burst of pieces is one part, while a piece that comes alone is handed on alone.
pub(crate) struct Sink<'a> {
    outbox: &'a StreamSender<Result<ModelDelta, ModelError>>,
    begun: bool,
}

impl<'a> Sink<'a> {
    pub(crate) fn new(outbox: &'a StreamSender<Result<ModelDelta, ModelError>>) -> Self {
        Self { outbox, begun: false }
    }

    /// Whether anything was handed on.
    pub(crate) fn begun(&self) -> bool {
        self.begun
    }

    /// Whether something waits to be taken.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.outbox.is_empty()
    }

    pub(crate) fn text(&mut self, piece: &str) {
        self.begun = true;
        self.outbox.merge(|last| match last {
            Some(Ok(ModelDelta::Text(text))) => join(text, piece),
            _ => Some(Ok(ModelDelta::Text(roomy(piece)))),
        });
    }

    pub(crate) fn reasoning(&mut self, piece: &str) {
        self.begun = true;
        self.outbox.merge(|last| match last {
            Some(Ok(ModelDelta::Reasoning(text))) => join(text, piece),
            _ => Some(Ok(ModelDelta::Reasoning(roomy(piece)))),
        });
    }

    pub(crate) fn call_name(&mut self, index: usize, name: &str) {
        self.begun = true;
        self.outbox.put(Ok(ModelDelta::CallName { index, name: name.to_owned() }));
    }

    pub(crate) fn call_arguments(&mut self, index: usize, piece: &str) {
        self.begun = true;
        self.outbox.merge(|last| match last {
            Some(Ok(ModelDelta::CallArguments { index: at, json })) if *at == index => {
                join(json, piece)
            }
            _ => Some(Ok(ModelDelta::CallArguments { index, json: roomy(piece) })),
        });
    }
}

/// A piece with room for more of its kind behind it.
fn roomy(piece: &str) -> String {
    let mut text = String::with_capacity(piece.len().max(64));
    text.push_str(piece);
    text
}

fn join<T>(text: &mut String, piece: &str) -> Option<T> {
    text.push_str(piece);
    None
}
