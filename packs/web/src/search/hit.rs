//! [`Hit`]: a result of a search, in one form for every engine.

use serde::Serialize;
use serde_json::Value;
use toolwright_core::truncate_line;
use toolwright_http::Url;

use crate::search::EngineKind;

/// How much of a title and of a snippet is told.
const TITLE: usize = 200;
const SNIPPET: usize = 600;
const LONGEST_ADDRESS: usize = 2_000;

/// A page that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Hit {
    title: String,
    url: String,
    snippet: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    /// Who found it.
    source: String,
}

impl Hit {
    /// What an engine says of a page; none where it names no page.
    pub(super) fn new(kind: EngineKind, said: &Value) -> Option<Self> {
        let text = |names: &[&str]| names.iter().find_map(|it| words(said.get(it)?));
        let url = said.get("url").and_then(Value::as_str)?;
        let is_address = Url::parse(url).is_ok_and(|it| matches!(it.scheme(), "http" | "https"));
        if !is_address || url.len() > LONGEST_ADDRESS || url.contains(char::is_whitespace) {
            return None;
        }
        let source = match kind {
            EngineKind::Searxng => text(&["engine"]).map(|it| format!("SearXNG, {it}")),
            _ => None,
        };
        Some(Self {
            title: told(&text(&["title"]).unwrap_or_default(), TITLE),
            url: url.to_owned(),
            snippet: told(&text(kind.snippets()).unwrap_or_default(), SNIPPET),
            date: text(&["publishedDate", "published_date", "page_age", "age"])
                .map(|it| told(&it, 40)),
            source: told(&source.unwrap_or_else(|| kind.title().to_owned()), 60),
        })
    }
}

/// A text, or the texts of a list one behind the other.
fn words(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            items.iter().filter_map(Value::as_str).take(5).collect::<Vec<_>>().join(" … ")
        }
        _ => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

/// Text without the marks of HTML that engines put around the words they found.
fn told(text: &str, most: usize) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        plain.push_str(before);
        let is_tag = tag.starts_with(|it: char| it.is_ascii_alphabetic() || it == '/');
        match tag.split_once('>').filter(|(inside, _)| is_tag && inside.len() < 200) {
            Some((_, behind)) => rest = behind,
            None => {
                plain.push('<');
                rest = tag;
            }
        }
    }
    plain.push_str(rest);
    for (entity, c) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ] {
        plain = plain.replace(entity, c);
    }
    let plain = crate::read::tidy(&plain);
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    truncate_line(&plain, most)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_engines_say_is_brought_into_one_form() {
        let said = json!({
            "title": "A <strong>title</strong> &amp; more\u{200b}", "url": "https://a.example/x?y=1&z",
            "description": "1 < 2 and <b>so</b>\non", "age": "2 days ago",
        });
        let hit = Hit::new(EngineKind::Brave, &said).unwrap();
        assert_eq!(
            serde_json::to_value(&hit).unwrap(),
            json!({
                "title": "A title & more", "url": "https://a.example/x?y=1&z",
                "snippet": "1 < 2 and so on", "date": "2 days ago", "source": "Brave",
            })
        );
        for url in ["javascript:alert(1)", "ftp://a.example/", "nothing", "https://a.example/ x"] {
            assert_eq!(Hit::new(EngineKind::Brave, &json!({"title": "x", "url": url})), None);
        }
        let long = "x".repeat(10_000);
        let hit = Hit::new(
            EngineKind::Exa,
            &json!({"url": "https://a.example", "title": long,
            "highlights": [long, 3], "publishedDate": null}),
        )
        .unwrap();
        assert!(
            hit.title.chars().count() <= TITLE + 1 && hit.snippet.chars().count() <= SNIPPET + 1
        );
        assert_eq!(hit.date, None);
    }
}
