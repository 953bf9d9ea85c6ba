//! [`Addressed`]: where a text goes is no part of it.

use serde_json::Value;
use toolwright_core::{
    Guard, ToolSpec,
    guard::{CallCheck, Refusal},
};

/// Refuses a text of the model's own that ends with where it goes, as the user said it: `- buy stamps to todo.txt`, for `todo.txt`; or
/// that is nothing else.
/// What stands between quotes may end so.
///
/// For the offline model: a small one copies to the end of what was said.
#[derive(Clone, Copy, Debug, Default)]
pub struct Addressed;

/// What stands between a text and where it goes.
const TO: [&str; 9] = [
    "to",
    "in",
    "into",
    "at the end of",
    "to the end of",
    "at the bottom of",
    "to the bottom of",
    "on",
    "as",
];

impl Guard for Addressed {
    fn name(&self) -> &str {
        "addressed"
    }

    fn check_call(&self, check: &CallCheck<'_>) -> Result<(), Refusal> {
        // Whoever changed a call by hand means what they wrote.
        if check.spec.effect.is_read_only() || check.original_arguments.is_some() {
            return Ok(());
        }
        let request = check.conversation.request().join("\n");
        let text_of = |name: &str| check.arguments.get(name).and_then(Value::as_str);
        let texts: Vec<_> = check.spec.generated.iter().filter_map(|it| text_of(it)).collect();
        let files: Vec<_> = paths(check.spec).filter_map(text_of).collect();
        let pairs = texts.iter().flat_map(|text| files.iter().map(move |file| (*text, *file)));
        match pairs.into_iter().find_map(|(text, file)| without(text, file, &request)) {
            None => Ok(()),
            Some((rest, place)) => {
                Err(Refusal::new(format!("`{place}` says where it goes, and is no part of it."))
                    .instead(format!("The text is `{rest}`.")))
            }
        }
    }
}

/// The parameters of a tool that name a file.
fn paths(spec: &ToolSpec) -> impl Iterator<Item = &str> {
    let fields = spec.parameters.get("properties").and_then(Value::as_object);
    let names = fields.into_iter().flat_map(serde_json::Map::keys).map(String::as_str);
    names.filter(|it| it.ends_with("path") || it.ends_with("file"))
}

/// The text without where it goes, and that, where the request says the two together.
fn without<'a>(text: &'a str, file: &str, request: &str) -> Option<(&'a str, &'a str)> {
    let text = text.trim();
    let name = file.rsplit('/').next().unwrap_or(file);
    let is_name = |it: &str| it.eq_ignore_ascii_case(file) || it.eq_ignore_ascii_case(name);
    if is_name(text) {
        return Some(("", text));
    }
    let (before, last) = text.rsplit_once(' ').filter(|(_, last)| is_name(last))?;
    let before = before.trim_end();
    let rest = |to: &&str| {
        let before = before.strip_suffix(" the").unwrap_or(before);
        before.strip_suffix(*to).filter(|it| it.ends_with(' ')).map(str::trim_end)
    };
    let rest = TO.iter().filter_map(rest).min_by_key(|it| it.len()).filter(|it| !it.is_empty())?;
    let place = text.get(rest.len()..)?.trim_start();
    let is_quoted = |sign: char| request.contains(&format!("{last}{sign}"));
    (request.contains(text) && !['"', '\'', '`'].into_iter().any(is_quoted))
        .then_some((rest, place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_text_goes_is_told_from_it() {
        let of = |text, file| without(text, file, &format!("pls add {text} now"));
        assert_eq!(
            of("- buy stamps to todo.txt", "notes/todo.txt"),
            Some(("- buy stamps", "to todo.txt"))
        );
        assert_eq!(
            of("milk at the end of the list.md", "list.md"),
            Some(("milk", "at the end of the list.md"))
        );
        assert_eq!(of("milk to other.txt", "todo.txt"), None);
        assert_eq!(of("see todo.txt", "todo.txt"), None);
        assert_eq!(of("to todo.txt", "todo.txt"), None, "nothing would be left");
        assert_eq!(of("notes/todo.txt", "notes/todo.txt"), Some(("", "notes/todo.txt")));
        assert_eq!(without("copy a to b.txt", "b.txt", "add 'copy a to b.txt' to b.txt"), None);
        assert_eq!(without("all goes to b.txt", "b.txt", "say where things go in b.txt"), None);
    }
}
