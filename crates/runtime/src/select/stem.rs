//! [`stem`]: what the forms of an English word have in common.

/// What is left of an English word without its ending. It need not be a word: it only has to be the
/// same for all forms of one, and another for other words.
pub(super) fn stem(word: &str) -> &str {
    if word.len() <= 3 || !word.is_ascii() {
        return word;
    }
    match word {
        // What an ending of theirs would leave is another word.
        "news" => return "news",
        "movie" | "movies" => return "movie",
        _ => {}
    }
    let word = without_plural(word);
    let word = without_ending(word);
    let word = longer(word, 3, "e").unwrap_or(word);
    let word = longer(word, 6, "at").unwrap_or(word);
    let word = longer(word, 5, "is").or_else(|| longer(word, 5, "iz")).unwrap_or(word);
    longer(word, 3, "y").or_else(|| longer(word, 3, "i")).unwrap_or(word)
}

fn without_plural(word: &str) -> &str {
    let is_plural = !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    word.strip_suffix('s').filter(|_| is_plural).unwrap_or(word)
}

fn without_ending(word: &str) -> &str {
    if let Some(rest) = longer(word, 5, "ly") {
        return rest;
    }
    if let Some(rest) = longer(word, 7, "ion").filter(|rest| rest.ends_with(['t', 's'])) {
        return rest;
    }
    let ing = word.strip_suffix("ing");
    let ending = ing.or_else(|| word.strip_suffix("ed").filter(|rest| !rest.ends_with('e')));
    match ending.filter(|rest| rest.len() > 2 && rest.contains(['a', 'e', 'i', 'o', 'u', 'y'])) {
        Some(rest) => undoubled(rest, 3),
        None => undoubled(word, 5),
    }
}

/// The word without its ending, if the word is longer than this.
fn longer<'a>(word: &'a str, than: usize, ending: &str) -> Option<&'a str> {
    word.strip_suffix(ending).filter(|_| word.len() > than)
}

/// `stopp` is `stop`, while `call` is itself.
fn undoubled(word: &str, longer_than: usize) -> &str {
    let Some((at, last)) = word.char_indices().next_back() else { return word };
    let rest = word.get(..at).unwrap_or(word);
    let is_double = rest.ends_with(last) && !"aeiou".contains(last);
    let stays = "lsz".contains(last) && word.len() <= 5;
    if is_double && !stays && word.len() > longer_than { rest } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_one() {
        for forms in [
            "delete deletes deleted deleting",
            "reply replies replied replying",
            "charge charges charged charging",
            "translate translates translation translations translating",
            "reserve reserved reservation",
            "stop stops stopped stopping",
            "cancel cancels cancelled canceled cancelling",
            "call calls called calling",
            "add adds added adding",
            "box boxes boxed",
            "summarise summarize summarizing summary summaries",
            "price prices priced pricing",
            "month months monthly",
            "pay pays paying",
        ] {
            let mut stems: Vec<_> = forms.split(' ').map(stem).collect();
            stems.dedup();
            assert_eq!(stems.len(), 1, "{forms}: {stems:?}");
        }
    }

    #[test]
    fn other_words_stay_apart() {
        for (one, other) in [
            ("news", "new"),
            ("movie", "move"),
            ("status", "stat"),
            ("class", "clas"),
            ("string", "str"),
            ("station", "stat"),
            ("bus", "bu"),
        ] {
            assert_ne!(stem(one), stem(other));
        }
    }
}
