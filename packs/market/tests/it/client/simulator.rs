//! The client against the simulator: two readings of the same documents.

use std::time::Duration;

use jiff::{Timestamp, ToSpan, civil::date};
use tokio::time::Instant;
use toolwright_market::{
    Access, Client, Clock, Columns, Detail, Interval, Key, Kind, Limits, MarketErrorKind as Error,
    Pace, Segment, Settings, SimSettings, Simulator, in_india, ist,
};

use super::{NIFTY, access, error_of};

const RELIANCE: Key = Key { segment: Segment::NseEq, id: 2885 };

async fn simulator(limits: Limits) -> Simulator {
    // A Friday, while the market is open.
    let now = ist().to_timestamp(date(2026, 11, 13).at(13, 30, 0, 0)).unwrap();
    let clock = Clock::Fixed(now.min(Timestamp::now()));
    Simulator::start(SimSettings { clock, limits, ..SimSettings::default() }).await.unwrap()
}

fn settings(simulator: &Simulator) -> Settings {
    let settings = Settings::at(simulator.base_url());
    Settings { pace: Pace::unlimited(), timeout: Duration::from_secs(10), ..settings }
}

#[tokio::test]
async fn prices_of_every_kind_agree() {
    let simulator = simulator(Limits::none()).await;
    let client = Client::new(settings(&simulator)).unwrap();
    let unknown = Key { segment: Segment::NseEq, id: 999_999_999 };
    let keys = [NIFTY, RELIANCE, unknown];
    let mut prices = Vec::new();
    for detail in [Detail::Ltp, Detail::Ohlc, Detail::Full] {
        let quotes = client.quotes(&access(), &keys, detail).await.unwrap();
        assert_eq!(quotes.iter().map(|(key, _)| *key).collect::<Vec<_>>(), [NIFTY, RELIANCE]);
        assert_eq!(quotes[1].1.ohlc.is_some(), detail != Detail::Ltp);
        assert_eq!(quotes[1].1.depth.is_some(), detail == Detail::Full);
        prices.push(quotes.iter().map(|(_, quote)| quote.last_price).collect::<Vec<_>>());
    }
    assert!(prices.iter().all(|it| *it == prices[0] && it[0] > 0.0), "{prices:?}");
}

#[tokio::test]
async fn candles_of_days_and_within_days() {
    let simulator = simulator(Limits::none()).await;
    let client = Client::new(settings(&simulator)).unwrap();
    let (from, to) = (date(2024, 7, 1), date(2024, 12, 31));
    let days = client.daily(&access(), RELIANCE, Kind::Equity, from, to).await.unwrap();
    let (start, end) = (from.at(9, 15, 0, 0), to.at(15, 30, 0, 0));
    let hours =
        client.intraday(&access(), RELIANCE, Kind::Equity, Interval::Sixty, start, end).await;
    let hours = hours.unwrap();
    assert!(hours.windows(2).all(|pair| pair[0].at < pair[1].at));
    // The same days whichever way they are asked for, across three requests.
    let mut dates: Vec<_> = hours.iter().map(|it| in_india(it.at).date()).collect();
    dates.dedup();
    assert_eq!(dates, days.iter().map(|it| in_india(it.at).date()).collect::<Vec<_>>());
    assert_eq!((dates.first(), dates.last()), (Some(&from), Some(&to)));
    for day in &days {
        let date = in_india(day.at).date();
        let within = || hours.iter().filter(|it| in_india(it.at).date() == date);
        assert_eq!(within().count(), 7, "{date}");
        assert_eq!(within().map(|it| it.volume).sum::<u64>(), day.volume, "{date}");
    }
    let sunday = date(2024, 7, 7);
    let error = error_of(client.daily(&access(), RELIANCE, Kind::Equity, sunday, sunday).await);
    assert_eq!(error.kind, Error::NoData);
}

#[tokio::test]
async fn half_a_year_within_days_is_whole() {
    let simulator = simulator(Limits::none()).await;
    let client = Client::new(settings(&simulator)).unwrap();
    let (from, to) = (date(2024, 1, 1).at(0, 0, 0, 0), date(2024, 6, 30).at(23, 59, 59, 0));
    let asked = client.intraday(&access(), NIFTY, Kind::Index, Interval::Fifteen, from, to).await;
    let mut counts = std::collections::BTreeMap::new();
    for candle in asked.unwrap() {
        *counts.entry(in_india(candle.at).date()).or_insert(0) += 1;
    }
    // 09:15 to 15:30 in quarters of an hour; a short session is a special one.
    let whole = counts.values().filter(|count| **count == 25).count();
    assert!(whole + 2 >= counts.len() && counts.len() > 115, "{counts:?}");
}

#[tokio::test]
async fn options() {
    let simulator = simulator(Limits::none()).await;
    let client = Client::new(settings(&simulator)).unwrap();
    let days = client.expiries(&access(), NIFTY).await.unwrap();
    let chain = client.option_chain(&access(), NIFTY, days[0]).await.unwrap();
    assert_eq!(chain.expiry, days[0]);
    assert!(chain.strikes.windows(2).all(|pair| pair[0].strike < pair[1].strike));
    let both = chain.strikes.iter().filter(|it| it.call.is_some() && it.put.is_some());
    assert!(both.count() > 10 && chain.last_price > 0.0);
    let error = error_of(client.option_chain(&access(), NIFTY, days[0] + 1.day()).await);
    assert_eq!((error.kind, error.code.as_deref()), (Error::Input, Some("811")));
}

