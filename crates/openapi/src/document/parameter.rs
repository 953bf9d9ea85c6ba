//! [`Parameter`]: something that goes into the path, the query or a header.

use http::HeaderName;
use serde_json::{Value, json};
use toolwright_core::truncate_line;

use super::{SpecDocument, schema::SchemaReader};

const DESCRIPTION: usize = 300;

/// Where a parameter goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    Path,
    Query,
    Header,
}

impl Location {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
        }
    }
}

/// How a list or an object is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// `a,b`, in a path or a header.
    Simple,
    /// `.a.b`, in a path.
    Label,
    /// `;x=a;x=b`, in a path.
    Matrix,
    /// `x=a&x=b`.
    Form,
    /// `x=a%20b`.
    Space,
    /// `x=a|b`.
    Pipe,
    /// `x[a]=b`.
    Deep,
    /// As JSON.
    Json,
}

/// Something that goes into the path, the query or a header.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    /// What the API calls it.
    pub(crate) name: String,
    /// What a model calls it.
    pub(crate) argument: String,
    pub(crate) location: Location,
    pub(crate) is_required: bool,
    pub(crate) style: Style,
    pub(crate) explode: bool,
    pub(crate) schema: Value,
}

impl Parameter {
    /// Reads one; none where a model has nothing to say of it.
    pub(super) fn read(
        document: &SpecDocument,
        schemas: &mut SchemaReader<'_>,
        raw: &Value,
    ) -> Result<Option<Self>, String> {
        let raw = document.resolve(raw)?;
        let text = |name: &str| raw.get(name).and_then(Value::as_str);
        let (Some(name), Some(place)) = (text("name"), text("in")) else {
            return Err("it has a parameter without a name or a place".to_owned());
        };
        let is_required = raw.get("required").and_then(Value::as_bool).unwrap_or_default();
        let location = match place {
            "path" => Location::Path,
            "query" => Location::Query,
            "header" if is_reserved(name) => return Ok(None),
            "header" => Location::Header,
            "cookie" if is_required => return Err(format!("it wants a cookie, `{name}`")),
            "cookie" => return Ok(None),
            _ => return Err(format!("its parameter `{name}` goes where none goes")),
        };
        if location == Location::Header && HeaderName::from_bytes(name.as_bytes()).is_err() {
            return Err(format!("its header `{}` is none", truncate_line(name, 60)));
        }
        let content =
            raw.get("content").and_then(Value::as_object).and_then(|it| it.values().next());
        let style = match (content, text("style"), location) {
            (Some(_), ..) => Style::Json,
            (None, Some("label"), Location::Path) => Style::Label,
            (None, Some("matrix"), Location::Path) => Style::Matrix,
            (None, Some("spaceDelimited"), Location::Query) => Style::Space,
            (None, Some("pipeDelimited"), Location::Query) => Style::Pipe,
            (None, Some("deepObject"), Location::Query) => Style::Deep,
            (None, _, Location::Query) => Style::Form,
            (None, ..) => Style::Simple,
        };
        let explode = raw.get("explode").and_then(Value::as_bool);
        let schema = raw.get("schema").or_else(|| content.and_then(|it| it.get("schema")));
        let mut schema = match schema {
            Some(schema) => schemas.read(schema)?,
            None => json!({}),
        };
        if let (Some(told), Some(schema)) = (text("description"), schema.as_object_mut()) {
            schema.insert("description".to_owned(), truncate_line(told, DESCRIPTION).into());
        }
        Ok(Some(Self {
            name: name.to_owned(),
            argument: name.to_owned(),
            location,
            // A path without it is another path.
            is_required: is_required || location == Location::Path,
            style,
            explode: explode.unwrap_or(style == Style::Form || style == Style::Deep),
            schema,
        }))
    }
}

/// Headers that are no parameters, whatever a document says.
fn is_reserved(name: &str) -> bool {
    const RESERVED: [&str; 12] = [
        "accept",
        "accept-encoding",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "cookie",
        "expect",
        "host",
        "proxy-authorization",
        "transfer-encoding",
        "upgrade",
    ];
    RESERVED.iter().any(|it| it.eq_ignore_ascii_case(name))
}
