//! The run of a model that only writes text is the native run, in every dialect.

use serde_json::{Value, json};
use toolwright_core::{Call, CallSource};
use toolwright_dialects::{Dialect, Prompt};
use toolwright_models::ToolMode;
use toolwright_testkit::{Chunking, ModelServer, Reply, Script, matrix};

use super::{QUESTION, agent, outline};
use crate::support::play;

const ANSWER: &str = "Sunny in both; the tip is 9.12.";

/// The run as a provider with tools gives it.
async fn native() -> Value {
    let script = Script::new()
        .reply(
            Reply::calls([
                ("a", "get_weather", r#"{"location":"Oslo"}"#),
                ("b", "get_weather", r#"{"location":"Rome"}"#),
            ])
            .with_text("Let me look."),
        )
        .reply(Reply::calls([("c", "calculate_tip", r#"{"amount":45.6,"percentage":20}"#)]))
        .reply(Reply::text(ANSWER));
    let server = ModelServer::start(script).await;
    let agent = agent(server.base_url(), ToolMode::Native, Dialect::Auto).build().unwrap();
    let played = play(agent.run(QUESTION)).await;
    server.assert_clean();
    outline(&played)
}

/// What models of these dialects really write: not made with the code that is tested.
const WRITTEN: [(Dialect, [&str; 2]); 12] = [
    (
        Dialect::Generic,
        [
            "Let me look.\n\n```json\n{\"tool\": \"get_weather\", \"params\": {\"location\": \"Oslo\"}}\n```\n```json\n{\"tool\": \"get_weather\", \"params\": {\"location\": \"Rome\"}}\n```",
            "{\n  \"tool\": \"calculate_tip\",\n  \"params\": {\n    \"amount\": 45.60,\n    \"percentage\": 20\n  }\n}",
        ],
    ),
    (
        Dialect::Hermes,
        [
            "Let me look.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"location\": \"Oslo\"}}\n</tool_call>\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"location\": \"Rome\"}}\n</tool_call>",
            "<tool_call>\n{\"name\": \"calculate_tip\", \"arguments\": {\"amount\": 45.60, \"percentage\": 20}}\n</tool_call>",
        ],
    ),
    (
        Dialect::Qwen3Coder,
        [
            "Let me look.\n\n<tool_call>\n<function=get_weather>\n<parameter=location>\nOslo\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=get_weather>\n<parameter=location>\nRome\n</parameter>\n</function>\n</tool_call>",
            "<tool_call>\n<function=calculate_tip>\n<parameter=amount>\n45.60\n</parameter>\n<parameter=percentage>\n20\n</parameter>\n</function>\n</tool_call>",
        ],
    ),
    (
        Dialect::Glm47,
        [
            "Let me look.<tool_call>get_weather<arg_key>location</arg_key><arg_value>Oslo</arg_value></tool_call><tool_call>get_weather<arg_key>location</arg_key><arg_value>Rome</arg_value></tool_call>",
            "<tool_call>calculate_tip<arg_key>amount</arg_key><arg_value>45.60</arg_value><arg_key>percentage</arg_key><arg_value>20</arg_value></tool_call>",
        ],
    ),
    (
        Dialect::MistralV11,
        [
            "Let me look.[TOOL_CALLS]get_weather[ARGS]{\"location\": \"Oslo\"}[TOOL_CALLS]get_weather[ARGS]{\"location\": \"Rome\"}",
            "[TOOL_CALLS]calculate_tip[ARGS]{\"amount\": 45.60, \"percentage\": 20}",
        ],
    ),
    (
        Dialect::DeepseekV3,
        [
            "Let me look.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{\"location\": \"Oslo\"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{\"location\": \"Rome\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>calculate_tip\n```json\n{\"amount\": 45.60, \"percentage\": 20}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ],
    ),
    (
        Dialect::KimiK2,
        [
            "Let me look.<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{\"location\": \"Oslo\"}<|tool_call_end|><|tool_call_begin|>functions.get_weather:1<|tool_call_argument_begin|>{\"location\": \"Rome\"}<|tool_call_end|><|tool_calls_section_end|>",
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.calculate_tip:2<|tool_call_argument_begin|>{\"amount\": 45.60, \"percentage\": 20}<|tool_call_end|><|tool_calls_section_end|>",
        ],
    ),
    (
        Dialect::Harmony,
        [
            "<|channel|>commentary<|message|>Let me look.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{\"location\": \"Oslo\"}<|call|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{\"location\": \"Rome\"}<|call|>",
            "<|channel|>commentary to=functions.calculate_tip <|constrain|>json<|message|>{\"amount\": 45.60, \"percentage\": 20}<|call|>",
        ],
    ),
    (
        Dialect::Lfm2,
        [
            "Let me look.\n<|tool_call_start|>[get_weather(location=\"Oslo\"), get_weather(location='Rome')]<|tool_call_end|>",
            "<|tool_call_start|>[calculate_tip(amount=45.60, percentage=20)]<|tool_call_end|>",
        ],
    ),
    (
        Dialect::Anthropic,
        [
            "Let me look.\n\n<function_calls>\n<invoke name=\"get_weather\">\n<parameter name=\"location\">Oslo</parameter>\n</invoke>\n<invoke name=\"get_weather\">\n<parameter name=\"location\">Rome</parameter>\n</invoke>\n</function_calls>",
            "<function_calls>\n<invoke name=\"calculate_tip\">\n<parameter name=\"amount\">45.60</parameter>\n<parameter name=\"percentage\">20</parameter>\n</invoke>\n</function_calls>",
        ],
    ),
    (
        Dialect::Llama3Json,
        [
            "Let me look.\n{\"name\": \"get_weather\", \"parameters\": {\"location\": \"Oslo\"}}; {\"name\": \"get_weather\", \"parameters\": {\"location\": \"Rome\"}}",
            "{\"name\": \"calculate_tip\", \"parameters\": {\"amount\": 45.60, \"percentage\": 20}}",
        ],
    ),
    (
        Dialect::React,
        [
            "Let me look.\nAction: get_weather\nAction Input: {\"location\": \"Oslo\"}\nAction: get_weather\nAction Input: {\"location\": \"Rome\"}",
            "Thought: Now the tip.\nAction: calculate_tip\nAction Input: {\"amount\": 45.60, \"percentage\": 20}\nObservation: 1000000",
        ],
    ),
];

#[tokio::test]
async fn the_run_in_text_is_the_native_run_however_it_arrives() {
    let native = native().await;
    for (dialect, [first, second]) in WRITTEN {
        let answer = if dialect == Dialect::React {
            format!("Final Answer: {ANSWER}")
        } else {
            ANSWER.into()
        };
        let script = Script::new()
            .reply(Reply::text(first))
            .reply(Reply::text(second))
            .reply(Reply::text(answer));
        let seen = matrix::play(script, async |base_url: String, stream: bool| {
            let agent = agent(&base_url, ToolMode::Text, dialect);
            let agent = if stream { agent } else { agent.whole_replies() };
            let played = play(agent.build().unwrap().run(QUESTION)).await;
            let calls = played.conversation.messages().iter().flat_map(|it| it.calls());
            for call in calls {
                assert_eq!(call.source, CallSource::Extracted, "{dialect}: {call:?}");
            }
            outline(&played)
        })
        .await;
        assert_eq!(seen, native, "{dialect}");
    }
}

/// The pythonic dialect has no place for text.
#[tokio::test]
async fn a_pythonic_run() {
    let script = Script::new()
        .reply(Reply::text("[get_weather(location=\"Oslo\"), get_weather(location='Rome')]"))
        .reply(Reply::text("[calculate_tip(amount=45.60, percentage=20)]"))
        .reply(Reply::text(ANSWER))
        .chunking(Chunking::OneByte);
    let server = ModelServer::start(script).await;
    let agent = agent(server.base_url(), ToolMode::Text, Dialect::Pythonic).build().unwrap();
    let mut wanted = native().await;
    wanted["messages"][2]["said"] = json!("");
    assert_eq!(outline(&play(agent.run(QUESTION)).await), wanted);
    server.assert_clean();
}

/// Every dialect, as we write it ourselves.
#[tokio::test]
async fn every_dialect_that_is_written_is_understood() {
    let calls = [
        Call::new("", "get_weather", r#"{"location":"Oslo"}"#),
        Call::new("", "calculate_tip", r#"{"amount":45.6,"percentage":20}"#),
    ];
    for dialect in Dialect::ALL {
        let prompt = Prompt::new(*dialect);
        let mut script = Script::new();
        for call in &calls {
            script = script.reply(Reply::text(prompt.turn("", std::slice::from_ref(call))));
        }
        let script = script.reply(Reply::text("Done.")).chunking(Chunking::OneByte);
        let server = ModelServer::start(script).await;
        let agent = agent(server.base_url(), ToolMode::Text, *dialect).build().unwrap();
        let played = play(agent.run(QUESTION)).await;
        server.assert_clean();
        let results: Vec<_> =
            played.conversation.results().map(|it| it.outcome.text.as_str()).collect();
        assert_eq!(results, ["Sunny in Oslo.", "9.12"], "{dialect}");
        assert_eq!(played.answer().response, "Done.", "{dialect}");
    }
}
