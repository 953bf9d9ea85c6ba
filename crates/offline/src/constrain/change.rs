//! [`changes`]: what lines that were shown may become, where a request says what is to stand there.

mod line;
mod named;
mod reckon;
mod runs;
mod said;
mod shown;
#[cfg(test)]
mod tests;

use std::ops::Range;

use toolwright_core::asks;

use self::{
    line::{Token, is_like, tokens},
    named::{is_like as is_like_name, is_named, lower, meant, names, names_of},
    runs::{GONE, beginnings, ends, is_run, runs},
    said::{Said, quoted},
    shown::shown,
};
use super::removal::{lines_meant, may_take_out};
use crate::asked::wanted;

/// A text that was shown, and what takes its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Changed {
    pub(super) new: String,
    pub(super) old: String,
}

/// Words by which people ask for words that they do not say.
const DERIVED: [&str; 40] = [
    "typo",
    "spell",
    "spelling",
    "spelled",
    "spelt",
    "misspelled",
    "misspelt",
    "misspelling",
    "grammar",
    "translate",
    "translation",
    "rewrite",
    "reword",
    "rephrase",
    "shorten",
    "shorter",
    "uppercase",
    "lowercase",
    "upper case",
    "lower case",
    "capital",
    "capitalize",
    "capitalise",
    "title case",
    "plural",
    "singular",
    "sort",
    "reorder",
    "convert",
    "format",
    "improve",
    "describe",
    "refactor",
    "document",
    "summarize",
    "summarise",
    "abbreviate",
    "swap",
    "implement",
    "indent",
];
/// Words by which they ask for something beside what is there, and by which they ask for something else.
const ADDS: [&str; 7] = ["add", "insert", "append", "prepend", "include", "put in", "put"];
const BEHIND: [&str; 5] = ["behind", "after", "under", "below", "next to"];
const BEFORE: [&str; 2] = ["before", "above"];
const CHANGES: [&str; 21] = [
    "change",
    "replace",
    "set",
    "make",
    "rename",
    "update",
    "instead",
    "switch",
    "edit",
    "fix",
    "correct",
    "raise",
    "lower",
    "increase",
    "decrease",
    "should be",
    "turn",
    "bump",
    "modify",
    "reduce",
    "adjust",
];
/// What makes a line a comment.
const COMMENTS: [&str; 5] = ["#", "//", "--", ";", "%"];
/// Words by which something is done with.
const DONE: [&str; 6] = ["done", "complete", "completed", "finished", "checked", "ticked"];
/// More changes than so many are nobody's choice.
const MOST: usize = 20_000;

/// What lines that were shown may become, where a request says what is to stand there: nothing else, and nothing at all where no
/// line was shown that is meant. `None` where it does not say so, and the words are for the model to find.
///
/// A small model that retypes a line gets parts of it wrong that nobody spoke of. So what is said takes the place of what is of
/// its kind, in a line that was named, and everything else stays.
pub(super) fn changes(request: &str, found: &[String]) -> Option<Vec<Changed>> {
    let shown = shown(found);
    let is_added = only_adds(request);
    if asks(request, &DERIVED) || is_added && !asks(request, &BEHIND) && !asks(request, &BEFORE) {
        return None;
    }
    let takes_out = may_take_out(request) && !asks(request, &CHANGES);
    let is_marked = asks(request, &["mark", "tick", "check"]) && asks(request, &DONE);
    let said = Said::of(request, &[]);
    if asks(request, &["move"]) && !said.is_of_days() {
        return None;
    }
    if shown.is_empty() {
        let unseen = if is_added || is_marked { Vec::new() } else { said.unseen() };
        // Nobody looked yet: that is to be done first. What was seen may be no file's lines.
        let is_free = unseen.is_empty() && (!found.is_empty() || said.puts.is_empty());
        return (!is_free || found.is_empty() && (is_added || is_marked || takes_out))
            .then_some(unseen);
    }
    let lines = meant(request, &shown);
    let text = shown.join("\n");
    let goes = lines_meant(request, std::slice::from_ref(&text));
    let mut all = match () {
        () if is_added => added(request, &lines),
        () if asks(request, &["uncomment"]) => uncommented(&lines),
        () if comments_out(request) => commented(request, &lines, &shown),
        () if is_marked => marked(&lines),
        () if !goes.is_empty() => removed(request, &goes),
        () => match Said::of(request, &lines) {
            // `It goes up by 5` takes nothing out.
            said if said.is_silent() || takes_out && !said.is_reckoned => return None,
            said => replaced(&said, request, &lines, &shown),
        },
    };
    all.retain(|it| it.new != it.old);
    all.sort();
    all.dedup();
    (all.len() <= MOST).then_some(all)
}

