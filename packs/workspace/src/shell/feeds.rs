//! [`Feeds`]: where in a script a command is given something to read.

use std::ops::Range;

use tree_sitter::Node;

use super::{
    Unclear,
    tree::{Next, Script},
    word::Word,
};

/// The stretches of a script in which commands read what a pipe, a redirection or a text in the
/// script gives them. In order, and apart from each other.
pub(super) struct Feeds(Vec<Range<usize>>);

impl Feeds {
    /// Those of a script.
    pub(super) fn of(script: &Script<'_>) -> Result<Self, Unclear> {
        let mut found = Vec::new();
        script.walk(|visit| {
            found.extend(stretch(script, visit.node));
            Ok(Next::Into)
        })?;
        found.sort_by_key(|it| it.start);
        let mut apart: Vec<Range<usize>> = Vec::with_capacity(found.len());
        for next in found {
            match apart.last_mut().filter(|last| next.start <= last.end) {
                Some(last) => last.end = last.end.max(next.end),
                None => apart.push(next),
            }
        }
        Ok(Self(apart))
    }

    /// Whether they reach the command at a place.
    pub(super) fn reach(&self, node: Node<'_>) -> bool {
        let start = node.start_byte();
        let before = self.0.partition_point(|it| it.start <= start);
        let last = before.checked_sub(1).and_then(|at| self.0.get(at));
        last.is_some_and(|it| start < it.end)
    }
}

/// Where commands are fed because of what stands at this place.
fn stretch(script: &Script<'_>, node: Node<'_>) -> Option<Range<usize>> {
    match node.kind() {
        "pipeline" => Some(node.child(0)?.end_byte()..node.end_byte()),
        // What comes behind a text on its first line stands within it.
        "heredoc_redirect" => {
            let mut cursor = node.walk();
            let mut children = node.children(&mut cursor);
            let pipe = children.find(|it| matches!(it.kind(), "|" | "|&" | "pipeline"))?;
            Some(pipe.start_byte()..node.end_byte())
        }
        "process_substitution" => script.text(node).starts_with(">(").then(|| node.byte_range()),
        "command" | "redirected_statement" | "function_definition" => {
            let mut cursor = node.walk();
            node.children(&mut cursor).any(|it| feeds(script, it)).then(|| fed(node).byte_range())
        }
        _ => None,
    }
}

/// What a redirection of a statement is about: the last command of several in a row.
fn fed(node: Node<'_>) -> Node<'_> {
    let mut fed = node.child_by_field_name("body").unwrap_or(node);
    while matches!(fed.kind(), "list" | "pipeline" | "negated_command") {
        let last = fed.named_child_count().checked_sub(1);
        let Some(last) = last.and_then(|it| fed.named_child(u32::try_from(it).ok()?)) else {
            break;
        };
        fed = last;
    }
    fed
}

/// Whether a part of a statement gives it something to read.
fn feeds(script: &Script<'_>, part: Node<'_>) -> bool {
    match part.kind() {
        "heredoc_redirect" | "herestring_redirect" => true,
        // The command opens it as if it were a file.
        "process_substitution" => script.text(part).starts_with("<("),
        "file_redirect" => {
            let mut cursor = part.walk();
            let mut reads = false;
            let mut is_nothing = false;
            for child in part.children(&mut cursor) {
                match child.kind() {
                    "<" | "<&" => reads = true,
                    "file_descriptor" => {}
                    _ => is_nothing = Word::of(script, child).is("/dev/null"),
                }
            }
            reads && !is_nothing
        }
        _ => false,
    }
}
