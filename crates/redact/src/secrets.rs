//! [`Secrets`]: texts that are looked for, in every spelling.

use std::{ops::Range, sync::OnceLock};

use crate::{
    MARK, cut,
    search::{LONG, Search},
};

/// Texts that are looked for, in every spelling.
pub struct Secrets {
    texts: Vec<String>,
    /// The length of the shortest. In no spelling is it shorter.
    least: usize,
    /// What looks for them, made when the first text comes that could have one in it.
    search: OnceLock<Search>,
}

impl Secrets {
    /// These. An empty text is none.
    pub fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let texts: Vec<_> =
            texts.into_iter().filter(|text| !text.is_empty()).map(str::to_owned).collect();
        let least = texts.iter().map(String::len).min().unwrap_or(usize::MAX);
        Self { texts, least, search: OnceLock::new() }
    }

    /// The text without the secrets, and in how many places they were; nothing if in none.
    pub fn clean(&self, text: &str) -> Option<(String, usize)> {
        without(text, &self.all_places(text))
    }

    /// The text without the secrets, on one line and not longer than `most` characters. What is cut is cut
    /// last: of a secret no part is left.
    pub fn line(&self, text: &str, most: usize) -> String {
        let cleaned = self.clean(text).map(|(cleaned, _)| cleaned);
        let text = cleaned.as_deref().unwrap_or(text);
        let words = text.split(|it: char| it.is_whitespace() || it.is_control());
        let line = words.filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ");
        match line.char_indices().nth(most) {
            Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
            None => line,
        }
    }

    /// Whether any of them is in the text.
    pub fn is_in(&self, text: &str) -> bool {
        !self.all_places(text).is_empty()
    }

    /// Where they are in a text that is all there: also what lies over several lines, and what a cut
    /// left.
    fn all_places(&self, text: &str) -> Vec<Range<usize>> {
        let (bytes, mut places) = (text.as_bytes(), self.places(text, None));
        // What is spread takes more room than what is not; only of what was cut less may be left.
        if bytes.len() >= self.least {
            self.search().spread(bytes, &mut places);
        }
        if bytes.len() >= self.least.min(LONG) && cut::is_in(bytes) {
            self.search().cut(bytes, &mut places);
        }
        joined(places, bytes)
    }

    /// Where they are, in order and apart from each other; and the beginning that is `covered` by one
    /// before the text, together with what touches it.
    pub(crate) fn places(&self, text: &str, covered: Option<usize>) -> Vec<Range<usize>> {
        let mut places: Vec<_> = covered.map(|end| 0..end).into_iter().collect();
        if text.len() >= self.least {
            self.search().places(text.as_bytes(), &mut places);
        }
        joined(places, text.as_bytes())
    }

    /// How much of a text is as it will be, whatever comes behind it: up to where one of them may have
    /// begun.
    pub(crate) fn settled(&self, text: &str) -> usize {
        if self.texts.is_empty() {
            return text.len();
        }
        let mut end = self.search().settled(text.as_bytes());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        end
    }

    fn search(&self) -> &Search {
        self.search.get_or_init(|| Search::new(&self.texts))
    }
}

/// The text without these places, and how many they are; nothing if there is none.
fn without(text: &str, places: &[Range<usize>]) -> Option<(String, usize)> {
    if places.is_empty() {
        return None;
    }
    let (mut cleaned, mut at) = (String::with_capacity(text.len()), 0);
    for place in places {
        cleaned.push_str(text.get(at..place.start).unwrap_or_default());
        cleaned.push_str(MARK);
        at = place.end;
    }
    cleaned.push_str(text.get(at..).unwrap_or_default());
    Some((cleaned, places.len()))
}

/// The places in order, those that touch made one, with the `=` that ends a text in Base64.
fn joined(mut places: Vec<Range<usize>>, bytes: &[u8]) -> Vec<Range<usize>> {
    places.sort_unstable_by_key(|place| (place.start, place.end));
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(places.len());
    for mut place in places {
        while bytes.get(place.end) == Some(&b'=') {
            place.end += 1;
        }
        match joined.last_mut() {
            Some(last) if place.start <= last.end => last.end = last.end.max(place.end),
            _ => joined.push(place),
        }
    }
    joined
}

#[cfg(test)]
mod tests;
