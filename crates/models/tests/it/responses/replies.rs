//! Replies as OpenAI sends them.

use serde_json::json;
use toolwright_core::{FinishReason, ModelDelta, ModelResponse, Usage};

use super::{
    added, argued, call, completed, done, hear, hear_whole, message, opened, reasoning, response,
    said, stream, streamed, thought, whole,
};
use crate::support::{called, text};

#[test]
fn text_in_pieces_and_whole() {
    let events = [
        json!({"type": "response.created", "response": response("in_progress", json!([]))}),
        json!({"type": "response.in_progress", "response": response("in_progress", json!([]))}),
        added(0, opened(message(0, ""))),
        json!({"type": "response.content_part.added", "item_id": "msg_0", "output_index": 0,
            "content_index": 0, "part": {"type": "output_text", "text": ""}}),
        said(0, "31 °C"),
        said(0, " in "),
        said(0, "\"Pune\"\n"),
        said(0, "today"),
        said(0, "."),
        json!({"type": "response.output_text.done", "item_id": "msg_0", "output_index": 0,
            "content_index": 0, "text": "31 °C in \"Pune\"\ntoday."}),
        json!({"type": "response.content_part.done", "item_id": "msg_0", "output_index": 0,
            "content_index": 0, "part": {"type": "output_text", "text": "31 °C in \"Pune\"\ntoday."}}),
        done(0, message(0, "31 °C in \"Pune\"\ntoday.")),
        completed(json!([message(0, "31 °C in \"Pune\"\ntoday.")])),
    ];
    assert_eq!(streamed(&events), text("31 °C in \"Pune\"\ntoday."));
    assert_eq!(
        whole(json!([message(0, "31 °C in \"Pune\"\ntoday.")])),
        text("31 °C in \"Pune\"\ntoday.")
    );
}

#[test]
fn calls_side_by_side() {
    let (f, g) = (call(0, "call_a", "f", "{\"x\":1}"), call(1, "call_b", "g", "{}"));
    let events = [
        added(0, opened(f.clone())),
        added(1, opened(g.clone())),
        argued(0, "{\"x\""),
        argued(1, "{"),
        argued(0, ":1"),
        argued(1, "}"),
        argued(0, "}"),
        json!({"type": "response.function_call_arguments.done", "item_id": "fc_0",
            "output_index": 0, "arguments": "{\"x\":1}", "name": "f"}),
        done(0, f.clone()),
        done(1, g.clone()),
        completed(json!([f, g])),
    ];
    let wanted = called([("call_a", "f", "{\"x\":1}"), ("call_b", "g", "{}")]);
    let heard = hear(stream(&events));
    let name = |index, name: &str| ModelDelta::CallName { index, name: name.into() };
    assert_eq!(heard.parts[..2], [name(0, "f"), name(1, "g")]);
    assert_eq!(heard.reply(), wanted);
    assert_eq!(whole(json!([f, g])), wanted);
}

#[test]
fn thoughts_are_shown_in_paragraphs() {
    let first = reasoning(0, &["One.", "Two."], "gAAA");
    let second = reasoning(1, &["Three."], "gBBB");
    let events = [
        added(0, opened(first.clone())),
        thought(0, 0, "On"),
        thought(0, 0, "e."),
        thought(0, 1, "Two"),
        thought(0, 1, "."),
        done(0, first.clone()),
        added(1, opened(second.clone())),
        thought(1, 0, "Three."),
        done(1, second.clone()),
        added(2, opened(message(2, ""))),
        said(2, "Hi"),
        done(2, message(2, "Hi")),
        completed(json!([first, second, message(2, "Hi")])),
    ];
    let reply = streamed(&events);
    assert_eq!(reply.reasoning, "One.\n\nTwo.\n\nThree.");
    assert_eq!(reply, whole(json!([first, second, message(2, "Hi")])));
    let kept = json!([first, second, {"type": "message", "id": "msg_2", "from": 0, "to": 2}]);
    assert_eq!(reply.extra.unwrap()["output_items"], kept);
}

