//! A server with tools of the test's own, over two pipes.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_core::future::BoxFuture;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex},
    sync::Notify,
    task::JoinHandle,
    time::timeout,
};
use toolwright_core::{
    Attachment, FnTool, Output, Question, QuestionField, RunContext, Tool, ToolEffect, ToolError,
    ToolResult, ToolSpec,
};
use toolwright_mcp::server::{
    DetachedRuns, HttpLimits, McpHttp, McpServer, NobodyAsked, PromptParameter, ServedPrompt,
    ServedTools, serve_streams,
};
use toolwright_models::Scripted;
use toolwright_runtime::{Agent, Rules};
use toolwright_session::Session;
use toolwright_store::{ConversationPage, StoreLocation};

/// Nothing here takes longer, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client, line by line.
pub(crate) struct Client {
    input: Option<DuplexStream>,
    output: Lines<BufReader<DuplexStream>>,
    serving: JoinHandle<()>,
    runs: DetachedRuns,
    session: Session,
    next: u64,
    _folder: TempDir,
}

pub(crate) fn tool<F: Future<Output = ToolResult> + Send + 'static>(
    name: &str,
    effect: ToolEffect,
    body: impl Fn(RunContext) -> F + Send + Sync + 'static,
) -> Arc<dyn Tool> {
    let spec = ToolSpec::new(name, "Does.", json!({"type": "object"})).effect(effect);
    let body = move |_, context| -> BoxFuture<'static, ToolResult> { Box::pin(body(context)) };
    Arc::new(FnTool::new(spec, body))
}

impl Client {
    pub(crate) async fn of(tools: Vec<Arc<dyn Tool>>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let agent = Agent::builder(Scripted::default()).tools(tools).build().unwrap();
        let place = StoreLocation::Sqlite(folder.path().join("log.db"));
        let session = Session::open(agent, &place).await.unwrap();
        Self::serving(session, folder)
    }

    /// One more of those who come to this.
    fn serving(session: Session, folder: TempDir) -> Self {
        let (server, runs) = server(&session);
        let ((ours, theirs), (back, heard)) = (duplex(64 << 10), duplex(64 << 10));
        let serving = tokio::spawn(serve_streams(server, theirs, back, std::future::pending()));
        let output = BufReader::new(heard).lines();
        let (input, next) = (Some(ours), 0);
        Self { input, output, serving, runs, session, next, _folder: folder }
    }

    /// The same tools over HTTP.
    pub(crate) fn over_http(&self, limits: HttpLimits) -> McpHttp {
        McpHttp::new(server(&self.session).0, limits)
    }

    /// One that began with a handshake, and can do this.
    pub(crate) async fn begun(tools: Vec<Arc<dyn Tool>>, capabilities: Value) -> Self {
        let mut client = Self::of(tools).await;
        client.begin(capabilities).await;
        client
    }

    async fn begin(&mut self, capabilities: Value) {
        let info = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": info});
        let begun = self.ask("initialize", params).await;
        assert_eq!(begun["result"]["protocolVersion"], "2025-11-25");
        assert_eq!(begun["result"]["instructions"], "Tools of a test.");
        self.tell(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    }

    pub(crate) async fn write(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).await.unwrap();
        input.write_all(b"\n").await.unwrap();
    }

    pub(crate) async fn tell(&mut self, message: &Value) {
        self.write(&message.to_string()).await;
    }

    /// Sends a request, and gives its number.
    pub(crate) async fn send(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let id = self.next;
        self.tell(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        id
    }

    pub(crate) async fn hear(&mut self) -> Value {
        let line = timeout(PATIENCE, self.output.next_line()).await.expect("a line");
        serde_json::from_str(&line.unwrap().expect("more")).expect("JSON and nothing else")
    }

    /// What comes up to the answer to this request, which is the last.
    pub(crate) async fn until(&mut self, id: u64) -> Vec<Value> {
        let mut all = Vec::new();
        loop {
            all.push(self.hear().await);
            if all.last().is_some_and(|it| it["id"] == id && it.get("method").is_none()) {
                return all;
            }
        }
    }

    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        self.until(id).await.pop().unwrap()
    }

