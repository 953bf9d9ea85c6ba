use jiff::civil::Date;
use toolwright_market::{Candle, Interval, Kind, MarketErrorKind, in_india};

use super::*;

fn chart(id: &str, instrument: &str, more: &str) -> String {
    let segment = if instrument == "INDEX" { "IDX_I" } else { "NSE_EQ" };
    format!(
        r#"{{"securityId":"{id}","exchangeSegment":"{segment}","instrument":"{instrument}",{more}}}"#
    )
}

fn whole(candles: &[Candle]) -> (f64, f64, f64, f64, u64) {
    let high = candles.iter().map(|it| it.high).fold(f64::MIN, f64::max);
    let low = candles.iter().map(|it| it.low).fold(f64::MAX, f64::min);
    let volume = candles.iter().map(|it| it.volume).sum();
    (candles[0].open, high, low, candles[candles.len() - 1].close, volume)
}

#[tokio::test]
async fn a_day_is_its_minutes_whatever_their_length() {
    let market = market_at(OPEN).await;
    let client = client(&market);
    let (from, to): (Date, Date) = ("2026-11-02".parse().unwrap(), "2026-11-13".parse().unwrap());
    let days = client.daily(&access(), RELIANCE, Kind::Equity, from, to).await.unwrap();
    let dates: Vec<_> = days.iter().map(|day| in_india(day.at).date().to_string()).collect();
    // Neither the weekend nor Diwali's Balipratipada, the 10th.
    assert_eq!(
        dates,
        [
            "2026-11-02",
            "2026-11-03",
            "2026-11-04",
            "2026-11-05",
            "2026-11-06",
            "2026-11-09",
            "2026-11-11",
            "2026-11-12",
            "2026-11-13",
        ]
    );
    for interval in Interval::ALL {
        let (from, to) = (from.at(0, 0, 0, 0), to.at(23, 59, 0, 0));
        let candles =
            client.intraday(&access(), RELIANCE, Kind::Equity, interval, from, to).await.unwrap();
        for day in &days {
            let date = in_india(day.at).date();
            let within: Vec<_> =
                candles.iter().copied().filter(|it| in_india(it.at).date() == date).collect();
            let day_itself = (day.open, day.high, day.low, day.close, day.volume);
            assert_eq!(whole(&within), day_itself, "{date} in {} minutes", interval.minutes());
            assert_eq!(in_india(within[0].at).time().to_string(), "09:15:00");
        }
    }
}

#[tokio::test]
async fn a_day_has_375_minutes_that_follow_each_other() {
    let market = market_at(OPEN).await;
    let (from, to) =
        ("2026-11-12T00:00:00".parse().unwrap(), "2026-11-12T23:00:00".parse().unwrap());
    let client = client(&market);
    let minutes =
        client.intraday(&access(), NIFTY, Kind::Index, Interval::One, from, to).await.unwrap();
    assert_eq!(minutes.len(), 375);
    assert!(minutes.windows(2).all(|pair| pair[0].close == pair[1].open));
    assert!(
        minutes
            .iter()
            .all(|it| it.low <= it.open.min(it.close) && it.high >= it.open.max(it.close))
    );
    assert!(minutes.iter().all(|it| it.volume == 0), "an index is not traded");
    assert_eq!(in_india(minutes[374].at).to_string(), "2026-11-12T15:29:00");
}

#[tokio::test]
async fn each_day_opens_near_the_close_before_and_years_are_cheap() {
    let market = market_at(OPEN).await;
    let (from, to) = ("2016-01-01".parse().unwrap(), "2026-11-13".parse().unwrap());
    let started = std::time::Instant::now();
    let days = client(&market).daily(&access(), NIFTY, Kind::Index, from, to).await.unwrap();
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert!(days.len() > 2_650 && days.len() < 2_850, "{}", days.len());
    for pair in days.windows(2) {
        let gap = (pair[1].open / pair[0].close).ln().abs();
        let move_of_day = (pair[1].close / pair[0].close).ln().abs();
        assert!(gap < 0.06 && move_of_day < 0.1, "{pair:?}");
    }
    // It has grown, as it has.
    assert!(days[0].close < 14_000.0 && days[0].close > 5_000.0, "{}", days[0].close);
}

