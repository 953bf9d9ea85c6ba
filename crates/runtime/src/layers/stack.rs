//! [`Stack`]: a tool with its layers around it.

use std::{
    sync::{Arc, atomic::AtomicUsize},
    time::Duration,
};

use futures_core::future::BoxFuture;
use serde_json::Value;
use toolwright_core::{CallPreview, OpaqueCommand, Policy, RunContext, Tool, ToolResult, ToolSpec};

use super::{
    Layer,
    base::Base,
    breaker::{Breaker, Circuits},
    cache::Cache,
    limit::Limit,
    redact::Redact,
    retry::Retry,
    timeout::Timeout,
};

/// A tool with its layers around it.
pub(crate) struct Stack {
    pub(crate) tool: Arc<dyn Tool>,
    /// The breaker's, if there is one.
    pub(crate) circuits: Option<Arc<Circuits>>,
}

impl Stack {
    /// Builds the layers that `policy` asks for, and `own` around them, the first outermost. No call
    /// takes longer than `most`, with all its attempts. `open` counts the breakers that are open.
    pub(crate) fn new(
        tool: Arc<dyn Tool>,
        policy: Policy,
        most: Option<Duration>,
        own: &[Arc<dyn Layer>],
        open: &Arc<AtomicUsize>,
    ) -> Self {
        let innermost = tool.clone();
        let mut stack = Self { tool, circuits: None };
        if policy != stack.tool.spec().policy || is_layered(&policy) {
            stack.under(policy, most, open);
        }
        let fields = stack.tool.spec().policy.redact.clone();
        for layer in own.iter().rev() {
            stack.tool = layer.layer(stack.tool);
        }
        if !fields.is_empty() {
            stack.put(|tool| Redact::new(tool, &fields));
        }
        if !Arc::ptr_eq(&innermost, &stack.tool) {
            stack.put(|layered| Layered { layered, innermost });
        }
        stack
    }

    fn under(&mut self, policy: Policy, most: Option<Duration>, open: &Arc<AtomicUsize>) {
        let (timeout, idle) = (policy.timeout, policy.idle_timeout);
        let (retry, breaker, rate) = (policy.retry, policy.breaker, policy.rate);
        let (max_wait, cache) = (policy.timeout, policy.cache);
        let retry = retry.filter(|retry| retry.attempts > 1);
        // Where there is one attempt, its time is that of the call.
        let most = most.filter(|_| retry.is_some());
        let timeout = timeout.filter(|own| most.is_none_or(|most| *own < most));
        self.put(|tool| Base::new(tool, policy));
        if timeout.is_some() || idle.is_some() {
            self.put(|tool| Timeout::new(tool, timeout, idle));
        }
        if let Some(retry) = retry {
            self.put(|tool| Retry::new(tool, retry));
            // Within the breaker: a call that took too long is one that failed.
            if most.is_some() {
                self.put(|tool| Timeout::new(tool, most, None));
            }
        }
        if let Some(breaker) = breaker {
            let circuits = Arc::new(Circuits::new(&self.tool.spec().name, breaker, open.clone()));
            self.circuits = Some(circuits.clone());
            self.put(|tool| Breaker::new(tool, circuits));
        }
        if rate.calls.is_some() || rate.max_concurrent.is_some() {
            self.put(|tool| Limit::new(tool, rate, max_wait));
        }
        if let Some(cache) = cache {
            self.put(|tool| Cache::new(tool, &cache));
        }
    }

    fn put<T: Tool + 'static>(&mut self, layer: impl FnOnce(Arc<dyn Tool>) -> T) {
        self.tool = Arc::new(layer(self.tool.clone()));
    }
}

/// A tool in its layers. They see its calls; what a call would do the tool tells itself, so that no
/// layer can forget to pass it on.
struct Layered {
    layered: Arc<dyn Tool>,
    innermost: Arc<dyn Tool>,
}

impl Tool for Layered {
    fn spec(&self) -> &ToolSpec {
        self.layered.spec()
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        self.layered.call(arguments, context)
    }

    fn opaque_commands(&self, arguments: &Value) -> Vec<OpaqueCommand> {
        self.innermost.opaque_commands(arguments)
    }

    fn preview<'a>(
        &'a self,
        arguments: &'a Value,
        context: &'a RunContext,
    ) -> BoxFuture<'a, CallPreview> {
        self.innermost.preview(arguments, context)
    }
}

/// Whether a policy needs any layer below the program's own.
fn is_layered(policy: &Policy) -> bool {
    policy.timeout.is_some()
        || policy.idle_timeout.is_some()
        || policy.retry.is_some()
        || policy.breaker.is_some()
        || policy.cache.is_some()
        || policy.rate.calls.is_some()
        || policy.rate.max_concurrent.is_some()
}
