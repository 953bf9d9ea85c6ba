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

/// Whoever has no token, or only what stands for one, sees a simulated market, whatever was set: that
/// is said, and nothing is sent to a real broker (here nobody listens).
#[tokio::test]
async fn without_a_token_every_tool_sees_a_simulated_market() {
    let live = Some(("http://127.0.0.1:1/v2".to_owned(), Mark::Live));
    for endpoint in [None, live] {
        for token in
            [None, Some(""), Some("  "), Some("your_token"), Some("<token>"), Some("eyJ...")]
        {
            let mut floor = Floor::with(OPEN, endpoint.clone());
            if let Some(token) = token {
                floor.context = RunContext::new().with(Access::of_token(token));
            }
            assert_eq!(floor.desk.mark(&floor.context), Mark::Simulated, "{endpoint:?} {token:?}");
            let why = match token {
                None if endpoint.is_some() => " No access token for the broker was given.",
                None => "Nothing of it is real.",
                Some(token) if token.trim().is_empty() => {
                    " The access token that was given is empty."
                }
                Some(_) => " The access token that was given only stands for one.",
            };
            for tool in floor.desk.tools() {
                let name = tool.spec().name.as_str();
                let arguments = match name {
                    "search_instruments" => json!({"query": "NIFTY"}),
                    "find_instrument" => json!({"symbol": "NIFTY", "segment": "IDX_I"}),
                    "get_market_quote" => json!({"securities": {"IDX_I": [13]}}),
                    "get_positions" | "get_holdings" | "get_funds" => json!({}),
                    _ => json!({"security_id": 13, "exchange_segment": "IDX_I"}),
                };
                let said = floor.text(name, arguments).await;
                assert!(said.contains("Simulated data"), "{endpoint:?} {token:?} {name}: {said}");
                assert!(said.ends_with(why), "{endpoint:?} {token:?} {name}: {said}");
            }
        }
    }
}

/// A token opens the market that was set, and nothing else is tried where that does not answer.
#[tokio::test]
async fn a_token_sees_the_market_that_was_set() {
    let mut floor = Floor::with(OPEN, Some(("http://127.0.0.1:1/v2".to_owned(), Mark::Live)));
    floor.context = RunContext::new().with(Access::of_token("a-token-of-somebody"));
    assert_eq!(floor.desk.mark(&floor.context), Mark::Live);
    refused(&floor, "search_instruments", json!({"query": "NIFTY"})).await;
}

/// Something without options has an answer, and the same one whichever tool is asked.
#[tokio::test]
async fn what_has_no_options_is_no_error() {
    let floor = Floor::at(OPEN);
    for (id, segment) in [(13, "NSE_EQ"), (21, "IDX_I")] {
        let asked = json!({"security_id": id, "exchange_segment": segment});
        let dated = json!({"security_id": id, "exchange_segment": segment, "expiry": "2026-11-24"});
        let answers = [
            ("get_expiries", asked.clone()),
            ("get_option_chain", asked),
            ("get_option_chain", dated),
        ];
        for (name, arguments) in answers {
            let text = floor.text(name, arguments.clone()).await;
            assert!(
                text.contains(" has no options. This is no error"),
                "{name} {arguments}: {text}"
            );
            let data = floor.data(name, arguments).await;
            assert_eq!((&data["expiries"], &data["strikes"]), (&json!([]), &json!([])), "{data}");
        }
    }
}

/// A number is the id it is, in the segment it is one in, or nothing.
#[tokio::test]
async fn a_number_that_is_no_id_finds_nothing() {
    let floor = Floor::at(OPEN);
    for (number, segment) in [
        ("31337", "IDX_I"),
        ("99999", "IDX_I"),
        ("0", "IDX_I"),
        ("1333", "IDX_I"),
        ("12345", "NSE_EQ"),
        ("2885", "BSE_EQ"),
        ("27700", "NSE_FNO"),
        ("NIFTY 31337", "IDX_I"),
        ("RELIANCE 99999", "NSE_EQ"),
    ] {
        let asked = json!({"symbol": number, "segment": segment});
        let said = refused(&floor, "find_instrument", asked).await;
        assert!(said.starts_with(&format!("there is no {number} in {segment}")), "{said}");
    }
    let abb = floor.data("find_instrument", json!({"symbol": "13", "segment": "NSE_EQ"})).await;
    assert_eq!((&abb["trading_symbol"], &abb["security_id"]), (&json!("ABB"), &json!("13")));
    let elsewhere = json!({"symbol": "2885", "segment": "BSE_EQ"});
    let said = refused(&floor, "find_instrument", elsewhere).await;
    assert!(said.ends_with("but: Reliance Industries (RELIANCE), NSE_EQ 2885"), "{said}");

    for (query, left_out) in [
        ("NIFTY 31337", "\"31337\""),
        ("RELIANCE 99999 CE", "\"99999\", \"ce\""),
        ("relaince", "\"relaince\""),
        ("NIFTY banana", "\"banana\""),
        ("sensex mcx", "\"mcx\""),
    ] {
        let text = floor.text("search_instruments", json!({"query": query})).await;
        assert!(
            text.starts_with(&format!("Nothing fits all of \"{query}\"."))
                || text.starts_with("No instrument"),
            "{text}"
        );
        assert!(!text.contains("Found "), "{text}");
        assert!(text.starts_with("No instrument") || text.contains(left_out), "{query}: {text}");
        let data = floor.data("search_instruments", json!({"query": query})).await;
        assert_eq!(data["instruments"], json!([]), "{query}");
    }
    let text = floor.text("search_instruments", json!({"query": "99999"})).await;
    assert!(text.starts_with("No instrument matches \"99999\""), "{text}");
    for query in ["NIFTY 13", "2885 NSE_EQ", "RELIANCE (2885)", "reliance 500325"] {
        let data = floor.data("search_instruments", json!({"query": query})).await;
        assert_eq!(data["instruments"].as_array().unwrap().len(), 1, "{query}: {data}");
    }
}

/// A name that several have is answered with all of them.
#[tokio::test]
async fn an_ambiguous_name_is_answered_with_the_candidates() {
    let floor = Floor::at(OPEN);
    let asked = json!({"symbol": "TATA", "segment": "NSE_EQ"});
    let data = floor.data("find_instrument", asked.clone()).await;
    assert_eq!(data.get("security_id"), None);
    let found = data["instruments"].as_array().unwrap();
    assert!(found.len() > 2 && found.iter().all(|it| it["exchange_segment"] == "NSE_EQ"), "{data}");
    let json: Value = serde_json::from_str(&floor.json("find_instrument", asked).await).unwrap();
    assert!(json["note"].as_str().unwrap().contains("may be several in NSE_EQ"), "{json}");
    let text = floor.text("search_instruments", json!({"query": "TATA"})).await;
    assert!(text.starts_with("Several fit \"TATA\"; say which one is meant:"), "{text}");
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
