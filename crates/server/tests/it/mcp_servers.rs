//! MCP servers looked after through the server: added, approved, changed, removed.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use serde_json::{Map, Value, json};
use tempfile::TempDir;
use toolwright_app::AutoApprove;
use toolwright_server::ManageMode;

use crate::harness::{Desk, Request, Setup, ask};

/// A server in a folder that everybody may read.
fn program() -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mcp/tests/it/client/server.py");
    let copy = folder.path().join("server.py");
    fs::copy(script, &copy).unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o644)).unwrap();
    let copy = copy.to_str().unwrap().to_owned();
    (folder, copy)
}

fn new(folder: &TempDir, script: &str) -> Value {
    json!({
        "name": "fake", "command": "/usr/bin/python3", "args": [script], "read": [folder.path()],
        "env": {"STATE": ""},
    })
}

/// What somebody who was shown all of this approves.
fn shown(details: &Value) -> Value {
    let listed = details["listed"].as_array().unwrap().iter();
    let tools: Map<String, Value> =
        listed.map(|it| (it["name"].as_str().unwrap().to_owned(), it["digest"].clone())).collect();
    json!({"tools": tools})
}

async fn names(desk: &Desk) -> Vec<String> {
    let told = desk.get("/api/tools?task=general").await.json();
    let tools = told["tools"].as_array().unwrap().iter();
    tools.map(|it| it["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_added_approved_used_and_removed() {
    let (folder, script) = program();
    let setup = Setup { beforehand: AutoApprove::Everything, ..Setup::default() };
    let desk = Desk::start(setup, None).await;
    assert_eq!(desk.get("/api/mcp").await.json()["servers"], json!([]));
    let added = desk.post("/api/mcp", &new(&folder, &script)).await;
    assert_eq!(added.status, 200, "{}", added.text());
    assert_eq!(added.json()["approved"], 0, "{}", added.text());
    // A key may stand in what it is given: the file is its owner's alone.
    let file = desk.folder.path().join("toolwright.toml");
    assert!(fs::read_to_string(&file).unwrap().contains("[mcp.fake]"));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o077, 0);
    assert_eq!(desk.post("/api/mcp", &new(&folder, &script)).await.status, 409);
    // Only the real program can build walls, and only the file can say that there are none.
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("sandbox = { read"), "{text}");
    let lines =
        text.lines().map(|it| if it.starts_with("sandbox") { "sandbox = false" } else { it });
    fs::write(&file, lines.collect::<Vec<_>>().join("\n")).unwrap();
    assert_eq!(desk.post("/api/settings/reload", &json!({})).await.status, 200);
    let details = desk.get("/api/mcp/fake").await.json();
    assert_eq!(details["state"], "ready", "{details}");
    // None of its tools is offered before somebody looked.
    assert!(!names(&desk).await.iter().any(|it| it.starts_with("fake__")));
    let mut other = shown(&details);
    other["tools"]["echo"] = "00".into();
    let refused = desk.post("/api/mcp/fake/approve", &other).await;
    assert_eq!(refused.status, 409, "{}", refused.text());
    let approved = desk.post("/api/mcp/fake/approve", &shown(&details)).await.json();
    assert_eq!(approved["approved"], approved["tools"], "{approved}");
    assert!(names(&desk).await.contains(&"fake__echo".to_owned()));
    let call = json!({"arguments": {"text": "from afar"}, "task": "general"});
    let called = desk.post("/api/tools/fake__echo/call", &call).await;
    assert!(called.text().contains("from afar"), "{}", called.text());
    let told = desk.get("/api/tools?task=general").await.json();
    let tools = told["tools"].as_array().unwrap();
    let echo = tools.iter().find(|it| it["name"] == "fake__echo").unwrap();
    assert_eq!((&echo["origin"], &echo["source"]), (&json!("mcp"), &json!("fake")), "{echo}");

    // What it says of a tool from now on is another: that tool is withheld until somebody looked at what changed.
    desk.post("/api/tools/fake__change/call", &json!({"task": "general"})).await;
    let changed = loop {
        let details = desk.get("/api/mcp/fake").await.json();
        if details["approved"] != details["tools"] {
            break details;
        }
        tokio::task::yield_now().await;
    };
    let listed = changed["listed"].as_array().unwrap();
    let echo = listed.iter().find(|it| it["name"] == "echo").unwrap();
    assert_eq!(echo["state"], "changed", "{echo}");
    assert_eq!(echo["approved"]["description"], "Says it back.", "{echo}");
    assert!(echo["definition"]["description"].as_str().unwrap().contains(".ssh"), "{echo}");
    assert!(!names(&desk).await.contains(&"fake__echo".to_owned()));
    let stale = desk.post("/api/mcp/fake/approve", &shown(&details)).await;
    assert_eq!(stale.status, 409, "{}", stale.text());

    let gone = ask(desk.address, &Request::new("DELETE", "/api/mcp/fake")).await;
    assert_eq!(gone.status, 204, "{}", gone.text());
    assert!(!fs::read_to_string(&file).unwrap().contains("fake"));
    assert!(!names(&desk).await.iter().any(|it| it.starts_with("fake__")));
    let gone = ask(desk.address, &Request::new("DELETE", "/api/mcp/fake")).await;
    assert_eq!(gone.status, 404);
    // Added again, it is approved again.
    let again = desk.post("/api/mcp", &new(&folder, &script)).await.json();
    assert_eq!(again["approved"], 0, "{again}");
}

