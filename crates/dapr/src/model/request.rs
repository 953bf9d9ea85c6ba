//! [`request`]: what a model is asked, as Dapr has it.

use serde_json::Value;
use toolwright_core::{
    Call, Message, ModelOptions, ModelRequest, OutputSchema, ToolChoice, ToolSpec,
};

use super::DaprConfig;
use crate::{
    proto::{self, conversation_message::MessageTypes},
    structs::to_struct,
};

/// What a component is asked.
pub(super) fn request(
    asked: &ModelRequest<'_>,
    config: &DaprConfig,
) -> proto::ConversationRequestAlpha2 {
    let options = config.options.with(asked.options);
    let messages = asked.conversation.messages().iter().map(|it| message(it)).collect();
    let tools: Vec<_> = asked.tools.specs().iter().map(|it| tool(it)).collect();
    let tool_choice = match &asked.choice {
        // The default wherever there are tools, and wrong where there are none.
        _ if tools.is_empty() => None,
        ToolChoice::Auto => None,
        ToolChoice::Required => Some("required".to_owned()),
        ToolChoice::None => Some("none".to_owned()),
        ToolChoice::Tool(name) => Some(name.clone()),
    };
    let mut metadata = config.metadata.clone();
    metadata.extend(options.extra.iter().map(|(name, value)| (name.clone(), text(value))));
    proto::ConversationRequestAlpha2 {
        name: config.component.clone(),
        context_id: config.context_id.clone(),
        inputs: vec![proto::ConversationInputAlpha2 { messages, scrub_pii: Some(false) }],
        metadata,
        scrub_pii: Some(false),
        temperature: options.temperature,
        tools,
        tool_choice,
        response_format: asked.output.map(form),
        ..Default::default()
    }
}

/// The options that Dapr's API has no place for.
pub(super) fn unsaid(options: &ModelOptions) -> Vec<&'static str> {
    let said = [
        ("top_p", options.top_p.is_some()),
        ("max_output_tokens", options.max_output_tokens.is_some()),
        ("stop", !options.stop.is_empty()),
        ("seed", options.seed.is_some()),
        ("reasoning_effort", options.reasoning_effort.is_some()),
        ("parallel_tool_calls", options.parallel_tool_calls.is_some()),
    ];
    said.into_iter().filter_map(|(name, is_said)| is_said.then_some(name)).collect()
}

fn message(message: &Message) -> proto::ConversationMessage {
    let content = vec![proto::ConversationMessageContent { text: message.content().to_owned() }];
    let kind = match message {
        Message::System(_) => {
            MessageTypes::OfSystem(proto::ConversationMessageOfSystem { name: None, content })
        }
        Message::User(_) => {
            MessageTypes::OfUser(proto::ConversationMessageOfUser { name: None, content })
        }
        Message::Assistant(it) => {
            MessageTypes::OfAssistant(proto::ConversationMessageOfAssistant {
                name: None,
                content,
                tool_calls: it.calls.iter().map(call).collect(),
            })
        }
        Message::Tool(it) => MessageTypes::OfTool(proto::ConversationMessageOfTool {
            tool_id: Some(it.call.as_str().to_owned()),
            name: it.name.clone(),
            content,
        }),
    };
    proto::ConversationMessage { message_types: Some(kind) }
}

fn call(call: &Call) -> proto::ConversationToolCalls {
    use proto::conversation_tool_calls::ToolTypes;
    // Components parse it, and fail over what is no object.
    let arguments = match call.parse() {
        Ok(Value::Object(_)) if !call.arguments.trim().is_empty() => call.arguments.clone(),
        _ => "{}".to_owned(),
    };
    let function = proto::ConversationToolCallsOfFunction { name: call.name.clone(), arguments };
    proto::ConversationToolCalls {
        id: Some(call.id.as_str().to_owned()),
        tool_types: Some(ToolTypes::Function(function)),
    }
}

fn tool(spec: &ToolSpec) -> proto::ConversationTools {
    use proto::conversation_tools::ToolTypes;
    let function = proto::ConversationToolsFunction {
        name: spec.name.clone(),
        description: Some(spec.description.clone()),
        parameters: spec.parameters.as_object().map(to_struct),
    };
    proto::ConversationTools { tool_types: Some(ToolTypes::Function(function)) }
}

/// A form as Dapr wants it: the schema itself, with its name beside its own words.
fn form(output: &OutputSchema) -> prost_types::Struct {
    let mut schema = match output.sent() {
        Value::Object(schema) => schema,
        _ => serde_json::Map::new(),
    };
    schema.insert("name".to_owned(), Value::from(output.name.as_str()));
    to_struct(&schema)
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
