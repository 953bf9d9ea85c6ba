//! [`view`]: some lines of a file, numbered, however large it is.

use std::{fmt::Write as _, fs::File, io};

use toolwright_core::plural;
use toolwright_sandbox::size;

use super::{
    FileError, content, count,
    scan::{Line, SEEN, Scan},
    words::Rendered,
};
use crate::root::{Place, Root};

/// The most lines that are shown.
const LINES: u64 = 2_000;
/// The most bytes that are shown, but for the notes at the end.
const BYTES: usize = 49_000;
/// The most characters of one line.
const CHARACTERS: usize = 2_000;
/// Up to which size the lines of a file are counted.
const COUNTED: u64 = 16 << 20;
/// How much of it tells whether it is text.
const TOLD_BY: usize = 8 << 10;

/// Which lines are asked for, from 1, both included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    first: u64,
    last: Option<u64>,
}

impl Span {
    pub(crate) fn new(first: Option<u64>, last: Option<u64>) -> Result<Self, FileError> {
        let start = first.unwrap_or(1);
        match last {
            _ if start == 0 || last == Some(0) => Err(FileError::LineZero),
            Some(last) if last < start => Err(FileError::Backwards { first: start, last }),
            _ => Ok(Self { first: start, last }),
        }
    }
}

/// The lines of a file that are asked for, with their numbers, and what there is to know about them.
pub(crate) fn view(root: &Root, place: &Place, span: Span) -> Result<String, FileError> {
    let (file, entry) = content::open(root, place)?;
    render(file, entry.len, span).map_err(|stop| match stop {
        Stop::Said(error) => error,
        Stop::System(reason) => FileError::Unreadable { path: place.absolute.clone(), reason },
    })
}

enum Stop {
    Said(FileError),
    System(io::Error),
}

impl From<io::Error> for Stop {
    fn from(reason: io::Error) -> Self {
        Self::System(reason)
    }
}

fn render(file: File, len: u64, span: Span) -> Result<String, Stop> {
    let mut scan = Scan::new(file, CHARACTERS * 4);
    let begin = scan.next()?;
    if begin.is_empty() {
        return Ok("The file is empty.".to_owned());
    }
    if is_binary(begin) {
        return Ok(binary(len));
    }
    let skipped = scan.skip(span.first - 1)?;
    if skipped < span.first - 1 || scan.is_done()? {
        return Err(Stop::Said(if scan.is_at_limit() {
            let last = span.last.unwrap_or(span.first.saturating_add(LINES - 1));
            FileError::TooFar { first: span.first, last, seen: SEEN, len }
        } else {
            FileError::PastEnd { first: span.first, lines: skipped }
        }));
    }
    let mut page = Page { text: String::new(), span, lines: 0, invalid: 0, returns: 0 };
    let rest = page.fill(&mut scan, len)?;
    page.close(rest, len);
    Ok(page.text)
}

fn is_binary(begin: &[u8]) -> bool {
    begin.iter().take(TOLD_BY).any(|byte| *byte == 0)
}

fn binary(len: u64) -> String {
    format!(
        "This is a binary file of {} {}. It is not shown.",
        count(len),
        plural(len, "byte", "bytes")
    )
}

/// What is shown at once of a file with this content, without the numbers and the notes; nothing of one that is
/// empty.
pub(crate) fn shown(content: &[u8]) -> Option<String> {
    if content.is_empty() {
        return None;
    }
    if is_binary(content) {
        return Some(binary(content.len() as u64));
    }
    let mut text = String::new();
    let mut left = BYTES;
    let lines = content.strip_suffix(b"\n").unwrap_or(content).split(|byte| *byte == b'\n');
    for line in lines.take(usize::try_from(LINES).unwrap_or(usize::MAX)) {
        let kept = line.get(..line.len().min(CHARACTERS * 4 + 1)).unwrap_or(line).to_vec();
        let shown = ShownLine::new(&Line { kept, len: line.len() as u64 });
        let Some(rest) = left.checked_sub(NUMBER + shown.text.len() + 1) else { break };
        left = rest;
        text.push_str(&shown.text);
        text.push('\n');
    }
    Some(text)
}

/// How many bytes the number before a line takes.
const NUMBER: usize = 7;

