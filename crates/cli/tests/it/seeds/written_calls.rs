//! "Tool Call Execution Flow": models that only write text.

use std::fs;

use serde_json::{Value, json};
use toolwright_testkit::{ModelServer, Reply, Script};

use super::messages;
use crate::harness::{Cli, Ended};

const MAIN: &str = "crates/merlin-cli/src/main.rs";

/// A folder with the document's file, and a model that only writes.
async fn shot(reply: &str, more: &[&str]) -> (Ended, Cli, ModelServer) {
    let model = ModelServer::start(Script::new().reply(Reply::text(reply))).await;
    let cli = Cli::asking(&model);
    let workspace = cli.folder.path().join("workspace");
    fs::create_dir_all(workspace.join("crates/merlin-cli/src")).unwrap();
    fs::write(workspace.join(MAIN), "fn main() {\n}\n").unwrap();
    fs::write(workspace.join("README.md"), "# Merlin\n\nA wizard.\n").unwrap();
    let args =
        ["ask", "--tool-mode", "text", "--single-shot", "--task", "workspace", "--workspace"];
    let path = workspace.to_str().unwrap().to_owned();
    let args = [&args[..], &[&path, "--approve"], more].concat();
    let ended = cli.run(&[&args[..], &["Edit main.rs to add a println statement"]].concat()).await;
    (ended, cli, model)
}

fn absolute(cli: &Cli, path: &str) -> String {
    let folder = cli.folder.path().canonicalize().unwrap();
    folder.join("workspace").join(path).to_str().unwrap().to_owned()
}

/// > # Available Tools … ## edit … ## show … ## bash …
/// > To use a tool, respond with a JSON object in the following format:
/// > IMPORTANT: For file_path parameters, ALWAYS use the full relative path from the workspace root.
#[tokio::test]
async fn the_system_prompt_describes_the_tools() {
    let (_, _, model) = shot("Hello.", &[]).await;
    let system = messages(&model, 0)[0]["content"].as_str().unwrap().to_owned();
    for part in [
        "# Available Tools\n",
        "\n## edit\n",
        "\n## show\n",
        "\n## bash\n",
        "To use a tool, respond with a JSON object in the following format:\n```json\n{\n  \"tool\": \
         \"tool_name\",\n  \"params\": {\n    \"param1\": \"value1\"\n  }\n}\n```",
        "ALWAYS use the full relative path from the workspace root",
    ] {
        assert!(system.contains(part), "{part:?} is missing in {system}");
    }
}

/// > **Final Response to User:**
/// > Tool 'edit' executed successfully:
/// > File edited successfully: /workspace/crates/merlin-cli/src/main.rs
/// >
/// > Data: None
#[tokio::test]
async fn the_example_flow() {
    let call = json!({"tool": "edit", "params": {
        "file_path": MAIN,
        "old_string": "fn main() {",
        "new_string": "fn main() {\n    println!(\"Hello, world!\");",
    }});
    let block = format!("```json\n{call:#}\n```");
    let (ended, cli, _) = shot(&block, &[]).await;
    let wanted = format!(
        "Tool 'edit' executed successfully:\nFile edited successfully: {}",
        absolute(&cli, MAIN)
    );
    assert!(ended.out.starts_with(&wanted), "{}", ended.out);
    assert_eq!(
        fs::read_to_string(absolute(&cli, MAIN)).unwrap(),
        "fn main() {\n    println!(\"Hello, world!\");\n}\n"
    );
}

/// > ### Format 1: Markdown Code Block. Here's how to fix it: ```json … ```
/// > ### Format 2: Plain JSON. { "tool": "show", "params": { "file_path": "README.md", "start_line": 1, "end_line": 10 } }
#[tokio::test]
async fn both_formats_are_heard() {
    let call = json!({"tool": "show", "params": {
        "file_path": "README.md", "start_line": 1, "end_line": 10,
    }});
    for reply in [
        format!("Here's how to fix it:\n\n```json\n{call:#}\n```\n"),
        format!("{call:#}"),
        format!("I look at it first: {call}"),
    ] {
        let (ended, _, _) = shot(&reply, &[]).await;
        assert!(ended.out.starts_with("Tool 'show' executed successfully:\n"), "{}", ended.out);
        assert!(ended.out.contains("A wizard."), "{}", ended.out);
    }
}

