//! Several people and one server: what each may do, and whose is what.

use std::time::Duration;

use serde_json::{Value, json};
use toolwright_core::ActionableError;
use toolwright_server::{
    AddedToken, AuthMode, IdentityConfig, NamedTokens, NewToken, OidcConfig, Scopes,
};
use toolwright_store::{Store, StoreLocation};

use crate::{
    harness::{Answer, Desk, Listening, PATIENCE, Request, Setup, TOKEN, ask, bind_with},
    sign_in::{oidc, setup},
};

/// The tokens that a server knows.
async fn tokens(desk: &Desk) -> NamedTokens {
    let location = StoreLocation::Sqlite(desk.data().join("toolwright.db"));
    NamedTokens::of(&Store::open(&location).await.unwrap())
}

async fn token(desk: &Desk, name: &str, scopes: &str) -> String {
    let wanted = NewToken { scopes: scopes.parse().unwrap(), ..named(name) };
    made(tokens(desk).await.add(&wanted).await.unwrap()).expect("a new name")
}

fn named(name: &str) -> NewToken {
    NewToken { name: name.to_owned(), scopes: Scopes::ADMIN, ..NewToken::default() }
}

fn made(added: AddedToken) -> Option<String> {
    match added {
        AddedToken::Made(secret) => Some(secret),
        AddedToken::Taken | AddedToken::Known => None,
    }
}

pub(crate) async fn strict() -> Desk {
    Desk::start(Setup { auth: AuthMode::Token, ..Setup::default() }, None).await
}

/// One who shows a token.
pub(crate) struct Client<'a> {
    pub(crate) desk: &'a Desk,
    pub(crate) token: String,
}

impl<'a> Client<'a> {
    pub(crate) async fn new(desk: &'a Desk, name: &str, scopes: &str) -> Self {
        Self { desk, token: token(desk, name, scopes).await }
    }

    pub(crate) fn request(&self, method: &str, path: &str) -> Request {
        let request =
            Request::new(method, path).header("Authorization", &format!("Bearer {}", self.token));
        if matches!(method, "POST" | "PUT" | "PATCH") { request.json(&json!({})) } else { request }
    }

    pub(crate) async fn ask(&self, method: &str, path: &str) -> Answer {
        ask(self.desk.address, &self.request(method, path)).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        ask(self.desk.address, &self.request("POST", path).json(body)).await
    }

    /// A question, and the conversation it began.
    pub(crate) async fn chat(&self, message: &str) -> String {
        let answer = self.post("/api/chat/stream", &json!({"message": message})).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.headers["x-conversation-id"].clone()
    }

