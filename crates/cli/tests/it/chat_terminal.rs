//! `toolwright chat` at a terminal: typing while a run goes on, picking a conversation, what the model thinks.
#![cfg(target_os = "linux")]

use serde_json::json;
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::{
    harness::Cli,
    questions::Person,
    workspace::{Desk, call},
};

/// Runs until the test lets it end: nothing here depends on how long something takes.
fn held() -> Reply {
    call("bash", json!({"command": "until [ -e go ]; do sleep 0.05; done"}))
}

async fn desk(replies: impl IntoIterator<Item = Reply>) -> Desk {
    Desk::new(replies.into_iter().fold(Script::new(), Script::reply)).await
}

/// Somebody in a chat whose first question runs a command that does not end yet.
async fn in_a_run(desk: &Desk) -> Person {
    let folder = desk.folder.to_str().unwrap();
    let mut person = Person::at(&desk.cli, &["chat", "--approve", "--workspace", folder]);
    person.types("› ", "Go.\r").await;
    person.types("bash…", "").await;
    person
}

fn sent(desk: &Desk, request: usize) -> String {
    desk.server.requests()[request].body["messages"].to_string()
}

#[tokio::test]
async fn what_is_typed_while_a_run_goes_on_is_taken_up_by_it() {
    let desk = desk([held(), Reply::text("Both are done.")]).await;
    let mut person = in_a_run(&desk).await;
    person.types("", "And olive oil, tou\u{7f}o.").await;
    person.types("› And olive oil, too.", "\r").await;
    person.types("(waits for the next step", "").await;
    desk.put("go", "");
    person.types("(taken up)", "").await;
    person.types("Both are done.", "").await;
    person.types("› ", "/quit\r").await;
    person.leaves().await;
    assert!(sent(&desk, 1).contains("And olive oil, too."), "{}", sent(&desk, 1));
    assert_eq!(desk.server.requests().len(), 2, "it is one run");
}

/// A model that stops in the middle of a sentence until it is told to go on; then it answers to what was said meanwhile.
async fn halting(
    told: tokio::sync::oneshot::Receiver<()>,
) -> (String, tokio::task::JoinHandle<String>) {
    use tokio::io::AsyncWriteExt;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let piece =
        |text: &str| format!("data: {}\n\n", json!({"choices": [{"delta": {"content": text}}]}));
    let end = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    let serving = tokio::spawn(async move {
        let (mut first, _) = listener.accept().await.unwrap();
        whole_request(&mut first).await;
        let begun = format!("{head}{}", piece("It is sunny in the old to"));
        first.write_all(begun.as_bytes()).await.unwrap();
        told.await.unwrap();
        first.write_all(format!("{}{end}", piece("wn of Rome.")).as_bytes()).await.unwrap();
        drop(first);
        let (mut second, _) = listener.accept().await.unwrap();
        let request = whole_request(&mut second).await;
        assert!(request.contains("In Oslo, too?"), "{request}");
        second
            .write_all(format!("{head}{}{end}", piece("There it rains.")).as_bytes())
            .await
            .unwrap();
        request
    });
    (address, serving)
}

/// A request to its end: whoever hangs up with something unread takes back what was answered.
async fn whole_request(stream: &mut tokio::net::TcpStream) -> String {
    use tokio::io::AsyncReadExt;
    let mut request = Vec::new();
    loop {
        let read = stream.read_buf(&mut request).await.unwrap();
        let text = String::from_utf8_lossy(&request);
        assert!(read > 0, "{text}");
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().unwrap())
        });
        if body.len() >= length.unwrap_or(0) {
            return text.into_owned();
        }
    }
}

/// What is typed while the model speaks stands between what it says, and not in the middle of it.
#[tokio::test]
async fn a_sentence_is_not_torn_by_what_is_typed() {
    let (tell, told) = tokio::sync::oneshot::channel();
    let (address, serving) = halting(told).await;
    let cli = Cli::at(&address);
    let mut person = Person::at(&cli, &["chat", "--review", "off", "--task", "demo"]);
    person.types("› ", "Weather?\r").await;
    person.types("It is sunny in the old to", "In Oslo, too?\r").await;
    person.types("(waits for the next step", "").await;
    tell.send(()).unwrap();
    person.types("It is sunny in the old town of Rome.", "").await;
    person.types("(taken up)", "").await;
    person.types("There it rains.", "").await;
    person.types("› ", "/quit\r").await;
    person.leaves().await;
    serving.await.unwrap();
}

