//! [`Snapshot`]: a paper at one moment.

use jiff::{
    SignedDuration, Timestamp,
    civil::{Date, DateTime},
};

use super::{
    calendar::STEP_SECONDS,
    market::{Market, fold},
    noise::Noise,
    papers::{Paper, Terms},
};
use crate::{Candle, Kind, Level, Side, in_india};

/// How many levels a side of the book has.
const LEVELS: usize = 5;

/// A paper at one moment.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    /// The day of the last trade.
    pub(super) day: Date,
    /// That day, so far.
    pub(super) candle: Candle,
    /// The close of the day before.
    pub(super) previous: f64,
    /// When the last trade was.
    pub(super) traded: DateTime,
    /// What was paid on average.
    pub(super) average: f64,
    /// How many the last trade was about.
    pub(super) quantity: u64,
    /// The lowest and the highest price allowed, unless it is an index.
    pub(super) circuit: Option<(f64, f64)>,
    /// Open interest: now, its highest and its lowest.
    pub(super) interest: Option<(u64, u64, u64)>,
    /// Who wants to buy.
    pub(super) buy: [Level; LEVELS],
    /// Who wants to sell.
    pub(super) sell: [Level; LEVELS],
}

/// A side of the book.
#[derive(Clone, Copy)]
enum Book {
    Buy,
    Sell,
}

impl Market {
    /// A paper now; nothing, if it was never traded.
    pub(super) fn snapshot(&self, paper: &Paper) -> Option<Snapshot> {
        let hours = paper.hours();
        let day = hours.session(self.now);
        let minutes = self.minutes(paper, day);
        let candle = fold(&minutes)?;
        let previous = self.close(paper, hours.day_before(day));
        let noise = self.noise(paper, day).of(self.step(paper, day));
        let indexed = paper.kind == Kind::Index;
        let interest = self.interest(paper, day).map(|it| {
            let now = candle.oi.unwrap_or(it.from);
            (now, now.max(it.from), now.min(it.from))
        });
        let sides = [Book::Buy, Book::Sell].map(|book| {
            if indexed || !hours.is_open(self.now) {
                [Level::default(); LEVELS]
            } else {
                levels(paper, candle.close, book, noise)
            }
        });
        let [buy, sell] = sides;
        Some(Snapshot {
            day,
            candle,
            previous,
            traded: in_india(self.traded(paper, day)),
            average: if indexed { 0.0 } else { average(&minutes) },
            quantity: if indexed { 0 } else { (1 + noise.bits() % 40) * u64::from(paper.lot) },
            circuit: (!indexed).then(|| self.circuit(paper, day, &candle)),
            interest,
            buy,
            sell,
        })
    }

    /// Just the last price: that of the snapshot, for less work.
    pub(super) fn last(&self, paper: &Paper) -> Option<f64> {
        self.steps(paper, paper.hours().session(self.now)).last().copied()
    }

    fn step(&self, paper: &Paper, day: Date) -> u64 {
        u64::from(paper.hours().steps_made(day, self.now))
    }

    /// When the last trade was; the last of a day is a second before its end.
    pub(super) fn traded(&self, paper: &Paper, day: Date) -> Timestamp {
        let hours = paper.hours();
        let steps = hours.steps_made(day, self.now);
        let seconds = i64::from(steps) * i64::from(STEP_SECONDS);
        let seconds = if steps == hours.steps() { seconds - 1 } else { seconds };
        hours.opening(day).saturating_add(SignedDuration::from_secs(seconds)).unwrap_or(self.now)
    }

    /// The lowest and the highest price allowed on a day: ten per cent around the close before. Like the
    /// exchange's, they give way in steps of five when the day goes beyond.
    fn circuit(&self, paper: &Paper, day: Date, candle: &Candle) -> (f64, f64) {
        let mut percent = 10.0;
        loop {
            let (low, high) = self.band(paper, day, percent);
            if (low <= candle.low && candle.high <= high) || percent > 50.0 {
                return (low.min(candle.low), high.max(candle.high));
            }
            percent += 5.0;
        }
    }

    /// What a paper costs when what it derives from has moved by so much since the close before.
    pub(super) fn band(&self, paper: &Paper, day: Date, percent: f64) -> (f64, f64) {
        let before = paper.hours().day_before(day);
        let (fall, rise) = (1.0 - percent / 100.0, 1.0 + percent / 100.0);
        let Terms::Option { side, .. } = paper.terms else {
            let close = self.close(paper, before);
            return (paper.rounded(close * fall), paper.rounded(close * rise));
        };
        let spot = paper.driver.close(self.seed, before);
        let pricing = self.pricing(paper, day);
        let at = paper.hours().opening(day).as_second();
        let (fallen, risen) = (pricing.price(spot * fall, at), pricing.price(spot * rise, at));
        match side {
            Side::Call => (fallen, risen),
            Side::Put => (risen, fallen),
        }
    }
}

/// What was paid on average: each minute counts by its trades.
fn average(minutes: &[Candle]) -> f64 {
    let (paid, traded) = minutes.iter().fold((0.0, 0.0), |(paid, traded), minute| {
        let volume = minute.volume as f64;
        let price = (minute.high + minute.low + minute.close) / 3.0;
        (paid + volume * price, traded + volume)
    });
    if traded > 0.0 { (paid / traded * 100.0).round() / 100.0 } else { 0.0 }
}

/// One side of the book: the best price first, nothing below the smallest price.
fn levels(paper: &Paper, last: f64, book: Book, noise: Noise) -> [Level; LEVELS] {
    let away = match book {
        Book::Buy => -1.0,
        Book::Sell => 1.0,
    };
    let noise = noise.of(if away < 0.0 { 11 } else { 12 });
    // Few want a debenture, or an option that costs next to nothing.
    let thin = paper.category == "DBT" || last <= paper.tick * 4.0;
    let wanted = if thin { 2 } else { LEVELS };
    let mut place = 0_u32;
    std::array::from_fn(|level| {
        place += 1;
        let price = last + away * f64::from(place) * paper.tick;
        if level >= wanted || price < paper.tick {
            return Level::default();
        }
        let noise = noise.of(level as u64);
        Level {
            price: paper.rounded(price),
            quantity: (1 + noise.bits() % 300) * u64::from(paper.lot),
            orders: 1 + noise.of(1).bits() % 25,
        }
    })
}
