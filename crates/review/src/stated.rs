//! What words say about a figure that is not stated: [`is_offer`], [`is_standard`], [`status_phrase`].

/// How far a sentence is looked at, in bytes, to each side.
const REACH: usize = 240;

/// Whether what stands at `at` is in a sentence that asks or offers something: "Shall I look at the last
/// 50?", "Let me know if you want more than 25."
pub(super) fn is_offer(line: &str, at: usize) -> bool {
    let (before, after) = line.split_at_checked(at).unwrap_or((line, ""));
    let ends = |text: &str, from: usize| {
        let mut chars = text.get(from..).unwrap_or_default().chars();
        let is_end = chars.next().is_some_and(|c| matches!(c, '.' | '!' | '?' | ';'));
        is_end && chars.next().is_none_or(char::is_whitespace)
    };
    let near = before.len().saturating_sub(REACH);
    let begin = before.char_indices().rev().take_while(|(place, _)| *place >= near);
    let begin = begin.map(|(place, _)| place).find(|place| ends(before, *place));
    let sentence = before.get(begin.map_or(near, |place| place + 1)..).unwrap_or_default();
    let close = after.char_indices().take_while(|(place, _)| *place < REACH);
    let close = close.map(|(place, _)| place).find(|place| ends(after, *place));
    let asks = close.is_some_and(|place| after.get(place..).is_some_and(|it| it.starts_with('?')));
    let bare = sentence.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    // "Did you know that it is 24?" says so all the same.
    (asks && ASKS.iter().any(|it| bare.starts_with(it)))
        || OFFERS.iter().any(|it| bare.starts_with(it))
}

/// How questions begin that are none about what was said.
const ASKS: &[&str] = &[
    "do you want",
    "would",
    "shall",
    "should",
    "could",
    "can i",
    "can you",
    "may i",
    "want",
    "need",
    "which",
    "what",
    "how",
    "are you",
    "is that",
    "is it",
    "anything",
    "or ",
];

/// How sentences begin that offer something.
const OFFERS: &[&str] = &[
    "let me know",
    "you can ask",
    "you could ask",
    "feel free",
    "would you",
    "want me",
    "shall i",
    "should i",
    "ask me",
    "just ask",
    "for example, you can",
    "for example, you could",
    "for example, ask",
    "if you want",
    "if you'd like",
    "if you would like",
    "i can look",
    "i can search",
    "i can also",
    "i can list",
    "i can show",
    "i can fetch",
    "i can check",
    "i can help",
    "try asking",
];

/// Whether a word names a standard that carries a number.
pub(super) fn is_standard(word: &str) -> bool {
    const STANDARDS: &[&str] = &[
        "rfc",
        "iso",
        "ieee",
        "tls",
        "ssl",
        "oauth",
        "usb",
        "unicode",
        "html",
        "css",
        "bluetooth",
        "pcie",
        "ecma",
        "wi-fi",
        "wifi",
        "din",
        "ecmascript",
    ];
    STANDARDS.contains(&word)
}

/// The words that say the same as a status code of HTTP, where it is called one.
pub(super) fn status_phrase(
    code: &str,
    last: &str,
    next: &[String],
) -> Option<&'static [&'static str]> {
    let cue = |word: &str| matches!(word, "http" | "status" | "code" | "error" | "response");
    let last = last.trim_matches(|c: char| !c.is_alphanumeric());
    let (_, words) = PHRASES.iter().find(|(it, _)| *it == code)?;
    let spelled = words.iter().zip(next).all(|(word, next)| *word == next.as_str())
        && words.len() <= next.len();
    let called = cue(last) || next.first().is_some_and(|next| cue(next)) || spelled;
    called.then_some(*words)
}

const PHRASES: &[(&str, &[&str])] = &[
    ("200", &["ok"]),
    ("201", &["created"]),
    ("204", &["no", "content"]),
    ("301", &["moved", "permanently"]),
    ("304", &["not", "modified"]),
    ("400", &["bad", "request"]),
    ("401", &["unauthorized"]),
    ("403", &["forbidden"]),
    ("404", &["not", "found"]),
    ("405", &["method", "not", "allowed"]),
    ("408", &["request", "timeout"]),
    ("409", &["conflict"]),
    ("410", &["gone"]),
    ("413", &["too", "large"]),
    ("415", &["unsupported", "media", "type"]),
    ("422", &["unprocessable"]),
    ("429", &["too", "many", "requests"]),
    ("500", &["internal", "server", "error"]),
    ("502", &["bad", "gateway"]),
    ("503", &["service", "unavailable"]),
    ("504", &["gateway", "timeout"]),
];
