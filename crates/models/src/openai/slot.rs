//! [`Slot`]: a call in the making, and whether a piece goes on with it.

use serde_json::{Map, Value};
use toolwright_core::{Call, CallId, CallSource, ModelError};

use super::lenient::{Arguments, Fragment, Function};
use crate::endpoint::{LONGEST_ARGUMENTS, append};

/// A piece of a call, as far as it is told apart from others.
pub(super) struct Piece<'a> {
    pub(super) index: Option<u64>,
    pub(super) id: &'a str,
    pub(super) name: &'a str,
    pub(super) arguments: &'a Arguments<'a>,
    /// Which chunk it came in.
    pub(super) chunk: u64,
}

impl<'a> Piece<'a> {
    pub(super) fn of(fragment: &'a Fragment<'a>, chunk: u64) -> Self {
        static NONE: Arguments<'static> = Arguments::None;
        let function = fragment.function.as_ref();
        Self {
            index: fragment.index,
            id: fragment.id.0.as_deref().unwrap_or_default(),
            name: function.and_then(|Function { name, .. }| name.0.as_deref()).unwrap_or_default(),
            arguments: function.map_or(&NONE, |function| &function.arguments),
            chunk,
        }
    }

    fn brings_arguments(&self) -> bool {
        match self.arguments {
            Arguments::None => false,
            Arguments::Text(text) => !text.is_empty(),
            Arguments::Whole(_) => true,
        }
    }
}

/// A call in the making.
#[derive(Default)]
pub(super) struct Slot {
    pub(super) index: Option<u64>,
    pub(super) id: String,
    pub(super) name: String,
    arguments: String,
    /// What is open in the arguments.
    open: Open,
    /// Where the last piece of the arguments begins.
    last: usize,
    /// Whether some piece did not begin with the one before.
    pieced: bool,
    /// What is open in that piece alone.
    last_open: Open,
    /// Whether its name came again, with nothing else, when it was complete: then either it was only
    /// said again, or another call of the same tool begins.
    named_again: bool,
    /// Which chunk its last piece came in.
    chunk: u64,
    pub(super) extra: Option<Map<String, Value>>,
}

impl Slot {
    /// A slot for another call, which begins with this piece. Its name may have come before it.
    pub(super) fn begin(piece: &Piece<'_>, before: Option<&Self>) -> Self {
        let announced = before.filter(|it| it.named_again && piece.name.is_empty());
        Self {
            index: piece.index,
            name: announced.map(|it| it.name.clone()).unwrap_or_default(),
            ..Self::default()
        }
    }

    /// Whether nothing is known of it that could be called.
    pub(super) fn is_empty(&self) -> bool {
        self.name.is_empty() && self.arguments.is_empty()
    }

    /// Whether a piece goes on with this call, as far as its index and its id leave that open. What
    /// servers leave out (indexes, ids) or say again (names, ids, all the arguments so far) differs;
    /// what does not is that a call's arguments are one JSON object.
    pub(super) fn goes_on_with(&self, piece: &Piece<'_>) -> bool {
        let other_id = !piece.id.is_empty() && !self.id.is_empty() && piece.id != self.id;
        let same_id = !piece.id.is_empty() && piece.id == self.id;
        let other_name = !piece.name.is_empty() && piece.name != self.name;
        let same_chunk = self.chunk == piece.chunk;
        if piece.index.is_none() && other_id {
            return false;
        }
        if self.arguments.is_empty() {
            // A name in two pieces; or the next one of a list.
            let next = same_chunk && !piece.name.is_empty() && !self.name.is_empty() && !same_id;
            return !(next || other_id && !piece.name.is_empty());
        }
        if !self.is_complete() {
            return !(other_id && (other_name || !piece.name.is_empty() && begins_object(piece)));
        }
        if self.named_again && piece.brings_arguments() || other_name {
            return false;
        }
        let again = self.is_said_again(piece.arguments);
        if piece.name.is_empty() {
            // Some servers make up an id for every piece.
            return !other_id || piece.brings_arguments() && (again || !begins_object(piece));
        }
        !other_id && again && (same_id || !same_chunk)
    }

    /// Whether these arguments bring nothing new.
    fn is_said_again(&self, arguments: &Arguments<'_>) -> bool {
        let from = if self.is_cumulative() { self.last } else { 0 };
        let so_far = self.arguments.get(from..).unwrap_or_default();
        match arguments {
            Arguments::None => true,
            Arguments::Text(text) => {
                !text.trim_start().starts_with('{') || text.starts_with(so_far)
            }
            Arguments::Whole(json) => so_far == json,
        }
    }

