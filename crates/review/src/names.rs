//! [`Name`]: words with capitals that seem to name somebody or something.
//!
//! Telling a name from a word that merely has a capital takes more than rules, and to take a good
//! answer for a bad one costs a round. So whatever is in doubt passes: a name is unsupported only
//! if none of its words stands in any source, not even shortened or joined.

use std::collections::HashSet;

use super::{Vocabulary, month::is_month, sources::Sources, unit, words};

/// Words with capitals that seem to name somebody or something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name<'t> {
    pub(super) text: &'t str,
    words: Vec<&'t str>,
    /// What it is called besides: `AAPL` in `Apple (AAPL)` and in `AAPL (Apple)`.
    alias: Option<&'t str>,
}

/// A word and its surroundings.
struct Word<'t> {
    /// Without signs around it, and without `'s`.
    core: &'t str,
    start: usize,
    /// Whether it opens a sentence, a quotation or brackets: a capital is due there anyway.
    first: bool,
    /// Whether something before it parts it from the word before.
    apart: bool,
    bracketed: bool,
}

/// Names in a line, in order.
pub(super) fn names<'t>(line: &'t str, vocabulary: &Vocabulary) -> Vec<Name<'t>> {
    let words = words_of(line);
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let length = words.get(at..).map_or(0, run);
        if length == 0 {
            at += 1;
            continue;
        }
        let run = words.get(at..at + length).unwrap_or_default();
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let alias = words
            .get(at + length)
            .filter(|it| it.bracketed)
            .or_else(|| before.filter(|_| word.bracketed))
            .map(|it| it.core);
        names.extend(name(line, run, alias, vocabulary));
        at += length;
    }
    names
}

/// How many words from the first on belong together: capitals, and what joins them.
fn run(words: &[Word<'_>]) -> usize {
    let mut length = 0;
    for (at, word) in words.iter().enumerate() {
        if at > 0 && word.apart {
            break;
        }
        if is_capital(word.core) {
            length = at + 1;
        } else if at == 0 || !is_joint(word.core) || length < at {
            break;
        }
    }
    length
}

/// The name a run of words is, if it seems to be one.
fn name<'t>(
    line: &'t str,
    run: &[Word<'t>],
    alias: Option<&'t str>,
    vocabulary: &Vocabulary,
) -> Option<Name<'t>> {
    let opens = run.first()?.first;
    // "Watch Moon": what opens a sentence and is no name is not part of one.
    let idle =
        |it: &Word<'_>| words::is_function(it.core) || (opens && vocabulary.is_common(it.core));
    let first = run.iter().position(|it| !idle(it))?;
    let run = run.get(first..)?;
    let start = run.first()?.start;
    let end = run.last().map(|it| it.start + it.core.len())?;
    let words: Vec<&str> = run.iter().map(|it| it.core).filter(|it| is_capital(it)).collect();
    // The first word of a sentence has its capital from there.
    let own = words.iter().skip(usize::from(opens && first == 0));
    let proper = own.into_iter().any(|it| is_proper(it, vocabulary));
    proper.then_some(Name { text: line.get(start..end)?, words, alias })
}

fn words_of(line: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let (mut first, mut apart) = (true, true);
    let mut from = 0;
    for raw in line.split_whitespace() {
        let at = line.get(from..).and_then(|rest| rest.find(raw)).map_or(from, |at| from + at);
        from = at + raw.len();
        let inner = raw.trim_start_matches(|c: char| !c.is_alphanumeric());
        let lead = raw.get(..raw.len() - inner.len()).unwrap_or_default();
        let core = inner.trim_end_matches(|c: char| !c.is_alphanumeric());
        let trail = inner.get(core.len()..).unwrap_or_default();
        let opened = lead.contains(['"', '“', '‘', '\'', '(', '[', '|', '—', '–', '-', ':', '«']);
        if core.is_empty() {
            // A dash, a bar, an emoji: what follows begins anew; `&` joins.
            apart |= lead != "&";
            first |= lead != "&";
            continue;
        }
        let own = core.strip_suffix("'s").or_else(|| core.strip_suffix("’s")).unwrap_or(core);
        words.push(Word {
            core: own,
            start: at + lead.len(),
            first: first || opened,
            apart: apart || opened,
            bracketed: lead.contains('('),
        });
        first = trail.contains(['.', '!', '?', ':', ';', '|', '…']) && !is_abbreviation(core);
        apart = first || own.len() < core.len() || trail.contains([',', ')', ']', '"', '”', '’']);
    }
    words
}

