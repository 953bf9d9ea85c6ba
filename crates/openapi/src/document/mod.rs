//! [`SpecDocument`]: an OpenAPI document, read tolerantly.

mod body;
mod listed;
mod operation;
mod parameter;
mod schema;
mod shrink;

use serde_json::Value;
use toolwright_http::Url;

use crate::filter::Filter;

pub(crate) use self::{
    body::{Body, BodyForm},
    listed::ListedOperation,
    operation::Operation,
    parameter::{Location, Parameter, Style},
};

/// Longer documents are not read. GitHub's own, the largest in wide use, has 14 MB.
pub(crate) const MOST_BYTES: usize = 16 << 20;
/// More operations than this are not read.
const MOST_OPERATIONS: usize = 2_000;
/// How often a reference may lead to another.
const MOST_HOPS: usize = 16;

const METHODS: [&str; 6] = ["get", "head", "put", "post", "patch", "delete"];

/// An OpenAPI document.
pub(crate) struct SpecDocument {
    root: Value,
}

/// An operation that cannot be a tool, and why.
pub(crate) struct Unusable {
    pub(crate) id: String,
    pub(crate) reason: String,
}

impl SpecDocument {
    /// Reads a document in JSON or YAML.
    ///
    /// # Errors
    /// When it is none of version 3: why.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let is_json = text.trim_start().starts_with('{');
        let root: Value = match is_json {
            true => {
                serde_json::from_str(text).map_err(|error| format!("it is no JSON: {error}"))?
            }
            false => serde_saphyr::from_str(text)
                .map_err(|error| format!("it is no YAML: {}", first_line(&error.to_string())))?,
        };
        if root.get("swagger").is_some() {
            return Err(
                "it is of version 2 (Swagger), and only version 3 is read: convert it".to_owned()
            );
        }
        match root.get("openapi").and_then(Value::as_str) {
            Some(version) if version.starts_with("3.") => Ok(Self { root }),
            _ => Err("it does not say `openapi: 3.…`".to_owned()),
        }
    }

    /// Where the document says that the API is, seen from where it is itself.
    pub(crate) fn server(&self, from: Option<&Url>) -> Option<Url> {
        let server = self.root.get("servers").and_then(|it| it.get(0));
        let mut text =
            server.and_then(|it| it.get("url")).and_then(Value::as_str).unwrap_or("/").to_owned();
        let variables = server.and_then(|it| it.get("variables")).and_then(Value::as_object);
        for (name, variable) in variables.into_iter().flatten().take(20) {
            let usual = variable.get("default").and_then(Value::as_str).unwrap_or_default();
            text = text.replace(&format!("{{{name}}}"), usual);
        }
        match from {
            Some(from) => from.join(&text).ok(),
            None => Url::parse(&text).ok(),
        }
    }

    /// Its operations that are admitted, and those of them that cannot be read.
    pub(crate) fn operations(&self, filter: &Filter<'_>) -> (Vec<Operation>, Vec<Unusable>) {
        let (mut found, mut unusable) = (Vec::new(), Vec::new());
        // What nobody wants is not read: documents have thousands of operations.
        let wanted = self.listed().filter(|it| filter.admits(it)).take(MOST_OPERATIONS);
        for listed in wanted {
            match Operation::read(self, &listed) {
                Ok(operation) => found.push(operation),
                Err(reason) => unusable.push(Unusable { id: listed.id, reason }),
            }
        }
        (found, unusable)
    }

    fn listed(&self) -> impl Iterator<Item = ListedOperation<'_>> {
        let paths = self.root.get("paths").and_then(Value::as_object);
        let items = paths.into_iter().flatten().filter_map(|(path, item)| {
            Some((path.as_str(), self.resolve(item).ok()?.as_object()?))
        });
        items.flat_map(|(path, item)| {
            METHODS.into_iter().filter_map(move |method| {
                let operation = item.get(method)?.as_object()?;
                Some(ListedOperation::new(method, path, item, operation))
            })
        })
    }

    /// What a value is, where it refers to another place of the document.
    pub(crate) fn resolve<'a>(&'a self, value: &'a Value) -> Result<&'a Value, String> {
        let mut value = value;
        for _ in 0..MOST_HOPS {
            let Some(to) = value.get("$ref").and_then(Value::as_str) else { return Ok(value) };
            value = self.at(to)?;
        }
        Err("its references lead in a circle".to_owned())
    }

    /// What a reference refers to.
    pub(crate) fn at(&self, reference: &str) -> Result<&Value, String> {
        let Some(pointer) = reference.strip_prefix('#') else {
            return Err("it refers to another document".to_owned());
        };
        let plain = percent_encoding::percent_decode_str(pointer).decode_utf8_lossy();
        self.root.pointer(&plain).ok_or_else(|| "it refers to what is not there".to_owned())
    }
}

fn first_line(text: &str) -> String {
    toolwright_core::truncate_line(text.lines().next().unwrap_or_default(), 200)
}
