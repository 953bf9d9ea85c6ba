//! [`Editor`]: the other end of the protocol, as an editor is.

use std::{path::Path, process::Stdio, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout},
};

use crate::harness::{Cli, KEY};

/// The other end of the protocol.
pub(crate) struct Editor {
    pub(crate) child: Child,
    stdin: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
    next: u64,
    pub(crate) capabilities: Value,
    /// What was told so far, of every session.
    pub(crate) updates: Vec<Value>,
    /// What was asked so far.
    pub(crate) questions: Vec<Value>,
    /// What is answered, one after another; where there is nothing left, nothing is.
    pub(crate) answers: Vec<Value>,
}

/// A message that came, and is no update.
pub(crate) enum Came {
    Update(Value),
    Question(Value),
    Response(Value),
}

impl Editor {
    /// Starts the binary and introduces itself.
    pub(crate) async fn start(cli: &Cli) -> Self {
        Self::start_with(cli, &[], json!({})).await
    }

    pub(crate) async fn start_with(cli: &Cli, args: &[&str], capabilities: Value) -> Self {
        let mut editor = Self::spawn(cli, args);
        let params = json!({
            "protocolVersion": 1, "clientCapabilities": capabilities,
            "clientInfo": {"name": "test", "version": "1"},
        });
        let answer = editor.request("initialize", params).await;
        assert_eq!(answer["result"]["protocolVersion"], 1, "{answer}");
        editor.capabilities = answer["result"]["agentCapabilities"].clone();
        editor
    }

    /// Starts the binary.
    pub(crate) fn spawn(cli: &Cli, args: &[&str]) -> Self {
        let args = [&["acp"], args].concat();
        let mut child = cli.command(&args).stdin(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let stdin = child.stdin.take();
        let (capabilities, updates, questions, answers) = Default::default();
        Self { child, stdin, lines, next: 0, capabilities, updates, questions, answers }
    }

    pub(crate) async fn line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line.as_bytes()).await.unwrap();
        stdin.write_all(b"\n").await.unwrap();
    }

    pub(crate) async fn send(&mut self, message: Value) {
        self.line(&message.to_string()).await;
    }

    /// Sends a request; its id.
    pub(crate) async fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let id = self.next;
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        id
    }

    pub(crate) async fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params})).await;
    }

    /// The next message. What is no JSON-RPC is a mistake.
    pub(crate) async fn came(&mut self) -> Came {
        let line = tokio::time::timeout(Duration::from_secs(120), self.lines.next_line()).await;
        let line = line.expect("something comes").unwrap().expect("a line");
        assert!(!line.contains(KEY), "the key was shown: {line}");
        let message: Value = serde_json::from_str(&line).expect("nothing but JSON");
        assert_eq!(message["jsonrpc"], "2.0");
        match message["method"].as_str() {
            Some("session/update") => {
                let update = message["params"]["update"].clone();
                self.updates.push(update.clone());
                Came::Update(update)
            }
            Some("session/request_permission" | "elicitation/create") => {
                self.questions.push(message["params"].clone());
                Came::Question(message)
            }
            Some(other) => panic!("nobody knows {other}"),
            None => Came::Response(message),
        }
    }

    /// The next response or question; questions are answered while there are answers.
    pub(crate) async fn until(&mut self, id: u64) -> Value {
        loop {
            match self.came().await {
                Came::Response(message) if message["id"] == id => return message,
                Came::Question(message) if !self.answers.is_empty() => {
                    let answer = self.answers.remove(0);
                    self.answer(&message, answer).await;
                }
                Came::Question(message) => panic!("nobody answers {message}"),
                Came::Response(message) => panic!("nobody asked for {message}"),
                Came::Update(_) => {}
            }
        }
    }

    /// The next question.
    pub(crate) async fn question(&mut self) -> Value {
        loop {
            match self.came().await {
                Came::Question(message) => return message,
                Came::Response(message) => panic!("nobody asked for {message}"),
                Came::Update(_) => {}
            }
        }
    }

    /// The next update of which this holds.
    pub(crate) async fn update(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            match self.came().await {
                Came::Update(update) if wanted(&update) => return update,
                Came::Update(_) => {}
                Came::Question(message) | Came::Response(message) => panic!("{message}"),
            }
        }
    }

    pub(crate) async fn answer(&mut self, question: &Value, answer: Value) {
        let mut message = json!({"jsonrpc": "2.0", "id": question["id"]});
        let key = if answer.get("code").is_some() { "error" } else { "result" };
        message[key] = answer;
        self.send(message).await;
    }

    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params).await;
        self.until(id).await
    }

    /// Begins a session in this folder; its id.
    pub(crate) async fn open(&mut self, folder: &Path) -> String {
        let params = json!({"cwd": folder, "mcpServers": []});
        let answer = self.request("session/new", params).await;
        let id = answer["result"]["sessionId"].as_str();
        id.unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    pub(crate) async fn prompt(&mut self, session: &str, text: &str) -> Value {
        let id = self.ask(session, text).await;
        self.until(id).await
    }

    /// Sends a prompt and does not wait; the id of the request.
    pub(crate) async fn ask(&mut self, session: &str, text: &str) -> u64 {
        let prompt = json!([{"type": "text", "text": text}]);
        self.begin("session/prompt", json!({"sessionId": session, "prompt": prompt})).await
    }

    /// Leaves, and the binary ends well.
    pub(crate) async fn end(mut self) {
        drop(self.stdin.take());
        while let Some(line) = self.lines.next_line().await.unwrap() {
            let _: Value = serde_json::from_str(&line).expect("nothing but JSON");
        }
        let ended = tokio::time::timeout(Duration::from_secs(60), self.child.wait()).await;
        assert_eq!(ended.expect("it ends").unwrap().code(), Some(0));
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).await.unwrap();
        assert!(!errors.contains(KEY) && !errors.contains("panicked"), "{errors}");
    }
}

/// The outcome of a question in which this option was chosen.
pub(crate) fn chosen(option: &str) -> Value {
    json!({"outcome": {"outcome": "selected", "optionId": option}})
}

/// What an editor shows after updates: messages by their ids, and calls with everything that was told of them.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    pub(crate) asked: Vec<String>,
    pub(crate) said: Vec<String>,
    pub(crate) thought: Vec<String>,
    pub(crate) calls: Vec<Value>,
}

impl Shown {
    pub(crate) fn of(updates: &[Value]) -> Self {
        let mut shown = Self::default();
        let mut last = Value::Null;
        for update in updates {
            let kind = update["sessionUpdate"].as_str().unwrap();
            let texts = match kind {
                "user_message_chunk" => &mut shown.asked,
                "agent_message_chunk" => &mut shown.said,
                "agent_thought_chunk" => &mut shown.thought,
                "tool_call" => {
                    let mut call = update.clone();
                    call.as_object_mut().unwrap().remove("sessionUpdate");
                    shown.calls.push(call);
                    continue;
                }
                "tool_call_update" => {
                    let of = |it: &&mut Value| it["toolCallId"] == update["toolCallId"];
                    let call = shown.calls.iter_mut().find(of).expect("a call that was told");
                    for (key, value) in update.as_object().unwrap() {
                        if key != "sessionUpdate" {
                            call[key] = value.clone();
                        }
                    }
                    continue;
                }
                _ => continue,
            };
            let id = &update["messageId"];
            let piece = update["content"]["text"].as_str().unwrap_or_default();
            match texts.last_mut().filter(|_| *id == last) {
                Some(text) => text.push_str(piece),
                None => texts.push(piece.to_owned()),
            }
            last = id.clone();
        }
        shown
    }
}
