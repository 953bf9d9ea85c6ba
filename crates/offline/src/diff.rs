//! [`Diff`]: what a tool says that it changed.

/// What a tool says that it changed in a file: a unified diff behind a sentence, as `edit` and `write` return it.
pub(crate) struct Diff<'a> {
    /// The file.
    pub(crate) name: &'a str,
    /// The lines that went and those that came, each with its sign.
    pub(crate) lines: Vec<&'a str>,
}

impl<'a> Diff<'a> {
    /// The one in a result; `None` where there is none.
    pub(crate) fn of(text: &'a str) -> Option<Self> {
        let (_, diff) = text.split_once("\n--- ")?;
        let mut lines = diff.lines().skip(1);
        let name = lines.next()?.strip_prefix("+++ ")?;
        let name = name.strip_prefix("b/").unwrap_or(name);
        let lines: Vec<_> = lines.filter(|it| it.starts_with(['+', '-'])).collect();
        (!lines.is_empty()).then_some(Self { name, lines })
    }

    /// The lines that went.
    pub(crate) fn gone(&self) -> impl Iterator<Item = &'a str> + use<'a, '_> {
        self.lines.iter().filter_map(|it| it.strip_prefix('-'))
    }

    /// The lines that came.
    pub(crate) fn come(&self) -> impl Iterator<Item = &'a str> + use<'a, '_> {
        self.lines.iter().filter_map(|it| it.strip_prefix('+'))
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
        assert!(Diff::of("--- a\n+++ b\n").is_none() && Diff::of("no\n--- diff").is_none());
    }
}
