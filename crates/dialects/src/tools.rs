//! [`KnownTools`]: the tools on offer, as far as finding calls to them needs to know.

use std::{collections::HashMap, fmt, sync::Arc};

use serde_json::{Map, Value};
use toolwright_core::ToolDefinitions;

use crate::{
    ExtractedCall,
    value::schema::{self, Kinds},
};

/// The tools on offer: which names make a call where no marker does, and which types the values
/// of tag dialects take. Cloning is cheap.
#[derive(Clone, Debug, Default)]
pub struct KnownTools {
    listed: Arc<HashMap<String, Tool>>,
    unlisted: Option<Unlisted>,
}

/// Which calls of other names are calls, too.
#[derive(Clone)]
struct Unlisted(Arc<dyn Fn(&ExtractedCall) -> bool + Send + Sync>);

impl fmt::Debug for Unlisted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Unlisted")
    }
}

/// A tool on offer.
#[derive(Debug)]
pub(crate) struct Tool {
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

impl KnownTools {
    /// Tools by name, each with the JSON Schema of its arguments.
    pub fn new<N: Into<String>>(tools: impl IntoIterator<Item = (N, Value)>) -> Self {
        let tools = tools.into_iter().map(|(name, schema)| (name.into(), Tool::new(schema)));
        Self { listed: Arc::new(tools.collect()), unlisted: None }
    }

    /// The same tools; and what is a call in every way, but for a name that is none of theirs, is one
    /// where `is_call` says so. Else it is text, as it is without this.
    #[must_use]
    pub fn or_unlisted(
        &self,
        is_call: impl Fn(&ExtractedCall) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self { listed: self.listed.clone(), unlisted: Some(Unlisted(Arc::new(is_call))) }
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
        self.listed.contains_key(name)
    }

    /// Whether a call of another name may be one.
    pub(crate) fn may_be_unlisted(&self) -> bool {
        self.unlisted.is_some()
    }

    /// Whether this call of another name is one.
    pub(crate) fn is_unlisted_call(&self, call: &ExtractedCall) -> bool {
        self.unlisted.as_ref().is_some_and(|Unlisted(is_call)| is_call(call))
    }

    /// The JSON Schema of a tool's arguments.
    pub(crate) fn schema(&self, name: &str) -> Option<&Value> {
        self.listed.get(name).map(|tool| &tool.schema)
    }

    /// Which types an argument may take.
    pub(crate) fn kinds(&self, name: &str, key: &str) -> Kinds {
        self.tool(name).map_or_else(Kinds::default, |tool| Self::kinds_in(tool, key))
    }

    /// The tool of this name.
    pub(crate) fn tool(&self, name: &str) -> Option<&Tool> {
        self.listed.get(name)
    }

    /// Which types an argument of this tool may take.
    pub(crate) fn kinds_in(tool: &Tool, key: &str) -> Kinds {
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
        let mut found =
            self.listed.iter().filter(|(_, tool)| fits(&tool.schema)).map(|(name, _)| name);
        found.next().filter(|_| found.next().is_none()).cloned()
    }

    /// The name of a tool's only parameter that takes text.
    pub(crate) fn only_text(&self, name: &str) -> Option<&str> {
        let mut texts = self.listed.get(name)?.kinds.iter().filter(|(_, kinds)| kinds.is_text());
        let (name, _) = texts.next()?;
        texts.next().is_none().then_some(name)
    }
}

impl From<&ToolDefinitions> for KnownTools {
    fn from(definitions: &ToolDefinitions) -> Self {
        Self::new(definitions.specs().iter().map(|it| (&*it.name, it.parameters.clone())))
    }
}
