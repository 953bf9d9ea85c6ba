//! What pages and programs read.

use serde_json::{Value, json};

use crate::{CLOSED, Floor, OPEN};

#[tokio::test]
async fn s0_4_search_and_quote_have_the_documented_form() {
    let floor = Floor::at(OPEN);
    let arguments = json!({"query": "NIFTY", "instrument_type": "INDEX"});
    let found = floor.data("search_instruments", arguments).await;
    let first = &found["instruments"][0];
    assert_eq!(first["security_id"], 13);
    assert_eq!(first["exchange_segment"], "IDX_I");
    assert_eq!(first["symbol_name"], "NIFTY");
    assert_eq!(found["simulated"], true);

    let quoted = floor.data("get_market_quote", json!({"securities": {"IDX_I": [13]}})).await;
    let quote = &quoted["quotes"][0];
    assert_eq!((&quote["security_id"], &quote["exchange_segment"]), (&json!(13), &json!("IDX_I")));
    assert!(quote["last_price"].as_f64().unwrap() > 1_000.0);
    assert_eq!((&quote["market"], &quote["stale"]), (&json!("open"), &json!(false)));
    assert_eq!(quoted["as_of"], "2026-11-13T11:30:00+05:30");
    assert_eq!(quoted["simulated"], true);
    assert!(!floor.has_kept(), "what is made up is not kept");
}

#[tokio::test]
async fn s1_5_find_instrument_returns_what_the_next_call_needs() {
    let floor = Floor::at(OPEN);
    let arguments = json!({"symbol": "NIFTY", "segment": "IDX_I"});
    let found = floor.data("find_instrument", arguments).await;
    assert_eq!(found["security_id"], "13");
    assert_eq!(found["exchange_segment"], "IDX_I");
    assert_eq!(found["instrument_type"], "INDEX");
    assert_eq!(found["trading_symbol"], "NIFTY");
}

