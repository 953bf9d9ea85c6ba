//! [`Tools`]: the tools on offer, as far as finding calls to them needs to know.

use std::{collections::HashMap, sync::Arc};

use serde_json::{Map, Value};
use toolwright_core::Definitions;

use crate::value::schema::{self, Kinds};

/// The tools on offer: which names make a call where no marker does, and which types the values
/// of tag dialects take. Cloning is cheap.
#[derive(Clone, Debug, Default)]
pub struct Tools(Arc<HashMap<String, Tool>>);

#[derive(Debug)]
struct Tool {
    /// The JSON Schema of its arguments.
    schema: Value,
    /// The types its arguments take.
    kinds: HashMap<String, Kinds>,
}

impl Tool {
    fn new(schema: Value) -> Self {
        let names = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let kinds = names.map(|(name, it)| (name.clone(), Kinds::of(it, &schema))).collect();
        Self { schema, kinds }
    }
}

impl Tools {
    /// Tools by name, each with the JSON Schema of its arguments.
    pub fn new<N: Into<String>>(tools: impl IntoIterator<Item = (N, Value)>) -> Self {
        let tools = tools.into_iter().map(|(name, schema)| (name.into(), Tool::new(schema)));
        Self(Arc::new(tools.collect()))
    }

    /// Tools from a list in OpenAI's form; entries that name no function are left out.
    pub fn from_openai(list: &Value) -> Self {
        let functions = list.as_array().into_iter().flatten();
        Self::new(functions.filter_map(|it| {
            let function = it.get("function").unwrap_or(it);
            let name = function.get("name")?.as_str()?;
            Some((name, function.get("parameters").cloned().unwrap_or_default()))
        }))
    }

    /// Whether a tool has exactly this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The JSON Schema of a tool's arguments.
    pub(crate) fn schema(&self, name: &str) -> Option<&Value> {
        self.0.get(name).map(|tool| &tool.schema)
    }

    /// Which types an argument may take.
    pub(crate) fn kinds(&self, name: &str, key: &str) -> Kinds {
        let Some(tool) = self.0.get(name) else { return Kinds::default() };
        tool.kinds.get(key).copied().unwrap_or_else(|| {
            // Not among its own properties, but perhaps in what it refers to.
            let property = schema::property(&tool.schema, key, &tool.schema);
            property.map_or_else(Kinds::default, |it| Kinds::of(it, &tool.schema))
        })
    }

    /// The one tool that takes these arguments.
    pub(crate) fn fitting(&self, arguments: &str) -> Option<String> {
        let arguments: Map<String, Value> = serde_json::from_str(arguments).ok()?;
        let fits = |schema: &Value| {
            let declared = schema.get("properties").and_then(Value::as_object);
            let declared = |key: &str| declared.is_some_and(|it| it.contains_key(key));
            let mut required =
                schema.get("required").and_then(Value::as_array).into_iter().flatten();
            arguments.keys().all(|key| declared(key))
                && required.all(|it| it.as_str().is_some_and(|key| arguments.contains_key(key)))
        };
        let mut found = self.0.iter().filter(|(_, tool)| fits(&tool.schema)).map(|(name, _)| name);
        found.next().filter(|_| found.next().is_none()).cloned()
    }

    /// The name of a tool's only parameter that takes text.
    pub(crate) fn only_text(&self, name: &str) -> Option<&str> {
        let mut texts = self.0.get(name)?.kinds.iter().filter(|(_, kinds)| kinds.is_text());
        let (name, _) = texts.next()?;
        texts.next().is_none().then_some(name)
    }
}

impl From<&Definitions> for Tools {
    fn from(definitions: &Definitions) -> Self {
        Self::new(definitions.specs().iter().map(|it| (&*it.name, it.parameters.clone())))
    }
}
