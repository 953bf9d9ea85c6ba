use serde_json::json;
use toolwright_market::{Detail, Interval, Kind, Quote};

use super::*;

async fn quote(market: &Simulator, key: Key) -> Quote {
    let quotes = client(market).quotes(&access(), &[key], Detail::Full).await.unwrap();
    quotes.into_iter().next().unwrap().1
}

#[tokio::test]
async fn levels_are_those_a_trader_knows() {
    let market = market_at(OPEN).await;
    let body = r#"{"IDX_I":[13,25,51,21],"NSE_EQ":[2885,11536,1333],"BSE_EQ":[500325]}"#;
    let data = post(&market, "/marketfeed/ltp", body).await.json();
    let price = |segment: &str, id: &str| data["data"][segment][id]["last_price"].as_f64().unwrap();
    for (segment, id, about) in [
        ("IDX_I", "13", 25_000.0),
        ("IDX_I", "25", 55_000.0),
        ("IDX_I", "51", 82_000.0),
        ("NSE_EQ", "2885", 1_400.0),
        ("NSE_EQ", "11536", 3_100.0),
        ("NSE_EQ", "1333", 960.0),
    ] {
        let price = price(segment, id);
        assert!((0.7..1.4).contains(&(price / about)), "{segment} {id}: {price}");
    }
    // One share costs the same on both exchanges, but for the steps of its price.
    assert!((price("NSE_EQ", "2885") - price("BSE_EQ", "500325")).abs() < 0.1);
    // Two indices of the same shares move together.
    let ratio = price("IDX_I", "51") / price("IDX_I", "13");
    assert!((3.2..3.4).contains(&ratio), "{ratio}");
}

#[tokio::test]
async fn no_seed_leads_far_away() {
    let clock = Clock::Fixed(OPEN.parse().unwrap());
    for seed in 0..40 {
        let settings =
            SimSettings { clock, seed, limits: Limits::none(), ..SimSettings::default() };
        let market = Simulator::start(settings).await.unwrap();
        let body = r#"{"IDX_I":[13,51,21],"NSE_EQ":[2885]}"#;
        let data = post(&market, "/marketfeed/ltp", body).await.json();
        let price =
            |segment: &str, id: &str| data["data"][segment][id]["last_price"].as_f64().unwrap();
        assert!((19_000.0..33_000.0).contains(&price("IDX_I", "13")), "{seed}: {data}");
        assert!((62_000.0..108_000.0).contains(&price("IDX_I", "51")), "{seed}: {data}");
        assert!((6.0..35.0).contains(&price("IDX_I", "21")), "{seed}: {data}");
        assert!((900.0..2_200.0).contains(&price("NSE_EQ", "2885")), "{seed}: {data}");
    }
}

#[tokio::test]
async fn a_quote_lies_within_its_day_and_begins_at_the_close_before() {
    let market = market_at(OPEN).await;
    let client = client(&market);
    for (key, kind) in [(NIFTY, Kind::Index), (RELIANCE, Kind::Equity)] {
        let (from, to) = ("2026-11-12".parse().unwrap(), "2026-11-13".parse().unwrap());
        let days = client.daily(&access(), key, kind, from, to).await.unwrap();
        let (yesterday, today) = (days[0], days[1]);
        let quote = quote(&market, key).await;
        let ohlc = quote.ohlc.unwrap();
        assert_eq!(
            (quote.last_price, ohlc.open, ohlc.high, ohlc.low, ohlc.close),
            (today.close, today.open, today.high, today.low, yesterday.close)
        );
        assert!(today.low <= quote.last_price && quote.last_price <= today.high);
        let change = quote.net_change.unwrap();
        assert!((change - (quote.last_price - ohlc.close)).abs() < 0.006);
        assert_eq!(quote.volume, Some(today.volume));
    }
}

#[tokio::test]
async fn a_share_has_depth_and_limits_and_an_index_has_neither() {
    let market = market_at(OPEN).await;
    let share = quote(&market, RELIANCE).await;
    let depth = share.depth.unwrap();
    assert_eq!((depth.buy.len(), depth.sell.len()), (5, 5));
    assert!(depth.buy[0].price < share.last_price && share.last_price < depth.sell[0].price);
    assert!(depth.buy.is_sorted_by(|a, b| a.price > b.price));
    assert!(depth.sell.is_sorted_by(|a, b| a.price < b.price));
    let close = share.ohlc.unwrap().close;
    assert!((share.lower_circuit.unwrap() / close - 0.9).abs() < 0.001);
    assert!((share.upper_circuit.unwrap() / close - 1.1).abs() < 0.001);
    assert_eq!(share.last_trade.unwrap().to_string(), "2026-11-13T11:00:00");
    assert!(share.volume.unwrap() > 0 && share.average_price.unwrap() > 0.0);

    let index = quote(&market, NIFTY).await;
    assert_eq!((index.volume, index.lower_circuit, index.upper_circuit), (Some(0), None, None));
    assert!(index.depth.unwrap().buy.is_empty());
}

