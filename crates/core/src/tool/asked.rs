//! [`asks`]: whether somebody said one of the words that ask for something.
//!
//! A tool that changes something may declare the words by which people ask for it
//! ([`asked_by`](ToolSpec::asked_by)), and those by which they ask for a flag of it
//! ([`asked_for`](ToolSpec::asked_for)). That a word was said does not make a call right; that none was said makes
//! it one nobody asked for. So these lists are long, and take mistyped words.
//!
//! To do something to what nobody has seen takes other words ([`even_unseen`](ToolSpec::even_unseen)), as there a word
//! that was said makes a call right: they mean nothing else, and they are meant ([`asks_outright`](super::asks_outright)).

use super::ToolSpec;

impl ToolSpec {
    /// Declares the words by which people ask for this tool: see [`asks`] for how they are written. The usual ones stand first:
    /// a router may take a question that begins with one of the first few for one that calls for the tool.
    #[must_use]
    pub fn asked_by<S: Into<String>>(mut self, words: impl IntoIterator<Item = S>) -> Self {
        self.asked_by.extend(words.into_iter().map(Into::into));
        self
    }

    /// Declares the words by which people ask for `parameter` to be true, or to be given at all.
    #[must_use]
    pub fn asked_for<S: Into<String>>(
        mut self,
        parameter: impl Into<String>,
        words: impl IntoIterator<Item = S>,
    ) -> Self {
        let words = words.into_iter().map(Into::into).collect();
        self.asked_for.push((parameter.into(), words));
        self
    }

    /// Declares the words by which people ask for what `parameter` does even where nobody has seen what it is done to. The
    /// guard [`Seen`](crate::guard::Seen) lets a call through for them, whoever made it: words that mean anything else as well
    /// do not belong here. `{}` among them stands for the name of what would disappear (`wipe {}`).
    #[must_use]
    pub fn even_unseen<S: Into<String>>(
        mut self,
        parameter: impl Into<String>,
        words: impl IntoIterator<Item = S>,
    ) -> Self {
        let words = words.into_iter().map(Into::into).collect();
        self.even_unseen.push((parameter.into(), words));
        self
    }

    /// Whether what was said asks for this tool, as far as it declares how it is asked for.
    pub fn is_asked_by(&self, said: &str) -> bool {
        self.asked_by.is_empty() || asks(said, &self.asked_by)
    }

    /// The words that ask for `parameter`; none where it may be given without being asked for.
    pub fn words_for(&self, parameter: &str) -> Option<&[String]> {
        let declared = self.asked_for.iter().find(|(name, _)| name == parameter);
        declared.map(|(_, words)| words.as_slice())
    }

    /// Whether what was said asks for `parameter`, as far as the tool declares how it is asked for.
    pub fn is_asked_for(&self, parameter: &str, said: &str) -> bool {
        self.words_for(parameter).is_none_or(|words| asks(said, words))
    }
}

/// Whether one of `words` was said, in any case.
///
/// - `note` stands for its usual forms in English, too (notes, noted, noting), and for the word with one letter
///   mistyped where it is long enough to be told by the rest (`noet`, `remeber`);
/// - `lösch*` for every word that begins so;
/// - `start over` for these words, one behind the other;
/// - `->` for itself, with space around it.
///
/// ```
/// use toolwright_core::asks;
///
/// assert!(asks("Please jot that down!", &["note", "jot"]));
/// assert!(asks("I was deleting them", &["delete"]));
/// assert!(asks("let's start over", &["start over"]));
/// assert!(!asks("over to the start", &["start over"]));
/// assert!(!asks("asdfgh", &["note", "jot"]));
/// assert!(!asks("what is the address", &["add"]));
/// assert!(asks("8080 -> 9090 in app.toml", &["->"]));
/// ```
pub fn asks<W: AsRef<str>>(said: &str, words: &[W]) -> bool {
    let lower = said.to_lowercase();
    let said = spoken(&lower);
    words.iter().any(|phrase| {
        let phrase = phrase.as_ref();
        if !phrase.contains(char::is_alphanumeric) {
            return lower.split_whitespace().any(|it| it == phrase);
        }
        places(&said, phrase, &|word, stem| fits(word, stem) || is_mistyped(word, stem))
            .next()
            .is_some()
    })
}

/// The words of a text.
pub(super) fn spoken(text: &str) -> Vec<&str> {
    text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()).collect()
}

/// Where the words of a phrase stand in others, one behind the other.
pub(super) fn places<'a>(
    said: &'a [&'a str],
    phrase: &str,
    fits: &'a dyn Fn(&str, &str) -> bool,
) -> impl Iterator<Item = usize> + 'a {
    let phrase: Vec<String> = phrase.split_whitespace().map(str::to_lowercase).collect();
    // Of no word there are no windows.
    let places = said.windows(phrase.len().max(1)).enumerate();
    let is_there = move |at: &[&str]| {
        !phrase.is_empty() && at.iter().zip(&phrase).all(|(word, stem)| fits(word, stem))
    };
    places.filter(move |(_, at)| is_there(at)).map(|(at, _)| at)
}

