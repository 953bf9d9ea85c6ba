//! Calls in every form servers send them, put together into the same calls.

use serde_json::{Value, json};
use toolwright_core::{FinishReason, ModelDelta, ModelResponse};

use crate::support::{DONE, call_events, called, delta, hear, said, stopped, streamed, whole};

/// A piece of a call with an index.
fn piece(index: Value, id: Value, name: Value, arguments: Value) -> Value {
    json!([{
        "index": index, "id": id, "type": "function",
        "function": {"name": name, "arguments": arguments},
    }])
}

fn more(index: Value, arguments: &str) -> Value {
    json!([{"index": index, "function": {"arguments": arguments}}])
}

#[test]
fn the_documented_form() {
    let heard = hear(call_events([
        piece(json!(0), json!("call_a"), json!("f"), json!("")),
        more(json!(0), "{\"q\":"),
        more(json!(0), "\"x\"}"),
        piece(json!(1), json!("call_b"), json!("g"), json!("{}")),
    ]));
    let name = |index, name: &str| ModelDelta::CallName { index, name: name.to_owned() };
    let arguments = |index, json: &str| ModelDelta::CallArguments { index, json: json.to_owned() };
    assert_eq!(
        heard.parts,
        [name(0, "f"), arguments(0, "{\"q\":\"x\"}"), name(1, "g"), arguments(1, "{}"),]
    );
    assert_eq!(heard.reply(), called([("call_a", "f", "{\"q\":\"x\"}"), ("call_b", "g", "{}")]));
}

#[test]
fn interleaved_pieces_find_their_calls() {
    let reply = streamed(call_events([
        piece(json!(0), json!("a"), json!("f"), json!("{\"x\"")),
        piece(json!(1), json!("b"), json!("g"), json!("{\"y\"")),
        more(json!(0), ":1"),
        more(json!(1), ":2"),
        more(json!(1), "}"),
        more(json!(0), "}"),
    ]));
    assert_eq!(reply, called([("a", "f", "{\"x\":1}"), ("b", "g", "{\"y\":2}")]));
}

#[test]
fn an_index_that_is_missing_or_null_or_text_or_always_zero() {
    let two = called([("a", "f", "{\"x\":1}"), ("b", "g", "{\"y\":2}")]);
    let forms: [(&str, [Value; 2]); 4] = [
        ("null", [Value::Null, Value::Null]),
        ("text", [json!("0"), json!("1")]),
        ("always zero", [json!(0), json!(0)]),
        ("not from zero", [json!(3), json!(7)]),
    ];
    for (what, [first, second]) in forms {
        let reply = streamed(call_events([
            piece(first.clone(), json!("a"), json!("f"), json!("{\"x\"")),
            more(first, ":1}"),
            piece(second.clone(), json!("b"), json!("g"), json!("{\"y\"")),
            more(second, ":2}"),
        ]));
        assert_eq!(reply, two, "{what}");
    }
    let bare = |id: &str, name: &str, arguments: &str| json!([{"id": id, "function": {"name": name, "arguments": arguments}}]);
    let reply = streamed(call_events([
        bare("a", "f", "{\"x\""),
        json!([{"function": {"arguments": ":1}"}}]),
        bare("b", "g", "{\"y\""),
        json!([{"function": {"arguments": ":2}"}}]),
    ]));
    assert_eq!(reply, two, "missing");
}

#[test]
fn without_an_index_the_id_decides() {
    let to = |id: &str, arguments: &str| json!([{"id": id, "function": {"arguments": arguments}}]);
    let reply = streamed(call_events([
        json!([{"id": "a", "function": {"name": "f", "arguments": "{\"x\""}}]),
        json!([{"id": "b", "function": {"name": "g", "arguments": "{\"y\""}}]),
        to("a", ":1}"),
        to("b", ":2}"),
    ]));
    assert_eq!(reply, called([("a", "f", "{\"x\":1}"), ("b", "g", "{\"y\":2}")]));
}

