//! [`Operands`]: the numbers of one result, and what people expect to be worked out from them.
//!
//! The sum and the difference of two numbers, the change in percent, the share, the ratio; the
//! product where they stand side by side, as a price and a quantity do; the total and the mean of a
//! column. How two numbers are related bounds what they are used for: with every pair of many
//! numbers nearly any percentage could be had.

use std::collections::HashMap;

use super::{
    figure::{Figure, Reading},
    setting::Setting,
    unit::Unit,
};

/// The numbers of one result.
#[derive(Default)]
pub(super) struct Operands {
    numbers: Vec<Operand>,
    seen: usize,
    columns: HashMap<String, Column>,
}

/// A number and where it stands.
#[derive(Clone)]
pub(super) struct Operand {
    pub(super) value: f64,
    pub(super) unit: Unit,
    /// The field it stands under; empty in a text.
    key: String,
    /// What it stands in: a JSON pointer, or the number of a line.
    parent: String,
}

struct Column {
    sum: f64,
    count: f64,
    unit: Unit,
}

/// A number that was worked out.
pub(super) struct Worked {
    value: f64,
    how: How,
    /// The unit of what it was worked out from.
    unit: Unit,
}

/// How a number was worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Sum,
    /// Of different things, which nobody rounds: a bill and a tip.
    MixedSum,
    Difference,
    Mean,
    Product,
    /// A share or a change, in percent.
    Percent,
    Ratio,
}

/// How two numbers of a result are related.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// Side by side, the same field of two items, or one a step further in than the other.
    Close,
    /// One somewhere inside what the other stands in: a part, perhaps, and a total.
    Within,
    Distant,
}

/// More numbers than this are not paired: the work grows with their square.
const MOST: usize = 64;
/// Up to this many, any two have a sum and a difference.
const FEW: usize = 16;
/// More fields than this are not summed.
const COLUMNS: usize = 256;

impl Operand {
    /// A number that stands at `pointer` under `key`.
    pub(super) fn new(value: f64, unit: Unit, key: &str, pointer: &str) -> Self {
        let (parent, last) = pointer.rsplit_once('/').unwrap_or(("", pointer));
        let is_place = |it: &str| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit());
        let row = parent.rsplit('/').next().is_some_and(is_place);
        // In a list of lists the place tells the column.
        let column = row && is_place(last) && !key.is_empty();
        let key = if column { format!("{key}/{last}") } else { key.to_owned() };
        Self { value, unit, key, parent: parent.to_owned() }
    }

    fn relation(&self, other: &Self) -> Relation {
        let steps = |inner: &str, outer: &str| {
            let rest = inner.strip_prefix(outer)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| rest.matches('/').count())
        };
        let apart =
            steps(&self.parent, &other.parent).or_else(|| steps(&other.parent, &self.parent));
        match apart {
            _ if self.key == other.key && !self.key.is_empty() => Relation::Close,
            Some(0 | 1) => Relation::Close,
            Some(_) => Relation::Within,
            None => Relation::Distant,
        }
    }
}

impl Operands {
    pub(super) fn add(&mut self, operand: Operand) {
        let Operand { value, unit, ref key, .. } = operand;
        if let Some(column) = self.columns.get_mut(key) {
            column.sum += value;
            column.count += 1.0;
        } else if !key.is_empty() && self.columns.len() < COLUMNS {
            self.columns.insert(key.clone(), Column { sum: value, count: 1.0, unit });
        }
        self.seen += 1;
        if self.seen <= MOST {
            self.numbers.push(operand);
        }
    }

    /// Adds those of a result of the same tool, for what is compared across results; `number` keeps
    /// the results apart.
    pub(super) fn absorb(&mut self, other: &Self, number: usize) {
        self.seen += other.seen;
        let room = MOST.saturating_sub(self.numbers.len());
        self.numbers.extend(other.numbers.iter().take(room).map(|it| {
            let parent = format!("{number}{}", it.parent);
            Operand { parent, ..it.clone() }
        }));
    }

    /// Whether `wanted` takes something that can be worked out within the result.
    pub(super) fn yields(&self, wanted: &dyn Fn(&Worked) -> bool) -> bool {
        self.yields_total(wanted)
            || self.pairs(&mut |a, b| {
                let relation = a.relation(b);
                let sums = relation == Relation::Close || self.seen <= FEW;
                (sums && sums_of(a, b, wanted))
                    || (relation != Relation::Distant && shares_of(a, b, wanted))
                    || (relation == Relation::Close && changes_of(a, b, wanted))
            })
    }

    /// Whether `wanted` takes a total or a mean, what is between two totals, or a share of one.
    fn yields_total(&self, wanted: &dyn Fn(&Worked) -> bool) -> bool {
        let columns = || self.columns.iter().filter(|(_, it)| it.count > 1.0);
        let mut means = columns().flat_map(|(_, it)| {
            let total = Worked { value: it.sum, how: How::Sum, unit: it.unit };
            [total, Worked { value: it.sum / it.count, how: How::Mean, unit: it.unit }]
        });
        let total = |key: &str, it: &Column| Operand::new(it.sum, it.unit, key, "");
        let totals: Vec<Operand> = columns().take(FEW).map(|(key, it)| total(key, it)).collect();
        let mut pairs = totals.iter().flat_map(|a| totals.iter().map(move |b| (a, b)));
        means.any(|it| wanted(&it))
            || pairs
                .any(|(a, b)| a.key < b.key && (sums_of(a, b, wanted) || changes_of(a, b, wanted)))
            || self.numbers.iter().any(|part| {
                let whole = totals.iter().find(|it| it.key == part.key);
                whole.is_some_and(|whole| shares_of(part, whole, wanted))
            })
    }

