//! [`lines_meant`]: where something is to be taken out of what was read, the lines that it stands in.

use toolwright_core::asks;

use super::named::is_path;

/// Words by which people ask for something to be taken out.
const TAKES_OUT: [&str; 13] = [
    "remove",
    "delete",
    "drop",
    "erase",
    "strike",
    "scrap",
    "ditch",
    "strip",
    "nix",
    "omit",
    "exclude",
    "eliminate",
    "scratch",
];
/// The same of two words each, with what goes between them or behind.
const TAKES_APART: [(&str, &str); 9] = [
    ("get", "rid"),
    ("take", "out"),
    ("take", "off"),
    ("take", "away"),
    ("cut", "out"),
    ("throw", "out"),
    ("throw", "away"),
    ("cross", "out"),
    ("cross", "off"),
];
/// How many words go between at most.
const BETWEEN: usize = 5;
/// Words by which they ask for something to be put there: then it is not told which of theirs name what goes.
const PUTS_IN: [&str; 19] = [
    "add", "insert", "append", "put", "set", "change", "replace", "rename", "update", "fix",
    "correct", "swap", "write", "move", "instead", "convert", "raise", "lower", "increase",
];
/// Words that name no line by themselves.
const COMMON: [&str; 30] = [
    "the", "and", "for", "from", "this", "that", "one", "all", "any", "its", "out", "off", "line",
    "lines", "row", "rows", "entry", "item", "file", "word", "text", "please", "pls", "now", "you",
    "can", "with", "has", "again", "says",
];
/// Shorter words name nothing.
const LONG: usize = 3;
/// So many lines that have a word of a request are rarely one that is meant.
const MANY: usize = 100;

/// The lines of some texts that have a word of a request, where that asks for something to be taken out and for nothing else.
pub(in crate::constrain) fn lines_meant<'a>(request: &str, texts: &'a [String]) -> Vec<&'a str> {
    if !takes_out(request) || asks(request, &PUTS_IN) {
        return Vec::new();
    }
    // What has a place of its own in folders is where it stands, not what.
    let named = request.split_whitespace().filter(|it| !is_path(it));
    let named: Vec<_> = named.flat_map(words).filter(|it| !COMMON.contains(&it.as_str())).collect();
    let is_meant = |line: &&str| words(line).any(|word| named.contains(&word));
    let meant: Vec<_> = texts.iter().flat_map(|it| it.lines()).filter(is_meant).collect();
    // Each is held against all others, and where there are many none is singled out.
    if meant.len() > MANY {
        return meant;
    }
    let all: Vec<Vec<_>> = meant.iter().map(|line| words(unnumbered(line)).collect()).collect();
    let is_named = |it: &&String| named.contains(it);
    let has_all =
        |of: &[String], than: &[String]| than.iter().filter(is_named).all(|it| of.contains(it));
    // `milk` is in `buy milk` and in `buy milk powder`: the one that says nothing else is meant.
    let says_less = |of: &[String], than: &[String]| {
        of.len() < than.len() && of.iter().all(|it| than.contains(it)) && has_all(of, than)
    };
    // And of `milk powder` the one with both.
    let is_more_meant = |of: &[String], than: &[String]| has_all(of, than) && !has_all(than, of);
    let is_outdone =
        |line: &[String]| all.iter().any(|it| says_less(it, line) || is_more_meant(it, line));
    let kept = meant.iter().zip(&all).filter(|(_, words)| !is_outdone(words));
    kept.map(|(line, _)| *line).collect()
}

/// Words by which they ask for something to go, and often for something else.
const LETS_GO: [&str; 31] = [
    "cut", "wipe", "kill", "lose", "bin", "throw", "clear", "empty", "blank", "chop", "zap",
    "nuke", "rm", "scrub", "trim", "trash", "toss", "purge", "without", "unneeded", "gone", "go",
    "goes", "del", "dlt", "hata*", "nikal*", "minus", "less", "excise", "subtract",
];

/// Whether a request may ask for something to go: nothing may stand in its place then.
pub(crate) fn may_take_out(request: &str) -> bool {
    takes_out(request) || asks(request, &LETS_GO)
}

/// Whether a request asks for something to go, and surely so.
pub(super) fn takes_out(request: &str) -> bool {
    let words: Vec<_> = request.split(|it: char| !it.is_alphanumeric()).collect();
    let is_apart = |(verb, particle): &(&str, &str)| {
        words.iter().enumerate().any(|(at, word)| {
            let behind = || words.iter().skip(at + 1).take(BETWEEN);
            asks(word, &[verb]) && behind().any(|it| it.eq_ignore_ascii_case(particle))
        })
    };
    asks(request, &TAKES_OUT) || TAKES_APART.iter().any(is_apart)
}

/// A line without the number that it was shown with.
fn unnumbered(line: &str) -> &str {
    let is_number = |it: &str| it.trim().bytes().all(|it| it.is_ascii_digit());
    line.split_once('\t').filter(|(number, _)| is_number(number)).map_or(line, |(_, text)| text)
}

/// The words of a text that are not short, each as if there were one of it.
fn words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|it: char| !it.is_alphanumeric());
    let words = parts.filter(|it| it.chars().count() >= LONG).map(str::to_lowercase);
    words.map(|it| it.strip_suffix('s').map(str::to_owned).unwrap_or(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(request: &str) -> Vec<String> {
        let file = "1\tdate,what\n2\t2026-02-03,coffee,-14.60\n3\t2026-02-17,stamps,-8.40\n4\t2026-03-05,hall rent,-40.00";
        lines_meant(request, &[file.to_owned()]).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn what_goes_is_named_by_words_of_its_line() {
        let coffee = ["2\t2026-02-03,coffee,-14.60"];
        assert_eq!(meant("take out the coffee entry from data/entries.csv"), coffee);
        assert_eq!(meant("pls delete Coffee from entries.csv"), coffee);
        assert_eq!(meant("get rid of the stamp line and of the hall").len(), 2);
        assert_eq!(meant("Coffee was paid, take that line out of entries.csv"), coffee);
    }

    #[test]
    fn of_lines_that_say_the_same_the_one_is_meant_that_says_nothing_else() {
        let file = ["3\tbuy milk\n5\tcall the plumber\n7\tbuy milk powder".to_owned()];
        assert_eq!(lines_meant("remove milk from the todo", &file), ["3\tbuy milk"]);
        assert_eq!(lines_meant("remove milk powder", &file), ["7\tbuy milk powder"]);
    }

    #[test]
    fn nothing_is_told_where_something_is_put_there_or_no_word_is_known() {
        assert_eq!(meant("replace coffee by tea"), [""; 0]);
        assert_eq!(meant("remove coffee and add tea"), [""; 0]);
        assert_eq!(meant("drop the last line of data/coffee.csv"), [""; 0]);
        assert_eq!(meant("what did the coffee cost"), [""; 0]);
        assert_eq!(meant("take the coffee figures and work out the sum of it all"), [""; 0]);
    }
}
