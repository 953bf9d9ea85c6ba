//! [`escape_invisible`]: a text in which nothing hides; [`revealed`]: one for somebody who decides by it;
//! [`printable`]: a text that no terminal obeys.
//!
//! What hides is told by Unicode's properties and not by what was seen to be misused: whatever may be
//! left out when a text is drawn (Default_Ignorable_Code_Point), what formats or parts lines (Cf, Zl, Zp)
//! but for the signs among those that are drawn around numbers (Prepended_Concatenation_Mark), and the
//! few letters and signs whose picture is empty. A test holds the table against the properties, and the
//! page's table against this one.

use std::{borrow::Cow, fmt::Write};

/// The text with characters that cannot be seen made visible: instructions written in them would be
/// read by a model and by nobody else. Joiners and variants stay where people write them: between
/// emoji, and behind letters of scripts that are joined.
pub fn escape_invisible(text: &str) -> Cow<'_, str> {
    shown(text, is_hidden, is_in_its_place)
}

/// As [`escape_invisible`], for what somebody decides by: every joiner and variant is shown, and so is white space
/// that only looks like a blank, and what looks different in every font (private use).
pub fn revealed(text: &str) -> Cow<'_, str> {
    shown(text, is_unclear, |_, _, _| false)
}

/// The text with runs of characters that are `hidden` named, but for those that `stay` between what is
/// before and behind them.
fn shown(
    text: &str,
    hidden: fn(char) -> bool,
    stays: fn(Option<char>, &str, Option<char>) -> bool,
) -> Cow<'_, str> {
    if text.is_ascii() || !text.chars().any(hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut left = text;
    while let Some(at) = left.find(hidden) {
        let (before, rest) = left.split_at(at);
        let end = rest.find(|it| !hidden(it)).unwrap_or(rest.len());
        let (run, behind) = rest.split_at(end);
        shown.push_str(before);
        // Before a run stands no other: it would be part of it.
        if stays(before.chars().next_back(), run, behind.chars().next()) {
            shown.push_str(run);
        } else {
            name(&mut shown, run);
        }
        left = behind;
    }
    shown.push_str(left);
    Cow::Owned(shown)
}

fn name(shown: &mut String, run: &str) {
    let mut all = run.chars();
    // Writing to a `String` cannot fail.
    let _ = match (all.next(), all.count()) {
        (Some(only), 0) => write!(shown, "⟦U+{:04X}⟧", u32::from(only)),
        (_, more) => write!(shown, "⟦{} invisible characters⟧", more + 1),
    };
}

/// Whether a run of hidden characters is what people write there: `❤️‍🔥`, `1️⃣`, `می‌خواهم`, `क्‍ष`. Whatever
/// else it may be, it is short.
fn is_in_its_place(before: Option<char>, run: &str, behind: Option<char>) -> bool {
    const VARIANTS: [char; 2] = ['\u{fe0e}', '\u{fe0f}'];
    let Some(before) = before else { return false };
    match run.strip_prefix(VARIANTS).unwrap_or(run) {
        "" if is_pictorial(before) => true,
        "" => behind == Some('\u{20e3}') && matches!(before, '0'..='9' | '#' | '*'),
        "\u{200d}" if is_pictorial(before) => behind.is_some_and(is_pictorial),
        "\u{200c}" | "\u{200d}" => run.chars().count() == 1 && is_joined(before),
        _ => false,
    }
}

/// Whether it is an emoji, or a sign that can be drawn as one.
fn is_pictorial(character: char) -> bool {
    matches!(character,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{27ff}'
        | '\u{2900}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}'
        | '\u{1f000}'..='\u{1faff}')
}

/// Whether it is of a script whose letters join, or change with their neighbours: from Arabic to
/// Mongolian, and those like them.
fn is_joined(character: char) -> bool {
    matches!(character,
        '\u{600}'..='\u{109f}' | '\u{1700}'..='\u{1aff}' | '\u{1b00}'..='\u{1c7f}' | '\u{1cd0}'..='\u{1cff}'
        | '\u{a800}'..='\u{abff}' | '\u{fb50}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10a00}'..='\u{10fff}' | '\u{11000}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}')
}

