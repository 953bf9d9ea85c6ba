//! [`FixturePack`]: the tools that the conformance tests call.

use std::{sync::Arc, time::Duration};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures_core::future::BoxFuture;
use serde_json::{Value, json};
use toolwright_core::{
    Attachment, FnTool, Output, Question, QuestionField, RunContext, Tool, ToolEffect, ToolError,
    ToolResult, ToolSpec,
};
use toolwright_pack::{OpenPack, Pack, PackError, PackInfo, PackSetup, TaskFile};

/// The tools that the conformance tests call.
pub(crate) struct FixturePack;

const TASK: &str = "\
---
description: what the conformance tests call
packs: [fixtures]
starters: [What can you do?]
---
You test.
";

const INFO: PackInfo = PackInfo::new("fixtures", "what the conformance tests call")
    .tasks(&[TaskFile::new("fixtures", TASK)]);

impl Pack for FixturePack {
    fn info(&self) -> &PackInfo {
        &INFO
    }

    fn open(&self, _: &PackSetup<'_>) -> Result<Option<Arc<dyn OpenPack>>, PackError> {
        Ok(Some(Arc::new(Fixtures)))
    }
}

struct Fixtures;

/// A red point.
pub(crate) const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// Silence.
const SOUND: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

impl OpenPack for Fixtures {
    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let text = |words: &'static str| {
            move |_: RunContext| async move { Ok(Output::Text(words.to_owned())) }
        };
        let mut tools = vec![
            tool("test_simple_text", text("This is a simple text response for testing.")),
            tool("test_image_content", |_| async { Ok(attached("", vec![picture()?])) }),
            tool("test_audio_content", |_| async { Ok(attached("", vec![sound()?])) }),
            tool("test_embedded_resource", |_| async { Ok(attached("", vec![file()?])) }),
            tool("test_multiple_content_types", |_| async {
                Ok(attached("Multiple content types test:", vec![picture()?, file()?]))
            }),
            tool("test_error_handling", |_| async {
                Err(ToolError::new("This tool intentionally returns an error for testing"))
            }),
            tool("test_tool_with_progress", with_progress),
            tool("test_tool_with_logging", with_progress),
            tool("test_logging_tool", with_progress),
            tool("test_streaming_elicitation", |context| ask(context, name_and_email())),
            tool("test_elicitation_sep1034_defaults", |context| ask(context, with_defaults())),
            tool("test_elicitation_sep1330_enums", |context| ask(context, with_choices())),
            tool("test_input_required_result_elicitation", |context| async move {
                let name = said(&context, "user_name", "What is your name?", "name").await?;
                Ok(Output::Text(format!("Hello, {name}!")))
            }),
            tool("test_input_required_result_multi_round", |context| async move {
                let name = said(&context, "step1", "Step 1: What is your name?", "name").await?;
                let colour = said(&context, "step2", "Step 2: Which colour?", "color").await?;
                Ok(Output::Text(format!("{name} likes {colour}.")))
            }),
        ];
        let words = json!({"type": "object", "properties": {"message": {"type": "string"}}});
        let asking = ToolSpec::new("test_elicitation", "Asks the user.", words);
        tools.push(made(asking.effect(ToolEffect::ReadOnly), |context| {
            ask(context, name_and_email())
        }));
        // What a person has to decide about is asked by elicitation.
        tools.extend(["request_state", "tampered_state"].map(|name| {
            let spec = spec(&format!("test_input_required_result_{name}"));
            made(spec.effect(ToolEffect::Destructive), text("state-ok"))
        }));
        let rich = ToolSpec::new("json_schema_2020_12_tool", "Has a schema of many words.", rich());
        tools.push(made(rich.effect(ToolEffect::ReadOnly), text("Done.")));
        let region = json!({"type": "string", "x-mcp-header": "Region"});
        let region = json!({"type": "object", "properties": {"region": region}});
        let routed = ToolSpec::new("test_custom_header", "Has a parameter in a header.", region);
        tools.push(made(routed.effect(ToolEffect::ReadOnly), text("Done.")));
        tools
    }
}

