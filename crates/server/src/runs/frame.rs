//! [`Frame`]: one event as it goes out, and [`Place`]: where it stands in its conversation.

use std::{cmp::Ordering, fmt, io::Write as _, str::FromStr, sync::Arc};

use bytes::Bytes;
use toolwright_core::Event;
use toolwright_store::Position;

/// Where an event stands in its conversation: `7`, or for a provisional one before it `7.3`.
///
/// A committed event keeps its place whatever happens; a provisional one has it only while its run
/// goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    position: u64,
    /// Which provisional event before that position, from 1; none for the committed one itself.
    piece: Option<u32>,
}

impl Place {
    pub(crate) fn committed(position: u64) -> Self {
        Self { position, piece: None }
    }

    pub(crate) fn piece(position: u64, piece: u32) -> Self {
        Self { position, piece: Some(piece) }
    }

    /// The position of the committed event that this is, or becomes a part of.
    pub(crate) fn position(self) -> u64 {
        self.position
    }

    /// The position of the next committed event behind this place.
    pub(crate) fn next_committed(self) -> u64 {
        match self.piece {
            Some(_) => self.position,
            None => self.position.saturating_add(1),
        }
    }

    /// The last committed event up to this place.
    pub(crate) fn last_committed(self) -> Option<Position> {
        self.next_committed().checked_sub(1).map(Position)
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        // Pieces come before the event they become a part of.
        let rank = |it: &Self| (it.position, it.piece.is_none(), it.piece);
        rank(self).cmp(&rank(other))
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.piece {
            Some(piece) => write!(f, "{}.{piece}", self.position),
            None => write!(f, "{}", self.position),
        }
    }
}

/// No place is written so.
#[derive(Debug)]
pub(crate) struct NoPlace;

impl FromStr for Place {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, NoPlace> {
        let number = |text: &str| text.parse().map_err(|_| NoPlace);
        match text.trim().split_once('.') {
            Some((position, piece)) => {
                Ok(Self::piece(number(position)?, piece.parse().map_err(|_| NoPlace)?))
            }
            None => number(text.trim()).map(Self::committed),
        }
    }
}

/// One event as it goes out: written once, however many listen.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) place: Place,
    pub(crate) event: Arc<Event>,
    /// The event in the form of a server-sent event.
    pub(crate) sse: Bytes,
}

impl Frame {
    pub(crate) fn new(place: Place, event: Event) -> Self {
        let mut sse = Vec::with_capacity(256);
        // Writing to memory does not fail.
        let _ = write!(sse, "id: {place}\ndata: ");
        // An event that cannot be written was never read either; what stands is an empty one.
        if serde_json::to_writer(&mut sse, &event).is_err() {
            sse.extend_from_slice(b"{}");
        }
        sse.extend_from_slice(b"\n\n");
        Self { place, event: Arc::new(event), sse: sse.into() }
    }
}
