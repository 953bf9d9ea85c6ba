//! [`Body`]: a request body that grows with the conversation.
//!
//! Tools are serialised once, each message once. What changes from round to round (the choice of
//! tools) stands behind the messages, so that the bytes in front, which are most of them, stay
//! where they are from one request to the next.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use toolwright_core::{Message, ModelOptions, ModelRequest, ToolDefinitions};

use super::{Fixed, Protocol};

/// What was encoded for the earlier rounds of a run; kept in the run's memo.
#[derive(Default)]
pub(super) struct Body {
    /// Whose request it was, and whether for a stream.
    of: Option<(u64, bool)>,
    /// How the model was to write.
    options: Option<Arc<ModelOptions>>,
    tools: Option<ToolDefinitions>,
    /// The last request. Nobody else holds it once its response began, so it grows in place.
    bytes: Bytes,
    /// Where its messages end.
    end: usize,
    /// How many messages are in it.
    messages: usize,
    /// The last of them.
    last: Option<Arc<Message>>,
}

impl Body {
    /// The body of this request.
    pub(super) fn encode(
        &mut self,
        request: &ModelRequest<'_>,
        protocol: &dyn Protocol,
        fixed: &Fixed<'_>,
    ) -> Bytes {
        let messages = request.conversation.messages();
        let of = Some((fixed.client, request.stream));
        let last = self.messages.checked_sub(1).and_then(|at| messages.get(at));
        let kept = self.of == of
            && self.options.as_ref().is_some_and(|it| Arc::ptr_eq(it, request.options))
            && self.tools.as_ref().is_some_and(|tools| tools.is_same(request.tools))
            && self.last.as_ref().map(Arc::as_ptr) == last.map(Arc::as_ptr);
        let mut out = if kept {
            let old = std::mem::take(&mut self.bytes);
            let mut out = old.try_into_mut().unwrap_or_else(|shared| BytesMut::from(&shared[..]));
            out.truncate(self.end);
            out
        } else {
            self.messages = 0;
            let mut out = BytesMut::with_capacity(request.tools.json().len() + 4096);
            protocol.begin(&mut out, request, fixed);
            out
        };
        let from = self.messages;
        protocol.messages(&mut out, messages, from, fixed);
        self.messages = messages.len().max(from);
        self.end = out.len();
        protocol.finish(&mut out, request, fixed);
        self.of = of;
        self.options = Some(request.options.clone());
        self.tools = Some(request.tools.clone());
        self.last = messages.last().cloned();
        self.bytes = out.freeze();
        self.bytes.clone()
    }
}
