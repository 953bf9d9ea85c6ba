//! "How Tool Responses Are Stored and Accessed": one conversation, and checks before a call runs.

use serde_json::{Value, json};
use toolwright_testkit::{ModelServer, Reply, Script};

use super::{messages, results};
use crate::harness::Cli;

const QUERY: &str = "Get OHLCV data for NIFTY";

fn find() -> Reply {
    let arguments = r#"{"symbol":"NIFTY","segment":"IDX_I"}"#;
    Reply::calls([("a", "find_instrument", arguments)])
}

fn daily(id: &str) -> Reply {
    let arguments = json!({"security_id": id, "exchange_segment": "IDX_I"}).to_string();
    Reply::calls([("b", "get_daily_ohlcv", arguments.as_str())])
}

fn answer() -> Reply {
    Reply::text("Here are NIFTY's candles; the data is simulated.")
}

async fn ask(script: Script, config: &str) -> (ModelServer, Vec<Value>) {
    let model = ModelServer::start(script).await;
    let cli = Cli::asking(&model).configured(config);
    let ended = cli.run(&["ask", "--json", "--task", "trading", QUERY]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    model.assert_clean();
    (model, ended.events())
}

fn parsed(result: &str) -> Value {
    serde_json::from_str(result).unwrap_or_else(|error| panic!("{error}: {result}"))
}

/// > content: '{"security_id":"13","exchange_segment":"IDX_I","instrument_type":"INDEX","trading_symbol":"NIFTY"}'
/// > content: '[{"date":"2025-12-15","open":25930.05,"high":26047.15,...}]'
/// > **Tool results are JSON strings**: The `content` field is a JSON string
#[tokio::test]
async fn tool_results_are_json_strings() {
    let script = Script::new().reply(find()).reply(daily("13")).reply(answer());
    let (model, _) = ask(script, "").await;
    let told = results(&model);
    let found = parsed(&told[0]);
    for (name, value) in [
        ("security_id", "13"),
        ("exchange_segment", "IDX_I"),
        ("instrument_type", "INDEX"),
        ("trading_symbol", "NIFTY"),
    ] {
        assert_eq!(found[name], value, "{found}");
    }
    let candles = parsed(&told[1]);
    let candles = candles.as_array().unwrap_or_else(|| panic!("no array: {candles}"));
    assert!(candles.len() > 15, "{}", candles.len());
    for candle in candles {
        let date = candle["date"].as_str().unwrap();
        assert!(date.len() == 10 && date.parse::<jiff::civil::Date>().is_ok(), "{candle}");
        for name in ["open", "high", "low", "close"] {
            assert!(candle[name].is_number(), "{candle}");
        }
    }
}

/// > **The entire conversation array is sent to the LLM**
/// > Agent sends updated conversation to LLM (now has 3 messages) … (now has 4 messages)
#[tokio::test]
async fn each_iteration_has_the_full_history() {
    let script = Script::new().reply(find()).reply(daily("13")).reply(answer());
    let (model, _) = ask(script, "").await;
    let rounds: Vec<_> = (0..3).map(|number| messages(&model, number)).collect();
    assert_eq!(
        (&rounds[0][0]["role"], &rounds[0][1]["content"]),
        (&json!("system"), &json!(QUERY))
    );
    for pair in rounds.windows(2) {
        assert_eq!(pair[1][..pair[0].len()], pair[0], "what was sent is sent again, unchanged");
        assert_eq!(pair[1].len(), pair[0].len() + 2, "a call, and what it returned");
        assert_eq!(pair[1].last().unwrap()["role"], "tool");
    }
}

/// > LLM doesn't use placeholders like `<security_id>` (line 439)
/// > LLM uses actual values from previous tool results (line 445)
#[tokio::test]
async fn placeholders_and_invented_values_are_refused() {
    let script = Script::new()
        .reply(find())
        .reply(daily("<security_id>"))
        .reply(daily("99926000"))
        .reply(daily("13"))
        .reply(answer());
    let (model, shown) = ask(script, "").await;
    let told = results(&model);
    assert!(told[1].contains("placeholder `<security_id>`"), "{}", told[1]);
    assert!(told[2].contains("99926000") && told[2].contains("security_id 13"), "{}", told[2]);
    let done = shown.last().unwrap();
    let statuses = done["tool_calls"].as_array().unwrap().iter().map(|it| it["status"].clone());
    assert_eq!(statuses.collect::<Vec<_>>(), ["success", "refused", "refused", "success"]);
}

/// > LLM doesn't call multiple tools at once (line 390)
/// > **Sequential execution**: Tools are called one at a time, results added sequentially
#[tokio::test]
async fn one_tool_at_a_time() {
    let both = Reply::calls([
        ("a", "find_instrument", r#"{"symbol":"NIFTY","segment":"IDX_I"}"#),
        ("b", "find_instrument", r#"{"symbol":"BANKNIFTY","segment":"IDX_I"}"#),
    ]);
    let script = Script::new().reply(both).reply(daily("13")).reply(answer());
    let (model, shown) = ask(script, "[tasks.trading]\none_at_a_time = true\n").await;
    let done = shown.last().unwrap();
    let statuses = done["tool_calls"].as_array().unwrap().iter().map(|it| it["status"].clone());
    assert_eq!(statuses.collect::<Vec<_>>(), ["success", "refused", "success"]);
    assert!(results(&model)[1].contains("was not run"), "{}", results(&model)[1]);
}
