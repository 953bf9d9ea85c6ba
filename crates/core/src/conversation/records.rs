//! [`Record`]: values that a result returned together.
//!
//! An identifier is often unique only within something else: the number of a share within its
//! exchange, of an issue within its repository. Both halves may have been returned and still not
//! belong to each other.

use serde_json::{Map, Value};

use super::{
    Source,
    values::{Origins, canonical, escaped, is_data, shown},
};
use crate::ToolMessage;

/// Values that a result returned together: those of one object, the keys above it that are values
/// themselves, and the texts of the objects around it. Numbers around it count something, mostly.
pub(crate) struct Record<'v> {
    held: Vec<Held<'v>>,
}

#[derive(Clone)]
struct Held<'v> {
    /// The name of the field; empty for a key that is a value itself.
    key: &'v str,
    value: String,
    shown: String,
    pointer: String,
    /// Whether it holds for the objects within, too.
    reaches_down: bool,
}

/// Whether two values belong to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kinship {
    /// A result returned them together; here is the first of them.
    Together(Source),
    /// Both were returned, but never together. Here is what was, in words.
    Apart(Vec<String>),
    /// At least one of them is in no record: there is nothing to hold the other against.
    Unknown,
}

impl Origins<'_> {
    /// Whether `value` belongs to `other`, by what results have returned.
    pub(crate) fn kinship(&self, value: &Value, other: &Value, most: usize) -> Kinship {
        let (Some(value), Some(other)) = (canonical(value), canonical(other)) else {
            return Kinship::Unknown;
        };
        let (mut key, mut other_key, mut found) = (None, None, None);
        self.each_record(&mut |record, result| {
            let (one, two) = (record.find(&value), record.find(&other));
            if let (Some(one), Some(_), None) = (one, two, &found) {
                let (call, tool) = (result.call.clone(), result.name.clone());
                found = Some(Source { call, tool, pointer: one.pointer.clone() });
            }
            key = key.take().or_else(|| one.map(|it| it.key.to_owned()));
            other_key = other_key.take().or_else(|| two.map(|it| it.key.to_owned()));
        });
        match (found.or_else(|| self.together_before(&value, &other)), key, other_key) {
            (Some(source), ..) => Kinship::Together(source),
            (None, Some(key), Some(other)) => Kinship::Apart(self.pairs(&other, &key, most)),
            _ => Kinship::Unknown,
        }
    }

    /// Values that were returned together under these two keys, the newest first, in words.
    fn pairs(&self, first: &str, second: &str, most: usize) -> Vec<String> {
        let mut pairs = Vec::new();
        self.each_record(&mut |record, result| {
            let under = |key: &str| record.held.iter().find(|it| it.key == key);
            if let (Some(one), Some(two)) = (under(first), under(second))
                && !first.is_empty()
                && !second.is_empty()
            {
                let pair = format!(
                    "{first} {} with {second} {} (from {})",
                    one.shown, two.shown, result.name
                );
                if pairs.len() < most && !pairs.contains(&pair) {
                    pairs.push(pair);
                }
            }
        });
        pairs
    }

    /// Whether both stood in one object of a result that a digest stands for.
    fn together_before(&self, value: &str, other: &str) -> Option<Source> {
        let returned = &self.conversation().shortened()?.returned;
        let is_near = |a: &Source, b: &Source| {
            let (near, far) = (parent(&a.pointer), parent(&b.pointer));
            a.call == b.call
                && (near == far
                    || is_below(&a.pointer, &b.pointer)
                    || is_below(&b.pointer, &a.pointer))
        };
        let ones = returned.iter().rev().filter(|it| it.value == value);
        let twos: Vec<_> = returned.iter().filter(|it| it.value == other).collect();
        let mut ones = ones.map(|it| &it.source);
        ones.find(|one| twos.iter().any(|two| is_near(one, &two.source))).cloned()
    }

    /// Visits every record of every result, the newest result first.
    fn each_record(&self, visit: &mut dyn FnMut(&Record<'_>, &ToolMessage)) {
        for result in self.conversation().results().rev().filter(|it| it.outcome.status.is_ok()) {
            if let Ok(value) = result.outcome.value() {
                descend(&value, &[], "", &mut |record| visit(record, result));
            }
        }
    }
}

impl Record<'_> {
    fn find(&self, value: &str) -> Option<&Held<'_>> {
        // Those of the object itself stand behind those from above.
        self.held.iter().rev().find(|it| it.value == value)
    }
}

fn parent(pointer: &str) -> &str {
    pointer.rsplit_once('/').map_or("", |(parent, _)| parent)
}

fn is_below(pointer: &str, above: &str) -> bool {
    pointer.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
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
    let mut held = above.to_vec();
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
