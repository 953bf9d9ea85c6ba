//! [`exchanges`]: what was recorded, read from its file.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read as _},
    path::Path,
};

use serde_json::Value;
use toolwright_core::ModelError;

use super::{
    CassetteHeader, Exchange, error,
    format::{FORMAT, Line, VERSION},
    request::Request,
    written::Written,
};

/// The longest file, and the longest line in it.
const LONGEST: u64 = 1 << 30;
const LONGEST_LINE: u64 = 64 << 20;

/// What stands in a file.
pub(super) struct Read {
    pub(super) header: CassetteHeader,
    pub(super) exchanges: Vec<Exchange>,
    pub(super) written: Written,
    /// How many bytes are whole lines.
    pub(super) whole: u64,
}

impl Read {
    /// A file with nothing but a header.
    pub(super) fn new(header: CassetteHeader) -> Self {
        Self { header, exchanges: Vec::new(), written: Written::default(), whole: 0 }
    }
}

/// The lines of a file.
struct Lines<'a> {
    path: &'a Path,
    from: BufReader<std::io::Take<&'a File>>,
    number: usize,
    whole: u64,
}

impl<'a> Lines<'a> {
    fn of(path: &'a Path, file: &'a File) -> Self {
        Self { path, from: BufReader::new(file.take(LONGEST)), number: 0, whole: 0 }
    }

    /// The next whole line. One without its end is what a program left that was killed: it is none.
    fn next(&mut self) -> Result<Option<Vec<u8>>, ModelError> {
        let mut line = Vec::new();
        let read = (&mut self.from).take(LONGEST_LINE).read_until(b'\n', &mut line);
        let length = read.map_err(|error| error::unreadable(self.path, &error))? as u64;
        self.number += 1;
        if line.pop() != Some(b'\n') {
            return match length < LONGEST_LINE {
                true => Ok(None),
                false => Err(error::damaged(self.path, self.number, "it is too long")),
            };
        }
        self.whole += length;
        Ok(Some(line))
    }
}

/// The header of a file; nothing where it is no cassette.
pub(super) fn header(path: &Path, file: &File) -> Result<Option<CassetteHeader>, ModelError> {
    first(&mut Lines::of(path, file))
}

fn first(lines: &mut Lines<'_>) -> Result<Option<CassetteHeader>, ModelError> {
    let Some(line) = lines.next()? else { return Ok(None) };
    let Ok(header) = serde_json::from_slice::<Value>(&line) else { return Ok(None) };
    if header.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return Ok(None);
    }
    match header.get("version").and_then(Value::as_u64) {
        Some(version) if version > VERSION => Err(error::newer(lines.path, version, VERSION)),
        _ => serde_json::from_value(header)
            .map(Some)
            .map_err(|reason| error::damaged(lines.path, 1, reason)),
    }
}

/// What was recorded; nothing where it is no cassette.
pub(super) fn exchanges(path: &Path, file: &File) -> Result<Option<Read>, ModelError> {
    let mut lines = Lines::of(path, file);
    let Some(header) = first(&mut lines)? else { return Ok(None) };
    let mut read = Read::new(header);
    while let Some(line) = lines.next()? {
        let damaged = |reason: &dyn std::fmt::Display| error::damaged(path, lines.number, reason);
        let line: Line = serde_json::from_slice(&line).map_err(|reason| damaged(&reason))?;
        let exchange = whole(line, &read).map_err(|reason| damaged(&reason))?;
        read.written.add(&exchange);
        read.exchanges.push(exchange);
    }
    read.whole = lines.whole;
    Ok(Some(read))
}

/// An exchange with all its messages, also those that stand in lines before it.
fn whole(line: Line, read: &Read) -> Result<Exchange, &'static str> {
    if line.request != read.written.len() + 1 {
        return Err("it is not the exchange that follows");
    }
    let (mut messages, mut settings) = (Vec::new(), line.settings);
    if let Some(after) = line.after {
        let at = after.request.checked_sub(1).and_then(|it| usize::try_from(it).ok());
        let before = at.and_then(|at| read.exchanges.get(at));
        let before = before.and_then(|it| it.request.messages.get(..after.messages));
        messages.extend_from_slice(before.ok_or("what it goes on from is not there")?);
        let tools = read.written.tools(after.request).filter(|_| !settings.contains_key("tools"));
        settings.extend(tools.map(|tools| ("tools".to_owned(), tools.clone())));
    }
    messages.extend(line.messages);
    let request = Request { messages, settings };
    let (model, parts) = (line.model, line.parts);
    Ok(Exchange { model, request, parts, reply: line.reply, error: line.error })
}