#[test]
fn several_messages_stand_apart() {
    let items = json!([message(0, "Let me see."), message(1, "It is.")]);
    let events = [
        said(0, "Let me "),
        said(0, "see."),
        done(0, message(0, "Let me see.")),
        said(1, "It is."),
        done(1, message(1, "It is.")),
        completed(items.clone()),
    ];
    assert_eq!(streamed(&events), text("Let me see.\n\nIt is."));
    assert_eq!(whole(items), text("Let me see.\n\nIt is."));
}

#[test]
fn refusals() {
    let item = json!({"type": "message", "id": "msg_0", "role": "assistant", "content": [
        {"type": "refusal", "refusal": "I will not."}]});
    let refused = |piece: &str| {
        json!({"type": "response.refusal.delta", "item_id": "msg_0", "output_index": 0,
            "content_index": 0, "delta": piece})
    };
    let events = [
        added(0, opened(item.clone())),
        refused("I will "),
        refused("not."),
        done(0, item.clone()),
        completed(json!([item])),
    ];
    let wanted = ModelResponse { finish: FinishReason::Refusal, ..text("I will not.") };
    assert_eq!(streamed(&events), wanted);
    assert_eq!(whole(json!([item])), wanted);
}

#[test]
fn what_it_cost() {
    let usage = json!({
        "input_tokens": 80, "input_tokens_details": {"cached_tokens": 64, "cache_write_tokens": 0},
        "output_tokens": 30, "output_tokens_details": {"reasoning_tokens": 12}, "total_tokens": 110,
    });
    let mut body = response("completed", json!([message(0, "Hi")]));
    body["usage"] = usage;
    let counted =
        Usage { prompt_tokens: 80, completion_tokens: 30, cached_tokens: 64, reasoning_tokens: 12 };
    let wanted = ModelResponse { usage: counted, ..text("Hi") };
    assert_eq!(hear_whole(&body).reply(), wanted);
    let end = json!({"type": "response.completed", "response": body});
    assert_eq!(streamed(&[said(0, "Hi"), end]), wanted);
}

#[test]
fn why_it_stopped() {
    let cases = [
        (json!({"reason": "max_output_tokens"}), FinishReason::Length),
        (json!({"reason": "content_filter"}), FinishReason::ContentFilter),
        (json!({"reason": "steered"}), FinishReason::Length),
        (json!(null), FinishReason::Length),
    ];
    for (details, finish) in cases {
        let mut body = response("incomplete", json!([message(0, "Hi")]));
        body["incomplete_details"] = details;
        let wanted = ModelResponse { finish, ..text("Hi") };
        assert_eq!(hear_whole(&body).reply(), wanted);
        let end = json!({"type": "response.incomplete", "response": body});
        assert_eq!(streamed(&[said(0, "Hi"), end]), wanted);
    }
}

#[test]
fn a_call_that_was_cut_is_no_call_without_arguments() {
    for (cut, kept) in [("{\"x\":", "{\"x\":"), ("", "{")] {
        let mut item = call(0, "call_a", "f", cut);
        item["status"] = json!("incomplete");
        let mut body = response("incomplete", json!([item]));
        body["incomplete_details"] = json!({"reason": "content_filter"});
        let end = json!({"type": "response.incomplete", "response": body.clone()});
        let events = [added(0, opened(item.clone())), argued(0, cut), done(0, item), end];
        let mut wanted = called([("call_a", "f", kept)]);
        wanted.finish = FinishReason::ContentFilter;
        assert_eq!(streamed(&events), wanted);
        assert_eq!(hear_whole(&body).reply(), wanted);
    }
}

#[test]
fn nothing_at_all() {
    assert_eq!(streamed(&[completed(json!([]))]), text(""));
    assert_eq!(whole(json!([])), text(""));
}
