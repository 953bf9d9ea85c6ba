//! [`Deeds`]: the sentences of an answer that say that the model did something.
//!
//! Only English is understood. What is proposed ("I can update it"), denied ("nothing was updated"), told of others
//! ("the team has updated it") or of the past ("I updated it before"), quoted, or stands in a block is no deed of the
//! model's. An answer that admits anywhere that something did not work admits it for all of its sentences.

use super::{
    regret::sentences,
    words::{self, is_listed},
};

/// How a sentence says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// "I've updated it": the model says that it changed something.
    Changed,
    /// "Done." at the beginning: what was asked for.
    Done,
    /// "Updated the file." at the beginning, "it has been updated", "`a` is now `b`": nobody is named.
    Unnamed,
    /// "I ran the tests."
    Ran,
    /// "I searched the web."
    Looked,
}

/// A sentence that says that something was done.
pub(super) struct Deed<'a> {
    pub(super) sentence: &'a str,
    pub(super) said: Said,
    /// The word for what was done; empty where there is none.
    pub(super) verb: String,
}

/// What an answer says that the model did.
#[derive(Default)]
pub(super) struct Deeds<'a> {
    pub(super) all: Vec<Deed<'a>>,
    /// Whether the answer itself has a block in it: what it speaks of may stand there.
    pub(super) shows: bool,
    /// Whether it lists something, or leads to what follows.
    pub(super) lists: bool,
    /// Whether there is no room in it for what it speaks of.
    pub(super) is_brief: bool,
}

impl<'a> Deeds<'a> {
    /// Reads an answer.
    pub(super) fn of(answer: &'a str) -> Self {
        let mut deeds = Self::default();
        let mut fenced = false;
        let mut first = true;
        let mut lines = Vec::new();
        for line in answer.lines().map(str::trim) {
            if line.starts_with("```") || line.starts_with("~~~") {
                fenced = !fenced;
                deeds.shows = true;
            } else if line.starts_with(['>', '|']) {
                deeds.shows = true;
            } else if !fenced && !line.is_empty() {
                let is_item =
                    ["- ", "* ", "• ", "1. ", "1) "].iter().any(|it| line.starts_with(it));
                deeds.lists |= is_item || line.trim_end_matches(['*', '_']).ends_with(':');
                lines.push(line);
            }
        }
        deeds.is_brief = answer.split_whitespace().nth(BRIEF).is_none();
        let is_short = answer.split_whitespace().nth(SHORT).is_none();
        let is_foreign = !is_short && !words::is_english(lines.iter().copied());
        if is_foreign || lines.iter().any(|it| is_letter(it)) {
            return deeds;
        }
        for sentence in lines.into_iter().flat_map(sentences) {
            let words = Words::of(sentence);
            if words.admits() {
                deeds.all.clear();
                return deeds;
            }
            // A question claims nothing.
            let said = if sentence.ends_with('?') { None } else { words.said(first) };
            deeds.all.extend(said.map(|(said, verb)| Deed { sentence, said, verb }));
            // What only leads on ("Sure thing!") is not what an answer begins with.
            first = first && words.0.len() <= LEAD;
        }
        deeds
    }
}

/// An answer of so many words may be in English without a word that only English has.
const SHORT: usize = 6;
/// An answer of more words may have a text in it that somebody wanted.
const BRIEF: usize = 40;
/// A sentence of so many words only leads to what is said.
const LEAD: usize = 3;

/// The line of a letter: whoever speaks in it is not the model.
fn is_letter(line: &str) -> bool {
    let lower = line.trim_matches(['*', '_', ' ']).to_lowercase();
    let begins = ["dear ", "subject:", "subject line"].iter().any(|it| lower.starts_with(it));
    begins || ["regards,", "sincerely,", "cheers,", "best,"].iter().any(|it| lower.ends_with(it))
}

/// The words of a sentence in lower case, with [`VALUE`] for what is quoted, and signs that part clauses by themselves.
struct Words(Vec<String>);