#[tokio::test]
async fn the_account() {
    let simulator = simulator(Limits::none()).await;
    let client = Client::new(settings(&simulator)).unwrap();
    client.positions(&access()).await.unwrap();
    client.holdings(&access()).await.unwrap();
    assert!(client.funds(&access()).await.unwrap().available.is_some());
    let profile = client.profile(&access()).await.unwrap();
    assert!(profile.token_until.is_some() && !profile.segments.is_empty(), "{profile:?}");
}

#[tokio::test]
async fn both_lists_of_instruments() {
    let simulator = simulator(Limits::none()).await;
    let client = Client::new(settings(&simulator)).unwrap();
    for (columns, first) in
        [(Columns::Compact, "SEM_EXM_EXCH_ID,"), (Columns::Detailed, "EXCH_ID,")]
    {
        let mut list = Vec::new();
        let length = client.master(columns, &mut list).await.unwrap();
        assert_eq!(length, list.len() as u64);
        let list = String::from_utf8(list).unwrap();
        assert!(list.starts_with(first) && list.lines().count() > 1000);
    }
}

#[tokio::test]
async fn every_code_it_knows() {
    let simulator = simulator(Limits::none()).await;
    let client = Client::new(settings(&simulator)).unwrap();
    for (code, kind) in [
        ("DH-901", Error::Authentication),
        ("DH-902", Error::NotSubscribed),
        ("DH-903", Error::Account),
        ("DH-904", Error::RateLimited),
        ("DH-905", Error::Input),
        ("DH-906", Error::Input),
        ("DH-907", Error::NoData),
        ("DH-908", Error::Server),
        ("DH-909", Error::Server),
        ("DH-911", Error::Account),
        ("DH-1111", Error::NoData),
        ("800", Error::Server),
        ("804", Error::Input),
        ("805", Error::RateLimited),
        ("806", Error::NotSubscribed),
        ("807", Error::Authentication),
        ("808", Error::Authentication),
        ("809", Error::Authentication),
        ("810", Error::Authentication),
        ("811", Error::Input),
        ("812", Error::Input),
        ("813", Error::Input),
        ("814", Error::Input),
    ] {
        let access = Access::new(format!("simulate-{code}"), "1000000001");
        let error = error_of(client.quotes(&access, &[NIFTY], Detail::Ltp).await);
        assert_eq!((error.kind, error.code.as_deref()), (kind, Some(code)), "{error}");
    }
    let expired = Access::new("expired", "1000000001");
    let error = error_of(client.quotes(&expired, &[NIFTY], Detail::Ltp).await);
    assert_eq!(error.kind, Error::Authentication);
    let invalid = Access::new("invalid", "1000000001");
    assert_eq!(error_of(client.funds(&invalid).await).kind, Error::Authentication);
}

#[tokio::test]
async fn every_fault_it_can_have() {
    let simulator = simulator(Limits::none()).await;
    let patient = Client::new(settings(&simulator)).unwrap();
    // What the first request has to wait for is no fault.
    patient.quotes(&access(), &[NIFTY], Detail::Full).await.unwrap();
    let settings = Settings { timeout: Duration::from_millis(1500), ..settings(&simulator) };
    let client = Client::new(settings).unwrap();
    for (fault, kind) in [
        ("slow:10000", Error::Timeout),
        ("cut", Error::Network),
        ("html502", Error::Server),
        ("429", Error::RateLimited),
        ("bare805", Error::RateLimited),
        ("garbage", Error::Unreadable),
    ] {
        let access = Access::new(format!("simulate-{fault}"), "1000000001");
        let error = error_of(client.quotes(&access, &[NIFTY], Detail::Full).await);
        assert_eq!(error.kind, kind, "{fault}: {error}");
    }
}

#[tokio::test]
async fn an_answer_that_is_too_long() {
    let simulator = simulator(Limits::none()).await;
    let client = Client::new(settings(&simulator)).unwrap();
    let access = Access::new("simulate-huge", "1000000001");
    let error = error_of(client.funds(&access).await);
    assert_eq!(error.kind, Error::Unreadable, "{error}");
}

/// The one test that takes its time: real limits on both sides of a real socket.
#[tokio::test]
async fn the_default_pace_is_within_the_documented_limits() {
    let simulator = simulator(Limits::default()).await;
    let settings = Settings { pace: Pace::default(), ..settings(&simulator) };
    let client = Client::new(settings).unwrap();
    let days = client.expiries(&access(), NIFTY).await.unwrap();
    let began = Instant::now();
    let access = access();
    let quotes = async {
        for _ in 0..4 {
            client.quotes(&access, &[NIFTY], Detail::Ltp).await.unwrap();
        }
    };
    let chains = async {
        for _ in 0..2 {
            client.option_chain(&access, NIFTY, days[0]).await.unwrap();
        }
    };
    tokio::join!(quotes, chains);
    assert!(began.elapsed() > Duration::from_secs(3));
    // Without a pace the same is refused.
    let hasty = Client::new(self::settings(&simulator)).unwrap();
    let both = tokio::join!(
        hasty.quotes(&access, &[NIFTY], Detail::Ltp),
        hasty.quotes(&access, &[NIFTY], Detail::Ltp),
    );
    let error = [both.0, both.1].into_iter().find_map(Result::err).unwrap();
    assert_eq!(error.retry_after, Some(Duration::from_secs(60)));
}
