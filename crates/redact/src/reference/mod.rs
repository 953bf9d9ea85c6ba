//! [`Secrets`]: the search as it was before the sieve, plain and slow, to hold the real one against: each
//! spelling looked for by itself, in every view of the text.

use std::{ops::Range, sync::OnceLock};

use memchr::memmem::Finder;

use self::view::View;
use crate::{MARK, cut, dump::Digits};

pub(crate) mod spelled;
mod spelling;
#[cfg(test)]
mod tests;
mod view;

/// Texts that are looked for, each by itself.
pub(crate) struct Secrets {
    texts: Vec<String>,
    /// The length of the shortest. In no spelling is it shorter.
    least: usize,
    /// What looks for them, made when the first text comes that could have one in it.
    search: OnceLock<Search>,
}

struct Search {
    /// As they are. Short ones are looked for only so: in other spellings they would be found in
    /// anything.
    short: Vec<Finder<'static>>,
    /// As they are, and in Base64. They are looked for in decoded texts, too.
    long: Vec<Finder<'static>>,
    /// In Base64 and in hexadecimal digits, where that is so long that no words read the same.
    encoded: Vec<Finder<'static>>,
}

/// From this length on a secret is looked for in every spelling.
const LONG: usize = 6;
/// From this length on an encoded secret is also looked for without the spaces and lines between it.
const ENCODED: usize = 12;
/// JSON in JSON in JSON is as deep as anybody goes.
const DEEP: usize = 3;

impl Secrets {
    /// These. An empty text is none.
    pub(crate) fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let texts: Vec<_> =
            texts.into_iter().filter(|text| !text.is_empty()).map(str::to_owned).collect();
        let least = texts.iter().map(String::len).min().unwrap_or(usize::MAX);
        Self { texts, least, search: OnceLock::new() }
    }

    /// The text without the secrets, and in how many places they were; nothing if in none.
    pub(crate) fn clean(&self, text: &str) -> Option<(String, usize)> {
        without(text, &self.all_places(text))
    }

    /// Whether any of them is in the text.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        !self.all_places(text).is_empty()
    }

    /// Where they are in a text that is all there: also what lies over several lines, and what a cut
    /// left.
    fn all_places(&self, text: &str) -> Vec<Range<usize>> {
        let mut places = self.places(text, None);
        if text.len() >= self.least.min(LONG) {
            self.search().spread(text.as_bytes(), &mut places);
        }
        joined(places, text.as_bytes())
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

impl Search {
    fn new(texts: &[String]) -> Self {
        let (mut short, mut long, mut encoded) = (Vec::new(), Vec::new(), Vec::new());
        let finder = |text: &[u8]| Finder::new(text).into_owned();
        for text in texts {
            if text.chars().count() < LONG {
                short.push(finder(text.as_bytes()));
                continue;
            }
            long.push(finder(text.as_bytes()));
            // An address that was put together by a form has `+` for a space.
            if text.contains(' ') {
                long.push(finder(text.replace(' ', "+").as_bytes()));
            }
            let mut spelled = spelling::base64(text.as_bytes());
            spelled.extend(spelling::hex(text.as_bytes()));
            long.extend(spelled.iter().filter(|it| it.len() >= LONG).map(|it| finder(it)));
            encoded.extend(spelled.iter().filter(|it| it.len() >= ENCODED).map(|it| finder(it)));
            long.push(finder(text.chars().rev().collect::<String>().as_bytes()));
        }
        Self { short, long, encoded }
    }

    fn places(&self, bytes: &[u8], places: &mut Vec<Range<usize>>) {
        find(&self.short, bytes, |place| places.push(place));
        find(&self.long, bytes, |place| places.push(place));
        for view in self.views(bytes) {
            find(&self.long, &view.bytes, |place| places.extend(view.place(&place)));
        }
    }

    /// What is spread over lines, and what is left where the text was cut.
    fn spread(&self, bytes: &[u8], places: &mut Vec<Range<usize>>) {
        cut::places(&self.long.iter().map(Finder::needle), bytes, LONG, |place| places.push(place));
        if self.encoded.is_empty() || !bytes.iter().any(u8::is_ascii_whitespace) {
            return;
        }
        for digits in [Digits::wrapped(bytes), Digits::dumped(bytes)] {
            find(&self.encoded, &digits.bytes, |part| places.extend(digits.place(bytes, &part)));
        }
    }

    /// The text as it reads decoded, in every way it may have been encoded.
    fn views(&self, bytes: &[u8]) -> Vec<View> {
        let mut views: Vec<View> = Vec::new();
        if self.long.is_empty() {
            return views;
        }
        for _ in 0..DEEP {
            let outer = views.last();
            let text = outer.map_or(bytes, |view| &view.bytes);
            if memchr::memchr(b'\\', text).is_none() {
                break;
            }
            views.push(outer.map_or_else(|| View::unescaped(bytes), View::unescaped_again));
        }
        if memchr::memchr(b'%', bytes).is_some() {
            views.push(View::unquoted(bytes));
        }
        views
    }

    fn settled(&self, bytes: &[u8]) -> usize {
        let views = self.views(bytes);
        let mut end = begun(&self.short, bytes).min(begun(&self.long, bytes));
        for view in &views {
            end = end.min(view.start(begun(&self.long, view.sure())));
        }
        // Cut where every view has a letter of its own begin: the rest then reads as it did.
        loop {
            let before = end;
            end = views.iter().fold(end, |end, view| view.boundary(end));
            if end == before {
                return end;
            }
        }
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

/// Where the longest end of a text is that one of these begins with; where the text ends if none is.
fn begun(finders: &[Finder<'_>], bytes: &[u8]) -> usize {
    let begins = |finder: &Finder<'_>| {
        let needle = finder.needle();
        let from = (bytes.len() + 1).saturating_sub(needle.len());
        let first = needle.first().copied().unwrap_or_default();
        let tail = bytes.get(from..).unwrap_or_default();
        let found = memchr::memchr_iter(first, tail).map(|at| from + at);
        found.into_iter().find(|at| bytes.get(*at..).is_some_and(|end| needle.starts_with(end)))
    };
    finders.iter().filter_map(begins).min().unwrap_or(bytes.len())
}

/// Finds every place, those that overlap made one: of `abab` in `ababab` nothing may be left.
fn find(finders: &[Finder<'_>], bytes: &[u8], mut found: impl FnMut(Range<usize>)) {
    for finder in finders {
        let length = finder.needle().len();
        let mut open: Option<Range<usize>> = None;
        let mut from = 0;
        while let Some(at) = bytes.get(from..).and_then(|rest| finder.find(rest)) {
            let at = from + at;
            match &mut open {
                Some(place) if at <= place.end => place.end = at + length,
                other => other.replace(at..at + length).into_iter().for_each(&mut found),
            }
            from = at + 1;
        }
        open.into_iter().for_each(&mut found);
    }
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
