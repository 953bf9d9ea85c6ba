//! What runs without a question, and what does not run at all.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use futures_core::future::BoxFuture;
use serde_json::{Value, json};
use toolwright_core::{
    CallPreview, Decision, EventKind, FnTool, Output, PreviewContent, RuleTarget, RuleTargets,
    Status, Timestamp, Tool, ToolEffect, ToolSpec, WithPreview,
};
use toolwright_runtime::{
    AllowAll, ApprovalRequest, Approver, DenyAll, Rule, RuleApprover, RuleVerdict, Rules,
};
use toolwright_testkit::{Reply, Script};

use crate::support::{Played, agent, play, results_sent, serve};

/// A shell whose commands are told apart by `;`; `wild` can do more than it seems, and `?` cannot be
/// understood.
fn shell(ran: &Arc<AtomicUsize>, place: &'static str) -> Arc<dyn Tool> {
    let spec = ToolSpec::new(
        "sh",
        "Runs commands.",
        json!({"type": "object", "properties": {"command": {"type": "string"}}}),
    );
    let spec = spec.effect(ToolEffect::Destructive).executable("command");
    let ran = ran.clone();
    let tool = FnTool::new(spec, move |_, _| {
        ran.fetch_add(1, Ordering::Relaxed);
        Box::pin(std::future::ready(Ok(Output::Text("Done, as `make all` says.".into()))))
    });
    Arc::new(WithPreview::new(Arc::new(tool), move |arguments: &Value, _| {
        let command = arguments["command"].as_str().unwrap_or_default();
        let parts = command.split(';').map(str::trim);
        let subjects = parts.map(|part| match part {
            part if part.starts_with("wild") => RuleTarget::exact(part),
            // Only the beginning of it is certain.
            part if part.starts_with("some ") => {
                RuleTarget { certain: Some(5), ..RuleTarget::new(part) }
            }
            part if part.starts_with("look") => {
                RuleTarget { read_only: true, ..RuleTarget::new(part) }
            }
            part => RuleTarget::new(part),
        });
        let subjects = match command.contains('?') {
            true => RuleTargets::Unclear("it is unclear".into()),
            false => RuleTargets::These(subjects.collect()),
        };
        let preview = Some(PreviewContent::Command(command.to_owned()));
        let care = command.contains("hook").then(|| "it is a hook".to_owned());
        let place = Some(place.to_owned());
        Box::pin(std::future::ready(CallPreview {
            place,
            content: preview,
            targets: subjects,
            review_reason: care,
            read_only: command == "look",
            ..CallPreview::default()
        }))
    }))
}

fn allow(pattern: &str) -> Rule {
    Rule::new(RuleVerdict::Allow, "sh").pattern(pattern)
}

fn deny(pattern: &str) -> Rule {
    Rule::new(RuleVerdict::Deny, "sh").pattern(pattern)
}

/// Plays a run in which these commands are called for one after another.
async fn played(
    commands: &[&str],
    rules: Vec<Rule>,
    asked: impl Approver + 'static,
) -> (Vec<Status>, usize, Vec<String>) {
    let mut script = Script::new();
    for (at, command) in commands.iter().enumerate() {
        let arguments = json!({"command": command}).to_string();
        script = script.reply(Reply::calls([(format!("c{at}"), "sh".to_owned(), arguments)]));
    }
    let server = serve(script.reply(Reply::text("Well."))).await;
    let ran = Arc::new(AtomicUsize::new(0));
    let agent = agent(&server)
        .tool(shell(&ran, "/srv/app"))
        .limits(toolwright_core::Limits { rounds: 100, calls: 100, ..Default::default() })
        .without_default_guards()
        .approver(RuleApprover::new(Arc::new(Rules::new(rules)), asked).at_most(3))
        .build()
        .unwrap();
    let played: Played = play(agent.run("Go on.")).await;
    assert_eq!(played.answer().response, "Well.");
    let statuses = played.calls().into_iter().map(|(_, status)| status).collect();
    let sent = results_sent(&server).into_iter().map(|(.., text)| text).collect();
    (statuses, ran.load(Ordering::Relaxed), sent)
}

const OK: Status = Status::Ok;
const NO: Status = Status::Denied;

