//! Killed at every named moment, however often it comes.

use tokio::task::JoinSet;

use crate::{
    after::{self, After},
    story::{ANSWER, Story},
    world::{PICTURE, World, conversation, is_unfinished},
};

/// Moments of every run.
pub(crate) const MOMENTS: [&str; 13] = [
    "store::migrate",
    "user_saved",
    "llm_sent",
    "first_delta",
    "llm_end",
    "intent_saved",
    "tool_started",
    "effect_done",
    "final_saved",
    "store::append",
    "store::insert",
    "store::commit",
    "store::committed",
];

/// Moments at which a run that deletes something is another one.
const OF_A_DELETION: [&str; 7] = [
    "assistant_saved",
    "approval_saved",
    "intent_saved",
    "tool_started",
    "effect_done",
    "store::commit",
    "store::committed",
];

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_moment_nothing_is_lost_and_nothing_done_twice() {
    at_every(&MOMENTS, Story::TwoNotes).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_moment_nothing_is_deleted_without_leave() {
    at_every(&OF_A_DELETION, Story::Clear).await;
}

/// Moments of a run within a run, and of the one around it.
const OF_A_RUN_WITHIN: [&str; 8] = [
    "user_saved",
    "llm_sent",
    "llm_end",
    "intent_saved",
    "tool_started",
    "effect_done",
    "store::commit",
    "store::committed",
];

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_moment_of_a_run_within_it_goes_on_and_does_nothing_twice() {
    at_every(&OF_A_RUN_WITHIN, Story::Delegate).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_moment_of_a_run_within_nothing_is_deleted_without_leave() {
    at_every(&["assistant_saved", "approval_saved", "effect_done"], Story::DelegateClear).await;
}

async fn at_every(moments: &'static [&'static str], story: Story) {
    let mut moments: JoinSet<_> = moments
        .iter()
        .map(|moment| async move { (moment, each_time(moment, story).await) })
        .collect();
    let mut kills = 0;
    while let Some(done) = moments.join_next().await {
        let (moment, times) = done.unwrap();
        println!("{moment}: {times} times in {story:?}");
        assert!(times > 0, "{moment} never came in {story:?}");
        kills += times;
    }
    println!("{kills} moments of {story:?}, each with {} sequels", after::ALL.len());
}

/// Kills at the first time the moment comes, at the second, and so on: how often it came.
async fn each_time(moment: &'static str, story: Story) -> usize {
    for number in 1.. {
        let at = format!("{moment}@{number}");
        let sequels = after::ALL.map(|after| killed(at.clone(), story, after));
        let came: Vec<bool> = JoinSet::from_iter(sequels).join_all().await;
        if !came.contains(&true) {
            return number - 1;
        }
    }
    unreachable!("a run has an end")
}

/// Whether the moment came.
async fn killed(moment: String, story: Story, after: After) -> bool {
    let world = World::new(format!("{story:?} killed at {moment}, then {after:?}")).await;
    world.configure(story);
    let mut process = world.start_until(&moment, &ask(story));
    let came = process.is_stopped().await;
    if !came {
        let left = world.ended(process).await;
        assert_eq!(left.last()["response"], ANSWER, "{}", world.about);
        world.check().await;
        return false;
    }
    world.killed(process).await;
    match after {
        After::Resume => after::resume(&world).await,
        After::ResumeTwice => {
            killed_again(&world, moment.split('@').next().unwrap()).await;
            after::resume(&world).await;
        }
        After::AskAnew => after::ask_anew(&world).await,
    }
    true
}

/// Goes on, and is killed at the same moment again, if that comes.
async fn killed_again(world: &World, moment: &str) {
    let stored = world.check().await;
    let Some(id) = conversation(&stored).filter(|_| is_unfinished(&stored)) else { return };
    let resume = ["conversations", "resume", "--json", "--approve", id];
    let mut process = world.start_until(moment, &resume);
    if process.is_stopped().await {
        world.killed(process).await;
    } else {
        world.ended(process).await;
    }
}

/// Rounds enough for all who are killed: each time a round is begun anew.
pub(crate) fn ask(story: Story) -> [&'static str; 8] {
    let question = story.question();
    ["ask", "--json", "--approve", "--max-rounds", "20", "--attach", PICTURE, question]
}

/// Approved is approved, and what was not is asked again.
#[tokio::test(flavor = "multi_thread")]
async fn a_decision_outlives_the_process_it_was_made_in() {
    for (moment, status, left) in
        [("assistant_saved", "denied", 1), ("approval_saved", "success", 0)]
    {
        let world = World::new(format!("killed at {moment}, resumed without leave")).await;
        let mut process = world.start_until(moment, &ask(Story::Clear));
        assert!(process.is_stopped().await);
        world.killed(process).await;
        let stored = world.check().await;
        let id = conversation(&stored).unwrap();
        let resumed = world.run(&["conversations", "resume", "--json", id]).await;
        assert_eq!(resumed.code, Some(0), "{}", resumed.err);
        let stored = world.check().await;
        let deletion = |event: &&serde_json::Value| event["tool"] == "delete_notes";
        let end = stored.iter().rfind(deletion).unwrap();
        assert_eq!(end["status"], status, "{}", world.about);
        assert_eq!(world.notes().len(), left, "{}", world.about);
    }
}
