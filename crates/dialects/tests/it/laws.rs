//! What holds of every reading, whatever the text and however it was cut. The property tests and
//! `fuzz/` both ask it.

use std::{collections::HashMap, fmt};

use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use toolwright_dialects::{DecodedPart, Decoder, Dialect, ExtractedCall, KnownTools};

/// A reply to be read.
#[derive(Clone)]
pub(crate) struct Reply {
    pub(crate) dialect: Dialect,
    pub(crate) tools: KnownTools,
    pub(crate) text: String,
    /// Whether the prompt already opened the reasoning block.
    pub(crate) in_reasoning: bool,
    /// Whether the model was cut off.
    pub(crate) cut_off: bool,
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dialect, text, in_reasoning, cut_off, .. } = self;
        write!(f, "{dialect}, in reasoning: {in_reasoning}, cut off: {cut_off}\n{text:?}")
    }
}

impl Reply {
    /// Reads the text in these pieces.
    pub(crate) fn read<'a>(&self, pieces: impl IntoIterator<Item = &'a str>) -> Vec<DecodedPart> {
        let mut decoder = match self.in_reasoning {
            true => Decoder::in_reasoning(self.dialect, &self.tools),
            false => Decoder::new(self.dialect, &self.tools),
        };
        let mut parts = Vec::new();
        for piece in pieces {
            parts.extend(decoder.push(piece));
        }
        parts.extend(if self.cut_off { decoder.cut_off() } else { decoder.finish() });
        parts
    }

    /// Whether the laws hold, with pieces cut by this seed.
    pub(crate) fn check(&self, seed: u64) -> Result<(), String> {
        let whole = self.read([self.text.as_str()]);
        let settled = settled(&whole)?;
        self.check_alone(&settled)?;
        let pieces: [(&str, Vec<&str>); 2] =
            [("by letter", letters(&self.text)), ("in pieces", cut(&self.text, seed))];
        for (how, pieces) in pieces {
            let parts = self.read(pieces.iter().copied());
            let again = self::settled(&parts).map_err(|why| format!("{how}: {why}"))?;
            if again != settled {
                return Err(format!(
                    "whole   {settled:?}\n{how} {again:?}\npieces  {:?}",
                    brief(&pieces)
                ));
            }
        }
        let other = Self { cut_off: !self.cut_off, ..self.clone() };
        let other = self::settled(&other.read([self.text.as_str()]))?;
        let (cut, finished) = if self.cut_off { (settled, other) } else { (other, settled) };
        let (cut, finished) = (calls(&cut), calls(&finished));
        if !finished.starts_with(&cut) {
            return Err(format!("cut off, the calls are {cut:?}; else they are {finished:?}"));
        }
        Ok(())
    }

    /// What holds of one reading.
    fn check_alone(&self, parts: &[DecodedPart]) -> Result<(), String> {
        for call in calls(parts) {
            is_object(&call.arguments).map_err(|why| format!("{why}: {call:?}"))?;
        }
        let cut_off = parts.iter().position(|part| *part == DecodedPart::CutOff);
        if cut_off.is_some_and(|at| at + 1 != parts.len()) {
            return Err(format!("something follows the end: {parts:?}"));
        }
        let mut input = self.text.chars();
        for letter in said(parts).chars().filter(|letter| *letter != char::REPLACEMENT_CHARACTER) {
            if !input.any(|it| it == letter) {
                return Err(format!("{letter:?} was not said there: {parts:?}"));
            }
        }
        let plain = !self.text.contains(|letter| "<[{`>]\n:(=".contains(letter));
        if plain && !self.in_reasoning && said(parts) != self.text {
            return Err(format!("plain text was changed: {parts:?}"));
        }
        Ok(())
    }
}

