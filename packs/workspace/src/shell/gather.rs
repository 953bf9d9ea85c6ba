//! [`parts`]: everything that a script runs or changes, found in its tree.

use std::collections::HashSet;

use tree_sitter::Node;

use super::{
    Unclear,
    command::{Command, Redirect},
    feeds::Feeds,
    tree::{Next, Script, Visit},
    word::{Kind, Word},
};

/// Something that a script runs or changes.
pub(super) enum Part {
    /// It runs a program.
    Command(Command),
    /// It tests something, in these words.
    Test(String),
    /// It changes something about the shell or the files, in these words.
    Change(String),
    /// It gives a variable a name, or a value that is calculated, which only running it tells: in these
    /// words.
    Calculates(String),
    /// It gives a name to commands: from here on, no name means what it says.
    Names,
}

/// Everything that a script runs or changes.
pub(super) fn parts(script: &Script<'_>) -> Result<Vec<Part>, Unclear> {
    let mut parts = Vec::new();
    // The redirections of the command that comes next, and where they are.
    let mut writes: Option<Command> = None;
    let mut told = HashSet::new();
    let feeds = Feeds::of(script)?;
    script.walk(|visit| {
        let (node, text) = (visit.node, script.text(visit.node));
        match node.kind() {
            "command" => {
                let mut command = Command::of(script, node)?;
                command.is_fed = feeds.reach(node);
                if let Some(known) = writes.take() {
                    command.writes.extend(known.writes);
                    command.reads_unknown |= known.reads_unknown;
                }
                parts.push(Part::Command(command));
            }
            "redirected_statement" => writes = redirected(script, node, &mut told),
            "file_redirect" if visit.parent() != "command" && !told.contains(&node.id()) => {
                if let Redirect::Writes(text) = Redirect::of(script, node) {
                    parts.push(Part::Change(text));
                }
            }
            "variable_assignment" if is_alone(&visit) => parts.push(Part::Change(text.to_owned())),
            "declaration_command" | "unset_command" => {
                parts.push(Part::Change(text.to_owned()));
                parts.extend(calculates(script, node));
            }
            "test_command" => parts.push(Part::Test(spaced(text))),
            "for_statement" => parts.extend(sets(script, node)),
            "function_definition" => parts.push(Part::Names),
            _ => {}
        }
        Ok(Next::Into)
    })?;
    Ok(parts)
}

/// The redirections of a simple command, taken from around it.
fn redirected(script: &Script<'_>, node: Node<'_>, told: &mut HashSet<usize>) -> Option<Command> {
    node.child(0).filter(|it| it.kind() == "command")?;
    let mut command = Command::default();
    let mut cursor = node.walk();
    for child in node.children(&mut cursor).filter(|it| it.kind() == "file_redirect") {
        command.redirect(script, child);
        told.insert(child.id());
    }
    Some(command)
}

/// Whether an assignment is not already told as a part of something else.
fn is_alone(visit: &Visit<'_, '_>) -> bool {
    !matches!(visit.parent(), "command" | "declaration_command")
}

/// A declaration in which only running it tells the name of a variable, or a number: either may be a
/// place in a list, and the place a command (`a[$(…)]`).
fn calculates(script: &Script<'_>, node: Node<'_>) -> Option<Part> {
    let mut cursor = node.walk();
    let (mut is_number, mut has_open, mut names_open) = (false, false, false);
    for child in node.named_children(&mut cursor) {
        let word = Word::of(script, child);
        let is_open = word.kind == Kind::Open && script.text(child).contains(['$', '`']);
        match child.kind() {
            "variable_assignment" => has_open |= is_open,
            _ => names_open |= is_open,
        }
        is_number |= word.text.starts_with(['-', '+']) && word.text.contains(['i', 'n']);
    }
    (names_open || is_number && has_open).then(|| Part::Calculates(script.text(node).to_owned()))
}

/// What a loop sets, where it may be more than the loop's own business: `for PATH in …`.
fn sets(script: &Script<'_>, node: Node<'_>) -> Option<Part> {
    let name = node.child_by_field_name("variable").map(|it| script.text(it))?;
    let is_special = name.bytes().any(|it| !it.is_ascii_lowercase());
    is_special.then(|| Part::Change(format!("for {name}")))
}

/// The words with one blank between them, where every blank is between words.
fn spaced(text: &str) -> String {
    if text.contains(['"', '\'', '\\']) {
        return text.to_owned();
    }
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}
