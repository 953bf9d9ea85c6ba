//! [`of`]: what may become of each line that is meant.

use std::ops::Range;

use toolwright_core::asks;

use super::{
    MOST,
    added::added,
    line::{Token, is_like, kind, tokens},
    named::{
        fields, is_like as is_like_name, is_named, lower, meant, names, names_of, without_paths,
    },
    op::Op,
    removal::lines_meant,
    runs::{GONE, is_run, runs},
    said::{Said, quoted},
    section::is_heading,
    shown::{Edit, Line, Seen},
};

/// What makes a line a comment.
const COMMENTS: [&str; 5] = ["#", "//", "--", ";", "%"];

/// What may become of each line that is meant. `None` where that is not said, and is for the model to find.
pub(super) fn of<'a>(op: Option<Op>, request: &str, seen: &Seen<'a>) -> Option<Vec<Edit<'a>>> {
    let shown = seen.lines.as_slice();
    let lines = meant(request, shown);
    let lines = lines.as_slice();
    Some(match op {
        Some(Op::Insert) => added(request, seen),
        Some(Op::Uncomment) => uncommented(lines),
        Some(Op::Comment) => commented(request, lines, shown),
        Some(Op::Mark) => marked(lines),
        _ => {
            let text = shown.iter().map(|it| it.text).collect::<Vec<_>>().join("\n");
            let goes = lines_meant(request, std::slice::from_ref(&text));
            if !goes.is_empty() {
                let goes: Vec<_> =
                    shown.iter().copied().filter(|it| goes.contains(&it.text)).collect();
                return Some(removed(request, &meant(request, &goes)));
            }
            let said = Said::of(request, lines);
            // `It goes up by 5` takes nothing out.
            if said.is_silent() || op == Some(Op::Remove) && !said.is_reckoned {
                return None;
            }
            put(&said, request, lines, seen)
        }
    })
}

/// The lines that go, and what is left where words of theirs go, with what stood between them and the next.
fn removed<'a>(request: &str, lines: &[Line<'a>]) -> Vec<Edit<'a>> {
    // Who says which words, means no more than these.
    let words: Vec<&str> = quoted(request).map(|it| it.text).collect();
    // `X from the Y`: X is what goes.
    let end = lower(request).find(" from ").unwrap_or(request.len());
    let called: Vec<String> = names(request.get(..end).unwrap_or(request)).collect();
    let without = |line: Line<'a>, gone: Range<usize>| {
        let (before, behind) = (line.text.get(..gone.start)?, line.text.get(gone.end..)?);
        let separator = |it: char| it == ',' || it == ';' || it.is_whitespace();
        let new = match behind.starts_with(separator) {
            true => format!("{before}{}", behind.trim_start_matches(separator)),
            false => format!("{}{behind}", before.trim_end_matches(separator)),
        };
        Some(line.becomes(new))
    };
    let of = |line: Line<'a>| {
        let tokens = tokens(line.text);
        let is_named =
            |it: &Range<usize>| line.text.get(it.clone()).is_some_and(|it| words.contains(&it));
        if let Some(named) = runs(&tokens, GONE).find(is_named) {
            return without(line, named).into_iter().collect();
        }
        let is_called = |it: &Token| {
            let word = line.text.get(it.range.clone()).unwrap_or_default();
            names_of(word).any(|word| called.iter().any(|it| is_like_name(&word, it)))
        };
        // Of what a name stands before, the name is what is called where all of it goes.
        let mut keys = tokens.iter().filter(|it| it.is_key);
        let is_object = line.text.starts_with('{');
        let is_only = |it: &&Token| !is_object && tokens.first() == Some(*it) && !is_called(it);
        let has_other_name = keys.next().as_ref().is_some_and(is_only) && keys.next().is_none();
        if has_other_name && tokens.iter().any(is_called) {
            let gone = tokens.iter().filter(|it| is_called(it));
            return gone.filter_map(|it| without(line, it.range.clone())).collect();
        }
        let parts: Vec<_> = runs(&tokens, GONE).filter_map(|run| without(line, run)).collect();
        [line.becomes(String::new())].into_iter().chain(parts).collect::<Vec<_>>()
    };
    lines.iter().flat_map(|it| of(*it)).collect()
}