/// Stands for code and quotations.
const VALUE: &str = "`";

impl Words {
    fn of(sentence: &str) -> Self {
        let plain = sentence.to_lowercase().replace('’', "'").replace(['“', '”'], "\"");
        let mut words = Vec::new();
        let mut closing = None;
        let mut word = String::new();
        for c in plain.chars() {
            match closing {
                Some(end) if c == end => closing = None,
                Some(_) => {}
                None if matches!(c, '`' | '"') => {
                    closing = Some(c);
                    words.push(std::mem::take(&mut word));
                    words.push(VALUE.to_owned());
                }
                None if c.is_alphanumeric() || matches!(c, '\'' | '/' | '.' | '_' | '-') => {
                    word.push(c);
                }
                None => {
                    words.push(std::mem::take(&mut word));
                    words.extend(matches!(c, ':' | ',' | ';' | '—' | '–').then(|| c.to_string()));
                }
            }
        }
        words.push(word);
        let bare = |it: String| it.trim_matches(['.', '\'', '-', '_', '/']).to_owned();
        Self(words.into_iter().map(bare).filter(|it| !it.is_empty()).collect())
    }

    fn at(&self, at: usize) -> &str {
        self.0.get(at).map_or("", String::as_str)
    }

    fn has(&self, list: &str) -> bool {
        has_any(&self.0, list)
    }

    /// Whether it says that something did not work, or was not done.
    fn admits(&self) -> bool {
        let denies = self.0.iter().any(|it| it == "not" || it.ends_with("n't"));
        self.has(ADMITTING) || (denies && (self.has(CHANGED) || self.has(CHANGES) || self.has(RAN)))
    }

    /// How it says that something was done, and with which word; `first` where it begins the answer.
    fn said(&self, first: bool) -> Option<(Said, String)> {
        let lately =
            |it: &[String]| matches!(it, [last, of] if last == "last" && is_listed(of, TIMES));
        if self.has(PAST) || self.0.windows(2).any(lately) {
            return None;
        }
        let own = (0..self.0.len()).find_map(|at| self.own(at));
        let head = || first.then(|| self.head()).flatten();
        own.or_else(head).or_else(|| self.passive())
    }

    /// "I've just updated": the word behind `I` and what may stand between.
    fn own(&self, at: usize) -> Option<(Said, String)> {
        if !matches!(self.at(at), "i" | "i've") {
            return None;
        }
        let before = self.0.get(..at).unwrap_or_default();
        let close = before.get(at.saturating_sub(2)..).unwrap_or_default();
        if has_any(before, SUPPOSING) || has_any(close, CONDITIONS) {
            return None;
        }
        let next = (at + 1..).find(|it| !is_listed(self.at(*it), BETWEEN))?;
        let verb = self.at(next);
        let rest = self.0.get(next + 1..).unwrap_or_default();
        let near = rest.get(..NEAR).unwrap_or(rest);
        if has_any(near, "no none neither nor zero") {
            return None;
        }
        let said = match verb {
            "made" => has_any(near, CHANGES).then_some(Said::Changed),
            // Figures are added, too.
            "added" if has_any(near, FIGURES) || starts_with_digit(rest) => None,
            _ if is_listed(verb, CHANGED) => Some(Said::Changed),
            _ if is_listed(verb, RAN) => Some(Said::Ran),
            _ if is_listed(verb, LOOKED) => Some(Said::Looked),
            _ => None,
        };
        said.map(|said| (said, verb.to_owned()))
    }

    /// "Done.", "Updated the file.", "Noted: milk".
    fn head(&self) -> Option<(Said, String)> {
        let at = (0..).find(|it| !is_listed(self.at(*it), LEADS))?;
        let (word, next) = (self.at(at), self.at(at + 1));
        if word == "done" && !next.starts_with(char::is_alphanumeric) {
            return Some((Said::Done, String::new()));
        }
        let is_head = match word {
            "noted" => next == ":",
            // It may as well tell somebody what to do.
            "set" | "reset" => false,
            _ => is_listed(next, OBJECTS) || next.contains(['/', '.']),
        };
        (is_listed(word, CHANGED) && is_head).then(|| (Said::Unnamed, word.to_owned()))
    }

