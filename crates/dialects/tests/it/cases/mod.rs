//! The cases of `cases.jsonl`: raw replies in every dialect, with what must be made of each. Each is
//! read whole, one character at a time, and in random pieces.

mod compare;

use serde_json::Value;
use toolwright_dialects::{DecodedPart, Decoder, Dialect, Extraction, KnownTools};

use self::compare::same;

/// One case.
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) dialect: Dialect,
    pub(crate) tools: KnownTools,
    pub(crate) text: String,
    in_reasoning: bool,
    expect: Value,
}

pub(crate) fn cases() -> Vec<Case> {
    let lines = include_str!("cases.jsonl").lines();
    lines
        .map(|line| {
            let case: Value = serde_json::from_str(line).expect("a case is JSON");
            let text = |key: &str| case[key].as_str().expect("a case is complete").to_owned();
            Case {
                id: text("id"),
                dialect: text("dialect").parse().expect("the dialect is known"),
                tools: KnownTools::from_openai(&case["tools"]),
                text: text("text"),
                in_reasoning: case["start_in_reasoning"] == true,
                expect: case["expect"].clone(),
            }
        })
        .collect()
}

impl Case {
    fn decoder(&self, dialect: Dialect) -> Decoder {
        if self.in_reasoning {
            Decoder::in_reasoning(dialect, &self.tools)
        } else {
            Decoder::new(dialect, &self.tools)
        }
    }

    /// Reads the text in these pieces.
    pub(crate) fn read<'a>(
        &self,
        dialect: Dialect,
        pieces: impl IntoIterator<Item = &'a str>,
    ) -> Vec<DecodedPart> {
        let mut decoder = self.decoder(dialect);
        let mut parts = Vec::new();
        for piece in pieces {
            parts.extend(decoder.push(piece));
        }
        parts.extend(decoder.finish());
        parts
    }
}

/// The text, one character at a time.
pub(crate) fn letters(text: &str) -> impl Iterator<Item = &str> {
    text.char_indices().map(|(at, letter)| &text[at..at + letter.len_utf8()])
}

