//! Who somebody is, at several servers that share a database.

use std::{process::Stdio, time::Duration};

use serde_json::json;
use tokio::process::Command;
use toolwright_server::{AddedToken, AuthMode, NamedTokens, NewToken, Scopes};
use toolwright_store::{Store, StoreLocation, Timeouts};
use toolwright_testkit::{Reply, Script};

use super::{Database, KEY, Servers, until};
use crate::{
    harness::{Desk, Listening, Request, Setup, ask},
    sign_in::{Provider, browser, oidc, setup, signed_in},
};

impl Database {
    async fn tokens(&self) -> NamedTokens {
        let (place, key) = (StoreLocation::Postgres(self.url.clone()), KEY.parse().unwrap());
        NamedTokens::of(&Store::open_keyed(&place, Timeouts::default(), key).await.unwrap())
    }
}

async fn token(tokens: &NamedTokens, name: &str) -> String {
    let wanted = NewToken { name: name.to_owned(), scopes: Scopes::ADMIN, ..NewToken::default() };
    match tokens.add(&wanted).await.unwrap() {
        AddedToken::Made(secret) => secret,
        not => panic!("{not:?}"),
    }
}

fn with(token: &str, method: &str, path: &str) -> Request {
    Request::new(method, path).header("Authorization", &format!("Bearer {token}"))
}

/// A browser that signed in at one is known at the other while both run, and only where people sign in like that.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_good_at_every_server_where_people_sign_in_like_that() {
    let database = Database::new().await;
    let (provider, elsewhere) = (Provider::start().await, Provider::start().await);
    let desk = async |from: Setup| {
        let Setup { database, log_key, .. } = database.setup();
        Desk::start(Setup { database, log_key, ..from }, None).await
    };
    let (a, b) =
        (desk(setup(oidc(provider.issuer()))).await, desk(setup(oidc(provider.issuer()))).await);
    let without = desk(Setup { auth: AuthMode::Token, ..Setup::default() }).await;
    let other = desk(setup(oidc(elsewhere.issuer()))).await;
    let ann = browser(&signed_in(&a, &provider, |_| {}).await).expect("they are let in");
    let status =
        async |desk: &Desk| ask(desk.address, &ann.request("GET", "/api/identity")).await.status;
    assert_eq!((status(&a).await, status(&b).await), (200, 200));
    assert_eq!((status(&without).await, status(&other).await), (401, 401));
    assert_eq!(ask(b.address, &ann.request("POST", "/api/logout")).await.status, 204);
    assert_eq!(status(&b).await, 401);
    until(async || status(&a).await == 401).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_begun_with_a_removed_token_can_be_stopped() {
    let slow = || Reply::text("Never.").delay(Duration::from_secs(3600));
    let servers = Servers::start(Script::new().reply(slow()).reply(slow())).await;
    let tokens = servers.database.tokens().await;
    let (ann, bob) = (token(&tokens, "ann").await, token(&tokens, "bob").await);
    let mut streams = Vec::new();
    for token in [&ann, &bob] {
        let body = json!({"message": "Go"});
        let request = with(token, "POST", "/api/chat/stream").json(&body);
        let mut stream = Listening::to(servers.a.address, &request).await;
        let events = stream.until("round_started").await;
        streams.push((events[0].1["conversation_id"].as_str().unwrap().to_owned(), stream));
    }
    let owner = tokens.remove("ann").await.unwrap().expect("it was there");
    assert_eq!(tokens.stop_runs_of(&owner).await.unwrap(), 1);
    let state = async |id: &str| super::summary(&servers.b, id).await["state"].clone();
    until(async || state(&streams[0].0).await == "idle").await;
    assert_eq!(state(&streams[1].0).await, "running", "somebody else's goes on");
}

/// Somebody whose name cannot be looked up is told so, and not let in: what was removed meanwhile must not count.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_says_nothing_lets_nobody_in_by_a_token_and_that_is_told() {
    let database = Database::new().await;
    let desk = Desk::start(Setup { auth: AuthMode::Token, ..database.setup() }, None).await;
    let ann = token(&database.tokens().await, "ann").await;
    let asked = with(&ann, "GET", "/api/info");
    assert_eq!(ask(desk.address, &asked).await.status, 200);
    let hold = "BEGIN; LOCK TABLE access IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(3600)";
    let mut holding = Command::new("psql");
    holding.args(["-X", "-d", &database.address, "-c", hold]).kill_on_drop(true);
    holding.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut holding = holding.spawn().unwrap();
    let held = "SELECT count(*) FROM pg_locks WHERE granted AND mode = 'AccessExclusiveLock'
        AND relation = 'access'::regclass";
    until(async || database.sql(held).await == "1").await;
    // What was read a moment ago still counts for that moment.
    until(async || ask(desk.address, &asked).await.status != 200).await;
    let answer = ask(desk.address, &asked).await;
    assert_eq!((answer.status, answer.code().as_str()), (503, "storage"), "{}", answer.text());
    assert!(answer.text().contains("see whether the database runs"), "{}", answer.text());
    database
        .sql(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE granted
        AND mode = 'AccessExclusiveLock' AND relation = 'access'::regclass",
        )
        .await;
    holding.wait().await.unwrap();
    until(async || ask(desk.address, &asked).await.status == 200).await;
}
