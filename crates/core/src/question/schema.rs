//! A form's fields as a flat JSON Schema, and back.

use serde_json::{Map, Value, json};

use super::{
    QuestionError,
    field::{FieldKind, FieldOption, QuestionField},
};

/// The fields of a flat schema.
pub(super) fn fields_of(schema: &Value) -> Result<Vec<QuestionField>, QuestionError> {
    let Some(schema) = schema.as_object() else { return refused("it is no object") };
    if schema.get("type").is_some_and(|it| it != "object") {
        return refused("its type is not `object`");
    }
    let none = Map::new();
    let properties = match schema.get("properties") {
        None => &none,
        Some(Value::Object(properties)) => properties,
        Some(_) => return refused("its `properties` are no object"),
    };
    let required: Vec<&str> = list(schema, "required").filter_map(Value::as_str).collect();
    if let Some(missing) = required.iter().find(|it| !properties.contains_key(**it)) {
        let missing = crate::truncate_line(missing, 40);
        return refused(&format!("the required field `{missing}` is not among its properties"));
    }
    let mut fields = Vec::with_capacity(properties.len().min(64));
    for (name, property) in properties {
        let field = field_of(name, property)?;
        let place = required.iter().position(|it| it == name);
        fields.push((place.unwrap_or(usize::MAX), field));
    }
    fields.sort_by_key(|(place, _)| *place);
    let in_order = fields.into_iter().map(|(place, mut field)| {
        field.required = place != usize::MAX;
        field
    });
    Ok(in_order.collect())
}

fn field_of(name: &str, property: &Value) -> Result<QuestionField, QuestionError> {
    let short = crate::truncate_line(name, 40);
    let Some(it) = property.as_object() else {
        return refused(&format!("the field `{short}` is no object"));
    };
    let default = it.get("default");
    let options = options_of(it);
    let kind = match (it.get("type").and_then(Value::as_str), options) {
        (Some("string"), Some(options)) => FieldKind::Choice {
            options,
            default: default.and_then(Value::as_str).map(str::to_owned),
        },
        (Some("string"), None) => FieldKind::Text {
            format: it.get("format").and_then(|it| serde_json::from_value(it.clone()).ok()),
            min_length: count(it, "minLength"),
            max_length: count(it, "maxLength"),
            default: default.and_then(Value::as_str).map(str::to_owned),
        },
        (Some("number"), _) => FieldKind::Number {
            minimum: it.get("minimum").and_then(Value::as_f64),
            maximum: it.get("maximum").and_then(Value::as_f64),
            default: default.and_then(Value::as_f64),
        },
        (Some("integer"), _) => FieldKind::Integer {
            minimum: it.get("minimum").and_then(|it| whole(it, f64::ceil)),
            maximum: it.get("maximum").and_then(|it| whole(it, f64::floor)),
            default: default.and_then(Value::as_i64),
        },
        (Some("boolean"), _) => FieldKind::Boolean { default: default.and_then(Value::as_bool) },
        (Some("array"), _) => {
            let items = it.get("items").and_then(Value::as_object);
            let Some(options) = items.and_then(options_of) else {
                return refused(&format!("the list `{short}` says nothing to choose from"));
            };
            FieldKind::MultipleChoice {
                options,
                min_items: count(it, "minItems"),
                max_items: count(it, "maxItems"),
                default: list(it, "default")
                    .filter_map(|it| Some(it.as_str()?.to_owned()))
                    .collect(),
            }
        }
        _ => {
            return refused(&format!(
                "the field `{short}` is no string, number, integer, boolean or list of choices"
            ));
        }
    };
    let text = |key: &str| it.get(key).and_then(Value::as_str).map(str::to_owned);
    let mut field = QuestionField::new(name, kind);
    (field.title, field.description) = (text("title"), text("description"));
    field.enum_names = it.contains_key("enumNames");
    Ok(field)
}

