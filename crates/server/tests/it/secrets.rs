//! Tokens and keys stay where they are.

use serde_json::json;
use toolwright_market::{SimSettings, Simulator};
use toolwright_testkit::{Reply, Script};

use crate::harness::{Desk, Setup, everything_in};

const CANARY: &str = "canary-token-7f3a9b1c5d";

/// S1, S9: the token of a request is used, and is found nowhere: not at the model, not in the stream,
/// not in the database.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_used_and_found_nowhere() {
    let simulator = Simulator::start(SimSettings::default()).await.unwrap();
    let base = simulator.base_url();
    let setup = Setup { config: format!("[market]\nbase_url = \"{base}\"\n"), ..Setup::default() };
    let script = Script::new()
        .reply(Reply::calls([("c1", "search_instruments", r#"{"query":"NIFTY"}"#)]))
        .reply(Reply::calls([("c2", "get_market_quote", r#"{"securities":{"IDX_I":[13]}}"#)]))
        .reply(Reply::text("There it is."));
    let (desk, model) = Desk::with(setup, script).await;
    let body = json!({"message": "The price of NIFTY?", "access_token": CANARY});
    let answer = desk.post("/api/chat/stream", &body).await;
    assert_eq!(answer.events().last().unwrap().1["type"], "done", "{}", answer.text());
    assert!(!answer.text().contains(CANARY));
    let sent: Vec<_> = model.requests().iter().map(|it| it.body.to_string()).collect();
    assert!(sent.iter().all(|it| !it.contains(CANARY)));
    assert!(!everything_in(desk.folder.path()).contains(CANARY));
    for path in ["/metrics", "/api/info", "/api/conversations"] {
        assert!(!desk.get(path).await.text().contains(CANARY));
    }
}

/// S5, S7: each request has its own token and no other's; one that has expired is told so.
#[tokio::test(flavor = "multi_thread")]
async fn an_expired_token_is_not_helped_out() {
    let simulator = Simulator::start(SimSettings::default()).await.unwrap();
    let base = simulator.base_url();
    let setup = Setup {
        config: format!("[market]\nbase_url = \"{base}\"\naccess_token = \"{CANARY}\"\n"),
        ..Setup::default()
    };
    let script = Script::new()
        .reply(Reply::calls([("c1", "get_funds", "{}")]))
        .reply(Reply::text("It has expired."))
        .reply(Reply::calls([("c2", "get_funds", "{}")]))
        .reply(Reply::text("Here."));
    let (desk, _model) = Desk::with(setup, script).await;
    let body = json!({"message": "My funds?", "access_token": "expired"});
    let events = desk.chat_with(body).await;
    assert_eq!(events.last().unwrap()["tool_calls"][0]["status"], "error");
    let body = json!({"message": "My funds?", "task": "trading"});
    let events = desk.chat_with(body).await;
    assert_eq!(events.last().unwrap()["tool_calls"][0]["status"], "success", "{events:?}");
}

/// What was found out with one token is not told to whoever comes with another, or with none: an
/// operator may let any tool's answers be kept, and need not know what they depend on.
#[tokio::test(flavor = "multi_thread")]
async fn what_one_token_sees_is_not_kept_for_another() {
    let simulator = Simulator::start(SimSettings::default()).await.unwrap();
    let config = format!(
        "[market]\nbase_url = \"{}\"\n[tools.get_holdings]\ncache = \"1h\"\n",
        simulator.base_url()
    );
    // The account of the token `empty` holds nothing; everybody else's holds something.
    let asked = [
        (Some("token-of-an-account"), "RELIANCE", false),
        (Some("empty"), "no holdings", false),
        (None, "RELIANCE", false),
        (Some("token-of-another"), "RELIANCE", false),
        (Some("token-of-an-account"), "RELIANCE", true),
        (Some("empty"), "no holdings", true),
        (None, "RELIANCE", true),
    ];
    let script = (0..asked.len()).fold(Script::new(), |script, n| {
        let call = (format!("c{n}"), "get_holdings", "{}");
        script
            .reply(Reply::calls([(call.0.as_str(), call.1, call.2)]))
            .reply(Reply::text("There it is."))
    });
    let (desk, _model) = Desk::with(Setup { config, ..Setup::default() }, script).await;
    for (n, (token, holds, is_kept)) in asked.into_iter().enumerate() {
        let mut body = json!({"message": "My holdings?"});
        if let Some(token) = token {
            body["access_token"] = json!(token);
        }
        let events = desk.chat_with(body).await;
        let of_kind =
            |kind: &str| events.iter().filter(|it| it["type"] == kind).collect::<Vec<_>>();
        let told = of_kind("call_finished")[0]["message"].to_string().to_lowercase();
        assert!(told.contains(&holds.to_lowercase()), "{n}: {token:?} is told {told}");
        let hits = of_kind("policy_applied").iter().filter(|it| it["action"] == "hit").count();
        assert_eq!(hits == 1, is_kept, "{n}: {token:?}");
    }
}

/// S3: nothing that holds a secret prints it.
#[test]
fn a_token_is_not_printed() {
    let token = toolwright_server::Token::new(CANARY).unwrap();
    assert!(!format!("{token:?}").contains(CANARY));
}

/// S4: only its owner reads the token's file; a token that anybody could guess is none.
#[test]
fn a_token_is_kept_for_its_owner() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new").join("server.token");
    let made = toolwright_server::Token::in_file(&path);
    assert!(made.is_ok());
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let kept = std::fs::read_to_string(&path).unwrap();
    assert_eq!(kept.len(), 64);
    assert!(toolwright_server::Token::in_file(&path).is_ok());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), kept);
    std::fs::write(&path, "short").unwrap();
    assert!(toolwright_server::Token::in_file(&path).is_err());
}

/// A breaker counts for each account: whoever comes with a token that has expired, or with many,
/// switches a tool off for nobody else.
#[tokio::test(flavor = "multi_thread")]
async fn one_token_that_is_refused_switches_a_tool_off_for_no_other() {
    let simulator = Simulator::start(SimSettings::default()).await.unwrap();
    let config = format!(
        "[market]\nbase_url = \"{}\"\n[tools.get_positions]\nbreaker = true\n",
        simulator.base_url()
    );
    let mut script = Script::new();
    for _ in 0..7 {
        script =
            script.reply(Reply::calls([("c", "get_positions", "{}")])).reply(Reply::text("Well."));
    }
    let (desk, _model) = Desk::with(Setup { config, ..Setup::default() }, script).await;
    let status = async |token: &str| {
        let body = json!({"message": "My positions?", "access_token": token});
        desk.chat_with(body).await.pop().unwrap()["tool_calls"][0]["status"].clone()
    };
    for _ in 0..5 {
        assert_eq!(status("expired").await, "error");
    }
    assert_eq!(status("expired").await, "refused");
    assert_eq!(status("token-of-an-account").await, "success");
}

/// What is said of a tool that only another task has does not stand in the way of this one.
#[tokio::test(flavor = "multi_thread")]
async fn every_task_can_be_wished_for_whatever_is_said_of_tools() {
    let config = "[tools.get_holdings]\ncache = \"30s\"\n[tools.take_note]\nbreaker = true\n\
                  [tools.get_statistics]\ncache = \"30s\"\n[tools.bash]\ntimeout = \"1m\"\n";
    let tasks = ["general", "demo", "trading", "history"];
    let script = tasks.iter().fold(Script::new(), |it, _| it.reply(Reply::text("Good morning.")));
    let setup = Setup { config: config.to_owned(), ..Setup::default() };
    let (desk, _model) = Desk::with(setup, script).await;
    for task in tasks {
        let events = desk.chat_with(json!({"message": "Hello", "task": task})).await;
        assert_eq!(events.last().unwrap()["type"], "done", "{task}: {events:?}");
    }
}
