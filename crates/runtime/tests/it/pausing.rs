//! Runs that are left at a boundary and resumed: whoever looks at the end cannot tell.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_core::future::BoxFuture;
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};
use toolwright_core::{
    Conversation, Decision, Event, EventKind, FailureKind, Journal, JournalError, Limit, Limits,
    ModelResponse, Run, RunContext, Status, Tool, ToolEffect,
};
use toolwright_models::FunctionModel;
use toolwright_runtime::{
    Agent, AgentBuilder, AgentLimits, ApprovalRequest, Approver, PauseHandle, RunStream,
};

use crate::support::{Dropped, calls, spec, stuck, text, tool};

/// A journal in memory.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<Event>>>);

impl Memory {
    fn log(&self) -> Vec<Event> {
        self.0.lock().unwrap().clone()
    }

    /// The run as another process would load it.
    fn load(&self) -> Run {
        let stored = serde_json::to_string(&self.log()).unwrap();
        let events: Vec<Event> = serde_json::from_str(&stored).unwrap();
        Run::replay(Conversation::new(), &events).unwrap()
    }
}

impl Journal for Memory {
    fn append(&self, events: &[Event]) -> BoxFuture<'static, Result<(), JournalError>> {
        let (log, events) = (self.0.clone(), events.to_vec());
        Box::pin(async move {
            // Where it takes a moment, a pause may fall into it.
            sleep(Duration::from_millis(1)).await;
            log.lock().unwrap().extend(events);
            Ok(())
        })
    }
}

/// How often something was done, by what it was.
#[derive(Clone, Default)]
struct Ledger(Arc<Mutex<BTreeMap<String, u32>>>);

impl Ledger {
    fn add(&self, what: impl Into<String>) {
        *self.0.lock().unwrap().entry(what.into()).or_default() += 1;
    }

    fn all(&self) -> BTreeMap<String, u32> {
        self.0.lock().unwrap().clone()
    }
}

/// Takes this long to decide, and says yes but to what is told to be denied.
struct Slow(Duration);

impl Approver for Slow {
    fn decide<'a>(&'a self, request: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        Box::pin(async move {
            sleep(self.0).await;
            match request.call.arguments["deny"].as_bool() {
                Some(true) => Decision::deny("no"),
                _ => Decision::AllowReviewed,
            }
        })
    }

    fn decides_in_any_order(&self) -> bool {
        self.0.as_millis().is_multiple_of(2)
    }
}

/// Never decides.
struct Nobody;

impl Approver for Nobody {
    fn decide<'a>(&'a self, _: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        Box::pin(std::future::pending())
    }
}

const TOOLS: [(&str, ToolEffect); 4] = [
    ("read", ToolEffect::ReadOnly),
    ("set", ToolEffect::Idempotent),
    ("write", ToolEffect::Write),
    ("drop", ToolEffect::Destructive),
];

/// Tools that take a moment and write down that they ran.
fn tools(ledger: &Ledger) -> Vec<Arc<dyn Tool>> {
    let made = TOOLS.map(|(name, effect)| {
        let ledger = ledger.clone();
        tool(spec(name, effect), move |arguments, _| {
            let ledger = ledger.clone();
            async move {
                ledger.add(format!("{name} {arguments}"));
                sleep(Duration::from_millis(arguments["ms"].as_u64().unwrap_or(3))).await;
                text(format!("{name} {arguments}"))
            }
        })
    });
    made.to_vec()
}

/// A model that says this in its rounds, whoever asks it again where a process was left.
fn model(rounds: Vec<ModelResponse>, ledger: &Ledger, name: &'static str) -> AgentBuilder {
    let ledger = ledger.clone();
    let said = FunctionModel::new("scripted", move |request| {
        let messages = request.conversation.messages();
        let question = messages.iter().find(|it| it.role() == "user").map(|it| it.content());
        let asked = messages.iter().filter(|it| it.role() == "assistant").count();
        ledger.add(format!("{name} {} {asked}", question.unwrap_or_default()));
        Ok(rounds.get(asked).cloned().unwrap_or_else(|| ModelResponse::text("Done.")))
    });
    Agent::builder(said)
}

/// A round of calls: the tool, and how it is called.
type Round = Vec<(usize, bool)>;