async fn with_progress(context: RunContext) -> ToolResult {
    for done in ["0/100", "50/100", "100/100"] {
        context.progress(done);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(Output::Text("Done.".to_owned()))
}

/// Asks the user for one thing, under a name.
async fn said(
    context: &RunContext,
    name: &str,
    message: &str,
    field: &str,
) -> Result<String, ToolError> {
    let question = Question::new(message).field(QuestionField::text(field).required());
    let answer = context.ask(question.named(name)).await?;
    let said = answer.content().and_then(|it| it.get(field)).and_then(Value::as_str);
    said.map(str::to_owned).ok_or_else(|| ToolError::new("The user did not say."))
}

/// Asks the user, and tells what they said.
async fn ask(context: RunContext, schema: Value) -> ToolResult {
    let answer = context.ask(Question::from_schema("Please say.", &schema)?).await?;
    let content = answer.content().map(|it| Value::Object(it.clone())).unwrap_or_default();
    Ok(Output::Text(format!("User response: action={}, content={content}", answer.action())))
}

fn name_and_email() -> Value {
    let text = |about: &str| json!({"type": "string", "description": about});
    let (name, email) = (text("User's response"), text("User's email address"));
    let properties = json!({"username": name, "email": email});
    json!({"type": "object", "properties": properties, "required": ["username", "email"]})
}

fn with_defaults() -> Value {
    json!({"type": "object", "properties": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": true},
    }})
}

fn with_choices() -> Value {
    let titled = json!([
        {"const": "value1", "title": "First Option"},
        {"const": "value2", "title": "Second Option"},
        {"const": "value3", "title": "Third Option"},
    ]);
    let plain = json!(["option1", "option2", "option3"]);
    let names = json!(["Option One", "Option Two", "Option Three"]);
    json!({"type": "object", "properties": {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": names},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }})
}

fn spec(name: &str) -> ToolSpec {
    let none = json!({"type": "object", "properties": {}, "additionalProperties": false});
    ToolSpec::new(name, "A tool of the conformance tests.", none).effect(ToolEffect::ReadOnly)
}

fn tool<F: Future<Output = ToolResult> + Send + 'static>(
    name: &str,
    body: impl Fn(RunContext) -> F + Send + Sync + 'static,
) -> Arc<dyn Tool> {
    made(spec(name), body)
}

fn made<F: Future<Output = ToolResult> + Send + 'static>(
    spec: ToolSpec,
    body: impl Fn(RunContext) -> F + Send + Sync + 'static,
) -> Arc<dyn Tool> {
    let body = move |_, context| -> BoxFuture<'static, ToolResult> { Box::pin(body(context)) };
    Arc::new(FnTool::new(spec, body))
}

fn attached(text: &str, all: Vec<Attachment>) -> Output {
    all.into_iter().fold(Output::Text(text.to_owned()), Output::attach)
}

fn picture() -> Result<Attachment, ToolError> {
    decoded(PICTURE, "point.png")
}

fn sound() -> Result<Attachment, ToolError> {
    decoded(SOUND, "silence.wav")
}

fn file() -> Result<Attachment, ToolError> {
    let text = b"This is an embedded resource content.".to_vec();
    Attachment::new(text, None, Some("resource.txt")).map_err(|it| ToolError::new(it.to_string()))
}

fn decoded(base64: &str, name: &str) -> Result<Attachment, ToolError> {
    let bytes = STANDARD.decode(base64).map_err(|it| ToolError::new(it.to_string()))?;
    Attachment::new(bytes, None, Some(name)).map_err(|it| ToolError::new(it.to_string()))
}

/// As the tests have it.
fn rich() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            },
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {
            "properties": {"contactMethod": {"const": "phone"}},
            "required": ["contactMethod"],
        },
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}
