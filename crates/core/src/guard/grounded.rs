//! [`Grounded`]: identifiers must be values that somebody really gave.

use serde_json::Value;

use super::{CallCheck, Guard, Refusal};
use crate::{Given, Provenance, conversation::escaped};

/// Refuses a value the model made up, in parameters declared
/// [`grounded`](crate::ToolSpec::grounded): every value in them must have been returned by an
/// earlier result, typed by the user, or allowed here.
#[derive(Clone, Debug, Default)]
pub struct Grounded {
    allowed: Vec<Value>,
}

impl Grounded {
    /// Allows a value that is known beforehand, from configuration say.
    #[must_use]
    pub fn allow(mut self, value: impl Into<Value>) -> Self {
        self.allowed.push(value.into());
        self
    }

    fn origin(&self, value: &Value, check: &CallCheck<'_>) -> Option<Given> {
        if self.allowed.iter().any(|allowed| loosely_equal(allowed, value)) {
            return Some(Given::Configured);
        }
        check.conversation.origins().of(value)
    }
}

impl Guard for Grounded {
    fn name(&self) -> &str {
        "grounded"
    }

    fn check_call(&self, check: &CallCheck<'_>) -> Result<Vec<Provenance>, Refusal> {
        let mut provenance = Vec::new();
        for name in &check.spec.grounded {
            let Some(value) = check.arguments.get(name) else { continue };
            let fields = check.spec.parameters.get("properties");
            let schema = fields.and_then(|fields| fields.get(name));
            for key in data_keys(value, schema) {
                if self.origin(&Value::String(key.clone()), check).is_none() {
                    return Err(refusal(check, name, key));
                }
            }
            each_leaf(
                value,
                &mut format!("/{name}"),
                &mut |leaf, at| match self.origin(leaf, check) {
                    Some(given) => {
                        provenance.push(Provenance { argument: at.to_owned(), given });
                        Ok(())
                    }
                    None if leaf.is_null() => Ok(()),
                    None => Err(refusal(check, name, &shown(leaf))),
                },
            )?;
        }
        Ok(provenance)
    }
}

/// The keys of a map that are data (`{"IDX_I": [13]}`) and not names of fields.
fn data_keys<'a>(value: &'a Value, schema: Option<&'a Value>) -> impl Iterator<Item = &'a String> {
    let fields = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    let map = value.as_object().into_iter().flat_map(serde_json::Map::keys);
    map.filter(move |key| fields.is_none_or(|fields| !fields.contains_key(*key)))
}

fn refusal(check: &CallCheck<'_>, parameter: &str, value: &str) -> Refusal {
    const MOST: usize = 10;
    let refusal = Refusal::new(format!(
        "The value `{value}` for `{parameter}` was not returned by any earlier result and was not given by the user."
    ));
    let known = check.conversation.origins().returned_under(parameter, MOST);
    if known.is_empty() {
        return refusal.instead("No values are known yet: first call the tool that returns them.");
    }
    let known: Vec<String> = known
        .into_iter()
        .map(|(key, value, tool)| format!("{key} {value} (from {tool})"))
        .collect();
    refusal.instead(format!("Values that exist: {}.", known.join(", ")))
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn loosely_equal(a: &Value, b: &Value) -> bool {
    a == b || shown(a).eq_ignore_ascii_case(&shown(b))
}

/// Visits every leaf of `value` with its JSON pointer, until `visit` fails.
fn each_leaf<E>(
    value: &Value,
    pointer: &mut String,
    visit: &mut impl FnMut(&Value, &str) -> Result<(), E>,
) -> Result<(), E> {
    let depth = pointer.len();
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                pointer.push('/');
                pointer.push_str(&escaped(key));
                each_leaf(inner, pointer, visit)?;
                pointer.truncate(depth);
            }
            Ok(())
        }
        Value::Array(items) => {
            for (at, inner) in items.iter().enumerate() {
                pointer.push_str(&format!("/{at}"));
                each_leaf(inner, pointer, visit)?;
                pointer.truncate(depth);
            }
            Ok(())
        }
        leaf => visit(leaf, pointer),
    }
}
