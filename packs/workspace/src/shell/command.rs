//! [`Command`]: one simple command of a script.

use tree_sitter::Node;

use super::{
    Unclear,
    tree::Script,
    word::{Kind, Word},
};

/// One simple command of a script.
#[derive(Clone, Debug, Default)]
pub(super) struct Command {
    /// What is set for it alone, as it is written.
    pub(super) set: Vec<String>,
    /// The program and its arguments.
    pub(super) words: Vec<Word>,
    /// The files it writes to, as they are written: `> out.txt`.
    pub(super) writes: Vec<String>,
    /// Whether a pipe, a redirection or a text in the script gives it something to read.
    pub(super) is_fed: bool,
    /// Whether what it reads is only known when it runs.
    pub(super) reads_unknown: bool,
}

impl Command {
    /// The command at a place in the tree.
    pub(super) fn of(script: &Script<'_>, node: Node<'_>) -> Result<Self, Unclear> {
        let mut command = Self::default();
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "variable_assignment" => command.set.push(script.text(child).to_owned()),
                "file_redirect" => command.redirect(script, child),
                "herestring_redirect" | "heredoc_redirect" | "comment" => {}
                "command_name" => {
                    let name = child.child(0).unwrap_or(child);
                    check_name(script.text(name))?;
                    command.words.push(Word::of(script, name));
                }
                "==" | "=~" => command.words.push(Word::plain(child.kind())),
                _ => command.words.push(Word::of(script, child)),
            }
        }
        Ok(command)
    }

    /// Takes note of where a redirection leads.
    pub(super) fn redirect(&mut self, script: &Script<'_>, node: Node<'_>) {
        match Redirect::of(script, node) {
            Redirect::Harmless => {}
            Redirect::Writes(text) => self.writes.push(text),
            Redirect::ReadsUnknown => self.reads_unknown = true,
        }
    }
}

/// Where a redirection leads.
pub(super) enum Redirect {
    /// Nowhere where anything changes.
    Harmless,
    /// Into a file.
    Writes(String),
    /// From somewhere that is only known when it runs, or from another machine.
    ReadsUnknown,
}

impl Redirect {
    /// The redirection at a place in the tree.
    pub(super) fn of(script: &Script<'_>, node: Node<'_>) -> Self {
        let (mut operator, mut to) = ("", None);
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "file_descriptor" => {}
                kind @ ("<" | ">" | ">>" | "&>" | "&>>" | "<&" | ">&" | ">|" | "<&-" | ">&-") => {
                    operator = kind;
                }
                _ => to = Some(Word::of(script, child)),
            }
        }
        let Some(to) = to else { return Self::Harmless };
        let is_number = !to.text.is_empty() && to.text.bytes().all(|it| it.is_ascii_digit());
        let is_plain = to.kind == Kind::Plain;
        match operator {
            "<&" | ">&" if is_plain && (is_number || to.text == "-") => Self::Harmless,
            "<" if is_plain
                && !to.text.starts_with("/dev/tcp")
                && !to.text.starts_with("/dev/udp") =>
            {
                Self::Harmless
            }
            "<" | "<&" => Self::ReadsUnknown,
            _ if is_plain && matches!(&*to.text, "/dev/null" | "/dev/stdout" | "/dev/stderr") => {
                Self::Harmless
            }
            operator => Self::Writes(format!("{operator} {}", to.shown())),
        }
    }
}

/// Whether bash takes the first word for a program's name, as the grammar does.
fn check_name(raw: &str) -> Result<(), Unclear> {
    const RESERVED: [&str; 21] = [
        "if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for",
        "in", "function", "select", "coproc", "{", "}", "!", "[[", "]]",
    ];
    let name = raw.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let sets = name.starts_with('=') || name.starts_with("+=") || name.starts_with('[');
    if RESERVED.contains(&raw) || (sets && name.len() < raw.len()) {
        return Err(Unclear::may_differ(&format!("it has an unusual `{raw}`")));
    }
    Ok(())
}
