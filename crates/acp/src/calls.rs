//! [`Calls`]: what an editor is told of the calls of a run, and of those of the runs that are calls of it.
//!
//! The protocol knows no call within a call: one of a nested run is a call of its own, behind the one it belongs
//! to. Its id and its title begin with that one's, and `_meta` names it.

use std::{collections::HashMap, path::PathBuf};

use serde_json::{Value, json};
use toolwright_core::{
    CallId, Event, EventKind, Message, RequestedCall, RunId, Status, ToolMessage,
};

use crate::{
    rpc::with,
    tool_call::{ToolCall, bounded, text},
};

/// How much of what a tool says of its progress is told, in characters.
const PROGRESS: usize = 2_000;

/// What an editor is told of the calls of a run.
pub(crate) struct Calls {
    cwd: PathBuf,
    /// The call that the run is, where it is one.
    parent: Option<Parent>,
    open: HashMap<CallId, ToolCall>,
    nested: HashMap<CallId, Nested>,
}

/// A call that is a run.
struct Parent {
    /// What the editor knows it by.
    id: String,
    /// The agents on the way to it, for people.
    path: String,
}

/// The run that a call is.
struct Nested {
    run: RunId,
    calls: Calls,
}

impl Calls {
    /// Those of a run whose tools work in this folder.
    pub(crate) fn new(cwd: PathBuf) -> Self {
        Self { cwd, parent: None, open: HashMap::new(), nested: HashMap::new() }
    }

    /// What an event adds.
    pub(crate) fn add(&mut self, event: &Event) -> Vec<Value> {
        match &event.kind {
            EventKind::ToolCalls { tool_calls } => self.begun(tool_calls),
            EventKind::Nested { id, event } => self.within(id, event),
            _ => self.of_call(event).into_iter().collect(),
        }
    }

    /// What the editor knows a call by, of this run or of one within it.
    pub(crate) fn id_of(&self, run: &RunId, call: &CallId) -> String {
        self.find(run).unwrap_or(self).id(call)
    }

    fn find(&self, run: &RunId) -> Option<&Self> {
        let mut nested = self.nested.values();
        nested.find_map(|it| match it.run == *run {
            true => Some(&it.calls),
            false => it.calls.find(run),
        })
    }

    fn id(&self, call: &CallId) -> String {
        match &self.parent {
            Some(parent) => format!("{}/{call}", parent.id),
            None => call.to_string(),
        }
    }

    fn title(&self, call: &ToolCall) -> String {
        match &self.parent {
            Some(parent) => format!("{} › {}", parent.path, call.title()),
            None => call.title(),
        }
    }

    /// What happened in the run that a call is.
    fn within(&mut self, id: &CallId, event: &Event) -> Vec<Value> {
        // Of a call that was never told nothing is.
        let Some(call) = self.open.get(id) else { return Vec::new() };
        let path = match &self.parent {
            Some(parent) => format!("{} › {}", parent.path, call.tool),
            None => call.tool.clone(),
        };
        let parent = Parent { id: self.id(id), path };
        let nested = self.nested.entry(id.clone()).or_insert_with(|| {
            let calls = Self { parent: Some(parent), ..Self::new(self.cwd.clone()) };
            Nested { run: event.run.clone(), calls }
        });
        nested.calls.add(event)
    }

