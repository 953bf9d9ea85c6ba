//! [`Words`]: cuts text into the words an index knows, each reduced to its stem.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

/// Cuts text into words and reduces each to its stem, so that `Deleted`, `deletes` and `deleting`
/// are one. Words that say nothing about what is wanted are left out. Keeps its buffers between
/// texts.
#[derive(Default)]
pub(super) struct Words {
    /// The word being read, in lower case.
    word: String,
    /// Where a word in `camelCase` has its humps.
    humps: Vec<usize>,
}

impl Words {
    /// Calls `each` with the stem of every word that says something.
    pub(super) fn each(&mut self, text: &str, mut each: impl FnMut(&str)) {
        let mut was_lower = false;
        let mut chars = text.chars().peekable();
        while let Some(char) = chars.next() {
            if char.is_alphanumeric() {
                if was_lower && char.is_uppercase() {
                    self.humps.push(self.word.len());
                }
                was_lower = char.is_lowercase();
                self.word.extend(char.to_lowercase());
                continue;
            }
            // What follows an apostrophe (`'s`, `'t`, `'ll`) is no word of its own.
            let is_apostrophe = matches!(char, '\'' | '’') && !self.word.is_empty();
            was_lower = false;
            self.finish(&mut each);
            if is_apostrophe {
                while chars.next_if(|next| next.is_alphanumeric()).is_some() {}
            }
        }
        self.finish(&mut each);
    }

    fn finish(&mut self, each: &mut impl FnMut(&str)) {
        if !self.word.is_empty() {
            let mut from = 0;
            for hump in &self.humps {
                say(self.word.get(from..*hump).unwrap_or_default(), each);
                from = *hump;
            }
            // Both `youtube` and `tube` may be meant by `YouTube`.
            if from > 0 {
                say(self.word.get(from..).unwrap_or_default(), each);
            }
            say(&self.word, each);
        }
        self.word.clear();
        self.humps.clear();
    }
}

/// What the forms of an English word have in common (Snowball). What cannot be English stays as it is.
pub(super) fn stem(word: &str) -> Cow<'_, str> {
    match word.is_ascii() {
        true => Stemmer::create(Algorithm::English).stem(word),
        false => Cow::Borrowed(word),
    }
}

fn say(word: &str, each: &mut impl FnMut(&str)) {
    if word.chars().any(is_unspaced) {
        return pairs(word, each);
    }
    if word.len() < 2 || is_stop_word(word) {
        return;
    }
    each(&stem(word));
}

/// Scripts that put no space between words are compared by pairs of characters.
fn is_unspaced(char: char) -> bool {
    matches!(char, '\u{0e00}'..='\u{0eff}' | '\u{2e80}'..='\u{d7ff}' | '\u{20000}'..)
}

fn pairs(word: &str, each: &mut impl FnMut(&str)) {
    let starts = word.char_indices().map(|(at, _)| at);
    let ends = word.char_indices().skip(2).map(|(at, _)| at).chain([word.len()]);
    for (from, to) in starts.zip(ends) {
        each(word.get(from..to).unwrap_or_default());
    }
}

/// Words that any question may contain, in order.
#[rustfmt::skip]
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "again", "all", "also", "am", "an", "and", "another", "any",
    "anything", "are", "around", "as", "at", "be", "because", "been", "before", "being", "but",
    "by", "can", "could", "did", "do", "does", "doing", "don", "done", "each", "either", "else",
    "even", "every", "everything", "few", "for", "from", "go", "going", "gonna", "got", "had",
    "has", "have", "having", "he", "her", "here", "hers", "herself", "him", "his", "how", "i",
    "if", "in", "into", "is", "isn", "it", "its", "just", "kind", "let", "lets", "like", "lot",
    "many", "may", "maybe", "me", "might", "mine", "more", "most", "much", "must", "my", "myself",
    "need", "no", "nor", "not", "nothing", "of", "ok", "okay", "on", "once", "one", "ones",
    "only", "or", "other", "our", "ours", "out", "over", "own", "per", "please", "put", "quite",
    "rather", "really", "same", "she", "should", "since", "so", "some", "somebody", "something",
    "somewhere", "still", "such", "sure", "than", "thank", "thanks", "that", "the", "their",
    "them", "then", "there", "these", "they", "thing", "things", "this", "those", "to", "too",
    "until", "up", "us", "very", "want", "wants", "was", "way", "we", "well", "were", "what",
    "whatever", "when", "where", "whether", "which", "while", "who", "whole", "whom", "whose",
    "why", "will", "with", "won", "would", "yes", "yet", "you", "your", "yours",
];

fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        Words::default().each(text, |word| found.push(word.to_owned()));
        found
    }

    #[test]
    fn stop_words_are_in_order() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn names_are_cut_at_every_joint() {
        assert_eq!(words("get_market-quote"), ["get", "market", "quot"]);
        assert_eq!(words("crmMoveDealStage"), ["crm", "move", "deal", "stage", "crmmovedealstag"]);
        assert_eq!(words("What's the HTTPServer's port?"), ["httpserver", "port"]);
        assert_eq!(words("s3 ec2 k8s 'open'"), ["s3", "ec2", "k8s", "open"]);
    }

    #[test]
    fn forms_of_a_word_are_one_and_other_words_stay_apart() {
        for forms in [
            "delete deletes deleted deleting",
            "reply replies replied replying",
            "translate translates translation translations translating",
            "reserve reserved reservation",
            "cancel cancels cancelled canceled cancelling",
            "price prices priced pricing",
        ] {
            let mut stems: Vec<_> = forms.split(' ').map(stem).collect();
            stems.dedup();
            assert_eq!(stems.len(), 1, "{forms}: {stems:?}");
        }
        for (one, other) in [("news", "new"), ("status", "stat"), ("station", "state")] {
            assert_ne!(stem(one), stem(other));
        }
    }

    #[test]
    fn any_script_has_words() {
        assert_eq!(words("Größe ÄNDERN"), ["größe", "ändern"]);
        assert_eq!(words("天気予報"), ["天気", "気予", "予報"]);
        assert_eq!(words("雨"), ["雨"]);
        assert_eq!(words(" \u{0} 🌧 … "), [""; 0]);
    }
}
