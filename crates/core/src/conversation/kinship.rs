//! [`Kinship`]: whether an identifier came with what it is said to belong to.
//!
//! `13` is an index in one segment and a company in another. So an identifier counts only together
//! with what it came with: in one record of a result, in one text, or side by side in what the user
//! typed. That nothing is known about the other half does not make it belong.

use std::collections::HashMap;

use serde_json::Value;

use super::{
    ResultLocation, ReturnedValue,
    beside::Beside,
    records::{Held, Record, each_record},
    values::{ValueOrigins, canonical},
};
use crate::{Author, Message, ToolMessage};

/// An identifier and what it is said to belong to.
pub(crate) struct Pair<'a> {
    value: String,
    /// The parameter the identifier stands in.
    name: &'a str,
    other: String,
    /// The parameter the other stands in; none where it is a key above the identifier.
    owner: Option<&'a str>,
    /// What the other could be instead, in small letters, where that is known.
    rivals: Vec<String>,
}

/// Whether an identifier came with what it is said to belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kinship {
    /// A result returned them together; here is the newest.
    Returned(ResultLocation),
    /// The user named them together.
    Said,
    /// The identifier was returned, but with something else.
    Apart,
    /// The identifier is known, but nothing it belongs to.
    Alone,
}

impl<'a> Pair<'a> {
    /// A pair of two values; none where one of them identifies nothing.
    pub(crate) fn new(
        (name, value): (&'a str, &Value),
        (owner, other): (Option<&'a str>, &Value),
    ) -> Option<Self> {
        let (value, other) = (canonical(value)?, canonical(other)?);
        Some(Self { value, name, other, owner, rivals: Vec::new() })
    }

    /// The same where the other is one of these.
    pub(crate) fn among(mut self, all: &[Value]) -> Self {
        self.rivals = all.iter().filter_map(canonical).collect();
        self
    }

    /// Whether a text names the two as one.
    fn is_said(&self, text: &str) -> bool {
        let Self { value, other: owner, rivals, .. } = self;
        Beside { value, owner, rivals }.is_said(text)
    }

    /// Where the record holds both. What it only repeats of its call's arguments, it did not return:
    /// not where both are repeated.
    fn found<'r, 'v>(
        &self,
        record: &'r Record<'v>,
        is_echo: &dyn Fn(&Held<'v>) -> bool,
    ) -> Option<&'r Held<'v>> {
        let value = record.identified(&self.value, self.name)?;
        let other = record.owner(&self.other, self.owner)?;
        (!is_echo(value) || !is_echo(other)).then_some(value)
    }
}

impl ValueOrigins<'_> {
    /// How the halves of each pair belong together, by what was returned and said. One look at the
    /// conversation, however many pairs.
    pub(crate) fn kinship(&self, pairs: &[Pair<'_>]) -> Vec<Kinship> {
        let mut kinship: Vec<Option<Kinship>> = vec![None; pairs.len()];
        if pairs.is_empty() {
            return Vec::new();
        }
        let mut wanted: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, pair) in pairs.iter().enumerate() {
            wanted.entry(&pair.value).or_default().push(at);
        }
        let index = self.conversation().grown();
        self.each_record(&mut |record, result| {
            let is_echo = |it: &Held<'_>| index.is_echo(&result.call, &it.value);
            for at in record.held.iter().filter_map(|it| wanted.get(it.value.as_str())).flatten() {
                let (Some(pair), Some(known)) = (pairs.get(*at), kinship.get_mut(*at)) else {
                    continue;
                };
                if matches!(known, Some(Kinship::Returned(_))) {
                    continue;
                }
                if let Some(found) = pair.found(record, &is_echo) {
                    *known = Some(Kinship::Returned(source(result, found.pointer.clone())));
                } else if record.identified(&pair.value, pair.name).is_some() {
                    *known = Some(Kinship::Apart);
                }
            }
        });
        let pairs = pairs.iter().zip(kinship);
        pairs.map(|(pair, known)| self.beyond_records(pair, known)).collect()
    }

    /// The same, by what else may tell where the records do not.
    fn beyond_records(&self, pair: &Pair<'_>, known: Option<Kinship>) -> Kinship {
        match known {
            Some(found @ Kinship::Returned(_)) => found,
            known => match self.remembered(pair).or_else(|| self.in_words(pair)) {
                Some(found) => found,
                None if self.was_said(pair) => Kinship::Said,
                None => self.outside(pair).or(known).unwrap_or(Kinship::Alone),
            },
        }
    }

    /// The same in the conversation in the course of which this one was begun.
    fn outside(&self, pair: &Pair<'_>) -> Option<Kinship> {
        let outer = self.conversation().outer()?.origins();
        let found = outer.kinship(std::slice::from_ref(pair)).pop()?;
        (!matches!(found, Kinship::Alone)).then_some(found)
    }

    /// A result that is text and says both as one.
    fn in_words(&self, pair: &Pair<'_>) -> Option<Kinship> {
        let index = self.conversation().grown();
        let found = self.conversation().results().rev().find(|it| {
            let text = it.outcome.said();
            let is_echo = |word: &str| index.is_echo(&it.call, word);
            it.outcome.status.is_ok()
                && it.outcome.value().is_err()
                && pair.is_said(text)
                && !(is_echo(&pair.value) && is_echo(&pair.other))
        });
        found.map(|it| Kinship::Returned(source(it, String::new())))
    }

    /// Whether the user named both as one, or put them together in a call: that `13` stands somewhere
    /// in the question says nothing about the segment at its end.
    fn was_said(&self, pair: &Pair<'_>) -> bool {
        let said = self.conversation().messages().iter().any(|message| {
            matches!(&**message, Message::User(user)
                if user.origin == Author::Person && user.given().any(|it| pair.is_said(it)))
        });
        let digest = || self.conversation().compacted();
        said || self.conversation().edits().any(|edit| {
            let mut holds = false;
            each_record(edit.ran(), &mut |record| {
                holds |= pair.found(record, &|_| false).is_some();
            });
            holds && edit.touches(&pair.value, &pair.other)
        }) || digest().is_some_and(|digest| digest.said.iter().any(|text| pair.is_said(text)))
    }

    /// A result that a digest stands for.
    fn remembered(&self, pair: &Pair<'_>) -> Option<Kinship> {
        let returned = &self.conversation().compacted()?.returned;
        let ones = returned.iter().rev().filter(|it| it.value == pair.value);
        let found = ones.map(|one| (one, around(one, returned))).find(|(one, held)| {
            let record = Record { held: held.iter().map(|it| as_held(it)).collect() };
            let echoed = |it: &Held<'_>| {
                held.iter().any(|known| known.echoed && known.source.pointer == it.pointer)
            };
            pair.found(&record, &echoed).is_some_and(|it| it.pointer == one.source.pointer)
        });
        found.map(|(one, _)| Kinship::Returned(one.source.clone()))
    }

    /// What was returned together under such names, the newest first, in words.
    pub(crate) fn returned_together(&self, pair: &Pair<'_>, most: usize) -> Vec<String> {
        let mut first = pair.owner.map(str::to_owned);
        let mut second = None;
        self.each_record(&mut |record, _| {
            let key = |it: &Held<'_>| (!it.key.is_empty()).then(|| it.key.to_owned());
            let (one, two) = (record.identified(&pair.value, pair.name), &pair.other);
            second = second.take().or_else(|| one.and_then(key));
            first = first.take().or_else(|| record.owner(two, None).and_then(key));
        });
        let (Some(first), Some(second)) = (first, second) else { return Vec::new() };
        let (mut pairs, index) = (Vec::new(), self.conversation().grown());
        self.each_record(&mut |record, result| {
            let under = |key: &str| record.held.iter().find(|it| it.key == key);
            let is_echo = |it: &Held<'_>| index.is_echo(&result.call, &it.value);
            if let (Some(one), Some(two)) = (under(&first), under(&second))
                && !(is_echo(one) && is_echo(two))
            {
                let (one, two, tool) = (&one.shown, &two.shown, &result.name);
                let told = format!("{first} {one} with {second} {two} (from {tool})");
                if pairs.len() < most && !pairs.contains(&told) {
                    pairs.push(told);
                }
            }
        });
        pairs
    }

    /// Visits every record of every result, the newest result first.
    fn each_record(&self, visit: &mut dyn FnMut(&Record<'_>, &ToolMessage)) {
        for result in self.conversation().results().rev().filter(|it| it.outcome.status.is_ok()) {
            if let Ok(value) = result.outcome.value() {
                each_record(&value, &mut |record| visit(record, result));
            }
        }
    }
}

fn source(result: &ToolMessage, pointer: String) -> ResultLocation {
    ResultLocation { call: result.call.clone(), tool: result.name.clone(), pointer }
}

/// What stood in one record with `one`, of a result of which only its values are left: what is in the
/// same object, and the texts around it that no nearer field of the same name replaces.
fn around<'a>(one: &ReturnedValue, returned: &'a [ReturnedValue]) -> Vec<&'a ReturnedValue> {
    let at = &one.source.pointer;
    let reaches = |it: &&ReturnedValue| {
        let (from, same) = (parent(&it.source.pointer), parent(at));
        let is_text = it.value.parse::<f64>().is_err();
        it.source.call == one.source.call
            && (from == same
                || is_below(at, &it.source.pointer)
                || (one.key.is_empty() && from == at)
                || (is_text && !it.key.is_empty() && is_below(at, from)))
    };
    let held: Vec<_> = returned.iter().filter(reaches).collect();
    let is_replaced = |it: &ReturnedValue| {
        let depth = parent(&it.source.pointer).len();
        held.iter().any(|other| {
            !it.key.is_empty() && other.key == it.key && parent(&other.source.pointer).len() > depth
        })
    };
    held.iter().copied().filter(|it| !is_replaced(it)).collect()
}

fn as_held(it: &ReturnedValue) -> Held<'_> {
    Held {
        key: &it.key,
        value: it.value.clone(),
        shown: it.value.clone(),
        pointer: it.source.pointer.clone(),
        reaches_down: false,
    }
}

fn parent(pointer: &str) -> &str {
    pointer.rsplit_once('/').map_or("", |(parent, _)| parent)
}

fn is_below(pointer: &str, above: &str) -> bool {
    pointer.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
}
