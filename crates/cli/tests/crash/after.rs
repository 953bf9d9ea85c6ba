//! What a person does after a crash, and how it must turn out.

use serde_json::Value;

use crate::{
    story::{ANSWER, Story},
    world::{World, conversation, is_unfinished},
};

/// What a person does after a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// Goes on with the run.
    Resume,
    /// Goes on with the run, which is killed again.
    ResumeTwice,
    /// Asks something else.
    AskAnew,
}

pub(crate) const ALL: [After; 3] = [After::Resume, After::ResumeTwice, After::AskAnew];

/// Goes on with what was cut short: the question gets its answer, and so does the next one.
pub(crate) async fn resume(world: &World) {
    let stored = go_on(world).await;
    assert_eq!(stored.last().unwrap()["response"], ANSWER, "{}", world.about);
    asked(world, &stored, Story::Thanks).await;
}

/// Asks something else: what was cut short is ended, and the question gets its answer.
pub(crate) async fn ask_anew(world: &World) {
    let stored = world.check().await;
    asked(world, &stored, Story::OneNote).await;
}

/// Goes on with what was cut short: the question gets its answer. What is stored then.
pub(crate) async fn go_on(world: &World) -> Vec<Value> {
    let stored = world.check().await;
    let Some(id) = conversation(&stored) else {
        // Killed before anything was kept, and so nothing was shown: the person asks again.
        return asked(world, &stored, Story::OneNote).await;
    };
    let left = world.run(&["conversations", "resume", "--json", "--approve", id]).await;
    assert_eq!(left.code, Some(0), "{}: {}", world.about, left.err);
    if !is_unfinished(&stored) {
        assert!(left.err.contains("Nothing was cut short"), "{}: {}", world.about, left.err);
        assert!(left.shown.is_empty(), "{}", world.about);
        return stored;
    }
    let now = world.check().await;
    assert_eq!(now[..stored.len()], stored, "{}: what was stored stays so", world.about);
    assert_eq!(now.last().unwrap()["response"], ANSWER, "{}", world.about);
    now
}

async fn asked(world: &World, stored: &[Value], story: Story) -> Vec<Value> {
    let left = world.ask(story, conversation(stored)).await;
    assert_eq!(left.code, Some(0), "{}: {}", world.about, left.err);
    assert_eq!(left.last()["response"], ANSWER, "{}", world.about);
    let now = world.check().await;
    assert_eq!(now[..stored.len()], *stored, "{}: what was stored stays so", world.about);
    if is_unfinished(stored) {
        let run = &stored.last().unwrap()["run"];
        let end = now.iter().rfind(|event| event["run"] == *run).unwrap();
        // It may have had its answer, and only not said so.
        let is_ended = end["type"] == "done" || end["kind"] == "interrupted";
        assert!(is_ended, "{}: {end}", world.about);
    }
    world.check_file();
    now
}
