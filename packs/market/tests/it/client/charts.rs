//! Candles.

use jiff::{
    Timestamp, ToSpan,
    civil::{Date, DateTime, date},
};
use serde_json::{Value, json};
use toolwright_market::{Candle, Interval, Key, Kind, MarketErrorKind, Segment, in_india, ist};

use super::{
    NIFTY, TCS, access,
    broker::{Answer, Broker, Seen},
    client, error_of,
};

const FUTURE: Key = Key { segment: Segment::NseFno, id: 58_072 };

fn columns(times: &[i64]) -> Value {
    let price = |by: f64| times.iter().map(|_| by).collect::<Vec<_>>();
    json!({
        "open": price(10.0), "high": price(12.0), "low": price(9.0), "close": price(11.0),
        "volume": price(100.0), "timestamp": times, "open_interest": price(7.0),
    })
}

fn candle(at: i64, volume: u64, oi: Option<u64>) -> Candle {
    let at = Timestamp::from_second(at).unwrap();
    Candle { at, open: 10.0, high: 12.0, low: 9.0, close: 11.0, volume, oi }
}

fn second(at: DateTime) -> i64 {
    ist().to_timestamp(at).unwrap().as_second()
}

#[tokio::test]
async fn days_with_the_last_one_included() {
    // The broker's own example: 2012-01-11 and 2012-01-12 in India. The third is a day too many.
    let times = [1_326_220_200, 1_326_306_600, 1_326_393_000];
    let broker = Broker::saying([Answer::json(&columns(&times))]).await;
    let (from, to) = (date(2012, 1, 11), date(2012, 1, 12));
    let candles = client(&broker).daily(&access(), TCS, Kind::Equity, from, to).await.unwrap();
    assert_eq!(candles, [candle(times[0], 100, None), candle(times[1], 100, None)]);
    assert_eq!(in_india(candles[0].at), from.at(0, 0, 0, 0));
    let seen = broker.seen();
    assert_eq!(seen[0].path, "/v2/charts/historical");
    assert_eq!(
        seen[0].body,
        json!({
            "securityId": "11536", "exchangeSegment": "NSE_EQ", "instrument": "EQUITY",
            "expiryCode": 0, "oi": false, "fromDate": "2012-01-11", "toDate": "2012-01-13"
        })
    );
}

#[tokio::test]
async fn a_future_has_open_interest() {
    let broker = Broker::saying([Answer::json(&columns(&[1_326_220_200]))]).await;
    let day = date(2012, 1, 11);
    let candles = client(&broker).daily(&access(), FUTURE, Kind::FutIdx, day, day).await.unwrap();
    assert_eq!(candles, [candle(1_326_220_200, 100, Some(7))]);
    assert_eq!(broker.seen()[0].body["oi"], json!(true));
}

#[tokio::test]
async fn columns_of_unequal_length_floats_texts_and_gaps() {
    let broker = Broker::saying([Answer::json(&json!({
        "open": [10, "10.0", 10.0, 10], "high": [12, 12, 12, 12, 12], "low": [9, 9, null, 9],
        "close": [11, 11, 11, 11], "volume": [100, 2.0, 3],
        "timestamp": [1_326_306_600.0, 1_326_220_200, 1_326_393_000, 1_326_479_400], "open_interest": []
    }))])
    .await;
    let (from, to) = (date(2012, 1, 1), date(2012, 2, 1));
    let candles = client(&broker).daily(&access(), TCS, Kind::Equity, from, to).await.unwrap();
    assert_eq!(candles, [candle(1_326_220_200, 2, None), candle(1_326_306_600, 100, None)]);
}

#[tokio::test]
async fn an_index_without_volumes() {
    let mut answer = columns(&[1_326_220_200]);
    answer.as_object_mut().unwrap().remove("volume");
    let broker = Broker::saying([Answer::json(&answer)]).await;
    let day = date(2012, 1, 11);
    let candles = client(&broker).daily(&access(), NIFTY, Kind::Index, day, day).await.unwrap();
    assert_eq!(candles, [candle(1_326_220_200, 0, None)]);
}

