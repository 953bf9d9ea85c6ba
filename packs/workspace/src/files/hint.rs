//! [`hint`]: what was probably meant by a text that is not there.

use super::count;

/// The most bytes of a file that is looked through for a hint.
const MOST: usize = 2 << 20;
/// The most lines that are compared.
const COMPARED: usize = 1_000_000;

/// A sentence, with a blank before it, about what was probably meant by `old`; nothing where there is
/// no telling.
pub(super) fn hint(content: &[u8], old: &str) -> String {
    if has_line_numbers(old) {
        return " Its lines begin with the numbers that show puts before them: leave those out."
            .to_owned();
    }
    match alike(content, old) {
        Some((first, last)) if first == last => format!(
            " Line {} differs from it only in whitespace: show it and copy it exactly.",
            count(first)
        ),
        Some((first, last)) => format!(
            " Lines {}-{} differ from it only in whitespace: show them and copy them exactly.",
            count(first),
            count(last)
        ),
        None => " Show the file and copy the text exactly as it is there.".to_owned(),
    }
}

/// Whether every line begins as `show` writes it.
fn has_line_numbers(old: &str) -> bool {
    let is_numbered = |line: &str| {
        let number = line.split_once('\t').map(|(number, _)| number.trim_start());
        number.is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut lines = old.lines().filter(|line| !line.trim().is_empty()).peekable();
    lines.peek().is_some() && lines.all(is_numbered)
}

/// The first lines that are the same but for the whitespace around them.
fn alike(content: &[u8], old: &str) -> Option<(u64, u64)> {
    let wanted: Vec<&[u8]> = old.trim().lines().map(|line| line.as_bytes().trim_ascii()).collect();
    let first = wanted.first().filter(|line| !line.is_empty())?;
    let lines: Vec<&[u8]> = content
        .get(..MOST.min(content.len()))?
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .collect();
    let mut left = COMPARED;
    let starts = lines.iter().enumerate().filter(|(_, line)| *line == first);
    for (at, _) in starts {
        let found = lines.get(at..at + wanted.len())?;
        let same = found.iter().zip(&wanted).take_while(|(one, other)| one == other).count();
        if same == wanted.len() {
            return Some((at as u64 + 1, (at + wanted.len()) as u64));
        }
        left = left.checked_sub(same)?;
    }
    None
}
