//! [`difference`]: what is not as it was recorded, in words.

use std::collections::BTreeMap;

use serde_json::Value;
use toolwright_core::truncate_line;

use super::request::Request;

/// How much is shown of what differs, in characters, and how much before the place where it does.
const SHOWN: usize = 120;
const BEFORE: usize = 30;

/// The first thing that is not as it was recorded; nothing where all is.
pub(super) fn difference(recorded: &Request, now: &Request) -> Option<String> {
    let same = recorded.common(now);
    let number = same + 1;
    match (recorded.messages.get(same), now.messages.get(same)) {
        (Some(was), Some(is)) => {
            Some(format!("message {number} ({}): {}", what(was, is), of_message(was, is)))
        }
        (Some(was), None) => Some(format!(
            "it ends after {same} messages, and message {number} ({}) was recorded: `{}`",
            kind(was),
            shown(&said(was))
        )),
        (None, Some(is)) => Some(format!(
            "{same} messages were recorded, and now there is message {number} ({}): `{}`",
            kind(is),
            shown(&said(is))
        )),
        (None, None) => of_settings(recorded, now),
    }
}

/// What a message is.
fn kind(message: &Value) -> String {
    let text = |name: &str| message.get(name).and_then(Value::as_str).unwrap_or_default();
    match text("role") {
        "system" => "the instructions".to_owned(),
        "user" if text("origin") == "runtime" => "a correction".to_owned(),
        "user" if text("origin") == "project" => "what the project says".to_owned(),
        "user" => "what the user said".to_owned(),
        "assistant" => "what the model said".to_owned(),
        "tool" => format!("a result of `{}`", text("name")),
        other => format!("of `{}`", shown(other)),
    }
}

fn what(was: &Value, is: &Value) -> String {
    match (kind(was), kind(is)) {
        (was, is) if was == is => was,
        (was, is) => format!("{was}, now {is}"),
    }
}

/// What a message says, for people.
fn said(message: &Value) -> String {
    let content = message.get("content").and_then(Value::as_str).unwrap_or_default();
    match message.get("calls") {
        Some(calls) if content.is_empty() => calls.to_string(),
        _ => content.to_owned(),
    }
}

fn of_message(was: &Value, is: &Value) -> String {
    let field = |message: &Value, name: &str| match message.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => String::new(),
    };
    // What it says first; then what it calls, and whatever else is different.
    let names = ["content", "calls", "name", "status", "attachments", "call", "origin", "extra"];
    let differing = names.into_iter().find(|name| was.get(name) != is.get(name));
    let name = differing.unwrap_or("role");
    let told = if name == "content" { String::new() } else { format!("`{name}`: ") };
    format!("{told}{}", apart(&field(was, name), &field(is, name)))
}

/// Two texts from a little before the place where they part.
fn apart(was: &str, is: &str) -> String {
    let common = was.chars().zip(is.chars()).take_while(|(one, other)| one == other).count();
    let from = common.saturating_sub(BEFORE);
    let cut = |text: &str| {
        let lead = if from > 0 { "…" } else { "" };
        format!("{lead}{}", shown(&text.chars().skip(from).collect::<String>()))
    };
    format!("recorded `{}`, now `{}`", cut(was), cut(is))
}

fn shown(text: &str) -> String {
    truncate_line(text, SHOWN)
}

fn of_settings(recorded: &Request, now: &Request) -> Option<String> {
    let names = ["tools", "choice", "options", "output"];
    names.into_iter().find_map(|name| {
        // What the recording does not say is not held against anything.
        let was = recorded.settings.get(name)?;
        let is = now.settings.get(name).unwrap_or(&Value::Null);
        if was == is {
            return None;
        }
        Some(match name {
            "tools" => of_tools(was, is),
            "choice" => format!("whether a tool is called: {}", apart_json(was, is)),
            "options" => format!("the model's options: {}", apart_json(was, is)),
            _ => format!("the form of the answer: {}", apart_json(was, is)),
        })
    })
}

fn apart_json(was: &Value, is: &Value) -> String {
    apart(&was.to_string(), &is.to_string())
}

fn of_tools(was: &Value, is: &Value) -> String {
    let (was, is) = (tools(was), tools(is));
    let only = |these: &BTreeMap<String, String>, others: &BTreeMap<String, String>| {
        let names = these.keys().filter(|name| !others.contains_key(*name));
        names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    };
    let (gone, new) = (only(&was, &is), only(&is, &was));
    let changed = was.iter().filter(|(name, digest)| is.get(*name).is_some_and(|it| it != *digest));
    let changed: Vec<_> = changed.map(|(name, _)| format!("`{name}`")).collect();
    let mut told = Vec::new();
    if !gone.is_empty() {
        told.push(format!("{} is not offered any more", shown(&gone)));
    }
    if !new.is_empty() {
        told.push(format!("{} is offered now", shown(&new)));
    }
    if !changed.is_empty() {
        told.push(format!("{} is defined otherwise", shown(&changed.join(", "))));
    }
    if told.is_empty() {
        told.push("they stand in another order".to_owned());
    }
    format!("the tools: {}", told.join("; "))
}

fn tools(list: &Value) -> BTreeMap<String, String> {
    let text = |tool: &Value, name: &str| Some(tool.get(name)?.as_str()?.to_owned());
    let all = list.as_array().into_iter().flatten();
    all.filter_map(|tool| Some((text(tool, "name")?, text(tool, "digest")?))).collect()
}
