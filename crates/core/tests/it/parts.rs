//! The small parts: calls, outcomes, schemas, outputs, contexts.

use std::{borrow::Cow, collections::BTreeMap, fmt, pin::pin, task};

use futures_channel::mpsc;
use futures_core::Stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolwright_core::{
    __private::kit::{FromDisplay as _, FromError as _, FromValue as _, ReturnValue},
    Call, Limit, Limits, Message, ModelError, ModelErrorKind, Outcome, Output, RequestCache,
    ResultFormat, RunContext, Status, StreamSender, ToolDefinitions, ToolEffect, ToolError,
    ToolResult, ToolSpec, ToolUpdate, Usage, schema_of, stream_from,
};

#[test]
fn arguments_are_parsed_in_every_form() {
    let parse = |arguments: &str| Call::new("a", "f", arguments).parse().unwrap();
    for nothing in ["", "  \n", "null", "{}"] {
        assert_eq!(parse(nothing), json!({}), "{nothing:?}");
    }
    assert_eq!(parse(r#"{"a": [1, 2.5]}"#), json!({"a": [1, 2.5]}));
    assert_eq!(parse(r#""{\"a\":1}""#), json!({"a": 1}));
    assert_eq!(parse(r#""just text""#), json!("just text"));
    assert_eq!(parse("[1]"), json!([1]));
    assert_eq!(parse("0.30000000000000004"), json!(0.300_000_000_000_000_04_f64));
}

#[test]
fn arguments_that_cannot_be_parsed_say_whether_they_stop_short() {
    let error = |arguments: &str| Call::new("a", "f", arguments).parse().unwrap_err();
    for cut_off in ["{", r#"{"a"#, r#"{"a": 1"#, "[1,", "\"a"] {
        assert!(error(cut_off).is_cut_off(), "{cut_off}");
    }
    for malformed in ["a", "{a: 1}", "{'a': 1}", r#"{"a": 1}}"#, r#"{"a" 1}"#] {
        assert!(!error(malformed).is_cut_off(), "{malformed}");
    }
    let text = "the arguments are not valid JSON: key must be a string at line 1 column 2";
    assert_eq!(error("{a: 1}").to_string(), text);
}

#[test]
fn an_outcome_has_an_envelope() {
    assert_eq!(
        Outcome::ok(r#"{"id":13}"#).envelope(),
        json!({"success": true, "data": {"id": 13}, "text": r#"{"id":13}"#})
    );
    assert_eq!(
        Outcome::ok("It is 5.").envelope(),
        json!({"success": true, "data": "It is 5.", "text": "It is 5."})
    );
    assert_eq!(
        Outcome::ok("✅ Success!").with_data(json!([1])).with_detail("secret").envelope(),
        json!({"success": true, "data": [1], "text": "✅ Success!"})
    );
    assert_eq!(
        Outcome::new(Status::TimedOut, "too slow").with_detail("secret").envelope(),
        json!({"success": false, "error": "too slow", "status": "timeout", "text": "too slow"})
    );
}

/// What a tool says may begin as what the runtime puts before it: what was put there is known, and not
/// guessed from the text.
#[test]
fn what_stands_before_the_words_is_not_guessed() {
    let edited = "The user changed the arguments of this call. It ran with: {}\nSold.";
    let words = [
        "it is dark",
        "",
        "❌ Error: it is dark",
        "❌ Refused: no",
        "Error: no",
        "Error executing look: no",
        "✅ Success!\n\nFound.",
        r#"{"success":false,"error":"no"}"#,
        edited,
        "größer 𝄞",
    ];
    for words in words {
        let check = |outcome: Outcome, stored: bool| {
            let (status, text) = (outcome.status, outcome.text.clone());
            if status.is_ok() {
                assert_eq!(outcome.unmarked(), words, "{text:?}, stored: {stored}");
            } else {
                assert_eq!(outcome.reason(), words, "{text:?}, stored: {stored}");
            }
            assert_eq!(outcome.said(), text, "stored: {stored}");
        };
        let mut all = vec![
            Outcome::ok(words),
            Outcome::marked(Status::Ok, ResultFormat::SUCCESS, words),
            Outcome::new(Status::TimedOut, words),
            Outcome::unknown_tool(words),
        ];
        for format in [ResultFormat::Plain, ResultFormat::Envelope, ResultFormat::Readable] {
            all.extend([format.failure("look", words), format.refusal(words)]);
        }
        for outcome in all {
            check(outcome.clone(), false);
            let stored = serde_json::to_value(Message::tool("a", "look", outcome)).unwrap();
            let Message::Tool(result) = serde_json::from_value(stored).unwrap() else { panic!() };
            check(result.outcome, true);
        }
    }
}

/// A text that is shortened may lose its mark, and then has none.
#[test]
fn another_text_has_the_mark_only_where_it_begins_with_it() {
    let long = Outcome::marked(Status::Ok, ResultFormat::SUCCESS, "Found 13 and much more.");
    for (text, words) in [
        ("✅ Success!\n\nFound … more.", "Found … more."),
        ("✅ Success!\n… [left out] …", "✅ Success!\n… [left out] …"),
        ("", ""),
    ] {
        let mut outcome = long.clone();
        assert_eq!(outcome.replace_text(text.to_owned()), long.text);
        assert_eq!((outcome.text.as_str(), outcome.unmarked()), (text, words));
    }
}

#[test]
fn an_outcome_has_a_value_if_it_is_one() {
    assert_eq!(Outcome::ok("[1]").value().unwrap(), Cow::<Value>::Owned(json!([1])));
    let data = Outcome::ok("[1]").with_data(json!(null));
    assert_eq!(data.value().unwrap(), Cow::<Value>::Owned(json!(null)));
    assert!(Outcome::ok("It is 5.").value().is_err());
}

#[test]
fn a_schema_says_nothing_about_rust() {
    /// A point.
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Point {
        /// How far.
        x: f64,
        y: Option<u32>,
    }
    /// What to draw.
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Arguments {
        /// Where.
        at: Point,
        path: Vec<Point>,
        /// A field called as the schema's own words.
        title: String,
        format: char,
        default: u16,
        #[serde(default = "two")]
        times: u8,
    }
    fn two() -> u8 {
        2
    }
    let point = |description: Option<&str>| {
        let mut schema = json!({
            "type": "object",
            "description": "A point.",
            "properties": {
                "x": {"type": "number", "description": "How far."},
                "y": {"type": ["integer", "null"], "minimum": 0},
            },
            "required": ["x"],
        });
        if let Some(description) = description {
            schema["description"] = json!(description);
        }
        schema
    };
    assert_eq!(
        schema_of::<Arguments>(),
        json!({
            "type": "object",
            "properties": {
                "at": point(Some("Where.")),
                "path": {"type": "array", "items": point(None)},
                "title": {
                    "type": "string",
                    "description": "A field called as the schema's own words.",
                },
                "format": {"type": "string", "minLength": 1, "maxLength": 1},
                "default": {"type": "integer", "minimum": 0, "maximum": 65535},
                "times": {"type": "integer", "minimum": 0, "maximum": 255, "default": 2},
            },
            "required": ["at", "path", "title", "format", "default"],
        })
    );
}

#[test]
fn nothing_at_all_is_an_empty_object() {
    #[derive(JsonSchema)]
    struct Nothing {}
    let empty = json!({"type": "object", "properties": {}});
    assert_eq!(schema_of::<Nothing>(), empty);
    assert_eq!(schema_of::<BTreeMap<String, Value>>()["type"], json!("object"));
}

#[test]
fn values_become_outputs() {
    #[derive(Serialize)]
    struct Tip {
        amount: f64,
    }
    #[derive(Serialize)]
    struct Name(String);
    let text = |text: &str| Ok(Output::Text(text.into()));
    let json = |json: &str| Ok(Output::Json(json.into()));
    assert_eq!(Output::from_value("a".to_owned()), text("a"));
    assert_eq!(Output::from_value("a"), text("a"));
    assert_eq!(Output::from_value(Cow::Borrowed("a")), text("a"));
    assert_eq!(Output::from_value(Name("a \"b\"".into())), text("a \"b\""));
    assert_eq!(Output::from_value('c'), text("c"));
    assert_eq!(Output::from_value(json!("a")), text("a"));
    assert_eq!(Output::from_value(()), text("Done."));
    assert_eq!(Output::from_value(Tip { amount: 1.5 }), json(r#"{"amount":1.5}"#));
    assert_eq!(Output::from_value(5), json("5"));
    assert_eq!(Output::from_value(true), json("true"));
    assert_eq!(Output::from_value(None::<String>), json("null"));
    assert_eq!(Output::from_value(Some("a".to_owned())), text("a"));
    assert_eq!(Output::from_value(vec!["a"]), json(r#"["a"]"#));
    let readable = Output::readable("five", json!(5));
    assert_eq!(Output::from_value(readable.clone()), Ok(readable));
}

#[test]
fn a_value_that_is_no_json_is_an_error_with_its_reason_kept_from_the_model() {
    let map = BTreeMap::from([((1, 2), 3)]);
    let error = Output::from_value(map).unwrap_err();
    assert_eq!(error.message(), "the result could not be written as JSON");
    assert_eq!(error.detail(), Some("key must be a string"));
}

#[test]
fn an_output_can_be_serialised_as_what_it_holds() {
    let value = |output: Output| serde_json::to_value(output).unwrap();
    assert_eq!(value(Output::Text("a".into())), json!("a"));
    assert_eq!(value(Output::Json("[1]".into())), json!([1]));
    assert_eq!(value(Output::readable("one", json!({"a": 1}))), json!({"a": 1}));
}

mod kit {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Low;

    impl fmt::Display for Low {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("connection refused")
        }
    }

    impl std::error::Error for Low {}

    #[derive(Debug)]
    struct High(Low);

    impl fmt::Display for High {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the exchange cannot be reached")
        }
    }

    impl std::error::Error for High {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }

    /// As anyhow's error: words, no `Error`, its sources in `{:#}`.
    struct Loose;

    impl fmt::Display for Loose {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(if f.alternate() { "no luck: token abc" } else { "no luck" })
        }
    }

    type Alias<T> = Result<T, High>;

    macro_rules! result_of {
        ($value:expr) => {
            (&&&ReturnValue::new($value)).to_result()
        };
    }

    fn error(result: ToolResult) -> (String, Option<String>) {
        let error = result.unwrap_err();
        (error.message().to_owned(), error.detail().map(str::to_owned))
    }

    #[test]
    fn any_value_is_a_result() {
        assert_eq!(result_of!(5), Ok(Output::Json("5".into())));
        assert_eq!(result_of!("a"), Ok(Output::Text("a".into())));
        assert_eq!(result_of!(()), Ok(Output::Text("Done.".into())));
        assert_eq!(result_of!(Some(5)), Ok(Output::Json("5".into())));
    }

    #[test]
    fn what_is_in_ok_is_the_result() {
        assert_eq!(result_of!(Alias::Ok(5)), Ok(Output::Json("5".into())));
        assert_eq!(result_of!(Ok::<_, Loose>("a")), Ok(Output::Text("a".into())));
        assert_eq!(result_of!(Ok::<(), String>(())), Ok(Output::Text("Done.".into())));
        let readable = Output::readable("five", json!(5));
        assert_eq!(result_of!(ToolResult::Ok(readable.clone())), Ok(readable));
    }

    #[test]
    fn an_error_keeps_its_sources_from_the_model() {
        let sources = "the exchange cannot be reached: connection refused";
        assert_eq!(
            error(result_of!(Alias::<()>::Err(High(Low)))),
            ("the exchange cannot be reached".into(), Some(sources.into()))
        );
        assert_eq!(error(result_of!(Err::<u8, _>(Low))), ("connection refused".into(), None));
        assert_eq!(
            error(result_of!(Err::<u8, _>(Loose))),
            ("no luck".into(), Some("no luck: token abc".into()))
        );
        assert_eq!(error(result_of!(Err::<u8, _>("no"))), ("no".into(), None));
        assert_eq!(error(result_of!(Err::<u8, _>("no".to_owned()))), ("no".into(), None));
        let own = ToolError::new("expired").with_detail("token abc");
        assert_eq!(
            error(result_of!(ToolResult::Err(own))),
            ("expired".into(), Some("token abc".into()))
        );
    }

    #[test]
    fn a_result_is_taken_once() {
        let returned = ReturnValue::new(5);
        assert_eq!(returned.to_result(), Ok(Output::Json("5".into())));
        assert_eq!(error(returned.to_result()), ("the result was taken twice".into(), None));
    }
}

#[test]
fn what_only_the_operator_may_read_is_not_shown_by_accident() {
    let error = ToolError::new("expired").with_detail("token abc");
    assert_eq!(
        (error.to_string(), format!("{error:?}")),
        ("expired".into(), "ToolError(\"expired\")".into())
    );
    let context = RunContext::new().with("token abc".to_owned()).with(5_u8);
    assert_eq!(
        format!("{context:?}"),
        "RunContext { values: \"[2 hidden]\", call: None, .. }".replace('"', "")
    );
}

#[test]
fn a_context_is_found_by_type_and_reports_for_its_call() {
    let context = RunContext::new().with(1_u8).with("a").with(2_u8);
    assert_eq!((context.get::<u8>(), context.get::<&str>()), (Some(&2), Some(&"a")));
    assert_eq!((context.get::<u16>(), context.call()), (None, None));
    context.progress("nobody hears this");
    let (sender, mut receiver) = mpsc::unbounded();
    let watch = std::sync::Arc::new(move |said| drop(sender.unbounded_send(said)));
    let of_call = context.for_call("a".into(), watch);
    assert_eq!((of_call.get::<u8>(), of_call.call()), (Some(&2), Some(&"a".into())));
    of_call.progress("half");
    assert_eq!(receiver.try_recv().ok(), Some(ToolUpdate::Progress("half".into())));
    drop(receiver);
    of_call.progress("nobody hears this either");
}

#[test]
fn definitions_are_openais_and_made_once() {
    let spec = ToolSpec::new("find", "Finds.", json!({"type": "object", "properties": {}}));
    let definitions = ToolDefinitions::new([spec.clone().into()]);
    let expected = json!([{
        "type": "function",
        "function": {
            "name": "find",
            "description": "Finds.",
            "parameters": {"type": "object", "properties": {}},
        },
    }]);
    assert_eq!(serde_json::from_str::<Value>(definitions.json()).unwrap(), expected);
    let copy = definitions.clone();
    assert!(copy.is_same(&definitions) && std::ptr::eq(copy.json(), definitions.json()));
    assert!(!ToolDefinitions::new([spec.into()]).is_same(&definitions));
    assert!(ToolDefinitions::default().is_empty() && !definitions.is_empty());
    assert_eq!(ToolDefinitions::default().json(), "[]");
}

#[test]
fn a_spec_comes_back() {
    let spec = ToolSpec::new("buy", "Buys.", json!({"type": "object"}))
        .effect(ToolEffect::Destructive)
        .render(ResultFormat::Readable)
        .timeout(std::time::Duration::from_millis(1500))
        .after("find")
        .grounded("id")
        .free_text("note");
    let stored = serde_json::to_string(&spec).unwrap();
    assert_eq!(serde_json::from_str::<ToolSpec>(&stored).unwrap(), spec);
}

#[test]
fn an_effect_says_what_may_be_done() {
    let facts = |effect: ToolEffect| {
        (effect.is_read_only(), effect.is_repeatable(), effect.needs_decision())
    };
    assert_eq!(facts(ToolEffect::ReadOnly), (true, true, false));
    assert_eq!(facts(ToolEffect::Idempotent), (false, true, false));
    assert_eq!(facts(ToolEffect::Write), (false, false, false));
    assert_eq!(facts(ToolEffect::Destructive), (false, false, true));
    assert_eq!(ToolEffect::default(), ToolEffect::Write);
}

#[test]
fn a_memo_keeps_one_thing() {
    let mut memo = RequestCache::default();
    *memo.get_or_default::<u8>() += 5;
    *memo.get_or_default::<u8>() += 1;
    assert_eq!(*memo.get_or_default::<u8>(), 6);
    assert_eq!(*memo.get_or_default::<String>(), "");
    assert_eq!(*memo.get_or_default::<u8>(), 0, "another type took its place");
}

#[test]
fn numbers_from_outside_do_not_overflow() {
    let mut usage = Usage { prompt_tokens: u64::MAX, completion_tokens: 1, ..Usage::default() };
    assert_eq!(usage.total(), u64::MAX);
    usage += usage;
    assert_eq!((usage.prompt_tokens, usage.completion_tokens), (u64::MAX, 2));
}

#[test]
fn limits_are_told_in_words() {
    let limits = Limits { tokens: Some(9000), ..Limits::default() };
    let told = [Limit::Rounds, Limit::Calls, Limit::Tokens, Limit::WallClock]
        .map(|limit| limit.describe(&limits));
    assert_eq!(told, ["5 rounds of tool calls", "64 tool calls", "9000 tokens", "10m"]);
}

#[test]
fn some_failures_of_a_model_pass() {
    use ModelErrorKind as Kind;
    let transient = [
        Kind::NotConfigured,
        Kind::Connection,
        Kind::Timeout,
        Kind::Auth,
        Kind::RateLimited,
        Kind::Quota,
        Kind::Request,
        Kind::NotFound,
        Kind::Server,
        Kind::BrokenReply,
    ]
    .into_iter()
    .filter(|kind| ModelError::new(*kind, "").is_transient());
    assert_eq!(
        transient.collect::<Vec<_>>(),
        [Kind::Connection, Kind::Timeout, Kind::RateLimited, Kind::Server, Kind::BrokenReply]
    );
    let error = ModelError::new(Kind::Timeout, "too slow").with_advice("wait");
    assert!(error.is_timeout());
    let stored = serde_json::to_value(&error).unwrap();
    assert_eq!(stored, json!({"kind": "timeout", "message": "too slow", "advice": "wait"}));
    assert_eq!(ModelError::deserialize(stored).unwrap(), error);
}

/// What a stream gives when it is polled until it is not ready.
fn drain<S: Stream>(mut stream: std::pin::Pin<&mut S>) -> (Vec<S::Item>, bool) {
    let mut cx = task::Context::from_waker(task::Waker::noop());
    let mut items = Vec::new();
    loop {
        match stream.as_mut().poll_next(&mut cx) {
            task::Poll::Ready(Some(item)) => items.push(item),
            task::Poll::Ready(None) => return (items, true),
            task::Poll::Pending => return (items, false),
        }
    }
}

#[test]
fn what_is_produced_comes_before_what_is_returned() {
    let outbox = StreamSender::new();
    let mut producing = pin!(stream_from(outbox.clone(), async {
        outbox.put(1);
        outbox.taken().await;
        outbox.extend([2, 3]);
        5
    }));
    assert_eq!(producing.output(), None);
    assert_eq!(drain(producing.as_mut()), (vec![1, 2, 3], true));
    assert_eq!(producing.output(), Some(&5));
    assert_eq!(drain(producing.as_mut()), (vec![], true));
}