    pub(crate) async fn list(&self, query: &str) -> Vec<Value> {
        let answer = self.ask("GET", &format!("/api/conversations{query}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["conversations"].as_array().unwrap().clone()
    }
}

/// Every operation with what it needs, as the description says it.
async fn operations(desk: &Desk) -> Vec<(String, String, Option<String>)> {
    let request = Request::new("GET", "/api/openapi.json")
        .header("Authorization", &format!("Bearer {TOKEN}"));
    let description = ask(desk.address, &request).await.json();
    let paths = description["paths"].as_object().unwrap().clone();
    let mut all = Vec::new();
    for (path, item) in paths {
        for (method, operation) in item.as_object().unwrap() {
            let scope = operation["x-scope"].as_str().map(str::to_owned);
            all.push((method.to_uppercase(), path.clone(), scope));
        }
    }
    all
}

/// A path with names that nothing has.
pub(crate) fn filled(path: &str) -> String {
    let named = path.replace("{round}", "0").replace("{number}", "99");
    let mut out = String::new();
    let mut rest = named.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        let (_, behind) = after.split_once('}').unwrap();
        out.push_str(before);
        out.push_str("nobodys");
        rest = behind;
    }
    out + rest
}

/// Every operation with every set of scopes: who lacks the one it needs is told which, and who has it is not.
#[tokio::test(flavor = "multi_thread")]
async fn everybody_may_do_what_their_scopes_say_and_nothing_else() {
    let desk = strict().await;
    let sets = ["ask", "decide", "ask,decide", "admin"];
    let mut clients = Vec::new();
    for scopes in sets {
        clients.push((scopes, Client::new(&desk, &scopes.replace(',', "-"), scopes).await));
    }
    let all = operations(&desk).await;
    let needs = |path: &str, method: &str| {
        let found = all.iter().find(|it| it.1 == path && it.0 == method);
        found.unwrap_or_else(|| panic!("{method} {path}")).2.clone()
    };
    // By hand, where it matters most.
    for (method, path, scope) in [
        ("POST", "/api/chat/stream", "ask"),
        ("GET", "/api/conversations/{id}/stream", "ask"),
        ("POST", "/api/conversations/{id}/decisions", "decide"),
        ("POST", "/api/conversations/{id}/questions", "decide"),
        ("GET", "/metrics", "admin"),
        ("POST", "/api/launch", "admin"),
        ("GET", "/api/approvals", "admin"),
        ("PUT", "/api/models/providers/{name}", "admin"),
        ("POST", "/api/mcp", "admin"),
    ] {
        assert_eq!(needs(path, method).as_deref(), Some(scope), "{method} {path}");
    }
    for (method, path, need) in &all {
        let at = filled(path);
        for (scopes, client) in &clients {
            // Neither signs anybody out nor lets anybody in.
            if path == "/api/logout" {
                continue;
            }
            let answer = client.ask(method, &at).await;
            let has = |need: &str| *scopes == "admin" || scopes.split(',').any(|it| it == need);
            let may = need.as_deref().is_none_or(has);
            let is_refused = answer.status == 403 && answer.code() == "scope";
            assert_eq!(is_refused, !may, "{scopes}: {method} {at}: {}", answer.text());
            assert_ne!(answer.status, 401, "{scopes}: {method} {at}");
            if is_refused {
                let need = need.as_deref().unwrap();
                assert!(answer.text().contains(&format!("`{need}`")), "{}", answer.text());
            } else if path.contains("{id}") && !matches!(answer.status, 204 | 400 | 422) {
                assert_eq!(answer.status, 404, "{scopes}: {method} {at}: {}", answer.text());
            }
        }
        let stranger = ask(desk.address, &Request::new(method, &at)).await;
        let is_open = path.starts_with("/api/health");
        assert_eq!(stranger.status == 401, !is_open, "{method} {at}");
    }
    for path in ["/mcp", "/api/nowhere"] {
        let answers = [clients[2].1.ask("GET", path).await, clients[3].1.ask("GET", path).await];
        let refused = answers.map(|it| it.status == 403);
        assert_eq!(refused, [path == "/mcp", false], "{path}");
    }
}

/// Every request about a conversation, by whoever's it is not: it is not there.
#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_is_for_its_owner_and_for_those_who_may_do_everything() {
    let desk = strict().await;
    let ann = Client::new(&desk, "ann", "ask,decide").await;
    let bob = Client::new(&desk, "bob", "ask,decide").await;
    let root = Client::new(&desk, "root", "admin").await;
    let id = ann.chat("A tip on $10?").await;
    bob.chat("A tip on $20?").await;
    for (method, path, _) in operations(&desk).await {
        if !path.contains("{id}") || path.contains("ai-sdk") {
            continue;
        }
        let at = filled(&path.replace("{id}", &id));
        let (theirs, nobodys) =
            (bob.ask(&method, &at).await, bob.ask(&method, &filled(&path)).await);
        assert_eq!(theirs.status, nobodys.status, "{method} {at}: {}", theirs.text());
        assert!([404, 400, 422].contains(&theirs.status), "{method} {at}: {}", theirs.text());
    }
    let body = json!({"message": "Mine now?", "conversation_id": id});
    assert_eq!(bob.post("/api/chat/stream", &body).await.status, 404);
    // Each sees and counts what is theirs.
    for (client, found) in [(&ann, "$10"), (&bob, "$20")] {
        let list = client.list("").await;
        assert_eq!(list.len(), 1, "{list:?}");
        assert!(list[0]["title"].as_str().unwrap().contains(found), "{list:?}");
        assert!(list[0].get("owner").is_none(), "{list:?}");
        assert_eq!(client.list("?q=tip").await.len(), 1);
        let usage = client.ask("GET", "/api/usage").await.json();
        let runs: u64 =
            usage["days"].as_array().unwrap().iter().map(|it| it["runs"].as_u64().unwrap()).sum();
        assert_eq!(runs, 1, "{usage}");
        let answer = client.ask("GET", "/api/conversations?owner=token:ann").await;
        assert_eq!((answer.status, answer.code().as_str()), (403, "scope"));
    }
    let list = root.list("").await;
    assert_eq!(list.len(), 2, "{list:?}");
    assert_eq!(root.list("?owner=token:ann").await[0]["owner"], "token:ann");
    let mut owners = root.ask("GET", "/api/conversations").await.json()["owners"].clone();
    owners.as_array_mut().unwrap().sort_by_key(ToString::to_string);
    assert_eq!(owners, json!(["token:ann", "token:bob"]));
    // What the server's own token began is nobody's, and no business of theirs.
    let request = Request::new("POST", "/api/chat/stream")
        .header("Authorization", &format!("Bearer {TOKEN}"))
        .json(&json!({"message": "A tip on $30?"}));
    assert_eq!(ask(desk.address, &request).await.status, 200);
    assert_eq!((ann.list("").await.len(), root.list("").await.len()), (1, 3));
    // Whoever may do everything may go on in it, and it stays whose it is.
    let body = json!({"message": "And on $40?", "conversation_id": id});
    assert_eq!(root.post("/api/chat/stream", &body).await.status, 200);
    assert_eq!(ann.list("").await[0]["runs"], 2);
    assert_eq!(root.ask("DELETE", &format!("/api/conversations/{id}")).await.status, 204);
    assert!(ann.list("").await.is_empty());
}

