//! [`ResourceDefinition`]: a resource as its server lists it; [`attached`]: what stands in one.

use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde::Serialize;
use toolwright_core::{
    Attachment, AttachmentError, AttachmentKind, ContentError, escape_invisible, is_hidden,
};

use super::error::words;

/// The most parts of a resource.
const PARTS: usize = 20;
/// The longest address, in characters.
const ADDRESS: usize = 2_000;

/// A resource as its server lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ResourceDefinition {
    /// Its address.
    pub uri: String,
    /// What it is called.
    pub name: String,
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it is, as its server says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
}

/// Addresses of resources with places to fill in, as their server lists them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TemplateDefinition {
    /// The address, by RFC 6570.
    pub uri_template: String,
    /// What it is called.
    pub name: String,
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl ResourceDefinition {
    pub(super) fn of(resource: &Resource) -> Self {
        Self {
            uri: resource.uri.clone(),
            name: words(resource.title.as_deref().unwrap_or(&resource.name)),
            description: resource.description.as_deref().map(words),
            media_type: resource.mime_type.as_deref().map(words),
        }
    }
}

impl TemplateDefinition {
    pub(super) fn of(template: &ResourceTemplate) -> Self {
        Self {
            uri_template: template.uri_template.clone(),
            name: words(template.title.as_deref().unwrap_or(&template.name)),
            description: template.description.as_deref().map(words),
        }
    }
}

/// Whether a person can see and type such an address.
pub(super) fn is_address(uri: &str) -> bool {
    let is_plain = |it: char| !it.is_whitespace() && !it.is_control() && !is_hidden(it);
    (1..=ADDRESS).contains(&uri.chars().count()) && uri.chars().all(is_plain)
}

/// What stands in a resource, each part named by where it came from.
pub(super) fn attached(
    server: &str,
    wanted: &str,
    result: ReadResourceResult,
) -> Result<Vec<Attachment>, ContentError> {
    let count = result.contents.len();
    if count > PARTS {
        let told = format!("it has {count} parts, and at most {PARTS} can be attached");
        return Err(ContentError(told));
    }
    let parts = result.contents.into_iter().map(|part| {
        let attached = match part {
            ResourceContents::TextResourceContents { uri, mime_type, text, .. } => {
                let name = name(server, wanted, &uri, count);
                of_text(&escape_invisible(&text), mime_type.as_deref(), &name)
            }
            ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                let name = name(server, wanted, &uri, count);
                let said = mime_type.as_deref().filter(|it| !it.trim().is_empty());
                Attachment::decode(&blob).and_then(|it| Attachment::new(it, said, Some(&name)))
            }
            _ => return Err(ContentError("it is of a kind that is not known here".to_owned())),
        };
        attached.map_err(|error| ContentError(error.to_string()))
    });
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    match parts.is_empty() {
        true => Err(ContentError("there is nothing in it".to_owned())),
        false => Ok(parts),
    }
}

/// Where a part came from: the server is ours to say, and so is the address where there is one.
fn name(server: &str, wanted: &str, uri: &str, count: usize) -> String {
    let uri = if count == 1 { wanted } else { uri };
    format!("mcp:{server}:{}", words(uri))
}

/// A text. What its server says it is counts where that is a kind of text.
fn of_text(text: &str, said: Option<&str>, name: &str) -> Result<Attachment, AttachmentError> {
    let made = |said: Option<&str>| Attachment::new(text.as_bytes(), said, Some(name));
    let is_text = |it: &Attachment| it.kind() == AttachmentKind::Text;
    match made(said).ok().filter(is_text) {
        Some(it) => Ok(it),
        None => made(Some("text/plain")),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[expect(clippy::needless_pass_by_value, reason = "reads better where it is called")]
    fn read(contents: Value) -> Result<Vec<Attachment>, ContentError> {
        attached("s", "x://a", serde_json::from_value(json!({"contents": contents})).unwrap())
    }

    #[expect(clippy::needless_pass_by_value, reason = "reads better where it is called")]
    fn one(content: Value) -> Attachment {
        read(json!([content])).unwrap().remove(0)
    }

    #[test]
    fn a_part_is_named_by_where_it_came_from_and_not_by_what_it_says() {
        let it =
            one(json!({"uri": "mcp:trusted:y://b", "mimeType": "text/markdown", "text": "# A"}));
        assert_eq!(it.name.as_deref(), Some("mcp:s:x://a"));
        assert_eq!(it.media_type.as_str(), "text/markdown");
        let two = json!([{"uri": "x://1", "text": "a"}, {"uri": "x://\u{1b}[2J", "text": "b"}]);
        let names: Vec<_> = read(two).unwrap().into_iter().map(|it| it.name.unwrap()).collect();
        assert_eq!(names.first().unwrap(), "mcp:s:x://1");
        assert!(!names.last().unwrap().contains('\u{1b}'), "{names:?}");
    }

    #[test]
    fn a_text_is_text_whatever_its_server_says_and_nothing_hides_in_it() {
        for said in ["image/png", "application/x-unknown", "not a type", ""] {
            let it = one(json!({"uri": "x://a", "mimeType": said, "text": "plain\u{e0041}"}));
            assert_eq!(it.kind(), AttachmentKind::Text, "{said}");
            assert!(!it.text().unwrap().contains('\u{e0041}'));
        }
    }

    #[test]
    fn what_is_nothing_or_too_much_is_refused() {
        for (contents, why) in [
            (json!([]), "nothing in it"),
            (json!([{"uri": "x://a", "text": ""}]), "it is empty"),
            (json!([{"uri": "x://a", "blob": "!!"}]), "no base64"),
            (json!([{"uri": "x://a", "blob": "aGk=", "mimeType": "image/png"}]), "it says it is"),
            (json!(vec![json!({"uri": "x://a", "text": "a"}); 21]), "it has 21 parts"),
        ] {
            let error = read(contents).unwrap_err();
            assert!(error.0.contains(why), "{error}");
        }
    }

    #[test]
    fn an_address_is_one_that_can_be_typed() {
        assert!(is_address("demo://resource/static/document/architecture.md"));
        for wrong in ["", "a b", "x://\u{202e}", "x://\n", &"x".repeat(2_001)] {
            assert!(!is_address(wrong), "{wrong:?}");
        }
    }
}
