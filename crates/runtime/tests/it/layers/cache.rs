//! An answer serves for the same question again, and those who ask at the same time share one.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::{sync::Notify, time::advance};
use toolwright_core::{Call, ModelResponse, RunContext, Status, Tool};
use toolwright_models::Scripted;

use super::{
    SECOND, agent, asking, giving, lasting, reader, run, run_in, slow, temporary, toolbox,
};
use crate::support::{Played, play, text, tool};

fn cache() -> Value {
    json!({"cache": {"ttl": "60s"}})
}

#[tokio::test(start_paused = true)]
async fn an_answer_serves_again_in_every_run_until_its_time_is_over() {
    let (tool, ran) = giving(reader("look", cache()), [text("one"), text("two")]);
    let toolbox = toolbox(tool);
    let played = run(&toolbox, "look", 2).await;
    assert_eq!(played.texts(), ["one", "one"]);
    let told = ("cache hit".to_owned(), "answered less than a second ago".to_owned());
    assert_eq!(played.notes_in_full(), [told]);
    advance(59 * SECOND).await;
    let played = run(&toolbox, "look", 1).await;
    assert_eq!(played.texts(), ["one"]);
    assert_eq!(played.notes_in_full()[0].1, "answered 59 s ago");
    advance(SECOND).await;
    let played = run(&toolbox, "look", 2).await;
    assert_eq!(played.texts(), ["two", "two"]);
    assert_eq!((played.notes(), *ran.lock().unwrap()), (vec!["cache hit".to_owned()], 2));
}

#[tokio::test(start_paused = true)]
async fn the_same_question_is_known_however_it_is_spelled() {
    let ran = Arc::new(AtomicUsize::new(0));
    let count = ran.clone();
    let tool = tool(reader("look", cache()), move |_, _| {
        let n = count.fetch_add(1, SeqCst);
        async move { text(format!("answer {n}")) }
    });
    let toolbox = toolbox(tool);
    let asked = [
        r#"{"a":1,"b":{"x":[1,2],"y":null}}"#,
        r#"{ "b": {"y": null, "x": [1.0, 2e0]}, "a": 1.0 }"#,
        r#"{"a":2,"b":{"x":[1,2],"y":null}}"#,
        r#"{"a":1,"b":{"x":[2,1],"y":null}}"#,
    ];
    let rounds =
        asked.map(|arguments| ModelResponse::calls([Call::new(arguments, "look", arguments)]));
    let model = Scripted::new(rounds).then(ModelResponse::text("Done."));
    let played = play(agent(model, &toolbox).run("Go.")).await;
    assert_eq!(played.texts(), ["answer 0", "answer 0", "answer 1", "answer 2"]);
}

#[tokio::test(start_paused = true)]
async fn failures_are_not_kept() {
    let (tool, ran) = giving(reader("look", cache()), [temporary(), lasting(), text("fine")]);
    let played = run(&toolbox(tool), "look", 4).await;
    assert_eq!(*ran.lock().unwrap(), 3);
    let statuses: Vec<_> = played.calls().into_iter().map(|(_, status)| status).collect();
    assert_eq!(statuses, [Status::Failed, Status::Failed, Status::Ok, Status::Ok]);
}

