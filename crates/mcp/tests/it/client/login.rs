//! Logging in to servers, most of them hostile, over real sockets.

use std::{os::unix::fs::PermissionsExt, path::Path, sync::Arc, time::Duration};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::mpsc;
use toolwright_core::{ActionableError, RunContext, ToolSource};
use toolwright_mcp::client::{
    AuthError, HttpEndpoint, Login, McpServer, McpServerConfig, McpTransport, OAuthConfig,
    PinStore, ServerState, TokenStore,
};
use toolwright_runtime::Toolbox;
use toolwright_testkit::oauth::{OAuthServers, OAuthTwists, Page, Twist, browse};

use super::support::until;

fn config(servers: &OAuthServers, data: &Path) -> McpServerConfig {
    let url = servers.url.parse().unwrap();
    let endpoint = HttpEndpoint { url, headers: http::HeaderMap::new() };
    let mut config = McpServerConfig::new("remote", McpTransport::Http(endpoint));
    config.oauth = Some(OAuthConfig::new(TokenStore::in_folder(data)));
    config
}

/// Logs in as a user does who says yes to everything.
async fn log_in(config: &McpServerConfig) -> Result<Page, AuthError> {
    let login = Login::begin(config).await?;
    let url = login.url().to_string();
    let browser = tokio::task::spawn_blocking(move || browse(&url));
    // What does not come back does not come later either.
    let finished = login.finish(mpsc::channel(1).1);
    let finished = tokio::time::timeout(Duration::from_secs(3), finished).await;
    let page = browser.await.unwrap();
    finished.unwrap_or_else(|_| Err(AuthError::Slow("the test".to_owned())))?;
    Ok(page)
}

/// A server that was logged in to and approved.
async fn logged_in(twists: OAuthTwists) -> (TempDir, OAuthServers, Arc<McpServer>) {
    let (data, servers) = (TempDir::new().unwrap(), OAuthServers::start(twists));
    let config = config(&servers, data.path());
    log_in(&config).await.unwrap();
    let server = Arc::new(McpServer::new(config, PinStore::in_folder(data.path())));
    server.ready().await;
    assert_eq!(server.state(), ServerState::Ready);
    server.approve().unwrap();
    (data, servers, server)
}

async fn call(server: &Arc<McpServer>, tool: &str) -> String {
    let toolbox = Arc::new(Toolbox::builder().source(server.clone()).build().unwrap()).current();
    toolbox.call(&format!("remote__{tool}"), json!({}), &RunContext::new()).await.text
}

