//! [`output`]: what a tool of a server returned, within bounds.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;
use toolwright_core::{Attachment, AttachmentError, Output, ToolError, ToolErrorKind, ToolResult};
use toolwright_runtime::ValueSchema;

/// The most blocks of content that are read.
const BLOCKS: usize = 100;
/// The longest text, in bytes. Of a longer one both ends are kept.
const TEXT: usize = 1_000_000;

/// What a tool returned. What it is told to fit is `schema`.
pub(super) fn output(result: CallToolResult, schema: Option<&ValueSchema>) -> ToolResult {
    let mut content = Content::default();
    let left_out = result.content.len().saturating_sub(BLOCKS);
    result.content.into_iter().take(BLOCKS).for_each(|it| content.add(it));
    if left_out > 0 {
        content.say(&format!("[{left_out} more blocks of content are left out]"));
    }
    let data = result.structured_content;
    if let (Some(data), true) = (&data, content.text.is_empty()) {
        content.say(&data.to_string());
    }
    if let (Some(data), Some(schema)) = (&data, schema) {
        let wrong = schema.violations(data, "result");
        if !wrong.is_empty() {
            content
                .say(&format!("[It is not what the tool said it returns: {}]", wrong.join("; ")));
            return content.finish(None, result.is_error);
        }
    }
    content.finish(data, result.is_error)
}

/// What blocks of content say, and what goes with it.
#[derive(Default)]
pub(super) struct Content {
    pub(super) text: String,
    pub(super) attached: Vec<Attachment>,
}

impl Content {
    pub(super) fn add(&mut self, block: ContentBlock) {
        match block {
            ContentBlock::Text(it) => self.say(&it.text),
            ContentBlock::Image(it) => self.attach(&it.data, Some(&it.mime_type), None),
            ContentBlock::Audio(it) => self.attach(&it.data, Some(&it.mime_type), None),
            // It is told of, and not fetched: who answers there is the server's choice.
            ContentBlock::ResourceLink(it) => {
                let about = it.description.map(|it| format!(": {it}")).unwrap_or_default();
                self.say(&format!("[resource {} ({}){about}]", it.name, it.uri));
            }
            ContentBlock::Resource(it) => match it.resource {
                ResourceContents::TextResourceContents { uri, text, .. } => {
                    self.say(&format!("[resource {uri}]\n{text}"));
                }
                ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                    let name = uri.rsplit('/').next().filter(|it| !it.is_empty());
                    self.attach(&blob, mime_type.as_deref(), name);
                }
                _ => self.say("[a resource of a kind that is not known here]"),
            },
            _ => self.say("[content of a kind that is not known here]"),
        }
    }

    pub(super) fn say(&mut self, text: &str) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(text);
    }

    fn attach(&mut self, base64: &str, media_type: Option<&str>, name: Option<&str>) {
        match attached(base64, media_type, name, &self.text) {
            Ok(it) => {
                self.say(&format!("[{}]", it.describe()));
                self.attached.push(it);
            }
            Err(reason) => self.say(&format!("[something attached is left out: {reason}]")),
        }
    }

    fn finish(self, data: Option<Value>, is_error: Option<bool>) -> ToolResult {
        let text = both_ends(self.text);
        if is_error == Some(true) {
            let text =
                if text.is_empty() { "it failed, and says no more".to_owned() } else { text };
            return Err(ToolError::new(text).of_kind(ToolErrorKind::Unsuccessful));
        }
        let output = match data {
            Some(data) => Output::Readable { text, data },
            None if text.is_empty() => Output::Text("Done.".to_owned()),
            None => Output::Text(text),
        };
        Ok(self.attached.into_iter().fold(output, Output::attach))
    }
}

/// What base64 stands for, behind this text. It is what its bytes say, and not what the server says.
fn attached(
    base64: &str,
    media_type: Option<&str>,
    name: Option<&str>,
    text: &str,
) -> Result<Attachment, AttachmentError> {
    let bytes = Attachment::decode(base64)?;
    let mut attachment = Attachment::new(bytes, media_type, name)?;
    attachment.at = text.chars().count();
    Ok(attachment)
}

