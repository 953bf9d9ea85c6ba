//! [`Spread`]: many measured values, and what is told of them.

use std::fmt;

/// Many measured values, sorted.
pub(crate) struct Spread(Vec<f64>);

impl Spread {
    pub(crate) fn new(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        Self(values)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The value that this many in a hundred do not exceed.
    pub(crate) fn at(&self, share: f64) -> f64 {
        let index = (self.0.len() as f64 * share / 100.0) as usize;
        let last = self.0.len().saturating_sub(1);
        self.0.get(index.min(last)).copied().unwrap_or(f64::NAN)
    }

    pub(crate) fn most(&self) -> f64 {
        self.at(100.0)
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p50 {:.1}, p99 {:.1}, most {:.1}", self.at(50.0), self.at(99.0), self.most())
    }
}

/// A row of the table.
pub(crate) fn row(what: &str, measured: &str, goal: &str) {
    println!("| {what} | {measured} | {goal} |");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_sorted_values() {
        let spread = Spread::new((0..1000).rev().map(f64::from).collect());
        assert_eq!([spread.at(50.0), spread.at(99.0), spread.most()], [500.0, 990.0, 999.0]);
        assert!(Spread::new(Vec::new()).at(50.0).is_nan());
    }
}