#[tokio::test(flavor = "multi_thread")]
async fn one_logs_in_and_the_token_is_kept_and_shown_to_nobody() {
    let (data, servers, server) = logged_in(OAuthTwists::default()).await;
    // It repeats what it was sent.
    assert_eq!(call(&server, "read").await, "read for Bearer [redacted]");
    let path = data.path().join("mcp/tokens.json");
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let kept = std::fs::read_to_string(path).unwrap();
    let given = servers.given();
    assert!(given.iter().all(|it| kept.contains(it)), "{kept}");
    let shown = format!("{:?} {:?}", server.config(), server.report().await.unwrap());
    assert!(!given.iter().any(|it| shown.contains(it)), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_goes_to_no_other_address_and_to_none_that_is_not_encrypted() {
    let (data, servers, _server) = logged_in(OAuthTwists::default()).await;
    let other = OAuthServers::start(OAuthTwists::default());
    let server = McpServer::new(config(&other, data.path()), PinStore::in_folder(data.path()));
    server.ready().await;
    let ServerState::Off(error) = server.state() else { panic!("{:?}", server.state()) };
    assert!(error.to_string().contains("`toolwright mcp login remote`"), "{error}");
    let mut open = config(&servers, data.path());
    let url = "http://mcp.example/mcp".parse().unwrap();
    open.transport = McpTransport::Http(HttpEndpoint { url, headers: http::HeaderMap::new() });
    let error = Login::begin(&open).await.err().unwrap();
    assert!(error.to_string().contains("does not begin with https://"), "{error}");
}

/// A token that the server takes no more is renewed, by one of all who wait.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_renewed_once_however_many_need_it() {
    let (_data, servers, server) = logged_in(OAuthTwists::default()).await;
    servers.end_access();
    let said = join_all((0..8).map(|_| call(&server, "read"))).await;
    assert!(said.iter().all(|it| it == "read for Bearer [redacted]"), "{said:?}");
    assert_eq!(servers.renewals(), 1);
    // And one that ends soon before it is used.
    let twists = OAuthTwists { lifetime: Some(30), ..OAuthTwists::default() };
    let (_data, servers, server) = logged_in(twists).await;
    let before = servers.renewals();
    call(&server, "read").await;
    assert_eq!(servers.renewals(), before + 1);
}

/// What cannot be renewed is told, the tools are withheld, and a new login brings them back.
#[tokio::test(flavor = "multi_thread")]
async fn a_login_that_ended_is_told_and_a_new_one_is_taken_up() {
    let (data, servers, server) = logged_in(OAuthTwists::default()).await;
    servers.end_logins();
    let said = call(&server, "read").await;
    assert!(said.contains("log") && said.contains("`toolwright mcp login remote`"), "{said}");
    until(|| matches!(server.state(), ServerState::Off(_))).await;
    let withheld = server.tools().withheld.clone();
    assert!(withheld[0].reason.contains("it wants a login again"), "{withheld:?}");
    assert!(server.report().await.unwrap().wants_login);
    log_in(&config(&servers, data.path())).await.unwrap();
    until(|| server.state() == ServerState::Ready).await;
    assert_eq!(call(&server, "read").await, "read for Bearer [redacted]");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_login_does_not_allow_is_told_and_asked_for_next_time() {
    let (data, servers, server) = logged_in(OAuthTwists::default()).await;
    let said = call(&server, "write").await;
    assert!(said.contains("more than your login allows (`files:write`)"), "{said}");
    // The others go on.
    assert_eq!(call(&server, "read").await, "read for Bearer [redacted]");
    let config = config(&servers, data.path());
    let login = Login::begin(&config).await.unwrap();
    assert_eq!(login.scopes(), ["files:read", "offline_access", "files:write"]);
    drop(login);
    log_in(&config).await.unwrap();
    assert_eq!(call(&server, "write").await, "write for Bearer [redacted]");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_was_registered_by_hand_is_used() {
    let client = Some(("by-hand".to_owned(), "client-secret-1".to_owned()));
    let twists = OAuthTwists { client, lifetime: Some(3600), ..OAuthTwists::default() };
    let (data, servers) = (TempDir::new().unwrap(), OAuthServers::start(twists));
    let mut config = config(&servers, data.path());
    let oauth = config.oauth.as_mut().unwrap();
    oauth.client_id = Some("by-hand".to_owned());
    oauth.client_secret = Some("client-secret-1".to_owned());
    oauth.scopes = Some(vec!["files:write".to_owned()]);
    assert!(!format!("{config:?}").contains("client-secret-1"));
    let login = Login::begin(&config).await.unwrap();
    assert!(login.url().as_str().contains("client_id=by-hand&"), "{}", login.url());
    assert!(login.url().as_str().contains("scope=files%3Awrite&"), "{}", login.url());
    log_in(&config).await.unwrap();
    assert!(!servers.asked().contains(&"POST /register".to_owned()));
}

/// A server that begins with anybody says what it wants to have asked for once something is asked for.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_wants_is_heard_though_it_begins_with_anybody() {
    let challenge = "Bearer scope=\"files:list\"".to_owned();
    let twists = OAuthTwists {
        begins_with_anybody: true,
        challenge: Some(challenge),
        ..OAuthTwists::default()
    };
    let (data, servers) = (TempDir::new().unwrap(), OAuthServers::start(twists));
    let config = config(&servers, data.path());
    let login = Login::begin(&config).await.unwrap();
    assert_eq!(login.scopes(), ["files:list", "offline_access"]);
}

/// What a server repeats of a token is shown to nobody, whatever bytes it puts around it.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_among_bytes_that_are_no_text_is_shown_to_nobody() {
    let twists = OAuthTwists { fails_with_token: true, ..OAuthTwists::default() };
    let (_data, servers, server) = logged_in(twists).await;
    let said = call(&server, "read").await;
    assert!(said.contains("it broke for Bearer [redacted]"), "{said}");
    assert!(!servers.given().iter().any(|it| said.contains(it)), "{said}");
}

/// The secret of a client is for the login server where it was registered: another that the server names later is
/// not shown it.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_one_login_server_is_not_shown_to_another() {
    let client = || Some(("by-hand".to_owned(), "client-secret-1".to_owned()));
    let hostile = OAuthServers::start(OAuthTwists { client: client(), ..OAuthTwists::default() });
    let issuer = Arc::new(std::sync::Mutex::new(None::<String>));
    let named = issuer.clone();
    let resource: Twist = Box::new(move |document| {
        if let Some(issuer) = &*named.lock().unwrap() {
            document["authorization_servers"] = json!([issuer]);
        }
    });
    let twists =
        OAuthTwists { client: client(), resource: Some(resource), ..OAuthTwists::default() };
    let (data, servers) = (TempDir::new().unwrap(), OAuthServers::start(twists));
    let mut config = config(&servers, data.path());
    let oauth = config.oauth.as_mut().unwrap();
    oauth.client_id = Some("by-hand".to_owned());
    oauth.client_secret = Some("client-secret-1".to_owned());
    log_in(&config).await.unwrap();
    *issuer.lock().unwrap() = Some(hostile.issuer.clone());
    let error = Login::begin(&config).await.err().unwrap();
    assert!(error.to_string().contains("names another login server"), "{error}");
    assert!(!hostile.asked().iter().any(|it| it.starts_with("POST")), "{:?}", hostile.asked());
    // The user may say that it is right.
    assert!(config.oauth.as_ref().unwrap().tokens.forget("remote").unwrap());
    assert!(Login::begin(&config).await.is_ok());
}