/// A text that is no longer than it may be: its beginning and its end.
fn both_ends(text: String) -> String {
    if text.len() <= TEXT {
        return text;
    }
    let half = TEXT / 2;
    let head = text.floor_char_boundary(half);
    let tail = text.ceil_char_boundary(text.len() - half);
    let (head, rest) = text.split_at(head);
    let (middle, tail) = rest.split_at(tail - head.len());
    format!("{head}\n[… {} characters are left out …]\n{tail}", middle.chars().count())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: Value) -> ToolResult {
        output(serde_json::from_value(value).unwrap(), None)
    }

    fn text(output: &Output) -> String {
        match output.clone().into_parts().0 {
            Output::Text(text) | Output::Readable { text, .. } => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_long_text_keeps_both_its_ends() {
        let long = format!("first{}last", "ä".repeat(3_000_000));
        let kept = text(&read(json!({"content": [{"type": "text", "text": long}]})).unwrap());
        assert!(kept.len() < TEXT + 100, "{}", kept.len());
        assert!(kept.starts_with("first") && kept.ends_with("last"));
        assert!(kept.contains("characters are left out"));
    }

    #[test]
    fn many_blocks_are_counted_and_not_read() {
        let blocks: Vec<_> =
            (0..10_000).map(|it| json!({"type": "text", "text": format!("b{it}")})).collect();
        let kept = text(&read(json!({"content": blocks})).unwrap());
        assert!(kept.contains("b99\n[9900 more blocks of content are left out]"), "{kept}");
        assert!(!kept.contains("b100"));
    }

    #[test]
    fn a_picture_is_what_its_bytes_say() {
        let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
        let image = |data: &str, kind: &str| {
            read(json!({"content": [{"type": "image", "data": data, "mimeType": kind}]})).unwrap()
        };
        let (_, attached) = image(png, "image/png").into_parts();
        assert_eq!(attached[0].media_type.to_string(), "image/png");
        for (data, kind, why) in [
            (png, "image/jpeg", "it says it is image/jpeg"),
            ("!!!", "image/png", "no base64"),
            ("", "image/png", "empty"),
            (png, "not a type", "no media type"),
            (&"A".repeat(40_000_000), "image/png", "at most 20 MiB"),
        ] {
            let output = image(data, kind);
            assert!(text(&output).contains(why), "{}", text(&output));
            assert!(output.into_parts().1.is_empty());
        }
    }

    #[test]
    fn an_error_of_the_tool_is_one_for_the_model_to_read() {
        let error =
            read(json!({"content": [{"type": "text", "text": "no such city"}], "isError": true}));
        assert_eq!(error.unwrap_err().message(), "no such city");
    }

    #[test]
    fn data_is_held_against_what_was_promised() {
        let schema = ValueSchema::new(json!({"type": "object", "required": ["n"]}));
        let of = |data: Value| {
            let result =
                json!({"content": [{"type": "text", "text": "t"}], "structuredContent": data});
            output(serde_json::from_value(result).unwrap(), Some(&schema)).unwrap()
        };
        assert_eq!(of(json!({"n": 1})), Output::readable("t", json!({"n": 1})));
        let wrong = of(json!({"m": 1}));
        assert!(
            matches!(&wrong, Output::Text(text) if text.starts_with("t\n[It is not what")),
            "{wrong:?}"
        );
        let bare = read(json!({"content": [], "structuredContent": {"n": 1}})).unwrap();
        assert_eq!(bare, Output::readable(r#"{"n":1}"#, json!({"n": 1})));
    }

    #[test]
    fn links_are_told_and_not_fetched() {
        let block = json!({"type": "resource_link", "uri": "http://169.254.169.254/", "name": "a"});
        let output = read(json!({"content": [block]})).unwrap();
        assert_eq!(text(&output), "[resource a (http://169.254.169.254/)]");
    }
}
