//! [`contracts`]: the futures and options listed on a day.

use std::{collections::HashSet, sync::Arc};

use jiff::civil::{Date, date};

use super::{
    COMMODITIES, GAUGES, Paper, SHARES, Terms, character,
    others::{Commodity, Contracts},
};
use crate::{
    Key, Kind, Segment, Side,
    sim::{
        calendar::{Cycle, Expiry, Hours, expiries, nse_weekday},
        driver::Driver,
        noise::Noise,
    },
};

/// Contracts get numbers from here on; no exchange uses as many digits.
const FIRST: u64 = 1_000_000;

/// So many numbers are there.
const NUMBERS: u64 = 49_000_000;

/// How many strikes a share's options have on each side.
const SHARE_STRIKES: u32 = 10;

/// What a contract is about.
struct About<'a> {
    spot: &'a Paper,
    segment: Segment,
    exchange: &'static str,
    token: u64,
    lot: u32,
    tick: f64,
}

/// The futures and options listed on a day, over what is listed itself.
pub(in crate::sim) fn contracts(seed: u64, today: Date, spots: &[Paper]) -> Vec<Paper> {
    let mut made = Vec::new();
    for gauge in GAUGES {
        let spot = spots.iter().find(|it| is(it, Segment::Index, gauge.symbol));
        if let (Some(spot), Some(terms)) = (spot, gauge.contracts) {
            index_contracts(seed, today, spot, terms, &mut made);
        }
    }
    for share in SHARES {
        let spot = spots.iter().find(|it| is(it, Segment::NseEq, share.symbol));
        if let (Some(spot), Some(lot)) = (spot, share.lot) {
            let about = About {
                spot,
                segment: Segment::NseFno,
                exchange: "NSE",
                token: share.nse,
                lot,
                tick: spot.tick.max(0.05),
            };
            let months = expiries(today, nse_weekday(today), 0, 3);
            made.extend(months.iter().map(|month| future(&about, *month)));
            for (apart, month) in share
                .strikes
                .iter()
                .flat_map(|it| months.iter().take(2).map(move |month| (*it, *month)))
            {
                options(
                    &about,
                    month,
                    strikes(seed, today, spot, (apart, SHARE_STRIKES)),
                    &mut made,
                );
            }
        }
    }
    for commodity in COMMODITIES {
        made.extend(commodity_futures(commodity, today));
    }
    made.push(test_future());
    number(&mut made);
    made
}

fn is(paper: &Paper, segment: Segment, symbol: &str) -> bool {
    paper.key.segment == segment && paper.symbol == symbol
}

fn index_contracts(seed: u64, today: Date, spot: &Paper, terms: Contracts, made: &mut Vec<Paper>) {
    let (segment, tick) = match spot.exchange {
        "BSE" => (Segment::BseFno, 0.05),
        _ => (Segment::NseFno, 0.1),
    };
    let about =
        About { spot, segment, exchange: spot.exchange, token: terms.token, lot: terms.lot, tick };
    let weekday = terms.weekday.unwrap_or_else(|| nse_weekday(today));
    made.extend(expiries(today, weekday, 0, 3).iter().map(|month| future(&about, *month)));
    let (weeks, months) = terms.ahead;
    for expiry in expiries(today, weekday, weeks, months) {
        options(&about, expiry, strikes(seed, today, spot, terms.strikes), made);
    }
}

/// Round prices on both sides of the close before, the lowest first.
fn strikes(seed: u64, today: Date, spot: &Paper, terms: (f64, u32)) -> Vec<f64> {
    let (apart, each_side) = terms;
    let close = spot.driver.close(seed, spot.hours().day_before(today));
    let middle = (close / apart).round();
    let side = f64::from(each_side);
    (0..=2 * each_side)
        .map(|step| (middle - side + f64::from(step)) * apart)
        .filter(|strike| *strike > 0.0)
        .collect()
}

