//! Every guard, through a real run: what it refuses, what it lets pass, and what the model is told.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{
    Call, EventKind, Guard, Limits, Message, ModelResponse, Outcome, Provenance, ResultLocation,
    RunConfig, Step, ToolEffect, ToolSpec, ValueOrigin,
    guard::{Grounded, OneAtATime, Placeholders, Repetition, UnfinishedAnswer},
};

use crate::desk::{Desk, Verdict, setup, spec};

fn ran() -> Verdict {
    Verdict::ran("ok")
}

fn ok() -> Outcome {
    Outcome::ok("ok")
}

mod placeholders {
    use super::*;

    fn verdict(arguments: Value) -> Verdict {
        let tools = vec![spec("edit", ToolEffect::ReadOnly).free_text("text")];
        Desk::new("Edit it.", tools).call("edit", arguments, ok())
    }

    #[test]
    fn a_word_that_the_person_used_is_theirs() {
        let call = |asked: &str, arguments: Value| {
            let tools = vec![spec("edit", ToolEffect::ReadOnly).free_text("text")];
            Desk::new(asked, tools).call("edit", arguments, ok())
        };
        assert_eq!(call("Read me the todo file.", json!({"file": "todo"})), ran());
        assert_ne!(call("Read me the file.", json!({"file": "todo"})), ran());
        assert_ne!(call("Read <file_path>.", json!({"file": "<file_path>"})), ran());
    }

    fn refused(at: &str, text: &str) -> Verdict {
        Verdict::refused(
            "placeholders",
            &format!(
                "The argument at {at} is the placeholder `{text}`, not a real value. Use a value \
                 from the user's question or from an earlier result; call the tool that returns \
                 it first if there is none yet."
            ),
        )
    }

    #[test]
    fn are_refused_wherever_they_stand() {
        for text in ["<security_id>", "YOUR_ID", "{{x}}", "${TOKEN}", "[Current Price]", "TODO"] {
            assert_eq!(verdict(json!({"id": text})), refused("/id", text));
        }
        let nested = json!({"securities": {"IDX_I": [13, "<security_id>"]}});
        assert_eq!(verdict(nested), refused("/securities/IDX_I/1", "<security_id>"));
        let key = json!({"securities": {"<segment>": [13]}});
        assert_eq!(verdict(key), refused("/securities", "<segment>"));
        let deep = json!({"a": [{"b": {"c/d": " {{ x }} "}}]});
        assert_eq!(verdict(deep), refused("/a/0/b/c~1d", " {{ x }} "));
    }

    #[test]
    fn are_refused_as_keys_however_deep() {
        let key = json!({"orders": [{"legs": {"<security_id>": 1}}]});
        assert_eq!(verdict(key), refused("/orders/0/legs", "<security_id>"));
    }

    #[test]
    fn may_stand_in_free_text() {
        assert_eq!(verdict(json!({"text": "<security_id>"})), ran());
        assert_eq!(verdict(json!({"text": ["{{x}}", "TODO"]})), ran());
    }

    #[test]
    fn are_not_seen_in_real_values() {
        for value in [json!("NIFTY"), json!(13), json!("a <b> c"), json!(null), json!("IDX_I")] {
            assert_eq!(verdict(json!({"id": value})), ran());
        }
    }
}

mod one_at_a_time {
    use super::*;

    #[test]
    fn only_the_first_call_of_a_reply_runs() {
        let guards: Vec<Arc<dyn Guard>> = vec![Arc::new(OneAtATime)];
        let mut desk = Desk::new("Go.", vec![spec("go", ToolEffect::ReadOnly)]).guarded(guards);
        let before = desk.log.len();
        let call = |id: &str| Call::new(id, "go", "{}");
        desk.reply(ModelResponse::calls([call("a"), call("b"), call("c")]));
        desk.run_all(&ok());
        let refused = Verdict::refused(
            "one_at_a_time",
            "Only one tool may be called at a time, so this call was not run. Look at the result \
             of the first call, then call this tool if it is still needed.",
        );
        assert_eq!(desk.verdicts(before), [refused.clone(), refused, ran()]);
        let order: Vec<_> = desk.run.conversation().results().map(|it| it.call.as_str()).collect();
        assert_eq!(order, ["a", "b", "c"]);
        assert!(matches!(desk.run.step(), Step::CallModel { .. }));
        assert_eq!(desk.call("go", json!({}), ok()), ran());
    }
}

mod grounded {
    use super::*;

    fn tools() -> Vec<ToolSpec> {
        let quote = json!({
            "type": "object",
            "properties": {
                "securities": {"type": "object", "additionalProperties": {"type": "array"}},
            },
        });
        let order = json!({
            "type": "object",
            "properties": {"order": {"type": "object", "properties": {"id": {}}}},
        });
        vec![
            spec("find", ToolEffect::ReadOnly),
            spec("buy", ToolEffect::ReadOnly).grounded("security_id"),
            ToolSpec::new("quote", "Quotes.", quote)
                .effect(ToolEffect::ReadOnly)
                .grounded("securities"),
            spec("candles", ToolEffect::ReadOnly).grounded_with("security_id", "exchange_segment"),
            ToolSpec::new("place", "Places.", order).effect(ToolEffect::ReadOnly).grounded("order"),
        ]
    }

    fn desk(question: &str) -> Desk {
        let limits = Limits { rounds: 90, ..Limits::default() };
        Desk::with(RunConfig { limits, ..setup(question) }, tools())
    }

