//! [`Exit`]: what the command ends with, and how errors are told.

use std::process::ExitCode;

use serde_json::json;
use toolwright_core::{Failure, FailureKind, Fault, ModelErrorKind};
use tracing::Level;

use crate::{error::Error, style};

/// What the process ends with when it was told to stop.
const INTERRUPTED: u8 = 130;

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

impl From<Fault> for Exit {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Usage => Self::Usage,
            Fault::NotConfigured => Self::NotConfigured,
            _ => Self::Failed,
        }
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

/// Who reads what a command writes to standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// A program that reads one event a line.
    Events,
    /// Anybody else.
    Other,
}

/// Tells about an error: what happened, and what to do. A program that reads events gets one more.
pub(crate) fn report(error: &Error, output: Output) -> Exit {
    // `toolwright conversations list | head`: whoever listened has heard enough.
    if error.is_broken_pipe() {
        return Exit::Answered;
    }
    let (message, advice) = (error.to_string(), error.advice());
    say(&message, advice.as_deref());
    let exit = Exit::from(error.fault());
    if output == Output::Events {
        event(exit, &message, advice.as_deref());
    }
    exit
}

/// Tells about what was typed and cannot be understood; a program that would have read events gets one.
pub(crate) fn unparsed(error: &clap::Error) -> Exit {
    let text = error.render().to_string();
    text.lines().for_each(style::line);
    let typed: Vec<_> = std::env::args_os().skip(1).take_while(|it| it != "--").collect();
    let is_typed = |word: &str| typed.iter().any(|it| it == word);
    if is_typed("--json") && (is_typed("ask") || is_typed("resume")) {
        let first = text.lines().next().unwrap_or_default();
        let message = first.strip_prefix("error: ").unwrap_or(first);
        let advice = "`toolwright help` and `--help` behind a command tell what can be typed";
        event(Exit::Usage, message, Some(advice));
    }
    Exit::Usage
}

/// The event that stands for a run that could not begin. If nobody listens there is nobody to tell.
fn event(exit: Exit, message: &str, advice: Option<&str>) {
    let kind = exit.kind();
    let event = json!({"type": "error", "kind": kind, "message": message, "advice": advice});
    let _ = style::out(&format!("{event}\n"));
}

/// One line about what happened, one about what to do.
pub(crate) fn say(message: &str, advice: Option<&str>) {
    let fields: Vec<_> = advice.iter().map(|it| ("advice", *it)).collect();
    if style::told_programs(Level::ERROR, message, &fields) {
        return;
    }
    style::line(&format!("{}error:{} {message}", style::ERROR, style::END));
    if let Some(advice) = advice {
        style::line(&format!("{}what to do:{} {advice}", style::DIM, style::END));
    }
}
