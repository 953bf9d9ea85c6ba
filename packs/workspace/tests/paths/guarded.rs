//! What is changed only when somebody looked, and what is not seen at all.

use serde_json::json;
use toolwright_core::{PreviewContent, RuleTarget, RuleTargets};

use crate::support::World;

fn cares(world: &World, path: &str) -> Option<String> {
    let write = json!({"file_path": path, "content": "x", "overwrite": true});
    let edit = json!({"file_path": path, "old_string": "a", "new_string": "b"});
    let care = world.propose("write", &write).review_reason;
    assert_eq!(care, world.propose("edit", &edit).review_reason);
    care
}

#[test]
fn p18_what_decides_what_runs_needs_a_look() {
    let world = World::with(|settings| settings.protected.push(settings.root.join("deploy")));
    world.put(".git/hooks/pre-commit", "a");
    world.put("src/main.rs", "a");
    world.link(".git/hooks", "innocent");
    world.link("../.git/config", "src/settings");
    world.link("docs.md", "CLAUDE.md");
    world.link("CLAUDE.md", "innocent.md");
    world.link("cur", ".cursor");
    world.put("docs.md", "a");
    world.put("cur/rules.md", "a");
    for path in [
        "CLAUDE.md",
        "innocent.md",
        ".cursor/rules.md",
        ".cursor/new.md",
        ".git/hooks/pre-commit",
        ".git/hooks/new",
        ".git/config",
        "sub/module/.git/config",
        ".GIT/config",
        "src/../.git/config",
        "innocent/pre-commit",
        "innocent/new",
        "src/settings",
        ".toolwright/rules",
        ".mcp.json",
        ".vscode/tasks.json",
        ".vscode/launch.json",
        "toolwright.toml",
        "AGENTS.md",
        "sub/CLAUDE.md",
        ".cursorrules",
        ".github/copilot-instructions.md",
        "deploy/run.sh",
    ] {
        assert!(cares(&world, path).is_some(), "{path}");
    }
    for path in ["src/main.rs", "README.md", ".gitignore", "deployed.sh", "../x", "/etc/passwd"] {
        assert_eq!(cares(&world, path), None, "{path}");
    }
    // By another name it is the same file.
    world.put("deploy/run.sh", "a");
    std::fs::hard_link(world.at("deploy/run.sh"), world.at("run.sh")).unwrap();
    assert!(cares(&world, "run.sh").is_some());
}

/// Git takes any folder with these in it for a repository, whatever it is called: whichever of them comes
/// last makes it one.
#[test]
fn what_makes_a_folder_a_repository_needs_a_look() {
    let parts = ["HEAD", "objects/x", "refs/x"];
    for last in parts {
        let world = World::new();
        for part in parts.iter().filter(|it| **it != last) {
            assert_eq!(cares(&world, &format!("e/{part}")), None, "{part}");
            world.put(&format!("e/{part}"), "x");
        }
        assert_eq!(cares(&world, "e/config"), None, "it is no repository yet");
        assert!(cares(&world, &format!("e/{last}")).is_some(), "{last}");
        world.put(&format!("e/{last}"), "x");
        for path in ["e/config", "e/hooks/pre-commit", "e/info/attributes", "e/modules/m/hooks/x"] {
            let wanted = !path.contains("modules");
            assert_eq!(cares(&world, path).is_some(), wanted, "{path}");
        }
        for path in ["e/HEAD", "e/objects/new", "f/config"] {
            assert_eq!(cares(&world, path), None, "{path}");
        }
    }
    let world = World::new();
    world.put("e/commondir", "../.git");
    assert!(cares(&world, "e/HEAD").is_some());
}

/// The rule is that of commands: not only names steer.
#[test]
fn what_steering_things_lead_to_needs_a_look() {
    let world = World::new();
    world.put(
        ".git/config",
        "[include]\n\tpath = ../gitcfg\n[core]\n\thooksPath = hooksdir\n\tfsmonitor = \"sh tools/mon.sh\"\n\
         [include]\n\tpath = ../later # for now\n[branch \"main\"]\n\tmerge = refs/heads/main\n",
    );
    for path in ["gitcfg", "tools/mon.sh", "docs/rules.md", "conf/tasks.json", "refs/heads/main"] {
        world.put(path, "a");
    }
    world.link("docs/rules.md", "AGENTS.md");
    world.link("docs/later.md", "GEMINI.md");
    world.link("conf", ".vscode");
    world.put(".cursor/rule.md", "a");
    std::fs::hard_link(world.at(".cursor/rule.md"), world.at("innocent.md")).unwrap();
    for path in [
        "gitcfg",
        "later",
        "hooksdir/pre-commit",
        "tools/mon.sh",
        "docs/rules.md",
        "docs/later.md",
        "conf/tasks.json",
        "conf/new.json",
        "innocent.md",
    ] {
        assert!(cares(&world, path).is_some(), "{path}");
    }
    for path in ["tools/other.sh", "docs/README.md", "refs/heads/main", "hooks/pre-commit"] {
        assert_eq!(cares(&world, path), None, "{path}");
    }
}

