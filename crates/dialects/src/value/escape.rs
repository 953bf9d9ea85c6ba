//! Text as a JSON string.

/// Writes text into a JSON string: between the quotes.
pub(crate) fn write(to: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)) {
        let (plain, special) = rest.split_at(at);
        to.push_str(plain);
        let mut letters = special.chars();
        if let Some(letter) = letters.next() {
            letter_into(to, letter);
        }
        rest = letters.as_str();
    }
    to.push_str(rest);
}

/// Writes one letter into a JSON string.
pub(crate) fn letter_into(to: &mut String, letter: char) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    match letter {
        '"' => to.push_str("\\\""),
        '\\' => to.push_str("\\\\"),
        '\n' => to.push_str("\\n"),
        '\r' => to.push_str("\\r"),
        '\t' => to.push_str("\\t"),
        '\u{8}' => to.push_str("\\b"),
        '\u{c}' => to.push_str("\\f"),
        control if control < ' ' => {
            let digit = |nibble: u32| HEX.get(nibble as usize).copied().unwrap_or(b'0') as char;
            to.push_str("\\u00");
            to.push(digit(control as u32 >> 4));
            to.push(digit(control as u32 & 15));
        }
        plain => to.push(plain),
    }
}

/// Text as a JSON string, with its quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    write(&mut json, text);
    json.push('"');
    json
}
