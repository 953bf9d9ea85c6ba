//! [`To`]: where a value goes.

use super::{Reader, out::Draft};
use crate::{
    KnownTools,
    value::{escape, quick::quick},
};

/// Where a value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    /// Into the arguments of the call that is being read.
    Arguments,
    /// Into the reader's scratch.
    Scratch,
    /// Nowhere.
    Nowhere,
}

impl Reader {
    /// Where a value goes, as text that grows.
    fn sink(&mut self, to: To) -> Option<&mut String> {
        match to {
            To::Arguments => self.out.draft.as_mut().map(Draft::room),
            To::Scratch => Some(&mut self.scratch),
            To::Nowhere => None,
        }
    }

    /// Puts a piece of JSON.
    pub(crate) fn put(&mut self, to: To, json: &str) {
        if let Some(sink) = self.sink(to) {
            sink.push_str(json);
        }
    }

    /// How long the value is so far.
    pub(crate) fn length(&mut self, to: To) -> usize {
        self.sink(to).map_or(0, |sink| sink.len())
    }

    /// Takes back all but the first bytes of the value.
    pub(crate) fn truncate(&mut self, to: To, length: usize) {
        if let Some(sink) = self.sink(to) {
            sink.truncate(length);
        }
    }

    /// Puts text into a string.
    pub(crate) fn put_text(&mut self, to: To, text: &str) {
        if let Some(sink) = self.sink(to) {
            escape::write(sink, text);
        }
    }

    /// Puts a letter into a string.
    pub(crate) fn put_letter(&mut self, to: To, letter: char) {
        if let Some(sink) = self.sink(to) {
            escape::letter_into(sink, letter);
        }
    }

    /// Reads a value that is all there and needs no care, and puts it. False, and nothing is read,
    /// where it does.
    pub(crate) fn copy_value(&mut self, to: To) -> bool {
        let before = self.length(to);
        let text = std::mem::take(&mut self.text);
        let rest = text.get(self.at..).unwrap_or_default();
        let read = quick(rest, |piece| self.put(to, piece));
        self.text = text;
        match read {
            Some(read) => self.at += read,
            None => self.truncate(to, before),
        }
        read.is_some()
    }

    /// Reads what is all there with `read`, which is given the text and where the arguments go, and says
    /// how much of it that is. Nothing is read, and nothing put, where it says nothing.
    pub(crate) fn swiftly<T>(
        &mut self,
        read: impl FnOnce(&str, &KnownTools, &mut String) -> Option<(T, usize)>,
    ) -> Option<T> {
        let draft = self.out.draft.as_mut()?;
        let before = draft.json.len();
        let rest = self.text.get(self.at..).unwrap_or_default();
        match read(rest, &self.tools, &mut draft.json) {
            Some((found, length)) => {
                self.at += length;
                Some(found)
            }
            None => {
                draft.json.truncate(before);
                None
            }
        }
    }

    /// Reads a string that is all there and the same in JSON, and puts it as it is.
    pub(crate) fn copy_string(&mut self, to: To) -> bool {
        let text = std::mem::take(&mut self.text);
        let rest = text.get(self.at..).unwrap_or_default();
        let special = |byte: u8| matches!(byte, b'"' | b'\\') || byte < b' ';
        let end = rest.bytes().skip(1).position(special).map(|at| at + 1);
        let plain = end.filter(|end| rest.as_bytes().get(*end) == Some(&b'"'));
        if let Some(end) = plain {
            self.put(to, rest.get(..=end).unwrap_or_default());
            self.at += end + 1;
        }
        self.text = text;
        plain.is_some()
    }

    /// Reads as far as the text goes, or to the first byte that needs care, and puts it as it is.
    pub(crate) fn copy(&mut self, to: To, special: impl Fn(u8) -> bool) {
        let text = std::mem::take(&mut self.text);
        let rest = text.get(self.at..).unwrap_or_default();
        let end = rest.bytes().position(special).unwrap_or(rest.len());
        self.put(to, rest.get(..end).unwrap_or_default());
        self.text = text;
        self.at += end;
    }
}
