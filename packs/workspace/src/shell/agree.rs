//! [`check`]: whether bash would make the same of a script as the grammar did.
//!
//! The grammar is lenient: it guesses where bash does not. A guess that hides a command is what must
//! not happen, so every byte has to belong to a token that bash would see as well, at the same
//! place, and every line's end has to be where bash allows one without ending the command.

use tree_sitter::Node;

use super::{
    Unclear, heredoc,
    marks::{is_boundary, mark},
    quoted, shapes,
    tree::{Next, Script, Visit},
};

/// Whether bash would make the same of it.
pub(super) fn check(script: &Script<'_>) -> Result<(), Unclear> {
    let mut seams = Seams { source: script.source, end: 0, joint: "program" };
    script.walk(|visit| {
        let node = visit.node;
        let next = token(script, &visit)?;
        if !visit.is_first {
            seams.joint = visit.parent();
        }
        if next == Next::Past || node.child_count() == 0 {
            seams.cross(node)?;
        }
        Ok(next)
    })?;
    seams.gap(script.source.len()).map(drop)
}

/// What is between one token and the next.
struct Seams<'s, 't> {
    source: &'s str,
    /// Where the token before ended.
    end: usize,
    /// The innermost thing that both tokens are in.
    joint: &'t str,
}

impl Seams<'_, '_> {
    /// Goes from the end of the token before to the end of this one.
    fn cross(&mut self, node: Node<'_>) -> Result<(), Unclear> {
        if node.start_byte() == node.end_byte() {
            return Ok(());
        }
        let between = self.gap(node.start_byte())?;
        let touches = between.is_empty();
        let starts_blank = self.at(node.start_byte()).is_some_and(|it| it.is_ascii_whitespace());
        let apart = matches!(
            self.joint,
            "concatenation"
                | "simple_expansion"
                | "variable_assignment"
                | "brace_expression"
                | "subscript"
                | "number"
        );
        if (apart && !touches) || (starts_blank && self.joint != "string") {
            return Err(Unclear::may_differ("it has spaces within a word"));
        }
        let before = self.end.checked_sub(1).and_then(|at| self.at(at));
        // `{NAME}>…` sets a variable.
        if node.kind().starts_with(['<', '>']) && touches && before == Some(b'}') {
            return Err(Unclear::may_differ("it has a name in braces before a redirection"));
        }
        let glued = match node.kind() {
            "file_descriptor" => !before.is_none_or(is_boundary),
            "<" | ">" | ">>" | ">|" | "&>" | "&>>" | "<&" | ">&" | "<<<" | "<&-" | ">&-" => false,
            _ => self.joint == "command",
        };
        if glued && touches && self.end > 0 {
            return Err(Unclear::may_differ("it has two words with nothing between them"));
        }
        self.end = node.end_byte();
        Ok(())
    }

    /// What is between the token before and `start`: only blanks.
    fn gap(&self, start: usize) -> Result<&str, Unclear> {
        let odd = || Unclear::may_differ("it has escaped blanks or stray characters between words");
        let gap = self.source.get(self.end..start).ok_or_else(odd)?;
        let (mut ends_line, mut before) =
            (false, self.end.checked_sub(1).and_then(|at| self.at(at)));
        let mut bytes = gap.bytes();
        while let Some(byte) = bytes.next() {
            match byte {
                b' ' | b'\t' => {}
                b'\n' => ends_line = true,
                // A line that goes on: bash takes both bytes away, so there must be a blank already.
                b'\\' if matches!(before, Some(b' ' | b'\t')) && bytes.next() == Some(b'\n') => {
                    before = Some(b' ');
                    continue;
                }
                _ => return Err(odd()),
            }
            before = Some(byte);
        }
        if ends_line && !ENDS.contains(&self.joint) {
            return Err(Unclear::may_differ("it has the end of a line in the middle of a command"));
        }
        Ok(gap)
    }

