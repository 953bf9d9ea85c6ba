//! Requests in the form of Messages, but for the messages themselves.

use bytes::BytesMut;
use serde_json::{Map, Value, json};
use toolwright_core::{Message, ModelOptions, ModelRequest, ToolChoice, ToolSpec};

use super::{
    messages::{is_blank, leading},
    options::{max_tokens, output_config, write_options},
    rules::Rules,
    thinking::thinking,
};
use crate::endpoint::{
    Fixed,
    write::{comma, field, json as write},
};

pub(super) fn begin(out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>) {
    let options = fixed.options_of(request);
    out.extend_from_slice(b"{\"model\":");
    write(out, fixed.model);
    write_options(out, &options, fixed, request.stream);
    if request.stream {
        out.extend_from_slice(b",\"stream\":true");
    }
    // Three marks of the four there may be: behind the tools and behind the instructions, which do not change
    // while a body grows, and by this field behind whatever is last.
    let mark = mark(&options);
    if let Some(mark) = &mark {
        field(out, "cache_control", mark);
    }
    if !request.tools.is_empty() {
        out.extend_from_slice(b",\"tools\":[");
        let last = request.tools.specs().len() - 1;
        for (number, spec) in request.tools.specs().iter().enumerate() {
            comma(out);
            write_tool(out, spec, mark.as_ref().filter(|_| number == last));
        }
        out.extend_from_slice(b"]");
    }
    write_system(out, request, mark.as_ref());
    out.extend_from_slice(b",\"messages\":[");
}

/// What marks a place up to which a prompt is kept for the next request; none where an option says null.
fn mark(options: &ModelOptions) -> Option<Value> {
    let said = options.extra.get("cache_control").cloned();
    let mark = said.unwrap_or_else(|| json!({"type": "ephemeral"}));
    (!mark.is_null()).then_some(mark)
}

fn write_tool(out: &mut BytesMut, spec: &ToolSpec, mark: Option<&Value>) {
    out.extend_from_slice(b"{\"name\":");
    write(out, &spec.name);
    if !spec.description.is_empty() {
        field(out, "description", &spec.description);
    }
    match takes_as_it_is(&spec.parameters) {
        true => field(out, "input_schema", &spec.parameters),
        false => field(out, "input_schema", &object_schema(&spec.parameters)),
    }
    if let Some(mark) = mark {
        field(out, "cache_control", mark);
    }
    out.extend_from_slice(b"}");
}

/// What the API refuses at the root of a tool's schema. Arguments are checked here in any case.
const NOT_AT_ROOT: [&str; 3] = ["anyOf", "oneOf", "allOf"];

fn takes_as_it_is(schema: &Value) -> bool {
    schema.get("type").is_some_and(|it| it == "object")
        && NOT_AT_ROOT.iter().all(|word| schema.get(word).is_none())
}

fn object_schema(schema: &Value) -> Value {
    let mut schema = schema.as_object().cloned().unwrap_or_default();
    schema.insert("type".to_owned(), "object".into());
    schema.retain(|word, _| !NOT_AT_ROOT.contains(&word.as_str()));
    Value::Object(schema)
}

/// Writes the instructions in front of the conversation, which are no messages here.
fn write_system(out: &mut BytesMut, request: &ModelRequest<'_>, mark: Option<&Value>) {
    let messages = request.conversation.messages();
    let texts = messages.iter().take(leading(messages)).map(|it| Message::content(it));
    let texts: Vec<_> = texts.filter(|text| !is_blank(text)).collect();
    let Some((last, others)) = texts.split_last() else { return };
    out.extend_from_slice(b",\"system\":[");
    for text in others {
        out.extend_from_slice(b"{\"type\":\"text\"");
        field(out, "text", text);
        out.extend_from_slice(b"},");
    }
    out.extend_from_slice(b"{\"type\":\"text\"");
    field(out, "text", last);
    if let Some(mark) = mark {
        field(out, "cache_control", mark);
    }
    out.extend_from_slice(b"}]");
}

pub(super) fn finish(out: &mut BytesMut, request: &ModelRequest<'_>, fixed: &Fixed<'_>) {
    let options = fixed.options_of(request);
    let rules = Rules::of(fixed.model);
    out.extend_from_slice(b"]");
    let choice = match request.tools.is_empty() {
        true => None,
        false => tool_choice(&request.choice, &options, rules),
    };
    let is_forced = choice.as_ref().is_some_and(|it| it["type"] == "any" || it["type"] == "tool");
    if let Some(choice) = choice {
        field(out, "tool_choice", &choice);
    }
    // Who must call a tool must not think, and a choice says more than an effort.
    if !is_forced && !options.extra.contains_key("thinking") {
        let most = max_tokens(&options, fixed.facts, request.stream);
        if let Some(thinking) = thinking(&options, rules, most, request, fixed) {
            field(out, "thinking", &thinking);
        }
    }
    if let Some(config) = output_config(&options, rules, request.output) {
        field(out, "output_config", &config);
    }
    out.extend_from_slice(b"}");
}

/// What to say about calling tools; nothing where the default will do.
fn tool_choice(choice: &ToolChoice, options: &ModelOptions, rules: &Rules) -> Option<Value> {
    let (kind, name) = match choice {
        ToolChoice::Auto => ("auto", None),
        ToolChoice::None => return Some(json!({"type": "none"})),
        // It refuses to be made to. Words that ask it to would have to stand in the conversation from then on,
        // or its thoughts would be refused, and fewer tools would be another prompt: it is left to choose.
        ToolChoice::Required | ToolChoice::Tool(_) if !rules.forced => {
            tracing::warn!("this model cannot be made to call a tool: it is left to choose");
            ("auto", None)
        }
        ToolChoice::Required => ("any", None),
        ToolChoice::Tool(name) => ("tool", Some(name)),
    };
    let mut said = Map::from_iter([("type".to_owned(), Value::from(kind))]);
    said.extend(name.map(|it| ("name".to_owned(), Value::from(it.as_str()))));
    if options.parallel_tool_calls == Some(false) {
        said.insert("disable_parallel_tool_use".to_owned(), true.into());
    }
    (said.len() > 1 || kind != "auto").then_some(Value::Object(said))
}
