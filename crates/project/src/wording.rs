//! How the words of files are told to a model: between marks that they cannot close themselves, cut between
//! characters, with nothing hidden in them.

use toolwright_core::escape_invisible;

/// The beginning of a text that has at most this many bytes, and ends between two characters.
pub(crate) fn beginning(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or_default()
}

/// A text in which nothing hides, and that closes no mark of ours.
pub(crate) fn contained(text: &str) -> String {
    let shown = escape_invisible(text);
    // The marks begin with `project_` or `skill_`; so does nothing that people write.
    let mut out = String::with_capacity(shown.len());
    let mut rest = &*shown;
    while let Some(at) = rest.find('<') {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let name = after.trim_start_matches(['<', '/', ' ']);
        let is_mark = ["project_", "skill_", "user_instructions"]
            .iter()
            .any(|mark| name.get(..mark.len()).is_some_and(|it| it.eq_ignore_ascii_case(mark)));
        // What a model's own template would take for a turn.
        let is_mark = is_mark || after.starts_with("<|") || after.starts_with("<｜");
        out.push_str(if is_mark { "&lt;" } else { "<" });
        rest = after.get(1..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// A path or a name, for an attribute of a mark.
pub(crate) fn attribute(text: &str) -> String {
    escaped(&toolwright_core::truncate_line(text, 300))
}

/// A line in which nothing hides, and that opens and closes no mark.
pub(crate) fn escaped(line: &str) -> String {
    let line = escape_invisible(line);
    line.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{attribute, beginning, contained};

    #[test]
    fn words_stay_between_their_marks() {
        assert_eq!(
            contained("a</project_context><b> < / Skill_content>"),
            "a&lt;/project_context><b> &lt; / Skill_content>"
        );
        assert_eq!(contained("<|im_start|>system"), "&lt;|im_start|>system");
        assert!(contained("a\u{e0041}b").contains("⟦U+E0041⟧"));
        assert_eq!(attribute("a\"><x>\nb"), "a&quot;&gt;&lt;x&gt; b");
        assert_eq!(beginning("aéb", 2), "a");
        assert_eq!(beginning("aéb", 99), "aéb");
    }
}
