//! How results are put into words.

use serde_json::{Value, json};
use toolwright_core::{Outcome, Output, ResultFormat, ToolEffect, ToolError, ToolResult};
use toolwright_testkit::{Reply, Script};

use crate::support::{agent, play, results_sent, serve, spec, text, tool};

/// The outcome of a call of a tool that gives this, and its text as it went over the wire.
async fn rendered(render: ResultFormat, result: ToolResult) -> (Outcome, String) {
    let script =
        Script::new().reply(Reply::calls([("call_7", "look", "{}")])).reply(Reply::text("Seen."));
    let server = serve(script).await;
    let spec = spec("look", ToolEffect::ReadOnly).render(render);
    let look = tool(spec, move |_, _| std::future::ready(result.clone()));
    let played = play(agent(&server).tool(look).build().unwrap().run("Look.")).await;
    server.assert_clean();
    let (id, name, content) = results_sent(&server).remove(0);
    assert_eq!((id.as_str(), name.as_str()), ("call_7", "look"), "under the call's id and name");
    (played.conversation.results().next().unwrap().outcome.clone(), content)
}

fn value(value: &Value) -> ToolResult {
    Ok(Output::Json(value.to_string()))
}

#[tokio::test]
async fn s0_7_a_result_is_formatted_for_the_model_to_read() {
    let data = json!({
        "security_id": 13,
        "symbol_name": "NIFTY",
        "exchange_segment": "IDX_I",
        "ohlc": {"open": 24_900.0, "close": null},
        "tags": ["index", "large"],
        "legs": [{"id": 1}, {"id": 2}],
        "notes": [],
    });
    let (outcome, content) = rendered(ResultFormat::Readable, value(&data)).await;
    assert_eq!(
        content,
        "✅ Success!\n\n\
         - Exchange Segment: IDX_I\n\
         - Legs:\n\
         \x20 1.\n\
         \x20   - ID: 1\n\
         \x20 2.\n\
         \x20   - ID: 2\n\
         - Notes: (none)\n\
         - OHLC:\n\
         \x20 - Close: (none)\n\
         \x20 - Open: 24900.0\n\
         - Security ID: 13\n\
         - Symbol Name: NIFTY\n\
         - Tags: index, large"
    );
    assert_eq!(outcome.envelope()["data"], data, "the envelope has the data itself");
    assert_eq!(outcome.envelope()["success"], true);
}

#[tokio::test]
async fn s0_7_readable_in_every_other_form() {
    let (_, content) = rendered(ResultFormat::Readable, value(&json!({"security_id": 13}))).await;
    assert_eq!(content, "✅ Success!\n\n- Security ID: 13");
    // Keys that are values are not put into other words.
    let quotes = json!({"NSE_EQ": {"1333": {"ltp": 1650.5}}, "IDX_I": [13]});
    let (_, content) = rendered(ResultFormat::Readable, value(&quotes)).await;
    assert_eq!(content, "✅ Success!\n\n- IDX_I: 13\n- NSE_EQ:\n  - 1333:\n    - LTP: 1650.5");
    let (_, content) = rendered(ResultFormat::Readable, text("Two lines,\nas they are.")).await;
    assert_eq!(content, "✅ Success!\n\nTwo lines,\nas they are.");
    let own = Ok(Output::readable("NIFTY has the id 13.", json!({"security_id": 13})));
    let (outcome, content) = rendered(ResultFormat::Readable, own).await;
    assert_eq!(content, "✅ Success!\n\nNIFTY has the id 13.");
    assert_eq!(outcome.data, Some(json!({"security_id": 13})));
    let (outcome, content) = rendered(ResultFormat::Readable, Err("no such thing".into())).await;
    assert_eq!(content, "❌ Error: no such thing");
    assert_eq!(outcome.envelope()["success"], false);
}

#[tokio::test]
async fn s0_7_a_result_is_an_envelope() {
    let (outcome, content) =
        rendered(ResultFormat::Envelope, value(&json!({"security_id": 13}))).await;
    let sent: Value = serde_json::from_str(&content).unwrap();
    assert_eq!(sent, json!({"success": true, "data": {"security_id": 13}}));
    assert_eq!(outcome.data, Some(json!({"security_id": 13})));
    let (_, content) = rendered(ResultFormat::Envelope, text("found")).await;
    let sent: Value = serde_json::from_str(&content).unwrap();
    assert_eq!(sent, json!({"success": true, "data": "found"}));
    let (_, content) = rendered(ResultFormat::Envelope, Err("no such thing".into())).await;
    let sent: Value = serde_json::from_str(&content).unwrap();
    assert_eq!(sent, json!({"success": false, "error": "no such thing"}));
}

#[tokio::test]
async fn s1_1_a_result_is_a_tool_message_whose_content_is_json() {
    let (_, content) = rendered(ResultFormat::Plain, value(&json!({"security_id": 13}))).await;
    assert_eq!(content, r#"{"security_id":13}"#);
    let (_, content) = rendered(ResultFormat::Plain, value(&json!([1, "two", null]))).await;
    assert_eq!(content, r#"[1,"two",null]"#);
}

#[tokio::test]
async fn s2_3_text_stays_text_and_any_other_value_is_json() {
    let (_, content) = rendered(ResultFormat::Plain, text("22 degrees")).await;
    assert_eq!(content, "22 degrees");
    let (_, content) = rendered(ResultFormat::Plain, Output::from_value(vec![1.5, 2.0])).await;
    assert_eq!(content, "[1.5,2.0]");
    let (_, content) = rendered(ResultFormat::Plain, Output::from_value(())).await;
    assert_eq!(content, "Done.");
    let own = Ok(Output::readable("Two degrees.", json!({"degrees": 2})));
    let (outcome, content) = rendered(ResultFormat::Plain, own).await;
    assert_eq!(content, "Two degrees.");
    assert_eq!(outcome.data, Some(json!({"degrees": 2})));
}

#[tokio::test]
async fn s2_3_what_only_the_operator_may_read_is_kept_and_not_sent() {
    for render in [ResultFormat::Plain, ResultFormat::Envelope, ResultFormat::Readable] {
        let error = ToolError::new("the desk is closed").with_detail("10.0.0.7 refused: s3cret");
        let (outcome, content) = rendered(render, Err(error)).await;
        assert_eq!(outcome.detail.as_deref(), Some("10.0.0.7 refused: s3cret"));
        assert!(content.contains("the desk is closed") && !content.contains("s3cret"), "{content}");
    }
}
