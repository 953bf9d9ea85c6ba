//! Rules that are given and taken back somewhere else, while calls are checked.

use std::{
    error::Error,
    sync::{Arc, Mutex},
};

use futures_core::future::BoxFuture;
use serde_json::json;
use tokio::sync::Semaphore;
use toolwright_core::{FnTool, Output, Status, Tool, ToolEffect, ToolSpec};
use toolwright_runtime::{
    Agent, Approver, DenyAll, Rule, RuleApprover, RuleSource, RuleVerdict, Rules,
};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::support::{agent, play, serve};

/// What somebody else changes, and nothing where it cannot be read.
type Shared = Arc<Mutex<Option<Vec<Rule>>>>;

/// Hands out what is there when it is asked, as soon as it may.
struct Source {
    rules: Shared,
    may: Arc<Semaphore>,
    read: Arc<Semaphore>,
}

impl RuleSource for Source {
    fn rules(&self) -> BoxFuture<'_, Result<Vec<Rule>, Box<dyn Error + Send + Sync>>> {
        let rules = self.rules.lock().unwrap().clone();
        self.read.add_permits(1);
        Box::pin(async move {
            let _may = self.may.acquire().await?;
            rules.ok_or_else(|| "nothing can be read".into())
        })
    }
}

fn allow() -> Rule {
    Rule::new(RuleVerdict::Allow, "act")
}

/// Acts, and leaves this in the place of the rules.
fn act(rules: &Shared, then: Option<Vec<Rule>>) -> Arc<dyn Tool> {
    let spec = ToolSpec::new("act", "Acts.", json!({"type": "object", "properties": {}}));
    let rules = rules.clone();
    Arc::new(FnTool::new(spec.effect(ToolEffect::Destructive), move |_, _| {
        rules.lock().unwrap().clone_from(&then);
        Box::pin(std::future::ready(Ok(Output::Text("Done.".into()))))
    }))
}

async fn calling(times: usize) -> ModelServer {
    let call = |at: usize| Reply::calls([(format!("c{at}"), "act".to_owned(), "{}".to_owned())]);
    let script = (0..times).fold(Script::new(), |script, at| script.reply(call(at)));
    serve(script.reply(Reply::text("Well."))).await
}

fn made(server: &ModelServer, tool: Arc<dyn Tool>, rules: &Arc<Rules>) -> Agent {
    // However it is wrapped.
    let approver: Box<dyn Approver> = Box::new(Arc::new(RuleApprover::new(rules.clone(), DenyAll)));
    agent(server).tool(tool).without_default_guards().approver(approver).build().unwrap()
}

async fn statuses(agent: &Agent) -> Vec<Status> {
    play(agent.run("Go on.")).await.calls().into_iter().map(|(_, status)| status).collect()
}

#[tokio::test]
async fn what_was_taken_back_allows_nothing_in_the_middle_of_a_run() {
    // Taken back, or not to be read any more: neither allows anything.
    for then in [Some(Vec::new()), None] {
        let rules: Shared = Arc::new(Mutex::new(Some(vec![allow()])));
        let may = Arc::new(Semaphore::new(usize::MAX >> 4));
        let source = Source { rules: rules.clone(), may, read: Arc::new(Semaphore::new(0)) };
        let all = Arc::new(Rules::with_source(Vec::new(), Arc::new(source)));
        let server = calling(2).await;
        let agent = made(&server, act(&rules, then), &all);
        assert_eq!(statuses(&agent).await, [Status::Ok, Status::Denied]);
    }
}

/// A reading that took long does not bring back what was taken back while it went on.
#[tokio::test]
async fn an_older_reading_allows_nothing() {
    let rules: Shared = Arc::new(Mutex::new(Some(vec![allow()])));
    let (may, read) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let source = Source { rules: rules.clone(), may: may.clone(), read: read.clone() };
    let all = Arc::new(Rules::with_source(Vec::new(), Arc::new(source)));
    let (first, second) = (calling(1).await, calling(1).await);
    let tool = || act(&rules, Some(Vec::new()));
    let slow = made(&first, tool(), &all);
    let slow = tokio::spawn(async move { statuses(&slow).await });
    read.acquire().await.unwrap().forget();
    *rules.lock().unwrap() = Some(Vec::new());
    let late = made(&second, tool(), &all);
    let late = tokio::spawn(async move { statuses(&late).await });
    may.add_permits(usize::MAX >> 4);
    assert_eq!(late.await.unwrap(), [Status::Denied]);
    slow.await.unwrap();
}
