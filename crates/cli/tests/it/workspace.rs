//! `--workspace`: files and commands in a folder, through the real loop.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::{Value, json};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::{harness::Cli, questions::Person};

/// The binary, a scripted model, and a folder to work in.
pub(crate) struct Desk {
    pub(crate) cli: Cli,
    pub(crate) server: ModelServer,
    pub(crate) folder: PathBuf,
}

impl Desk {
    pub(crate) async fn new(script: Script) -> Self {
        let server = ModelServer::start(script).await;
        let cli = Cli::asking(&server);
        let folder = cli.folder.path().canonicalize().unwrap().join("work");
        std::fs::create_dir_all(folder.join("src")).unwrap();
        std::fs::write(folder.join("src/main.rs"), MAIN).unwrap();
        Self { cli, server, folder }
    }

    pub(crate) fn put(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).unwrap()
    }

    /// Asks in the folder; the events.
    pub(crate) async fn ask(&self, more: &[&str]) -> Vec<Value> {
        let folder = self.folder.to_str().unwrap();
        let mut args = vec!["ask", "--json", "--workspace", folder];
        args.extend(more);
        let ended = self.cli.run(&args).await;
        assert_eq!(ended.err, "");
        ended.events()
    }

    /// Talks in the folder, at a terminal: questions and answers as they are wanted. What was shown.
    pub(crate) async fn chat(&self, lines: &[&str]) -> String {
        let folder = self.folder.to_str().unwrap();
        let lines = [lines, &["/quit"]].concat();
        Person::talks(&self.cli, &["chat", "--workspace", folder], &lines).await
    }

    /// What the model was sent as the result of the last call before a request.
    pub(crate) fn told(&self, request: usize) -> String {
        let requests = self.server.requests();
        let messages = requests[request].body["messages"].as_array().unwrap().clone();
        let results = messages.iter().rfind(|it| it["role"] == "tool");
        results.unwrap()["content"].as_str().unwrap().to_owned()
    }
}

const MAIN: &str = "fn main() {\n    println!(\"one\");\n}\n";

#[allow(clippy::needless_pass_by_value)] // reads better where it is called
pub(crate) fn call(tool: &str, arguments: Value) -> Reply {
    Reply::calls([("a".to_owned(), tool.to_owned(), arguments.to_string())])
}

