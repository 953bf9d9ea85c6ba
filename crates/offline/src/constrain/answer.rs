//! [`Answer`]: an answer in words, as far as it was written.

use super::{
    context::Grounds,
    list::{List, Range},
    spans::Length,
    text::Char,
};

/// How many characters stand between backticks.
const CODE: Length = Length { least: 1, most: 200 };

/// An answer in words, as far as it was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Answer {
    pub(super) char: Char,
    pub(super) at: At,
    /// The pointers that stand in it, by their bits: each stands there once.
    pointed: u16,
}

/// Where in an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum At {
    /// Nothing was written.
    #[default]
    Start,
    /// At the beginning of another line.
    Line,
    Words,
    /// Behind a `<`, which must not become a tag.
    Less,
    /// In a number.
    Figure(Range),
    /// Behind the point or comma after a number.
    Separator,
    /// Between backticks.
    Code(Range),
    /// In a pointer.
    Pointer(Range),
    /// Behind a pointer, where its line ends.
    Pointed,
    /// Behind a `[`, which must not become a pointer.
    Bracket,
}

impl Answer {
    pub(super) fn can_end(self, grounds: Option<&Grounds>) -> bool {
        let is_complete = match self.at {
            At::Start | At::Code(_) | At::Pointer(_) => false,
            At::Figure(range) => grounds.is_none_or(|it| is_complete(&it.figures, range)),
            At::Line | At::Words | At::Less | At::Separator | At::Pointed | At::Bracket => true,
        };
        is_complete && self.char.is_whole()
    }

    /// Whether any words may follow.
    pub(super) fn takes_words(self, grounds: Option<&Grounds>) -> bool {
        !matches!(self.at, At::Less | At::Pointed) && self.can_end(grounds)
    }

    /// Calls `each` with every answer that this one with one more byte may be.
    pub(super) fn push(self, byte: u8, grounds: Option<&Grounds>, mut each: impl FnMut(Self)) {
        let Some(char) = self.char.push(byte) else { return };
        let here = Self { char, ..self };
        let then = |at| Self { at, ..here };
        let next = match (grounds, self.at) {
            (Some(grounds), At::Code(range)) => code(range, byte, grounds).map(then),
            // Only the first byte of a character says anything.
            _ if !self.char.is_whole() => Some(then(At::Words)),
            (None, at) => follows(at, byte, None).then(|| then(after(byte))),
            (Some(grounds), At::Pointer(range)) => here.pointer(range, byte, &grounds.pointers),
            (Some(grounds), At::Start | At::Line)
                if byte == b'[' && self.can_point(&grounds.pointers) =>
            {
                here.pointer(grounds.pointers.whole(), byte, &grounds.pointers)
            }
            (Some(_), At::Pointed) => (byte == b'\n').then(|| then(At::Line)),
            (Some(grounds), at) if byte.is_ascii_digit() => {
                figure(at, byte, &grounds.figures).map(then)
            }
            (Some(grounds), at) => {
                // A point may belong to the number, or end the sentence.
                if let At::Figure(range) = at
                    && matches!(byte, b'.' | b',')
                    && let Some(range) = grounds.figures.narrow(range, byte)
                {
                    each(then(At::Figure(range)));
                }
                follows(at, byte, Some(grounds)).then(|| then(behind(at, byte, grounds)))
            }
        };
        next.into_iter().for_each(each);
    }

    /// Whether there is something left to point at.
    fn can_point(self, pointers: &List<u16>) -> bool {
        self.points(pointers, pointers.whole())
    }

    /// Whether one of these pointers does not stand in the answer.
    fn points(self, pointers: &List<u16>, range: Range) -> bool {
        pointers.within(range).any(|(_, (_, bit))| self.pointed & bit == 0)
    }

    /// The answer with one more byte of a pointer.
    fn pointer(self, range: Range, byte: u8, pointers: &List<u16>) -> Option<Self> {
        let range = pointers.narrow(range, byte).filter(|it| self.points(pointers, *it))?;
        Some(match pointers.complete(range).next() {
            Some((_, bit)) => Self { at: At::Pointed, pointed: self.pointed | bit, ..self },
            None => Self { at: At::Pointer(range), ..self },
        })
    }
}

/// Whether an answer may begin with this byte: with no space, and with nothing that some model's call
/// begins with.
pub(super) fn begins_answer(byte: u8) -> bool {
    byte > b' ' && byte != 0x7F && !matches!(byte, b'<' | b'{' | b'[' | b'`')
}

/// Whether a byte that is no digit may follow.
fn follows(at: At, byte: u8, grounds: Option<&Grounds>) -> bool {
    let quotes = |grounds: &Grounds| grounds.code.has_any(CODE);
    let is_quote = byte == b'`' && grounds.is_some();
    if is_quote && !grounds.is_some_and(quotes) {
        return false;
    }
    match at {
        At::Start => begins_answer(byte) || is_quote,
        At::Less => byte.is_ascii_digit() || matches!(byte, b' ' | b'='),
        At::Figure(range) => grounds.is_none_or(|it| is_complete(&it.figures, range)),
        At::Bracket => byte != b'[',
        At::Line | At::Words | At::Separator => true,
        At::Code(_) | At::Pointer(_) | At::Pointed => false,
    }
}

/// Where one is behind a byte that may follow.
fn behind(at: At, byte: u8, grounds: &Grounds) -> At {
    match (at, byte) {
        (_, b'`') => At::Code(grounds.code.whole()),
        (_, b'[') => At::Bracket,
        (At::Figure(_), b'.' | b',') => At::Separator,
        _ => after(byte),
    }
}

fn after(byte: u8) -> At {
    match byte {
        b'<' => At::Less,
        b'\n' => At::Line,
        _ => At::Words,
    }
}

/// One more byte between backticks, or the last of them.
fn code(range: Range, byte: u8, grounds: &Grounds) -> Option<At> {
    if byte == b'`' {
        return grounds.code.can_end(range, CODE).then_some(At::Words);
    }
    grounds.code.narrow(range, byte, CODE).map(At::Code)
}

/// One more digit.
fn figure(at: At, byte: u8, figures: &List<()>) -> Option<At> {
    let range = match at {
        At::Figure(range) => range,
        At::Separator => return None,
        _ => figures.whole(),
    };
    figures.narrow(range, byte).map(At::Figure)
}

fn is_complete(figures: &List<()>, range: Range) -> bool {
    figures.complete(range).next().is_some()
}
