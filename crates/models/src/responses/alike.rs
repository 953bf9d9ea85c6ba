//! [`Alike`]: events that differ from one read before only in the text they bring, in their number and in
//! their padding.

use memchr::memmem;

/// What stands around what differs, in an event that brought a piece of text. A server writes the next one
/// the same to the letter but for that, and a reply is mostly such events: they need not be parsed.
#[derive(Default)]
pub(super) struct Alike {
    /// All that is the same, joined.
    same: Vec<u8>,
    /// Where in it something else stands, and what.
    gaps: Vec<(usize, Gap)>,
    /// Where pieces like this one go.
    to: Target,
    /// How often in a row it was learnt for nothing.
    vain: u8,
}

/// What a piece of text is a piece of.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Target {
    /// The text of the item at this place.
    Text(usize),
    /// The thoughts in it.
    Thought(usize),
    /// The arguments of this call.
    Arguments(usize),
    /// Nothing to remember.
    #[default]
    Other,
}

/// What differs from event to event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    Text,
    /// The event's number.
    Number,
    /// Letters without a meaning, so that nobody learns from an event's length what is in it; and the id of
    /// an item that has a number, for some servers make up another one for every event.
    Padding,
}

/// A server whose events are never alike need not be learnt from for ever.
const MOST_IN_VAIN: u8 = 8;

impl Alike {
    /// The text of an event that is like the one before, and where it goes.
    pub(super) fn text<'a>(&mut self, event: &'a [u8]) -> Option<(Target, &'a str)> {
        let text = self.matched(event)?;
        self.vain = 0;
        Some((self.to, text))
    }

    fn matched<'a>(&self, event: &'a [u8]) -> Option<&'a str> {
        let (mut rest, mut from, mut text) = (event, 0, None);
        for (to, gap) in &self.gaps {
            rest = rest.strip_prefix(self.same.get(from..*to)?)?;
            let end = match gap {
                Gap::Number => Some(digits(rest)).filter(|it| *it > 0)?,
                Gap::Text | Gap::Padding => plain(rest)?,
            };
            let (value, behind) = rest.split_at_checked(end)?;
            if *gap == Gap::Text {
                text = Some(std::str::from_utf8(value).ok()?);
            }
            (rest, from) = (behind, *to);
        }
        text.filter(|_| self.same.get(from..) == Some(rest))
    }

    /// Remembers what stands around `text` in an event that was parsed.
    pub(super) fn learn(&mut self, event: &[u8], text: &str, to: Target) {
        if to == self.to && !is_plain(text) {
            // What was learnt of such events holds.
            return;
        }
        self.forget();
        if to == Target::Other || self.vain >= MOST_IN_VAIN || !is_plain(text) {
            return;
        }
        self.vain += 1;
        let Some(at) = string(event, b"\"delta\":") else { return };
        let end = at + text.len();
        if event.get(at..end) != Some(text.as_bytes()) || event.get(end) != Some(&b'"') {
            return;
        }
        let number = value(event, b"\"sequence_number\":").and_then(|at| {
            let digits = digits(event.get(at..)?);
            (digits > 0).then_some((at, at + digits, Gap::Number))
        });
        let padding = |key: &[u8]| {
            let at = string(event, key)?;
            let end = at + plain(event.get(at..)?)?;
            Some((at, end, Gap::Padding))
        };
        let is_numbered = value(event, b"\"output_index\":")
            .is_some_and(|at| event.get(at).is_some_and(u8::is_ascii_digit));
        let id = is_numbered.then(|| padding(b"\"item_id\":")).flatten();
        let mut gaps = [Some((at, end, Gap::Text)), number, padding(b"\"obfuscation\":"), id];
        gaps.sort_unstable_by_key(|gap| gap.map(|(at, ..)| at));
        let mut from = 0;
        for (at, end, gap) in gaps.into_iter().flatten() {
            self.same.extend_from_slice(event.get(from..at).unwrap_or_default());
            self.gaps.push((self.same.len(), gap));
            from = end;
        }
        self.same.extend_from_slice(event.get(from..).unwrap_or_default());
        self.to = to;
    }

    /// Forgets it: what comes next may mean something else.
    pub(super) fn forget(&mut self) {
        self.same.clear();
        self.gaps.clear();
        self.to = Target::Other;
    }
}

/// Where the value begins of a key that stands there once: which of two is meant cannot be told. No text has
/// such a key in it, for the quotes in a text are escaped.
fn value(event: &[u8], key: &[u8]) -> Option<usize> {
    let mut found = memmem::find_iter(event, key);
    let (Some(at), None) = (found.next(), found.next()) else { return None };
    let at = at + key.len();
    let spaces = event.get(at..)?.iter().take_while(|byte| **byte == b' ').count();
    Some(at + spaces)
}

