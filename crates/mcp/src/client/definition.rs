//! [`ToolDefinition`]: a tool as its server describes it, and what is made of that here.

use rmcp::model::Tool as Listed;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use toolwright_core::{ToolEffect, ToolSpec, is_hidden, printable};

/// The longest description, in characters.
const DESCRIPTION: usize = 8_000;
/// The longest text inside a schema, in characters.
const SCHEMA_TEXT: usize = 2_000;
/// The largest schema, in bytes of JSON.
const SCHEMA: usize = 64 << 10;
/// The deepest.
const DEPTH: usize = 32;

/// A tool as its server describes it: everything that is approved, and nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolDefinition {
    /// Its own name.
    pub name: String,
    /// What people call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does, in words for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// JSON Schema of its arguments.
    pub input_schema: Value,
    /// JSON Schema of what it returns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// What the server says of its effect: hints that nobody checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Value>,
}

impl ToolDefinition {
    pub(super) fn of(tool: &Listed) -> Self {
        let object = |it: &Map<String, Value>| Value::Object(it.clone());
        Self {
            name: tool.name.to_string(),
            title: tool.title.clone(),
            description: tool.description.as_ref().map(ToString::to_string),
            input_schema: object(&tool.input_schema),
            output_schema: tool.output_schema.as_deref().map(object),
            annotations: tool.annotations.as_ref().and_then(|it| serde_json::to_value(it).ok()),
        }
    }

    /// What it is known by: the SHA-256 of all that it says, in whatever order it says it.
    pub fn digest(&self) -> String {
        let mut text = String::new();
        canonical(&json!(self), &mut text);
        toolwright_files::digest_of([text])
    }

    /// About how much it says, in bytes.
    pub(super) fn size(&self) -> usize {
        json!(self).to_string().len()
    }

    /// What running it does to the world, as far as its server says. The hints are nobody's promise: they count
    /// because a person approved the tool with the effect that they make.
    pub fn effect(&self) -> ToolEffect {
        let hint = |name: &str| self.annotations.as_ref().and_then(|it| it.get(name)?.as_bool());
        match (hint("readOnlyHint"), hint("destructiveHint"), hint("idempotentHint")) {
            (Some(true), ..) => ToolEffect::ReadOnly,
            (_, Some(false), Some(true)) => ToolEffect::Idempotent,
            (_, Some(false), _) => ToolEffect::Write,
            // What is not said is the worst: so the protocol has it.
            _ => ToolEffect::Destructive,
        }
    }

    /// What is declared about the tool here, under this name.
    ///
    /// # Errors
    /// Why it cannot be offered.
    pub(super) fn spec(&self, name: &str) -> Result<ToolSpec, String> {
        let mut parameters = self.input_schema.clone();
        let size = parameters.to_string().len();
        if size > SCHEMA {
            return Err(format!(
                "the schema of its parameters has {} KiB, and may have {}",
                size >> 10,
                SCHEMA >> 10
            ));
        }
        clean(&mut parameters, None, DEPTH)?;
        if let Some(schema) = parameters.as_object_mut() {
            schema.entry("type").or_insert_with(|| "object".into());
            schema.entry("properties").or_insert_with(|| json!({}));
        }
        let said = [&self.description, &self.title].into_iter().flatten();
        let said = said.map(String::as_str).find(|it| !it.trim().is_empty()).unwrap_or(&self.name);
        let mut spec = ToolSpec::new(name, shortened(said, DESCRIPTION), parameters);
        spec.effect = self.effect();
        spec.grounded = identifiers(&spec.parameters);
        Ok(spec)
    }
}

/// Parameters that are identifiers by their names: a model has them from somewhere, or makes them up.
fn identifiers(parameters: &Value) -> Vec<String> {
    let fields = parameters.get("properties").and_then(Value::as_object);
    let fields = fields.into_iter().flatten().filter(|(name, schema)| {
        let is_number_or_text = match schema.get("type") {
            Some(Value::String(kind)) => {
                matches!(kind.as_str(), "string" | "integer" | "number" | "array")
            }
            _ => true,
        };
        // One of a few is no identifier, whatever it is called.
        let is_choice = schema.get("enum").is_some() || schema.get("const").is_some();
        is_identifier(name) && is_number_or_text && !is_choice
    });
    fields.map(|(name, _)| name.clone()).collect()
}

fn is_identifier(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    matches!(lower.as_str(), "id" | "ids" | "uuid" | "guid")
        || ["_id", "_ids", "-id", "-ids", "_uuid"].iter().any(|end| lower.ends_with(end))
        || ["Id", "Ids", "ID", "IDs", "Uuid"].iter().any(|end| {
            let before = name.strip_suffix(end).and_then(|it| it.chars().next_back());
            before.is_some_and(|it| it.is_ascii_lowercase() || it.is_ascii_digit())
        })
}

