//! [`Change`]: how far a price has come.

use std::fmt;

use super::decimal;

/// How far a price has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Change {
    /// By how much.
    pub(crate) by: f64,
    /// In percent of where it began.
    pub(crate) percent: f64,
}

impl Change {
    /// From one price to another; nothing where there is no price to begin with.
    pub(crate) fn between(from: f64, to: f64) -> Option<Self> {
        (from > 0.0).then(|| {
            let by = round(to - from);
            Self { by, percent: round(by / from * 100.0) }
        })
    }
}

/// To two places: what is said and what is in the data are the same figure.
fn round(figure: f64) -> f64 {
    // Without the sum a small loss would be rounded to minus nothing.
    (figure * 100.0).round() / 100.0 + 0.0
}

impl fmt::Display for Change {
    /// `▲ +152.30 (+0.63%)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (arrow, sign) = match self.by {
            by if by > 0.0 => ("▲", "+"),
            by if by < 0.0 => ("▼", "-"),
            _ => return f.write_str("unchanged (0.00%)"),
        };
        let (by, percent) = (decimal(self.by.abs()), decimal(self.percent.abs()));
        // Of something large a small change is nothing in percent.
        let sign_of_percent = if self.percent == 0.0 { "" } else { sign };
        write!(f, "{arrow} {sign}{by} ({sign_of_percent}{percent}%)")
    }
}

#[cfg(test)]
mod tests {
    use super::Change;

    #[test]
    fn a_change_has_a_sign_and_an_arrow() {
        let said = |from, to| Change::between(from, to).map(|it| it.to_string());
        assert_eq!(said(24_000.0, 24_152.3).unwrap(), "▲ +152.30 (+0.63%)");
        assert_eq!(said(100.0, 98.5).unwrap(), "▼ -1.50 (-1.50%)");
        assert_eq!(said(100.0, 100.001).unwrap(), "unchanged (0.00%)");
        assert_eq!(said(84_365.0, 84_361.11).unwrap(), "▼ -3.89 (0.00%)");
        assert_eq!(said(0.0, 5.0), None);
    }
}
