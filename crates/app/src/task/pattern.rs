//! [`ToolPattern`]: which tools a task has.

use std::fmt;

use toolwright_runtime::matches_pattern;

use crate::ConfiguredSource;

/// Which tools a task has: `get_*` are those whose names begin so, `!delete_*` are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolPattern {
    pattern: String,
    is_left_out: bool,
}

impl ToolPattern {
    /// The pattern that is written so.
    pub fn new(text: &str) -> Self {
        match text.trim().strip_prefix('!') {
            Some(rest) => Self { pattern: rest.trim().to_owned(), is_left_out: true },
            None => Self { pattern: text.trim().to_owned(), is_left_out: false },
        }
    }

    /// Whether it is about a tool of this name.
    pub fn is_about(&self, name: &str) -> bool {
        matches_pattern(&self.pattern, name)
    }

    /// Whether it can be about a tool of a source, whatever that has.
    pub(crate) fn may_be_about(&self, source: &ConfiguredSource) -> bool {
        let fixed = self.pattern.split('*').next().unwrap_or_default();
        source.may_have(fixed)
            || (fixed.len() < self.pattern.len() && source.prefix().starts_with(fixed))
    }

    /// Whether these patterns can let a tool of a source in, whatever that has.
    pub(crate) fn may_admit(patterns: &[Self], source: &ConfiguredSource) -> bool {
        let (out, within): (Vec<_>, Vec<_>) = patterns.iter().partition(|it| it.is_left_out);
        let every = format!("{}*", source.prefix());
        (within.is_empty() || within.iter().any(|it| it.may_be_about(source)))
            && !out.iter().any(|it| it.is_about(&every))
    }

    /// Whether these patterns let a tool of this name in. Where they only leave out, the rest is in.
    pub fn admit(patterns: &[Self], name: &str) -> bool {
        let about = |is_left_out| {
            patterns.iter().any(|it| it.is_left_out == is_left_out && it.is_about(name))
        };
        let takes_all = patterns.iter().all(|it| it.is_left_out);
        (takes_all || about(false)) && !about(true)
    }
}

impl fmt::Display for ToolPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_left_out { "!" } else { "" }, self.pattern)
    }
}

#[cfg(test)]
mod tests {
    use super::ToolPattern;

    #[test]
    fn patterns_take_in_and_leave_out() {
        let admit = |patterns: &[&str], name| {
            let patterns: Vec<_> = patterns.iter().map(|it| ToolPattern::new(it)).collect();
            ToolPattern::admit(&patterns, name)
        };
        assert!(admit(&[], "bash"));
        assert!(admit(&["get_*"], "get_weather"));
        assert!(!admit(&["get_*"], "bash"));
        assert!(admit(&["!bash"], "show"));
        assert!(!admit(&["!bash"], "bash"));
        assert!(admit(&["*", "!delete_*"], "take_note"));
        assert!(!admit(&["*", "!delete_*"], "delete_notes"));
    }
}
