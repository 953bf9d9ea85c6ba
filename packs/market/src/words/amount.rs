//! [`Unit`]: what a price is in; and figures with lakh and crore.

use crate::Kind;

const LAKH: u128 = 100_000;
const CRORE: u128 = 10_000_000;

/// What a price is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Rupees.
    Rupees,
    /// Points of an index, which nobody can pay.
    Points,
}

impl Unit {
    /// What the prices of this kind of instrument are in.
    pub(crate) fn of(kind: Kind) -> Self {
        if kind == Kind::Index { Self::Points } else { Self::Rupees }
    }

    /// A price in this unit.
    pub(crate) fn price(self, price: f64) -> String {
        match self {
            Self::Rupees => rupees(price),
            Self::Points => decimal(price),
        }
    }
}

/// `₹1,23,456.78`, and `-₹5.00` for what is owed.
pub(crate) fn rupees(amount: f64) -> String {
    match decimal(amount).strip_prefix('-') {
        Some(owed) => format!("-₹{owed}"),
        None => format!("₹{}", decimal(amount)),
    }
}

/// `1,23,456.78`.
pub(crate) fn decimal(amount: f64) -> String {
    let text = format!("{:.2}", amount.abs());
    let (whole, part) = text.split_once('.').unwrap_or((&text, "00"));
    let is_owed = amount < 0.0 && text.bytes().any(|digit| (b'1'..=b'9').contains(&digit));
    format!("{}{}.{part}", if is_owed { "-" } else { "" }, grouped(whole))
}

/// `12,345`, `3.40 lakh`, `1.25 crore`: how many were traded, or are open.
pub(crate) fn count(number: impl Into<u128>) -> String {
    let number = number.into();
    let in_units = |unit: u128| decimal(number as f64 / unit as f64);
    match number {
        CRORE.. => format!("{} crore", in_units(CRORE)),
        LAKH.. => format!("{} lakh", in_units(LAKH)),
        _ => grouped(&number.to_string()),
    }
}

/// Digits in groups: the last three, and the others in twos.
fn grouped(digits: &str) -> String {
    let (head, tail) = digits.split_at_checked(digits.len().saturating_sub(3)).unwrap_or_default();
    if head.is_empty() {
        return tail.to_owned();
    }
    let odd = head.len() % 2;
    let mut out = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (at, digit) in head.chars().enumerate() {
        if at > 0 && at % 2 == odd {
            out.push(',');
        }
        out.push(digit);
    }
    format!("{out},{tail}")
}

#[cfg(test)]
mod tests {
    use super::{count, decimal, rupees};

    #[test]
    fn figures_have_lakh_and_crore() {
        let figures = [0.0, 5.5, 999.0, 1_000.0, 24_500.25, 123_456.78, 1_234_567.0, 123_456_789.1];
        assert_eq!(
            figures.map(decimal).join(" "),
            "0.00 5.50 999.00 1,000.00 24,500.25 1,23,456.78 12,34,567.00 12,34,56,789.10"
        );
        assert_eq!(rupees(-1_250.5), "-₹1,250.50");
        assert_eq!(decimal(-0.001), "0.00", "nothing is owed");
        let counts = [0_u64, 12, 99_999, 100_000, 340_000, 12_500_000, 2_345_678_901];
        assert_eq!(
            counts.map(count).join("; "),
            "0; 12; 99,999; 1.00 lakh; 3.40 lakh; 1.25 crore; 234.57 crore"
        );
    }
}
