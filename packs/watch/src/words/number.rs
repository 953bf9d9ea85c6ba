//! Figures, and words that follow them.

/// A count with its thousands apart: `1,234`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 video`, `1,234 videos`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number))
}

/// `a`, `a and b`, `a, b and c`; `last` is the word before the last one.
pub(crate) fn joined(parts: &[String], last: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., end] => format!("{} {last} {end}", head.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{count, counted, joined};

    #[test]
    fn thousands_have_commas() {
        let figures = [0, 1, 999, 1_000, 1_234, 999_999, 1_000_000, u64::MAX];
        assert_eq!(
            figures.map(count).join(" "),
            "0 1 999 1,000 1,234 999,999 1,000,000 18,446,744,073,709,551,615"
        );
        assert_eq!(
            [0, 1, 2].map(|it| counted(it, "video")).join(", "),
            "0 videos, 1 video, 2 videos"
        );
    }

    #[test]
    fn parts_are_joined_as_people_do() {
        let parts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(
            [0, 1, 2, 3].map(|it| joined(&parts[..it], "or")).join("|"),
            "|a|a or b|a, b or c"
        );
    }
}
