//! Why a recording cannot be used, in words.

use std::{fmt::Display, io, path::Path};

use toolwright_core::{ModelError, ModelErrorKind};

const AGAIN: &str = "if the change is meant, record it again (`--cassette-mode record`), or only what is new \
    (`--cassette-mode missing`)";

fn recording(message: String) -> ModelError {
    ModelError::new(ModelErrorKind::Recording, message)
}

/// A request is not as it was recorded.
pub(super) fn differs(request: u64, difference: &str) -> ModelError {
    recording(format!("request {request} differs: {difference}")).with_advice(AGAIN)
}

/// Everything that was recorded was given already.
pub(super) fn ended(requests: usize) -> ModelError {
    let message = match requests {
        0 => "the recording is empty".to_owned(),
        1 => "the recording ends after 1 request".to_owned(),
        more => format!("the recording ends after {more} requests"),
    };
    recording(message).with_advice(
        "the run goes on longer than it did: record it again (`--cassette-mode record`), or what is \
         missing (`--cassette-mode missing`)",
    )
}

/// The same was asked more often than it was recorded.
pub(super) fn once_more(request: u64, times: usize) -> ModelError {
    let times = if times == 1 { "once".to_owned() } else { format!("{times} times") };
    let message = format!("request {request} was recorded {times}, and is asked once more");
    recording(message).with_advice(AGAIN)
}

pub(super) fn missing(path: &Path) -> ModelError {
    recording(format!("there is no cassette {}", path.display()))
        .with_advice("record one first: the same command with `--cassette-mode record`")
}

pub(super) fn no_cassette(path: &Path) -> ModelError {
    recording(format!("{} is no cassette: it does not begin like one", path.display()))
        .with_advice("name another file; nothing was written to this one")
}

pub(super) fn newer(path: &Path, version: u64, known: u64) -> ModelError {
    recording(format!(
        "{} is a cassette of version {version}, and this program reads version {known}",
        path.display()
    ))
    .with_advice("use a newer toolwright, or record it again in another file")
}

pub(super) fn damaged(path: &Path, line: usize, reason: impl Display) -> ModelError {
    recording(format!("{} is damaged in line {line}: {reason}", path.display()))
        .with_advice("take the file from where it was whole, or record it again")
}

pub(super) fn in_use(path: &Path) -> ModelError {
    recording(format!("another program is recording to {}", path.display()))
        .with_advice("wait until it has ended, or name another file")
}

pub(super) fn unreadable(path: &Path, error: &io::Error) -> ModelError {
    recording(format!("the cassette {} cannot be read: {error}", path.display()))
        .with_advice("look at the path, and whether you may read it")
}

pub(super) fn unwritable(path: &Path, error: &io::Error) -> ModelError {
    recording(format!("the cassette {} cannot be written: {error}", path.display()))
        .with_advice("look at the path, whether you may write there, and whether there is room")
}

pub(super) fn no_model() -> ModelError {
    recording("there is no model to record".to_owned())
        .with_advice("give the cassette one, or let it replay")
}
