//! A tool asks the person at the terminal.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::Child,
};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::Cli;

async fn model(ask: &str) -> ModelServer {
    let arguments = json!({"ask": ask}).to_string();
    let script = Script::new()
        .reply(Reply::calls([("c1", "book", arguments.as_str())]))
        .reply(Reply::text("Done."));
    ModelServer::start(script).await
}

/// What the tool was told.
fn told(model: &ModelServer) -> Value {
    let body = &model.requests()[1].body;
    let result = body["messages"].as_array().unwrap().iter().find(|it| it["role"] == "tool");
    let text = result.unwrap()["content"].as_str().unwrap();
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

/// A person at a terminal, who reads before typing.
pub(crate) struct Person {
    child: Child,
    shown: String,
    read: usize,
}

impl Person {
    pub(crate) fn at(cli: &Cli, args: &[&str]) -> Self {
        let mut command = cli.terminal(args, None);
        command.env("NO_COLOR", "1").env("TERM", "xterm-256color");
        Self { child: command.spawn().unwrap(), shown: String::new(), read: 0 }
    }

    /// Waits until this is to be read, behind what was read before, and types something.
    pub(crate) async fn types(&mut self, prompt: &str, typed: &str) {
        let reading = async {
            loop {
                let unread = &self.shown[self.read..];
                if let Some(at) = unread.find(prompt) {
                    self.read += at + prompt.len();
                    return;
                }
                let mut piece = [0; 4096];
                let out = self.child.stdout.as_mut().unwrap();
                let length = out.read(&mut piece).await.unwrap();
                assert!(length > 0, "{prompt:?} never came: {}", self.shown);
                self.shown.push_str(&String::from_utf8_lossy(&piece[..length]));
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(120), reading).await;
        assert!(waited.is_ok(), "{prompt:?} does not come: {}", self.shown);
        let input = self.child.stdin.as_mut().unwrap();
        input.write_all(typed.as_bytes()).await.unwrap();
        input.flush().await.unwrap();
    }

    /// Talks, a line at a time: each is typed once a line is waited for. What was shown, as the terminal got it.
    pub(crate) async fn types_all(cli: &Cli, args: &[&str], lines: &[&str]) -> String {
        let mut person = Self::at(cli, args);
        for line in lines {
            // So begins the editor, and so ends what it asks with.
            person.types("\u{1b}[?2004h\u{1b}[?2026h", "").await;
            person.types("\u{1b}[?2026l", &format!("{line}\r")).await;
        }
        person.leaves().await
    }

    /// The same as text: without colours, and without what the editor of lines draws with.
    pub(crate) async fn talks(cli: &Cli, args: &[&str], lines: &[&str]) -> String {
        let mut shown = Self::types_all(cli, args, lines).await.replace('\r', "");
        while let Some(at) = shown.find("\u{1b}[") {
            let end = shown[at + 2..].find(|it: char| ('@'..='~').contains(&it)).unwrap();
            shown.replace_range(at..=at + 2 + end, "");
        }
        shown
    }

    /// The program ends at once, and nothing in it hears of that before.
    #[cfg(target_os = "linux")]
    pub(crate) async fn crashes(mut self) {
        let mut process = self.child.id().unwrap().to_string();
        // Below the terminal, and the shell in it.
        loop {
            let path = format!("/proc/{process}/task/{process}/children");
            let children = std::fs::read_to_string(path).unwrap();
            match children.split_whitespace().next() {
                Some(child) => process = child.to_owned(),
                None => break,
            }
        }
        let killed = tokio::process::Command::new("kill").args(["-KILL", &process]).status().await;
        assert!(killed.unwrap().success());
        self.child.wait().await.unwrap();
    }

    pub(crate) async fn leaves(mut self) -> String {
        let mut rest = String::new();
        let reading = async {
            let mut out = self.child.stdout.take().unwrap();
            let _ = out.read_to_string(&mut rest).await;
            self.child.wait().await.unwrap();
        };
        tokio::time::timeout(Duration::from_secs(120), reading).await.expect("it ends");
        self.shown + &rest
    }
}

#[tokio::test]
async fn a_form_is_filled_in_line_by_line() {
    let model = model("table").await;
    let cli = Cli::asking(&model).booking();
    let mut person = Person::at(&cli, &["ask", "Book"]);
    person.types("Answer it? [y]es / [N]o: ", "y\r").await;
    person.types("Place [a number]: ", "7\r").await;
    person.types("Place has to be one of", "").await;
    person.types("Place [a number]: ", "2\r").await;
    person.types("Guests [Enter for 2]: ", "many\r").await;
    person.types("Guests has to be a whole number", "").await;
    person.types("Guests [Enter for 2]: ", "\r").await;
    person.types("Budget: ", "40.5\r").await;
    person.types("Day [as in 2026-03-01]: ", "\r").await;
    person.types("E-mail: ", "nobody\r").await;
    person.types("is no e-mail address", "").await;
    person.types("E-mail: ", "ann@example.com\r").await;
    person.types("Extras [numbers, as in 1,3]: ", "1,3\r").await;
    person.types("A quiet table [y/n; Enter for y; - for none]: ", "-\r").await;
    let shown = person.leaves().await;
    assert!(shown.contains("Tables & Co (tool book) asks you, not Toolwright:"), "{shown}");
    assert!(shown.contains("│ Which table?"), "{shown}");
    assert!(shown.contains("│ It is for tonight."), "{shown}");
    assert!(shown.contains("Do not type passwords"), "{shown}");
    assert!(shown.contains("Children count, too."), "{shown}");
    assert!(shown.contains("1. Inside") && shown.contains("2. Outside"), "{shown}");
    let content = json!({
        "place": "out", "guests": 2, "budget": 40.5, "email": "ann@example.com",
        "extras": ["candles", "cake"],
    });
    assert_eq!(told(&model), json!({"action": "accept", "content": content}), "{shown}");
}

#[tokio::test]
async fn it_is_declined_closed_and_agreed_to() {
    for (ask, prompt, typed, action) in [
        ("table", "Answer it? [y]es / [N]o: ", "\r", "decline"),
        ("yes", "Do you agree? [y]es / [N]o: ", "no\r", "decline"),
        ("yes", "Do you agree? [y]es / [N]o: ", "\u{3}", "cancel"),
        ("url", "Will you visit it? [y]es / [N]o: ", "y\r", "accept"),
    ] {
        let model = model(ask).await;
        let cli = Cli::asking(&model).booking();
        // That calls were approved beforehand answers nothing.
        let mut person = Person::at(&cli, &["ask", "--approve", "Book"]);
        person.types(prompt, typed).await;
        let shown = person.leaves().await;
        assert_eq!(told(&model)["action"], action, "{ask}: {shown}");
        if ask == "url" {
            let visit = "visit tables.example: https://tables.example/sign-in?id=7";
            assert!(shown.contains(visit), "{shown}");
        }
    }
}

#[tokio::test]
async fn ctrl_c_in_the_middle_closes_it() {
    let model = model("table").await;
    let cli = Cli::asking(&model).booking();
    let mut person = Person::at(&cli, &["ask", "Book"]);
    person.types("Answer it? [y]es / [N]o: ", "y\r").await;
    person.types("Place [a number]: ", "1\r").await;
    person.types("Guests [Enter for 2]: ", "\u{3}").await;
    let shown = person.leaves().await;
    assert_eq!(told(&model), json!({"action": "cancel"}), "{shown}");
    assert!(shown.contains("closed without an answer"), "{shown}");
}

#[tokio::test]
async fn where_there_is_no_terminal_it_is_declined_with_a_word() {
    for args in [&["ask", "Book"][..], &["ask", "--approve", "Book"], &["ask", "--json", "Book"]] {
        let model = model("yes").await;
        let cli = Cli::asking(&model).booking();
        let ended = cli.run_with_input(args, Some("y\ny\n")).await;
        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert_eq!(told(&model), json!({"action": "decline"}));
        let said = format!("{}{}", ended.out, ended.err);
        assert!(said.contains("Nobody can be asked here"), "{said}");
    }
}

#[tokio::test]
async fn nobody_is_asked_for_a_password() {
    let model = model("secret").await;
    let cli = Cli::asking(&model).booking();
    let shown = Person::at(&cli, &["ask", "Book"]).leaves().await;
    let told = told(&model).as_str().unwrap().to_owned();
    assert!(told.contains("asks for a secret"), "{told}");
    assert!(!shown.contains("asks you"), "{shown}");
}

/// Whoever is to end while a person is asked ends: the run is cancelled, and all of it is kept.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn told_to_end_while_somebody_is_asked_it_ends() {
    for (how, ask, prompt) in [
        ("ask", "table", "Answer it? [y]es / [N]o: "),
        ("chat", "table", "Answer it? [y]es / [N]o: "),
        ("chat", "", "› "),
    ] {
        let model = model(if ask.is_empty() { "yes" } else { ask }).await;
        let cli = Cli::asking(&model).booking();
        let mut args = vec![how];
        args.extend((how == "ask").then_some("Book"));
        let mut person = Person::at(&cli, &args);
        if how == "chat" && !ask.is_empty() {
            person.types("› ", "Book\r").await;
        }
        person.types(prompt, "").await;
        terminate(&cli).await;
        let shown = person.leaves().await;
        let export = cli.command(&["conversations", "export"]).output().await.unwrap();
        let export = String::from_utf8_lossy(&export.stdout).into_owned();
        let is_cancelled = export.lines().any(|it| it.contains("\"kind\":\"cancelled\""));
        assert_eq!(is_cancelled, !ask.is_empty(), "{how}: {shown}\n{export}");
        // The model was not asked again.
        assert!(model.requests().len() < 2, "{how}: {shown}");
    }
}

/// Sends the command that runs for this test the word to end.
#[cfg(target_os = "linux")]
async fn terminate(cli: &Cli) {
    let folder = cli.folder.path().to_str().unwrap();
    let is_it = |process: &std::path::Path| {
        let program = std::fs::read_link(process.join("exe")).ok()?;
        let environment = std::fs::read(process.join("environ")).ok()?;
        let is_ours = String::from_utf8_lossy(&environment).contains(folder);
        (program == cli.program.canonicalize().ok()? && is_ours).then_some(())
    };
    let all = std::fs::read_dir("/proc").unwrap().filter_map(|it| Some(it.ok()?.path()));
    let found: Vec<_> = all.filter(|it| is_it(it).is_some()).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    let pid = found[0].file_name().unwrap().to_str().unwrap();
    let sent = tokio::process::Command::new("kill").args(["-TERM", pid]).status().await;
    assert!(sent.unwrap().success());
}

/// What cannot be taken back is asked about at a terminal, in `ask` as in `chat`; elsewhere it is said how it is
/// approved.
#[tokio::test]
async fn at_a_terminal_a_call_is_asked_about() {
    let script = || {
        let call = Reply::calls([("1", "delete_notes", "{}")]);
        Script::new().reply(call).reply(Reply::text("Well."))
    };
    for (typed, says) in [("y\r", "deleted"), ("n\r", "denied")] {
        let model = ModelServer::start(script()).await;
        let cli = Cli::asking(&model);
        let mut person =
            Person::at(&cli, &["ask", "--task", "demo", "--review", "off", "Delete my notes"]);
        person.types("Run it? [y]es", typed).await;
        let shown = person.leaves().await;
        let told = told(&model).to_string().to_lowercase();
        assert_eq!(told.contains("denied"), says == "denied", "{told} {shown}");
    }
    let model = ModelServer::start(script()).await;
    let ended = Cli::asking(&model).run(&["ask", "--review", "off", "Delete my notes"]).await;
    let told = "delete_notes asks first, and this is no terminal: --approve approves it beforehand";
    assert!(ended.err.contains(told), "{}", ended.err);
    assert!(ended.err.contains("`toolwright chat` asks"), "{}", ended.err);
}

/// A tool that is called by hand may ask, too.
#[tokio::test]
async fn a_tool_that_is_called_by_hand_asks() {
    let cli = Cli::new().booking();
    let mut person = Person::at(&cli, &["tools", "call", "book", r#"{"ask":"yes"}"#, "--approve"]);
    person.types("Do you agree? [y]es / [N]o: ", "y\r").await;
    let shown = person.leaves().await;
    assert!(shown.contains("asks you, not Toolwright:"), "{shown}");
    assert!(shown.contains("\"action\":\"accept\""), "{shown}");
}
