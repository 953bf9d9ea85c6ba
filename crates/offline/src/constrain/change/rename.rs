//! [`Rename`]: a name that is to be another one wherever it stands.

use std::sync::LazyLock;

use regex::Regex;
use toolwright_core::asks;

use super::{
    Changed,
    named::{becomes, lower},
    shown::Seen,
};
use crate::asked::wanted;

/// A name that is to be another one wherever it stands, as a whole word.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rename {
    old: String,
    new: String,
}

/// Words by which somebody says that all places of it are meant.
const EVERYWHERE: [&str; 6] =
    ["everywhere", "throughout", "wherever", "all places", "every place", "whole file"];
/// A name behind what it is one of.
static THING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let things = "variable|function|method|class|constant|parameter|field|identifier|struct|type";
    Regex::new(&format!(r"(?i)\b(?:{things})\s+[`'\x22]?([A-Za-z_$][\w$]*)")).ok()
});
/// What is no name of a thing.
const NO_NAMES: [&str; 8] = ["name", "called", "named", "to", "in", "from", "is", "that"];

impl Rename {
    /// What a request asks to be called otherwise: `rename the variable wt to weight`.
    pub(super) fn of(request: &str) -> Option<Self> {
        let thing = THING.as_ref()?.captures_iter(request).filter_map(|it| it.get(1));
        let mut things = thing.map(|it| it.as_str()).filter(|it| !NO_NAMES.contains(it));
        let thing = things.next();
        if !asks(request, &["rename"]) || thing.is_none() && !asks(request, &EVERYWHERE) {
            return None;
        }
        let part = wanted(request).into_iter().find(|it| asks(it, &["rename"]))?;
        let at = becomes(&lower(part))?;
        let word = |it: &str| it.trim_matches(['`', '"', '\'', ',', '.']).to_owned();
        let new = part.get(at.end..)?.split_whitespace().next().map(word)?;
        let before = part.get(..at.start)?.split_whitespace().next_back().map(word)?;
        let old = thing.map_or(before, str::to_owned);
        let is_name = |it: &str| !it.is_empty() && it.chars().all(is_of_name);
        (is_name(&old) && is_name(&new) && old != new).then_some(Self { old, new })
    }

    /// A line with the other name in it; `None` where it does not have the first.
    fn line(&self, line: &str) -> Option<String> {
        let mut new = String::new();
        let mut rest = 0;
        for (at, _) in line.match_indices(&self.old) {
            let end = at + self.old.len();
            let is_apart = |it: Option<char>| !it.is_some_and(is_of_name);
            let before = line.get(..at)?.chars().next_back().filter(|it| *it != '$');
            if at >= rest && is_apart(before) && is_apart(line.get(end..)?.chars().next()) {
                new.push_str(line.get(rest..at)?);
                new.push_str(&self.new);
                rest = end;
            }
        }
        new.push_str(line.get(rest..)?);
        (rest > 0).then_some(new)
    }
}

/// Whether a sign may be a part of a name.
fn is_of_name(sign: char) -> bool {
    sign.is_alphanumeric() || matches!(sign, '_' | '$')
}

/// The files that were shown with another name in them, from the first line that has it to the last. `None` where a request
/// asks for no such thing, or no file has it.
pub(super) fn renamed(request: &str, seen: &Seen<'_>) -> Option<Vec<Changed>> {
    let rename = Rename::of(request)?;
    let of = |file: &Vec<&str>| {
        let has = |line: &&str| rename.line(line).is_some();
        let (first, last) = (file.iter().position(has)?, file.iter().rposition(has)?);
        let old = file.get(first..=last)?;
        let new = old.iter().map(|it| rename.line(it).unwrap_or_else(|| (*it).to_owned()));
        let new = new.collect::<Vec<_>>().join("\n");
        Some(Changed { new, old: old.join("\n") })
    };
    let all: Vec<_> = seen.files.iter().filter_map(of).collect();
    (!all.is_empty()).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_another_one_wherever_it_stands_alone() {
        let of = |request: &str| Rename::of(request).map(|it| (it.old, it.new));
        for (request, old, new) in [
            (
                "rename the variable wt to weight everywhere, wt_limit keeps its name",
                "wt",
                "weight",
            ),
            (
                "a.sh uses a variable SRC. pls rename to SOURCE_DIR wherever it's used",
                "SRC",
                "SOURCE_DIR",
            ),
            ("rename function calc to cartTotal throughout a.js", "calc", "cartTotal"),
            ("rename `foo` to `bar` everywhere in a.py", "foo", "bar"),
        ] {
            assert_eq!(of(request), Some((old.to_owned(), new.to_owned())), "{request}");
        }
        assert_eq!(of("rename the heading Use to Usage"), None);
        let wt = Rename { old: "wt".to_owned(), new: "weight".to_owned() };
        let line = wt.line("if wt > wt_limit: return f\"{wt} $wt ${wt}\"");
        assert_eq!(
            line.as_deref(),
            Some("if weight > wt_limit: return f\"{weight} $weight ${weight}\"")
        );
        assert_eq!(wt.line("wt_limit = newt"), None);
    }
}
