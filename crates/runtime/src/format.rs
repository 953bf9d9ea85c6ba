//! [`outcome_of`]: a tool's result put into words for the model.

use std::{borrow::Cow, fmt::Write};

use serde_json::{Value, json};
use toolwright_core::{
    Outcome, Output, ResultFormat, Status, ToolErrorKind, ToolResult, ToolSpec, escape_invisible,
};

/// The outcome of a call, in the words its tool declared.
pub fn outcome_of(spec: &ToolSpec, result: ToolResult) -> Outcome {
    let mut outcome = in_words(spec, result);
    // A model reads what nobody else can see, and may do what it says there.
    if let Cow::Owned(text) = escape_invisible(&outcome.text) {
        outcome.replace_text(text);
    }
    if let Some(Cow::Owned(words)) = outcome.words.as_deref().map(escape_invisible) {
        outcome.words = Some(words);
    }
    outcome
}

fn in_words(spec: &ToolSpec, result: ToolResult) -> Outcome {
    match result {
        Ok(output) => success(spec.render, output),
        Err(error) => {
            let mut outcome = match error.kind() {
                // It was not executed, so nothing failed while it was.
                ToolErrorKind::Refused => spec.render.refusal(error.message()),
                _ => spec.render.failure(&spec.name, error.message()),
            };
            outcome.status = error.kind().status();
            outcome.detail = error.detail().map(str::to_owned);
            outcome.input = error.input().cloned();
            outcome.data =
                (error.kind() == ToolErrorKind::Unsuccessful).then(|| json!({"success": false}));
            outcome
        }
    }
}

fn success(render: ResultFormat, output: Output) -> Outcome {
    let (output, mut attachments) = output.into_parts();
    let mut outcome = in_format(render, output);
    let end = outcome.text.chars().count();
    attachments.iter_mut().for_each(|it| it.at = end);
    outcome.attachments = attachments;
    outcome
}

fn in_format(render: ResultFormat, output: Output) -> Outcome {
    match (render, output) {
        (render, Output::Attached { output, .. }) => in_format(render, *output),
        (ResultFormat::Plain, Output::Text(text)) => Outcome::ok(text),
        (ResultFormat::Plain, Output::Json(json)) => Outcome::ok(json),
        (ResultFormat::Plain, Output::Readable { text, data }) => Outcome::ok(text).with_data(data),
        (
            ResultFormat::Plain | ResultFormat::Readable,
            Output::Structured { json, words, data },
        ) => Outcome::ok(json).with_words(words).with_data(data),
        (ResultFormat::Envelope, output) => {
            let data = data_of(output);
            Outcome::ok(json!({"success": true, "data": data}).to_string()).with_data(data)
        }
        (ResultFormat::Readable, Output::Readable { text, data }) => {
            Outcome::marked(Status::Ok, ResultFormat::SUCCESS, &text).with_data(data)
        }
        (ResultFormat::Readable, output) => {
            let data = data_of(output);
            let mut text = String::new();
            lines(&data, 0, &mut text);
            let outcome = match text.trim_end() {
                "" => Outcome::ok(ResultFormat::SUCCESS.trim_end()),
                words => Outcome::marked(Status::Ok, ResultFormat::SUCCESS, words),
            };
            outcome.with_data(data)
        }
    }
}

fn data_of(output: Output) -> Value {
    match output {
        Output::Text(text) => Value::String(text),
        Output::Json(json) => serde_json::from_str(&json).unwrap_or(Value::String(json)),
        Output::Readable { data, .. } | Output::Structured { data, .. } => data,
        Output::Attached { output, .. } => data_of(*output),
    }
}

/// `{"security_id": 13}` as `- Security ID: 13`, nested values indented.
fn lines(value: &Value, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    // Writing to a `String` cannot fail.
    let _ = match value {
        Value::Object(map) => {
            for (key, inner) in map {
                let _ = write!(out, "{indent}- {}:", label(key));
                item(inner, depth, out);
            }
            Ok(())
        }
        Value::Array(items) => {
            for (at, inner) in items.iter().enumerate() {
                let _ = write!(out, "{indent}{}.", at + 1);
                item(inner, depth, out);
            }
            Ok(())
        }
        Value::String(text) => writeln!(out, "{indent}{text}"),
        other => writeln!(out, "{indent}{other}"),
    };
}

fn item(value: &Value, depth: usize, out: &mut String) {
    let _ = match value {
        Value::Object(map) if map.is_empty() => writeln!(out, " (none)"),
        Value::Array(items) if items.is_empty() => writeln!(out, " (none)"),
        Value::Array(items) if items.iter().all(|it| !it.is_object() && !it.is_array()) => {
            let items: Vec<_> = items.iter().map(scalar).collect();
            writeln!(out, " {}", items.join(", "))
        }
        Value::Object(_) | Value::Array(_) => {
            out.push('\n');
            lines(value, depth + 1, out);
            Ok(())
        }
        other => writeln!(out, " {}", scalar(other)),
    };
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "(none)".to_owned(),
        other => other.to_string(),
    }
}

/// `security_id` as `Security ID`. A key that is itself a value (`IDX_I`, `13`) stays what it is:
/// the model has to be able to use it.
fn label(key: &str) -> String {
    if !key.contains(char::is_lowercase) {
        return key.to_owned();
    }
    let words = key.split(['_', '-']).filter(|word| !word.is_empty()).map(|word| {
        if matches!(word, "id" | "url" | "ltp" | "isin" | "ohlc") {
            return word.to_uppercase();
        }
        let mut letters = word.chars();
        letters
            .next()
            .map(|first| first.to_uppercase().chain(letters).collect())
            .unwrap_or_default()
    });
    let label = words.collect::<Vec<String>>().join(" ");
    if label.is_empty() { key.to_owned() } else { label }
}
