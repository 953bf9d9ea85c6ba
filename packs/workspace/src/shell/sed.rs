//! [`only_looks`]: whether a command of sed prints and nothing else.

use super::word::{Kind, Word};

/// Whether a command of sed prints and nothing else: it can run programs and write files too.
pub(super) fn only_looks(arguments: &[Word]) -> bool {
    let mut scripts = Vec::new();
    let mut operands = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if word.kind != Kind::Plain && word.may_be_option() {
            return false;
        }
        match &*word.text {
            "-n" | "-E" | "-r" | "-z" | "-u" | "-s" | "-nE" | "-En" | "-nr" | "-rn" => {}
            "--quiet" | "--silent" => {}
            "-e" | "-ne" | "-Ee" | "-nEe" | "--expression" => {
                let Some(script) = words.next() else { return false };
                scripts.push(script);
            }
            text if text.starts_with('-') => return false,
            _ => operands.push(word),
        }
    }
    if scripts.is_empty() {
        scripts.extend(operands.first());
    }
    !scripts.is_empty() && scripts.iter().all(|it| it.kind == Kind::Plain && is_plain(&it.text))
}

/// Whether a script is one command that prints, deletes or replaces.
fn is_plain(script: &str) -> bool {
    if script.contains('\n') {
        return false;
    }
    let Some(rest) = after_address(script.trim()) else { return false };
    let rest = match rest.strip_prefix(',') {
        Some(second) => after_address(second),
        None => Some(rest),
    };
    let Some(command) = rest.map(|it| it.trim_start_matches([' ', '!'])) else { return false };
    match command.strip_prefix('s') {
        Some(it) => is_replacement(it),
        None => matches!(command, "p" | "d" | "q" | "=" | "" | "P" | "D"),
    }
}

/// What comes after an address, if there is one: `12`, `$`, `/…/`.
fn after_address(script: &str) -> Option<&str> {
    if let Some(rest) = script.strip_prefix('$') {
        return Some(rest);
    }
    match script.strip_prefix('/') {
        Some(rest) => split(rest, '/').map(|(_, rest)| rest.trim_start_matches('I')),
        None => {
            Some(script.trim_start_matches(|c: char| c.is_ascii_digit() || c == '+' || c == '~'))
        }
    }
}

/// Whether what follows `s` replaces and no more: its flags can run what it made.
fn is_replacement(rest: &str) -> bool {
    let mut chars = rest.chars();
    let mark = chars.next().filter(|it| it.is_ascii_punctuation() && *it != '\\');
    let Some(mark) = mark else { return false };
    let found = split(chars.as_str(), mark).and_then(|(_, rest)| split(rest, mark));
    found.is_some_and(|(_, flags)| {
        flags.chars().all(|c| c.is_ascii_digit() || matches!(c, 'g' | 'p' | 'i' | 'I'))
    })
}

/// The text before the next mark that is not escaped, and after it.
fn split(text: &str, mark: char) -> Option<(&str, &str)> {
    let mut escaped = false;
    let at = text.char_indices().find_map(|(at, c)| {
        let is_end = c == mark && !escaped;
        escaped = c == '\\' && !escaped;
        is_end.then_some(at)
    })?;
    let (before, rest) = text.split_at(at);
    Some((before, rest.strip_prefix(mark)?))
}
