use serde_json::{Value, json};
use toolwright_core::{ToolChoice, ToolEffect, ToolSpec};

use super::{Constraint, Context, Style, accepted, constraint, constraint_on, lexicon, tool};

/// Whether a whole call of `t` with these arguments may be written.
#[track_caller]
fn check(parameters: &Value, said: &[&str], cases: &[(&str, bool)]) {
    for (arguments, is_allowed) in cases {
        let text =
            format!("<tool_call>{{\"name\": \"t\", \"arguments\": {arguments}}}</tool_call>");
        let mut constraint = constraint(&[tool("t", parameters.clone())], said, &ToolChoice::Auto);
        let (reached, may_end) = accepted(&mut constraint, &text);
        assert_eq!(reached == text && may_end, *is_allowed, "{arguments}: reached {reached}");
    }
}

fn one(schema: &Value) -> Value {
    json!({"type": "object", "properties": {"a": schema}, "required": ["a"]})
}

#[test]
fn a_string_is_a_piece_of_a_line_in_whole_words() {
    let said = ["What's the weather in San Francisco?", "and in 東京\nor \"there\""];
    check(
        &one(&json!({"type": "string"})),
        &said,
        &[
            (r#"{"a": "San Francisco"}"#, true),
            (r#"{"a": "San Francisco?"}"#, true),
            (r#"{"a": "San"}"#, true),
            (r#"{"a": "San Fran"}"#, false),
            (r#"{"a": "an Francisco"}"#, false),
            (r#"{"a": "San Francisco, CA"}"#, false),
            (r#"{"a": "Francisco "}"#, false),
            (r#"{"a": ""}"#, false),
            (r#"{"a": "東"}"#, true),
            (r#"{"a": "京"}"#, true),
            (r#"{"a": "\"there\""}"#, true),
            (r#"{"a": "東京\nor"}"#, false),
            (r#"{"a": 5}"#, false),
            (r#"{"a": null}"#, false),
            ("{}", false),
            (r#"{"b": "San"}"#, false),
            (r#"{"a": "San", "a": "San"}"#, false),
            (r#"{"a":"San"}"#, false),
        ],
    );
}

#[test]
fn what_names_a_thing_comes_from_a_result_or_looks_like_a_name() {
    let quote = json!({"type": "object", "additionalProperties": {"type": "array", "items": {"type": ["integer", "string"]}}});
    let spec = ToolSpec::new("t", "Quotes.", one(&quote)).grounded("a");
    let call = |arguments: &str| {
        format!("<tool_call>{{\"name\": \"t\", \"arguments\": {arguments}}}</tool_call>")
    };
    let reaches = |said: &[&str], found: &[&str], arguments: &str| {
        let mut constraint = constraint_on(&[spec.clone().into()], said, found, &ToolChoice::Auto);
        accepted(&mut constraint, &call(arguments)).0 == call(arguments)
    };
    let sensex = r#"{"a": {"sensex": ["sensex"]}}"#;
    assert!(!reaches(&["give me the latest on sensex"], &[], sensex), "nothing was looked up");
    assert!(!reaches(&["where is SBIN?"], &[], r#"{"a": {"SBIN": ["SBIN"]}}"#), "a word");
    assert!(!reaches(&["20% of sensex, please"], &[], r#"{"a": {"sensex": [20]}}"#));
    let found = ["SENSEX: security ID 51, IDX_I"];
    assert!(reaches(&["give me the latest on sensex"], &found, r#"{"a": {"IDX_I": [51]}}"#));
    assert!(!reaches(&["give me the latest on sensex"], &found, r#"{"a": {"IDX_I": ["latest"]}}"#));
    assert!(reaches(&["quote 51 of IDX_I?"], &[], r#"{"a": {"IDX_I": [51]}}"#));
}

#[test]
fn lengths_and_patterns_hold() {
    let said = ["video dQw4w9WgXcQ or ab c"];
    let id = json!({"type": "string", "pattern": "^[A-Za-z0-9_-]{11}$"});
    check(&one(&id), &said, &[(r#"{"a": "dQw4w9WgXcQ"}"#, true), (r#"{"a": "video"}"#, false)]);
    let long = json!({"type": "string", "minLength": 4, "maxLength": 5});
    check(
        &one(&long),
        &said,
        &[
            (r#"{"a": "video"}"#, true),
            (r#"{"a": "ab c"}"#, true),
            (r#"{"a": "ab"}"#, false),
            (r#"{"a": "or ab"}"#, true),
            (r#"{"a": "or ab c"}"#, false),
        ],
    );
}

#[test]
fn numbers_are_given_and_fit() {
    let said = ["a 20% tip on $45.60, the first five of 1,200"];
    let number = json!({"type": "number", "minimum": 1});
    check(
        &one(&number),
        &said,
        &[
            (r#"{"a": 45.6}"#, true),
            (r#"{"a": 20}"#, true),
            (r#"{"a": 20.0}"#, true),
            (r#"{"a": 1200}"#, true),
            (r#"{"a": 0.2}"#, false),
            (r#"{"a": 45}"#, false),
            (r#"{"a": 4}"#, false),
        ],
    );
    let integer = json!({"type": "integer", "default": 7, "maximum": 50});
    check(
        &one(&integer),
        &said,
        &[
            (r#"{"a": 5}"#, true),
            (r#"{"a": 1}"#, true),
            (r#"{"a": 7}"#, true),
            (r#"{"a": 20}"#, true),
            (r#"{"a": 20.0}"#, false),
            (r#"{"a": 1200}"#, false),
        ],
    );
}

#[test]
fn dates_are_any_that_exist() {
    let day = json!({"type": ["string", "null"], "description": "As YYYY-MM-DD."});
    check(
        &one(&day),
        &["since last month"],
        &[
            (r#"{"a": "2026-02-28"}"#, true),
            (r#"{"a": "2024-02-29"}"#, true),
            (r#"{"a": "2026-02-29"}"#, false),
            (r#"{"a": "2026-13-01"}"#, false),
            (r#"{"a": "2026-04-31"}"#, false),
            (r#"{"a": "2026-10-00"}"#, false),
            (r#"{"a": "2026-10-30 09:15"}"#, false),
            (r#"{"a": "last month"}"#, false),
            (r#"{"a": null}"#, true),
        ],
    );
    let time = json!({"type": "string", "description": "YYYY-MM-DD or YYYY-MM-DD HH:MM."});
    check(
        &one(&time),
        &["x"],
        &[
            (r#"{"a": "2026-10-30 09:15"}"#, true),
            (r#"{"a": "2026-10-30 24:00"}"#, false),
            (r#"{"a": "2026-10-30 09"}"#, false),
        ],
    );
}

#[test]
fn maps_arrays_and_references_are_typed() {
    let securities = json!({
        "type": "object",
        "additionalProperties": {"type": "array", "items": {"type": ["integer", "string"]}},
    });
    check(
        &one(&securities),
        &["13 is IDX_I, 2885 and 1333 are NSE_EQ"],
        &[
            (r#"{"a": {"IDX_I": [13]}}"#, true),
            (r#"{"a": {"NSE_EQ": [2885, 1333], "IDX_I": ["13"]}}"#, true),
            (r#"{"a": {"NSE_EQ": [2885], "NSE_EQ": [1333]}}"#, false),
            (r#"{"a": {"NSE_FNO": [13]}}"#, false),
            (r#"{"a": {"IDX_I": [14]}}"#, false),
            (r#"{"a": {"IDX_I": []}}"#, false),
            (r#"{"a": {}}"#, false),
        ],
    );
    let legs = json!({
        "type": "object",
        "$defs": {"Side": {"enum": ["buy", "sell"]}},
        "properties": {
            "legs": {
                "type": "array", "minItems": 2, "maxItems": 2,
                "items": {"type": "object", "properties": {"at": {"type": "integer"}, "side": {"$ref": "#/$defs/Side"}}, "required": ["side"]},
            },
            "x": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
        },
        "required": ["legs"],
    });
    check(
        &legs,
        &["5"],
        &[
            (r#"{"legs": [{"side": "buy"}, {"at": 5, "side": "sell"}]}"#, true),
            (r#"{"legs": [{"side": "buy"}, {"side": "buy"}], "x": true}"#, true),
            (r#"{"legs": [{"side": "buy"}, {"side": "buy"}], "x": null}"#, false),
            (r#"{"legs": [{"side": "hold"}, {"side": "buy"}]}"#, false),
            (r#"{"legs": [{"side": "buy"}]}"#, false),
            (r#"{"legs": [{"side": "buy"}, {"side": "buy"}, {"side": "buy"}]}"#, false),
            (r#"{"legs": [{"side": "buy", "at": 5}, {"side": "buy"}]}"#, false),
        ],
    );
}

#[test]
fn what_the_schema_names_may_be_said() {
    let interval = json!({"type": "string", "default": "daily", "description": "\"daily\", or minutes: \"1\", \"60\"."});
    let optional = json!({"type": "object", "properties": {"a": interval}});
    let cases = [
        (r#"{"a": "60"}"#, true),
        (r#"{"a": "hourly"}"#, true),
        (r#"{"a": "5"}"#, false),
        ("{}", true),
    ];
    check(&optional, &["the hourly candles"], &cases);
    // Where it has to be given, what is quoted is an example.
    let query = one(&json!({"type": "string", "description": "Such as \"NIFTY\"."}));
    check(&query, &["hello"], &[(r#"{"a": "NIFTY"}"#, false), (r#"{"a": "hello"}"#, true)]);
}

#[test]
fn composed_text_may_be_anything() {
    let parameters = one(&json!({"type": "string", "maxLength": 8}));
    let bash = ToolSpec::new("t", "Runs.", parameters).generated("a");
    for (text, is_allowed) in [
        ("ls -l", true),
        (r#"a\n\"b\""#, true),
        ("é😀", true),
        ("123456789", false),
        (r"\x", false),
        ("", true),
    ] {
        let call = format!(
            "<tool_call>{{\"name\": \"t\", \"arguments\": {{\"a\": \"{text}\"}}}}</tool_call>"
        );
        let mut constraint = constraint(&[bash.clone().into()], &["x"], &ToolChoice::Required);
        assert_eq!(accepted(&mut constraint, &call) == (&*call, true), is_allowed, "{text}");
    }
}

#[test]
fn figures_in_an_answer_are_given() {
    let said = ["What is NIFTY?", "NIFTY: 24,850.30 (+0.5%), 3 trades on 2026-03-09"];
    for (answer, is_allowed) in [
        ("NIFTY is at 24,850.30.", true),
        ("NIFTY is at 24850.3, up 0.5%.", true),
        ("NIFTY is at 24,850.", false),
        ("NIFTY is at 24,851.", false),
        ("There were 3.", true),
        ("There were 3, on 9 March 2026.", true),
        ("There were 3.5.", false),
        ("There were 4.", false),
        ("A <tool_call> is no answer.", false),
        ("3 < 4", false),
        ("0.5 < 3", true),
        ("{\"name\": \"t\"}", false),
        ("", false),
    ] {
        let mut constraint = constraint(&[], &said, &ToolChoice::None);
        assert_eq!(accepted(&mut constraint, answer) == (answer, true), is_allowed, "{answer}");
    }
}

#[test]
fn the_choice_is_kept() {
    let tools = [
        tool("list", json!({"type": "object", "properties": {}})),
        tool("t", one(&json!({"type": "integer"}))),
    ];
    let call = r#"<tool_call>{"name": "list", "arguments": {}}</tool_call>"#;
    let twice = format!("{call}\n{call}");
    let other = ToolChoice::Tool("other".to_owned());
    for (choice, text, is_allowed) in [
        (ToolChoice::Auto, call, true),
        (ToolChoice::Auto, &*twice, false),
        (ToolChoice::Auto, "Hello.", true),
        (ToolChoice::Required, call, true),
        (ToolChoice::Required, "Hello.", false),
        (ToolChoice::None, call, false),
        (ToolChoice::None, "Hello.", true),
        (ToolChoice::Tool("list".to_owned()), call, true),
        // What cannot be called does not keep the model from answering.
        (other, "Hello.", true),
        (ToolChoice::Tool("t".to_owned()), "Hello.", true),
    ] {
        let mut constraint = constraint(&tools, &["hello"], &choice);
        assert_eq!(
            accepted(&mut constraint, text) == (text, true),
            is_allowed,
            "{choice:?} {text}"
        );
    }
}

#[test]
fn what_must_come_is_known_ahead() {
    let tools = [tool("t", one(&json!({"enum": ["on"]})))];
    let mut constraint = constraint(&tools, &["hello"], &ToolChoice::Required);
    let call = r#"<tool_call>{"name": "t", "arguments": {"a": "on"}}</tool_call>"#;
    assert_eq!(constraint.ahead(), call.as_bytes());
    assert_eq!(accepted(&mut constraint, call), (call, true));
    assert_eq!(constraint.ahead(), b"");
}

/// Whether an answer may be written, where this was said, found and called, and these pointers are there.
fn may_answer(answer: &str, pointers: &[&str]) -> bool {
    let own = |texts: &[&str]| texts.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let said = own(&["Run the tests, then show `app.toml`"]);
    let found = own(&["     1\tport = 8080\n     2\tname = \"é x\" # [a]\n"]);
    let called = own(&["cargo test"]);
    let context = Context::answering(&said, &found, &called, &own(pointers));
    let lexicon = lexicon(&mut fastrand::Rng::with_seed(7));
    let mut constraint =
        Constraint::new(lexicon, &[], context, &ToolChoice::Auto, Style::default());
    accepted(&mut constraint, answer) == (answer, true)
}

#[test]
fn an_answer_points_in_a_line_of_its_own_and_once() {
    let pointers = ["[[1]]", "[[2]]", "[[tools]]"];
    for (answer, is_allowed) in [
        ("[[1]]", true),
        ("app.toml:\n[[1]]", true),
        ("app.toml:\n[[1]]\n\nthe other:\n[[2]]\n", true),
        ("I can:\n[[tools]]", true),
        ("[[1]]\n[[1]]", false),
        ("[[3]]", false),
        ("[[1]", false),
        ("[[1]] is it", false),
        ("It is [[1]]", false),
        ("  [[1]]", false),
        ("A list:\n[x] done", false),
        ("It is [so] said", true),
    ] {
        assert_eq!(may_answer(answer, &pointers), is_allowed, "{answer}");
    }
    assert!(!may_answer("[[1]]", &[]) && !may_answer("So:\n[[1]]", &[]));
    assert!(may_answer("So:\n[x] done", &[]));
}

#[test]
fn what_stands_between_backticks_is_a_piece_of_the_conversation() {
    for (answer, is_allowed) in [
        ("The port is 8080: `port = 8080`", true),
        ("`port = 8080` it is", true),
        ("It is `name = \"é x\"`.", true),
        ("`cargo test` printed it", true),
        ("`app.toml` and `port`", true),
        ("`port = 8081`", false),
        ("`por`", false),
        ("`port", false),
        ("``port``", false),
        ("```\nport = 8080\n```", false),
        ("So:\n```", false),
        ("`show `app", false),
    ] {
        assert_eq!(may_answer(answer, &[]), is_allowed, "{answer}");
    }
}

#[test]
fn no_call_stands_in_a_turn_twice() {
    let side = one(&json!({"enum": ["on", "off"]}));
    let list = json!({"type": "object", "properties": {}});
    let call = |name: &str, arguments: &str| {
        format!("<tool_call>{{\"name\": \"{name}\", \"arguments\": {arguments}}}</tool_call>")
    };
    let (on, off) = (call("set", r#"{"a": "on"}"#), call("set", r#"{"a": "off"}"#));
    let listed = call("list", "{}");
    for (turn, is_allowed) in [
        ([&*on, &*off, &*listed].join("\n"), true),
        ([&*on, &*on].join("\n"), false),
        ([&*listed, &*listed].join("\n"), false),
        ([&*on, &*listed, &*on].join("\n"), false),
    ] {
        let tools = [tool("set", side.clone()), tool("list", list.clone())];
        let mut constraint = constraint(&tools, &["x"], &ToolChoice::Required);
        assert_eq!(accepted(&mut constraint, &turn) == (&*turn, true), is_allowed, "{turn}");
    }
    // Where all were made there is nothing but the end.
    let tools = [tool("set", side), tool("list", list)];
    let mut constraint = constraint(&tools, &["x"], &ToolChoice::Required);
    let all = [on, off, listed].join("\n");
    assert_eq!(accepted(&mut constraint, &all), (&*all, true));
    assert_eq!(constraint.allowed().tokens().count(), 1);
}

#[test]
fn what_changes_something_is_called_where_somebody_asks_for_it() {
    let parameters = json!({
        "type": "object",
        "properties": {"force": {"type": ["boolean", "null"]}, "text": {"type": "string"}},
        "required": ["text"],
    });
    let note = ToolSpec::new("t", "Notes.", parameters).asked_by(["note"]);
    let note = note.asked_for("force", ["anyway"]);
    let read = note.clone().effect(ToolEffect::ReadOnly);
    let call = |arguments: &str| {
        format!("<tool_call>{{\"name\": \"t\", \"arguments\": {arguments}}}</tool_call>")
    };
    let (plain, forced) = (r#"{"text": "milk"}"#, r#"{"force": true, "text": "milk"}"#);
    for (spec, said, arguments, choice, is_allowed) in [
        (&note, "note milk", plain, ToolChoice::Auto, true),
        (&note, "asdfgh milk", plain, ToolChoice::Auto, false),
        (&note, "asdfgh milk", plain, ToolChoice::Tool("t".to_owned()), true),
        (&read, "asdfgh milk", plain, ToolChoice::Auto, true),
        (&note, "note milk", forced, ToolChoice::Auto, false),
        (&note, "note milk anyway", forced, ToolChoice::Auto, true),
    ] {
        let context = Context::new(&[said.to_owned()], &[]).asking(&[said]);
        let lexicon = lexicon(&mut fastrand::Rng::with_seed(7));
        let tools = [spec.clone().into()];
        let mut constraint = Constraint::new(lexicon, &tools, context, &choice, Style::default());
        let call = call(arguments);
        let reached = accepted(&mut constraint, &call) == (&*call, true);
        assert_eq!(reached, is_allowed, "{said}: {arguments}");
    }
}

#[test]
fn a_day_is_one_that_is_spoken_of() {
    let day = json!({"type": ["string", "null"], "description": "As YYYY-MM-DD."});
    let parameters = json!({
        "type": "object",
        "properties": {"date_from": day, "date_to": day, "expiry": day},
    });
    let tools = [tool("t", parameters)];
    for (said, arguments, is_allowed) in [
        ("last week", r#"{"date_from": "2026-11-09", "date_to": "2026-11-15"}"#, true),
        ("last week", r#"{"date_from": "2026-11-06"}"#, false),
        ("last week", r#"{"date_to": "2026-11-09"}"#, false),
        ("last week", r#"{"expiry": "2026-11-24"}"#, true),
        ("last week", r#"{"expiry": "2026-11-25"}"#, false),
        ("last week", "{}", true),
        ("some time ago", r#"{"date_from": "2026-11-06"}"#, true),
    ] {
        let found = "Ends on 2026-11-24".to_owned();
        let context = Context::new(&[said.to_owned()], &[found]).asking(&[said]);
        let context = context.on("2026-11-18".parse().ok());
        let lexicon = lexicon(&mut fastrand::Rng::with_seed(7));
        let choice = ToolChoice::Auto;
        let mut constraint = Constraint::new(lexicon, &tools, context, &choice, Style::default());
        let call =
            format!("<tool_call>{{\"name\": \"t\", \"arguments\": {arguments}}}</tool_call>");
        let reached = accepted(&mut constraint, &call) == (&*call, true);
        assert_eq!(reached, is_allowed, "{said}: {arguments}");
    }
}
