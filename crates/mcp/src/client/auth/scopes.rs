//! [`read`]: what a login is to allow, within bounds.

/// The most scopes that are asked for, and the longest of them.
const MOST: usize = 64;
const LONGEST: usize = 200;

/// The scopes in a text. What cannot be one is left out.
pub(super) fn read(text: &str) -> Vec<String> {
    bounded(text.split(' ').map(str::to_owned))
}

/// These, each once, as far as they can be scopes and are not too many.
pub(super) fn bounded(all: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut scopes: Vec<String> = Vec::new();
    for scope in all {
        if scopes.len() < MOST && is_scope(&scope) && !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    scopes
}

/// The letters of RFC 6749: no blank, no quotation mark, no backslash.
fn is_scope(text: &str) -> bool {
    let is_letter = |it: u8| matches!(it, 0x21 | 0x23..=0x5b | 0x5d..=0x7e);
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(is_letter)
}