#[test]
fn one_index_for_all_and_no_ids() {
    let calls = called([("", "f", "{\"x\":1}"), ("", "g", "{\"y\":2}"), ("", "g", "{\"y\":3}")]);
    for id in [json!(""), Value::Null] {
        let reply = streamed(call_events([
            piece(json!(0), id.clone(), json!("f"), json!("{\"x\":1}")),
            piece(json!(0), id.clone(), json!("g"), json!("{\"y\":2}")),
            piece(json!(0), id, json!("g"), json!("{\"y\":3}")),
        ]));
        assert_eq!(reply, calls);
    }
}

#[test]
fn a_whole_call_in_one_chunk_and_all_calls_in_one_chunk() {
    let both = json!([
        {"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x\":1}"}},
        {"index": 1, "id": "b", "function": {"name": "g", "arguments": "{}"}},
    ]);
    let calls = called([("a", "f", "{\"x\":1}"), ("b", "g", "{}")]);
    assert_eq!(streamed(call_events([both.clone()])), calls);
    let two = [json!([both[0]]), json!([both[1]])];
    assert_eq!(streamed(call_events(two)), calls);
}

#[test]
fn ids_that_are_missing_or_empty_or_numbers() {
    for (id, wanted) in [(Value::Null, ""), (json!(""), ""), (json!(831_004_123), "831004123")] {
        let calls = piece(json!(0), id.clone(), json!("f"), json!("{}"));
        assert_eq!(streamed(call_events([calls.clone()])), called([(wanted, "f", "{}")]), "{id}");
        let wanted = ModelResponse { finish: FinishReason::Stop, ..called([(wanted, "f", "{}")]) };
        assert_eq!(whole(json!({"tool_calls": calls})), wanted, "{id}");
    }
}

#[test]
fn an_id_that_comes_late_or_is_repeated_or_is_emptied() {
    let late = call_events([
        piece(json!(0), Value::Null, json!("f"), json!("")),
        json!([{"index": 0, "id": "a", "function": {"arguments": "{}"}}]),
    ]);
    assert_eq!(streamed(late), called([("a", "f", "{}")]));
    for again in ["a", ""] {
        let events = call_events([
            piece(json!(0), json!("a"), json!("f"), json!("{")),
            piece(json!(0), json!(again), json!("f"), json!("\"x\":")),
            piece(json!(0), json!(again), json!("f"), json!("1}")),
        ]);
        assert_eq!(streamed(events), called([("a", "f", "{\"x\":1}")]), "{again:?}");
    }
}

#[test]
fn ids_that_are_the_same_for_two_calls() {
    let calls = called([("a", "f", "{\"x\":1}"), ("a", "g", "{\"y\":2}")]);
    let indexed = call_events([
        piece(json!(0), json!("a"), json!("f"), json!("{\"x\":1}")),
        piece(json!(1), json!("a"), json!("g"), json!("{\"y\":2}")),
    ]);
    assert_eq!(streamed(indexed), calls);
    // A whole completion has no indexes.
    let message = json!({"content": null, "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"x\":1}"}},
        {"id": "a", "type": "function", "function": {"name": "g", "arguments": "{\"y\":2}"}},
    ]});
    assert_eq!(whole(message), ModelResponse { finish: FinishReason::Stop, ..calls });
}

#[test]
fn the_same_tool_twice_under_one_id_is_two_calls() {
    let message = json!({"tool_calls": [
        {"id": "a", "function": {"name": "f", "arguments": "{\"x\":1}"}},
        {"id": "a", "function": {"name": "f", "arguments": "{\"x\":2}"}},
        {"id": "b", "function": {"name": "f", "arguments": "{\"x\":2}"}},
    ]});
    let calls = called([("a", "f", "{\"x\":1}"), ("a", "f", "{\"x\":2}"), ("b", "f", "{\"x\":2}")]);
    assert_eq!(whole(message), ModelResponse { finish: FinishReason::Stop, ..calls });
}

