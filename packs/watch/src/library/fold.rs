//! [`fold`]: names as they are compared.

use unicode_normalization::UnicodeNormalization;

/// A name as names are compared: lower case, without accents, with single blanks.
pub(crate) fn fold(name: &str) -> String {
    if name.is_ascii() {
        return single_blanks(&name.to_ascii_lowercase());
    }
    let bare: String = name.nfkd().filter(|it| !is_accent(*it)).collect();
    // Lower case can bring accents along (İ).
    let folded: String = bare.to_lowercase().nfkd().filter(|it| !is_accent(*it)).nfc().collect();
    single_blanks(&folded)
}

/// Whether this is an accent of the alphabets that can do without: vowels of Hindi and the dots of kana
/// are marks too, and make other words.
fn is_accent(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}')
}

fn single_blanks(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

#[cfg(test)]
#[path = "fold_test.rs"]
mod tests;
