//! [`signature`]: a tool in one line and a few, a third of the tokens of its JSON Schema.

use serde_json::{Map, Value};
use toolwright_core::ToolSpec;

use super::spaced;
use crate::schema::{self, required};

/// How much of a tool's description is shown.
const DESCRIPTION: usize = 160;
/// How much of a parameter's description is shown.
const EXPLANATION: usize = 90;
/// An `enum` with more values than this is shown as its type.
const VALUES: usize = 14;
/// How deep objects and arrays are shown.
const DEPTH: usize = 4;

/// What makes the description of an optional parameter worth its tokens.
const TELLING: &[&str] = &[
    "enum",
    "const",
    "format",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
];

/// `name(arg: type, opt?: type) - description`, and a line for each parameter that needs one.
pub(super) fn signature(spec: &ToolSpec) -> String {
    let types = Types { root: &spec.parameters };
    let empty = Map::new();
    let parameters = spec.parameters.get("properties").and_then(Value::as_object);
    let parameters = parameters.unwrap_or(&empty);
    let list = types.fields(parameters, &spec.parameters, DEPTH);
    let mut signature = format!("{}({list})", spec.name);
    let line = spec.description.trim().split('\n').next().unwrap_or_default();
    if !line.is_empty() {
        signature.push_str(" - ");
        signature.extend(line.chars().take(DESCRIPTION));
    }
    for (name, schema) in parameters {
        let is_telling = TELLING.iter().any(|key| schema.get(key).is_some());
        let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() && (is_telling || required(&spec.parameters, name)) {
            signature.push_str(&format!("\n  {name}: "));
            signature.extend(text.chars().take(EXPLANATION));
        }
    }
    signature
}

/// Puts schemas into words; `$ref`s lead into `root`.
struct Types<'a> {
    root: &'a Value,
}

impl Types<'_> {
    fn fields(&self, fields: &Map<String, Value>, object: &Value, depth: usize) -> String {
        let field = |(name, schema): (&String, &Value)| {
            let mark = if required(object, name) { "" } else { "?" };
            format!("{name}{mark}: {}", self.of(schema, depth))
        };
        fields.iter().map(field).collect::<Vec<_>>().join(", ")
    }

    fn of(&self, schema: &Value, depth: usize) -> String {
        let schema = schema::resolved(schema, self.root);
        if let Some(value) = schema.get("const") {
            return spaced(value);
        }
        let values = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
        let values: Vec<_> = values.filter(|value| !value.is_null()).map(spaced).collect();
        if (1..=VALUES).contains(&values.len()) {
            return values.join("|");
        }
        if let Some(options) = schema::options(schema) {
            let mut types: Vec<String> = Vec::new();
            for option in options.filter(|option| !schema::is_null(option)) {
                let option = self.of(option, depth);
                if !types.contains(&option) {
                    types.push(option);
                }
            }
            return if types.is_empty() { "any".to_owned() } else { types.join("|") };
        }
        let types = schema::types(schema).into_iter().filter(|name| *name != "null");
        let types: Vec<_> = types.map(|name| self.named(name, schema, depth)).collect();
        if types.is_empty() { "any".to_owned() } else { types.join("|") }
    }

    fn named(&self, name: &str, schema: &Value, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1).filter(|_| matches!(name, "array" | "object"))
        else {
            return name.to_owned();
        };
        if name == "array" {
            let items = schema.get("items");
            let item = items.map_or_else(|| "any".to_owned(), |items| self.of(items, depth));
            return if is_union(&item) { format!("({item})[]") } else { format!("{item}[]") };
        }
        let fields = schema.get("properties").and_then(Value::as_object);
        if let Some(fields) = fields.filter(|fields| !fields.is_empty()) {
            return format!("{{{}}}", self.fields(fields, schema, depth));
        }
        match schema.get("additionalProperties") {
            Some(values @ Value::Object(_)) => format!("{{[key]: {}}}", self.of(values, depth)),
            _ => "object".to_owned(),
        }
    }
}

/// Whether there is a `|` outside of brackets and quotes.
fn is_union(text: &str) -> bool {
    let (mut depth, mut is_quoted) = (0_usize, false);
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' if is_quoted => drop(chars.next()),
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => return true,
            _ => {}
        }
    }
    false
}
