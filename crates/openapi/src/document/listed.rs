//! [`ListedOperation`]: an operation as a document lists it, before anything of it is read.

use serde_json::{Map, Value};

/// An operation as its document lists it: enough to choose it by.
pub(crate) struct ListedOperation<'a> {
    pub(crate) id: String,
    /// In small letters, as documents have it.
    pub(crate) method: &'static str,
    pub(crate) path: &'a str,
    pub(crate) tags: Vec<&'a str>,
    /// What holds for all that can be done at its path.
    pub(super) item: &'a Map<String, Value>,
    pub(super) operation: &'a Map<String, Value>,
}

impl<'a> ListedOperation<'a> {
    pub(super) fn new(
        method: &'static str,
        path: &'a str,
        item: &'a Map<String, Value>,
        operation: &'a Map<String, Value>,
    ) -> Self {
        let tags = operation.get("tags").and_then(Value::as_array).into_iter().flatten();
        let tags = tags.filter_map(Value::as_str).collect();
        Self { id: id(operation, method, path), method, path, tags, item, operation }
    }
}

fn id(operation: &Map<String, Value>, method: &str, path: &str) -> String {
    let own = operation.get("operationId").and_then(Value::as_str).map(str::trim);
    let own = own.filter(|it| !it.is_empty() && it.len() <= 300);
    own.map_or_else(
        || {
            let plain = path.trim_matches('/').replace(['{', '}'], "");
            let plain: String = plain.chars().take(200).collect();
            format!("{method}_{}", plain.replace('/', "_"))
        },
        str::to_owned,
    )
}
