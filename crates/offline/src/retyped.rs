//! [`Retyped`]: a name that was said is written as it was said.

use serde_json::Value;
use toolwright_core::{
    Guard,
    guard::{CallCheck, Refusal},
};

/// Refuses a text of the model's own in a call that changes something, where a name in it (`flock-cors`) stands nowhere in the
/// conversation and is one or two letters away from one that the user said (`flask-cors`). Words without a sign in them
/// may have been put right.
///
/// For the offline model: a small one that retypes a name gets letters of it wrong.
#[derive(Clone, Copy, Debug, Default)]
pub struct Retyped;

/// Shorter names are near to many.
const SHORTEST: usize = 5;
/// How many letters may be wrong.
const MOST: usize = 2;

impl Guard for Retyped {
    fn name(&self) -> &str {
        "retyped"
    }

    fn check_call(&self, check: &CallCheck<'_>) -> Result<(), Refusal> {
        // Whoever changed a call by hand means what they wrote.
        if check.spec.effect.is_read_only() || check.original_arguments.is_some() {
            return Ok(());
        }
        let request = check.conversation.request().join("\n");
        // What was refused says what was written.
        let found = check.conversation.results().filter(|it| it.outcome.status.is_ok());
        let found = found.map(|it| it.outcome.said());
        let known: Vec<_> = found.chain([request.as_str()]).collect();
        let own = check.spec.generated.iter().filter_map(|it| check.arguments.get(it));
        let mut names = own.filter_map(Value::as_str).flat_map(names);
        let is_new = |name: &&str| !known.iter().any(|it| it.contains(name));
        let wrong = names.find_map(|name| {
            let meant = self::names(&request).find(|it| is_near(name, it));
            Some((name, meant.filter(|_| is_new(&name))?))
        });
        match wrong {
            None => Ok(()),
            Some((name, meant)) => Err(Refusal::new(format!(
                "`{name}` stands nowhere in the conversation: the user said `{meant}`."
            ))
            .instead("Write it as it was said.")),
        }
    }
}

/// The words of a text that have a sign or a figure among letters: `flask-cors`, `app.toml`, `v2`.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split_whitespace();
    let words = words.map(|it| it.trim_matches(|it: char| !it.is_alphanumeric()));
    words.filter(|it| {
        let is_mixed = it.contains(|it: char| !it.is_alphabetic());
        it.chars().count() >= SHORTEST && is_mixed && it.contains(char::is_alphabetic)
    })
}

/// Whether a name is nearly another: the same signs and figures, and a few other letters. One that goes on where the other ends
/// is another name.
fn is_near(name: &str, other: &str) -> bool {
    let (name, other) = (name.to_lowercase(), other.to_lowercase());
    let signs = |it: &str| it.chars().filter(|it| !it.is_alphabetic()).collect::<String>();
    let goes_on = name.starts_with(&other) || other.starts_with(&name);
    !goes_on && signs(&name) == signs(&other) && strsim::damerau_levenshtein(&name, &other) <= MOST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_near_where_letters_are_wrong() {
        for (name, other) in [("flock-cors", "flask-cors"), ("app.tmol", "app.toml")] {
            assert!(is_near(name, other), "{name}");
        }
        for (name, other) in [
            ("flask-cors", "Flask-CORS"),
            ("v1.2.4", "v1.2.3"),
            ("getUserName", "get_username"),
            ("todo-items", "todo-item"),
            ("other-name", "flask-cors"),
        ] {
            assert!(!is_near(name, other), "{name}");
        }
        let found: Vec<_> =
            names("add \"flask-cors\", and milk, to requirements.txt (v2.1)!").collect();
        assert_eq!(found, ["flask-cors", "requirements.txt"]);
    }
}
