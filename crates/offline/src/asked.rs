//! [`asking`] and [`wanted`]: what somebody says, taken apart into what is asked for, and without what only asks.

/// Words that begin another part.
const JOINING: [&str; 5] = [" and ", " then ", " also ", " plus ", " but "];

/// The parts of what is said, by its signs and by the words that join them. A dot within a word ends nothing.
pub(crate) fn parts(said: &str) -> impl Iterator<Item = &str> {
    clauses(said).into_iter().map(|(part, _)| part)
}

/// The same, each with the sign behind it, where there is one.
fn clauses(said: &str) -> Vec<(&str, Option<char>)> {
    let ends = |at: usize| {
        let rest = said.get(at + 1..).unwrap_or_default();
        !rest.starts_with(|it: char| it.is_alphanumeric())
    };
    // A bracket behind a blank opens a part of its own; one in `main()` does not.
    let opens = |at: usize| said.get(..at).is_some_and(|it| it.ends_with(' '));
    let signs = said.char_indices().filter(|(at, it)| match it {
        '?' | ';' | '\n' | '!' => true,
        '(' => opens(*at),
        '.' | ',' | ':' => ends(*at),
        _ => false,
    });
    let mut from = 0;
    let mut all = Vec::new();
    for (at, sign) in signs.map(|(at, it)| (at, Some(it))).chain([(said.len(), None)]) {
        let part = said.get(from..at).unwrap_or_default();
        from = at + sign.map_or(0, char::len_utf8);
        let parts = joined(part).into_iter().map(str::trim).filter(|it| !it.is_empty());
        let before = all.len();
        all.extend(parts.map(|it| (it, None)));
        if let Some((_, last)) = all.get_mut(before..).and_then(<[_]>::last_mut) {
            *last = sign;
        }
    }
    all
}

/// What is joined by a word, each.
fn joined(part: &str) -> Vec<&str> {
    JOINING
        .iter()
        .fold(vec![part], |parts, word| parts.into_iter().flat_map(|it| it.split(word)).collect())
}

/// The parts of what somebody says that ask for something, be it an answer: nothing that is not to be done, and nothing that
/// is only told.
pub(crate) fn asking(said: &str) -> Vec<&str> {
    let clauses = clauses(said);
    let asks = clauses.iter().any(|(it, _)| is_question(it));
    // What stands behind a colon belongs to what stands before it.
    let mut is_led = false;
    let mut asking = Vec::new();
    for (part, sign) in clauses {
        let is_left_out = is_led || is_unwanted(part) || is_told(part, asks);
        is_led = is_left_out && sign == Some(':');
        asking.extend((!is_left_out).then_some(part));
    }
    asking
}

/// The same without questions: what is left asks for something to be done.
pub(crate) fn wanted(said: &str) -> Vec<&str> {
    asking(said).into_iter().filter(|it| !is_question(it)).collect()
}

/// Words that stand before what is asked.
const BEFORE: [&str; 12] =
    ["so", "and", "ok", "okay", "hey", "but", "also", "then", "well", "um", "now", "oh"];
/// Words that ask who or what, or whether, and those behind which they ask.
const ASKING: [&str; 18] = [
    "who", "whom", "whose", "why", "who's", "whos", "should", "shall", "did", "does", "is", "are",
    "was", "were", "am", "explain", "describe", "suppose",
];
const ASKING_IF: [&str; 8] =
    ["what", "which", "where", "when", "how", "what's", "where's", "when's"];
const IF: [&str; 27] = [
    "is", "are", "was", "were", "do", "does", "did", "can", "could", "should", "would", "will",
    "has", "have", "to", "many", "much", "long", "often", "old", "far", "the", "if", "happens",
    "happened", "might", "am",
];
/// Words by which a question goes on that begins with a thing, and how far away they stand.
const OF_WHICH: [&str; 12] =
    ["is", "are", "was", "were", "do", "does", "did", "would", "should", "must", "could", "will"];
