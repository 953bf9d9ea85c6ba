//! [`to_struct`] and [`to_json`]: JSON as Protocol Buffers have it, and back.

use prost_types::{ListValue, Struct, Value as Protobuf, value::Kind};
use serde_json::{Map, Number, Value};

/// A double holds every whole number up to here.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// An object as a `google.protobuf.Struct`.
pub(crate) fn to_struct(object: &Map<String, Value>) -> Struct {
    let fields = object.iter().map(|(name, value)| (name.clone(), to_protobuf(value)));
    Struct { fields: fields.collect() }
}

fn to_protobuf(value: &Value) -> Protobuf {
    let kind = match value {
        Value::Null => Kind::NullValue(0),
        Value::Bool(it) => Kind::BoolValue(*it),
        // What is too large for one is told as nearly as a double can.
        Value::Number(it) => Kind::NumberValue(it.as_f64().unwrap_or_default()),
        Value::String(it) => Kind::StringValue(it.clone()),
        Value::Array(items) => {
            Kind::ListValue(ListValue { values: items.iter().map(to_protobuf).collect() })
        }
        Value::Object(fields) => Kind::StructValue(to_struct(fields)),
    };
    Protobuf { kind: Some(kind) }
}

/// The object that a `google.protobuf.Struct` is. All its numbers are doubles: whole ones become whole again,
/// as a schema's `minimum` and `maxItems` have to be.
pub(crate) fn to_json(object: Struct) -> Map<String, Value> {
    object.fields.into_iter().map(|(name, value)| (name, from_protobuf(value))).collect()
}

fn from_protobuf(value: Protobuf) -> Value {
    match value.kind {
        None | Some(Kind::NullValue(_)) => Value::Null,
        Some(Kind::BoolValue(it)) => Value::Bool(it),
        Some(Kind::NumberValue(it)) => number(it),
        Some(Kind::StringValue(it)) => Value::String(it),
        Some(Kind::ListValue(list)) => list.values.into_iter().map(from_protobuf).collect(),
        Some(Kind::StructValue(object)) => Value::Object(to_json(object)),
    }
}

fn number(it: f64) -> Value {
    if it.fract() == 0.0 && it.abs() <= WHOLE {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole, and not too large")]
        return Value::from(it as i64);
    }
    Number::from_f64(it).map_or(Value::Null, Value::Number)
}
