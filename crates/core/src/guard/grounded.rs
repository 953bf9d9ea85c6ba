//! [`Grounded`]: identifiers must be values that somebody really gave.

use serde_json::Value;

use super::{CallCheck, Guard, Refusal};
use crate::{
    Provenance, ValueOrigin,
    conversation::{Edit, Kinship, Pair, WebAddress, escaped},
    truncate_line,
};

/// Refuses a value the model made up, in parameters declared
/// [`grounded`](crate::ToolSpec::grounded): every value in them must have been returned by an
/// earlier result, typed by the user (into the call, too), or allowed here.
///
/// Some identifiers are unique only within something else. Those that stand below a key that is a
/// value (`{"IDX_I": [13]}`) must belong to it, and those declared
/// [`grounded_with`](crate::ToolSpec::grounded_with) another parameter to that one's value: they count
/// only together with what they came with, in one result or as one in what the user typed.
///
/// Addresses, in parameters whose schema says `format: uri`, must stand there as they are: letter by letter,
/// but for what makes no difference to an address.
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

    /// What the value at `at` in the parameter `name` must belong to, with the parameter that is in.
    fn owners<'a>(
        &self,
        name: &str,
        at: &str,
        check: &CallCheck<'a>,
    ) -> Vec<(Option<&'a str>, Value)> {
        let declared = check.spec.together.iter().filter(|(parameter, _)| parameter == name);
        let declared = declared.filter_map(|(_, other)| {
            Some((Some(other.as_str()), check.arguments.get(other)?.clone()))
        });
        let map = check.arguments.get(name).into_iter();
        let keys = map.flat_map(|map| data_keys(map, schema_of(name, check)));
        let above = keys.filter(|key| {
            let rest = at.strip_prefix(&format!("/{name}/{}", escaped(key)));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        declared.chain(above.map(|key| (None, Value::String(key.clone())))).collect()
    }

    /// Whether nothing needs to be known of how the two belong together: one was configured, or
    /// whoever decided about the call put it there.
    fn is_settled(&self, value: &Value, other: &Value, check: &CallCheck<'_>) -> bool {
        let configured = |it: &Value| self.allowed.iter().any(|allowed| loosely_equal(allowed, it));
        let typed = |it: &Value| {
            check
                .original_arguments
                .is_some_and(|wrote| Edit::new(wrote, check.arguments).gives(it))
        };
        [value, other].into_iter().any(|it| configured(it) || typed(it))
    }

    /// Holds each value to what it is said to belong to, and notes where a result returned both.
    fn hold_together(
        &self,
        name: &str,
        leaves: &mut [(Value, Provenance)],
        check: &CallCheck<'_>,
    ) -> Result<(), Refusal> {
        let mut asked = Vec::new();
        for (at, (leaf, provenance)) in leaves.iter().enumerate() {
            for (owner, other) in self.owners(name, &provenance.argument, check) {
                if !self.is_settled(leaf, &other, check)
                    && let Some(pair) = Pair::new((name, leaf), (owner, &other))
                {
                    let pair = pair.among(possible(name, owner, check));
                    asked.push((at, other, pair));
                }
            }
        }
        let (places, pairs): (Vec<_>, Vec<_>) =
            asked.into_iter().map(|(at, other, pair)| ((at, other), pair)).unzip();
        let origins = check.conversation.origins();
        let kinship = origins.kinship(&pairs);
        for (((at, other), pair), kinship) in places.iter().zip(&pairs).zip(kinship) {
            let Some((leaf, provenance)) = leaves.get_mut(*at) else { continue };
            match kinship {
                Kinship::Returned(source) => provenance.given = ValueOrigin::Result(source),
                Kinship::Said => {}
                Kinship::Apart => {
                    let said = match origins.of_owner(other) {
                        Some(_) => "were returned, but not together",
                        None => "were not returned together",
                    };
                    let known = origins.returned_together(pair, MOST);
                    return Err(apart(&shown(leaf), &shown(other), said, &known));
                }
                Kinship::Alone => return Err(alone(&shown(leaf), &shown(other))),
            }
        }
        Ok(())
    }

    fn address(&self, value: &Value, check: &CallCheck<'_>) -> Option<ValueOrigin> {
        if self.allowed.contains(value) {
            return Some(ValueOrigin::Configured);
        }
        let address = WebAddress::new(value.as_str()?)?;
        let typed = || {
            let edit = Edit::new(check.original_arguments?, check.arguments);
            edit.brings(&|text| address.stands_in(text)).then_some(ValueOrigin::User)
        };
        address.origin(check.conversation).or_else(typed)
    }

    fn origin(&self, value: &Value, check: &CallCheck<'_>) -> Option<ValueOrigin> {
        if self.allowed.iter().any(|allowed| loosely_equal(allowed, value)) {
            return Some(ValueOrigin::Configured);
        }
        let typed = || {
            check.original_arguments.is_some_and(|it| Edit::new(it, check.arguments).gives(value))
        };
        check.conversation.origins().of(value).or_else(|| typed().then_some(ValueOrigin::User))
    }

    /// Where a key comes from below which values stand. A search may have been narrowed by it, and
    /// what stands below it is held to what was returned together with it.
    fn owner(&self, key: &Value, inner: &Value, check: &CallCheck<'_>) -> Option<ValueOrigin> {
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

    fn check_call(&self, check: &CallCheck<'_>) -> Result<(), Refusal> {
        for name in &check.spec.grounded {
            let Some(value) = check.arguments.get(name) else { continue };
            for key in data_keys(value, schema_of(name, check)) {
                let inner = value.get(key).unwrap_or(&Value::Null);
                if self.owner(&Value::String(key.clone()), inner, check).is_none() {
                    return Err(refusal(check, name, key));
                }
            }
            let mut leaves = Vec::new();
            let is_address = check.spec.is_address(name);
            let origin = |leaf: &Value| match is_address && !leaf.is_null() {
                true => self.address(leaf, check),
                false => self.origin(leaf, check),
            };
            each_leaf(
                value,
                &mut format!("/{name}"),
                &mut |leaf, at| match (origin(leaf), leaf) {
                    (Some(given), _) => {
                        let argument = at.to_owned();
                        leaves.push((leaf.clone(), Provenance { argument, given }));
                        Ok(())
                    }
                    (None, Value::Null) => Ok(()),
                    (None, leaf) if is_address => Err(unknown_address(&shown(leaf))),
                    (None, leaf) => Err(refusal(check, name, &shown(leaf))),
                },
            )?;
            self.hold_together(name, &mut leaves, check)?;
            check.trace(leaves.into_iter().map(|(_, provenance)| provenance));
        }
        Ok(())
    }
}

fn schema_of<'a>(parameter: &str, check: &CallCheck<'a>) -> Option<&'a Value> {
    let fields = check.spec.parameters.get("properties");
    fields.and_then(|fields| fields.get(parameter))
}

