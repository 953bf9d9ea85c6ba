//! A call that would make a text disappear runs only where that text was seen, or the user asked for it in words.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use futures_core::future::BoxFuture;
use toolwright_core::{
    CallPreview, Conversation, Decision, EventKind, ModelResponse, ReplacedText, RunContext,
    Status, Tool, ToolEffect, WithPreview,
};
use toolwright_models::Scripted;
use toolwright_runtime::{
    Agent, AllowAll, ApprovalRequest, Approver, Rule, RuleApprover, RuleVerdict, Rules,
};

use crate::support::{Count, Played, calls, counting, play, spec, text, tool};

const CONTENT: &str = "one\ntwo\n";

/// A file that may change meanwhile.
#[derive(Clone)]
struct File(Arc<Mutex<String>>);

impl File {
    fn new() -> Self {
        Self(Arc::new(Mutex::new(CONTENT.to_owned())))
    }

    fn tools(&self, written: &Count) -> Vec<Arc<dyn Tool>> {
        let shown = self.clone();
        let show = tool(spec("show", ToolEffect::ReadOnly), move |_, _| {
            let text = shown.0.lock().unwrap().clone();
            async move { self::text(text) }
        });
        let write = spec("write", ToolEffect::Destructive)
            .asked_for("overwrite", ["overwrite", "put"])
            .even_unseen("overwrite", ["overwrite"]);
        let file = self.clone();
        let write = WithPreview::new(counting(write, written), move |_, _| {
            let replaces = Some(ReplacedText {
                name: "a.txt".to_owned(),
                text: file.0.lock().unwrap().clone(),
                advice: "Show it first.".to_owned(),
            });
            Box::pin(std::future::ready(CallPreview { replaces, ..CallPreview::default() }))
        });
        vec![show, Arc::new(write)]
    }
}

