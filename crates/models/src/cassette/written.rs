//! [`Written`]: what stands in a file, as far as lines that follow refer to it.

use std::collections::HashMap;

use serde_json::Value;
use toolwright_core::Digest;

use super::{
    Exchange,
    format::{After, Line},
};

/// What stands in a file, as far as lines that follow refer to it: a conversation is not written again
/// with every request, only what is new in it.
#[derive(Default)]
pub(super) struct Written {
    /// The tools of each request.
    tools: Vec<Option<Value>>,
    /// Where the messages that lead up to a digest stand.
    beginnings: HashMap<Digest, After>,
}

impl Written {
    /// How many exchanges there are.
    pub(super) fn len(&self) -> u64 {
        self.tools.len() as u64
    }

    /// The tools of a request.
    pub(super) fn tools(&self, request: u64) -> Option<&Value> {
        let at = usize::try_from(request.checked_sub(1)?).ok()?;
        self.tools.get(at)?.as_ref()
    }

    /// The line of an exchange, and what to do once it stands in the file.
    pub(super) fn line(&mut self, exchange: &Exchange) -> (Line, impl FnOnce()) {
        let request = &exchange.request;
        let digests = beginnings(&request.messages);
        let after = digests.iter().rev().find_map(|it| self.beginnings.get(it)).copied();
        let mut settings = request.settings.clone();
        let before = after.and_then(|after| self.tools(after.request));
        if before.is_some() && before == settings.get("tools") {
            settings.remove("tools");
        }
        let from = after.map_or(0, |after| after.messages);
        let line = Line {
            request: self.len() + 1,
            model: exchange.model.clone(),
            after,
            messages: request.messages.iter().skip(from).cloned().collect(),
            settings,
            parts: exchange.parts.clone(),
            reply: exchange.reply.clone(),
            error: exchange.error.clone(),
        };
        let tools = request.settings.get("tools").cloned();
        (line, move || self.keep(digests, tools))
    }

    /// Takes note of an exchange that stands in the file.
    pub(super) fn add(&mut self, exchange: &Exchange) {
        let request = &exchange.request;
        self.keep(beginnings(&request.messages), request.settings.get("tools").cloned());
    }

    fn keep(&mut self, digests: Vec<Digest>, tools: Option<Value>) {
        self.tools.push(tools);
        let request = self.len();
        for (digest, messages) in digests.into_iter().zip(1..) {
            self.beginnings.entry(digest).or_insert(After { request, messages });
        }
    }
}

/// What the first message is known by, the first two, and so on.
fn beginnings(messages: &[Value]) -> Vec<Digest> {
    let mut so_far: Option<Digest> = None;
    let digest = |message: &Value| {
        let mut bytes = so_far.map(|it| it.as_bytes().to_vec()).unwrap_or_default();
        bytes.extend(message.to_string().into_bytes());
        let digest = Digest::of(&bytes);
        so_far = Some(digest);
        digest
    };
    messages.iter().map(digest).collect()
}
