//! [`matches`]: whether a text is of a form.

/// Whether `text` is of the form `pattern`, in which `*` stands for anything. A pattern that ends in
/// ` *` is also that of a text that ends before the blank: `ls *` is `ls`, too.
pub fn matches(pattern: &str, text: &str) -> bool {
    like(pattern.as_bytes(), text.as_bytes())
        || pattern.strip_suffix(" *").is_some_and(|bare| like(bare.as_bytes(), text.as_bytes()))
}

/// Whether a text that begins with `known` may be of the form `pattern`.
pub(super) fn may_match(pattern: &str, known: &str) -> bool {
    let may = |pattern: &str| match pattern.split_once('*') {
        Some((begins, _)) => begins.starts_with(known) || known.starts_with(begins),
        None => pattern.starts_with(known),
    };
    may(pattern) || pattern.strip_suffix(" *").is_some_and(may)
}

/// Whether a pattern stands for one text only.
pub(super) fn is_exact(pattern: &str) -> bool {
    !pattern.contains('*')
}

/// Goes back to the last `*` only: nothing before it can match better than it did.
fn like(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut in_text) = (0, 0);
    let mut star = None;
    while let Some(&byte) = text.get(in_text) {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at + 1, in_text));
                at += 1;
            }
            Some(&wanted) if wanted == byte => (at, in_text) = (at + 1, in_text + 1),
            _ => match star {
                Some((after, from)) => {
                    star = Some((after, from + 1));
                    (at, in_text) = (after, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).is_some_and(|rest| rest.iter().all(|byte| *byte == b'*'))
}

#[cfg(test)]
mod tests {
    use super::{matches, may_match};

    #[test]
    fn what_begins_alike_may_match() {
        for (pattern, known, wanted) in [
            ("rm *", "", true),
            ("rm *", "rm ", true),
            ("rm *", "rm", true),
            ("rm *", "rmdir ", false),
            ("rm *", "echo ", false),
            ("rm", "rm ", false),
            ("git push *", "git ", true),
            ("git push *", "git pull ", false),
            ("*rm*", "echo ", true),
            ("git * --force", "git push ", true),
        ] {
            assert_eq!(may_match(pattern, known), wanted, "{pattern:?} {known:?}");
        }
    }

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, text, wanted) in [
            ("ls", "ls", true),
            ("ls", "ls -l", false),
            ("ls *", "ls -l", true),
            ("ls *", "ls", true),
            ("ls *", "lsof", false),
            ("ls*", "lsof", true),
            ("*", "", true),
            ("", "", true),
            ("", "x", false),
            ("docs/*.md", "docs/a/b.md", true),
            ("docs/*.md", "docs/a.mdx", false),
            ("a*b*c", "a b b c", true),
            ("a*b*c", "a c b", false),
            ("cargo * --release", "cargo build --release", true),
            ("ü*", "über", true),
        ] {
            assert_eq!(matches(pattern, text), wanted, "{pattern:?} {text:?}");
        }
    }
}
