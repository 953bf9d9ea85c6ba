//! "How Tools Are Called in the AI Agent": a trading desk.

use serde_json::{Value, json};
use toolwright_testkit::{ModelServer, Reply, Script};

use super::{Served, events, messages, results};
use crate::harness::Cli;

const PRICE: &str = "What's the current price of NIFTY?";

fn search() -> Reply {
    let arguments = r#"{"query":"NIFTY","instrument_type":"INDEX"}"#;
    Reply::calls([("call_abc123", "search_instruments", arguments)])
}

fn quote() -> Reply {
    Reply::calls([("call_2", "get_market_quote", r#"{"securities":{"IDX_I":[13]}}"#)])
}

fn answer() -> Reply {
    Reply::text("The price of NIFTY 50 is in the quote above; the data is simulated.")
}

async fn desk(script: Script) -> (Served, ModelServer, Cli) {
    let model = ModelServer::start(script).await;
    let cli = Cli::asking(&model);
    (Served::start(&cli, &[]).await, model, cli)
}

/// > POST /api/chat/stream
/// > { "message": "What's the current price of NIFTY?", "access_token": "eyJ...", "task": "trading" }
fn request() -> Value {
    json!({"message": PRICE, "access_token": "eyJ...", "task": "trading"})
}

/// The fifteen boxes of "Complete Flow Diagram".
#[tokio::test]
async fn the_complete_flow() {
    let (desk, model, _cli) =
        desk(Script::new().reply(search()).reply(quote()).reply(answer())).await;
    let shown = desk.asked(&request()).await;
    model.assert_clean();

    // > 3. Loads DHANHQ_TOOLS (tool definitions). Builds system prompt with tool instructions
    // > 4. "tool_choice": "auto"  // or "required" for trading
    let first = &model.requests()[0].body;
    assert_eq!(first["tool_choice"], "required");
    assert_eq!(first["messages"][0]["role"], "system");
    assert_eq!(first["messages"][1], json!({"role": "user", "content": PRICE}));
    let system = first["messages"][0]["content"].as_str().unwrap();
    let tools = first["tools"].as_array().unwrap();
    for (name, description) in [
        ("search_instruments", "Search for instruments"),
        ("get_market_quote", "Get current prices"),
        ("get_historical_data", ""),
    ] {
        let tool = tools.iter().find(|it| it["function"]["name"] == name).unwrap();
        assert_eq!(tool["type"], "function");
        assert!(tool["function"]["description"].as_str().unwrap().starts_with(description));
        assert!(system.contains(name), "{name} is missing in {system}");
    }

    // > 10. "role": "tool", "tool_call_id": "call_abc123", "name": "search_instruments",
    // >     "content": "✅ Success!\n\nFound NIFTY 50..."
    let second = messages(&model, 1);
    assert_eq!(second[2]["tool_calls"][0]["id"], "call_abc123");
    assert_eq!(second[3]["role"], "tool");
    assert_eq!(second[3]["tool_call_id"], "call_abc123");
    let found = second[3]["content"].as_str().unwrap();
    assert!(found.starts_with("✅ Success!\n\nFound "), "{found}");
    assert!(found.contains("\n- Security ID: 13\n- Exchange: IDX_I\n"), "{found}");
    // > 11. "tools": [...]  // Still available for next round
    assert_eq!(model.requests()[1].body["tools"], first["tools"]);
    assert_ne!(model.requests()[1].body["tool_choice"], "required");

    // > Tool calls are sent to frontend as they happen: {"type": "tool_calls", "tool_calls": [...]}
    // > Final response streams after all tools complete
    let place = |kind: &str| shown.iter().rposition(|it| it["type"] == kind).unwrap();
    let called: Vec<_> = shown.iter().filter(|it| it["type"] == "tool_calls").collect();
    assert_eq!(called.len(), 2);
    assert_eq!(called[0]["tool_calls"][0]["tool"], "search_instruments", "{}", called[0]);
    assert!(place("tool_calls") < shown.iter().position(|it| it["type"] == "content").unwrap());

    // > 15. "response": "The current price of NIFTY 50 is...",
    // >     "tool_calls": [ { "tool": "search_instruments", "status": "success", "args": {...} }, … ]
    let done = shown.last().unwrap();
    assert!(done["response"].as_str().unwrap().starts_with("The price of NIFTY 50 is "));
    assert_eq!(
        done["tool_calls"],
        json!([
            {"tool": "search_instruments", "status": "success",
             "args": {"query": "NIFTY", "instrument_type": "INDEX"}},
            {"tool": "get_market_quote", "status": "success", "args": {"securities": {"IDX_I": [13]}}},
        ])
    );
}

/// > 3. **Direct API Test**: curl -X POST http://localhost:8001/api/chat/stream …
#[tokio::test]
async fn the_direct_api_test_as_printed() {
    // Nothing is configured: this is a new user's server.
    let cli = Cli::new();
    let desk = Served::start(&cli, &[]).await;
    let printed = desk
        .printed(
            r#"curl -X POST http://localhost:8001/api/chat/stream \
     -H "Content-Type: application/json" \
     -d '{
       "message": "What is the price of NIFTY?",
       "access_token": "your_token"
     }'"#,
        )
        .await;
    let shown = events(&printed);
    let done = shown.last().unwrap_or_else(|| panic!("nothing came: {printed}"));
    let ran: Vec<_> = done["tool_calls"].as_array().unwrap().iter().collect();
    assert_eq!(ran[0]["tool"], "search_instruments", "{done}");
    assert!(ran.iter().all(|it| it["status"] == "success"), "{done}");
    let response = done["response"].as_str().unwrap();
    assert!(response.contains("NIFTY") && response.contains("Simulated"), "{response}");
}

/// > Detects trading request (has access_token)
#[tokio::test]
async fn an_access_token_makes_it_a_trading_request() {
    let (desk, model, _cli) =
        desk(Script::new().reply(search()).reply(answer()).reply(answer())).await;
    desk.asked(&json!({"message": PRICE, "access_token": "eyJ..."})).await;
    desk.asked(&json!({"message": "Hello", "task": "demo"})).await;
    let requests = model.requests();
    assert_eq!(requests[0].body["tool_choice"], "required");
    // > "tool_choice": "auto"
    let other = &requests[2].body;
    assert!(matches!(other["tool_choice"].as_str(), None | Some("auto")), "{other}");
    assert!(!other["tools"].to_string().contains("get_market_quote"), "{other}");
}

/// > If a tool fails: Error message is sent back to LLM. LLM can try alternative approaches
#[tokio::test]
async fn an_error_goes_back_to_the_model() {
    let script = Script::new()
        .reply(Reply::calls([
            // > function_args = json.loads(tool_call["function"]["arguments"])
            ("a", "search_instruments", r#"{"query": "NIFTY"#),
            // > Routes to appropriate handler
            ("b", "get_weather_on_mars", "{}"),
            ("c", "search_instruments", r#"{"query":"NIFTY","instrument_type":"PLANET"}"#),
        ]))
        .reply(search())
        .reply(answer());
    let (desk, model, _cli) = desk(script).await;
    let shown = desk.asked(&request()).await;
    let told = results(&model);
    assert!(told[0].contains("arguments"), "{}", told[0]);
    assert!(told[1].contains("get_weather_on_mars"), "{}", told[1]);
    assert!(told[1].contains("search_instruments") && told[1].contains("get_market_quote"));
    assert!(told[2].contains("INDEX") && told[2].contains("EQUITY"), "{}", told[2]);
    assert!(told[3].starts_with("✅ Success!"), "{}", told[3]);
    let statuses: Vec<_> = shown.last().unwrap()["tool_calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["status"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(statuses[3], "success");
    assert!(statuses[..3].iter().all(|it| it != "success"), "{statuses:?}");
}

/// > The system supports up to 5 iterations
#[tokio::test]
async fn five_iterations_end_in_an_answer_or_a_clear_error() {
    let script = (0..8).fold(Script::new(), |script, _| script.reply(search()));
    let (desk, model, _cli) = desk(script).await;
    let shown = desk.asked(&request()).await;
    let asked_with_tools =
        model.requests().iter().filter(|it| it.body["tool_choice"] != "none").count();
    assert_eq!(asked_with_tools, 5);
    let last = shown.last().unwrap();
    let told = last["message"].as_str().or(last["response"].as_str()).unwrap_or_default();
    assert!(!told.is_empty(), "{last}");
}

/// > **Check Backend Logs**:
/// > [get_market_quote] Calling with securities: {'IDX_I': [13]}
/// > [execute_tool] Executing: get_market_quote
/// > [agentic_loop] Iteration 1/5
#[tokio::test]
async fn the_backend_logs() {
    let script = Script::new().reply(search()).reply(quote()).reply(answer());
    let model = ModelServer::start(script).await;
    let cli = Cli::asking(&model);
    let ended = cli.run(&["ask", "--log", "info", "--task", "trading", PRICE]).await;
    for line in [
        "[agentic_loop] Iteration 1/5",
        "[execute_tool] Executing: search_instruments",
        "[agentic_loop] Iteration 2/5",
        r#"[execute_tool] Executing: get_market_quote {"securities":{"IDX_I":[13]}}"#,
    ] {
        assert!(ended.err.contains(line), "{line} is missing in {}", ended.err);
    }
}
