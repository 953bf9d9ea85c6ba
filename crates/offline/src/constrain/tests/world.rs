//! [`World`]: random schemas, conversations and values, made without the code they test.

use fastrand::Rng;
use serde_json::{Map, Value, json};

/// Words a conversation is made of; none is part of another.
const WORDS: &[&str] = &[
    "the",
    "weather",
    "in",
    "São",
    "Paulo",
    "NSE_EQ",
    "O\"Neil",
    "C:\\dir",
    "京",
    "😀",
    "BUY",
    "x",
    "tab\there",
];
const NUMBERS: &[&str] = &["2885", "45.6", "13", "7", "100", "0.25"];
const SIDES: &[&str] = &["buy", "sell \"now\""];

/// How long composed text may be: less than a token, or more than any.
const COMPOSED: [u64; 2] = [9, 900];

/// A conversation, and what can be made of it.
pub(super) struct World {
    pub(super) rng: Rng,
    pub(super) lines: Vec<Vec<&'static str>>,
    pub(super) composed: Vec<String>,
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let mut lines = Vec::new();
        for _ in 0..rng.usize(1..4) {
            let mut line = Vec::new();
            for _ in 0..rng.usize(1..8) {
                let from = if rng.u8(..3) == 0 { NUMBERS } else { WORDS };
                line.push(from[rng.usize(..from.len())]);
            }
            lines.push(line);
        }
        Self { rng, lines, composed: Vec::new() }
    }

    /// What was said, one text after the other.
    pub(super) fn said(&self) -> Vec<String> {
        let lines: Vec<_> = self.lines.iter().map(|line| line.join(" ")).collect();
        vec![lines.join("\n")]
    }

    /// The schema of a tool's arguments.
    pub(super) fn parameters(&mut self) -> Value {
        let mut schema = self.object(3);
        schema["$defs"] = json!({"Side": {"enum": SIDES}});
        let names: Vec<_> = schema["properties"].as_object().unwrap().keys().cloned().collect();
        for name in names {
            if COMPOSED.iter().any(|most| schema["properties"][&name]["maxLength"] == *most) {
                self.composed.push(name);
            }
        }
        schema
    }

    fn object(&mut self, depth: usize) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for name in ["a", "bb", "c d", "e"].iter().take(self.rng.usize(1..5)) {
            properties.insert((*name).to_owned(), self.schema(depth));
            if self.rng.bool() {
                required.push(*name);
            }
        }
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    }

    fn schema(&mut self, depth: usize) -> Value {
        match self.rng.u8(..if depth == 0 { 12 } else { 16 }) {
            0 | 1 => json!({"type": "string"}),
            2 => json!({"type": "string", "minLength": 3, "maxLength": 8}),
            3 => json!({"type": "string", "pattern": "^[A-Z_]+$"}),
            4 => json!({"enum": SIDES}),
            5 => json!({"$ref": "#/$defs/Side"}),
            6 => json!({"type": ["integer", "null"], "minimum": 10, "maximum": 3000}),
            7 => json!({"type": "number", "exclusiveMinimum": 0.25, "default": 1.5}),
            8 => json!({"type": "boolean"}),
            9 => json!({"type": "string", "format": "date"}),
            10 => json!({"type": ["integer", "string"]}),
            // Composed, where it is a parameter itself.
            11 => json!({"type": "string", "maxLength": COMPOSED[self.rng.usize(..2)]}),
            12 => json!({"type": "array", "items": self.schema(depth - 1), "maxItems": 3}),
            13 => json!({"type": "object", "additionalProperties": self.schema(depth - 1)}),
            14 => json!({"anyOf": [self.schema(depth - 1), {"type": "null"}]}),
            _ => self.object(depth - 1),
        }
    }

    /// A value that fits the schema and is taken from the conversation, if one was found.
    pub(super) fn value(&mut self, schema: &Value) -> Option<Value> {
        if let Some(options) = schema["anyOf"].as_array() {
            return self.value(&options[0].clone());
        }
        if schema["enum"].is_array() || schema["$ref"].is_string() {
            return Some(json!(SIDES[self.rng.usize(..SIDES.len())]));
        }
        match schema["type"].as_str().or(schema["type"][0].as_str()).unwrap() {
            "string" if schema["format"] == "date" => Some(json!("2024-02-29")),
            "string" => self.string(schema),
            "integer" | "number" => self.number(schema),
            "boolean" => Some(json!(self.rng.bool())),
            "array" => {
                let items = (0..self.rng.usize(1..4)).map(|_| self.value(&schema["items"]));
                items.collect::<Option<Vec<_>>>().map(Value::Array)
            }
            _ if schema["properties"].is_object() => self.fields(schema),
            _ => {
                let line = &self.lines[self.rng.usize(..self.lines.len())];
                let mut words = line.iter().copied();
                let key = words.find(|word| word.chars().all(char::is_alphabetic))?;
                let value = self.value(&schema["additionalProperties"])?;
                Some(json!({key: value}))
            }
        }
    }

    fn fields(&mut self, schema: &Value) -> Option<Value> {
        let mut fields = Map::new();
        for (name, inner) in schema["properties"].as_object().unwrap() {
            let is_required = schema["required"].as_array().unwrap().contains(&json!(name));
            match self.value(inner) {
                Some(value) if is_required || self.rng.bool() => {
                    drop(fields.insert(name.clone(), value));
                }
                None if is_required => return None,
                _ => {}
            }
        }
        Some(fields.into())
    }

    fn string(&mut self, schema: &Value) -> Option<Value> {
        let line = &self.lines[self.rng.usize(..self.lines.len())];
        let from = self.rng.usize(..line.len());
        let to = self.rng.usize(from + 1..=line.len());
        let text = line[from..to].join(" ");
        let count = text.chars().count() as u64;
        let fits = count >= schema["minLength"].as_u64().unwrap_or(1)
            && count <= schema["maxLength"].as_u64().unwrap_or(300);
        let matches = schema["pattern"].is_null()
            || text.chars().all(|char| char.is_ascii_uppercase() || char == '_');
        (fits && matches).then(|| json!(text))
    }

    fn number(&mut self, schema: &Value) -> Option<Value> {
        let words = self.lines.concat();
        let numbers = words.iter().filter_map(|word| serde_json::from_str::<Value>(word).ok());
        let is_whole = schema["type"] != "number";
        let fits = |number: &Value| {
            let value = number.as_f64().unwrap();
            (!is_whole || number.is_u64())
                && schema["minimum"].as_f64().is_none_or(|least| value >= least)
                && schema["maximum"].as_f64().is_none_or(|most| value <= most)
                && schema["exclusiveMinimum"].as_f64().is_none_or(|below| value > below)
        };
        let numbers: Vec<_> = numbers.filter(fits).collect();
        (!numbers.is_empty()).then(|| numbers[self.rng.usize(..numbers.len())].clone())
    }

    /// Whether every string and number in a value comes from the conversation.
    pub(super) fn is_grounded(&self, value: &Value, schema: &Value) -> bool {
        let mut schema = schema;
        while let Some(options) = schema.get("anyOf") {
            schema = &options[0];
        }
        let said = self.said();
        let is_said = |text: &str| said[0].lines().any(|line| line.contains(text));
        match value {
            Value::String(text) => {
                is_said(text)
                    || SIDES.contains(&text.as_str())
                    || (schema["format"] == "date" && text.len() == 10)
            }
            // 1.5 is a default.
            Value::Number(number) => {
                let value = number.as_f64().unwrap();
                let mut words = self.lines.iter().flatten();
                value == 1.5 || words.any(|word| word.parse::<f64>().is_ok_and(|it| it == value))
            }
            Value::Array(items) => items.iter().all(|it| self.is_grounded(it, &schema["items"])),
            Value::Object(fields) => fields.iter().all(|(name, value)| {
                let inner = &schema["properties"][name];
                if !inner.is_null() {
                    return self.composed.contains(name) || self.is_grounded(value, inner);
                }
                is_said(name) && self.is_grounded(value, &schema["additionalProperties"])
            }),
            _ => true,
        }
    }
}
