//! Every kind of event as it is stored and streamed, and back.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use toolwright_core::{
    Answer, AssistantMessage, Call, CallPreview, CallSource, CallSummary, Decision, Event,
    EventKind, Failure, FailureKind, Fingerprint, FinishReason, Limit, Limits, Message,
    ModelErrorKind, ModelResponse, Outcome, Pending, PreviewContent, Price, Provenance, Question,
    QuestionAnswer, QuestionField, RequestedCall, ResultLocation, ResultMode, ReviewMode,
    RuleTarget, RuleTargets, Status, Timestamp, ToolChoice, ToolEffect, Usage, UserMessage,
    ValueOrigin,
};

use crate::desk::{Desk, spec};

/// Writes the event, compares it with `expected` and reads it again.
#[track_caller]
fn is_stored_as(kind: EventKind, expected: Value) {
    let event =
        Event { seq: 7, run: "r1".into(), round: 2, at: Timestamp(1_765_000_000_000), kind };
    let mut whole = json!({"seq": 7, "run": "r1", "round": 2, "at": 1_765_000_000_000_u64});
    whole.as_object_mut().unwrap().extend(expected.as_object().unwrap().clone());
    assert_eq!(serde_json::to_value(&event).unwrap(), whole);
    let text = serde_json::to_string(&event).unwrap();
    assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), event);
    assert_eq!(serde_json::from_value::<Event>(whole).unwrap(), event);
}

fn usage() -> Usage {
    Usage { prompt_tokens: 10, completion_tokens: 5, ..Usage::default() }
}

fn summary() -> CallSummary {
    CallSummary {
        tool: "get_quote".into(),
        status: Status::Ok,
        args: Arc::new(json!({"securities": {"IDX_I": [13]}})),
    }
}

#[test]
fn the_beginning() {
    let limits = Limits {
        rounds: 5,
        calls: 64,
        tokens: Some(9000),
        cost: None,
        wall_clock: Some(Duration::from_millis(1500)),
    };
    is_stored_as(
        EventKind::RunStarted {
            version: 2,
            conversation_id: "c1".into(),
            after: None,
            model: "openai:gpt".into(),
            limits,
            first_choice: ToolChoice::Required,
            mode: ResultMode::Loop,
            review: ReviewMode::Off,
            judge: false,
            price: None,
            output: None,
            tools_off: Vec::new(),
        },
        json!({
            "type": "run_started",
            "version": 2,
            "conversation_id": "c1",
            "model": "openai:gpt",
            "limits": {
                "rounds": 5, "calls": 64, "tokens": 9000, "wall_clock_ms": 1500,
            },
            "first_choice": "required",
        }),
    );
    is_stored_as(
        EventKind::message(Arc::new(Message::user("Hi"))),
        json!({"type": "message", "message": {"role": "user", "content": "Hi"}}),
    );
    let steering = Message::User(UserMessage::new("Be brief.").steering());
    is_stored_as(
        EventKind::Message { message: Arc::new(steering), queued: Some("msg_1".into()) },
        json!({
            "type": "message",
            "message": {"role": "user", "content": "Be brief.", "steers": true},
            "queued": "msg_1",
        }),
    );
    is_stored_as(
        EventKind::RoundStarted { of: 5, tool_choice: ToolChoice::Tool("find".into()) },
        json!({"type": "round_started", "of": 5, "tool_choice": {"tool": "find"}}),
    );
}

