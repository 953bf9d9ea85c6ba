//! A provider that says what it should not: the key it was sent, keys that stand twice, heads without
//! end.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use toolwright_testkit::{Chunking, ModelServer, Reply, Script};

use crate::harness::{Cli, Ended, KEY};

async fn ask(script: Script, args: &[&str]) -> (Ended, ModelServer, Cli) {
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server).env("TOOLWRIGHT_LOG", "trace");
    let args = [&["ask", "--json"], args, &["Weather in Rome?"]].concat();
    (cli.run(&args).await, server, cli)
}

fn sent(server: &ModelServer, request: usize) -> String {
    server.requests()[request].body["messages"].to_string()
}

/// The key in ways that are easily read back.
fn spellings() -> Vec<String> {
    let hex: String = KEY.bytes().map(|byte| format!("{byte:02x}")).collect();
    let escaped = KEY.chars().map(|letter| format!("\\u{:04x}", letter as u32)).collect();
    let percent = KEY.bytes().map(|byte| format!("%{byte:02X}")).collect();
    vec![
        KEY.to_owned(),
        hex.clone(),
        hex.to_uppercase(),
        KEY.chars().rev().collect(),
        "c2stY2FuYXJ5LTAxMjM0NTY3ODlhYmNkZWY=".to_owned(),
        escaped,
        percent,
    ]
}

#[tokio::test]
async fn the_key_it_was_sent_is_nowhere_however_it_is_said() {
    for spelling in spellings() {
        let arguments = json!({"location": format!("Rome {spelling}")}).to_string();
        let script = Script::new()
            .reply(
                Reply::calls([("a", "get_weather", arguments.as_str())])
                    .with_text(format!("I say {spelling} aloud."))
                    .with_reasoning(format!("I think {spelling}."))
                    .chunking(Chunking::OneByte),
            )
            .reply(Reply::text(format!("It is {spelling}.")).chunking(Chunking::PerEvent));
        let (ended, server, cli) = ask(script, &[]).await;
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        let events = ended.events();
        assert_eq!(events.last().unwrap()["response"], "It is [redacted].", "{spelling}");
        assert!(events.iter().all(|event| event["type"] != "call_started"), "{}", ended.out);
        let log = std::fs::read(cli.folder.path().join("data/toolwright.db")).unwrap();
        let stored = String::from_utf8_lossy(&log);
        let later = sent(&server, 1);
        for (place, text) in
            [("out", &*ended.out), ("err", &ended.err), ("store", &stored), ("request", &later)]
        {
            assert!(!text.contains(&spelling), "{place} holds {spelling}");
        }
        assert!(later.contains("something that is secret in this run"), "{later}");
    }
}

#[tokio::test]
async fn the_key_in_an_error_is_not_shown() {
    for spelling in spellings() {
        let said = json!({"error": {"message": format!("bad key {spelling} given")}});
        let script = Script::new().reply(Reply::status(401).body(said.to_string()));
        let (ended, _server, _cli) = ask(script, &[]).await;
        assert!(!ended.out.contains(&spelling), "{}", ended.out);
        assert!(!ended.err.contains(&spelling), "{}", ended.err);
    }
}

/// However long an error is, and wherever it is cut for a person: of the key no part is left.
#[tokio::test]
async fn the_key_in_a_long_error_is_not_cut_through() {
    for spelling in spellings() {
        for before in [440, 480, 500, 515] {
            let filler = "x".repeat(before);
            let said = json!({"error": {"message": format!("{filler} {spelling} {filler}")}});
            let script = Script::new().reply(Reply::status(400).body(said.to_string()));
            let (ended, _server, _cli) = ask(script, &[]).await;
            let all = format!("{}{}", ended.out, ended.err);
            assert!(all.contains("the provider answered 400"), "{all}");
            let begins: String = spelling.chars().take(12).collect();
            assert!(!all.contains(&begins), "{before}: {begins} is left of {spelling} in {all}");
        }
    }
}

