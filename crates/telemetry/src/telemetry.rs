//! [`init`]: begins to watch.

use std::{sync::Arc, time::Duration};

use toolwright_core::Observer;
use tracing::{Metadata, level_filters::LevelFilter};
use tracing_subscriber::{
    Layer, Registry,
    filter::{FilterFn, Targets, filter_fn},
    layer::SubscriberExt,
};

use crate::{
    LogFormat, Otlp, TelemetryError,
    export::Export,
    lines::{Lines, RUN},
};

/// How long the end of a program may be held up.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// What is watched, and how.
#[derive(Clone, Debug)]
pub struct Config {
    /// Which log lines are written: `off`, `warn`, or `info,toolwright_models=debug`.
    pub level: String,
    /// What they look like.
    pub format: LogFormat,
    /// Where spans and measurements go, if anywhere.
    pub otlp: Option<Otlp>,
}

impl Default for Config {
    fn default() -> Self {
        Self { level: "warn".to_owned(), format: LogFormat::default(), otlp: None }
    }
}

/// What is watched. Keep it until the program ends: what was not sent by then is sent when it is
/// shut down or dropped.
#[must_use = "nothing is exported once this is dropped"]
pub struct Telemetry {
    export: Option<Export>,
}

impl Telemetry {
    /// Who has to observe every run, where measurements are exported.
    pub fn observer(&self) -> Option<Arc<dyn Observer>> {
        self.export.as_ref()?.observer()
    }

    /// Sends what is still here. Takes two seconds at the most, whatever the collector does. Not to
    /// be called where a runtime has other work to do: it waits on the spot.
    pub fn shutdown(mut self) {
        self.end();
    }

    fn end(&mut self) {
        if let Some(export) = self.export.take() {
            export.end(LAST_WORDS);
        }
    }
}

impl Drop for Telemetry {
    fn drop(&mut self) {
        self.end();
    }
}

/// Begins to watch: installs what writes log lines and what exports spans, for the whole process.
/// Where something is installed already that stays, and nothing is exported.
///
/// # Errors
/// When something cannot be used as configured.
pub fn init(config: &Config) -> Result<Telemetry, TelemetryError> {
    let lines = match config.level.trim() {
        level if level.eq_ignore_ascii_case("off") => None,
        level => Some(Lines::new(config.format).with_filter(lines(level)?)),
    };
    let export = config.otlp.as_ref().map(Export::begin).transpose()?.flatten();
    let spans = export.as_ref().and_then(Export::layer);
    if lines.is_none() && spans.is_none() {
        return Ok(Telemetry { export });
    }
    let subscriber = Registry::default().with(lines).with(spans);
    let installed = tracing::subscriber::set_global_default(subscriber);
    Ok(Telemetry { export: export.filter(|_| installed.is_ok()) })
}

/// Libraries whose failures are told in words of our own: their lines are for those who ask for more.
const TOLD_ELSEWHERE: [&str; 2] = ["restate_sdk", "rmcp"];

/// Which lines are written. Spans that name a run are let in at every level, so that every line
/// can say which one it is about.
fn lines(level: &str) -> Result<FilterFn<impl Fn(&Metadata<'_>) -> bool + use<>>, TelemetryError> {
    let bad = || TelemetryError::Level(level.to_owned());
    // A word that is no level would be taken for a target, and nobody would hear of anything.
    let is_level = |part: &str| {
        let level = part.rsplit('=').next().unwrap_or_default().trim();
        !level.is_empty() && level.parse::<LevelFilter>().is_ok()
    };
    let targets: Targets = level.parse().map_err(|_| bad())?;
    if !level.split(',').all(is_level) {
        return Err(bad());
    }
    let is_curious = targets.default_level() >= Some(LevelFilter::DEBUG);
    let quiet = TOLD_ELSEWHERE.iter().filter(|it| !is_curious && !level.contains(**it));
    let targets = quiet.fold(targets, |all, it| all.with_target(*it, LevelFilter::OFF));
    let most = targets.iter().map(|(_, level)| level).chain(targets.default_level()).max();
    let most = most.unwrap_or(LevelFilter::OFF).max(LevelFilter::INFO);
    let is_shown = move |it: &Metadata<'_>| match it.is_span() {
        true => it.fields().field(RUN).is_some(),
        false => targets.would_enable(it.target(), it.level()),
    };
    Ok(filter_fn(is_shown).with_max_level_hint(most))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tracing::{Event, Subscriber};
    use tracing_subscriber::{
        Layer,
        layer::{Context, SubscriberExt},
    };

    /// Who was heard.
    #[derive(Clone, Default)]
    struct Heard(Arc<Mutex<Vec<String>>>);

    impl<S: Subscriber> Layer<S> for Heard {
        fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
            self.0.lock().unwrap().push(event.metadata().target().to_owned());
        }
    }

    fn heard(level: &str) -> Vec<String> {
        let heard = Heard::default();
        let layer = heard.clone().with_filter(super::lines(level).unwrap());
        let subscriber = tracing_subscriber::registry().with(layer);
        tracing::subscriber::with_default(subscriber, || {
            tracing::warn!(target: "restate_sdk::endpoint", "Handler failure: a dump");
            tracing::warn!(target: "rmcp::service", "a dump");
            tracing::warn!(target: "toolwright_durable::tasks", "a sentence");
        });
        heard.0.lock().unwrap().clone()
    }

    #[test]
    fn what_is_told_in_our_words_is_not_told_again_unless_somebody_asks() {
        assert_eq!(heard("info"), ["toolwright_durable::tasks"]);
        assert_eq!(heard("debug").len(), 3);
        let named = heard("info,restate_sdk=warn");
        assert_eq!(named, ["restate_sdk::endpoint", "toolwright_durable::tasks"]);
    }
}
