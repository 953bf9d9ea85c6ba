//! [`ContextWindow`]: how much of a conversation a model is sent.

use toolwright_core::Outcome;

/// How much of a conversation a model is sent: when its older part is replaced by a digest, and
/// how much of one result it reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContextWindow {
    /// How many tokens the model reads at most.
    pub tokens: u64,
    /// The share of them at which the older part is replaced.
    pub compact_at: f64,
    /// The share of the conversation that is then kept as it is.
    pub keep: f64,
    /// How many characters of one result the model reads. People get all of it.
    pub result: usize,
    /// How many lines of one result it reads.
    pub lines: usize,
}

impl Default for ContextWindow {
    fn default() -> Self {
        Self { tokens: 128_000, compact_at: 0.75, keep: 0.3, result: 50_000, lines: 2_000 }
    }
}

/// A result is kept as data beside what the model reads up to this size.
const DATA: usize = 1024 * 1024;

impl ContextWindow {
    /// The number of tokens at which the older part is replaced.
    pub fn threshold(&self) -> f64 {
        self.tokens as f64 * self.compact_at
    }

    /// How many characters of a conversation of this size are kept as they are.
    pub(crate) fn keep(&self, size: usize) -> usize {
        (size as f64 * self.keep) as usize
    }

    /// The outcome as the model reads it, and the whole text where that is only a part of it.
    pub(crate) fn bound(&self, mut outcome: Outcome) -> (Outcome, Option<String>) {
        let lines = memchr::memchr_iter(b'\n', outcome.text.as_bytes()).count();
        if outcome.text.len() <= self.result && lines <= self.lines {
            return (outcome, None);
        }
        // What the model cannot see it cannot use: beyond this, data would only cost memory.
        if outcome.data.is_none() && outcome.text.len() <= DATA {
            outcome.data = serde_json::from_str(&outcome.text).ok();
        } else if outcome.text.len() > DATA {
            outcome.data = None;
        }
        let shown = shortened(&outcome.text, self.result, self.lines);
        let whole = outcome.replace_text(shown);
        (outcome, Some(whole))
    }
}

/// The beginning and the end of a text, at most about `most` long and in at most so many lines, cut
/// between lines where it has lines.
fn shortened(text: &str, most: usize, lines: usize) -> String {
    let (head, tail) = (most / 3 * 2, text.len().saturating_sub(most / 3));
    let bytes = text.as_bytes();
    let head = memchr::memchr_iter(b'\n', bytes).nth(lines / 3 * 2).unwrap_or(head).min(head);
    let last = memchr::memrchr_iter(b'\n', bytes).nth(lines / 3).map_or(tail, |at| at + 1);
    let head = text.get(..text.floor_char_boundary(head)).unwrap_or_default();
    let tail = text.get(text.ceil_char_boundary(last.max(tail))..).unwrap_or_default();
    // A line is only worth cutting at when it is not most of the text.
    let head = match head.rfind('\n') {
        Some(at) if at > head.len() / 2 => head.get(..at).unwrap_or(head),
        _ => head,
    };
    let tail = match tail.find('\n') {
        Some(at) if at < tail.len() / 2 => tail.get(at + 1..).unwrap_or(tail),
        _ => tail,
    };
    let left_out = text.len() - head.len() - tail.len();
    format!(
        "{head}\n… [{left_out} of {} bytes are left out here. Ask for less, or for a part.] …\n{tail}",
        text.len()
    )
}
