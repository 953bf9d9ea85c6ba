//! [`read`]: the other side of a [`Reader`](super::Reader): what the process does that is started to read.

use std::{
    ffi::OsString,
    io::{self, Read, Write},
    process::ExitCode,
    thread,
};

use url::Url;

use super::{Document, Form, MOST_TEXT, html, pdf};

/// Longer documents are not read.
const MOST_BYTES: u64 = 16 << 20;
/// What it may use: with this much stack deep pages are read, and deeper ones end it.
const STACK: usize = 256 << 20;
#[cfg(unix)]
const MEMORY: u64 = 2 << 30;
#[cfg(unix)]
const SECONDS: u64 = 12;

/// Reads a document from standard input and writes what it says to standard output, as JSON: for a program that
/// was started with [`READ`](super::READ).
pub fn read(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    if limit().is_err() {
        return ExitCode::FAILURE;
    }
    let arguments: Vec<_> = arguments.filter_map(|it| it.into_string().ok()).collect();
    let [form, address] = arguments.as_slice() else { return ExitCode::from(2) };
    let form = Form::ALL.into_iter().find(|it| it.name() == form);
    let (Some(form), Ok(address)) = (form, Url::parse(address)) else { return ExitCode::from(2) };
    let mut bytes = Vec::new();
    if io::stdin().lock().take(MOST_BYTES).read_to_end(&mut bytes).is_err() {
        return ExitCode::FAILURE;
    }
    // A panic ends the thread, and its words go nowhere.
    let work = move || document(form, &address, &bytes);
    let Ok(worker) = thread::Builder::new().stack_size(STACK).spawn(work) else {
        return ExitCode::FAILURE;
    };
    let answer = worker.join().unwrap_or_else(|_| Err("the parser gave up on it".to_owned()));
    let Ok(answer) = serde_json::to_vec(&answer) else { return ExitCode::FAILURE };
    let mut out = io::stdout().lock();
    match out.write_all(&answer).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn document(form: Form, address: &Url, bytes: &[u8]) -> Result<Document, String> {
    let mut document = match form {
        Form::Markdown => html::markdown(&String::from_utf8_lossy(bytes), address)?,
        Form::Text => html::text(&String::from_utf8_lossy(bytes), address)?,
        Form::Pdf => pdf::text(bytes)?,
    };
    if document.text.len() > MOST_TEXT {
        document.text.truncate(document.text.floor_char_boundary(MOST_TEXT));
    }
    Ok(document)
}

/// Memory, time, and no files: before a byte of the document is read.
#[cfg(unix)]
fn limit() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let both = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
    // Not every system bounds memory in this way; the time is bounded on all.
    let _ = setrlimit(Resource::As, both(MEMORY));
    setrlimit(Resource::Core, both(0))?;
    setrlimit(Resource::Fsize, both(0))?;
    setrlimit(Resource::Cpu, both(SECONDS))?;
    Ok(())
}

#[cfg(not(unix))]
fn limit() -> io::Result<()> {
    Ok(())
}
