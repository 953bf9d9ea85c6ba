//! A run whose model is recorded, and one whose model is replayed, are the same run.

use std::sync::Arc;

use proptest::{collection::vec, prelude::*};
use serde_json::{Value, json};
use toolwright_core::{
    Call, Event, EventKind, FnTool, ModelError, ModelErrorKind, ModelResponse, Output, ToolSpec,
};
use toolwright_models::{Cassette, CassetteFile, CassetteHeader, CassetteMode, Scripted};
use toolwright_runtime::Agent;

type Said = Result<ModelResponse, ModelError>;

fn reply() -> impl Strategy<Value = Said> {
    let text = prop_oneof![Just(String::new()), "[ -~é\n]{1,30}"];
    let arguments = prop_oneof![
        2 => "[a-z]{0,8}".prop_map(|text| json!({ "text": text }).to_string()),
        1 => "[ -~]{0,12}",
    ];
    let name = prop_oneof![3 => Just("echo".to_owned()), 1 => "[a-z]{1,5}"];
    let calls = vec(("[a-c]?", name, arguments), 0..3);
    let good = (text, "[a-z ]{0,10}", calls).prop_map(|(text, reasoning, calls)| {
        let calls = calls.into_iter().map(|(id, name, json)| Call::new(id, name, json));
        let calls: Vec<_> = calls.collect();
        let mut reply = match calls.is_empty() {
            true => ModelResponse::text(text.clone()),
            false => ModelResponse::calls(calls),
        };
        (reply.text, reply.reasoning) = (text, reasoning);
        reply.usage.prompt_tokens = 5;
        Ok(reply)
    });
    let kinds = [ModelErrorKind::Server, ModelErrorKind::TooLong, ModelErrorKind::Auth];
    let bad = proptest::sample::select(kinds.to_vec())
        .prop_map(|kind| Err(ModelError::new(kind, "it failed").with_advice("do something")));
    prop_oneof![8 => good, 1 => bad]
}

fn scripted(script: &[Said]) -> Scripted {
    script.iter().cloned().fold(Scripted::default(), |model, said| match said {
        Ok(reply) => model.then(reply),
        Err(error) => model.then_fail(error),
    })
}

/// What happens when this model is asked a few things in one conversation: the events, without what is
/// chance, the pieces of a text made one.
async fn played(model: Cassette) -> Vec<Value> {
    let parameters = json!({
        "type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"],
    });
    let echo = FnTool::new(ToolSpec::new("echo", "says it", parameters), |arguments, _| {
        let text = arguments["text"].as_str().unwrap_or_default().to_owned();
        Box::pin(async move { Ok(Output::Text(text)) })
    });
    let agent = Agent::builder(model).system("Be brief.").tool(Arc::new(echo)).build().unwrap();
    let (mut seen, mut text) = (Vec::new(), String::new());
    let mut history = toolwright_core::Conversation::new();
    for question in ["One?", "Two?"] {
        let mut run = agent.prepare(question).conversation(history.clone()).rounds(3).start();
        while let Some(event) = run.next().await {
            match &event.kind {
                EventKind::Content { data } => text.push_str(data),
                kind if kind.is_provisional() => {}
                _ => seen.push(comparable(event)),
            }
        }
        history = run.conversation().cloned().unwrap();
    }
    seen.push(Value::String(text));
    seen
}

fn comparable(event: Event) -> Value {
    let mut event = serde_json::to_value(event).unwrap();
    for chance in ["run", "at", "elapsed_ms", "conversation_id"] {
        event.as_object_mut().unwrap().remove(chance);
    }
    event
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_script_recorded_and_replayed_gives_the_same_events(script in vec(reply(), 0..8)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("any.jsonl");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let open = |mode| CassetteFile::open(&path, mode, CassetteHeader::new()).unwrap();
        let recorder = Cassette::new(open(CassetteMode::Record), Arc::new(scripted(&script)));
        let first = runtime.block_on(played(recorder));
        let player = Cassette::replaying(open(CassetteMode::Replay));
        let file = player.file().clone();
        let again = runtime.block_on(played(player));
        prop_assert_eq!(&first, &again);
        prop_assert_eq!(file.unused(), 0);
        // What is there is not asked for: a model that would say otherwise is not heard.
        let rest = Cassette::new(open(CassetteMode::RecordMissing), Arc::new(Scripted::default()));
        prop_assert_eq!(first, runtime.block_on(played(rest)));
    }
}
