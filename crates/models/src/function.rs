//! [`FunctionModel`]: a model that is a function.

use std::sync::Arc;

use futures_util::stream;
use toolwright_core::{Model, ModelDelta, ModelError, ModelRequest, ModelResponse, ModelStream};

type Function = dyn Fn(&ModelRequest<'_>) -> Result<ModelResponse, ModelError> + Send + Sync;

/// A model that is a function of the request: for tests that react to what they are sent, and for
/// demonstrations without a model.
#[derive(Clone)]
pub struct FunctionModel {
    name: String,
    function: Arc<Function>,
}

impl FunctionModel {
    /// A model of this name that replies what `function` returns.
    pub fn new(
        name: impl Into<String>,
        function: impl Fn(&ModelRequest<'_>) -> Result<ModelResponse, ModelError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self { name: name.into(), function: Arc::new(function) }
    }
}

impl Model for FunctionModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn call(&self, request: ModelRequest<'_>) -> ModelStream {
        Box::pin(stream::iter(in_parts((self.function)(&request))))
    }
}

/// A reply as a stream would bring it: text word by word, calls in two pieces, then the whole.
pub(crate) fn in_parts(
    reply: Result<ModelResponse, ModelError>,
) -> Vec<Result<ModelDelta, ModelError>> {
    let reply = match reply {
        Ok(reply) => reply,
        Err(error) => return vec![Err(error)],
    };
    let mut parts = Vec::new();
    if !reply.reasoning.is_empty() {
        parts.push(Ok(ModelDelta::Reasoning(reply.reasoning.clone())));
    }
    parts.extend(reply.text.split_inclusive(' ').map(|word| Ok(ModelDelta::Text(word.to_owned()))));
    for (index, call) in reply.calls.iter().enumerate() {
        parts.push(Ok(ModelDelta::CallName { index, name: call.name.clone() }));
        parts.push(Ok(ModelDelta::CallArguments { index, json: call.arguments.clone() }));
    }
    parts.push(Ok(ModelDelta::Response(reply)));
    parts
}