    /// "has been updated", "is now set", "is now `45`".
    fn passive(&self) -> Option<(Said, String)> {
        if self.has(SUPPOSING) || self.has(CONDITIONS) || self.has("by no none") {
            return None;
        }
        (0..self.0.len()).find_map(|at| {
            let is_now = match (self.at(at), self.at(at + 1)) {
                ("has" | "have", "been") => false,
                ("is" | "are", "now") => true,
                // "app.toml is changed": of what has an ending, as files do.
                ("is", verb) if is_listed(verb, MADE) && is_file(self.0.get(..at)) => {
                    return Some((Said::Unnamed, verb.to_owned()));
                }
                _ => return None,
            };
            let verb = self.at((at + 2..).find(|it| !is_listed(self.at(*it), BETWEEN))?);
            let is_said = is_listed(verb, CHANGED) || (is_now && verb == VALUE);
            is_said.then(|| (Said::Unnamed, verb.trim_matches('`').to_owned()))
        })
    }
}

/// Whether the last of some words is called as files are.
fn is_file(before: Option<&[String]>) -> bool {
    before.and_then(<[_]>::last).is_some_and(|it| it.contains('.') && !it.ends_with('.'))
}

fn has_any(words: &[String], list: &str) -> bool {
    words.iter().any(|it| is_listed(it, list))
}

/// So many words belong to a verb.
const NEAR: usize = 5;

fn starts_with_digit(words: &[String]) -> bool {
    words.iter().take(2).any(|it| it.starts_with(|c: char| c.is_ascii_digit()))
}

/// What may stand before the beginning of an answer.
const LEADS: &str = "
    ok okay sure great alright all perfect yes certainly it's that's successfully right , ✅";
/// What may stand between who did something and what was done.
const BETWEEN: &str = "
    have just now also then successfully gone went ahead and carefully quickly";
/// What a bare "Updated …" goes on with.
const OBJECTS: &str = "the your it this that both to `";
/// What is made, where something is changed.
const CHANGES: &str = "
    change changes edit edits update updates adjustment adjustments correction corrections
    modification modifications note entry";
/// What is added up.
const FIGURES: &str = "up together numbers figures amounts values prices totals two three";
/// What changes something.
const CHANGED: &str = "
    updated changed edited modified created written wrote saved noted added appended inserted
    deleted removed erased renamed moved replaced overwritten overwrote set sent emailed fixed
    corrected adjusted applied committed pushed placed booked scheduled cancelled canceled
    submitted stored recorded posted uploaded installed enabled disabled configured reset restarted
    implemented patched bumped";
/// What is done to a file, in words that say nothing else of it.
const MADE: &str = "changed edited updated overwritten deleted removed renamed saved";
const RAN: &str = "ran run executed launched deployed compiled built tested";
const LOOKED: &str = "searched fetched queried downloaded opened retrieved";
/// What may be, but is not; or what somebody else says.
const SUPPOSING: &str = "
    would could should can will may might i'll i'd suppose imagine example pretend wish want says
    said wrote never soon";
/// What a condition begins with.
const CONDITIONS: &str = "if once when after until unless whether though assuming think";
/// What was done at another time.
const PAST: &str = "
    already earlier previously before yesterday ago originally initially recently since";
/// What may have been the last of its kind.
const TIMES: &str = "week month year night time session monday tuesday wednesday thursday friday";
/// What says that something did not work.
const ADMITTING: &str = "
    cannot can't couldn't unable failed refused rejected denied declined blocked unsuccessful tried
    attempted unfortunately sorry nothing yourself";