/// The lines that go, and what is left where words of theirs go, with what stood between them and the next.
fn removed(request: &str, lines: &[&str]) -> Vec<Changed> {
    // Who says which words, means no more than these.
    let words: Vec<&str> = quoted(request).map(|it| it.text).collect();
    // `X from the Y`: X is what goes.
    let end = lower(request).find(" from ").unwrap_or(request.len());
    let called: Vec<String> = names(request.get(..end).unwrap_or(request)).collect();
    let without = |line: &str, gone: Range<usize>| {
        let (before, behind) = (line.get(..gone.start)?, line.get(gone.end..)?);
        let separator = |it: char| it == ',' || it == ';' || it.is_whitespace();
        let new = match behind.starts_with(separator) {
            true => format!("{before}{}", behind.trim_start_matches(separator)),
            false => format!("{}{behind}", before.trim_end_matches(separator)),
        };
        Some(Changed { new, old: line.to_owned() })
    };
    let of = |line: &str| {
        let tokens = tokens(line);
        let is_named =
            |it: &Range<usize>| line.get(it.clone()).is_some_and(|it| words.contains(&it));
        if let Some(named) = runs(&tokens, GONE).find(is_named) {
            return without(line, named).into_iter().collect();
        }
        let is_called = |it: &Token| {
            let word = line.get(it.range.clone()).unwrap_or_default();
            names_of(word).any(|word| called.iter().any(|it| is_like_name(&word, it)))
        };
        // Of what a name stands before, the name is what is called where all of it goes.
        let mut keys = tokens.iter().filter(|it| it.is_key);
        let is_only = |it: &&Token| tokens.first() == Some(*it) && !is_called(it);
        let has_other_name = keys.next().as_ref().is_some_and(is_only) && keys.next().is_none();
        if has_other_name && tokens.iter().any(is_called) {
            let gone = tokens.iter().filter(|it| is_called(it));
            return gone.filter_map(|it| without(line, it.range.clone())).collect();
        }
        let parts: Vec<_> = runs(&tokens, GONE).filter_map(|run| without(line, run)).collect();
        [Changed { new: String::new(), old: line.to_owned() }]
            .into_iter()
            .chain(parts)
            .collect::<Vec<_>>()
    };
    lines.iter().flat_map(|it| of(it)).collect()
}

/// Whether something is to be added beside something else, and not at an end.
pub(super) fn has_place(request: &str) -> bool {
    let is_placed = asks(request, &BEHIND)
        || asks(request, &BEFORE)
        || asks(request, &["to the top", "at the top"]);
    is_placed && !asks(request, &["the end", "at end", "bottom", "last"])
}

/// Whether a request asks for something beside what is there, which stays.
pub(crate) fn only_adds(request: &str) -> bool {
    asks(request, &ADDS) && !asks(request, &CHANGES)
}

/// What is said to be added, beside words of a line or on a line beside it.
fn added(request: &str, lines: &[&str]) -> Vec<Changed> {
    let lower = lower(request);
    let verb = ADDS.iter().filter_map(|it| lower.find(it).map(|at| at + it.len())).min();
    let places =
        BEHIND.iter().chain(&BEFORE).filter_map(|it| Some((lower.find(&format!(" {it} "))?, *it)));
    let (Some(verb), Some((at, place))) = (verb, places.min()) else { return Vec::new() };
    let said = request.get(verb..at).map(str::trim).unwrap_or_default();
    let quoted = quoted(said).next().map(|it| it.text.to_owned());
    let puts: Vec<String> = quoted.map_or_else(|| ends(said), |it| vec![it]);
    let anchors = beginnings(request.get(at + place.len() + 2..).unwrap_or_default());
    let is_before = BEFORE.contains(&place);
    let of = |line: &str, put: &str| {
        let (before, behind) = if is_before { (put, line) } else { (line, put) };
        let beside = format!("{before}\n{behind}");
        let within = anchored(line, &anchors).into_iter().filter_map(|it| {
            let at = if is_before { it.start } else { it.end };
            let (one, other) = (line.get(..at)?, line.get(at..)?);
            Some([", ", " "].map(|sign| match is_before {
                true => format!("{one}{put}{sign}{other}"),
                false => format!("{one}{sign}{put}{other}"),
            }))
        });
        let new = within.flatten().chain([beside]);
        new.map(|new| Changed { new, old: line.to_owned() }).collect::<Vec<_>>()
    };
    lines.iter().flat_map(|line| puts.iter().flat_map(|put| of(line, put))).collect()
}

