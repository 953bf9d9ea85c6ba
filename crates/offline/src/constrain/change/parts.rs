//! [`Part`]: one of the changes that a request asks for.

use toolwright_core::asks;

use super::{
    edits,
    line::{Kind, kind, tokens},
    named::{lower, meant, names, names_of, says_which},
    op::Op,
    removal::takes_out,
    runs::is_run,
    said::{Said, quoted},
    section::is_heading,
    shown::{Edit, Line, Seen},
};
use crate::{
    asked::{parts, wanted},
    diff::Diff,
};

/// One of the changes that a request asks for.
pub(super) struct Part {
    text: String,
    op: Op,
}

/// Words of which each names more than one line.
const EVERY: [&str; 8] =
    ["all", "every", "each", "everywhere", "everything", "everyone", "both", "those"];
/// A part without a verb has hardly more words: `remove the milk and the eggs too`.
const SHORT: usize = 5;
/// With these something else is asked for, or nothing.
const OTHERS: [&str; 20] = [
    "show", "tell", "run", "list", "open", "read", "print", "check", "see", "note", "search",
    "find", "thanks", "thank", "please", "pls", "they", "it", "that", "we",
];

/// The changes that a request asks for, where each of them can be told apart.
pub(super) fn apart(request: &str) -> Vec<Part> {
    let (masked, quotes) = mask(request);
    let whole = Op::of(request);
    let mut op = whole.filter(|it| it.is_of_whole_lines());
    // What is needed no more is what goes, also where only `them` stands behind the verb.
    let unneeded = parts(&masked).filter(|it| whole == Some(Op::Remove) && is_unneeded(it));
    let unneeded = unneeded.map(|it| unmask(&named_as_unneeded(it), &quotes));
    let mut all: Vec<_> = unneeded.map(|text| Part { text, op: Op::Remove }).collect();
    for text in wanted(&masked) {
        let text = unmask(text, &quotes);
        if keeps(&text) || is_unneeded(&text) {
            continue;
        }
        match own(&text, whole) {
            Some(Op::Derive) => return Vec::new(),
            Some(own) => {
                op = Some(own);
                all.push(Part { text, op: own });
            }
            None if is_thing(&text) => {
                all.extend(op.filter(|it| it.is_of_whole_lines()).map(|op| Part { text, op }));
            }
            None => {}
        }
    }
    all
}

/// Words by which something stays as it is.
const KEEPS: [&str; 20] = [
    "still",
    "same",
    "leave",
    "is fine",
    "are fine",
    "stay",
    "keep",
    "remain",
    "untouched",
    "unchanged",
    "as it is",
    "as they are",
    "as is",
    "no change",
    "do not touch",
    "don t touch",
    "dont touch",
    "must not",
    "not change",
    "is ok",
];

/// Words by which something is needed no more.
const UNNEEDED: [&str; 12] = [
    "no longer",
    "anymore",
    "any more",
    "don t use",
    "do not use",
    "dont use",
    "don t need",
    "do not need",
    "dont need",
    "not working with",
    "not using",
    "no use",
];

/// Whether a part of a request says that something is needed no more, and asks for nothing: `we don't use celery`.
fn is_unneeded(part: &str) -> bool {
    asks(part, &UNNEEDED) && !takes_out(part)
}

/// What a part says of what is needed no more, without the words that say so.
fn named_as_unneeded(part: &str) -> String {
    let lower = lower(part).replace('\'', " ");
    let place = |it: &&str| lower.find(it).map(|at| (at, at + it.len()));
    let places: Vec<_> = UNNEEDED.iter().filter_map(place).collect();
    let begin = places.iter().map(|(_, end)| *end).filter(|it| *it < lower.len()).min();
    let end = places.iter().map(|(at, _)| *at).filter(|at| begin.is_none_or(|it| *at > it)).min();
    let text = part.get(begin.unwrap_or_default()..end.unwrap_or(part.len()));
    text.unwrap_or(part).trim().to_owned()
}

/// Whether a part of a request says that something stays: `the replica ones stay as they are`, `don't touch the tests`.
pub(super) fn keeps(part: &str) -> bool {
    asks(part, &KEEPS)
}

/// Lines without those that a request says are to stay: by words of theirs that it says of nothing else.
pub(super) fn without_kept<'a>(request: &str, lines: &[Line<'a>]) -> Vec<Line<'a>> {
    let (kept, others): (Vec<_>, Vec<_>) = parts(request).partition(|it| keeps(it));
    let said: Vec<String> = others.iter().flat_map(|it| names(it)).collect();
    let own: Vec<String> = kept.iter().flat_map(|it| names(it)).collect();
    // A figure that stays may be the one that goes elsewhere.
    let is_word = |it: &String| !it.starts_with(|it: char| it.is_ascii_digit());
    let is_own = |it: &&String| is_word(it) && !said.contains(it) && !asks(it, &KEEPS);
    let own: Vec<_> = own.iter().filter(is_own).collect();
    let is_kept = |line: &str| names_of(line).any(|it| own.contains(&&it));
    let under = |it: &Line<'_>| it.under.into_iter().any(is_kept);
    lines.iter().copied().filter(|it| !is_kept(it.text) && !under(it)).collect()
}

