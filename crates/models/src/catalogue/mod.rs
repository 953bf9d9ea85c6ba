//! [`Facts`]: what is known of a model by its name: how much it reads and writes, what it takes, what it costs.

use toolwright_core::Price;

/// What is known of a model. Nothing where nothing is: settings say more.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Facts {
    /// How many tokens it reads.
    pub window: Option<u64>,
    /// How many tokens it writes at most.
    pub max_output: Option<u64>,
    /// What a million tokens cost, in dollars.
    pub price: Option<Price>,
    /// Whether it sees pictures.
    pub images: Option<bool>,
    /// Whether it reads PDFs.
    pub pdf: Option<bool>,
    /// Whether it hears.
    pub audio: Option<bool>,
    /// Whether it thinks before it answers.
    pub reasons: Option<bool>,
}

impl Facts {
    /// What is known of the model of this name.
    pub fn of(_model: &str) -> Self {
        Self::default()
    }
}
