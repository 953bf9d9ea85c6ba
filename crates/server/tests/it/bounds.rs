//! What bounds every request.

use std::time::Duration;

use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::harness::{Desk, Request, Setup, ask, exchange};

async fn impatient() -> Desk {
    let mut setup = Setup::default();
    setup.limits.client_timeout = Duration::from_millis(300);
    Desk::start(setup, None).await
}

/// H9, in small: who says nothing, or not all of it, is let go; who asks meanwhile is served.
#[tokio::test(flavor = "multi_thread")]
async fn the_silent_and_the_slow_are_let_go() {
    let desk = impatient().await;
    let mut held = Vec::new();
    for at in 0..100 {
        let mut stream = TcpStream::connect(desk.address).await.unwrap();
        if at % 2 == 0 {
            stream.write_all(b"GET /api/health HTTP/1.1\r\nHost: x").await.unwrap();
        }
        held.push(stream);
    }
    assert_eq!(desk.get("/api/health").await.status, 200);
    for mut stream in held {
        let mut rest = Vec::new();
        // Ends because the other side hangs up; a reset will do.
        let _ = stream.read_to_end(&mut rest).await;
    }
}

/// A connection that answered once and then is silent is let go, too.
#[tokio::test(flavor = "multi_thread")]
async fn a_connection_is_not_kept_for_nothing() {
    let desk = impatient().await;
    let mut stream = TcpStream::connect(desk.address).await.unwrap();
    let request = format!("GET /api/health HTTP/1.1\r\nHost: {}\r\n\r\n", desk.address);
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all).await;
    assert!(String::from_utf8_lossy(&all).starts_with("HTTP/1.1 200"));
}

/// H10.
#[tokio::test(flavor = "multi_thread")]
async fn a_body_has_its_time_and_its_size() {
    let desk = impatient().await;
    let head = format!(
        "POST /api/chat/stream HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n",
        desk.address
    );
    let slow = format!("{head}Content-Length: 100\r\n\r\n{{");
    assert_eq!(exchange(desk.address, slow.as_bytes()).await.unwrap().status, 408);
    // Said beforehand, or found out on the way: nobody keeps what is too much.
    let large = format!("{head}Content-Length: {}\r\n\r\n", 33 << 20);
    assert_eq!(exchange(desk.address, large.as_bytes()).await.unwrap().status, 413);
    let mut chunked = format!("{head}Transfer-Encoding: chunked\r\n\r\n").into_bytes();
    for _ in 0..550 {
        chunked
            .extend_from_slice(format!("{:x}\r\n{}\r\n", 1 << 16, "x".repeat(1 << 16)).as_bytes());
    }
    let answer = exchange(desk.address, &chunked).await;
    assert!(answer.is_none_or(|it| it.status == 413));
}

/// What is larger may take longer: at the pace that is asked of everybody, it arrives.
#[tokio::test(flavor = "multi_thread")]
async fn a_large_body_has_more_time() {
    let mut setup = Setup::default();
    setup.limits.client_timeout = Duration::from_millis(500);
    setup.limits.body = 64 << 10;
    let desk = Desk::start(setup, None).await;
    // Sixty-four parts of what others may send: half a minute.
    let body = json!({"message": "A tip on $10?", "task": "x".repeat(4 << 20)}).to_string();
    let head = format!(
        "POST /api/chat/stream HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        desk.address,
        body.len()
    );
    let mut stream = TcpStream::connect(desk.address).await.unwrap();
    let (first, second) = body.split_at(body.len() / 2);
    stream.write_all(format!("{head}{first}").as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(800)).await;
    stream.write_all(second.as_bytes()).await.unwrap();
    let mut back = Vec::new();
    stream.read_to_end(&mut back).await.unwrap();
    let back = String::from_utf8_lossy(&back);
    // There is no such task: the body was read.
    assert!(back.starts_with("HTTP/1.1 422 "), "{back:.300}");
}

/// H11.
#[tokio::test(flavor = "multi_thread")]
async fn a_head_has_its_size() {
    let desk = Desk::demo().await;
    let many = (0..100).fold(Request::new("GET", "/api/health"), |request, at| {
        request.header(&format!("x-{at}"), "1")
    });
    assert_eq!(ask(desk.address, &many).await.status, 431);
    let long = Request::new("GET", "/api/health").header("x-long", &"y".repeat(1 << 20));
    let answer = exchange(desk.address, &long.bytes(desk.address)).await;
    // Whoever is still sending when the answer comes may not hear it.
    assert!(answer.is_none_or(|it| it.status == 431));
    assert_eq!(desk.get("/api/health").await.status, 200);
}