#[tokio::test]
async fn what_is_entered_for_later_is_asked_after_the_answer() {
    for typed in ["Second?\u{1b}\r", "/next Second?\r"] {
        let desk = desk([held(), Reply::text("One."), Reply::text("Two.")]).await;
        let mut person = in_a_run(&desk).await;
        person.types("", typed).await;
        person.types("(asked after the answer)", "").await;
        person.types("", "/status\r").await;
        person.types("(done after the answer)", "").await;
        desk.put("go", "");
        for answer in ["One.", "› Second?", "Two.", "conversation"] {
            person.types(answer, "").await;
        }
        person.types("› ", "/quit\r").await;
        person.leaves().await;
        assert!(!sent(&desk, 1).contains("Second?"), "{}", sent(&desk, 1));
        let last = sent(&desk, 2);
        assert!(last.contains("One.") && last.contains("Second?"), "{last}");
    }
}

/// Once stops the run, and what was being typed is the beginning of the next line; twice leaves.
#[tokio::test]
async fn ctrl_c_stops_the_run_and_twice_leaves() {
    let desk = desk([held(), Reply::text("Fine.")]).await;
    let mut person = in_a_run(&desk).await;
    person.types("", "What abo").await;
    person.types("› What abo", "\u{3}").await;
    person.types("cancelled", "").await;
    person.types("› What abo", "ut now?\r").await;
    person.types("Fine.", "").await;
    person.types("› ", "\u{3}").await;
    person.types("Ctrl-C again or Ctrl-D leaves.", "").await;
    person.types("› ", "\u{3}").await;
    let shown = person.leaves().await;
    assert!(shown.contains("Go on with: toolwright chat --conversation conv_"), "{shown}");
    assert!(sent(&desk, 1).contains("What about now?"), "{}", sent(&desk, 1));
}

/// What was begun before a question came is no answer to it, and neither is its end: it is said to the run.
#[tokio::test]
async fn a_draft_approves_nothing() {
    let write = json!({"file_path": "a.txt", "content": "one"});
    let desk = desk([held(), call("write", write), Reply::text("It was not written.")]).await;
    let folder = desk.folder.to_str().unwrap();
    let mut person = Person::at(&desk.cli, &["chat", "--workspace", folder]);
    const ASKED: &str = "[e]dit / [N]o, or why not: ";
    person.types("› ", "Go.\r").await;
    person.types(ASKED, "y\r").await;
    person.types("bash…", "say ").await;
    person.types("› say ", "").await;
    desk.put("go", "");
    // Whoever looks at the keys goes on as if nothing had happened.
    person.types("finish your line with Enter", "").await;
    person.types("› say ", "yes\r").await;
    person.types(ASKED, "n\r").await;
    person.types("› say yes", "").await;
    person.types("It was not written.", "").await;
    person.types("› ", "/quit\r").await;
    person.leaves().await;
    assert!(!desk.folder.join("a.txt").exists());
    assert!(sent(&desk, 2).contains("say yes"), "{}", sent(&desk, 2));
}

/// Ctrl-C stops the run there, too, and the line stays what it was.
#[tokio::test]
async fn ctrl_c_stops_the_run_in_the_middle_of_a_line() {
    let write = json!({"file_path": "a.txt", "content": "one"});
    let desk = desk([held(), call("write", write)]).await;
    let folder = desk.folder.to_str().unwrap();
    let mut person = Person::at(&desk.cli, &["chat", "--workspace", folder]);
    person.types("› ", "Go.\r").await;
    person.types("[N]o, or why not: ", "y\r").await;
    person.types("bash…", "ye").await;
    person.types("› ye", "").await;
    desk.put("go", "");
    person.types("finish your line with Enter", "").await;
    person.types("› ye", "\u{3}").await;
    person.types("cancelled", "").await;
    person.types("› ye", "").await;
    person.crashes().await;
    assert!(!desk.folder.join("a.txt").exists());
}