/// What a model says in these rounds. No two calls are the same.
fn script(rounds: &[Round], names: &[&'static str]) -> Vec<ModelResponse> {
    let round = |(at, round): (usize, &Round)| {
        let made = round.iter().enumerate().map(|(nth, (which, deny))| {
            let name = names[which % names.len()];
            let id = format!("c{at}-{nth}");
            let arguments = match name {
                "research" => json!({"input": format!("Look up {id}.")}),
                _ => json!({"n": id, "deny": deny, "ms": 2 + nth}),
            };
            toolwright_core::Call::new(id, name, arguments.to_string())
        });
        ModelResponse::calls(made)
    };
    rounds.iter().enumerate().map(round).collect()
}

#[derive(Clone, Debug)]
struct World {
    rounds: Vec<Round>,
    inner: Vec<Round>,
    deciding: u64,
}

impl World {
    fn agent(&self, ledger: &Ledger) -> Agent {
        let inner = script(&self.inner, &["read", "write", "drop"]);
        let inner = model(inner, ledger, "inner");
        let inner = inner.tools(tools(ledger)).build().unwrap();
        let outer = script(&self.rounds, &["read", "set", "write", "drop", "research"]);
        model(outer, ledger, "outer")
            .tools(tools(ledger))
            .tool(inner.as_tool("research", "Asks somebody."))
            .approver(Slow(Duration::from_millis(self.deciding)))
            .build()
            .unwrap()
    }
}

fn worlds() -> impl Strategy<Value = World> {
    let round = || prop::collection::vec((0..5_usize, any::<bool>()), 1..4);
    let rounds = prop::collection::vec(round(), 1..4);
    let inner = prop::collection::vec(round(), 0..3);
    (rounds, inner, 0..9_u64).prop_map(|(rounds, inner, deciding)| World {
        rounds,
        inner,
        deciding,
    })
}

/// What can be told at the end: what was said, how calls ended, what was done.
#[derive(Debug, PartialEq)]
struct End {
    messages: Value,
    calls: Vec<(String, Status)>,
    done: BTreeMap<String, u32>,
}

fn end(log: &Memory, ledger: &Ledger) -> End {
    let run = log.load();
    let toolwright_core::Step::Done(Ok(answer)) = run.step() else { panic!("{:?}", run.step()) };
    let events = log.log();
    let terminal = events.iter().filter(|it| it.kind.is_terminal()).count();
    assert_eq!(terminal, 1, "one end");
    assert!(events.iter().enumerate().all(|(at, event)| event.seq == at as u64), "no gaps");
    End {
        messages: json!(run.conversation().messages()),
        calls: answer.tool_calls.iter().map(|it| (it.tool.clone(), it.status)).collect(),
        done: ledger.all(),
    }
}

/// Hears all of it, and pauses it after so long.
async fn hear(mut running: RunStream, pause_after: Option<u64>) -> RunStream {
    let pause = running.pause_handle();
    let pausing = async {
        match pause_after {
            Some(ms) => sleep(Duration::from_millis(ms)).await,
            None => std::future::pending().await,
        }
        pause.pause();
        std::future::pending::<()>().await;
    };
    let hearing = async { while running.next().await.is_some() {} };
    tokio::select! {
        biased;
        () = hearing => {}
        () = pausing => {}
    }
    running
}

async fn in_one_go(world: &World) -> End {
    let (ledger, log) = (Ledger::default(), Memory::default());
    let running = world.agent(&ledger).prepare("Go.").journal(log.clone()).start();
    hear(running, None).await;
    end(&log, &ledger)
}

async fn in_pieces(world: &World, pauses: &[u64]) -> End {
    let (ledger, log) = (Ledger::default(), Memory::default());
    let running = world.agent(&ledger).prepare("Go.").journal(log.clone()).start();
    let mut pauses = pauses.iter().copied();
    let mut left = hear(running, pauses.next()).await;
    while left.is_paused() {
        // All that was reported is kept, and what is kept is all that there was.
        let (loaded, run) = (log.load(), left.into_run().unwrap());
        assert_eq!(json!(loaded.conversation().messages()), json!(run.conversation().messages()));
        let running = world.agent(&ledger).resume_in(log.clone(), loaded, RunContext::new());
        left = hear(running, pauses.next()).await;
    }
    end(&log, &ledger)
}

fn in_no_time<T>(work: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_time().start_paused(true).build().unwrap();
    let ended = runtime.block_on(async { timeout(Duration::from_secs(3600), work).await });
    ended.expect("it does not wait for ever")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_run_that_is_left_at_any_moment_any_number_of_times_ends_as_one_that_is_not(
        world in worlds(),
        pauses in prop::collection::vec(0..40_u64, 0..12),
    ) {
        let (one, many) = in_no_time(async {
            (in_one_go(&world).await, in_pieces(&world, &pauses).await)
        });
        prop_assert_eq!(one, many);
    }
}

fn paused_at_once(running: &RunStream) -> PauseHandle {
    let pause = running.pause_handle();
    pause.pause();
    pause
}

fn kinds(log: &Memory) -> Vec<&'static str> {
    log.log().iter().map(|it| it.kind.name()).collect()
}

