//! [`ClientModel`]: a client in the place of a model, which says one call and nothing else.

use futures_util::stream;
use toolwright_core::{
    Call, Model, ModelDelta, ModelRequest, ModelResponse, ModelStream, truncate_line,
};

/// A client in the place of a model.
pub(super) struct ClientModel(Call);

/// All of them have one name: measurements are kept by it, and a client chooses its own.
const MODEL: &str = "mcp:client";

/// How much of a client's name is shown, in characters.
const NAME: usize = 60;

/// What a client is called, as far as it may be shown: it chose the name itself.
pub(super) fn shown_name(name: &str) -> String {
    let plain: String = name.chars().filter(|it| !it.is_control()).collect();
    let plain = truncate_line(&toolwright_core::escape_invisible(&plain), NAME);
    if plain.is_empty() { "a client".to_owned() } else { plain }
}

impl ClientModel {
    /// A client that calls `tool` with these arguments.
    pub(super) fn new(tool: &str, arguments: String) -> Self {
        Self(Call::new("", tool, arguments))
    }
}

impl Model for ClientModel {
    fn name(&self) -> &str {
        MODEL
    }

    fn call(&self, _: ModelRequest<'_>) -> ModelStream {
        let said = ModelResponse::calls([self.0.clone()]);
        Box::pin(stream::iter([Ok(ModelDelta::Response(said))]))
    }
}
