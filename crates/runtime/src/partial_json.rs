//! [`PartialJson`]: an object that is still being written, as far as it is there.

use serde_json::Value;

/// An object that is still being written. Each letter is looked at once.
#[derive(Default)]
pub(crate) struct PartialJson {
    text: String,
    /// What closes what is open, from the outside.
    closers: Vec<char>,
    /// How much of the text is whole but for what is open.
    whole: usize,
    state: State,
    /// How long the text was when it was last read.
    read: usize,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum State {
    /// Nothing of it came yet.
    #[default]
    Before,
    /// Between tokens, or in a number or a word; whether a name of a field comes next.
    Between { is_name: bool },
    /// In a text; whether it is a name of a field, and where the escape began that is not whole.
    Text { is_name: bool, escape: Option<usize> },
    /// All of it came.
    Ended,
}

impl PartialJson {
    /// More of it came. The value so far, where enough is new to look at it again.
    pub(crate) fn add(&mut self, more: &str) -> Option<Value> {
        for letter in more.chars() {
            self.take(letter);
        }
        // Reading all of it again for every letter would take as long as its length squared.
        let is_new = self.text.len() > self.read + self.read / 8 || self.state == State::Ended;
        if !is_new || self.state == State::Before {
            return None;
        }
        self.read = self.text.len();
        serde_json::from_str(&self.closed()).ok()
    }

    fn take(&mut self, letter: char) {
        match self.state {
            State::Ended => return,
            State::Before if letter != '{' => return,
            _ => {}
        }
        let at = self.text.len();
        self.text.push(letter);
        self.state = match self.state {
            State::Text { is_name, escape: None } if letter == '"' => {
                if !is_name {
                    self.whole = self.text.len();
                }
                State::Between { is_name: false }
            }
            State::Text { is_name, escape } => {
                State::Text { is_name, escape: self.escaped(escape, letter, at) }
            }
            State::Before | State::Between { .. } => self.between(letter, at),
            State::Ended => State::Ended,
        };
    }

    /// Where the escape began that is not whole after this letter.
    fn escaped(&self, begun: Option<usize>, letter: char, at: usize) -> Option<usize> {
        let Some(from) = begun else { return (letter == '\\').then_some(at) };
        let so_far = self.text.get(from..).unwrap_or_default();
        let is_open = so_far.starts_with("\\u") && so_far.len() < 6;
        is_open.then_some(from)
    }

    fn between(&mut self, letter: char, at: usize) -> State {
        let is_object = self.closers.last() == Some(&'}');
        match letter {
            '{' | '[' => {
                self.closers.push(if letter == '{' { '}' } else { ']' });
                self.whole = self.text.len();
                State::Between { is_name: letter == '{' }
            }
            '}' | ']' => {
                self.closers.pop();
                self.whole = self.text.len();
                match self.closers.is_empty() {
                    true => State::Ended,
                    false => State::Between { is_name: false },
                }
            }
            ',' => {
                self.whole = at;
                State::Between { is_name: is_object }
            }
            '"' => {
                let is_name = matches!(self.state, State::Between { is_name: true });
                State::Text { is_name, escape: None }
            }
            ':' => State::Between { is_name: false },
            _ => self.state,
        }
    }

    /// What is there, with what is open closed. A text that is begun counts, a name or a number does not.
    fn closed(&self) -> String {
        let (end, quote) = match self.state {
            State::Text { is_name: false, escape } => (escape.unwrap_or(self.text.len()), "\""),
            _ => (self.whole, ""),
        };
        let mut json = self.text.get(..end).unwrap_or_default().to_owned();
        json.push_str(quote);
        json.extend(self.closers.iter().rev());
        json
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::PartialJson;

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            ".{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(".{0,6}", inner, 0..4)
                    .prop_map(|it| Value::Object(it.into_iter().collect())),
            ]
        })
    }

    /// Whether `part` is a beginning of `whole`: what is there is there so, or longer.
    fn begins(part: &Value, whole: &Value) -> bool {
        match (part, whole) {
            (Value::Object(part), Value::Object(whole)) => {
                part.iter().all(|(name, it)| whole.get(name).is_some_and(|all| begins(it, all)))
            }
            (Value::Array(part), Value::Array(whole)) => {
                part.len() <= whole.len() && part.iter().zip(whole).all(|(it, all)| begins(it, all))
            }
            (Value::String(part), Value::String(whole)) => whole.starts_with(part.as_str()),
            (part, whole) => part == whole,
        }
    }

    proptest! {
        #[test]
        fn every_prefix_is_a_beginning_and_the_end_is_the_whole(value in values(), pretty: bool) {
            let whole = json!({"it": value});
            let text = if pretty { format!("{whole:#}") } else { whole.to_string() };
            for (cut, _) in text.char_indices() {
                let mut partial = PartialJson::default();
                // Whatever can be read of a prefix at once can be read.
                if let Some(seen) = partial.add(&text[..cut]) {
                    prop_assert!(begins(&seen, &whole), "{cut} of {text}: {seen}");
                } else {
                    prop_assert_eq!(cut, 0, "{} of {}", cut, &text);
                }
            }
            let mut partial = PartialJson::default();
            let mut last = None;
            for letter in format!("```json\n{text}\n```").chars() {
                last = partial.add(letter.encode_utf8(&mut [0; 4])).or(last);
            }
            prop_assert_eq!(last, Some(whole));
        }
    }
}
