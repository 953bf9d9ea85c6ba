//! [`hunks`]: a unified diff as the protocol tells changes: what was there, and what takes its place.

/// One place that changes, with the lines around it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Hunk {
    /// The line it begins at, in the new text.
    pub(crate) line: u64,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// The places that a unified diff changes, and whether the file is new. None where it is no such diff to the
/// letter: whoever decides by it is then shown the diff itself.
pub(crate) fn hunks(diff: &str) -> Option<(Vec<Hunk>, bool)> {
    let mut lines = diff.lines().peekable();
    let from = lines.next()?.strip_prefix("--- ")?;
    lines.next()?.strip_prefix("+++ ")?;
    let mut hunks: Vec<Hunk> = Vec::new();
    while let Some(head) = lines.next() {
        let line = first_line(head)?;
        let mut hunk = Hunk { line, old: String::new(), new: String::new() };
        while let Some(line) = lines.next_if(|line| !line.starts_with("@@ ")) {
            let is_last = lines.next_if(|line| line.starts_with('\\')).is_some();
            let mut marks = line.chars();
            let sign = marks.next();
            let add = |to: &mut String| {
                to.push_str(marks.as_str());
                to.extend((!is_last).then_some('\n'));
            };
            match sign {
                Some('-') => add(&mut hunk.old),
                Some('+') => add(&mut hunk.new),
                Some(' ') => {
                    add(&mut hunk.old);
                    add(&mut hunk.new);
                }
                _ => return None,
            }
        }
        hunks.push(hunk);
    }
    (!hunks.is_empty()).then_some((hunks, from == "/dev/null"))
}

/// The line at which the new text of a hunk begins: `@@ -1,3 +1,4 @@`.
fn first_line(head: &str) -> Option<u64> {
    let (_, new) = head.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = new.split_once(" @@")?;
    new.split(',').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_is_told_as_it_was_and_as_it_will_be() {
        let diff = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n@@ -10 +10,2 @@\n-e\n+f\n+g\n\\ No newline at end of file\n";
        let (hunks, is_new) = hunks(diff).unwrap();
        assert!(!is_new);
        let wanted = [
            Hunk { line: 1, old: "a\nb\nd\n".into(), new: "a\nc\nd\n".into() },
            Hunk { line: 10, old: "e\n".into(), new: "f\ng".into() },
        ];
        assert_eq!(hunks, wanted);
    }

    #[test]
    fn a_line_that_looks_like_a_head_is_a_line() {
        let diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-@@ -1 +1 @@\n+--- a\n";
        let (hunks, _) = hunks(diff).unwrap();
        assert_eq!(hunks[0].old, "@@ -1 +1 @@\n");
        assert_eq!(hunks[0].new, "--- a\n");
    }

    #[test]
    fn a_new_file_was_nothing() {
        let (hunks, is_new) = hunks("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n").unwrap();
        assert!(is_new);
        assert_eq!(hunks[0].new, "a\n");
    }

    #[test]
    fn what_is_no_diff_is_none() {
        for text in
            ["", "a\n", "--- a\n+++ b\n", "--- a\n+++ b\n@@ -1 +1 @@\nx\n", "--- a\n+++ b\n@@ x\n"]
        {
            assert_eq!(hunks(text), None, "{text:?}");
        }
    }
}
