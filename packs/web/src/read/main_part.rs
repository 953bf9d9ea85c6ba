//! [`main_part`]: what a page is about, without what stands around it on every page.

use std::rc::Rc;

use markup5ever_rcdom::{Node, NodeData};

use super::html::{attribute, is};

/// A part with less text than this is not what a page is about.
const LEAST: usize = 200;

/// What stands around: menus, imprints, what to read next.
const AROUND: [&str; 4] = ["nav", "header", "footer", "aside"];

/// The part of a page that it is about: the one that says so itself, and has some text; else the page without
/// what stands around; else the page.
pub(super) fn main_part(tree: &Rc<Node>) -> Rc<Node> {
    let mut open = vec![tree.clone()];
    let mut best: Option<(usize, Rc<Node>)> = None;
    while let Some(node) = open.pop() {
        if is_main(&node) {
            let length = length(&node, &[]);
            if best.as_ref().is_none_or(|(most, _)| length > *most) {
                best = Some((length, node.clone()));
            }
            // What is inside is a part of it.
            continue;
        }
        open.extend(node.children.borrow().iter().rev().cloned());
    }
    match best {
        Some((length, part)) if length >= LEAST => part,
        _ => {
            if length(tree, &AROUND) >= LEAST {
                strip(tree);
            }
            tree.clone()
        }
    }
}

fn is_main(node: &Node) -> bool {
    is(node, "main")
        || is(node, "article")
        || attribute(node, "role").is_some_and(|it| it.eq_ignore_ascii_case("main"))
}

/// How much text there is, without that of some elements.
fn length(tree: &Rc<Node>, without: &[&str]) -> usize {
    let mut open = vec![tree.clone()];
    let mut length = 0;
    while let Some(node) = open.pop() {
        match &node.data {
            NodeData::Text { contents } => length += contents.borrow().trim().len(),
            NodeData::Element { name, .. } if without.contains(&&*name.local) => continue,
            _ => {}
        }
        open.extend(node.children.borrow().iter().cloned());
    }
    length
}

/// Takes out what stands around.
fn strip(tree: &Rc<Node>) {
    let mut open = vec![tree.clone()];
    while let Some(node) = open.pop() {
        node.children.borrow_mut().retain(|it| !AROUND.iter().any(|name| is(it, name)));
        open.extend(node.children.borrow().iter().cloned());
    }
}
