//! What is asked wrongly, and who may not ask.

use serde_json::{Value, json};
use toolwright_core::RunContext;
use toolwright_market::{Access, Clock, Limits, Mark, SimSettings, Simulator};

use crate::{CLOSED, Floor, OPEN};

async fn refused(floor: &Floor, name: &str, arguments: Value) -> String {
    floor.call(name, arguments).await.unwrap_err().to_string()
}

#[tokio::test]
async fn what_cannot_be_asked_for_is_told_with_what_can() {
    let floor = Floor::at(CLOSED);
    for (name, arguments, wanted) in [
        (
            "get_daily_ohlcv",
            json!({"security_id": 2885, "exchange_segment": "IDX_I"}),
            "there is no security 2885 in IDX_I: this id is Reliance Industries (RELIANCE), NSE_EQ 2885",
        ),
        (
            "get_daily_ohlcv",
            json!({"security_id": 13, "exchange_segment": "IDX_I", "instrument_type": "EQUITY"}),
            "Nifty 50 (NIFTY), IDX_I 13 is of type INDEX, not EQUITY: is it the one you mean?",
        ),
        (
            "get_market_quote",
            json!({"securities": {"NSE_XX": [13]}}),
            "`NSE_XX` is no segment: use one of IDX_I, NSE_EQ,",
        ),
        ("get_market_quote", json!({"securities": {}}), "`securities` names no instrument"),
        (
            "get_market_quote",
            json!({"securities": {"IDX_I": ["abc"]}}),
            "\"abc\" is no security id: it is a whole number, such as 13",
        ),
        (
            "get_intraday_ohlcv",
            json!({"security_id": 13, "exchange_segment": "IDX_I", "interval": "30"}),
            "candles of 30 minutes do not exist: use 1, 5, 15, 25 or 60",
        ),
        (
            "get_intraday_ohlcv",
            json!({"security_id": 13, "exchange_segment": "IDX_I", "interval": "daily"}),
            "for days there is get_daily_ohlcv",
        ),
        (
            "get_option_chain",
            json!({"security_id": 13, "exchange_segment": "IDX_I", "expiry": "2026-11-18"}),
            "no options on Nifty 50 (NIFTY), IDX_I 13 end on 2026-11-18; they end on: 2026-11-17,",
        ),
    ] {
        let said = refused(&floor, name, arguments.clone()).await;
        assert!(said.contains(wanted), "{name} {arguments}: {said}");
    }
}

#[tokio::test]
async fn a_live_market_needs_a_token() {
    let floor = Floor::with(OPEN, Some(("http://127.0.0.1:1/v2".to_owned(), Mark::Live)));
    for tool in floor.desk.tools() {
        let name = tool.spec().name.as_str();
        let arguments = match name {
            "search_instruments" => json!({"query": "NIFTY"}),
            "find_instrument" => json!({"symbol": "NIFTY", "segment": "IDX_I"}),
            "get_market_quote" => json!({"securities": {"IDX_I": [13]}}),
            "get_positions" | "get_holdings" | "get_funds" => json!({}),
            _ => json!({"security_id": 13, "exchange_segment": "IDX_I"}),
        };
        let said = refused(&floor, name, arguments).await;
        assert!(said.starts_with("there is no access token for the broker"), "{name}: {said}");
    }
}

async fn simulator(moment: &str) -> Simulator {
    let clock = Clock::Fixed(moment.parse().unwrap());
    let settings = SimSettings { clock, limits: Limits::none(), ..SimSettings::default() };
    Simulator::start(settings).await.unwrap()
}

#[tokio::test]
async fn a_token_that_is_not_good_is_told_and_never_shown() {
    let simulator = simulator(OPEN).await;
    let at = Some((simulator.base_url(), Mark::Simulated));
    for token in ["expired", "invalid"] {
        let mut floor = Floor::with(OPEN, at.clone());
        floor.context = RunContext::new().with(Access::new(token, "1000000001"));
        // Instruments need no token.
        assert!(floor.text("search_instruments", json!({"query": "NIFTY"})).await.contains("13"));
        for (name, arguments) in [
            ("get_market_quote", json!({"securities": {"IDX_I": [13]}})),
            ("get_daily_ohlcv", json!({"security_id": 13, "exchange_segment": "IDX_I"})),
            ("get_funds", json!({})),
        ] {
            let said = refused(&floor, name, arguments).await;
            assert!(said.to_lowercase().contains("token"), "{name}: {said}");
        }
    }
}

#[tokio::test]
async fn a_price_that_is_old_while_the_market_trades_is_stale() {
    let simulator = simulator("2026-11-13T05:00:00Z").await;
    let floor = Floor::with(OPEN, Some((simulator.base_url(), Mark::Simulated)));
    let securities = json!({"securities": {"NSE_EQ": [2885]}});
    let text = floor.text("get_market_quote", securities.clone()).await;
    assert!(text.contains(": stale, it is Fri 13 Nov 2026, 11:30 IST and NSE is open"), "{text}");
    let data = floor.data("get_market_quote", securities).await;
    assert_eq!(data["quotes"][0]["stale"], true);
}

#[tokio::test]
async fn the_broker_is_asked_where_there_is_a_token_and_the_simulator_where_there_is_none() {
    let floor = Floor::at(OPEN);
    let with_token = RunContext::new().with(Access::new("a-token-of-somebody", "1"));
    assert_eq!(floor.desk.mark(&RunContext::new()), Mark::Simulated);
    assert_eq!(floor.desk.mark(&with_token), Mark::Live);
    let placeholder = RunContext::new().with(Access::of_token("your_token"));
    assert_eq!(floor.desk.mark(&placeholder), Mark::Simulated);
}

/// What only stands for a token opens a simulated market, and that is said.
#[tokio::test]
async fn a_placeholder_is_no_token() {
    let mut floor = Floor::at(OPEN);
    floor.context = RunContext::new().with(Access::of_token("your_token"));
    for (name, arguments) in [
        ("get_market_quote", json!({"securities": {"IDX_I": [13]}})),
        ("get_option_chain", json!({"security_id": 13, "exchange_segment": "IDX_I"})),
        ("get_funds", json!({})),
    ] {
        let text = floor.text(name, arguments).await;
        assert!(text.ends_with("The access token that was given only stands for one."), "{text}");
    }
}