/// What a part asks for in its own words.
fn own(text: &str, whole: Option<Op>) -> Option<Op> {
    match Op::of(text) {
        // A figure alone says nothing of where it goes.
        Some(Op::Put) => says_what(text).then_some(Op::Put),
        Some(Op::Remove) => takes_out(text).then_some(Op::Remove),
        Some(op) => Some(op),
        None => whole.filter(|it| *it == Op::Mark && Op::is_marking(text)),
    }
}

/// Whether a part says what something becomes.
fn says_what(text: &str) -> bool {
    let said = Said::of(text, &[]);
    // A time, a day, an address and a number to call are of one kind alone: that says where it goes.
    let is_of_a_kind = |it: &String| {
        matches!(kind(it), Kind::Address | Kind::Date | Kind::Day | Kind::Phone | Kind::Time)
    };
    said.says_where() || said.is_switched(text) || said.puts.iter().any(is_of_a_kind)
}

/// Whether a part is a thing, and nothing that is to be done.
fn is_thing(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_short = words.clone().count() <= SHORT;
    let first = words.next().map(lower).unwrap_or_default();
    is_short && !OTHERS.contains(&first.as_str()) && names(text).next().is_some()
}

impl Part {
    /// Its changes of lines that were shown: each list has what is to be done once. `None` where no lines as a whole change.
    pub(super) fn edits<'a>(&self, seen: &Seen<'a>) -> Option<Vec<Vec<Edit<'a>>>> {
        let shown = seen.lines.as_slice();
        let said = Said::of(&self.text, &[]);
        let is_every = asks(&self.text, &EVERY);
        let is_of_words = said.puts.iter().any(|it| kind(it) == Kind::Words);
        if self.op == Op::Put && is_of_words && said.renames {
            return None;
        }
        let is_elsewhere = matches!(self.op, Op::Append | Op::Derive);
        if is_elsewhere || !says_which(&self.text, shown) {
            return Some(Vec::new());
        }
        let mut all = edits::of(Some(self.op), &self.request(), seen).unwrap_or_default();
        all.retain(|it| it.new != it.old && it.is_whole());
        if self.op == Op::Remove {
            // With others at once only lines go as a whole, and no heading.
            all.retain(|it| it.new.is_empty() && !is_heading(it.old));
        }
        if !is_every {
            return Some(vec![all].into_iter().filter(|it| !it.is_empty()).collect());
        }
        all.sort_by_key(|it| it.line.place);
        let is_one = |one: &Edit<'_>, other: &Edit<'_>| {
            one.line.place == other.line.place && one.old == other.old
        };
        Some(all.chunk_by(is_one).map(<[_]>::to_vec).collect())
    }

    /// It, as if nothing else had been asked for.
    fn request(&self) -> String {
        match self.op {
            Op::Remove => format!("remove {}", self.text),
            _ => self.text.clone(),
        }
    }

    /// Whether it was done, by the lines that went and those that came; or nothing had to be.
    fn is_done(&self, gone: &[Line<'_>], come: &[Line<'_>], shown: &[Line<'_>]) -> bool {
        match self.op {
            Op::Append | Op::Insert | Op::Derive => true,
            Op::Remove => says_which(&self.text, gone),
            Op::Comment | Op::Uncomment | Op::Mark => says_which(&self.text, come),
            Op::Put => {
                let puts = Said::of(&self.text, gone).puts;
                let has = |line: &Line<'_>| {
                    let tokens = tokens(line.text);
                    puts.iter().any(|it| is_run(line.text, &tokens, it) || line.text == it)
                };
                let is_so = || meant(&self.text, shown).iter().any(has);
                come.iter().any(has) || says_which(&self.text, shown) && is_so()
            }
        }
    }
}

/// What was asked for and not done, where several changes were asked for and some made. `results` are those since the request.
pub(crate) fn left(request: &str, results: &[String]) -> Vec<String> {
    let diffs: Vec<_> = results.iter().filter_map(|it| Diff::of(it)).collect();
    let parts = apart(request);
    if diffs.is_empty() || parts.len() < 2 {
        return Vec::new();
    }
    let gone: Vec<_> = diffs.iter().flat_map(Diff::gone).map(Line::alone).collect();
    let come: Vec<_> = diffs.iter().flat_map(Diff::come).map(Line::alone).collect();
    let shown = Seen::of(results).lines;
    let left = parts.into_iter().filter(|it| !it.is_done(&gone, &come, &shown));
    left.map(|it| it.text.trim().to_owned()).collect()
}

/// What stands for the text between the quotes of this number: no sign in it ends a part.
fn mark(at: usize) -> String {
    format!("\u{e000}{at}\u{e001}")
}

/// A request whose quotes have nothing between them that ends a part.
fn mask(request: &str) -> (String, Vec<&str>) {
    let quotes: Vec<_> = quoted(request).map(|it| it.text).collect();
    let mut masked = String::new();
    let mut rest = request;
    for (at, text) in quotes.iter().enumerate() {
        let Some((before, behind)) = rest.split_once(text) else { continue };
        masked.push_str(before);
        masked.push_str(&mark(at));
        rest = behind;
    }
    masked.push_str(rest);
    (masked, quotes)
}

fn unmask(part: &str, quotes: &[&str]) -> String {
    let all = quotes.iter().enumerate();
    all.fold(part.to_owned(), |part, (at, text)| part.replace(&mark(at), text))
}
