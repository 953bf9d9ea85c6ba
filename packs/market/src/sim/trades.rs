//! [`Volumes`] and [`Interest`]: how much of a paper is traded and held.

use jiff::civil::Date;

use super::{
    calendar::{Hours, count},
    market::Market,
    noise::Noise,
    papers::{Paper, Terms},
};
use crate::{Kind, Side};

/// How many are traded in each minute of a day.
pub(super) struct Volumes {
    a_minute: f64,
    minutes: u32,
    lot: u32,
    noise: Noise,
}

impl Volumes {
    /// In one minute.
    pub(super) fn minute(&self, minute: u32) -> u64 {
        if self.a_minute == 0.0 {
            return 0;
        }
        // Busy at both ends of the day.
        let place = f64::from(minute) / f64::from(self.minutes) - 0.5;
        let curve = 0.5 + 6.0 * place * place;
        let chance = 0.5 + self.noise.of(u64::from(minute) | (1 << 32)).unit();
        let lots = self.a_minute * curve * chance / f64::from(self.lot);
        lots.round() as u64 * u64::from(self.lot)
    }

    /// In a whole day.
    pub(super) fn day(&self) -> u64 {
        (0..self.minutes).map(|minute| self.minute(minute)).sum()
    }
}

/// Open interest over a day.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interest {
    /// At the close before.
    pub(super) from: u64,
    /// At the day's close.
    pub(super) to: u64,
    lot: u32,
}

impl Interest {
    /// After so many minutes.
    pub(super) fn at(self, minute: u32, hours: Hours) -> u64 {
        let share = f64::from(minute.min(hours.minutes())) / f64::from(hours.minutes());
        let (from, to, lot) = (self.from as f64, self.to as f64, f64::from(self.lot));
        ((from + share * (to - from)) / lot).round() as u64 * u64::from(self.lot)
    }
}

impl Market {
    /// How much of a paper is traded on a day.
    pub(super) fn volumes(&self, paper: &Paper, day: Date) -> Volumes {
        let noise = self.noise(paper, day);
        let price = paper.driver.level;
        let character = 0.4 + 1.6 * Noise::new(0, &paper.ticker).of(4).unit();
        let lot = f64::from(paper.lot);
        let near = |units: f64| units * (-self.distance(paper, day).powi(2)).exp();
        let units = match (paper.kind, paper.category) {
            (Kind::Index, _) => 0.0,
            (_, "DBT") => 400.0,
            (Kind::Equity, _) => 4e9 / price * character,
            (Kind::FutIdx, _) => 120_000.0 * lot,
            (Kind::OptIdx, _) => near(900_000.0 * lot),
            (Kind::OptStk, _) => near(4_000.0 * lot),
            (Kind::FutCom, _) => 9_000.0 * character,
            _ => 12_000.0 * lot * character,
        };
        // Contracts are busiest when they end soon.
        let soon = paper.terms.expiry().map_or(1.0, |expiry| {
            let days = (count(expiry.date) - count(day)).max(0) as f64;
            (-days / 25.0).exp()
        });
        let minutes = paper.hours().minutes();
        let a_minute = units * soon * (0.3 * noise.bell()).exp() / f64::from(minutes);
        Volumes { a_minute, minutes, lot: paper.lot, noise }
    }

    /// Open interest over a day, for contracts.
    pub(super) fn interest(&self, paper: &Paper, day: Date) -> Option<Interest> {
        paper.terms.expiry()?;
        let before = paper.hours().day_before(day);
        Some(Interest {
            from: self.open_interest(paper, before),
            to: self.open_interest(paper, day),
            lot: paper.lot,
        })
    }

    /// Open interest at the close of a day, in units: it grows towards the end, and gathers at round
    /// strikes near the money.
    fn open_interest(&self, paper: &Paper, day: Date) -> u64 {
        let days = paper.terms.expiry().map_or(0, |expiry| count(expiry.date) - count(day));
        let grown = (-(days.max(0) as f64) / 30.0).exp();
        let chance = (0.06 * self.noise(paper, day).of(7).bell()).exp();
        let lots = match paper.kind {
            Kind::FutIdx => 220_000.0,
            Kind::FutStk => 90_000.0,
            Kind::OptIdx => 70_000.0,
            Kind::OptStk => 6_000.0,
            _ => 15_000.0,
        };
        let gathered = match paper.terms {
            Terms::Option { strike, side, .. } => {
                // Most options are written out of the money.
                let centre = match side {
                    Side::Call => 0.5,
                    Side::Put => -0.5,
                };
                let off = self.distance(paper, day) - centre;
                roundness(strike, paper.driver.level) * (-off * off).exp()
            }
            _ => 1.0,
        };
        (lots * grown * chance * gathered).round().max(0.0) as u64 * u64::from(paper.lot)
    }

    /// How far a strike is from the money, in what the underlying moves by in a month; 0 for the rest.
    fn distance(&self, paper: &Paper, day: Date) -> f64 {
        let Terms::Option { strike, .. } = paper.terms else { return 0.0 };
        let close = paper.driver.close(self.seed, paper.hours().day_before(day));
        (strike / close).ln() / (paper.driver.volatility() / 12.0_f64.sqrt())
    }
}

/// How many more want a strike because it is round: ten times what strikes are apart about, or five.
fn roundness(strike: f64, level: f64) -> f64 {
    let apart = match level {
        ..300.0 => 2.5,
        ..1_000.0 => 5.0,
        ..5_000.0 => 10.0,
        ..40_000.0 => 50.0,
        _ => 100.0,
    };
    match strike / apart {
        steps if steps % 10.0 == 0.0 => 2.4,
        steps if steps % 5.0 == 0.0 => 1.5,
        _ => 1.0,
    }
}