/// Which of two values is meant nobody can tell; also where the body is only passed on.
#[tokio::test(flavor = "multi_thread")]
async fn a_body_says_one_thing() {
    let desk = Desk::demo().await;
    for (path, body) in [
        ("/api/chat/stream", r#"{"message": "a", "message": "b"}"#),
        ("/api/conversations/x/decisions", r#"{"call": "a", "arguments": {"x": 1, "x": 2}}"#),
        ("/api/conversations/x/questions", r#"{"call_id": "a", "content": {"x": 1, "x": 2}}"#),
        (
            "/v1/chat/completions",
            r#"{"messages": [{"role": "user", "content": [{"x": 1, "x": 1}]}]}"#,
        ),
        ("/api/conversations/import", r#"{"toolwright": 2, "events": [{"seq": 1, "seq": 2}]}"#),
    ] {
        let request = Request::new("POST", path).body("application/json", body);
        let answer = ask(desk.address, &request).await;
        assert_eq!(answer.status, 400, "{path}: {}", answer.text());
        assert!(answer.text().contains("stands twice"), "{path}: {}", answer.text());
    }
}

/// H12.
#[tokio::test(flavor = "multi_thread")]
async fn nonsense_is_turned_away() {
    let desk = Desk::demo().await;
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let deeper = format!(r#"{{"message": {}"x"{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    for body in ["", "{", "nonsense", "\u{0}", &deep, &deeper, r#"{"message":"x"}}"#] {
        for path in ["/api/chat/stream", "/api/conversations/import", "/v1/chat/completions"] {
            let request = Request::new("POST", path).body("application/json", body);
            let answer = ask(desk.address, &request).await;
            assert!([400, 422].contains(&answer.status), "{path} {body:.20}: {}", answer.status);
        }
    }
    let not_text = Request::new("POST", "/api/chat/stream")
        .body("application/json", &b"{\"message\": \"\xff\xfe\"}"[..]);
    assert_eq!(ask(desk.address, &not_text).await.status, 400);
    for path in [
        "/api/conversations?limit=0",
        "/api/conversations?limit=-1",
        "/api/conversations?limit=x",
        "/api/conversations?before=x",
        "/api/conversations?surprise=1",
    ] {
        let status = desk.get(path).await.status;
        assert!([400, 422].contains(&status), "{path}: {status}");
    }
    assert_eq!(desk.get("/api/health").await.status, 200);
}

/// H19: what goes wrong inside stays inside.
#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_inside_is_not_told() {
    let desk = Desk::demo().await;
    let events = json!({"toolwright": 2, "events": [{"seq": 0, "run": "r", "type": "surprise"}]});
    let answer = desk.post("/api/conversations/import", &events).await;
    assert_eq!(answer.status, 422);
    let folder = desk.folder.path().to_string_lossy().into_owned();
    assert!(!answer.text().contains(&folder));
    std::fs::remove_dir_all(desk.data()).unwrap();
    std::fs::write(desk.data(), "in the way").unwrap();
    let answer = desk.get("/api/approvals").await;
    let text = answer.text();
    assert!(!text.contains(&folder) && !text.to_lowercase().contains("sql"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn methods_and_paths_that_are_none() {
    let desk = Desk::demo().await;
    assert_eq!(ask(desk.address, &Request::new("PUT", "/api/info")).await.status, 405);
    assert_eq!(ask(desk.address, &Request::new("GET", "/api/chat/stream")).await.status, 405);
    assert_eq!(ask(desk.address, &Request::new("POST", "/nowhere")).await.status, 404);
}

/// However many pages a conversation has, what is taken out is what can be brought back.
#[tokio::test(flavor = "multi_thread")]
async fn an_export_of_many_pages_is_whole() {
    let desk = Desk::demo().await;
    let mut id = json!(null);
    for turn in 0..60 {
        let message = format!("Turn {turn}");
        let body = if id.is_null() {
            json!({"message": message})
        } else {
            json!({"message": message, "conversation_id": id})
        };
        id = desk.chat_with(body).await.last().unwrap()["conversation_id"].clone();
    }
    let at = format!("/api/conversations/{}", id.as_str().unwrap());
    let log = desk.get(&format!("{at}/events?limit=5000")).await.json();
    let log: Vec<_> = log["events"].as_array().unwrap().iter().map(|it| &it["event"]).collect();
    let export = desk.get(&format!("{at}/export")).await.json();
    let events: Vec<_> = export["events"].as_array().unwrap().iter().collect();
    assert!(log.len() > 200, "{}", log.len());
    assert_eq!(events, log);
    let other = Desk::demo().await;
    let brought = other.post("/api/conversations/import", &export).await;
    assert_eq!(brought.status, 200, "{}", brought.text());
    assert_eq!(brought.json()["events"], log.len());
}
