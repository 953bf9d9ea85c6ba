//! Schemas that ask something in particular: what is written for them, and what is said where nothing can be.

use fastrand::Rng;
use serde_json::{Map, Value, json};
use toolwright_core::ToolChoice;

use super::{
    Constraint, Context, Style, accepted, lexicon,
    schemas::{SAID, constraint, fits},
    tool,
};
use crate::constrain::{Values, forms::Form, shapes::shapes};

fn object(name: &str, schema: &Value) -> Value {
    json!({"type": "object", "properties": {name: schema}, "required": [name]})
}

/// What was written once and did not fit.
#[test]
fn what_did_not_fit_fits() {
    let text = json!({"type": "string"});
    for schema in [
        // More fields than there may be.
        json!({"allOf": [
            {"type": "object", "properties": {"a": text, "b": text}, "required": ["b"], "minProperties": 2},
            {"type": "object", "maxProperties": 1},
        ]}),
        // Of a property, too, all choices are known before one is to be the only one that fits.
        json!({"oneOf": [
            object("k", &json!({"anyOf": [text, {"not": {"type": "string"}}]})),
            object("k", &json!({"type": "integer"})),
        ]}),
        json!({"oneOf": [object("k", &json!({"const": 1})), object("k", &json!({"enum": [1.0, 2]}))]}),
        object("k", &json!({"type": "string", "minLength": 3.0, "maxLength": 4.0})),
        object("k", &json!({"type": "array", "items": text, "minItems": 2.0, "maxItems": 3.0})),
        object(
            "k",
            &json!({"type": "object", "additionalProperties": text, "propertyNames": {"pattern": "^[a-z]+$", "maxLength": 5}}),
        ),
        object(
            "k",
            &json!({"type": "object", "additionalProperties": text, "propertyNames": {"enum": ["a\"", "b", "cc"], "maxLength": 2}}),
        ),
        json!({"allOf": [
            {"type": "object", "properties": {"a": text}, "unevaluatedProperties": false},
            {"properties": {"b": text}},
        ]}),
        json!({"type": "object", "required": ["b"], "properties": {"a": text}, "unevaluatedProperties": {"type": "integer"}}),
        object("k", &json!({"type": "string", "pattern": "^[^\\W\\d]+$"})),
        object("k", &json!({"type": "string", "pattern": "^[[a]+$"})),
    ] {
        for seed in 0..40 {
            for values in [Values::Taken, Values::Written] {
                let held = fits(&schema, values, &mut Rng::with_seed(seed));
                assert!(held.is_ok(), "{seed}, {values:?}: {held:?} {schema}");
            }
        }
    }
}

/// A short schema may lead to very many others, or to no end.
#[test]
fn schemas_without_an_end_are_given_up() {
    let mut levels = Map::new();
    for level in 0..12 {
        let next = json!({"$ref": format!("#/$defs/{}", level + 1)});
        levels.insert(level.to_string(), json!({"anyOf": vec![next; 20]}));
    }
    levels.insert("12".to_owned(), json!({"type": "object"}));
    let endless = object("next", &json!({"$ref": "#/$defs/endless"}));
    levels.insert("endless".to_owned(), endless);
    for schema in [
        json!({"$ref": "#/$defs/0", "$defs": levels}),
        json!({"oneOf": [{"$ref": "#/$defs/endless"}, {"$ref": "#/$defs/endless"}], "$defs": levels}),
    ] {
        assert!(shapes(&schema, &schema).is_err());
    }
}

