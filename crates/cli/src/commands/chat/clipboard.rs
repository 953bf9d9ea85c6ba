//! [`copy`]: a text to the clipboard: by the platform's program where there is a screen, else by the terminal.

use std::{
    env,
    io::{self, IsTerminal, Write},
    process::{Command, Stdio},
};

use base64::{Engine, prelude::BASE64_STANDARD};

use crate::{
    browser::has_screen,
    error::{CommandError, Result},
    reading::is_dumb,
    style,
};

/// Programs that take the clipboard's text from their standard input.
const PROGRAMS: [&[&str]; 6] = [
    &["pbcopy"],
    &["clip.exe"],
    &["wl-copy"],
    &["xclip", "-selection", "clipboard"],
    &["xsel", "--clipboard", "--input"],
    &["termux-clipboard-set"],
];

/// What a terminal takes at once; many take no more.
const LONGEST: usize = 74_000;

/// Copies a text, and says how. A terminal does not tell whether it did, so a program comes first, unless this is
/// another machine than the one that is looked at.
pub(super) fn copy(text: &str) -> Result<String> {
    let is_remote = env::var_os("SSH_CONNECTION").is_some();
    if has_screen()
        && !is_remote
        && let Some(words) = PROGRAMS.iter().find(|words| by_program(words, text))
    {
        return Ok(format!("with {}", words.first().unwrap_or(&"")));
    }
    if is_dumb() || !io::stderr().is_terminal() {
        return Err(unusable("there is neither a clipboard program nor a terminal that has one"));
    }
    if text.len() > LONGEST {
        return Err(unusable("it is too long for the clipboard of a terminal"));
    }
    style::to_clipboard(&BASE64_STANDARD.encode(text))?;
    Ok("by the terminal, if it allows that (OSC 52)".to_owned())
}

fn unusable(what: &str) -> crate::error::Error {
    CommandError::unusable(what)
        .with_advice("/export FILE writes the conversation to a file")
        .into()
}

fn by_program(words: &[&str], text: &str) -> bool {
    let Some((program, arguments)) = words.split_first() else { return false };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    let written = child.stdin.take().is_some_and(|mut it| it.write_all(text.as_bytes()).is_ok());
    // Those that stay to serve the clipboard leave a child of their own behind.
    child.wait().is_ok_and(|it| it.success()) && written
}
