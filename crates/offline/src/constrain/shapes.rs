//! [`shapes`]: a JSON Schema as the plain ones that it stands for.
//!
//! A plain schema has no `$ref`, `allOf`, `anyOf` or `oneOf`: what these say was put into it. Whatever fits one of the plain ones
//! fits the schema.

use serde_json::{Map, Value};

use super::merge::merged;

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
/// What is put into the plain schemas that stand for one.
const COMPOSED: &[&str] =
    &["$ref", "allOf", "anyOf", "oneOf", "const", "unevaluatedProperties", "$id"];
/// How many plain schemas one stands for.
const MOST: usize = 64;
/// How deep references and choices lead into each other.
const DEPTH: usize = 12;
/// How many schemas are looked at for one: a short one may lead to as many as it likes.
const VISITS: usize = 4_096;

/// The plain schemas that a schema stands for; none where nothing fits. `$ref`s lead into `root`.
///
/// # Errors
/// Where it asks something that a model cannot be held to.
pub(super) fn shapes(schema: &Value, root: &Value) -> Shapes {
    Reader::new(root).within(schema, DEPTH, Choices::Some)
}

/// Whether all choices must be known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choices {
    /// Those that can be written do: values of the others are not written.
    Some,
    /// All: whether a value fits another choice is asked.
    All,
}

/// Reads a schema.
pub(super) struct Reader<'a> {
    root: &'a Value,
    /// How many more schemas are looked at.
    left: usize,
    /// How deep in values it reads.
    depth: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(root: &'a Value) -> Self {
        Self { root, left: VISITS, depth: 0 }
    }

    /// Reads on in a property's schema.
    ///
    /// # Errors
    /// Where that is too deep.
    pub(super) fn inside<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Unwritable>,
    ) -> Result<T, Unwritable> {
        if self.depth >= DEPTH {
            return Err(too_many());
        }
        self.depth += 1;
        let done = read(self);
        self.depth -= 1;
        done
    }

    /// The plain schemas of all that fits a schema, whether or not it can be written.
    ///
    /// # Errors
    /// Where that cannot be said in plain schemas.
    pub(super) fn all(&mut self, schema: &Value) -> Shapes {
        self.within(schema, DEPTH, Choices::All)
    }

    fn within(&mut self, schema: &Value, depth: usize, choices: Choices) -> Shapes {
        let fields = match schema {
            Value::Bool(true) => return Ok(vec![Value::Object(Map::new())]),
            Value::Bool(false) => return Ok(Vec::new()),
            Value::Object(fields) => fields,
            _ => return Err(Unwritable("something that is no schema".to_owned())),
        };
        let Some(depth) = depth.checked_sub(1) else {
            return Err(Unwritable("a `$ref` that leads back to itself".to_owned()));
        };
        self.left = self.left.checked_sub(1).ok_or_else(too_many)?;
        self.check(schema, fields, choices)?;
        let is_plain = |name: &str| !COMPOSED.contains(&name);
        let plain = fields.iter().filter(|(name, _)| is_plain(name));
        let mut base: Map<String, Value> =
            plain.map(|(name, it)| (name.clone(), it.clone())).collect();
        let mut parts = Vec::new();
        if let Some(only) = fields.get("const") {
            match base.contains_key("enum") {
                true => parts.push(vec![serde_json::json!({"enum": [only]})]),
                false => drop(base.insert("enum".to_owned(), Value::Array(vec![only.clone()]))),
            }
        }
        if let Some(reference) = fields.get("$ref").and_then(Value::as_str) {
            let target = reference.strip_prefix('#').and_then(|it| self.root.pointer(it));
            let missing =
                || Unwritable(format!("the `$ref` {reference}, which leads nowhere here"));
            parts.push(self.within(target.ok_or_else(missing)?, depth, choices)?);
        }
        let list = |name: &str| fields.get(name).and_then(Value::as_array);
        for all in list("allOf").into_iter().flatten() {
            parts.push(self.within(all, depth, choices)?);
        }
        if let Some(any) = list("anyOf") {
            parts.push(self.union(any, depth, choices)?);
        }
        let mut made = crossed(vec![Value::Object(base)], parts)?;
        if let Some(one) = list("oneOf") {
            made = self.alone(&made, one, depth)?;
        }
        if let Some(rest) = fields.get("unevaluatedProperties") {
            made.iter_mut().filter_map(Value::as_object_mut).for_each(|it| {
                it.entry("additionalProperties").or_insert_with(|| rest.clone());
            });
        }
        Ok(made)
    }

    /// Whether nothing stands in a schema that cannot be seen to.
    fn check(
        &self,
        schema: &Value,
        fields: &Map<String, Value>,
        choices: Choices,
    ) -> Result<(), Unwritable> {
        if let Some(keyword) = UNWRITABLE.iter().find(|it| fields.contains_key(**it)) {
            return Err(Unwritable::keyword(keyword));
        }
        // `$ref`s in it lead into itself, and not into the whole.
        if fields.contains_key("$id") && !std::ptr::eq(schema, self.root) {
            return Err(Unwritable::keyword("$id"));
        }
        // Which properties that leaves depends on the choices that fit beside the one that is written.
        if choices == Choices::All && fields.contains_key("unevaluatedProperties") {
            return Err(Unwritable::keyword("unevaluatedProperties"));
        }
        Ok(())
    }

    /// What fits any of some schemas. One that nothing can be written for is left out, while there are others and they
    /// need not all be known.
    fn union(&mut self, schemas: &[Value], depth: usize, choices: Choices) -> Shapes {
        let (mut all, mut failed) = (Vec::new(), None);
        for schema in schemas {
            match self.within(schema, depth, choices) {
                Ok(more) => all.extend(more),
                Err(error) => failed = Some(error),
            }
        }
        match failed {
            Some(error) if all.is_empty() || choices == Choices::All => Err(error),
            _ => Ok(all),
        }
    }

    /// What fits one of the choices and no other.
    fn alone(&mut self, base: &[Value], choices: &[Value], depth: usize) -> Shapes {
        let mut known = Vec::new();
        for choice in choices {
            let shapes = self.within(choice, depth, Choices::All)?;
            known.push(crossed(base.to_vec(), vec![shapes])?);
        }
        for (at, choice) in known.iter().enumerate() {
            for other in known.iter().skip(at + 1).flatten() {
                if !choice.iter().all(|it| self.are_apart(it, other)) {
                    return Err(Unwritable(
                        "`oneOf` whose choices can fit at the same time".to_owned(),
                    ));
                }
            }
        }
        Ok(known.into_iter().flatten().collect())
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
                return Err(too_many());
            }
        }
        all = next;
    }
    Ok(all)
}

fn too_many() -> Unwritable {
    Unwritable("too many choices within choices".to_owned())
}
