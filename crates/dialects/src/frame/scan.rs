//! [`next`]: on to where something other than plain text may begin.

use super::{fence, lines};
use crate::{
    grammar::{Form, Token, Triggers},
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

/// How far ahead there is only plain text: for every three bytes that end it, where the next of them
/// is, or how far it was looked for. So each of them is looked for once, whatever the others do.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ahead([usize; Triggers::GROUPS]);

impl Ahead {
    /// How many bytes of plain text come next in `rest`, which begins at `position`.
    fn plain(&mut self, rest: &[u8], position: usize, triggers: &Triggers) -> usize {
        let mut plain = rest.len();
        for (found, group) in self.0.iter_mut().zip(triggers.groups()) {
            let from = found.saturating_sub(position);
            if from >= plain {
                continue;
            }
            let unknown = rest.get(from..).unwrap_or_default();
            let next = group.find(unknown).map_or(rest.len(), |next| from + next);
            *found = position + next;
            plain = plain.min(next);
        }
        plain
    }
}

/// Whether text stands in code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Code {
    #[default]
    None,
    /// In a code span that began here, with so many ticks.
    Span { ticks: usize, at: usize },
    /// In a fence of so many ticks, or tildes.
    Fence { mark: u8, ticks: usize },
}

pub(super) const FUNCTOOLS: &str = "functools";

/// Reads text up to where something other than text may begin.
pub(super) async fn next(reader: &mut Reader, code: &mut Code, ahead: &mut Ahead) -> Sign {
    let start = reader.position();
    loop {
        if !skip(reader, ahead).await {
            return Sign::End;
        }
        let Some(byte) = reader.peek().await else { return Sign::End };
        let grammar = reader.grammar;
        // Before anything waits for more text: what stands before the bracket would be shown.
        if byte == b'['
            && grammar.has(Form::Functools)
            && reader.unshown().ends_with(FUNCTOOLS)
            // What something else has read is not looked at again.
            && reader.position() - start >= FUNCTOOLS.len()
        {
            return Sign::Functools;
        }
        if grammar.markers.may_come(reader.rest().as_bytes())
            && let Some((token, length)) = reader.marker().await
        {
            return Sign::Marker(token, length);
        }
        match byte {
            b'`' | b'~' => {
                if let Some(sign) = ticks(reader, code, byte).await {
                    return sign;
                }
                continue;
            }
            b'\n' if may_be_label(reader) && lines::sees_label(reader, 1).await => {
                return Sign::Line;
            }
            b'>' if reader.sees(">>>").await => return Sign::Recipient,
            b'{' | b'[' if may_be_call(reader) && !is_in_code(reader, *code) => return Sign::Json,
            _ => {}
        }
        reader.bump(1);
    }
}

/// Whether the next byte stands in code. A span does not go on in the next line.
fn is_in_code(reader: &mut Reader, code: Code) -> bool {
    match code {
        Code::None => false,
        Code::Span { at, .. } => reader.line() <= at,
        Code::Fence { .. } => true,
    }
}

/// Skips plain text; false at the end.
async fn skip(reader: &mut Reader, ahead: &mut Ahead) -> bool {
    loop {
        let rest = reader.rest().as_bytes();
        let plain = ahead.plain(rest, reader.position(), &reader.grammar.triggers);
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

/// Whether a label may stand behind a new line, as far as what has arrived tells.
fn may_be_label(reader: &Reader) -> bool {
    let line = reader.rest().as_bytes().get(1..).unwrap_or_default();
    if line.first().is_some_and(|first| !b"atofATOF".contains(first)) {
        return false;
    }
    let mut labels = lines::LABELS.iter().map(|(label, _)| label.as_bytes());
    labels.any(|label| {
        let (line, label) = match line.get(..label.len()) {
            Some(line) => (line, label),
            None => (line, label.get(..line.len()).unwrap_or_default()),
        };
        line.eq_ignore_ascii_case(label)
    })
}

/// Whether a bracket may open a call, as far as what stands behind it tells.
fn may_be_call(reader: &Reader) -> bool {
    let mut behind = reader.rest().bytes().take(32).filter(|byte| !byte.is_ascii_whitespace());
    let first = behind.next();
    let list = first == Some(b'[');
    let mut next = behind.next();
    if list && next == Some(b'{') {
        next = behind.next();
    } else if list {
        let letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
        return next
            .is_none_or(|it| it == b'/' || (letter(it) && reader.grammar.has(Form::Python)));
    }
    next.is_none_or(|it| matches!(it, b'"' | b'\'' | b'/' | b'_') || it.is_ascii_alphanumeric())
}

/// Reads ticks, or the tildes of a fence: the beginning or the end of code.
async fn ticks(reader: &mut Reader, code: &mut Code, mark: u8) -> Option<Sign> {
    let count = fence::run_of(reader, mark).await;
    let fence = count >= 3 && reader.is_at_line_start();
    match *code {
        Code::Fence { mark: opened, ticks } if fence && mark == opened && count >= ticks => {
            *code = Code::None;
        }
        Code::Fence { .. } => {}
        Code::Span { ticks, .. } if mark == b'`' && ticks == count && is_in_code(reader, *code) => {
            *code = Code::None;
        }
        Code::Span { .. } if is_in_code(reader, *code) => {}
        _ if fence => return Some(Sign::Fence),
        _ if mark == b'`' => *code = Code::Span { ticks: count, at: reader.position() },
        // Struck out, or about as much.
        _ => {}
    }
    reader.bump(count);
    None
}
