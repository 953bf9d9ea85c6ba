//! [`Lines`]: server-sent events, cut out of bytes as they arrive.
//!
//! Written here rather than taken from a crate because of what real servers send: a bare JSON line
//! without `data:`, a last event without its blank line, keep-alive comments that must be told
//! from data (the idle timer counts only the latter), and lines that have to be bounded.

/// What one event of a stream holds.
#[derive(Debug, PartialEq, Eq)]
pub enum Item<'a> {
    /// The data of one event.
    Data(&'a mut [u8]),
    /// `[DONE]`: nothing more will come.
    Done,
}

/// A line or an event is longer than any server has reason to send.
#[derive(Clone, Copy, Debug)]
pub struct TooLong;

/// Cuts bytes into events. Each byte is looked at once, however it arrived.
#[derive(Debug, Default)]
pub struct Lines {
    /// The beginning of a line whose end has not arrived.
    partial: Vec<u8>,
    /// The `data` lines of the current event, joined.
    joined: Vec<u8>,
    open: bool,
    after_cr: bool,
    started: bool,
}

const LONGEST: usize = 8 << 20;

impl Lines {
    /// Takes the next bytes and hands each event that is complete now to `event`.
    ///
    /// # Errors
    /// What `event` returns, and [`TooLong`].
    pub fn push<E: From<TooLong>>(
        &mut self,
        mut bytes: &[u8],
        mut event: impl FnMut(Item<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        while let Some(at) = memchr::memchr2(b'\n', b'\r', bytes) {
            let (line, rest) = bytes.split_at(at);
            let end = rest.first().copied();
            bytes = rest.get(1..).unwrap_or_default();
            // The line feed of a `\r\n` that was seen as `\r` before.
            let skip = self.after_cr && at == 0 && end == Some(b'\n');
            self.after_cr = end == Some(b'\r');
            if skip {
                continue;
            }
            if self.partial.is_empty() {
                self.line(line, &mut event)?;
            } else {
                self.extend(line)?;
                let whole = std::mem::take(&mut self.partial);
                self.line(&whole, &mut event)?;
            }
        }
        if !bytes.is_empty() {
            self.after_cr = false;
            self.extend(bytes)?;
        }
        Ok(())
    }

    /// Nothing more arrives: hands out what was never closed by a blank line.
    ///
    /// # Errors
    /// What `event` returns, and [`TooLong`].
    pub fn finish<E: From<TooLong>>(
        &mut self,
        mut event: impl FnMut(Item<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let rest = std::mem::take(&mut self.partial);
        if !rest.is_empty() {
            self.line(&rest, &mut event)?;
        }
        self.line(b"", &mut event)
    }

    fn extend<E: From<TooLong>>(&mut self, bytes: &[u8]) -> Result<(), E> {
        if self.partial.len() + bytes.len() > LONGEST {
            return Err(TooLong.into());
        }
        self.partial.extend_from_slice(bytes);
        Ok(())
    }

    fn line<E: From<TooLong>>(
        &mut self,
        mut line: &[u8],
        event: &mut impl FnMut(Item<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.started {
            self.started = true;
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if line.is_empty() {
            let sent = if self.open { emit(&mut self.joined, event) } else { Ok(()) };
            self.joined.clear();
            self.open = false;
            return sent;
        }
        let data = match line.strip_prefix(b"data:") {
            Some(data) => data.strip_prefix(b" ").unwrap_or(data),
            // Lines of JSON are a stream of their own; and some servers write an error in the middle of
            // any other as one.
            None if line.first() == Some(&b'{') => {
                if self.open {
                    return emit(&mut line.to_vec(), event);
                }
                self.joined.extend_from_slice(line);
                let sent = emit(&mut self.joined, event);
                self.joined.clear();
                return sent;
            }
            None => return Ok(()),
        };
        if self.joined.len() + data.len() > LONGEST {
            return Err(TooLong.into());
        }
        if self.open {
            self.joined.push(b'\n');
        }
        // A chunk of a chat completion is a few hundred bytes.
        self.joined.reserve(data.len().max(512));
        self.joined.extend_from_slice(data);
        self.open = true;
        Ok(())
    }
}

fn emit<E>(data: &mut [u8], event: &mut impl FnMut(Item<'_>) -> Result<(), E>) -> Result<(), E> {
    match data.trim_ascii() {
        b"" => Ok(()),
        b"[DONE]" => event(Item::Done),
        _ => event(Item::Data(data)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Item, Lines, TooLong};

    fn events(chunks: &[&[u8]]) -> Vec<String> {
        let mut lines = Lines::default();
        let mut seen = Vec::new();
        let mut note = |item: Item<'_>| {
            seen.push(match item {
                Item::Data(data) => String::from_utf8_lossy(data).into_owned(),
                Item::Done => "DONE".to_owned(),
            });
            Ok::<(), TooLong>(())
        };
        for chunk in chunks {
            lines.push(chunk, &mut note).unwrap();
        }
        lines.finish(&mut note).unwrap();
        seen
    }

    #[test]
    fn every_framing_gives_the_same_events_however_it_is_cut() {
        let wanted = ["{\"a\":1}", "x\ny", "{\"error\":2}", "é", "DONE", "{\"late\":3}"];
        let text = "\u{feff}: ping\nevent: m\ndata: {\"a\":1}\n\ndata:x\ndata: y\nid: 7\n\n\
                    {\"error\":2}\n\n: keep-alive\n\ndata: é\n\ndata: [DONE]\n\n\ndata: {\"late\":3}";
        for ending in ["\n", "\r\n", "\r"] {
            let text = text.replace('\n', ending);
            let bytes = text.as_bytes();
            assert_eq!(events(&[bytes]), wanted, "whole, {ending:?}");
            for cut in 1..bytes.len() {
                let (a, b) = bytes.split_at(cut);
                assert_eq!(events(&[a, b]), wanted, "cut at {cut}, {ending:?}");
            }
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            assert_eq!(events(&single), wanted, "byte by byte, {ending:?}");
        }
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut lines = Lines::default();
        let piece = vec![b'x'; 1 << 20];
        let mut push = || lines.push(&piece, |_| Ok::<(), TooLong>(()));
        assert!((0..9).any(|_| push().is_err()));
    }
}