/// What commands may not change, because something that steers leads there, file tools ask about, too.
#[test]
fn what_other_programs_are_led_to_needs_a_look() {
    let world = World::new();
    for (path, content) in [
        (".git/config", "[core]\n\thooksPath = tools/hooks\n[include]\n\tpath = ../more.ini\n"),
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("tools/hooks/pre-commit", "a"),
        ("more.ini", "[core]\n\thooksPath = not/yet\n"),
        ("sub/.git/config", "[core]\n\thooksPath = git-hooks\n"),
        ("docs/agents-text.md", "a"),
        ("bare/HEAD", "ref: refs/heads/main\n"),
        ("bare/objects/x", ""),
        ("bare/refs/x", ""),
        ("src/main.rs", "a"),
    ] {
        world.put(path, content);
    }
    world.link("docs/agents-text.md", "AGENTS.md");
    world.link("docs/none.md", "CLAUDE.md");
    world.link("tools", "by-link");
    for path in [
        "tools/hooks/pre-commit",
        "tools/hooks/new",
        "by-link/hooks/pre-commit",
        "more.ini",
        "not/yet/pre-commit",
        "sub/git-hooks/pre-push",
        "docs/agents-text.md",
        "docs/none.md",
        "bare/config",
        "bare/hooks/post-update",
    ] {
        assert!(cares(&world, path).is_some(), "{path}");
    }
    for path in
        ["tools/other", "src/main.rs", "docs/other.md", "git-hooks/x", "bare/refs/y", "not/x"]
    {
        assert_eq!(cares(&world, path), None, "{path}");
    }
}

/// Settings that are too long to be looked through may name anything.
#[test]
fn settings_that_cannot_be_read_to_their_end_hide_nothing() {
    let world = World::new();
    let long = format!("{}[include]\n\tpath = ../hidden\n", "# filler\n".repeat(200_000));
    world.put(".git/config", &long);
    world.put(".git/HEAD", "ref: refs/heads/main\n");
    assert!(cares(&world, "hidden").is_some());
}

/// What cannot be shown whole is not shown in part: the arguments are, and somebody has to look.
#[test]
fn a_change_that_is_too_long_to_be_shown_is_not_shown_in_part() {
    let world = World::new();
    for (lines, is_shown) in [(19_000, true), (21_000, false)] {
        let write = json!({"file_path": "new.txt", "content": "x\n".repeat(lines)});
        let preview = world.propose("write", &write);
        assert_eq!(
            (preview.content.is_some(), preview.review_reason.is_none()),
            (is_shown, is_shown)
        );
    }
}

#[test]
fn what_is_hidden_is_neither_seen_nor_changed() {
    let world = World::with(|settings| settings.hidden.push(settings.root.join("data")));
    world.put("data/store.db", "one SECRET");
    world.link("data", "innocent");
    for path in ["data/store.db", "innocent/store.db", "data/new", "src/../data/store.db", "data"] {
        world.put("src/main.rs", "");
        world.refuses(path, "where Toolwright keeps its own data");
    }
    assert_eq!(world.read("data/store.db"), "one SECRET");
    // Nor is it told of to whoever looks for a file of that name.
    let error = world.show("store.db").unwrap_err();
    assert!(!error.contains("data/store.db"), "{error}");
}

#[test]
fn notes_inside_of_the_workspace_are_hidden_and_a_hidden_workspace_is_refused() {
    let world = World::with(|settings| settings.scratch = settings.root.join("notes"));
    assert!(world.show("notes").unwrap_err().contains("keeps its own data"));
    let mut settings = crate::support::settings(world.dir.path());
    settings.hidden.push(world.dir.path().to_owned());
    assert!(toolwright_workspace::Workspace::open(settings).is_err());
}

#[test]
fn a_proposal_tells_place_path_and_difference() {
    let world = World::new();
    world.put("src/a.txt", "one\n");
    world.link("src", "short");
    let arguments = json!({"file_path": "short/a.txt", "old_string": "one", "new_string": "two"});
    let preview = world.propose("edit", &arguments);
    assert_eq!(preview.place, Some(world.workspace.path().display().to_string()));
    assert_eq!(preview.targets, RuleTargets::These(vec![RuleTarget::new("src/a.txt")]));
    assert_eq!(preview.always, ["*"]);
    assert_eq!(preview.review_reason, None);
    let diff = "--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1 +1 @@\n-one\n+two\n";
    assert_eq!(preview.content, Some(PreviewContent::Diff(diff.to_owned())));
    assert_eq!(world.propose("edit", &arguments), preview);
    let new = world.propose("write", &json!({"file_path": "b/c.txt", "content": "x\n"}));
    let diff = "--- /dev/null\n+++ b/b/c.txt\n@@ -0,0 +1 @@\n+x\n";
    assert_eq!(new.content, Some(PreviewContent::Diff(diff.to_owned())));
    assert_eq!(new.targets, RuleTargets::These(vec![RuleTarget::new("b/c.txt")]));
    let failing =
        world.propose("edit", &json!({"file_path": "../x", "old_string": "a", "new_string": "b"}));
    assert_eq!(failing.content, None);
    // Nothing was done by asking.
    assert_eq!(world.read("src/a.txt"), "one\n");
    assert!(!world.at("b").exists());
}