/// Whether a word is a form of a declared one.
pub(super) fn fits(word: &str, stem: &str) -> bool {
    match stem.strip_suffix('*') {
        Some(beginning) => word.starts_with(beginning),
        None => word == stem || is_form(word, stem),
    }
}

/// Whether a word is the stem with an ending of English.
fn is_form(word: &str, stem: &str) -> bool {
    const ENDINGS: [&str; 5] = ["s", "es", "d", "ed", "ing"];
    let has =
        |beginning: &str| word.strip_prefix(beginning).is_some_and(|it| ENDINGS.contains(&it));
    let Some(last) = stem.chars().next_back() else { return false };
    let shorter = stem.strip_suffix(last).unwrap_or_default();
    has(stem)
        // Writing, setting, copied.
        || match last {
            'e' => has(shorter),
            'y' => has(&format!("{shorter}i")),
            'a' | 'i' | 'o' | 'u' => false,
            last => has(&format!("{stem}{last}")),
        }
}

/// From how many letters on a word is known in spite of a wrong one.
const LONG: usize = 5;

/// Whether one letter of a long word was left out, added, exchanged for another or for its neighbour; of a word that is one
/// letter shorter, whether two were exchanged for each other or one was typed twice. Not the first: that makes
/// other words of most.
fn is_mistyped(word: &str, stem: &str) -> bool {
    let (word, stem): (Vec<char>, Vec<char>) = (word.chars().collect(), stem.chars().collect());
    if stem.len() < LONG - 1 || word.len() < LONG - 1 || word.first() != stem.first() {
        return false;
    }
    let same = word.iter().zip(&stem).take_while(|(one, other)| one == other).count();
    let rest = |of: &[char], from: usize| of.get(from..).unwrap_or_default().to_vec();
    let (left, right) = (rest(&word, same), rest(&stem, same));
    let swapped = || {
        let (mut first, rest) = (left.get(..2)?.to_vec(), left.get(2..)?);
        first.reverse();
        Some([&first, rest].concat() == right)
    };
    let is_twice = left.first() == same.checked_sub(1).and_then(|before| word.get(before));
    let is_added = rest(&left, 1) == right;
    let is_slip = swapped().unwrap_or(false) || is_added && is_twice;
    let is_long = stem.len() >= LONG;
    is_slip || is_long && (is_added || rest(&left, 1) == rest(&right, 1) || left == rest(&right, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_forms_of_a_word_are_the_word() {
        let forms = [
            ("note", ["note", "Notes", "NOTED", "noting"]),
            ("set", ["set", "sets", "setting", "set"]),
            ("copy", ["copy", "copies", "copied", "copying"]),
            ("add", ["add", "adds", "added", "adding"]),
            ("fix", ["fix", "fixes", "fixed", "fixing"]),
        ];
        for (stem, forms) in forms {
            for form in forms {
                assert!(asks(&format!("so {form}, please"), &[stem]), "{stem}: {form}");
            }
        }
    }

    #[test]
    fn other_words_are_not() {
        for (stem, other) in [
            ("add", "address"),
            ("note", "notebook"),
            ("run", "runtime"),
            ("set", "settle"),
            ("make", "male"),
            ("delete", "elete"),
        ] {
            assert!(!asks(other, &[stem]), "{stem}: {other}");
        }
        assert!(!asks("", &["note"]) && !asks("note", &[""]) && !asks("note", &[] as &[&str]));
    }

    #[test]
    fn a_long_word_with_one_letter_wrong_is_known() {
        for typed in ["remeber", "rememeber", "remembet", "rememebr", "remember"] {
            assert!(asks(typed, &["remember"]), "{typed}");
        }
        for typed in ["noet", "ntoe", "notte", "noote"] {
            assert!(asks(typed, &["note"]), "{typed}");
        }
        assert!(
            !asks("nose", &["note"]) && !asks("shave", &["save"]),
            "short words are like others"
        );
        assert!(!asks("rember", &["remember"]), "two are missing");
        assert!(!asks("no", &["not"]), "a short word is not told by the rest");
    }

    #[test]
    fn beginnings_and_phrases() {
        assert!(asks("bitte lösche das", &["lösch*"]) && !asks("das Schloss", &["lösch*"]));
        assert!(asks("Replace the FILE!", &["replace the file"]));
        assert!(!asks("replace foo in the file", &["replace the file"]));
    }

    #[test]
    fn signs_stand_for_themselves() {
        for said in ["8080 -> 9090 in app.toml", "`a` -> `b`"] {
            assert!(asks(said, &["change", "->"]), "{said}");
        }
        assert!(!asks("a->b", &["->"]) && !asks("a - > b", &["->"]));
    }

    #[test]
    fn what_declares_nothing_is_not_held_to_anything() {
        let spec = ToolSpec::new("t", "Does.", serde_json::json!({"type": "object"}));
        assert!(spec.is_asked_by("asdfgh") && spec.is_asked_for("force", "asdfgh"));
        let spec = spec.asked_by(["do"]).asked_for("force", ["force"]);
        assert!(!spec.is_asked_by("asdfgh") && !spec.is_asked_for("force", "do it"));
        assert!(spec.is_asked_by("do it") && spec.is_asked_for("force", "force it"));
    }
}
