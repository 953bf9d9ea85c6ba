//! What reaches a terminal: nothing that it obeys but our own colours, and nothing that hides, whoever
//! wrote it and wherever it stands.

use std::{path::Path, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use toolwright_testkit::{Chunking, ModelServer, Reply, Script};

use crate::{
    harness::Cli,
    questions::Person,
    workspace::{Desk, call},
};

/// All that a terminal may be told: titles, bells, clearing, one-byte introducers, colours that are not
/// ours, other directions, invisible characters, going back in the line, and a line of one's own.
const HOSTILE: &str = "a\u{1b}]0;PWNED\u{7}b\u{1b}[2Jc\u{9b}31md\u{202e}e\u{200b}f\u{7f}g\u{8}h\u{1b}[45mi\
    \u{1b}[31mj\rFORGED\nFORGED\u{e0041}k\u{2028}l\u{2029}m\u{2800}n\u{fe0f}o\u{13430}p\u{200c}q\u{200d}r";

/// What may pass: our colours, and what the sign that something is awaited is drawn with.
const OURS: [&str; 12] = [
    "\u{1b}[0m",
    "\u{1b}[1m",
    "\u{1b}[2m",
    "\u{1b}[3m",
    "\u{1b}[4m",
    "\u{1b}[9m",
    "\u{1b}[31m",
    "\u{1b}[32m",
    "\u{1b}[33m",
    "\u{1b}[34m",
    "\u{1b}[35m",
    "\u{1b}[36m",
];
const SPINNER: [&str; 4] = ["\r\u{1b}[2K", "\u{1b}[2K", "\u{1b}[?25l", "\u{1b}[?25h"];

/// Whether lines in the text are somebody else's to make: an answer has as many as it likes.
#[derive(Clone, Copy, PartialEq)]
enum Lines {
    Ours,
    Theirs,
}

async fn shown(cli: &Cli, args: &[&str], input: Option<&Path>) -> String {
    let mut command = cli.terminal(args, input);
    command.env("TERM", "xterm-256color");
    let mut child = command.spawn().unwrap();
    drop(child.stdin.take());
    let output = tokio::time::timeout(Duration::from_secs(300), child.wait_with_output());
    String::from_utf8(output.await.expect("it ends").unwrap().stdout).expect("whole characters")
}

#[track_caller]
fn assert_tame(what: &str, shown: &str, lines: Lines) {
    let mut left = shown.replace("\r\n", "\n");
    for ours in OURS.iter().chain(&SPINNER) {
        // Of the colours that are ours, the hostile one is told by what stands before it.
        assert!(!left.contains(&format!("i{ours}j")), "{what}: its own colour: {shown:?}");
        left = left.replace(ours, "");
    }
    // The sign draws itself anew from the beginning of its line, and tells which it cleared.
    let left = left.replace("\n\r", "\n");
    for (at, letter) in left.char_indices() {
        let is_fine = !letter.is_control() || matches!(letter, '\n' | '\t');
        let near = left.get(at.saturating_sub(20)..at + letter.len_utf8()).unwrap_or(&left);
        assert!(is_fine, "{what}: {letter:?} after {near:?} in {shown:?}");
        assert!(!toolwright_core::is_hidden(letter), "{what}: {letter:?} in {shown:?}");
    }
    if lines == Lines::Ours {
        let forged = left.lines().any(|line| line.starts_with("FORGED"));
        assert!(!forged, "{what}: a line of its own: {shown:?}");
    }
}

/// A reply after which the run ends.
fn done() -> Reply {
    Reply::text("Done.")
}

fn refusal() -> String {
    json!({"error": {"message": HOSTILE, "type": HOSTILE, "code": HOSTILE}}).to_string()
}

/// Everything that a model or its provider can say in a run.
#[tokio::test]
async fn nothing_in_a_run_is_obeyed() {
    let arguments = json!({"location": HOSTILE, HOSTILE: HOSTILE}).to_string();
    let streamed = format!("data: {}\n\ndata: [DONE]\n\n", refusal());
    let cases = [
        ("a tool's name", vec![Reply::calls([("a", HOSTILE, "{}")]), done()], Lines::Ours),
        ("an id", vec![Reply::calls([(HOSTILE, "get_weather", "{}")]), done()], Lines::Ours),
        (
            "arguments",
            vec![Reply::calls([("a", "get_weather", arguments.as_str())]), done()],
            Lines::Ours,
        ),
        (
            "arguments that are no JSON",
            vec![Reply::calls([("a", "get_weather", HOSTILE)]), done()],
            Lines::Ours,
        ),
        ("an answer", vec![Reply::text(HOSTILE)], Lines::Theirs),
        ("in pieces", vec![Reply::text(HOSTILE).chunking(Chunking::OneByte)], Lines::Theirs),
        ("reasoning", vec![done().with_reasoning(HOSTILE)], Lines::Ours),
        ("an error", vec![Reply::status(400).body(refusal())], Lines::Ours),
        ("a bare error", vec![Reply::status(400).body(HOSTILE)], Lines::Ours),
        ("an error in a stream", vec![Reply::raw_sse(streamed)], Lines::Ours),
        (
            "why it is asked again",
            vec![Reply::status(503).header("retry-after", "0").body(refusal()), done()],
            Lines::Ours,
        ),
    ];
    for (what, replies, lines) in cases {
        for log in ["off", "trace"] {
            let script = replies.iter().cloned().fold(Script::new(), Script::reply);
            let server = ModelServer::start(script).await;
            let cli = Cli::asking(&server).env("TOOLWRIGHT_LOG", log);
            let seen = shown(&cli, &["ask", "--max-rounds", "3", "Weather?"], None).await;
            assert!(!server.requests().is_empty(), "{what}: {seen}");
            assert_tame(what, &seen, lines);
            let seen = shown(&cli, &["conversations", "list"], None).await;
            assert_tame(what, &seen, Lines::Ours);
        }
    }
}

/// What people write stays as they wrote it; what somebody decides by shows every character there is.
#[tokio::test]
async fn what_is_decided_by_hides_nothing_that_an_answer_may_have() {
    let family = "👩\u{200d}👧 ❤\u{fe0f} می\u{200c}خواهم";
    let write =
        json!({"file_path": "a.txt", "content": format!("{family} a\u{a0}b\n")}).to_string();
    let script = Script::new()
        .reply(Reply::calls([("a", "write", write.as_str())]))
        .reply(Reply::text(family));
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server);
    let work = cli.folder.path().join("work");
    std::fs::create_dir(&work).unwrap();
    let asked = ["ask", "--workspace", "work", "Write it."];
    let seen = Person::talks(&cli, &asked, &["n"]).await;
    let decided = "👩⟦U+200D⟧👧 ❤⟦U+FE0F⟧ می⟦U+200C⟧خواهم a⟦U+00A0⟧b";
    assert!(seen.contains(decided), "{seen}");
    let answered = seen.rsplit("Run it?").next().unwrap();
    assert!(answered.contains(family), "{seen}");
    assert!(!work.join("a.txt").exists(), "nobody said yes");
}

