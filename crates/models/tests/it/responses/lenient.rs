//! Replies as other servers send them.

use serde_json::{Value, json};
use toolwright_core::{FinishReason, ModelResponse, Usage};

use super::{
    added, argued, broken, call, completed, done, hear, hear_whole, message, opened, reasoning,
    response, said, stream, streamed, thought, whole,
};
use crate::support::{DONE, called, text};

/// The event without these fields.
fn without(mut event: Value, fields: &[&str]) -> Value {
    event.as_object_mut().unwrap().retain(|name, _| !fields.contains(&name.as_str()));
    event
}

#[test]
fn only_pieces_only_items_or_only_the_end() {
    let items = json!([message(0, "Hi there"), call(1, "a", "f", "{}")]);
    let mut wanted = called([("a", "f", "{}")]);
    wanted.text = "Hi there".into();
    let end = || completed(json!([]));
    let (m, c) = (message(0, "Hi there"), call(1, "a", "f", "{}"));
    let streams = [
        vec![said(0, "Hi "), said(0, "there"), added(1, opened(c.clone())), argued(1, "{}"), end()],
        vec![done(0, m.clone()), done(1, c.clone()), end()],
        vec![said(0, "Hi there"), argued(1, "{"), argued(1, "}"), done(1, c.clone()), end()],
        vec![completed(items.clone())],
        vec![said(0, "Hi "), completed(items.clone())],
        vec![said(0, "Hi "), done(0, m.clone()), argued(1, "{"), completed(items.clone())],
        vec![done(0, m.clone()), completed(items.clone())],
        vec![
            json!({"type": "response.output_text.done", "output_index": 0, "text": "Hi there"}),
            added(1, opened(c.clone())),
            json!({"type": "response.function_call_arguments.done", "output_index": 1, "arguments": "{}"}),
            end(),
        ],
        // Items may come in any order.
        vec![said(0, "Hi there"), done(1, c), done(0, m), completed(items)],
    ];
    for events in streams {
        assert_eq!(streamed(&events), wanted, "{events:?}");
    }
}

#[test]
fn pieces_that_say_little_of_where_they_belong() {
    let (f, g) = (call(0, "a", "f", "{\"x\":1}"), call(1, "b", "g", "{\"y\":2}"));
    let wanted = called([("a", "f", "{\"x\":1}"), ("b", "g", "{\"y\":2}")]);
    let pieces = |drop: &[&str]| {
        vec![
            without(added(0, opened(f.clone())), drop),
            without(argued(0, "{\"x\":"), drop),
            without(argued(0, "1}"), drop),
            without(done(0, f.clone()), drop),
            without(added(1, opened(g.clone())), drop),
            without(argued(1, "{\"y\":"), drop),
            without(argued(1, "2}"), drop),
            without(done(1, g.clone()), drop),
        ]
    };
    let drops: [&[&str]; 3] = [&["item_id"], &["output_index"], &["item_id", "output_index"]];
    for drop in drops {
        for end in [json!([]), json!([f, g])] {
            let mut events = pieces(drop);
            events.push(completed(end));
            assert_eq!(streamed(&events), wanted, "without {drop:?}");
        }
    }
    // Numbers that are always the same; and ids that are always others.
    let mut events = pieces(&[]);
    events.iter_mut().for_each(|event| event["output_index"] = json!(0));
    events.push(completed(json!([f, g])));
    assert_eq!(streamed(&events), wanted);
    let mut events = pieces(&[]);
    for (number, event) in events.iter_mut().enumerate() {
        if event.get("item_id").is_some() {
            event["item_id"] = json!(format!("other_{number}"));
        }
    }
    events.push(completed(json!([f, g])));
    assert_eq!(streamed(&events), wanted);
}