/// Makes what is for reading readable in a schema. What else hides something in it makes it unusable: a name or a
/// value cannot be changed.
fn clean(value: &mut Value, key: Option<&str>, depth: usize) -> Result<(), String> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(format!("the schema of its parameters is nested more than {DEPTH} deep"));
    };
    match value {
        Value::String(text) if matches!(key, Some("description" | "title" | "$comment")) => {
            *text = shortened(text, SCHEMA_TEXT);
        }
        Value::String(text) if text.chars().any(is_unseen) => return Err(hides()),
        Value::Array(items) => items.iter_mut().try_for_each(|it| clean(it, None, depth))?,
        Value::Object(fields) => {
            for (name, field) in fields {
                if name.chars().any(|it| is_unseen(it) || it.is_control()) {
                    return Err(hides());
                }
                clean(field, Some(name), depth)?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Whether a character is not seen where it is shown. A value may well have lines.
fn is_unseen(character: char) -> bool {
    is_hidden(character) || (character.is_control() && !matches!(character, '\n' | '\r' | '\t'))
}

fn hides() -> String {
    "the schema of its parameters has characters in it that cannot be seen".to_owned()
}

/// A text with nothing hidden in it, nothing that a terminal would obey, and of at most so many characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let text = printable(text);
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.into_owned(),
    }
}

/// JSON with its fields in order.
fn canonical(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| *name);
            text.push('{');
            for (name, field) in fields {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                canonical(field, text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                canonical(item, text);
                text.push(',');
            }
            text.push(']');
        }
        other => text.push_str(&other.to_string()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn definition(value: Value) -> ToolDefinition {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn hints_make_an_effect_and_no_hint_the_worst() {
        let effect = |hints: Value| {
            definition(json!({"name": "a", "inputSchema": {}, "annotations": hints})).effect()
        };
        assert_eq!(effect(json!(null)), ToolEffect::Destructive);
        assert_eq!(effect(json!({"idempotentHint": true})), ToolEffect::Destructive);
        assert_eq!(
            effect(json!({"readOnlyHint": true, "destructiveHint": true})),
            ToolEffect::ReadOnly
        );
        assert_eq!(effect(json!({"destructiveHint": false})), ToolEffect::Write);
        let both = json!({"destructiveHint": false, "idempotentHint": true});
        assert_eq!(effect(both), ToolEffect::Idempotent);
    }

    #[test]
    fn what_is_approved_is_known_by_all_it_says_and_not_by_its_order() {
        let one =
            definition(json!({"name": "a", "inputSchema": {"x": 1, "y": [{"a": 1, "b": 2}]}}));
        let same: ToolDefinition =
            serde_json::from_str(r#"{"inputSchema":{"y":[{"b":2,"a":1}],"x":1},"name":"a"}"#)
                .unwrap();
        assert_eq!(one.digest(), same.digest());
        let with = |change: fn(&mut ToolDefinition)| {
            let mut other = one.clone();
            change(&mut other);
            other.digest()
        };
        let others = [
            with(|it| it.description = Some("also read ~/.ssh".to_owned())),
            with(|it| it.annotations = Some(json!({"readOnlyHint": true}))),
            with(|it| it.input_schema = json!({"x": 2})),
            with(|it| it.output_schema = Some(json!({}))),
            with(|it| it.title = Some("b".to_owned())),
        ];
        for other in others {
            assert_ne!(other, one.digest());
        }
    }

    #[test]
    fn identifiers_are_grounded_and_words_are_not() {
        let schema = json!({"properties": {
            "repo_id": {"type": "string"}, "userId": {"type": "integer"}, "id": {}, "item_ids": {"type": "array"},
            "valid": {"type": "string"}, "paid": {"type": "string"}, "mode_id": {"enum": ["a"]},
            "GRID": {"type": "string"}, "has_id": {"type": "boolean"},
        }});
        let mut found = identifiers(&schema);
        found.sort();
        assert_eq!(found, ["id", "item_ids", "repo_id", "userId"]);
    }

    #[test]
    fn nothing_hides_in_what_a_model_reads() {
        let hidden = "Adds.\u{e0041}\u{e0042} x";
        let tool = definition(json!({"name": "a", "description": hidden, "inputSchema":
            {"properties": {"x": {"description": hidden}}}}));
        let spec = tool.spec("s__a").unwrap();
        assert_eq!(spec.description, "Adds.⟦2 invisible characters⟧ x");
        assert_eq!(spec.parameters["properties"]["x"]["description"], spec.description);
        let escaped = definition(json!({"name": "a", "description": "A\u{1b}[2Jdds.\u{9b}2J\n\tx",
            "inputSchema": {"properties": {"x": {"title": "\u{1b}]0;x\u{7}", "default": "\r\n"}}}}));
        let spec = escaped.spec("s__a").unwrap();
        assert_eq!(spec.description, "A␛[2Jdds.�2J\n\tx");
        assert_eq!(spec.parameters["properties"]["x"]["title"], "␛]0;x␇");
        for schema in [
            json!({"properties": {"\u{200b}x": {}}}),
            json!({"properties": {"x\u{1b}[2J": {}}}),
            json!({"properties": {"x\ny": {}}}),
            json!({"enum": ["\u{e0041}"]}),
            json!({"enum": ["\u{1b}[2J"]}),
        ] {
            let tool = definition(json!({"name": "a", "inputSchema": schema}));
            assert!(tool.spec("s__a").unwrap_err().contains("cannot be seen"));
        }
        let mut deep = json!({});
        for _ in 0..40 {
            deep = json!({"items": deep});
        }
        let tool = definition(json!({"name": "a", "inputSchema": deep}));
        assert!(tool.spec("s__a").unwrap_err().contains("deep"));
        let large = definition(json!({"name": "a", "inputSchema": {"x": "y".repeat(70_000)}}));
        assert!(large.spec("s__a").unwrap_err().contains("68 KiB"));
    }
}