/// A line as it is shown.
struct ShownLine {
    text: String,
    /// How many bytes in it are no UTF-8.
    invalid: u64,
    /// Whether it ends in a carriage return.
    is_returned: bool,
}

impl ShownLine {
    fn new(line: &Line) -> Self {
        let is_whole = line.kept.len() as u64 == line.len;
        let bare = line.kept.strip_suffix(b"\r").filter(|_| is_whole);
        let rendered = Rendered::new(bare.unwrap_or(&line.kept), CHARACTERS);
        let is_returned = bare.is_some();
        let missing = line.len - u64::from(is_returned) - rendered.used as u64;
        let mut text = rendered.text;
        if missing > 0 {
            let bytes = plural(missing, "byte", "bytes");
            // Writing to a `String` cannot fail.
            let _ = write!(text, "… [{} {bytes} more in this line]", count(missing));
        }
        Self { text, invalid: rendered.invalid, is_returned }
    }
}

/// The lines that are shown.
struct Page {
    text: String,
    span: Span,
    /// How many lines.
    lines: u64,
    /// How many bytes in them are no UTF-8.
    invalid: u64,
    /// How many of them end in a carriage return.
    returns: u64,
}

/// What comes behind a page.
#[derive(Clone, Copy)]
enum Rest {
    /// That many lines.
    Lines(u64),
    /// More than is counted.
    More,
    /// More than is looked at.
    Unseen,
}

impl Page {
    /// Takes as many lines as are asked for and fit.
    fn fill(&mut self, scan: &mut Scan, len: u64) -> io::Result<Rest> {
        let Span { first, last } = self.span;
        let most = last.map_or(LINES, |last| (last - first).saturating_add(1).min(LINES));
        let mut behind = 0;
        while self.lines < most {
            let Some(line) = scan.line()? else { break };
            if !self.add(&line) {
                behind = 1;
                break;
            }
        }
        if len <= COUNTED || scan.is_done()? {
            behind += scan.skip(u64::MAX)?;
            return Ok(if scan.is_at_limit() { Rest::Unseen } else { Rest::Lines(behind) });
        }
        Ok(Rest::More)
    }

    /// Whether the line fits.
    fn add(&mut self, line: &Line) -> bool {
        let shown = ShownLine::new(line);
        let before = self.text.len();
        let number = self.span.first + self.lines;
        // Writing to a `String` cannot fail.
        let _ = writeln!(self.text, "{number:>6}\t{}", shown.text);
        if self.text.len() > BYTES {
            self.text.truncate(before);
            return false;
        }
        self.lines += 1;
        self.invalid += shown.invalid;
        self.returns += u64::from(shown.is_returned);
        true
    }

    /// Adds what there is to know about the lines.
    fn close(&mut self, rest: Rest, len: u64) {
        let (first, next) = (self.span.first, self.span.first + self.lines);
        let more = format!("; ask for start_line {next} to see more");
        let shown = format!("lines {first}-{}", next - 1);
        let mut notes = Vec::new();
        match rest {
            Rest::Lines(0) if first == 1 => {}
            Rest::Lines(0) => notes.push(format!("{shown} of {}", count(next - 1))),
            Rest::Lines(behind) => {
                notes.push(format!("{shown} of {}{more}", count(next - 1 + behind)));
            }
            Rest::More => notes.push(format!("{shown} of a file of {}{more}", size(len))),
            Rest::Unseen => notes.push(format!(
                "{shown} of a file of {}, of which only the first {} are looked through; use bash \
                 (sed, tail) for the rest",
                size(len),
                size(SEEN)
            )),
        }
        if self.invalid > 0 {
            let bytes = plural(self.invalid, "byte here is", "bytes here are");
            let shown = plural(self.invalid, "is", "are");
            let all = count(self.invalid);
            notes.push(format!("{all} {bytes} not valid UTF-8 and {shown} shown as \\xNN"));
        }
        match self.returns {
            0 => {}
            all if all == self.lines => notes.push("these lines end in CRLF".to_owned()),
            some => notes.push(format!("{} of these lines end in CRLF", count(some))),
        }
        for note in notes {
            let _ = write!(self.text, "\n[{note}]");
        }
    }
}

#[cfg(test)]
mod tests;
