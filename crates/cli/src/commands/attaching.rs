//! Files that go with a question: what is named, and what is piped in and no text.

use std::{
    io,
    path::{Path, PathBuf},
};

use toolwright_app::TaskContext;
use toolwright_core::{Attachment, MAX_ATTACHMENT, UserMessage};
use toolwright_files::read_bounded;

use crate::error::CommandError;

/// The question with these files.
pub(super) fn with_files<'a>(
    question: String,
    files: impl IntoIterator<Item = &'a Path>,
) -> Result<UserMessage, CommandError> {
    let mut message = UserMessage::new(question);
    for file in files {
        message = message.with_attachment(attachment(file)?);
    }
    Ok(message)
}

/// What was named to go with a question: resources of servers, and files.
pub(super) fn named(all: &[PathBuf]) -> (Vec<&str>, Vec<&Path>) {
    let mut files = Vec::new();
    let resources = all.iter().filter_map(|it| {
        let text = it.to_str().filter(|it| TaskContext::is_resource(it));
        if text.is_none() {
            files.push(it.as_path());
        }
        text
    });
    (resources.collect(), files)
}

/// What stands at an address of a server's, ready to go with a question.
pub(super) async fn of_server(
    project: &TaskContext,
    reference: &str,
) -> Result<Vec<Attachment>, CommandError> {
    project.attach(reference).await.map_err(|error| {
        CommandError::unusable(error.to_string())
            .with_advice("`toolwright mcp inspect NAME` shows what a server has; a file is ./FILE")
    })
}

/// A file, ready to go with a question.
pub(super) fn attachment(file: &Path) -> Result<Attachment, CommandError> {
    let bytes = read_bounded(file, MAX_ATTACHMENT).map_err(|error| unusable(file, &error))?;
    let name = file.file_name().map(|it| it.to_string_lossy().into_owned());
    attach(bytes, name.as_deref()).map_err(|error| unusable(file, &error))
}

/// What was piped in: text, or something that goes with the question.
pub(super) fn piped(bytes: Vec<u8>) -> Result<Result<String, Attachment>, CommandError> {
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Ok(text)),
        Err(error) => {
            let unusable = |error: io::Error| {
                CommandError::unusable(format!("what is piped in cannot be attached: {error}"))
                    .with_advice("pipe in text in UTF-8, a picture or a PDF; or --attach FILE")
            };
            attach(error.into_bytes(), None).map(Err).map_err(unusable)
        }
    }
}

/// The path that a person typed, pasted or dropped: in quotes, with a backslash before what a shell would take
/// away, from their home, or as an address.
pub(super) fn typed_path(text: &str) -> PathBuf {
    let text = text.trim();
    let quoted = |quote: char| text.strip_prefix(quote).and_then(|it| it.strip_suffix(quote));
    let plain = match quoted('\'').or_else(|| quoted('"')) {
        Some(quoted) => quoted.to_owned(),
        None if cfg!(unix) => unescaped(text.strip_prefix("file://").unwrap_or(text)),
        None => text.to_owned(),
    };
    match (plain.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(plain),
    }
}

fn unescaped(text: &str) -> String {
    let mut letters = text.chars();
    let mut plain = String::with_capacity(text.len());
    while let Some(letter) = letters.next() {
        plain.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    plain
}

/// A text that was piped in, beside a question.
pub(super) fn file(bytes: Vec<u8>) -> Result<Attachment, CommandError> {
    attach(bytes, Some("stdin.txt")).map_err(|error| {
        CommandError::unusable(format!("what is piped in cannot be used: {error}"))
    })
}

fn attach(bytes: Vec<u8>, name: Option<&str>) -> io::Result<Attachment> {
    Attachment::new(bytes, None, name).map_err(io::Error::other)
}

fn unusable(file: &Path, error: &io::Error) -> CommandError {
    CommandError::unusable(format!("{} cannot be attached: {error}", file.display()))
        .with_advice("check the path; an attachment has at most 20 MiB")
}
