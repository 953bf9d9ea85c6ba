//! [`has`]: options among arguments, in all the ways in which they can be written.

use super::word::Word;

/// Whether one of these options is among the arguments, or could be: a long one may be cut short, a
/// short one may be together with others.
pub(super) fn has(arguments: &[Word], long: &[&str], short: &str) -> bool {
    arguments.iter().any(|it| is_long(&it.text, long) || is_short(&it.text, short))
}

/// Whether it may be one of these long options: `--out=x` for `output`.
pub(super) fn is_long(text: &str, names: &[&str]) -> bool {
    let Some(name) = text.strip_prefix("--") else { return false };
    let name = name.split('=').next().unwrap_or_default();
    !name.is_empty() && names.iter().any(|it| it.starts_with(name))
}

/// Whether it may hold one of these short options: `-ro` for `o`.
pub(super) fn is_short(text: &str, letters: &str) -> bool {
    text.strip_prefix('-')
        .is_some_and(|it| !it.starts_with('-') && it.contains(|c| letters.contains(c)))
}

/// The arguments that are no options; the values of these short ones are not among them.
pub(super) fn operands<'w>(arguments: &'w [Word], with_value: &str) -> Vec<&'w Word> {
    let mut operands = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.text.strip_prefix('-') {
            Some("-") => {
                operands.extend(words);
                break;
            }
            Some(cluster) if !cluster.is_empty() => {
                if cluster.len() == 1 && with_value.contains(cluster) {
                    words.next();
                }
            }
            _ => operands.push(word),
        }
    }
    operands
}