#[tokio::test]
async fn a_closed_market_quotes_its_close() {
    let sunday = market_at(SUNDAY).await;
    let from = "2026-11-12".parse().unwrap();
    let to = "2026-11-15".parse().unwrap();
    let days = client(&sunday).daily(&access(), RELIANCE, Kind::Equity, from, to).await.unwrap();
    assert_eq!(days.len(), 2, "there are no days on a weekend");
    let quote = quote(&sunday, RELIANCE).await;
    assert_eq!((quote.last_price, quote.ohlc.unwrap().close), (days[1].close, days[0].close));
    assert_eq!(quote.last_trade.unwrap().to_string(), "2026-11-13T15:29:59");
    assert!(quote.depth.unwrap().buy.is_empty());
    // Before it opens on Monday it still is Friday's.
    let monday = market_at("2026-11-16T03:44:59Z").await;
    assert_eq!(super::feed::quote(&monday, RELIANCE).await.last_price, quote.last_price);
    // Commodities trade on, into the night and on a holiday of shares.
    let diwali = market_at("2026-11-10T16:00:00Z").await;
    let minutes = client(&diwali)
        .intraday(
            &access(),
            future(&diwali, "CRUDEOIL").await,
            Kind::FutCom,
            Interval::One,
            "2026-11-10T00:00:00".parse().unwrap(),
            "2026-11-10T23:59:00".parse().unwrap(),
        )
        .await
        .unwrap();
    assert_eq!(minutes.len(), 12 * 60 + 31);
}

/// The first of the listed futures on something.
async fn future(market: &Simulator, ticker: &str) -> Key {
    let master = get(market, "/api-data/api-scrip-master.csv").await.body;
    let row = master.lines().find(|row| {
        row.contains(&format!(",{ticker}-")) && row.contains("FUT") && !row.contains("NSETEST")
    });
    let columns: Vec<_> = row.unwrap().split(',').collect();
    let segment = Segment::of_master(columns[0], columns[1]).unwrap();
    Key { segment, id: columns[2].parse().unwrap() }
}

#[tokio::test]
async fn a_future_costs_more_than_its_underlying_and_has_open_interest() {
    let market = market_at(OPEN).await;
    let (spot, future) =
        (quote(&market, NIFTY).await, quote(&market, future(&market, "NIFTY").await).await);
    let carry = future.last_price / spot.last_price;
    assert!((1.0..1.01).contains(&carry), "{carry}");
    assert!(future.oi.unwrap() > 0 && future.volume.unwrap() > 0);
}

#[tokio::test]
async fn what_is_not_known_is_missing() {
    let market = market_at(OPEN).await;
    let body = r#"{"NSE_EQ":[2885,4294967295],"MCX_COMM":[1],"dhanClientId":"1000000001"}"#;
    let data = post(&market, "/marketfeed/ohlc", body).await.json();
    assert_eq!(data["status"], "success");
    let known: Vec<_> = data["data"]["NSE_EQ"].as_object().unwrap().keys().collect();
    assert_eq!(known, ["2885"]);
    assert_eq!(data["data"]["MCX_COMM"], json!({}));
    // A paper of the exchange's tests was never traded.
    let data = post(&market, "/marketfeed/quote", r#"{"NSE_EQ":[36686]}"#).await.json();
    let test = &data["data"]["NSE_EQ"]["36686"];
    assert_eq!(
        (&test["last_price"], &test["last_trade_time"]),
        (&json!(0), &json!("01/01/1980 00:00:00"))
    );
}

#[tokio::test]
async fn a_thousand_instruments_are_answered_and_one_more_is_refused() {
    let market = market_at(OPEN).await;
    let master = get(&market, "/api-data/segment-NSE_FNO.csv").await.body;
    let ids: Vec<&str> = master.lines().skip(1).filter_map(|row| row.split(',').nth(2)).collect();
    let of = |count: usize| format!("{{\"NSE_FNO\":[{}]}}", ids[..count].join(","));
    let data = post(&market, "/marketfeed/ltp", &of(1000)).await.json();
    assert_eq!(data["data"]["NSE_FNO"].as_object().unwrap().len(), 1000);
    let refused = post(&market, "/marketfeed/ltp", &of(1001)).await;
    assert_eq!((refused.status, refused.json()["data"].get("804").is_some()), (400, true));
}

#[tokio::test]
async fn the_same_seed_and_clock_give_the_same_bytes() {
    let (one, other) = (market_at(OPEN).await, market_at(OPEN).await);
    let clock = Clock::Fixed(OPEN.parse().unwrap());
    let settings = SimSettings { clock, seed: 2, limits: Limits::none(), ..SimSettings::default() };
    let seeded = Simulator::start(settings).await.unwrap();
    let body = r#"{"NSE_EQ":[2885,11536],"IDX_I":[13]}"#;
    let chart = r#"{"securityId":"2885","exchangeSegment":"NSE_EQ","instrument":"EQUITY","fromDate":"2026-01-01","toDate":"2026-11-14"}"#;
    for (path, body) in [("/marketfeed/quote", body), ("/charts/historical", chart)] {
        let first = post(&one, path, body).await.body;
        assert_eq!(first, post(&other, path, body).await.body);
        assert_ne!(first, post(&seeded, path, body).await.body);
    }
    for path in ["/v2/positions", "/v2/holdings", "/api-data/api-scrip-master.csv"] {
        assert_eq!(get(&one, path).await.body, get(&other, path).await.body);
    }
}