    /// Whether its arguments are all there.
    fn is_complete(&self) -> bool {
        if !self.is_cumulative() {
            return self.open == Open::Nothing;
        }
        // Unless it only looks like that by chance.
        let by_chance = self.open == Open::Nothing && self.last_open == Open::Other;
        self.last_open == Open::Nothing || by_chance
    }

    /// Whether each piece so far began with the one before.
    fn is_cumulative(&self) -> bool {
        self.last > 0 && !self.pieced
    }

    /// Takes what a piece says about which call it is; true where the name is longer now.
    pub(super) fn identify(&mut self, piece: &Piece<'_>) -> bool {
        self.chunk = piece.chunk;
        self.index = self.index.or(piece.index);
        if self.id.is_empty() {
            self.id.push_str(piece.id);
        }
        if piece.name.is_empty() {
            return false;
        }
        if !self.arguments.is_empty() {
            self.named_again =
                self.is_complete() && piece.id.is_empty() && !piece.brings_arguments();
            return false;
        }
        // Some repeat the name with every piece, some cut it in two.
        let more = self.name != piece.name;
        if more {
            self.name.push_str(piece.name);
        }
        more
    }

    /// Takes a piece of the arguments; what is new of them.
    pub(super) fn take(&mut self, arguments: &Arguments<'_>) -> Result<Option<&str>, ModelError> {
        match arguments {
            Arguments::None => return Ok(None),
            Arguments::Text(piece) if piece.is_empty() => return Ok(None),
            Arguments::Text(piece) => self.append(piece)?,
            Arguments::Whole(json) => {
                self.arguments.clear();
                (self.open, self.last, self.pieced) = (Open::default(), 0, false);
                self.append(json)?;
            }
        }
        Ok(self.arguments.get(self.last..))
    }

    fn append(&mut self, piece: &str) -> Result<(), ModelError> {
        // Some servers send all of the arguments so far with every piece. Whether this is one
        // shows at the end: a piece may begin like the one before by chance.
        let before = self.arguments.get(self.last..).unwrap_or_default();
        self.pieced = self.pieced || !piece.starts_with(before);
        self.last = self.arguments.len();
        self.open = self.open.after(piece);
        self.last_open = Open::default().after(piece);
        append(&mut self.arguments, piece, LONGEST_ARGUMENTS)
    }

    /// The call.
    pub(super) fn call(mut self) -> Call {
        let mut arguments = std::mem::take(&mut self.arguments);
        // The last piece alone, where each held all of them so far.
        let last = arguments.get(self.last..).unwrap_or_default();
        if self.last > 0 && !self.pieced && !is_json(&arguments) && is_object(last) {
            arguments.drain(..self.last);
        }
        Call {
            arguments,
            id: CallId::from(self.id),
            name: clean(&self.name).to_owned(),
            source: CallSource::Native,
            extra: self.extra,
        }
    }
}

/// Whether a piece brings the beginning of arguments.
fn begins_object(piece: &Piece<'_>) -> bool {
    match piece.arguments {
        Arguments::None => false,
        Arguments::Text(text) => text.trim_start().starts_with('{'),
        Arguments::Whole(_) => true,
    }
}

/// How much of an object is open, each byte looked at once.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Open {
    /// It has not begun.
    #[default]
    NotBegun,
    /// So many brackets.
    Brackets(usize),
    /// A string within so many.
    String(usize),
    /// The same, behind a backslash.
    Escape(usize),
    /// It is closed.
    Nothing,
    /// It is no object.
    Other,
}

impl Open {
    fn after(self, piece: &str) -> Self {
        piece.bytes().fold(self, Self::step)
    }

    fn step(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::NotBegun, b'{') => Self::Brackets(1),
            (Self::NotBegun | Self::Nothing, _) if byte.is_ascii_whitespace() => self,
            (Self::NotBegun | Self::Nothing | Self::Other, _) => Self::Other,
            (Self::Brackets(depth), b'{' | b'[') => Self::Brackets(depth + 1),
            (Self::Brackets(1), b'}' | b']') => Self::Nothing,
            (Self::Brackets(depth), b'}' | b']') => Self::Brackets(depth - 1),
            (Self::Brackets(depth), b'"') | (Self::Escape(depth), _) => Self::String(depth),
            (Self::String(depth), b'\\') => Self::Escape(depth),
            (Self::String(depth), b'"') => Self::Brackets(depth),
            (open, _) => open,
        }
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.trim_end().ends_with('}') && is_json(text)
}

/// A name without the special tokens some templates leave around it.
fn clean(name: &str) -> &str {
    let mut name = name.trim();
    while let Some((_, rest)) = name.strip_prefix("<|").and_then(|it| it.split_once("|>")) {
        name = rest;
    }
    let name = name.split("<|").next().unwrap_or(name);
    name.trim().trim_matches(['"', '\'', '`'])
}
