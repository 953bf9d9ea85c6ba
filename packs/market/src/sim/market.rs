//! [`Market`]: what everything costs, and cost.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp, civil::Date};

use super::{
    board::Board,
    calendar::{STEP_SECONDS, STEPS_A_MINUTE, count, midnight},
    driver::Paths,
    noise::Noise,
    papers::{Paper, Terms},
};
use crate::Candle;

/// What everything costs at one moment, and cost before it.
#[derive(Debug)]
pub(super) struct Market {
    /// What all chance follows from.
    pub(super) seed: u64,
    /// The moment.
    pub(super) now: Timestamp,
    /// What is listed.
    pub(super) board: Arc<Board>,
    paths: Paths,
}

impl Market {
    /// The market at a moment.
    pub(super) fn new(seed: u64, now: Timestamp, board: Arc<Board>) -> Self {
        Self { seed, now, board, paths: Paths::default() }
    }

    /// What a paper costs at each step of a day, as far as the day has come. Empty for what nobody trades,
    /// and on days without trade.
    pub(super) fn steps(&self, paper: &Paper, day: Date) -> Vec<f64> {
        let hours = paper.hours();
        let out = !hours.trades_on(day)
            || day < paper.listed_since()
            || paper.terms.expiry().is_some_and(|expiry| day > expiry.date)
            || self.now < hours.opening(day);
        if out || matches!(paper.terms, Terms::Test(_)) {
            return Vec::new();
        }
        let spots = paper.driver.path(self.seed, day, &self.paths);
        let pricing = self.pricing(paper, day);
        let moments = (hours.opening(day).as_second()..).step_by(STEP_SECONDS as usize);
        let made = hours.steps_made(day, self.now) as usize + 1;
        let made = spots.iter().take(made).zip(moments);
        made.map(|(spot, at)| pricing.price(*spot, at)).collect()
    }

    /// What the underlying of a paper costs, to all its digits, at the last step of a day.
    pub(super) fn spot(&self, paper: &Paper, day: Date) -> Option<f64> {
        let spots = paper.driver.path(self.seed, day, &self.paths);
        spots.get(paper.hours().steps_made(day, self.now) as usize).copied()
    }

    /// What a paper cost at the close of a day.
    pub(super) fn close(&self, paper: &Paper, day: Date) -> f64 {
        let spot = paper.driver.close(self.seed, day);
        self.pricing(paper, day).price(spot, paper.hours().closing(day).as_second())
    }

    /// The minutes of a day, as far as the day has come; the last may have just begun.
    pub(super) fn minutes(&self, paper: &Paper, day: Date) -> Vec<Candle> {
        let steps = self.steps(paper, day);
        let hours = paper.hours();
        let volumes = self.volumes(paper, day);
        let interest = self.interest(paper, day);
        let mut at = hours.opening(day);
        let mut chunks = steps.chunks(STEPS_A_MINUTE as usize).peekable();
        let mut minutes = Vec::with_capacity(hours.minutes() as usize);
        // The price that ends the last minute begins no other, so it is minutes that are counted.
        for minute in 0..hours.minutes() {
            let Some(chunk) = chunks.next() else { break };
            let next = chunks.peek().and_then(|chunk| chunk.first());
            let Some(open) = chunk.first() else { break };
            let close = next.or(chunk.last()).unwrap_or(open);
            let prices = || chunk.iter().chain(next).copied();
            let made = match next {
                Some(_) => u64::from(STEPS_A_MINUTE),
                None => (chunk.len() as u64).saturating_sub(1),
            };
            minutes.push(Candle {
                at,
                open: *open,
                high: prices().fold(f64::MIN, f64::max),
                low: prices().fold(f64::MAX, f64::min),
                close: *close,
                volume: volumes.minute(minute) * made / u64::from(STEPS_A_MINUTE),
                oi: interest.map(|it| it.at(minute + 1, hours)),
            });
            at = at.saturating_add(SignedDuration::from_secs(60)).unwrap_or(at);
        }
        minutes
    }

    /// A whole day, as far as it has come: its minutes, in one.
    pub(super) fn day(&self, paper: &Paper, day: Date) -> Option<Candle> {
        fold(&self.minutes(paper, day)).map(|candle| Candle { at: midnight(day), ..candle })
    }

    /// The chance in a paper's trades on a day.
    pub(super) fn noise(&self, paper: &Paper, day: Date) -> Noise {
        Noise::new(self.seed, &paper.key.to_string()).of(count(day).unsigned_abs())
    }
}

/// Several candles as one.
pub(super) fn fold(candles: &[Candle]) -> Option<Candle> {
    let (first, rest) = candles.split_first()?;
    Some(rest.iter().fold(*first, |whole, next| Candle {
        high: whole.high.max(next.high),
        low: whole.low.min(next.low),
        close: next.close,
        volume: whole.volume + next.volume,
        oi: next.oi,
        ..whole
    }))
}
