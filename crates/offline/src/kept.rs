//! [`Kept`]: what is added takes nothing away.

use serde_json::Value;
use toolwright_core::{
    Guard,
    guard::{CallCheck, Refusal},
};

use crate::constrain::only_adds;

/// Refuses to put a text in the place of one that was seen, where the user asks for something to be added and for nothing else: the
/// text that stands there is a part of what takes its place.
///
/// For the offline model: a small one writes what is to be added over its neighbour.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kept;

impl Guard for Kept {
    fn name(&self) -> &str {
        "kept"
    }

    fn check_call(&self, check: &CallCheck<'_>) -> Result<(), Refusal> {
        // Whoever changed a call by hand means what they wrote.
        if check.spec.effect.is_read_only() || check.original_arguments.is_some() {
            return Ok(());
        }
        let text_of = |name: &String| check.arguments.get(name).and_then(Value::as_str);
        let old = check.spec.seen.first().and_then(text_of);
        let new = check.spec.generated.first().and_then(text_of);
        let (Some(old), Some(new)) = (old, new) else { return Ok(()) };
        if keeps(old, new) || !only_adds(&check.conversation.request().join("\n")) {
            return Ok(());
        }
        Err(Refusal::new(format!("`{}` would be gone, and was only to be added to.", old.trim()))
            .instead("Put what is added beside all of what is there."))
    }
}

/// Whether all of a text stands in the one that takes its place, in its order.
fn keeps(old: &str, new: &str) -> bool {
    let mut new = new.chars();
    old.trim().chars().all(|it| new.any(|other| other == it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_to_stays() {
        for (old, new) in [
            ("Present: Ines", "Present: Ines, Oskar"),
            ("a = 1", "b = 2\na = 1"),
            ("[1]", "[1, 2]"),
        ] {
            assert!(keeps(old, new), "{old}: {new}");
        }
        for (old, new) in
            [("port = 8080", "port = 4"), ("- print cards", "- call Oskar"), ("a, b", "a, c")]
        {
            assert!(!keeps(old, new), "{old}: {new}");
        }
    }
}