/// The text, cut at random.
pub(crate) fn random<'a>(text: &'a str, random: &mut fastrand::Rng) -> Vec<&'a str> {
    let longest = random.usize(1..24);
    let (mut pieces, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let mut end = random.usize(1..=longest).min(rest.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

fn check(case: &Case, dialect: Dialect) -> Result<(), String> {
    let whole = case.read(dialect, [case.text.as_str()]);
    let found: Extraction = whole.iter().cloned().collect();
    same(&case.expect, &found)?;
    compare::deltas(&whole)?;
    let by_letter = case.read(dialect, letters(&case.text));
    compare::deltas(&by_letter)?;
    if by_letter.iter().cloned().collect::<Extraction>() != found {
        return Err(format!("by letter it is {by_letter:?}"));
    }
    let mut rng = fastrand::Rng::with_seed(7);
    for _ in 0..50 {
        let parts = case.read(dialect, random(&case.text, &mut rng));
        compare::deltas(&parts)?;
        if parts.iter().cloned().collect::<Extraction>() != found {
            return Err(format!("in pieces it is {parts:?}"));
        }
    }
    Ok(())
}

fn report(check: impl Fn(&Case) -> Result<(), String>) -> Vec<String> {
    let mut failed = Vec::new();
    for case in cases() {
        if let Err(why) = check(&case) {
            failed.push(format!("{}\n{}\n  {why}\n", case.id, case.text));
        }
    }
    failed
}

#[test]
fn every_case_reads_as_expected_however_it_is_cut() {
    let failed = report(|case| check(case, case.dialect));
    assert!(failed.is_empty(), "{} cases\n{}", failed.len(), failed.join("\n"));
}

/// What only the dialect's name can tell: that `all` is a recipient, and that calls in reasoning
/// count.
const NEEDS_NAME: [&str; 4] = [
    "tw-functionary_v32-text-before",
    "tw-functionary_v32-truncated",
    "tw-functionary_v32-not-a-call",
    "tw-trinity-call-in-think",
];

#[test]
fn nearly_every_case_reads_the_same_when_the_dialect_is_not_named() {
    let failed = report(|case| match check(case, Dialect::Auto) {
        Ok(()) if NEEDS_NAME.contains(&&*case.id) => Err("it no longer needs its name".to_owned()),
        Err(_) if NEEDS_NAME.contains(&&*case.id) => Ok(()),
        checked => checked,
    });
    assert!(failed.is_empty(), "{} cases\n{}", failed.len(), failed.join("\n"));
}

/// Dialects whose calls no marker opens: before a name that is listed, they are text.
const WITHOUT_MARKERS: [Dialect; 10] = [
    Dialect::Generic,
    Dialect::Llama3Json,
    Dialect::Xlam,
    Dialect::Pythonic,
    Dialect::React,
    Dialect::ToolCode,
    Dialect::CommandRPlus,
    Dialect::FunctionaryV32,
    Dialect::Phi4Mini,
    Dialect::Firefunction,
];

/// Whether a part of a call is shown of the text up to here: more than the beginning of one marker.
fn is_shown(text: &str, whole: &Extraction, found: &Extraction) -> bool {
    let [whole, found] = [&whole.content, &found.content].map(|it| compare::squeezed(it));
    let same = whole.bytes().zip(found.bytes()).take_while(|(one, other)| one == other).count();
    let more = found.get(same..).unwrap_or_default().trim();
    let last = more.rfind(['<', ']', '`', '[']).unwrap_or_default();
    let tail = more.get(last..).unwrap_or_default();
    more.contains(['"', '=', '{']) || !compare::squeezed(text).contains(tail) || more.len() > 40
}

#[test]
fn a_case_that_is_cut_off_anywhere_shows_nothing_of_a_call() {
    let mut failed = Vec::new();
    for case in cases() {
        let whole: Extraction = case.read(case.dialect, [case.text.as_str()]).into_iter().collect();
        let marked = !WITHOUT_MARKERS.contains(&case.dialect) && !case.id.contains("missing-open");
        if whole.calls.is_empty() || !marked || case.text.len() > 1000 {
            continue;
        }
        let cut = case.text.char_indices().map(|(at, _)| &case.text[..at]).find(|text| {
            let found = case.read(case.dialect, [*text]).into_iter().collect();
            is_shown(text, &whole, &found)
        });
        failed.extend(cut.map(|text| format!("{}: {text:?}", case.id)));
    }
    assert!(failed.is_empty(), "{} cases\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn a_bracket_too_many_behind_the_json_of_a_call_vanishes() {
    let mut failed = Vec::new();
    for case in cases() {
        let whole: Extraction = case.read(case.dialect, [case.text.as_str()]).into_iter().collect();
        let calls = |found: &Extraction| -> Vec<_> {
            found.calls.iter().map(|it| (it.name.clone(), it.arguments.clone())).collect()
        };
        for at in ends(&case.text).into_iter().filter(|_| !whole.calls.is_empty()) {
            let text = format!("{}}}{}", &case.text[..at], &case.text[at..]);
            let found: Extraction = case.read(case.dialect, [text.as_str()]).into_iter().collect();
            let content = [&found, &whole].map(|it| compare::squeezed(&it.content));
            if calls(&found) != calls(&whole) || content[0] != content[1] {
                failed.push(format!("{}: {text:?}\n  {found:?}", case.id));
            }
        }
    }
    assert!(failed.is_empty(), "{} cases\n{}", failed.len(), failed.join("\n"));
}

/// Where the JSON of a call may end: behind a brace that a line break, a marker or the end follows.
fn ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let (mut quoted, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if std::mem::take(&mut escaped) => {}
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            b'}' if !quoted => ends.push(at + 1),
            _ => {}
        }
    }
    let follows = |at: &usize| {
        let rest = text[*at..].trim_start();
        // What stands in the value of a tag is text, and so is prose.
        let tag = ["</param", "</arg", "</｜DSML｜param", "</atem:param", "</steptml:param"];
        let tag = tag.iter().any(|it| rest.starts_with(it)) || rest.starts_with("<|close|>arg");
        !tag && (rest.is_empty()
            || rest.starts_with(['<', '`', ')', '\n'])
            || rest.starts_with("Obs"))
    };
    ends.retain(follows);
    ends
}
