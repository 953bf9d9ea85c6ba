//! Signing in with an identity provider, on real sockets, and what somebody might try.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::{Router, extract::State, routing};
use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD},
};
use http::{HeaderMap, StatusCode};
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use toolwright_core::ActionableError;
use toolwright_server::{AuthMode, IdentityConfig, OidcConfig, check_identity};
use url::Url;

use crate::harness::{Answer, Browser, Desk, Request, Setup, ask, bind_with};

const CLIENT: &str = "toolwright";
const SECRET: &str = "a secret: with signs";

type Twist = Arc<dyn Fn(&mut Value) + Send + Sync>;

/// An identity provider.
#[derive(Clone)]
pub(crate) struct Provider(Arc<Inner>);

struct Inner {
    issuer: String,
    key: EcdsaKeyPair,
    other: EcdsaKeyPair,
    codes: Mutex<HashMap<String, Given>>,
}

/// What a code stands for.
#[derive(Clone)]
pub(crate) struct Given {
    asked: HashMap<String, String>,
    claims: Twist,
    head: Twist,
    /// Whether somebody else signs.
    forged: bool,
    /// What is claimed once more, as it is written.
    more: &'static str,
}

fn key() -> EcdsaKeyPair {
    let random = SystemRandom::new();
    let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, made.as_ref(), &random).unwrap()
}

fn encoded(bytes: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

impl Provider {
    pub(crate) fn issuer(&self) -> &str {
        &self.0.issuer
    }

    pub(crate) async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let inner = Inner { issuer, key: key(), other: key(), codes: Mutex::default() };
        let this = Self(Arc::new(inner));
        let router = Router::new()
            .route("/.well-known/openid-configuration", routing::get(Self::about))
            .route("/keys", routing::get(Self::keys))
            .route("/token", routing::post(Self::token))
            .with_state(this.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        this
    }

    async fn about(State(this): State<Self>) -> String {
        let issuer = &this.0.issuer;
        json!({
            "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize?tenant=1"),
            "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/keys"),
        })
        .to_string()
    }

    async fn keys(State(this): State<Self>) -> String {
        let point = this.0.key.public_key().as_ref();
        json!({"keys": [
            {"kty": "oct", "k": "c2VjcmV0", "kid": "shared"},
            {"kty": "EC", "crv": "P-256", "kid": "k1", "use": "sig",
                "x": encoded(&point[1..33]), "y": encoded(&point[33..])},
        ]})
        .to_string()
    }

    async fn token(
        State(this): State<Self>,
        headers: HeaderMap,
        body: String,
    ) -> Result<String, StatusCode> {
        let form: HashMap<String, String> =
            url::form_urlencoded::parse(body.as_bytes()).into_owned().collect();
        let shown = headers.get("authorization").and_then(|it| it.to_str().ok());
        // As in a form, and then in base64.
        let known = BASE64_STANDARD.encode(format!("{CLIENT}:a+secret%3A+with+signs"));
        if shown != Some(format!("Basic {known}").as_str()) {
            return Err(StatusCode::UNAUTHORIZED);
        }
        let given = this.0.codes.lock().unwrap().remove(&form["code"]);
        let given = given.ok_or(StatusCode::BAD_REQUEST)?;
        let challenge = encoded(Sha256::digest(form["code_verifier"].as_bytes()));
        let fits = given.asked["client_id"] == CLIENT
            && given.asked["redirect_uri"] == form["redirect_uri"]
            && given.asked["code_challenge"] == challenge
            && given.asked["code_challenge_method"] == "S256"
            && form["grant_type"] == "authorization_code";
        match fits {
            true => Ok(json!({"access_token": "x", "id_token": this.signed(&given)}).to_string()),
            false => Err(StatusCode::BAD_REQUEST),
        }
    }

    fn signed(&self, given: &Given) -> String {
        let mut head = json!({"alg": "ES256", "kid": "k1"});
        (given.head)(&mut head);
        let mut claims = json!({
            "iss": self.0.issuer, "aud": CLIENT, "sub": "4711", "exp": now() + 300, "iat": now(),
            "nonce": given.asked["nonce"], "email": "ann@example.com", "email_verified": true,
            "name": "Ann", "groups": ["staff"],
        });
        (given.claims)(&mut claims);
        let claims = claims.to_string().replacen('{', &format!("{{{}", given.more), 1);
        let said = format!("{}.{}", encoded(head.to_string()), encoded(claims));
        let key = if given.forged { &self.0.other } else { &self.0.key };
        let seal = match head["alg"].as_str() {
            Some("none") => Vec::new(),
            _ => key.sign(&SystemRandom::new(), said.as_bytes()).unwrap().as_ref().to_vec(),
        };
        format!("{said}.{}", encoded(seal))
    }

    /// Somebody signs in there: where their browser is sent back to.
    fn approve(&self, location: &str, given: impl FnOnce(&mut Given)) -> (String, String) {
        let asked: HashMap<String, String> =
            Url::parse(location).unwrap().query_pairs().into_owned().collect();
        let state = asked["state"].clone();
        let nothing: Twist = Arc::new(|_| {});
        let mut made =
            Given { asked, claims: nothing.clone(), head: nothing, forged: false, more: "" };
        given(&mut made);
        let code = format!("code-{}", state.get(..8).unwrap_or("none"));
        self.0.codes.lock().unwrap().insert(code.clone(), made);
        (code, state)
    }
}