/// Lines that come at once, as from a terminal that marks no pastes, are asked one after another.
#[tokio::test]
async fn lines_that_come_at_once_are_all_asked() {
    let desk = desk([Reply::text("One."), Reply::text("Two.")]).await;
    let mut person = Person::at(&desk.cli, &["chat", "--review", "off"]);
    person.types("› ", "First?\rSecond?\r").await;
    person.types("One.", "").await;
    person.types("Two.", "").await;
    person.types("› ", "/quit\r").await;
    person.leaves().await;
    assert!(sent(&desk, 1).contains("Second?"), "{}", sent(&desk, 1));
}

/// What is pasted while a run goes on is one text, and enters nothing and calls nothing by itself.
#[tokio::test]
async fn what_is_pasted_while_a_run_goes_on_is_one_line() {
    let desk = desk([held(), Reply::text("All of it.")]).await;
    let mut person = in_a_run(&desk).await;
    std::fs::write(desk.cli.folder.path().join("notes.txt"), "Buy olives.").unwrap();
    person.types("", "\u{1b}[200~one\r/quit\r@notes.txt three\u{1b}[201~").await;
    person.types("three", "\r").await;
    person.types("(waits for the next step", "").await;
    desk.put("go", "");
    person.types("All of it.", "").await;
    person.types("› ", "/quit\r").await;
    person.leaves().await;
    let said = sent(&desk, 1);
    assert!(said.contains("one\\n/quit\\n@notes.txt three"), "{said}");
    assert!(said.contains("Buy olives."), "{said}");
    assert_eq!(desk.server.requests().len(), 2, "it is one run");
}

/// The same where nobody reads what is typed until somebody asks.
#[tokio::test]
async fn what_is_typed_beforehand_approves_nothing() {
    let write = json!({"file_path": "a.txt", "content": "one"});
    let desk = desk([held(), call("write", write), Reply::text("It was not written.")]).await;
    let folder = desk.folder.to_str().unwrap();
    let mut person = Person::at(&desk.cli, &["ask", "--workspace", folder, "Go."]);
    const ASKED: &str = "[e]dit / [N]o, or why not: ";
    person.types(ASKED, "y\r").await;
    person.types("bash…", "yes\r").await;
    // The terminal shows what it was given.
    person.types("yes", "").await;
    desk.put("go", "");
    person.types(ASKED, "n\r").await;
    person.leaves().await;
    assert!(!desk.folder.join("a.txt").exists());
}

/// Nor does what was begun there: the terminal itself keeps it until its line ends.
#[tokio::test]
async fn the_end_of_a_line_approves_nothing() {
    let write = json!({"file_path": "a.txt", "content": "one"});
    let desk = desk([held(), call("write", write), Reply::text("It was not written.")]).await;
    let folder = desk.folder.to_str().unwrap();
    let mut person = Person::at(&desk.cli, &["ask", "--workspace", folder, "Go."]);
    const ASKED: &str = "[e]dit / [N]o, or why not: ";
    person.types(ASKED, "y\r").await;
    person.types("bash…", "say ").await;
    person.types("say ", "").await;
    desk.put("go", "");
    person.types("finish your line with Enter", "").await;
    person.types("› ", "yes\r").await;
    person.types(ASKED, "n\r").await;
    person.leaves().await;
    assert!(!desk.folder.join("a.txt").exists());
}

#[tokio::test]
async fn what_the_model_thinks_is_one_line_and_shown_when_asked_for() {
    let thinks = |text: &str| Reply::text(text).with_reasoning("Rome is in Italy.");
    let script = || Script::new().reply(thinks("Sunny.")).reply(thinks("Still."));
    let server = ModelServer::start(script()).await;
    let cli = Cli::asking(&server);
    let mut person = Person::at(&cli, &["chat"]);
    person.types("› ", "Weather?\r").await;
    person.types("4 words · /thinking shows it", "").await;
    person.types("Sunny.", "").await;
    person.types("› ", "/thinking\r").await;
    person.types("│ Rome is in Italy.", "").await;
    person.types("› ", "/thinking on\r").await;
    person.types("› ", "Again?\r").await;
    person.types("│ Rome is in Italy.", "").await;
    person.types("Still.", "").await;
    person.types("› ", "/quit\r").await;
    person.leaves().await;

    let server = ModelServer::start(script()).await;
    let asked = Cli::asking(&server).run(&["ask", "Weather?"]).await;
    assert_eq!(asked.out, "Sunny.\n");
    assert!(!asked.err.contains("Italy"), "{}", asked.err);
}

