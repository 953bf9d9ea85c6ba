//! [`Families`]: what is measured, under the names that Prometheus reads.

use std::sync::Arc;

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};

/// The conventions' buckets for times, in seconds.
pub(crate) const SECONDS: [f64; 14] =
    [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/// What is measured.
#[derive(Debug)]
pub(super) struct Families {
    pub(super) runs: Family<Outcome, Counter>,
    pub(super) begun: Counter,
    pub(super) active: Gauge,
    pub(super) run: Histogram,
    pub(super) rounds: Counter,
    pub(super) calls: Family<Ended, Counter>,
    pub(super) call: Family<Tool, Histogram>,
    pub(super) refusals: Family<Guard, Counter>,
    pub(super) cache: Family<Cached, Counter>,
    pub(super) retries: Family<Tool, Counter>,
    pub(super) breaker: Family<Acted, Counter>,
    pub(super) breaker_open: Family<Tool, Gauge>,
    pub(super) model: Histogram,
    pub(super) first_token: Histogram,
    pub(super) model_retries: Counter,
    pub(super) model_fallbacks: Family<Fallback, Counter>,
    pub(super) tokens: Family<Tokens, Counter>,
    pub(super) cost: Counter,
    pub(super) reviews: Family<Reviewed, Counter>,
    pub(super) compactions: Counter,
    pub(super) slices: Counter,
    pub(super) slices_running: Gauge,
    pub(super) slices_found: Counter,
    pub(super) slices_failed: Counter,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Outcome {
    pub(super) outcome: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Tool {
    pub(super) tool: Arc<str>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Ended {
    pub(super) tool: Arc<str>,
    pub(super) status: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Fallback {
    pub(super) from: Arc<str>,
    pub(super) to: Arc<str>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Guard {
    pub(super) guard: Arc<str>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Cached {
    pub(super) tool: Arc<str>,
    pub(super) result: Arc<str>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Acted {
    pub(super) tool: Arc<str>,
    pub(super) action: Arc<str>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Tokens {
    pub(super) r#type: &'static str,
    pub(super) model: Arc<str>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Reviewed {
    pub(super) verdict: &'static str,
}

/// Runs are a few questions long.
const RUN: [f64; 12] = [0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0];
/// Tools are anything from a sum to a build.
const CALL: [f64; 12] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0];

impl Families {
    pub(super) fn new() -> Self {
        let call = || Histogram::new(CALL);
        let exchange = || Histogram::new(SECONDS);
        Self {
            runs: Family::default(),
            begun: Counter::default(),
            active: Gauge::default(),
            run: Histogram::new(RUN),
            rounds: Counter::default(),
            calls: Family::default(),
            call: Family::new_with_constructor(call),
            refusals: Family::default(),
            cache: Family::default(),
            retries: Family::default(),
            breaker: Family::default(),
            breaker_open: Family::default(),
            model: exchange(),
            first_token: exchange(),
            model_retries: Counter::default(),
            model_fallbacks: Family::default(),
            tokens: Family::default(),
            cost: Counter::default(),
            reviews: Family::default(),
            compactions: Counter::default(),
            slices: Counter::default(),
            slices_running: Gauge::default(),
            slices_found: Counter::default(),
            slices_failed: Counter::default(),
        }
    }

    /// All of them by name. The registry adds the prefix, the unit and `_total`.
    pub(super) fn registry(&self) -> Registry {
        let mut all = Registry::with_prefix("toolwright");
        all.register("runs", "Runs that ended, by how", self.runs.clone());
        all.register("runs_begun", "Runs that were asked for here", self.begun.clone());
        all.register("runs_active", "Runs that are driven here", self.active.clone());
        timed(&mut all, "run", "How long runs took", self.run.clone());
        all.register("rounds", "Rounds: questions to a model within runs", self.rounds.clone());
        all.register("calls", "Calls of tools, by how they ended", self.calls.clone());
        timed(&mut all, "call", "How long tools ran, where they did", self.call.clone());
        all.register("refusals", "Calls and answers that a guard refused", self.refusals.clone());
        all.register("cache", "Calls that were answered without the tool", self.cache.clone());
        all.register("retries", "Calls that were tried again", self.retries.clone());
        all.register("breaker", "What circuit breakers did", self.breaker.clone());
        all.register(
            "breaker_open",
            "Whether the tool is left alone: 1 from when its breaker opens until it closes",
            self.breaker_open.clone(),
        );
        timed(&mut all, "model", "How long models took to reply", self.model.clone());
        let first = self.first_token.clone();
        timed(&mut all, "first_token", "How long models took to begin a reply", first);
        let retries = self.model_retries.clone();
        all.register("model_retries", "Questions to a model that were asked again", retries);
        all.register(
            "model_fallbacks",
            "Times that another model was asked because one gave no reply",
            self.model_fallbacks.clone(),
        );
        all.register(
            "tokens",
            "Tokens, by what they were and which model they were for",
            self.tokens.clone(),
        );
        all.register(
            "cost_millionths",
            "What runs cost, in millionths of the unit of the prices, where one is known",
            self.cost.clone(),
        );
        all.register(
            "reviews",
            "Answers held against the results, by verdict",
            self.reviews.clone(),
        );
        let compactions = self.compactions.clone();
        all.register("compactions", "Conversations whose older part became a digest", compactions);
        self.register_slices(&mut all);
        all
    }

    /// What a worker of an engine does.
    fn register_slices(&self, all: &mut Registry) {
        all.register("slices", "Slices of runs that were begun for an engine", self.slices.clone());
        let running = self.slices_running.clone();
        all.register("slices_running", "Slices of runs that are driven for an engine", running);
        all.register(
            "slices_found_again",
            "Times that an engine came back for a slice that was still driven",
            self.slices_found.clone(),
        );
        let failed = self.slices_failed.clone();
        all.register("slices_failed", "Slices that could not be driven, and will be again", failed);
    }
}

fn timed(
    all: &mut Registry,
    name: &str,
    help: &str,
    metric: impl prometheus_client::registry::Metric,
) {
    all.register_with_unit(name, help, Unit::Seconds, metric);
}
