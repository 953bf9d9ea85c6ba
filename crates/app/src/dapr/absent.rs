//! [`DaprModel`], where it is not compiled in: there is none.

use toolwright_core::{Model, ModelError, ModelErrorKind, ModelRequest, ModelStream};

use crate::Config;

/// A model behind a Dapr sidecar, of which there is none here.
#[derive(Clone)]
pub enum DaprModel {}

impl DaprModel {
    /// The conversation components that the sidecar has.
    ///
    /// # Errors
    /// Never: there is no such model.
    #[expect(clippy::unused_async, reason = "the one that is compiled in asks")]
    pub async fn components(&self) -> Result<Vec<String>, ModelError> {
        match *self {}
    }

    /// The component's name.
    pub fn component(&self) -> &str {
        match *self {}
    }
}

impl Model for DaprModel {
    fn name(&self) -> &str {
        match *self {}
    }

    fn call(&self, _request: ModelRequest<'_>) -> ModelStream {
        match *self {}
    }
}

pub(crate) fn model(_config: &Config, _component: &str) -> Result<DaprModel, ModelError> {
    let message = "this program was built without the feature `dapr`";
    Err(ModelError::new(ModelErrorKind::NotConfigured, message)
        .with_advice("build it with that feature, or name another model"))
}

pub(crate) fn secret() -> Option<String> {
    None
}