/// As [`escape_invisible`], and with nothing in it that a terminal would obey: control characters but for the end
/// of a line and the tabulator are shown as their pictures, an escape as `␛`.
pub fn printable(text: &str) -> Cow<'_, str> {
    let text = escape_invisible(text);
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
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{13430}'..='\u{1343f}' | '\u{16fe4}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d159}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Whether nobody can decide by a character: it is hidden, or is white space that is no blank (Zs), or is
/// for private use (Co), or is none at all.
fn is_unclear(character: char) -> bool {
    is_hidden(character)
        || matches!(character,
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
        | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{fffe}'..='\u{ffff}'
        | '\u{1fffe}'..='\u{1ffff}' | '\u{2fffe}'..='\u{2ffff}' | '\u{3fffe}'..='\u{3ffff}'
        | '\u{4fffe}'..='\u{4ffff}' | '\u{5fffe}'..='\u{5ffff}' | '\u{6fffe}'..='\u{6ffff}'
        | '\u{7fffe}'..='\u{7ffff}' | '\u{8fffe}'..='\u{8ffff}' | '\u{9fffe}'..='\u{9ffff}'
        | '\u{afffe}'..='\u{affff}' | '\u{bfffe}'..='\u{bffff}' | '\u{cfffe}'..='\u{cffff}'
        | '\u{dfffe}'..='\u{dffff}' | '\u{efffe}'..='\u{effff}' | '\u{f0000}'..='\u{fffff}'
        | '\u{100000}'..='\u{10ffff}')
}

#[cfg(test)]
mod tests {
    use regex::Regex;
    use serde_json::Value;

    use super::*;

    fn page(name: &str) -> String {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/parts");
        std::fs::read_to_string(format!("{folder}/{name}")).expect("the page's source")
    }

    /// Characters whose picture is empty, and of which no property says so.
    const BLANK: [char; 3] = ['\u{2800}', '\u{16fe4}', '\u{1d159}'];

    #[test]
    fn the_table_is_what_the_properties_say() {
        let hidden = r"^[[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}]--\p{Prepended_Concatenation_Mark}]$";
        let hidden = Regex::new(hidden).expect("a pattern");
        let unclear =
            Regex::new(r"^[[\p{Zs}--\ ]\p{Co}\p{Noncharacter_Code_Point}]$").expect("a pattern");
        for character in '\0'..=char::MAX {
            let (code, text) = (u32::from(character), character.to_string());
            let is_it = hidden.is_match(&text) || BLANK.contains(&character);
            assert_eq!(is_hidden(character), is_it, "U+{code:04X}");
            assert_eq!(is_unclear(character), is_it || unclear.is_match(&text), "U+{code:04X}");
        }
    }

    /// The same texts, shown in the same way; the page has a test over the same file.
    #[test]
    fn texts_are_shown_as_on_the_page() {
        let cases: Value = serde_json::from_str(&page("visible.cases.json")).expect("JSON");
        for case in cases.as_array().expect("a list") {
            let [text, seen, bare] =
                ["text", "visible", "revealed"].map(|it| case[it].as_str().expect("a text"));
            assert_eq!(escape_invisible(text), seen, "{case}");
            assert_eq!(revealed(text), bare, "{case}");
            assert_eq!(revealed(bare), bare, "once is enough");
        }
    }

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
        let page = page("visible.ts");
        for (name, is_in, least) in
            [("const HIDDEN", is_hidden as fn(char) -> bool, 10), ("const UNCLEAR", is_unclear, 20)]
        {
            let class = page.split_once(name).expect("its table").1;
            let ranges = ranges(class.split_once(']').expect("its end").0);
            assert!(ranges.len() > least, "{ranges:?}");
            for character in '\0'..=char::MAX {
                let code = u32::from(character);
                let in_page = ranges.iter().any(|(from, to)| (*from..=*to).contains(&code));
                assert_eq!(in_page, is_in(character), "{name}: U+{code:04X}");
            }
        }
    }
}