/// What a pattern is taken for here fits it, as the runtime's own validator says.
#[test]
fn patterns_mean_no_more_than_they_say() {
    let texts = [
        "São", "abc", "a b", "a-b", "7", "٣", "é", "", "A_1", "[", "]", "&", "~", "\u{2028}",
        "a\u{a0}b", "\u{feff}", "^", "-", ".", "a.b", "ß", "K",
    ];
    for pattern in [
        r"^\w+$",
        r"^\W+$",
        r"^\d$",
        r"^\D$",
        r"^\s$",
        r"^\S+$",
        r"^[\w-]+$",
        r"^[^\w]$",
        r"^[^\D]$",
        r"^[\W\d]$",
        r"^.$",
        "^[.]$",
        "^[[]$",
        "^[&&]$",
        "^[a~~b]$",
        "^[]]$",
        "^[^]$",
        "^[^^]$",
        r"^(?:a|b).",
        r"(?i)A",
        r"\bS",
        r"^\u0041",
        r"^\x41",
        r"(a)\1",
        r"^[\]\[]$",
        r"^[+--]$",
        r"^\-$",
        r"^\p{L}+$",
        "^[a-z]{1,3}$",
        "a{,2}",
    ] {
        let schema = json!({"type": "string", "pattern": pattern});
        let Ok(validator) = jsonschema::validator_for(&schema) else { continue };
        let Ok(form) = Form::of(&schema) else { continue };
        for text in texts.iter().filter(|text| form.fits(text)) {
            assert!(validator.is_valid(&json!(text)), "{pattern}: {text:?}");
        }
    }
    let form = Form::of(&json!({"pattern": r"^[\w-]+$"})).unwrap();
    assert!(form.fits("a-b") && !form.fits("São"));
}

/// What fits a choice that nothing can be written for fits two of them.
#[test]
fn choices_that_cannot_be_written_for_count() {
    let either = json!({"oneOf": [{"type": "string"}, {"minLength": 2}]});
    let schema = json!({"oneOf": [{"anyOf": [either, {"type": "null"}]}, {"type": "object"}]});
    assert!(shapes(&schema, &schema).is_err());
}

#[test]
fn what_cannot_be_written_is_said() {
    let one =
        |schema: Value| json!({"type": "object", "properties": {"a": schema}, "required": ["a"]});
    for (schema, reason) in [
        (json!({"not": {"type": "string"}}), Some("`not`")),
        (json!({"type": "string", "format": "ipv6"}), Some("the format `ipv6`")),
        (json!({"type": "string", "pattern": "(?=x)"}), Some("the pattern `(?=x)`")),
        (
            json!({"$ref": "#/$defs/None"}),
            Some("the `$ref` #/$defs/None, which leads nowhere here"),
        ),
        (
            json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}),
            Some("`oneOf` whose choices can fit at the same time"),
        ),
        (json!({"oneOf": [{"type": "integer"}, {"type": "string"}]}), None),
        // What the conversation does not give is no fault of the schema's.
        (json!({"type": "integer", "minimum": 99_999}), None),
    ] {
        let schema = one(schema);
        let constraint = constraint(&schema, Values::Taken, &mut Rng::with_seed(7));
        assert_eq!(constraint.unwritable("find"), reason, "{schema}");
    }
}

#[test]
fn choices_references_and_what_they_say_beside_each_other_hold() {
    let schema = json!({
        "type": "object",
        "$defs": {"Leg": {"type": "object", "properties": {"side": {"enum": ["buy", "sell"]}}, "required": ["side"]}},
        "properties": {
            "leg": {"allOf": [{"$ref": "#/$defs/Leg"}, {"properties": {"count": {"type": "integer"}}, "required": ["count"]}]},
            "when": {"type": "string", "format": "date-time"},
        },
        "required": ["leg"],
    });
    for (arguments, is_allowed) in [
        (r#"{"leg": {"count": 7, "side": "buy"}}"#, true),
        (r#"{"leg": {"count": 7, "side": "buy"}, "when": "2026-11-18T09:15:00Z"}"#, true),
        (r#"{"leg": {"side": "buy"}}"#, false),
        (r#"{"leg": {"count": 8, "side": "buy"}}"#, false),
        (r#"{"leg": {"count": 7, "side": "hold"}}"#, false),
        (r#"{"leg": {"count": 7, "side": "buy"}, "when": "2026-11-18"}"#, false),
    ] {
        let call =
            format!("<tool_call>{{\"name\": \"find\", \"arguments\": {arguments}}}</tool_call>");
        let lexicon = lexicon(&mut Rng::with_seed(7));
        let context = Context::new(&[SAID.to_owned()], &[]);
        let tools = [tool("find", schema.clone())];
        let mut constraint =
            Constraint::new(lexicon, &tools, context, &ToolChoice::Auto, Style::default());
        assert_eq!(accepted(&mut constraint, &call) == (&*call, true), is_allowed, "{arguments}");
    }
}
