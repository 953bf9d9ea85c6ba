//! [`Recording`]: what answers where a cassette does; and what is recorded to one.

use std::sync::{Arc, PoisonError};

use jiff::tz::TimeZone;
use toolwright_core::{Model, RunContext};
use toolwright_models::{Cassette, CassetteFile, CassetteHeader, CassetteMode};

use crate::{
    AppError, Config, ModelBackend, OpenPacks, model_backend::ChosenModels, task::Calendar,
};

/// A model that gives what was recorded, and is not there itself.
#[derive(Clone)]
pub struct Recording {
    model: Arc<dyn Model>,
    about: String,
}

impl Recording {
    /// This model, of which these words tell.
    pub(crate) fn new(model: Arc<dyn Model>, about: String) -> Self {
        Self { model, about }
    }

    fn of(file: CassetteFile, context: &RunContext) -> Self {
        let path = file.path().display().to_string();
        let secrets = context.secrets().iter().map(|it| &**it);
        let model = Cassette::replaying(file).secrets(secrets);
        let about = format!("the recording {path} answers, in the place of {}", model.name());
        Self::new(Arc::new(model), about)
    }

    /// The model.
    pub fn model(&self) -> Arc<dyn Model> {
        self.model.clone()
    }

    /// One line about it.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Whether the one that was recorded is the small one in this process: it is offered few tools.
    pub(crate) fn is_of_offline(&self) -> bool {
        self.model.name().starts_with("offline")
    }
}

/// What answers: a recording, where one is replayed, and else what was configured.
pub(crate) fn engines(
    config: &Config,
    packs: &OpenPacks,
    context: &RunContext,
) -> Result<ChosenModels, AppError> {
    match cassette(config, packs)? {
        Some(file) if file.mode() == CassetteMode::Replay => {
            let first = ModelBackend::Recorded(Recording::of(file, context));
            // What failed then fails again, and what was asked in its place is in the same recording.
            let others = config.model.names().skip(1).map(|_| first.clone()).collect();
            Ok(ChosenModels { first, others })
        }
        _ => ModelBackend::chosen(config, packs),
    }
}

/// The model, recorded where that was asked for, without what the run keeps secret.
pub(crate) fn recorded(
    config: &Config,
    packs: &OpenPacks,
    model: Arc<dyn Model>,
    context: &RunContext,
) -> Result<Arc<dyn Model>, AppError> {
    Ok(match cassette(config, packs)? {
        Some(file) if file.mode().records() => {
            let secrets = context.secrets().iter().map(|it| &**it);
            Arc::new(Cassette::new(file, model).secrets(secrets))
        }
        _ => model,
    })
}

/// What day a model is told it is: the one on which it was recorded, where that is replayed, or every
/// request would differ on the next day.
pub(crate) fn calendar(config: &Config, packs: &OpenPacks) -> Result<Calendar, AppError> {
    let zone = config.time_zone.value.as_ref();
    Ok(match cassette(config, packs)? {
        Some(file) if file.mode().replays() => {
            let header = file.header();
            let then = header.time_zone.as_deref().and_then(|name| TimeZone::get(name).ok());
            Calendar::at(header.at, then.as_ref().or(zone))
        }
        _ => Calendar::now(zone),
    })
}

/// What a recording that begins now says of itself.
pub(crate) fn header(config: &Config) -> CassetteHeader {
    let zone = config.time_zone.value.clone().unwrap_or_else(TimeZone::system);
    CassetteHeader::new().time_zone(zone.iana_name())
}

/// The file, opened once for all that is made.
fn cassette(config: &Config, packs: &OpenPacks) -> Result<Option<CassetteFile>, AppError> {
    let Some(asked) = &config.cassette else { return Ok(None) };
    let mut open = packs.cassette.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(file) = &*open {
        return Ok(Some(file.clone()));
    }
    let file = CassetteFile::open(&asked.path, asked.mode(), header(config))?;
    *open = Some(file.clone());
    Ok(Some(file))
}
