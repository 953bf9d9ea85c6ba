//! Told to stop, by a person or by the system, at every moment: the run ends, and says so.

use tokio::task::JoinSet;

use crate::{
    moments::{MOMENTS, ask},
    story::{ANSWER, Story},
    world::{World, conversation},
};

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_told_to_stop_ends_in_good_order() {
    let mut stops = JoinSet::new();
    for signal in ["-INT", "-TERM", "-HUP"] {
        for moment in MOMENTS {
            for number in 1..=2 {
                stops.spawn(stopped(signal, format!("{moment}@{number}")));
            }
        }
    }
    let cancelled = stops.join_all().await.into_iter().filter(|it| *it).count();
    println!("{cancelled} runs cancelled");
}

/// Whether the run was cancelled, and not over already.
async fn stopped(signal: &'static str, moment: String) -> bool {
    let world = World::new(format!("{signal} at {moment}")).await;
    let mut process = world.start_until(&moment, &ask(Story::TwoNotes));
    if !process.is_stopped().await {
        world.ended(process).await;
        return false;
    }
    process.signal(signal).await;
    process.go_on();
    let left = world.ended(process).await;
    let stored = world.check().await;
    let last = left.last();
    match left.code {
        Some(130) => assert_eq!(last["kind"], "cancelled", "{}", world.about),
        // The answer was there already.
        Some(0) => {
            assert_eq!(last["response"], ANSWER, "{}", world.about);
            // Whoever started the tests may have it ignored, as `nohup` has the hangup: that the program leaves so, the others
            // only until it listens.
            let early = ["store::migrate", "store::commit@1", "store::committed@1"];
            let is_early = early.iter().any(|it| moment.starts_with(it));
            let is_unheard = is_ignored(signal) && (signal == "-HUP" || is_early);
            let may_go_on = is_unheard || moment.starts_with("final_saved");
            assert!(may_go_on, "{}: it went on", world.about);
        }
        // Nothing had begun.
        None => assert!(stored.is_empty() && left.shown.is_empty(), "{}", world.about),
        _ => panic!("{}: {left:?}", world.about),
    }
    let next = world.ask(Story::Thanks, conversation(&stored)).await;
    assert_eq!(next.code, Some(0), "{}: {}", world.about, next.err);
    world.check().await;
    world.check_file();
    left.code == Some(130)
}

/// Whether this process, and so whatever it starts, ignores a signal.
fn is_ignored(signal: &str) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|it| u64::from_str_radix(it.trim(), 16).ok()).unwrap_or(0);
    let number = match signal {
        "-HUP" => 1,
        "-INT" => 2,
        _ => 15,
    };
    ignored & (1 << (number - 1)) != 0
}
