//! What happens to a call on its way to its tool, seen through the real loop.

mod breaker;
mod cache;
mod composed;
mod dropped;
mod limit;
mod policies;
mod properties;
mod redact;
mod retry;
mod timeout;

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::Value;
use toolwright_core::{
    EventKind, ModelResponse, Policy, RunContext, Tool, ToolEffect, ToolError, ToolErrorKind,
    ToolResult, ToolSpec,
};
use toolwright_models::Scripted;
use toolwright_runtime::{Agent, Toolbox};

use crate::support::{Played, calls, play, spec, text, tool};

const SECOND: Duration = Duration::from_secs(1);

/// A policy as a config file says it.
fn policy(said: Value) -> Policy {
    serde_json::from_value(said).expect("a policy")
}

/// A reader under a policy.
fn reader(name: &str, said: Value) -> ToolSpec {
    spec(name, ToolEffect::ReadOnly).policy(policy(said))
}

fn toolbox(tool: Arc<dyn Tool>) -> Arc<Toolbox> {
    Arc::new(Toolbox::builder().tool(tool).build().expect("a toolbox"))
}

/// An agent without guards: what is looked at here comes after them.
fn agent(model: Scripted, toolbox: &Arc<Toolbox>) -> Agent {
    let agent = Agent::builder(model).toolbox(toolbox.clone()).without_default_guards().rounds(100);
    agent.parallel(100).build().expect("an agent")
}

/// A model that calls a tool so many times, one call in a round, and then answers.
fn asking(tool: &str, times: usize) -> Scripted {
    let round = |n: usize| calls([(format!("call_{n}").as_str(), tool, "{}")]);
    Scripted::new((1..=times).map(round)).then(ModelResponse::text("Done."))
}

/// A run in which a tool is called so many times, one after the other.
async fn run(toolbox: &Arc<Toolbox>, tool: &str, times: usize) -> Played {
    run_in(toolbox, tool, times, RunContext::new()).await
}

async fn run_in(toolbox: &Arc<Toolbox>, tool: &str, times: usize, context: RunContext) -> Played {
    let agent = agent(asking(tool, times), toolbox);
    play(agent.prepare("Go.").context(context).start()).await
}

impl Played {
    /// What layers did, in order: `cache hit`, …
    fn notes(&self) -> Vec<String> {
        self.notes_in_full().into_iter().map(|(what, _)| what).collect()
    }

    /// The same, with what people are told.
    fn notes_in_full(&self) -> Vec<(String, String)> {
        let notes = self.events.iter().filter_map(|event| match &event.kind {
            EventKind::PolicyApplied { note, .. } => {
                Some((format!("{} {}", note.layer, note.action), note.message.clone()))
            }
            _ => None,
        });
        notes.collect()
    }

    /// The results of all calls, as the model reads them.
    fn texts(&self) -> Vec<&str> {
        self.conversation.results().map(|result| result.outcome.text.as_str()).collect()
    }
}

/// A tool that gives these results in turn, and the last one from then on; and how often it ran.
fn giving(
    spec: ToolSpec,
    results: impl IntoIterator<Item = ToolResult>,
) -> (Arc<dyn Tool>, Arc<Mutex<usize>>) {
    let ran = Arc::new(Mutex::new(0));
    let (count, results) = (ran.clone(), Mutex::new(results.into_iter().collect::<VecDeque<_>>()));
    let tool = tool(spec, move |_, _| {
        *count.lock().unwrap() += 1;
        let mut results = results.lock().unwrap();
        let next = match results.len() {
            0 => text("fine"),
            1 => results[0].clone(),
            _ => results.pop_front().unwrap(),
        };
        async { next }
    });
    (tool, ran)
}

fn temporary() -> ToolResult {
    Err(ToolError::temporary("the line is busy"))
}

fn lasting() -> ToolResult {
    Err(ToolError::new("there is no such thing"))
}

fn refusing() -> ToolResult {
    Err(ToolError::new("not now").of_kind(ToolErrorKind::Refused))
}

/// A tool that waits this long and then answers; how often it started, and how often it came to its
/// end.
fn slow(spec: ToolSpec, time: Duration) -> (Arc<dyn Tool>, Arc<Mutex<[usize; 2]>>) {
    let ran = Arc::new(Mutex::new([0; 2]));
    let count = ran.clone();
    let tool = tool(spec, move |_, _| {
        let count = count.clone();
        async move {
            count.lock().unwrap()[0] += 1;
            tokio::time::sleep(time).await;
            count.lock().unwrap()[1] += 1;
            text("slow and sure")
        }
    });
    (tool, ran)
}
