//! [`Capture`]: the first and the last of what a program writes, whatever it writes; [`Kept`]: both outputs of
//! one.

use std::{collections::VecDeque, mem};

use crate::{Job, Output, screen::draws};

/// The longest line that is told while a command runs.
const LINE: usize = 200;

/// Keeps the first and the last of what it is given, and counts the rest.
pub(super) struct Capture {
    /// How much is kept of the beginning, and as much of the end.
    kept: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    skipped: u64,
    fresh: bool,
    draws: bool,
}

impl Capture {
    pub(super) fn new(kept: usize) -> Self {
        let (head, tail) = (Vec::new(), VecDeque::new());
        Self { kept, head, tail, skipped: 0, fresh: false, draws: false }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.fresh |= !bytes.is_empty();
        self.draws = self.draws || draws(bytes);
        let (first, rest) = bytes.split_at(bytes.len().min(self.kept - self.head.len()));
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(self.kept);
        self.tail.drain(..over);
        self.skipped += over as u64;
    }

    /// The last line with something in it, if anything came since this was last asked. Where it is only a
    /// part of a line, because that is long or still being written, it is marked: half of a secret is
    /// known for one by that.
    pub(super) fn news(&mut self) -> Option<String> {
        if !mem::take(&mut self.fresh) {
            return None;
        }
        let end: Vec<u8> = match self.tail.len() {
            0 => self.head.iter().rev().take(LINE).copied().collect(),
            _ => self.tail.iter().rev().take(LINE).copied().collect(),
        };
        let end: Vec<u8> = end.into_iter().rev().collect();
        let text = String::from_utf8_lossy(&end);
        let lines: Vec<&str> = text.split(['\n', '\r']).map(str::trim).collect();
        let at = lines.iter().rposition(|line| !line.is_empty())?;
        let before = if at == 0 && self.written() > LINE as u64 { "…" } else { "" };
        let behind = if at + 1 == lines.len() { "…" } else { "" };
        Some(format!("{before}{}{behind}", lines.get(at)?))
    }

    /// How many bytes came.
    pub(super) fn written(&self) -> u64 {
        (self.head.len() + self.tail.len()) as u64 + self.skipped
    }

    /// Whether something in it draws on a screen.
    pub(super) fn draws(&self) -> bool {
        self.draws
    }

    pub(super) fn finish(self) -> Output {
        let Self { head, tail, skipped, .. } = self;
        Output { head, tail: tail.into(), skipped }
    }
}

/// What is kept of both outputs of a program. Whoever does not wait for its end is told what there is.
pub(super) struct Kept<'a> {
    pub(super) output: Capture,
    pub(super) errors: Capture,
    cut_off: Option<&'a (dyn Fn(Output, Output) + Send + Sync)>,
}

impl<'a> Kept<'a> {
    pub(super) fn of(job: &Job<'a>) -> Self {
        let (output, errors) = (Capture::new(job.kept), Capture::new(job.kept));
        Self { output, errors, cut_off: Some(job.cut_off) }
    }

    /// It has ended: this is what it wrote.
    pub(super) fn finish(mut self) -> (Output, Output) {
        self.cut_off = None;
        self.take()
    }

    fn take(&mut self) -> (Output, Output) {
        let take = |it: &mut Capture| mem::replace(it, Capture::new(0)).finish();
        (take(&mut self.output), take(&mut self.errors))
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        if let Some(cut_off) = self.cut_off {
            let (output, errors) = self.take();
            cut_off(output, errors);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEPT: usize = 512 << 10;

    #[test]
    fn what_fits_is_kept_whole() {
        let mut capture = Capture::new(KEPT);
        capture.push(b"one\n");
        capture.push(b"two\n");
        assert_eq!(capture.news().as_deref(), Some("two"));
        assert_eq!(capture.news(), None);
        let Output { head, tail, skipped } = capture.finish();
        assert_eq!((head.as_slice(), tail.as_slice(), skipped), (&b"one\ntwo\n"[..], &b""[..], 0));
    }

    #[test]
    fn a_part_of_a_line_is_told_for_one() {
        let mut capture = Capture::new(KEPT);
        capture.push(b"one\ntw");
        assert_eq!(capture.news().as_deref(), Some("tw…"));
        capture.push(b"o\n");
        assert_eq!(capture.news().as_deref(), Some("two"));
        capture.push(&[b'a'; 300]);
        assert_eq!(capture.news(), Some(format!("…{}…", "a".repeat(LINE))));
        capture.push(b"\r\n");
        assert_eq!(capture.news(), Some(format!("…{}", "a".repeat(LINE - 2))));
    }

    #[test]
    fn the_middle_is_counted_and_let_go() {
        let mut capture = Capture::new(KEPT);
        for _ in 0..64 {
            capture.push(&[b'a'; 40_000]);
        }
        capture.push(b"end");
        let Output { head, tail, skipped } = capture.finish();
        assert_eq!((head.len(), tail.len()), (KEPT, KEPT));
        assert_eq!(skipped, (64 * 40_000 + 3 - 2 * KEPT) as u64);
        assert!(tail.ends_with(b"aend"));
    }
}