/// A credential, as a program has its own.
#[derive(Clone, Hash)]
struct Account(&'static str);

/// A tool that says nothing about what its answer depends on: whom it serves is the cache's business.
fn whoami() -> Arc<dyn Tool> {
    tool(reader("whoami", cache()), |_, context| async move {
        let account = context.get::<Account>().map_or("no account", |it| it.0);
        let handle = context.get::<u64>().copied().unwrap_or_default();
        text(format!("{} {account} {handle}", context.labelled("user").unwrap_or("nobody")))
    })
}

#[tokio::test(start_paused = true)]
async fn what_was_found_out_for_one_is_not_told_to_another() {
    let toolbox = toolbox(whoami());
    let user = |name: &str| RunContext::new().label("user", name);
    let handle = user("ann").with(1_u64);
    let all = [
        (RunContext::new(), "nobody no account 0"),
        (user("ann"), "ann no account 0"),
        (user("bob"), "bob no account 0"),
        (user("ann").with_hashed(Account("A")), "ann A 0"),
        (user("ann").with_hashed(Account("B")), "ann B 0"),
        (RunContext::new().with_hashed(Account("B")), "nobody B 0"),
        (handle.clone(), "ann no account 1"),
        (user("ann").with(2_u64), "ann no account 2"),
        // With a secret the run is given more than the program gave it.
        (user("ann").with_hashed(Account("A")).secret("hunter2-hunter2"), "ann A 0"),
    ];
    for (context, wanted) in &all {
        let played = run_in(&toolbox, "whoami", 2, context.clone()).await;
        assert_eq!(played.texts(), [*wanted; 2]);
        assert_eq!(played.notes(), ["cache hit"], "{wanted}: asked for the first time");
    }
    // Who comes back, with the same or with an equal one, is served.
    for (context, wanted) in [
        (user("bob"), "bob no account 0"),
        (RunContext::new().with_hashed(Account("B")), "nobody B 0"),
        (handle, "ann no account 1"),
        (user("ann").with_hashed(Account("A")).secret("hunter2-hunter2"), "ann A 0"),
    ] {
        let played = run_in(&toolbox, "whoami", 1, context).await;
        assert_eq!((played.texts(), played.notes()), (vec![wanted], vec!["cache hit".to_owned()]));
    }
}

/// Not even where they ask at the same moment.
#[tokio::test(start_paused = true)]
async fn a_call_under_way_is_joined_only_by_those_it_is_made_for() {
    let tool = tool(reader("whoami", cache()), |_, context| async move {
        tokio::time::sleep(SECOND).await;
        text(context.get::<Account>().map_or("nobody", |it| it.0))
    });
    let toolbox = toolbox(tool);
    let of = ["A", "B", "A", "B"].map(|it| RunContext::new().with_hashed(Account(it)));
    let asked = of.iter().map(|context| toolbox.call("whoami", json!({}), context));
    let told: Vec<_> = join_all(asked).await.into_iter().map(|outcome| outcome.text).collect();
    assert_eq!(told, ["A", "B", "A", "B"]);
}

#[tokio::test(start_paused = true)]
async fn at_most_so_many_answers_are_kept_and_long_ones_count_more() {
    let long = "x".repeat(200_000);
    let tool = tool(reader("look", json!({"cache": {"ttl": "1h", "entries": 10}})), {
        move |_, _| {
            let long = long.clone();
            async move { text(long) }
        }
    });
    let toolbox = toolbox(tool);
    let context = RunContext::new();
    for n in 0..2_000 {
        toolbox.call("look", json!({"n": n}), &context).await;
    }
    // Ten places, and each answer takes four.
    let served = Arc::new(AtomicUsize::new(0));
    let seen = served.clone();
    let watching = context.watched(|_| {
        Arc::new(move |_| {
            seen.fetch_add(1, SeqCst);
        })
    });
    for n in 0..2_000 {
        toolbox.call("look", json!({"n": n}), &watching).await;
    }
    assert!(served.load(SeqCst) < 500, "{served:?}");
}

#[tokio::test(start_paused = true)]
async fn with_no_place_for_answers_only_calls_at_the_same_time_share_one() {
    let policy = json!({"cache": {"ttl": "1h", "entries": 0}});
    let (tool, ran) = slow(reader("look", policy), SECOND);
    let toolbox = toolbox(tool);
    let context = RunContext::new();
    for round in 1..=3 {
        join_all((0..5).map(|_| toolbox.call("look", json!({}), &context))).await;
        assert_eq!(*ran.lock().unwrap(), [round, round]);
    }
}

/// Twenty calls at once, of one question.
fn twenty() -> Scripted {
    let calls = (0..20).map(|n| Call::new(format!("call_{n}"), "look", r#"{"q":1}"#));
    Scripted::new([ModelResponse::calls(calls)]).then(ModelResponse::text("Done."))
}

#[tokio::test(start_paused = true)]
async fn a_hundred_calls_in_five_runs_are_one() {
    let (tool, ran) = slow(reader("look", cache()), SECOND);
    let toolbox = toolbox(tool);
    let runs = (0..5).map(|_| play(agent(twenty(), &toolbox).run("Go.")));
    let played = join_all(runs).await;
    assert_eq!(*ran.lock().unwrap(), [1, 1]);
    let texts: Vec<_> = played.iter().flat_map(|played| played.texts()).collect();
    assert_eq!(texts, ["slow and sure"; 100]);
    let notes: Vec<_> = played.iter().flat_map(Played::notes).collect();
    assert_eq!(notes, ["cache joined"; 99]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hundred_calls_on_several_threads_are_one() {
    for round in 0..200 {
        let ran = Arc::new(AtomicUsize::new(0));
        let count = ran.clone();
        let tool = tool(reader("look", cache()), move |_, _| {
            count.fetch_add(1, SeqCst);
            async move {
                // In every second round it ends while others are about to join.
                if round % 2 == 0 {
                    tokio::task::yield_now().await;
                }
                text("found")
            }
        });
        let toolbox = toolbox(tool);
        let tasks = (0..100).map(|_| {
            let toolbox = toolbox.clone();
            tokio::spawn(async move {
                toolbox.call("look", json!({"q": 1}), &RunContext::new()).await.text
            })
        });
        for found in join_all(tasks).await {
            assert_eq!(found.unwrap(), "found");
        }
        assert_eq!(ran.load(SeqCst), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn those_who_waited_share_a_failure_and_the_next_asks_again() {
    let ran = Arc::new(AtomicUsize::new(0));
    let count = ran.clone();
    let tool = tool(reader("look", cache()), move |_, _| {
        let n = count.fetch_add(1, SeqCst);
        async move {
            tokio::time::sleep(SECOND).await;
            if n == 0 { temporary() } else { text("fine") }
        }
    });
    let toolbox = toolbox(tool);
    let played = play(agent(twenty(), &toolbox).run("Go.")).await;
    assert_eq!(ran.load(SeqCst), 1);
    assert!(played.calls().iter().all(|(_, status)| *status == Status::Failed));
    assert_eq!(run(&toolbox, "look", 1).await.texts(), ["fine"]);
}

/// A tool that waits for a word, and how often it started.
fn gated() -> (Arc<dyn Tool>, Arc<AtomicUsize>, Arc<Notify>) {
    let (ran, gate) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
    let (count, wait) = (ran.clone(), gate.clone());
    let tool = tool(reader("look", cache()), move |_, context| {
        count.fetch_add(1, SeqCst);
        let wait = wait.clone();
        async move {
            context.progress("started");
            wait.notified().await;
            text("found")
        }
    });
    (tool, ran, gate)
}

/// A run works only while it is listened to. One that nobody listens to any more must not hold up
/// the others.
#[tokio::test(start_paused = true)]
async fn a_run_that_stands_still_does_not_hold_up_those_who_joined_it() {
    let (tool, ran, gate) = gated();
    let toolbox = toolbox(tool);
    let mut standing = agent(asking("look", 1), &toolbox).run("Go.");
    while ran.load(SeqCst) == 0 {
        standing.next().await.unwrap();
    }
    let other = agent(asking("look", 1), &toolbox).run("Go.");
    let (played, ()) = tokio::join!(play(other), async {
        tokio::task::yield_now().await;
        gate.notify_one();
    });
    assert_eq!(played.texts(), ["found"]);
    assert_eq!(played.notes(), ["cache joined"]);
    // And when somebody listens again, it has its answer.
    assert_eq!(play_rest(standing).await, "found");
    assert_eq!(ran.load(SeqCst), 1);
}

async fn play_rest(mut running: toolwright_runtime::RunStream) -> String {
    while running.next().await.is_some() {}
    let run = running.into_run().unwrap();
    let result = run.conversation().results().next().unwrap();
    result.outcome.text.clone()
}

#[tokio::test(start_paused = true)]
async fn a_run_that_is_dropped_hands_its_call_over() {
    let (tool, ran, gate) = gated();
    let toolbox = toolbox(tool);
    let mut first = agent(asking("look", 1), &toolbox).run("Go.");
    while ran.load(SeqCst) == 0 {
        first.next().await.unwrap();
    }
    let second = agent(asking("look", 1), &toolbox).run("Go.");
    let (played, ()) = tokio::join!(play(second), async {
        tokio::task::yield_now().await;
        drop(first);
        gate.notify_one();
    });
    assert_eq!(played.texts(), ["found"]);
    assert_eq!(ran.load(SeqCst), 1, "it went on, and was not begun again");
}

#[tokio::test(start_paused = true)]
async fn a_call_nobody_waits_for_is_stopped_and_begun_afresh() {
    let (tool, ran, gate) = gated();
    let toolbox = toolbox(tool);
    let mut runs: Vec<_> = (0..3).map(|_| agent(asking("look", 1), &toolbox).run("Go.")).collect();
    for running in &mut runs {
        // As far as each can get.
        while let Some(Some(_)) = futures_util::FutureExt::now_or_never(running.next()) {}
    }
    assert_eq!(ran.load(SeqCst), 1);
    drop(runs);
    gate.notify_one();
    let played = play(agent(asking("look", 1), &toolbox).run("Go.")).await;
    assert_eq!((played.texts(), ran.load(SeqCst)), (vec!["found"], 2));
    assert!(played.notes().is_empty(), "there was nothing to join");
}

#[tokio::test]
async fn progress_goes_to_the_run_that_began() {
    let (tool, _, gate) = gated();
    let toolbox = toolbox(tool);
    let first = agent(asking("look", 1), &toolbox).run("Go.");
    let second = agent(asking("look", 1), &toolbox).run("Go.");
    let (first, second, ()) = tokio::join!(play(first), play(second), async {
        tokio::task::yield_now().await;
        gate.notify_one();
    });
    let said = |played: &Played| {
        played.events.iter().filter(|event| event.kind.name() == "call_progress").count()
    };
    assert_eq!((said(&first), said(&second)), (1, 0));
}
