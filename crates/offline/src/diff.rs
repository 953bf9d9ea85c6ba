//! [`Diff`]: what a tool says that it changed.

/// What a tool says that it changed in a file: a unified diff behind a sentence, as `edit` and `write` return it.
pub(crate) struct Diff<'a> {
    /// The file.
    pub(crate) name: &'a str,
    /// The lines that went and those that came, each with its sign.
    pub(crate) lines: Vec<&'a str>,
    /// All of it behind the name.
    hunks: &'a str,
}

impl<'a> Diff<'a> {
    /// The one in a result; `None` where there is none.
    pub(crate) fn of(text: &'a str) -> Option<Self> {
        let (_, diff) = text.split_once("\n--- ")?;
        let (_, diff) = diff.split_once('\n')?;
        let (name, hunks) = diff.strip_prefix("+++ ")?.split_once('\n')?;
        let name = name.strip_prefix("b/").unwrap_or(name);
        let lines: Vec<_> = hunks.lines().filter(|it| it.starts_with(['+', '-'])).collect();
        (!lines.is_empty()).then_some(Self { name, lines, hunks })
    }

    /// The lines that went.
    pub(crate) fn gone(&self) -> impl Iterator<Item = &'a str> + use<'a, '_> {
        self.lines.iter().filter_map(|it| it.strip_prefix('-'))
    }

    /// A file after it, line by line; `None` where it is not of this file.
    pub(crate) fn apply(&self, file: &[&'a str]) -> Option<Vec<&'a str>> {
        let (mut after, mut read) = (Vec::new(), 0);
        let mut lines = self.hunks.lines();
        while let Some(line) = lines.next() {
            let Some(hunk) = Hunk::of(line) else { continue };
            after.extend(file.get(read..hunk.first)?);
            read = hunk.first;
            let (mut gone, mut come) = (hunk.gone, hunk.come);
            while gone > 0 || come > 0 {
                let line = lines.next()?;
                // `\ No newline at end of file`
                if line.starts_with('\\') {
                    continue;
                }
                let (sign, text) = line.split_at_checked(1).unwrap_or((" ", ""));
                if sign != "+" {
                    if *file.get(read)? != text {
                        return None;
                    }
                    (read, gone) = (read + 1, gone.checked_sub(1)?);
                }
                if sign != "-" {
                    after.push(text);
                    come = come.checked_sub(1)?;
                }
            }
        }
        after.extend(file.get(read..)?);
        Some(after)
    }

    /// The lines that came.
    pub(crate) fn come(&self) -> impl Iterator<Item = &'a str> + use<'a, '_> {
        self.lines.iter().filter_map(|it| it.strip_prefix('+'))
    }
}

/// A part of a diff: `@@ -4,7 +4,8 @@`.
struct Hunk {
    /// The place of its first line in the file before.
    first: usize,
    /// How many lines it has of the file before, and of the one after.
    gone: usize,
    come: usize,
}

impl Hunk {
    fn of(head: &str) -> Option<Self> {
        let (before, rest) = head.strip_prefix("@@ -")?.split_once(" +")?;
        let (after, _) = rest.split_once(" @@")?;
        let count = |it: &str| it.split_once(',').map_or(Some(1), |(_, it)| it.parse().ok());
        let (gone, come): (usize, usize) = (count(before)?, count(after)?);
        let number: usize = before.split(',').next()?.parse().ok()?;
        // Where no line is read, it stands behind the one with this number.
        let first = number.checked_sub(usize::from(gone > 0))?;
        Some(Self { first, gone, come })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_and_what_came_is_read_from_a_result() {
        let text = "File edited successfully: /w/a.toml\n\n--- a/a.toml\n+++ b/a.toml\n@@ -1,2 +1,2 @@\n a = 1\n-b = 2\n+b = 3\n";
        let diff = Diff::of(text).expect("there is one");
        assert_eq!((diff.name, diff.lines.as_slice()), ("a.toml", &["-b = 2", "+b = 3"][..]));
        assert_eq!(diff.gone().chain(diff.come()).collect::<Vec<_>>(), ["b = 2", "b = 3"]);
        let new = "Written\n\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+x\n";
        assert_eq!(Diff::of(new).map(|it| it.name), Some("new.txt"));
        let diff = Diff::of(text).expect("there is one");
        assert_eq!(diff.apply(&["a = 1", "b = 2", "c"]), Some(vec!["a = 1", "b = 3", "c"]));
        assert_eq!(diff.apply(&["a = 1", "b = 4", "c"]), None, "that is another file");
        let between = "Written\n\n--- a/n\n+++ b/n\n@@ -1,0 +2 @@\n+x\n";
        let between = Diff::of(between).and_then(|it| it.apply(&["a", "b"]));
        assert_eq!(between, Some(vec!["a", "x", "b"]));
        assert!(Diff::of("--- a\n+++ b\n").is_none() && Diff::of("no\n--- diff").is_none());
    }
}
