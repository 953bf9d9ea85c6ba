//! Who reviews: whatever the reviewer, its word is an event, and a run that has none takes nothing for
//! supported.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::json;
use toolwright_core::{
    Call, CallValidator, Conversation, Event, EventKind, Guard, Limits, ModelResponse, Outcome,
    ReviewMode, Run, RunConfig, Step, Timestamp, ToolEffect, Usage, Verdict,
    review::{Finding, FindingKind, NoReviewer, Review, ReviewCheck, ReviewTools, Reviewer},
};

use crate::desk::{Tools, setup, spec};

/// Objects to every answer that has a word in it, and counts how often it was asked.
#[derive(Default)]
struct Objecting(&'static str, AtomicUsize);

impl Reviewer for Objecting {
    fn review(&self, answer: &str, conversation: &Conversation, tools: ReviewTools<'_>) -> Review {
        self.1.fetch_add(1, Ordering::Relaxed);
        assert!(tools.catalog().find("look").is_some() && !conversation.is_empty());
        let found = answer
            .contains(self.0)
            .then(|| Finding::new(ReviewCheck::Supported, FindingKind::Name, self.0));
        Review::new(found.into_iter().collect(), 1)
    }
}

/// A run that looks, says something beside that, and answers; with its log.
fn play(reviewer: &dyn Reviewer, review: ReviewMode) -> (Run, Vec<Event>) {
    let tools = Tools(vec![spec("look", ToolEffect::ReadOnly)]);
    let guards: [Arc<dyn Guard>; 0] = [];
    let gate = CallValidator::new(&tools, &guards).reviewer(reviewer);
    let at = Timestamp(1);
    let (mut run, mut log) = Run::start(RunConfig { review, ..setup("What is there?") }, at);
    let mut replies = [
        ModelResponse {
            text: "I see a Wolf.".into(),
            ..ModelResponse::calls([Call::new("a", "look", "{}")])
        },
        ModelResponse::text("A Wolf."),
        ModelResponse::text("A Sheep."),
    ]
    .into_iter();
    loop {
        match run.step() {
            Step::CallModel { .. } => {
                log.extend(run.model_called(at).unwrap());
                log.extend(run.model_replied(replies.next().unwrap(), &gate, at).unwrap());
            }
            Step::RunTools(calls) => {
                let id = &calls[0].id;
                log.extend(run.tool_started(id, at).unwrap());
                let outcome = Outcome::ok(json!({"animal": "Sheep"}).to_string());
                log.extend(run.tool_settled(id, outcome, None, Default::default(), at).unwrap());
            }
            Step::Done(_) => return (run, log),
            other => panic!("{other:?}"),
        }
    }
}

fn verdicts(log: &[Event]) -> Vec<Verdict> {
    let verdicts = log.iter().filter_map(|event| match &event.kind {
        EventKind::Reviewed { verdict, .. } => Some(*verdict),
        _ => None,
    });
    verdicts.collect()
}

fn response(run: &Run) -> String {
    match run.step() {
        Step::Done(Ok(answer)) => answer.response,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_word_of_any_reviewer_is_an_event_and_is_not_asked_for_again() {
    let modes = [
        (ReviewMode::Warn, vec![Verdict::NotSupported, Verdict::NotSupported], "A Wolf."),
        (
            ReviewMode::Enforce,
            vec![Verdict::Withheld, Verdict::Returned, Verdict::Passed],
            "A Sheep.",
        ),
        (ReviewMode::Replace, vec![Verdict::Withheld, Verdict::Replaced], r#"{"animal":"Sheep"}"#),
        (ReviewMode::Off, vec![], "A Wolf."),
    ];
    for (mode, told, answer) in modes {
        let reviewer = Objecting("Wolf", AtomicUsize::new(0));
        let (run, log) = play(&reviewer, mode);
        assert_eq!((verdicts(&log), response(&run)), (told.clone(), answer.to_owned()), "{mode:?}");
        assert_eq!(reviewer.1.load(Ordering::Relaxed), told.len(), "{mode:?}");
        for upto in 1..=log.len() {
            let again = Run::replay(Conversation::new(), &log[..upto]).unwrap();
            assert!(upto < log.len() || again == run);
        }
        assert_eq!(reviewer.1.load(Ordering::Relaxed), told.len(), "a replay asks nobody");
    }
}

#[test]
fn without_a_reviewer_nothing_is_taken_for_supported() {
    let modes = [
        (ReviewMode::Warn, vec![Verdict::NotSupported, Verdict::NotSupported], "A Wolf."),
        (
            ReviewMode::Enforce,
            vec![Verdict::Withheld, Verdict::Returned, Verdict::NotSupported],
            "A Sheep.",
        ),
        (ReviewMode::Replace, vec![Verdict::Withheld, Verdict::Replaced], r#"{"animal":"Sheep"}"#),
    ];
    for (mode, told, answer) in modes {
        let (run, log) = play(&NoReviewer, mode);
        assert_eq!((verdicts(&log), response(&run)), (told, answer.to_owned()), "{mode:?}");
    }
}

/// Finds that something is said which was not done.
struct Undone;

impl Reviewer for Undone {
    fn review(&self, answer: &str, _: &Conversation, _: ReviewTools<'_>) -> Review {
        let found = Finding::new(ReviewCheck::Supported, FindingKind::Undone, answer);
        Review::new(vec![found], 0)
    }
}

#[test]
fn in_the_place_of_what_was_not_done_stands_that_nothing_was_changed_also_after_a_crash() {
    let (run, log) = play(&Undone, ReviewMode::Replace);
    // What is said beside a call, that call may do.
    assert_eq!(verdicts(&log), [Verdict::Replaced]);
    let told = response(&run);
    assert!(told.starts_with("Nothing was changed: "), "{told}");
    assert!(told.ends_with("\n\nWhat the tools returned:\n\n{\"animal\":\"Sheep\"}"), "{told}");
    let replaced = |it: &Event| matches!(it.kind, EventKind::Reviewed { .. });
    let at = log.iter().position(replaced).unwrap();
    let mut again = Run::replay(Conversation::new(), &log[..=at]).unwrap();
    again.recover(Timestamp(1)).unwrap();
    assert_eq!(response(&again), told);
}

#[test]
fn what_is_said_beside_calls_that_no_longer_run_was_not_done() {
    use Verdict::{NotSupported, Replaced, Withheld};
    const SAID: &str = "I've saved it.";
    let tools = Tools(vec![spec("look", ToolEffect::ReadOnly)]);
    let guards: [Arc<dyn Guard>; 0] = [];
    let gate = CallValidator::new(&tools, &guards).reviewer(&Undone);
    let at = Timestamp(1);
    // Known before the reply, or only from it: then what it says was shown already.
    let known = Limits { rounds: 0, ..Limits::default() };
    let late = Limits { tokens: Some(1), ..Limits::default() };
    for (limits, review, told, shown) in [
        (&known, ReviewMode::Warn, vec![NotSupported, NotSupported], ""),
        (&known, ReviewMode::Enforce, vec![Withheld, NotSupported], SAID),
        (&known, ReviewMode::Replace, vec![Withheld, Replaced], "Nothing was changed: "),
        (&late, ReviewMode::Warn, vec![NotSupported], ""),
        (&late, ReviewMode::Enforce, vec![NotSupported], SAID),
        (&late, ReviewMode::Replace, vec![Replaced], "I've saved it.\n\nNothing was changed: "),
    ] {
        let config = RunConfig { review, limits: *limits, ..setup("Save it.") };
        let (mut run, mut log) = Run::start(config, at);
        log.extend(run.model_called(at).unwrap());
        let call = Call::new("a", "look", "{}");
        let usage = Usage { prompt_tokens: 9, completion_tokens: 9, ..Usage::default() };
        let reply = ModelResponse { text: SAID.into(), usage, ..ModelResponse::calls([call]) };
        log.extend(run.model_replied(reply, &gate, at).unwrap());
        assert_eq!(verdicts(&log), told, "{review:?}");
        let pieces = log.iter().filter_map(|it| match &it.kind {
            EventKind::Content { data } => Some(data.as_str()),
            _ => None,
        });
        let said: String = pieces.collect();
        assert!(said.starts_with(shown), "{review:?}: {said}");
        assert!(said.matches(SAID).count() <= 1, "{review:?}: {said}");
    }
}
