//! [`Screen`]: whether a command waits for keys at a screen that nobody sees.
//!
//! Without a terminal most programs end by themselves. Some (`vi`) go on all the same and wait for
//! keys on their error output, which no key ever comes from.

use crate::capture::Capture;

/// For how many looks nothing may happen.
const LOOKS: u32 = 25;

/// What a command that draws on a screen did since it was last looked at.
#[derive(Default)]
pub(super) struct Screen {
    written: u64,
    worked: u64,
    looks: u32,
}

impl Screen {
    /// Whether it has drawn, and for a while neither writes nor works. `worked` tells how long its
    /// processes have.
    pub(super) fn is_left_waiting(&mut self, capture: &Capture, worked: impl Fn() -> u64) -> bool {
        if !capture.draws() {
            return false;
        }
        let (written, worked) = (capture.written(), worked());
        let is_still = (written, worked) == (self.written, self.worked);
        self.looks = if is_still { self.looks + 1 } else { 0 };
        (self.written, self.worked) = (written, worked);
        self.looks >= LOOKS
    }
}

/// Whether something moves to a place on the screen (`ESC [ 2 ; 1 H`) or asks for a screen of its own
/// (`ESC [ ? 1049 h`). Clearing the screen alone is not drawing.
pub(super) fn draws(bytes: &[u8]) -> bool {
    memchr::memmem::find_iter(bytes, b"\x1b[").any(|at| {
        let rest = bytes.get(at + 2..).unwrap_or_default();
        let end = rest.iter().take(12).position(u8::is_ascii_alphabetic);
        let Some((place, [last, ..])) = end.and_then(|end| rest.split_at_checked(end)) else {
            return false;
        };
        match last {
            b'H' | b'f' => place.contains(&b';'),
            b'h' => matches!(place, b"?1049" | b"?1047" | b"?47"),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_is_told_from_colours_and_clearing() {
        for drawn in ["a\x1b[24;1H~", "\x1b[?1049h", "\x1b[?47h", "\x1b[1;1f"] {
            assert!(draws(drawn.as_bytes()), "{drawn:?}");
        }
        for plain in
            ["", "x\x1b[", "\x1b[31;1mred", "\x1b[2J\x1b[H", "\x1b[?25h", "\x1b[2K", "1;1H"]
        {
            assert!(!draws(plain.as_bytes()), "{plain:?}");
        }
    }
}