/// Bars at noon of each day from one date to another, both included, as a broker that includes
/// both ends would give them.
fn noons(request: &Seen) -> Answer {
    let end = |name: &str| request.body[name].as_str().unwrap().parse::<DateTime>().unwrap();
    let (from, to) = (end("fromDate"), end("toDate"));
    let noons = from.date().series(1.day()).map(|day| day.at(12, 0, 0, 0));
    let noons = noons.skip_while(|it| *it < from).take_while(|it| *it <= to).map(second);
    Answer::json(&columns(&noons.collect::<Vec<_>>()))
}

#[tokio::test]
async fn long_ranges_are_asked_for_in_pieces() {
    let broker = Broker::start(|_, request| noons(request)).await;
    let from = date(2024, 1, 1).at(12, 0, 0, 0);
    let to = date(2024, 8, 31).at(12, 0, 0, 0);
    let candles =
        client(&broker).intraday(&access(), TCS, Kind::Equity, Interval::Sixty, from, to).await;
    let days = from.date().series(1.day()).take_while(|day| *day <= to.date());
    let wanted: Vec<_> = days.map(|day| day.at(12, 0, 0, 0)).collect();
    let got: Vec<_> = candles.unwrap().iter().map(|it| in_india(it.at)).collect();
    assert_eq!(got, wanted);
    let asked = broker.seen().into_iter().map(|it| {
        (
            it.body["fromDate"].as_str().unwrap().to_owned(),
            it.body["toDate"].as_str().unwrap().to_owned(),
        )
    });
    let asked: Vec<_> = asked.collect();
    let wanted = [
        ("2024-01-01 12:00:00", "2024-03-31 11:59:59"),
        ("2024-03-31 12:00:00", "2024-06-29 11:59:59"),
        ("2024-06-29 12:00:00", "2024-08-31 12:00:00"),
    ];
    assert_eq!(asked, wanted.map(|(from, to)| (from.to_owned(), to.to_owned())));
    assert_eq!(broker.seen()[0].body["interval"], json!("60"));
}

#[tokio::test]
async fn a_range_of_just_90_days_and_one_of_a_moment() {
    let broker = Broker::start(|_, request| noons(request)).await;
    let client = client(&broker);
    let noon = date(2024, 1, 1).at(12, 0, 0, 0);
    for (to, pieces, candles) in
        [(noon, 1, 1), (noon + 90.days() - 1.second(), 1, 90), (noon + 90.days(), 2, 91)]
    {
        let before = broker.asked();
        let got = client.intraday(&access(), TCS, Kind::Equity, Interval::One, noon, to).await;
        assert_eq!((got.unwrap().len(), broker.asked() - before), (candles, pieces), "{to}");
    }
}

#[tokio::test]
async fn bars_that_two_pieces_share_come_once() {
    // This broker gives a day before and after what it is asked for.
    let broker = Broker::start(|_, request| {
        let end = |name: &str| request.body[name].as_str().unwrap().parse::<DateTime>().unwrap();
        let (from, to) = (end("fromDate") - 1.day(), end("toDate") + 1.day());
        let days = from.date().series(1.day()).take_while(|day| *day <= to.date());
        let times: Vec<_> = days.map(|day| second(day.at(12, 0, 0, 0))).collect();
        Answer::json(&columns(&times))
    })
    .await;
    let (from, to) = (date(2024, 1, 1).at(9, 15, 0, 0), date(2024, 5, 1).at(15, 30, 0, 0));
    let candles = client(&broker)
        .intraday(&access(), TCS, Kind::Equity, Interval::Five, from, to)
        .await
        .unwrap();
    assert_eq!(broker.asked(), 2);
    assert_eq!(candles.len(), 122);
    assert!(candles.windows(2).all(|pair| pair[0].at < pair[1].at));
}

