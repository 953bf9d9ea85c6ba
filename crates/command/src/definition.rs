//! [`CommandDefinition`]: a program as a tool, as a person writes it.

use std::{collections::BTreeMap, path::PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolwright_core::ToolEffect;

/// A program as a tool, as a person writes it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandDefinition {
    /// What it does, for the model.
    pub description: String,
    /// The program and its arguments. `{name}` stands for a parameter.
    pub command: Vec<String>,
    /// Its parameters, shortly: `"string, the file"`, `"integer?, how many"`, or a schema.
    #[serde(default)]
    pub args: BTreeMap<String, Value>,
    /// Its parameters, as a JSON Schema of an object.
    pub parameters: Option<Value>,
    /// What it reads: `none`, `json` for all arguments, or `{name}` for one of them.
    pub stdin: Option<String>,
    /// What running it does to the world.
    pub effect: Option<ToolEffect>,
    /// What it writes.
    #[serde(default)]
    pub output: OutputForm,
    /// The exit codes that mean success.
    pub ok_exit: Option<Vec<i32>>,
    /// How long it may take.
    pub timeout: Option<String>,
    /// How many bytes of what it writes are kept.
    pub max_output: Option<usize>,
    /// Variables of this process's environment that it gets.
    #[serde(default)]
    pub env: Vec<String>,
    /// Where it begins.
    pub cwd: Option<PathBuf>,
    /// What it sees and may do.
    #[serde(default)]
    pub sandbox: SandboxChoice,
    /// Parameters whose values must have come from an earlier result, the user or the configuration.
    #[serde(default)]
    pub grounded: Vec<String>,
    /// Parameters whose values are carried out.
    #[serde(default)]
    pub executable: Vec<String>,
    /// Parameters that hold free text.
    #[serde(default)]
    pub free_text: Vec<String>,
    /// Tools that must have answered before.
    #[serde(default)]
    pub after: Vec<String>,
    /// Things people say when they want it.
    #[serde(default)]
    pub examples: Vec<String>,
}

/// What a program writes to its standard output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputForm {
    /// Text.
    #[default]
    Text,
    /// One JSON value.
    Json,
    /// The result of a tool as the Model Context Protocol has it.
    Mcp,
}

/// Whether a program runs in a sandbox.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum SandboxChoice {
    /// Whether it does at all.
    Switch(bool),
    /// It does, and may do this.
    Options(SandboxOptions),
}

impl Default for SandboxChoice {
    fn default() -> Self {
        Self::Switch(true)
    }
}

/// What a program sees and may do in its sandbox.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SandboxOptions {
    /// Whether it has this machine's network.
    pub network: bool,
    /// What it may read; where nothing is named, the folder one stands in.
    pub read: Option<Vec<PathBuf>>,
    /// What it may change.
    pub write: Vec<PathBuf>,
    /// How many MiB of memory it may use.
    pub memory_mb: Option<u64>,
    /// How many processes it may have.
    pub processes: Option<u32>,
}

impl CommandDefinition {
    /// The schema of its arguments.
    ///
    /// # Errors
    /// When its parameters are described twice, or not understandably.
    pub fn schema(&self) -> Result<Value, String> {
        match &self.parameters {
            Some(_) if !self.args.is_empty() => {
                Err("`args` and `parameters` both describe the parameters: keep one".to_owned())
            }
            Some(Value::Object(schema)) => {
                let mut schema = schema.clone();
                let kind = schema.entry("type").or_insert_with(|| "object".into());
                if kind != "object" {
                    return Err("`parameters` has to be the schema of an object".to_owned());
                }
                schema.entry("properties").or_insert_with(|| json!({}));
                schema.entry("additionalProperties").or_insert(Value::Bool(false));
                Ok(Value::Object(schema))
            }
            Some(_) => Err("`parameters` has to be a JSON Schema of an object".to_owned()),
            None => self.short_schema(),
        }
    }

    fn short_schema(&self) -> Result<Value, String> {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for (name, said) in &self.args {
            let (schema, is_optional) = match said {
                Value::String(short) => shortly(short).ok_or_else(|| {
                    format!(
                        "`args.{name}` says {short:?}: write a type (string, integer, number, boolean, \
                         strings), `?` behind it where it is optional, a comma, and what it is"
                    )
                })?,
                Value::Object(schema) => (said.clone(), schema.contains_key("default")),
                _ => return Err(format!("`args.{name}` is neither a text nor a schema")),
            };
            properties.insert(name.clone(), schema);
            if !is_optional {
                required.push(Value::from(name.as_str()));
            }
        }
        Ok(json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        }))
    }
}

/// `integer?, how many` as a schema, and whether it is optional.
fn shortly(text: &str) -> Option<(Value, bool)> {
    let (kind, about) = match text.split_once(',') {
        Some((kind, about)) => (kind.trim(), about.trim()),
        None => (text.trim(), ""),
    };
    let (kind, is_optional) = match kind.strip_suffix('?') {
        Some(kind) => (kind, true),
        None => (kind, false),
    };
    let mut schema = match kind {
        "string" | "integer" | "number" | "boolean" => json!({"type": kind}),
        "strings" => json!({"type": "array", "items": {"type": "string"}}),
        _ => return None,
    };
    if let Some(schema) = schema.as_object_mut().filter(|_| !about.is_empty()) {
        schema.insert("description".to_owned(), about.into());
    }
    Some((schema, is_optional))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(value: Value) -> CommandDefinition {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn short_forms_are_schemas() {
        let args = json!({
            "path": "string, the file, or folder",
            "n": "integer?",
            "tags": "strings, words",
            "level": {"type": "integer", "default": 1},
        });
        let made = definition(json!({"description": "x", "command": ["x"], "args": args}));
        let schema = made.schema().unwrap();
        assert_eq!(schema["properties"]["path"]["description"], "the file, or folder");
        assert_eq!(schema["properties"]["tags"]["items"]["type"], "string");
        assert_eq!(schema["required"], json!(["path", "tags"]));
        assert_eq!(schema["additionalProperties"], false);
    }

    #[test]
    fn what_is_no_schema_is_told() {
        for (field, value) in [
            ("args", json!({"path": "file"})),
            ("args", json!({"path": 1})),
            ("parameters", json!({"type": "string"})),
            ("parameters", json!("string")),
        ] {
            let made = definition(json!({"description": "x", "command": ["x"], field: value}));
            assert!(made.schema().is_err(), "{field} {value}");
        }
    }
}