#[tokio::test]
async fn a_conversation_is_picked_as_its_title_is_typed() {
    let replies = ["One.", "Two.", "Three."].map(Reply::text);
    let server = ModelServer::start(replies.into_iter().fold(Script::new(), Script::reply)).await;
    let cli = Cli::asking(&server);
    cli.run(&["ask", "About olives"]).await;
    cli.run(&["ask", "About bread"]).await;
    let mut person = Person::at(&cli, &["chat", "-r"]);
    person.types("2 of 2", "oliv").await;
    person.types("Search: oliv▏  1 of 2", "\r").await;
    person.types("Going on with conv_", "").await;
    person.types("› ", "And?\r").await;
    person.types("Three.", "").await;
    person.types("› ", "/quit\r").await;
    person.leaves().await;
    let asked = server.requests()[2].body["messages"].to_string();
    assert!(asked.contains("olives") && !asked.contains("bread"), "{asked}");
    // Nothing is begun by whoever picks nothing.
    let mut person = Person::at(&cli, &["chat", "--resume"]);
    person.types("Search: ", "\u{3}").await;
    person.leaves().await;
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn commands_and_files_are_completed() {
    let server = ModelServer::start(Script::new().reply(Reply::text("Read."))).await;
    let cli = Cli::asking(&server);
    std::fs::write(cli.folder.path().join("my notes.txt"), "Buy olives.").unwrap();
    let mut person = Person::at(&cli, &["chat"]);
    person.types("› ", "/att\tmy\t\r").await;
    person.types("my notes.txt (text/plain, 11 bytes) goes with the next question.", "").await;
    person.types("› ", "What is it?\r").await;
    person.types("Read.", "").await;
    person.types("› ", "/qu\t\r").await;
    person.leaves().await;
    assert!(server.requests()[0].body["messages"].to_string().contains("Buy olives."));
}

/// The terminal is asked to copy, in base64 and nothing else; what an answer says cannot end that.
#[tokio::test]
async fn the_last_answer_is_copied_by_the_terminal() {
    use base64::{Engine, prelude::BASE64_STANDARD};
    let answer = "Sunny\u{7}\u{1b}]0;PWNED\u{7}.";
    let server = ModelServer::start(Script::new().reply(Reply::text(answer))).await;
    let cli = Cli::asking(&server);
    let mut person = Person::at(&cli, &["chat", "--review", "off"]);
    person.types("› ", "Weather?\r").await;
    person.types("Sunny", "").await;
    person.types("› ", "/copy\r").await;
    let copied = format!("\u{1b}]52;c;{}\u{7}", BASE64_STANDARD.encode(answer));
    person.types(&copied, "").await;
    person.types("by the terminal", "").await;
    person.types("› ", "/quit\r").await;
    let shown = person.leaves().await;
    assert!(!shown.contains("\u{1b}]0;"), "{shown:?}");
}

#[tokio::test]
async fn nothing_typed_at_a_terminal_is_a_chat_and_elsewhere_help() {
    let cli = Cli::new();
    let mut person = Person::at(&cli, &[]);
    person.types("/help for help", "").await;
    person.types("› ", "/quit\r").await;
    person.leaves().await;
    let mut person = Person::at(&cli, &["--data", "elsewhere"]);
    person.types("/help for help", "").await;
    person.types("› ", "/quit\r").await;
    person.leaves().await;
    // It is no chat that is missing there.
    let shown = Person::at(&cli, &["conversations"]).leaves().await;
    assert!(shown.contains("Usage: toolwright conversations"), "{shown}");
    let piped = cli.run(&[]).await;
    assert_eq!(piped.code, Some(2));
    assert!(format!("{}{}", piped.out, piped.err).contains("Usage: toolwright"), "{piped:?}");
}
