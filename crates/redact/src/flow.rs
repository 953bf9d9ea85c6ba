//! [`Flow`]: a text that arrives in pieces, without what nobody may see.

use std::sync::Arc;

use crate::{MARK, Secrets};

/// A text that arrives in pieces. Held back is only what may be the beginning of a secret: what comes
/// out is, piece by piece, what cleaning the whole would give, wherever it was cut. Only what is spread
/// over several lines is found when the text is all there.
pub struct Flow {
    secrets: Arc<Secrets>,
    /// What arrived and was not handed on.
    held: String,
    /// Where the last thing handed on was a mark: how much of what is held it stands for, too.
    covered: Option<usize>,
}

impl Flow {
    /// The beginning of a text.
    pub fn new(secrets: Arc<Secrets>) -> Self {
        Self { secrets, held: String::new(), covered: None }
    }

    /// Takes a piece, and gives what can be shown now.
    pub fn push(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        let cut = self.secrets.settled(&self.held);
        self.through(cut)
    }

    /// Nothing more arrives: gives the rest.
    pub fn finish(&mut self) -> String {
        let rest = self.through(self.held.len());
        self.covered = None;
        rest
    }

    /// Hands on what is held up to `cut`.
    fn through(&mut self, cut: usize) -> String {
        let (mut out, mut at) = (String::with_capacity(cut), 0);
        let mut covered = None;
        for place in self.secrets.places(&self.held, self.covered) {
            let goes_on = place.start == 0 && self.covered.is_some();
            if place.start >= cut && !goes_on {
                break;
            }
            out.push_str(self.held.get(at..place.start).unwrap_or_default());
            if !goes_on {
                out.push_str(MARK);
            }
            at = place.end;
            covered = at.checked_sub(cut);
        }
        out.push_str(self.held.get(at..cut).unwrap_or_default());
        self.covered = covered;
        self.held.drain(..cut);
        out
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Self-overlapping, with everything in them that spellings differ in.
    const SECRETS: [&str; 4] = ["sk-\"a\\b/c\n+ü", "abcabcab", "aaaaaaaa", "=x=x="];

    fn secrets() -> Arc<Secrets> {
        Arc::new(Secrets::new(SECRETS))
    }

    fn whole(text: &str) -> String {
        // What lies over several lines is found when the text is all there, and not before.
        let (secrets, mut cleaned, mut at) = (secrets(), String::new(), 0);
        for place in secrets.places(text, None) {
            cleaned.push_str(text.get(at..place.start).unwrap());
            cleaned.push_str(MARK);
            at = place.end;
        }
        cleaned + text.get(at..).unwrap()
    }

    fn in_pieces<'a>(pieces: impl IntoIterator<Item = &'a str>) -> String {
        let mut flow = Flow::new(secrets());
        let mut out: String = pieces.into_iter().map(|piece| flow.push(piece)).collect();
        out.push_str(&flow.finish());
        out
    }

    fn piece() -> impl Strategy<Value = String> {
        let hex = |text: &str| text.bytes().map(|it| format!("{it:02x}")).collect::<String>();
        let json = |text: &str| {
            let quoted = serde_json::to_string(text).unwrap();
            quoted.trim_matches('"').to_owned()
        };
        let percent = |text: &str| text.bytes().map(|it| format!("%{it:02X}")).collect::<String>();
        let mut all: Vec<String> = ["=", "\\", "%", "a", "abc", "\\u0061", "\\ud83d", "ü", "\\\\"]
            .into_iter()
            .map(str::to_owned)
            .collect();
        for secret in SECRETS {
            let reversed = secret.chars().rev().collect();
            let twice = json(&json(secret));
            all.extend([secret.to_owned(), hex(secret), json(secret), twice, percent(secret)]);
            all.push(reversed);
        }
        // And the beginnings and ends of each.
        let part = |(text, from, to): (String, usize, usize)| {
            let letters: Vec<char> = text.chars().collect();
            let (from, to) = (from % (letters.len() + 1), to % (letters.len() + 1));
            letters.get(from.min(to)..from.max(to)).unwrap_or_default().iter().collect()
        };
        let some = (proptest::sample::select(all.clone()), 0_usize..40, 0_usize..40);
        prop_oneof![3 => proptest::sample::select(all), 1 => some.prop_map(part)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        /// Where a text is cut makes no difference to what is shown of it.
        #[test]
        fn what_comes_out_is_what_cleaning_the_whole_gives(
            pieces in prop::collection::vec(piece(), 0..8),
            size in 1_usize..7,
        ) {
            let text = pieces.concat();
            let letters: Vec<String> = text.chars().map(String::from).collect();
            let cut: Vec<String> = letters.chunks(size).map(<[String]>::concat).collect();
            let wanted = whole(&text);
            prop_assert_eq!(in_pieces(pieces.iter().map(String::as_str)), wanted.clone());
            prop_assert_eq!(in_pieces(cut.iter().map(String::as_str)), wanted);
        }
    }

    #[test]
    fn only_what_may_be_a_beginning_is_held_back() {
        let mut flow = Flow::new(Arc::new(Secrets::new(["hunter2-hunter2"])));
        assert_eq!(flow.push("the quick "), "the quick ");
        assert_eq!(flow.push("b hunt"), "b ");
        assert_eq!(flow.push("ing"), "hunting");
        assert_eq!(flow.push(" hunter2-h"), " ");
        assert_eq!(flow.push("unter2 or not"), "[redacted] or not");
        assert_eq!(flow.push("50 % \\"), "50 % ");
        assert_eq!(flow.finish(), "\\");
    }

    /// However often a secret is said, nothing piles up.
    #[test]
    fn a_secret_without_end_is_not_kept() {
        for said in ["abcabcab", "aaaaaaaa", "abc"] {
            let mut flow = Flow::new(secrets());
            for _ in 0..1000 {
                flow.push(said);
                assert!(flow.held.len() < 32, "{}", flow.held.len());
            }
        }
    }
}
