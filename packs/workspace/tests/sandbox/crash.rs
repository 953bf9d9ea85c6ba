//! What the guard does when the system fails it: no more open files, or its own end.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use toolwright_core::RunContext;
use toolwright_workspace::{Helper, Settings, Workspace};

use crate::support::{Yard, helper, until};

const FOLDER: &str = "TOOLWRIGHT_CRASH_FOLDER";
const EVIL: &str = "echo evil > .mcp.json; echo evil > AGENTS.md";

/// This very program, for one test that is otherwise ignored.
fn child(test: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", test, "--nocapture"]).env(FOLDER, folder);
    command
}

#[tokio::test]
async fn what_the_command_of_a_killed_server_left_is_put_aside_before_the_next() {
    let yard = Yard::new();
    let mut server = child("crash::server", yard.outside.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert!(until(|| yard.has("made")).await);
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(yard.has(".mcp.json"));
    let said = yard.works("echo next > other").await;
    assert!(said.contains("[.mcp.json was renamed to .mcp.json.held"), "{said}");
    assert!(!yard.has(".mcp.json") && yard.has(".mcp.json.held"));
}

/// Nobody need run another command for it.
#[tokio::test]
async fn what_the_command_of_a_killed_server_left_is_put_aside_when_the_workspace_is_opened() {
    for helper in [helper(), "/nonexistent".into()] {
        let yard = Yard::new();
        let mut server = child("crash::server", yard.outside.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        assert!(until(|| yard.has("made")).await);
        // While a command runs, whoever opens the workspace leaves it alone.
        let open = |helper: &Path| {
            let scratch = yard.outside.path().join("scratch");
            let mut settings = Settings::new(yard.root(), scratch);
            settings.helper = Helper::At(helper.to_owned());
            Workspace::open(settings).unwrap()
        };
        open(&helper);
        assert!(yard.has(".mcp.json"));
        server.kill().unwrap();
        server.wait().unwrap();
        let workspace = open(&helper);
        assert!(!yard.has(".mcp.json") && yard.has(".mcp.json.held"));
        let bash = workspace.tools().into_iter().find(|tool| tool.spec().name == "bash").unwrap();
        if workspace.sandbox().is_err() {
            continue;
        }
        // Whoever runs the next one is told.
        let next = Arc::new(json!({"command": "echo next > other"}));
        let said = bash.call(next, &RunContext::new()).await.unwrap();
        let said = format!("{said:?}");
        assert!(said.contains("[.mcp.json was renamed to .mcp.json.held"), "{said}");
    }
}

#[tokio::test]
#[ignore = "started to be killed"]
async fn server() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = Path::new(&folder);
    let mut settings = Settings::new(folder.join("ws"), folder.join("scratch"));
    settings.helper = Helper::At(helper());
    let tools = Workspace::open(settings).unwrap().tools();
    let tool = tools.into_iter().find(|tool| tool.spec().name == "bash").unwrap();
    let command = "echo evil > .mcp.json; echo x > made; sleep 60";
    let _ = tool.call(Arc::new(json!({"command": command})), &RunContext::new()).await;
}

#[test]
fn without_open_files_to_spare_nothing_that_steers_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let done = child("crash::few_files", folder.path()).output().unwrap();
    let out = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && out.contains("1 passed"), "{out}");
}

#[tokio::test]
#[ignore = "limits its own process"]
async fn few_files() {
    let yard = Yard::new();
    yard.put("AGENTS.md", "mine\n");
    yard.put("a/b/c/d/e/f", "");
    yard.works("echo warm > x").await;
    let normal = getrlimit(Resource::Nofile);
    let open = fs::read_dir("/proc/self/fd").unwrap().count() as u64;
    let (mut failed, mut worked) = (0, 0);
    for more in 0..40 {
        setrlimit(Resource::Nofile, Rlimit { current: Some(open + more), ..normal }).unwrap();
        let ran = yard.run(EVIL).await;
        setrlimit(Resource::Nofile, normal).unwrap();
        match ran {
            Ok(said) => panic!("AGENTS.md was written: {said}"),
            Err(error) if error.message().contains("[exit ") => worked += 1,
            Err(_) => failed += 1,
        }
        // What could not be put aside at once is before the next command.
        yard.works("echo next > x").await;
        assert!(!yard.has(".mcp.json"), "with {more} more");
        assert_eq!(yard.read("AGENTS.md"), "mine\n");
    }
    assert!(failed > 0 && worked > 0, "{failed} failed, {worked} worked");
}