/// One reply after another, each with one call, and then the answer.
pub(crate) fn script(calls: impl IntoIterator<Item = (&'static str, Value)>) -> Script {
    let script = calls.into_iter().enumerate().fold(Script::new(), |script, (at, (tool, args))| {
        script.reply(Reply::calls([(format!("c{at}"), tool.to_owned(), args.to_string())]))
    });
    script.reply(Reply::text("Done."))
}

pub(crate) fn statuses(events: &[Value]) -> Vec<String> {
    let done = events.last().unwrap();
    assert_eq!(done["type"], "done", "{done}");
    let calls = done["tool_calls"].as_array().unwrap();
    calls.iter().map(|it| it["status"].as_str().unwrap().to_owned()).collect()
}

fn one_to_two() -> Value {
    json!({
        "file_path": "src/main.rs",
        "old_string": "println!(\"one\");",
        "new_string": "println!(\"two\");",
    })
}

/// Whoever names a settings file in the folder keeps it to themselves: keys may stand in it.
#[tokio::test]
async fn a_settings_file_that_was_named_is_seen_by_no_tool() {
    const CANARY: &str = "canary-in-the-settings";
    let desk = Desk::new(script([
        ("show", json!({"file_path": "deep/settings.toml"})),
        ("search", json!({"pattern": "canary-in"})),
        ("list", json!({"depth": 5})),
        ("bash", json!({"command": "cat deep/settings.toml; grep -r canary-in ."})),
        ("bash", json!({"command": "cp deep/settings.toml copy.txt; cat copy.txt"})),
        ("edit", json!({"file_path": "deep/settings.toml", "old_string": "it", "new_string": "x"})),
        ("show", json!({"file_path": "deep/other.toml"})),
    ]))
    .await;
    desk.put("deep/settings.toml", &format!("# {CANARY}\n"));
    desk.put("deep/other.toml", "# anybody's\n");
    let file = desk.folder.join("deep/settings.toml");
    let folder = desk.folder.to_str().unwrap();
    let args = ["ask", "--json", "--approve", "--config", file.to_str().unwrap(), "--workspace"];
    let ended = desk.cli.run(&[&args[..], &[folder, "Look at it."]].concat()).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    for request in 1..=7 {
        let told = desk.told(request);
        assert!(!told.contains(CANARY), "{request}: {told}");
    }
    assert!(!desk.told(3).contains("settings.toml"), "{}", desk.told(3));
    assert!(desk.told(3).contains("other.toml") && desk.told(7).contains("anybody's"));
    assert_eq!(desk.read("deep/settings.toml"), format!("# {CANARY}\n"));
    let copied = std::fs::read_to_string(desk.folder.join("copy.txt")).unwrap_or_default();
    assert!(!copied.contains(CANARY), "{copied}");
}

#[tokio::test]
async fn a_model_looks_changes_and_runs() {
    let desk = Desk::new(script([
        ("list", json!({})),
        ("search", json!({"pattern": "println"})),
        ("show", json!({"file_path": "src/main.rs"})),
        ("edit", one_to_two()),
        ("write", json!({"file_path": "docs/notes.md", "content": "Two it is.\n"})),
        ("bash", json!({"command": "grep -c two src/main.rs docs/notes.md; echo over >&2"})),
    ]))
    .await;
    let events = desk.ask(&["--approve", "Make it two."]).await;
    assert_eq!(statuses(&events), ["success"; 6]);
    assert_eq!(desk.read("src/main.rs"), MAIN.replace("one", "two"));
    assert_eq!(desk.read("docs/notes.md"), "Two it is.\n");
    assert!(desk.told(1).contains("src/"), "{}", desk.told(1));
    assert!(desk.told(2).contains("src/main.rs:2:"), "{}", desk.told(2));
    assert!(desk.told(3).contains("     2\t    println!(\"one\");"), "{}", desk.told(3));
    let edited = format!("File edited successfully: {}/src/main.rs\n", desk.folder.display());
    assert!(desk.told(4).starts_with(&edited), "{}", desk.told(4));
    assert!(desk.told(4).contains("-    println!(\"one\");\n+    println!(\"two\");"));
    let ran = desk.told(6);
    assert!(ran.contains("src/main.rs:1\n") && ran.contains("over\n"), "{ran}");
    assert!(ran.contains("[exit 0"), "{ran}");
    desk.server.assert_clean();

    let previews: Vec<_> = events.iter().filter(|it| it["type"] == "call_preview").collect();
    let kinds: Vec<_> = previews.iter().map(|it| it["content"]["kind"].clone()).collect();
    assert_eq!(kinds, ["diff", "diff", "command"]);
    assert!(previews[0]["content"]["text"].as_str().unwrap().contains("+    println!(\"two\");"));
    assert_eq!(previews[2]["place"], desk.folder.to_str().unwrap());
    let system = desk.server.requests()[0].body["messages"][0]["content"].clone();
    assert!(system.as_str().unwrap().contains("ALWAYS use the full relative path"), "{system}");
}

#[tokio::test]
async fn without_approval_nothing_changes_and_looking_is_free() {
    let desk = Desk::new(script([
        ("edit", one_to_two()),
        ("write", json!({"file_path": "new.txt", "content": "x"})),
        ("bash", json!({"command": "rm src/main.rs"})),
        ("bash", json!({"command": "ls src && cat src/main.rs | head -1"})),
        ("bash", json!({"command": "ls src; rm src/main.rs"})),
    ]))
    .await;
    let events = desk.ask(&["Make println!(\"one\"); say two."]).await;
    assert_eq!(statuses(&events), ["denied", "denied", "denied", "success", "denied"]);
    assert_eq!(desk.read("src/main.rs"), MAIN);
    assert!(!desk.folder.join("new.txt").exists());
    assert_eq!(desk.told(1), "The call of edit was denied: nobody is there to approve it.");
    assert!(desk.told(4).contains("fn main() {"), "{}", desk.told(4));
}

/// S4.4: the documented words, with the resolved input, from a model that only writes text.
#[tokio::test]
async fn s4_4_single_shot_tells_what_was_done_in_the_documented_words() {
    let shown = json!({"tool": "show", "params": {"file_path": "testing.md", "start_line": 1, "end_line": 10}});
    let text = |value: &Value| Reply::text(format!("Here you go:\n\n```json\n{value:#}\n```\n"));
    let desk = Desk::new(Script::new().reply(text(&shown))).await;
    let folder = desk.folder.to_str().unwrap().to_owned();
    let args = |more: &[&'static str]| {
        let mut args = vec!["ask", "--single-shot", "--tool-mode", "text", "--workspace", &folder];
        args.extend(more);
        args.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let once = args(&["Show testing.md"]);
    let ended = desk.cli.run(&once.iter().map(String::as_str).collect::<Vec<_>>()).await;
    assert_eq!(
        ended.out,
        format!(
            "Tool execution failed: Invalid input: File does not exist: {folder}/testing.md\n\n\
             Input: Object {{\n    \"end_line\": Number(10),\n    \"file_path\": \
             String(\"{folder}/testing.md\"),\n    \"start_line\": Number(1),\n}}\n"
        )
    );
    let edit = json!({"tool": "edit", "params": one_to_two()});
    let server = ModelServer::start(Script::new().reply(text(&edit))).await;
    let cli = Cli { folder: desk.cli.folder, ..Cli::asking(&server) };
    let once = args(&["--approve", "Make it two."]);
    let ended = cli.run(&once.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let head = format!(
        "Tool 'edit' executed successfully:\nFile edited successfully: {folder}/src/main.rs\n"
    );
    assert!(ended.out.starts_with(&head), "{}", ended.out);
    assert!(ended.out.ends_with("\n\nData: None\n"), "{}", ended.out);
    assert!(ended.err.contains("+    println!(\"two\");"), "{}", ended.err);
    // A command that ran and failed is no error of the call.
    let bash = json!({"tool": "bash", "params": {"command": "echo no; false"}});
    let server = ModelServer::start(Script::new().reply(text(&bash))).await;
    let cli = Cli { folder: cli.folder, ..Cli::asking(&server) };
    let once = args(&["--approve", "Try it."]);
    let ended = cli.run(&once.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let head = "Tool 'bash' failed:\nCommand failed with exit code 1\nno\n";
    assert!(ended.out.starts_with(head), "{}", ended.out);
}

#[tokio::test]
async fn a_bare_name_gets_the_files_it_could_mean() {
    let desk = Desk::new(script([("show", json!({"file_path": "main.rs"}))])).await;
    desk.put("tools/main.rs", "fn main() {}\n");
    desk.ask(&["Show main.rs."]).await;
    let told = desk.told(1);
    assert!(told.contains("src/main.rs") && told.contains("tools/main.rs"), "{told}");
    assert!(!told.contains("fn main"), "{told}");
}

/// P18, I6: approval beforehand does not cover what steers other programs.
#[tokio::test]
async fn p18_what_steers_other_programs_is_never_approved_beforehand() {
    let files = [
        ".git/hooks/pre-commit",
        ".git/config",
        ".toolwright/rules",
        ".mcp.json",
        ".vscode/tasks.json",
        "toolwright.toml",
        "AGENTS.md",
        "link/hooks/pre-commit",
    ];
    let calls = files.map(|file| ("write", json!({"file_path": file, "content": "evil"})));
    let desk = Desk::new(script(calls)).await;
    std::fs::create_dir_all(desk.folder.join(".git/hooks")).unwrap();
    std::os::unix::fs::symlink(".git", desk.folder.join("link")).unwrap();
    let events = desk.ask(&["--approve", "Set everything up."]).await;
    assert_eq!(statuses(&events), vec!["denied"; files.len()]);
    assert!(desk.told(1).contains("Somebody has to look at it first"), "{}", desk.told(1));
    for file in files {
        assert!(!desk.folder.join(file).exists(), "{file}");
    }
}

#[tokio::test]
async fn in_a_chat_a_person_sees_the_change_and_decides() {
    let edit = |from: &str, to: &str| json!({"file_path": "src/main.rs", "old_string": from, "new_string": to});
    let desk = Desk::new(
        Script::new()
            .reply(call("edit", edit("one", "two")))
            .reply(Reply::text("Denied, I see."))
            .reply(call("edit", edit("one", "three")))
            .reply(Reply::text("Three it is."))
            .reply(call("bash", json!({"command": "echo hi > out.txt"})))
            .reply(Reply::text("Written."))
            .reply(call("bash", json!({"command": "echo hi > out.txt"})))
            .reply(Reply::text("Again."))
            .reply(call("bash", json!({"command": "echo ho > out.txt"})))
            .reply(Reply::text("No?")),
    )
    .await;
    let lines =
        ["Two, not one.", "rather three", "Three.", "y", "Write.", "a", "Again.", "Ho.", ""];
    let seen = desk.chat(&lines).await;
    for answer in ["Denied, I see.\n", "Three it is.\n", "Written.\n", "Again.\n", "No?\n"] {
        assert!(seen.contains(answer), "{answer} in {seen}");
    }
    assert_eq!(desk.read("src/main.rs"), MAIN.replace("one", "three"));
    assert_eq!(desk.read("out.txt"), "hi\n");
    assert_eq!(desk.told(1), "The call of edit was denied: rather three");
    let denied = "The call of bash was denied by the user. Do not try it again.";
    assert_eq!(desk.told(9), denied);
    let asked = seen.matches("Run it? [y]es, once / [a]lways here / [e]dit / [N]o").count();
    assert_eq!(asked, 4, "{seen}");
    for shown in ["-    println!(\"one\");", "+    println!(\"two\");", "echo hi > out.txt"] {
        let (at, asked) = (seen.find(shown), seen.rfind("Run it?"));
        assert!(at.is_some() && at < asked, "{shown} in {seen}");
    }

    let listed = desk.cli.run(&["approvals"]).await;
    let rule = format!("  1  allow bash `echo hi > out.txt` in {}\n", desk.folder.display());
    assert_eq!(listed.out, rule);
    assert_eq!(desk.cli.run(&["approvals", "remove", "2"]).await.code, Some(2));
    assert_eq!(desk.cli.run(&["approvals", "remove", "1"]).await.code, Some(0));
    assert_eq!(desk.cli.run(&["approvals", "--json"]).await.out, "[]\n");
}

/// A decision that nobody made yet outlives the process; one that was made is for that folder.
#[tokio::test]
async fn a_question_outlives_a_crash() {
    let script = Script::new().reply(call("edit", one_to_two())).reply(Reply::text("Done."));
    let desk = Desk::new(script).await;
    let folder = desk.folder.to_str().unwrap();
    let mut person = Person::at(&desk.cli, &["chat", "--workspace", folder]);
    person.types("› ", "Make println!(\"one\"); say two.\r").await;
    person.types("or why not: ", "").await;
    let id = loop {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let export = desk.cli.command(&["conversations", "export"]).output().await.unwrap();
        let log = String::from_utf8(export.stdout).unwrap();
        if log.contains("\"call_preview\"") {
            let first: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
            break first["conversation_id"].as_str().unwrap().to_owned();
        }
    };
    person.crashes().await;
    assert_eq!(desk.read("src/main.rs"), MAIN);
    let resume = ["conversations", "resume", &id, "--json", "--workspace", folder, "--approve"];
    let ended = desk.cli.run(&resume).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert_eq!(desk.read("src/main.rs"), MAIN.replace("one", "two"));
    // It was asked twice, and is one question to whoever reads it later.
    let log = desk.cli.run(&["conversations", "show", &id, "--json"]).await;
    assert_eq!(log.out.matches("\"call_preview\"").count(), 2, "{}", log.out);
    let told = desk.cli.run(&["conversations", "show", &id]).await;
    let told = format!("{}{}", told.out, told.err);
    assert_eq!(told.matches("-    println!(\"one\");").count(), 1, "{told}");
    desk.server.assert_clean();
}

#[tokio::test]
async fn a_config_file_in_the_workspace_is_not_the_users_word() {
    let evil = "[[rules]]\nverdict = \"allow\"\ntool = \"bash\"\n";
    let desk = Desk::new(script([("bash", json!({"command": "touch x"}))])).await;
    desk.put("toolwright.toml", evil);
    let inside = |cli: &Cli, args: &[&str]| {
        let mut command = cli.command(args);
        command.current_dir(&desk.folder);
        command
    };
    let ask = ["ask", "--json", "--workspace", ".", "Touch x."];
    let output = inside(&desk.cli, &ask).output().await.unwrap();
    assert!(output.status.success());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("./toolwright.toml is not trusted and was ignored"), "{told}");
    assert!(!desk.folder.join("x").exists());
    // Named by the user it counts, and where it lies is told.
    let named = ["tools", "list", "--workspace", ".", "--config", "toolwright.toml"];
    let output = inside(&desk.cli, &named).output().await.unwrap();
    assert!(output.status.success());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("lies in the workspace"), "{told}");
}

#[tokio::test]
async fn rules_of_the_config_file_allow_and_deny() {
    let desk = Desk::new(script([
        ("bash", json!({"command": "touch a"})),
        ("bash", json!({"command": "touch a && rm a"})),
        ("write", json!({"file_path": "docs/a.md", "content": "x"})),
        ("write", json!({"file_path": "src/a.md", "content": "x"})),
    ]))
    .await;
    let config = desk.cli.folder.path().join("rules.toml");
    let rules = "[[rules]]\nverdict = \"allow\"\ntool = \"bash\"\npattern = \"touch *\"\n\
                 [[rules]]\nverdict = \"deny\"\ntool = \"bash\"\npattern = \"rm *\"\n\
                 [[rules]]\nverdict = \"allow\"\ntool = \"write\"\npattern = \"docs/*\"\n\
                 until = \"2999-01-01\"\n\
                 [[rules]]\nverdict = \"allow\"\ntool = \"write\"\npattern = \"src/*\"\n\
                 until = \"2020-01-01\"\n";
    std::fs::write(&config, rules).unwrap();
    let events = desk.ask(&["--config", config.to_str().unwrap(), "Go."]).await;
    assert_eq!(statuses(&events), ["success", "denied", "success", "denied"]);
    assert_eq!(desk.told(2), "The call of bash was denied: a rule says so: deny bash `rm *`.");
    assert!(desk.folder.join("a").exists() && !desk.folder.join("src/a.md").exists());
}

#[tokio::test]
async fn a_home_is_no_workspace_and_nothing_is_one_that_is_not_there() {
    let cli = Cli::new();
    let home = cli.folder.path().to_str().unwrap().to_owned();
    for folder in ["/", &home, Path::new(&home).parent().unwrap().to_str().unwrap(), "nowhere"] {
        let ended = cli.run(&["tools", "list", "--workspace", folder]).await;
        assert_eq!(ended.code, Some(2), "{folder}: {}", ended.err);
    }
}

#[tokio::test]
async fn the_doctor_knows_the_sandbox() {
    let desk = Desk::new(Script::new()).await;
    let folder = desk.folder.to_str().unwrap();
    let ended = desk.cli.run(&["doctor", "--json", "--workspace", folder]).await;
    let report: Value = serde_json::from_str(&ended.out).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let of = |name: &str| checks.iter().find(|it| it["name"] == name).unwrap().clone();
    assert_eq!(
        (of("workspace")["state"].clone(), of("workspace")["message"].clone()),
        (json!("ok"), json!(folder))
    );
    let sandbox = of("sandbox")["message"].as_str().unwrap().to_owned();
    for part in ["bubblewrap", "Landlock", "seccomp"] {
        assert!(sandbox.contains(part), "{sandbox}");
    }
}

/// The data folder is nobody's business, should it lie in the workspace.
#[tokio::test]
async fn what_toolwright_keeps_is_not_seen() {
    let desk = Desk::new(script([
        ("show", json!({"file_path": "data/toolwright.db"})),
        ("list", json!({})),
        ("bash", json!({"command": "ls data; cat data/toolwright.db"})),
        ("write", json!({"file_path": "data/approvals.json", "content": "[]"})),
    ]))
    .await;
    let data = desk.folder.join("data");
    let mut desk = desk;
    desk.cli = desk.cli.env("TOOLWRIGHT_DATA", data.to_str().unwrap());
    let events = desk.ask(&["--approve", "Look around."]).await;
    assert_eq!(statuses(&events), ["error", "success", "error", "error"]);
    assert!(!desk.told(2).contains("data"), "{}", desk.told(2));
    assert!(!desk.told(3).contains("SQLite"), "{}", desk.told(3));
    assert!(!data.join("approvals.json").exists());
}