    /// A desk where `find` has returned this.
    fn found(outcome: Outcome) -> Desk {
        let mut desk = desk("Buy some.");
        desk.call("find", json!({}), outcome);
        desk
    }

    fn buy(desk: &mut Desk, id: impl Into<Value>) -> Verdict {
        desk.call("buy", json!({"security_id": id.into()}), ok())
    }

    fn refused(value: &str, instead: &str) -> Verdict {
        Verdict::refused(
            "grounded",
            &format!(
                "The value `{value}` for `security_id` was not returned by any earlier result \
                 and was not given by the user. {instead}"
            ),
        )
    }

    /// What a tool repeats of its own arguments it has not returned: neither whole nor as a part of
    /// them, in data or in words, now or once a digest stands for it.
    #[test]
    fn an_echo_returns_nothing() {
        for (asked, echo) in [
            (json!({"at": "2885 NSE_EQ"}), Outcome::ok(r#"{"at":"2885 NSE_EQ","t":31}"#)),
            (json!({"at": "2885 NSE_EQ"}), Outcome::ok(r#"{"parts":["2885","NSE_EQ"]}"#)),
            (json!({"at": "2885"}), Outcome::ok("It is warm in 2885.")),
            (json!({"at": 2885}), Outcome::ok("done").with_data(json!({"id": "2885"}))),
            (json!({"at": [{"deep": "x,2885;y"}]}), Outcome::ok(r#"{"2885":{"t":1}}"#)),
        ] {
            let mut desk = desk("Buy some.");
            desk.call("find", asked.clone(), echo.clone());
            let verdict = buy(&mut desk, 2885);
            assert_eq!(verdict.guard.as_deref(), Some("grounded"), "{asked} {echo:?}");
            // Where another result has it, too, it was returned.
            desk.call("find", json!({"query": "reliance"}), Outcome::ok(r#"{"security_id":2885}"#));
            assert_eq!(buy(&mut desk, 2885), ran(), "{asked} {echo:?}");
            desk.call("find", asked, echo);
            assert_eq!(buy(&mut desk, 2885), ran());
        }
    }

    /// A search may be narrowed by what the values it returns belong to.
    #[test]
    fn a_narrowed_search_returns_what_it_found() {
        let mut desk = desk("Quote it.");
        let one = Outcome::ok(r#"{"security_id":2885,"exchange_segment":"NSE_EQ"}"#);
        desk.call("find", json!({"symbol": "RELIANCE", "segment": "NSE_EQ"}), one);
        let quote = |desk: &mut Desk, it| desk.call("quote", json!({"securities": it}), ok());
        assert_eq!(quote(&mut desk, json!({"NSE_EQ": [2885]})), ran());
        for made_up in [json!({"NSE_EQ": [null]}), json!({"NSE_EQ": []}), json!({"RELIANCE": []})] {
            let verdict = quote(&mut desk, made_up);
            assert_eq!(verdict.guard.as_deref(), Some("grounded"));
        }
    }

    fn provenance(desk: &Desk) -> Vec<Provenance> {
        let checked = desk.log.iter().rev().find_map(|event| match &event.kind {
            EventKind::CallChecked { provenance, .. } => Some(provenance.clone()),
            _ => None,
        });
        checked.unwrap()
    }

    const NOTHING: &str = "No values are known yet: first call the tool that returns them.";

    #[test]
    fn a_value_counts_however_it_is_spelled() {
        for returned in [json!({"security_id": 13}), json!({"security_id": "13"})] {
            for asked in [json!(13), json!("13"), json!(13.0), json!(" 13 ")] {
                let mut desk = found(Outcome::ok(returned.to_string()));
                assert_eq!(buy(&mut desk, asked.clone()), ran(), "{asked} of {returned}");
            }
        }
        let mut desk = found(Outcome::ok(r#"{"security_id":13.0,"symbol":"Nifty"}"#));
        assert_eq!(buy(&mut desk, 13), ran());
        assert_eq!(buy(&mut desk, "NIFTY"), ran());
        assert_eq!(
            buy(&mut desk, 1),
            refused("1", "Values that exist: security_id 13.0 (from find).")
        );
    }

    #[test]
    fn a_value_tells_where_it_came_from() {
        let mut desk = found(Outcome::ok(r#"{"data":[{"security_id":13},{"security_id":25}]}"#));
        assert_eq!(buy(&mut desk, "25"), ran());
        let source = ResultLocation {
            call: "call_1_0".into(),
            tool: "find".into(),
            pointer: "/data/1/security_id".into(),
        };
        let given = ValueOrigin::Result(source);
        assert_eq!(provenance(&desk), [Provenance { argument: "/security_id".into(), given }]);
    }

    #[test]
    fn a_made_up_value_is_told_those_that_exist() {
        let listed = r#"{"data":[{"name":"A","security_id":13},{"name":"B","security_id":"25"}]}"#;
        let mut desk = found(Outcome::ok(listed));
        let instead = "Values that exist: security_id 13 (from find), security_id 25 (from find).";
        assert_eq!(buy(&mut desk, 99), refused("99", instead));
        assert!(matches!(desk.run.step(), Step::CallModel { .. }));
        assert_eq!(buy(&mut desk, 25), ran());
    }

    #[test]
    fn where_none_has_the_name_identifiers_are_told() {
        let mut desk = found(Outcome::ok(r#"{"price":1.5,"symbol":"NIFTY","videoId":"x1"}"#));
        let instead = "Values that exist: symbol NIFTY (from find), videoId x1 (from find).";
        assert_eq!(buy(&mut desk, 99), refused("99", instead));
    }

    #[test]
    fn at_most_ten_are_told_and_none_twice() {
        let ids: Vec<_> = (1..=30).map(|id| json!({"security_id": id % 15})).collect();
        let mut desk = found(Outcome::ok(json!(ids).to_string()));
        let verdict = buy(&mut desk, 99);
        assert_eq!(verdict.text.matches("(from find)").count(), 10);
        assert_eq!(verdict.text.matches("security_id 1 (from find)").count(), 1);
    }

    #[test]
    fn the_newest_result_is_told_first() {
        let mut desk = found(Outcome::ok(r#"{"security_id":13}"#));
        desk.call("find", json!({"page": 2}), Outcome::ok(r#"{"security_id":25}"#));
        let instead = "Values that exist: security_id 25 (from find), security_id 13 (from find).";
        assert_eq!(buy(&mut desk, 99), refused("99", instead));
    }

    #[test]
    fn what_identifies_nothing_is_not_told() {
        let nothing = r#"[{"security_id":null},{"security_id":""},{"security_id":true}]"#;
        assert_eq!(buy(&mut found(Outcome::ok(nothing)), 99), refused("99", NOTHING));
    }

    #[test]
    fn nothing_is_known_before_anything_was_returned() {
        assert_eq!(buy(&mut desk("Buy some."), 13), refused("13", NOTHING));
    }

    #[test]
    fn what_the_user_typed_counts() {
        let mut desk = desk("Buy 13, not 2014 or 15.5; or \"Tata Steel\".");
        assert_eq!(buy(&mut desk, 13), ran());
        assert_eq!(
            provenance(&desk),
            [Provenance { argument: "/security_id".into(), given: ValueOrigin::User }]
        );
        assert_eq!(buy(&mut desk, "tata steel"), ran());
        assert_eq!(buy(&mut desk, 15.5), ran());
        for part in ["20", "2", "3", "14", "15", "5", "steel t", "Tata Ste"] {
            assert_eq!(buy(&mut desk, part), refused(part, NOTHING), "{part}");
        }
    }

    #[test]
    fn what_a_text_says_counts() {
        let mut desk = found(Outcome::ok("NIFTY 50 has the id 13."));
        assert_eq!(buy(&mut desk, 13), ran());
        let source =
            ResultLocation { call: "call_1_0".into(), tool: "find".into(), pointer: String::new() };
        let given = ValueOrigin::Result(source);
        assert_eq!(provenance(&desk), [Provenance { argument: "/security_id".into(), given }]);
        assert_eq!(buy(&mut desk, 14), refused("14", NOTHING));
    }

    #[test]
    fn of_a_readable_result_the_data_counts() {
        let outcome = Outcome::ok("✅ Success!").with_data(json!({"security_id": 13}));
        assert_eq!(buy(&mut found(outcome), 13), ran());
    }

    #[test]
    fn what_a_failure_says_does_not_count() {
        for text in ["13 is not known", r#"{"security_id":13}"#] {
            let mut desk = found(Outcome::failed(text));
            assert_eq!(buy(&mut desk, 13), refused("13", NOTHING), "{text}");
        }
    }

    #[test]
    fn what_the_model_and_the_runtime_say_does_not_count() {
        let messages = vec![
            Message::system("For example 13."),
            Message::user("Buy some."),
            Message::assistant("I take 13."),
            Message::correction("Your answer leaves `13` where a value belongs."),
        ];
        let mut desk = Desk::with(RunConfig { messages, ..setup("") }, tools());
        assert_eq!(buy(&mut desk, 13), refused("13", NOTHING));
    }

    #[test]
    fn its_own_refusal_does_not_count() {
        let mut desk = desk("Buy some.");
        assert_eq!(buy(&mut desk, 13), refused("13", NOTHING));
        assert_eq!(buy(&mut desk, 13), refused("13", NOTHING));
    }

    #[test]
    fn a_configured_value_counts() {
        let guards: Vec<Arc<dyn Guard>> =
            vec![Arc::new(Grounded::default().allow(13).allow("NSE"))];
        let mut desk = desk("Buy some.").guarded(guards);
        assert_eq!(buy(&mut desk, "13"), ran());
        assert_eq!(
            provenance(&desk),
            [Provenance { argument: "/security_id".into(), given: ValueOrigin::Configured }]
        );
        assert_eq!(buy(&mut desk, "nse"), ran());
        assert_eq!(buy(&mut desk, 14), refused("14", NOTHING));
    }

    #[test]
    fn keys_of_a_map_are_values_too() {
        let returned = r#"{"exchange_segment":"IDX_I","security_id":13}"#;
        let quote = |desk: &mut Desk, securities: Value| {
            desk.call("quote", json!({"securities": securities}), ok())
        };
        let mut desk = found(Outcome::ok(returned));
        assert_eq!(quote(&mut desk, json!({"IDX_I": [13]})), ran());
        assert_eq!(quote(&mut desk, json!({"IDX_I": ["13", 13.0]})), ran());
        let verdict = quote(&mut desk, json!({"NSE_EQ": [13]}));
        assert_eq!(verdict.guard.as_deref(), Some("grounded"));
        assert!(verdict.text.starts_with("The value `NSE_EQ` for `securities` was not returned"));
        let verdict = quote(&mut desk, json!({"IDX_I": [13, 14]}));
        assert!(verdict.text.starts_with("The value `14` for `securities` was not returned"));
        assert!(verdict.text.ends_with("Values that exist: security_id 13 (from find)."));
    }

    #[test]
    fn keys_that_a_result_returned_count() {
        let mut desk = found(Outcome::ok(r#"{"IDX_I":{"13":{"last_price":5.0}}}"#));
        let securities = json!({"securities": {"IDX_I": [13]}});
        assert_eq!(desk.call("quote", securities, ok()), ran());
    }

    /// A desk that knows NIFTY in one segment and two shares in others.
    fn market(question: &str) -> Desk {
        let listed = json!({"count": 3, "instruments": [
            {"exchange_segment": "IDX_I", "security_id": 13},
            {"exchange_segment": "NSE_EQ", "security_id": "2885"},
            {"exchange_segment": "BSE_EQ", "security_id": 500325},
        ]});
        let mut desk = desk(question);
        desk.call("find", json!({}), Outcome::ok(listed.to_string()));
        desk
    }

    const PAIRS: &str = "What belongs together: exchange_segment IDX_I with security_id 13 (from \
        find), exchange_segment NSE_EQ with security_id 2885 (from find), exchange_segment BSE_EQ \
        with security_id 500325 (from find).";

    fn apart(value: &str, other: &str) -> Verdict {
        let text = format!(
            "The values `{value}` and `{other}` were returned, but not together: they do not \
             belong to each other. {PAIRS}"
        );
        Verdict::refused("grounded", &text)
    }

    #[test]
    fn a_value_must_belong_to_the_key_above_it() {
        let quote = |desk: &mut Desk, securities: Value| {
            desk.call("quote", json!({"securities": securities}), ok())
        };
        let mut desk = market("Quote.");
        assert_eq!(quote(&mut desk, json!({"IDX_I": [13], "nse_eq": [2885]})), ran());
        assert_eq!(quote(&mut desk, json!({"NSE_EQ": [13]})), apart("13", "NSE_EQ"));
        let second = json!({"IDX_I": [13], "NSE_EQ": [2885, 500_325]});
        assert_eq!(quote(&mut desk, second), apart("500325", "NSE_EQ"));
        // The count above all of them belongs to none.
        assert_eq!(quote(&mut desk, json!({"IDX_I": [3]})).guard.as_deref(), Some("grounded"));
    }

    #[test]
    fn a_value_must_belong_to_the_parameter_it_is_declared_with() {
        let candles = |desk: &mut Desk, segment: &str, id: Value| {
            let arguments = json!({"security_id": id, "exchange_segment": segment});
            desk.call("candles", arguments, ok())
        };
        let mut desk = market("Candles.");
        assert_eq!(candles(&mut desk, "NSE_EQ", json!(2885)), ran());
        let source = ResultLocation {
            call: "call_1_0".into(),
            tool: "find".into(),
            pointer: "/instruments/1/security_id".into(),
        };
        let given = ValueOrigin::Result(source);
        assert_eq!(provenance(&desk), [Provenance { argument: "/security_id".into(), given }]);
        assert_eq!(candles(&mut desk, "IDX_I", json!("2885")), apart("2885", "IDX_I"));
        // That a segment is in no result does not make an id belong to it.
        for strange in ["NSE", "NSE_FNO"] {
            let text = format!(
                "The values `2885` and `{strange}` were not returned together: they do not belong to \
                 each other. {PAIRS}"
            );
            assert_eq!(candles(&mut desk, strange, json!(2885)).text, text, "{strange}");
        }
        desk.call("find", json!({"page": 2}), Outcome::ok(r#"{"IDX_I":{"2885":{"x":1}}}"#));
        assert_eq!(candles(&mut desk, "IDX_I", json!(2885)), ran());
    }

    #[test]
    fn what_is_said_above_holds_below() {
        let chain = json!({"segment": "NSE_FNO", "underlying": {"segment": "IDX_I", "id": 13},
            "strikes": [{"strike": 100, "call": {"id": 42528}}, {"strike": 200}]});
        let mut desk = found(Outcome::ok(chain.to_string()));
        let quote = |desk: &mut Desk, securities: Value| {
            desk.call("quote", json!({"securities": securities}), ok())
        };
        assert_eq!(quote(&mut desk, json!({"NSE_FNO": [42528]})), ran());
        assert_eq!(quote(&mut desk, json!({"IDX_I": [13]})), ran());
        // What the underlying says of itself is not said for it by what is around it.
        for wrong in
            [json!({"IDX_I": [42528]}), json!({"NSE_FNO": [13]}), json!({"NSE_FNO": [100]})]
        {
            let verdict = quote(&mut desk, wrong.clone());
            assert_eq!(verdict.guard.as_deref(), Some("grounded"), "{wrong}");
        }
    }

    /// A number that counts or measures something is no identifier, whatever stands beside it.
    #[test]
    fn what_only_counts_identifies_nothing() {
        let listed = json!([{"exchange_segment": "NSE_EQ", "security_id": 2885, "lot_size": 1, "price": 13}]);
        let mut desk = found(Outcome::ok(listed.to_string()));
        for id in [1, 13] {
            let arguments = json!({"security_id": id, "exchange_segment": "NSE_EQ"});
            let verdict = desk.call("candles", arguments, ok());
            assert_eq!(verdict.guard.as_deref(), Some("grounded"), "{id}");
            let verdict = desk.call("quote", json!({"securities": {"NSE_EQ": [id]}}), ok());
            assert_eq!(verdict.guard.as_deref(), Some("grounded"), "{id}");
        }
    }

    /// What a tool repeats of its call is no word of its own about what belongs together.
    #[test]
    fn an_echo_joins_nothing() {
        let mut desk = market("Candles.");
        let wrong = json!({"security_id": 13, "exchange_segment": "NSE_EQ"});
        desk.call("find", wrong.clone(), Outcome::ok(wrong.to_string()));
        assert_eq!(desk.call("candles", wrong, ok()), apart("13", "NSE_EQ"));
        let right = json!({"security_id": 13, "exchange_segment": "IDX_I"});
        assert_eq!(desk.call("candles", right, ok()), ran());
    }

    /// An identifier of the user's counts with what the user named beside it, and with nothing else.
    #[test]
    fn what_the_user_said_belongs_to_what_stands_beside_it() {
        let candles = |question: &str, segment: &str, id: u64| {
            let arguments = json!({"security_id": id, "exchange_segment": segment});
            market(question).call("candles", arguments, ok()).guard
        };
        for question in [
            "Quote 1594 in NSE_EQ.",
            "NSE_EQ: 13, 1594",
            "security 1594 (exchange segment NSE_EQ)",
            "nse_eq/1594",
        ] {
            assert_eq!(candles(question, "NSE_EQ", 1594), None, "{question}");
            let grounded = Some("grounded".to_owned());
            assert_eq!(candles(question, "BSE_EQ", 1594), grounded, "{question}");
        }
        for question in [
            "Candles of 1594.",
            "The last 1594 days of NIFTY, then those of the share RELIANCE in NSE_EQ",
        ] {
            let refused = market(question).call(
                "candles",
                json!({"security_id": 1594, "exchange_segment": "NSE_EQ"}),
                ok(),
            );
            assert!(refused.text.starts_with("It is not known that `1594` belongs to `NSE_EQ`"));
        }
        // Also where a result knows the number as something else.
        assert_eq!(candles("Now 13 in NSE_EQ, please.", "NSE_EQ", 13), None);
        let text = Outcome::ok("RELIANCE: 2885 (NSE_EQ); NIFTY: 13 (IDX_I)");
        let mut desk = found(text);
        let quote = json!({"security_id": 2885, "exchange_segment": "NSE_EQ"});
        assert_eq!(desk.call("candles", quote, ok()), ran());
    }

    /// Whether the user named the two as one, in a question about candles or quotes.
    fn is_said(question: &str, id: u64, segment: &str) -> bool {
        let both = json!({"security_id": id, "exchange_segment": segment});
        let candles = desk(question).call("candles", both, ok()).guard;
        let below = json!({"securities": {segment: [id]}});
        assert_eq!(desk(question).call("quote", below, ok()).guard, candles, "{question}");
        candles.is_none()
    }

    /// Where several ids and several segments stand in one message, each id belongs to its own.
    #[test]
    fn what_the_user_said_does_not_cross_over() {
        let both = [(13, "IDX_I"), (2885, "NSE_EQ")];
        for question in [
            "Compare 13 (IDX_I) with 2885 (NSE_EQ)",
            "Compare 13 (IDX_I) with 2885 (NSE_EQ) over 30 days",
            "Compare NIFTY (13, IDX_I) with RELIANCE (2885, NSE_EQ)",
            r#"quote {"IDX_I":[13],"NSE_EQ":[2885]}"#,
            r#"[{"security_id":13,"exchange_segment":"IDX_I"},{"exchange_segment":"NSE_EQ","security_id":2885}]"#,
            r#"{"exchange_segment":"IDX_I","from_date":"2026-11-13","security_id":13}, NSE_EQ 2885"#,
            "IDX_I 13 and NSE_EQ 2885",
            "IDX_I 13 NSE_EQ 2885",
            "13 in idx_i, then 2885 in nse_eq",
            "security_id=13, exchange_segment=IDX_I and security_id=2885, exchange_segment=NSE_EQ",
            "IDX_I\n13\nNSE_EQ\n2885",
            "| 13 | IDX_I |\n| 2885 | NSE_EQ |",
            "Quote IDX_I 13. NSE_EQ 2885?",
            "IDX_I NIFTY 13\nNSE_EQ RELIANCE 2885",
            "13 NIFTY IDX_I; 2885 RELIANCE NSE_EQ",
            "13 IDX_I and 2885 NSE_EQ for 30 days",
            "The index 13 in IDX_I and RELIANCE, 2885 on NSE_EQ, since 13 November",
        ] {
            for (id, _) in both {
                for (other, segment) in both {
                    assert_eq!(
                        is_said(question, id, segment),
                        id == other,
                        "{question}: {id} {segment}"
                    );
                }
            }
        }
    }

    /// What could be meant in more than one way is not said, and the refusal tells how to say it.
    #[test]
    fn what_the_user_left_open_is_not_said() {
        for question in [
            "13 and 2885, IDX_I and NSE_EQ",
            "13 and 2885 in IDX_I and NSE_EQ respectively",
            "13 (IDX), 2885 traded in NSE_EQ or BSE_EQ",
            "IDX_I NIFTY 13 NSE_EQ RELIANCE 2885 BSE_EQ",
        ] {
            for (id, segment) in [(13, "NSE_EQ"), (2885, "IDX_I"), (2885, "NSE_EQ")] {
                assert!(!is_said(question, id, segment), "{question}: {id} {segment}");
            }
        }
        // What is not named with a segment has none.
        for (question, id) in [
            ("13 in IDX_I and 2885", 2885),
            ("2885 and IDX_I 13", 2885),
            ("2885 (IDX), 13 (IDX_I)", 2885),
            ("IDX_I on 13 November", 13),
        ] {
            assert!(!is_said(question, id, "IDX_I"), "{question}");
        }
        let wrong = json!({"security_id": 13, "exchange_segment": "NSE_EQ"});
        let refused = desk("Compare 13 (IDX_I) with 2885 (NSE_EQ)").call("candles", wrong, ok());
        assert!(refused.text.ends_with("side by side, as `NSE_EQ 13`."), "{}", refused.text);
    }

    /// A text that a tool returned is read in the same way.
    #[test]
    fn what_a_text_said_does_not_cross_over() {
        let text = "RELIANCE: 2885 (NSE_EQ); NIFTY: 13 (IDX_I)";
        for (id, segment, runs) in [
            (13, "IDX_I", true),
            (2885, "NSE_EQ", true),
            (13, "NSE_EQ", false),
            (2885, "IDX_I", false),
        ] {
            let both = json!({"security_id": id, "exchange_segment": segment});
            let guard = found(Outcome::ok(text)).call("candles", both, ok()).guard;
            assert_eq!(guard.is_none(), runs, "{id} {segment}");
        }
    }

    mod pairs {
        use proptest::prelude::*;

        use super::*;

        const SEGMENTS: [&str; 5] = ["IDX_I", "NSE_EQ", "BSE_EQ", "NSE_FNO", "MCX_COMM"];

        /// One list of ids with its segment, in a way people write it.
        fn written(ids: &[u64], segment: &str, style: usize) -> String {
            let numbers: Vec<_> = ids.iter().map(u64::to_string).collect();
            let (list, words) = (numbers.join(", "), numbers.join(" and "));
            match style {
                0 => format!("{segment} {list}"),
                1 => format!("{segment}: {words}"),
                2 => format!("\"{segment}\": [{list}]"),
                3 => format!("{list} ({segment})"),
                4 => format!("{words} in {segment}"),
                5 => format!("security ids {list} of the segment {segment}"),
                6 => format!("{segment} RELIANCE {list}"),
                7 => format!("{list} Tata Steel {segment}"),
                8 => format!("the share {list} | {segment}"),
                _ => format!("{segment} | INFY | {list}"),
            }
        }

        fn lists() -> impl Strategy<Value = Vec<(Vec<u64>, &'static str)>> {
            let ids = proptest::collection::vec(1000_u64..1_000_000, 1..4);
            let segments = Just(SEGMENTS.to_vec()).prop_shuffle();
            (proptest::collection::vec(ids, 1..5), segments)
                .prop_map(|(ids, segments)| ids.into_iter().zip(segments).collect())
                .prop_filter("each id once", |lists: &Vec<(Vec<u64>, &str)>| {
                    let mut all: Vec<_> = lists.iter().flat_map(|it| it.0.clone()).collect();
                    all.sort_unstable();
                    all.windows(2).all(|it| it[0] != it[1])
                })
        }

        fn separator() -> impl Strategy<Value = &'static str> {
            proptest::sample::select(vec![", ", "; ", "\n", " and ", " with ", " versus ", ". "])
        }

        /// Also those that do not say where one ends.
        fn any_separator() -> impl Strategy<Value = &'static str> {
            prop_oneof![
                separator(),
                proptest::sample::select(vec![" ", " | ", " / ", "\t", " to "])
            ]
        }

        proptest! {
            #![proptest_config(ProptestConfig::with_cases(400))]

            /// However it is written, no id ever belongs to the segment of another.
            #[test]
            fn never_cross_over(
                lists in lists(),
                styles in proptest::collection::vec(0_usize..10, 5),
                separators in proptest::collection::vec(any_separator(), 5),
            ) {
                let mut question = String::from("Compare ");
                for (((ids, segment), style), separator) in lists.iter().zip(&styles).zip(&separators) {
                    question.push_str(&written(ids, segment, *style));
                    question.push_str(separator);
                }
                for (ids, own) in &lists {
                    for segment in SEGMENTS.iter().filter(|it| *it != own) {
                        for id in ids {
                            prop_assert!(!is_said(&question, *id, segment), "{question}: {id} {segment}");
                        }
                    }
                }
            }

            /// Written in one way throughout, each belongs to its own.
            #[test]
            fn are_found_where_they_are_written_in_one_way(
                lists in lists(),
                style in 0_usize..6,
                separator in separator(),
            ) {
                let all: Vec<_> = lists.iter().map(|(ids, it)| written(ids, it, style)).collect();
                let question = format!("Compare {}", all.join(separator));
                for (ids, segment) in &lists {
                    for id in ids {
                        prop_assert!(is_said(&question, *id, segment), "{question}: {id} {segment}");
                    }
                }
            }
        }
    }

    #[test]
    fn names_of_fields_are_no_values() {
        let mut desk = desk("Place 13.");
        assert_eq!(desk.call("place", json!({"order": {"id": 13}}), ok()), ran());
        let verdict = desk.call("place", json!({"order": {"id": 13, "other": 13}}), ok());
        assert!(verdict.text.starts_with("The value `other` for `order` was not returned"));
    }

    #[test]
    fn what_is_left_out_needs_no_source() {
        let mut desk = desk("Buy some.");
        assert_eq!(desk.call("buy", json!({}), ok()), ran());
        assert_eq!(desk.call("buy", json!({"security_id": null}), ok()), ran());
    }

    #[test]
    fn results_of_the_same_reply_do_not_count_yet() {
        let mut desk = desk("Buy some.");
        let before = desk.log.len();
        desk.reply(ModelResponse::calls([
            Call::new("a", "find", "{}"),
            Call::new("b", "buy", r#"{"security_id":13}"#),
        ]));
        assert_eq!(desk.verdicts(before), [refused("13", NOTHING)]);
    }
}

mod after {
    use super::*;

    fn desk() -> Desk {
        Desk::new(
            "Go.",
            vec![spec("find", ToolEffect::ReadOnly), spec("buy", ToolEffect::Write).after("find")],
        )
    }

    #[test]
    fn a_tool_waits_for_the_one_before() {
        let mut desk = desk();
        let refused = Verdict::refused(
            "after",
            "`buy` can only be called once `find` has answered, and it has not. Call `find` \
             first and use what it returns.",
        );
        assert_eq!(desk.call("buy", json!({}), ok()), refused);
        desk.call("find", json!({}), Outcome::failed("no"));
        assert_eq!(desk.call("buy", json!({}), ok()), refused);
        desk.call("find", json!({}), ok());
        assert_eq!(desk.call("buy", json!({}), ok()), ran());
    }

    #[test]
    fn the_same_reply_is_too_early() {
        let mut desk = desk();
        let before = desk.log.len();
        desk.reply(ModelResponse::calls([
            Call::new("a", "find", "{}"),
            Call::new("b", "buy", "{}"),
        ]));
        desk.run_all(&ok());
        let guards: Vec<_> = desk.verdicts(before).into_iter().map(|it| it.guard).collect();
        assert_eq!(guards, [Some("after".to_owned()), None]);
    }
}

mod failed_text {
    use super::*;

    const SAYS: &str = "File does not exist: /home/ann/ledger cli";

    /// What becomes of a text that is written after a call failed.
    fn written(asked: &str, text: &str) -> Verdict {
        let tools = vec![
            spec("show", ToolEffect::ReadOnly),
            spec("write", ToolEffect::Write).free_text("content").free_text("old").seen("old"),
        ];
        let mut desk = Desk::new(asked, tools);
        desk.call("show", json!({"file": "ledger cli"}), Outcome::failed(SAYS));
        desk.call("write", json!({"file": "ledger cli", "content": text}), ok())
    }

    #[test]
    fn what_a_call_failed_with_is_not_written_down() {
        let asked = "Run the ledger, and store what it prints in march.txt.";
        for text in [SAYS, "does not exist: /home/ann/ledger cli", " File does not exist: /home "] {
            let refused = format!(
                "`{}` is what a call failed with, and not what was asked for. Get what was asked for \
                 first, in another way, or tell the user what failed.",
                text.trim()
            );
            assert_eq!(written(asked, text), Verdict::refused("failed_text", &refused));
        }
        // A name or a path that stands in it, and what has more to say.
        for text in ["/home/ann/ledger cli", "ledger cli", "There was no ledger cli yet: made it."]
        {
            assert_eq!(written(asked, text), ran(), "{text}");
        }
        assert_eq!(written("Write the error into errors.txt", SAYS), ran());
        assert_eq!(written("Note why that failed", SAYS), ran());
    }

    #[test]
    fn what_was_asked_before_is_another_matter() {
        let tools = vec![
            spec("show", ToolEffect::ReadOnly),
            spec("write", ToolEffect::Write).free_text("content"),
        ];
        let mut history = Desk::new("Show it.", tools.clone());
        history.call("show", json!({}), Outcome::failed(SAYS));
        let mut conversation = history.run.conversation().clone();
        conversation.push(Message::assistant("It is not there."));
        let mut desk =
            Desk::with(RunConfig { history: conversation, ..setup("Write that down.") }, tools);
        assert_eq!(desk.call("write", json!({"content": SAYS}), ok()), ran());
    }
}

mod repetition {
    use super::*;

    fn desk(most: usize) -> Desk {
        let guards: Vec<Arc<dyn Guard>> = vec![Arc::new(Repetition { most })];
        let limits = Limits { rounds: 90, ..Limits::default() };
        Desk::with(RunConfig { limits, ..setup("Go.") }, vec![spec("go", ToolEffect::Write)])
            .guarded(guards)
    }

    fn go(desk: &mut Desk, arguments: &str, outcome: Outcome) -> Verdict {
        let before = desk.log.len();
        desk.reply(ModelResponse::calls([Call::new("", "go", arguments)]));
        desk.run_all(&outcome);
        desk.verdicts(before).remove(0)
    }

    fn refused(count: usize, text: &str) -> Verdict {
        Verdict::refused(
            "repetition",
            &format!(
                "`go` was already called {count} times with these arguments and gave the same \
                 result each time: {text} Use that result, call with other arguments, or answer."
            ),
        )
    }

    #[test]
    fn the_same_call_with_the_same_result_is_refused_in_the_end() {
        let mut desk = desk(3);
        for _ in 0..3 {
            assert_eq!(go(&mut desk, "{}", ok()), ran());
        }
        assert_eq!(go(&mut desk, "{}", ok()), refused(3, "ok"));
        assert_eq!(go(&mut desk, "{}", ok()), refused(3, "ok"));
        assert_eq!(go(&mut desk, r#"{"a":1}"#, ok()), ran());
    }

    #[test]
    fn failures_repeat_too() {
        let mut desk = desk(2);
        go(&mut desk, "{}", Outcome::failed("no luck"));
        go(&mut desk, "{}", Outcome::failed("no luck"));
        assert_eq!(go(&mut desk, "{}", ok()), refused(2, "no luck"));
    }

    #[test]
    fn another_result_is_no_repetition() {
        let mut desk = desk(2);
        for number in 0..6 {
            let text = number.to_string();
            assert_eq!(go(&mut desk, "{}", Outcome::ok(text.clone())), Verdict::ran(&text));
        }
    }

    #[test]
    fn spaces_make_no_difference() {
        let mut desk = desk(3);
        go(&mut desk, r#"{"a": 1,"b":2}"#, ok());
        go(&mut desk, r#"{"a":1, "b":2}"#, ok());
        go(&mut desk, r#"{ "a": 1, "b": 2 }"#, ok());
        assert_eq!(go(&mut desk, r#"{"b":2, "a":1}"#, ok()), refused(3, "ok"));
        assert_eq!(go(&mut desk, r#"{"a":2,"b":1}"#, ok()), ran());
    }

    #[test]
    fn a_long_result_is_cut() {
        let mut desk = desk(1);
        let long = "é".repeat(500);
        go(&mut desk, "{}", Outcome::ok(long));
        assert_eq!(go(&mut desk, "{}", ok()), refused(1, &"é".repeat(200)));
    }
}

mod unfinished {
    use super::*;

    fn desk(question: &str) -> Desk {
        Desk::new(
            question,
            vec![spec("find", ToolEffect::ReadOnly), spec("buy", ToolEffect::Write)],
        )
    }

    /// What the model is told about this answer; nothing when it is accepted.
    fn sent_back(desk: &mut Desk, answer: &str) -> Option<String> {
        let events = desk.reply(ModelResponse::text(answer));
        match &events[..] {
            [EventKind::Reply { .. }, EventKind::Done(done)] => {
                assert_eq!(done.response, answer);
                None
            }
            [
                EventKind::Reply { .. },
                EventKind::AnswerRejected { guard, reason },
                EventKind::Message { message, .. },
            ] => {
                assert_eq!(guard, "unfinished");
                assert_eq!(**message, Message::correction(reason.clone()));
                assert!(matches!(desk.run.step(), Step::CallModel { .. }));
                Some(reason.clone())
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_call_that_is_only_described_is_sent_back() {
        let told = "Your answer describes a call of `find` but does not make it. Call the tool, \
                    then answer with what it returns.";
        for answer in [
            r#"{"tool": "find", "params": {"q": "NIFTY"}}"#,
            r#"{"name": "find", "arguments": "{}"}"#,
            "```json\n{\"function\": \"find\", \"parameters\": {}}\n```",
            "I will call find(query=\"NIFTY\") now.",
            "→find(1)",
        ] {
            assert_eq!(sent_back(&mut desk("Go."), answer).as_deref(), Some(told), "{answer}");
        }
    }

    #[test]
    fn what_only_looks_like_a_call_is_an_answer() {
        for answer in [
            r#"{"tool": "hammer", "params": {}}"#,
            r#"{"name": "find"}"#,
            r#"{"answer": 5}"#,
            "Use `find(x)` for that.",
            "```\nfind(x)\n```",
            "I could find (with luck) more.",
            "unfind(x)",
            "(see above)",
        ] {
            assert_eq!(sent_back(&mut desk("Go."), answer), None, "{answer}");
        }
    }

    #[test]
    fn a_call_that_was_made_may_be_told_of() {
        let mut desk = desk("Go.");
        desk.call("find", json!({}), ok());
        assert_eq!(sent_back(&mut desk, "I called find(q=1) and it said ok."), None);
    }

    #[test]
    fn a_blank_is_sent_back() {
        for (answer, blank) in [
            ("It costs [Current Price].", "[Current Price]"),
            ("Dear {{name}},", "{{name}}"),
            ("The id is <security_id>!", "<security_id>"),
            ("- [x] done\n- [insert date]", "[insert date]"),
        ] {
            let told = format!(
                "Your answer leaves `{blank}` where a value belongs. Answer with real values from \
                 the tools' results, or say that you do not have them."
            );
            assert_eq!(sent_back(&mut desk("Go."), answer), Some(told));
        }
    }

    #[test]
    fn links_code_and_check_boxes_are_no_blanks() {
        for answer in [
            "See [the price](https://example.com/price).",
            "See [current price][1] and [1].\n\n[1]: https://example.com",
            "Write `[Current Price]` there.",
            "```\nlet x = [user id];\n```",
            "- [ ] open\n- [x] done",
            "<b>bold</b> and a < b > c",
            "{\"a\": [1, 2]}",
            "An array[i] of é[",
        ] {
            assert_eq!(sent_back(&mut desk("Go."), answer), None, "{answer}");
        }
    }

    #[test]
    fn a_blank_the_user_wrote_may_be_repeated() {
        let mut desk = desk("What does [Current Price] mean?");
        assert_eq!(sent_back(&mut desk, "[Current Price] is a blank."), None);
    }

    #[test]
    fn an_answer_is_sent_back_once_only() {
        let mut desk = desk("Go.");
        assert!(sent_back(&mut desk, "It costs [Current Price].").is_some());
        assert_eq!(sent_back(&mut desk, "It costs [Current Price]."), None);
    }

    #[test]
    fn what_the_correction_quotes_is_not_the_users() {
        let guards: Vec<Arc<dyn Guard>> = vec![Arc::new(UnfinishedAnswer), Arc::new(Placeholders)];
        let messages =
            vec![Message::user("Go."), Message::correction("You wrote [Current Price].")];
        let mut desk = Desk::with(RunConfig { messages, ..setup("") }, Vec::new()).guarded(guards);
        assert!(sent_back(&mut desk, "It costs [Current Price].").is_some());
    }

    #[test]
    fn nothing_is_sent_back_when_it_is_the_last_chance() {
        let limits = Limits { rounds: 0, ..Limits::default() };
        let mut desk = Desk::with(RunConfig { limits, ..setup("Go.") }, Vec::new());
        assert_eq!(sent_back(&mut desk, "It costs [Current Price]."), None);
    }
}