#[test]
fn what_the_model_says() {
    is_stored_as(
        EventKind::Content { data: "He".into() },
        json!({"type": "content", "data": "He"}),
    );
    is_stored_as(
        EventKind::Reasoning { data: "hm".into() },
        json!({"type": "reasoning", "data": "hm"}),
    );
    is_stored_as(
        EventKind::CallDelta { index: 1, tool: Some("find".into()), arguments: String::new() },
        json!({"type": "call_delta", "index": 1, "tool": "find"}),
    );
    is_stored_as(
        EventKind::CallDelta { index: 1, tool: None, arguments: "{\"q".into() },
        json!({"type": "call_delta", "index": 1, "arguments": "{\"q"}),
    );
    is_stored_as(
        EventKind::ModelRetry { attempt: 2, wait_ms: 500, reason: "busy".into() },
        json!({"type": "model_retry", "attempt": 2, "wait_ms": 500, "reason": "busy"}),
    );
    is_stored_as(
        EventKind::ModelFallback {
            from: "a:b".into(),
            to: "c:d".into(),
            reason: "busy".into(),
            price: Some(Price::new(1.0, 2.0)),
            usage: usage(),
        },
        json!({
            "type": "model_fallback", "from": "a:b", "to": "c:d", "reason": "busy",
            "price": {"input": 1.0, "output": 2.0}, "usage": usage(),
        }),
    );
    is_stored_as(
        EventKind::ModelFallback {
            from: "a:b".into(),
            to: "c:d".into(),
            reason: "busy".into(),
            price: None,
            usage: Usage::default(),
        },
        json!({"type": "model_fallback", "from": "a:b", "to": "c:d", "reason": "busy"}),
    );
    let message = AssistantMessage {
        calls: vec![Call::new("a", "find", "{}")],
        ..AssistantMessage::default()
    };
    is_stored_as(
        EventKind::Reply {
            message: Arc::new(Message::Assistant(message)),
            finish: FinishReason::ToolCalls,
            usage: Usage { cached_tokens: 3, reasoning_tokens: 2, ..usage() },
        },
        json!({
            "type": "reply",
            "message": {
                "role": "assistant",
                "content": null,
                "tool_calls": [
                    {"id": "a", "type": "function", "function": {"name": "find", "arguments": "{}"}},
                ],
            },
            "finish": "tool_calls",
            "usage": {
                "prompt_tokens": 10, "completion_tokens": 5,
                "cached_tokens": 3, "reasoning_tokens": 2,
            },
        }),
    );
}

