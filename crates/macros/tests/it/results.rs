//! What may be returned, and what becomes of it.

use std::{borrow::Cow, fmt, fmt::Display, io};

use serde::Serialize;
use serde_json::json;
use toolwright_core::{Output, ToolError, ToolResult};
use toolwright_macros::tool;

use crate::call;

#[derive(Debug)]
struct Unreachable {
    source: io::Error,
}

impl Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the exchange cannot be reached")
    }
}

impl std::error::Error for Unreachable {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// An error with no `Error`, as anyhow's: its sources show in `{:#}`.
struct OnlyDisplay;

impl Display for OnlyDisplay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if f.alternate() { "no luck: token abc" } else { "no luck" })
    }
}

#[derive(Serialize)]
struct Tip {
    amount: f64,
}

type Alias<T> = Result<T, Unreachable>;

/// Fail with sources.
#[tool(manual)]
fn with_sources() -> Alias<Tip> {
    Err(Unreachable { source: io::Error::other("connection refused") })
}

/// Fail with words.
#[tool(manual)]
async fn with_display(fail: bool) -> Result<Tip, OnlyDisplay> {
    if fail { Err(OnlyDisplay) } else { Ok(Tip { amount: 1.5 }) }
}

/// Fail with a string.
#[tool(manual)]
fn with_string(fail: bool) -> Result<Cow<'static, str>, String> {
    if fail { Err("no such file".into()) } else { Ok("fine".into()) }
}

/// Fail with a tool's own error.
#[tool(manual)]
fn with_tool_error() -> Result<i32, ToolError> {
    Err(ToolError::new("expired").with_detail("token abc"))
}

#[test]
fn every_kind_of_error_keeps_what_it_knows() {
    let told = |result: ToolResult| {
        let error = result.expect_err("it fails");
        (error.message().to_owned(), error.detail().map(str::to_owned))
    };
    let sources = "the exchange cannot be reached: connection refused";
    assert_eq!(
        told(call(&with_sources::tool(), json!({}))),
        ("the exchange cannot be reached".into(), Some(sources.into()))
    );
    assert_eq!(
        told(call(&with_display::tool(), json!({"fail": true}))),
        ("no luck".into(), Some("no luck: token abc".into()))
    );
    assert_eq!(
        told(call(&with_string::tool(), json!({"fail": true}))),
        ("no such file".into(), None)
    );
    assert_eq!(
        told(call(&with_tool_error::tool(), json!({}))),
        ("expired".into(), Some("token abc".into()))
    );
}

#[test]
fn what_is_in_ok_is_the_result() {
    let output = call(&with_display::tool(), json!({"fail": false}));
    assert_eq!(output, Ok(Output::Json(r#"{"amount":1.5}"#.into())));
    let output = call(&with_string::tool(), json!({"fail": false}));
    assert_eq!(output, Ok(Output::Text("fine".into())));
}

/// A value.
#[tool(manual)]
fn value() -> Vec<Tip> {
    vec![Tip { amount: 2.0 }]
}

/// A constant.
#[tool(manual)]
fn constant() -> &'static str {
    "always"
}

/// An output of its own making.
#[tool(manual)]
fn output() -> Result<Output, io::Error> {
    Ok(Output::readable("two", json!(2)))
}

/// A result of the library's own kind.
#[tool(manual)]
fn raw() -> ToolResult {
    Ok(Output::Text("as it is".into()))
}

/// Perhaps something.
#[tool(manual)]
fn perhaps() -> Option<Tip> {
    None
}

#[test]
fn plain_values_are_results() {
    assert_eq!(call(&value::tool(), json!({})), Ok(Output::Json(r#"[{"amount":2.0}]"#.into())));
    assert_eq!(call(&constant::tool(), json!({})), Ok(Output::Text("always".into())));
    assert_eq!(call(&output::tool(), json!({})), Ok(Output::readable("two", json!(2))));
    assert_eq!(call(&raw::tool(), json!({})), Ok(Output::Text("as it is".into())));
    assert_eq!(call(&perhaps::tool(), json!({})), Ok(Output::Json("null".into())));
}

/// Nothing.
#[tool(manual)]
fn nothing() {}

/// Nothing, spelled out, later.
#[tool(manual)]
async fn nothing_later() -> () {}

/// Nothing, or an error.
#[tool(manual)]
fn nothing_or(fail: bool) -> io::Result<()> {
    if fail { Err(io::Error::other("disk full")) } else { Ok(()) }
}

#[test]
fn nothing_is_told_as_done() {
    let done = Ok(Output::Text("Done.".into()));
    assert_eq!(call(&nothing::tool(), json!({})), done);
    assert_eq!(call(&nothing_later::tool(), json!({})), done);
    assert_eq!(call(&nothing_or::tool(), json!({"fail": false})), done);
    let error = call(&nothing_or::tool(), json!({"fail": true})).expect_err("it fails");
    assert_eq!(error.message(), "disk full");
}

/// A place that is found.
#[derive(Serialize, schemars::JsonSchema)]
struct Place {
    /// What it is called.
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
}

/// Find one.
#[tool(manual)]
fn found() -> Place {
    Place { name: "here".into(), height: None }
}

/// Find one, or not.
#[tool(manual)]
async fn perhaps_found() -> Result<Place, OnlyDisplay> {
    Ok(Place { name: "here".into(), height: Some(1) })
}

/// Find many.
#[tool(manual)]
fn all_found() -> Vec<Place> {
    Vec::new()
}

/// What is returned is declared where it has a schema and is an object; nothing has to be written for it, and
/// whatever else may be returned still may.
#[test]
fn what_is_returned_is_declared_where_it_is_an_object() {
    let declared = json!({
        "type": "object",
        "description": "A place that is found.",
        "properties": {
            "name": {"type": "string", "description": "What it is called."},
            "height": {"type": ["integer", "null"], "minimum": 0},
        },
        "required": ["name"],
    });
    assert_eq!(found::tool().spec().returns, Some(declared.clone()));
    assert_eq!(perhaps_found::tool().spec().returns, Some(declared));
    for tool in [all_found::tool(), with_sources::tool(), with_display::tool(), with_string::tool()]
    {
        assert_eq!(tool.spec().returns, None, "{}", tool.spec().name);
    }
}
