//! What an API answers, as something that fits a conversation.

use http::{StatusCode, header};
use serde_json::Value;
use toolwright_core::{
    Attachment, Output, ToolEffect, ToolError, ToolErrorKind, ToolResult, truncate_line,
};
use toolwright_http::Response;

/// More than this is not read, and more than that not told.
const MOST_BYTES: usize = 4 << 20;
const LONGEST: usize = 50_000;
/// How much of an error is told.
const ERROR: usize = 2_000;

/// The result of a call.
pub(crate) async fn result(mut response: Response, effect: ToolEffect) -> ToolResult {
    let status = response.status();
    let media = response.headers().get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let media = media.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    let media = media.to_ascii_lowercase();
    let bytes = response.bytes(MOST_BYTES).await.map_err(|error| {
        ToolError::new(format!("the answer cannot be read: {}", error.reason))
            .of_kind(ToolErrorKind::Unsuccessful)
    })?;
    if !status.is_success() {
        return Err(failure(status, &bytes, effect));
    }
    if bytes.is_empty() {
        return Ok(Output::Text(format!("Done: {status}.")));
    }
    let is_json = media == "application/json" || media.ends_with("+json") || media.is_empty();
    if is_json && let Ok(value) = serde_json::from_slice::<Value>(&bytes) {
        return Ok(Output::Json(cut_json(value)));
    }
    if media.starts_with("image/")
        && let Ok(attachment) = Attachment::new(bytes.clone(), Some(&media), None)
    {
        let told = format!("Attached: {}", attachment.describe());
        return Ok(Output::Text(told).attach(attachment));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Output::Text(cut_text(&text, LONGEST))),
        Err(error) => Ok(Output::Text(format!(
            "Done: {status}. The answer is {} bytes of `{}`, which is no text.",
            error.as_bytes().len(),
            truncate_line(&media, 60)
        ))),
    }
}

fn failure(status: StatusCode, bytes: &[u8], effect: ToolEffect) -> ToolError {
    if status.is_redirection() {
        let told = "the API points elsewhere, and redirects are not followed";
        return ToolError::new(format!("{status}: {told}"));
    }
    let body = String::from_utf8_lossy(bytes);
    let body = cut_text(body.trim(), ERROR);
    let told = if body.is_empty() { status.to_string() } else { format!("{status}: {body}") };
    let may_pass = status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error();
    match may_pass && effect.is_repeatable() {
        true => ToolError::temporary(told),
        false => ToolError::new(told).of_kind(ToolErrorKind::Unsuccessful),
    }
}

fn cut_text(text: &str, longest: usize) -> String {
    if text.len() <= longest {
        return text.to_owned();
    }
    let kept = text.get(..text.floor_char_boundary(longest)).unwrap_or_default();
    format!("{kept}\n… ({} more bytes)", text.len() - kept.len())
}

/// JSON that fits: lists with their first items, texts with their beginnings, and what was left out is told.
fn cut_json(mut value: Value) -> String {
    let whole = value.to_string();
    if whole.len() <= LONGEST {
        return whole;
    }
    for (items, letters) in [(100, 4_000), (50, 1_000), (20, 500), (10, 200), (5, 100), (2, 50)] {
        shorten(&mut value, items, letters, 0);
        let cut = value.to_string();
        if cut.len() <= LONGEST {
            return cut;
        }
    }
    Value::String(cut_text(&whole, LONGEST / 2)).to_string()
}

fn shorten(value: &mut Value, items: usize, letters: usize, depth: usize) {
    match value {
        Value::String(text) if text.len() > letters + 30 => *text = cut_text(text, letters),
        Value::Array(list) => {
            if list.len() > items {
                let more = list.len() - items;
                // What was said of an earlier cut counts, too.
                let earlier = list.last().and_then(Value::as_str).and_then(told_more).unwrap_or(0);
                let more = if earlier > 0 { more - 1 + earlier } else { more };
                list.truncate(items);
                list.push(Value::String(format!("… {more} more")));
            }
            list.iter_mut().for_each(|it| shorten(it, items, letters, depth + 1));
        }
        Value::Object(map) => {
            if depth > 6 {
                map.clear();
            }
            map.values_mut().for_each(|it| shorten(it, items, letters, depth + 1));
        }
        _ => {}
    }
}

fn told_more(text: &str) -> Option<usize> {
    text.strip_prefix("… ")?.strip_suffix(" more")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn long_json_stays_json_and_says_what_is_missing() {
        let row = |at: usize| json!({"id": at, "text": "x".repeat(300)});
        let long = json!({"total": 1_000, "rows": (0..1_000).map(row).collect::<Vec<_>>()});
        let cut = cut_json(long);
        assert!(cut.len() <= LONGEST, "{}", cut.len());
        let read: Value = serde_json::from_str(&cut).unwrap();
        let rows = read["rows"].as_array().unwrap();
        assert_eq!((&read["total"], &rows[0]["id"]), (&json!(1_000), &json!(0)));
        let more = told_more(rows.last().unwrap().as_str().unwrap()).unwrap();
        assert_eq!(rows.len() - 1 + more, 1_000);
        let many: Value = (0..20_000).map(|it| (format!("key{it}"), json!(it))).collect();
        assert!(serde_json::from_str::<Value>(&cut_json(many)).is_ok());
        let short = json!({"a": ["x"]});
        assert_eq!(cut_json(short.clone()), short.to_string());
    }
}
