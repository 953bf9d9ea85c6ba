//! [`Marks`]: texts that are one token each.

use std::collections::HashMap;

/// Texts that are one token each, wherever they stand.
#[derive(Default)]
pub(super) struct Marks {
    /// By the byte they begin with, the longest first.
    by_first: HashMap<u8, Vec<(Box<str>, u32)>>,
}

/// A part of a text.
pub(super) enum Part<'a> {
    Mark(u32),
    Text(&'a str),
}

impl Marks {
    pub(super) fn insert(&mut self, text: &str, id: u32) {
        let Some(first) = text.as_bytes().first() else { return };
        let all = self.by_first.entry(*first).or_default();
        if all.iter().any(|(known, _)| **known == *text) {
            return;
        }
        let at = all.partition_point(|(other, _)| other.len() >= text.len());
        all.insert(at, (text.into(), id));
    }

    pub(super) fn has(&self, text: &str) -> bool {
        self.at(text).is_some_and(|(mark, _)| mark == text)
    }

    /// How a mark is written; nothing where it is none.
    pub(super) fn text(&self, id: u32) -> &str {
        let mut all = self.by_first.values().flatten();
        all.find(|(_, of)| *of == id).map_or("", |(text, _)| text)
    }

    /// The mark that a text begins with.
    fn at(&self, text: &str) -> Option<(&str, u32)> {
        let all = self.by_first.get(text.as_bytes().first()?)?;
        let found = all.iter().find(|(mark, _)| text.starts_with(&**mark));
        found.map(|(mark, id)| (&**mark, *id))
    }

    /// Cuts a text at its marks.
    pub(super) fn split<'a>(&self, text: &'a str, mut each: impl FnMut(Part<'a>)) {
        let (mut begin, mut at) = (0, 0);
        let mut put = |range: std::ops::Range<usize>, mark: Option<u32>| {
            let text = text.get(range).unwrap_or_default();
            if !text.is_empty() {
                each(Part::Text(text));
            }
            mark.into_iter().for_each(|id| each(Part::Mark(id)));
        };
        while at < text.len() {
            match text.get(at..).and_then(|rest| self.at(rest)) {
                Some((mark, id)) => {
                    put(begin..at, Some(id));
                    at += mark.len();
                    begin = at;
                }
                None => at += 1,
            }
        }
        put(begin..text.len(), None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_mark_counts_and_nothing_is_lost() {
        let mut marks = Marks::default();
        for (text, id) in [("<|a", 1), ("<|a|>", 2), ("é|", 3), ("", 4)] {
            marks.insert(text, id);
        }
        let mut parts = Vec::new();
        marks.split("x<|a|>é|é<|a<|b", |part| {
            parts.push(match part {
                Part::Mark(id) => id.to_string(),
                Part::Text(text) => text.to_owned(),
            });
        });
        assert_eq!(parts, ["x", "2", "3", "é", "1", "<|b"]);
        assert!(marks.has("<|a") && !marks.has("<|a|"));
        assert_eq!((marks.text(3), marks.text(9)), ("é|", ""));
    }
}
