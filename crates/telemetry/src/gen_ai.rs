//! [`GenAi`]: what questions to models took and cost, as OpenTelemetry's conventions for generative
//! AI measure it.

use std::sync::Arc;

use opentelemetry::{
    KeyValue, StringValue,
    metrics::{Histogram, Meter},
};
use toolwright_core::{Event, EventKind, FailureKind, Observer, RunId, Usage, kind_name};

use crate::{
    label::Labels,
    metrics::now,
    watch::{Told, Watch},
};

/// The conventions' buckets for tokens.
const TOKENS: [f64; 14] = [
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1024.0,
    4096.0,
    16384.0,
    65536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
];
/// How many models are told apart.
const MODELS: usize = 64;

/// What questions to models took and cost: a fold of the events of all runs.
pub(crate) struct GenAi {
    tokens: Histogram<u64>,
    duration: Histogram<f64>,
    first_chunk: Histogram<f64>,
    models: Labels,
    runs: Watch<Option<Arc<str>>>,
}

impl GenAi {
    pub(crate) fn new(meter: &Meter) -> Self {
        let seconds = |name: &'static str, what: &'static str| {
            let histogram = meter.f64_histogram(name).with_description(what).with_unit("s");
            histogram.with_boundaries(crate::metrics::SECONDS.to_vec()).build()
        };
        let tokens = meter
            .u64_histogram("gen_ai.client.token.usage")
            .with_description("Number of input and output tokens used.")
            .with_unit("{token}")
            .with_boundaries(TOKENS.to_vec())
            .build();
        Self {
            tokens,
            duration: seconds("gen_ai.client.operation.duration", "GenAI operation duration."),
            first_chunk: seconds(
                "gen_ai.client.operation.time_to_first_chunk",
                "Time from the request to the first piece of its response.",
            ),
            models: Labels::new(MODELS),
            runs: Watch::default(),
        }
    }

    fn used(&self, asked: &[KeyValue], usage: &Usage) {
        // A provider that counts nothing sends nothing, or zeros; those are not measurements.
        if usage.is_nothing() {
            return;
        }
        for (kind, count) in [("input", usage.prompt_tokens), ("output", usage.completion_tokens)] {
            let kind = KeyValue::new("gen_ai.token.type", kind);
            self.tokens.record(count, &with(asked, kind));
        }
    }
}

impl Observer for GenAi {
    fn observe(&self, event: &Event) {
        // Questions to models are counted one by one, whichever run asks them.
        if let EventKind::Nested { event, .. } = &event.kind {
            return self.observe(event);
        }
        let is_about_models = match &event.kind {
            EventKind::RunStarted { .. }
            | EventKind::RoundStarted { .. }
            | EventKind::ModelFallback { .. }
            | EventKind::Reply { .. }
            | EventKind::Done(_)
            | EventKind::Error(_) => true,
            kind => kind.is_provisional() && self.runs.awaits_pieces(),
        };
        if !is_about_models {
            return;
        }
        let (told, model) = self.runs.see(event, |open, told| match &event.kind {
            EventKind::RunStarted { model, .. } => {
                open.kept = Some(self.models.admit(model));
                (told, open.kept.clone())
            }
            // What is told is about the one that gave no reply.
            EventKind::ModelFallback { to, .. } => (told, open.kept.replace(self.models.admit(to))),
            _ => (told, open.kept.clone()),
        });
        let Some(told) = told else { return };
        let asked = asked(model.unwrap_or_else(|| self.models.unknown()).as_ref());
        match told {
            Told::Began { after } => {
                self.first_chunk.record(after, &asked);
                // Observers are told of a piece where it arrives, inside the span that waits for it.
                let waiting = tracing::Span::current();
                waiting.record("gen_ai.response.time_to_first_chunk", after);
            }
            Told::Replied { after, usage } => {
                self.duration.record(after, &asked);
                self.used(&asked, usage);
            }
            Told::PassedOn { after } => {
                if let EventKind::ModelFallback { usage, .. } = &event.kind {
                    self.used(&asked, usage);
                }
                // The event tells why in words; the span of the question names the kind.
                let error = KeyValue::new("error.type", "_OTHER");
                self.duration.record(after, &with(&asked, error));
            }
            Told::Failed { after, failure } => {
                let error = KeyValue::new("error.type", of_exchange(&failure.kind));
                self.duration.record(after, &with(&asked, error));
            }
        }
    }

    fn resumed(&self, run: &RunId, model: &str) {
        self.runs.resume(run, now(), Some(self.models.admit(model)));
    }

    fn left(&self, run: &RunId) {
        self.runs.leave(run, |_, _| false);
    }
}

/// What was asked of whom.
fn asked(model: &str) -> [KeyValue; 3] {
    let (provider, model) = model.split_once(':').unwrap_or(("_OTHER", model));
    [
        KeyValue::new("gen_ai.operation.name", "chat"),
        KeyValue::new("gen_ai.provider.name", StringValue::from(provider.to_owned())),
        KeyValue::new("gen_ai.request.model", StringValue::from(model.to_owned())),
    ]
}

fn with(asked: &[KeyValue], more: KeyValue) -> Vec<KeyValue> {
    asked.iter().cloned().chain([more]).collect()
}

/// Why a question to a model got no reply.
fn of_exchange(kind: &FailureKind) -> String {
    match kind {
        FailureKind::Model(kind) => kind_name(kind),
        // It did not fail by itself: the run was stopped while it waited.
        _ => "cancelled".to_owned(),
    }
}