#[tokio::test]
async fn the_last_day_is_left_out_and_days_are_stamped_at_midnight_in_india() {
    let market = market_at(OPEN).await;
    let body = chart("2885", "EQUITY", r#""fromDate":"2026-11-11","toDate":"2026-11-13""#);
    let data = post(&market, "/charts/historical", &body).await.json();
    // 10 November, 18:30 in Greenwich, is the 11th in India.
    assert_eq!(data["timestamp"], serde_json::json!([1_794_335_400, 1_794_421_800]));
    assert_eq!(data["open_interest"], serde_json::json!([0, 0]));
    assert!(data.get("status").is_none());
}

#[tokio::test]
async fn an_end_within_a_day_is_kept() {
    let market = market_at(OPEN).await;
    let body = chart(
        "2885",
        "EQUITY",
        r#""interval":5,"fromDate":"2026-11-12 09:30:00","toDate":"2026-11-12 10:00:00""#,
    );
    let data = post(&market, "/charts/intraday", &body).await.json();
    assert_eq!(data["timestamp"].as_array().unwrap().len(), 6);
    assert!(data["timestamp"][0].is_f64());
    // Today ends where it has come to: 09:15 to 11:00, and the minute that has begun.
    let body =
        chart("13", "INDEX", r#""interval":"1","fromDate":"2026-11-13","toDate":"2026-11-14""#);
    let data = post(&market, "/charts/intraday", &body).await.json();
    assert_eq!(data["close"].as_array().unwrap().len(), 106);
}

#[tokio::test]
async fn what_has_no_candles_is_refused_with_dh_905() {
    let market = market_at(OPEN).await;
    let good = r#""interval":"5","fromDate":"2026-11-11","toDate":"2026-11-13""#;
    for body in [
        chart("2885", "EQUITY", r#""interval":"5","fromDate":"2026-11-07","toDate":"2026-11-09""#),
        chart("2885", "EQUITY", r#""interval":"5","fromDate":"2026-11-10","toDate":"2026-11-11""#),
        chart("2885", "EQUITY", r#""interval":"5","fromDate":"2027-11-11","toDate":"2027-11-13""#),
        chart("2885", "EQUITY", r#""interval":"30","fromDate":"2026-11-11","toDate":"2026-11-13""#),
        chart("2885", "EQUITY", r#""interval":"5","fromDate":"2026-08-01","toDate":"2026-11-13""#),
        chart("2885", "EQUITY", r#""interval":"5","fromDate":"2026-11-13","toDate":"2026-11-11""#),
        chart("2885", "EQUITY", r#""interval":"5","fromDate":"2019-11-11","toDate":"2019-11-13""#),
        chart("2885", "EQUITY", r#""interval":"5","fromDate":"11/11/2026","toDate":"2026-11-13""#),
        chart("2885", "FUTSTK", good),
        chart("999999999", "EQUITY", good),
        chart("36686", "EQUITY", good),
        chart("2885", "EQUITY", r#""interval":"5""#),
        "no json".to_owned(),
    ] {
        let refused = post(&market, "/charts/intraday", &body).await;
        let answer = refused.json();
        assert_eq!((refused.status, &answer["errorCode"]), (400, &"DH-905".into()), "{body}");
        assert_eq!(answer["errorType"], "Input_Exception");
    }
    let saturday = "2026-11-07".parse().unwrap();
    let none = client(&market).daily(&access(), RELIANCE, Kind::Equity, saturday, saturday).await;
    assert_eq!(none.unwrap_err().kind, MarketErrorKind::NoData);
}