/// What the parameter `owner` may be, or a key of the map in the parameter `name`: where the schema says.
fn possible<'a>(name: &str, owner: Option<&str>, check: &CallCheck<'a>) -> &'a [Value] {
    let schema = match owner {
        Some(owner) => schema_of(owner, check),
        None => schema_of(name, check).and_then(|schema| schema.get("propertyNames")),
    };
    let all = schema.and_then(|schema| schema.get("enum")).and_then(Value::as_array);
    all.map(Vec::as_slice).unwrap_or_default()
}

/// The keys of a map that are data (`{"IDX_I": [13]}`) and not names of fields.
fn data_keys<'a>(value: &'a Value, schema: Option<&'a Value>) -> impl Iterator<Item = &'a String> {
    let fields = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    let map = value.as_object().into_iter().flat_map(serde_json::Map::keys);
    map.filter(move |key| fields.is_none_or(|fields| !fields.contains_key(*key)))
}

/// How many values that exist a refusal tells.
const MOST: usize = 10;

fn apart(value: &str, other: &str, said: &str, known: &[String]) -> Refusal {
    let refusal = Refusal::new(format!(
        "The values `{value}` and `{other}` {said}: they do not belong to each other."
    ));
    if known.is_empty() {
        return refusal.instead("Use values that one result returned together.");
    }
    refusal.instead(format!("What belongs together: {}.", known.join(", ")))
}

fn alone(value: &str, other: &str) -> Refusal {
    let refusal = Refusal::new(format!(
        "It is not known that `{value}` belongs to `{other}`: no result returned them together, and the \
         user did not name them together."
    ));
    refusal.instead(format!(
        "First call the tool that returns both, and use them as it returns them; or have the user name \
         them side by side, as `{other} {value}`."
    ))
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

fn unknown_address(address: &str) -> Refusal {
    let address = truncate_line(address, LONGEST_ADDRESS);
    let refusal = Refusal::new(format!(
        "The address `{address}` was not given by the user and stands in no earlier result: an address is \
         not made up or put together."
    ));
    refusal.instead(
        "Use one exactly as it was given or returned, search for one, or ask the user for it.",
    )
}

/// How much of an address a refusal repeats.
const LONGEST_ADDRESS: usize = 120;

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
