//! Numbers as models write them.

use std::borrow::Cow;

/// Whether this is a number as JSON has it.
pub(crate) fn is_json(text: &str) -> bool {
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = text.strip_prefix('-').unwrap_or(text);
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest.starts_with('0')) {
        return false;
    }
    let mut rest = rest.get(whole..).unwrap_or_default();
    if let Some(fraction) = rest.strip_prefix('.') {
        let count = digits(fraction);
        if count == 0 {
            return false;
        }
        rest = fraction.get(count..).unwrap_or_default();
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let count = digits(exponent);
        return count > 0 && count == exponent.len();
    }
    rest.is_empty()
}

/// The number as JSON has it: without a plus, leading zeros, separators; with digits on both sides
/// of the point. Nothing where it is none.
pub(crate) fn mended(text: &str) -> Option<Cow<'_, str>> {
    if is_json(text) {
        return Some(Cow::Borrowed(text));
    }
    let plain: String = text.chars().filter(|c| *c != '_').collect();
    let (sign, rest) = match plain.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", plain.strip_prefix('+').unwrap_or(&plain)),
    };
    if let Some(hex) = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")) {
        return u64::from_str_radix(hex, 16).ok().map(|it| format!("{sign}{it}").into());
    }
    let split = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (whole, tail) = rest.split_at(split);
    let zeroless = whole.trim_start_matches('0');
    let whole = if zeroless.is_empty() { "0" } else { zeroless };
    let tail = match tail.strip_prefix('.') {
        Some(fraction) if !fraction.starts_with(|c: char| c.is_ascii_digit()) => {
            if split == 0 {
                return None;
            }
            format!(".0{fraction}")
        }
        _ => tail.to_owned(),
    };
    let number = format!("{sign}{whole}{tail}");
    is_json(&number).then_some(Cow::Owned(number))
}
