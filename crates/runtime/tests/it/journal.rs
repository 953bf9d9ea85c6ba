//! Nothing leaves the process before it is kept: runs with a journal that a test can hold back,
//! break, and read.

use std::sync::{Arc, Mutex};

use futures_core::future::BoxFuture;
use tokio::sync::watch;
use toolwright_core::{
    Answer, Conversation, Event, EventKind, Failure, FailureKind, Journal, JournalError,
    JournalErrorKind, Run, RunContext, Status, ToolEffect,
};
use toolwright_runtime::{Agent, AllowAll};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::support::{Count, Played, agent, bodies, counting, serve, spec, watch as follow};

/// A journal in memory. Appends are kept only as far as the test lets them.
#[derive(Clone)]
struct Memory {
    log: Arc<Mutex<Vec<Event>>>,
    /// How many appends were asked for.
    asked: Arc<Mutex<usize>>,
    /// How many appends may be kept; the ones behind wait.
    allowed: Arc<watch::Sender<usize>>,
    /// The append that fails, and all after it.
    fails_at: usize,
}

impl Memory {
    fn new(allowed: usize, fails_at: usize) -> Self {
        let allowed = Arc::new(watch::Sender::new(allowed));
        Self { log: Arc::default(), asked: Arc::default(), allowed, fails_at }
    }

    fn log(&self) -> Vec<Event> {
        self.log.lock().unwrap().clone()
    }

    fn asked(&self) -> usize {
        *self.asked.lock().unwrap()
    }
}

impl Journal for Memory {
    fn append(&self, events: &[Event]) -> BoxFuture<'static, Result<(), JournalError>> {
        let mut asked = self.asked.lock().unwrap();
        *asked += 1;
        let (number, events, this) = (*asked, events.to_vec(), self.clone());
        assert!(events.iter().all(|event| !event.kind.is_provisional()));
        Box::pin(async move {
            let _ = this.allowed.subscribe().wait_for(|allowed| *allowed >= number).await;
            if number >= this.fails_at {
                return Err(JournalError::new(JournalErrorKind::Full, "the disk is full")
                    .with_advice("make room"));
            }
            this.log.lock().unwrap().extend(events);
            Ok(())
        })
    }
}

