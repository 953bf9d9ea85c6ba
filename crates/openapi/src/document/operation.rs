//! [`Operation`]: one thing an API can do, and what it is asked with.

use http::Method;
use serde_json::{Map, Value, json};
use toolwright_core::{ToolEffect, truncate_line};

use crate::ApiAuth;

use super::{
    Body, ListedOperation, Location, Parameter, SpecDocument, schema::SchemaReader, shrink::shrunk,
};

/// How much of what a document says of an operation a model is told.
const DESCRIPTION: usize = 600;
/// More parameters than this nobody fills in.
const MOST_PARAMETERS: usize = 100;

/// One thing an API can do.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub(crate) id: String,
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) description: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Option<Body>,
    /// JSON Schema of all it takes.
    pub(crate) schema: Value,
}

impl Operation {
    /// Reads an operation.
    ///
    /// # Errors
    /// When it cannot be a tool: why.
    pub(super) fn read(
        document: &SpecDocument,
        listed: &ListedOperation<'_>,
    ) -> Result<Self, String> {
        let &ListedOperation { method, path, item, operation, .. } = listed;
        check_path(path)?;
        let method = Method::from_bytes(method.to_ascii_uppercase().as_bytes())
            .map_err(|_| "its method is none".to_owned())?;
        let mut schemas = SchemaReader::new(document);
        let mut parameters = parameters(document, &mut schemas, item, operation)?;
        let body = match operation.get("requestBody") {
            Some(body) => Body::read(document, &mut schemas, body)?,
            None => None,
        };
        for name in placeholders(path) {
            let is_it = |it: &&Parameter| it.location == Location::Path && it.name == name;
            if !parameters.iter().any(|it| is_it(&it)) {
                return Err(format!("its path has `{{{name}}}`, of which it says nothing"));
            }
        }
        let taken: Vec<_> = body.iter().flat_map(Body::arguments).collect();
        name_arguments(&mut parameters, &taken);
        let mut read = Self {
            id: listed.id.clone(),
            method,
            path: path.to_owned(),
            description: description(operation),
            parameters,
            body,
            schema: Value::Null,
        };
        read.schema = shrunk(read.whole_schema(schemas));
        Ok(read)
    }

    /// What running it does to the world. A method says whether something is changed, and not whether that can be
    /// taken back: a `POST` may send a letter, a `PUT` may replace what somebody else wrote. So whatever changes
    /// something asks first, until the user says otherwise of it.
    pub(crate) fn effect(&self) -> ToolEffect {
        match self.method {
            Method::GET | Method::HEAD => ToolEffect::ReadOnly,
            _ => ToolEffect::Destructive,
        }
    }

    /// The operation without the parameter that a key goes into: no model is asked for that.
    pub(crate) fn without(&mut self, auth: &ApiAuth) {
        let is_key = |it: &Parameter| auth.is(it.location.name(), &it.name);
        for parameter in self.parameters.iter().filter(|it| is_key(it)) {
            if let Some(properties) =
                self.schema.get_mut("properties").and_then(Value::as_object_mut)
            {
                properties.remove(&parameter.argument);
            }
            if let Some(required) = self.schema.get_mut("required").and_then(Value::as_array_mut) {
                required.retain(|it| *it != *parameter.argument);
            }
        }
        self.parameters.retain(|it| !is_key(it));
    }

    fn whole_schema(&self, schemas: SchemaReader<'_>) -> Value {
        let mut properties = Map::new();
        let mut required: Vec<&str> = Vec::new();
        for parameter in &self.parameters {
            properties.insert(parameter.argument.clone(), parameter.schema.clone());
            if parameter.is_required {
                required.push(&parameter.argument);
            }
        }
        if let Some(body) = &self.body {
            properties.extend(body.properties.clone());
            required.extend(body.required.iter().map(String::as_str));
        }
        let mut schema = json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        });
        let definitions = schemas.into_definitions();
        if !definitions.is_empty()
            && let Some(schema) = schema.as_object_mut()
        {
            schema.insert("$defs".to_owned(), Value::Object(definitions));
        }
        schema
    }
}

/// The parameters of the path and of the operation; where both name one, the operation's.
fn parameters(
    document: &SpecDocument,
    schemas: &mut SchemaReader<'_>,
    item: &Map<String, Value>,
    operation: &Map<String, Value>,
) -> Result<Vec<Parameter>, String> {
    let of = |map: &Map<String, Value>| -> Vec<Value> {
        map.get("parameters").and_then(Value::as_array).cloned().unwrap_or_default()
    };
    let mut all: Vec<Parameter> = Vec::new();
    for raw in of(item).iter().chain(&of(operation)) {
        let Some(parameter) = Parameter::read(document, schemas, raw)? else { continue };
        let same = |it: &Parameter| it.location == parameter.location && it.name == parameter.name;
        all.retain(|it| !same(it));
        all.push(parameter);
        if all.len() > MOST_PARAMETERS {
            return Err("it has more parameters than anybody fills in".to_owned());
        }
    }
    Ok(all)
}

/// Gives each parameter the name of an argument: its own, or with where it goes behind it.
fn name_arguments(parameters: &mut [Parameter], of_body: &[&str]) {
    let names: Vec<_> = parameters.iter().map(|it| it.name.clone()).collect();
    for parameter in parameters {
        let times = names.iter().filter(|it| **it == parameter.name).count();
        let is_taken = times > 1 || of_body.contains(&parameter.name.as_str());
        parameter.argument = match is_taken {
            true => format!("{}__{}", parameter.name, parameter.location.name()),
            false => parameter.name.clone(),
        };
    }
}

/// What stands in braces in a path.
pub(crate) fn placeholders(path: &str) -> impl Iterator<Item = &str> {
    path.split('{').skip(1).filter_map(|it| it.split_once('}').map(|(name, _)| name))
}

/// A path may lead nowhere but down.
fn check_path(path: &str) -> Result<(), String> {
    let is_plain = path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains(['?', '#', '\\'])
        && !path.contains(char::is_control)
        && path.matches('{').count() == path.matches('}').count();
    if !is_plain {
        return Err("its path is not one below the address of the API".to_owned());
    }
    if crate::request::has_dot_segment(path) {
        return Err("its path leads out of the API (`..`)".to_owned());
    }
    Ok(())
}

fn description(operation: &Map<String, Value>) -> String {
    let text = |name: &str| operation.get(name).and_then(Value::as_str).map(str::trim);
    let parts = [text("summary"), text("description")].into_iter().flatten();
    let mut parts: Vec<_> = parts.filter(|it| !it.is_empty()).collect();
    parts.dedup();
    let mut told = parts.join(" ");
    if operation.get("deprecated").and_then(Value::as_bool) == Some(true) {
        told.push_str(" (deprecated)");
    }
    truncate_line(&told, DESCRIPTION)
}