/// What somebody calls a conversation, or brings along, tells nothing about what others have, and is not theirs.
#[tokio::test(flavor = "multi_thread")]
async fn names_are_everybodys_own() {
    let desk = strict().await;
    let ann = Client::new(&desk, "ann", "ask,decide").await;
    let bob = Client::new(&desk, "bob", "ask,decide").await;
    let id = ann.chat("A tip on $10?").await;
    let export = ann.ask("GET", &format!("/api/conversations/{id}/export")).await.json();
    let brought = bob.post("/api/conversations/import", &export).await;
    assert_eq!(brought.status, 200, "{}", brought.text());
    let again = bob.post("/api/conversations/import", &export).await.json();
    assert_eq!((&again["events"], &again["known"]), (&json!(0), &brought.json()["events"]));
    for name in [id.as_str(), "nobodys"] {
        let listened = bob.ask("GET", &format!("/api/chat/ai-sdk/{name}/stream")).await;
        assert_eq!(listened.status, 204, "{name}");
        // Twice, to go on in it.
        for _ in 0..2 {
            let parts = json!([{"type": "text", "text": "A tip on $20?"}]);
            let chat = json!({"id": name, "messages": [{"role": "user", "parts": parts}]});
            let answer = bob.post("/api/chat/ai-sdk", &chat).await;
            assert_eq!(answer.status, 200, "{name}: {}", answer.text());
            let said = json!([{"id": "m", "role": "user", "content": "A tip on $30?"}]);
            let chat = json!({"threadId": name, "runId": "r", "messages": said});
            let answer = bob.post("/api/chat/ag-ui", &chat).await;
            assert_eq!(answer.status, 200, "{name}: {}", answer.text());
        }
    }
    let runs = |list: Vec<Value>| {
        let mut runs: Vec<_> = list.iter().map(|it| it["runs"].as_u64().unwrap()).collect();
        runs.sort_unstable();
        runs
    };
    assert_eq!((runs(ann.list("").await), runs(bob.list("").await)), (vec![1], vec![1, 4, 4]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_removed_or_over_lets_nobody_in_and_ends_what_is_listened_to() {
    let desk = strict().await;
    let ann = Client::new(&desk, "ann", "ask").await;
    let asked = ann.post("/api/chat/stream", &json!({"message": "A tip on $10?"})).await;
    let (id, first) = (asked.headers["x-conversation-id"].clone(), asked.events()[0].0.clone());
    let again = tokens(&desk).await.add(&named("ann")).await.unwrap();
    assert!(matches!(again, AddedToken::Taken), "a name is given once");
    let path = format!("/api/conversations/{id}/stream");
    // From its first event on, and then whatever comes.
    let request = ann.request("GET", &path).header("Last-Event-ID", &first);
    let mut listening = Listening::to(desk.address, &request).await;
    listening.until("done").await;
    let listed = tokens(&desk).await.list().await.unwrap();
    assert_eq!(listed.len(), 1);
    assert!(listed[0].used_at.is_some(), "{listed:?}");
    assert_eq!(tokens(&desk).await.remove("ann").await.unwrap().as_deref(), Some("token:ann"));
    assert_eq!(tokens(&desk).await.remove("ann").await.unwrap(), None);
    // Nothing happens in the conversation: it ends all the same.
    assert_eq!(tokio::time::timeout(PATIENCE, listening.next()).await, Ok(None));
    let refused = tokio::time::timeout(PATIENCE, async {
        while ann.ask("GET", "/api/info").await.status != 401 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    refused.await.expect("it is refused");
    let brief = NewToken { life: Some(Duration::from_millis(1)), ..named("brief") };
    let secret = made(tokens(&desk).await.add(&brief).await.unwrap());
    tokio::time::sleep(Duration::from_millis(5)).await;
    let brief = Client { desk: &desk, token: secret.unwrap() };
    let over = brief.ask("GET", "/api/info").await;
    let never = Client { desk: &desk, token: "tw_nobody".to_owned() }.ask("GET", "/api/info").await;
    for answer in [over, never] {
        assert_eq!((answer.status, answer.code().as_str()), (401, "unauthorized"));
        let told = answer.json()["error"].to_string();
        assert!(told.contains("it is wrong, was removed, or its time is over"), "{told}");
        assert!(told.contains("toolwright tokens add"), "{told}");
    }
    let nothing = ask(desk.address, &Request::new("GET", "/api/info")).await;
    assert!(nothing.text().contains("sign in, or send a token of yours"), "{}", nothing.text());
    // Nothing that is kept lets anybody in.
    let kept = std::fs::read(desk.data().join("toolwright.db")).unwrap();
    let has = |text: &str| kept.windows(text.len()).any(|it| it == text.as_bytes());
    assert!(!has(&ann.token), "the token itself is kept");
}

/// Who decides needs the scope for it, and rules hold for everybody.
#[tokio::test(flavor = "multi_thread")]
async fn always_is_for_those_who_may_do_everything() {
    let desk = strict().await;
    let ann = Client::new(&desk, "ann", "ask,decide").await;
    let id = ann.chat("A tip on $10?").await;
    let path = format!("/api/conversations/{id}/decisions");
    let body = json!({"call_id": "c", "fingerprint": "f", "verdict": "always"});
    let answer = ann.post(&path, &body).await;
    // Nothing waits: that is told first, and nothing else is.
    assert!([403, 404].contains(&answer.status), "{}", answer.text());
}

fn header_setup(trusted: &str) -> Setup {
    let identity = IdentityConfig {
        header: Some("X-Forwarded-User".to_owned()),
        groups_header: Some("X-Forwarded-Groups".to_owned()),
        trusted: vec![trusted.to_owned()],
        scopes: vec!["ask".to_owned()],
        groups: [("ops".to_owned(), vec!["admin".to_owned()])].into(),
        oidc: None,
    };
    Setup { auth: AuthMode::Token, identity, ..Setup::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trusted_proxy_says_who_asks_and_nobody_else_does() {
    let desk = Desk::start(header_setup("127.0.0.0/8"), None).await;
    let as_user = |name: &str, groups: &str| {
        let request = Request::new("GET", "/api/identity").header("X-Forwarded-User", name);
        if groups.is_empty() { request } else { request.header("X-Forwarded-Groups", groups) }
    };
    let ann = ask(desk.address, &as_user("ann", "")).await;
    assert_eq!(
        ann.json(),
        json!({"name": "ann", "owner": "user:ann", "scopes": ["ask"], "way": "header"})
    );
    let ops = ask(desk.address, &as_user("olga", "staff, ops")).await.json();
    assert_eq!(ops["scopes"], json!(["ask", "admin"]));
    let carl = ask(desk.address, &as_user("carlé", "")).await.json();
    assert_eq!((&carl["name"], &carl["owner"]), (&json!("carlé"), &json!("user:carlé")));
    for name in ["", " ", "a b", &"x".repeat(65)] {
        let answer = ask(desk.address, &as_user(name, "")).await;
        assert_eq!(answer.status, 403, "{name:?}");
    }
    let groups_alone = Request::new("GET", "/api/identity").header("X-Forwarded-Groups", "ops");
    assert_eq!(ask(desk.address, &groups_alone).await.status, 403);
    assert_eq!(ask(desk.address, &Request::new("GET", "/api/identity")).await.status, 401);

    // Whoever the proxy says nothing of is not the user whose proxy it is.
    let local = Setup { auth: AuthMode::Local, ..header_setup("127.0.0.0/8") };
    let open = Desk::start(local, None).await;
    assert_eq!(ask(open.address, &Request::new("GET", "/api/identity")).await.status, 401);

    // From anywhere else it is refused, whatever else is shown.
    let desk = Desk::start(header_setup("10.0.0.0/8"), None).await;
    for request in [as_user("ann", ""), as_user("root", "ops"), groups_alone] {
        let with_token = request.clone().header("Authorization", &format!("Bearer {TOKEN}"));
        for request in [request, with_token] {
            let answer = ask(desk.address, &request).await;
            assert_eq!((answer.status, answer.code().as_str()), (403, "forbidden"));
        }
    }
}

/// Whoever followed the link would have no name, and outlive the token.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_with_a_name_makes_a_link_for_one_without() {
    let desk = strict().await;
    let admin = Client::new(&desk, "ops", "admin").await;
    assert_eq!(admin.ask("POST", "/api/launch").await.status, 403);
    let own = Client { desk: &desk, token: TOKEN.to_owned() };
    assert_eq!(own.ask("POST", "/api/launch").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_user_is_as_before() {
    let desk = Desk::demo().await;
    let who = desk.get("/api/identity").await.json();
    assert_eq!(who["scopes"], json!(["ask", "decide", "admin"]));
    assert_eq!((who.get("owner"), &who["way"]), (None, &json!("local")));
    desk.chat("A tip on $10?").await;
    let list = desk.get("/api/conversations").await.json();
    assert!(list.get("owners").is_none() && list["conversations"][0].get("owner").is_none());
}

/// Whoever gets a name that somebody had before does not get what they said.
#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_used_again_brings_nobody_the_conversations_of_another() {
    let desk = strict().await;
    let ann = Client::new(&desk, "ann", "ask").await;
    let id = ann.chat("A tip on $10?").await;
    let tokens = tokens(&desk).await;
    tokens.remove("ann").await.unwrap();
    let again = tokens.add(&named("ann")).await.unwrap();
    assert!(matches!(again, AddedToken::Known), "{again:?}");
    // For somebody's conversations it is their name that counts.
    let person = NewToken { person: Some("Ann@Example.com".to_owned()), ..named("ann") };
    let person = NewToken { scopes: "ask".parse().unwrap(), ..person };
    let theirs = made(tokens.add(&person).await.unwrap()).unwrap();
    let theirs = Client { desk: &desk, token: theirs };
    assert_eq!(theirs.list("").await, Vec::<Value>::new());
    let who = theirs.ask("GET", "/api/identity").await.json();
    assert_eq!(who["owner"], "user:ann@example.com");
    tokens.remove("ann").await.unwrap();
    // Where it is meant.
    let meant = NewToken { take_over: true, scopes: "ask".parse().unwrap(), ..named("ann") };
    let new = made(tokens.add(&meant).await.unwrap()).unwrap();
    let new = Client { desk: &desk, token: new };
    assert_eq!(new.list("").await[0]["id"], id);
    // A name of which nothing is left is free.
    assert_eq!(new.ask("DELETE", &format!("/api/conversations/{id}")).await.status, 204);
    tokens.remove("ann").await.unwrap();
    assert!(made(tokens.add(&named("ann")).await.unwrap()).is_some());
}

/// Settings of identity providers that cannot be meant, each with the key and what is said about it.
fn wrong_providers() -> Vec<(IdentityConfig, &'static str, &'static str)> {
    let with = |change: &dyn Fn(&mut OidcConfig)| {
        let mut oidc = oidc("https://login.example");
        change(&mut oidc);
        setup(oidc).identity
    };
    let named = |name: &str| with(&|it| it.name = name.to_owned());
    let mut all = vec![
        (named(""), "oidc.name", "it names no claim"),
        (named(" "), "oidc.name", "it names no claim"),
        (named("groups"), "oidc.groups", "groups need one of their own"),
        (with(&|it| it.groups.clear()), "groups", "nobody says which groups people are in"),
        (with(&|it| it.subjects = vec![String::new()]), "oidc.subjects", "one of them is empty"),
    ];
    let of_token = ["iss", "aud", "nonce", "exp", "iat", "nbf", "jti", "azp", "acr", "amr"];
    for name in of_token.into_iter().chain(["auth_time", "sid"]) {
        all.push((named(name), "oidc.name", "take `sub` or `email`"));
    }
    for domain in ["", " ", "@example.com", "ann@example.com", "*", "*.example.com", ".example.com"]
    {
        let domains = || vec!["example.com".to_owned(), domain.to_owned()];
        all.push((with(&|it| it.domains = domains()), "oidc.domains", "is no domain"));
    }
    for (issuer, reason) in [
        ("https://login.example/?tenant=a", "no `?` and no `#`"),
        ("https://login.example/#a", "no `?` and no `#`"),
        ("https://me:hidden@login.example", "no password"),
        ("https://me@login.example", "no password"),
    ] {
        all.push((with(&|it| it.issuer = issuer.to_owned()), "oidc.issuer", reason));
    }
    all
}

/// What is meant is taken, however unusual.
#[tokio::test(flavor = "multi_thread")]
async fn settings_that_may_be_meant_are_taken() {
    let usual = || header_setup("127.0.0.0/8").identity;
    let trusted = |it: &str| IdentityConfig { trusted: vec![it.to_owned()], ..usual() };
    let by_page = || setup(oidc("https://login.example/realms/a")).identity;
    let claim = OidcConfig { name: "https://a.example/name".to_owned(), ..oidc("https://a") };
    let all = [
        IdentityConfig::default(),
        trusted("8.0.0.0/8"),
        trusted("2001::/16"),
        trusted("fc00::/7"),
        trusted("fd00::/8"),
        trusted("fe80::/10"),
        // Whose word counts for from where people come.
        IdentityConfig { trusted: vec!["10.0.0.0/8".to_owned()], ..by_page() },
        IdentityConfig { trusted: vec!["10.0.0.0/8".to_owned()], ..IdentityConfig::default() },
        IdentityConfig { oidc: by_page().oidc, groups_header: None, ..usual() },
        setup(claim).identity,
    ];
    for identity in all {
        let told = format!("{identity:?}");
        let address = ([127, 0, 0, 1], 0).into();
        let bound = bind_with(address, AuthMode::Token, identity).await;
        assert!(bound.is_ok(), "{told}: {:?}", bound.err());
    }
}

/// What cannot be meant is told at the start, and nobody is let in by it.
#[tokio::test(flavor = "multi_thread")]
async fn settings_that_cannot_be_meant_are_refused_with_a_sentence() {
    let usual = || header_setup("127.0.0.0/8").identity;
    let header = |name: &str| IdentityConfig { header: Some(name.to_owned()), ..usual() };
    let groups = |name: &str| IdentityConfig { groups_header: Some(name.to_owned()), ..usual() };
    let group = |name: &str| IdentityConfig {
        groups: [(name.to_owned(), vec!["admin".to_owned()])].into(),
        ..usual()
    };
    let mut all = vec![
        (groups("x-forwarded-USER"), "groups_header", "groups need one of their own"),
        (IdentityConfig { header: None, ..usual() }, "groups_header", "no proxy says who asks"),
        (IdentityConfig { trusted: Vec::new(), ..usual() }, "trusted", "name the proxy"),
        (group(""), "groups", "is no name of a group"),
        (group(" ops"), "groups", "is no name of a group"),
        (group("ops,staff"), "groups", "is no name of a group"),
    ];
    for name in ["Authorization", "cookie", "Host", "ORIGIN", "X-Forwarded-For", "Sec-Fetch-Site"] {
        all.push((header(name), "header", "take one that only your proxy sets"));
        all.push((groups(name), "groups_header", "take one that only your proxy sets"));
    }
    for name in ["", "X-Benützer", "X User", "X-User:"] {
        all.push((header(name), "header", "is no name of a header"));
    }
    for network in
        ["0.0.0.0/0", "0.0.0.0/1", "128.0.0.0/1", "8.0.0.0/7", "::/0", "2000::/3", "::/7"]
    {
        let trusted = vec!["10.0.0.0/8".to_owned(), network.to_owned()];
        let wide = IdentityConfig { trusted, ..usual() };
        all.push((wide, "trusted", "name the network that the proxy is in"));
    }
    let nobody = || IdentityConfig { header: None, groups_header: None, ..usual() };
    let no_groups = "nobody says which groups people are in";
    all.push((IdentityConfig { trusted: Vec::new(), ..nobody() }, "groups", no_groups));
    all.push((IdentityConfig { groups_header: None, ..usual() }, "groups", no_groups));
    all.extend(wrong_providers());
    for (identity, key, reason) in all {
        let told = format!("{identity:?}");
        let address = ([127, 0, 0, 1], 0).into();
        let error = bind_with(address, AuthMode::Token, identity).await.err().expect(&told);
        let said = error.to_string();
        assert!(said.contains(&format!("`server.identity.{key}`")), "{said}");
        assert!(said.contains(reason), "{said}");
        assert!(error.advice().is_some(), "{said}");
        assert!(!said.contains("hidden"), "{said}");
    }
}

/// One of them may be the asker's own, which the proxy passed on.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_twice_about_who_asks_is_not_believed() {
    let desk = Desk::start(header_setup("127.0.0.0/8"), None).await;
    let asked = |lines: &[(&str, &str)]| {
        let request = Request::new("GET", "/api/identity");
        lines.iter().fold(request, |it, (name, value)| it.also(name, value))
    };
    let (user, groups) = ("X-Forwarded-User", "X-Forwarded-Groups");
    let once = ask(desk.address, &asked(&[(user, "ann"), (groups, "staff")])).await;
    assert_eq!(once.json()["scopes"], json!(["ask"]));
    for twice in [
        [(user, "ann"), (groups, "staff"), (groups, "ops")],
        [(user, "ann"), (groups, "ops"), (groups, "staff")],
        [(user, "ann"), (user, "root"), (groups, "staff")],
    ] {
        let answer = ask(desk.address, &asked(&twice)).await;
        assert_eq!((answer.status, answer.code().as_str()), (403, "forbidden"), "{twice:?}");
    }
}
