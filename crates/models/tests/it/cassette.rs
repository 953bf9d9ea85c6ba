//! A model is recorded once, and says the same again without being there.

use std::{fs, path::Path, sync::Arc};

use futures_util::StreamExt;
use serde_json::{Value, json};
use toolwright_core::{
    AssistantMessage, Call, CallSource, Conversation, FinishReason, Message, Model, ModelDelta,
    ModelError, ModelErrorKind, ModelOptions, ModelRequest, ModelResponse, ModelStream, Outcome,
    RequestCache, ToolChoice, ToolDefinitions, ToolSpec, Usage,
};
use toolwright_models::{
    Cassette, CassetteFile, CassetteHeader, CassetteMode, FunctionModel, Scripted,
};

/// What came of one request.
#[derive(Debug)]
struct Heard {
    parts: Vec<ModelDelta>,
    end: Result<ModelResponse, ModelError>,
}

impl Heard {
    #[track_caller]
    fn text(self) -> String {
        self.end.expect("a reply").text
    }
}

async fn heard(mut coming: ModelStream) -> Heard {
    let mut parts = Vec::new();
    loop {
        match coming.next().await.expect("a stream ends with a reply or an error") {
            Ok(ModelDelta::Response(reply)) => return Heard { parts, end: Ok(reply) },
            Ok(part) => parts.push(part),
            Err(error) => return Heard { parts, end: Err(error) },
        }
    }
}

/// Not a key of anybody's.
const SECRET: &str = "sk-cassette-0123456789abcdef";

fn open(path: &Path, mode: CassetteMode) -> Result<CassetteFile, ModelError> {
    CassetteFile::open(path, mode, CassetteHeader::new())
}

fn recording(path: &Path, model: Scripted) -> Cassette {
    Cassette::new(open(path, CassetteMode::Record).unwrap(), Arc::new(model)).secrets([SECRET])
}

fn replaying(path: &Path) -> Cassette {
    Cassette::replaying(open(path, CassetteMode::Replay).unwrap()).secrets([SECRET])
}

fn tools(names: &[&str]) -> ToolDefinitions {
    let spec = |name: &&str| Arc::new(ToolSpec::new(*name, "does it", json!({"type": "object"})));
    ToolDefinitions::new(names.iter().map(spec))
}

/// What comes of one request with these tools.
async fn ask_with(model: &dyn Model, said: &[Message], names: &[&str]) -> Heard {
    let conversation: Conversation = said.iter().cloned().collect();
    let (tools, mut memo) = (tools(names), RequestCache::default());
    heard(model.call(ModelRequest::new(&conversation, &tools, &mut memo))).await
}

async fn ask(model: &dyn Model, said: &[Message]) -> Heard {
    ask_with(model, said, &["get_price"]).await
}

/// Why a request failed, in words.
async fn refused(model: &dyn Model, said: &[Message]) -> String {
    let error = ask(model, said).await.end.unwrap_err();
    assert_eq!(error.kind, ModelErrorKind::Recording, "{error:?}");
    assert!(!error.is_transient() && error.advice.is_some(), "{error:?}");
    error.message
}

fn question(text: &str) -> Vec<Message> {
    vec![Message::system("Be brief."), Message::user(text)]
}