/// Where the letters of such a value begin, where it is a text.
fn string(event: &[u8], key: &[u8]) -> Option<usize> {
    let at = value(event, key)?;
    (event.get(at) == Some(&b'"')).then_some(at + 1)
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// How long a text is that ends with the next quote; none where something in it is escaped.
fn plain(bytes: &[u8]) -> Option<usize> {
    let end = bytes.iter().position(|byte| is_special(*byte))?;
    (bytes.get(end) == Some(&b'"')).then_some(end)
}

/// Whether JSON writes the text as it is.
fn is_plain(text: &str) -> bool {
    !text.bytes().any(is_special)
}

/// What does not stand in a text as it is: quotes, backslashes, control characters.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..0x20)
}

#[cfg(test)]
mod tests {
    use super::{Alike, Target};

    fn event(number: &str, text: &str, padding: &str) -> String {
        format!(
            r#"{{"type":"d","sequence_number":{number},"item_id":"m","delta":"{text}","logprobs":[],"obfuscation":"{padding}"}}"#
        )
    }

    fn learnt(from: &str, text: &str) -> Alike {
        let mut alike = Alike::default();
        alike.learn(from.as_bytes(), text, Target::Text(3));
        alike
    }

    #[test]
    fn only_what_differs_in_text_number_and_padding_is_alike() {
        let mut alike = Alike::default();
        assert!(alike.text(event("1", "a", "b").as_bytes()).is_none(), "nothing was learnt");
        alike = learnt(&event("1", "Hello", "abc"), "Hello");
        for (number, text, padding) in [("2", " wörld", "x"), ("1234", "", ""), ("3", "b", "abc")]
        {
            let event = event(number, text, padding);
            assert!(alike.text(event.as_bytes()) == Some((Target::Text(3), text)), "{event}");
        }
        let others = [
            event("2", r"a\n", "x"),
            event("2", r#"a\""#, "x"),
            event("2", "a", r#"\""#),
            event("", "a", "x"),
            event("-2", "a", "x"),
            event("2", "a", "x") + " ",
            event("2", "a", "x").replace("\"m\"", "\"n\""),
            event("2", "a", "x").replace("\"type\":\"d\"", "\"type\":\"e\""),
            event("2", "a", "x").replace("[]", "[1]"),
            event("2", "a\",\"more\":\"", "x"),
        ];
        for other in others {
            assert!(alike.text(other.as_bytes()).is_none(), "{other}");
        }
    }

    #[test]
    fn keys_may_stand_in_any_order_and_with_spaces() {
        let made = |number: u8, text: &str| {
            format!(r#"{{"delta": "{text}", "output_index": 0, "sequence_number": {number}}}"#)
        };
        let mut alike = learnt(&made(1, "a"), "a");
        assert!(alike.text(made(2, "bc").as_bytes()) == Some((Target::Text(3), "bc")));
        assert!(alike.text(made(2, "b").replace(" 0", " 1").as_bytes()).is_none());
    }

    #[test]
    fn ids_count_only_where_there_is_no_number() {
        let made = |id: &str| format!(r#"{{"item_id":"{id}","output_index":0,"delta":"a"}}"#);
        let mut alike = learnt(&made("one"), "a");
        assert!(alike.text(made("another").as_bytes()).is_some());
        for number in ["", "\"output_index\":null,"] {
            let made = |id: &str| format!(r#"{{"item_id":"{id}",{number}"delta":"a"}}"#);
            let mut alike = learnt(&made("one"), "a");
            assert!(alike.text(made("one").as_bytes()).is_some());
            assert!(alike.text(made("another").as_bytes()).is_none());
        }
    }

    #[test]
    fn what_cannot_be_told_apart_is_not_learnt() {
        let twice = r#"{"delta":"a","x":{"delta":"a"}}"#;
        assert!(learnt(twice, "a").text(twice.as_bytes()).is_none());
        let other = r#"{"delta":"b"}"#;
        assert!(learnt(other, "a").text(other.as_bytes()).is_none());
        // What is escaped brings nothing new, and what was learnt before holds.
        let mut alike = learnt(&event("1", "a", ""), "a");
        alike.learn(event("2", r"a\n", "").as_bytes(), "a\n", Target::Text(3));
        assert!(alike.text(event("3", "b", "").as_bytes()).is_some());
        alike.learn(event("2", r"a\n", "").as_bytes(), "a\n", Target::Text(4));
        assert!(alike.text(event("3", "b", "").as_bytes()).is_none());
    }
}
