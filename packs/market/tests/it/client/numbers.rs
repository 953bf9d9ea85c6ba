//! Numbers that no market has: refused, and never made the largest that fits.

use jiff::civil::date;
use serde_json::{Value, json};
use toolwright_market::{Detail, Key, Kind, MarketErrorKind, Segment};

use super::{
    NIFTY, TCS, access,
    broker::{Answer, Broker},
    client, error_of,
};

const FUTURE: Key = Key { segment: Segment::NseFno, id: 58_072 };

/// Too large for 64 bits, as a number and as text; and too large for any number.
fn too_large() -> [Value; 3] {
    [json!(1e30), json!("100000000000000000000"), json!("1e999")]
}

/// What the broker sends, with this number in this field.
#[track_caller]
fn with(mut body: Value, field: &str, number: &Value) -> Answer {
    *body.pointer_mut(field).unwrap() = number.clone();
    Answer::json(&body)
}

#[track_caller]
fn refused<T: std::fmt::Debug>(
    result: Result<T, toolwright_market::MarketError>,
    field: &str,
    number: &Value,
) {
    let error = error_of(result);
    let name = field.split('/').rfind(|part| part.parse::<usize>().is_err()).unwrap();
    let wanted = format!("says {number} for `{name}`, which is too large to be true");
    assert_eq!(error.kind, MarketErrorKind::Unreadable, "{error}");
    assert!(error.to_string().contains(&wanted), "{error}");
}

#[tokio::test]
async fn in_a_quote() {
    let level = json!({"quantity": 1, "orders": 1, "price": 1});
    let quote =
        json!({"last_price": 1, "volume": 1, "oi": 1, "depth": {"buy": [level], "sell": []}});
    let body = json!({"data": {"NSE_EQ": {"11536": quote}}, "status": "success"});
    for number in too_large() {
        for name in ["volume", "oi", "depth/buy/0/quantity", "depth/buy/0/orders"] {
            let field = format!("/data/NSE_EQ/11536/{name}");
            let broker = Broker::saying([with(body.clone(), &field, &number)]).await;
            let quotes = client(&broker).quotes(&access(), &[TCS], Detail::Full).await;
            refused(quotes, name, &number);
        }
    }
    // What a price cannot be is what no number is.
    let broker =
        Broker::saying([with(body, "/data/NSE_EQ/11536/last_price", &json!("1e999"))]).await;
    let quotes = client(&broker).quotes(&access(), &[TCS], Detail::Full).await;
    refused(quotes, "last_price", &json!("1e999"));
}

#[tokio::test]
async fn in_candles() {
    let body = json!({
        "open": [1], "high": [1], "low": [1], "close": [1], "volume": [1], "open_interest": [1],
        "timestamp": [1_326_220_200],
    });
    let day = date(2012, 1, 11);
    for number in too_large() {
        for field in ["/volume/0", "/open_interest/0", "/timestamp/0"] {
            let broker = Broker::saying([with(body.clone(), field, &number)]).await;
            let candles = client(&broker).daily(&access(), FUTURE, Kind::FutIdx, day, day).await;
            refused(candles, field, &number);
        }
    }
}

#[tokio::test]
async fn in_a_chain() {
    let leg = json!({"last_price": 1, "oi": 1, "previous_oi": 1, "volume": 1, "security_id": 1});
    let body =
        json!({"data": {"last_price": 1, "oc": {"100.0": {"ce": leg}}}, "status": "success"});
    for number in too_large() {
        for name in ["oi", "previous_oi", "volume", "security_id"] {
            let field = format!("/data/oc/100.0/ce/{name}");
            let broker = Broker::saying([with(body.clone(), &field, &number)]).await;
            let chain = client(&broker).option_chain(&access(), NIFTY, date(2024, 10, 31)).await;
            refused(chain, name, &number);
        }
    }
}

#[tokio::test]
async fn in_an_account() {
    let held = json!([{"tradingSymbol": "TCS", "totalQty": 1, "availableQty": 1, "t1Qty": 1}]);
    let open = json!([{"tradingSymbol": "TCS", "netQty": 1, "buyQty": 1, "sellQty": 1}]);
    for number in too_large().into_iter().chain([json!(-1e30), json!("-9223372036854777856")]) {
        for field in ["/0/totalQty", "/0/availableQty", "/0/t1Qty"] {
            let broker = Broker::saying([with(held.clone(), field, &number)]).await;
            refused(client(&broker).holdings(&access()).await, field, &number);
        }
        for field in ["/0/netQty", "/0/buyQty", "/0/sellQty"] {
            let broker = Broker::saying([with(open.clone(), field, &number)]).await;
            refused(client(&broker).positions(&access()).await, field, &number);
        }
    }
}

#[tokio::test]
async fn the_largest_that_fit_are_taken_as_they_are() {
    let quote = json!({"last_price": 1, "volume": u64::MAX, "oi": "NaN"});
    let body = json!({"data": {"NSE_EQ": {"11536": quote}}, "status": "success"});
    let broker = Broker::saying([Answer::json(&body)]).await;
    let quotes = client(&broker).quotes(&access(), &[TCS], Detail::Full).await.unwrap();
    assert_eq!((quotes[0].1.volume, quotes[0].1.oi), (Some(u64::MAX), None));
    let body = json!([{"tradingSymbol": "TCS", "totalQty": i64::MAX}]);
    let broker = Broker::saying([Answer::json(&body)]).await;
    assert_eq!(client(&broker).holdings(&access()).await.unwrap()[0].quantity, i64::MAX);
}
