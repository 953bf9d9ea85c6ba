//! Who may come in.

use std::net::SocketAddr;

use serde_json::{Value, json};
use toolwright_core::ActionableError;
use toolwright_server::{AuthMode, ServerError};

use crate::{
    harness::{Desk, Request, Setup, TOKEN, ask},
    local::curl,
};

/// Every route there is, from the server's own description of itself, and what is not in it.
async fn routes(desk: &Desk) -> Vec<(String, String)> {
    let request = bearer(Request::new("GET", "/api/openapi.json"));
    let description = ask(desk.address, &request).await.json();
    let paths = description["paths"].as_object().unwrap().iter();
    let mut all: Vec<_> = paths
        .flat_map(|(path, item)| {
            let path = path.replace("{id}", "conv_x").replace("{index}", "0");
            // What anybody may ask says so.
            let methods = item.as_object().unwrap().iter().filter(|it| it.1["security"].is_null());
            let methods = methods.map(|(method, _)| method.to_uppercase());
            methods.map(move |method| (method, path.clone())).collect::<Vec<_>>()
        })
        .collect();
    assert!(all.len() >= 24, "{all:?}");
    for path in ["/", "/api/openapi.json", "/assets/index.js", "/mcp", "/nowhere", "/api/nowhere"] {
        all.push(("GET".to_owned(), path.to_owned()));
    }
    all
}

fn bearer(request: Request) -> Request {
    request.header("Authorization", &format!("Bearer {TOKEN}"))
}

/// A request such as a browser makes from the server's own page.
fn browser(method: &str, path: &str) -> Request {
    let request = Request::new(method, path).header("Sec-Fetch-Site", "same-origin");
    if method == "GET" { request } else { request.json(&json!({})) }
}

async fn token_only() -> Desk {
    Desk::start(Setup { auth: AuthMode::Token, ..Setup::default() }, None).await
}

/// H1.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_comes_in_without_being_known() {
    let (local, strict) = (Desk::demo().await, token_only().await);
    for (method, path) in routes(&local).await {
        let answer = ask(strict.address, &Request::new(&method, &path)).await;
        assert_eq!(answer.status, 401, "{method} {path}");
        let answer = ask(local.address, &browser(&method, &path)).await;
        assert_eq!(answer.status, 401, "{method} {path}");
        assert_eq!(answer.code(), "unauthorized");
        for (name, value) in [
            ("Origin", format!("http://{}", local.address)),
            ("Cookie", "a=b".to_owned()),
            ("Referer", format!("http://{}/", local.address)),
            ("X-Forwarded-For", "127.0.0.1".to_owned()),
            ("Via", "1.1 proxy".to_owned()),
            ("Authorization", "Bearer wrong".to_owned()),
            ("Authorization", "Basic eDp5".to_owned()),
        ] {
            let request = Request::new(&method, &path).header(name, &value);
            let answer = ask(local.address, &request).await;
            assert!([401, 429].contains(&answer.status), "{method} {path} {name}");
        }
    }
}

