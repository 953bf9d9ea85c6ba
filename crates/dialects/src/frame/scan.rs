//! [`next`]: on to where something other than plain text may begin.

use super::lines;
use crate::{
    grammar::{Form, Token},
    reader::Reader,
};

/// What the text came to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sign {
    /// The end.
    End,
    /// A marker, and its length.
    Marker(Token, usize),
    /// A bracket that may open a call.
    Json,
    /// `functools[`, and the reader is at its bracket.
    Functools,
    /// A fence.
    Fence,
    /// A new line that begins with a label.
    Line,
    /// `>>>`.
    Recipient,
}

/// Whether text stands in code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Code {
    #[default]
    None,
    /// In a code span that began here, with so many ticks.
    Span { ticks: usize, at: usize },
    /// In a fence of so many ticks.
    Fence { ticks: usize },
}

pub(super) const FUNCTOOLS: &str = "functools";

/// Reads text up to where something other than text may begin.
pub(super) async fn next(reader: &mut Reader, code: &mut Code) -> Sign {
    loop {
        if !skip(reader).await {
            return Sign::End;
        }
        let Some(byte) = reader.peek().await else { return Sign::End };
        let grammar = reader.grammar;
        // Before anything waits for more text: what stands before the bracket would be shown.
        if byte == b'[' && grammar.has(Form::Functools) && reader.unshown().ends_with(FUNCTOOLS) {
            return Sign::Functools;
        }
        if grammar.markers.may_begin(byte)
            && let Some((token, length)) = reader.marker().await
        {
            return Sign::Marker(token, length);
        }
        match byte {
            b'`' => {
                if let Some(sign) = ticks(reader, code).await {
                    return sign;
                }
                continue;
            }
            b'\n' if lines::sees_label(reader, 1).await => return Sign::Line,
            b'>' if reader.sees(">>>").await => return Sign::Recipient,
            b'{' | b'[' if !is_in_code(reader, *code) => return Sign::Json,
            _ => {}
        }
        reader.bump(1);
    }
}

/// Whether the next byte stands in code. A span does not go on in the next line.
fn is_in_code(reader: &Reader, code: Code) -> bool {
    match code {
        Code::None => false,
        Code::Span { at, .. } => reader.line() <= at,
        Code::Fence { .. } => true,
    }
}

/// Skips plain text; false at the end.
async fn skip(reader: &mut Reader) -> bool {
    loop {
        let rest = reader.rest().as_bytes();
        let plain = plain(rest, &reader.grammar.triggers);
        let all = plain == rest.len();
        reader.bump(plain);
        if !all {
            return true;
        }
        // `functools[` shows only at its bracket.
        let back = if reader.grammar.has(Form::Functools) { begun(reader.unshown()) } else { 0 };
        let position = reader.position();
        reader.rewind(position - back);
        if !reader.more().await {
            reader.bump(back);
            return false;
        }
    }
}

/// How many bytes at the end of a text may be the beginning of `functools[`.
fn begun(text: &str) -> usize {
    (1..=FUNCTOOLS.len())
        .rev()
        .find(|length| FUNCTOOLS.get(..*length).is_some_and(|it| text.ends_with(it)))
        .unwrap_or_default()
}

/// How many bytes come before the first of these.
fn plain(bytes: &[u8], triggers: &[u8]) -> usize {
    let mut done = 0;
    for size in [64, 16, 1] {
        let rest = bytes.get(done..).unwrap_or_default();
        for block in rest.chunks_exact(size) {
            if triggers.iter().any(|trigger| holds(block, *trigger)) {
                break;
            }
            done += size;
        }
    }
    done
}

/// Whether a byte is among these. Without a way out in the middle, so that many are looked at at
/// once.
fn holds(block: &[u8], byte: u8) -> bool {
    block.iter().fold(false, |found, it| found | (*it == byte))
}

/// Reads ticks: the beginning or the end of code.
async fn ticks(reader: &mut Reader, code: &mut Code) -> Option<Sign> {
    let mut count = 0;
    while reader.peek_at(count).await == Some(b'`') {
        count += 1;
    }
    let fence = count >= 3 && reader.is_at_line_start();
    match *code {
        Code::Fence { ticks } if fence && count >= ticks => *code = Code::None,
        Code::Fence { .. } => {}
        Code::Span { ticks, .. } if ticks == count && is_in_code(reader, *code) => {
            *code = Code::None;
        }
        Code::Span { .. } if is_in_code(reader, *code) => {}
        _ if fence => return Some(Sign::Fence),
        _ => *code = Code::Span { ticks: count, at: reader.position() },
    }
    reader.bump(count);
    None
}
