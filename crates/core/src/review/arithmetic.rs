//! [`Operands`]: the numbers of one result, and what people expect to be worked out from them.
//!
//! The difference, the sum, the change in percent and the share of two numbers; the product where
//! they stand side by side, as a price and a quantity do; the total and the mean of a column. All
//! pairs count in a small result. In a larger one only kin do (side by side, the same field of two
//! items, or one further in than the other): with every pair of many numbers nearly any percentage
//! could be had.

use std::collections::HashMap;

/// The numbers of one result.
#[derive(Default)]
pub(super) struct Operands {
    numbers: Vec<Operand>,
    seen: usize,
    /// For each field its sum and how often it stands.
    columns: HashMap<String, (f64, f64)>,
}

struct Operand {
    value: f64,
    /// The field it stands under; empty in a text.
    key: String,
    /// What it stands in: a JSON pointer, or the number of a line.
    parent: String,
}

/// How a number was worked out, as far as it matters to what it can support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// In the unit of the numbers themselves.
    Amount,
    /// In percent.
    Percent,
    /// How many times one is the other.
    Ratio,
}

/// More numbers than this are not paired: the work grows with their square.
const MOST: usize = 64;
/// Up to this many, every pair counts.
const FEW: usize = 16;
/// More fields than this are not summed.
const COLUMNS: usize = 256;

impl Operands {
    /// Adds a number that stands at `pointer` under `key`.
    pub(super) fn add(&mut self, value: f64, key: &str, pointer: &str) {
        if let Some((sum, count)) = self.columns.get_mut(key) {
            *sum += value;
            *count += 1.0;
        } else if !key.is_empty() && self.columns.len() < COLUMNS {
            self.columns.insert(key.to_owned(), (value, 1.0));
        }
        self.seen += 1;
        if self.seen <= MOST {
            let parent = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
            let (key, parent) = (key.to_owned(), parent.to_owned());
            self.numbers.push(Operand { value, key, parent });
        }
    }

    /// Adds those of a result of the same tool, for what is compared across results; `number` keeps
    /// the results apart.
    pub(super) fn absorb(&mut self, other: &Self, number: usize) {
        self.seen += other.seen;
        let room = MOST.saturating_sub(self.numbers.len());
        self.numbers.extend(other.numbers.iter().take(room).map(|it| Operand {
            value: it.value,
            key: it.key.clone(),
            parent: format!("{number}{}", it.parent),
        }));
    }

    /// Whether `wanted` takes something that can be worked out within the result.
    pub(super) fn yields(&self, wanted: &dyn Fn(f64, Kind) -> bool) -> bool {
        let columns = self.columns.values().filter(|(_, count)| *count > 1.0);
        let mut totals = columns.flat_map(|(sum, count)| [*sum, sum / count]);
        totals.any(|total| wanted(total, Kind::Amount))
            || self.pairs(&|a, b| self.seen <= FEW || a.is_kin(b), wanted)
    }

    /// Whether `wanted` takes something worked out from the same field of two results.
    pub(super) fn yields_across(&self, wanted: &dyn Fn(f64, Kind) -> bool) -> bool {
        self.pairs(&|a, b| a.key == b.key && a.parent != b.parent, wanted)
    }

    /// Whether `wanted` takes something worked out from one of these and one of `others`, which
    /// the person gave: a quantity to multiply, a share to take.
    pub(super) fn yields_with(&self, others: &[f64], wanted: &dyn Fn(f64, Kind) -> bool) -> bool {
        self.seen <= MOST
            && self.numbers.iter().any(|a| {
                let share = |b: &f64| wanted(a.value * b / 100.0, Kind::Amount);
                let product = |b: &f64| wanted(a.value * b, Kind::Amount);
                others.iter().any(|b| worked_out(a.value, *b, wanted) || product(b) || share(b))
            })
    }

    fn pairs(
        &self,
        count: &dyn Fn(&Operand, &Operand) -> bool,
        wanted: &dyn Fn(f64, Kind) -> bool,
    ) -> bool {
        if self.seen > MOST {
            return false;
        }
        let numbers = self.numbers.as_slice();
        let mut rest = numbers.iter().enumerate();
        rest.any(|(at, a)| {
            let others = numbers.iter().skip(at + 1).filter(|b| count(a, b));
            others.into_iter().any(|b| {
                let beside = a.parent == b.parent && !a.key.is_empty() && a.key != b.key;
                worked_out(a.value, b.value, wanted)
                    || (beside && wanted(a.value * b.value, Kind::Amount))
            })
        })
    }
}

impl Operand {
    fn is_kin(&self, other: &Self) -> bool {
        let within = |inner: &str, outer: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        (self.key == other.key && !self.key.is_empty())
            || within(&self.parent, &other.parent)
            || within(&other.parent, &self.parent)
    }
}

fn worked_out(a: f64, b: f64, wanted: &dyn Fn(f64, Kind) -> bool) -> bool {
    wanted(a - b, Kind::Amount)
        || wanted(a + b, Kind::Amount)
        || part_of(a, b, wanted)
        || part_of(b, a, wanted)
}

fn part_of(part: f64, whole: f64, wanted: &dyn Fn(f64, Kind) -> bool) -> bool {
    if whole == 0.0 {
        return false;
    }
    let ratio = part / whole;
    wanted(ratio, Kind::Ratio)
        || wanted(ratio * 100.0, Kind::Percent)
        || wanted((ratio - 1.0) * 100.0, Kind::Percent)
}