#[test]
fn before_the_first_step_only_the_question_is_kept() {
    in_no_time(async {
        let (ledger, log) = (Ledger::default(), Memory::default());
        let agent = model(Vec::new(), &ledger, "outer").build().unwrap();
        let prepared = agent.prepare("Go.").run_id("run-7".into()).journal(log.clone());
        let running = prepared.start();
        assert!(paused_at_once(&running).is_paused());
        let mut left = hear(running, None).await;
        assert!(left.is_paused());
        assert_eq!(kinds(&log), ["run_started", "message"]);
        assert_eq!(log.log()[0].run.as_str(), "run-7");
        assert!(ledger.all().is_empty(), "no model was asked");
        assert!(left.finish().await.unwrap_err().message.contains("left before its end"));
    });
}

#[test]
fn whoever_waits_for_a_decision_is_left_at_once_and_whoever_runs_is_heard_out() {
    in_no_time(async {
        let said = || vec![calls([("d", "drop", "{}")])];
        let (ledger, log) = (Ledger::default(), Memory::default());
        let agent = model(said(), &ledger, "outer").tools(tools(&ledger)).approver(Nobody);
        let running = agent.build().unwrap().prepare("Go.").journal(log.clone()).start();
        let began = Instant::now();
        let left = hear(running, Some(50)).await;
        assert!(left.is_paused());
        assert_eq!(began.elapsed(), Duration::from_millis(50));
        assert_eq!(kinds(&log).last(), Some(&"call_preview"));

        let said = vec![calls([("w", "write", r#"{"ms": 1000}"#)])];
        let (ledger, log) = (Ledger::default(), Memory::default());
        let agent = model(said, &ledger, "outer").tools(tools(&ledger)).build().unwrap();
        let left = hear(agent.prepare("Go.").journal(log.clone()).start(), Some(50)).await;
        assert!(left.is_paused());
        assert_eq!(kinds(&log).last(), Some(&"call_finished"), "its tool came to its end");
    });
}

/// An agent that asks another, which asks for a decision; beside it something else may run.
fn nested(
    ledger: &Ledger,
    beside: &[(&str, &str, &str)],
    approver: impl Approver + 'static,
) -> Agent {
    let inner = model(vec![calls([("d", "drop", "{}")])], ledger, "inner");
    let inner = inner.tools(tools(ledger)).build().unwrap();
    let ask = ("r", "research", r#"{"input":"Look."}"#);
    let said = [&[ask], beside].concat();
    let said = said.into_iter().map(|(id, name, json)| toolwright_core::Call::new(id, name, json));
    model(vec![ModelResponse::calls(said)], ledger, "outer")
        .tools(tools(ledger))
        .tool(inner.as_tool("research", "Asks."))
        .approver(approver)
        .build()
        .unwrap()
}

#[test]
fn a_run_within_that_waits_for_a_decision_is_left_with_the_one_around_it() {
    in_no_time(async {
        let (ledger, log) = (Ledger::default(), Memory::default());
        let agent = nested(&ledger, &[], Nobody);
        let began = Instant::now();
        let left = hear(agent.prepare("Go.").journal(log.clone()).start(), Some(100)).await;
        assert!(left.is_paused());
        assert_eq!(began.elapsed(), Duration::from_millis(100));
        // Whoever resumes it has it decided about, and the run within goes on from its events.
        let agent = nested(&ledger, &[], Slow(Duration::ZERO));
        let resumed = agent.resume_in(log.clone(), log.load(), RunContext::new());
        let mut resumed = hear(resumed, None).await;
        assert_eq!(resumed.finish().await.unwrap().response, "Done.");
        let done = ledger.all();
        assert!(done.values().all(|times| *times == 1), "{done:?}");
        let is_begun = |event: &&Event| {
            let EventKind::Nested { event, .. } = &event.kind else { return false };
            matches!(event.kind, EventKind::RunStarted { .. })
        };
        assert_eq!(log.log().iter().filter(is_begun).count(), 1, "it was not begun anew");
    });
}

#[test]
fn a_run_within_that_works_is_left_at_its_own_boundary() {
    in_no_time(async {
        let (ledger, log) = (Ledger::default(), Memory::default());
        let rounds = ["a", "b", "c"].map(|n| {
            let arguments = json!({"n": n, "ms": 1000}).to_string();
            calls([(n, "write", &arguments)])
        });
        let inner = model(rounds.to_vec(), &ledger, "inner").tools(tools(&ledger));
        let inner = inner.build().unwrap();
        let said = vec![calls([("r", "research", r#"{"input":"Look."}"#)])];
        let agent = model(said, &ledger, "outer").tool(inner.as_tool("research", "Asks."));
        let agent = agent.agent_limits(AgentLimits::default()).build().unwrap();
        let began = Instant::now();
        let left = hear(agent.prepare("Go.").journal(log.clone()).start(), Some(500)).await;
        assert!(left.is_paused());
        assert!(began.elapsed() < Duration::from_millis(1500), "after one of three tools");
        let resumed = agent.resume_in(log.clone(), log.load(), RunContext::new());
        let mut resumed = hear(resumed, None).await;
        assert_eq!(resumed.finish().await.unwrap().response, "Done.");
        let done = ledger.all();
        assert!(done.values().all(|times| *times == 1), "{done:?}");
    });
}

#[test]
fn whoever_stops_a_run_that_is_to_be_left_stops_it() {
    in_no_time(async {
        let (ledger, dropped) = (Ledger::default(), Dropped::default());
        let said = vec![calls([("s", "hang", "{}")])];
        let agent = model(said, &ledger, "outer");
        let agent = agent.tool(stuck(spec("hang", ToolEffect::Write), &dropped)).build().unwrap();
        let running = agent.run("Go.");
        let (pause, cancel) = (running.pause_handle(), running.cancel());
        let stopping = async {
            pause.pause();
            sleep(Duration::from_millis(10)).await;
            cancel.cancel();
        };
        let (mut ended, ()) = tokio::join!(hear(running, None), stopping);
        assert!(!ended.is_paused());
        assert!(dropped.get());
        assert_eq!(ended.finish().await.unwrap_err().kind, FailureKind::Cancelled);
    });
}

#[test]
fn its_time_goes_on_where_it_was_left() {
    in_no_time(async {
        let (ledger, log) = (Ledger::default(), Memory::default());
        let rounds = (0..9).map(|n| {
            let arguments = json!({"n": n, "ms": 400}).to_string();
            calls([(&format!("c{n}"), "write", &arguments)])
        });
        let limits =
            Limits { wall_clock: Some(Duration::from_secs(1)), rounds: 20, ..Limits::default() };
        let agent = model(rounds.collect(), &ledger, "outer").tools(tools(&ledger));
        let agent = agent.limits(limits).build().unwrap();
        let mut left = hear(agent.prepare("Go.").journal(log.clone()).start(), Some(1)).await;
        let mut slices = 1;
        while left.is_paused() {
            let spent = left.spent().unwrap();
            assert!(spent >= Duration::from_millis(slices * 400 - 400), "{spent:?}");
            // Time in which nobody drives it is not its own.
            sleep(Duration::from_secs(60)).await;
            let again = agent.resume_after(log.clone(), log.load(), RunContext::new(), spent);
            left = hear(again, Some(1)).await;
            slices += 1;
        }
        let failure = left.finish().await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Limit(Limit::WallClock));
        assert_eq!(ledger.all().iter().filter(|(it, _)| it.starts_with("write")).count(), 3);
    });
}
