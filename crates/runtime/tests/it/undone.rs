//! An answer that says that something was done which was not: what the model is told, and what people read.

use toolwright_core::{
    EventKind, ModelResponse, ReviewMode, Status, ToolEffect, Verdict, review::FindingKind,
};
use toolwright_models::Scripted;
use toolwright_review as _;
use toolwright_runtime::{Agent, AllowAll, DenyAll};

use crate::support::{Count, Played, calls, counting, play, spec, text, tool};

const QUESTION: &str = "timeout shud be 45 secs in config/settings.toml";
const LOOK: (&str, &str, &str) = ("a", "show", r#"{"path":"config/settings.toml"}"#);
const EDIT: (&str, &str, &str) = ("b", "edit", r#"{"path":"config/settings.toml"}"#);
const CLAIM: &str = "Done: in config/settings.toml, `show` is now `show`.";
const NOTHING: &str = "Nothing was changed: the model wrote that it was done, but no tool did it.";

fn says(text: &str) -> ModelResponse {
    ModelResponse::text(text)
}

/// What a model that says this comes to, and how often something was changed.
async fn played(mode: ReviewMode, allowed: bool, said: Vec<ModelResponse>) -> (Played, usize) {
    let count = Count::default();
    let show = tool(spec("show", ToolEffect::ReadOnly), async |_, _| text("timeout = 30"));
    let edit = counting(spec("edit", ToolEffect::Destructive), &count);
    let agent = Agent::builder(Scripted::new(said)).tools([show, edit]).review(mode);
    let agent = if allowed { agent.approver(AllowAll) } else { agent.approver(DenyAll) };
    let played = play(agent.build().unwrap().run(QUESTION)).await;
    (played, count.get())
}

/// Each verdict, with the sentences that say what was not done.
fn verdicts(played: &Played) -> Vec<(Verdict, Vec<String>)> {
    let reviews = played.events.iter().filter_map(|event| match &event.kind {
        EventKind::Reviewed { findings, verdict, .. } => {
            let undone = findings.iter().filter(|it| it.kind == FindingKind::Undone);
            Some((*verdict, undone.map(|it| it.text.clone()).collect()))
        }
        _ => None,
    });
    reviews.collect()
}

/// The text that people are shown.
fn shown(played: &Played) -> String {
    let pieces = played.events.iter().filter_map(|event| match &event.kind {
        EventKind::Content { data } => Some(data.as_str()),
        _ => None,
    });
    pieces.collect()
}

#[tokio::test]
async fn where_the_results_take_its_place_people_read_that_nothing_was_changed() {
    let said = vec![calls([LOOK]), says(CLAIM)];
    let (played, changed) = played(ReviewMode::Replace, true, said).await;
    assert_eq!((changed, verdicts(&played)), (0, vec![(Verdict::Replaced, vec![CLAIM.into()])]));
    let answer = &played.answer().response;
    assert!(answer.starts_with(NOTHING), "{answer}");
    assert!(answer.ends_with("\n\nWhat the tools returned:\n\ntimeout = 30"), "{answer}");
    assert_eq!(&shown(&played), answer, "and nothing else");
    assert_eq!(played.conversation.messages().last().unwrap().content(), answer);
}

#[tokio::test]
async fn a_call_that_a_person_rejected_did_nothing() {
    let said = vec![calls([LOOK]), calls([EDIT]), says("I've updated the timeout to 45.")];
    let (played, changed) = played(ReviewMode::Replace, false, said).await;
    assert_eq!((changed, played.calls()[1]), (0, ("edit", Status::Denied)));
    let answer = &played.answer().response;
    assert!(answer.starts_with(NOTHING), "{answer}");
    assert!(answer.contains("What the tools returned:\n\n"), "why not: {answer}");
}

#[tokio::test]
async fn sent_back_it_is_done_or_admitted() {
    let admitted = "It was not changed: config/settings.toml still says 30.";
    for (said, changed, answer) in [
        (vec![calls([LOOK]), says(CLAIM), calls([EDIT]), says("Done.")], 1, "Done."),
        (vec![calls([LOOK]), says(CLAIM), says(admitted)], 0, admitted),
        (vec![says(CLAIM), says(admitted)], 0, admitted),
    ] {
        let (played, ran) = played(ReviewMode::Enforce, true, said).await;
        assert_eq!((ran, played.answer().response.as_str()), (changed, answer));
        assert_eq!(verdicts(&played)[0], (Verdict::Returned, vec![CLAIM.into()]));
        assert!(verdicts(&played)[1..].iter().all(|it| it.0.accepts() && it.1.is_empty()));
        let told = played.events.iter().find_map(|event| match &event.kind {
            EventKind::AnswerRejected { reason, .. } => Some(reason.clone()),
            _ => None,
        });
        let told = told.unwrap();
        assert!(told.contains(CLAIM) && told.contains("no call did it"), "{told}");
        assert_eq!(shown(&played), answer, "what was sent back is not shown");
    }
}

#[tokio::test]
async fn what_was_done_passes_and_so_does_what_is_said_beside_the_call() {
    for mode in [ReviewMode::Warn, ReviewMode::Enforce, ReviewMode::Replace] {
        let beside = ModelResponse { text: "I've updated the file. ".into(), ..calls([EDIT]) };
        let said = vec![calls([LOOK]), beside, says("I've set it to 45.")];
        let (played, changed) = played(mode, true, said).await;
        assert_eq!((changed, played.answer().response.as_str()), (1, "I've set it to 45."));
        assert!(verdicts(&played).iter().all(|it| it.0.accepts() && it.1.is_empty()), "{mode:?}");
    }
    let (played, _) = played(ReviewMode::Warn, true, vec![calls([LOOK]), says(CLAIM)]).await;
    assert_eq!(played.answer().response, CLAIM);
    assert_eq!(verdicts(&played), [(Verdict::NotSupported, vec![CLAIM.to_owned()])]);
}