pub(crate) fn oidc(issuer: &str) -> OidcConfig {
    OidcConfig {
        issuer: issuer.to_owned(),
        client_id: CLIENT.to_owned(),
        client_secret: Some(toolwright_app::config::Secret::new(SECRET.to_owned())),
        name: "email".to_owned(),
        groups: "groups".to_owned(),
        domains: vec!["example.com".to_owned()],
        subjects: Vec::new(),
        label: "Example".to_owned(),
    }
}

pub(crate) fn setup(oidc: OidcConfig) -> Setup {
    let identity = IdentityConfig {
        scopes: vec!["ask".to_owned()],
        groups: [("ops".to_owned(), vec!["admin".to_owned()])].into(),
        oidc: Some(oidc),
        ..IdentityConfig::default()
    };
    Setup { auth: AuthMode::Token, identity, ..Setup::default() }
}

async fn both() -> (Desk, Provider) {
    let provider = Provider::start().await;
    (Desk::start(setup(oidc(&provider.0.issuer)), None).await, provider)
}

/// A browser as it comes along a link from elsewhere.
fn visit(path: &str, cookie: &str) -> Request {
    let request = Request::new("GET", path)
        .header("Sec-Fetch-Site", "cross-site")
        .header("Sec-Fetch-Mode", "navigate")
        .header("Accept", "text/html");
    if cookie.is_empty() { request } else { request.header("Cookie", cookie) }
}

fn cookie(answer: &Answer) -> String {
    answer.headers["set-cookie"].split(';').next().unwrap().to_owned()
}

