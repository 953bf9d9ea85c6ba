//! Tools that are not `async`: they hold up nobody, and nobody waits for them longer than they must.

use std::{
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, ThreadId},
    time::Duration,
};

use toolwright_core::{
    EventKind, FailureKind, Limit, Limits, ModelResponse as Said, RunContext, Status, ToolEffect,
};
use toolwright_macros::{tool, toolset};
use toolwright_models::Scripted;
use toolwright_runtime::{Agent, AgentBuilder};

use crate::support::{Played, calls, play, spec, text, tool as made, watch};

/// Nobody waits this long; without it a test that fails would hang.
const LONG: Duration = Duration::from_secs(60);

/// A word that one tool waits for and another gives.
struct Word(Mutex<Receiver<&'static str>>);

impl Word {
    fn wait(&self) -> &'static str {
        self.0.lock().unwrap().recv_timeout(LONG).unwrap_or("nothing was heard")
    }
}

/// Wait for the word.
#[tool(read_only, manual)]
fn wait(context: &RunContext) -> &'static str {
    context.get::<Word>().unwrap().wait()
}

fn agent(replies: impl IntoIterator<Item = Said>) -> AgentBuilder {
    Agent::builder(Scripted::new(replies))
}

#[tokio::test]
async fn it_does_not_hold_up_its_siblings() {
    let (give, word) = channel();
    let give = Mutex::new(give);
    let other = made(spec("give", ToolEffect::ReadOnly), move |_, _| {
        give.lock().unwrap().send("the word").unwrap();
        async { text("given") }
    });
    let both = calls([("a", "wait", "{}"), ("b", "give", "{}")]);
    let agent = agent([both, Said::text("Done.")]).tool(wait::tool()).tool(other);
    let context = RunContext::new().with(Word(Mutex::new(word)));
    let played = play(agent.build().unwrap().prepare("Go.").context(context).start()).await;
    assert_eq!((played.text_of("a"), played.text_of("b")), ("the word", "given"));
}

/// What becomes of a tool that works until it is told to stop.
struct Worker {
    ended: Sender<&'static str>,
}

#[toolset]
impl Worker {
    /// Work for ever.
    #[tool(name = "work")]
    fn work(&self, context: &RunContext) -> &'static str {
        context.progress("working");
        while !context.is_cancelled() {
            thread::sleep(Duration::from_millis(1));
        }
        self.ended.send("told to stop").unwrap();
        "done"
    }

    /// Work for ever, with little time for it.
    #[tool(name = "work_briefly", timeout = "20ms")]
    fn briefly(&self, context: &RunContext) -> &'static str {
        self.work(context)
    }
}

fn worker(tool: &str) -> (AgentBuilder, Receiver<&'static str>) {
    let (ended, told) = channel();
    let agent = agent([calls([("a", tool, "{}")]), Said::text("Done.")]);
    (agent.toolset::<Worker>(Worker { ended }), told)
}

#[tokio::test]
async fn stopping_the_run_ends_the_wait_for_it() {
    let (agent, told) = worker("work");
    let running = agent.build().unwrap().run("Go.");
    let cancel = running.cancel();
    let played = watch(running, |event| {
        if matches!(event.kind, EventKind::CallProgress { .. }) {
            cancel.cancel();
        }
    })
    .await;
    assert_eq!(played.failure().kind, FailureKind::Cancelled);
    assert_eq!(played.calls(), [("work", Status::Cancelled)]);
    assert_eq!(told.recv_timeout(LONG), Ok("told to stop"));
}

#[tokio::test]
async fn its_time_limit_ends_the_wait_for_it() {
    let (agent, told) = worker("work_briefly");
    let played = play(agent.build().unwrap().run("Go.")).await;
    assert_eq!(played.calls(), [("work_briefly", Status::TimedOut)]);
    assert_eq!(played.answer().response, "Done.");
    assert_eq!(told.recv_timeout(LONG), Ok("told to stop"));
}

#[tokio::test]
async fn the_runs_time_limit_ends_the_wait_for_it() {
    let (agent, told) = worker("work");
    let limits = Limits { wall_clock: Some(Duration::from_millis(50)), ..Limits::default() };
    let played = play(agent.limits(limits).build().unwrap().run("Go.")).await;
    assert_eq!(played.failure().kind, FailureKind::Limit(Limit::WallClock));
    assert_eq!(played.calls(), [("work", Status::TimedOut)]);
    assert_eq!(told.recv_timeout(LONG), Ok("told to stop"));
}