const SHOW: (&str, &str, &str) = ("s", "show", "{}");
const WRITE: (&str, &str, &str) = ("w", "write", r#"{"overwrite": true}"#);

/// What is asked, what the model calls one after the other, who decides.
async fn played(
    question: &str,
    script: &[(&str, &str, &str)],
    approver: impl Approver + 'static,
) -> (Played, usize) {
    let replies = script.iter().map(|call| calls([*call])).chain([ModelResponse::text("Done.")]);
    let (file, written) = (File::new(), Count::default());
    let agent = Agent::builder(Scripted::new(replies.collect::<Vec<_>>()));
    let agent = agent.tools(file.tools(&written)).approver(approver).build().unwrap();
    let played = play(agent.run(question)).await;
    assert_eq!(played.answer().response, "Done.");
    (played, written.get())
}

fn last(played: &Played) -> (Status, Option<String>, String) {
    let finished = played.events.iter().rev().find_map(|event| match &event.kind {
        EventKind::CallFinished { status, guard, message, .. } => {
            Some((*status, guard.clone(), message.content().to_owned()))
        }
        _ => None,
    });
    finished.unwrap()
}

#[tokio::test]
async fn what_was_never_shown_is_not_replaced_whoever_allows_it() {
    let allowed = || {
        let rule = Rule::new(RuleVerdict::Allow, "write");
        RuleApprover::new(Arc::new(Rules::new(vec![rule])), AllowAll)
    };
    let (by_all, ran) = played("Put x there.", &[WRITE], AllowAll).await;
    let (by_rule, too) = played("Put x there.", &[WRITE], allowed()).await;
    assert_eq!((ran, too), (0, 0));
    let told = "a.txt would be replaced, and it was not shown in this conversation as it is now (line 1: \
                `one`). Show it first.";
    let refused = (Status::Refused, Some("seen".to_owned()), told.to_owned());
    assert_eq!((last(&by_all), last(&by_rule)), (refused.clone(), refused));
    let is_shown = |it: &toolwright_core::Event| matches!(it.kind, EventKind::CallPreview { .. });
    assert!(!by_all.events.iter().any(is_shown), "nobody is asked about it");
    let (_, ran) = played("Put x there.", &[SHOW, WRITE], AllowAll).await;
    assert_eq!(ran, 1);
}

#[tokio::test]
async fn whoever_asks_for_it_in_words_gets_it() {
    for (question, runs) in [
        ("Overwrite a.txt with x", 1),
        ("overwrites it", 1),
        ("Write x into a.txt", 0),
        ("Put x into a.txt, but don't overwrite it", 0),
        ("Put 'overwrite' into a.txt", 0),
        ("Replace one by two in a.txt", 0),
    ] {
        assert_eq!(played(question, &[WRITE], AllowAll).await.1, runs, "{question}");
    }
    // The words ask for the flag: without it nothing was asked for.
    let bare = ("w", "write", "{}");
    assert_eq!(played("Overwrite a.txt with x", &[bare], AllowAll).await.1, 0);
}

/// The process is another, and so is the file, once.
#[tokio::test]
async fn what_changed_since_it_was_shown_is_not_replaced() {
    for changes in [false, true] {
        let (file, written) = (File::new(), Count::default());
        let agent = |replies: Vec<ModelResponse>| {
            let agent = Agent::builder(Scripted::new(replies)).tools(file.tools(&written));
            agent.approver(AllowAll).build().unwrap()
        };
        let shown = vec![calls([SHOW]), ModelResponse::text("Shown.")];
        let first = play(agent(shown).run("Show it.")).await;
        // As it is kept: somebody else reads it.
        let kept = serde_json::to_string(&first.conversation).unwrap();
        let history: Conversation = serde_json::from_str(&kept).unwrap();
        if changes {
            file.0.lock().unwrap().push_str("three\n");
        }
        let written_over = vec![calls([WRITE]), ModelResponse::text("Done.")];
        let run = agent(written_over).prepare("Put x there.").conversation(history);
        let played = play(run.start()).await;
        assert_eq!(written.get(), usize::from(!changes));
        if changes {
            assert!(last(&played).2.contains("(line 3: `three`)"), "{:?}", last(&played));
        }
    }
}

/// What is taken out of what is shown is taken out of what it is compared with.
#[tokio::test]
async fn secrets_in_what_was_shown_keep_nobody_from_replacing_it() {
    let (file, written) = (File::new(), Count::default());
    file.0.lock().unwrap().push_str("key = canary-4711\n");
    let replies = vec![calls([SHOW]), calls([WRITE]), ModelResponse::text("Done.")];
    let agent = Agent::builder(Scripted::new(replies)).tools(file.tools(&written));
    let agent = agent.approver(AllowAll).build().unwrap();
    let context = RunContext::new().secret("canary-4711");
    let played = play(agent.prepare("Put x there.").context(context).start()).await;
    assert_eq!(written.get(), 1, "{:?}", last(&played));
}

/// Somebody who changes a call decides about it themselves.
struct Changing(AtomicUsize);

impl Approver for Changing {
    fn decide<'a>(&'a self, _: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        let arguments = serde_json::json!({"overwrite": true, "text": "mine"});
        let decision = match self.0.fetch_add(1, SeqCst) {
            0 => Decision::Edit { arguments },
            _ => Decision::AllowReviewed,
        };
        Box::pin(std::future::ready(decision))
    }
}

#[tokio::test]
async fn whoever_changes_a_call_decides_about_it() {
    let (file, written) = (File::new(), Count::default());
    let replies = vec![calls([WRITE]), ModelResponse::text("Done.")];
    let mut tools = file.tools(&written);
    // A call that replaces nothing becomes, by a person's hand, one that does.
    let inner = tools.pop().unwrap();
    let is_theirs = Arc::new(move |arguments: &serde_json::Value| arguments["text"] == "mine");
    let content = file.clone();
    tools.push(Arc::new(WithPreview::new(inner, move |arguments, _| {
        let replaces = is_theirs(arguments).then(|| ReplacedText {
            name: "a.txt".to_owned(),
            text: content.0.lock().unwrap().clone(),
            advice: String::new(),
        });
        Box::pin(std::future::ready(CallPreview { replaces, ..CallPreview::default() }))
    })));
    let agent = Agent::builder(Scripted::new(replies)).tools(tools);
    let agent = agent.approver(Changing(AtomicUsize::new(0))).build().unwrap();
    let played = play(agent.run("Put x there.")).await;
    assert_eq!(written.get(), 1, "{:?}", last(&played));
}