#[test]
fn the_way_of_a_call() {
    let call = |obtained| RequestedCall {
        id: "a".into(),
        tool: "find".into(),
        args: Arc::new(json!({"q": "NIFTY"})),
        status: Pending::Pending,
        source: obtained,
    };
    let proposed = |obtained: &str| {
        json!({
            "id": "a", "tool": "find", "args": {"q": "NIFTY"}, "status": "pending",
            "source": obtained,
        })
    };
    is_stored_as(
        EventKind::ToolCalls {
            tool_calls: vec![call(CallSource::Native), call(CallSource::Repaired)],
        },
        json!({"type": "tool_calls", "tool_calls": [proposed("native"), proposed("repaired")]}),
    );
    let source = ResultLocation { call: "z".into(), tool: "find".into(), pointer: "/id".into() };
    let provenance = [ValueOrigin::Result(source), ValueOrigin::User, ValueOrigin::Configured]
        .map(|given| Provenance { argument: "/id".into(), given })
        .to_vec();
    is_stored_as(
        EventKind::CallChecked {
            id: "a".into(),
            tool: "buy".into(),
            arguments: Arc::new(json!({"id": 13})),
            effect: ToolEffect::ReadOnly,
            provenance,
            review_reason: Some("a reason".into()),
        },
        json!({
            "type": "call_checked", "id": "a", "tool": "buy", "arguments": {"id": 13},
            "effect": "read_only",
            "review_reason": "a reason",
            "provenance": [
                {"argument": "/id", "from": "result", "call": "z", "tool": "find", "pointer": "/id"},
                {"argument": "/id", "from": "user"},
                {"argument": "/id", "from": "configured"},
            ],
        }),
    );
    is_stored_as(
        EventKind::CallChecked {
            id: "a".into(),
            tool: "buy".into(),
            arguments: Arc::new(json!({})),
            effect: ToolEffect::Destructive,
            provenance: Vec::new(),
            review_reason: None,
        },
        json!({
            "type": "call_checked", "id": "a", "tool": "buy", "arguments": {}, "effect": "destructive",
        }),
    );
    is_stored_as(
        EventKind::CallStarted { id: "a".into(), tool: "find".into() },
        json!({"type": "call_started", "id": "a", "tool": "find"}),
    );
    is_stored_as(
        EventKind::CallProgress { id: "a".into(), data: "half".into() },
        json!({"type": "call_progress", "id": "a", "data": "half"}),
    );
    let question = Question::new("Where to?")
        .asker("travel")
        .field(QuestionField::choice("place", ["sea", "hills"]).title("Place").required())
        .field(QuestionField::integer("nights"));
    is_stored_as(
        EventKind::QuestionAsked {
            id: "a".into(),
            question_id: "q1".into(),
            tool: "travel__book".into(),
            question: Arc::new(question),
        },
        json!({
            "type": "question_asked", "id": "a", "question_id": "q1", "tool": "travel__book",
            "question": {
                "asker": "travel", "message": "Where to?", "mode": "form",
                "fields": [
                    {"name": "place", "title": "Place", "required": true, "type": "choice",
                     "options": [{"value": "sea"}, {"value": "hills"}]},
                    {"name": "nights", "type": "integer"},
                ],
            },
        }),
    );
    is_stored_as(
        EventKind::QuestionAsked {
            id: "a".into(),
            question_id: "q2".into(),
            tool: "book".into(),
            question: Arc::new(Question::url("Sign in", "https://example.com/in")),
        },
        json!({
            "type": "question_asked", "id": "a", "question_id": "q2", "tool": "book",
            "question": {
                "message": "Sign in", "mode": "url", "url": "https://example.com/in",
                "host": "example.com",
            },
        }),
    );
    is_stored_as(
        EventKind::QuestionAnswered {
            id: "a".into(),
            question_id: "q1".into(),
            answer: QuestionAnswer::accept_with(json!({"place": "sea", "nights": 2})),
        },
        json!({
            "type": "question_answered", "id": "a", "question_id": "q1",
            "answer": {"action": "accept", "content": {"place": "sea", "nights": 2}},
        }),
    );
    let outcome = Outcome::ok("✅ Success!").with_data(json!({"id": 13})).with_detail("2 rows");
    is_stored_as(
        EventKind::CallFinished {
            id: "a".into(),
            tool: "find".into(),
            status: Status::Ok,
            message: Arc::new(Message::tool("a", "find", outcome)),
            elapsed_ms: 12.5,
            guard: None,
        },
        json!({
            "type": "call_finished", "id": "a", "tool": "find", "status": "success",
            "message": {
                "role": "tool", "tool_call_id": "a", "name": "find", "content": "✅ Success!",
                "status": "success", "data": {"id": 13}, "detail": "2 rows",
            },
            "elapsed_ms": 12.5,
        }),
    );
    is_stored_as(
        EventKind::CallFinished {
            id: "a".into(),
            tool: "find".into(),
            status: Status::Refused,
            message: Arc::new(Message::tool("a", "find", Outcome::refused("no"))),
            elapsed_ms: 0.0,
            guard: Some("grounded".into()),
        },
        json!({
            "type": "call_finished", "id": "a", "tool": "find", "status": "refused",
            "message": {
                "role": "tool", "tool_call_id": "a", "name": "find", "content": "no",
                "status": "refused",
            },
            "elapsed_ms": 0.0,
            "guard": "grounded",
        }),
    );
}

