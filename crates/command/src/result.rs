//! [`result`]: what came of a program, as the result of a call.

use std::fmt::Write as _;

use serde_json::Value;
use toolwright_core::{Output, ToolError, ToolErrorKind, ToolResult};
use toolwright_sandbox::{Ending, Finished, Output as Written, Words};

use crate::{CheckedCommand, OutputForm};

/// How much of the error output is told, where a program failed.
const ERRORS: usize = 8 << 10;

/// What came of a program, as the result of a call.
pub(crate) fn result(command: &CheckedCommand, finished: Finished) -> ToolResult {
    let Finished { ending, output, errors, .. } = finished;
    let skipped = output.skipped;
    let Words { text, replaced, .. } = output.into();
    let failure = match &ending {
        Ending::Exited(code) if command.ok_exit.contains(code) => None,
        Ending::Exited(code) => Some(exited(*code)),
        Ending::OutOfMemory(_) => Some("The program ran out of memory".to_owned()),
        Ending::TimedOut => Some(format!(
            "The program did not end within {} and was stopped",
            toolwright_duration::format(command.time)
        )),
        Ending::DiskFull => Some("The program was stopped: the disk is nearly full".to_owned()),
        Ending::NoScreen => Some(
            "The program was stopped: it waits for keys at a screen, and there is none".to_owned(),
        ),
        Ending::NotStarted(reason) => Some(format!("The program could not be started: {reason}")),
    };
    if let Some(failure) = failure {
        let kind = match ending {
            Ending::TimedOut => ToolErrorKind::TimedOut,
            Ending::Exited(_) | Ending::OutOfMemory(_) => ToolErrorKind::Unsuccessful,
            _ => ToolErrorKind::Lasting,
        };
        let told = failed(failure, &text, &Words::from(errors).text);
        return Err(ToolError::new(told).of_kind(kind));
    }
    let cut = |what: &str| {
        let told = format!(
            "The program wrote more than is kept ({} bytes), so that it is no {what}",
            command.kept
        );
        ToolError::new(told)
    };
    match command.output {
        OutputForm::Text => Ok(Output::Text(with_note(text, replaced))),
        OutputForm::Json if skipped > 0 => Err(cut("JSON any more")),
        OutputForm::Json => json(&text).map(|value| Output::Json(value.to_string())),
        OutputForm::Mcp if skipped > 0 => Err(cut("result any more")),
        OutputForm::Mcp => mcp(&json(&text)?),
    }
}

/// What a program wrote that nobody waited for.
pub(crate) fn cut_off(output: Written, errors: Written) -> String {
    let (output, errors) = (Words::from(output).text, Words::from(errors).text);
    match errors.trim_end() {
        "" => output,
        errors => format!("{output}\nIt wrote as errors:\n{}", end_of(errors)),
    }
}

fn exited(code: i32) -> String {
    match code {
        // As shells and the sandbox tell signals.
        129..=159 => format!("The program was ended by signal {} (exit code {code})", code - 128),
        _ => format!("The program failed with exit code {code}"),
    }
}

/// A failure, with what the program said about it.
fn failed(mut told: String, output: &str, errors: &str) -> String {
    for (name, text) in [("It wrote as errors", errors), ("It wrote", output)] {
        let text = text.trim_end();
        if !text.is_empty() {
            let _ = write!(told, "\n{name}:\n{}", end_of(text));
        }
    }
    told
}

/// The end of a text: what went wrong is said last.
fn end_of(text: &str) -> String {
    let from = text.len().saturating_sub(ERRORS);
    let from = (from..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    match text.get(from..) {
        Some(end) if from > 0 => format!("… [{from} bytes before]\n{end}"),
        _ => text.to_owned(),
    }
}

fn with_note(mut text: String, replaced: u64) -> String {
    if replaced > 0 {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let _ =
            write!(text, "[{replaced} bytes of the output are no text and are shown as \u{fffd}]");
    }
    text
}

fn json(text: &str) -> Result<Value, ToolError> {
    serde_json::from_str(text).map_err(|error| {
        let began: String = text.chars().take(200).collect();
        let told = format!("The program should have written JSON, and did not: {error}");
        ToolError::new(told).with_detail(format!("what it wrote begins so: {began:?}"))
    })
}

/// A result as the Model Context Protocol has it.
fn mcp(value: &Value) -> ToolResult {
    let Some(result) = value.as_object() else {
        return Err(ToolError::new("The program's result is no object with `content`"));
    };
    let blocks = result.get("content").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let told: Vec<String> = blocks.iter().map(block).collect();
    let text = told.join("\n");
    if result.get("isError").and_then(Value::as_bool).unwrap_or(false) {
        let text =
            if text.is_empty() { "The program says that it failed".to_owned() } else { text };
        return Err(ToolError::new(text).of_kind(ToolErrorKind::Unsuccessful));
    }
    match result.get("structuredContent") {
        Some(data) if text.is_empty() => Ok(Output::Json(data.to_string())),
        Some(data) => Ok(Output::Readable { text, data: data.clone() }),
        None if blocks.is_empty() && !result.contains_key("content") => Err(ToolError::new(
            "The program's result has neither `content` nor `structuredContent`",
        )),
        None => Ok(Output::Text(text)),
    }
}

/// A part of a result: text as it is, anything else by what it is.
fn block(block: &Value) -> String {
    let of = |name: &str| block.get(name).and_then(Value::as_str);
    match (of("type"), of("text")) {
        (Some("text"), Some(text)) => text.to_owned(),
        (kind, _) => {
            let kind = kind.unwrap_or("something");
            let form = of("mimeType").map(|it| format!(", {it}")).unwrap_or_default();
            format!("[{kind}{form}: not shown]")
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_result_of_the_protocol_is_read() {
        let text = json!({"content": [{"type": "text", "text": "a"}, {"type": "image"}]});
        assert!(matches!(mcp(&text), Ok(Output::Text(it)) if it == "a\n[image: not shown]"));
        let failed = json!({"content": [{"type": "text", "text": "no"}], "isError": true});
        assert_eq!(mcp(&failed).unwrap_err().message(), "no");
        let data = json!({"structuredContent": {"a": 1}});
        assert!(matches!(mcp(&data), Ok(Output::Json(it)) if it == "{\"a\":1}"));
        for wrong in [json!([]), json!({}), json!("text")] {
            assert!(mcp(&wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_the_end_of_many_errors_is_told() {
        let told = end_of(&"ä".repeat(ERRORS));
        assert!(told.starts_with("… [8192 bytes before]\nä") && told.len() < ERRORS + 40, "{told}");
    }
}
