//! [`is_word`] and the like: whether a token has the shape that bash gives it.

use tree_sitter::Node;

use super::{
    marks::is_boundary,
    tree::{Script, Visit},
};

/// Whether a `#` begins a comment.
pub(super) fn is_comment(script: &Script<'_>, visit: &Visit<'_, '_>) -> bool {
    let mut before = script.source.get(..visit.node.start_byte()).unwrap_or_default().bytes().rev();
    let begins =
        before.next().is_none_or(|it| is_boundary(it) && !matches!(it, b'<' | b'>' | b'`'));
    let within = |it: &&str| matches!(*it, "string" | "test_command" | "heredoc_body");
    begins && before.next() != Some(b'\\') && !visit.parents.iter().any(within)
}

/// Whether an unquoted word ends where bash ends it, and begins nothing else.
pub(super) fn is_word(script: &Script<'_>, visit: &Visit<'_, '_>) -> bool {
    let text = script.text(visit.node);
    if matches!(text, "{" | "}" | "[" | "]") {
        return true;
    }
    if text.starts_with('#') && (visit.is_first || visit.parent() != "concatenation") {
        return false;
    }
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let fits = match c {
            '\\' => chars.next().is_some_and(|it| it != '\n'),
            // Several brackets in a row are one token.
            '{' | '}' | '[' | ']' => true,
            _ => !"'\"<>()`$|&;".contains(c) && !c.is_whitespace(),
        };
        if !fits {
            return false;
        }
    }
    true
}

/// Whether a pattern holds nothing but a pattern.
pub(super) fn is_pattern(text: &str) -> bool {
    let text = text.strip_suffix('$').unwrap_or(text);
    text.chars().all(|c| c.is_alphanumeric() || "_.*?/+^,:@%=-[]".contains(c))
}

/// Whether it is `$` and a name.
pub(super) fn is_parameter(text: &str) -> bool {
    let name = text.trim_start().strip_prefix('$').unwrap_or_default();
    let is_name =
        !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    is_name || matches!(name, "*" | "@" | "?" | "!" | "#" | "-" | "$")
}

/// Whether `${…}` only puts something in: what else it can do runs commands or sets variables.
pub(super) fn is_simple(text: &str) -> bool {
    let inside = text.trim_start().strip_prefix("${").and_then(|it| it.strip_suffix('}'));
    let Some(inside) = inside else { return false };
    let name = inside.strip_prefix('#').unwrap_or(inside);
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(name.len());
    let (name, rest) = name.split_at(end);
    if name.is_empty() || rest.chars().any(|c| "$`'\"{}()\\\n[]!<>|&;=".contains(c)) {
        return false;
    }
    rest.is_empty()
        || rest.starts_with(":-")
        || rest.starts_with(":+")
        || rest.starts_with(['-', '+', '#', '%', '/', ',', '^'])
}

/// Whether it is a place in a list that a number says.
pub(super) fn is_place(text: &str) -> bool {
    let number = text.strip_suffix(']').and_then(|it| it.split_once('['));
    number.is_some_and(|(_, it)| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
}

/// Whether a calculation holds numbers only.
pub(super) fn is_sum(text: &str) -> bool {
    text.trim_start()
        .bytes()
        .all(|it| it.is_ascii_digit() || b"$ \t+-*/%()<>=!&|^~?:,".contains(&it))
}

/// Whether a substitution in backticks means what is written: an escape in it is read twice.
pub(super) fn is_substitution(script: &Script<'_>, visit: &Visit<'_, '_>) -> bool {
    let text = script.text(visit.node).trim_start();
    if !text.starts_with('`') {
        return true;
    }
    let within_string = visit.parents.contains(&"string");
    let inside = text.strip_prefix('`').and_then(|it| it.strip_suffix('`'));
    inside.is_some_and(|it| {
        let is_odd = it.contains(['\\', '`', '#']) || it.contains("<<");
        !(is_odd || within_string && it.contains('"'))
    })
}

/// Whether a redirection leads to one file: words behind it belong to the command.
pub(super) fn leads_to_one(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    let words =
        node.children(&mut cursor).filter(|it| it.is_named() && it.kind() != "file_descriptor");
    words.count() <= 1
}

/// Whether a test is one: it stands between brackets that are words, and what is between them is
/// neither redirected nor calculated.
pub(super) fn is_test(script: &Script<'_>, node: Node<'_>) -> bool {
    let text = script.text(node);
    let double = text.strip_prefix("[[").and_then(|it| it.strip_suffix("]]"));
    let single = text.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let is_odd = |it: Node<'_>| match double {
        Some(_) => matches!(
            script.text(it).trim(),
            "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-v" | "-R"
        ),
        None => matches!(
            it.kind(),
            "<" | ">" | "(" | ")" | "&&" | "||" | "?" | ":" | "redirected_statement" | "comment"
        ),
    };
    double.or(single).is_some_and(is_spaced) && !own_parts(node).any(is_odd)
}

/// Everything in a test that is not in quotes nor in a substitution.
fn own_parts(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut left = vec![node];
    std::iter::from_fn(move || {
        let node = left.pop()?;
        let is_apart = matches!(
            node.kind(),
            "command_substitution" | "process_substitution" | "string" | "expansion"
        );
        if !is_apart {
            let mut cursor = node.walk();
            left.extend(node.children(&mut cursor));
        }
        Some(node)
    })
}

fn is_spaced(inside: &str) -> bool {
    inside.starts_with([' ', '\t']) && inside.ends_with([' ', '\t'])
}
