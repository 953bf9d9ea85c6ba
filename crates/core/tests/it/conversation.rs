//! What a program can ask of a conversation, and what becomes of one that came from elsewhere.

use proptest::{
    collection, option,
    prelude::*,
    test_runner::{Config, RngSeed},
};
use serde_json::{Value, json};
use toolwright_core::{
    AssistantMessage, Call, CallId, CallSource, Conversation, Message, Outcome, QueryError, Repair,
    Status, ToolMessage,
};

use crate::audit::wire_problems;

fn calls<const N: usize>(calls: [(&str, &str); N]) -> Message {
    let calls = calls.map(|(id, name)| Call::new(id, name, "{}")).to_vec();
    Message::Assistant(AssistantMessage { calls, ..AssistantMessage::default() })
}

fn result(id: &str, name: &str, text: &str) -> Message {
    Message::tool(id, name, Outcome::ok(text))
}

mod queries {
    use super::*;

    fn talk() -> Conversation {
        Conversation::from_iter([
            Message::user("What is NIFTY?"),
            calls([("a", "find"), ("b", "news")]),
            result("a", "find", r#"{"security_id":"13","lots":[50,75]}"#),
            Message::tool("b", "news", Outcome::failed("the feed is down")),
            calls([("c", "find"), ("d", "quote"), ("e", "say"), ("f", "wrap")]),
            result("c", "find", r#"{"security_id":"25","lots":[15]}"#),
            Message::tool("d", "quote", Outcome::ok("✅ Success!").with_data(json!({"ltp": 5.5}))),
            result("e", "say", "It is up."),
            result("f", "wrap", r#"{"data":{"security_id":7},"success":true}"#),
            calls([("g", "find")]),
            Message::tool("g", "find", Outcome::failed("nothing found")),
        ])
    }

    #[test]
    fn which_tools_were_called() {
        let talk = talk();
        assert!(talk.was_called("find") && talk.was_called("news") && !talk.was_called("order"));
        assert!(talk.called_any(&["order", "news"]) && !talk.called_any(&["order"]));
        assert!(talk.called_all(&["find", "news"]) && !talk.called_all(&["find", "order"]));
        assert!(!talk.called_any(&[]) && talk.called_all(&[]));
        assert_eq!(talk.which_called(&["say", "order", "find"]), ["say", "find"]);
        let open = Conversation::from_iter([calls([("a", "find")])]);
        assert!(!open.was_called("find"), "a call without a result is none yet");
    }

    #[test]
    fn what_they_returned() {
        let talk = talk();
        let ids = |tool| talk.results_of(tool).map(|it| it.call.as_str()).collect::<Vec<_>>();
        assert_eq!((ids("find"), ids("order")), (vec!["a", "c", "g"], vec![]));
        assert_eq!(talk.first_result_of("find").unwrap().call, CallId::from("a"));
        assert_eq!(talk.last_result_of("find").unwrap().outcome, Outcome::failed("nothing found"));
        assert_eq!(talk.first_result_of("order"), None);
        assert_eq!(talk.last_result_of("order"), None);
        assert_eq!(talk.results().count(), 7);
    }

    #[test]
    fn typed_values() {
        #[derive(Debug, PartialEq, serde::Deserialize)]
        struct Found {
            security_id: String,
            lots: Vec<u32>,
        }
        let talk = talk();
        // The last success, not the last result.
        assert_eq!(talk.value("find", "/security_id"), Ok("25".to_owned()));
        assert_eq!(talk.value("find", "/lots/0"), Ok(15_u32));
        assert_eq!(talk.value("find", ""), Ok(Found { security_id: "25".into(), lots: vec![15] }));
        assert_eq!(talk.value("quote", "/ltp"), Ok(5.5));
        assert_eq!(talk.value("wrap", "/security_id"), Ok(7));
        assert_eq!(talk.value("wrap", "/data/security_id"), Ok(7));
        assert_eq!(talk.value("wrap", "/success"), Ok(true));
    }

    fn asked(tool: &str, pointer: &str) -> (QueryError, String) {
        let error = talk().value::<u32>(tool, pointer).unwrap_err();
        (error.clone(), error.to_string())
    }

    #[test]
    fn a_tool_that_was_not_called() {
        let called = ["find", "news", "quote", "say", "wrap"].map(str::to_owned).to_vec();
        assert_eq!(
            asked("order", "/id"),
            (
                QueryError::NotCalled { tool: "order".into(), called },
                "`order` was not called; called so far: find, news, quote, say, wrap".into()
            )
        );
        let nothing = Conversation::new().value::<u32>("order", "").unwrap_err();
        assert_eq!(nothing.to_string(), "`order` was not called; called so far: nothing");
    }

    #[test]
    fn a_tool_that_only_failed() {
        let error = QueryError::NotSuccessful {
            tool: "news".into(),
            status: Status::Failed,
            text: "the feed is down".into(),
        };
        let text =
            "`news` was called but did not succeed; its last call ended as error: the feed is down";
        assert_eq!(asked("news", "/id"), (error, text.into()));
    }

    #[test]
    fn a_result_that_is_not_json() {
        let error = QueryError::NotJson {
            tool: "say".into(),
            reason: "expected value at line 1 column 1".into(),
            text: "It is up.".into(),
        };
        let text = "the result of `say` is not JSON (expected value at line 1 column 1): It is up.";
        assert_eq!(asked("say", "/id"), (error, text.into()));
        let long = Conversation::from_iter([result("a", "say", &"é".repeat(500))]);
        let QueryError::NotJson { text, .. } = long.value::<u32>("say", "").unwrap_err() else {
            panic!("it is not JSON");
        };
        assert_eq!(text, format!("{}…", "é".repeat(120)));
    }

    #[test]
    fn a_place_that_is_not_there() {
        let error = QueryError::Missing {
            tool: "quote".into(),
            pointer: "/close".into(),
            keys: vec!["ltp".into()],
        };
        let text = "the result of `quote` has nothing at `/close`; at its root it has: ltp";
        assert_eq!(asked("quote", "/close"), (error, text.into()));
        let (_, text) = asked("wrap", "/price");
        assert_eq!(
            text,
            "the result of `wrap` has nothing at `/price`; at its root it has: security_id"
        );
        let list = Conversation::from_iter([result("a", "all", "[1,2]")]);
        assert_eq!(
            list.value::<u32>("all", "/id").unwrap_err().to_string(),
            "the result of `all` has nothing at `/id`; at its root it has: a list of 2"
        );
    }

    #[test]
    fn a_value_of_another_type() {
        let error = QueryError::WrongType {
            tool: "find".into(),
            pointer: "/security_id".into(),
            reason: "invalid type: string \"25\", expected u32".into(),
        };
        let text = "the value at `/security_id` in the result of `find` is not of the wanted \
                    type: invalid type: string \"25\", expected u32";
        assert_eq!(asked("find", "/security_id"), (error, text.into()));
    }
}

mod loading {
    use super::*;

    fn loaded(messages: impl IntoIterator<Item = Message>) -> (Vec<Message>, Repair) {
        let (conversation, repair) = Conversation::load(messages);
        assert_eq!(wire_problems(conversation.messages()), Vec::<String>::new());
        (conversation.messages().iter().map(|it| (**it).clone()).collect(), repair)
    }

    fn interrupted(id: &str, name: &str) -> Message {
        Message::tool(id, name, Outcome::interrupted())
    }

    #[test]
    fn what_is_in_order_is_left_alone() {
        let messages = [
            Message::system("Be brief."),
            Message::user("Hi"),
            calls([("a", "find"), ("b", "find")]),
            result("a", "find", "1"),
            result("b", "find", "2"),
            Message::assistant("Done."),
        ];
        assert_eq!(loaded(messages.clone()), (messages.to_vec(), Repair::default()));
        assert!(Repair::default().is_clean());
    }

    #[test]
    fn a_call_without_a_result_gets_one() {
        let (messages, repair) = loaded([calls([("a", "find")]), Message::user("Well?")]);
        let expected = [calls([("a", "find")]), interrupted("a", "find"), Message::user("Well?")];
        assert_eq!(messages, expected);
        assert_eq!(repair, Repair { interrupted: vec!["a".into()], ..Repair::default() });
        assert!(!repair.is_clean());
    }

    #[test]
    fn a_result_without_a_call_is_set_aside() {
        let (messages, repair) = loaded([Message::user("Hi"), result("x", "find", "1")]);
        assert_eq!(messages, [Message::user("Hi")]);
        let orphan =
            ToolMessage { call: "x".into(), name: "find".into(), outcome: Outcome::ok("1") };
        assert_eq!(repair, Repair { set_aside: vec![orphan], ..Repair::default() });
    }

    #[test]
    fn a_second_result_of_a_call_is_set_aside() {
        let once = [calls([("a", "find")]), result("a", "find", "1")];
        let (messages, repair) =
            loaded([once[0].clone(), once[1].clone(), result("a", "find", "2")]);
        assert_eq!(messages, once);
        assert_eq!(repair.set_aside.len(), 1);
    }

    #[test]
    fn results_are_put_in_the_order_of_their_calls() {
        let (messages, repair) = loaded([
            calls([("a", "find"), ("b", "find")]),
            result("b", "find", "2"),
            Message::user("Well?"),
            result("a", "find", "1"),
        ]);
        let expected = [
            calls([("a", "find"), ("b", "find")]),
            result("a", "find", "1"),
            result("b", "find", "2"),
            Message::user("Well?"),
        ];
        assert_eq!(messages, expected);
        assert_eq!(repair, Repair { moved: vec!["a".into(), "b".into()], ..Repair::default() });
    }

    #[test]
    fn missing_ids_are_given_and_results_found_by_name() {
        let (messages, repair) = loaded([
            Message::user("Hi"),
            calls([("", "find"), ("", "quote"), ("", "find")]),
            result("", "find", "1"),
            result("", "quote", "2"),
            result("", "find", "3"),
        ]);
        let expected = [
            Message::user("Hi"),
            calls([("call_1_0", "find"), ("call_1_1", "quote"), ("call_1_2", "find")]),
            result("call_1_0", "find", "1"),
            result("call_1_1", "quote", "2"),
            result("call_1_2", "find", "3"),
        ];
        assert_eq!(messages, expected);
        let renamed = ["call_1_0", "call_1_1", "call_1_2"].map(CallId::from).to_vec();
        assert_eq!(repair, Repair { renamed, ..Repair::default() });
    }

    #[test]
    fn a_name_alone_finds_only_what_directly_follows() {
        let (messages, _) =
            loaded([calls([("", "find")]), Message::user("Well?"), result("", "find", "1")]);
        assert_eq!(messages[1], interrupted("call_0_0", "find"));
    }

    #[test]
    fn a_server_that_uses_the_same_id_each_round_is_understood() {
        let (messages, repair) = loaded([
            calls([("call_0", "find")]),
            result("call_0", "find", "1"),
            calls([("call_0", "find")]),
            result("call_0", "find", "2"),
            calls([("call_0", "find"), ("call_0", "find")]),
            result("call_0", "find", "3"),
            result("call_0", "find", "4"),
        ]);
        let expected = [
            calls([("call_0", "find")]),
            result("call_0", "find", "1"),
            calls([("call_2_0", "find")]),
            result("call_2_0", "find", "2"),
            calls([("call_4_0", "find"), ("call_4_1", "find")]),
            result("call_4_0", "find", "3"),
            result("call_4_1", "find", "4"),
        ];
        assert_eq!(messages, expected);
        let renamed = ["call_2_0", "call_4_0", "call_4_1"].map(CallId::from).to_vec();
        assert_eq!(repair, Repair { renamed, ..Repair::default() });
    }

    #[test]
    fn an_unanswered_call_does_not_take_the_answer_of_a_later_one() {
        let (messages, repair) = loaded([
            calls([("call_0", "find")]),
            Message::user("Again."),
            calls([("call_0", "find")]),
            result("call_0", "find", "2"),
        ]);
        assert_eq!(messages[1], interrupted("call_0", "find"));
        assert_eq!(messages[4], result("call_3_0", "find", "2"));
        assert_eq!(repair.interrupted, [CallId::from("call_0")]);
    }

    #[test]
    fn a_result_is_named_after_its_call() {
        let (messages, _) = loaded([calls([("a", "find")]), result("a", "", "1")]);
        assert_eq!(messages[1], result("a", "find", "1"));
    }

    #[test]
    fn what_says_nothing_is_left_out() {
        let (messages, repair) = loaded([
            Message::assistant(" "),
            calls([("a", " "), ("b", "find")]),
            result("b", "find", "1"),
            calls([("c", "")]),
        ]);
        assert_eq!(messages, [calls([("b", "find")]), result("b", "find", "1")]);
        assert_eq!(repair, Repair { left_out: 4, ..Repair::default() });
    }
}

mod foreign {
    use super::*;

    fn read(message: Value) -> Message {
        let text: Message = serde_json::from_str(&message.to_string()).unwrap();
        let value: Message = serde_json::from_value(message).unwrap();
        assert_eq!(text, value);
        value
    }

    #[test]
    fn roles() {
        assert_eq!(read(json!({"role": "developer", "content": "x"})), Message::system("x"));
        assert_eq!(
            read(json!({"role": "function", "name": "find", "content": "1"})),
            result("", "find", "1")
        );
        let error = serde_json::from_value::<Message>(json!({"role": "narrator", "content": "x"}));
        assert_eq!(
            error.unwrap_err().to_string(),
            "unknown variant `narrator`, expected one of `system`, `user`, `assistant`, `tool`"
        );
    }

    #[test]
    fn content() {
        let parts = json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]);
        assert_eq!(read(json!({"role": "user", "content": parts})), Message::user("ab"));
        assert_eq!(read(json!({"role": "user", "content": []})), Message::user(""));
        assert_eq!(read(json!({"role": "user", "content": null})), Message::user(""));
        assert_eq!(read(json!({"role": "user"})), Message::user(""));
        let object = json!({"role": "tool", "tool_call_id": "a", "content": {"id": 1}});
        assert_eq!(read(object), result("a", "", r#"{"id":1}"#));
    }

    #[test]
    fn calls_in_every_form() {
        let read = |calls: Value| {
            let message = json!({"role": "assistant", "content": null, "tool_calls": calls});
            read(message).calls().to_vec()
        };
        assert_eq!(read(json!(null)), []);
        assert_eq!(
            read(json!([
                {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"x\":1}"}},
                {"function": {"name": "f", "arguments": {"x": 1}}},
                {"id": null, "function": {"name": "f", "arguments": null}},
                {"id": "d", "function": {"name": "f\n"}, "source": "repaired", "extra": {"s": 1}},
            ])),
            [
                Call::new("a", "f", r#"{"x":1}"#),
                Call::new("", "f", r#"{"x":1}"#),
                Call::new("", "f", ""),
                Call {
                    source: CallSource::Repaired,
                    extra: Some(serde_json::Map::from_iter([("s".into(), json!(1))])),
                    ..Call::new("d", "f\n", "")
                },
            ]
        );
    }

    #[test]
    fn the_form_before_tools() {
        let asked = json!({
            "role": "assistant", "content": null,
            "function_call": {"name": "find", "arguments": "{}"},
        });
        let answered = json!({"role": "function", "name": "find", "content": "1"});
        assert_eq!(read(asked.clone()), calls([("", "find")]));
        let (conversation, repair) = Conversation::load([read(asked), read(answered)]);
        assert_eq!(
            conversation,
            Conversation::from_iter([
                calls([("call_0_0", "find")]),
                result("call_0_0", "find", "1")
            ])
        );
        assert_eq!(repair, Repair { renamed: vec!["call_0_0".into()], ..Repair::default() });
        let null = json!({"role": "assistant", "content": "x", "function_call": null});
        assert_eq!(read(null), Message::assistant("x"));
    }

    #[test]
    fn reasoning_under_either_name_or_both() {
        let thought = |fields: Value| {
            let mut message = json!({"role": "assistant", "content": "x"});
            message.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            match read(message) {
                Message::Assistant(message) => message.reasoning,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(thought(json!({"reasoning": "hm"})), "hm");
        assert_eq!(thought(json!({"reasoning_content": "hm"})), "hm");
        assert_eq!(thought(json!({"reasoning": null, "reasoning_content": "hm"})), "hm");
        assert_eq!(thought(json!({"reasoning": "hm", "reasoning_content": "hm"})), "hm");
        assert_eq!(thought(json!({})), "");
    }
}

/// The form that is stored and that every other program reads.
#[test]
fn a_conversation_is_an_array_of_openai_messages() {
    let reply = AssistantMessage {
        content: "Let me look.".into(),
        reasoning: "hm".into(),
        calls: vec![Call { source: CallSource::Extracted, ..Call::new("a", "find", "{ }") }],
        model: Some("openai@host:m".into()),
        extra: Some(serde_json::Map::from_iter([("sign".into(), json!("x"))])),
    };
    let failed = Outcome::failed("no").with_data(json!(null)).with_detail("io: no");
    let conversation = Conversation::from_iter([
        Message::system("Be brief."),
        Message::user("Hi"),
        Message::correction("Again."),
        Message::Assistant(reply),
        Message::tool("a", "find", failed),
        calls([("b", "find")]),
        result("b", "find", "1"),
        Message::assistant("Done."),
    ]);
    let stored = serde_json::to_value(&conversation).unwrap();
    let function = |id: &str, arguments: &str| {
        json!({
            "id": id, "type": "function", "function": {"name": "find", "arguments": arguments},
        })
    };
    let mut extracted = function("a", "{ }");
    extracted["source"] = json!("extracted");
    assert_eq!(
        stored,
        json!([
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hi"},
            {"role": "user", "content": "Again.", "origin": "runtime"},
            {
                "role": "assistant", "content": "Let me look.", "reasoning": "hm",
                "tool_calls": [extracted], "model": "openai@host:m",
                "extra": {"sign": "x"},
            },
            {
                "role": "tool", "tool_call_id": "a", "name": "find", "content": "no",
                "status": "error", "data": null, "detail": "io: no",
            },
            {"role": "assistant", "content": null, "tool_calls": [function("b", "{}")]},
            {
                "role": "tool", "tool_call_id": "b", "name": "find", "content": "1",
                "status": "success",
            },
            {"role": "assistant", "content": "Done."},
        ])
    );
    let read: Conversation = serde_json::from_value(stored).unwrap();
    assert_eq!(read, conversation);
    assert!(read.has_call(&"b".into()) && !read.has_call(&"c".into()));
}

fn messages() -> impl Strategy<Value = Vec<Message>> {
    let id =
        || prop::sample::select(vec!["", "a", "b", "call_0", "call_0_0", "call_1_0", "call_2_1"]);
    let name = || prop::sample::select(vec!["find", "quote", "find", ""]);
    let status = prop::sample::select(vec![Status::Ok, Status::Failed, Status::Interrupted]);
    let data = option::of(prop::sample::select(vec![json!(null), json!(0.1), json!({"a": [1]})]));
    let outcome = (status, "[a-z {}\"]{0,4}", data, option::of("[a-z]{0,3}")).prop_map(
        |(status, text, data, detail)| {
            let mut outcome = Outcome::new(status, text);
            (outcome.data, outcome.detail) = (data, detail);
            outcome
        },
    );
    let call = (id(), name(), "[a-z{}\"é]{0,4}")
        .prop_map(|(id, name, arguments)| Call::new(id, name, arguments));
    let reply = ("[ a-z]{0,3}", "[a-z]{0,2}", collection::vec(call, 0..4)).prop_map(
        |(content, reasoning, calls)| AssistantMessage {
            content,
            reasoning,
            calls,
            ..Default::default()
        },
    );
    let message = prop_oneof![
        1 => "[a-z]{0,3}".prop_map(Message::system),
        1 => "[a-z]{0,3}".prop_map(Message::user),
        1 => "[a-z]{0,3}".prop_map(Message::correction),
        3 => reply.prop_map(Message::Assistant),
        5 => (id(), name(), outcome).prop_map(|(id, name, outcome)| Message::tool(id, name, outcome)),
    ];
    collection::vec(message, 0..12)
}

proptest! {
    #![proptest_config(Config {
        cases: 5_000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x10ad),
        ..Config::default()
    })]

    #[test]
    fn what_was_loaded_is_in_order_and_stays_as_it_is(messages in messages()) {
        let results = |messages: &[Message]| {
            messages.iter().filter(|it| it.role() == "tool").count()
        };
        let (once, repair) = Conversation::load(messages.clone());
        prop_assert_eq!(wire_problems(once.messages()), Vec::<String>::new());
        let kept = once.results().count() - repair.interrupted.len();
        prop_assert_eq!(kept + repair.set_aside.len(), results(&messages), "a result is gone");
        let again: Vec<Message> = once.messages().iter().map(|it| (**it).clone()).collect();
        let (twice, clean) = Conversation::load(again);
        prop_assert_eq!(twice, once);
        prop_assert!(clean.is_clean(), "{:?}", clean);
    }

    #[test]
    fn what_is_stored_comes_back(messages in messages()) {
        let conversation = Conversation::from_iter(messages);
        let stored = serde_json::to_string(&conversation).unwrap();
        let read: Conversation = serde_json::from_str(&stored).unwrap();
        prop_assert_eq!(&read, &conversation);
        prop_assert_eq!(serde_json::to_string(&read).unwrap(), stored);
    }
}
