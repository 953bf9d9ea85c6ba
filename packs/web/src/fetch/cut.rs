//! [`part`]: a part of a long text.

use toolwright_core::ToolError;

/// How many characters a part has at most.
pub(super) const LONGEST: usize = 20_000;

/// A part of a text, and where it stands in it, in characters.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Part<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) total: usize,
}

/// The part of a text that begins at this character. It ends with a line where that costs little.
pub(super) fn part(text: &str, start: usize) -> Result<Part<'_>, ToolError> {
    let total = text.chars().count();
    if start > 0 && start >= total {
        return Err(ToolError::new(format!(
            "`start` is {start}, and the page has {total} characters"
        )));
    }
    let at = |characters: usize| {
        text.char_indices().nth(characters).map_or(text.len(), |(byte, _)| byte)
    };
    let from = at(start);
    let whole = text.get(from..at(start + LONGEST)).unwrap_or_default();
    let is_last = start + LONGEST >= total;
    let line = whole.rfind('\n').filter(|it| !is_last && *it > whole.len() / 2);
    let text = line.map_or(whole, |it| whole.get(..=it).unwrap_or(whole));
    Ok(Part { text, start, end: start + text.chars().count(), total })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_text_are_the_text() {
        let line = "ünïcödé and more\n";
        for text in [line.repeat(4_000), "ü".repeat(65_000), "x".to_owned(), String::new()] {
            let (mut joined, mut start) = (String::new(), 0);
            loop {
                let part = part(&text, start).unwrap();
                assert!(part.end - part.start <= LONGEST);
                joined.push_str(part.text);
                start = part.end;
                if part.end == part.total {
                    break;
                }
            }
            assert_eq!(joined, text);
            assert!(part(&text, text.chars().count() + 1).is_err());
        }
    }
}
