//! [`Search`]: what looks for secrets in every spelling.

use std::{ops::Range, sync::OnceLock};

use memchr::memmem::Finder;

use crate::{
    cut,
    dump::{self, Digits},
    head::Heads,
    sieve::Sieve,
    spelling,
    view::{self, View},
};

/// What looks for secrets in every spelling.
///
/// In nearly every text there is none, and a [`Sieve`] for all of them together sees that. Only where it
/// does not, each is looked for, and what tells where it stood is put together.
pub(crate) struct Search {
    /// As they are. Short ones are looked for only so: in other spellings they would be found in
    /// anything.
    short: Vec<Finder<'static>>,
    /// As they are, and in Base64. They are looked for in decoded texts, too.
    long: Vec<Needle>,
    /// For all the long ones, also in a text decoded.
    sieve: Sieve,
    /// What looks for each of the long ones, made when one may be there.
    finders: OnceLock<Vec<Finder<'static>>>,
    /// What short and long ones begin with.
    heads: Heads,
}

struct Needle {
    bytes: Vec<u8>,
    /// Whether it is in Base64 or in hexadecimal digits, and so long that no words read the same.
    is_encoded: bool,
}

/// From this length on a secret is looked for in every spelling.
pub(crate) const LONG: usize = 6;
/// From this length on an encoded secret is also looked for without the spaces and lines between it.
const ENCODED: usize = 12;
/// JSON in JSON in JSON is as deep as anybody goes.
const DEEP: usize = 3;

impl Search {
    pub(crate) fn new(texts: &[String]) -> Self {
        let (mut short, mut long) = (Vec::new(), Vec::new());
        let plain = |text: String| Needle { bytes: text.into_bytes(), is_encoded: false };
        for text in texts {
            if text.chars().count() < LONG {
                short.push(Finder::new(text.as_bytes()).into_owned());
                continue;
            }
            long.push(plain(text.clone()));
            // An address that was put together by a form has `+` for a space.
            if text.contains(' ') {
                long.push(plain(text.replace(' ', "+")));
            }
            let spelled = spelling::base64(text.as_bytes()).into_iter();
            let spelled =
                spelled.chain(spelling::hex(text.as_bytes())).filter(|it| it.len() >= LONG);
            long.extend(spelled.map(|bytes| Needle { is_encoded: bytes.len() >= ENCODED, bytes }));
            long.push(plain(text.chars().rev().collect()));
        }
        let all = || long.iter().map(|it| it.bytes.as_slice());
        let heads = Heads::new(short.iter().map(Finder::needle).chain(all()));
        Self { sieve: Sieve::new(all()), heads, short, long, finders: OnceLock::new() }
    }

    /// Where they are, in whatever order.
    pub(crate) fn places(&self, bytes: &[u8], places: &mut Vec<Range<usize>>) {
        find(self.short.iter(), bytes, |place| places.push(place));
        if self.sieve.passes(bytes) {
            find(self.finders().iter(), bytes, |place| places.push(place));
        }
        if self.passes_decoded(bytes) {
            for view in self.views(bytes) {
                let found = |place: Range<usize>| places.extend(view.place(&place));
                find(self.finders().iter(), &view.bytes, found);
            }
        }
    }

    /// What is spread over lines.
    pub(crate) fn spread(&self, bytes: &[u8], places: &mut Vec<Range<usize>>) {
        if self.long.is_empty() || !dump::has_spaces(bytes) {
            return;
        }
        let encoded = || {
            let all = self.finders().iter().zip(&self.long);
            all.filter(|(_, needle)| needle.is_encoded).map(|(finder, _)| finder)
        };
        if self.sieve.passes(&dump::unwrapped(bytes)) {
            let digits = Digits::wrapped(bytes);
            find(encoded(), &digits.bytes, |part| places.extend(digits.place(bytes, &part)));
        }
        if !dump::is_in(bytes) {
            return;
        }
        let digits = Digits::dumped(bytes);
        if self.sieve.passes(&digits.bytes) {
            find(encoded(), &digits.bytes, |part| places.extend(digits.place(bytes, &part)));
        }
    }

    /// What is left where the text was cut.
    pub(crate) fn cut(&self, bytes: &[u8], places: &mut Vec<Range<usize>>) {
        let needles = self.long.iter().map(|it| it.bytes.as_slice());
        cut::places(&needles, bytes, LONG, |place| places.push(place));
    }

    /// How much of a text is as it will be, whatever comes behind it.
    pub(crate) fn settled(&self, bytes: &[u8]) -> usize {
        let short = || self.short.iter().map(Finder::needle);
        let long = || self.long.iter().map(|it| it.bytes.as_slice());
        let mut end = self.heads.begun(&short().chain(long()), bytes);
        let views = self.views(bytes);
        for view in &views {
            end = end.min(view.start(self.heads.begun(&long(), view.sure())));
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

    /// Whether one may be in any of the [views](Self::views).
    fn passes_decoded(&self, bytes: &[u8]) -> bool {
        if self.long.is_empty() {
            return false;
        }
        let mut decoded: Option<Vec<u8>> = None;
        for _ in 0..DEEP {
            let text = decoded.as_deref().unwrap_or(bytes);
            if memchr::memchr(b'\\', text).is_none() {
                break;
            }
            let inner = view::unescaped(text);
            if self.sieve.passes(&inner) {
                return true;
            }
            decoded = Some(inner);
        }
        memchr::memchr(b'%', bytes).is_some() && self.sieve.passes(&view::unquoted(bytes))
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

    fn finders(&self) -> &[Finder<'static>] {
        let finder = |needle: &Needle| Finder::new(&needle.bytes).into_owned();
        self.finders.get_or_init(|| self.long.iter().map(finder).collect())
    }
}

/// Finds every place, those that overlap made one: of `abab` in `ababab` nothing may be left.
fn find<'a>(
    finders: impl Iterator<Item = &'a Finder<'static>>,
    bytes: &[u8],
    mut found: impl FnMut(Range<usize>),
) {
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