#[tokio::test]
async fn what_every_part_is_allowed_for_runs() {
    let rules = || vec![allow("ls *"), allow("cat *"), allow("wild one")];
    for (command, wanted) in [
        ("ls", OK),
        ("ls -l; cat x", OK),
        ("ls; rm x", NO),
        ("lsof", NO),
        ("ls ?", NO),
        ("wild one", OK),
        ("wild two", NO),
        ("wild *", NO),
        ("ls hook", NO),
    ] {
        let (statuses, ran, _) = played(&[command], rules(), DenyAll).await;
        assert_eq!((statuses, ran), (vec![wanted], usize::from(wanted == OK)), "{command}");
    }
    // A pattern is no name: what can do more than it seems is named, or not allowed.
    let rules = vec![allow("wild *"), allow("*")];
    let (statuses, ..) = played(&["wild one", "wild *"], rules, DenyAll).await;
    assert_eq!(statuses, [NO, NO]);
    // Unless the star is meant as one.
    let star = Rule::new(RuleVerdict::Allow, "sh").exactly("wild *");
    let (statuses, ..) = played(&["wild *", "wild one"], vec![star], DenyAll).await;
    assert_eq!(statuses, [OK, NO]);
}

#[tokio::test]
async fn what_is_denied_is_denied_whatever_else_allows_it() {
    for rules in
        [vec![allow("*"), deny("rm *")], vec![deny("rm *"), Rule::new(RuleVerdict::Allow, "*")]]
    {
        let (statuses, ran, sent) = played(&["ls; rm -r x", "ls"], rules, AllowAll).await;
        assert_eq!((statuses, ran), (vec![NO, OK], 1));
        assert_eq!(sent[0], "The call of sh was denied: a rule says so: deny sh `rm *`.");
    }
    let many = format!("{}rm x", "true;".repeat(10_000));
    let (statuses, ..) = played(&[&many], vec![allow("*"), deny("rm *")], AllowAll).await;
    assert_eq!(statuses, [NO], "after any number of others");
    let all = Rule::new(RuleVerdict::Deny, "sh");
    let (statuses, ..) = played(&["ls", "ls ?"], vec![allow("*"), all], AllowAll).await;
    assert_eq!(statuses, [NO, NO]);
}

#[tokio::test]
async fn a_rule_holds_where_and_until_it_says() {
    let (past, future) = (Timestamp(1_000), Timestamp(u64::MAX));
    for (rule, wanted) in [
        (allow("ls").place("/srv/app"), OK),
        (allow("ls").place("/srv"), OK),
        (allow("ls").place("/srv/ap"), NO),
        (allow("ls").place("/srv/app/src"), NO),
        (allow("ls").until(future), OK),
        (allow("ls").until(past), NO),
        (Rule { tool: "other".into(), ..allow("ls") }, NO),
    ] {
        let (statuses, ..) = played(&["ls"], vec![rule.clone()], DenyAll).await;
        assert_eq!(statuses, [wanted], "{rule:?}");
    }
    let ask = Rule::new(RuleVerdict::Ask, "sh").pattern("ls *");
    let (statuses, ..) = played(&["ls"], vec![allow("ls"), ask], DenyAll).await;
    assert_eq!(statuses, [NO], "whoever wants to be asked is asked");
}

/// A person who says yes, and remembers to what; with "always" when asked for the first time.
#[derive(Clone, Default)]
struct Person(Arc<Mutex<Vec<Seen>>>, Option<Arc<Rules>>);

/// What was shown, and why to look twice.
type Seen = (String, Option<String>);

impl Approver for Person {
    fn decide<'a>(&'a self, question: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        let shown = question.preview.content.as_ref().map(PreviewContent::text).unwrap_or_default();
        self.0
            .lock()
            .unwrap()
            .push((shown.to_owned(), question.review_reason().map(str::to_owned)));
        if let Some(rules) = &self.1 {
            Rule::always(question).into_iter().for_each(|rule| rules.add(rule));
        }
        Box::pin(std::future::ready(Decision::AllowReviewed))
    }
}