#[test]
fn a_name_that_is_repeated_or_split() {
    let repeated = call_events([
        piece(json!(0), json!("a"), json!("get_weather"), json!("")),
        piece(json!(0), json!("a"), json!("get_weather"), json!("{\"x\":")),
        piece(json!(0), json!("a"), json!("get_weather"), json!("1}")),
        piece(json!(0), json!("a"), json!("get_weather"), json!("")),
    ]);
    assert_eq!(streamed(repeated), called([("a", "get_weather", "{\"x\":1}")]));
    let split = call_events([
        piece(json!(0), json!("a"), json!("get_"), json!("")),
        piece(json!(0), Value::Null, json!("weather"), Value::Null),
        more(json!(0), "{}"),
    ]);
    assert_eq!(streamed(split), called([("a", "get_weather", "{}")]));
}

#[test]
fn residue_around_a_name_is_dropped() {
    for name in [
        "f<|channel|>commentary",
        "f<|tool_call_argument_begin|>",
        "<|tool_call_begin|>f",
        "<|python_tag|>f<|eom_id|>",
        " f\n",
        "\"f\"",
        "`f`",
        "'f'",
    ] {
        let calls = piece(json!(0), json!("a"), json!(name), json!("{}"));
        assert_eq!(streamed(call_events([calls])), called([("a", "f", "{}")]), "{name:?}");
    }
    // What may be meant is for whoever knows the tools.
    for name in ["functions.f", "F", "multi_tool_use.parallel"] {
        let calls = piece(json!(0), json!("a"), json!(name), json!("{}"));
        assert_eq!(streamed(call_events([calls])), called([("a", name, "{}")]));
    }
}

#[test]
fn arguments_in_every_form() {
    let forms: [(Value, &str); 9] = [
        (json!({"x": 1, "y": [null, "é"]}), "{\"x\":1,\"y\":[null,\"é\"]}"),
        (json!({}), "{}"),
        (json!([1]), "[1]"),
        (Value::Null, ""),
        (json!(""), ""),
        (json!("\"{\\\"x\\\":1}\""), "\"{\\\"x\\\":1}\""),
        (json!("{\"x\":1,}"), "{\"x\":1,}"),
        (json!("```json\n{\"x\":1}\n```"), "```json\n{\"x\":1}\n```"),
        (json!(" {\"x\" : 1} "), " {\"x\" : 1} "),
    ];
    for (sent, wanted) in forms {
        let calls = piece(json!(0), json!("a"), json!("f"), sent.clone());
        assert_eq!(streamed(call_events([calls.clone()])), called([("a", "f", wanted)]), "{sent}");
        let wanted = ModelResponse { finish: FinishReason::Stop, ..called([("a", "f", wanted)]) };
        assert_eq!(whole(json!({"tool_calls": calls})), wanted, "{sent}");
    }
    let missing = json!([{"index": 0, "id": "a", "function": {"name": "f"}}]);
    assert_eq!(streamed(call_events([missing])), called([("a", "f", "")]));
}

#[test]
fn arguments_that_are_encoded_twice_are_still_read() {
    let twice = piece(json!(0), json!("a"), json!("f"), json!("\"{\\\"x\\\":1}\""));
    let reply = streamed(call_events([twice]));
    assert_eq!(reply.calls[0].parse().unwrap(), json!({"x": 1}));
}

#[test]
fn arguments_that_are_cumulative() {
    let pieces = |all: &[&str]| {
        let mut events = delta(json!({
            "tool_calls": piece(json!(0), json!("a"), json!("f"), json!(""))
        }));
        for arguments in all {
            events.push_str(&delta(json!({"tool_calls": more(json!(0), arguments)})));
        }
        streamed(events + &stopped("tool_calls") + DONE)
    };
    let wanted = called([("a", "f", "{\"x\":1}")]);
    assert_eq!(pieces(&["{\"x\"", "{\"x\":1}"]), wanted, "two pieces");
    assert_eq!(pieces(&["{", "{\"x\"", "{\"x\":", "{\"x\":1}"]), wanted, "four pieces");
    assert_eq!(pieces(&["{\"x\":1}", "{\"x\":1}"]), wanted, "all of it again");
    assert_eq!(pieces(&["{\"x\"", ":1}", "", ""]), wanted, "not cumulative");
    // The beginning of an inner object may be that of the outer one.
    assert_eq!(pieces(&["{\"x\":", "{\"x\":1}", "}"]), called([("a", "f", "{\"x\":{\"x\":1}}")]));
    assert_eq!(pieces(&["{\"x\":", "{\"x\":", "1}}"]), called([("a", "f", "{\"x\":{\"x\":1}}")]));
    assert_eq!(pieces(&["{\"", "{\"", ":1}"]), called([("a", "f", "{\"{\":1}")]));
}

