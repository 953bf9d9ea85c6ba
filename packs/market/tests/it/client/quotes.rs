//! Quotes.

use jiff::civil::date;
use serde_json::{Map, Value, json};
use toolwright_market::{Depth, Detail, Key, Level, MarketErrorKind, Ohlc, Quote, Segment};

use super::{
    NIFTY, TCS, access,
    broker::{Answer, Broker},
    client, error_of,
};

#[tokio::test]
async fn last_prices_of_several_segments() {
    let broker = Broker::saying([Answer::json(&json!({
        "data": {"NSE_EQ": {"11536": {"last_price": 4520}}, "IDX_I": {"13": {"last_price": "25,642.8"}}},
        "status": "success"
    }))])
    .await;
    let unknown = Key { segment: Segment::NseFno, id: 49_081 };
    let keys = [NIFTY, unknown, TCS, NIFTY];
    let quotes = client(&broker).quotes(&access(), &keys, Detail::Ltp).await.unwrap();
    let price = |last_price| Quote { last_price, ..Quote::default() };
    assert_eq!(quotes, [(NIFTY, price(25_642.8)), (TCS, price(4520.0))]);

    let seen = broker.seen();
    let [request] = seen.as_slice() else { panic!("{seen:?}") };
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v2/marketfeed/ltp"));
    assert_eq!(request.body, json!({"NSE_EQ": [11536], "NSE_FNO": [49081], "IDX_I": [13]}));
    assert_eq!(request.header("access-token"), Some(super::TOKEN));
    assert_eq!(request.header("client-id"), Some("1000000001"));
    assert_eq!(request.header("content-type"), Some("application/json"));
}

#[tokio::test]
async fn all_of_a_quote() {
    let never = json!({
        "average_price": 0, "buy_quantity": 1825, "sell_quantity": 0,
        "depth": {
            "buy": [{"quantity": 1800, "orders": 1, "price": 77}, {"quantity": 0, "orders": 0, "price": 0}],
            "sell": [{"quantity": 0, "orders": 0, "price": 0}]
        },
        "last_price": 368.15, "last_quantity": 0, "last_trade_time": "01/01/1980 00:00:00",
        "lower_circuit_limit": 48.25, "upper_circuit_limit": 510.85, "net_change": -1.5,
        "ohlc": {"open": 0, "close": 368.15, "high": 0, "low": 0},
        "oi": 0, "oi_day_high": 0, "oi_day_low": 0, "volume": "12"
    });
    let index =
        json!({"last_price": 25642.8, "last_trade_time": "14/03/2025 15:29:59", "depth": null});
    let data = json!({"NSE_EQ": {"11536": never}, "IDX_I": {"13": index}});
    let broker = Broker::saying([Answer::json(&json!({"data": data, "status": "success"}))]).await;
    let quotes = client(&broker).quotes(&access(), &[TCS, NIFTY], Detail::Full).await.unwrap();
    let never = Quote {
        last_price: 368.15,
        ohlc: Some(Ohlc { open: 0.0, high: 0.0, low: 0.0, close: 368.15 }),
        last_trade: None,
        net_change: Some(-1.5),
        volume: Some(12),
        average_price: Some(0.0),
        oi: Some(0),
        lower_circuit: Some(48.25),
        upper_circuit: Some(510.85),
        depth: Some(Depth {
            buy: vec![Level { price: 77.0, quantity: 1800, orders: 1 }],
            sell: vec![],
        }),
    };
    let last_trade = Some(date(2025, 3, 14).at(15, 29, 59, 0));
    let index = Quote { last_price: 25_642.8, last_trade, ..Quote::default() };
    assert_eq!(quotes, [(TCS, never), (NIFTY, index)]);
    assert_eq!(broker.seen()[0].path, "/v2/marketfeed/quote");
}

#[tokio::test]
async fn more_than_fit_in_a_request_are_split_and_merged() {
    let broker = Broker::start(|_, request| {
        let mut data = Map::new();
        for (segment, ids) in request.body.as_object().unwrap() {
            let price = |id: &Value| (id.to_string(), json!({"last_price": id}));
            let quotes: Map<_, _> = ids.as_array().unwrap().iter().map(price).collect();
            data.insert(segment.clone(), quotes.into());
        }
        Answer::json(&json!({"data": data, "status": "success"}))
    })
    .await;
    let key = |id| Key { segment: if id % 2 == 0 { Segment::NseEq } else { Segment::NseFno }, id };
    let keys: Vec<_> = (1..=2_001).map(key).collect();
    let quotes = client(&broker).quotes(&access(), &keys, Detail::Ohlc).await.unwrap();
    let got: Vec<_> = quotes.iter().map(|(key, quote)| (*key, quote.last_price)).collect();
    let wanted: Vec<_> = keys.iter().map(|key| (*key, key.id as f64)).collect();
    assert_eq!(got, wanted);
    let count = |request: &super::broker::Seen| -> usize {
        request.body.as_object().unwrap().values().map(|ids| ids.as_array().unwrap().len()).sum()
    };
    let counts: Vec<_> = broker.seen().iter().map(count).collect();
    assert_eq!(counts, [1000, 1000, 1]);
}

#[tokio::test]
async fn nothing_is_asked_for_nothing() {
    let broker = Broker::saying([Answer::raw(500, "")]).await;
    let quotes = client(&broker).quotes(&access(), &[], Detail::Ltp).await.unwrap();
    assert_eq!((quotes, broker.asked()), (vec![], 0));
}

#[tokio::test]
async fn what_has_no_price_or_another_shape_is_left_out() {
    let data = json!({"NSE_EQ": {"11536": {"last_price": null}}, "IDX_I": ["13"]});
    let broker = Broker::saying([Answer::json(&json!({"data": data}))]).await;
    let quotes = client(&broker).quotes(&access(), &[TCS, NIFTY], Detail::Ltp).await.unwrap();
    assert_eq!(quotes, []);
}

#[tokio::test]
async fn an_answer_without_quotes_is_not_taken_for_an_empty_one() {
    let broker = Broker::saying([Answer::json(&json!({"hello": 1}))]).await;
    let error = error_of(client(&broker).quotes(&access(), &[TCS], Detail::Ltp).await);
    assert_eq!(error.kind, MarketErrorKind::Unreadable);
}