#[test]
fn decisions() {
    is_stored_as(
        EventKind::DecisionNeeded { calls: vec!["a".into(), "b".into()] },
        json!({"type": "decision_needed", "calls": ["a", "b"]}),
    );
    let preview = CallPreview {
        place: Some("/srv/app".into()),
        content: Some(PreviewContent::Diff("-a\n+b\n".into())),
        targets: RuleTargets::These(vec![
            RuleTarget::new("ls"),
            RuleTarget::exact("find . -delete"),
        ]),
        always: vec!["*".into()],
        review_reason: Some("a reason".into()),
        ..CallPreview::default()
    };
    is_stored_as(
        EventKind::CallPreview {
            id: "a".into(),
            fingerprint: Fingerprint::from("f00d".to_owned()),
            preview: Arc::new(preview),
        },
        json!({
            "type": "call_preview", "id": "a", "fingerprint": "f00d", "place": "/srv/app",
            "content": {"kind": "diff", "text": "-a\n+b\n"},
            "targets": {"these": [{"text": "ls"}, {"text": "find . -delete", "exact": true}]},
            "always": ["*"], "review_reason": "a reason",
        }),
    );
    is_stored_as(
        EventKind::DecisionMade { id: "a".into(), fingerprint: None, decision: Decision::Allow },
        json!({"type": "decision_made", "id": "a", "decision": {"verdict": "allow"}}),
    );
    is_stored_as(
        EventKind::DecisionMade {
            id: "a".into(),
            fingerprint: Some(Fingerprint::from("f00d".to_owned())),
            decision: Decision::AllowReviewed,
        },
        json!({"type": "decision_made", "id": "a", "fingerprint": "f00d", "decision": {"verdict": "allow_reviewed"}}),
    );
    is_stored_as(
        EventKind::DecisionMade {
            id: "a".into(),
            fingerprint: None,
            decision: Decision::Deny { reason: None },
        },
        json!({"type": "decision_made", "id": "a", "decision": {"verdict": "deny"}}),
    );
    is_stored_as(
        EventKind::DecisionMade {
            id: "a".into(),
            fingerprint: None,
            decision: Decision::Deny { reason: Some("no".into()) },
        },
        json!({"type": "decision_made", "id": "a", "decision": {"verdict": "deny", "reason": "no"}}),
    );
    let arguments = json!({"id": 13, "of": [0.1, null]});
    is_stored_as(
        EventKind::DecisionMade {
            id: "a".into(),
            fingerprint: None,
            decision: Decision::Edit { arguments: arguments.clone() },
        },
        json!({"type": "decision_made", "id": "a", "decision": {"verdict": "edit", "arguments": arguments}}),
    );
}

#[test]
fn what_a_watcher_is_told() {
    is_stored_as(
        EventKind::AnswerRejected { guard: "unfinished".into(), reason: "a blank".into() },
        json!({"type": "answer_rejected", "guard": "unfinished", "reason": "a blank"}),
    );
    is_stored_as(
        EventKind::LimitReached { limit: Limit::WallClock, message: "10s reached".into() },
        json!({"type": "limit_reached", "limit": "wall_clock", "message": "10s reached"}),
    );
    is_stored_as(
        EventKind::Notice { message: "by the way".into(), id: None },
        json!({"type": "notice", "message": "by the way"}),
    );
    is_stored_as(
        EventKind::Notice { message: "not so".into(), id: Some("a".into()) },
        json!({"type": "notice", "message": "not so", "id": "a"}),
    );
}

#[test]
fn the_end() {
    is_stored_as(
        EventKind::Done(Box::new(Answer {
            response: "It is 5.".into(),
            tool_calls: vec![summary()],
            finish_reason: FinishReason::Stop,
            tools_executed: 1,
            usage: usage(),
            cost: Some(1250),
            conversation_id: "c1".into(),
            failed: false,
        })),
        json!({
            "type": "done",
            "response": "It is 5.",
            "tool_calls": [
                {"tool": "get_quote", "status": "success", "args": {"securities": {"IDX_I": [13]}}},
            ],
            "finish_reason": "stop",
            "tools_executed": 1,
            "usage": {"prompt_tokens": 10, "completion_tokens": 5},
            "cost_millionths": 1250,
            "conversation_id": "c1",
        }),
    );
}

#[test]
fn every_bad_end() {
    let kinds = [
        (
            FailureKind::Model(ModelErrorKind::RateLimited),
            json!({"kind": "model", "of": "rate_limited"}),
        ),
        (FailureKind::EmptyReplies, json!({"kind": "empty_replies"})),
        (FailureKind::ContentFilter, json!({"kind": "content_filter"})),
        (FailureKind::Limit(Limit::Rounds), json!({"kind": "limit", "of": "rounds"})),
        (FailureKind::Cancelled, json!({"kind": "cancelled"})),
    ];
    for (kind, stored) in kinds {
        let mut expected = json!({
            "type": "error",
            "message": "it broke",
            "advice": "try again",
            "response": "It is",
            "tool_calls": [
                {"tool": "get_quote", "status": "success", "args": {"securities": {"IDX_I": [13]}}},
            ],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5},
            "conversation_id": "c1",
        });
        expected.as_object_mut().unwrap().extend(stored.as_object().unwrap().clone());
        let failure = Failure {
            kind,
            message: "it broke".into(),
            advice: Some("try again".into()),
            response: "It is".into(),
            tool_calls: vec![summary()],
            usage: usage(),
            cost: None,
            conversation_id: "c1".into(),
        };
        is_stored_as(EventKind::Error(Box::new(failure.clone())), expected.clone());
        let bare = Failure { advice: None, response: String::new(), ..failure };
        let map = expected.as_object_mut().unwrap();
        map.remove("advice");
        map.remove("response");
        is_stored_as(EventKind::Error(Box::new(bare)), expected);
    }
}

