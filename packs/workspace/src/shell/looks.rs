//! [`looks`]: whether a script only looks.
//!
//! Everything in it is on a list of what is fully understood: the syntax, the programs and their
//! options. There are no variables, no substitutions, and nothing is set, so every program is the
//! system's own and gets exactly the words that are written. What is not on the list is asked about.
//! The lists decide whether somebody is asked; that nothing is changed does not rest on them alone,
//! as such a script runs where it cannot write.

use tree_sitter::Node;

use super::{
    Unclear, agree, judge, looking,
    tree::{Next, Script},
    word::{Kind, Word},
};

/// A script that only looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Looking {
    /// Whether it asks git, which reads settings of the repository it finds.
    pub(crate) uses_git: bool,
}

/// Whether a script only looks.
pub(crate) fn looks(script: &str) -> Option<Looking> {
    let found = understood(script)?;
    // The judge of rules reads it in another way. Where one of the two has a doubt, somebody is asked.
    let parts = judge::all(script).ok()?;
    let is_certain = parts.iter().all(|it| !it.exact) && judge::unseen(script).is_empty();
    is_certain.then_some(found)
}

/// Whether everything in a script is on the lists.
fn understood(script: &str) -> Option<Looking> {
    let script = Script::read(script).ok()?;
    agree::check(&script).ok()?;
    let mut found = Found::default();
    let walked = script.walk(|visit| {
        let is_known = match visit.node.kind() {
            "command" => return found.command(&script, visit.node).ok_or_else(more),
            "test_command" => {
                found.commands += 1;
                return test(script.text(visit.node)).ok_or_else(more);
            }
            "file_redirect" => return redirect(&script, visit.node).ok_or_else(more),
            "comment" => return Ok(Next::Past),
            kind if visit.node.is_named() => STATEMENTS.contains(&kind),
            kind => MARKS.contains(&kind),
        };
        if is_known { Ok(Next::Into) } else { Err(more()) }
    });
    // In another folder git may find another repository.
    let is_settled = walked.is_ok() && found.commands > 0 && !(found.wanders && found.uses_git);
    is_settled.then_some(Looking { uses_git: found.uses_git })
}

fn more() -> Unclear {
    Unclear("it does more than look".to_owned())
}

/// What commands are put together with.
const STATEMENTS: [&str; 10] = [
    "compound_statement",
    "elif_clause",
    "else_clause",
    "if_statement",
    "list",
    "negated_command",
    "pipeline",
    "program",
    "redirected_statement",
    "subshell",
];

const MARKS: [&str; 16] =
    ["\n", "!", "&&", "(", ")", ";", "elif", "else", "fi", "if", "then", "{", "|", "|&", "||", "}"];

/// What was found so far.
#[derive(Default)]
struct Found {
    commands: usize,
    uses_git: bool,
    wanders: bool,
}

impl Found {
    fn command(&mut self, script: &Script<'_>, node: Node<'_>) -> Option<Next> {
        let mut words = Vec::new();
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "file_redirect" => drop(redirect(script, child)?),
                "command_name" => words.push(word(script, child.child(0)?)?),
                _ => words.push(word(script, child)?),
            }
        }
        let program = looking::program(words.first()?)?;
        self.commands += 1;
        self.uses_git |= program == "git" && !words.get(1).is_some_and(|it| it.is("--version"));
        self.wanders |= program == "cd";
        looking::only_looks(&words).then_some(Next::Past)
    }
}

/// A word that is written out: the command gets exactly this, or names of files.
fn word(script: &Script<'_>, node: Node<'_>) -> Option<Word> {
    let is_written_out = |node: Node<'_>| match node.kind() {
        "word" => is_simple(script.text(node)),
        "number" => node.child_count() == 0,
        "raw_string" | "ansi_c_string" => true,
        "string" => {
            let mut cursor = node.walk();
            node.children(&mut cursor).all(|it| matches!(it.kind(), "\"" | "string_content"))
        }
        _ => false,
    };
    let fits = match node.kind() {
        "concatenation" => {
            let mut cursor = node.walk();
            node.children(&mut cursor).all(is_written_out)
        }
        _ => is_written_out(node),
    };
    let word = fits.then(|| Word::of(script, node))?;
    (word.kind != Kind::Open).then_some(word)
}

/// Whether an unquoted word has no braces, but for those in names of versions (`HEAD@{1}`): bash
/// makes several words of some, and takes others for the name of a variable (`{PATH}>…`).
fn is_simple(text: &str) -> bool {
    text.replace("@{", "").replace("^{", "").find('{').is_none()
}

/// A redirection that changes nothing: into nothing, or into the other output, or from a file.
fn redirect(script: &Script<'_>, node: Node<'_>) -> Option<Next> {
    // What stands right before it may be a part of it.
    let before = node.start_byte().checked_sub(1).and_then(|at| script.source.as_bytes().get(at));
    if before.is_some_and(|it| !it.is_ascii_whitespace()) {
        return None;
    }
    let (mut operator, mut to) = ("", None);
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind() {
            "file_descriptor" if script.text(child).bytes().all(|it| it.is_ascii_digit()) => {}
            kind @ ("<" | ">" | ">>" | "&>" | ">&") if to.is_none() => operator = kind,
            _ if to.is_none() => to = Some(word(script, child)?),
            _ => return None,
        }
    }
    let to = to.filter(|it| it.kind == Kind::Plain)?;
    let fits = match operator {
        ">" | ">>" | "&>" => to.text == "/dev/null",
        ">&" => matches!(&*to.text, "1" | "2"),
        "<" => to.text == "/dev/null" || !to.text.starts_with("/dev"),
        _ => false,
    };
    fits.then_some(Next::Past)
}

/// A test in brackets whose every word is known, or plain.
fn test(text: &str) -> Option<Next> {
    let double = text.strip_prefix("[[ ").and_then(|it| it.strip_suffix(" ]]"));
    let single = || text.strip_prefix("[ ").and_then(|it| it.strip_suffix(" ]"));
    let is_joint = |it: &str| double.is_some() && matches!(it, "&&" | "||");
    let inside = double.or_else(single)?;
    let mut words = inside.split_ascii_whitespace();
    words.all(|it| looking::is_test_word(it) || is_joint(it) || is_quoted(it)).then_some(Next::Past)
}

fn is_quoted(word: &str) -> bool {
    let inside = |mark| word.strip_prefix(mark).and_then(|it| it.strip_suffix(mark));
    let inside = inside('\'').or_else(|| inside('"'));
    inside.is_some_and(|it| it.is_empty() || looking::is_plain_text(it))
}
