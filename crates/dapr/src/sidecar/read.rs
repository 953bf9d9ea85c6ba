//! [`Asked`]: what an application asks, as a model takes it.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use toolwright_core::{
    AssistantMessage, Call, Conversation, Message, ModelOptions, Outcome, OutputSchema, ToolChoice,
    ToolDefinitions, ToolSpec,
};

use super::fault::Fault;
use crate::{
    proto::{self, conversation_message::MessageTypes},
    structs::to_json,
};

/// What an application asks, as a model takes it.
pub(super) struct Asked {
    pub(super) conversation: Conversation,
    pub(super) tools: ToolDefinitions,
    pub(super) choice: ToolChoice,
    pub(super) options: Arc<ModelOptions>,
    pub(super) output: Option<OutputSchema>,
}

impl Asked {
    /// Reads a request for this component; `options` holds where it does not say how to write.
    pub(super) fn read(
        request: proto::ConversationRequestAlpha2,
        options: &ModelOptions,
    ) -> Result<Self, Fault> {
        let component = request.name;
        let invalid = |reason: &str| Fault::invalid(&component, reason);
        let scrubs = |it: Option<bool>| it == Some(true);
        if scrubs(request.scrub_pii) || request.inputs.iter().any(|it| scrubs(it.scrub_pii)) {
            // Sent on as it is, it would be what the application wanted to keep back.
            return Err(invalid(
                "scrub_pii is not spoken here: take out of the text what is personal",
            ));
        }
        let all = request.inputs.into_iter().flat_map(|input| input.messages);
        let messages: Option<Vec<_>> = all.map(message).collect();
        let messages = messages.ok_or_else(|| invalid("a message says nothing of whose it is"))?;
        if messages.is_empty() {
            return Err(Fault::no_inputs(&component));
        }
        let (conversation, _) = Conversation::load(messages);
        if conversation.is_empty() {
            return Err(Fault::no_inputs(&component));
        }
        let tools: Option<Vec<_>> = request.tools.into_iter().map(tool).collect();
        let tools = tools.ok_or_else(|| invalid("a tool is no function"))?;
        let choice = choice(request.tool_choice.as_deref(), &tools).map_err(|it| invalid(&it))?;
        let mut options = options.clone();
        options.temperature = request.temperature.or(options.temperature);
        options.check().map_err(|error| invalid(&error.to_string()))?;
        let output = request.response_format.map(|it| form(to_json(it))).transpose();
        Ok(Self {
            conversation,
            tools: ToolDefinitions::new(tools),
            choice,
            options: Arc::new(options),
            output: output.map_err(|it| invalid(&it))?,
        })
    }
}

fn message(message: proto::ConversationMessage) -> Option<Message> {
    Some(match message.message_types? {
        MessageTypes::OfSystem(it) => Message::system(text(it.content)),
        // Dapr's runtime has developers on the user's side.
        MessageTypes::OfDeveloper(it) => Message::user(text(it.content)),
        MessageTypes::OfUser(it) => Message::user(text(it.content)),
        MessageTypes::OfAssistant(it) => Message::Assistant(AssistantMessage {
            content: text(it.content),
            calls: it.tool_calls.into_iter().filter_map(call).collect(),
            ..AssistantMessage::default()
        }),
        MessageTypes::OfTool(it) => {
            let outcome = Outcome::ok(text(it.content));
            Message::tool(it.tool_id.unwrap_or_default(), it.name, outcome)
        }
    })
}

fn text(content: Vec<proto::ConversationMessageContent>) -> String {
    content.into_iter().map(|it| it.text).collect::<Vec<_>>().join("")
}

fn call(call: proto::ConversationToolCalls) -> Option<Call> {
    let proto::conversation_tool_calls::ToolTypes::Function(it) = call.tool_types?;
    Some(Call::new(call.id.unwrap_or_default(), it.name, it.arguments))
}

fn tool(tool: proto::ConversationTools) -> Option<Arc<ToolSpec>> {
    let proto::conversation_tools::ToolTypes::Function(it) = tool.tool_types?;
    let mut parameters = it.parameters.map(to_json).unwrap_or_default();
    parameters.entry("type").or_insert_with(|| json!("object"));
    parameters.entry("properties").or_insert_with(|| json!({}));
    let description = it.description.unwrap_or_default();
    Some(Arc::new(ToolSpec::new(it.name, description, Value::Object(parameters))))
}

fn choice(word: Option<&str>, tools: &[Arc<ToolSpec>]) -> Result<ToolChoice, String> {
    Ok(match word {
        None | Some("" | "auto") => ToolChoice::Auto,
        Some("none") => ToolChoice::None,
        Some("required") if tools.is_empty() => {
            return Err("tool_choice is `required`, and there are no tools".to_owned());
        }
        Some("required") => ToolChoice::Required,
        Some(name) if tools.iter().any(|it| it.name == name) => ToolChoice::Tool(name.to_owned()),
        Some(name) => {
            let name = toolwright_core::truncate_line(name, 100);
            return Err(format!(
                "tool_choice is `{name}`: use auto, none, required or the name of a tool"
            ));
        }
    })
}

/// The form of an answer: a schema with its name among its own words, or as OpenAI wraps one.
fn form(mut schema: Map<String, Value>) -> Result<OutputSchema, String> {
    if let Some(Value::Object(mut inner)) = schema.remove("json_schema") {
        let name = inner.remove("name");
        schema = match inner.remove("schema") {
            Some(Value::Object(it)) => it,
            _ => return Err("response_format.json_schema has no schema".to_owned()),
        };
        schema.extend(name.map(|it| ("name".to_owned(), it)));
    } else if schema.get("type").is_some_and(|it| it == "json_object") {
        schema.insert("type".to_owned(), json!("object"));
    }
    let name = match schema.get("name") {
        Some(Value::String(_)) => schema.remove("name"),
        _ => None,
    };
    if schema.get("strict").is_some_and(Value::is_boolean) {
        schema.remove("strict");
    }
    let name = name.as_ref().and_then(Value::as_str).unwrap_or_default();
    OutputSchema::new(name, Value::Object(schema)).map_err(|it| format!("response_format: {it}"))
}
