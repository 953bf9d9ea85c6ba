//! [`Driver`]: what makes a price move.
//!
//! A price is a level that grows slowly, times what the whole market does, times what happens to this
//! one alone. Both happenings are random walks from day to day ([`wander`]) and bridges within a day,
//! from the day's opening to its close, so that minutes, days and years tell the same story.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use jiff::civil::Date;

use super::{
    calendar::{Hours, count},
    noise::{Noise, Point, bridge, wander},
};

/// What the whole market moves by in a day.
const MARKET: f64 = 0.008;

/// The day the levels of the tables belong to: 27 January 2026.
const LEVEL_DAY: f64 = 20_480.0;

/// What a level grows by in a year, from the day of the tables on.
const GROWTH: f64 = 0.04;

/// What makes a price move.
#[derive(Clone, Debug)]
pub(super) struct Driver {
    /// Whose it is: the same driver moves a share on each exchange.
    pub(super) name: String,
    /// What it costs about.
    pub(super) level: f64,
    /// How much it follows the market.
    pub(super) beta: f64,
    /// What it moves by in a day on its own.
    pub(super) own: f64,
    /// What it grew by in a year, until the day of the tables.
    pub(super) growth: f64,
    /// When it trades.
    pub(super) hours: Hours,
}

impl Driver {
    /// Volatility of a year.
    pub(super) fn volatility(&self) -> f64 {
        (self.beta * MARKET).hypot(self.own) * 252.0_f64.sqrt()
    }

    /// What it costs at the close of a day.
    pub(super) fn close(&self, seed: u64, day: Date) -> f64 {
        let happened = self.factors(seed).map(|(weight, factor)| weight * factor.close(day));
        self.level * (self.trend(day) + happened.sum::<f64>()).exp()
    }

    /// What it costs at each step of a day: the first price, and one more for each step.
    pub(super) fn path(&self, seed: u64, day: Date, paths: &Paths) -> Rc<[f64]> {
        paths.get(Noise::new(seed, &self.name).of(1), day, || {
            let mut path = vec![0.0; self.hours.steps() as usize + 1];
            for (weight, factor) in self.factors(seed) {
                let moves = paths.get(factor.noise, day, || factor.path(self.hours, day));
                path.iter_mut().zip(&*moves).for_each(|(sum, more)| *sum += weight * more);
            }
            let trend = self.trend(day);
            path.iter_mut().for_each(|value| *value = self.level * (trend + *value).exp());
            path
        })
    }

    /// What its level has grown by.
    fn trend(&self, day: Date) -> f64 {
        let years = (count(day) as f64 - LEVEL_DAY) / 365.25;
        years * if years < 0.0 { self.growth } else { GROWTH }
    }

    /// What moves it, and how much.
    fn factors(&self, seed: u64) -> impl Iterator<Item = (f64, Factor)> {
        let market = Factor { noise: Noise::new(seed, "the market"), step: MARKET };
        let own = Factor { noise: Noise::new(seed, &self.name), step: self.own };
        [(self.beta, market), (1.0, own)]
            .into_iter()
            .filter(|(weight, factor)| *weight != 0.0 && factor.step != 0.0)
    }
}

/// One thing that moves prices.
struct Factor {
    noise: Noise,
    step: f64,
}

impl Factor {
    fn close(&self, day: Date) -> f64 {
        wander(count(day), self.step, self.noise)
    }

    fn path(&self, hours: Hours, day: Date) -> Vec<f64> {
        let noise = self.noise.of(count(day).unsigned_abs() ^ (1 << 50));
        let (before, close) = (self.close(hours.day_before(day)), self.close(day));
        // Some of a day's move happens before it opens.
        let open = before + 0.35 * (close - before) + 0.2 * self.step * noise.bell();
        let within = 0.75 * self.step / f64::from(hours.steps()).sqrt();
        let from = Point { at: 0, value: open };
        let to = Point { at: hours.steps(), value: close };
        bridge(from, to, within, noise)
    }
}

/// So many paths are kept.
const KEPT: usize = 64;

/// Paths made for one answer: what many of its papers follow is made once.
#[derive(Debug, Default)]
pub(super) struct Paths {
    kept: RefCell<HashMap<Place, Rc<[f64]>>>,
}

/// Whose path, on which day.
type Place = (u64, Date);

impl Paths {
    fn get(&self, of: Noise, day: Date, make: impl FnOnce() -> Vec<f64>) -> Rc<[f64]> {
        let place = (of.bits(), day);
        let found = self.kept.borrow().get(&place).map(Rc::clone);
        found.unwrap_or_else(|| {
            let made: Rc<[f64]> = make().into();
            let mut kept = self.kept.borrow_mut();
            // Years of days go through here: none of them is asked for twice.
            if kept.len() >= KEPT {
                kept.clear();
            }
            kept.insert(place, Rc::clone(&made));
            made
        })
    }
}
