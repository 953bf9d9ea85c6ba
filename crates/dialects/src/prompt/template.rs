//! [`fill`]: a text in which words that begin with `$` stand for something.

/// Adds `template` to `out`, with what `put` writes in the place of each `$word`.
pub(super) fn fill(template: &str, out: &mut String, mut put: impl FnMut(&str, &mut String)) {
    let mut pieces = template.split('$');
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let end = piece.find(|it: char| !it.is_ascii_lowercase()).unwrap_or(piece.len());
        let (word, rest) = piece.split_at(end);
        put(word, out);
        out.push_str(rest);
    }
}
