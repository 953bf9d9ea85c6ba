//! Option chains.

use jiff::civil::date;
use serde_json::json;
use toolwright_market::{Leg, MarketErrorKind, OptionChain, Strike};

use super::{
    NIFTY, access,
    broker::{Answer, Broker},
    client, error_of,
};

#[tokio::test]
async fn the_days_options_end_on() {
    let data = json!(["2024-10-24", "2024-10-17", "2024-10-24", "soon", 3]);
    let broker = Broker::saying([Answer::json(&json!({"data": data, "status": "success"}))]).await;
    let days = client(&broker).expiries(&access(), NIFTY).await.unwrap();
    assert_eq!(days, [date(2024, 10, 17), date(2024, 10, 24)]);
    let seen = broker.seen();
    assert_eq!(seen[0].path, "/v2/optionchain/expirylist");
    assert_eq!(seen[0].body, json!({"UnderlyingScrip": 13, "UnderlyingSeg": "IDX_I"}));
    assert_eq!(seen[0].header("client-id"), Some("1000000001"));
}

#[tokio::test]
async fn a_chain_in_the_order_of_its_prices() {
    let call = json!({
        "average_price": 146.99,
        "greeks": {"delta": 0.53871, "theta": -15.1539, "gamma": 0.00132, "vega": 12.18593},
        "implied_volatility": 9.789, "last_price": 134, "oi": 3_786_445, "previous_close_price": 244.85,
        "previous_oi": 402_220, "previous_volume": 31_931_705, "security_id": 42_528,
        "top_ask_price": 134, "top_ask_quantity": 1365, "top_bid_price": 133.55,
        "top_bid_quantity": 1625, "volume": 117_567_970
    });
    let oc = json!({
        "9500.000000": {"pe": {"last_price": 1}},
        "25650.000000": {"ce": call, "pe": null},
        "10000.500000": {"ce": {"last_price": "2.5", "security_id": "7"}, "pe": {}},
        "1.000000": {}, "price": {"ce": {"last_price": 1}}
    });
    let body = json!({"data": {"last_price": 25642.8, "oc": oc}, "status": "success"});
    let broker = Broker::saying([Answer::json(&body)]).await;
    let expiry = date(2024, 10, 31);
    let chain = client(&broker).option_chain(&access(), NIFTY, expiry).await.unwrap();
    let full = Leg {
        security_id: Some(42_528),
        last_price: 134.0,
        previous_close: Some(244.85),
        implied_volatility: Some(9.789),
        delta: Some(0.53871),
        theta: Some(-15.1539),
        gamma: Some(0.00132),
        vega: Some(12.18593),
        oi: Some(3_786_445),
        previous_oi: Some(402_220),
        volume: Some(117_567_970),
        bid: Some(133.55),
        ask: Some(134.0),
    };
    let bare = |last_price, security_id| Leg { last_price, security_id, ..Leg::default() };
    let strikes = vec![
        Strike { strike: 9500.0, call: None, put: Some(bare(1.0, None)) },
        Strike { strike: 10_000.5, call: Some(bare(2.5, Some(7))), put: None },
        Strike { strike: 25_650.0, call: Some(full), put: None },
    ];
    assert_eq!(chain, OptionChain { expiry, last_price: 25_642.8, strikes });
    let seen = broker.seen();
    assert_eq!(seen[0].path, "/v2/optionchain");
    let asked = json!({"UnderlyingScrip": 13, "UnderlyingSeg": "IDX_I", "Expiry": "2024-10-31"});
    assert_eq!(seen[0].body, asked);
}

#[tokio::test]
async fn an_empty_chain_is_no_data() {
    let broker = Broker::saying([
        Answer::json(&json!({"data": {"last_price": 0, "oc": {}}, "status": "success"})),
        Answer::json(&json!({"data": {"oc": {"1.0": {"ce": {"last_price": 1}}}}})),
        Answer::json(&json!({"status": "success"})),
    ])
    .await;
    let client = client(&broker);
    let day = date(2024, 10, 31);
    let error = error_of(client.option_chain(&access(), NIFTY, day).await);
    assert_eq!(error.kind, MarketErrorKind::NoData);
    assert!(error.message.contains("no options on IDX_I:13 that end on 2024-10-31"), "{error}");
    let error = error_of(client.option_chain(&access(), NIFTY, day).await);
    assert_eq!(error.kind, MarketErrorKind::Unreadable);
    let error = error_of(client.expiries(&access(), NIFTY).await);
    assert_eq!(error.kind, MarketErrorKind::Unreadable);
}