/// What was kept is shown again, and what a person pasted is no better.
#[tokio::test]
async fn nothing_that_was_kept_is_obeyed() {
    let script = Script::new().reply(Reply::text(format!("needle {HOSTILE}")));
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server);
    let asked = cli.command(&["ask", &format!("needle {HOSTILE}")]).output().await.unwrap();
    assert!(asked.status.success());
    // A file gets what the model wrote, to the byte.
    assert_eq!(String::from_utf8(asked.stdout).unwrap(), format!("needle {HOSTILE}\n"));
    let listed = cli.command(&["conversations", "list", "--json"]).output().await.unwrap();
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    let id = listed["id"].as_str().unwrap();
    for (args, lines) in [
        (vec!["conversations", "list"], Lines::Ours),
        (vec!["conversations", "search", "needle"], Lines::Ours),
        (vec!["conversations", "search", HOSTILE], Lines::Ours),
        (vec!["conversations", "show", id], Lines::Theirs),
        (vec!["conversations", "show", HOSTILE], Lines::Ours),
        (vec!["conversations", "list", "--json"], Lines::Ours),
        (vec!["conversations", "export"], Lines::Ours),
        (vec!["conversations", "delete", id], Lines::Ours),
    ] {
        let seen = shown(&cli, &args, None).await;
        assert!(!seen.trim().is_empty(), "{args:?}");
        assert_tame(&args.join(" "), &seen, lines);
    }
}