/// A conversation in which a tool returned this.
fn with_result(result: &str) -> Vec<Message> {
    let mut said = question("What does it cost?");
    let call = Call::new("call_x", "get_price", r#"{"of":"tea"}"#);
    said.push(Message::Assistant(AssistantMessage { calls: vec![call], ..Default::default() }));
    said.push(Message::tool("call_x", "get_price", Outcome::ok(result)));
    said
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The pieces with those that follow each other made one.
fn together(parts: Vec<ModelDelta>) -> Vec<ModelDelta> {
    let mut joined: Vec<ModelDelta> = Vec::new();
    for part in parts {
        match (joined.last_mut(), part) {
            (Some(ModelDelta::Text(last)), ModelDelta::Text(text)) => last.push_str(&text),
            (_, part) => joined.push(part),
        }
    }
    joined
}

#[tokio::test]
async fn what_was_recorded_is_said_again_without_the_model() {
    let folder = folder();
    let path = folder.path().join("all.jsonl");
    let mut call = Call::new("call_x", "get_price", "{\"of\": \"te\\u0061\",\"of\":1}");
    call.source = CallSource::Extracted;
    call.extra = Some(json!({"signature": "x"}).as_object().unwrap().clone());
    let mut whole = ModelResponse::calls([call]);
    whole.text = "I look it\n up.".to_owned();
    whole.reasoning = "hm".to_owned();
    whole.finish = FinishReason::Length;
    whole.usage =
        Usage { prompt_tokens: 7, completion_tokens: 3, cached_tokens: 1, reasoning_tokens: 2 };
    whole.model = Some("openai:m".into());
    whole.extra = Some(json!({"thought": [1.5]}).as_object().unwrap().clone());
    let mut error = ModelError::new(ModelErrorKind::RateLimited, "too many").with_advice("wait");
    error.status = Some(429);
    error.retry_after = Some(std::time::Duration::from_millis(1500));
    let model = Scripted::new([whole, ModelResponse::default()]).then_fail(error);

    let recorder = recording(&path, model);
    let asked = [question("1"), question("2"), question("3")];
    let mut first = Vec::new();
    for said in &asked {
        first.push(ask(&recorder, said).await);
    }
    drop(recorder);
    let player = replaying(&path);
    assert_eq!(player.name(), "scripted");
    for (said, before) in asked.iter().zip(first) {
        let again = ask(&player, said).await;
        assert_eq!(again.end, before.end);
        assert_eq!(again.parts, together(before.parts));
    }
    assert_eq!(player.file().unused(), 0);
}

#[tokio::test]
async fn a_conversation_is_written_once_and_not_with_every_request() {
    let folder = folder();
    let path = folder.path().join("grows.jsonl");
    let recorder = recording(&path, Scripted::new((0..3).map(|_| ModelResponse::text("Yes."))));
    let mut said = question("What does it cost?");
    for _ in 0..3 {
        ask(&recorder, &said).await;
        said.extend([Message::assistant("Yes."), Message::user("And now?")]);
    }
    let lines = lines(&path);
    assert_eq!(lines[0]["format"], "toolwright-cassette");
    let length = |line: &Value| line["messages"].as_array().unwrap().len();
    let written: Vec<_> = lines[1..].iter().map(length).collect();
    assert_eq!(written, [2, 2, 2]);
    assert_eq!(lines[3]["after"], json!({"request": 2, "messages": 4}));
    let told: Vec<_> = lines[1..].iter().map(|it| it["settings"].get("tools").is_some()).collect();
    assert_eq!(told, [true, false, false], "tools are written where they change");
    // And is whole again when it is read.
    let player = replaying(&path);
    assert_eq!(ask(&player, &said[..6]).await.text(), "Yes.");
}

#[tokio::test]
async fn a_difference_is_told_in_words() {
    let folder = folder();
    let path = folder.path().join("differs.jsonl");
    let recorder = recording(&path, Scripted::new([ModelResponse::text("It costs 4.")]));
    ask(&recorder, &with_result("The price is 4.20 and that is that.")).await;

    let told =
        refused(&replaying(&path), &with_result("The price is 4.30 and that is that.")).await;
    assert_eq!(
        told,
        "request 1 differs: message 4 (a result of `get_price`): recorded `The price is 4.20 and \
         that is that.`, now `The price is 4.30 and that is that.`"
    );
    let told = refused(&replaying(&path), &question("What does it cost?")).await;
    assert!(
        told.contains("it ends after 2 messages, and message 3 (what the model said)"),
        "{told}"
    );
    let mut longer = with_result("The price is 4.20 and that is that.");
    longer.push(Message::correction("Do better."));
    let told = refused(&replaying(&path), &longer).await;
    assert!(told.ends_with("now there is message 5 (a correction): `Do better.`"), "{told}");
    let mut other = with_result("The price is 4.20 and that is that.");
    other[0] = Message::system("Be long.");
    let told = refused(&replaying(&path), &other).await;
    assert!(told.contains("message 1 (the instructions): recorded `Be brief.`, now"), "{told}");

    let same = with_result("The price is 4.20 and that is that.");
    let told = ask_with(&replaying(&path), &same, &["get_prices"]).await.end.unwrap_err().message;
    assert_eq!(
        told,
        "request 1 differs: the tools: `get_price` is not offered any more; `get_prices` is offered now"
    );
    let conversation: Conversation = same.iter().cloned().collect();
    let (tools, mut memo) = (tools(&["get_price"]), RequestCache::default());
    let request = ModelRequest::new(&conversation, &tools, &mut memo).choice(ToolChoice::None);
    let told = heard(replaying(&path).call(request)).await.end.unwrap_err().message;
    assert!(
        told.contains("whether a tool is called: recorded `\"auto\"`, now `\"none\"`"),
        "{told}"
    );

    // The provider's ids say nothing.
    let mut renamed = same.clone();
    if let Message::Assistant(said) = &mut renamed[2] {
        said.calls[0].id = "other".into();
    }
    if let Message::Tool(result) = &mut renamed[3] {
        result.call = "other".into();
    }
    let player = replaying(&path);
    assert_eq!(ask(&player, &renamed).await.text(), "It costs 4.");
    assert_eq!(
        refused(&player, &same).await,
        "request 1 was recorded once, and is asked once more"
    );
    assert_eq!(
        refused(&player, &question("Something else")).await,
        "the recording ends after 1 request"
    );
}

#[tokio::test]
async fn several_conversations_find_their_own_and_equal_requests_their_order() {
    let folder = folder();
    let path = folder.path().join("several.jsonl");
    let replies = ["a", "b", "first", "second"].map(ModelResponse::text);
    let recorder = recording(&path, Scripted::new(replies));
    for text in ["A?", "B?", "Roll!", "Roll!"] {
        ask(&recorder, &question(text)).await;
    }
    let player = replaying(&path);
    let mut heard = Vec::new();
    for text in ["Roll!", "B?", "Roll!", "A?"] {
        heard.push(ask(&player, &question(text)).await.text());
    }
    assert_eq!(heard, ["first", "b", "second", "a"]);
    let told = refused(&replaying(&path), &question("C?")).await;
    assert!(told.starts_with("request 1 differs: message 2 (what the user said)"), "{told}");
}

#[tokio::test]
async fn only_what_is_missing_is_asked_and_added() {
    let folder = folder();
    let path = folder.path().join("missing.jsonl");
    ask(&recording(&path, Scripted::new([ModelResponse::text("old")])), &question("A?")).await;
    for round in 0..2 {
        let file = open(&path, CassetteMode::RecordMissing).unwrap();
        let live = FunctionModel::new("scripted", move |_| match round {
            0 => Ok(ModelResponse::text("new")),
            _ => Err(ModelError::new(ModelErrorKind::Server, "it was asked again")),
        });
        let model = Cassette::new(file, Arc::new(live));
        assert_eq!(ask(&model, &question("A?")).await.text(), "old");
        assert_eq!(ask(&model, &question("B?")).await.text(), "new");
    }
    assert_eq!(lines(&path).len(), 3);
}

#[tokio::test]
async fn no_secret_and_no_header_is_in_the_file() {
    let folder = folder();
    let path = folder.path().join("secrets.jsonl");
    let arguments = format!(r#"{{"key":"{SECRET}"}}"#);
    let mut reply = ModelResponse::calls([Call::new("c", "get_price", arguments)]);
    reply.text = format!("It is {SECRET}.");
    reply.extra = Some(json!({ SECRET: [SECRET] }).as_object().unwrap().clone());
    let failed = ModelError::new(ModelErrorKind::Auth, format!("{SECRET} is wrong"));
    let recorder = recording(&path, Scripted::new([reply]).then_fail(failed));
    let conversation: Conversation = question(&format!("My key is {SECRET}")).into_iter().collect();
    let mut options = ModelOptions::default();
    options.set("headers.X-Own", "a-value-of-a-header").unwrap();
    options.set("extra.token", "a-value-of-a-field").unwrap();
    let options = Arc::new(options);
    for _ in 0..2 {
        let (tools, mut memo) = (tools(&["get_price"]), RequestCache::default());
        let request = ModelRequest::new(&conversation, &tools, &mut memo).options(&options);
        // Whoever asked is told all the same.
        let heard = heard(recorder.call(request)).await;
        assert!(format!("{:?}", heard.end).contains(SECRET));
    }
    let text = fs::read_to_string(&path).unwrap();
    for hidden in [SECRET, "0123456789abcdef", "a-value-of-a-header", "X-Own", "a-value-of-a-field"]
    {
        assert!(!text.contains(hidden), "{hidden} is in {text}");
    }
    assert!(text.contains("[redacted]") && text.contains("[hidden]"), "{text}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    // What is hidden in the file is hidden in what is asked, too: it is found.
    drop(recorder);
    let player = replaying(&path);
    let (tools, mut memo) = (tools(&["get_price"]), RequestCache::default());
    let request = ModelRequest::new(&conversation, &tools, &mut memo).options(&options);
    assert_eq!(heard(player.call(request)).await.text(), "It is [redacted].");
}

#[tokio::test]
async fn a_file_that_cannot_be_used_says_why_and_is_left_alone() {
    let folder = folder();
    let path = folder.path().join("file");
    let says = |mode| {
        let error = open(&path, mode).unwrap_err();
        assert_eq!(error.kind, ModelErrorKind::Recording);
        assert!(error.advice.is_some());
        error.message
    };
    assert!(says(CassetteMode::Replay).starts_with("there is no cassette "));
    for text in ["# Notes\n", "{}\n", "no end", "\u{0}\u{1}"] {
        fs::write(&path, text).unwrap();
        for mode in CassetteMode::ALL {
            let told = says(mode);
            assert!(told.ends_with("is no cassette: it does not begin like one"), "{told}");
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    fs::write(&path, "{\"format\":\"toolwright-cassette\",\"version\":9}\n").unwrap();
    for mode in CassetteMode::ALL {
        let told = says(mode);
        assert!(told.ends_with("of version 9, and this program reads version 1"), "{told}");
    }
    fs::remove_file(&path).unwrap();
    let recorder = recording(&path, Scripted::new(["1", "2", "3"].map(ModelResponse::text)));
    assert!(says(CassetteMode::Record).starts_with("another program is recording to "));
    for text in ["1", "2", "3"] {
        ask(&recorder, &question(text)).await;
    }
    drop(recorder);
    let whole = fs::read_to_string(&path).unwrap();
    let lines: Vec<_> = whole.split_inclusive('\n').collect();
    for (damaged, line) in [
        (format!("{}{}x{}", lines[0], lines[1], lines[2]), 3),
        (format!("{}{}", lines[0], lines[2]), 2),
        (whole.replace("\"request\":1,\"messages\"", "\"request\":7,\"messages\""), 3),
    ] {
        fs::write(&path, &damaged).unwrap();
        for mode in [CassetteMode::Replay, CassetteMode::RecordMissing] {
            let told = says(mode);
            assert!(told.contains(&format!("is damaged in line {line}: ")), "{told}");
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), damaged, "it is left as it is");
    }
}

/// A program that is killed leaves whole lines, and perhaps a part of one.
#[tokio::test]
async fn whatever_was_written_when_a_program_was_killed_can_be_read() {
    let folder = folder();
    let (path, cut) = (folder.path().join("whole"), folder.path().join("cut"));
    let recorder = recording(&path, Scripted::new(["1", "2"].map(ModelResponse::text)));
    ask(&recorder, &question("1")).await;
    ask(&recorder, &question("2")).await;
    drop(recorder);
    let whole = fs::read(&path).unwrap();
    let header = whole.iter().position(|it| *it == b'\n').unwrap() + 1;
    for end in header..=whole.len() {
        fs::write(&cut, &whole[..end]).unwrap();
        let complete = whole[..end].iter().filter(|it| **it == b'\n').count() - 1;
        assert_eq!(open(&cut, CassetteMode::Replay).unwrap().unused(), complete, "{end}");
        // And is gone on with behind the last whole line.
        let file = open(&cut, CassetteMode::RecordMissing).unwrap();
        let live = Scripted::new(["1", "2"].map(ModelResponse::text).into_iter().skip(complete));
        let model = Cassette::new(file, Arc::new(live)).secrets([SECRET]);
        ask(&model, &question("1")).await;
        ask(&model, &question("2")).await;
        drop(model);
        assert_eq!(fs::read(&cut).unwrap()[header..], whole[header..], "{end}");
    }
}
