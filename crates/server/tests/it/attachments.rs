//! Pictures and files: with questions, in results, and taken out again.

use std::io::Write as _;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use toolwright_server::AuthMode;
use toolwright_testkit::{Reply, Script};

use crate::harness::{Answer, Browser, Desk, Request, Setup, TOKEN, ask};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n not much of a picture";
const ZIP: &[u8] = b"PK\x03\x04 a ZIP that says it is a picture";

fn base64(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}

fn data_url(media_type: &str, bytes: &[u8]) -> String {
    format!("data:{media_type};base64,{}", base64(bytes))
}

fn digest(bytes: &[u8]) -> String {
    toolwright_core::Digest::of(bytes).to_string()
}

fn image_part() -> Value {
    json!({"type": "image_url", "image_url": {"url": data_url("image/png", PNG)}})
}

fn saying(count: usize) -> Script {
    (0..count).fold(Script::new(), |script, at| script.reply(Reply::text(format!("Answer {at}."))))
}

/// A question with these attachments, and the conversation it was asked in.
async fn asked(desk: &Desk, attachments: Value) -> String {
    let body = json!({"message": "What is it?", "attachments": attachments});
    let events = desk.chat_with(body).await;
    events[0]["conversation_id"].as_str().unwrap().to_owned()
}

