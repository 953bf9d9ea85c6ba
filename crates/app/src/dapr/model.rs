//! [`DaprModel`], where it is compiled in.

use std::env;

use toolwright_core::ModelError;
use toolwright_dapr::DaprConfig;
pub use toolwright_dapr::DaprModel;

use crate::Config;

/// The component of the sidecar that the environment names, as Dapr's own SDKs read it.
pub(crate) fn model(config: &Config, component: &str) -> Result<DaprModel, ModelError> {
    let mut settings = DaprConfig::from_env(component);
    settings.http = config.model_http();
    if let Some(strategy) = config.model.output_strategy.value {
        settings.output = strategy;
    }
    DaprModel::new(settings)
}

/// What no tool may return: the sidecar's token.
pub(crate) fn secret() -> Option<String> {
    env::var("DAPR_API_TOKEN").ok()
}