/// Where in a line the first of these is that is there; each of its words where none is.
fn anchored(line: &str, anchors: &[String]) -> Vec<Range<usize>> {
    let tokens = tokens(line);
    let is_there = |anchor: &String| {
        let is_it = |it: &Range<usize>| {
            line.get(it.clone()).is_some_and(|it| it.eq_ignore_ascii_case(anchor))
        };
        let found: Vec<_> = runs(&tokens, GONE).filter(is_it).collect();
        (!found.is_empty()).then_some(found)
    };
    let all = || tokens.iter().map(|it| it.range.clone()).collect();
    anchors.iter().find_map(is_there).unwrap_or_else(all)
}

/// Whether a line is to become a comment: `comment out the port`, `please comment that line`.
fn comments_out(request: &str) -> bool {
    let begins = |part: &str| part.split_whitespace().take(2).any(|it| asks(it, &["comment"]));
    asks(request, &["comment out", "commented out"]) || wanted(request).into_iter().any(begins)
}

fn commented(request: &str, lines: &[&str], shown: &[&str]) -> Vec<Changed> {
    let is_said =
        |sign: &&&str| request.split_whitespace().any(|it| it.trim_matches('"') == **sign);
    let said: Vec<_> = COMMENTS.iter().filter(is_said).collect();
    // As others there are written.
    let there = COMMENTS.iter().filter(|sign| shown.iter().any(|it| it.starts_with(**sign)));
    let there: Vec<_> = there.collect();
    let signs = match (said.is_empty(), there.is_empty()) {
        (false, _) => said,
        (true, false) => there,
        (true, true) => COMMENTS.iter().take(2).collect(),
    };
    let of = |line: &str| {
        let signs = signs.iter().map(|sign| format!("{sign} {line}")).collect::<Vec<_>>();
        signs.into_iter().map(|new| Changed { new, old: line.to_owned() }).collect::<Vec<_>>()
    };
    let is_comment = |line: &str| COMMENTS.iter().any(|it| line.starts_with(it));
    lines.iter().filter(|it| !is_comment(it)).flat_map(|it| of(it)).collect()
}

fn uncommented(lines: &[&str]) -> Vec<Changed> {
    let bare = |line: &str| {
        let rest = COMMENTS.iter().find_map(|sign| line.strip_prefix(sign))?;
        Some(Changed { new: rest.trim_start().to_owned(), old: line.to_owned() })
    };
    lines.iter().filter_map(|it| bare(it)).filter(|it| !it.new.is_empty()).collect()
}

fn marked(lines: &[&str]) -> Vec<Changed> {
    let of = |line: &str| {
        let bullet = ["- ", "* ", "+ "].into_iter().find(|it| line.starts_with(it));
        let new = match (line.contains("[ ]"), bullet) {
            (true, _) => line.replacen("[ ]", "[x]", 1),
            (false, Some(bullet)) => {
                format!("{bullet}[x] {}", line.get(bullet.len()..).unwrap_or_default())
            }
            (false, None) => format!("{line} (done)"),
        };
        Changed { new, old: line.to_owned() }
    };
    lines.iter().filter(|it| !it.contains("[x]")).map(|it| of(it)).collect()
}

/// What is said, in the place of what is of its kind.
fn replaced(said: &Said, request: &str, lines: &[&str], shown: &[&str]) -> Vec<Changed> {
    let is_named = is_named(request, lines);
    let mut all = Vec::new();
    for line in lines {
        let tokens = tokens(line);
        for put in said.puts.iter().filter(|it| !is_run(line, &tokens, it)) {
            for gone in said.places(line, &tokens, put) {
                // Where no line is named, only what looks like it is meant.
                if !is_named && !line.get(gone.clone()).is_some_and(|it| is_like(it, put)) {
                    continue;
                }
                let (Some(before), Some(old), Some(behind)) =
                    (line.get(..gone.start), line.get(gone.clone()), line.get(gone.end..))
                else {
                    continue;
                };
                all.push(Changed {
                    new: format!("{before}{put}{behind}"),
                    old: (*line).to_owned(),
                });
                // What stands once is found without what stands around it.
                let times: usize = shown.iter().map(|it| it.matches(old).count()).sum();
                if times == 1 || said.is_everywhere {
                    all.push(Changed { new: put.clone(), old: old.to_owned() });
                }
                if all.len() > MOST {
                    return all;
                }
            }
        }
    }
    all
}
