//! [`Body`]: what is sent with a request.

use serde_json::{Map, Value, json};

use super::{SpecDocument, schema::SchemaReader};

/// The argument of a body that is not taken apart.
const WHOLE: &str = "body";

/// How a body is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyForm {
    Json,
    /// `a=1&b=2`.
    Form,
    Text,
}

/// What is sent with a request.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) form: BodyForm,
    pub(crate) media: String,
    /// Whether the arguments are its fields; otherwise one argument is all of it.
    pub(crate) is_flat: bool,
    /// The schema of each argument.
    pub(crate) properties: Map<String, Value>,
    pub(crate) required: Vec<String>,
}

impl Body {
    /// Reads what an operation says of its body; none where it may be left out and cannot be written here.
    pub(super) fn read(
        document: &SpecDocument,
        schemas: &mut SchemaReader<'_>,
        raw: &Value,
    ) -> Result<Option<Self>, String> {
        let raw = document.resolve(raw)?;
        let is_required = raw.get("required").and_then(Value::as_bool).unwrap_or_default();
        let content = raw.get("content").and_then(Value::as_object);
        let content: Vec<_> = content.into_iter().flatten().collect();
        let chosen =
            [BodyForm::Json, BodyForm::Form, BodyForm::Text].into_iter().find_map(|form| {
                let found = content.iter().find(|(media, _)| form_of(media) == Some(form))?;
                Some((form, found.0, found.1))
            });
        let Some((form, media, described)) = chosen else {
            let media = content.first().map_or("nothing", |it| it.0.as_str());
            return match is_required {
                true => Err(format!("its body is `{}`, which is not written here", short(media))),
                false => Ok(None),
            };
        };
        let raw = described.get("schema").unwrap_or(&Value::Null);
        let fields = document.resolve(raw)?;
        let media = if media.contains('*') { "application/json" } else { media };
        let mut body = Self {
            form,
            media: media.to_owned(),
            is_flat: form != BodyForm::Text && is_flat(fields),
            properties: Map::new(),
            required: Vec::new(),
        };
        if body.is_flat {
            // The fields are looked at one by one, so that what refers to the whole is not needed.
            if let Value::Object(mut read) = schemas.read(fields)? {
                if let Some(Value::Object(properties)) = read.remove("properties") {
                    body.properties = properties;
                }
                let names = read.remove("required");
                let names = names.as_ref().and_then(Value::as_array).into_iter().flatten();
                let names = names.filter(|_| is_required).filter_map(Value::as_str);
                let names = names.filter(|it| body.properties.contains_key(*it));
                body.required = names.map(str::to_owned).collect();
            }
        } else {
            let schema = match form {
                BodyForm::Text => json!({"type": "string"}),
                _ if raw.is_null() => json!({}),
                _ => schemas.read(raw)?,
            };
            body.properties.insert(WHOLE.to_owned(), schema);
            body.required.extend(is_required.then(|| WHOLE.to_owned()));
        }
        Ok(Some(body))
    }

    /// The names of its arguments.
    pub(super) fn arguments(&self) -> impl Iterator<Item = &str> {
        self.properties.keys().map(String::as_str)
    }
}

/// Whether a schema is one of an object with fields and nothing else.
fn is_flat(schema: &Value) -> bool {
    let has = |name: &str| schema.get(name).is_some();
    let is_open = schema.get("additionalProperties").is_some_and(|it| !it.is_boolean());
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.is_some_and(|it| !it.is_empty() && it.len() <= 60)
        && !["allOf", "oneOf", "anyOf", "not", "if"].iter().any(|it| has(it))
        && !is_open
        && schema.get("nullable") != Some(&Value::Bool(true))
}

fn form_of(media: &str) -> Option<BodyForm> {
    let essence = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match essence.as_str() {
        "application/json" | "*/*" | "application/*" => Some(BodyForm::Json),
        "application/x-www-form-urlencoded" => Some(BodyForm::Form),
        it if it.ends_with("+json") => Some(BodyForm::Json),
        it if it.starts_with("text/") => Some(BodyForm::Text),
        _ => None,
    }
}

fn short(media: &str) -> String {
    toolwright_core::truncate_line(media, 60)
}
