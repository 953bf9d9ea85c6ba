//! [`Chunking`]: how the bytes of a reply are cut into pieces on the wire.

/// How the body of a reply is cut into pieces.
///
/// Each piece is its own HTTP chunk, and the writer lets other tasks run between two writes, so
/// that a client in the same process sees them apart. Cuts fall where they fall: inside a UTF-8
/// sequence, a JSON escape or the blank line after an event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Chunking {
    /// All in one piece.
    #[default]
    Whole,
    /// Every byte is a piece.
    OneByte,
    /// Pieces of 1 to 64 bytes, mostly small; the same seed cuts the same body the same way.
    Random(u64),
    /// One server-sent event, or one line of NDJSON, per piece; a body that is not a stream stays
    /// whole.
    PerEvent,
}

impl Chunking {
    /// The pieces of `body`, in order; none is empty.
    pub(crate) fn cut(self, body: &[u8]) -> Vec<&[u8]> {
        match self {
            _ if body.is_empty() => Vec::new(),
            Self::Whole => vec![body],
            Self::OneByte => body.chunks(1).collect(),
            Self::Random(seed) => at_random(body, seed),
            Self::PerEvent => per_event(body),
        }
    }

    /// The same for a stream whose events are lines.
    pub(crate) fn cut_lines(self, body: &[u8]) -> Vec<&[u8]> {
        match self {
            Self::PerEvent => body.split_inclusive(|byte| *byte == b'\n').collect(),
            _ => self.cut(body),
        }
    }

    /// How many HTTP chunks go into one write.
    ///
    /// A client takes HTTP chunks apart however they arrive, so one write per byte would cost a
    /// system call each and test nothing more.
    pub(crate) fn chunks_per_write(self) -> usize {
        if self == Self::OneByte { 16 } else { 1 }
    }
}

fn at_random(mut body: &[u8], seed: u64) -> Vec<&[u8]> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut pieces = Vec::new();
    while !body.is_empty() {
        // Small pieces find more seams; a large one now and then puts several events together.
        let most = if random.u8(..4) == 0 { 64 } else { 7 };
        let (piece, rest) = body.split_at(random.usize(1..=most).min(body.len()));
        pieces.push(piece);
        body = rest;
    }
    pieces
}

/// Cuts after every blank line, with whichever line ends the body uses.
fn per_event(mut body: &[u8]) -> Vec<&[u8]> {
    const BLANK: [&[u8]; 3] = [b"\n\n", b"\r\n\r\n", b"\r\r"];
    let mut pieces = Vec::new();
    while !body.is_empty() {
        let end = (1..body.len())
            .find(|&end| BLANK.iter().any(|blank| body.split_at(end).0.ends_with(blank)));
        let (piece, rest) = body.split_at(end.unwrap_or(body.len()));
        pieces.push(piece);
        body = rest;
    }
    pieces
}
