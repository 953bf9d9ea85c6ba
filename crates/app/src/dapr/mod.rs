//! [`DaprModel`]: a model behind a Dapr sidecar, where `dapr:COMPONENT` names one. A build without the feature
//! `dapr` has none, and says so.

#[cfg_attr(not(feature = "dapr"), path = "absent.rs")]
mod model;

pub use self::model::DaprModel;
pub(crate) use self::model::{model, secret};

/// The component that a model's name names, if it is one of a sidecar's.
pub(crate) fn component(name: &str) -> Option<&str> {
    name.strip_prefix("dapr:")
}
