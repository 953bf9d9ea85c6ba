//! [`check`]: whether a text in a script ends where bash ends it.

use tree_sitter::Node;

use super::{Unclear, tree::Script};

/// Whether the text behind `<<` is the lines that bash takes for it, and runs nothing.
pub(super) fn check(script: &Script<'_>, node: Node<'_>) -> Result<(), Unclear> {
    match here(script, node) {
        Some(true) => Ok(()),
        Some(false) => Err(Unclear("it has a text (`<<`) with commands in it".to_owned())),
        None => Err(Unclear::may_differ("it has an unusual text (`<<`)")),
    }
}

/// Whether it runs nothing; `None` where bash may see another text.
fn here(script: &Script<'_>, node: Node<'_>) -> Option<bool> {
    let (mut start, mut end, mut dash) = (None, None, false);
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind() {
            "<<-" => dash = true,
            "heredoc_start" => start = Some(child),
            "heredoc_end" => end = Some(child),
            _ => {}
        }
    }
    let (start, end) = (start?, end?);
    if node.children_by_field_name("argument", &mut cursor).next().is_some() {
        return None;
    }
    let (word, is_raw) = delimiter(script.text(start).trim_start())?;
    let rest = script.source.get(start.end_byte()..)?;
    let (line, body) = rest.split_once('\n')?;
    if line.contains(['\'', '"', '`', '\\', '(', '<', '#']) {
        return None;
    }
    let mut at = start.end_byte() + line.len() + 1;
    let mut runs_nothing = true;
    for line in body.split('\n') {
        let bare = if dash { line.trim_start_matches('\t') } else { line };
        if bare == word {
            let ends = at + line.len() - bare.len();
            let text = script.text(end);
            let found = end.start_byte() + text.len() - text.trim_start().len();
            return (text.trim() == word && found == ends).then_some(runs_nothing);
        }
        if !is_raw {
            if line.ends_with('\\') {
                return None;
            }
            runs_nothing &= !["`", "$(", "${", "$["].iter().any(|it| line.contains(it));
        }
        at += line.len() + 1;
    }
    None
}

/// The word that ends the text, and whether the text is left as it is.
fn delimiter(text: &str) -> Option<(&str, bool)> {
    let bare = ['\'', '"'].iter().find_map(|&quote| text.strip_prefix(quote)?.strip_suffix(quote));
    let (word, is_raw) = bare.map_or((text, false), |it| (it, true));
    let is_name =
        !word.is_empty() && word.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    is_name.then_some((word, is_raw))
}
