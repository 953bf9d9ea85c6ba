//! [`Scan`]: a file that is looked through, no more of it in memory than must be.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader},
};

/// How much of a file is looked through.
pub(super) const SEEN: u64 = 256 << 20;
const BUFFER: usize = 256 << 10;

/// A file that is being looked through.
pub(super) struct Scan {
    input: BufReader<File>,
    seen: u64,
    /// How many bytes of a line are kept.
    kept: usize,
}

/// A line, as far as it is kept.
pub(super) struct Line {
    pub(super) kept: Vec<u8>,
    /// How many bytes it has, without its end.
    pub(super) len: u64,
}

impl Scan {
    pub(super) fn new(file: File, kept: usize) -> Self {
        // With room for the end of a line that is as long as may be.
        Self { input: BufReader::with_capacity(BUFFER, file), seen: 0, kept: kept + 1 }
    }

    /// Whether no more of the file is looked at.
    pub(super) fn is_at_limit(&self) -> bool {
        self.seen >= SEEN
    }

    /// What comes next; nothing at the end of the file, or where no more of it is looked at.
    pub(super) fn next(&mut self) -> io::Result<&[u8]> {
        if self.is_at_limit() { Ok(&[]) } else { self.input.fill_buf() }
    }

    fn consume(&mut self, bytes: usize) {
        self.input.consume(bytes);
        self.seen += bytes as u64;
    }

    pub(super) fn is_done(&mut self) -> io::Result<bool> {
        Ok(self.next()?.is_empty())
    }

    /// Skips lines, and tells how many there were. One without an end counts.
    pub(super) fn skip(&mut self, lines: u64) -> io::Result<u64> {
        let mut skipped = 0;
        let mut is_open = false;
        while skipped < lines {
            let next = self.next()?;
            let Some(last) = next.last() else { break };
            let found = memchr::memchr_iter(b'\n', next).count() as u64;
            let wanted = lines - skipped;
            if found < wanted {
                skipped += found;
                is_open = *last != b'\n';
                let all = next.len();
                self.consume(all);
                continue;
            }
            let nth = usize::try_from(wanted - 1).unwrap_or(usize::MAX);
            let end = memchr::memchr_iter(b'\n', next).nth(nth).unwrap_or_default();
            self.consume(end + 1);
            return Ok(lines);
        }
        Ok(skipped + u64::from(is_open))
    }

    /// The next line; `None` at the end.
    pub(super) fn line(&mut self) -> io::Result<Option<Line>> {
        if self.is_done()? {
            return Ok(None);
        }
        let kept = self.kept;
        let mut line = Line { kept: Vec::new(), len: 0 };
        loop {
            let next = self.next()?;
            let end = memchr::memchr(b'\n', next);
            let part = next.get(..end.unwrap_or(next.len())).unwrap_or_default();
            let room = kept.saturating_sub(line.kept.len());
            line.kept.extend_from_slice(part.get(..room.min(part.len())).unwrap_or_default());
            line.len += part.len() as u64;
            let used = part.len() + usize::from(end.is_some());
            if used == 0 || end.is_some() {
                self.consume(used);
                return Ok(Some(line));
            }
            self.consume(used);
        }
    }
}
