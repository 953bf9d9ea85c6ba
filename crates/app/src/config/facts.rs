//! [`ModelFacts`]: what the settings know of a model that the catalogue does not, or knows wrong.

use std::collections::BTreeMap;

use serde::Deserialize;
use toolwright_core::{AttachmentKind, OutputStrategy, Price};
use toolwright_models::EndpointConfig;

use super::{
    model::{accepted, strategy},
    sources::Sources,
    values,
};
use crate::AppError;

/// What the file says of a model.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ModelFactsSection {
    window: Option<u64>,
    max_output: Option<u64>,
    #[serde(deserialize_with = "values::amount")]
    input_price: Option<f64>,
    #[serde(deserialize_with = "values::amount")]
    cached_input_price: Option<f64>,
    #[serde(deserialize_with = "values::amount")]
    output_price: Option<f64>,
    accepts: Option<Vec<String>>,
    output_strategy: Option<String>,
}

/// What the settings know of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelFacts {
    /// How many tokens it reads.
    pub window: Option<u64>,
    /// How many tokens it writes at most.
    pub max_output: Option<u64>,
    /// What its tokens cost.
    pub price: Option<Price>,
    /// What it takes in a message.
    pub accepts: Option<Vec<AttachmentKind>>,
    /// How its answers get their form.
    pub output_strategy: Option<OutputStrategy>,
}

/// What the file says of models, by their names.
pub(super) fn read(
    sources: &Sources<'_>,
    file: BTreeMap<String, ModelFactsSection>,
) -> Result<BTreeMap<String, ModelFacts>, AppError> {
    let read = |(name, said): (String, ModelFactsSection)| {
        let bad = |key: &str, value: &str, reason: &str| AppError::BadValue {
            name: format!("models.\"{name}\".{key}"),
            value: value.to_owned(),
            place: sources.file().to_string(),
            reason: reason.to_owned(),
        };
        let accepts = said.accepts.as_deref().map(accepted).transpose();
        let strategy = said
            .output_strategy
            .as_deref()
            .map(|word| strategy(word).map_err(|reason| bad("output_strategy", word, reason)));
        if said.window == Some(0) || said.max_output == Some(0) {
            return Err(bad("window", "0", "a number of tokens is at least 1"));
        }
        let facts = ModelFacts {
            window: said.window,
            max_output: said.max_output,
            price: price(said.input_price, said.cached_input_price, said.output_price),
            accepts: accepts.map_err(|word| bad("accepts", &word, ACCEPTS))?,
            output_strategy: strategy.transpose()?.flatten(),
        };
        Ok((name, facts))
    };
    file.into_iter().map(read).collect()
}

/// What may be attached, for people.
pub(super) const ACCEPTS: &str = "use image, pdf and audio, or [] for nothing";

/// A price, where some part of it is said.
pub(super) fn price(input: Option<f64>, cached: Option<f64>, output: Option<f64>) -> Option<Price> {
    (input.is_some() || cached.is_some() || output.is_some()).then(|| {
        let mut price = Price::new(input.unwrap_or_default(), output.unwrap_or_default());
        price.cached_input = cached;
        price
    })
}

impl ModelFacts {
    /// Tells the endpoint of the model what is known of it.
    pub(crate) fn apply(&self, endpoint: &mut EndpointConfig) {
        let facts = &mut endpoint.facts;
        facts.window = self.window.or(facts.window);
        facts.max_output = self.max_output.or(facts.max_output);
        facts.price = self.price.or(facts.price);
        if let Some(kinds) = &self.accepts {
            let takes = |kind| kinds.contains(&kind);
            let quirks = &mut endpoint.quirks;
            quirks.images = takes(AttachmentKind::Image);
            quirks.pdf = takes(AttachmentKind::Pdf);
            quirks.audio = takes(AttachmentKind::Audio);
            (facts.images, facts.pdf, facts.audio) = (None, None, None);
        }
        if let Some(strategy) = self.output_strategy {
            endpoint.quirks.output = strategy;
        }
    }
}