#[test]
fn a_call_that_is_repeated_whole_is_one_call() {
    let call = piece(json!(0), json!("a"), json!("f"), json!("{\"x\":1}"));
    assert_eq!(streamed(call_events([call.clone(), call])), called([("a", "f", "{\"x\":1}")]));
}

#[test]
fn whole_calls_as_objects_at_one_index() {
    let call = |x: u8| piece(json!(0), Value::Null, json!("f"), json!({"x": x, "a": [1]}));
    let wanted = called([("", "f", "{\"a\":[1],\"x\":1}"), ("", "f", "{\"a\":[1],\"x\":2}")]);
    assert_eq!(streamed(call_events([call(1), call(1), call(2)])), wanted);
}

#[test]
fn no_calls_in_every_form() {
    for none in [Value::Null, json!([]), json!([null])] {
        let events = delta(json!({"content": "Hi", "tool_calls": none})) + &stopped("stop") + DONE;
        assert_eq!(streamed(events), ModelResponse::text("Hi"), "{none}");
        assert_eq!(whole(json!({"content": "Hi", "tool_calls": none})), ModelResponse::text("Hi"));
    }
}

#[test]
fn one_call_that_is_not_in_a_list() {
    let call =
        json!({"id": "a", "type": "function", "function": {"name": "f", "arguments": {"x": 1}}});
    assert_eq!(streamed(call_events([call.clone()])), called([("a", "f", "{\"x\":1}")]));
    let wanted = ModelResponse { finish: FinishReason::Stop, ..called([("a", "f", "{\"x\":1}")]) };
    assert_eq!(whole(json!({"content": "", "tool_calls": call})), wanted);
}

#[test]
fn the_form_before_there_were_lists() {
    let piece = |name: Value, arguments: &str| {
        delta(json!({"function_call": {"name": name, "arguments": arguments}}))
    };
    let events = piece(json!("f"), "")
        + &piece(Value::Null, "{\"x\"")
        + &delta(json!({"function_call": {"arguments": ":1}"}}))
        + &stopped("function_call")
        + DONE;
    assert_eq!(streamed(events), called([("", "f", "{\"x\":1}")]));
    let message = json!({"content": null, "function_call": {"name": "f", "arguments": "{}"}});
    assert_eq!(
        whole(message),
        ModelResponse { finish: FinishReason::Stop, ..called([("", "f", "{}")]) }
    );
    assert_eq!(whole(json!({"content": "Hi", "function_call": null})), ModelResponse::text("Hi"));
}

#[test]
fn text_and_calls_together_are_both_kept() {
    let events = said("Let me ")
        + &said("look.")
        + &call_events([piece(json!(0), json!("a"), json!("f"), json!("{}"))]);
    let wanted = ModelResponse { text: "Let me look.".into(), ..called([("a", "f", "{}")]) };
    assert_eq!(streamed(events), wanted);
}

#[test]
fn what_servers_add_to_calls_is_passed_over() {
    let call = json!([{
        "index": 0, "id": "a", "type": null, "custom": {"x": [1]}, "token_ids": [1, 2],
        "function": {"name": "f", "arguments": "{}", "parsed_arguments": {}, "strict": true},
    }]);
    assert_eq!(streamed(call_events([call])), called([("a", "f", "{}")]));
}
