//! [`quotable`]: every call that somebody who quotes a text, or a part of it, would seem to make.
//!
//! A decoder reads a text as one reply, and each byte once: a call in a reasoning block, in a list that
//! is never closed or behind something broken is none. Whoever quotes only the call leaves all that
//! out. So the text is read whole, from each marker of a call to the next, line by line, and by
//! everything in braces or brackets.

use crate::{
    Dialect, ExtractedCall, KnownTools, extract,
    grammar::{Grammar, Token},
    marker::Walk,
};

/// How deep pairs within pairs are looked into: a call has two, and a wrapper or two around it.
const DEPTH: usize = 8;

/// Every call that somebody who quotes this text, or a part of it, would seem to make. The time it
/// takes grows with the text's length alone.
pub fn quotable(text: &str, dialect: Dialect, tools: &KnownTools) -> Vec<ExtractedCall> {
    let whole = std::iter::once(text);
    let mut parts: Vec<&str> = whole.chain(marked(text, Grammar::of(dialect))).collect();
    parts.extend(text.lines().filter(|line| line.contains(['{', '[', '<', '('])));
    for strings in [Strings::Respected, Strings::Ignored] {
        for pair in [(b'{', b'}'), (b'[', b']')] {
            parts.extend(enclosed(text, pair, strings));
        }
    }
    parts.into_iter().flat_map(|part| extract(part, dialect, tools).calls).collect()
}

/// The parts from each marker of a call to the next.
fn marked<'t>(text: &'t str, grammar: &Grammar) -> Vec<&'t str> {
    let is_call = |at: &usize| {
        let rest = text.as_bytes().get(*at..).unwrap_or_default();
        let mut walk = Walk::new(&grammar.markers);
        if !grammar.markers.may_come(rest) {
            return false;
        }
        walk.on(rest);
        matches!(walk.found(), Some((Token::Call(_), _)))
    };
    let mut starts: Vec<usize> = text.char_indices().map(|(at, _)| at).filter(is_call).collect();
    starts.push(text.len());
    starts.windows(2).filter_map(|pair| text.get(*pair.first()?..*pair.last()?)).collect()
}

/// Whether what stands within quotes counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strings {
    Respected,
    Ignored,
}

/// Everything between such a pair, and what is in pairs within, up to [`DEPTH`] of them.
fn enclosed(text: &str, (opening, closing): (u8, u8), strings: Strings) -> Vec<&str> {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let (mut found, mut is_quoted, mut is_escaped) = (Vec::new(), false, false);
    for (at, byte) in text.bytes().enumerate() {
        let was_escaped = std::mem::take(&mut is_escaped);
        match byte {
            b'"' if strings == Strings::Respected && !open.is_empty() && !was_escaped => {
                is_quoted = !is_quoted;
            }
            b'\\' => is_escaped = !was_escaped,
            _ if byte == opening && !is_quoted => open.push((at, 1)),
            _ if byte == closing && !is_quoted => {
                let Some((start, height)) = open.pop() else { continue };
                if height <= DEPTH {
                    found.extend(text.get(start..=at));
                }
                if let Some((_, above)) = open.last_mut() {
                    *above = (*above).max(height + 1);
                }
            }
            _ => {}
        }
    }
    found
}
