//! S3.6: the answer is held against the results, and improved once if it is not supported.

use std::sync::Arc;

use serde_json::json;
use toolwright_core::{
    Conversation, EventKind, Output, ReviewMode, ToolEffect, Verdict,
    review::{Finding, FindingKind, Review, ReviewCheck, ReviewTools, Reviewer},
};
use toolwright_models::Scripted;
// The reviewer of agents that are given none is the one that is linked.
use toolwright_review as _;
use toolwright_runtime::AgentBuilder;
use toolwright_testkit::{Reply, Script};

use crate::support::{Played, agent, bodies, play, serve, spec, tool};

fn quoting(builder: AgentBuilder) -> AgentBuilder {
    let quote = tool(spec("quote", ToolEffect::ReadOnly), async |_, _| {
        Ok(Output::Json(json!({"symbol": "NIFTY", "last_price": 24_350.75}).to_string()))
    });
    builder.tool(quote)
}

type Found = (ReviewCheck, FindingKind, String);

/// Verdicts in order, each with what was found.
fn verdicts(played: &Played) -> Vec<(Verdict, Vec<Found>)> {
    let reviews = played.events.iter().filter_map(|event| match &event.kind {
        EventKind::Reviewed { findings, verdict, .. } => {
            let found = findings.iter().map(|it| (it.check, it.kind, it.text.clone())).collect();
            Some((*verdict, found))
        }
        _ => None,
    });
    reviews.collect()
}

fn asked() -> Script {
    Script::new().reply(Reply::calls([("a", "quote", "{}")]))
}

#[tokio::test]
async fn an_unsupported_figure_goes_back_once_and_the_model_is_told_which() {
    let script = asked()
        .reply(Reply::text("NIFTY is at 24,999.10."))
        .reply(Reply::text("NIFTY is at 24,350.75."));
    let server = serve(script).await;
    let agent = quoting(agent(&server)).review(ReviewMode::Enforce).build().unwrap();
    let played = play(agent.run("Where is NIFTY?")).await;
    assert_eq!(played.answer().response, "NIFTY is at 24,350.75.");
    let wrong = (ReviewCheck::Supported, FindingKind::Figure, "24,999.10".to_owned());
    assert_eq!(
        verdicts(&played),
        [(Verdict::Returned, vec![wrong]), (Verdict::Passed, Vec::new())]
    );
    let body = bodies(&server).pop().unwrap();
    let told = body["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
    assert!(told.contains("24,999.10"), "{told}");
    server.assert_clean();
}

/// Objects to answers that do not say please.
struct Polite;

impl Reviewer for Polite {
    fn review(&self, answer: &str, _: &Conversation, _: ReviewTools<'_>) -> Review {
        let rude = (!answer.contains("please")).then(|| {
            Finding::new(ReviewCheck::Answered, FindingKind::Claim, "it does not say please")
        });
        Review::new(rude.into_iter().collect(), 1)
    }
}

#[tokio::test]
async fn a_reviewer_of_ones_own_takes_the_place_of_the_other() {
    let script = asked()
        .reply(Reply::text("It is 1,111."))
        .reply(Reply::text("It is 1,111, if you please."));
    let server = serve(script).await;
    let agent = quoting(agent(&server)).review(ReviewMode::Enforce).reviewer(Arc::new(Polite));
    let played = play(agent.build().unwrap().run("Where is NIFTY?")).await;
    assert_eq!(played.answer().response, "It is 1,111, if you please.");
    let rude = (ReviewCheck::Answered, FindingKind::Claim, "it does not say please".to_owned());
    assert_eq!(verdicts(&played), [(Verdict::Returned, vec![rude]), (Verdict::Passed, Vec::new())]);
    let body = bodies(&server).pop().unwrap();
    let told = body["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
    assert!(told.contains("objects to your answer: it does not say please"), "{told}");
}

#[tokio::test]
async fn it_goes_back_only_once_and_then_stands_with_a_warning() {
    let script = asked().reply(Reply::text("It is 1,111.")).reply(Reply::text("It is 2,222."));
    let server = serve(script).await;
    let agent = quoting(agent(&server)).review(ReviewMode::Enforce).build().unwrap();
    let played = play(agent.run("Where is NIFTY?")).await;
    assert_eq!(played.answer().response, "It is 2,222.");
    let verdicts: Vec<_> = verdicts(&played).into_iter().map(|(verdict, _)| verdict).collect();
    assert_eq!(verdicts, [Verdict::Returned, Verdict::NotSupported]);
}

#[tokio::test]
async fn warn_shows_and_off_does_not_look() {
    for (review, expected) in
        [(ReviewMode::Warn, vec![Verdict::NotSupported]), (ReviewMode::Off, Vec::new())]
    {
        let server = serve(asked().reply(Reply::text("It is 1,111."))).await;
        let agent = quoting(agent(&server)).review(review).build().unwrap();
        let played = play(agent.run("Where is NIFTY?")).await;
        assert_eq!(played.answer().response, "It is 1,111.");
        let verdicts: Vec<_> = verdicts(&played).into_iter().map(|(verdict, _)| verdict).collect();
        assert_eq!(verdicts, expected);
        server.assert_clean();
    }
}

#[tokio::test]
async fn an_apology_while_results_exist_goes_back() {
    let script = asked()
        .reply(Reply::text("I'm sorry, I don't have access to market data."))
        .reply(Reply::text("NIFTY is at 24,350.75."));
    let server = serve(script).await;
    let agent = quoting(agent(&server)).review(ReviewMode::Enforce).build().unwrap();
    let played = play(agent.run("Where is NIFTY?")).await;
    assert_eq!(played.answer().response, "NIFTY is at 24,350.75.");
    assert_eq!(verdicts(&played)[0].1[0].1, FindingKind::Apology);
}

#[tokio::test]
async fn a_judge_has_the_last_word_and_a_broken_one_has_none() {
    let opinion = r#"Here: ```json
        {"unsupported": ["NIFTY is rising"]}
        ```"#;
    for (opinion, expected) in
        [(opinion, "NIFTY is at 24,350.75."), ("I think it is fine!", "NIFTY is rising.")]
    {
        let script = asked()
            .reply(Reply::text("NIFTY is rising."))
            .reply(Reply::text("NIFTY is at 24,350.75."));
        let server = serve(script).await;
        let fine = r#"{"unsupported": []}"#;
        let said = [opinion, fine].map(toolwright_core::ModelResponse::text);
        let agent = quoting(agent(&server))
            .review(ReviewMode::Enforce)
            .judge(Scripted::new(said))
            .build()
            .unwrap();
        let played = play(agent.run("Where is NIFTY?")).await;
        assert_eq!(played.answer().response, expected);
    }
}