fn script() -> Script {
    Script::new()
        .reply(Reply::calls([("r", "read", "{}"), ("q", "read", r#"{"n":2}"#)]))
        .reply(Reply::calls([("w", "write", "{}")]))
        .reply(Reply::calls([("d", "drop", "{}")]))
        .reply(Reply::text("Done."))
}

#[derive(Default)]
struct Counts {
    reads: Count,
    writes: Count,
    drops: Count,
}

fn build(server: &ModelServer, counts: &Counts) -> Agent {
    agent(server)
        .tool(counting(spec("read", ToolEffect::ReadOnly), &counts.reads))
        .tool(counting(spec("write", ToolEffect::Write), &counts.writes))
        .tool(counting(spec("drop", ToolEffect::Destructive), &counts.drops))
        .approver(AllowAll)
        .build()
        .unwrap()
}

/// What an append is followed by: how many requests the model saw, and which tools ran.
fn effects(server: &ModelServer, counts: &Counts) -> [usize; 4] {
    [bodies(server).len(), counts.reads.get(), counts.writes.get(), counts.drops.get()]
}

#[tokio::test]
async fn what_is_not_kept_has_no_effect_and_is_not_seen() {
    let server = serve(script()).await;
    let (counts, memory) = (Counts::default(), Memory::new(0, usize::MAX));
    let agent = build(&server, &counts);
    let mut running = agent.prepare("Go.").journal(memory.clone()).start();
    let mut steps = Vec::new();
    let mut seen = Vec::new();
    loop {
        // Goes on until it can do no more without this append.
        let next = tokio::time::timeout(std::time::Duration::from_millis(100), running.next());
        match next.await {
            Ok(Some(event)) if event.kind.is_provisional() => {}
            Ok(Some(event)) => seen.push(event),
            Ok(None) => break,
            Err(_) => {
                assert_eq!(seen, memory.log(), "what is seen is what is kept");
                steps.push(effects(&server, &counts));
                memory.allowed.send_modify(|allowed| *allowed += 1);
            }
        }
    }
    assert_eq!(seen, memory.log());
    // Question, calls and intents, both results, …: an append before every request and effect.
    let expected = [
        [0, 0, 0, 0],
        [1, 0, 0, 0],
        [1, 2, 0, 0],
        [2, 2, 0, 0],
        [2, 2, 1, 0],
        [3, 2, 1, 0],
        [3, 2, 1, 0],
        [3, 2, 1, 0],
        [3, 2, 1, 1],
        [4, 2, 1, 1],
    ];
    assert_eq!(steps, expected);
    server.assert_clean();
}

/// Lets a run come to its end whose journal may fail: what is seen is what was kept, and then how
/// it ended.
async fn seen(
    mut running: toolwright_runtime::RunStream,
    memory: &Memory,
) -> Result<Answer, Failure> {
    let mut events = Vec::new();
    while let Some(event) = running.next().await {
        events.extend((!event.kind.is_provisional()).then_some(event));
    }
    let end = running.finish().await;
    let log = memory.log();
    if end.is_ok() {
        assert_eq!(events, log);
    } else {
        let last = events.pop().expect("an end");
        assert!(matches!(&last.kind, EventKind::Error(failure) if Err((**failure).clone()) == end));
        assert_eq!((events.len(), last.seq), (log.len(), log.len() as u64));
        assert_eq!(events, log);
    }
    end
}

/// Invariants of a log that a run left behind, whatever happened to it.
async fn goes_on(log: &[Event], counts: &Counts) -> Option<Played> {
    if log.is_empty() {
        return None;
    }
    let run = Run::replay(Conversation::new(), log).expect("a valid prefix");
    if run.is_ended() {
        return None;
    }
    // Whoever goes on asks a model that still answers.
    let server = serve(Script::new().reply(Reply::text("Done."))).await;
    let agent = build(&server, counts);
    let mut running = agent.resume(run, RunContext::new());
    let mut events = log.to_vec();
    while let Some(event) = running.next().await {
        events.push(event);
    }
    let end = running.finish().await;
    let conversation = running.into_run().unwrap().into_conversation();
    server.assert_clean();
    Some(Played { events, end, conversation })
}

#[tokio::test]
async fn whichever_append_fails_the_run_stops_and_can_be_gone_on_with() {
    let mut failed = 0;
    for number in 1.. {
        let server = serve(script()).await;
        let (counts, memory) = (Counts::default(), Memory::new(usize::MAX, number));
        let agent = build(&server, &counts);
        let running = agent.prepare("Go.").journal(memory.clone()).start();
        let end = seen(running, &memory).await;
        let log = memory.log();
        let Err(failure) = end else {
            assert_eq!(log.last().map(|event| event.kind.is_terminal()), Some(true));
            break;
        };
        failed += 1;
        assert_eq!(failure.kind, FailureKind::Storage(JournalErrorKind::Full));
        assert_eq!(failure.advice.as_deref(), Some("make room"));
        assert_eq!(memory.asked(), number, "nothing is tried after a failure");
        // What ran has its intent in the log.
        let intents = |tool: &str| {
            let started = |event: &&Event| matches!(&event.kind, EventKind::CallStarted { tool: it, .. } if it == tool);
            log.iter().filter(started).count()
        };
        assert!(counts.writes.get() <= intents("write"), "an effect without an intent");
        assert!(counts.drops.get() <= intents("drop"), "an effect without an intent");
        if let Some(played) = goes_on(&log, &counts).await {
            assert_eq!(played.answer().response, "Done.");
        }
        assert!(counts.writes.get() <= 1 && counts.drops.get() <= 1, "done twice");
    }
    assert_eq!(failed, 10, "every append was made to fail");
}

#[tokio::test]
async fn a_run_cancelled_while_it_is_being_kept_is_kept_to_its_end() {
    let server = serve(script()).await;
    let (counts, memory) = (Counts::default(), Memory::new(2, usize::MAX));
    let running = build(&server, &counts).prepare("Go.").journal(memory.clone()).start();
    let cancel = running.cancel();
    let allowed = memory.allowed.clone();
    let waits = memory.clone();
    // Both readers have run and their results wait to be kept.
    let later = tokio::spawn(async move {
        while waits.asked() < 3 {
            tokio::task::yield_now().await;
        }
        cancel.cancel();
        tokio::task::yield_now().await;
        allowed.send_replace(usize::MAX);
    });
    let played = follow(running, |_| {}).await;
    later.await.unwrap();
    assert_eq!(played.failure().kind, FailureKind::Cancelled);
    let kept: Vec<_> = played.events.into_iter().filter(|it| !it.kind.is_provisional()).collect();
    assert_eq!(kept, memory.log());
    assert_eq!(counts.writes.get(), 0);
}

#[tokio::test]
async fn a_run_nobody_goes_on_with_is_ended() {
    let server = serve(script()).await;
    let (counts, memory) = (Counts::default(), Memory::new(usize::MAX, 5));
    let running = build(&server, &counts).prepare("Go.").journal(memory.clone()).start();
    seen(running, &memory).await.unwrap_err();
    let mut run = Run::replay(Conversation::new(), &memory.log()).unwrap();
    let events = run.abandoned(toolwright_core::Timestamp(1)).unwrap();
    let ends = events.iter().filter(|event| event.kind.is_terminal()).count();
    assert_eq!((ends, run.is_ended()), (1, true));
    assert!(run.conversation().results().all(|result| match result.name.as_str() {
        "write" => result.outcome.status == Status::Interrupted,
        _ => result.outcome.status == Status::Ok,
    }));
    let mut log = memory.log();
    log.extend(events);
    assert_eq!(Run::replay(Conversation::new(), &log).unwrap(), run);
}
