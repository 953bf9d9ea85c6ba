//! [`Line`]: what the other end sends, cut into lines of bounded length on a thread of its own.
//!
//! A thread, as a read of standard input cannot be given up: a runtime would wait for it when it ends.

use std::io::{self, BufRead};

use tokio::sync::mpsc;

/// The longest line, in bytes. Pictures come in them.
pub(crate) const LONGEST: usize = 16 << 20;
/// How many lines wait to be looked at.
const WAITING: usize = 64;

/// One line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// As it was sent, without its end.
    Whole(Vec<u8>),
    /// It was longer than it may be, and is gone.
    TooLong,
}

/// The lines of what is read; none after its end, or when it cannot be read.
pub(crate) fn lines(mut input: impl BufRead + Send + 'static) -> mpsc::Receiver<Line> {
    let (sender, lines) = mpsc::channel(WAITING);
    let read = move || {
        loop {
            match next(&mut input, LONGEST) {
                Ok(Some(line)) => {
                    if sender.blocking_send(line).is_err() {
                        return;
                    }
                }
                Ok(None) => return,
                Err(error) => {
                    tracing::warn!(%error, "standard input cannot be read");
                    return;
                }
            }
        }
    };
    // Without a thread there is no input: the receiver ends at once.
    if let Err(error) = std::thread::Builder::new().name("acp-input".to_owned()).spawn(read) {
        tracing::error!(%error, "no thread could be started to read standard input");
    }
    lines
}

/// The next line that says something; none at the end.
fn next(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Line>> {
    let (mut line, mut is_too_long) = (Vec::new(), false);
    loop {
        let piece = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            piece => piece?,
        };
        let is_over = piece.is_empty();
        let end = piece.iter().position(|byte| *byte == b'\n');
        let taken = piece.get(..end.unwrap_or(piece.len())).unwrap_or_default();
        is_too_long |= line.len() + taken.len() > longest;
        match is_too_long {
            true => line.clear(),
            false => line.extend_from_slice(taken),
        }
        let used = end.map_or(piece.len(), |end| end + 1);
        input.consume(used);
        if end.is_none() && !is_over {
            continue;
        }
        if is_too_long {
            return Ok(Some(Line::TooLong));
        }
        if line.iter().any(|byte| !byte.is_ascii_whitespace()) {
            return Ok(Some(Line::Whole(line)));
        }
        if is_over {
            return Ok(None);
        }
        line.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn all(text: &str, longest: usize) -> Vec<Line> {
        // A small buffer: lines come in pieces.
        let mut input = BufReader::with_capacity(3, text.as_bytes());
        std::iter::from_fn(|| next(&mut input, longest).unwrap()).collect()
    }

    #[test]
    fn lines_are_cut_where_they_end_and_bounded() {
        let whole = |text: &str| Line::Whole(text.as_bytes().to_vec());
        assert_eq!(all("one\n\n \r\ntwo", 10), [whole("one"), whole("two")]);
        assert_eq!(all("12345\n123456\n1\n", 5), [whole("12345"), Line::TooLong, whole("1")]);
        assert_eq!(all("1234567890", 5), [Line::TooLong]);
        assert_eq!(all("", 5), []);
    }
}
