//! Text of a tree, and text without what only takes room.

use std::rc::Rc;

use markup5ever_rcdom::{Node, NodeData};

/// Elements that stand on lines of their own.
const BLOCKS: [&str; 28] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "br",
    "dd",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "main",
    "ol",
    "p",
    "pre",
    "section",
    "tr",
    "ul",
];

/// The text of a tree, each block on a line of its own.
pub(super) fn plain_text(tree: &Rc<Node>) -> String {
    enum Step {
        Into(Rc<Node>),
        Break,
    }
    let mut text = String::new();
    let mut open = vec![Step::Into(tree.clone())];
    while let Some(step) = open.pop() {
        let node = match step {
            Step::Into(node) => node,
            Step::Break => {
                text.push('\n');
                continue;
            }
        };
        match &node.data {
            NodeData::Text { contents } => words(&contents.borrow(), &mut text),
            NodeData::Element { name, .. } if BLOCKS.contains(&&*name.local) => {
                text.push('\n');
                open.push(Step::Break);
            }
            NodeData::Element { name, .. } if matches!(&*name.local, "td" | "th") => {
                text.push('\t');
            }
            _ => {}
        }
        open.extend(node.children.borrow().iter().rev().cloned().map(Step::Into));
    }
    text
}

/// Adds words with one blank between them, as a page shows them.
fn words(from: &str, text: &mut String) {
    let is_apart = from.starts_with(char::is_whitespace);
    if is_apart && !text.ends_with(char::is_whitespace) {
        text.push(' ');
    }
    for (at, word) in from.split_whitespace().enumerate() {
        if at > 0 {
            text.push(' ');
        }
        text.push_str(word);
    }
    if from.ends_with(char::is_whitespace) && !text.ends_with(char::is_whitespace) {
        text.push(' ');
    }
}

/// The text without characters that nobody sees, without blanks at the ends of lines, and with one empty line
/// at most between two others.
pub(crate) fn tidy(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    let mut empty = 0;
    for line in text.lines() {
        let line: String = line.trim_end().chars().filter(|it| !is_invisible(*it)).collect();
        if line.trim().is_empty() {
            empty += 1;
            continue;
        }
        if !tidy.is_empty() {
            tidy.push_str(if empty > 0 { "\n\n" } else { "\n" });
        }
        empty = 0;
        tidy.push_str(&line);
    }
    tidy
}

/// Characters by which a text says to a model what people do not see.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
        || (c.is_control() && c != '\t')
}