fn future(about: &About<'_>, expiry: Expiry) -> Paper {
    let ticker = &about.spot.ticker;
    let (month, year) = (expiry.date.strftime("%b").to_string(), expiry.date.year());
    Paper {
        key: Key { segment: about.segment, id: 0 },
        exchange: about.exchange,
        kind: if about.spot.kind == Kind::Index { Kind::FutIdx } else { Kind::FutStk },
        category: "FUT",
        symbol: format!("{ticker}-{month}{year}-FUT"),
        name: format!("{ticker} {} FUT", month.to_uppercase()),
        title: String::new(),
        series: "",
        isin: "NA",
        lot: about.lot,
        tick: about.tick,
        terms: Terms::Future(expiry),
        underlying: Some(about.token),
        ..about.spot.clone()
    }
}

fn options(about: &About<'_>, expiry: Expiry, strikes: Vec<f64>, made: &mut Vec<Paper>) {
    let ticker = &about.spot.ticker;
    let (month, year) = (expiry.date.strftime("%b").to_string(), expiry.date.year());
    let sides = [(Side::Call, "CE", "CALL"), (Side::Put, "PE", "PUT")];
    for (strike, (side, code, word)) in
        strikes.into_iter().flat_map(|strike| sides.map(|side| (strike, side)))
    {
        let day = expiry.date.day();
        made.push(Paper {
            kind: if about.spot.kind == Kind::Index { Kind::OptIdx } else { Kind::OptStk },
            category: "OP",
            // Two weeks of one month share their symbols, as they do at the broker's.
            symbol: format!("{ticker}-{month}{year}-{strike}-{code}"),
            name: format!("{ticker} {day:02} {} {strike} {word}", month.to_uppercase()),
            tick: 0.05,
            terms: Terms::Option { expiry, strike, side },
            ..future(about, expiry)
        });
    }
}

fn commodity_futures(commodity: &Commodity, today: Date) -> Vec<Paper> {
    let driver = Arc::new(Driver {
        beta: 0.0,
        own: commodity.own,
        hours: Hours::Commodity,
        ..character(commodity.driver, commodity.price)
    });
    let months = std::iter::successors(Some(today.first_of_month()), |first| {
        first.last_of_month().tomorrow().ok()
    });
    let ends = months.filter_map(|first| {
        let day = Date::new(first.year(), first.month(), commodity.day).ok()?;
        let hours = Hours::Commodity;
        Some(if hours.trades_on(day) { day } else { hours.day_before(day) })
    });
    ends.filter(|date| *date >= today)
        .take(4)
        .map(|date| Paper {
            key: Key { segment: Segment::McxComm, id: 0 },
            exchange: "MCX",
            kind: Kind::FutCom,
            category: "FUTCOM",
            symbol: format!("{}-{}-FUT", commodity.symbol, date.strftime("%d%b%Y")),
            ticker: commodity.symbol.to_owned(),
            name: format!(
                "{} {} FUT",
                commodity.symbol,
                date.strftime("%b").to_string().to_uppercase()
            ),
            title: commodity.symbol.to_owned(),
            isin: "NA",
            series: "2",
            lot: 1,
            tick: commodity.tick,
            terms: Terms::Future(Expiry { date, cycle: Cycle::Monthly }),
            underlying: Some(commodity.token),
            driver: Arc::clone(&driver),
        })
        .collect()
}

/// The exchange's test of futures, with its end in 2036.
fn test_future() -> Paper {
    let expiry = Expiry { date: date(2036, 11, 27), cycle: Cycle::Weekly };
    Paper {
        key: Key { segment: Segment::NseFno, id: 0 },
        kind: Kind::FutStk,
        category: "FUT",
        symbol: "011NSETEST-Nov2036-FUT".to_owned(),
        name: "011NSETEST 27 NOV FUT".to_owned(),
        title: String::new(),
        series: "",
        lot: 50,
        terms: Terms::Test(Some(expiry)),
        underlying: Some(36_686),
        ..super::test(36_686, "011NSETEST")
    }
}

/// Numbers that follow from what a contract is, so that it keeps its number from day to day.
fn number(made: &mut [Paper]) {
    let mut taken = HashSet::new();
    for paper in made {
        let what = format!("{} {:?}", paper.ticker, paper.terms);
        let mut key = paper.key;
        key.id = FIRST + Noise::new(0, &what).bits() % NUMBERS;
        while !taken.insert(key) {
            key.id += 1;
        }
        paper.key = key;
    }
}