/// What counts is what the file says that is changed, and not what the server read last.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_somebody_wrote_by_hand_stays() {
    let desk = Desk::demo().await;
    let file = desk.folder.path().join("toolwright.toml");
    let by_hand =
        "\n[mcp.byhand] # mine\ncommand = \"python3\"\nargs = [\"a.py\"]\nenabled = false\n";
    let text = fs::read_to_string(&file).unwrap() + by_hand;
    fs::write(&file, &text).unwrap();
    let new = json!({"name": "byhand", "command": "/bin/true"});
    let refused = desk.post("/api/mcp", &new).await;
    assert_eq!((refused.status, refused.code().as_str()), (409, "conflict"), "{}", refused.text());
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    // And what is not there any more is in nobody's way.
    assert_eq!(desk.post("/api/settings/reload", &json!({})).await.status, 200);
    fs::write(&file, text.replace(by_hand, "")).unwrap();
    let gone = ask(desk.address, &Request::new("DELETE", "/api/mcp/byhand")).await;
    assert_eq!(gone.status, 404, "{}", gone.text());
    let added = desk.post("/api/mcp", &new).await;
    assert_eq!(added.status, 200, "{}", added.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_a_server_changes_nothing_and_not_everybody_may_add_one() {
    let desk = Desk::demo().await;
    let file = desk.folder.path().join("toolwright.toml");
    let before = fs::read_to_string(&file).unwrap();
    for wrong in [
        json!({"name": "x"}),
        json!({"name": "x", "command": "a", "url": "https://b.example"}),
        json!({"name": "x__y", "command": "a"}),
        json!({"name": "", "command": "a"}),
        json!({"name": "x", "command": "a", "sandbox": false}),
        // Keys to models are for their providers.
        json!({"name": "x", "url": "https://b.example", "headers": {"X": "a ${OPENAI_API_KEY}"}}),
        json!({"name": "x", "url": "https://b.example/${env:ANTHROPIC_API_KEY}"}),
        json!({"name": "x", "command": "a", "env": {"K": "${TOOLWRIGHT_TOKEN:-b}"}}),
        json!({"name": "x", "command": "a", "args": ["${GEMINI_API_KEY}"]}),
    ] {
        let answer = desk.post("/api/mcp", &wrong).await;
        assert_eq!(answer.status, 422, "{wrong}: {}", answer.text());
        assert_eq!(fs::read_to_string(&file).unwrap(), before, "{wrong}");
    }
    let setup = Setup { manage: ManageMode::No, ..Setup::default() };
    let desk = Desk::start(setup, None).await;
    let new = json!({"name": "x", "command": "/bin/true"});
    for request in [
        Request::new("POST", "/api/mcp").json(&new),
        Request::new("POST", "/api/mcp/x/approve").json(&json!({"tools": {}})),
        Request::new("DELETE", "/api/mcp/x"),
    ] {
        let answer = ask(desk.address, &request).await;
        assert_eq!((answer.status, answer.code().as_str()), (403, "unmanaged"));
    }
    assert_eq!(desk.get("/api/mcp").await.status, 200);
}
