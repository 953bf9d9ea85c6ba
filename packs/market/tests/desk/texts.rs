//! What the model reads.

use serde_json::{Value, json};

use crate::{CLOSED, Floor, OPEN};

async fn texts(floor: &Floor, name: &str, calls: Vec<Value>) -> String {
    let mut all = Vec::new();
    for arguments in calls {
        let text = floor.text(name, arguments.clone()).await;
        all.push(format!("> {name} {arguments}\n{text}"));
    }
    all.join("\n\n")
}

#[tokio::test]
async fn instruments() {
    let floor = Floor::at(OPEN);
    let searched = texts(
        &floor,
        "search_instruments",
        vec![
            json!({"query": "NIFTY", "instrument_type": "INDEX"}),
            json!({"query": "relaince", "instrument_type": "EQUITY"}),
            json!({"query": "NIFTY 25000 CE"}),
            json!({"query": "zzzzqq"}),
        ],
    );
    insta::assert_snapshot!("search", searched.await);
    let found = texts(
        &floor,
        "find_instrument",
        vec![
            json!({"symbol": "NIFTY", "segment": "IDX_I"}),
            json!({"symbol": "bank nifty", "segment": "IDX_I"}),
            json!({"symbol": "NIFTY", "segment": "NSE_EQ"}),
            json!({"symbol": "RELIANCE", "segment": "nse"}),
            json!({"symbol": "zzzzqq", "segment": "NSE_EQ"}),
        ],
    );
    insta::assert_snapshot!("find", found.await);
}

#[tokio::test]
async fn quotes() {
    let calls = || {
        vec![
            json!({"securities": {"IDX_I": [13]}}),
            json!({"securities": {"NSE_EQ": ["2885", 1333], "MCX_COMM": [1]}}),
            json!({"securities": {"IDX_I": [13, 25, 27, 51], "NSE_EQ": [2885, 1333, 11536]}}),
        ]
    };
    let open = Floor::at(OPEN);
    insta::assert_snapshot!("quotes_open", texts(&open, "get_market_quote", calls()).await);
    let closed = Floor::at(CLOSED);
    insta::assert_snapshot!("quotes_closed", texts(&closed, "get_market_quote", calls()).await);
}

#[tokio::test]
async fn candles() {
    let floor = Floor::at(CLOSED);
    let nifty = json!({"security_id": "13", "exchange_segment": "IDX_I"});
    let share = |more: Value| {
        let mut arguments = json!({"security_id": 2885, "exchange_segment": "NSE_EQ"});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    let weekend = json!({"from_date": "2026-11-14", "to_date": "2026-11-15"});
    let week = json!({"from_date": "2026-11-09", "to_date": "2026-11-13"});
    let daily = vec![nifty, share(week), share(weekend)];
    insta::assert_snapshot!("daily", texts(&floor, "get_daily_ohlcv", daily).await);
    let intraday = vec![
        share(json!({"interval": "15"})),
        share(json!({"interval": "60", "from_date": "2026-11-12 09:15", "to_date": "2026-11-12"})),
    ];
    insta::assert_snapshot!("intraday", texts(&floor, "get_intraday_ohlcv", intraday).await);
    let either = vec![
        share(json!({"from_date": "2026-11-12"})),
        share(json!({"interval": "60", "from_date": "2026-11-13"})),
    ];
    insta::assert_snapshot!("historical", texts(&floor, "get_historical_data", either).await);
}

#[tokio::test]
async fn options() {
    let floor = Floor::at(OPEN);
    let nifty = || json!({"security_id": 13, "exchange_segment": "IDX_I"});
    insta::assert_snapshot!("expiries", texts(&floor, "get_expiries", vec![nifty()]).await);
    let chain = vec![
        json!({"security_id": 13, "exchange_segment": "IDX_I", "strikes": 4}),
        json!({"security_id": 13, "exchange_segment": "IDX_I", "expiry": "2026-11-18"}),
        json!({"security_id": 21, "exchange_segment": "IDX_I"}),
    ];
    insta::assert_snapshot!("chain", texts(&floor, "get_option_chain", chain).await);
}

#[tokio::test]
async fn account() {
    let floor = Floor::at(OPEN);
    let mut all = Vec::new();
    for name in ["get_positions", "get_holdings", "get_funds"] {
        all.push(texts(&floor, name, vec![json!({})]).await);
    }
    insta::assert_snapshot!("account", all.join("\n\n"));
}
