//! [`Record`]: values that a result returned together.
//!
//! An identifier is often unique only within something else: the number of a share within its
//! exchange, of an issue within its repository. Both halves may have been returned and still not
//! belong to each other.

use serde_json::{Map, Value};

use super::values::{canonical, escaped, is_data, is_identifier, shown};

/// Values that a result returned together: those of one object, the keys above it that are values
/// themselves, and the texts of the objects around it. Numbers around it count something, mostly; and
/// what an object says itself is not said for it by those around it.
pub(super) struct Record<'v> {
    pub(super) held: Vec<Held<'v>>,
}

#[derive(Clone)]
pub(super) struct Held<'v> {
    /// The name of the field; empty for a key that is a value itself.
    pub(super) key: &'v str,
    pub(super) value: String,
    pub(super) shown: String,
    pub(super) pointer: String,
    /// Whether it holds for the objects within, too.
    pub(super) reaches_down: bool,
}

impl<'v> Record<'v> {
    /// The value, where it stands for what a parameter of this name means: in the field of the same
    /// name if there is one, else in one that may identify something.
    pub(super) fn identified(&self, value: &str, name: &str) -> Option<&Held<'v>> {
        self.named(value, name, |it| identifies(it, name))
    }

    /// The value as what others belong to: in the field of this name if there is one, else anywhere.
    pub(super) fn owner(&self, value: &str, name: Option<&str>) -> Option<&Held<'v>> {
        self.named(value, name.unwrap_or_default(), |_| true)
    }

    fn named(
        &self,
        value: &str,
        name: &str,
        otherwise: impl Fn(&Held<'v>) -> bool,
    ) -> Option<&Held<'v>> {
        let same = |it: &&Held<'_>| !name.is_empty() && it.key.eq_ignore_ascii_case(name);
        let is_named = self.held.iter().any(|it| same(&it));
        // Those of the object itself stand behind those from above.
        let mut held = self.held.iter().rev().filter(|it| it.value == value);
        held.find(|it| if is_named { same(it) } else { otherwise(it) })
    }
}

/// Whether a value may be what a parameter of this name means. A number mostly counts or measures
/// something (a lot's size, a price), and is an identifier only where its field says so.
fn identifies(it: &Held<'_>, name: &str) -> bool {
    let is_number = it.value.parse::<f64>().is_ok();
    !is_number || it.key.is_empty() || is_identifier(it.key) || is_alike(it.key, name)
}

/// Whether two names end in the same word: `number` and `issue_number`, `id` and `ids`.
fn is_alike(key: &str, name: &str) -> bool {
    let last = |text: &str| {
        let word = text.rsplit(['_', '-']).next().unwrap_or(text).to_lowercase();
        word.strip_suffix('s').map(str::to_owned).unwrap_or(word)
    };
    last(key) == last(name)
}

/// Visits every record of a result.
pub(super) fn each_record<'v>(value: &'v Value, visit: &mut dyn FnMut(&Record<'v>)) {
    descend(value, &[], "", visit);
}

fn descend<'v>(
    value: &'v Value,
    above: &[Held<'v>],
    pointer: &str,
    visit: &mut dyn FnMut(&Record<'v>),
) {
    match value {
        Value::Object(map) => object(map, above, pointer, visit),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                // Rows of numbers are measurements, and there may be thousands of them.
                if item.is_array() {
                    break;
                }
                descend(item, above, &format!("{pointer}/{at}"), visit);
            }
        }
        _ => {}
    }
}

fn object<'v>(
    map: &'v Map<String, Value>,
    above: &[Held<'v>],
    pointer: &str,
    visit: &mut dyn FnMut(&Record<'v>),
) {
    // The segment of an underlying is its own, whatever that of the options around it.
    let mut held: Vec<_> = above.iter().filter(|it| !map.contains_key(it.key)).cloned().collect();
    for (name, inner) in map.iter().filter(|(name, _)| !is_data(name)) {
        scalars(name, inner, &format!("{pointer}/{}", escaped(name)), &mut held);
    }
    let record = Record { held };
    visit(&record);
    let inherited: Vec<_> = record.held.into_iter().filter(|it| it.reaches_down).collect();
    for (name, inner) in map {
        let pointer = format!("{pointer}/{}", escaped(name));
        if !is_data(name) {
            descend(inner, &inherited, &pointer, visit);
            continue;
        }
        let mut held = inherited.clone();
        held.push(Held {
            key: "",
            value: name.to_lowercase(),
            shown: name.clone(),
            pointer: pointer.clone(),
            reaches_down: true,
        });
        let below = held.clone();
        scalars("", inner, &pointer, &mut held);
        visit(&Record { held });
        descend(inner, &below, &pointer, visit);
    }
}

/// The value of a field, or the values of a list of them.
fn scalars<'v>(key: &'v str, value: &'v Value, pointer: &str, held: &mut Vec<Held<'v>>) {
    if let Value::Array(items) = value {
        let flat = items.iter().enumerate().take_while(|(_, it)| !it.is_array() && !it.is_object());
        for (at, item) in flat {
            scalars(key, item, &format!("{pointer}/{at}"), held);
        }
    } else if let Some(canonical) = canonical(value) {
        held.push(Held {
            key,
            value: canonical,
            shown: shown(value),
            pointer: pointer.to_owned(),
            reaches_down: value.is_string(),
        });
    }
}
