use std::sync::Arc;

use proptest::{prelude::*, sample::select};

use super::{
    spelled::{dumps, hex, wrapped},
    *,
};
use crate::Flow;

/// Secrets of runs: of usual and of least lengths, that overlap themselves, that are parts of others, with
/// everything in them that spellings differ in.
const RUNS: [&[&str]; 7] = [
    &["sk-canary-0123456789abcdefXYZ-and-more-of-it"],
    &["sk-\"a\\b/c\n+ü", "abcabcab", "aaaaaaaa", "=x=x="],
    &["correct horse battery", "ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7", "horse battery", "a b"],
    &["hunter", "hunter2", "üüüüüü"],
    &["~~~???>>>", "\u{3ff}?>\u{3ff}?>ÿÿÿ"],
    &["x", "\\", "%41%41%41"],
    &[
        "a long one that is cut only after very many letters, as keys in files are: 0123456789abcdef",
    ],
];

/// Texts without layout: the secret as it is written by somebody.
fn spellings(secret: &str) -> Vec<String> {
    let each = |write: fn(u8) -> String| secret.bytes().map(write).collect::<String>();
    let json = |text: &str| serde_json::to_string(text).unwrap().trim_matches('"').to_owned();
    let once = json(secret);
    let (twice, thrice) = (json(&json(secret)), json(&json(&once)));
    let mut all = vec![
        secret.to_owned(),
        secret.chars().rev().collect(),
        secret.replace(' ', "+"),
        hex(secret.as_bytes()).concat(),
        hex(secret.as_bytes()).concat().to_uppercase(),
        json(&thrice),
        each(|it| format!("%{it:02X}")),
        each(|it| format!("%25{it:02x}")),
        each(|it| format!("\\x{it:02x}")),
        each(|it| format!("\\\\x{it:02x}")),
        each(|it| format!("\\{it:03o}")),
        secret.encode_utf16().map(|it| format!("\\u{it:04x}")).collect(),
    ];
    all.extend([once, twice, thrice]);
    for before in ["", "u", "us", "user:"] {
        for behind in ["", "!", "!!"] {
            let encoded = crate::spelling::encode(format!("{before}{secret}{behind}").as_bytes());
            let encoded = String::from_utf8(encoded).unwrap();
            all.push(encoded.replace('+', "-").replace('/', "_"));
            all.push(encoded + "=");
        }
    }
    all
}

/// A spelling as it stands in a text: whole, in part, cut, over lines, with spaces, in a dump, changed.
fn laid_out(text: &str, how: usize, from: usize, to: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    let (from, to) = (from % (letters.len() + 1), to % (letters.len() + 1));
    let part = |range: Range<usize>| letters[range].iter().collect::<String>();
    let (head, tail) = (part(0..from), part(from..letters.len()));
    match how {
        0 => part(from.min(to)..from.max(to)),
        1 => format!("{head}…{tail}"),
        2 => format!("{head} … [truncated] …\n{tail}"),
        3 => format!("{head}\n{tail}"),
        4 => wrapped(text, from + 1),
        5 => text.as_bytes().chunks(2).map(String::from_utf8_lossy).collect::<Vec<_>>().join(" "),
        6..9 => dumps(&format!("{}{text}\nand more", "=".repeat(to % 20)))[how - 6].clone(),
        9 => dumps(text)[to % 3].to_uppercase(),
        10 => format!("{head}\\{tail}"),
        11 => wrapped(text, from + 1).replace('\n', "\r\n\t"),
        12 => format!("{head}…"),
        13 => format!("…{tail}"),
        14 => format!("\n  {}", dumps(text)[to % 3].replace('\n', "\n  ")),
        _ => text.to_owned(),
    }
}

/// A run, and pieces of a text it might see.
fn texts() -> impl Strategy<Value = (&'static [&'static str], Vec<String>)> {
    let noise = [
        "",
        "=",
        "==",
        "\\",
        "\\\\",
        "%",
        "%2",
        "\n",
        " ",
        "\t",
        "\x0c",
        "a",
        "abc",
        "\\u0061",
        "\\ud83d",
        "ü",
        "…",
        "\"",
        "{\"city\":\"Paris\",\"unit\":\"celsius\"}",
        "0000: 6162",
        "\n00000010: 6162 63\n",
        "–",
    ];
    select(&RUNS[..]).prop_flat_map(move |run| {
        let all: Vec<String> = run.iter().flat_map(|it| spellings(it)).collect();
        let some = (select(all), 0_usize..22, 0_usize..200, 0_usize..200);
        let spelled = some.prop_map(|(text, how, from, to)| laid_out(&text, how, from, to));
        let piece = prop_oneof![2 => spelled, 1 => select(noise.to_vec()).prop_map(str::to_owned)];
        (Just(run), prop::collection::vec(piece, 0..7))
    })
}

