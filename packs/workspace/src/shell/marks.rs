//! [`mark`]: operators and reserved words, and whether they are any.

use tree_sitter::Node;

use super::{
    Unclear,
    agree::ENDS,
    tree::{Script, Visit},
};

/// Whether operators and reserved words stand where they mean what they mean.
pub(super) fn mark(script: &Script<'_>, visit: &Visit<'_, '_>) -> Result<(), Unclear> {
    let (kind, parent) = (visit.node.kind(), visit.parent());
    let source = script.source.as_bytes();
    let next = source.get(visit.node.end_byte()).copied();
    let before = visit.node.start_byte().checked_sub(1).and_then(|at| source.get(at)).copied();
    // Asked for only where it matters: scripts may be nested deeply.
    let within_test = || visit.parents.contains(&"test_command");
    let fits = match kind {
        ";" | "&" | ";;" | ";&" | ";;&" => ENDS.contains(&parent),
        "|" | "|&" => matches!(parent, "pipeline" | "case_item" | "heredoc_redirect"),
        "&&" | "||" => matches!(parent, "list" | "heredoc_redirect") || within_test(),
        "(" if next == Some(b'(') => false,
        "(" | ")" => {
            ENDS.contains(&parent) || (parent == "parenthesized_expression" && within_test())
        }
        "$(" => next != Some(b'('),
        "$`" | "select" => false,
        "$" if parent != "simple_expansion" => {
            !matches!(next, Some(b'\'' | b'"' | b'(' | b'{' | b'[' | b'`'))
        }
        "{" if parent == "compound_statement" => {
            before.is_none_or(is_boundary) && next.is_some_and(|it| it.is_ascii_whitespace())
        }
        "}" if parent == "compound_statement" => closes(script.source, visit.node),
        "!" if parent == "negated_command" => next.is_some_and(|it| it.is_ascii_whitespace()),
        word if word.bytes().all(|it| it.is_ascii_lowercase()) && word.len() > 1 => {
            before.is_none_or(is_boundary) && next.is_none_or(is_boundary)
        }
        _ => true,
    };
    if fits { Ok(()) } else { Err(Unclear::may_differ(&format!("it has an unusual `{kind}`"))) }
}

/// Whether a `}` is a word of its own, where a command could begin.
fn closes(source: &str, brace: Node<'_>) -> bool {
    let before = source.get(..brace.start_byte()).unwrap_or_default();
    let next = source.as_bytes().get(brace.end_byte()).copied();
    before.trim_end_matches([' ', '\t']).ends_with([';', '&', '\n']) && next.is_none_or(is_boundary)
}

/// What ends a word.
pub(super) fn is_boundary(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' | b'`')
}