#[test]
fn every_status_has_its_word() {
    for (status, word) in [
        (Status::Ok, "success"),
        (Status::Failed, "error"),
        (Status::Refused, "refused"),
        (Status::TimedOut, "timeout"),
        (Status::Denied, "denied"),
        (Status::Cancelled, "cancelled"),
        (Status::Interrupted, "interrupted"),
    ] {
        assert_eq!(serde_json::to_value(status).unwrap(), json!(word));
        assert_eq!((status.as_str(), status.to_string()), (word, word.to_owned()));
        assert_eq!(serde_json::from_value::<Status>(json!(word)).unwrap(), status);
    }
}

/// A whole run, as a script that reads the stream sees it.
#[test]
fn a_run_from_end_to_end() {
    let mut desk = Desk::new("Find NIFTY.", vec![spec("find", ToolEffect::ReadOnly)]);
    desk.reply(ModelResponse {
        usage: usage(),
        ..ModelResponse::calls([Call::new("a", "find", r#"{"q":"NIFTY"}"#)])
    });
    desk.run_all(&Outcome::ok(r#"{"id":13}"#));
    desk.reply(ModelResponse { usage: usage(), ..ModelResponse::text("It is 13.") });
    let lines = desk.log.iter().map(|event| serde_json::to_string(event).unwrap());
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
    {"seq":0,"run":"run","round":0,"at":0,"type":"run_started","version":2,"conversation_id":"talk","model":"test:model","limits":{"rounds":5,"calls":64,"wall_clock_ms":600000},"first_choice":"auto"}
    {"seq":1,"run":"run","round":0,"at":0,"type":"message","message":{"role":"user","content":"Find NIFTY."}}
    {"seq":2,"run":"run","round":1,"at":1,"type":"round_started","of":5,"tool_choice":"auto"}
    {"seq":3,"run":"run","round":1,"at":2,"type":"reply","message":{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"find","arguments":"{\"q\":\"NIFTY\"}"}}]},"finish":"tool_calls","usage":{"prompt_tokens":10,"completion_tokens":5}}
    {"seq":4,"run":"run","round":1,"at":2,"type":"tool_calls","tool_calls":[{"id":"a","tool":"find","args":{"q":"NIFTY"},"status":"pending","source":"native"}]}
    {"seq":5,"run":"run","round":1,"at":2,"type":"call_checked","id":"a","tool":"find","arguments":{"q":"NIFTY"},"effect":"read_only"}
    {"seq":6,"run":"run","round":1,"at":3,"type":"call_started","id":"a","tool":"find"}
    {"seq":7,"run":"run","round":1,"at":4,"type":"call_finished","id":"a","tool":"find","status":"success","message":{"role":"tool","tool_call_id":"a","name":"find","content":"{\"id\":13}","status":"success"},"elapsed_ms":5.0}
    {"seq":8,"run":"run","round":2,"at":1,"type":"round_started","of":5,"tool_choice":"auto"}
    {"seq":9,"run":"run","round":2,"at":2,"type":"reply","message":{"role":"assistant","content":"It is 13."},"finish":"stop","usage":{"prompt_tokens":10,"completion_tokens":5}}
    {"seq":10,"run":"run","round":2,"at":2,"type":"done","response":"It is 13.","tool_calls":[{"tool":"find","status":"success","args":{"q":"NIFTY"}}],"finish_reason":"stop","tools_executed":1,"usage":{"prompt_tokens":20,"completion_tokens":10},"conversation_id":"talk"}
    "#);
}
