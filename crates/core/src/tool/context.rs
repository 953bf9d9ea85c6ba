//! [`RunContext`]: what a tool needs and the model must never see.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    fmt,
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use crate::CallId;

/// Values for one run, found by their type: an access token, a user id, a database handle.
///
/// It has no `Serialize` and its `Debug` shows no value, so what is in it cannot end up in a
/// message, a log line or a trace. Cloning is cheap.
#[derive(Clone, Default)]
pub struct RunContext {
    shared: Arc<Shared>,
    call: Option<CallId>,
    watch: Option<Watch>,
}

#[derive(Clone, Default)]
struct Shared {
    values: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    labels: Vec<(String, String)>,
    secrets: Vec<Arc<str>>,
}

/// Who is told what a call says while it runs.
pub type Watch = Arc<dyn Fn(Said) + Send + Sync>;

/// What is said about a call while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// The tool says how far it is.
    Progress(String),
    /// A layer did something.
    Note(Note),
}

/// Something a policy layer did about a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The layer: `cache`, `retry`, `breaker`, …
    pub layer: String,
    /// What it did, in a word: `hit`, `again`, `opened`, …
    pub action: String,
    /// The same in a sentence, for people.
    pub message: String,
}

impl RunContext {
    /// A context that holds nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value, replacing one of the same type.
    #[must_use]
    pub fn with<T: Any + Send + Sync>(mut self, value: T) -> Self {
        self.shared_mut().values.insert(TypeId::of::<T>(), Arc::new(value));
        self
    }

    /// Names something about the run that is no secret, the user say: what is cached for one is
    /// not given to another.
    #[must_use]
    pub fn label(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.shared_mut().labels.push((name.into(), value.into()));
        self
    }

    /// Names a text that must not be seen by a model, in a log or on a screen, whatever returns
    /// it: results in which it occurs are changed.
    #[must_use]
    pub fn secret(mut self, text: impl Into<Arc<str>>) -> Self {
        self.shared_mut().secrets.push(text.into());
        self
    }

    /// The value of this type, if the run was given one.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.shared.values.get(&TypeId::of::<T>())?.downcast_ref()
    }

    /// The label of this name, if the run was given one.
    pub fn labelled(&self, name: &str) -> Option<&str> {
        let found = self.shared.labels.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The texts nobody may see. For the layer that removes them.
    pub fn secrets(&self) -> &[Arc<str>] {
        &self.shared.secrets
    }

    /// The call this context was handed to.
    pub fn call(&self) -> Option<&CallId> {
        self.call.as_ref()
    }

    /// Tells whoever watches how far the call has got. Costs nothing when nobody does.
    pub fn progress(&self, text: impl Into<String>) {
        if let Some(watch) = &self.watch {
            watch(Said::Progress(text.into()));
        }
    }

    /// Tells whoever watches what a layer did.
    pub fn note(&self, layer: &str, action: &str, message: impl Into<String>) {
        if let Some(watch) = &self.watch {
            let (layer, action, message) = (layer.into(), action.into(), message.into());
            watch(Said::Note(Note { layer, action, message }));
        }
    }

    /// The context as one call sees it.
    #[must_use]
    pub fn for_call(&self, call: CallId, watch: Watch) -> Self {
        Self { shared: self.shared.clone(), call: Some(call), watch: Some(watch) }
    }

    /// The same context, with `watch` told in the place of whoever was told before; that one, if
    /// there is any, is handed to it to pass things on.
    #[must_use]
    pub fn watched(&self, watch: impl FnOnce(Option<Watch>) -> Watch) -> Self {
        Self { watch: Some(watch(self.watch.clone())), ..self.clone() }
    }

    fn shared_mut(&mut self) -> &mut Shared {
        Arc::make_mut(&mut self.shared)
    }
}

impl fmt::Debug for RunContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunContext")
            .field("values", &format_args!("[{} hidden]", self.shared.values.len()))
            .field("call", &self.call)
            .finish_non_exhaustive()
    }
}