/// An address that a browser elsewhere ended at can be brought by hand.
#[tokio::test(flavor = "multi_thread")]
async fn the_address_may_be_pasted() {
    let (data, servers) = (TempDir::new().unwrap(), OAuthServers::start(OAuthTwists::default()));
    let config = config(&servers, data.path());
    let login = Login::begin(&config).await.unwrap();
    // The page is opened, and what it points to is not gone to.
    let redirect = first_redirect(login.url().as_str());
    let (send, pasted) = mpsc::channel(4);
    for text in ["what?", "http://127.0.0.1:1/callback?code=x&state=y", &format!(" {redirect} \n")]
    {
        send.send(text.to_owned()).await.unwrap();
    }
    login.finish(pasted).await.unwrap();
    assert_eq!(servers.given().len(), 2);
}

fn first_redirect(url: &str) -> String {
    use std::io::{Read, Write};
    let (host, target) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    write!(stream, "GET /{target} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let line = text.lines().find_map(|it| it.strip_prefix("location: "));
    line.unwrap_or_else(|| panic!("{text}")).to_owned()
}

fn set(key: &'static str, value: Value) -> Option<Twist> {
    Some(Box::new(move |document| document[key] = value.clone()))
}

fn pair(name: &'static str, value: Option<&'static str>) -> OAuthTwists {
    let redirect = move |pairs: &mut Vec<(String, String)>| {
        pairs.retain(|it| it.0 != name);
        pairs.extend(value.map(|it| (name.to_owned(), it.to_owned())));
    };
    OAuthTwists { redirect: Some(Box::new(redirect)), ..OAuthTwists::default() }
}

fn challenge(address: &str) -> OAuthTwists {
    let challenge = format!("Bearer resource_metadata=\"{address}\"");
    OAuthTwists { challenge: Some(challenge), ..OAuthTwists::default() }
}

fn of_resource(key: &'static str, value: Value) -> OAuthTwists {
    OAuthTwists { resource: set(key, value), ..OAuthTwists::default() }
}

fn of_server(key: &'static str, value: Value) -> OAuthTwists {
    OAuthTwists { server: set(key, value), ..OAuthTwists::default() }
}

fn of_tokens(key: &'static str, value: Value) -> OAuthTwists {
    OAuthTwists { tokens: set(key, value), ..OAuthTwists::default() }
}

fn at(path: &str, status: u16, headers: &str, body: Vec<u8>) -> OAuthTwists {
    let answers = [(path.to_owned(), (status, headers.to_owned(), body))].into_iter().collect();
    OAuthTwists { answers, ..OAuthTwists::default() }
}

const METADATA: &str = "/.well-known/oauth-authorization-server";
const RESOURCE: &str = "/.well-known/oauth-protected-resource/mcp";
const JSON: &str = "content-type: application/json\r\n";

/// M7 and its siblings: what a hostile server, login server or browser does, and what the user is told.
fn hostile() -> Vec<(&'static str, OAuthTwists, &'static str)> {
    let huge = || vec![b' '; 1 << 20];
    let elsewhere = "location: http://169.254.169.254/latest/meta-data\r\n";
    vec![
        ("metadata at a cloud's own", challenge("http://169.254.169.254/x"), "https://"),
        (
            "metadata at link-local",
            challenge("https://169.254.169.254/x"),
            "is not a public address",
        ),
        (
            "metadata at a decimal address",
            challenge("https://2852039166/x"),
            "is not a public address",
        ),
        (
            "metadata in a private network",
            challenge("https://192.168.0.1/x"),
            "is not a public address",
        ),
        ("metadata at a carrier's", challenge("https://100.64.0.1/x"), "is not a public address"),
        (
            "metadata at a mapped address",
            challenge("https://[::ffff:10.0.0.1]/x"),
            "is not a public address",
        ),
        ("metadata with a login in it", challenge("https://a:b@169.254.169.254/x"), "login in it"),
        ("metadata in a file", challenge("file:///etc/passwd"), "https://"),
        ("metadata at no address", challenge("what"), "not the address of a server"),
        (
            "a resource that is another",
            of_resource("resource", json!("https://bank.example/")),
            "about another server",
        ),
        (
            "a resource beside it",
            of_resource("resource", json!("http://127.0.0.1:1/mcp")),
            "about another server",
        ),
        (
            "no login server",
            of_resource("authorization_servers", json!([])),
            "no server that one could log in to",
        ),
        (
            "a login server in a private network",
            of_resource("authorization_servers", json!(["https://10.0.0.1"])),
            "is not a public address",
        ),
        (
            "a login server without encryption",
            of_resource("authorization_servers", json!(["http://login.example"])),
            "https://",
        ),
        (
            "another issuer",
            of_server("issuer", json!("https://accounts.example")),
            "says that it is another",
        ),
        ("no PKCE", of_server("code_challenge_methods_supported", Value::Null), "PKCE"),
        (
            "only plain PKCE",
            of_server("code_challenge_methods_supported", json!(["plain"])),
            "PKCE",
        ),
        ("no codes", of_server("response_types_supported", json!(["token"])), "gives no codes"),
        (
            "a token endpoint of another scheme",
            of_server("token_endpoint", json!("ftp://127.0.0.1/token")),
            "https://",
        ),
        (
            "a token endpoint without encryption",
            of_server("token_endpoint", json!("http://login.example/token")),
            "https://",
        ),
        (
            "a token endpoint at link-local",
            of_server("token_endpoint", json!("https://169.254.169.254/token")),
            "is not a public address",
        ),
        (
            "a registration at link-local",
            of_server("registration_endpoint", json!("https://169.254.169.254/")),
            "is not a public address",
        ),
        (
            "no registration",
            of_server("registration_endpoint", Value::Null),
            "registers no clients",
        ),
        (
            "a page that is a script",
            of_server("authorization_endpoint", json!("javascript:alert(1)")),
            "https://",
        ),
        (
            "a page that is a file",
            of_server("authorization_endpoint", json!("file:///etc/passwd")),
            "https://",
        ),
        (
            "a page in a private network",
            of_server("authorization_endpoint", json!("https://192.168.0.1/reboot")),
            "is not a public address",
        ),
        ("no page", of_server("authorization_endpoint", Value::Null), "names no page"),
        ("huge metadata", at(METADATA, 200, JSON, huge()), "longer than 256 KiB"),
        ("a huge resource", at(RESOURCE, 200, JSON, huge()), "longer than 256 KiB"),
        ("a huge registration", at("/register", 201, JSON, huge()), "longer than 256 KiB"),
        ("huge tokens", at("/token", 200, JSON, huge()), "longer than 256 KiB"),
        ("metadata that redirects", at(METADATA, 302, elsewhere, Vec::new()), "is not followed"),
        ("a resource that redirects", at(RESOURCE, 307, elsewhere, Vec::new()), "is not followed"),
        (
            "a registration that redirects",
            at("/register", 307, elsewhere, Vec::new()),
            "is not followed",
        ),
        ("tokens that redirect", at("/token", 308, elsewhere, Vec::new()), "is not followed"),
        ("no metadata", at(METADATA, 404, "", Vec::new()), "does not say how one logs in"),
        (
            "metadata that is a page",
            at(METADATA, 200, "", b"<html>".to_vec()),
            "does not say how one logs in",
        ),
        ("a server in trouble", at(METADATA, 503, "", Vec::new()), "HTTP 503"),
        (
            "a registration that fails",
            at("/register", 400, "", b"\x1b[2Jno".to_vec()),
            "does not register",
        ),
        ("a registration that is none", at("/register", 201, JSON, b"{}".to_vec()), "is no client"),
        ("a token that is none", of_tokens("access_token", json!("a b\r\nX: y")), "is no token"),
        (
            "a token that is too long",
            of_tokens("access_token", json!("x".repeat(20_000))),
            "is no token",
        ),
        ("a token of another kind", of_tokens("token_type", json!("mac")), "not known here"),
        ("no token", of_tokens("access_token", Value::Null), "no answer by the protocol"),
        ("another state", pair("state", Some("made-up")), "nobody logged in"),
        ("no state", pair("state", None), "nobody logged in"),
        (
            "another issuer in the browser",
            pair("iss", Some("https://evil.example")),
            "from another login server",
        ),
        ("no issuer in the browser", pair("iss", None), "without the name"),
        ("no code", pair("code", None), "no code"),
        ("another code", pair("code", Some("made-up")), "gives no token: invalid_grant"),
        ("a user who says no", pair("error", Some("access_denied")), "access_denied"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_servers_get_no_token_and_lead_nowhere() {
    let cases = hostile().into_iter().map(|(name, twists, says)| async move {
        let (data, servers) = (TempDir::new().unwrap(), OAuthServers::start(twists));
        let ended = log_in(&config(&servers, data.path())).await;
        let error = ended.err().unwrap_or_else(|| panic!("{name}: one is logged in"));
        let told = format!("{error} {}", error.advice().unwrap_or_default());
        assert!(told.contains(says), "{name}: {told}");
        assert!(told.len() < 2_000 && !told.contains('\u{1b}'), "{name}: {told}");
        assert!(!told.contains("secret"), "{name}: {told}");
        assert!(!data.path().join("mcp/tokens.json").exists(), "{name}");
    });
    join_all(cases).await;
}

/// Whoever does not know what was asked is sent away, and the one who does is still heard.
#[tokio::test(flavor = "multi_thread")]
async fn strangers_at_the_port_change_nothing() {
    let (data, servers) = (TempDir::new().unwrap(), OAuthServers::start(OAuthTwists::default()));
    let login = Login::begin(&config(&servers, data.path())).await.unwrap();
    let url = login.url().to_string();
    let redirect = first_redirect(&url);
    let (base, _) = redirect.split_once('?').unwrap();
    let base = base.to_owned();
    let finished = tokio::spawn(login.finish(mpsc::channel(1).1));
    let pages = tokio::task::spawn_blocking(move || {
        // Browsers connect and say nothing.
        let host = base.strip_prefix("http://").unwrap().split_once('/').unwrap().0.to_owned();
        let _silent: Vec<_> =
            (0..4).map(|_| std::net::TcpStream::connect(&host).unwrap()).collect();
        let strangers = ["", "?code=x", "?code=x&state=made-up", "?error=access_denied&state="];
        let mut pages: Vec<_> = strangers.iter().map(|it| browse(&format!("{base}{it}"))).collect();
        pages.push(browse(&redirect));
        pages
    });
    let statuses: Vec<_> = pages.await.unwrap().iter().map(|it| it.status).collect();
    assert_eq!(statuses, [400, 400, 400, 400, 200]);
    finished.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_does_not_go_without_a_server_that_is_required() {
    let (data, servers) = (TempDir::new().unwrap(), OAuthServers::start(OAuthTwists::default()));
    let mut required = config(&servers, data.path());
    required.required = true;
    let pins = PinStore::in_folder(data.path());
    let server = Arc::new(McpServer::new(required.clone(), pins.clone()));
    server.ready().await;
    let told = server.missing().unwrap();
    assert!(told.contains("`remote` is required") && told.contains("mcp login remote"), "{told}");
    log_in(&required).await.unwrap();
    server.ready().await;
    let told = server.missing().unwrap();
    assert!(told.contains("`toolwright mcp approve remote`"), "{told}");
    server.approve().unwrap();
    assert_eq!(server.missing(), None);
    // One that is switched off is not meant.
    required.transport = McpTransport::Off(String::new());
    let server = McpServer::new(required, pins);
    server.ready().await;
    assert_eq!(server.missing(), None);
}