    pub(crate) async fn call(&mut self, tool: &str) -> Value {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": {}})).await;
        answer["result"].clone()
    }

    /// The same in the protocol without sessions.
    pub(crate) async fn call_modern(&mut self, params: Value) -> Value {
        self.ask("tools/call", modern(params)).await
    }

    /// How many runs there were, by the conversations.
    pub(crate) async fn log(&self) -> String {
        let all = self.session.store().list(&ConversationPage::default()).await.unwrap();
        let mut log = String::new();
        for one in all {
            let events = self.session.store().events(&one.id, None, 1_000).await.unwrap();
            log.extend(events.iter().map(|(_, it)| serde_json::to_string(it).unwrap() + "\n"));
        }
        log
    }
}

/// What serves the tools of this.
fn server(session: &Session) -> (McpServer, DetachedRuns) {
    let served = ServedTools {
        session: session.clone(),
        instructions: Some("Tools of a test.".to_owned()),
        starters: vec!["What can you do?".to_owned()],
        prompts: vec![greeting()],
        context: RunContext::new().secret("a-secret-of-the-operators"),
        rules: Arc::new(Rules::new(Vec::new())),
        approve: false,
        unasked: Arc::new(NobodyAsked::default()),
    };
    let runs = DetachedRuns::new(4);
    (McpServer::new(served, Arc::new(runs.clone())).unwrap(), runs)
}

/// What a request says of itself where there is no session.
pub(crate) fn modern(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    params
}

/// A prompt with a file, for somebody who is named.
fn greeting() -> ServedPrompt {
    let parameter =
        |name: &str, is_required| PromptParameter { name: name.to_owned(), is_required };
    ServedPrompt {
        name: "greet".to_owned(),
        description: "Greets somebody.".to_owned(),
        parameters: vec![parameter("who", true), parameter("how", false)],
        expand: Arc::new(|values| {
            let file = Attachment::new(b"Be kind.".to_vec(), None, Some("style.txt")).unwrap();
            match values.join("|").as_str() {
                "nobody|" => Err("there is nobody".to_owned()),
                values => Ok((format!("Greet {values}"), vec![file])),
            }
        }),
    }
}

pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}"))
}

#[tokio::test]
async fn what_only_the_operator_may_know_reaches_no_client() {
    let failing = tool("fails", ToolEffect::ReadOnly, |_| async {
        Err(ToolError::new("The shop is closed.").with_detail("/srv/keys at line 3"))
    });
    let leaking = tool("leaks", ToolEffect::ReadOnly, |_| async {
        Ok(Output::Text("It is a-secret-of-the-operators.".to_owned()))
    });
    let panicking = tool("breaks", ToolEffect::ReadOnly, |_| async { panic!("/srv/keys again") });
    let mut client = Client::begun(vec![failing, leaking, panicking], json!({})).await;
    let failed = client.call("fails").await;
    assert_eq!(failed["isError"], true);
    assert!(text(&failed).contains("The shop is closed."), "{failed}");
    for tool in ["fails", "leaks", "breaks"] {
        let told = client.call(tool).await.to_string();
        assert!(!told.contains("/srv/keys") && !told.contains("a-secret-of"), "{told}");
    }
    // The server is as well as before.
    assert_eq!(client.call("leaks").await["isError"], false);
}

#[tokio::test]
async fn a_call_tells_how_far_it_is_and_only_who_asked_hears_it() {
    let slow = tool("slow", ToolEffect::ReadOnly, |context| async move {
        context.progress("one");
        context.progress("two");
        Ok(Output::Text("three".to_owned()))
    });
    let mut client = Client::begun(vec![slow], json!({})).await;
    let params = json!({"name": "slow", "_meta": {"progressToken": "p"}});
    let id = client.send("tools/call", params).await;
    let all = client.until(id).await;
    let told: Vec<_> = all.iter().filter(|it| it["method"] == "notifications/progress").collect();
    let words: Vec<_> = told.iter().map(|it| it["params"]["message"].as_str().unwrap()).collect();
    assert_eq!(words, ["one", "two"]);
    let far: Vec<_> = told.iter().map(|it| it["params"]["progress"].as_f64().unwrap()).collect();
    assert!(far[0] < far[1] && told.iter().all(|it| it["params"]["progressToken"] == "p"));
    let id = client.send("tools/call", json!({"name": "slow"})).await;
    assert_eq!(client.until(id).await.len(), 1);
}

