//! [`Contract`]: which future or option a text asks for.

use jiff::civil::Date;

use super::parts::{Part, parts};
use crate::{Kind, Segment, Side};

/// Which future or option a text asks for. What it does not say is left open.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Contract {
    pub(super) shape: Shape,
    pub(super) strike: Option<f64>,
    pub(super) when: When,
}

/// What is to be traded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Shape {
    /// A future or an option.
    #[default]
    Any,
    Future,
    Option(Option<Side>),
}

/// When it ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct When {
    pub(super) date: Option<Date>,
    pub(super) month: Option<i8>,
    pub(super) year: Option<i16>,
    /// The number beside a month: `24 oct` may be a day, or the year 2024.
    pub(super) beside: Option<i8>,
}

/// A text taken apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ask {
    /// What it calls the underlying.
    pub(super) name: String,
    pub(super) contract: Option<Contract>,
    /// The exchange it names.
    pub(super) exchange: Option<Exchange>,
}

/// An exchange that a text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exchange {
    Nse,
    Bse,
    Mcx,
    /// One of its segments.
    Only(Segment),
}

impl Exchange {
    /// The segments it runs, a bit each.
    pub(super) fn segments(self) -> u16 {
        use Segment::{
            BseCurrency, BseEq, BseFno, Index, McxComm, NseComm, NseCurrency, NseEq, NseFno,
        };
        let all: &[Segment] = match self {
            Self::Nse => &[Index, NseEq, NseFno, NseCurrency, NseComm],
            Self::Bse => &[Index, BseEq, BseFno, BseCurrency],
            Self::Mcx => &[McxComm],
            Self::Only(segment) => return 1 << segment as u16,
        };
        all.iter().fold(0, |bits, it| bits | 1 << *it as u16)
    }
}

impl Shape {
    /// The kinds it may be, a bit each.
    pub(super) fn kinds(self) -> u16 {
        let fits = |kind: &Kind| match self {
            Self::Any => kind.is_future() || kind.is_option(),
            Self::Future => kind.is_future(),
            Self::Option(_) => kind.is_option(),
        };
        Kind::ALL.iter().copied().filter(fits).fold(0, |bits, it| bits | 1 << it as u16)
    }
}

impl When {
    /// Whether it says anything.
    pub(super) fn is_open(&self) -> bool {
        *self == Self::default()
    }

    /// Whether this day is meant, with the number beside the month taken as the day.
    pub(super) fn is_day(&self, day: Date) -> bool {
        self.is_month(day) && self.beside.is_none_or(|it| it == day.day())
    }

    /// Whether this day is meant, with the number beside the month taken as the year.
    pub(super) fn is_year(&self, day: Date) -> bool {
        self.is_month(day) && self.beside.is_none_or(|it| i16::from(it) == day.year() % 100)
    }

    /// Whether this day is meant, whatever the number beside the month.
    pub(super) fn is_month(&self, day: Date) -> bool {
        self.date.is_none_or(|it| it == day)
            && self.month.is_none_or(|it| it == day.month())
            && self.year.is_none_or(|it| it == day.year())
    }
}

impl Ask {
    /// Takes a text apart. `known` says whether something is called so: in `nifty 50 fut` the number
    /// is part of the name, in `nifty 25000` it is not.
    pub(super) fn of(text: &str, known: impl Fn(&str) -> bool) -> Self {
        let mut parts = parts(text);
        let mut ask = Self::default();
        // Exchanges are tickers as well: `bse fut` is about the share of BSE.
        let named = parts.iter().filter(|it| matches!(it, Part::Word(_))).count();
        for part in &mut parts {
            match part {
                Part::Exchange(Exchange::Nse | Exchange::Bse | Exchange::Mcx, word)
                    if named == 0 =>
                {
                    *part = Part::Word(word.clone());
                }
                Part::Exchange(exchange, _) => ask.exchange = Some(*exchange),
                _ => {}
            }
        }
        let taken = ask.take_name(&parts, known);
        let rest: Vec<_> = parts.into_iter().skip(taken).collect();
        ask.contract = Contract::of(&rest);
        ask
    }

    /// Takes the name, and tells how many parts at the start are only that.
    fn take_name(&mut self, parts: &[Part], known: impl Fn(&str) -> bool) -> usize {
        let lead = parts.iter().take_while(|it| matches!(it, Part::Word(_) | Part::Number(..)));
        let lead: Vec<&str> = lead.map(Part::text).collect();
        let longest = (1..=lead.len()).rev().find(|many| {
            let name: Vec<_> = lead.iter().take(*many).copied().collect();
            known(&name.join(" "))
        });
        let taken = longest.unwrap_or(0);
        let more = parts.iter().skip(taken).filter_map(|it| match it {
            Part::Word(word) => Some(word.as_str()),
            _ => None,
        });
        let name: Vec<_> = lead.iter().take(taken).copied().chain(more).collect();
        self.name = name.join(" ");
        taken
    }
}

impl Contract {
    /// What the parts of a text ask for; nothing if they say nothing about a contract.
    fn of(parts: &[Part]) -> Option<Self> {
        let mut it = Self::default();
        let mut asked = None;
        let mut before: Option<&Part> = None;
        for (at, part) in parts.iter().enumerate() {
            let next = parts.get(at + 1);
            match part {
                Part::Future => it.shape = Shape::Future,
                Part::Option if it.shape == Shape::Any => it.shape = Shape::Option(None),
                Part::Side(side) => it.shape = Shape::Option(Some(*side)),
                Part::Month(month) => it.when.month = Some(*month),
                Part::Year(year) => it.when.year = Some(*year),
                Part::Date(date) => it.when.date = Some(*date),
                Part::Number(number, _) => it.number(*number, before, next),
                Part::Option => {}
                Part::Word(_) | Part::Filler | Part::Exchange(..) => continue,
            }
            asked = Some(());
            before = Some(part);
        }
        if it.strike.is_some() && it.shape == Shape::Any {
            it.shape = Shape::Option(None);
        }
        asked.map(|()| it)
    }

    /// Takes a number for what it is: by itself a strike, beside a month part of a date.
    fn number(&mut self, number: f64, before: Option<&Part>, next: Option<&Part>) {
        let after_month = matches!(before, Some(Part::Month(_)));
        let before_month = matches!(next, Some(Part::Month(_)));
        let before_side = matches!(next, Some(Part::Side(_)));
        let whole = number.fract() == 0.0;
        let beside = (before_month || after_month) && !before_side && self.when.beside.is_none();
        if beside && whole && (1.0..=31.0).contains(&number) {
            // In range, so nothing is cut off.
            self.when.beside = Some(number as i8);
        } else if after_month && !before_side && whole && (2020.0..2050.0).contains(&number) {
            self.when.year = Some(number as i16);
        } else if self.strike.is_none() {
            self.strike = Some(number);
        }
    }
}