/// I8: a command that a result told the model is looked at, although a rule would let it run; one
/// that somebody named exactly was looked at before.
#[tokio::test]
async fn a_quoted_command_is_asked_about_despite_a_rule() {
    let person = Person::default();
    let commands = ["ls", "make all", "make some"];
    let (statuses, ..) =
        played(&commands, vec![allow("ls"), allow("make *")], person.clone()).await;
    assert_eq!(statuses, [OK; 3]);
    let care = "`make all` stands in a result of `sh`; the user did not say it".to_owned();
    assert_eq!(*person.0.lock().unwrap(), [("make all".to_owned(), Some(care))]);

    let (statuses, ..) = played(&commands, vec![allow("ls"), allow("make *")], AllowAll).await;
    assert_eq!(statuses, [OK, NO, OK], "approval beforehand is no look");
    let named = vec![allow("ls"), allow("make all")];
    let (statuses, ..) = played(&["ls", "make all"], named, DenyAll).await;
    assert_eq!(statuses, [OK, OK]);
}

/// Why a deny rule asks is a part of what is shown, so every face shows it: a terminal, the page, a log.
#[tokio::test]
async fn the_doubt_of_a_rule_is_in_the_event() {
    let script = Script::new().reply(Reply::calls([("a", "sh", r#"{"command": "some thing"}"#)]));
    let server = serve(script.reply(Reply::text("Well."))).await;
    let (ran, person) = (Arc::new(AtomicUsize::new(0)), Person::default());
    let rules = Arc::new(Rules::new(vec![deny("some other *")]));
    // However it is wrapped.
    let approver: Box<dyn Approver> = Box::new(Arc::new(RuleApprover::new(rules, person.clone())));
    let agent = agent(&server).tool(shell(&ran, "/srv/app")).approver(approver).build().unwrap();
    let played = play(agent.run("Go on.")).await;
    let shown = played.events.iter().find_map(|event| match &event.kind {
        EventKind::CallPreview { preview, .. } => Some(preview.rule_concern.clone()),
        _ => None,
    });
    let (_, asked) = person.0.lock().unwrap().first().cloned().unwrap();
    assert!(asked.as_deref().is_some_and(|it| it.contains("deny sh `some other *`")), "{asked:?}");
    assert_eq!(shown, Some(asked));
}

/// I10: a model cannot wear a person down.
#[tokio::test]
async fn nobody_is_asked_for_ever() {
    let person = Person::default();
    let commands: Vec<String> = (0..50).map(|at| format!("rm file-{at}")).collect();
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    let (statuses, ran, sent) = played(&commands, Vec::new(), person.clone()).await;
    assert_eq!((ran, person.0.lock().unwrap().len()), (3, 3));
    assert_eq!(statuses.iter().filter(|it| **it == NO).count(), 47);
    assert!(sent[3].contains("was asked 3 times in this run"), "{}", sent[3]);
}

#[tokio::test]
async fn always_is_for_this_and_here() {
    let rules = Arc::new(Rules::default());
    let person = Person(Arc::default(), Some(rules.clone()));
    let ran = Arc::new(AtomicUsize::new(0));
    for (place, command, asked) in [
        ("/srv/app", "rm a; rm b", 1),
        ("/srv/app", "rm b; rm a; rm a", 1),
        ("/srv/app", "rm c", 2),
        ("/srv/else", "rm a", 3),
        ("/srv/app", "rm a; hook", 4),
        ("/srv/app", "rm a; hook", 5),
    ] {
        let arguments = json!({"command": command}).to_string();
        let script = Script::new().reply(Reply::calls([("a", "sh", arguments.as_str())]));
        let server = serve(script.reply(Reply::text("Well."))).await;
        let approver = RuleApprover::new(rules.clone(), person.clone());
        let agent = agent(&server).tool(shell(&ran, place)).approver(approver).build().unwrap();
        play(agent.run("Go on.")).await;
        assert_eq!(person.0.lock().unwrap().len(), asked, "{place} {command}");
    }
    assert_eq!(ran.load(Ordering::Relaxed), 6);
}

/// What a call would do is asked again right before it runs: where it changed, so is the person.
#[tokio::test]
async fn b18_what_changes_between_the_decision_and_the_run_is_decided_again() {
    let world = Arc::new(Mutex::new(0));
    let spec = ToolSpec::new("edit", "Edits.", json!({"type": "object", "properties": {}}));
    let tool = FnTool::new(spec.effect(ToolEffect::Destructive), |_, _| {
        Box::pin(std::future::ready(Ok(Output::Text("Edited.".into()))))
    });
    let seen = world.clone();
    let tool = WithPreview::new(Arc::new(tool), move |_: &Value, _| {
        let content = Some(PreviewContent::Diff(format!("+{}", seen.lock().unwrap())));
        Box::pin(std::future::ready(CallPreview { content, ..CallPreview::default() }))
    });
    /// Says yes; the first time somebody else changes the file meanwhile.
    struct Slow(Arc<Mutex<i32>>, Arc<Mutex<Vec<String>>>);
    impl Approver for Slow {
        fn decide<'a>(&'a self, question: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
            let mut shown = self.1.lock().unwrap();
            shown.push(question.preview.content.as_ref().unwrap().text().to_owned());
            if shown.len() == 1 {
                *self.0.lock().unwrap() += 1;
            }
            Box::pin(std::future::ready(Decision::AllowReviewed))
        }
    }
    let shown = Arc::new(Mutex::new(Vec::new()));
    let script = Script::new().reply(Reply::calls([("a", "edit", "{}")]));
    let server = serve(script.reply(Reply::text("Well."))).await;
    let agent = agent(&server).tool(Arc::new(tool)).approver(Slow(world, shown.clone()));
    let played = play(agent.build().unwrap().run("Edit.")).await;
    assert_eq!(*shown.lock().unwrap(), ["+0", "+1"]);
    let kinds = played.kinds();
    let of = |kind: &str| kinds.iter().filter(|it| *it == kind).count();
    assert_eq!(
        [of("decision_needed"), of("call_preview"), of("decision_made"), of("call_started")],
        [2, 3, 2, 1]
    );
    server.assert_clean();
}

/// Approval beforehand does not cover what a deny rule may be about, nor does a rule about everything;
/// one that names the program does, and so does somebody who looks.
#[tokio::test]
async fn what_a_deny_rule_may_be_about_is_looked_at() {
    let no = [deny("rm *"), deny("some rm *")];
    let with = |more: &[Rule]| no.iter().cloned().chain(more.iter().cloned()).collect::<Vec<_>>();
    for (command, more, wanted) in [
        ("rm x", vec![], NO),
        ("ls ?", vec![], NO),
        ("ls", vec![], OK),
        ("some x", vec![], NO),
        ("some x", vec![allow("*")], NO),
        ("some x", vec![Rule::new(RuleVerdict::Allow, "sh")], NO),
        ("some x", vec![allow("some *")], OK),
        ("ls; some x", vec![allow("ls")], NO),
        ("look", vec![], OK),
    ] {
        let (statuses, ran, sent) = played(&[command], with(&more), AllowAll).await;
        assert_eq!(
            (statuses, ran),
            (vec![wanted], usize::from(wanted == OK)),
            "{command}: {sent:?}"
        );
    }
    // Without such a rule nothing changes.
    let (statuses, ..) = played(&["ls ?", "some x"], vec![deny("make *")], AllowAll).await;
    assert_eq!(statuses, [NO, OK]);
    let (statuses, ..) = played(&["ls ?", "some x"], Vec::new(), AllowAll).await;
    assert_eq!(statuses, [OK, OK]);
}

/// What changes nothing needs no rule; a part that changes nothing needs none beside others, and does
/// not make the whole one that changes nothing.
#[tokio::test]
async fn what_changes_nothing_runs_unless_a_rule_asks() {
    let ask = Rule::new(RuleVerdict::Ask, "sh").pattern("look *");
    for (command, rules, wanted) in [
        ("look", vec![], OK),
        ("look; look", vec![], NO),
        ("look; ls", vec![], NO),
        ("look; ls", vec![allow("ls")], OK),
        ("look", vec![ask], NO),
        ("look", vec![deny("look")], NO),
    ] {
        let (statuses, ..) = played(&[command], rules, DenyAll).await;
        assert_eq!(statuses, [wanted], "{command}");
    }
}
