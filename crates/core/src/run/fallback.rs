//! [`Models`]: the model that a run asks, and those that gave no reply before it.

use serde::{Deserialize, Serialize};

use super::{Events, Run};
use crate::{EventKind, Price, Timestamp, Usage};

/// The model that a run asks, those that gave no reply before it, and what those cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Models {
    current: String,
    /// Whether it is asked in the place of another.
    is_fallback: bool,
    /// Those that gave no reply since there was one, and why.
    silent: Vec<(String, String)>,
    charged: Charged,
}

/// What those before the present one cost: each at its own price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Charged {
    /// Whether a price was known for any of them.
    is_known: bool,
    /// In millionths, for what providers reported, and with what they did not.
    reported: u64,
    estimated: u64,
    /// What had been used when the present one took over.
    usage: Usage,
    unreported: Usage,
}

impl Models {
    pub(super) fn begin(&mut self, model: &str) {
        model.clone_into(&mut self.current);
    }

    /// There is a reply: what went before it is no part of a later failure.
    pub(super) fn replied(&mut self) {
        self.silent.clear();
    }

    /// Why there is no reply: that of the present model, and those before it.
    pub(super) fn all_silent(&self, message: String) -> String {
        if self.silent.is_empty() {
            return message;
        }
        let before = self.silent.iter().map(|(model, reason)| (model, reason.as_str()));
        let all = before.chain([(&self.current, message.as_str())]);
        let all: Vec<_> = all.map(|(model, reason)| format!("{model} ({reason})")).collect();
        format!("no model gave a reply: {}", all.join("; "))
    }
}

impl Run {
    /// The model `from` gave no reply, and another is asked in its place: `to`, whose tokens cost `price`. `usage`
    /// is what the first used up all the same.
    ///
    /// # Errors
    /// When the run does not wait for the model.
    pub fn model_fell_back(
        &mut self,
        from: String,
        to: String,
        reason: String,
        price: Option<Price>,
        usage: Usage,
        at: Timestamp,
    ) -> Events {
        self.expect_model()?;
        let kind = EventKind::ModelFallback { from, to, reason, price, usage };
        Ok(vec![self.event(at, kind)])
    }

    /// The model it asks, by name.
    pub fn model(&self) -> &str {
        &self.models.current
    }

    /// Whether that is another than it began with, because one gave no reply.
    pub fn is_on_fallback(&self) -> bool {
        self.models.is_fallback
    }

    /// What the run cost so far, in millionths, each model at its own price, and what runs within it cost; nothing
    /// where no price is known. A model without one costs nothing.
    pub fn cost(&self) -> Option<u64> {
        self.nested.with_cost(self.own_cost())
    }

    /// As [`Run::cost`], with what providers did not report.
    pub(super) fn cost_with_estimates(&self) -> Option<u64> {
        self.nested.with_estimated_cost(self.own_cost_with_estimates())
    }

    fn own_cost(&self) -> Option<u64> {
        let charged = &self.models.charged;
        self.charge(charged.reported, self.usage.since(&charged.usage))
    }

    fn own_cost_with_estimates(&self) -> Option<u64> {
        let charged = &self.models.charged;
        let mut used = self.usage.since(&charged.usage);
        used += self.unreported.since(&charged.unreported);
        self.charge(charged.estimated, used)
    }

    fn charge(&self, before: u64, used: Usage) -> Option<u64> {
        match self.price {
            Some(price) => Some(before.saturating_add(price.of(&used))),
            None => self.models.charged.is_known.then_some(before),
        }
    }

    /// A model gave no reply: what it had begun to say is taken back, and what it used up is not.
    pub(super) fn fold_silence(&mut self, usage: &Usage) {
        self.usage += *usage;
        self.partial.clear();
    }

    /// Another is asked from here on, at its own price.
    pub(super) fn turn_to(&mut self, from: &str, to: &str, reason: &str, price: Option<Price>) {
        let charged = Charged {
            is_known: self.models.charged.is_known || self.price.is_some(),
            reported: self.own_cost().unwrap_or_default(),
            estimated: self.own_cost_with_estimates().unwrap_or_default(),
            usage: self.usage,
            unreported: self.unreported,
        };
        self.price = price;
        let models = &mut self.models;
        models.charged = charged;
        models.is_fallback = true;
        // Each is named once: one that is asked again has not failed yet.
        models.silent.retain(|(model, _)| model != from && model != to);
        models.silent.push((from.to_owned(), reason.to_owned()));
        models.begin(to);
    }
}
