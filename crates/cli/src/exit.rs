//! [`Exit`]: what the command ends with, and how errors are told.

use std::{fmt, process::ExitCode};

use serde_json::json;
use toolwright_app::AppError;
use toolwright_core::{Failure, FailureKind, ModelErrorKind};
use toolwright_embed::EmbedError;
use toolwright_local::LocalError;
use toolwright_server::ServerError;
use toolwright_store::StoreError;
use toolwright_telemetry::TelemetryError;

use crate::style;

/// What the process ends with when it was told to stop.
pub(crate) const INTERRUPTED: u8 = 130;

/// What the command ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The question was answered.
    Answered,
    /// The run failed.
    Failed,
    /// What was typed or set cannot be used.
    Usage,
    /// Nothing is configured that could answer.
    NotConfigured,
    /// Somebody pressed Ctrl-C.
    Interrupted,
}

impl Exit {
    /// Its name, for programs.
    fn kind(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Failed => "failed",
            Self::Usage => "usage",
            Self::NotConfigured => "not_configured",
            Self::Interrupted => "interrupted",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Answered => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::NotConfigured => 3,
            Exit::Interrupted => INTERRUPTED,
        })
    }
}

impl From<&Failure> for Exit {
    fn from(failure: &Failure) -> Self {
        match failure.kind {
            FailureKind::Cancelled => Self::Interrupted,
            FailureKind::Model(ModelErrorKind::NotConfigured) => Self::NotConfigured,
            _ => Self::Failed,
        }
    }
}

/// What was given to a command cannot be used: what is wrong with it, and what to do.
#[derive(Debug)]
pub(crate) struct Unusable {
    pub(crate) message: String,
    pub(crate) advice: &'static str,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Unusable {}

/// Why a command of a pack failed: what happened, and what to do.
#[derive(Debug, Default)]
pub struct CommandError {
    /// What happened, in a sentence.
    pub message: String,
    /// What a person can do about it.
    pub advice: Option<String>,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CommandError {}

/// Who reads what a command writes to standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// A program that reads one event a line.
    Events,
    /// Anybody else.
    Other,
}

/// Tells about an error: what happened, and what to do. A program that reads events gets one more.
pub(crate) fn report(error: &anyhow::Error, output: Output) -> Exit {
    // `toolwright conversations list | head`: whoever listened has heard enough.
    let io = error.downcast_ref::<std::io::Error>();
    if io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe) {
        return Exit::Answered;
    }
    let app = error.downcast_ref::<AppError>();
    let store = error.downcast_ref::<StoreError>();
    let telemetry = error.downcast_ref::<TelemetryError>();
    let local = error.downcast_ref::<LocalError>();
    let server = error.downcast_ref::<ServerError>();
    let unusable = error.downcast_ref::<Unusable>();
    let command = error.downcast_ref::<CommandError>();
    let embed = error.downcast_ref::<EmbedError>();
    let advice = app
        .and_then(AppError::advice)
        .or_else(|| store.and_then(StoreError::advice))
        .or_else(|| telemetry.map(|it| it.advice().to_owned()))
        .or_else(|| unusable.map(|it| it.advice.to_owned()))
        .or_else(|| local.and_then(|it| it.advice.clone()))
        .or_else(|| server.and_then(ServerError::advice).map(str::to_owned))
        .or_else(|| command.and_then(|it| it.advice.clone()))
        .or_else(|| embed.and_then(|it| it.advice.clone()));
    let message = format!("{error:#}");
    say(&message, advice.as_deref());
    let exit = exit_of(error);
    if output == Output::Events {
        let kind = exit.kind();
        let event = json!({"type": "error", "kind": kind, "message": message, "advice": advice});
        // If nobody listens there is nobody to tell.
        let _ = style::out(&format!("{event}\n"));
    }
    exit
}

/// What a command ends with that ran into this.
fn exit_of(error: &anyhow::Error) -> Exit {
    let app = error.downcast_ref::<AppError>();
    let store = error.downcast_ref::<StoreError>().or(match app {
        Some(AppError::Store(store)) => Some(store),
        _ => None,
    });
    let is_unusable = error.is::<TelemetryError>() || error.is::<Unusable>();
    if is_unusable || error.is::<ServerError>() {
        return Exit::Usage;
    }
    if error.is::<LocalError>() {
        return Exit::NotConfigured;
    }
    match app {
        // What was typed names nothing, or too much.
        _ if matches!(store, Some(StoreError::NotFound(_) | StoreError::Ambiguous { .. })) => {
            Exit::Usage
        }
        Some(AppError::Store(_) | AppError::Journal(_) | AppError::Approvals { .. }) => {
            Exit::Failed
        }
        Some(AppError::Model(model)) if model.kind == ModelErrorKind::NotConfigured => {
            Exit::NotConfigured
        }
        Some(_) => Exit::Usage,
        None => Exit::Failed,
    }
}

/// One line about what happened, one about what to do.
pub(crate) fn say(message: &str, advice: Option<&str>) {
    style::line(&format!("{}error:{} {message}", style::ERROR, style::END));
    if let Some(advice) = advice {
        style::line(&format!("{}what to do:{} {advice}", style::DIM, style::END));
    }
}
