//! [`visible`]: a text in which nothing hides; [`printable`]: and that no terminal obeys.

use std::{borrow::Cow, fmt::Write};

/// The text with characters that cannot be seen made visible: instructions written in them would be
/// read by a model and by nobody else. Joiners that scripts and emoji need stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if !is_hidden(character) {
            shown.push(character);
            continue;
        }
        let mut run = 1;
        while characters.next_if(|next| is_hidden(*next)).is_some() {
            run += 1;
        }
        // Writing to a `String` cannot fail.
        let _ = match run {
            1 => write!(shown, "⟦U+{:04X}⟧", u32::from(character)),
            _ => write!(shown, "⟦{run} invisible characters⟧"),
        };
    }
    Cow::Owned(shown)
}

/// As [`visible`], and with nothing in it that a terminal would obey: control characters but for the end
/// of a line and the tabulator are shown as their pictures, an escape as `␛`.
pub fn printable(text: &str) -> Cow<'_, str> {
    let text = visible(text);
    if !text.chars().any(is_obeyed) {
        return text;
    }
    let picture = |character: char| match u32::from(character) {
        code @ 0..0x20 => char::from_u32(0x2400 + code).unwrap_or('�'),
        0x7f => '␡',
        _ => '�',
    };
    let shown = text.chars().map(|it| if is_obeyed(it) { picture(it) } else { it });
    Cow::Owned(shown.collect())
}

fn is_obeyed(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
}

/// Whether a character cannot be seen, or changes the order in which others are.
pub fn is_hidden(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The characters in `\u{…}` and `\u{…}-\u{…}`, as the page writes them.
    fn ranges(class: &str) -> Vec<(u32, u32)> {
        let mut all: Vec<(u32, u32)> = Vec::new();
        let mut is_range = false;
        for part in class.split("\\u{").skip(1) {
            let (code, rest) = part.split_once('}').expect("it is closed");
            let code = u32::from_str_radix(code, 16).expect("a number");
            match all.last_mut().filter(|_| is_range) {
                Some(last) => last.1 = code,
                None => all.push((code, code)),
            }
            is_range = rest == "-";
        }
        all
    }

    /// What the terminal makes visible the page does, and nothing else.
    #[test]
    fn the_page_has_the_same_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/parts/visible.ts");
        let page = std::fs::read_to_string(path).expect("the page's source");
        let class = page.split_once("const HIDDEN").expect("its table").1;
        let ranges = ranges(class.split_once(']').expect("its end").0);
        assert!(ranges.len() > 10, "{ranges:?}");
        for character in '\0'..=char::MAX {
            let code = u32::from(character);
            let in_page = ranges.iter().any(|(from, to)| (*from..=*to).contains(&code));
            assert_eq!(in_page, is_hidden(character), "U+{code:04X}");
        }
    }
}