#[test]
fn text_side_by_side_with_calls() {
    let events = [
        added(0, opened(message(0, ""))),
        added(1, opened(call(1, "a", "f", ""))),
        said(0, "On"),
        argued(1, "{"),
        said(0, "e"),
        argued(1, "}"),
        said(0, "."),
        done(0, message(0, "One.")),
        done(1, call(1, "a", "f", "{}")),
        completed(json!([])),
    ];
    let mut wanted = called([("a", "f", "{}")]);
    wanted.text = "One.".into();
    assert_eq!(streamed(&events), wanted);
}

#[test]
fn unnumbered_events_other_events_and_what_comes_behind() {
    let unnumbered: String = [said(0, "H"), said(0, "i"), completed(json!([message(0, "Hi")]))]
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect();
    assert_eq!(hear(&unnumbered).reply(), text("Hi"));
    assert_eq!(hear(unnumbered.clone() + DONE).reply(), text("Hi"));
    assert_eq!(hear(unnumbered + &stream(&[said(0, "!")]) + "data: {{{").reply(), text("Hi"));
    let events = [
        json!({"type": "keepalive"}),
        json!({"type": "response.metadata", "metadata": {"message": "x"}}),
        json!({"type": "response.web_search_call.searching", "item_id": "ws", "output_index": 0}),
        json!({"type": "response.audio.delta", "delta": "AAAA"}),
        json!({"type": "response.code_interpreter_call_code.delta", "delta": "x", "output_index": 0}),
        json!({"type": "response.reasoning_part.added", "part": {"text": ""}}),
        added(0, json!({"type": "web_search_call", "id": "ws_1", "status": "in_progress"})),
        done(0, json!({"type": "web_search_call", "id": "ws_1", "status": "completed"})),
        said(1, "Hi"),
        completed(json!([])),
    ];
    assert_eq!(streamed(&events), text("Hi"));
}

#[test]
fn thoughts_of_open_models() {
    let item = json!({"type": "reasoning", "id": "rs_0", "summary": [], "encrypted_content": null,
        "content": [{"type": "reasoning_text", "text": "So."}], "status": null});
    let piece = |text: &str| {
        json!({"type": "response.reasoning_text.delta", "item_id": "rs_0", "output_index": 0,
            "content_index": 0, "delta": text})
    };
    let events = [
        piece("S"),
        piece("o."),
        done(0, item.clone()),
        said(1, "Hi"),
        done(1, message(1, "Hi")),
        completed(json!([])),
    ];
    let reply = streamed(&events);
    assert_eq!((reply.reasoning.as_str(), reply.text.as_str()), ("So.", "Hi"));
    assert_eq!(reply, whole(json!([item, message(1, "Hi")])));
    // Without the fields that have nothing in them.
    let kept = json!({"type": "reasoning", "id": "rs_0", "summary": [],
        "content": [{"type": "reasoning_text", "text": "So."}]});
    assert_eq!(reply.extra.unwrap()["output_items"][0], kept);

    // What nobody could read again does not go back.
    let item = json!({"type": "reasoning", "id": "rs_0", "summary": [{"type": "summary_text", "text": "So."}]});
    let reply = whole(json!([item, message(1, "Hi")]));
    assert_eq!((reply.reasoning.as_str(), reply.extra), ("So.", None));
    // And neither does what nothing came of.
    let reply = whole(json!([reasoning(0, &["So."], "gAAA")]));
    assert_eq!((reply.reasoning.as_str(), reply.extra), ("So.", None));
    // Streamed as one thing and whole as another it is still shown once.
    let item = reasoning(0, &["So."], "gAAA");
    let events = [piece("So."), done(0, item), said(1, "Hi"), completed(json!([]))];
    assert_eq!(streamed(&events).reasoning, "So.");
}

