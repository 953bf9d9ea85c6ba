//! [`is_string`]: whether a quoted text ends where bash ends it.

use tree_sitter::Node;

use super::tree::Script;

/// Whether `'…'` ends at its first quote.
pub(super) fn is_raw(text: &str) -> bool {
    let inside = text.strip_prefix('\'').and_then(|it| it.strip_suffix('\''));
    inside.is_some_and(|it| !it.contains('\''))
}

/// Whether `$'…'` ends at its first quote that is not escaped, and every escape in it is plain.
pub(super) fn is_escaped(text: &str) -> bool {
    unescaped(text).is_some()
}

/// What `$'…'` stands for.
pub(super) fn unescaped(text: &str) -> Option<String> {
    let inside = text.strip_prefix("$'")?.strip_suffix('\'')?;
    let mut plain = String::with_capacity(inside.len());
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        plain.push(match c {
            '\'' => return None,
            '\\' => match chars.next()? {
                'n' => '\n',
                't' => '\t',
                it @ ('\\' | '\'' | '"') => it,
                _ => return None,
            },
            c => c,
        });
    }
    Some(plain)
}

/// Whether `"…"` ends at its first quote that is not escaped, and everything that is put into it was
/// found.
pub(super) fn is_string(script: &Script<'_>, node: Node<'_>) -> bool {
    let source = script.source.as_bytes();
    let mut cursor = node.walk();
    let mut put = node
        .children(&mut cursor)
        .filter(|it| it.is_named() && !matches!(it.kind(), "string_content" | "comment"))
        .peekable();
    let Some(last) = node.end_byte().checked_sub(1).filter(|&it| it > node.start_byte()) else {
        return false;
    };
    let mut at = node.start_byte() + 1;
    while at < last {
        // What is put in may begin with the blanks before it.
        if let Some(inner) = put.next_if(|it| starts(source, *it) <= at) {
            at = at.max(inner.end_byte());
            continue;
        }
        let next = source.get(at + 1).copied();
        match source.get(at) {
            Some(b'\\') => at += 2,
            Some(b'"' | b'`') => return false,
            Some(b'$') if matches!(next, Some(b'(' | b'{' | b'[')) => return false,
            _ => at += 1,
        }
    }
    let quotes = (source.get(node.start_byte()), source.get(last));
    at == last && put.next().is_none() && quotes == (Some(&b'"'), Some(&b'"'))
}

/// Where a thing begins, without the blanks before it.
fn starts(source: &[u8], node: Node<'_>) -> usize {
    let text = source.get(node.byte_range()).unwrap_or_default();
    node.start_byte() + text.iter().take_while(|it| it.is_ascii_whitespace()).count()
}
