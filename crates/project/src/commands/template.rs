//! [`Template`]: the text of a command in its parts. It is taken apart before anything is put into it, so
//! that nothing the user types becomes a part of its own.

/// The text of a command in its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template(pub(super) Vec<Part>);

/// A part of a command's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Words.
    Literal(String),
    /// All that the user typed behind the name.
    Arguments,
    /// One word of it, from 0.
    Argument(usize),
    /// A file that goes with it: `@path`.
    File(String),
    /// A command of a shell, which is not run.
    Shell(String),
}

impl Template {
    /// A text that is taken as it is.
    pub(super) fn literal(text: &str) -> Self {
        Self(vec![Part::Literal(text.to_owned())])
    }

    /// A text with `$ARGUMENTS`, `$ARGUMENTS[0]`, `$1`, `\$`, `@file` and `` !`command` ``.
    pub(super) fn parse(text: &str) -> Self {
        let mut parts = Vec::new();
        let mut words = String::new();
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let is_first = words.ends_with(char::is_whitespace)
                || (words.is_empty()
                    && !matches!(parts.last(), Some(Part::Argument(_) | Part::Arguments)));
            let found = match letter {
                '\\' if rest.starts_with("\\$") => {
                    words.push('$');
                    rest = rest.get(2..).unwrap_or_default();
                    continue;
                }
                '$' => placeholder(rest),
                '@' if is_first => file(rest),
                '!' if is_first => shell(rest),
                _ => None,
            };
            match found {
                Some((part, length)) => {
                    if !words.is_empty() {
                        parts.push(Part::Literal(std::mem::take(&mut words)));
                    }
                    parts.push(part);
                    rest = rest.get(length..).unwrap_or_default();
                }
                None => {
                    words.push(letter);
                    rest = rest.get(letter.len_utf8()..).unwrap_or_default();
                }
            }
        }
        if !words.is_empty() {
            parts.push(Part::Literal(words));
        }
        Self(parts)
    }

    /// Whether it says where the arguments go.
    pub(super) fn has_placeholder(&self) -> bool {
        self.0.iter().any(|it| matches!(it, Part::Arguments | Part::Argument(_)))
    }
}

/// `$ARGUMENTS`, `$ARGUMENTS[N]` with the first being 0, `$1` to `$9` with the first being 1.
fn placeholder(text: &str) -> Option<(Part, usize)> {
    const ALL: &str = "$ARGUMENTS";
    if let Some(rest) = text.strip_prefix(ALL) {
        let number = rest.strip_prefix('[').and_then(|it| it.split_once(']'));
        if let Some((digits, _)) = number
            && let Ok(at) = digits.parse::<u8>()
        {
            return Some((Part::Argument(at.into()), ALL.len() + digits.len() + 2));
        }
        let is_longer = rest.starts_with(|it: char| it.is_alphanumeric() || it == '_');
        return (!is_longer).then_some((Part::Arguments, ALL.len()));
    }
    let mut letters = text.chars().skip(1);
    let digit = letters.next()?.to_digit(10).filter(|it| *it > 0)?;
    // `$100` is an amount.
    let is_longer = letters.next().is_some_and(|it| it.is_alphanumeric() || it == '_');
    (!is_longer).then_some((Part::Argument(digit as usize - 1), 2))
}

/// `@path`.
fn file(text: &str) -> Option<(Part, usize)> {
    let rest = text.get(1..)?;
    let is_path = |it: char| it.is_alphanumeric() || "_./~-+".contains(it);
    let end = rest.find(|it| !is_path(it)).unwrap_or(rest.len());
    // The end of a sentence is not the path's.
    let path = rest.get(..end)?.trim_end_matches('.');
    (!path.is_empty()).then(|| (Part::File(path.to_owned()), path.len() + 1))
}

/// `` !`command` ``.
fn shell(text: &str) -> Option<(Part, usize)> {
    let (command, _) = text.strip_prefix("!`")?.split_once('`')?;
    Some((Part::Shell(command.to_owned()), command.len() + 3))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Part, Template};

    fn words(text: &str) -> Part {
        Part::Literal(text.to_owned())
    }

    #[test]
    fn a_template_is_taken_apart() {
        for (text, parts) in [
            ("Do it.", vec![words("Do it.")]),
            ("a $ARGUMENTS b", vec![words("a "), Part::Arguments, words(" b")]),
            ("$1,$2", vec![Part::Argument(0), words(","), Part::Argument(1)]),
            ("$ARGUMENTS[0]$ARGUMENTS[12]", vec![Part::Argument(0), Part::Argument(12)]),
            ("$ARGUMENTS[x]", vec![Part::Arguments, words("[x]")]),
            (
                "\\$1 costs $100, $0, $x, $ARGUMENTSX",
                vec![words("$1 costs $100, $0, $x, $ARGUMENTSX")],
            ),
            (
                "See @src/main.rs.",
                vec![words("See "), Part::File("src/main.rs".into()), words(".")],
            ),
            ("me@example.org @ x", vec![words("me@example.org @ x")]),
            (
                "Run !`git diff` now",
                vec![words("Run "), Part::Shell("git diff".into()), words(" now")],
            ),
            ("Wow!`x` !`open", vec![words("Wow!`x` !`open")]),
            ("@$1", vec![words("@"), Part::Argument(0)]),
        ] {
            assert_eq!(Template::parse(text).0, parts, "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_of_a_text_is_lost(text in "[a-z $@!`\\\\0-9\\[\\]AÉ.]{0,60}") {
            let parts = Template::parse(&text).0;
            let again: String = parts.iter().map(|part| match part {
                Part::Literal(words) => words.clone(),
                Part::Arguments => "$ARGUMENTS".to_owned(),
                Part::Argument(at) => format!("${}", at + 1),
                Part::File(path) => format!("@{path}"),
                // A dollar in a command is the command's own.
                Part::Shell(command) => format!("!`{}`", command.replace("\\$", "$")),
            }).collect();
            prop_assert_eq!(again, text.replace("\\$", "$"));
        }
    }
}
