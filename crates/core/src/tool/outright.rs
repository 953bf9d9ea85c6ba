//! [`asks_outright`]: whether somebody said one of the words that ask for something, and meant it.
//!
//! What is asked for so is done, whichever model does it: see [`even_unseen`](super::ToolSpec::even_unseen).

use super::asked::{fits, places, spoken};

/// How far a quote reaches, in bytes.
const QUOTED: usize = 4_096;

/// Whether one of `words` was said and meant: as it is written but for its usual forms, not in quotes, and not behind a
/// word that says no to it.
///
/// ```
/// use toolwright_core::asks_outright;
///
/// assert!(asks_outright("Overwriting it is fine", &["overwrite"]));
/// assert!(!asks_outright("Add a line without overwriting it", &["overwrite"]));
/// assert!(!asks_outright("Write 'overwrite me' into a.txt", &["overwrite"]));
/// ```
pub fn asks_outright<W: AsRef<str>>(said: &str, words: &[W]) -> bool {
    let said = unquoted(&said.to_lowercase());
    said.lines().flat_map(clauses).any(|clause| {
        words.iter().any(|phrase| {
            let mut places = places(&clause, phrase.as_ref(), &fits);
            places.any(|at| !clause.iter().take(at).any(|it| NO.contains(it)))
        })
    })
}

/// As [`asks_outright`], where `{}` among the words stands for the thing of this name, a path or its last part:
/// `wipe {}` was said in "wipe notes.md".
pub(crate) fn asks_outright_of<W: AsRef<str>>(said: &str, words: &[W], name: &str) -> bool {
    // A word that nobody says.
    const NAMED: &str = "thethingofthisname";
    let name = name.to_lowercase();
    let last = name.rsplit(['/', '\\']).next().unwrap_or(&name);
    let said = [name.as_str(), last]
        .into_iter()
        .fold(said.to_lowercase(), |said, name| with_name(&said, name, NAMED));
    let words: Vec<String> = words.iter().map(|it| it.as_ref().replace("{}", NAMED)).collect();
    asks_outright(&said, &words)
}

/// A text in which a name is another; with it go quotes around it. A part of a longer name is none.
fn with_name(text: &str, name: &str, other: &str) -> String {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '/' | '\\');
    let goes_on = |rest: &str| {
        let bare = rest.strip_prefix('.').unwrap_or(rest);
        bare.starts_with(is_part)
    };
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(name).filter(|_| !name.is_empty()) {
        out.push_str(before);
        rest = after;
        if out.ends_with(is_part) || out.ends_with('.') || goes_on(after) {
            out.push_str(name);
            continue;
        }
        let quote = out.chars().next_back().filter(|it| matches!(it, '"' | '\'' | '`'));
        if let Some(behind) = quote.and_then(|it| after.strip_prefix(it)) {
            out.pop();
            rest = behind;
        }
        out.push_str(other);
    }
    out + rest
}

/// The words of each part of a line, up to a sign that ends one. The point in `a.txt` does not.
fn clauses(line: &str) -> Vec<Vec<&str>> {
    let mut clauses = vec![Vec::new()];
    for piece in line.split_whitespace() {
        clauses.last_mut().into_iter().for_each(|it: &mut Vec<_>| it.extend(spoken(piece)));
        if piece.ends_with(['.', ',', ';', ':', '!', '?']) {
            clauses.push(Vec::new());
        }
    }
    clauses
}

/// Words that say no to what follows them; `don't` ends in one.
const NO: &[&str] = &[
    "not", "t", "dont", "no", "never", "without", "cannot", "cant", "nor", "neither", "avoid",
    "unless", "before", "instead", "rather", "nothing", "nicht", "kein", "keine", "ohne",
];

/// A text without what stands in quotes. An apostrophe opens none, and neither does a quote that nobody closes.
fn unquoted(text: &str) -> String {
    const QUOTES: [(char, char); 6] =
        [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('‘', '’'), ('„', '“')];
    let (mut out, mut rest) = (String::new(), text);
    while let Some(char) = rest.chars().next() {
        let after = rest.get(char.len_utf8()..).unwrap_or_default();
        let is_opening = !out.ends_with(char::is_alphanumeric);
        let quote = QUOTES.iter().find(|(open, _)| *open == char && is_opening);
        let closed = quote.and_then(|(_, close)| {
            let behind = |(at, it): (usize, &str)| after.get(at + it.len()..);
            let near = after.get(..after.floor_char_boundary(QUOTED)).unwrap_or(after);
            let mut places = near.match_indices(*close).filter_map(behind);
            places.find(|behind| !behind.starts_with(char::is_alphanumeric))
        });
        match closed {
            Some(behind) => rest = behind,
            None => {
                out.push(char);
                rest = after;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_outright_is_meant() {
        let words = ["overwrite", "start over", "discard"];
        for said in [
            "Overwrite it!",
            "overwriting the file is fine",
            "do not append, overwrite it",
            "the old one's wrong: start over",
            "it's \"broken\", discard it",
            "put 5\" in it and overwrite what is there",
        ] {
            assert!(asks_outright(said, &words), "{said}");
        }
        for said in [
            "don't overwrite it",
            "add a line without ever overwriting the file",
            "never overwrite, start, over",
            "write 'overwrite' into a.txt",
            "write \"start over\" and `discard`, “overwrite”",
            "post it on discord",
            "ovewrite it",
            "ask me before you overwrite it",
            "don't let a.txt be overwritten",
            "",
        ] {
            assert!(!asks_outright(said, &words), "{said}");
        }
        assert!(!asks_outright("x", &[""]) && !asks_outright("x", &[] as &[&str]));
    }

    #[test]
    fn a_thing_is_known_by_its_name() {
        let words = ["wipe {}", "start {} over"];
        for said in ["Wipe docs/A.md!", "wipe `a.md` and write x", "start a.md over", "wipe a.md."]
        {
            assert!(asks_outright_of(said, &words, "docs/A.md"), "{said}");
        }
        for said in [
            "wipe b.md",
            "wipe aa.md",
            "wipe a.md.bak",
            "wipe other/a.md",
            "wipe the disk in a.md",
            "don't wipe a.md",
            "write 'wipe a.md' into b.md",
            "wipe {}",
        ] {
            assert!(!asks_outright_of(said, &words, "docs/A.md"), "{said}");
        }
        assert!(
            !asks_outright_of("wipe it", &words, "") && asks_outright_of("wipe x", &["wipe"], "")
        );
    }
}
