//! The schema a model is shown.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use toolwright_macros::tool;

/// No arguments.
#[tool(manual)]
fn bare() {}

#[test]
fn a_tool_without_parameters_takes_an_empty_object() {
    let expected = json!({"type": "object", "properties": {}, "additionalProperties": false});
    assert_eq!(bare::tool().spec().parameters, expected);
}

/// Order.
#[tool(manual)]
fn order(
    /// The security's id,
    /// from `find_security`.
    ///
    /// Not its symbol.
    security_id: String,
    #[tool(range(min = 1, max = 1_000))] quantity: u32,
    #[tool(default = 18.0, range(min = 0.0, max = 100.0))] percentage: f64,
    #[tool(length(min = 1, max = 3))] legs: Vec<String>,
    #[tool(length(max = 20), pattern = "^[A-Z]+$")] tag: Option<String>,
    #[tool(regex = r"^\d+$", rename = "correlationId")] correlation: String,
    scores: HashMap<String, Vec<i64>>,
    #[tool(default = "DAY")] validity: String,
    #[tool(default)] after_market: bool,
) {
    let _ = (security_id, quantity, percentage, legs, tag, correlation, scores, validity);
    let _ = after_market;
}

#[test]
fn parameters_become_properties() {
    assert_eq!(
        order::tool().spec().parameters,
        json!({
            "type": "object",
            "properties": {
                "security_id": {
                    "type": "string",
                    "description":
                        "The security's id, from `find_security`.\n\nNot its symbol.",
                },
                "quantity": {"type": "integer", "minimum": 1, "maximum": 1000},
                "percentage":
                    {"type": "number", "minimum": 0.0, "maximum": 100.0, "default": 18.0},
                "legs": {
                    "type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3,
                },
                "tag": {"type": ["string", "null"], "maxLength": 20, "pattern": "^[A-Z]+$"},
                "correlationId": {"type": "string", "pattern": r"^\d+$"},
                "scores": {
                    "type": "object",
                    "additionalProperties": {"type": "array", "items": {"type": "integer"}},
                },
                "validity": {"type": "string", "default": "DAY"},
                "after_market": {"type": "boolean", "default": false},
            },
            "required": ["security_id", "quantity", "legs", "correlationId", "scores"],
            "additionalProperties": false,
        })
    );
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    /// Degrees Celsius.
    Celsius,
    /// Degrees Fahrenheit.
    Fahrenheit,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum Side {
    Buy,
    Sell,
}

#[derive(Deserialize, JsonSchema)]
struct Place {
    /// Degrees north.
    latitude: f64,
    name: Option<String>,
}

/// Compare.
#[tool(manual)]
fn compare(#[tool(default = Unit::Celsius)] unit: Unit, side: Side, places: Vec<Place>) {
    let _ = matches!((unit, side), (Unit::Celsius, Side::Buy) | (Unit::Fahrenheit, Side::Sell));
    let _ = places.first().map(|place| (place.latitude, &place.name));
}

#[test]
fn enums_and_structs_are_spelled_out() {
    assert_eq!(
        compare::tool().spec().parameters,
        json!({
            "type": "object",
            "properties": {
                "unit": {
                    "oneOf": [
                        {
                            "type": "string",
                            "const": "celsius",
                            "description": "Degrees Celsius.",
                        },
                        {
                            "type": "string",
                            "const": "fahrenheit",
                            "description": "Degrees Fahrenheit.",
                        },
                    ],
                    "default": "celsius",
                },
                "side": {"type": "string", "enum": ["BUY", "SELL"]},
                "places": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "latitude": {"type": "number", "description": "Degrees north."},
                            "name": {"type": ["string", "null"]},
                        },
                        "required": ["latitude"],
                    },
                },
            },
            "required": ["side", "places"],
            "additionalProperties": false,
        })
    );
}