    fn at(&self, offset: usize) -> Option<u8> {
        self.source.as_bytes().get(offset).copied()
    }
}

/// What a line may end in without anything being cut in two.
pub(super) const ENDS: [&str; 19] = [
    "program",
    "subshell",
    "compound_statement",
    "do_group",
    "if_statement",
    "elif_clause",
    "else_clause",
    "while_statement",
    "for_statement",
    "case_statement",
    "case_item",
    "command_substitution",
    "process_substitution",
    "function_definition",
    "array",
    "string",
    "list",
    "pipeline",
    "heredoc_redirect",
];

/// Whether a token, or what is made of tokens, is what bash would see there.
fn token(script: &Script<'_>, visit: &Visit<'_, '_>) -> Result<Next, Unclear> {
    let (node, text) = (visit.node, script.text(visit.node));
    if node.is_missing() {
        return Err(Unclear("it is not complete".to_owned()));
    }
    if !node.is_named() {
        return mark(script, visit).map(|()| Next::Into);
    }
    let fits = match node.kind() {
        "comment" => shapes::is_comment(script, visit),
        "word" | "number" => node.child_count() > 0 || shapes::is_word(script, visit),
        "raw_string" => quoted::is_raw(text),
        "ansi_c_string" => quoted::is_escaped(text),
        "string" => quoted::is_string(script, node),
        "regex" | "extglob_pattern" => shapes::is_pattern(text),
        "simple_expansion" => shapes::is_parameter(text),
        "command_substitution" => shapes::is_substitution(script, visit),
        "expansion" if shapes::is_simple(text) => return Ok(Next::Past),
        "arithmetic_expansion" | "c_style_for_statement" if shapes::is_sum(text) => {
            return Ok(Next::Past);
        }
        "compound_statement" if text.starts_with("((") && shapes::is_sum(text) => {
            return Ok(Next::Past);
        }
        "compound_statement" => !text.starts_with("(("),
        "subscript" => shapes::is_place(text),
        "file_redirect" => shapes::leads_to_one(node),
        "test_command" => shapes::is_test(script, node),
        "heredoc_redirect" => return heredoc::check(script, node).map(|()| Next::Into),
        "heredoc_body" => return Ok(Next::Past),
        kind => KNOWN.contains(&kind),
    };
    if fits { Ok(Next::Into) } else { Err(Unclear::may_differ(&said(node.kind()))) }
}

/// What is said about a construct that is not read.
fn said(kind: &str) -> String {
    match kind {
        "arithmetic_expansion" | "c_style_for_statement" | "compound_statement" | "subscript" => {
            "it calculates with variables, whose values can hold commands".to_owned()
        }
        "expansion" => "it changes a variable's value while using it (`${…}`)".to_owned(),
        "file_redirect" => "it has words behind a redirection".to_owned(),
        kind => format!("it has an unusual {}", kind.replace('_', " ")),
    }
}

/// What is made of other things, and says nothing by itself.
const KNOWN: [&str; 44] = [
    "program",
    "array",
    "binary_expression",
    "brace_expression",
    "case_item",
    "case_statement",
    "command",
    "command_name",
    "concatenation",
    "declaration_command",
    "do_group",
    "elif_clause",
    "else_clause",
    "file_descriptor",
    "file_redirect",
    "for_statement",
    "function_definition",
    "heredoc_content",
    "heredoc_end",
    "heredoc_start",
    "herestring_redirect",
    "if_statement",
    "list",
    "negated_command",
    "parenthesized_expression",
    "pipeline",
    "process_substitution",
    "redirected_statement",
    "special_variable_name",
    "string_content",
    "subshell",
    "test_operator",
    "unary_expression",
    "unset_command",
    "variable_assignment",
    "variable_assignments",
    "variable_name",
    "while_statement",
    "heredoc_redirect",
    "heredoc_body",
    "simple_expansion",
    "string",
    "word",
    "comment",
];