    /// Whether `wanted` takes something worked out from the same field of two results.
    pub(super) fn yields_across(&self, wanted: &dyn Fn(&Worked) -> bool) -> bool {
        self.pairs(&mut |a, b| {
            a.key == b.key
                && a.parent != b.parent
                && (sums_of(a, b, wanted) || shares_of(a, b, wanted) || changes_of(a, b, wanted))
        })
    }

    /// Whether `wanted` takes something worked out from one of these and one of `others`, which
    /// the person gave: a quantity to multiply, a share to take.
    pub(super) fn yields_with(&self, others: &[Operand], wanted: &dyn Fn(&Worked) -> bool) -> bool {
        let any = |a: &Operand| {
            others.iter().any(|b| {
                let (product, unit) = (a.value * b.value, Unit::Bare);
                sums_of(a, b, wanted)
                    || changes_of(a, b, wanted)
                    || wanted(&Worked { value: product, how: How::Product, unit })
                    || wanted(&Worked { value: product / 100.0, how: How::Product, unit })
            })
        };
        self.seen <= MOST && self.numbers.iter().any(any)
    }

    fn pairs(&self, any: &mut dyn FnMut(&Operand, &Operand) -> bool) -> bool {
        let mut numbers = self.numbers.iter().enumerate();
        self.seen <= MOST
            && numbers.any(|(at, a)| self.numbers.iter().skip(at + 1).any(|b| any(a, b)))
    }
}

/// The unit two numbers have in common. What has none may have any.
fn common(a: Unit, b: Unit) -> Option<Unit> {
    match (a, b) {
        (Unit::Bare, unit) | (unit, Unit::Bare) => Some(unit),
        _ => (a == b).then_some(a),
    }
}

fn sums_of(a: &Operand, b: &Operand, wanted: &dyn Fn(&Worked) -> bool) -> bool {
    let alike = a.key == b.key && !a.key.is_empty();
    let sum = if alike { How::Sum } else { How::MixedSum };
    let beside = a.parent == b.parent && !a.key.is_empty() && a.key != b.key;
    let product = Worked { value: a.value * b.value, how: How::Product, unit: Unit::Bare };
    common(a.unit, b.unit).is_some_and(|unit| {
        wanted(&Worked { value: a.value - b.value, how: How::Difference, unit })
            || wanted(&Worked { value: a.value + b.value, how: sum, unit })
    }) || (beside && wanted(&product))
}

fn ratios(a: &Operand, b: &Operand) -> impl Iterator<Item = f64> {
    let alike = common(a.unit, b.unit).is_some();
    let ratios = [(a.value, b.value), (b.value, a.value)].into_iter();
    ratios.filter(move |(_, whole)| alike && *whole != 0.0).map(|(part, whole)| part / whole)
}

fn shares_of(a: &Operand, b: &Operand, wanted: &dyn Fn(&Worked) -> bool) -> bool {
    let unit = Unit::Percent;
    ratios(a, b).any(|it| wanted(&Worked { value: it * 100.0, how: How::Percent, unit }))
}

fn changes_of(a: &Operand, b: &Operand, wanted: &dyn Fn(&Worked) -> bool) -> bool {
    let unit = Unit::Percent;
    ratios(a, b).any(|it| {
        wanted(&Worked { value: (it - 1.0) * 100.0, how: How::Percent, unit })
            || wanted(&Worked { value: it, how: How::Ratio, unit: Unit::Times })
    })
}

impl Worked {
    /// Whether it is what the figure says.
    pub(super) fn is(&self, figure: &Figure, setting: &Setting) -> bool {
        let ratio = self.how == How::Ratio && figure.unit == Unit::Bare && setting.tells_ratio();
        let near = |it: &Reading, by: f64| {
            let exact = self.how == How::MixedSum;
            let tolerance = if exact { 0.0 } else { setting.tolerance(*it) * by };
            (self.value.abs() - it.value * by).abs() <= tolerance + it.value * by * 1e-9
        };
        let converts = matches!(figure.unit, Unit::Seconds(_) | Unit::Measure(_));
        let is = |it: &Reading| {
            near(it, 1.0) || (converts && figure.unit.factors().into_iter().any(|by| near(it, by)))
        };
        (ratio || self.fits(figure.unit)) && figure.readings.iter().any(is)
    }

    /// Whether a figure of this unit may be worked out so.
    fn fits(&self, unit: Unit) -> bool {
        let alike = common(self.unit, unit).is_some();
        match (unit, self.how) {
            (Unit::Times, how) => how == How::Ratio,
            (_, How::Ratio) => false,
            (Unit::Percent, How::Percent) => true,
            (_, How::Percent) => false,
            // Temperatures do not add up.
            (
                Unit::Celsius | Unit::Fahrenheit | Unit::Degrees,
                How::Sum | How::MixedSum | How::Product,
            ) => false,
            (Unit::Degrees, _) => true,
            _ => alike,
        }
    }
}