/// What a text in pieces comes out as, by the plain search: piece by piece.
fn flowed(secrets: &Secrets, pieces: &[String]) -> Vec<String> {
    let (mut held, mut covered_before, mut all) = (String::new(), None, Vec::new());
    for piece in pieces.iter().map(Some).chain([None]) {
        held.push_str(piece.map_or("", String::as_str));
        let cut = if piece.is_some() { secrets.settled(&held) } else { held.len() };
        let (mut out, mut at, mut covered) = (String::new(), 0, None);
        for place in secrets.places(&held, covered_before) {
            let goes_on = place.start == 0 && covered_before.is_some();
            if place.start >= cut && !goes_on {
                break;
            }
            out.push_str(held.get(at..place.start).unwrap_or_default());
            out.push_str(if goes_on { "" } else { MARK });
            at = place.end;
            covered = at.checked_sub(cut);
        }
        out.push_str(held.get(at..cut).unwrap_or_default());
        covered_before = covered;
        held.drain(..cut);
        all.push(out);
    }
    all
}

/// How many texts are tried: `PROPTEST_CASES` asks for more.
fn config() -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|it| it.parse().ok());
    ProptestConfig::with_cases(asked.unwrap_or(1500))
}

proptest! {
    #![proptest_config(config())]

    /// One pass finds what a pass for each spelling does, and nothing else.
    #[test]
    fn the_same_is_found_in_a_whole_text((run, pieces) in texts()) {
        let (plain, real) = (Secrets::new(run.iter().copied()), crate::Secrets::new(run.iter().copied()));
        let text = pieces.concat();
        for text in pieces.iter().chain([&text]) {
            prop_assert_eq!(real.clean(text), plain.clean(text));
            prop_assert_eq!(real.is_in(text), plain.is_in(text));
            prop_assert_eq!(real.settled(text), plain.settled(text));
            prop_assert_eq!(real.places(text, None), plain.places(text, None));
        }
    }

    /// The same comes out at the same time, wherever a text is cut.
    #[test]
    fn the_same_comes_out_of_a_flow((run, pieces) in texts(), sizes in prop::collection::vec(1_usize..40, 1..9)) {
        let plain = Secrets::new(run.iter().copied());
        let real = Arc::new(crate::Secrets::new(run.iter().copied()));
        let (text, mut rest, mut cut) = (pieces.concat(), sizes.iter().cycle(), Vec::new());
        let mut letters = text.chars().peekable();
        while letters.peek().is_some() {
            cut.push(letters.by_ref().take(*rest.next().unwrap()).collect::<String>());
        }
        for pieces in [pieces, cut] {
            let mut flow = Flow::new(real.clone());
            let mut all: Vec<String> = pieces.iter().map(|it| flow.push(it)).collect();
            all.push(flow.finish());
            prop_assert_eq!(all, flowed(&plain, &pieces));
        }
    }

    /// The same in texts made of few letters, where nearly everything is the beginning of something.
    #[test]
    fn the_same_is_found_in_texts_of_few_letters(text in "[ab=6\\\\ \n%…1]{0,60}", secret in "[ab6= ]{1,9}") {
        let (plain, real) = (Secrets::new([secret.as_str()]), crate::Secrets::new([secret.as_str()]));
        prop_assert_eq!(real.clean(&text), plain.clean(&text));
        prop_assert_eq!(real.settled(&text), plain.settled(&text));
    }
}

/// The texts above are worth trying: in many something is found, and in many nothing is.
#[test]
fn something_is_found_in_many_texts_and_nothing_in_many() {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};
    let mut runner = TestRunner::deterministic();
    let mut found = 0;
    for _ in 0..300 {
        let (run, pieces) = texts().new_tree(&mut runner).unwrap().current();
        found += usize::from(Secrets::new(run.iter().copied()).is_in(&pieces.concat()));
    }
    assert!((60..270).contains(&found), "{found}");
}
