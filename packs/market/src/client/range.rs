//! What may be asked of history, checked before anybody is asked.
//!
//! The broker says the same to a wrong parameter and to a time without trade, so only what is
//! checked here can be told apart.

use std::fmt::Display;

use jiff::{
    ToSpan,
    civil::{Date, DateTime},
};

use crate::{Key, Kind, MarketError, MarketErrorKind, Segment};

/// How many days of candles within days the broker gives at once.
const WINDOW_DAYS: i64 = 90;
/// How many days of them can be asked for: about the five years that the broker has.
const MOST_DAYS: i32 = 5 * 366;
/// Nothing is older.
const FIRST_DAY: Date = Date::constant(1970, 1, 1);

/// Checks that the broker has candles for such an instrument.
pub(super) fn check_instrument(key: Key, kind: Kind) -> Result<(), MarketError> {
    let segment = key.segment;
    let fits = match segment {
        Segment::Index => kind == Kind::Index,
        Segment::NseEq | Segment::BseEq => kind == Kind::Equity,
        Segment::NseFno | Segment::BseFno | Segment::McxComm => {
            kind.is_future() || kind.is_option()
        }
        Segment::NseCurrency | Segment::BseCurrency | Segment::NseComm => {
            return Err(wrong(format!(
                "The broker has no candles for the segment {segment}: only for IDX_I, NSE_EQ, \
                 BSE_EQ, NSE_FNO, BSE_FNO and MCX_COMM."
            )));
        }
    };
    if fits {
        return Ok(());
    }
    Err(wrong(format!(
        "{kind} is not traded in {segment}. Take the security id, the segment and the kind from \
         the same result of an instrument search."
    )))
}

/// Checks a range of days.
pub(super) fn check_days(from: Date, to: Date, today: Date) -> Result<(), MarketError> {
    check_order(&from, &to)?;
    if to > today {
        return Err(wrong(format!(
            "{to} is in the future: today, in India, is {today}. Ask for days up to today."
        )));
    }
    if from < FIRST_DAY {
        return Err(wrong(format!(
            "There are no prices of {from}: begin in {FIRST_DAY} or later."
        )));
    }
    Ok(())
}

/// Checks a range of times.
pub(super) fn check_times(from: DateTime, to: DateTime, today: Date) -> Result<(), MarketError> {
    check_order(&from, &to)?;
    check_days(from.date(), to.date(), today)?;
    let days = from.date().until(to.date()).map_or(i32::MAX, |span| span.get_days());
    if days > MOST_DAYS {
        return Err(wrong(format!(
            "{days} days are too many for candles within days, of which the broker keeps about \
             five years. Ask for fewer, or for daily candles."
        )));
    }
    Ok(())
}

/// The pieces a range is asked for in. Each ends just before the next begins.
pub(super) fn windows(from: DateTime, to: DateTime) -> impl Iterator<Item = (DateTime, DateTime)> {
    let mut next = Some(from);
    std::iter::from_fn(move || {
        let begin = next?;
        let after = begin.checked_add(WINDOW_DAYS.days()).ok().filter(|it| *it <= to);
        next = after;
        let end = after.and_then(|it| it.checked_sub(1.second()).ok());
        Some((begin, end.unwrap_or(to)))
    })
}

/// There is nothing in a range that could be asked for.
pub(super) fn nothing(key: Key, from: &dyn Display, to: &dyn Display) -> MarketError {
    let message = format!(
        "There are no candles for {key} from {from} to {to}: the market was closed (night, \
         weekend or holiday), or the instrument was not traded then. Ask for a longer range, or \
         check the instrument with a search."
    );
    MarketError::new(MarketErrorKind::NoData, message)
}

fn check_order<T: PartialOrd + Display>(from: &T, to: &T) -> Result<(), MarketError> {
    if from <= to {
        return Ok(());
    }
    Err(wrong(format!("{from} is after {to}: the first date must not be after the last.")))
}

fn wrong(message: String) -> MarketError {
    MarketError::new(MarketErrorKind::Input, message)
}