/// Begins to sign in: where the browser is sent to, and the cookie it has then.
async fn begin(desk: &Desk) -> (String, String) {
    let answer = loop {
        let answer = ask(desk.address, &visit("/api/sign-in/oidc", "")).await;
        // So many begin here one after the other that they are told to come back.
        if answer.status != 429 {
            break answer;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert!(answer.headers["set-cookie"].contains("HttpOnly; SameSite=Lax"));
    (answer.headers["location"].clone(), cookie(&answer))
}

/// Whoever begins one sign-in after the other is told to come back, and begins nothing meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_begins_too_many_sign_ins_is_told_to_come_back() {
    let (desk, _provider) = both().await;
    let refused = loop {
        let visit = visit("/api/sign-in/oidc", "");
        let begun =
            futures_util::future::join_all((0..50).map(|_| ask(desk.address, &visit))).await;
        assert!(begun.iter().all(|it| [303, 429].contains(&it.status)), "{begun:?}");
        if let Some(refused) = begun.into_iter().find(|it| it.status == 429) {
            break refused;
        }
    };
    assert_eq!(refused.code(), "overloaded", "{}", refused.text());
    assert_eq!(refused.headers["retry-after"], "1");
    assert!(
        !refused.headers.contains_key("set-cookie") && !refused.headers.contains_key("location")
    );
    // And then they begin as ever.
    begin(&desk).await;
}

async fn back(desk: &Desk, code: &str, state: &str, cookie: &str) -> Answer {
    let path = format!("/api/sign-in/oidc/callback?code={code}&state={state}");
    ask(desk.address, &visit(&path, cookie)).await
}

/// The browser that came in.
pub(crate) fn browser(answer: &Answer) -> Option<Browser> {
    let key = answer.headers.get("location")?.strip_prefix("/#key=")?.to_owned();
    Some(Browser { cookie: answer.session.clone()?, key })
}

/// Signs in, with what the provider says twisted.
pub(crate) async fn signed_in(
    desk: &Desk,
    provider: &Provider,
    twist: impl FnOnce(&mut Given),
) -> Answer {
    let (location, cookie) = begin(desk).await;
    let (code, state) = provider.approve(&location, twist);
    back(desk, &code, &state, &cookie).await
}

fn claims(twist: impl Fn(&mut Value) + Send + Sync + 'static) -> impl FnOnce(&mut Given) {
    move |given| given.claims = Arc::new(twist)
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_signs_in_asks_and_signs_out() {
    let (mut desk, provider) = both().await;
    // Whoever is not known sees the page and how to sign in, and nothing else.
    assert_eq!(ask(desk.address, &visit("/", "")).await.status, 200);
    assert_eq!(ask(desk.address, &visit("/", "toolwright_session=stale")).await.status, 200);
    let ways = ask(desk.address, &Request::new("GET", "/api/sign-in")).await.json();
    let way = json!({"kind": "oidc", "label": "Example", "path": "/api/sign-in/oidc"});
    assert_eq!(ways, json!({"ways": [way]}));
    assert_eq!(ask(desk.address, &Request::new("GET", "/api/info")).await.status, 401);

    let answer = signed_in(&desk, &provider, |_| {}).await;
    let ann = browser(&answer).unwrap_or_else(|| panic!("{answer:?}"));
    let who = ask(desk.address, &ann.request("GET", "/api/identity")).await.json();
    let known =
        json!({"name": "Ann", "owner": "user:ann@example.com", "scopes": ["ask"], "way": "oidc"});
    assert_eq!(who, known);
    let question =
        ann.request("POST", "/api/chat/stream").json(&json!({"message": "A tip on $10?"}));
    assert_eq!(ask(desk.address, &question).await.status, 200);
    let refused = ask(desk.address, &ann.request("GET", "/metrics")).await;
    assert_eq!((refused.status, refused.code().as_str()), (403, "scope"));
    // The cookie alone opens nothing, and a page of somebody else's gets nowhere with it.
    let bare = Request::new("GET", "/api/info").header("Cookie", &ann.cookie);
    assert_eq!(ask(desk.address, &bare).await.status, 401);
    let foreign = ann.request("POST", "/api/chat/stream").header("Origin", "https://evil.example");
    assert_eq!(ask(desk.address, &foreign).await.status, 403);

    // Another server with the same database knows the browser, and so does this one after a new start.
    desk.stop().await;
    let folder = std::mem::replace(&mut desk.folder, tempfile::tempdir().unwrap());
    let desk = Desk::start_in(folder, setup(oidc(&provider.0.issuer)), None).await;
    let list = ask(desk.address, &ann.request("GET", "/api/conversations")).await.json();
    assert_eq!(list["conversations"].as_array().unwrap().len(), 1);
    assert_eq!(ask(desk.address, &ann.request("POST", "/api/logout")).await.status, 204);
    assert_eq!(ask(desk.address, &ann.request("GET", "/api/info")).await.status, 401);

    // The same address, in another case, is the same person's.
    let shouted = claims(|it| it["email"] = json!("Ann@EXAMPLE.com"));
    let again = browser(&signed_in(&desk, &provider, shouted).await).unwrap();
    let list = ask(desk.address, &again.request("GET", "/api/conversations")).await.json();
    assert_eq!(list["conversations"].as_array().unwrap().len(), 1, "{list}");

    // Groups say what somebody may do.
    let ops = claims(|it| it["groups"] = json!(["staff", "ops"]));
    let olga = browser(&signed_in(&desk, &provider, ops).await).unwrap();
    assert_eq!(ask(desk.address, &olga.request("GET", "/metrics")).await.status, 200);
}

/// A change of what a token says.
type Change = fn(&mut Value);

/// What a provider says that is not to be believed, or of somebody who is not let in.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_signed_in_by_a_token_that_is_not_for_this() {
    let (desk, provider) = both().await;
    let twists: [(&str, &str, Change); 14] = [
        ("another sign-in's nonce", "failed", |it| it["nonce"] = json!("other")),
        ("no nonce", "failed", |it| drop(it.as_object_mut().unwrap().remove("nonce"))),
        ("for another client", "failed", |it| it["aud"] = json!("other")),
        ("for several, given to another", "failed", |it| {
            it["aud"] = json!([CLIENT, "other"]);
            it["azp"] = json!("other");
        }),
        ("for several, given to nobody", "failed", |it| it["aud"] = json!([CLIENT, "other"])),
        ("of another issuer", "failed", |it| it["iss"] = json!("https://evil.example")),
        ("over", "failed", |it| it["exp"] = json!(now() - 120)),
        ("without an end", "failed", |it| drop(it.as_object_mut().unwrap().remove("exp"))),
        ("of tomorrow", "failed", |it| it["iat"] = json!(now() + 3_600)),
        ("of nobody", "failed", |it| it["sub"] = json!("")),
        ("of another domain", "not_allowed", |it| it["email"] = json!("ann@evil.example")),
        ("of a domain that ends alike", "not_allowed", |it| {
            it["email"] = json!("a@notexample.com");
        }),
        ("of an address that nobody checked", "not_allowed", |it| {
            it["email_verified"] = json!(false);
        }),
        ("of an address in words", "not_allowed", |it| it["email_verified"] = json!("true")),
    ];
    for (what, word, twist) in twists {
        let answer = signed_in(&desk, &provider, claims(twist)).await;
        assert_eq!(answer.headers["location"], format!("/#sign-in={word}"), "{what}");
        assert_eq!(answer.session, None, "{what}");
    }
    let forged = signed_in(&desk, &provider, |given| given.forged = true).await;
    assert_eq!(forged.headers["location"], "/#sign-in=failed");
    // Two readers would take it for two people.
    for more in [r#""email":"root@example.com","#, r#""sub":"1","#] {
        let twice = signed_in(&desk, &provider, |given| given.more = more).await;
        assert_eq!(twice.headers["location"], "/#sign-in=failed", "{more}");
    }
    let heads: [fn(&mut Value); 4] = [
        |it| it["alg"] = json!("none"),
        |it| it["alg"] = json!("HS256"),
        |it| it["kid"] = json!("other"),
        |it| it["crit"] = json!(["x"]),
    ];
    for head in heads {
        let answer = signed_in(&desk, &provider, |given| given.head = Arc::new(head)).await;
        assert_eq!(answer.headers["location"], "/#sign-in=failed");
    }
    let answer = signed_in(&desk, &provider, |_| {}).await;
    assert!(browser(&answer).is_some(), "and the right one still is: {answer:?}");
}

/// States, codes and cookies that belong to somebody else, or were used.
#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_ends_once_in_the_browser_in_which_it_began() {
    let (desk, provider) = both().await;
    let (location, own) = begin(&desk).await;
    let (code, state) = provider.approve(&location, |_| {});
    // Put under the hands of somebody whose browser did not begin it.
    let (_, others) = begin(&desk).await;
    for cookie in ["", others.as_str(), "toolwright_sign_in=x"] {
        let answer = back(&desk, &code, &state, cookie).await;
        assert_eq!(answer.headers["location"], "/#sign-in=stale", "{cookie}");
        assert_eq!(answer.session, None);
    }
    for state in ["", "x", &"0".repeat(64)] {
        let answer = back(&desk, &code, state, &own).await;
        assert_eq!(answer.headers["location"], "/#sign-in=stale", "{state}");
    }
    // A session that somebody put there beforehand is not the one that is signed in.
    let planted = format!("{own}; toolwright_session=planted");
    let answer = back(&desk, &code, &state, &planted).await;
    let ann = browser(&answer).unwrap_or_else(|| panic!("{answer:?}"));
    assert!(!ann.cookie.contains("planted"));
    let fixed = Browser { cookie: "toolwright_session=planted".to_owned(), key: ann.key.clone() };
    assert_eq!(ask(desk.address, &fixed.request("GET", "/api/info")).await.status, 401);
    // Once.
    let again = back(&desk, &code, &state, &own).await;
    assert_eq!(again.headers["location"], "/#sign-in=stale");

    // A code of another client's, or of another sign-in's.
    let other = signed_in(&desk, &provider, |given| {
        given.asked.insert("client_id".to_owned(), "other".to_owned());
    });
    assert_eq!(other.await.headers["location"], "/#sign-in=failed");
    let other = signed_in(&desk, &provider, |given| {
        given.asked.insert("code_challenge".to_owned(), "other".to_owned());
    });
    assert_eq!(other.await.headers["location"], "/#sign-in=failed");
    // Another issuer's answer, mixed in.
    let (location, own) = begin(&desk).await;
    let (code, state) = provider.approve(&location, |_| {});
    let mixed = back(&desk, &code, &format!("{state}&iss=https://evil.example"), &own).await;
    assert_eq!(mixed.headers["location"], "/#sign-in=failed");
}

