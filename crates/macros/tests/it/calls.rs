//! Calling: the function as it was, and the tool.

use std::{collections::HashMap, future};

use serde::Deserialize;
use serde_json::json;
use toolwright_core::{Output, RunContext};
use toolwright_macros::tool;

use crate::{call, call_in};

/// Get the current weather in a given location.
#[tool(manual)]
async fn get_weather(
    /// The city and state, e.g. San Francisco, CA
    location: String,
) -> String {
    future::ready(format!("22 degrees in {location}")).await
}

#[test]
fn an_async_function_stays_callable() {
    let direct = futures_util::FutureExt::now_or_never(get_weather("Pune".into()));
    assert_eq!(direct.as_deref(), Some("22 degrees in Pune"));
    let output = call(&get_weather::tool(), json!({"location": "Pune"}));
    assert_eq!(output, Ok(Output::Text("22 degrees in Pune".into())));
}

/// Calculate a tip.
#[tool(manual)]
fn calculate_tip(amount: f64, #[tool(default = 18.0)] percentage: f64) -> f64 {
    amount * percentage / 100.0
}

#[test]
fn a_default_fills_what_the_model_leaves_out() {
    assert_eq!(calculate_tip(50.0, 10.0), 5.0);
    let tool = calculate_tip::tool();
    assert_eq!(call(&tool, json!({"amount": 50})), Ok(Output::Json("9.0".into())));
    let given = json!({"amount": 50, "percentage": 10});
    assert_eq!(call(&tool, given), Ok(Output::Json("5.0".into())));
}

/// Say everything back.
#[tool(manual)]
fn echo(
    mut words: Vec<String>,
    scores: HashMap<String, Vec<i64>>,
    note: Option<String>,
    #[tool(default = "INR")] currency: String,
    #[tool(default)] flags: Vec<bool>,
    #[tool(rename = "type")] kind: u8,
    r#in: char,
) -> String {
    words.sort();
    let last = r#in;
    format!("{words:?} {scores:?} {note:?} {currency} {flags:?} {kind} {last}")
}

#[test]
fn every_parameter_reaches_its_place() {
    let arguments = json!({"words": ["b", "a"], "scores": {"x": [1, -2]}, "type": 3, "in": "z"});
    let expected = r#"["a", "b"] {"x": [1, -2]} None INR [] 3 z"#;
    assert_eq!(call(&echo::tool(), arguments), Ok(Output::Text(expected.into())));
}

#[test]
fn what_the_schema_lets_through_and_the_type_does_not_is_an_error() {
    let error = call(&calculate_tip::tool(), json!({"amount": "many"})).expect_err("not a number");
    assert_eq!(error.message(), "invalid arguments: invalid type: string \"many\", expected f64");
}

struct UserId(u32);

/// Say who asks.
#[tool(manual)]
fn who(greeting: String, context: &RunContext) -> String {
    format!("{greeting} {}", context.get::<UserId>().map_or(0, |id| id.0))
}

/// Say who asks, and nothing else.
#[tool(manual)]
async fn who_alone(context: &toolwright_core::RunContext) -> u32 {
    context.get::<UserId>().map_or(0, |id| id.0)
}

#[test]
fn the_context_is_filled_in() {
    let context = RunContext::new().with(UserId(7));
    let output = call_in(&who::tool(), json!({"greeting": "hello"}), &context);
    assert_eq!(output, Ok(Output::Text("hello 7".into())));
    assert_eq!(call_in(&who_alone::tool(), json!({}), &context), Ok(Output::Json("7".into())));
    assert_eq!(who_alone::tool().spec().parameters["properties"], json!({}));
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Forecast {
    /// Where.
    place: String,
    days: u8,
}

/// Forecast the weather.
#[tool(manual)]
fn forecast(
    context: &RunContext,
    #[tool(args, grounded("place"), free_text("days"))] Forecast { place, days }: Forecast,
) -> String {
    assert!(context.call().is_none());
    format!("{days} dry days in {place}")
}

#[test]
fn a_struct_can_be_all_the_arguments() {
    let tool = forecast::tool();
    let output = call(&tool, json!({"place": "Pune", "days": 2}));
    assert_eq!(output, Ok(Output::Text("2 dry days in Pune".into())));
    let spec = tool.spec();
    assert_eq!(
        spec.parameters,
        json!({
            "type": "object",
            "properties": {
                "place": {"type": "string", "description": "Where."},
                "days": {"type": "integer", "minimum": 0, "maximum": 255},
            },
            "required": ["place", "days"],
        })
    );
    assert_eq!((&*spec.grounded, &*spec.free_text), (&["place".into()][..], &["days".into()][..]));
}

#[test]
fn a_tool_can_be_written_inside_a_function() {
    #[derive(Deserialize, schemars::JsonSchema)]
    struct Local {
        x: i32,
    }

    /// Only here.
    #[tool(manual)]
    fn inner(local: Local) -> i32 {
        local.x
    }

    assert_eq!(call(&inner::tool(), json!({"local": {"x": 3}})), Ok(Output::Json("3".into())));
}
