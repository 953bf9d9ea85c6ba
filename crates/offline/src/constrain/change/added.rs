//! [`added`]: what is put beside lines and words that are there.

use std::ops::Range;

use toolwright_core::asks;

use super::{
    Changed,
    line::tokens,
    named::{lower, meant, says_which},
    op::{ADDS, BEFORE, BEHIND, SECTIONS, WITHIN},
    runs::{GONE, beginnings, ends, runs},
    said::quoted,
    section::{indent, section},
    shown::Seen,
};

/// What is said to be added, beside words of a line, on a line beside it, or under a heading.
pub(super) fn added(request: &str, seen: &Seen<'_>) -> Vec<Changed> {
    let Some(Asked { puts, rest, side }) = Asked::of(request) else { return Vec::new() };
    let shown = seen.lines.as_slice();
    let names_it = says_which(rest, shown);
    let lines = match names_it {
        true => meant(rest, shown),
        false if side == Side::Within => Vec::new(),
        false => meant(request, shown),
    };
    let each = |of: &dyn Fn(&str) -> Vec<Changed>| puts.iter().flat_map(|it| of(it)).collect();
    let under: Vec<Changed> = match side {
        Side::Before => Vec::new(),
        Side::Behind | Side::Within => each(&|put| under(request, put, &lines, seen)),
    };
    if !under.is_empty() || side == Side::Within {
        return under;
    }
    let anchors = beginnings(rest);
    each(&|put| lines.iter().flat_map(|line| beside(line, put, side, &anchors, seen)).collect())
}

/// Words that say how near something goes: ` right after it`.
const NEAR: [&str; 6] = [" right", " straight", " directly", " just", " immediately", " one line"];

/// What is to be added, and where.
struct Asked<'r> {
    /// The ways to read it.
    puts: Vec<String>,
    /// What is said of the place.
    rest: &'r str,
    side: Side,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    Behind,
    /// Under a heading.
    Within,
}

impl<'r> Asked<'r> {
    fn of(request: &'r str) -> Option<Self> {
        let lower = lower(request);
        let verb = ADDS.iter().filter_map(|it| lower.find(it).map(|at| at + it.len())).min()?;
        let found = |words: &[&'static str]| {
            let places = words.iter().filter_map(|it| Some((lower.find(&format!(" {it} "))?, *it)));
            places.min()
        };
        let beside = found(&BEHIND).into_iter().chain(found(&BEFORE)).min();
        let (at, word, side) = match beside {
            Some((at, word)) if BEFORE.contains(&word) => (at, word, Side::Before),
            Some((at, word)) => (at, word, Side::Behind),
            None => {
                let named = SECTIONS.iter().filter_map(|it| lower.find(it)).min()?;
                let before = lower.get(..named)?;
                let of = |it: &&'static str| Some((before.rfind(&format!(" {it} "))?, *it));
                let (at, word) = WITHIN.iter().filter_map(of).max()?;
                (at, word, Side::Within)
            }
        };
        let mut said = request.get(verb..at)?.trim();
        while let Some(rest) = NEAR.iter().find_map(|it| said.strip_suffix(it)) {
            said = rest.trim_end_matches([' ', ',']);
        }
        let quoted = quoted(said).next().map(|it| it.text.to_owned());
        let puts = quoted.map_or_else(|| ends(said), |it| vec![it]);
        let rest = request.get(at + word.len() + 2..)?;
        Some(Self { puts, rest, side })
    }
}

/// A text as the last or the first of what stands under a heading, as it is asked for.
fn under(request: &str, put: &str, headings: &[&str], seen: &Seen<'_>) -> Vec<Changed> {
    let is_first = asks(request, &["first", "top", "beginning"]);
    let is_last = asks(request, &["last", "end", "bottom"]);
    let mut all = Vec::new();
    for (file, at) in seen.files.iter().flat_map(|file| (0..file.len()).map(move |at| (file, at))) {
        let is_meant = file.get(at).is_some_and(|it| headings.contains(&it.trim()));
        let Some(own) = section(file, at).filter(|_| is_meant) else { continue };
        let (Some(old), Some(beside)) = (file.get(at..own.end), file.get(own.start)) else {
            continue;
        };
        let line = format!("{}{}", " ".repeat(indent(beside)), marked_as(beside, put));
        let mut tell = |place: usize| {
            let mut new: Vec<&str> = old.to_vec();
            new.insert(place, &line);
            all.push(Changed { new: new.join("\n"), old: old.join("\n") });
        };
        if is_last || !is_first {
            tell(old.len());
        }
        if is_first || !is_last {
            tell(own.start - at);
        }
    }
    all
}

/// A text beside words of a line, or on a line beside it that begins as that does.
fn beside(line: &str, put: &str, side: Side, anchors: &[String], seen: &Seen<'_>) -> Vec<Changed> {
    let is_before = side == Side::Before;
    let raw = seen.files.iter().flatten().find(|it| it.trim() == line);
    let blanks = " ".repeat(raw.map_or(0, |it| indent(it)));
    let own = marked_as(line, put);
    let (before, behind) = if is_before { (own.as_str(), line) } else { (line, own.as_str()) };
    let beside = format!("{before}\n{blanks}{behind}");
    let within = anchored(line, anchors).into_iter().filter_map(|it| {
        let at = if is_before { it.start } else { it.end };
        let (one, other) = (line.get(..at)?, line.get(at..)?);
        Some([", ", " "].map(|sign| match is_before {
            true => format!("{one}{put}{sign}{other}"),
            false => format!("{one}{sign}{put}{other}"),
        }))
    });
    let new = within.flatten().chain([beside]);
    new.map(|new| Changed { new, old: line.to_owned() }).collect()
}

/// A text as an item of the list that a line is one of.
fn marked_as(line: &str, put: &str) -> String {
    let marks = ["- [ ] ", "- [x] ", "* [ ] ", "- ", "* ", "+ "];
    let mark = marks.into_iter().find(|it| line.trim_start().starts_with(it));
    let has_one = put.starts_with(['-', '*', '+']);
    mark.filter(|_| !has_one)
        .map_or_else(|| put.to_owned(), |it| format!("{}{put}", it.replace("[x]", "[ ]")))
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