#[tokio::test]
async fn a_piece_without_data_is_no_failure_but_all_of_them_are() {
    let nothing = || {
        Answer::error(
            400,
            &json!({"errorType": "Input_Exception", "errorCode": "DH-905",
            "errorMessage": "System is unable to fetch data due to Incorrect parameters or no data present"}),
        )
    };
    let broker =
        Broker::start(move |number, request| if number == 0 { nothing() } else { noons(request) })
            .await;
    let (from, to) = (date(2024, 1, 1).at(9, 15, 0, 0), date(2024, 5, 1).at(15, 30, 0, 0));
    let candles =
        client(&broker).intraday(&access(), TCS, Kind::Equity, Interval::Five, from, to).await;
    assert_eq!(candles.unwrap().len(), 32);

    let lost = Answer::error(400, &json!({"errorCode": "DH-907"}));
    for answer in [nothing(), lost, Answer::json(&columns(&[])), Answer::json(&json!({}))] {
        let broker = Broker::saying([answer]).await;
        let client = client(&broker);
        let within = client.intraday(&access(), TCS, Kind::Equity, Interval::Five, from, to).await;
        let day = date(2024, 1, 6);
        let daily = client.daily(&access(), TCS, Kind::Equity, day, day).await;
        for error in [error_of(within), error_of(daily)] {
            assert_eq!(error.kind, MarketErrorKind::NoData);
            assert!(
                error.message.starts_with("There are no candles for NSE_EQ:11536 from 2024-01-0")
            );
        }
        assert_eq!(broker.asked(), 3, "nothing was repeated");
    }
}

#[tokio::test]
async fn what_cannot_be_asked_is_not_sent() {
    let broker = Broker::saying([Answer::raw(500, "")]).await;
    let client = client(&broker);
    let today = in_india(Timestamp::now()).date();
    let currency = Key { segment: Segment::NseCurrency, id: 1 };
    let day = date(2024, 1, 5);
    let daily = async |key, kind, from: Date, to: Date| {
        error_of(client.daily(&access(), key, kind, from, to).await)
    };
    for (error, words) in [
        (daily(TCS, Kind::Equity, date(2024, 2, 1), day).await, "2024-02-01 is after 2024-01-05"),
        (daily(TCS, Kind::Equity, day, today.tomorrow().unwrap()).await, "is in the future"),
        (daily(TCS, Kind::Equity, date(-5, 1, 1), day).await, "There are no prices of"),
        (daily(TCS, Kind::Index, day, day).await, "INDEX is not traded in NSE_EQ"),
        (daily(NIFTY, Kind::Equity, day, day).await, "EQUITY is not traded in IDX_I"),
        (daily(FUTURE, Kind::Equity, day, day).await, "EQUITY is not traded in NSE_FNO"),
        (daily(currency, Kind::FutCur, day, day).await, "no candles for the segment NSE_CURRENCY"),
    ] {
        assert_eq!(error.kind, MarketErrorKind::Input);
        assert!(error.message.contains(words), "{error}");
    }
    let within = async |from: DateTime, to: DateTime| {
        error_of(client.intraday(&access(), TCS, Kind::Equity, Interval::One, from, to).await)
    };
    let noon = day.at(12, 0, 0, 0);
    for (error, words) in [
        (
            within(noon, day.at(11, 0, 0, 0)).await,
            "2024-01-05T12:00:00 is after 2024-01-05T11:00:00",
        ),
        (within(noon, today.tomorrow().unwrap().at(0, 0, 0, 0)).await, "is in the future"),
        (within(date(2010, 1, 1).at(0, 0, 0, 0), noon).await, "days are too many"),
    ] {
        assert_eq!(error.kind, MarketErrorKind::Input);
        assert!(error.message.contains(words), "{error}");
    }
    assert_eq!(broker.asked(), 0);
}

#[tokio::test]
async fn today_can_be_asked_for_to_its_end() {
    let today = in_india(Timestamp::now()).date();
    let open = today.at(9, 15, 0, 0);
    let broker = Broker::saying([Answer::json(&columns(&[second(open)]))]).await;
    let to = today.at(23, 59, 59, 0);
    let candles =
        client(&broker).intraday(&access(), TCS, Kind::Equity, Interval::One, open, to).await;
    assert_eq!(candles.unwrap(), [candle(second(open), 100, None)]);
}
