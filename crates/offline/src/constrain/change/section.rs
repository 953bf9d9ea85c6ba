//! [`section`]: what stands under a heading.

use std::ops::Range;

/// The lines that stand under the heading in this line of a file, without empty ones at their end: `None` where the line is no heading.
///
/// A heading is `## Use`, `[server]`, or `server:` with what is indented behind it, or with a list.
pub(super) fn section(file: &[&str], at: usize) -> Option<Range<usize>> {
    let heading = Heading::of(file.get(at)?)?;
    let rest = file.get(at + 1..)?;
    let end = rest.iter().position(|line| heading.ends_at(line)).unwrap_or(rest.len());
    let own = rest.get(..end)?;
    let first = own.iter().position(|line| !line.trim().is_empty())?;
    let last = own.iter().rposition(|line| !line.trim().is_empty())?;
    Some(at + 1 + first..at + 2 + last)
}

/// A line that says what those under it are about.
enum Heading {
    /// `## Use`, with so many signs.
    Marked(usize),
    /// `[server]`
    Bracketed,
    /// `server:`, with so many blanks before it.
    Key(usize),
}

impl Heading {
    fn of(line: &str) -> Option<Self> {
        let text = line.trim();
        let signs = text.bytes().take_while(|it| *it == b'#').count();
        if signs > 0 && text.get(signs..)?.starts_with(' ') {
            Some(Self::Marked(signs))
        } else if text.starts_with('[') && text.ends_with(']') && !text.contains(',') {
            Some(Self::Bracketed)
        } else {
            text.ends_with(':').then(|| Self::Key(indent(line)))
        }
    }

    /// Whether a line is none of those under it.
    fn ends_at(&self, line: &str) -> bool {
        match (self, Self::of(line)) {
            (Self::Marked(signs), Some(Self::Marked(other))) => other <= *signs,
            (Self::Bracketed, Some(Self::Bracketed)) => true,
            (Self::Key(before), _) => {
                let is_item = line.trim_start().starts_with(['-', '*', '+']);
                !line.trim().is_empty() && indent(line) <= *before && !is_item
            }
            _ => false,
        }
    }
}

/// Whether a line says what those under it are about.
pub(super) fn is_heading(line: &str) -> bool {
    Heading::of(line).is_some()
}

/// How many blanks a line begins with.
pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_under_a_heading_ends_at_the_next() {
        let of = |text: &str, at| {
            let lines: Vec<_> = text.lines().collect();
            section(&lines, at)
        };
        assert_eq!(of("# Kites\n\n## Use\n\n- a\n- b\n\n## Buy\n- c", 2), Some(4..6));
        assert_eq!(of("# Kites\n\n## Use\n- a\n### More\n- b", 2), Some(3..6));
        assert_eq!(of("[server]\nport = 1\n\n[log]\nlevel = 2", 0), Some(1..2));
        assert_eq!(of("server:\n  port: 1\n  host: a\nlog:\n  level: 2", 0), Some(1..3));
        assert_eq!(of("Buy:\n- milk\n- tea\nDone:\n- eggs", 0), Some(1..3));
        assert_eq!(of("port = 1\nhost = 2", 0), None);
        assert_eq!(of("## Use\n\n## Buy", 0), None, "nothing stands there yet");
    }
}
