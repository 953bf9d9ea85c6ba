//! [`ModelConfig`]: which model answers, where, and what it costs.

use toolwright_core::Price;

use super::{
    Flags, Secret, Setting,
    file::ModelSection,
    sources::{Sources, optional},
};

/// Which model answers, where, and what it costs.
#[derive(Clone, Debug)]
pub struct ModelConfig {
    /// The root of the model's API.
    pub base_url: Setting<Option<String>>,
    /// The key to it.
    pub api_key: Setting<Option<Secret>>,
    /// The model: `name`, `openai:name` or `demo`.
    pub name: Setting<Option<String>>,
    /// A model at the same endpoint that looks at answers, too.
    pub judge: Setting<Option<String>>,
    /// What tokens cost.
    pub price: Setting<Option<Price>>,
}

impl ModelConfig {
    pub(super) fn read(sources: &Sources<'_>, flags: &Flags, file: ModelSection) -> Self {
        let base = sources
            .pick("", None, "OPENAI_API_BASE", None)
            .or_else(|| sources.pick("", None, "OPENAI_BASE_URL", file.base_url));
        let name = flags.model.clone();
        let key = optional(sources.pick("", None, "OPENAI_API_KEY", file.api_key));
        let price = Price {
            input: file.input_price.unwrap_or_default(),
            output: file.output_price.unwrap_or_default(),
        };
        let is_priced = file.input_price.is_some() || file.output_price.is_some();
        Self {
            base_url: optional(base),
            api_key: key.map(|key| key.map(Secret)),
            name: optional(sources.pick("--model", name, "TOOLWRIGHT_MODEL", file.name)),
            judge: optional(sources.pick("", None, "TOOLWRIGHT_JUDGE", file.judge)),
            price: sources.in_file(is_priced.then_some(Some(price)), None),
        }
    }
}
