//! [`events`]: server-sent events of a response, each of them within bounds.

use std::io;

use bytes::Bytes;
use futures_util::{StreamExt, stream, stream::BoxStream};
use sse_stream::{Error, Sse, SseStream};
use toolwright_http::Response;

/// How soon and how late a server may have a stream asked for again, in milliseconds. One that ends each at once would
/// otherwise have us do nothing else.
const SOONEST: u64 = 250;
const LATEST: u64 = 60_000;

/// The events of a response, none of them longer than `longest` bytes.
pub(super) fn events(response: Response, longest: usize) -> BoxStream<'static, Result<Sse, Error>> {
    let start = (response, Meter::default());
    let pieces = stream::try_unfold(start, move |(mut response, mut meter)| async move {
        match response.chunk().await {
            Ok(None) => Ok(None),
            Ok(Some(piece)) if meter.longest(&piece) <= longest => {
                Ok::<Option<(Bytes, _)>, io::Error>(Some((piece, (response, meter))))
            }
            Ok(Some(_)) => {
                let reason = format!("an event is longer than {} MiB", longest >> 20);
                Err(io::Error::new(io::ErrorKind::InvalidData, reason))
            }
            Err(error) => Err(io::Error::other(error)),
        }
    });
    let events = SseStream::from_bytes_stream(pieces.boxed());
    let bounded = |event: Result<Sse, Error>| {
        event.map(|mut event| {
            event.retry = event.retry.map(|it| it.clamp(SOONEST, LATEST));
            event
        })
    };
    events.map(bounded).boxed()
}

/// How long the event is that is read.
#[derive(Default)]
struct Meter {
    length: usize,
    is_blank: bool,
}

impl Meter {
    /// The length of the longest event so far that this piece is a part of.
    fn longest(&mut self, piece: &[u8]) -> usize {
        let mut most = 0;
        for byte in piece {
            self.length += 1;
            most = most.max(self.length);
            match byte {
                b'\n' if self.is_blank => self.length = 0,
                b'\n' => self.is_blank = true,
                b'\r' => {}
                _ => self.is_blank = false,
            }
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_measured_over_its_pieces() {
        let mut meter = Meter::default();
        assert_eq!(meter.longest(b"data: 1\n\ndata: 12\r\n\r\n"), 12);
        assert_eq!(meter.longest(b"data"), 4);
        assert_eq!(meter.longest(b": 3\n"), 8);
        assert_eq!(meter.longest(b"\n"), 9);
        assert_eq!(meter.longest(b"d"), 1);
    }
}
