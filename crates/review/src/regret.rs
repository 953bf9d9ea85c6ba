//! Answers that only regret: "I'm sorry, but I don't have access to real-time data."
//!
//! Only English is understood. To have found nothing is an answer, and so is to decline advice;
//! neither counts as regret.

/// The sentences of a text, in order.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let ends = |line: &str| {
        let mut cuts: Vec<usize> = Vec::new();
        for (at, _) in line.match_indices(['.', '!', '?']) {
            let rest = line.get(at + 1..).unwrap_or_default();
            if rest.is_empty() || rest.starts_with(char::is_whitespace) {
                cuts.push(at + 1);
            }
        }
        cuts.push(line.len());
        cuts
    };
    text.lines().flat_map(move |line| {
        let mut from = 0;
        ends(line).into_iter().filter_map(move |to| {
            let sentence = line.get(from..to).map(str::trim);
            from = to;
            sentence.filter(|it| !it.is_empty())
        })
    })
}

/// Whether a sentence says that the model cannot answer.
pub(super) fn is_regret(sentence: &str) -> bool {
    let lower = sentence.to_lowercase().replace('’', "'");
    let mut rest = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
    while let Some(shorter) = LEADS.iter().find_map(|lead| strip_word(rest, lead)) {
        rest = shorter;
    }
    let refused = REFUSALS.iter().find_map(|refusal| strip_word(rest, refusal));
    refused.is_some_and(|rest| !EXCUSED.iter().any(|it| starts_with_word(rest, it)))
        && !lower.contains("advice")
        || BREAKDOWNS.iter().any(|it| rest.starts_with(it))
}

/// What follows `lead` and the signs behind it.
fn strip_word<'t>(text: &'t str, lead: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(lead)?;
    let whole = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '\'');
    whole.then(|| rest.trim_start_matches(|c: char| !c.is_alphanumeric()))
}

fn starts_with_word(text: &str, word: &str) -> bool {
    strip_word(text, word).is_some()
}

/// What a refusal may begin with.
const LEADS: &[&str] = &[
    "i'm sorry",
    "i am sorry",
    "i'm very sorry",
    "so sorry",
    "sorry",
    "i apologize for the inconvenience",
    "i apologize for the confusion",
    "i apologize",
    "i apologise",
    "my apologies",
    "apologies",
    "unfortunately",
    "regrettably",
    "however",
    "but",
    "and",
    "at this time",
    "at the moment",
    "currently",
    "as of now",
    "right now",
    "that",
    "it seems",
    "it seems that",
    "it appears",
    "it looks like",
    "about that",
];

/// How a refusal goes on.
const REFUSALS: &[&str] = &[
    "i cannot",
    "i can't",
    "i can not",
    "i could not",
    "i couldn't",
    "i am unable to",
    "i'm unable to",
    "i was unable to",
    "i am not able to",
    "i'm not able to",
    "i wasn't able to",
    "i am currently unable to",
    "i'm currently unable to",
    "i do not have",
    "i don't have",
    "i do not currently have",
    "i don't currently have",
    "i lack",
    "i have no access",
    "i have no way",
    "we cannot",
    "we are unable to",
    "we're unable to",
    "it is not possible for me",
    "it's not possible for me",
    "as an ai",
    "as a language model",
];

/// What one may well be unable to do, having the results.
const EXCUSED: &[&str] = &[
    "find",
    "see",
    "locate",
    "spot",
    "recommend",
    "advise",
    "guarantee",
    "predict",
    "promise",
    "be certain",
    "be sure",
    "say for certain",
    "say for sure",
    "place",
    "cancel",
    "buy",
    "sell",
    "confirm",
    "verify",
    "any further",
    "a preference",
];

/// What went wrong, said of oneself.
const BREAKDOWNS: &[&str] = &[
    "i encountered an error",
    "i encountered an issue",
    "i encountered a problem",
    "i ran into an error",
    "i ran into an issue",
    "i ran into a problem",
    "something went wrong",
    "there was an error",
    "there was an issue",
    "there was a problem",
    "an error occurred",
    "i'm having trouble",
    "i am having trouble",
    "i'm experiencing technical",
];