/// What there is to choose from: `enum`, with `enumNames` or without, or constants with titles.
fn options_of(schema: &Map<String, Value>) -> Option<Vec<FieldOption>> {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let mut titles = list(schema, "enumNames").map(Value::as_str);
        let option = |value: &Value| {
            let title = titles.next().flatten().map(str::to_owned);
            Some(FieldOption { value: value.as_str()?.to_owned(), title })
        };
        // One that is no text cannot be shown, and a form that leaves it out is another.
        return Some(values.iter().map(option).collect::<Option<_>>().unwrap_or_default());
    }
    let constants = schema.get("oneOf").or_else(|| schema.get("anyOf"))?.as_array()?;
    let option = |it: &Value| {
        let title = it.get("title").and_then(Value::as_str).map(str::to_owned);
        Some(FieldOption { value: it.get("const")?.as_str()?.to_owned(), title })
    };
    Some(constants.iter().map(option).collect::<Option<_>>().unwrap_or_default())
}

fn list<'a>(schema: &'a Map<String, Value>, key: &str) -> impl Iterator<Item = &'a Value> {
    schema.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn count(schema: &Map<String, Value>, key: &str) -> Option<u32> {
    schema.get(key)?.as_u64().map(|it| u32::try_from(it).unwrap_or(u32::MAX))
}

/// A bound of whole numbers; one that is none itself is rounded to the inside.
fn whole(bound: &Value, rounded: fn(f64) -> f64) -> Option<i64> {
    bound.as_i64().or_else(|| {
        let inside = rounded(bound.as_f64()?);
        #[expect(clippy::cast_possible_truncation, reason = "it saturates, as a bound may")]
        Some(inside as i64)
    })
}

fn refused<T>(reason: &str) -> Result<T, QuestionError> {
    Err(QuestionError::Schema(reason.to_owned()))
}

/// The schema of these fields.
pub(super) fn schema_of(fields: &[QuestionField]) -> Value {
    let properties: Map<_, _> = fields.iter().map(|it| (it.name.clone(), property(it))).collect();
    let required: Vec<_> = fields.iter().filter(|it| it.required).map(|it| &it.name).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

fn property(field: &QuestionField) -> Value {
    let mut property = match &field.kind {
        FieldKind::Text { format, min_length, max_length, .. } => json!({
            "type": "string", "format": format, "minLength": min_length, "maxLength": max_length
        }),
        FieldKind::Number { minimum, maximum, .. } => {
            json!({"type": "number", "minimum": minimum, "maximum": maximum})
        }
        FieldKind::Integer { minimum, maximum, .. } => {
            json!({"type": "integer", "minimum": minimum, "maximum": maximum})
        }
        FieldKind::Boolean { .. } => json!({"type": "boolean"}),
        FieldKind::Choice { options, .. } => choices(options, "oneOf", field.enum_names),
        FieldKind::MultipleChoice { options, min_items, max_items, .. } => json!({
            "type": "array", "items": choices(options, "anyOf", false),
            "minItems": min_items, "maxItems": max_items
        }),
    };
    if let Some(property) = property.as_object_mut() {
        let said = [
            ("title", field.title.clone().map(Value::from)),
            ("description", field.description.clone().map(Value::from)),
            ("default", field.kind.default_value()),
        ];
        property.extend(said.into_iter().filter_map(|(key, it)| Some((key.to_owned(), it?))));
        property.retain(|_, it| !it.is_null());
    }
    property
}

/// What there is to choose from, in the spelling that says no more than there is: clients tell by it what they show.
fn choices(options: &[FieldOption], of: &str, enum_names: bool) -> Value {
    let values: Vec<_> = options.iter().map(|it| &it.value).collect();
    if options.iter().all(|it| it.title.is_none()) {
        return json!({"type": "string", "enum": values});
    }
    if enum_names {
        let names: Vec<_> = options.iter().map(FieldOption::label).collect();
        return json!({"type": "string", "enum": values, "enumNames": names});
    }
    let constant = |it: &FieldOption| json!({"const": it.value, "title": it.label()});
    let constants: Vec<_> = options.iter().map(constant).collect();
    match of {
        // A choice is of type string; the items of a list say so by their constants.
        "oneOf" => json!({"type": "string", of: constants}),
        _ => json!({of: constants}),
    }
}
