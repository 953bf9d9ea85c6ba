//! [`pointing`]: a model that points at results, heard by people who read them.

use std::future::poll_fn;

use toolwright_core::{
    Model, ModelDelta, ModelError, ModelRequest, ModelResponse, ModelStream, StreamSender,
    stream_from,
};

use crate::pointers::{Expander, LookedUp, Pointers};

/// What a model says that points at results (`[[1]]` in a line of its own): whoever listens gets what it points at in its
/// place, as it arrives and in the reply.
///
/// An answer that leaves out what was looked up for the question has that pointed at behind it.
///
/// This is put around what finds calls in the model's text, so nothing that stands in a result is ever taken for one.
pub fn pointing(model: &dyn Model, request: ModelRequest<'_>) -> ModelStream {
    let (conversation, tools) = (request.conversation, request.tools.all());
    let pointers = Pointers::of(conversation, tools);
    let looked_up = LookedUp::of(conversation, tools);
    let parts = model.call(request);
    let outbox = StreamSender::new();
    let heard = outbox.clone();
    Box::pin(stream_from(outbox, async move { expand(parts, &pointers, &looked_up, &heard).await }))
}

async fn expand(
    mut parts: ModelStream,
    pointers: &Pointers,
    looked_up: &LookedUp,
    heard: &StreamSender<Result<ModelDelta, ModelError>>,
) {
    let mut expander = Expander::new(pointers);
    let text = |text: String| (!text.is_empty()).then_some(Ok(ModelDelta::Text(text)));
    while let Some(part) = poll_fn(|context| parts.as_mut().poll_next(context)).await {
        match part {
            Ok(ModelDelta::Text(piece)) => heard.extend(text(expander.push(&piece))),
            Ok(ModelDelta::Response(mut reply)) => {
                let missing = match reply.calls.is_empty() && !reply.text.is_empty() {
                    true => pointers.missing(looked_up, &reply.text),
                    false => String::new(),
                };
                heard.extend(text(expander.push(&missing)));
                heard.extend(text(expander.finish()));
                reply.text.push_str(&missing);
                let reply = ModelResponse { text: pointers.expand(&reply.text), ..reply };
                heard.put(Ok(ModelDelta::Response(reply)));
            }
            part => {
                heard.extend(text(expander.finish()));
                heard.put(part);
            }
        }
        // Handed on before more is read: who listens slowly slows the model.
        heard.taken().await;
    }
}
