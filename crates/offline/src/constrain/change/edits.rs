//! [`of`]: what may become of each line that is meant.

use std::ops::Range;

use super::{
    Changed, MOST,
    added::added,
    line::{Token, is_like, tokens},
    named::{is_like as is_like_name, is_named, lower, meant, names, names_of},
    op::Op,
    removal::lines_meant,
    runs::{GONE, is_run, runs},
    said::{Said, quoted},
    shown::Seen,
};

/// What makes a line a comment.
const COMMENTS: [&str; 5] = ["#", "//", "--", ";", "%"];

/// What may become of each line that is meant. `None` where that is not said, and is for the model to find.
pub(super) fn of(op: Option<Op>, request: &str, seen: &Seen<'_>) -> Option<Vec<Changed>> {
    let shown = seen.lines.as_slice();
    let lines = meant(request, shown);
    let lines = lines.as_slice();
    Some(match op {
        Some(Op::Insert) => added(request, seen),
        Some(Op::Uncomment) => uncommented(lines),
        Some(Op::Comment) => commented(request, lines, shown),
        Some(Op::Mark) => marked(lines),
        _ => {
            let text = shown.join("\n");
            let goes = lines_meant(request, std::slice::from_ref(&text));
            if !goes.is_empty() {
                return Some(removed(request, &goes));
            }
            let said = Said::of(request, lines);
            // `It goes up by 5` takes nothing out.
            if said.is_silent() || op == Some(Op::Remove) && !said.is_reckoned {
                return None;
            }
            put(&said, request, lines, shown)
        }
    })
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
fn put(said: &Said, request: &str, lines: &[&str], shown: &[&str]) -> Vec<Changed> {
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