/// The parts that stand, with what was only cut apart joined again. On the way: every call that
/// began is settled once, and its pieces join to its arguments.
pub(crate) fn settled(parts: &[DecodedPart]) -> Result<Vec<DecodedPart>, String> {
    let mut open: HashMap<usize, (String, String)> = HashMap::new();
    let mut settled: Vec<DecodedPart> = Vec::new();
    for part in parts {
        match (part, settled.last_mut()) {
            (DecodedPart::Text(next), Some(DecodedPart::Text(last)))
            | (DecodedPart::Reasoning(next), Some(DecodedPart::Reasoning(last))) => {
                last.push_str(next);
            }
            (DecodedPart::Text(text) | DecodedPart::Reasoning(text), _) if text.is_empty() => {
                return Err("a part is empty".to_owned());
            }
            (DecodedPart::CallName { index, name }, _) => {
                if open.insert(*index, (name.clone(), String::new())).is_some() {
                    return Err(format!("call {index} begins twice: {parts:?}"));
                }
            }
            (DecodedPart::CallArguments { index, json }, _) => match open.get_mut(index) {
                Some((_, arguments)) => arguments.push_str(json),
                None => return Err(format!("call {index} has no name: {parts:?}")),
            },
            (DecodedPart::Withdrawn { index, .. }, _) => {
                if open.remove(index).is_none() {
                    return Err(format!("call {index} never began: {parts:?}"));
                }
            }
            (part, _) => {
                if let DecodedPart::Call { index, call } = part {
                    let whole = (call.name.clone(), call.arguments.clone());
                    let pieces = open.remove(index);
                    if pieces.as_ref() != Some(&whole) {
                        return Err(format!("the pieces of {call:?} are {pieces:?}"));
                    }
                }
                settled.push(part.clone());
            }
        }
    }
    match open.is_empty() {
        true => Ok(settled),
        false => Err(format!("calls were left open: {parts:?}")),
    }
}

fn calls(parts: &[DecodedPart]) -> Vec<ExtractedCall> {
    let call = |part: &DecodedPart| match part {
        DecodedPart::Call { call, .. } => Some(call.clone()),
        _ => None,
    };
    parts.iter().filter_map(call).collect()
}

fn said(parts: &[DecodedPart]) -> String {
    let text = |part: &DecodedPart| match part {
        DecodedPart::Text(text) | DecodedPart::Reasoning(text) => text.clone(),
        _ => String::new(),
    };
    parts.iter().map(text).collect()
}

/// Whether this is a JSON object.
fn is_object(arguments: &str) -> Result<(), String> {
    serde_json::from_str::<IgnoredAny>(arguments).map_err(|it| it.to_string())?;
    match serde_json::from_str::<Map<String, Value>>(arguments) {
        // Valid JSON, but deeper than this reader goes, or a number too large for it.
        Err(it) if is_limit(&it) => Ok(()),
        Err(it) => Err(it.to_string()),
        Ok(_) => Ok(()),
    }
}

/// Whether only a limit of `serde_json` was met.
fn is_limit(error: &serde_json::Error) -> bool {
    let text = error.to_string();
    text.starts_with("recursion limit") || text.starts_with("number out of range")
}

/// Whether mending keeps its laws: what comes out is JSON, stays as it is when mended again, and
/// means the same where the text already was JSON.
pub(crate) fn check_mend(text: &str) -> Result<(), String> {
    let before: Result<Value, _> = serde_json::from_str(text);
    let Some(mended) = toolwright_dialects::mend(text) else {
        return match before {
            Ok(_) => Err("JSON is not read".to_owned()),
            Err(_) => Ok(()),
        };
    };
    serde_json::from_str::<IgnoredAny>(&mended).map_err(|it| format!("{it}: {mended}"))?;
    let after: Value = match serde_json::from_str(&mended) {
        Err(it) if is_limit(&it) => return Ok(()),
        after => after.map_err(|it| format!("{it}: {mended}"))?,
    };
    if before.is_ok_and(|before| before != after) {
        return Err(format!("it means something else: {mended}"));
    }
    match toolwright_dialects::mend(&mended) {
        Some(again) if again == mended => Ok(()),
        again => Err(format!("mended {mended}, and again {again:?}")),
    }
}

/// The text, one letter at a time.
pub(crate) fn letters(text: &str) -> Vec<&str> {
    text.split_inclusive(|_: char| true).collect()
}

/// The text, cut at random.
pub(crate) fn cut(text: &str, seed: u64) -> Vec<&str> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below).unwrap_or_default()
    };
    let longest = 1 + next(23) as u64;
    let (mut pieces, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let end = rest.ceil_char_boundary(1 + next(longest));
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

fn brief<'a>(pieces: &'a [&'a str]) -> &'a [&'a str] {
    if pieces.len() > 100 { &[] } else { pieces }
}