/// Names, files and settings: whatever a command is given, or finds.
#[tokio::test]
async fn nothing_that_a_command_is_given_is_obeyed() {
    let note = json!({"text": HOSTILE, "note": HOSTILE}).to_string();
    let cli = Cli::new();
    let file = |name: &str, text: &str| {
        let path = cli.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let escaped = json!(HOSTILE).to_string().replace(['\u{7f}', '\u{9b}'], "");
    let key = file("key.toml", &format!("{escaped} = 1\n"));
    let value = file("value.toml", &format!("[model]\ntool_mode = {escaped}\n"));
    let case = json!({"id": HOSTILE, "dialect": "hermes", "text": HOSTILE,
        "expect": {"content": "x", "tool_calls": [{"name": HOSTILE, "arguments": {}}]}});
    let cases = file("cases.jsonl", &format!("{case}\n"));
    let event = file("events.jsonl", &format!("{}\n", json!({"type": HOSTILE})));
    let call = json!({"name": HOSTILE, "arguments": {"a": HOSTILE}});
    let text = file("text", &format!("{HOSTILE}<tool_call>{call}</tool_call>"));
    let tools = file("tools.json", "[]");
    let odd = file(HOSTILE, "x");
    for (args, lines) in [
        (vec!["tools", "call", HOSTILE, "{}"], Lines::Ours),
        (vec!["tools", "call", "take_note", HOSTILE], Lines::Ours),
        (vec!["tools", "call", "take_note", &note], Lines::Theirs),
        (vec!["extract", "--cases", &cases], Lines::Ours),
        (vec!["extract", "--tools", &odd], Lines::Ours),
        (vec!["conversations", "import", &event], Lines::Ours),
        (vec!["conversations", "import", &odd], Lines::Ours),
        (vec!["--config", &key, "doctor"], Lines::Ours),
        (vec!["--config", &value, "doctor"], Lines::Ours),
        (vec!["--config", &odd, "doctor"], Lines::Ours),
        (vec!["--model", HOSTILE, "models"], Lines::Theirs),
        (vec!["watch", "import", &odd], Lines::Ours),
        (vec!["trust", &odd], Lines::Ours),
        (vec!["server", "sessions", "revoke", HOSTILE], Lines::Ours),
        // What was typed is told as it was typed.
        (vec![HOSTILE], Lines::Theirs),
        (vec!["ask", &format!("--{HOSTILE}")], Lines::Theirs),
    ] {
        let seen = shown(&cli, &args, None).await;
        assert!(!seen.trim().is_empty(), "{args:?}");
        assert_tame(&args.join(" "), &seen, lines);
    }
    let seen = shown(&cli, &["extract", "--tools", &tools], Some(Path::new(&text))).await;
    assert!(seen.contains("dialect"), "{seen}");
    assert_tame("extract", &seen, Lines::Ours);
}

/// The names in an archive are whoever's who made it.
#[tokio::test]
async fn nothing_that_an_archive_names_is_obeyed() {
    use std::io::Write;
    let cli = Cli::new();
    let path = cli.folder.path().join("takeout.zip");
    let mut archive = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    for name in [format!("{HOSTILE}.json"), format!("a/{HOSTILE}/watch-history.json")] {
        // Stored as it is, and damaged: it is told by its name.
        let options = zip::write::SimpleFileOptions::default();
        archive.start_file(name, options).unwrap();
        archive.write_all(b"[ {\"title\": ").unwrap();
    }
    archive.finish().unwrap();
    for args in [vec!["watch", "import"], vec!["--json", "watch", "import"]] {
        let args = [&args[..], &[path.to_str().unwrap()]].concat();
        let seen = shown(&cli, &args, None).await;
        assert!(seen.contains("watch-history.json"), "{seen}");
        assert_tame(&args.join(" "), &seen, Lines::Ours);
    }
}

/// What lines are typed in is drawn with these.
fn without_editor(seen: &str) -> String {
    let modes = ["\u{1b}[?2004h", "\u{1b}[?2004l", "\u{1b}[?2026h", "\u{1b}[?2026l"];
    let mut left = seen.replace("\r\u{1b}[K", "");
    for columns in 1..=80 {
        left = left.replace(&format!("\r\u{1b}[{columns}C"), "");
    }
    modes.iter().fold(left, |left, it| left.replace(it, ""))
}

/// What is piped in is asked and called as little as it is shown.
#[tokio::test]
async fn nothing_that_is_piped_in_is_obeyed() {
    let command = format!("/x{}", HOSTILE.replace(['/', ' ', '\n', '\r'], ""));
    let server = ModelServer::start(Script::new().reply(done())).await;
    let cli = Cli::asking(&server);
    let input = cli.folder.path().join("input");
    std::fs::write(&input, format!("{command}\n{}\n", HOSTILE.replace(['\n', '\r'], " "))).unwrap();
    let seen = shown(&cli, &["chat"], Some(&input)).await;
    assert!(seen.contains("There is no /x") && seen.contains("Done."), "{seen}");
    assert_tame("a line", &seen, Lines::Ours);
}

/// Whoever is asked sees what would run, and nothing in it changes how that looks.
#[tokio::test]
async fn nothing_that_is_asked_about_is_obeyed() {
    let hostile = |name: &str| format!("{name}{}", HOSTILE.replace('/', ""));
    for (what, tool, arguments) in [
        ("a command", "bash", json!({"command": format!("printf %s '{HOSTILE}'; touch made")})),
        ("a new file", "write", json!({"file_path": hostile("new"), "content": HOSTILE})),
        (
            "a change",
            "edit",
            json!({"file_path": "src/main.rs", "old_string": "one", "new_string": HOSTILE}),
        ),
        (
            "what steers",
            "write",
            json!({"file_path": format!(".vscode/{}", hostile("a")), "content": "x"}),
        ),
        (
            "no such file",
            "edit",
            json!({"file_path": HOSTILE, "old_string": "a", "new_string": "b"}),
        ),
        ("no such tool", HOSTILE, json!({HOSTILE: HOSTILE})),
    ] {
        for answer in ["y", "a", "n"] {
            let script = Script::new().reply(call(tool, arguments.clone())).reply(done());
            let mut desk = Desk::new(script).await;
            // The folder's own name is somebody's, too.
            let folder = desk.folder.with_file_name(hostile("work"));
            std::fs::rename(&desk.folder, &folder).unwrap();
            desk.folder = folder;
            // What cannot work is not asked about.
            let is_asked = !what.starts_with("no such");
            let answers: &[_] = if is_asked { &[answer] } else { &[] };
            let lines = [&["Do this one."], answers, &["/quit"]].concat();
            let folder = desk.folder.to_str().unwrap();
            let args = ["chat", "--workspace", folder];
            let seen = Person::types_all(&desk.cli, &args, &lines).await;
            let seen = without_editor(&seen);
            assert_eq!(seen.contains("Run it?"), is_asked, "{what}: {seen}");
            assert_tame(&format!("{what}, {answer}"), &seen, Lines::Ours);
        }
    }
}

/// The names of models come from whoever runs the endpoint.
#[tokio::test]
async fn nothing_that_an_endpoint_lists_is_obeyed() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(async move {
        let body = json!({"data": [{"id": HOSTILE}, {"id": "other"}]}).to_string();
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 4096]).await;
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
            let reply = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
            let _ = stream.write_all(reply.as_bytes()).await;
        }
    });
    let seen = shown(&Cli::at(&format!("http://{address}/v1")), &["doctor"], None).await;
    serving.abort();
    assert!(seen.contains("it lists"), "{seen}");
    assert_tame("doctor", &seen, Lines::Ours);
}