/// A program whose tool hangs can end: its runtime does not wait for the thread.
#[test]
fn a_runtime_ends_without_it() {
    let (give, word) = channel();
    let played: Played = {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let timeout = toolwright_core::Policy {
                timeout: Some(Duration::from_millis(20)),
                ..toolwright_core::Policy::default()
            };
            let agent = agent([calls([("a", "wait", "{}")]), Said::text("Done.")]);
            let agent = agent.tool(wait::tool()).policy("wait", timeout).build().unwrap();
            let context = RunContext::new().with(Word(Mutex::new(word)));
            play(agent.prepare("Go.").context(context).start()).await
        })
    };
    assert_eq!(played.calls(), [("wait", Status::TimedOut)]);
    give.send("too late").expect("it still waits");
}

/// Break down.
#[tool(manual)]
fn break_down(reason: String) -> String {
    assert!(reason.is_empty(), "because of {reason}");
    assert!(!toolwright_runtime::is_panic_contained(), "nobody else need be told");
    reason
}

#[tokio::test]
async fn a_panic_in_it_is_a_failure_like_others() {
    let two = calls([
        ("a", "break_down", r#"{"reason":"a bug"}"#),
        ("b", "break_down", r#"{"reason":""}"#),
    ]);
    let agent = agent([two, Said::text("Done.")]).tool(break_down::tool());
    let played = play(agent.build().unwrap().run("Go.")).await;
    assert_eq!(played.calls(), [("break_down", Status::Failed), ("break_down", Status::Failed)]);
    let mut details = played.conversation.results().map(|it| it.outcome.detail.clone().unwrap());
    assert_eq!(details.next().unwrap(), "the tool panicked: because of a bug");
    assert_eq!(details.next().unwrap(), "the tool panicked: nobody else need be told");
}

/// Which threads tools ran on.
type Threads = Arc<Mutex<Vec<ThreadId>>>;

fn note_thread(context: &RunContext) {
    context.get::<Threads>().unwrap().lock().unwrap().push(thread::current().id());
}

/// Run at once.
#[tool(read_only, inline, manual)]
fn at_once(context: &RunContext) {
    note_thread(context);
}

/// Run on a thread, with what a tool finds around it.
#[tool(read_only, manual)]
fn aside(context: &RunContext) -> Result<&'static str, tokio::runtime::TryCurrentError> {
    note_thread(context);
    tokio::runtime::Handle::try_current()?.block_on(async {
        tokio::task::yield_now().await;
        Ok("waited")
    })
}

#[tokio::test]
async fn only_what_is_known_to_be_quick_runs_where_it_is_called() {
    let threads = Threads::default();
    let two = calls([("a", "at_once", "{}"), ("b", "aside", "{}")]);
    let agent = agent([two, Said::text("Done.")]).tool(at_once::tool()).tool(aside::tool());
    let context = RunContext::new().with(threads.clone());
    let played = play(agent.build().unwrap().prepare("Go.").context(context).start()).await;
    assert_eq!(played.text_of("b"), "waited");
    let (here, threads) = (thread::current().id(), threads.lock().unwrap());
    let is_here: Vec<_> = threads.iter().map(|it| *it == here).collect();
    assert_eq!(is_here.iter().filter(|it| **it).count(), 1, "{threads:?}");
    assert_eq!(threads.len(), 2);
}

/// Many at the same time, again and again: each has its own result.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_of_them_get_their_own_results() {
    /// Say the number back.
    #[tool(read_only, manual)]
    fn number(n: u64) -> u64 {
        thread::sleep(Duration::from_micros(n % 97));
        n
    }
    let toolbox = toolwright_runtime::Toolbox::builder().tool(number::tool()).build().unwrap();
    let toolbox = Arc::new(toolbox);
    let all = (0..1000_u64).map(|n| {
        let toolbox = toolbox.clone();
        tokio::spawn(async move {
            toolbox.call("number", serde_json::json!({"n": n}), &RunContext::new()).await.text
        })
    });
    for (n, told) in futures_util::future::join_all(all).await.into_iter().enumerate() {
        assert_eq!(told.unwrap(), n.to_string());
    }
}
