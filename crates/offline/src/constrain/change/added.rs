//! [`added`]: what is put beside lines and words that are there.

use std::ops::Range;

use toolwright_core::asks;

use super::{
    line::tokens,
    named::{lower, meant, says_which},
    op::{ADDS, BEFORE, BEHIND, SECTIONS, WITHIN},
    runs::{GONE, beginnings, ends, runs},
    said::quoted,
    section::{indent, section},
    shown::{Edit, Line, Seen},
};

/// What is said to be added, beside words of a line, on a line beside it, or under a heading.
pub(super) fn added<'a>(request: &str, seen: &Seen<'a>) -> Vec<Edit<'a>> {
    let Some(Asked { puts, rest, side }) = Asked::of(request) else { return Vec::new() };
    let shown = seen.lines.as_slice();
    let names_it = says_which(rest, shown);
    let lines = match names_it {
        true => meant(rest, shown),
        false if side == Side::Within => Vec::new(),
        false => meant(request, shown),
    };
    let each = |of: &dyn Fn(&str) -> Vec<Edit<'a>>| puts.iter().flat_map(|it| of(it)).collect();
    let under: Vec<Edit<'a>> = match side {
        Side::Before => Vec::new(),
        Side::Behind | Side::Within => each(&|put| under(request, put, &lines, seen)),
    };
    if !under.is_empty() || side == Side::Within {
        return under;
    }
    let anchors = beginnings(rest);
    each(&|put| lines.iter().flat_map(|line| beside(*line, put, side, &anchors, seen)).collect())
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

/// A text as the last or the first of what stands under a heading, as it is asked for: on a line behind the one that is there.
fn under<'a>(request: &str, put: &str, headings: &[Line<'a>], seen: &Seen<'a>) -> Vec<Edit<'a>> {
    let is_first = asks(request, &["first", "top", "beginning"]);
    let is_last = asks(request, &["last", "end", "bottom"]);
    let mut all = Vec::new();
    for (number, at) in headings.iter().filter_map(|it| it.place) {
        let Some(file) = seen.files.get(number) else { continue };
        let Some(own) = section(file, at) else { continue };
        let line_at = |at: usize| seen.lines.iter().find(|it| it.place == Some((number, at)));
        let mut tell = |place: usize, is_before: bool| {
            let (Some(line), Some(raw)) = (line_at(place), file.get(place)) else { return };
            let (blanks, added) = (" ".repeat(indent(raw)), marked_as(line.text, put));
            let (one, other) = match is_before {
                true => (added.as_str(), line.text),
                false => (line.text, added.as_str()),
            };
            all.push(line.becomes(format!("{one}\n{blanks}{other}")));
        };
        if is_last || !is_first {
            tell(own.end - 1, false);
        }
        if is_first || !is_last {
            tell(own.start, true);
        }
    }
    all
}

/// A text beside words of a line, or on a line beside it that begins as that does.
fn beside<'a>(
    line: Line<'a>,
    put: &str,
    side: Side,
    anchors: &[String],
    seen: &Seen<'_>,
) -> Vec<Edit<'a>> {
    let is_before = side == Side::Before;
    let raw = line.place.and_then(|(file, at)| seen.files.get(file)?.get(at));
    let blanks = " ".repeat(raw.map_or(0, |it| indent(it)));
    let own = marked_as(line.text, put);
    let (before, behind) =
        if is_before { (own.as_str(), line.text) } else { (line.text, own.as_str()) };
    let beside = format!("{before}\n{blanks}{behind}");
    let within = anchored(line.text, anchors).into_iter().filter_map(|it| {
        let at = if is_before { it.start } else { it.end };
        let (one, other) = (line.text.get(..at)?, line.text.get(at..)?);
        Some([", ", " "].map(|sign| match is_before {
            true => format!("{one}{put}{sign}{other}"),
            false => format!("{one}{sign}{put}{other}"),
        }))
    });
    let new = within.flatten().chain([beside]);
    new.map(|new| line.becomes(new)).collect()
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
