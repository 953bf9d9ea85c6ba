//! [`Cells`]: an HTML file of activity, an entry at a time.

use std::io::BufRead;

use memchr::memmem;

use crate::import::json::{Damage, filled};

/// What every entry begins with. A title cannot hold it, as quotes are escaped there.
const NEEDLE: &[u8] = b"class=\"outer-cell";
/// An entry has one or two thousand bytes.
const LONGEST: usize = 1 << 20;
/// Before the first entry there are some hundred thousand bytes of style.
const LONGEST_HEAD: u64 = 8 << 20;

/// An HTML file of activity, an entry at a time.
pub(in crate::import) struct Cells<R> {
    reader: R,
    held: Vec<u8>,
    /// Where in the file `held` begins.
    base: u64,
    /// Where in `held` the next entry begins.
    start: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Head,
    Cells,
    Over,
}

/// An entry, and where it begins. Nothing, where it is too long to be one.
pub(in crate::import) struct Cell<'a> {
    pub(in crate::import) offset: u64,
    pub(in crate::import) bytes: Option<&'a [u8]>,
}

/// Where something ends, and whether all of it is held.
struct End {
    at: usize,
    is_whole: bool,
}

impl<R: BufRead> Cells<R> {
    pub(in crate::import) fn new(reader: R) -> Self {
        Self { reader, held: Vec::new(), base: 0, start: 0, state: State::Head }
    }

    /// The next entry, if there is one.
    pub(in crate::import) fn next(&mut self) -> Result<Option<Cell<'_>>, Damage> {
        if self.state == State::Head {
            self.state = State::Cells;
            let Some(end) = self.end(0, LONGEST_HEAD)? else {
                self.state = State::Over;
                return Ok(None);
            };
            self.start = end.at;
        }
        if self.state == State::Over {
            return Ok(None);
        }
        let offset = self.base + self.start as u64;
        let Some(end) = self.end(NEEDLE.len(), u64::MAX)? else {
            self.state = State::Over;
            return self.last(offset);
        };
        let from = std::mem::replace(&mut self.start, end.at);
        let bytes = self.held.get(from..end.at).filter(|_| end.is_whole);
        Ok(Some(Cell { offset, bytes }))
    }

    /// The last entry, which must be whole: what makes it an advertisement comes at its end.
    fn last(&self, offset: u64) -> Result<Option<Cell<'_>>, Damage> {
        let bytes = self.held.get(self.start..).unwrap_or_default();
        if memmem::find(bytes, b"</html>").is_none() {
            let reason = String::from("the file ends in the middle of an entry");
            return Err(Damage { offset: self.base + self.held.len() as u64, reason });
        }
        Ok(Some(Cell { offset, bytes: Some(bytes) }))
    }

    /// Reads to the next needle, which is so many bytes away at least and so many at most.
    fn end(&mut self, least: usize, most: u64) -> Result<Option<End>, Damage> {
        let mut searched = self.start + least;
        let (mut is_whole, begin) = (true, self.base + self.start as u64);
        loop {
            let rest = self.held.get(searched..).unwrap_or_default();
            if let Some(found) = memmem::find(rest, NEEDLE) {
                return Ok(Some(End { at: searched + found, is_whole }));
            }
            if self.base + self.held.len() as u64 - begin > most {
                return Ok(None);
            }
            searched = searched.max(self.held.len().saturating_sub(NEEDLE.len() - 1));
            let mut dropped = self.start;
            if searched - self.start > LONGEST {
                is_whole = false;
                dropped = searched;
            }
            self.held.drain(..dropped);
            self.base += dropped as u64;
            searched -= dropped;
            self.start = 0;
            if !self.more()? {
                return Ok(None);
            }
        }
    }

    fn more(&mut self) -> Result<bool, Damage> {
        let offset = self.base + self.held.len() as u64;
        let chunk = filled(&mut self.reader, offset)?;
        let length = chunk.len();
        self.held.extend_from_slice(chunk);
        self.reader.consume(length);
        Ok(length > 0)
    }
}
