//! [`Grounded`]: identifiers must be values that somebody really gave.

use serde_json::Value;

use super::{CallCheck, Guard, Refusal};
use crate::{
    Given, Provenance,
    conversation::{Edit, Kinship, escaped},
};

/// Refuses a value the model made up, in parameters declared
/// [`grounded`](crate::ToolSpec::grounded): every value in them must have been returned by an
/// earlier result, typed by the user (into the call, too), or allowed here.
///
/// Some identifiers are unique only within something else. Those that stand below a key that is a
/// value (`{"IDX_I": [13]}`) must belong to it, and those declared
/// [`grounded_with`](crate::ToolSpec::grounded_with) another parameter to that one's value: where
/// results returned both, one of them must have returned them together.
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

    /// What the value at `at` in the parameter `name` must belong to.
    fn owners(&self, name: &str, at: &str, check: &CallCheck<'_>) -> Vec<Value> {
        let declared = check.spec.together.iter().filter(|(parameter, _)| parameter == name);
        let declared = declared.filter_map(|(_, other)| check.arguments.get(other).cloned());
        let fields = check.spec.parameters.get("properties");
        let schema = fields.and_then(|fields| fields.get(name));
        let map = check.arguments.get(name).into_iter();
        let keys = map.flat_map(|map| data_keys(map, schema));
        let above = keys.filter(|key| {
            let rest = at.strip_prefix(&format!("/{name}/{}", escaped(key)));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        declared.chain(above.cloned().map(Value::String)).collect()
    }

    /// Where `value` was returned together with `other`; nothing where that cannot be told.
    fn beside(
        &self,
        value: &Value,
        other: &Value,
        check: &CallCheck<'_>,
    ) -> Result<Option<Given>, Refusal> {
        let configured = |it: &Value| self.allowed.iter().any(|allowed| loosely_equal(allowed, it));
        if configured(value) || configured(other) {
            return Ok(None);
        }
        match check.conversation.origins().kinship(value, other, MOST) {
            Kinship::Together(source) => Ok(Some(Given::Result(source))),
            Kinship::Unknown => Ok(None),
            Kinship::Apart(pairs) => Err(apart(&shown(value), &shown(other), &pairs)),
        }
    }

    fn origin(&self, value: &Value, check: &CallCheck<'_>) -> Option<Given> {
        if self.allowed.iter().any(|allowed| loosely_equal(allowed, value)) {
            return Some(Given::Configured);
        }
        let typed = || check.wrote.is_some_and(|it| Edit::new(it, check.arguments).gives(value));
        check.conversation.origins().of(value).or_else(|| typed().then_some(Given::User))
    }

    /// Where a key comes from below which values stand. A search may have been narrowed by it, and
    /// what stands below it is held to what was returned together with it.
    fn owner(&self, key: &Value, inner: &Value, check: &CallCheck<'_>) -> Option<Given> {
        let narrowed = || {
            let mut owned = false;
            let _ = each_leaf(inner, &mut String::new(), &mut |leaf, _| {
                owned |= !leaf.is_null();
                Ok::<_, ()>(())
            });
            owned.then(|| check.conversation.origins().of_owner(key)).flatten()
        };
        self.origin(key, check).or_else(narrowed)
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
                let inner = value.get(key).unwrap_or(&Value::Null);
                if self.owner(&Value::String(key.clone()), inner, check).is_none() {
                    return Err(refusal(check, name, key));
                }
            }
            each_leaf(value, &mut format!("/{name}"), &mut |leaf, at| {
                let Some(given) = self.origin(leaf, check) else {
                    return match leaf {
                        Value::Null => Ok(()),
                        leaf => Err(refusal(check, name, &shown(leaf))),
                    };
                };
                let mut given = given;
                for other in self.owners(name, at, check) {
                    given = self.beside(leaf, &other, check)?.unwrap_or(given);
                }
                provenance.push(Provenance { argument: at.to_owned(), given });
                Ok(())
            })?;
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

/// How many values that exist a refusal tells.
const MOST: usize = 10;

fn apart(value: &str, other: &str, pairs: &[String]) -> Refusal {
    let refusal = Refusal::new(format!(
        "The values `{value}` and `{other}` were returned, but not together: they do not belong to each other."
    ));
    if pairs.is_empty() {
        return refusal.instead("Use values that one result returned together.");
    }
    refusal.instead(format!("What belongs together: {}.", pairs.join(", ")))
}

fn refusal(check: &CallCheck<'_>, parameter: &str, value: &str) -> Refusal {
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
