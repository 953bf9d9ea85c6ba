//! [`RunContext`]: what a tool needs and the model must never see.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    fmt,
    sync::Arc,
};

use futures_channel::mpsc::UnboundedSender;

use crate::CallId;

/// Values for one run, found by their type: an access token, a user id, a database handle.
///
/// It has no `Serialize` and its `Debug` shows no value, so what is in it cannot end up in a
/// message, a log line or a trace. Cloning is cheap.
#[derive(Clone, Default)]
pub struct RunContext {
    values: Arc<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
    call: Option<CallId>,
    progress: Option<UnboundedSender<Progress>>,
}

/// A line a tool reports while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The call that reports.
    pub call: CallId,
    /// What it says.
    pub text: String,
}

impl RunContext {
    /// A context that holds nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value, replacing one of the same type.
    #[must_use]
    pub fn with<T: Any + Send + Sync>(mut self, value: T) -> Self {
        Arc::make_mut(&mut self.values).insert(TypeId::of::<T>(), Arc::new(value));
        self
    }

    /// The value of this type, if the run was given one.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.values.get(&TypeId::of::<T>())?.downcast_ref()
    }

    /// The call this context was handed to.
    pub fn call(&self) -> Option<&CallId> {
        self.call.as_ref()
    }

    /// Tells whoever watches how far the call has got. Costs nothing when nobody does.
    pub fn progress(&self, text: impl Into<String>) {
        if let (Some(sender), Some(call)) = (&self.progress, &self.call) {
            // The receiver is gone only when the run is: then there is nobody to tell.
            let _ = sender.unbounded_send(Progress { call: call.clone(), text: text.into() });
        }
    }

    /// The context as one call sees it.
    #[must_use]
    pub fn for_call(&self, call: CallId, progress: UnboundedSender<Progress>) -> Self {
        Self { values: self.values.clone(), call: Some(call), progress: Some(progress) }
    }
}

impl fmt::Debug for RunContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunContext")
            .field("values", &format_args!("[{} hidden]", self.values.len()))
            .field("call", &self.call)
            .finish_non_exhaustive()
    }
}
