//! [`Edit`]: what somebody changed in a call's arguments before it ran.
//!
//! Whoever decides about a call may change it. What they typed is theirs, as if they had said it;
//! what they left as the model wrote it is not.

use std::{borrow::Cow, sync::Arc};

use serde_json::Value;

use super::{
    Conversation,
    values::{Leaf, canonical, each_leaf, says},
};
use crate::Message;

/// What somebody changed in a call's arguments.
pub(crate) struct Edit<'a> {
    /// As the model wrote them.
    wrote: Cow<'a, Value>,
    /// As they were changed.
    ran: &'a Value,
}

impl Conversation {
    /// What people changed in calls that ran, oldest first.
    pub(crate) fn edits(&self) -> impl Iterator<Item = Edit<'_>> {
        edits(&self.messages)
    }
}

/// The edits in these messages. Results stand behind their calls.
pub(super) fn edits(messages: &[Arc<Message>]) -> impl Iterator<Item = Edit<'_>> {
    let mut calls = Default::default();
    messages.iter().filter_map(move |message| match &**message {
        Message::Assistant(reply) => {
            calls = reply.calls.iter();
            None
        }
        Message::Tool(result) => {
            let ran = result.outcome.edited_arguments.as_deref()?;
            let call = calls.clone().find(|call| call.id == result.call);
            let wrote = call.and_then(|call| call.parse().ok()).unwrap_or_default();
            Some(Edit { wrote: Cow::Owned(wrote), ran })
        }
        _ => None,
    })
}

impl<'a> Edit<'a> {
    pub(crate) fn new(wrote: &'a Value, ran: &'a Value) -> Self {
        Self { wrote: Cow::Borrowed(wrote), ran }
    }

    /// Whether somebody typed `value`.
    pub(crate) fn gives(&self, value: &Value) -> bool {
        canonical(value).is_some_and(|wanted| self.says(&wanted))
    }

    /// Whether somebody typed these words.
    pub(super) fn says(&self, wanted: &str) -> bool {
        self.brings(&|text| says(text, wanted))
    }

    /// Whether somebody typed one of these words.
    pub(super) fn touches(&self, one: &str, two: &str) -> bool {
        self.says(one) || self.says(two)
    }

    /// The arguments as they were changed.
    pub(super) fn ran(&self) -> &Value {
        self.ran
    }

    /// Whether a text of which `is_it` holds was typed: it is in a parameter, and was not in what
    /// the model wrote there.
    pub(crate) fn brings(&self, is_it: &dyn Fn(&str) -> bool) -> bool {
        self.parameters().any(|(now, before)| {
            texts(now).iter().any(|text| is_it(text))
                && !before.is_some_and(|before| texts(before).iter().any(|text| is_it(text)))
        })
    }

    /// The texts that were typed, whole.
    pub(super) fn typed(&self) -> Vec<String> {
        let parameters = self.parameters();
        let typed = parameters.flat_map(|(now, before)| {
            let before = before.map(texts).unwrap_or_default();
            let mut now = texts(now);
            now.retain(|text| !before.contains(text));
            now
        });
        typed.collect()
    }

    /// Each parameter's value, with what the model wrote there.
    fn parameters(&self) -> impl Iterator<Item = (&Value, Option<&Value>)> {
        let parameters = self.ran.as_object().into_iter().flatten();
        parameters.map(|(name, value)| (value, self.wrote.get(name)))
    }
}

/// Every text and number in a value, each in one spelling.
pub fn texts(value: &Value) -> Vec<String> {
    let mut texts = Vec::new();
    each_leaf(value, &mut |leaf| match leaf {
        Leaf::Key { name, .. } => texts.push(name.to_owned()),
        Leaf::Scalar { value: Value::String(text), .. } => texts.push(text.clone()),
        Leaf::Scalar { value, .. } => texts.extend(canonical(value)),
    });
    texts
}