const FAR: usize = 3;
/// Two words that ask, too: `do you`, `if I`.
const ASKING_SO: [(&str, &[&str]); 9] = [
    ("do", &["i", "you", "we", "they", "people"]),
    ("if", &["i", "we", "you", "somebody", "someone", "one"]),
    ("can", &["i", "it", "that", "this"]),
    ("could", &["i", "it", "that", "this"]),
    ("will", &["it", "that", "this", "they", "there"]),
    ("would", &["it", "that", "this", "they", "there", "the"]),
    ("have", &["you", "we", "they", "i"]),
    ("tell", &["me"]),
    ("show", &["me"]),
];
/// What they are about, where the two alone ask for something to be done.
const TELLING: [&str; 7] = ["how", "why", "whether", "if", "what", "who", "when"];
/// Behind these somebody is asked to do something all the same.
const URGING: [&str; 7] =
    ["why not", "why don't", "why dont", "do you mind", "can i get", "can i have", "should be"];
/// What is only imagined.
const IMAGINED: [&str; 6] =
    [" if i asked", " if i told", " if i said", " if i wanted", " if i ask ", " without doing"];

/// Whether a part asks for an answer and for nothing to be done: `who wrote that`, `should I delete it`.
pub(crate) fn is_question(part: &str) -> bool {
    let lower = part.to_lowercase();
    let words: Vec<_> = words(&lower).skip_while(|it| BEFORE.contains(it)).collect();
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let (first, second, third) = (word(0), word(1), word(2));
    // `Which entry would I have to remove`, `what port do I need`.
    let asks_which = || words.iter().skip(2).take(FAR).any(|it| OF_WHICH.contains(it));
    let is_urged =
        |phrase: &&str| words.iter().copied().take(phrase.split(' ').count()).eq(phrase.split(' '));
    if URGING.iter().any(is_urged) {
        return false;
    }
    let asks_so = ASKING_SO.iter().any(|(one, others)| {
        let is_telling = !matches!(*one, "tell" | "show") || TELLING.contains(&third);
        first == *one && others.contains(&second) && is_telling
    });
    ASKING.contains(&first)
        || ASKING_IF.contains(&first) && (first.ends_with("'s") || IF.contains(&second))
        || matches!(first, "which" | "what") && asks_which()
        || asks_so
        || IMAGINED.iter().any(|it| lower.contains(it))
}

/// Words by which something is not to be done.
const NOT: [&str; 8] =
    ["don't", "dont", "not", "never", "without", "shouldn't", "mustn't", "nobody"];
/// Words that may stand before them.
const BEFORE_NOT: [&str; 24] = [
    "please", "pls", "kindly", "just", "make", "sure", "ensure", "you", "we", "i", "be", "careful",
    "to", "do", "should", "must", "can", "could", "would", "will", "let", "want", "may", "that",
];

/// Whether a part says what is not to be done: `please do not delete it`. `don't forget` asks for it.
fn is_unwanted(part: &str) -> bool {
    let lower = part.to_lowercase().replace('’', "'");
    let all: Vec<_> = words(&lower).collect();
    let mut rest =
        all.iter().skip_while(|it| BEFORE.contains(it) || BEFORE_NOT.contains(it)).copied();
    let is_not = rest.next().is_some_and(|it| NOT.contains(&it));
    let is_reminder = || rest.take(3).any(|it| it.starts_with("forget") || it == "mind");
    // In Hindi it stands behind.
    let stands_behind = |pair: &[&str]| matches!(pair, ["mat", verb] if verb.starts_with("kar"));
    is_not && !is_reminder() || all.windows(2).any(stands_behind)
}

/// Words by which a part says that something was done, and that it should not have been.
const DONE: [&str; 5] = ["mistake", "mistakenly", "accident", "accidentally", "already"];
const WHO: [&str; 9] = ["i", "we", "you", "he", "she", "they", "it", "somebody", "someone"];
/// What was only thought of.
const THOUGHT: [&str; 6] =
    ["thought about", "thought of", "was thinking", "considered", "wondered", "was going to"];
/// Words by which it says what something else says.
const SAYS: [&str; 5] = ["says to", "said to", "tells me to", "suggests", "recommends"];

/// What only asks to be answered.
const ANSWERED: [&str; 7] = [
    "just say",
    "just tell",
    "just asking",
    "only asking",
    "just curious",
    "just wondering",
    "asking for",
];
/// How far from its beginning a part says so.
const AT_FIRST: usize = 12;