/// The document's own line, as it stands there but for the port.
#[tokio::test(flavor = "multi_thread")]
async fn the_documented_curl_works() {
    let desk = Desk::demo().await;
    let url = format!("http://localhost:{}/api/chat/stream", desk.address.port());
    let body =
        r#"{"message": "What is the current price of NIFTY?", "access_token": "your_token"}"#;
    let kind = "Content-Type: application/json";
    let text = curl(&["-sN", "-X", "POST", &url, "-H", kind, "-d", body]).await;
    assert!(text.contains(r#""type":"tool_calls""#), "{text}");
    assert!(text.contains(r#""type":"done""#), "{text}");
    assert!(!text.contains("your_token"));
}

/// H2 and H3: under another name, or for another's page, nobody is served, known or not.
#[tokio::test(flavor = "multi_thread")]
async fn other_names_and_other_pages_are_turned_away() {
    let desk = Desk::demo().await;
    let cookie = desk.browser().await.cookie;
    let port = desk.address.port();
    for (method, path) in routes(&desk).await {
        let known = |it: Request| bearer(it).header("Cookie", &cookie);
        for host in ["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example:80", ""] {
            let request = known(Request::new(&method, &path).header("Host", host));
            assert_eq!(ask(desk.address, &request).await.status, 403, "{method} {path} {host}");
        }
        for origin in [
            "https://evil.example",
            "null",
            "",
            &format!("http://evil.example:{port}"),
            // Another scheme, host or port is another origin.
            &format!("https://127.0.0.1:{port}"),
            &format!("http://127.0.0.1:{}", port.wrapping_add(1)),
            "http://127.0.0.1",
            &format!("http://127.1:{port}"),
            &format!("http://127.0.0.1:{port}/"),
            &format!("http://x@127.0.0.1:{port}"),
            &format!("127.0.0.1:{port}"),
        ] {
            let request = known(Request::new(&method, &path).header("Origin", origin));
            assert_eq!(ask(desk.address, &request).await.status, 403, "{method} {path} {origin}");
        }
        for site in ["cross-site", "same-site", "?"] {
            let request = known(Request::new(&method, &path).header("Sec-Fetch-Site", site));
            assert_eq!(ask(desk.address, &request).await.status, 403, "{method} {path} {site}");
        }
    }
    let two =
        format!("GET /api/info HTTP/1.1\r\nHost: {0}\r\nHost: evil.example\r\n\r\n", desk.address);
    let answer = crate::harness::exchange(desk.address, two.as_bytes()).await;
    assert!(answer.is_none_or(|it| it.status == 403 || it.status == 400));
    let whole = format!(
        "GET http://evil.example/api/info HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        desk.address
    );
    let answer = crate::harness::exchange(desk.address, whole.as_bytes()).await.unwrap();
    assert_eq!(answer.status, 403);
}

/// H3: before the body is read.
#[tokio::test(flavor = "multi_thread")]
async fn who_is_turned_away_need_not_send_a_body() {
    let desk = Desk::demo().await;
    let head = format!(
        "POST /api/chat/stream HTTP/1.1\r\nHost: {}\r\nOrigin: https://evil.example\r\n\
         Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n",
        desk.address
    );
    let answer = crate::harness::exchange(desk.address, head.as_bytes()).await.unwrap();
    assert_eq!(answer.status, 403);
}

/// H4.
#[tokio::test(flavor = "multi_thread")]
async fn a_form_of_another_page_is_not_read() {
    let desk = Desk::demo().await;
    let body = r#"{"message":"hi"}"#;
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
        let request = Request::new("POST", "/api/chat/stream").body(kind, body);
        assert_eq!(ask(desk.address, &request).await.status, 415, "{kind}");
    }
    let request = Request::new("POST", "/api/chat/stream");
    assert_eq!(ask(desk.address, &request).await.status, 415);
}

/// H5.
#[tokio::test(flavor = "multi_thread")]
async fn no_other_page_is_ever_allowed() {
    let desk = Desk::demo().await;
    let own = format!("http://{}", desk.address);
    for origin in ["https://evil.example", &own] {
        let request = bearer(Request::new("OPTIONS", "/api/chat/stream"))
            .header("Origin", origin)
            .header("Access-Control-Request-Method", "POST");
        let answer = ask(desk.address, &request).await;
        let granted = answer.headers.keys().find(|it| it.starts_with("access-control-"));
        assert_eq!(granted, None);
        assert!([403, 405].contains(&answer.status));
    }
}

/// H6.
#[tokio::test]
async fn an_open_address_needs_the_token() {
    let address: SocketAddr = "0.0.0.0:0".parse().unwrap();
    let refused = crate::harness::bind(address, AuthMode::Local).await.err().unwrap();
    assert!(matches!(refused, ServerError::Open(_)), "{refused}");
    assert!(refused.advice().unwrap().contains("--auth token"));
    assert!(crate::harness::bind(address, AuthMode::Token).await.is_ok());
}

/// A browser that was not let in is told what to do.
#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_is_told_how_to_come_in() {
    let desk = Desk::demo().await;
    let request =
        browser("GET", "/").header("Accept", "text/html,*/*").header("Sec-Fetch-Mode", "navigate");
    let answer = ask(desk.address, &request).await;
    assert_eq!(answer.status, 401);
    let own = format!("<pre>curl -X POST http://{}/api/launch</pre>", desk.address);
    assert!(answer.text().contains(&own), "{}", answer.text());
}

/// In words that are true there: with the token where one is needed, under the name that people have.
#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_is_not_let_in_is_shown_a_page() {
    let hosts = vec!["https://desk.example".to_owned()];
    let desk = Desk::start(Setup { auth: AuthMode::Token, hosts, ..Setup::default() }, None).await;
    let page = |path: &str| browser("GET", path).header("Accept", "text/html,*/*");
    let shown = "curl -X POST -H &quot;Authorization: Bearer $TOOLWRIGHT_TOKEN&quot; \
                 https://desk.example/api/launch";
    for (request, status, says) in [
        (page("/"), 401, shown),
        (page("/?token=0"), 401, shown),
        (page("/api/conversations"), 401, shown),
        (page("/").header("Host", "evil.example"), 403, "<p>this server has another name</p>"),
        (page("/").header("Host", "evil.example"), 403, "`server.hosts`"),
        (page("/").header("Origin", "https://evil.example"), 403, "<p>a page of another server"),
    ] {
        let answer = ask(desk.address, &request).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        assert_eq!(answer.headers["content-type"], "text/html; charset=utf-8");
        assert!(answer.text().contains(says), "{}", answer.text());
    }
    // Programs are told as before.
    let answer = ask(desk.address, &browser("GET", "/")).await;
    assert_eq!((answer.status, answer.code().as_str()), (401, "unauthorized"));
}

/// H8.
#[tokio::test(flavor = "multi_thread")]
async fn guessing_is_slow_and_locks_nobody_out() {
    let desk = token_only().await;
    let wrong = Request::new("GET", "/api/info").header("Authorization", "Bearer wrong");
    let right = bearer(Request::new("GET", "/api/info"));
    let mut answers = [0_u32; 2];
    for _ in 0..500 {
        match ask(desk.address, &wrong).await.status {
            401 => answers[0] += 1,
            429 => answers[1] += 1,
            other => panic!("{other}"),
        }
    }
    assert!(answers[1] > answers[0], "{answers:?}");
    assert_eq!(ask(desk.address, &right).await.status, 200);
}

/// H14: a part of an id, or one that was made up, finds nothing.
#[tokio::test(flavor = "multi_thread")]
async fn conversations_are_not_guessed() {
    let desk = Desk::demo().await;
    let id = desk.chat("Hi").await.last().unwrap()["conversation_id"].as_str().unwrap().to_owned();
    // 26 letters of five bits: more than 122.
    assert!(id.trim_start_matches("conv_").len() >= 25, "{id}");
    assert_eq!(desk.get(&format!("/api/conversations/{id}")).await.status, 200);
    for part in [&id[..id.len() - 1], "conv_", "c", "%25", "conv_x"] {
        for more in ["", "/events", "/export", "/stream"] {
            let answer = desk.get(&format!("/api/conversations/{part}{more}")).await;
            assert_eq!(answer.status, 404, "{part}{more}");
        }
    }
}

/// H16.
#[tokio::test(flavor = "multi_thread")]
async fn only_the_page_is_served() {
    let desk = Desk::demo().await;
    for path in [
        "/..%2f..%2fetc/passwd",
        "/../../etc/passwd",
        "/assets/..%2f..%2fCargo.toml",
        "/assets/../../package.json",
        "/%00",
        "//etc/passwd",
        "/assets/",
        "/assets/%2e%2e/index.html",
        "/.git/config",
    ] {
        let answer = desk.get(path).await;
        assert_eq!(answer.status, 404, "{path}: {}", answer.text());
    }
}

/// H18 and the rest of what every answer says about itself.
#[tokio::test(flavor = "multi_thread")]
async fn every_answer_is_protected() {
    let desk = Desk::demo().await;
    let strict = token_only().await;
    for answer in [
        desk.get("/").await,
        desk.get("/api/health").await,
        desk.get("/nowhere").await,
        strict.get("/").await,
        desk.post("/api/chat/stream", &Value::Null).await,
    ] {
        let policy = &answer.headers["content-security-policy"];
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"));
        assert!(!policy.contains("unsafe"));
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
        assert_eq!(answer.headers["referrer-policy"], "no-referrer");
        assert!(answer.headers.contains_key("cache-control"));
    }
}
