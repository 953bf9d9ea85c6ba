//! [`reckoned`]: the figures that a request asks for without saying them: twice as much, five more, the next version.

use toolwright_core::asks;

use super::{
    line::{Kind, tokens},
    shown::Line,
};

/// Words by which a figure grows, or becomes less, by another.
const MORE: [&str; 8] = ["raise", "increase", "add", "up", "extend", "plus", "more", "later"];
const LESS: [&str; 9] =
    ["lower", "decrease", "reduce", "cut", "minus", "less", "down", "shorten", "earlier"];
/// Words for the next figure.
const NEXT: [&str; 6] = ["bump", "increment", "next", "advance", "upgrade", "plus one"];
/// Words for so many times as much.
const TIMES: [(&str, f64); 6] = [
    ("double", 2.0),
    ("twice", 2.0),
    ("triple", 3.0),
    ("thrice", 3.0),
    ("halve", 0.5),
    ("half", 0.5),
];
/// How many figures of a text are looked at.
const LOOKED_AT: usize = 200;
/// Larger ones are not reckoned with.
const LARGEST: f64 = 1e12;

/// The figures that a request asks for without saying them, each of one that stands in these lines. `said` are those that it says.
pub(super) fn reckoned(request: &str, lines: &[Line<'_>], said: &[f64]) -> Vec<String> {
    let percents = percents(request);
    let there = lines.iter().flat_map(|line| figures(line.text)).take(LOOKED_AT);
    let there: Vec<&str> = there.collect();
    let times = TIMES.iter().filter(|(word, _)| asks(request, &[word])).map(|(_, times)| *times);
    let times: Vec<f64> = times.collect();
    // `Raise it to 5` says what is to stand there.
    let is_more = |it: &[&str]| it.iter().any(|word| request.to_lowercase().contains(word));
    let is_by = asks(request, &["by"]) && !asks(request, &["to"])
        || said.iter().any(|by| is_more(&[&format!("{by} more"), &format!("{by} less")]));
    let (more, less) = (is_by && asks(request, &MORE), is_by && asks(request, &LESS));
    // `Bump it to 5` says what is to stand there.
    let is_next = asks(request, &NEXT) && (said.is_empty() || !asks(request, &["to"]));
    let mut all = Vec::new();
    for figure in &there {
        let Some(number) = figure.parse::<f64>().ok().filter(|it| it.abs() < LARGEST) else {
            all.extend(is_next.then(|| versions(figure)).into_iter().flatten());
            continue;
        };
        let places = figure.split_once('.').map_or(0, |(_, places)| places.len());
        let mut tell = |value: f64| {
            let least = if value.fract() == 0.0 { 0 } else { 1 };
            all.push(format!("{value:.places$}", places = places.max(least)));
        };
        times.iter().for_each(|times| tell(number * times));
        for percent in &percents {
            let is_less = asks(request, &LESS);
            if is_less || asks(request, &MORE) {
                tell(number * (1.0 + if is_less { -percent } else { *percent } / 100.0));
            }
        }
        if !percents.is_empty() {
            continue;
        }
        said.iter().filter(|_| more).for_each(|by| tell(number + by));
        said.iter().filter(|by| less && **by <= number).for_each(|by| tell(number - by));
        if is_next {
            tell(number + 1.0);
        }
    }
    all.sort();
    all.dedup();
    all
}

/// The figures that are so many of a hundred.
fn percents(request: &str) -> Vec<f64> {
    let words: Vec<_> = request.split_whitespace().collect();
    let figure = |it: &str| it.parse::<f64>().ok();
    let of = |(at, word): (usize, &&str)| match word.trim_end_matches([',', '.', '?', '!']) {
        "%" | "percent" | "pct" => figure(words.get(at.checked_sub(1)?)?),
        word => figure(word.strip_suffix('%')?),
    };
    words.iter().enumerate().filter_map(of).collect()
}

/// The figures of a text as they stand in it: `30`, `1.50`, `0.4.1`. Those of a day are none.
fn figures(text: &str) -> impl Iterator<Item = &str> {
    let tokens = tokens(text).into_iter();
    let tokens = tokens.filter(|it| matches!(it.kind, Kind::Number | Kind::Version));
    tokens.filter_map(|it| text.get(it.range))
}

/// What may follow a version: one more in each of its parts, and nothing behind that.
fn versions(version: &str) -> Vec<String> {
    let parts: Option<Vec<u64>> = version.split('.').map(|it| it.parse().ok()).collect();
    let parts = parts.unwrap_or_default();
    let next = (0..parts.len()).map(|at| {
        let part = |(to, it): (usize, &u64)| match to.cmp(&at) {
            std::cmp::Ordering::Less => it.to_string(),
            std::cmp::Ordering::Equal => it.saturating_add(1).to_string(),
            std::cmp::Ordering::Greater => "0".to_owned(),
        };
        parts.iter().enumerate().map(part).collect::<Vec<_>>().join(".")
    });
    next.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_reckoned() {
        let of =
            |request: &str, line: &str, said: &[f64]| reckoned(request, &[Line::alone(line)], said);
        assert_eq!(of("double the timeout", "timeout_seconds = 30", &[]), ["60"]);
        assert_eq!(of("halve it", "fee: 2.50", &[]), ["1.25"]);
        assert_eq!(of("halve it", "count = 3", &[]), ["1.5"]);
        assert_eq!(of("raise it by 5", "port = 8080", &[5.0]), ["8085"]);
        assert_eq!(of("the fee goes up by 5 in notes/meeting.txt", "fee is 25.", &[5.0]), ["30"]);
        assert_eq!(of("set the fee to 20 % less", "fee: 25", &[20.0]), ["20"]);
        assert_eq!(of("raise it by 10%", "fee: 25", &[10.0]), ["27.5"]);
        assert_eq!(of("set it to 5 more", "port = 8080", &[5.0]), ["8085"]);
        assert_eq!(of("5 more", "2026-03-05,rent,40.00", &[5.0]), ["45.00"]);
        assert_eq!(of("reduce it by 5", "port = 8080", &[5.0]), ["8075"]);
        assert_eq!(of("bump the version", "version = \"0.4.1\"", &[]), ["0.4.2", "0.5.0", "1.0.0"]);
        for said in ["set it to 5", "bump it to 5", "raise it to 5", "lower port to 5 by all means"]
        {
            assert_eq!(of(said, "port = 8080", &[5.0]), [""; 0], "{said}");
        }
        assert_eq!(of("double it", "a2 = b.c", &[]), [""; 0]);
    }
}
