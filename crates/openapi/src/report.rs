//! [`SpecReport`]: what a document offers, as people approve it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolwright_core::ToolEffect;
use toolwright_files::digest_of;

use crate::document::Operation;

/// What a document offers: where the API is, and the operations that are used of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SpecReport {
    /// Where the document says that the API is; nothing where the user says it.
    pub server: String,
    /// The operations, by their ids; by their places, too, where two have one.
    pub operations: BTreeMap<String, SpecOperation>,
}

/// An operation, as its document describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SpecOperation {
    /// Its method and its path.
    pub place: String,
    /// What a model is told of it.
    pub description: String,
    /// What running it does to the world.
    pub effect: ToolEffect,
    /// JSON Schema of what it takes.
    pub schema: Value,
    /// The digest of all of it, and of where each argument goes.
    pub digest: String,
}

impl SpecReport {
    /// What it is known by.
    pub fn digest(&self) -> String {
        let operations = self.operations.iter().flat_map(|(name, it)| [name, &it.digest]);
        digest_of(std::iter::once(&self.server).chain(operations))
    }
}

impl SpecOperation {
    pub(crate) fn of(operation: &Operation) -> Self {
        let Operation { method, path, description, schema, .. } = operation;
        let places = operation.parameters.iter().map(|it| {
            json!([it.name, it.argument, it.location.name(), format!("{:?}", it.style), it.explode])
        });
        let places: Vec<_> = places.collect();
        let body = operation.body.as_ref().map(|it| json!([it.media, it.is_flat]));
        let whole = json!([method.as_str(), path, description, schema, places, body]);
        Self {
            place: format!("{method} {path}"),
            description: description.clone(),
            effect: operation.effect(),
            schema: schema.clone(),
            digest: digest_of([whole.to_string()]),
        }
    }
}

/// Why operations are withheld, by the names that they have in a [`SpecReport`].
pub type Withheld = BTreeMap<String, String>;

/// Holds what a document offers against what the user approved.
pub trait SpecPin: Send + Sync {
    /// Which of the operations are withheld, and why. What is offered first is approved.
    ///
    /// # Errors
    /// When all are: why, and what to do.
    fn check(&self, offered: &SpecReport) -> Result<Withheld, String>;
}
