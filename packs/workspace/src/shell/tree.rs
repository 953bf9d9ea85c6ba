//! [`Script`]: a script and the tree a grammar makes of it.

use std::{ops::ControlFlow, time::Instant};

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

use super::{Unclear, limits};

/// A script and the tree a grammar makes of it.
pub(super) struct Script<'s> {
    pub(super) source: &'s str,
    tree: Tree,
}

/// A place in the tree, on the way through it.
pub(super) struct Visit<'t, 'p> {
    pub(super) node: Node<'t>,
    /// What it is in, from the outside to the inside.
    pub(super) parents: &'p [&'t str],
    /// Whether nothing of the same parent came before it.
    pub(super) is_first: bool,
}

impl<'t> Visit<'t, '_> {
    pub(super) fn parent(&self) -> &'t str {
        self.parents.last().copied().unwrap_or_default()
    }
}

/// Where to go from a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    Into,
    Past,
}

impl<'s> Script<'s> {
    /// Reads a script.
    pub(super) fn read(source: &'s str) -> Result<Self, Unclear> {
        check_text(source)?;
        let mut parser = Parser::new();
        let failed = |_| Unclear("the grammar for scripts could not be loaded".to_owned());
        parser.set_language(&tree_sitter_bash::LANGUAGE.into()).map_err(failed)?;
        // A grammar that guesses can be made to guess for long.
        let started = Instant::now();
        let mut count = |_: &ParseState| match started.elapsed() {
            it if it > limits::TIME => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let options = ParseOptions::new().progress_callback(&mut count);
        let bytes = source.as_bytes();
        let mut from = |offset: usize, _| bytes.get(offset..).unwrap_or_default();
        let tree = parser
            .parse_with_options(&mut from, None, Some(options))
            .ok_or_else(|| Unclear("it takes too long to read".to_owned()))?;
        if tree.root_node().has_error() {
            return Err(Unclear("it is not a script that can be read for certain".to_owned()));
        }
        Ok(Self { source, tree })
    }

    /// The text of a place.
    pub(super) fn text(&self, node: Node<'_>) -> &'s str {
        self.source.get(node.byte_range()).unwrap_or_default()
    }

    /// Goes through the tree in the order of the text. Keeps its own stack: a script may be nested
    /// deeper than threads are.
    pub(super) fn walk<'t>(
        &'t self,
        mut visit: impl FnMut(Visit<'t, '_>) -> Result<Next, Unclear>,
    ) -> Result<(), Unclear> {
        let mut cursor = self.tree.walk();
        let mut parents = Vec::new();
        let mut is_first = true;
        loop {
            let node = cursor.node();
            let next = visit(Visit { node, parents: &parents, is_first })?;
            if next == Next::Into && cursor.goto_first_child() {
                parents.push(node.kind());
                is_first = true;
                continue;
            }
            is_first = false;
            while !cursor.goto_next_sibling() {
                if parents.pop().is_none() || !cursor.goto_parent() {
                    return Ok(());
                }
            }
        }
    }
}

/// Whether there is anything in the bytes that a person would not see.
fn check_text(source: &str) -> Result<(), Unclear> {
    if source.len() > limits::SCRIPT {
        let most = limits::SCRIPT >> 10;
        return Err(Unclear(format!("it is longer than {most} KiB, too long to be looked at")));
    }
    if let Some(c) = source.chars().find(|&c| is_unseen(c)) {
        let code = u32::from(c);
        return Err(Unclear(format!("it has a character that cannot be seen (U+{code:04X})")));
    }
    if is_nested(source) {
        return Err(Unclear("it is nested too deeply to be looked at".to_owned()));
    }
    if source.matches('|').count() > limits::PIPES {
        return Err(Unclear("it has too many pipes (`|`)".to_owned()));
    }
    if source.matches("<<").count() > limits::HEREDOCS {
        return Err(Unclear("it has too many texts in it (`<<`)".to_owned()));
    }
    Ok(())
}

/// Whether more brackets are open at once than anybody writes. The grammar gets slow with them.
fn is_nested(source: &str) -> bool {
    let mut depth = 0_usize;
    source.bytes().any(|byte| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > limits::NESTING
    })
}

/// Whether a character shows nothing, or something else than it is.
fn is_unseen(c: char) -> bool {
    match c {
        '\n' | '\t' | ' ' => false,
        _ if c.is_control() || c.is_whitespace() => true,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' => {
            true
        }
        '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' => true,
        '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffc}' => true,
        '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}' => true,
        _ => false,
    }
}