/// > **Invalid JSON:** Tool call is ignored, original response returned
#[tokio::test]
async fn invalid_json_is_left_alone() {
    for reply in [
        "```json\n{\"tool\": \"show\", \"params\": {\"file_path\": }}\n```",
        "Use it like {\"tool\": \"show\", \"params\": {\"file_path\": \"READ",
        "{\"colour\": \"red\"}",
    ] {
        let (ended, _, _) = shot(reply, &[]).await;
        assert_eq!(ended.out.trim_end(), reply, "{}", ended.err);
    }
}

/// > Tool execution failed: Invalid input: File does not exist: /workspace/testing.md
/// >
/// > Input: Object {
/// >     "file_path": String("/workspace/testing.md"),
/// >     "start_line": Number(1),
/// >     "end_line": Number(10)
/// > }
#[tokio::test]
async fn the_error_output_example() {
    let call = json!({"tool": "show", "params": {
        "file_path": "testing.md", "start_line": 1, "end_line": 10,
    }});
    let (ended, cli, _) = shot(&call.to_string(), &[]).await;
    let path = absolute(&cli, "testing.md");
    let wanted = format!("Tool execution failed: Invalid input: File does not exist: {path}\n");
    assert!(ended.out.starts_with(&wanted), "{}", ended.out);
    assert!(ended.out.contains("\nInput: Object {\n"), "{}", ended.out);
    assert!(ended.out.contains(&format!("\"file_path\": String(\"{path}\")")), "{}", ended.out);
    assert!(ended.out.contains("\"start_line\": Number(1)"), "{}", ended.out);
    assert_ne!(ended.code, Some(0), "what failed is no success");
}

/// > format!("Tool '{}' failed:\n{}", tool_call.tool, output.message)
#[tokio::test]
async fn a_command_that_fails() {
    let call = json!({"tool": "bash", "params": {"command": "ls nothing-of-that-name"}});
    let (ended, _, _) = shot(&call.to_string(), &[]).await;
    assert!(ended.out.starts_with("Tool 'bash' failed:\n"), "{}", ended.out);
    assert!(ended.out.contains("nothing-of-that-name"), "{}", ended.out);
}

/// > **Tool not found:** Returns error message to user
/// > **Missing required params:** Tool returns validation error
#[tokio::test]
async fn tools_and_parameters_that_are_not_there() {
    let unknown = "```json\n{\"tool\": \"compile\", \"params\": {\"crate\": \"merlin\"}}\n```";
    let (ended, _, _) = shot(unknown, &[]).await;
    assert!(ended.out.starts_with("Tool execution failed: "), "{}", ended.out);
    assert!(ended.out.contains("compile") && ended.out.contains("show"), "{}", ended.out);
    let (ended, _, _) = shot(r#"{"tool": "show", "params": {}}"#, &[]).await;
    assert!(ended.out.starts_with("Tool execution failed: "), "{}", ended.out);
    assert!(ended.out.contains("file_path"), "{}", ended.out);
}

/// > Calls `EditTool::execute()` with resolved params. Nothing reaches outside the workspace.
#[tokio::test]
async fn nothing_reaches_outside_the_workspace() {
    for path in ["../secret.txt", "/etc/passwd", "crates/../../secret.txt"] {
        let call = json!({"tool": "show", "params": {"file_path": path}});
        let (ended, _, _) = shot(&call.to_string(), &[]).await;
        assert!(ended.out.starts_with("Tool execution failed: "), "{}", ended.out);
        assert!(!ended.out.contains("root:"), "{}", ended.out);
    }
}

/// > The tool execution result replaces the original LLM response — and with the loop it goes back to the model.
#[tokio::test]
async fn in_the_loop_the_result_goes_back_to_the_model() {
    let call = json!({"tool": "get_weather", "params": {"location": "Rome"}});
    let script = Script::new()
        .reply(Reply::text(format!("```json\n{call:#}\n```")))
        .reply(Reply::text("It is sunny in Rome."));
    let model = ModelServer::start(script).await;
    let ended = Cli::asking(&model)
        .run(&["ask", "--tool-mode", "text", "--json", "How is the weather in Rome?"])
        .await;
    let done: Value = ended.events().pop().unwrap();
    assert_eq!(done["response"], "It is sunny in Rome.");
    let told = messages(&model, 1).pop().unwrap();
    assert!(told["content"].as_str().unwrap().contains("Weather in Rome: 72°F, sunny"), "{told}");
}
