//! The trading desk's own story: NIFTY is searched for, a made-up id is refused, the real one is
//! quoted.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolwright_core::{EventKind, Provenance, ResultLocation, Status, ValueOrigin};
use toolwright_macros::toolset;
use toolwright_testkit::{Reply, Script};

use crate::support::{agent, bodies, play, results_sent, serve, summary};

/// A desk with one instrument.
#[derive(Default)]
pub(crate) struct Desk {
    pub(crate) searched: AtomicUsize,
    pub(crate) quoted: AtomicUsize,
}

#[toolset]
impl Desk {
    /// Search for instruments by name.
    #[tool(read_only, render = readable)]
    fn search_instruments(
        &self,
        /// A name or a part of it.
        query: String,
        instrument_type: Option<String>,
    ) -> Value {
        self.searched.fetch_add(1, SeqCst);
        let kind = instrument_type.unwrap_or_else(|| "INDEX".into());
        json!({"security_id": 13, "symbol_name": query, "exchange_segment": "IDX_I", "instrument_type": kind})
    }

    /// Get the last price of instruments.
    #[tool(read_only, render = readable)]
    fn get_market_quote(
        &self,
        /// Ids by segment.
        #[tool(grounded)]
        securities: BTreeMap<String, Vec<i64>>,
    ) -> Value {
        self.quoted.fetch_add(1, SeqCst);
        let prices = securities.iter().map(|(segment, ids)| {
            let prices = ids.iter().map(|id| (id.to_string(), json!({"ltp": 25_000.5})));
            (segment.clone(), prices.collect::<Value>())
        });
        prices.collect()
    }
}