    fn of_call(&mut self, event: &Event) -> Option<Value> {
        match &event.kind {
            EventKind::CallChecked { id, arguments, effect, .. } => {
                let call = self.open.get_mut(id)?;
                let before = (call.kind(), call.arguments.clone());
                call.effect = Some(*effect);
                call.arguments = (**arguments).clone();
                let is_same = before == (call.kind(), call.arguments.clone());
                let call = self.open.get(id)?;
                (!is_same).then(|| with(self.shape(id, call), "rawInput", call.raw_input()))
            }
            EventKind::CallPreview { id, preview, .. } => {
                self.open.get_mut(id)?.preview = Some((**preview).clone());
                let call = self.open.get(id)?;
                let update = self.shape(id, call);
                let update = with(update, "content", call.preview_content(&self.cwd));
                Some(with(update, "locations", call.locations(&self.cwd)))
            }
            EventKind::CallStarted { id, .. } => {
                Some(with(self.changed(id), "status", "in_progress"))
            }
            EventKind::CallProgress { id, data } => {
                let mut content = self.open.get(id)?.preview_content(&self.cwd);
                content.push(text(&truncated(data)));
                Some(with(self.changed(id), "content", content))
            }
            EventKind::CallFinished { id, status, message, .. } => {
                let Message::Tool(result) = &**message else { return None };
                let call = self.open.remove(id)?;
                self.nested.remove(id);
                Some(self.finished(id, &call, *status, result))
            }
            _ => None,
        }
    }

    fn finished(
        &self,
        id: &CallId,
        call: &ToolCall,
        status: Status,
        result: &ToolMessage,
    ) -> Value {
        let outcome = &result.outcome;
        let mut content = call.preview_content(&self.cwd);
        // A change that was made is told by its diff.
        let is_diff = |it: &Value| it.get("type").is_some_and(|it| it == "diff");
        let is_told = status.is_ok() && content.iter().any(is_diff);
        if !is_told {
            content.push(text(outcome.unmarked()));
        }
        content.extend(outcome.attachments.iter().map(|it| text(&it.describe())));
        let raw = match outcome.value() {
            Ok(value) => bounded(&value),
            Err(_) => bounded(&Value::from(outcome.said())),
        };
        let status = if status.is_ok() { "completed" } else { "failed" };
        let update = with(self.changed(id), "status", status);
        with(with(update, "content", content), "rawOutput", raw)
    }

    /// The calls of a reply, before any has run.
    fn begun(&mut self, tool_calls: &[RequestedCall]) -> Vec<Value> {
        let mut told = Vec::with_capacity(tool_calls.len());
        for it in tool_calls {
            let call = ToolCall::new(&it.tool, &it.args);
            let mut begun = json!({
                "sessionUpdate": "tool_call", "toolCallId": self.id(&it.id), "name": it.tool,
                "title": self.title(&call), "kind": call.kind(), "status": "pending",
                "rawInput": call.raw_input(),
            });
            let locations = call.locations(&self.cwd);
            if !locations.is_empty() {
                begun = with(begun, "locations", locations);
            }
            if let Some(parent) = &self.parent {
                let meta = json!({"toolwright": {"parentToolCallId": parent.id}});
                begun = with(begun, "_meta", meta);
            }
            told.push(begun);
            self.open.insert(it.id.clone(), call);
        }
        told
    }

    /// What is told at the end of a log that ends in the middle of a run: nobody is at work on its calls.
    pub(crate) fn interrupted(&mut self) -> Vec<Value> {
        let mut nested: Vec<_> = self.nested.drain().collect();
        nested.sort_by(|one, other| one.0.cmp(&other.0));
        let mut told: Vec<_> =
            nested.iter_mut().flat_map(|(_, it)| it.calls.interrupted()).collect();
        let mut open: Vec<CallId> = self.open.drain().map(|(id, _)| id).collect();
        open.sort();
        told.extend(open.iter().map(|id| {
            let content = vec![text("Interrupted before it returned a result.")];
            with(with(self.changed(id), "status", "failed"), "content", content)
        }));
        told
    }

    fn changed(&self, id: &CallId) -> Value {
        json!({"sessionUpdate": "tool_call_update", "toolCallId": self.id(id)})
    }

    /// What a call looks like, where that changed.
    fn shape(&self, id: &CallId, call: &ToolCall) -> Value {
        with(with(self.changed(id), "kind", call.kind()), "title", self.title(call))
    }
}

fn truncated(text: &str) -> String {
    match text.char_indices().nth(PROGRESS) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
