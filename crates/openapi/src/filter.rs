//! [`Filter`]: which operations of a document are tools.

use crate::document::ListedOperation;

/// Which operations are tools.
pub(crate) struct Filter<'a>(&'a [String]);

impl<'a> Filter<'a> {
    pub(crate) fn new(patterns: &'a [String]) -> Self {
        Self(patterns)
    }

    /// Whether anything was said.
    pub(crate) fn is_set(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether an operation is a tool. Where patterns only leave out, the rest is in.
    pub(crate) fn admits(&self, operation: &ListedOperation<'_>) -> bool {
        let parted = self.0.iter().map(|it| match it.trim().strip_prefix('!') {
            Some(rest) => (true, rest.trim()),
            None => (false, it.trim()),
        });
        let (mut takes_all, mut is_in) = (true, false);
        for (is_left_out, pattern) in parted {
            let is_about = is_about(pattern, operation);
            if is_left_out && is_about {
                return false;
            }
            takes_all &= is_left_out;
            is_in |= !is_left_out && is_about;
        }
        takes_all || is_in
    }
}

fn is_about(pattern: &str, operation: &ListedOperation<'_>) -> bool {
    let is_method = |it: &str| it.eq_ignore_ascii_case(operation.method);
    if let Some(tag) = pattern.strip_prefix("tag:") {
        return operation.tags.iter().any(|it| it.eq_ignore_ascii_case(tag.trim()));
    }
    if let Some((method, path)) = pattern.split_once(' ') {
        return is_method(method) && matches(path.trim(), operation.path);
    }
    if pattern.starts_with('/') {
        return matches(pattern, operation.path);
    }
    is_method(pattern) || matches(pattern, &operation.id)
}

/// Whether a text is what a pattern says, in which `*` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.split_once(part) {
            Some((_, behind)) => rest = behind,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, text, is_it) in [
            ("list*", "listPets", true),
            ("*Pets", "listPets", true),
            ("l*P*s", "listPets", true),
            ("list", "listPets", false),
            ("*", "", true),
            ("", "", true),
            ("/pets/*", "/pets/{id}", true),
            ("/pets/*", "/pet", false),
            ("a*a", "a", false),
            ("**", "x", true),
        ] {
            assert_eq!(matches(pattern, text), is_it, "{pattern} {text}");
        }
    }
}