pub(crate) fn story() -> Script {
    Script::new()
        .reply(Reply::calls([("call_1", "search_instruments", r#"{"query":"NIFTY"}"#)]))
        .reply(Reply::calls([("call_2", "get_market_quote", r#"{"securities":{"IDX_I":[99]}}"#)]))
        .reply(Reply::calls([("call_3", "get_market_quote", r#"{"securities":{"IDX_I":[13]}}"#)]))
        .reply(Reply::text("NIFTY stands at 25000.5."))
}

#[tokio::test]
async fn s1_4_an_id_nobody_returned_is_refused_and_the_real_one_is_traced_to_its_result() {
    let server = serve(story()).await;
    let desk = Arc::new(Desk::default());
    let agent = agent(&server).toolset::<Desk>(desk.clone()).build().unwrap();
    let played = play(agent.run("What is NIFTY's price?")).await;
    server.assert_clean();

    assert_eq!(played.answer().response, "NIFTY stands at 25000.5.");
    assert_eq!(
        played.calls(),
        [
            ("search_instruments", Status::Ok),
            ("get_market_quote", Status::Refused),
            ("get_market_quote", Status::Ok),
        ]
    );
    assert_eq!(desk.quoted.load(SeqCst), 1, "the refused call did not run");
    assert_eq!(played.answer().tools_executed, 2);

    let results = results_sent(&server);
    assert_eq!(
        results[1].2,
        "❌ Refused: The value `99` for `securities` was not returned by any earlier result and was \
         not given by the user. Values that exist: security_id 13 (from search_instruments)."
    );
    let refused = played.events.iter().find_map(|event| match &event.kind {
        EventKind::CallFinished { guard: Some(guard), .. } => Some(guard.as_str()),
        _ => None,
    });
    assert_eq!(refused, Some("grounded"));

    let provenance = played.events.iter().rev().find_map(|event| match &event.kind {
        EventKind::CallChecked { provenance, .. } => Some(provenance.clone()),
        _ => None,
    });
    let given = ValueOrigin::Result(ResultLocation {
        call: "call_1".into(),
        tool: "search_instruments".into(),
        pointer: "/security_id".into(),
    });
    let argument = "/securities/IDX_I/0".to_owned();
    assert_eq!(provenance, Some(vec![Provenance { argument, given }]));
}

#[tokio::test]
async fn s1_2_the_whole_array_goes_to_the_model_on_every_round() {
    let server = serve(story()).await;
    let agent = agent(&server).system("You trade.").toolset(Desk::default()).build().unwrap();
    let played = play(agent.run("What is NIFTY's price?")).await;
    server.assert_clean();
    let bodies = bodies(&server);
    let lengths: Vec<_> =
        bodies.iter().map(|body| body["messages"].as_array().unwrap().len()).collect();
    assert_eq!(lengths, [2, 4, 6, 8]);
    for pair in bodies.windows(2) {
        let (before, after) = (&pair[0]["messages"], &pair[1]["messages"]);
        let (before, after) = (before.as_array().unwrap(), after.as_array().unwrap());
        assert!(after.starts_with(before), "nothing that was said is changed or left out");
    }
    let roles: Vec<_> = played.conversation.messages().iter().map(|it| it.role()).collect();
    let one = ["assistant", "tool"];
    assert_eq!(roles, [&["system", "user"][..], &one, &one, &one, &["assistant"]].concat());
}

#[tokio::test]
async fn s1_3_program_code_can_ask_the_conversation() {
    let server = serve(story()).await;
    let agent = agent(&server).toolset(Desk::default()).build().unwrap();
    let mut running = agent.run("What is NIFTY's price?");
    assert!(running.conversation().is_none(), "not while the run goes on");
    running.finish().await.unwrap();
    let talk = running.conversation().unwrap();

    assert!(talk.was_called("search_instruments") && !talk.was_called("get_historical_data"));
    assert_eq!(talk.value::<u32>("search_instruments", "/security_id"), Ok(13));
    assert_eq!(talk.value::<f64>("get_market_quote", "/IDX_I/13/ltp"), Ok(25_000.5));
    assert_eq!(talk.results_of("get_market_quote").count(), 2);
    let status = |it: Option<&toolwright_core::ToolMessage>| it.unwrap().outcome.status;
    assert_eq!(status(talk.first_result_of("get_market_quote")), Status::Refused);
    assert_eq!(status(talk.last_result_of("get_market_quote")), Status::Ok);
    let both = ["get_historical_data", "get_market_quote"];
    assert_eq!(talk.which_called(&both), ["get_market_quote"]);
    assert!(talk.called_any(&both) && !talk.called_all(&both));
    let missing = talk.value::<u32>("get_historical_data", "/open").unwrap_err();
    assert_eq!(
        missing.to_string(),
        "`get_historical_data` was not called; called so far: get_market_quote, search_instruments"
    );
}

#[tokio::test]
async fn the_events_of_the_story() {
    let server = serve(story()).await;
    let agent = agent(&server).toolset(Desk::default()).build().unwrap();
    let played = play(agent.run("What is NIFTY's price?")).await;
    let events = summary(&played.events);
    let lines: Vec<_> = events.as_array().unwrap().iter().map(Value::to_string).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {"first_choice":"auto","limits":{"calls":64,"rounds":5,"wall_clock_ms":600000},"model":"openai:scripted","round":0,"type":"run_started","version":2}
    {"message":{"content":"What is NIFTY's price?","role":"user"},"round":0,"type":"message"}
    {"of":5,"round":1,"tool_choice":"auto","type":"round_started"}
    {"finish":"tool_calls","message":{"content":null,"role":"assistant","tool_calls":[{"function":{"arguments":"{\"query\":\"NIFTY\"}","name":"search_instruments"},"id":"call_1","type":"function"}]},"round":1,"type":"reply"}
    {"round":1,"tool_calls":[{"args":{"query":"NIFTY"},"id":"call_1","source":"native","status":"pending","tool":"search_instruments"}],"type":"tool_calls"}
    {"arguments":{"query":"NIFTY"},"effect":"read_only","id":"call_1","round":1,"tool":"search_instruments","type":"call_checked"}
    {"id":"call_1","round":1,"tool":"search_instruments","type":"call_started"}
    {"id":"call_1","message":{"content":"✅ Success!\n\n- Exchange Segment: IDX_I\n- Instrument Type: INDEX\n- Security ID: 13\n- Symbol Name: NIFTY","data":{"exchange_segment":"IDX_I","instrument_type":"INDEX","security_id":13,"symbol_name":"NIFTY"},"mark":12,"name":"search_instruments","role":"tool","status":"success","tool_call_id":"call_1"},"round":1,"status":"success","tool":"search_instruments","type":"call_finished"}
    {"of":5,"round":2,"tool_choice":"auto","type":"round_started"}
    {"finish":"tool_calls","message":{"content":null,"role":"assistant","tool_calls":[{"function":{"arguments":"{\"securities\":{\"IDX_I\":[99]}}","name":"get_market_quote"},"id":"call_2","type":"function"}]},"round":2,"type":"reply"}
    {"round":2,"tool_calls":[{"args":{"securities":{"IDX_I":[99]}},"id":"call_2","source":"native","status":"pending","tool":"get_market_quote"}],"type":"tool_calls"}
    {"guard":"grounded","id":"call_2","message":{"content":"❌ Refused: The value `99` for `securities` was not returned by any earlier result and was not given by the user. Values that exist: security_id 13 (from search_instruments).","mark":11,"name":"get_market_quote","role":"tool","status":"refused","tool_call_id":"call_2"},"round":2,"status":"refused","tool":"get_market_quote","type":"call_finished"}
    {"of":5,"round":3,"tool_choice":"auto","type":"round_started"}
    {"finish":"tool_calls","message":{"content":null,"role":"assistant","tool_calls":[{"function":{"arguments":"{\"securities\":{\"IDX_I\":[13]}}","name":"get_market_quote"},"id":"call_3","type":"function"}]},"round":3,"type":"reply"}
    {"round":3,"tool_calls":[{"args":{"securities":{"IDX_I":[13]}},"id":"call_3","source":"native","status":"pending","tool":"get_market_quote"}],"type":"tool_calls"}
    {"arguments":{"securities":{"IDX_I":[13]}},"effect":"read_only","id":"call_3","provenance":[{"argument":"/securities/IDX_I/0","call":"call_1","from":"result","pointer":"/security_id","tool":"search_instruments"}],"round":3,"tool":"get_market_quote","type":"call_checked"}
    {"id":"call_3","round":3,"tool":"get_market_quote","type":"call_started"}
    {"id":"call_3","message":{"content":"✅ Success!\n\n- IDX_I:\n  - 13:\n    - LTP: 25000.5","data":{"IDX_I":{"13":{"ltp":25000.5}}},"mark":12,"name":"get_market_quote","role":"tool","status":"success","tool_call_id":"call_3"},"round":3,"status":"success","tool":"get_market_quote","type":"call_finished"}
    {"of":5,"round":4,"tool_choice":"auto","type":"round_started"}
    {"finish":"stop","message":{"content":"NIFTY stands at 25000.5.","role":"assistant"},"round":4,"type":"reply"}
    {"finish_reason":"stop","response":"NIFTY stands at 25000.5.","round":4,"tool_calls":[{"args":{"query":"NIFTY"},"status":"success","tool":"search_instruments"},{"args":{"securities":{"IDX_I":[99]}},"status":"refused","tool":"get_market_quote"},{"args":{"securities":{"IDX_I":[13]}},"status":"success","tool":"get_market_quote"}],"tools_executed":2,"type":"done"}
    "#);
}
