//! [`Cache`]: an answer serves for the same question again, and those who ask it at the same time
//! wait for one answer.

mod answers;
mod flights;
mod key;

use std::sync::Arc;

use futures_core::future::BoxFuture;
use futures_util::FutureExt;
use serde_json::Value;
use toolwright_core::{RunContext, Tool, ToolResult, ToolSpec, policy};

use self::{
    answers::Answers,
    flights::{Boarded, Flights},
    key::Key,
};
use super::redact;

/// Keeps answers for a while, in all runs of a toolbox together. Failures are not kept, but those
/// who waited for the same call share them.
///
/// Whom it is asked for is part of the question ([`Key`]): what was found out with one credential, or
/// for one user, is not told to another.
pub(super) struct Cache {
    tool: Arc<dyn Tool>,
    answers: Arc<Answers>,
    flights: Arc<Flights>,
}

impl Cache {
    pub(super) fn new(tool: Arc<dyn Tool>, policy: &policy::CachePolicy) -> Self {
        let answers = Arc::new(Answers::new(policy));
        Self { tool, answers, flights: Arc::default() }
    }

    async fn answer(&self, key: Key, arguments: Arc<Value>, context: &RunContext) -> ToolResult {
        if let Some((output, age)) = self.answers.get(&key) {
            context.note("cache", "hit", format!("answered {} ago", toolwright_duration::ago(age)));
            return Ok(output);
        }
        let work = || self.work(key.clone(), arguments, context.clone());
        match self.flights.board(&key, work) {
            Boarded::Started(flight) => flight.await,
            Boarded::Joined(flight) => {
                let message = "the same call is already under way: its answer serves for both";
                context.note("cache", "joined", message);
                flight.await
            }
        }
    }

    /// The call itself. It belongs to everybody who waits for it and not to the run that asked
    /// first, so it borrows nothing.
    fn work(
        &self,
        key: Key,
        arguments: Arc<Value>,
        context: RunContext,
    ) -> BoxFuture<'static, ToolResult> {
        let (tool, answers) = (self.tool.clone(), self.answers.clone());
        async move {
            // Between the look and the start somebody else's call may have ended.
            if let Some((output, _)) = answers.get(&key) {
                return Ok(output);
            }
            let result = tool.call(arguments, &context).await;
            // What is kept is kept without what nobody may see.
            let result = redact::clean(result, &context);
            // What the user said to it is not said the next time.
            let is_asked = context.questions().asked > 0;
            if let Ok(output) = &result
                && !is_asked
            {
                answers.put(key, output.clone());
            }
            result
        }
        .boxed()
    }
}

impl Tool for Cache {
    fn spec(&self) -> &ToolSpec {
        self.tool.spec()
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        let key = Key::of(&arguments, context);
        Box::pin(self.answer(key, arguments, context))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolwright_core::{FnTool, Output, ToolError};

    use super::*;

    /// Two threads: one looks, finds nothing and is about to start; the other's call ends.
    #[test]
    fn an_answer_that_came_in_the_meantime_is_used() {
        let spec = ToolSpec::new("look", "Looks.", json!({"type": "object"}));
        let never = |_, _| async { Err(ToolError::new("it was called")) }.boxed();
        let cache = Cache::new(Arc::new(FnTool::new(spec, never)), &policy::CachePolicy::default());
        let arguments = Arc::new(json!({}));
        let key = Key::of(&arguments, &RunContext::new());
        let about_to_start = cache.work(key.clone(), arguments, RunContext::new());
        cache.answers.put(key, Output::Text("found".to_owned()));
        let result = about_to_start.now_or_never();
        assert_eq!(result, Some(Ok(Output::Text("found".to_owned()))));
    }
}