#[test]
fn lies_about_types() {
    let events = [
        added(0, json!(null)),
        json!({"type": "response.output_text.delta", "output_index": "0", "item_id": 7, "delta": "H"}),
        json!({"type": "response.output_text.delta", "output_index": 0.0, "item_id": null, "delta": "i"}),
        json!({"type": "response.output_text.delta", "output_index": 0, "delta": null}),
        json!({"type": "response.reasoning_summary_text.delta", "summary_index": "1", "delta": "So."}),
        done(
            1,
            json!({"type": "function_call", "call_id": "a", "name": "f", "arguments": {"x": 1}}),
        ),
        done(
            2,
            json!({"type": "function_call", "call_id": null, "id": "fc_2", "name": "g", "arguments": null}),
        ),
        json!({"type": "response.completed", "response": {
            "status": null, "output": null, "usage": {"input_tokens": "7", "output_tokens": 3.0,
                "input_tokens_details": null, "output_tokens_details": []}}}),
    ];
    let reply = streamed(&events);
    assert_eq!((reply.text.as_str(), reply.reasoning.as_str()), ("Hi", "So."));
    let wanted = called([("a", "f", "{\"x\":1}"), ("fc_2", "g", "")]);
    assert_eq!((&reply.calls, reply.finish), (&wanted.calls, FinishReason::ToolCalls));
    assert_eq!(reply.usage, Usage { prompt_tokens: 7, completion_tokens: 3, ..Usage::default() });

    let body = json!({"output": [
        {"type": "message", "content": "Hi"}, {"type": "message", "content": null}, null, 7,
        {"type": "message", "content": [{"text": "!"}, null, {"type": "output_text", "text": 7}]},
    ]});
    assert_eq!(hear_whole(&body).reply(), text("Hi\n\n!"));
    for body in [json!([]), json!("Hi"), json!(null), json!({"output": null}), json!({})] {
        broken(hear_whole(&body));
        broken(hear(format!("data: {body}\n\n")));
    }
    for status in ["queued", "in_progress"] {
        broken(hear_whole(&response(status, json!([]))));
    }
}

#[test]
fn half_surrogates_are_mended_and_nothing_is_taken_twice() {
    let said = |text: &str| {
        format!(
            "data: {{\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"{text}\"}}\n\n"
        )
    };
    let end = stream(&[completed(json!([]))]);
    let events =
        said("a") + &said("b \\ud83d") + &said("\\ude00 c") + &said("\\ud83d\\ude00") + &end;
    assert_eq!(hear(events).reply(), text("ab \u{fffd}\u{fffd} c😀"));
    let item = "{\"type\":\"message\",\"content\":[{\"text\":\"x\\ud83d\"}]}";
    let events = format!(
        "data: {{\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{item}}}\n\n{end}"
    );
    assert_eq!(hear(events).reply(), text("x\u{fffd}"));
}

#[test]
fn texts_side_by_side_go_back_in_one() {
    let mut item = message(1, "13");
    item["phase"] = json!("final_answer");
    let events = [
        added(0, opened(message(0, ""))),
        added(1, opened(item.clone())),
        said(0, "0"),
        said(1, "1"),
        said(0, "2"),
        said(1, "3"),
        done(0, message(0, "02")),
        done(1, item),
        completed(json!([])),
    ];
    let reply = streamed(&events);
    assert_eq!(reply.text, "0\n\n123");
    let kept =
        json!([{"type": "message", "id": "msg_1", "phase": "final_answer", "from": 0, "to": 6}]);
    assert_eq!(reply.extra.unwrap()["output_items"], kept);
}

#[test]
fn what_is_not_the_same_twice_counts_as_the_item_has_it() {
    let item = call(0, "call_a", "f", "{\"x\":2}");
    let mut begun = opened(item.clone());
    begun["name"] = json!("other");
    begun["call_id"] = json!("");
    let events = [added(0, begun), argued(0, "{\"x\":1}"), done(0, item), completed(json!([]))];
    assert_eq!(streamed(&events), called([("call_a", "f", "{\"x\":2}")]));
    let thoughts =
        [thought(0, 0, "So."), done(0, json!({"type": "reasoning"})), completed(json!([]))];
    let wanted = ModelResponse { reasoning: "So.".into(), ..text("") };
    assert_eq!(streamed(&thoughts), wanted);
}