fn commented<'a>(request: &str, lines: &[Line<'a>], shown: &[Line<'_>]) -> Vec<Edit<'a>> {
    let is_said =
        |sign: &&&str| request.split_whitespace().any(|it| it.trim_matches('"') == **sign);
    let said: Vec<_> = COMMENTS.iter().filter(is_said).collect();
    // As others there are written.
    let there = COMMENTS.iter().filter(|sign| shown.iter().any(|it| it.text.starts_with(**sign)));
    let there: Vec<_> = there.collect();
    let signs = match (said.is_empty(), there.is_empty()) {
        (false, _) => said,
        (true, false) => there,
        (true, true) => COMMENTS.iter().take(2).collect(),
    };
    let of = |line: Line<'a>| {
        signs.iter().map(|sign| line.becomes(format!("{sign} {}", line.text))).collect::<Vec<_>>()
    };
    let is_comment = |line: &Line<'_>| COMMENTS.iter().any(|it| line.text.starts_with(it));
    lines.iter().filter(|it| !is_comment(it)).flat_map(|it| of(*it)).collect()
}

fn uncommented<'a>(lines: &[Line<'a>]) -> Vec<Edit<'a>> {
    let bare = |line: &Line<'a>| {
        let rest = COMMENTS.iter().find_map(|sign| line.text.strip_prefix(sign))?;
        Some(line.becomes(rest.trim_start().to_owned()))
    };
    lines.iter().filter_map(bare).filter(|it| !it.new.is_empty()).collect()
}

fn marked<'a>(lines: &[Line<'a>]) -> Vec<Edit<'a>> {
    // A box that is there is ticked, and nothing else is marked then.
    let has_box = lines.iter().any(|it| it.text.contains("[ ]"));
    let of = |line: &Line<'a>| {
        let text = line.text;
        let bullet = ["- ", "* ", "+ "].into_iter().find(|it| text.starts_with(it));
        let new = match (text.contains("[ ]"), bullet) {
            (true, _) => text.replacen("[ ]", "[x]", 1),
            (false, Some(bullet)) => {
                format!("{bullet}[x] {}", text.get(bullet.len()..).unwrap_or_default())
            }
            (false, None) => format!("{text} (done)"),
        };
        line.becomes(new)
    };
    let is_open = |it: &&Line<'_>| match has_box {
        true => it.text.contains("[ ]"),
        false => !it.text.contains("[x]") && !is_heading(it.text),
    };
    lines.iter().filter(is_open).map(of).collect()
}

/// What is said, in the place of what is of its kind.
fn put<'a>(said: &Said, request: &str, lines: &[Line<'a>], seen: &Seen<'_>) -> Vec<Edit<'a>> {
    let (is_named, about) = (is_named(request, lines), without_paths(request));
    let mut all = Vec::new();
    for line in lines {
        let tokens = tokens(line.text);
        // In a table what is said of a field is put there; what has a value that is said is what the line is known by.
        let is_asked = |column: &str, value: &str| {
            asks(&about, &[column, &column.replace('_', " ")]) && !request.contains(value)
        };
        let named = fields(line).filter(|(column, value, _)| is_asked(column, value));
        let named: Vec<_> = named.map(|(.., range)| range).collect();
        let places = |put: &str| -> Vec<Range<usize>> {
            let places = said.places(line.text, &tokens, put);
            if named.is_empty() {
                return places;
            }
            let is_within = |it: &&Range<usize>| {
                named.iter().any(|field| field.start <= it.start && it.end <= field.end)
            };
            let within: Vec<_> = places.iter().filter(is_within).cloned().collect();
            let is_alike = |it: &&Range<usize>| {
                line.text.get((*it).clone()).is_some_and(|it| kind(it) == kind(put))
            };
            match within.is_empty() {
                true => named.iter().filter(is_alike).cloned().collect(),
                false => within,
            }
        };
        for put in said.puts.iter().filter(|it| !is_run(line.text, &tokens, it)) {
            for gone in places(put) {
                // Where no line is named, only what looks like it is meant.
                let is_alike = || line.text.get(gone.clone()).is_some_and(|it| is_like(it, put));
                if !is_named && !said.was_in(line.text) && !is_alike() {
                    continue;
                }
                let text = line.text;
                let (Some(before), Some(old), Some(behind)) =
                    (text.get(..gone.start), text.get(gone.clone()), text.get(gone.end..))
                else {
                    continue;
                };
                all.push(line.becomes(format!("{before}{put}{behind}")));
                // What stands once is found without what stands around it.
                if seen.count(old) == 1 || said.is_everywhere {
                    all.push(Edit { line: *line, old, new: put.clone() });
                }
                if all.len() > MOST {
                    return all;
                }
            }
        }
    }
    all
}