/// S1.1: what the model reads is JSON in the documented form.
#[tokio::test]
async fn s1_1_the_model_reads_json() {
    let floor = Floor::at(CLOSED);
    let found = floor.json("find_instrument", json!({"symbol": "NIFTY", "segment": "IDX_I"})).await;
    let begin = r#"{"security_id":"13","exchange_segment":"IDX_I","instrument_type":"INDEX","trading_symbol":"NIFTY","#;
    assert!(found.starts_with(begin), "{found}");

    let share = json!({"security_id": 2885, "exchange_segment": "NSE_EQ"});
    for (name, many, date) in
        [("get_daily_ohlcv", 16, "2026-10-16"), ("get_intraday_ohlcv", 75, "2026-11-13 09:15")]
    {
        let json = floor.json(name, share.clone()).await;
        assert!(json.starts_with(&format!(r#"[{{"date":"{date}","open":"#)), "{json}");
        let rows: Vec<Value> = serde_json::from_str(&json).unwrap();
        let data = floor.data(name, share.clone()).await;
        let drawn = data["candles"].as_array().unwrap();
        assert_eq!(rows.len(), drawn.len(), "{name}: none is left out");
        assert!(rows.len() >= many, "{name}: {}", rows.len());
        for (row, drawn) in rows.iter().zip(drawn) {
            let fields = ["open", "high", "low", "close", "volume"].map(|it| row[it].clone());
            assert_eq!(json!(fields), json!(drawn.as_array().unwrap()[1..]));
            assert_eq!(row["simulated"], true);
        }
    }
}

/// Where there are too many to read, or none, that is said, and the JSON is still JSON.
#[tokio::test]
async fn s1_1_what_is_left_out_is_said() {
    let floor = Floor::at(CLOSED);
    let minutes = json!({"security_id": 2885, "exchange_segment": "NSE_EQ", "interval": "1",
        "from_date": "2026-11-12", "to_date": "2026-11-13"});
    let json = floor.json("get_intraday_ohlcv", minutes.clone()).await;
    assert!(json.len() < 50_000, "the runtime does not shorten it: {}", json.len());
    let read: Value = serde_json::from_str(&json).unwrap();
    let note = read["note"].as_str().unwrap();
    assert!(note.starts_with("These are the newest 400 of 750 candles."), "{note}");
    let rows = read["candles"].as_array().unwrap();
    assert_eq!(rows.len(), 400);
    assert_eq!(rows[399]["date"], "2026-11-13 15:29");
    let data = floor.data("get_intraday_ohlcv", minutes).await;
    assert_eq!(data["candles"].as_array().unwrap().len(), 750);

    let weekend = json!({"security_id": 2885, "exchange_segment": "NSE_EQ",
        "from_date": "2026-11-14", "to_date": "2026-11-15"});
    let none: Value = serde_json::from_str(&floor.json("get_daily_ohlcv", weekend).await).unwrap();
    assert_eq!(none["candles"], json!([]));
    assert!(none["note"].as_str().unwrap().starts_with("There was no trading then"), "{none}");
}

#[tokio::test]
async fn one_candle_is_one() {
    let floor = Floor::at(CLOSED);
    let day = json!({"security_id": 2885, "exchange_segment": "NSE_EQ",
        "from_date": "2026-11-13", "to_date": "2026-11-13"});
    let text = floor.text("get_daily_ohlcv", day).await;
    assert!(text.contains(": 1 daily candle, "), "{text}");
}

/// A number is found in every segment it is one in.
#[tokio::test]
async fn a_number_is_found_where_it_is_one() {
    let floor = Floor::at(OPEN);
    let found = floor.data("search_instruments", json!({"query": "13"})).await;
    let found = found["instruments"].as_array().unwrap();
    let all: Vec<_> =
        found.iter().map(|it| (&it["security_id"], &it["exchange_segment"])).collect();
    let id = &json!(13);
    assert!(
        all.contains(&(id, &json!("IDX_I"))) && all.contains(&(id, &json!("NSE_EQ"))),
        "{all:?}"
    );
}

/// A share that is held can be asked about: its id comes with the segment it belongs to.
#[tokio::test]
async fn what_is_held_says_where_it_is_traded() {
    let floor = Floor::at(OPEN);
    let held = floor.data("get_holdings", json!({})).await;
    for it in held["holdings"].as_array().unwrap() {
        let (segment, id) = (it["exchange_segment"].as_str().unwrap(), &it["security_id"]);
        let quote = floor.data("get_market_quote", json!({"securities": {segment: [id]}})).await;
        assert_eq!(quote["quotes"][0]["symbol_name"], it["symbol"]);
    }
}

/// More than can be shown is cut with a word, and is no error.
#[tokio::test]
async fn more_strikes_than_can_be_shown_are_cut_with_a_word() {
    let floor = Floor::at(OPEN);
    let nifty = json!({"security_id": 13, "exchange_segment": "IDX_I", "strikes": 500});
    let all = floor.data("get_option_chain", nifty.clone()).await;
    assert!(all["strikes"].as_array().unwrap().len() > 50);
    let text = floor.text("get_option_chain", nifty).await;
    assert!(text.contains("\n\n50 strikes are the most that are shown at once."), "{text}");
    assert!(text.contains("50 of "), "{text}");
}

/// `[epoch, open, high, low, close, volume]`, the oldest first, each within its day.
fn assert_drawable(data: &Value) -> usize {
    let candles = data["candles"].as_array().unwrap();
    let mut before = 0;
    for candle in candles {
        let row: Vec<f64> =
            candle.as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect();
        let [at, open, high, low, close, volume] = row[..] else { panic!("{candle}") };
        assert!(at as i64 > before, "{candle} is not after {before}");
        assert!(low <= open && low <= close && high >= open && high >= close, "{candle}");
        assert!(volume >= 0.0);
        before = at as i64;
    }
    candles.len()
}

#[tokio::test]
async fn history_can_be_drawn() {
    let floor = Floor::at(CLOSED);
    let share = json!({"security_id": 2885, "exchange_segment": "NSE_EQ"});
    let daily = floor.data("get_daily_ohlcv", share.clone()).await;
    assert_eq!((&daily["symbol"], &daily["interval"]), (&json!("RELIANCE"), &json!("1d")));
    assert_eq!(daily["simulated"], true);
    assert!(assert_drawable(&daily) > 15);
    let intraday = floor.data("get_intraday_ohlcv", share.clone()).await;
    assert_eq!(intraday["interval"], "5m");
    assert_eq!(assert_drawable(&intraday), 75, "a day of five-minute candles");
    let first = intraday["candles"][0][0].as_i64().unwrap();
    assert_eq!(first, "2026-11-13T03:45:00Z".parse::<jiff::Timestamp>().unwrap().as_second());

    let weekend = json!({"security_id": 2885, "exchange_segment": "NSE_EQ",
        "from_date": "2026-11-14", "to_date": "2026-11-15"});
    let nothing = floor.data("get_daily_ohlcv", weekend).await;
    assert_eq!(nothing["candles"], json!([]), "no data is no error");
}

#[tokio::test]
async fn the_ids_in_a_chain_can_be_asked_for() {
    let floor = Floor::at(OPEN);
    for (id, segment) in [(13, "NSE_FNO"), (51, "BSE_FNO")] {
        let arguments = json!({"security_id": id, "exchange_segment": "IDX_I"});
        let chain = floor.data("get_option_chain", arguments).await;
        assert_eq!(chain["exchange_segment"], segment);
        let strike = &chain["strikes"][10];
        let call = strike["call"]["security_id"].clone();
        let securities = json!({"securities": {segment: [call]}});
        let quote = floor.data("get_market_quote", securities).await;
        assert_eq!(quote["quotes"][0]["last_price"], strike["call"]["last_price"]);
    }
}

#[tokio::test]
async fn the_account_of_a_simulated_market_is_said_to_be_so() {
    let floor = Floor::at(OPEN);
    for name in ["get_positions", "get_holdings", "get_funds"] {
        assert_eq!(floor.data(name, json!({})).await["simulated"], true, "{name}");
        assert!(floor.text(name, json!({})).await.contains("Simulated data"), "{name}");
    }
}