/// A word that begins with a capital and has no digit.
fn is_capital(word: &str) -> bool {
    let spelled =
        word.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-' | '.' | '&'));
    spelled
        && word.chars().nth(1).is_some()
        && word.starts_with(char::is_uppercase)
        && !is_month(word)
        && !words::is_weekday(word)
}

/// Whether a word with a capital is likely to name something.
fn is_proper(word: &str, vocabulary: &Vocabulary) -> bool {
    let is_plain = |word: &str| {
        let singular = word.strip_suffix('s').unwrap_or(word);
        [word, singular].into_iter().any(|it| vocabulary.is_common(it))
            || unit::named(word).is_some()
    };
    !is_acronym(word) && !is_plain(word) && !word.split('-').all(is_plain)
}

/// A short word in capitals: mostly an abbreviation that everybody knows.
fn is_acronym(word: &str) -> bool {
    const MOST: usize = 5;
    word.chars().count() <= MOST && !word.chars().any(char::is_lowercase)
}

/// Small words inside a name: `Bank of America`.
fn is_joint(word: &str) -> bool {
    matches!(
        word,
        "of" | "de" | "la" | "van" | "von" | "der" | "du" | "da" | "di" | "el" | "al" | "bin"
    )
}

fn is_abbreviation(word: &str) -> bool {
    matches!(word, "Inc" | "Ltd" | "Co" | "Corp" | "Mr" | "Mrs" | "Ms" | "Dr" | "St" | "Jr" | "Sr")
}

/// The names of an answer that no source knows. `introduced` are words that stood beside a known
/// name before.
pub(super) fn unknown<'t>(
    names: Vec<Name<'t>>,
    sources: &Sources,
    introduced: &mut HashSet<String>,
) -> Vec<Name<'t>> {
    let mut unknown = Vec::new();
    for name in names {
        let lower: Vec<String> = name.words.iter().map(|it| it.to_lowercase()).collect();
        if name.alias.is_some_and(|alias| sources.lexicon.has(&alias.to_lowercase())) {
            introduced.extend(lower);
        } else if !lower.iter().any(|it| introduced.contains(it)) && !sources.know(&lower) {
            unknown.push(name);
        }
    }
    unknown
}

impl Sources {
    /// Whether any word of a name stands in a source, also joined with others (`BANKNIFTY`), in
    /// another form (`India`, `Indian`), or as an abbreviation (`NSE`, `TSLA`).
    fn know(&self, words: &[String]) -> bool {
        let pieces = words.iter().flat_map(|word| word.split(['-', '\'', '’', '.', '&']));
        let pieces: Vec<&str> = pieces.filter(|it| it.chars().nth(1).is_some()).collect();
        let joined = pieces.windows(2).map(<[&str]>::concat);
        let initials: String = words.iter().filter_map(|it| it.chars().next()).collect();
        pieces.iter().any(|it| self.knows_word(it))
            || joined.into_iter().any(|it| self.lexicon.has(&it))
            || (words.len() > 1 && self.lexicon.has(&initials))
            || self.lexicon.tickers().any(|ticker| shortens(ticker, &pieces.concat()))
    }

    /// Whether a word, or a beginning of it that is long enough to tell, stands in a source.
    pub(super) fn knows_word(&self, word: &str) -> bool {
        const TELLING: usize = 4;
        let cuts = word.char_indices().skip(TELLING).map(|(at, _)| at).chain([word.len()]);
        let mut beginnings = cuts.filter_map(|at| word.get(..at));
        beginnings.any(|it| !words::is_function(it) && self.lexicon.has(it))
    }
}

/// Whether the letters of `short` stand in `long` in that order, beginning with its first.
fn shortens(short: &str, long: &str) -> bool {
    let mut letters = long.chars();
    let mut last = None;
    short.chars().enumerate().all(|(at, wanted)| {
        // `AAPL` doubles a letter that the name has once.
        if last.replace(wanted) == Some(wanted) {
            return true;
        }
        if at == 0 { letters.next() == Some(wanted) } else { letters.any(|it| it == wanted) }
    })
}
