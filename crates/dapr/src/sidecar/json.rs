//! [`request`] and [`written`]: Dapr's messages as JSON, the way Protocol Buffers write them: names in
//! `camelCase` (or as in the .proto when read), nothing where a value is the default, whole numbers of 64 bits as
//! text.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    proto::{self, conversation_message::MessageTypes},
    structs::to_struct,
};

/// What a body asks of this component: the path names it, and not the body. What is not known is ignored.
pub(super) fn request(
    body: &[u8],
    component: String,
) -> Result<proto::ConversationRequestAlpha2, String> {
    let read: Request = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let inputs = read.inputs.unwrap_or_default().into_iter().map(Input::read);
    Ok(proto::ConversationRequestAlpha2 {
        name: component,
        context_id: read.context_id,
        inputs: inputs.collect::<Result<_, _>>()?,
        scrub_pii: read.scrub_pii,
        temperature: read.temperature,
        tools: read.tools.unwrap_or_default().into_iter().map(Tool::read).collect(),
        tool_choice: read.tool_choice,
        response_format: read.response_format.as_ref().map(to_struct),
        ..Default::default()
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    #[serde(alias = "context_id")]
    context_id: Option<String>,
    inputs: Option<Vec<Input>>,
    #[serde(alias = "scrub_pii")]
    scrub_pii: Option<bool>,
    temperature: Option<f64>,
    tools: Option<Vec<Tool>>,
    #[serde(alias = "tool_choice")]
    tool_choice: Option<String>,
    #[serde(alias = "response_format")]
    response_format: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Input {
    messages: Option<Vec<Said>>,
    #[serde(alias = "scrub_pii")]
    scrub_pii: Option<bool>,
}

impl Input {
    fn read(self) -> Result<proto::ConversationInputAlpha2, String> {
        let messages = self.messages.unwrap_or_default().into_iter().map(Said::read);
        let messages = messages.collect::<Result<_, _>>()?;
        Ok(proto::ConversationInputAlpha2 { messages, scrub_pii: self.scrub_pii })
    }
}

/// A message, under the name of whose it is.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Said {
    #[serde(alias = "of_developer")]
    of_developer: Option<Content>,
    #[serde(alias = "of_system")]
    of_system: Option<Content>,
    #[serde(alias = "of_user")]
    of_user: Option<Content>,
    #[serde(alias = "of_assistant")]
    of_assistant: Option<Content>,
    #[serde(alias = "of_tool")]
    of_tool: Option<Content>,
}

/// What any of them may have.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Content {
    name: Option<String>,
    content: Option<Vec<Text>>,
    #[serde(alias = "tool_calls")]
    tool_calls: Option<Vec<Call>>,
    #[serde(alias = "tool_id")]
    tool_id: Option<String>,
}

#[derive(Deserialize)]
struct Text {
    text: Option<String>,
}

#[derive(Deserialize)]
struct Call {
    id: Option<String>,
    function: Option<Function>,
}

#[derive(Deserialize)]
struct Function {
    name: Option<String>,
    arguments: Option<String>,
}

#[derive(Deserialize)]
struct Tool {
    function: Option<Definition>,
}

#[derive(Deserialize)]
struct Definition {
    name: Option<String>,
    description: Option<String>,
    parameters: Option<Map<String, Value>>,
}

impl Said {
    fn read(self) -> Result<proto::ConversationMessage, String> {
        let mut all = [
            self.of_developer.map(|it| MessageTypes::OfDeveloper(it.developer())),
            self.of_system.map(|it| MessageTypes::OfSystem(it.system())),
            self.of_user.map(|it| MessageTypes::OfUser(it.user())),
            self.of_assistant.map(|it| MessageTypes::OfAssistant(it.assistant())),
            self.of_tool.map(|it| MessageTypes::OfTool(it.tool())),
        ]
        .into_iter()
        .flatten();
        let message_types = all.next();
        if all.next().is_some() {
            return Err("a message is of more than one kind".to_owned());
        }
        Ok(proto::ConversationMessage { message_types })
    }
}

impl Content {
    fn texts(content: Option<Vec<Text>>) -> Vec<proto::ConversationMessageContent> {
        let all = content.unwrap_or_default().into_iter();
        all.map(|it| proto::ConversationMessageContent { text: it.text.unwrap_or_default() })
            .collect()
    }

    fn developer(self) -> proto::ConversationMessageOfDeveloper {
        let content = Self::texts(self.content);
        proto::ConversationMessageOfDeveloper { name: self.name, content }
    }

    fn system(self) -> proto::ConversationMessageOfSystem {
        let content = Self::texts(self.content);
        proto::ConversationMessageOfSystem { name: self.name, content }
    }

    fn user(self) -> proto::ConversationMessageOfUser {
        let content = Self::texts(self.content);
        proto::ConversationMessageOfUser { name: self.name, content }
    }

    fn assistant(self) -> proto::ConversationMessageOfAssistant {
        let content = Self::texts(self.content);
        let tool_calls = self.tool_calls.unwrap_or_default().into_iter().map(Call::read).collect();
        proto::ConversationMessageOfAssistant { name: self.name, content, tool_calls }
    }

    fn tool(self) -> proto::ConversationMessageOfTool {
        let (name, content) = (self.name.unwrap_or_default(), Self::texts(self.content));
        proto::ConversationMessageOfTool { tool_id: self.tool_id, name, content }
    }
}

impl Call {
    fn read(self) -> proto::ConversationToolCalls {
        use proto::conversation_tool_calls::ToolTypes;
        let function = self.function.map(|it| {
            ToolTypes::Function(proto::ConversationToolCallsOfFunction {
                name: it.name.unwrap_or_default(),
                arguments: it.arguments.unwrap_or_default(),
            })
        });
        proto::ConversationToolCalls { id: self.id, tool_types: function }
    }
}

impl Tool {
    fn read(self) -> proto::ConversationTools {
        use proto::conversation_tools::ToolTypes;
        let function = self.function.map(|it| {
            ToolTypes::Function(proto::ConversationToolsFunction {
                name: it.name.unwrap_or_default(),
                description: it.description,
                parameters: it.parameters.as_ref().map(to_struct),
            })
        });
        proto::ConversationTools { tool_types: function }
    }
}

/// An answer.
pub(super) fn written(response: &proto::ConversationResponseAlpha2) -> Value {
    let outputs: Vec<_> = response.outputs.iter().map(output).collect();
    let mut whole = json!({"outputs": outputs});
    put(&mut whole, "contextId", response.context_id.as_deref().map(Value::from));
    whole
}

fn output(output: &proto::ConversationResultAlpha2) -> Value {
    let choices: Vec<_> = output.choices.iter().map(choice).collect();
    let mut whole = json!({"choices": choices});
    put(&mut whole, "model", output.model.as_deref().map(Value::from));
    put(&mut whole, "usage", output.usage.as_ref().map(usage));
    whole
}

fn choice(choice: &proto::ConversationResultChoices) -> Value {
    let mut message = json!({});
    if let Some(it) = &choice.message {
        put(&mut message, "content", text(&it.content));
        let calls: Vec<_> = it.tool_calls.iter().map(call).collect();
        put(&mut message, "toolCalls", (!calls.is_empty()).then(|| Value::from(calls)));
    }
    let mut whole = json!({"finishReason": choice.finish_reason, "message": message});
    put(&mut whole, "index", count(choice.index.unsigned_abs()));
    whole
}

fn call(call: &proto::ConversationToolCalls) -> Value {
    let mut whole = json!({});
    put(&mut whole, "id", call.id.as_deref().map(Value::from));
    if let Some(proto::conversation_tool_calls::ToolTypes::Function(it)) = &call.tool_types {
        put(&mut whole, "function", Some(json!({"name": it.name, "arguments": it.arguments})));
    }
    whole
}

fn usage(usage: &proto::ConversationResultAlpha2CompletionUsage) -> Value {
    let mut whole = json!({});
    put(&mut whole, "completionTokens", count(usage.completion_tokens));
    put(&mut whole, "promptTokens", count(usage.prompt_tokens));
    put(&mut whole, "totalTokens", count(usage.total_tokens));
    if let Some(it) = &usage.completion_tokens_details {
        let mut details = json!({});
        put(&mut details, "reasoningTokens", count(it.reasoning_tokens));
        put(&mut whole, "completionTokensDetails", Some(details));
    }
    if let Some(it) = &usage.prompt_tokens_details {
        let mut details = json!({});
        put(&mut details, "cachedTokens", count(it.cached_tokens));
        put(&mut whole, "promptTokensDetails", Some(details));
    }
    whole
}

/// What clients ask for first.
pub(super) fn written_metadata(metadata: &proto::GetMetadataResponse) -> Value {
    let components = metadata.registered_components.iter();
    let components: Vec<_> = components
        .map(|it| json!({"name": it.name, "type": it.r#type, "version": it.version}))
        .collect();
    json!({"id": metadata.id, "components": components, "extended": metadata.extended_metadata})
}

fn put(whole: &mut Value, name: &str, value: Option<Value>) {
    if let (Some(fields), Some(value)) = (whole.as_object_mut(), value) {
        fields.insert(name.to_owned(), value);
    }
}

fn text(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| Value::from(text))
}

fn count(count: u64) -> Option<Value> {
    (count != 0).then(|| Value::from(count.to_string()))
}
