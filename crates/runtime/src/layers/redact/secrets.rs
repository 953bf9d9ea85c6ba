//! [`Secrets`]: texts that are looked for, in every spelling.

use std::{ops::Range, sync::OnceLock};

use memchr::memmem::Finder;

use super::{MARK, spelling, view::View};

/// Texts that are looked for, in every spelling.
pub(super) struct Secrets {
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
}

/// From this length on a secret is looked for in every spelling.
const LONG: usize = 6;
/// JSON in JSON in JSON is as deep as anybody goes.
const DEEP: usize = 3;

impl Secrets {
    pub(super) fn new<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let texts: Vec<_> = texts.filter(|text| !text.is_empty()).map(str::to_owned).collect();
        let least = texts.iter().map(String::len).min().unwrap_or(usize::MAX);
        Self { texts, least, search: OnceLock::new() }
    }

    /// The text without the secrets, and in how many places they were; nothing if in none.
    pub(super) fn clean(&self, text: &str) -> Option<(String, usize)> {
        let places = self.places(text);
        if places.is_empty() {
            return None;
        }
        let (mut cleaned, mut at) = (String::with_capacity(text.len()), 0);
        for place in &places {
            cleaned.push_str(text.get(at..place.start).unwrap_or_default());
            cleaned.push_str(MARK);
            at = place.end;
        }
        cleaned.push_str(text.get(at..).unwrap_or_default());
        Some((cleaned, places.len()))
    }

    /// Whether any of them is in the text.
    pub(super) fn is_in(&self, text: &str) -> bool {
        !self.places(text).is_empty()
    }

    /// Where they are, in order and apart from each other.
    fn places(&self, text: &str) -> Vec<Range<usize>> {
        if text.len() < self.least {
            return Vec::new();
        }
        self.search.get_or_init(|| Search::new(&self.texts)).places(text.as_bytes())
    }
}

impl Search {
    fn new(texts: &[String]) -> Self {
        let (mut short, mut long) = (Vec::new(), Vec::new());
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
            let encoded = spelling::base64(text.as_bytes());
            long.extend(encoded.iter().filter(|it| it.len() >= LONG).map(|it| finder(it)));
        }
        Self { short, long }
    }

    fn places(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        find(&self.short, bytes, |place| places.push(place));
        find(&self.long, bytes, |place| places.push(place));
        if !self.long.is_empty() {
            self.in_escapes(bytes, &mut places);
            if memchr::memchr(b'%', bytes).is_some() {
                self.in_view(&View::unquoted(bytes), &mut places);
            }
        }
        joined(places, bytes)
    }

    fn in_escapes(&self, bytes: &[u8], places: &mut Vec<Range<usize>>) {
        let mut view: Option<View> = None;
        for _ in 0..DEEP {
            let outer = view.as_ref().map_or(bytes, |view| &view.bytes);
            if memchr::memchr(b'\\', outer).is_none() {
                return;
            }
            let inner = View::unescaped(outer);
            let inner = match &view {
                Some(outer) => inner.through(outer),
                None => inner,
            };
            self.in_view(&inner, places);
            view = Some(inner);
        }
    }

    fn in_view(&self, view: &View, places: &mut Vec<Range<usize>>) {
        find(&self.long, &view.bytes, |place| places.extend(view.place(&place)));
    }
}

fn find(finders: &[Finder<'_>], bytes: &[u8], mut found: impl FnMut(Range<usize>)) {
    for finder in finders {
        let length = finder.needle().len();
        finder.find_iter(bytes).for_each(|at| found(at..at + length));
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
