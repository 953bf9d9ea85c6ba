//! Titles and names on one line.

use crate::{Channel, Video};

/// Longer titles than this are cut: YouTube allows 100 characters.
const LONGEST: usize = 120;

/// A text of a stranger's on one line: whatever breaks a line, turns the direction of writing or cannot be
/// seen is gone, so that a title can neither look like a line of a list nor hide words from people.
pub(crate) fn plain(text: &str) -> String {
    let mut line = String::with_capacity(text.len().min(LONGEST * 4));
    let mut count = 0;
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        for (at, letter) in word.chars().filter(|c| !is_hidden(*c)).enumerate() {
            if at == 0 && !line.is_empty() {
                line.push(' ');
                count += 1;
            }
            if count >= LONGEST {
                return cut(&line);
            }
            line.push(letter);
            count += 1;
        }
    }
    line
}

/// The title, or that there is none.
pub(crate) fn title_of(video: &Video) -> String {
    or(video.title.as_deref(), "Unknown Video")
}

/// The channel's name, or that there is none.
pub(crate) fn name_of(channel: Option<&Channel>) -> String {
    or(channel.map(|it| it.name.as_str()), "Unknown Channel")
}

/// `Video Title from Channel Name`.
pub(crate) fn called(video: &Video) -> String {
    format!("{} from {}", title_of(video), name_of(video.channel.as_ref()))
}

fn or(text: Option<&str>, unknown: &str) -> String {
    text.map(plain).filter(|it| !it.is_empty()).unwrap_or_else(|| unknown.to_owned())
}

/// Whether nobody sees the character: text can be hidden with it. The joiners of emoji and of some scripts
/// are not among them.
fn is_hidden(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}'
        // Directions of writing, and operators that are never seen.
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}'
        // Tags, and the rarer selectors: whole sentences fit into them.
        | '\u{e0000}'..='\u{e0fff}')
}

fn cut(line: &str) -> String {
    let is_joint =
        |c: char| c == ' ' || matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}');
    format!("{}…", line.trim_end_matches(is_joint))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{LONGEST, plain};

    #[test]
    fn a_text_stays_on_its_line() {
        for (text, line) in [
            ("Python\nTutorial", "Python Tutorial"),
            ("  a \t\r\n b\u{2028}c\u{2029}d\u{85}e\u{b}f  ", "a b c d e f"),
            ("a\u{0}b\u{1b}[31mc", "a b [31mc"),
            ("\u{202e}lasrever\u{202c}", "lasrever"),
            ("hid\u{200b}den\u{e0041}\u{e0042}", "hidden"),
            ("日本語 / English 🎬", "日本語 / English 🎬"),
            ("👩\u{200d}🍳 शेफ\u{200d}", "👩\u{200d}🍳 शेफ\u{200d}"),
            ("\n\u{200b}\n", ""),
        ] {
            assert_eq!(plain(text), line, "{text:?}");
        }
    }

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(plain(&"é".repeat(LONGEST)), "é".repeat(LONGEST));
        assert_eq!(plain(&"é".repeat(LONGEST + 1)), format!("{}…", "é".repeat(LONGEST)));
        assert_eq!(plain(&"ab ".repeat(1000)), format!("{}…", ["ab"; 40].join(" ")));
    }

    proptest! {
        #[test]
        fn whatever_the_text_it_is_one_short_line(text in any::<String>()) {
            let line = plain(&text);
            prop_assert!(line.lines().count() <= 1);
            prop_assert!(!line.chars().any(char::is_control));
            prop_assert!(line.chars().count() <= LONGEST + 1);
            prop_assert_eq!(plain(&line), line.clone(), "once is enough");
        }
    }
}