async fn fetched(desk: &Desk, id: &str, bytes: &[u8], more: &str) -> Answer {
    let digest = digest(bytes);
    desk.get(&format!("/api/conversations/{id}/attachments/{digest}{more}")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_goes_to_the_model_and_can_be_fetched_again() {
    let (desk, model) = Desk::saying(saying(2)).await;
    let picture = json!([{"name": "a.png", "media_type": "image/png", "data": base64(PNG)}]);
    let id = asked(&desk, picture).await;
    let sent = model.requests()[0].body["messages"][1]["content"].clone();
    assert_eq!(sent, json!([{"type": "text", "text": "What is it?"}, image_part()]));
    let answer = fetched(&desk, &id, PNG, "?name=a.png").await;
    assert_eq!((answer.status, &answer.body[..]), (200, PNG));
    assert_eq!(answer.headers["content-type"], "image/png");
    assert_eq!(answer.headers["content-disposition"], "inline; filename*=UTF-8''a.png");
    assert_eq!(answer.headers["x-content-type-options"], "nosniff");
    assert_eq!(answer.headers["cache-control"], "private, max-age=31536000, immutable");
    // Who asks again with what they have is told so, and sent nothing.
    let path = format!("/api/conversations/{id}/attachments/{}", digest(PNG));
    let tag = &answer.headers["etag"];
    let again = Request::new("GET", &path).header("If-None-Match", &format!("\"x\", W/{tag}"));
    let again = ask(desk.address, &again).await;
    assert_eq!((again.status, again.body.len(), &again.headers["etag"]), (304, 0, tag));
    // The question is asked again with all that came with it.
    let retried = desk.post(&format!("/api/conversations/{id}/retry"), &json!({})).await;
    assert_eq!(retried.status, 200, "{}", retried.text());
    let messages = model.requests()[1].body["messages"].clone();
    assert_eq!(messages.as_array().unwrap().last().unwrap()["content"], sent);
}

/// A picture alone is a question; nothing at all is none.
#[tokio::test(flavor = "multi_thread")]
async fn a_picture_needs_no_words() {
    let (desk, model) = Desk::saying(saying(2)).await;
    for body in [
        json!({"message": "", "attachments": [{"name": "a.png", "data": base64(PNG)}]}),
        json!({"attachments": [{"data": base64(PNG)}]}),
    ] {
        let answer = desk.post("/api/chat/stream", &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    // Their names are what they have.
    let list = desk.get("/api/conversations").await.json();
    let titles: Vec<_> = [0, 1].map(|at| list["conversations"][at]["title"].clone()).into();
    assert!(titles.contains(&json!("a.png")) && titles.contains(&json!("image")), "{titles:?}");
    assert_eq!(model.requests()[1].body["messages"][1]["content"], json!([image_part()]));
    for body in [json!({}), json!({"message": " ", "attachments": []})] {
        assert_eq!(desk.post("/api/chat/stream", &body).await.status, 422);
    }
}

/// Every refusal names the field, and nothing is begun.
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_attached_is_refused_by_its_field() {
    let (desk, model) = Desk::saying(Script::new()).await;
    let good = json!({"data": base64(PNG)});
    let zip = json!({"media_type": "image/png", "data": base64(ZIP)});
    let large = json!({"data": base64(&vec![b'x'; (20 << 20) + 1])});
    for (second, status, says) in [
        (zip, 400, "it says it is image/png, and its content is application/zip"),
        (json!({"data": ""}), 400, "it is empty"),
        (json!({"data": "not base64"}), 400, "its data is no base64"),
        (json!({"data": "iVBORw0KGgo"}), 400, "its data is no base64"),
        (json!({"data": "iVBORw0KGgp="}), 400, "its data is no base64"),
        (json!({"data": data_url("image/png", PNG)}), 400, "its data is no base64"),
        (json!({"media_type": "png", "data": base64(PNG)}), 400, "`png` is no media type"),
        (large, 413, "an attachment has at most 20 MiB"),
    ] {
        let body = json!({"message": "x", "attachments": [good, second]});
        let answer = desk.post("/api/chat/stream", &body).await;
        assert_eq!(answer.status, status, "{says}: {}", answer.text());
        let message = answer.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with("attachments[1]: ") && message.contains(says), "{message}");
    }
    let eleven = json!({"message": "x", "attachments": vec![good; 11]});
    let answer = desk.post("/api/chat/stream", &eleven).await;
    assert_eq!(answer.status, 400);
    assert!(answer.text().contains("attachments: a question has at most 10"), "{}", answer.text());
    for wrong in
        [json!({"name": "x"}), json!({"data": 1}), json!({"data": "", "url": "x"}), json!(1)]
    {
        let answer =
            desk.post("/api/chat/stream", &json!({"message": "x", "attachments": [wrong]})).await;
        assert_eq!(answer.status, 422, "{wrong}: {}", answer.text());
    }
    assert!(model.requests().is_empty());
    assert_eq!(desk.get("/api/conversations").await.json()["conversations"], json!([]));
}

/// What is wrong is told, and not sent back whole.
#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_short_however_long_what_it_is_about() {
    let desk = Desk::demo().await;
    let long = "A".repeat(3 << 20);
    for (path, body) in [
        ("/api/chat/stream", json!({"message": "x", "attachments": long})),
        ("/api/chat/stream", json!({"message": "x", "attachments": [{"data": "", (&long): 1}]})),
        (
            "/api/chat/stream",
            json!({"message": "x", "attachments": [{"data": "", "name": [long]}]}),
        ),
        ("/v1/chat/completions", json!({"model": "x", "messages": [{"role": long}]})),
        (
            "/v1/chat/completions",
            json!({"model": "toolwright", "messages": [
            {"role": "user", "content": [{"type": long}]}]}),
        ),
        ("/api/chat/ai-sdk", json!({"id": "abcd", "messages": long})),
        ("/api/conversations/import", json!({"toolwright": 2, "events": [{"type": long}]})),
    ] {
        let answer = desk.post(path, &body).await;
        assert!([400, 422].contains(&answer.status), "{path}: {}", answer.status);
        assert!(answer.body.len() < 4_000, "{path}: {} bytes", answer.body.len());
    }
}

/// Who says beforehand that it is too much is refused before anything of it is read.
#[tokio::test(flavor = "multi_thread")]
async fn an_upload_has_its_size() {
    let desk = Desk::demo().await;
    for (path, length, status) in [
        ("/api/chat/stream", 100 << 20, 413),
        ("/v1/chat/completions", 100 << 20, 413),
        ("/api/chat/ai-sdk", 100 << 20, 413),
        ("/api/chat/ag-ui", 100 << 20, 413),
        ("/api/conversations/import", 100 << 20, 413),
        // Nothing is attached to these.
        ("/api/conversations/x/retry", 3 << 20, 413),
        ("/api/conversations/x/decisions", 3 << 20, 413),
        ("/api/conversations/x/questions", 3 << 20, 413),
    ] {
        let mut stream = TcpStream::connect(desk.address).await.unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n",
            desk.address
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut back = Vec::new();
        let _ = stream.read_to_end(&mut back).await;
        let back = String::from_utf8_lossy(&back);
        assert!(back.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {back}");
        assert!(back.contains("\"too_large\""), "{path}: {back}");
    }
    assert_eq!(desk.get("/api/health").await.status, 200);
}

/// What could run as the page's own script is a file to save, whatever it was said to be.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_could_run_is_shown() {
    let (desk, _model) = Desk::saying(saying(1)).await;
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
    let html = b"\xef\xbb\xbf \n<!doctype html><script>alert(1)</script>";
    let all: [(&[u8], Option<&str>, &str, &str); 8] = [
        (svg, Some("image/svg+xml"), "application/octet-stream", "attachment"),
        (html, Some("text/html"), "application/octet-stream", "attachment"),
        (b"<?xml version=\"1.0\"?><a/>", None, "application/octet-stream", "attachment"),
        (b"%PDF-1.7", None, "application/pdf", "attachment"),
        (ZIP, None, "application/octet-stream", "attachment"),
        (b"alert(1)", Some("text/javascript"), "text/plain; charset=utf-8", "inline"),
        (b"GIF89a", None, "image/gif", "inline"),
        (b"OggS", None, "audio/ogg", "inline"),
    ];
    let attachments: Vec<_> = all
        .iter()
        .map(|(bytes, said, ..)| json!({"data": base64(bytes), "media_type": said}))
        .collect();
    let id = asked(&desk, attachments.into()).await;
    for (bytes, said, shown, how) in all {
        let answer = fetched(&desk, &id, bytes, "").await;
        assert_eq!((answer.status, &answer.body[..]), (200, bytes));
        assert_eq!(answer.headers["content-type"], shown, "{said:?}");
        assert_eq!(answer.headers["content-disposition"], how, "{said:?}");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
    }
}

/// Whatever a file is called, its name is a name and nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_a_name() {
    let (desk, model) = Desk::saying(saying(1)).await;
    let name = "../../etc/a\"; filename=evil.exe\r\nSet-Cookie: x=1\u{202e}.png";
    let picture = json!([{"name": name, "data": base64(PNG)}]);
    let id = asked(&desk, picture).await;
    let log = desk.get(&format!("/api/conversations/{id}/events")).await.text();
    assert!(!log.contains("etc/a") && !log.contains("\\r\\n"), "{log}");
    assert_eq!(model.requests().len(), 1);
    let escaped: String = name.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let answer = fetched(&desk, &id, PNG, &format!("?name={escaped}")).await;
    assert_eq!(answer.status, 200);
    assert!(!answer.headers.contains_key("set-cookie"));
    let told = &answer.headers["content-disposition"];
    assert!(
        told.starts_with("inline; filename*=UTF-8''a%22%3B%20filename%3Devil.exe%20Set"),
        "{told}"
    );
    assert_eq!(told.matches(['"', '/', '\\']).count(), 0, "{told}");
}

/// What is attached in one conversation is nowhere else, and nobody sees it who was not let in.
#[tokio::test(flavor = "multi_thread")]
async fn an_attachment_belongs_to_its_conversation() {
    let setup = Setup { auth: AuthMode::Token, ..Setup::default() };
    let (desk, _model) = Desk::with(setup, saying(2)).await;
    let known = |request: Request| request.header("Authorization", &format!("Bearer {TOKEN}"));
    let mut ids = Vec::new();
    for bytes in [PNG, b"GIF89a"] {
        let body = json!({"message": "x", "attachments": [{"data": base64(bytes)}]});
        let request = known(Request::new("POST", "/api/chat/stream").json(&body));
        let answer = ask(desk.address, &request).await;
        ids.push(answer.headers["x-conversation-id"].clone());
    }
    let path = |id: &str, digest: &str| format!("/api/conversations/{id}/attachments/{digest}");
    let mine = path(&ids[0], &digest(PNG));
    assert_eq!(ask(desk.address, &known(Request::new("GET", &mine))).await.status, 200);
    for wrong in [
        path(&ids[1], &digest(PNG)),
        path("conv_none", &digest(PNG)),
        path(&ids[0], &digest(b"nothing")),
        path(&ids[0], "x"),
        path(&ids[0], &format!("+{}", &digest(PNG)[1..])),
        path(&ids[0], "%ff"),
    ] {
        let answer = ask(desk.address, &known(Request::new("GET", &wrong))).await;
        assert_eq!((answer.status, answer.code().as_str()), (404, "not_found"), "{wrong}");
    }
    // A browser's cookie alone opens nothing, as everywhere: its page has a key.
    let link = known(Request::new("POST", "/api/launch").json(&json!({})));
    let link = ask(desk.address, &link).await.json();
    let browser = Browser::with_link(desk.address, link["url"].as_str().unwrap()).await;
    let request = browser.request("GET", &mine);
    assert_eq!(ask(desk.address, &request).await.status, 200);
    let request = request.header("X-Toolwright-Key", "");
    assert_eq!(ask(desk.address, &request).await.status, 401);
    let tag = format!("\"{}\"", digest(PNG));
    let stranger = Request::new("GET", &mine).header("If-None-Match", &tag);
    assert_eq!(ask(desk.address, &stranger).await.status, 401);
}

/// Whoever writes a digest into a log of their own has not got the bytes by that.
#[tokio::test(flavor = "multi_thread")]
async fn naming_a_digest_in_an_import_opens_nothing() {
    let (desk, _model) = Desk::saying(saying(1)).await;
    let id = asked(&desk, json!([{"data": base64(PNG)}])).await;
    let export = desk.get(&format!("/api/conversations/{id}/export")).await.text();
    let mut forged: Value = serde_json::from_str(&export.replace(&id, "conv_forged")).unwrap();
    for event in forged["events"].as_array_mut().unwrap() {
        event["run"] = "run_forged".into();
    }
    forged["attachments"] = json!([]);
    let brought = desk.post("/api/conversations/import", &forged).await;
    assert_eq!(brought.status, 200, "{}", brought.text());
    assert_eq!(fetched(&desk, "conv_forged", PNG, "").await.status, 404);
    assert_eq!(fetched(&desk, &id, PNG, "").await.status, 200);
}

/// What was attached comes along when a conversation is taken out, and is checked when it is brought
/// back.
#[tokio::test(flavor = "multi_thread")]
async fn an_export_carries_what_is_attached() {
    let (desk, _model) = Desk::saying(saying(1)).await;
    let attachments = json!([{"data": base64(PNG)}, {"data": base64(ZIP)}, {"data": base64(PNG)}]);
    let id = asked(&desk, attachments).await;
    let mut export = desk.get(&format!("/api/conversations/{id}/export")).await.json();
    let exported = export["attachments"].as_array().unwrap();
    assert_eq!(exported.len(), 2);
    assert!(exported.iter().all(|it| it["type"] == "attachment"));
    let other = Desk::demo().await;
    let brought = other.post("/api/conversations/import", &export).await;
    assert_eq!(brought.status, 200, "{}", brought.text());
    for bytes in [PNG, ZIP] {
        assert_eq!(fetched(&other, &id, bytes, "").await.body, bytes);
    }
    let another = Desk::demo().await;
    for (data, says) in
        [(base64(b"others"), "not those that were attached"), ("!".into(), "base64")]
    {
        export["attachments"][0]["data"] = data.into();
        let refused = another.post("/api/conversations/import", &export).await;
        assert_eq!(refused.status, 422, "{}", refused.text());
        assert!(refused.text().contains(says), "{}", refused.text());
    }
    assert_eq!(another.get("/api/conversations").await.json()["conversations"], json!([]));
}

/// Before anything is sent, a page can say what the model takes and how much may be sent.
#[tokio::test(flavor = "multi_thread")]
async fn what_may_be_attached_is_told() {
    let (desk, _model) = Desk::saying(Script::new()).await;
    let info = desk.get("/api/info").await.json();
    let accepts = info["model"]["accepts"].as_array().unwrap();
    assert!(accepts.contains(&json!("image/png")) && !accepts.contains(&json!("audio/flac")));
    assert_eq!(info["limits"]["attachments"], 10);
    assert_eq!(info["limits"]["attachment_bytes"], 20 << 20);
    // The script takes none.
    let demo = Desk::demo().await;
    assert_eq!(demo.get("/api/info").await.json()["model"]["accepts"], json!([]));
}

/// As each protocol sends a picture.
fn sent(protocol: &str, url: &str) -> (&'static str, Value) {
    let data = url.split_once(',').map_or(url, |(_, data)| data);
    match protocol {
        "openai" => (
            "/v1/chat/completions",
            json!({"model": "toolwright", "messages": [
                {"role": "user", "content": [{"type": "text", "text": "What is it?"},
                    {"type": "image_url", "image_url": {"url": url}}]},
            ]}),
        ),
        "ai-sdk" => (
            "/api/chat/ai-sdk",
            json!({"id": "abcdefgh12345678", "messages": [
                {"role": "user", "parts": [{"type": "text", "text": "What is it?"},
                    {"type": "file", "mediaType": "image/png", "filename": "a.png", "url": url}]},
            ]}),
        ),
        _ => {
            let source = match url.starts_with("data:") {
                true => json!({"type": "data", "value": data, "mimeType": "image/png"}),
                false => json!({"type": "url", "value": url}),
            };
            (
                "/api/chat/ag-ui",
                json!({"threadId": "thread-1", "runId": "r", "messages": [
                    {"id": "1", "role": "user", "content": [{"type": "text", "text": "What is it?"},
                        {"type": "image", "source": source}]},
                ]}),
            )
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_protocol_brings_a_picture_and_fetches_none() {
    let (desk, model) = Desk::saying(saying(3)).await;
    for protocol in ["openai", "ai-sdk", "ag-ui"] {
        let (path, body) = sent(protocol, &data_url("image/png", PNG));
        let answer = desk.post(path, &body).await;
        assert_eq!(answer.status, 200, "{protocol}: {}", answer.text());
        let messages = model.requests().last().unwrap().body["messages"].clone();
        let content = &messages.as_array().unwrap().last().unwrap()["content"];
        let text = json!({"type": "text", "text": "What is it?"});
        assert_eq!(*content, json!([text, image_part()]), "{protocol}");
        for (url, says) in [
            ("https://example.org/a.png?key=secret", "`https://example.org/a.png` is not fetched"),
            ("file:///etc/passwd", "is not fetched"),
            ("data:image/png;base64,!!!!", "no base64"),
            (&data_url("image/png", ZIP), "its content is application/zip"),
        ] {
            let (path, body) = sent(protocol, url);
            let answer = desk.post(path, &body).await;
            assert_eq!(answer.status, 400, "{protocol} {url}: {}", answer.text());
            let message = answer.json()["error"]["message"].as_str().unwrap().to_owned();
            let is_named = message.starts_with("messages[0]") && message.contains("[1]: ");
            assert!(is_named && message.contains(says), "{protocol}: {message}");
            assert!(!message.contains("secret"), "{message}");
        }
    }
    assert_eq!(model.requests().len(), 3);
}

/// What is no text never becomes text of a prompt.
#[tokio::test(flavor = "multi_thread")]
async fn a_part_that_is_not_known_is_refused() {
    let (desk, model) = Desk::saying(Script::new()).await;
    let part = json!({"type": "hologram", "hologram": {"data": "iVBORw0KGgo="}});
    for (path, body) in [
        (
            "/v1/chat/completions",
            json!({"model": "toolwright", "messages": [
            {"role": "user", "content": [{"type": "text", "text": "x"}, part]}]}),
        ),
        (
            "/v1/chat/completions",
            json!({"model": "toolwright", "messages": [
            {"role": "user", "content": {"type": "image_url", "image_url": {"url": "x"}}}]}),
        ),
        (
            "/v1/chat/completions",
            json!({"model": "toolwright", "messages": [
            {"role": "system", "content": [image_part()]}, {"role": "user", "content": "x"}]}),
        ),
        (
            "/v1/chat/completions",
            json!({"model": "toolwright", "messages": [{"role": "user",
            "content": [{"type": "file", "file": {"file_id": "file-1"}}]}]}),
        ),
        (
            "/api/chat/ai-sdk",
            json!({"id": "abcdefgh", "messages": [
            {"role": "user", "parts": [{"type": "text", "text": "x"}, part]}]}),
        ),
        (
            "/api/chat/ag-ui",
            json!({"threadId": "t", "runId": "r", "messages": [
            {"role": "user", "content": [{"type": "text", "text": "x"}, part]}]}),
        ),
    ] {
        let answer = desk.post(path, &body).await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.text());
        assert!(answer.text().contains("messages[0]"), "{}", answer.text());
    }
    assert!(model.requests().is_empty());
}

/// Files and sound come with OpenAI's form, and stand where they stood.
#[tokio::test(flavor = "multi_thread")]
async fn files_and_sound_come_in_openais_form() {
    let (desk, model) = Desk::saying(saying(1)).await;
    let csv = data_url("text/csv", b"a,b\n1,2\n");
    let body = json!({"model": "toolwright", "messages": [{"role": "user", "content": [
        image_part(), {"type": "text", "text": "Compare."},
        {"type": "file", "file": {"filename": "table.csv", "file_data": csv}},
    ]}]});
    let answer = desk.post("/v1/chat/completions", &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let messages = model.requests()[0].body["messages"].clone();
    let content = messages.as_array().unwrap().last().unwrap()["content"].clone();
    assert_eq!(content[0], image_part());
    let text = content[1]["text"].as_str().unwrap();
    assert!(
        text.contains("Compare.") && text.contains("[table.csv (text/csv, 8 bytes)]"),
        "{text}"
    );
}

/// What a tool gives back beside its words is where everything else that is attached is.
#[tokio::test(flavor = "multi_thread")]
async fn a_picture_in_a_result_reaches_every_client() {
    let calls = |id: &str| Reply::calls([(id, "show", r#"{"file_path":"chart.png"}"#)]);
    let script = Script::new()
        .reply(calls("c1"))
        .reply(Reply::text("A chart."))
        .reply(calls("c2"))
        .reply(Reply::text("A chart."))
        .reply(calls("c3"))
        .reply(Reply::text("A chart."));
    let setup = Setup { workspace: true, ..Setup::default() };
    let (desk, model) = Desk::with(setup, script).await;
    std::fs::File::create(desk.work().join("chart.png")).unwrap().write_all(PNG).unwrap();
    let events = desk.chat("Show chart.png").await;
    let done = events.iter().find(|it| it["type"] == "call_finished").unwrap();
    assert_eq!(done["message"]["attachments"][0]["digest"], digest(PNG));
    let id = events[0]["conversation_id"].as_str().unwrap();
    assert_eq!(fetched(&desk, id, PNG, "").await.body, PNG);
    assert!(model.requests()[1].body["messages"].to_string().contains(&data_url("image/png", PNG)));

    let body = json!({"id": "chat-0123456789", "messages": [
        {"role": "user", "parts": [{"type": "text", "text": "Show chart.png"}]}]});
    let parts = desk.post("/api/chat/ai-sdk", &body).await.events();
    let (_, file) = parts.into_iter().find(|(_, it)| it["type"] == "file").unwrap();
    assert_eq!(file["mediaType"], "image/png");
    let answer = desk.get(file["url"].as_str().unwrap()).await;
    assert_eq!((answer.status, &answer.body[..]), (200, PNG));

    let body = json!({"threadId": "thread-1", "runId": "r", "messages": [
        {"role": "user", "content": "Show chart.png"}]});
    let events = desk.post("/api/chat/ag-ui", &body).await.events();
    let (_, result) = events.into_iter().find(|(_, it)| it["type"] == "TOOL_CALL_RESULT").unwrap();
    assert_eq!(result["content"][0]["type"], "text");
    let source = &result["content"][1]["source"];
    assert_eq!((&result["content"][1]["type"], &source["type"]), (&json!("image"), &json!("url")));
    assert_eq!(desk.get(source["value"].as_str().unwrap()).await.body, PNG);
}