#[tokio::test]
async fn a_cancelled_call_is_stopped_and_kept_as_such() {
    let (began, dropped) = (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
    let (bell, flag) = (began.clone(), dropped.clone());
    let endless = tool("endless", ToolEffect::ReadOnly, move |_| {
        let (bell, flag) = (bell.clone(), flag.clone());
        async move {
            struct Left(Arc<AtomicBool>);
            impl Drop for Left {
                fn drop(&mut self) {
                    self.0.store(true, Ordering::SeqCst);
                }
            }
            let _left = Left(flag);
            bell.notify_one();
            std::future::pending::<ToolResult>().await
        }
    });
    let quick =
        tool("quick", ToolEffect::ReadOnly, |_| async { Ok(Output::Text("Here.".to_owned())) });
    let mut client = Client::begun(vec![endless, quick], json!({})).await;
    let id = client.send("tools/call", json!({"name": "endless"})).await;
    timeout(PATIENCE, began.notified()).await.unwrap();
    let params = json!({"requestId": id, "reason": "enough"});
    client
        .tell(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}))
        .await;
    // The next call waits for its turn, so the first has ended by then.
    assert_eq!(text(&client.call("quick").await), "Here.");
    assert!(dropped.load(Ordering::SeqCst));
    assert!(client.log().await.contains(r#""status":"cancelled""#));
}

#[tokio::test]
async fn a_client_that_leaves_ends_the_server_and_its_calls() {
    let began = Arc::new(Notify::new());
    let bell = began.clone();
    let endless = tool("endless", ToolEffect::Write, move |_| {
        bell.notify_one();
        std::future::pending::<ToolResult>()
    });
    let mut client = Client::begun(vec![endless], json!({})).await;
    client.send("tools/call", json!({"name": "endless"})).await;
    timeout(PATIENCE, began.notified()).await.unwrap();
    drop(client.input.take());
    timeout(PATIENCE, &mut client.serving).await.expect("it ends").unwrap();
    timeout(PATIENCE, client.runs.close(PATIENCE)).await.expect("runs end");
    assert!(client.log().await.contains(r#""status":"cancelled""#), "{}", client.log().await);
}

#[tokio::test]
async fn the_user_is_asked_by_the_client_before_something_is_destroyed() {
    let ran = Arc::new(AtomicBool::new(false));
    let flag = ran.clone();
    let destroy = tool("destroy", ToolEffect::Destructive, move |_| {
        flag.store(true, Ordering::SeqCst);
        async { Ok(Output::Text("Gone.".to_owned())) }
    });
    let mut client = Client::begun(vec![destroy], json!({"elicitation": {}})).await;
    for (answer, is_allowed) in [
        (json!({"action": "decline"}), false),
        (json!({"action": "accept", "content": {"decision": "deny"}}), false),
        (json!({"action": "accept", "content": {"decision": "allow"}}), true),
    ] {
        let id = client.send("tools/call", json!({"name": "destroy"})).await;
        let asked = client.hear().await;
        assert_eq!(asked["method"], "elicitation/create", "{asked}");
        assert!(asked["params"]["message"].as_str().unwrap().starts_with("May `destroy` run?"));
        assert_eq!(asked["params"]["requestedSchema"]["required"], json!(["decision"]));
        assert!(!ran.load(Ordering::SeqCst));
        client.tell(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": answer})).await;
        let result = client.until(id).await.pop().unwrap()["result"].clone();
        assert_eq!(result["isError"], !is_allowed, "{result}");
        assert_eq!(ran.load(Ordering::SeqCst), is_allowed);
    }
    assert!(client.log().await.contains("allow_reviewed"));
}

#[tokio::test]
async fn a_client_that_does_not_answer_as_it_should_allows_nothing() {
    let destroy = tool("destroy", ToolEffect::Destructive, |_| async { panic!("it ran") });
    let mut client = Client::begun(vec![destroy], json!({"elicitation": {}})).await;
    let wrong = [
        json!({"result": {"action": "allow"}}),
        json!({"result": {}}),
        json!({"result": {"action": "accept", "content": []}}),
        json!({"error": {"code": -32601, "message": "no"}}),
    ];
    for wrong in wrong {
        let id = client.send("tools/call", json!({"name": "destroy"})).await;
        let asked = client.hear().await;
        let mut answer = json!({"jsonrpc": "2.0", "id": asked["id"]});
        answer.as_object_mut().unwrap().extend(wrong.as_object().unwrap().clone());
        client.tell(&answer).await;
        let result = client.until(id).await.pop().unwrap();
        assert_eq!(result["result"]["isError"], true, "{wrong} {result}");
    }
}

#[tokio::test]
async fn without_a_session_the_question_is_the_result_and_the_answer_a_new_request() {
    let destroy = tool("destroy", ToolEffect::Destructive, |_| async {
        Ok(Output::Text("Gone.".to_owned()))
    });
    let mut client = Client::of(vec![destroy]).await;
    let params = json!({"name": "destroy", "arguments": {"what": "a"}});
    let asked = client.call_modern(params.clone()).await["result"].clone();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let asking = &asked["inputRequests"]["approval"];
    assert_eq!(asking["method"], "elicitation/create");
    let state = asked["requestState"].as_str().unwrap();
    let yes = json!({"approval": {"action": "accept", "content": {"decision": "allow"}}});
    let again = |arguments: Value, state: &str, answer: &Value| json!({"name": "destroy", "arguments": arguments, "requestState": state, "inputResponses": answer});
    // A yes to one thing is none to another, and a state of one's own is none.
    let other = client.call_modern(again(json!({"what": "b"}), state, &yes)).await;
    assert_eq!(other["result"]["resultType"], "input_required");
    let forged = client.call_modern(again(json!({"what": "a"}), &format!("{state}A"), &yes)).await;
    assert_eq!(forged["error"]["code"], -32602);
    let bare = json!({"name": "destroy", "arguments": {"what": "a"}, "inputResponses": yes});
    assert_eq!(client.call_modern(bare).await["result"]["resultType"], "input_required");
    let no = json!({"approval": {"action": "decline"}});
    let denied = client.call_modern(again(json!({"what": "a"}), state, &no)).await;
    assert_eq!(denied["result"]["isError"], true);
    let done = client.call_modern(again(json!({"what": "a"}), state, &yes)).await;
    assert_eq!(text(&done["result"]), "Gone.");
}

fn booking() -> Arc<dyn Tool> {
    tool("book", ToolEffect::Write, |context| async move {
        let question = Question::new("For how many?");
        let question = question.field(QuestionField::integer("guests").required());
        let answer = context.ask(question).await?;
        Ok(Output::Text(format!("{}: {:?}", answer.action(), answer.content())))
    })
}

#[tokio::test]
async fn what_a_tool_asks_the_clients_user_answers() {
    let mut client = Client::begun(vec![booking()], json!({"elicitation": {}})).await;
    let id = client.send("tools/call", json!({"name": "book"})).await;
    let asked = client.hear().await;
    assert_eq!(asked["params"]["message"], "The tool book asks: For how many?");
    let properties = &asked["params"]["requestedSchema"]["properties"];
    assert_eq!(properties["guests"]["type"], "integer");
    let answer = json!({"action": "accept", "content": {"guests": 4}});
    client.tell(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": answer})).await;
    let result = client.until(id).await.pop().unwrap()["result"].clone();
    assert!(text(&result).contains("accept") && text(&result).contains('4'), "{result}");
    // Who cannot be asked declines.
    let mut silent = Client::begun(vec![booking()], json!({})).await;
    assert!(text(&silent.call("book").await).starts_with("decline"));
}

#[tokio::test]
async fn what_a_tool_asks_is_the_result_where_there_is_no_session_and_its_run_waits() {
    let mut client = Client::of(vec![booking()]).await;
    let asked = client.call_modern(json!({"name": "book"})).await["result"].clone();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let state = asked["requestState"].clone();
    let answer = json!({"question": {"action": "accept", "content": {"guests": 4}}});
    let params = |state: &Value, answer: &Value, arguments: Option<Value>| {
        let mut params = json!({"name": "book", "requestState": state, "inputResponses": answer});
        if let Some(arguments) = arguments {
            params["arguments"] = arguments;
        }
        params
    };
    let other = client.call_modern(params(&state, &answer, Some(json!({"x": 1})))).await;
    assert_eq!(other["error"]["code"], -32602);
    // Nothing that answers: it is asked again, under another state.
    let again = client.call_modern(params(&state, &json!({"else": 1}), None)).await;
    assert_eq!(again["result"]["resultType"], "input_required", "{again}");
    let newer = again["result"]["requestState"].clone();
    let done = client.call_modern(params(&newer, &answer, None)).await;
    assert!(text(&done["result"]).contains('4'), "{done}");
    // An answer counts once.
    let twice = client.call_modern(params(&newer, &answer, None)).await;
    assert_eq!(twice["error"]["code"], -32602);
    assert_eq!(client.log().await.matches(r#""type":"run_started""#).count(), 1);
}

#[tokio::test]
async fn nonsense_is_answered_or_passed_over_and_the_server_goes_on() {
    let quick =
        tool("quick", ToolEffect::ReadOnly, |_| async { Ok(Output::Text("Here.".to_owned())) });
    let mut client = Client::of(vec![quick.clone()]).await;
    // Before anything began.
    for line in ["", "nonsense", "[]", "{}", "null", "\"initialize\"", "\u{feff}", "\0"] {
        client.write(line).await;
    }
    client.tell(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}})).await;
    client.tell(&json!({"jsonrpc": "2.0", "id": 3, "result": {}})).await;
    let params = json!({"protocolVersion": "1999-01-01", "capabilities": {}, "clientInfo": {"name": "\u{202e}x", "version": ""}});
    client.next = 100;
    let begun = client.ask("initialize", params).await;
    assert!(begun["result"]["protocolVersion"].is_string(), "{begun}");
    let deep = "[".repeat(20_000);
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":"{}"}}}}"#,
        "x".repeat(5 << 20)
    );
    for line in [
        deep.as_str(),
        long.as_str(),
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
        r#"{"jsonrpc":"1.0","id":2,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"tools/call"}"#,
        r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":5}}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"quick","arguments":[1]}}"#,
        r#"{"jsonrpc":"2.0","id":6,"method":"tools/list","params":{"cursor":"zzz"}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"no/such/method"}"#,
        r#"{"jsonrpc":"2.0","id":8,"result":{"action":"accept"}}"#,
        r#"{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#,
        r#"{"jsonrpc":"2.0","id":10,"method":"initialize","params":{}}"#,
    ] {
        client.write(line).await;
    }
    assert_eq!(text(&client.call("quick").await), "Here.");
}

#[tokio::test]
async fn names_must_be_exact_and_starters_are_prompts() {
    let quick =
        tool("quick", ToolEffect::ReadOnly, |_| async { Ok(Output::Text("Here.".to_owned())) });
    let mut client = Client::begun(vec![quick], json!({})).await;
    for name in ["QUICK", "functions.quick", "quick ", "", "nothing"] {
        let answer = client.ask("tools/call", json!({"name": name})).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    let prompts = client.ask("prompts/list", json!({})).await["result"]["prompts"].clone();
    assert_eq!(prompts[0]["title"], "What can you do?");
    let got = client.ask("prompts/get", json!({"name": prompts[0]["name"]})).await;
    assert_eq!(got["result"]["messages"][0]["content"]["text"], "What can you do?");
    let none = client.ask("prompts/get", json!({"name": "starter-2"})).await;
    assert_eq!(none["error"]["code"], -32602);
}

/// A large file is a link, which the client that was given it can read, and nobody else.
#[tokio::test]
async fn a_large_file_is_linked_to_and_read_by_its_client_alone() {
    let report = || "a line of the report\n".repeat(10_000);
    let tools = || {
        let file = |bytes: Vec<u8>, name: &'static str| {
            let bytes = Arc::new(bytes);
            tool(name, ToolEffect::ReadOnly, move |_| {
                let bytes = bytes.to_vec();
                async move {
                    let file = Attachment::new(bytes, Some("text/plain"), Some("report.txt"));
                    Ok(Output::Text("Here it is.".to_owned()).attach(file.unwrap()))
                }
            })
        };
        vec![file(report().into_bytes(), "large"), file(b"short".to_vec(), "small")]
    };
    let mut client = Client::begun(tools(), json!({})).await;
    let small = client.call("small").await;
    assert_eq!(small["content"][1]["resource"]["text"], "short", "{small}");
    let large = client.call("large").await;
    let link = &large["content"][1];
    assert_eq!(link["type"], "resource_link", "{large}");
    assert_eq!((&link["name"], &link["size"]), (&json!("report.txt"), &json!(210_000)));
    let read = client.ask("resources/read", json!({"uri": link["uri"]})).await;
    assert_eq!(read["result"]["contents"][0]["text"], report(), "{read}");
    assert_eq!(read["result"]["contents"][0]["uri"], link["uri"]);
    // It is listed to nobody, and whoever has another conversation has none of it.
    let listed = client.ask("resources/list", json!({})).await;
    assert_eq!(listed["result"]["resources"], json!([]), "{listed}");
    let mut other = Client::serving(client.session.clone(), tempfile::tempdir().unwrap());
    other.begin(json!({})).await;
    let unknown = format!("attachment:{}", "0".repeat(64));
    for uri in [link["uri"].as_str().unwrap(), &unknown, "attachment:x", "file:///etc/passwd", ""] {
        let refused = other.ask("resources/read", json!({"uri": uri})).await;
        assert_eq!(refused["error"]["code"], -32002, "{uri}: {refused}");
        assert_eq!(refused["error"]["data"], json!({"uri": uri}));
    }
}

/// What a tool declares that it returns is told, and so it is: a result that does not fit is none.
#[tokio::test]
async fn what_a_tool_declares_is_told_and_held_to() {
    let schema =
        json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let returning = |name: &str, json: &'static str, schema: Option<Value>| -> Arc<dyn Tool> {
        let spec = ToolSpec::new(name, "Does.", json!({"type": "object"}));
        let spec = spec.effect(ToolEffect::ReadOnly).returns(schema);
        let body = move |_, _| -> BoxFuture<'static, ToolResult> {
            Box::pin(async move { Ok(Output::Json(json.to_owned())) })
        };
        Arc::new(FnTool::new(spec, body))
    };
    let tools = vec![
        returning("fits", r#"{"n": 1}"#, Some(schema.clone())),
        returning("lies", r#"{"n": "one"}"#, Some(schema.clone())),
        returning("silent", r#"{"n": "one"}"#, None),
    ];
    let mut client = Client::begun(tools, json!({})).await;
    let listed = client.ask("tools/list", json!({})).await["result"]["tools"].clone();
    let declared: Vec<_> =
        listed.as_array().unwrap().iter().map(|it| it.get("outputSchema")).collect();
    assert_eq!(declared, [Some(&schema), Some(&schema), None], "{listed}");
    let fits = client.call("fits").await;
    assert_eq!((&fits["structuredContent"], &fits["isError"]), (&json!({"n": 1}), &json!(false)));
    let lies = client.call("lies").await;
    assert_eq!((lies.get("structuredContent"), &lies["isError"]), (None, &json!(true)));
    assert!(lies["content"][1]["text"].as_str().unwrap().contains("one"), "{lies}");
    let silent = client.call("silent").await;
    assert_eq!(silent["structuredContent"], json!({"n": "one"}), "{silent}");
}
