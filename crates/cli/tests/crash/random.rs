//! Killed at random, up to three times in one run.

use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::{
    after,
    moments::ask,
    story::Story,
    world::{World, conversation, is_unfinished},
};

/// How many runs are killed, at least.
const KILLS: usize = 120;

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_random_nothing_is_lost_and_nothing_done_twice() {
    let seed = match std::env::var("TOOLWRIGHT_SEED") {
        Ok(seed) => seed.parse().expect("a number"),
        Err(_) => fastrand::u64(..),
    };
    let mut random = fastrand::Rng::with_seed(seed);
    let whole = duration().await;
    let (mut kills, mut runs) = (0, 0);
    // Some come too late: a machine that is faster than a moment ago has to do more of them.
    while kills < KILLS && runs < 10 * KILLS {
        let batch = (0..30).map(|_| {
            runs += 1;
            killed(seed, runs, random.u64(..), whole)
        });
        kills +=
            JoinSet::from_iter(batch.collect::<Vec<_>>()).join_all().await.iter().sum::<usize>();
    }
    println!("{kills} kills in {runs} runs of {whole:?} each, TOOLWRIGHT_SEED={seed}");
    assert!(kills >= KILLS, "only {kills} kills hit a run that went on");
}

/// How long a run takes at this moment, on this machine.
async fn duration() -> Duration {
    let world = World::new("a run nobody kills").await;
    let mut longest = Duration::ZERO;
    for _ in 0..3 {
        let started = Instant::now();
        world.run(&ask(Story::TwoNotes)).await;
        longest = longest.max(started.elapsed());
    }
    longest
}

/// How many kills hit.
async fn killed(seed: u64, run: usize, own: u64, whole: Duration) -> usize {
    let world = World::new(format!("run {run} of TOOLWRIGHT_SEED={seed}")).await;
    let mut random = fastrand::Rng::with_seed(own);
    let story = if random.u8(..4) == 0 { Story::Clear } else { Story::TwoNotes };
    let mut kills = kill(&world, &mut random, whole, &ask(story)).await;
    for _ in 0..random.u8(..3) {
        let stored = world.check().await;
        let Some(id) = conversation(&stored).filter(|_| is_unfinished(&stored)) else { break };
        let resume = ["conversations", "resume", "--json", "--approve", id];
        kills += kill(&world, &mut random, whole, &resume).await;
    }
    if random.bool() {
        after::resume(&world).await;
    } else {
        after::ask_anew(&world).await;
    }
    kills
}

async fn kill(world: &World, random: &mut fastrand::Rng, whole: Duration, args: &[&str]) -> usize {
    let process = world.start::<&str>(args, &[]);
    tokio::time::sleep(whole.mul_f64(random.f64())).await;
    let left = world.killed(process).await;
    usize::from(left.code.is_none())
}