/// A head that comes letter by letter, and never ends, is given up on; the next answer counts.
#[tokio::test]
async fn a_head_without_end_is_given_up_on() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(async move {
        let (mut first, _) = listener.accept().await.unwrap();
        let _ = first.read(&mut [0; 1 << 16]).await.unwrap();
        first.write_all(b"HTTP/1.1 200 OK\r\nx-filler: ").await.unwrap();
        // Until the client leaves.
        while first.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let (mut second, _) = listener.accept().await.unwrap();
        let _ = second.read(&mut [0; 1 << 16]).await.unwrap();
        let refused = "HTTP/1.1 400 Bad Request\r\ncontent-length: 7\r\n\r\nrefused";
        second.write_all(refused.as_bytes()).await.unwrap();
        let _ = second.read(&mut [0; 1]).await;
    });
    let ended = Cli::at(&format!("http://{address}/v1")).run(&["ask", "--json", "Hello?"]).await;
    let events = ended.events();
    let again = events.iter().find(|it| it["type"] == "model_retry");
    let reason = again.unwrap_or_else(|| panic!("{}", ended.out))["reason"].as_str().unwrap();
    assert!(reason.contains("did not begin") && reason.contains("seconds"), "{reason}");
    let last = events.last().unwrap();
    assert!(last["message"].as_str().unwrap().contains("refused"), "{last}");
    serving.await.unwrap();
}

/// The call did not run, and the model was told which key of its arguments stands twice.
#[track_caller]
fn assert_ambiguous(ended: &Ended, server: &ModelServer) {
    let events = ended.events();
    assert!(events.iter().all(|event| event["type"] != "call_started"), "{}", ended.out);
    let done = events.last().unwrap();
    assert_eq!(done["tool_calls"][0]["status"], "error", "{done}");
    let told = sent(server, 1);
    assert!(told.contains("the key `location` stands twice"), "{told}");
}

#[tokio::test]
async fn a_key_that_stands_twice_is_refused_wherever_the_call_stands() {
    const TWICE: &str = r#"{"location": "Rome", "location": "Oslo"}"#;
    let native = Reply::calls([("a", "get_weather", TWICE)]);
    let object = format!(
        "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"index\":0,\"id\":\"a\",\"function\":\
         {{\"name\":\"get_weather\",\"arguments\":{TWICE}}}}}]}},\"finish_reason\":\"tool_calls\"}}]}}\n\n\
         data: [DONE]\n\n"
    );
    for reply in [native, Reply::raw_sse(object)] {
        let script = Script::new().reply(reply).reply(Reply::text("I could not."));
        let (ended, server, _cli) = ask(script, &[]).await;
        assert_ambiguous(&ended, &server);
    }
    for text in [
        format!("```json\n{{\"tool\": \"get_weather\", \"params\": {TWICE}}}\n```"),
        format!("<tool_call>{{\"name\": \"get_weather\", \"arguments\": {TWICE}}}</tool_call>"),
        "<tool_call><function=get_weather><parameter=location>Rome</parameter>\
         <parameter=location>Oslo</parameter></function></tool_call>"
            .to_owned(),
    ] {
        let script = Script::new()
            .reply(Reply::text(text).chunking(Chunking::OneByte))
            .reply(Reply::text("I could not."));
        let (ended, server, _cli) = ask(script, &["--tool-mode", "text"]).await;
        assert_ambiguous(&ended, &server);
    }
}

#[tokio::test]
async fn arguments_given_twice_are_no_call() {
    let text = "```json\n{\"tool\": \"get_weather\", \"params\": {\"location\": \"Rome\"}, \
                \"arguments\": {\"location\": \"Oslo\"}}\n```";
    let script = Script::new().reply(Reply::text(text)).reply(Reply::text("I could not."));
    let (ended, _server, _cli) = ask(script, &["--tool-mode", "text"]).await;
    let events = ended.events();
    assert!(events.iter().all(|event| event["type"] != "call_started"), "{}", ended.out);
}

#[tokio::test]
async fn arguments_typed_by_hand_have_each_key_once() {
    let twice = r#"{"location": "Rome", "location": "Oslo"}"#;
    let ended = Cli::new().run(&["tools", "call", "get_weather", twice]).await;
    assert_ne!(ended.code, Some(0));
    let said = format!("{}{}", ended.out, ended.err);
    assert!(said.contains("the key `location` stands twice"), "{said}");
    let once = Cli::new().run(&["tools", "call", "get_weather", r#"{"location": "Rome"}"#]).await;
    assert_eq!((once.code, Value::from(once.out.contains("Rome"))), (Some(0), json!(true)));
}
