//! [`shapes`]: a JSON Schema as the plain ones that it stands for.
//!
//! A plain schema has no `$ref`, `allOf`, `anyOf` or `oneOf`: what these say was put into it. Whatever fits one of the plain ones
//! fits the schema.

use serde_json::{Map, Value};

use super::merge::{are_apart, merged};

/// What a schema is made of that values can be written for.
pub(super) type Shapes = Result<Vec<Value>, Unwritable>;

/// What a schema asks that a model cannot be held to while it writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unwritable(pub(super) String);

impl Unwritable {
    pub(super) fn keyword(keyword: &str) -> Self {
        Self(format!("`{keyword}`"))
    }
}

/// What values are not looked at for while they are written.
const UNWRITABLE: &[&str] = &[
    "not",
    "if",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "contains",
    "patternProperties",
    "unevaluatedItems",
    "additionalItems",
    "$dynamicRef",
    "$recursiveRef",
];
/// How many plain schemas one stands for.
const MOST: usize = 64;
/// How deep references and choices lead into each other.
const DEPTH: usize = 12;

/// The plain schemas that a schema stands for; none where nothing fits. `$ref`s lead into `root`.
///
/// # Errors
/// Where it asks something that a model cannot be held to.
pub(super) fn shapes(schema: &Value, root: &Value) -> Shapes {
    within(schema, root, DEPTH, Choices::Some)
}

/// Whether all choices must be known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choices {
    /// Those that can be written do: values of the others are not written.
    Some,
    /// All: whether a value fits another choice is asked.
    All,
}

fn within(schema: &Value, root: &Value, depth: usize, choices: Choices) -> Shapes {
    let fields = match schema {
        Value::Bool(true) => return Ok(vec![Value::Object(Map::new())]),
        Value::Bool(false) => return Ok(Vec::new()),
        Value::Object(fields) => fields,
        _ => return Err(Unwritable("something that is no schema".to_owned())),
    };
    let Some(depth) = depth.checked_sub(1) else {
        return Err(Unwritable("a `$ref` that leads back to itself".to_owned()));
    };
    if let Some(keyword) = UNWRITABLE.iter().find(|it| fields.contains_key(**it)) {
        return Err(Unwritable::keyword(keyword));
    }
    let is_plain = |name: &str| !matches!(name, "$ref" | "allOf" | "anyOf" | "oneOf" | "const");
    let plain = fields.iter().filter(|(name, _)| is_plain(name));
    let mut base: Map<String, Value> = plain.map(|(name, it)| (name.clone(), it.clone())).collect();
    let mut parts = Vec::new();
    if let Some(only) = fields.get("const") {
        match base.contains_key("enum") {
            true => parts.push(vec![serde_json::json!({"enum": [only]})]),
            false => drop(base.insert("enum".to_owned(), Value::Array(vec![only.clone()]))),
        }
    }
    if let Some(reference) = fields.get("$ref").and_then(Value::as_str) {
        let target = reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
        let missing = || Unwritable(format!("the `$ref` {reference}, which leads nowhere here"));
        parts.push(within(target.ok_or_else(missing)?, root, depth, choices)?);
    }
    let list = |name: &str| fields.get(name).and_then(Value::as_array);
    for all in list("allOf").into_iter().flatten() {
        parts.push(within(all, root, depth, choices)?);
    }
    if let Some(any) = list("anyOf") {
        parts.push(union(any, root, depth, choices)?);
    }
    let mut made = crossed(vec![Value::Object(base)], parts)?;
    if let Some(one) = list("oneOf") {
        made = alone(&made, one, root, depth)?;
    }
    Ok(made)
}

/// What fits any of some schemas. One that nothing can be written for is left out, while there are others and they
/// need not all be known.
fn union(schemas: &[Value], root: &Value, depth: usize, choices: Choices) -> Shapes {
    let (mut all, mut failed) = (Vec::new(), None);
    for schema in schemas {
        match within(schema, root, depth, choices) {
            Ok(more) => all.extend(more),
            Err(error) => failed = Some(error),
        }
    }
    match failed {
        Some(error) if all.is_empty() || choices == Choices::All => Err(error),
        _ => Ok(all),
    }
}

/// What fits one of each of these.
fn crossed(first: Vec<Value>, parts: Vec<Vec<Value>>) -> Shapes {
    let mut all = first;
    for part in parts {
        let mut next = Vec::new();
        for (one, other) in all.iter().flat_map(|one| part.iter().map(move |it| (one, it))) {
            next.extend(merged(one, other)?);
            if next.len() > MOST {
                return Err(Unwritable("too many choices within choices".to_owned()));
            }
        }
        all = next;
    }
    Ok(all)
}

/// What fits one of the choices and no other.
fn alone(base: &[Value], choices: &[Value], root: &Value, depth: usize) -> Shapes {
    let known = |it: &Value| within(it, root, depth, Choices::All);
    let choices = choices.iter().map(|it| crossed(base.to_vec(), vec![known(it)?]));
    let choices = choices.collect::<Result<Vec<_>, _>>()?;
    for (at, choice) in choices.iter().enumerate() {
        let mut others = choices.iter().skip(at + 1).flatten();
        if others.any(|other| !choice.iter().all(|it| are_apart(it, other, root))) {
            return Err(Unwritable("`oneOf` whose choices can fit at the same time".to_owned()));
        }
    }
    Ok(choices.into_iter().flatten().collect())
}
