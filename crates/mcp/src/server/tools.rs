//! [`listed`]: the tools as clients are told of them, a page at a time.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use rmcp::{
    ErrorData,
    model::{CacheScope, JsonObject, ListToolsResult, Tool, ToolAnnotations},
};
use serde_json::{Value, json};
use toolwright_core::{ToolEffect, ToolSpec};
use toolwright_runtime::{Toolbox, ValueSchema};

/// How many tools stand on a page.
const PAGE: usize = 200;

/// A page of the tools, in the toolbox's own order, which is the same each time. `fresh` is for how long, in
/// milliseconds, it may be taken for what there is, where the client's protocol has a word for that.
pub(super) fn listed(
    toolbox: &Toolbox,
    fresh: Option<u64>,
    cursor: Option<&str>,
) -> Result<ListToolsResult, ErrorData> {
    let wrong = || ErrorData::invalid_params("the cursor is none that this server gave", None);
    let start: usize = cursor.map_or(Ok(0), |it| it.parse().map_err(|_| wrong()))?;
    let specs = toolbox.definitions().specs();
    if start > 0 && (!start.is_multiple_of(PAGE) || start >= specs.len()) {
        return Err(wrong());
    }
    let page = specs.iter().skip(start).take(PAGE).map(|spec| described(spec)).collect();
    let end = start + PAGE;
    let mut result = ListToolsResult::with_all_items(page);
    if let Some(fresh) = fresh {
        result = result.with_ttl_ms(fresh).with_cache_scope(CacheScope::Private);
    }
    result.next_cursor = (end < specs.len()).then(|| end.to_string());
    Ok(result)
}

pub(super) fn described(spec: &ToolSpec) -> Tool {
    let schema = schema(&spec.parameters);
    let tool = Tool::new(spec.name.clone(), spec.description.clone(), schema)
        .with_annotations(annotations(spec.effect));
    match spec.returns.as_ref().and_then(Value::as_object) {
        Some(returned) => tool.with_raw_output_schema(Arc::new(returned.clone())),
        None => tool,
    }
}

/// What tools declare that they return, ready to hold results against. Each is made ready once.
#[derive(Default)]
pub(super) struct ReturnedSchemas(Mutex<HashMap<String, (Value, Arc<ValueSchema>)>>);

impl ReturnedSchemas {
    /// What the tool of this name declares.
    pub(super) fn of(&self, toolbox: &Toolbox, name: &str) -> Option<Arc<ValueSchema>> {
        let spec = toolbox.definitions().specs().iter().find(|spec| spec.name == name)?;
        let declared = spec.returns.as_ref()?;
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((schema, ready)) = known.get(name)
            && schema == declared
        {
            return Some(ready.clone());
        }
        let ready = Arc::new(ValueSchema::new(declared.clone()));
        known.insert(name.to_owned(), (declared.clone(), ready.clone()));
        Some(ready)
    }
}

/// Hints: what decides is the effect itself, here.
fn annotations(effect: ToolEffect) -> ToolAnnotations {
    let told = ToolAnnotations::new().read_only(effect.is_read_only());
    match effect {
        ToolEffect::ReadOnly => told,
        ToolEffect::Idempotent => told.destructive(false).idempotent(true),
        ToolEffect::Write => told.destructive(false).idempotent(false),
        ToolEffect::Destructive => told.destructive(true).idempotent(false),
    }
}

/// The schema of the arguments, which says that they are an object.
fn schema(parameters: &Value) -> Arc<JsonObject> {
    let mut schema = parameters.as_object().cloned().unwrap_or_default();
    schema.entry("type").or_insert_with(|| json!("object"));
    Arc::new(schema)
}

#[cfg(test)]
mod tests {
    use toolwright_core::{FnTool, Output};
    use toolwright_runtime::SelectionConfig;

    use super::*;

    fn toolbox(count: usize) -> Arc<Toolbox> {
        let tools = (0..count).map(|number| {
            let spec = ToolSpec::new(format!("t{number:03}"), "Does.", json!({}));
            let body = |_, _| -> futures_core::future::BoxFuture<'static, _> {
                Box::pin(async { Ok(Output::Text(String::new())) })
            };
            Arc::new(FnTool::new(spec, body)) as Arc<dyn toolwright_core::Tool>
        });
        let all = SelectionConfig { above: usize::MAX, offer: usize::MAX };
        Arc::new(Toolbox::builder().selection(all).tools(tools).build().unwrap())
    }

    #[test]
    fn very_many_tools_come_in_pages_and_each_once() {
        let toolbox = toolbox(450);
        let (mut names, mut cursor, mut pages) = (Vec::new(), None, 0);
        loop {
            let page = listed(&toolbox, None, cursor.as_deref()).unwrap();
            assert!(page.tools.len() <= PAGE);
            names.extend(page.tools.iter().map(|it| it.name.to_string()));
            pages += 1;
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        let all: Vec<_> = (0..450).map(|number| format!("t{number:03}")).collect();
        assert_eq!((names, pages), (all, 3));
    }

    #[test]
    fn a_cursor_of_somebody_elses_is_refused() {
        let toolbox = toolbox(3);
        for cursor in ["x", "-1", "7", "200", "99999999999999999999", ""] {
            assert!(listed(&toolbox, None, Some(cursor)).is_err(), "{cursor}");
        }
    }

    #[test]
    fn effects_are_told_as_hints_and_arguments_as_an_object() {
        let spec = |effect| ToolSpec::new("t", "Does.", json!({})).effect(effect);
        let told = |effect| serde_json::to_value(described(&spec(effect))).unwrap();
        let read = told(ToolEffect::ReadOnly);
        assert_eq!(read["annotations"], json!({"readOnlyHint": true}));
        assert_eq!(read["inputSchema"], json!({"type": "object"}));
        let hints = |effect| {
            let told = told(effect);
            let hint = |name: &str| told["annotations"][name].as_bool().unwrap();
            (hint("readOnlyHint"), hint("destructiveHint"), hint("idempotentHint"))
        };
        assert_eq!(hints(ToolEffect::Idempotent), (false, false, true));
        assert_eq!(hints(ToolEffect::Write), (false, false, false));
        assert_eq!(hints(ToolEffect::Destructive), (false, true, false));
    }
}
