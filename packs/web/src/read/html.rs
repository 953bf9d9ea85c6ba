//! HTML into Markdown or text: without what nobody sees, and with whole addresses.

use std::rc::Rc;

use htmd::{
    HtmlToMarkdown,
    options::{BulletListMarker, Options},
};
use markup5ever_rcdom::{Node, NodeData};
use url::Url;

use super::{
    Document,
    main_part::main_part,
    plain::{plain_text, tidy},
};

/// Elements of which nothing is text for a reader.
const UNREAD: [&str; 17] = [
    "script", "style", "noscript", "template", "svg", "canvas", "iframe", "object", "embed",
    "audio", "video", "button", "input", "select", "textarea", "dialog", "head",
];

/// The page as Markdown.
///
/// # Errors
/// When it cannot be read.
pub(super) fn markdown(html: &str, address: &Url) -> Result<Document, String> {
    let converter = HtmlToMarkdown::builder()
        .options(Options {
            bullet_list_marker: BulletListMarker::Dash,
            ul_bullet_spacing: 1,
            ol_number_spacing: 1,
            ..Options::default()
        })
        .build();
    document(&converter, html, address, |tree| converter.tree_to_markdown(tree))
}

/// The page as text.
///
/// # Errors
/// When it cannot be read.
pub(super) fn text(html: &str, address: &Url) -> Result<Document, String> {
    document(&HtmlToMarkdown::new(), html, address, plain_text)
}

fn document(
    converter: &HtmlToMarkdown,
    html: &str,
    address: &Url,
    written: impl Fn(&Rc<Node>) -> String,
) -> Result<Document, String> {
    let tree = converter.html_to_tree(html).map_err(|_| "it is no HTML".to_owned())?;
    let title = find(&tree, "title").map(|it| tidy(&plain_text(&it)).replace('\n', " "));
    let base = find(&tree, "base").and_then(|it| attribute(&it, "href"));
    let base = base.and_then(|it| address.join(&it).ok()).unwrap_or_else(|| address.clone());
    clean(&tree, &base);
    let part = main_part(&tree);
    Ok(Document { title: title.filter(|it| !it.is_empty()), text: tidy(&written(&part)) })
}

/// Takes out what nobody sees, and makes addresses whole. A page may be deeper than a stack, so no function
/// calls itself.
fn clean(tree: &Rc<Node>, base: &Url) {
    let mut open = vec![tree.clone()];
    while let Some(node) = open.pop() {
        node.children.borrow_mut().retain(|it| is_seen(it));
        for child in node.children.borrow().iter() {
            resolve(child, base);
            open.push(child.clone());
        }
    }
}

fn is_seen(node: &Node) -> bool {
    let NodeData::Element { name, .. } = &node.data else {
        return !matches!(
            node.data,
            NodeData::Comment { .. } | NodeData::ProcessingInstruction { .. }
        );
    };
    let is_hidden = attribute(node, "hidden").is_some()
        || attribute(node, "aria-hidden").is_some_and(|it| it.eq_ignore_ascii_case("true"))
        || attribute(node, "style").is_some_and(|it| hides(&it));
    !UNREAD.contains(&&*name.local) && !is_hidden
}

/// Whether a style keeps people from seeing what a reader of the source would see.
fn hides(style: &str) -> bool {
    let style: String =
        style.chars().filter(|it| !it.is_whitespace()).map(|it| it.to_ascii_lowercase()).collect();
    style.split(';').any(|rule| {
        let rule = rule.strip_suffix("!important").unwrap_or(rule);
        let is_zero = |value: &str| {
            let digits = value.trim_end_matches(|it: char| it.is_ascii_alphabetic() || it == '%');
            digits.parse::<f32>().is_ok_and(|it| it.abs() < 0.01)
        };
        match rule.split_once(':') {
            Some(("display", "none")) | Some(("visibility", "hidden" | "collapse")) => true,
            Some(("opacity" | "font-size", value)) => is_zero(value),
            _ => false,
        }
    })
}

/// Makes the addresses of an element whole; those that are none for a reader go.
fn resolve(node: &Node, base: &Url) {
    let NodeData::Element { attrs, .. } = &node.data else { return };
    attrs.borrow_mut().retain_mut(|attribute| {
        if !matches!(&*attribute.name.local, "href" | "src") {
            return true;
        }
        let whole = base.join(&attribute.value).ok();
        let Some(whole) = whole.filter(|it| matches!(it.scheme(), "http" | "https")) else {
            return false;
        };
        attribute.value = whole.as_str().into();
        true
    });
}

/// The first element of this name.
fn find(tree: &Rc<Node>, name: &str) -> Option<Rc<Node>> {
    let mut open = vec![tree.clone()];
    while let Some(node) = open.pop() {
        if is(&node, name) {
            return Some(node);
        }
        open.extend(node.children.borrow().iter().rev().cloned());
    }
    None
}

/// Whether a node is an element of this name.
pub(super) fn is(node: &Node, wanted: &str) -> bool {
    matches!(&node.data, NodeData::Element { name, .. } if &*name.local == wanted)
}

/// The value of an attribute.
pub(super) fn attribute(node: &Node, wanted: &str) -> Option<String> {
    let NodeData::Element { attrs, .. } = &node.data else { return None };
    let attrs = attrs.borrow();
    let found = attrs.iter().find(|it| &*it.name.local == wanted)?;
    Some(found.value.to_string())
}