/// Whether a part only tells: `I ran it by mistake`; and, where something is asked, what is said elsewhere.
fn is_told(part: &str, asks: bool) -> bool {
    let lower = part.to_lowercase();
    let mut all = words(&lower);
    let is_done =
        all.next().is_some_and(|it| WHO.contains(&it)) && all.any(|it| DONE.contains(&it));
    let mut thought = THOUGHT.iter().map(|it| lower.find(it));
    let is_thought = thought.any(|it| it.is_some_and(|at| at < AT_FIRST));
    let is_answered = ANSWERED.iter().any(|it| lower.starts_with(it));
    // `If it were on, would that change?`
    let is_supposed = asks && words(&lower).find(|it| !BEFORE.contains(it)) == Some("if");
    is_done
        || is_thought
        || is_supposed
        || is_answered
        || asks && SAYS.iter().any(|it| lower.contains(it))
}

/// The words of a text, with what is left out in them.
fn words(lower: &str) -> impl Iterator<Item = &str> {
    let words = lower.split(|it: char| !it.is_alphanumeric() && it != '\'');
    words.filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_what_is_asked() {
        let of = |said| parts(said).collect::<Vec<_>>();
        assert_eq!(
            of("what port is in config/settings.toml? take a note of it as well"),
            ["what port is in config/settings.toml", "take a note of it as well"]
        );
        assert_eq!(
            of("Price of TCS, and the weather in Pune."),
            ["Price of TCS", "the weather in Pune"]
        );
        assert_eq!(
            of("14 percent on 2,200.50 then note it"),
            ["14 percent on 2,200.50", "note it"]
        );
        assert_eq!(
            of("take it out (b has to stay!) of main()"),
            ["take it out", "b has to stay", ") of main()"]
        );
        assert_eq!(of(" ?! "), [""; 0]);
    }

    #[test]
    fn questions_ask_for_nothing_to_be_done() {
        for part in [
            "so whom to write to for doubts",
            "Who wrote this",
            "what is in a.txt",
            "how many notes are there",
            "should I change the port to 9999 in app.toml",
            "is it safe to rm todo.md",
            "did you delete all notes",
            "would you delete all notes if I asked",
            "do you want to delete my notes",
            "what happens if I run rm -rf data",
            "what would git reset --hard do here",
            "explain what rm -rf data does",
            "if I remove flask from requirements.txt will it break",
            "how do I run chmod 777 run.sh",
            "can I change the port to 7000 in app.toml",
            "show me how to delete it",
            "which entry would i have to remove from entries.csv to get rid of the coffee",
            "what port do I need to change",
        ] {
            assert!(is_question(part), "{part}");
        }
        for part in [
            "write it down",
            "why not delete it",
            "where it says 8080 put 9090",
            "how about a note",
            "can you add it",
            "what follows goes into a.txt",
            "what I said goes into what is a.txt",
            "do you mind deleting it",
            "can you delete it",
            "could you change the port",
            "would you note that",
            "can I get a note of it",
            "do the needful",
            "if it is there delete it",
            "show me a.txt",
            "tell me the port",
        ] {
            assert!(!is_question(part), "{part}");
        }
    }

    #[test]
    fn what_is_not_to_be_done_is_not_wanted() {
        for said in [
            "don't run rm -rf data",
            "please do not take a note of this: my pin is 4321",
            "I don't want you to delete my notes",
            "never run git push",
            "make sure you don't delete it",
            "without deleting anything",
            "isko delete mat karo",
            "If debug were true, would the port change?",
            "which entry would i have to remove to get rid of the coffee? just say, dont remove",
            "I ran rm notes.txt by mistake, how do I get it back?",
            "the readme says to run rm -rf data, is it right?",
        ] {
            assert_eq!(wanted(said), [""; 0], "{said}");
        }
        for (said, left) in [
            ("list files, do not run rm -rf data", &["list files"][..]),
            ("show my notes but do not delete them", &["show my notes"]),
            ("I thought about raising it to 60 but no, what is it at?", &["no"]),
            ("don't forget to buy milk", &["don't forget to buy milk"]),
            ("dont let me forget the keys", &["dont let me forget the keys"]),
            ("why don't you note it", &["why don't you note it"]),
            ("if it's not there add it", &["if it's not there add it"]),
            ("the readme says to add a license", &["the readme says to add a license"]),
            ("write \"do not touch\" into a.txt", &["write \"do not touch\" into a.txt"]),
        ] {
            assert_eq!(wanted(said), left, "{said}");
        }
    }
}
