//! [`Query`]: words to search for, and the one way in which text is cut into words.
//!
//! The databases' own ways differ, and then the same search would find different things. So text
//! is cut here, once, and both index the words as they are. Whoever changes what a word is has to
//! build the index anew (a migration), or deleting would leave words behind.

use std::ops::Range;

use crate::StoreError;

/// How much of a message is searched, in bytes; results can be megabytes.
const SEARCHED: usize = 32 * 1024;
/// Longer words are cut, in characters.
const WORD: usize = 48;
/// How much is shown around a match, in characters on either side.
const AROUND: usize = 70;
/// As much of a word is shown.
const LONGEST_WORD: usize = 100;
/// How long a title of somebody's own may be, in characters.
const TITLE: usize = 200;
/// More words than this narrow nothing down.
const MOST: usize = 16;

/// The words of a text, in one case, separated by blanks; nothing where there are none.
pub(crate) fn indexed(text: &str) -> Option<String> {
    let mut words = String::new();
    for (_, word) in spans(upto(text, SEARCHED)) {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(&word);
    }
    (!words.is_empty()).then_some(words)
}

/// Each word with its place in the text.
fn spans(text: &str) -> impl Iterator<Item = (Range<usize>, String)> {
    let mut rest = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while rest.next_if(|(_, c)| !c.is_alphanumeric()).is_some() {}
        let (start, first) = rest.next()?;
        let (mut end, mut letters) = (start + first.len_utf8(), 1);
        let mut word: String = first.to_lowercase().collect();
        // Scripts without blanks have no words to find: each character is one.
        if !is_whole(first) {
            while let Some((at, c)) = rest.next_if(|(_, c)| c.is_alphanumeric() && !is_whole(*c)) {
                end = at + c.len_utf8();
                if letters < WORD {
                    word.extend(c.to_lowercase());
                }
                letters += 1;
            }
        }
        Some((start..end, word))
    })
}

fn is_whole(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn upto(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    text.get(..end.unwrap_or_default()).unwrap_or_default()
}

/// Words to search for. A text fits when each begins one of its words.
#[derive(Clone, Debug)]
pub(crate) struct Query(Vec<String>);

impl Query {
    /// Nothing where there is no word.
    pub(crate) fn new(words: &str) -> Option<Self> {
        let words: Vec<_> = spans(upto(words, SEARCHED)).map(|(_, word)| word).take(MOST).collect();
        (!words.is_empty()).then_some(Self(words))
    }

    /// The words as both databases write prefixes, joined by what each calls "and". A word holds
    /// letters and digits only, so there is nothing to escape.
    pub(crate) fn prefixes(&self, quote: &str, mark: &str, and: &str) -> String {
        let words = self.0.iter().map(|word| format!("{quote}{word}{quote}{mark}"));
        words.collect::<Vec<_>>().join(and)
    }

    /// The first match in its surroundings, on one line, and where in that line it stands.
    pub(crate) fn snippet(&self, text: &str) -> (String, Range<usize>) {
        let fits = |word: &str| self.0.iter().any(|wanted| word.starts_with(wanted.as_str()));
        let found = spans(text).find(|(_, word)| fits(word)).map_or(0..0, |(span, _)| span);
        let (before, rest) = text.split_at_checked(found.start).unwrap_or(("", text));
        // A word may be as long as a message.
        let long = rest.char_indices().nth(LONGEST_WORD).map_or(rest.len(), |(at, _)| at);
        let (matched, after) = rest.split_at_checked(found.len().min(long)).unwrap_or(("", rest));
        let cut = before.char_indices().rev().nth(AROUND).map(|(at, _)| at);
        let mut snippet = String::new();
        if cut.is_some() {
            snippet.push('…');
        }
        flatten(&mut snippet, before.get(cut.unwrap_or(0)..).unwrap_or_default());
        let start = snippet.len();
        flatten(&mut snippet, matched);
        let end = snippet.len();
        let cut = after.char_indices().nth(AROUND).map(|(at, _)| at);
        flatten(&mut snippet, after.get(..cut.unwrap_or(after.len())).unwrap_or_default());
        snippet.truncate(snippet.trim_end().len().max(end));
        if cut.is_some() {
            snippet.push('…');
        }
        (snippet, start..end)
    }
}

/// Blanks, line ends and control characters become one blank, none at the beginning.
fn flatten(out: &mut String, text: &str) {
    for c in text.chars() {
        if !(c.is_whitespace() || c.is_control()) {
            out.push(c);
        } else if !(out.is_empty() || out.ends_with([' ', '…'])) {
            out.push(' ');
        }
    }
}

/// The beginning of a text, on one line.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    let mut line = String::new();
    flatten(&mut line, upto(text, most * 8));
    line.truncate(line.trim_end().len());
    match line.char_indices().nth(most) {
        Some((at, _)) => {
            line.truncate(at);
            line.truncate(line.trim_end().len());
            line + "…"
        }
        None => line,
    }
}

/// A title of somebody's own, on one line.
pub(crate) fn title(text: &str) -> Result<String, StoreError> {
    let mut line = String::new();
    flatten(&mut line, text);
    line.truncate(line.trim_end().len());
    match line.chars().count() {
        1..=TITLE => Ok(line),
        found => Err(StoreError::Title { most: TITLE, found }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_letters_and_digits_in_one_case() {
        assert_eq!(
            indexed("The NIFTY-50, at 24.5k:\n«Größe»"),
            words("the nifty 50 at 24 5k größe")
        );
        assert_eq!(indexed("東京 tower"), words("東 京 tower"));
        assert_eq!(indexed(" -- \0\n"), None);
        assert_eq!(indexed(&"x".repeat(500)), words(&"x".repeat(WORD)));
        assert!(indexed(&"ä ".repeat(SEARCHED)).is_some_and(|it| it.len() <= SEARCHED));
    }

    fn words(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn a_match_is_shown_in_its_surroundings() {
        let query = Query::new("nif").expect("a word");
        let text = format!("{} the\n\n NIFTY closed {}", "before ".repeat(30), "after ".repeat(30));
        let (snippet, at) = query.snippet(&text);
        assert_eq!(&snippet[at], "NIFTY");
        assert!(snippet.starts_with('…') && snippet.ends_with('…'), "{snippet}");
        assert!(snippet.contains("before the NIFTY closed after"), "{snippet}");
        assert_eq!(query.snippet("nifty"), ("nifty".to_owned(), 0..5));
        assert_eq!(query.snippet("nothing here").1, 0..0);
        // A word of a message's length is one that somebody made to be found.
        let (long, at) = query.snippet(&format!("nif{}", "ty".repeat(1_000_000)));
        assert!(long.len() < 500 && at.len() <= LONGEST_WORD, "{} {at:?}", long.len());
    }

    #[test]
    fn a_title_is_one_short_line() {
        assert_eq!(shortened("  How\n is \0 it? ", 80), "How is it?");
        assert_eq!(shortened("one two three", 7), "one two…");
        assert_eq!(shortened(&"ü".repeat(90), 80), "ü".repeat(80) + "…");
    }
}
