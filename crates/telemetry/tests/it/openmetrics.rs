//! [`read`]: OpenMetrics text, taken strictly.

use std::collections::{BTreeMap, BTreeSet};

/// One sample: its name, its labels, its value.
#[derive(Debug, PartialEq)]
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) value: f64,
}

/// The samples of a text that breaks no rule: every sample belongs to the family declared above it,
/// has the suffix of that family's type and comes once; histograms add up; the end is marked.
#[track_caller]
pub(crate) fn read(text: &str) -> Vec<Sample> {
    let (mut samples, mut seen) = (Vec::<Sample>::new(), BTreeSet::new());
    let (mut family, mut kind, mut families) = (String::new(), String::new(), BTreeSet::new());
    let text = text.strip_suffix("# EOF\n").expect("the mark at the end");
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix("# ") {
            let (word, rest) = comment.split_once(' ').expect(line);
            let (name, rest) = rest.split_once(' ').expect(line);
            if name != family {
                assert!(families.insert(name.to_owned()), "{name} is declared twice");
                (family, kind) = (name.to_owned(), String::new());
            }
            match word {
                "TYPE" => kind = rest.to_owned(),
                "UNIT" => assert!(name.ends_with(&format!("_{rest}")), "{line}"),
                "HELP" => assert!(!rest.is_empty(), "{line}"),
                _ => panic!("{line}"),
            }
            continue;
        }
        let sample = sample(line);
        let suffix = sample.name.strip_prefix(&family).expect(line);
        let suffixes: &[_] = match kind.as_str() {
            "counter" => &["_total"],
            "gauge" => &[""],
            "histogram" => &["_bucket", "_count", "_sum"],
            _ => panic!("{family} is a {kind:?}"),
        };
        assert!(suffixes.contains(&suffix), "{line} in {family}, a {kind}");
        assert!(seen.insert((sample.name.clone(), sample.labels.clone())), "{line} comes twice");
        samples.push(sample);
    }
    samples.iter().filter(|it| it.name.ends_with("_count")).for_each(|it| adds_up(it, &samples));
    samples
}

fn sample(line: &str) -> Sample {
    let (series, value) = line.rsplit_once(' ').expect(line);
    let value = value.parse().expect(line);
    let Some((name, labels)) = series.split_once('{') else {
        return Sample { name: name(series), labels: BTreeMap::new(), value };
    };
    let mut rest = labels.strip_suffix('}').expect(line);
    let mut labels = BTreeMap::new();
    while !rest.is_empty() {
        let (key, after) = rest.split_once("=\"").expect(line);
        let (text, after) = quoted(after);
        assert!(labels.insert(self::name(key), text).is_none(), "{line}");
        rest = after.strip_prefix(',').unwrap_or(after);
    }
    Sample { name: self::name(name), labels, value }
}

/// A text up to its closing quote, and what comes after that.
fn quoted(text: &str) -> (String, &str) {
    let (mut value, mut letters) = (String::new(), text.char_indices());
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (value, &text[at + 1..]),
            '\\' => match letters.next().expect(text).1 {
                'n' => value.push('\n'),
                escaped @ ('"' | '\\') => value.push(escaped),
                other => panic!("\\{other} in {text}"),
            },
            _ => value.push(letter),
        }
    }
    panic!("no end: {text}")
}

fn name(text: &str) -> String {
    let is_letter = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let is_name = text.chars().all(is_letter) && !text.starts_with(|it: char| it.is_ascii_digit());
    assert!(is_name && !text.is_empty(), "{text:?} is not a name");
    text.to_owned()
}

fn adds_up(count: &Sample, samples: &[Sample]) {
    let bucket = count.name.replace("_count", "_bucket");
    let is_of = |it: &&Sample| {
        it.name == bucket
            && count.labels.iter().all(|(name, value)| it.labels.get(name) == Some(value))
    };
    let mut last = (f64::NEG_INFINITY, 0.0);
    for sample in samples.iter().filter(is_of) {
        assert_eq!(sample.labels.len(), count.labels.len() + 1, "{sample:?}");
        let bound: f64 = sample.labels["le"].parse().unwrap();
        assert!(bound > last.0 && sample.value >= last.1, "{sample:?}");
        last = (bound, sample.value);
    }
    assert_eq!(last, (f64::INFINITY, count.value), "{count:?}");
}