/// Wherever somebody asks to be sent afterwards, it is the page.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_sent_elsewhere() {
    let (desk, provider) = both().await;
    let path = "/api/sign-in/oidc?next=https://evil.example&redirect_uri=https://evil.example";
    let answer = ask(desk.address, &visit(path, "")).await;
    let location = answer.headers["location"].clone();
    assert!(!location.contains("evil"), "{location}");
    let redirect = format!("http://{}/api/sign-in/oidc/callback", desk.address);
    let asked: HashMap<_, _> = Url::parse(&location).unwrap().query_pairs().into_owned().collect();
    assert_eq!(asked["redirect_uri"], redirect);
    assert_eq!(asked["tenant"], "1", "what the provider's own address says stays");
    let (code, state) = provider.approve(&location, |_| {});
    let state = format!("{state}&next=//evil.example");
    let answer = back(&desk, &code, &state, &cookie(&answer)).await;
    assert!(answer.headers["location"].starts_with("/#key="), "{answer:?}");
    // Under a name that is not this server's nobody begins.
    let request = visit("/api/sign-in/oidc", "").header("Host", "evil.example");
    assert_eq!(ask(desk.address, &request).await.status, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_provider_nobody_signs_in() {
    let desk = Desk::demo().await;
    let request = visit("/api/sign-in/oidc", "");
    assert_eq!(ask(desk.address, &request).await.status, 401);
    assert_eq!(desk.get("/api/sign-in").await.json(), json!({"ways": []}));
    assert_eq!(desk.get("/api/sign-in/oidc").await.status, 404);
    // One that does not answer is told on the page.
    let desk = Desk::start(setup(oidc("http://127.0.0.1:9")), None).await;
    let answer = ask(desk.address, &visit("/api/sign-in/oidc", "")).await;
    assert_eq!(answer.headers["location"], "/#sign-in=failed");
}

#[tokio::test(flavor = "multi_thread")]
async fn whether_a_provider_can_be_used_is_seen_beforehand() {
    let provider = Provider::start().await;
    let checked = async |issuer: &str| check_identity(&setup(oidc(issuer)).identity).await;
    checked(provider.issuer()).await.unwrap();
    // Nobody is there; it names itself otherwise; it is no address that may be asked.
    let other = provider.issuer().replace("127.0.0.1", "localhost");
    for (issuer, says) in [
        ("http://127.0.0.1:9", "nobody can sign in at http://127.0.0.1:9: its description"),
        (&other, "says that it is another issuer"),
        ("http://login.example", "server.identity.oidc.issuer"),
    ] {
        let error = checked(issuer).await.unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
        assert!(error.advice().is_some());
    }
    check_identity(&IdentityConfig::default()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_issuer_without_tls_is_refused_with_a_sentence() {
    for issuer in ["http://login.example", "login.example", "ftp://127.0.0.1"] {
        let Setup { auth, identity, .. } = setup(oidc(issuer));
        let address = ([127, 0, 0, 1], 0).into();
        let error = bind_with(address, auth, identity).await.err().unwrap();
        assert!(error.to_string().contains("server.identity.oidc.issuer"), "{error}");
        assert!(error.advice().is_some());
    }
}
