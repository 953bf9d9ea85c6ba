//! What steers other programs, at any depth and however it is made.

use std::{fs, os::unix::fs::symlink, process::Command, sync::Arc};

use serde_json::json;
use toolwright_core::RunContext;
use toolwright_testkit::{as_nobody, is_root};
use toolwright_workspace::{Helper, Settings, Workspace};

use crate::support::{Yard, give, helper, until};

/// The same tests, by somebody who may not rename what a command closed.
#[test]
fn the_same_holds_for_an_ordinary_user() {
    if !is_root() {
        return;
    }
    let tests = ["steering::", "--skip", "ordinary_user", "--test-threads", "2"];
    let done = as_nobody(std::env::current_exe().unwrap()).args(tests).output().unwrap();
    let out = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && out.contains("11 passed"), "{out}");
}

#[tokio::test]
async fn nothing_new_is_left_that_steers_other_programs() {
    for (make, name) in [
        ("mkdir -p a/b; echo x > a/b/.mcp.json", "a/b/.mcp.json"),
        ("mkdir -p a/.vscode; echo x > a/.vscode/tasks.json", "a/.vscode"),
        ("mkdir -p a/.VSCODE", "a/.VSCODE"),
        ("mkdir a; echo x > a/Agents.md", "a/Agents.md"),
        ("mkdir -p t/.cursor/rules; mv t u", "u/.cursor"),
        ("mkdir t; echo x > t/f; ln t/f t/CLAUDE.md", "t/CLAUDE.md"),
        ("echo x > f; ln -s f .cursorrules", ".cursorrules"),
        (
            "mkdir -p p/.github; echo x > p/.github/copilot-instructions.md",
            "p/.github/copilot-instructions.md",
        ),
        ("echo x > .envrc", ".envrc"),
        ("mkdir -p a/.direnv/bin", "a/.direnv"),
        ("mkdir .husky; echo x > .husky/pre-commit", ".husky"),
        ("mkdir .githooks; echo x > .githooks/pre-commit", ".githooks"),
        ("mkdir .hg; echo x > .hg/hgrc", ".hg/hgrc"),
        ("mkdir -p a/.jj/repo; echo x > a/.jj/repo/config.toml", "a/.jj/repo"),
        ("echo x > my.code-workspace", "my.code-workspace"),
        ("mkdir s; echo 'gitdir: ../other' > s/.git", "s/.git"),
        ("mkdir -p n/.git; echo x > n/.git/config", "n/.git/config"),
        ("mkdir -p n/.git; echo x > n/.git/config.worktree", "n/.git/config.worktree"),
        (
            "mkdir -p d/objects d/refs; echo 'ref: refs/heads/a' > d/HEAD; echo x > d/config",
            "d/config",
        ),
        ("mkdir d; echo 'ref: refs/heads/a' > d/HEAD; echo .. > d/commondir", "d/commondir"),
        ("git init -q --bare b; echo x > b/hooks/post-update", "b/hooks"),
        (
            "git init -q .; cd .git/objects; mkdir -p e/objects e/refs; echo x > e/HEAD; echo x > e/config",
            ".git/objects/e/config",
        ),
        ("git init -q .; mkdir -p .git/objects/x/.vscode", ".git/objects/x/.vscode"),
        ("echo x > .gdbinit", ".gdbinit"),
        ("mkdir -p a/.idea; chmod 000 .", "a/.idea"),
        ("echo x > .mcp.json; chmod 555 .", ".mcp.json"),
        ("mkdir -p c/.idea; chmod 500 c/.idea; chmod 555 c", "c/.idea"),
    ] {
        let yard = Yard::new();
        let said = yard.works(make).await;
        assert!(said.contains(&format!("[{name} was renamed to {name}.held")), "{make}: {said}");
        assert!(!yard.has(name), "{make}");
        yard.works("chmod -R u+rwX .").await;
    }
    // A folder that cannot be looked into is not taken for an empty one.
    for mode in ["000", "400", "100"] {
        let yard = Yard::new();
        yard.works(&format!("mkdir -p c/d; echo x > c/d/.mcp.json; chmod {mode} c")).await;
        assert!(!yard.has("c/d/.mcp.json"), "{mode}");
        // What was put aside that way is not for commands to open again.
        yard.fails("chmod -R u+rwX c.held || chmod -R u+rwX c.held/d").await;
        Command::new("chmod").args(["-R", "u+rwX"]).arg(yard.root()).status().unwrap();
    }
}

/// A tree so deep that no path names its end keeps nothing else from being seen, and commands still run.
#[tokio::test]
async fn a_tree_too_deep_to_look_into_covers_for_nothing() {
    let yard = Yard::new();
    let deep =
        "n=$(printf 'd%.0s' $(seq 200)); for i in $(seq 30); do mkdir $n && cd $n || break; done";
    let said = yard.works(&format!("mkdir .vscode; echo x > .vscode/tasks.json; {deep}")).await;
    assert!(said.contains("[.vscode was renamed to .vscode.held"), "{said}");
    assert!(!yard.has(".vscode"));
    yard.works("echo x > made; mkdir -p a/.idea").await;
    assert!(yard.has("made") && yard.has("a/.idea.held") && !yard.has("a/.idea"));
    assert!(yard.works("ls").await.contains("made"));
}

#[tokio::test]
async fn what_is_there_at_any_depth_stays_as_it_is() {
    let yard = Yard::new();
    let all =
        ["a/b/AGENTS.md", "a/.vscode/settings.json", "c/.git/config", "c/.git/hooks/x", "d/config"];
    for name in all.iter().chain(&["c/.git/HEAD", "d/HEAD", "d/objects/x", "d/refs/x"]) {
        yard.put(name, "mine\n");
    }
    for name in all {
        assert!(yard.works(&format!("cat {name}")).await.starts_with("mine\n"));
        yard.fails(&format!("echo evil > {name}")).await;
        yard.fails(&format!("rm -f {name}")).await;
        yard.fails(&format!("echo evil > new; mv -f new {name}")).await;
        yard.fails(&format!("ln {name} other && echo evil > other")).await;
    }
    for folder in ["a", "a/b", "a/.vscode", "c", "c/.git", "d"] {
        yard.fails(&format!("mv {folder} elsewhere")).await;
    }
    for name in all {
        assert_eq!(yard.read(name), "mine\n");
    }
    yard.works(
        "echo x > a/b/other; echo x > c/.git/index; echo x > c/.git/HEAD; mkdir -p c/.git/refs/y",
    )
    .await;
}

/// The file has another name that is not guarded: what was written through it does not stay.
#[tokio::test]
async fn a_second_name_of_a_file_leads_nowhere() {
    let yard = Yard::new();
    yard.put("a/AGENTS.md", "mine\n");
    fs::hard_link(yard.root().join("a/AGENTS.md"), yard.root().join("notes.md")).unwrap();
    let said = yard.works("echo evil > notes.md").await;
    assert!(said.contains("[a/AGENTS.md was renamed to a/AGENTS.md.held"), "{said}");
    assert!(!yard.has("a/AGENTS.md"));
}

/// Two processes work in one folder. One makes a file, and ends; the other, which found the file when
/// it began, makes it again.
#[tokio::test(flavor = "multi_thread")]
async fn commands_at_once_do_not_cover_for_each_other() {
    let yard = Yard::new();
    let mut settings = Settings::new(yard.root(), yard.outside.path().join("scratch"));
    settings.helper = Helper::At(helper());
    let other = Workspace::open(settings).unwrap().tools();
    let other = other.into_iter().find(|tool| tool.spec().name == "bash").unwrap();
    let first = yard.run("echo x > .mcp.json; until [ -e begun ]; do sleep 0.01; done");
    let second = async {
        assert!(until(|| yard.has(".mcp.json")).await);
        let command =
            "touch begun; while [ -e .mcp.json ]; do sleep 0.01; done; echo y > .mcp.json";
        other.call(Arc::new(json!({"command": command})), &RunContext::new()).await
    };
    let (first, second) = tokio::join!(first, second);
    first.unwrap();
    second.unwrap();
    assert!(!yard.has(".mcp.json"));
    assert!(yard.has(".mcp.json.held"));
}

#[tokio::test]
async fn a_repository_is_worked_in_and_not_steered() {
    let yard = Yard::new();
    let me = "git -c user.name=a -c user.email=a@example.com";
    Command::new("git").args(["init", "-q"]).arg(yard.root()).status().unwrap();
    give(&yard.root());
    let said = yard
        .works(&format!(
            "echo 1 > a && git add a && {me} commit -qm one && echo 2 > a && {me} stash -q && \
             git stash pop -q && {me} commit -qam two && git checkout -qb other HEAD~1 && \
             echo 3 > b && git add b && {me} commit -qm three && {me} merge -q -m four master main 2>/dev/null; \
             git tag t && {me} rebase -q HEAD && git reset -q --hard HEAD && git gc -q && git status --short"
        ))
        .await;
    assert!(!said.contains("renamed"), "{said}");
    for attempt in [
        "git config core.fsmonitor evil",
        "git config --worktree core.fsmonitor evil",
        "git remote add evil x",
        "mv .git x; mkdir .git",
        "echo x > .git/info/attributes",
        "echo x > .git/hooks/post-checkout",
    ] {
        yard.fails(attempt).await;
    }
    let said = yard.works("echo .. > .git/commondir").await;
    assert!(said.contains("[.git/commondir was renamed"), "{said}");
}

/// A folder in the place of the workspace is neither read nor written.
#[tokio::test]
async fn a_workspace_that_was_replaced_is_said_so_by_every_tool() {
    let yard = Yard::new();
    yard.put("a", "one\n");
    let mut settings = Settings::new(yard.root(), yard.outside.path().join("scratch"));
    settings.helper = Helper::At(helper());
    let tools = Workspace::open(settings).unwrap().tools();
    let moved = yard.outside.path().join("moved");
    let calls = [
        ("show", json!({"file_path": "a"})),
        ("edit", json!({"file_path": "a", "old_string": "one", "new_string": "two"})),
        ("write", json!({"file_path": "b", "content": "x"})),
        ("list", json!({})),
        ("search", json!({"pattern": "one"})),
        ("bash", json!({"command": "cat a; echo x > made"})),
    ];
    fs::rename(yard.root(), &moved).unwrap();
    for other in ["none", "folder", "link"] {
        match other {
            "folder" => {
                fs::create_dir(yard.root()).unwrap();
                fs::write(yard.root().join("a"), "theirs").unwrap();
            }
            "link" => {
                fs::remove_dir_all(yard.root()).unwrap();
                symlink(&moved, yard.root()).unwrap();
            }
            _ => {}
        }
        for (name, arguments) in &calls {
            let tool = tools.iter().find(|tool| tool.spec().name == *name).unwrap();
            let said = tool.call(Arc::new(arguments.clone()), &RunContext::new()).await;
            let said = said.unwrap_err().message().to_owned();
            assert!(said.contains("is not the folder any more"), "{other}, {name}: {said}");
        }
    }
    assert_eq!(fs::read_to_string(moved.join("a")).unwrap(), "one\n");
    assert!(!moved.join("made").exists() && !moved.join("b").exists());
}

/// The program that puts up the walls may lie in the workspace: whoever builds it works there.
#[tokio::test]
async fn the_program_that_puts_up_the_walls_is_not_replaced() {
    let yard = Yard::with(|settings| {
        let own = settings.root.join("target/door");
        fs::create_dir(own.parent().unwrap()).unwrap();
        fs::copy(helper(), &own).unwrap();
        settings.helper = Helper::At(own);
        give(&settings.root);
    });
    for attempt in [
        "cp /usr/bin/true target/new; mv -f target/new target/door",
        "cp /usr/bin/true target/door",
        "rm -f target/door",
        "mv target elsewhere",
    ] {
        yard.fails(attempt).await;
    }
    yard.works("echo x > made").await;
    let door = yard.root().join("target/door");
    fs::remove_file(&door).unwrap();
    fs::copy("/usr/bin/true", &door).unwrap();
    for command in ["echo x > more", "ls"] {
        let told = yard.fails(command).await;
        assert!(told.contains("own program was replaced while it ran"), "{told}");
    }
    assert!(!yard.has("more"));
}

/// However many there are: all of them stay, or no command runs.
#[tokio::test]
async fn many_files_that_steer_are_all_guarded_or_nothing_runs() {
    let yard = Yard::new();
    let name = |at: usize| format!("a/{at:05}/AGENTS.md");
    let make = |from: usize, to: usize| {
        for path in (from..to).map(|at| yard.root().join(name(at))) {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "mine\n").unwrap();
        }
        give(&yard.root());
    };
    make(0, 300);
    yard.fails("rm -f a/*/AGENTS.md").await;
    yard.fails("echo evil > a/00299/AGENTS.md").await;
    assert!((0..300).all(|at| yard.read(&name(at)) == "mine\n"));
    make(300, 2000);
    let told = yard.fails("echo x > made").await;
    assert!(told.contains("2000 files and folders that steer other programs"), "{told}");
    assert!(!yard.has("made"));
}

/// A workspace may come with links in the place of what steers: nothing on their way is changed.
#[tokio::test]
async fn what_a_link_leads_to_is_guarded_with_all_on_the_way() {
    for (links, make, held) in [
        (&[(".idea", "build/idea")][..], "mkdir -p build/idea; echo x > build/other", "build/idea"),
        (&[("AGENTS.md", "docs/x.md")], "mkdir docs; echo x > docs/x.md", "docs/x.md"),
        (
            &[("CLAUDE.md", "a.md"), ("a.md", "b.md")],
            "ln -sfn evil.md a.md; echo x > evil.md",
            "a.md",
        ),
        (&[(".claude/s.json", "../src/s.json")], "mkdir src; echo x > src/s.json", "src/s.json"),
        (&[(".claude", "x/y"), ("x", "z")], "mkdir z; mkdir -p z/y", "z/y"),
    ] {
        let yard = Yard::new();
        yard.put("b.md", "mine\n");
        for (name, to) in links {
            fs::create_dir_all(yard.root().join(name).parent().unwrap()).unwrap();
            symlink(to, yard.root().join(name)).unwrap();
        }
        give(&yard.root());
        let said = yard.works(make).await;
        assert!(said.contains(&format!("[{held} was renamed to {held}.held")), "{make}: {said}");
        assert_eq!(said.matches("was renamed").count(), 1, "{make}: {said}");
    }
    let yard = Yard::new();
    for name in ["b.md", "src/set.json", "hooks/pre-commit"] {
        yard.put(name, "mine\n");
    }
    yard.put(".claude/x", "");
    yard.put(".git/config", "[core]\n\thooksPath = hooks\n[include]\n\tpath = ../more\n");
    for (name, to) in
        [("CLAUDE.md", "a.md"), ("a.md", "b.md"), (".claude/s.json", "../src/set.json")]
    {
        symlink(to, yard.root().join(name)).unwrap();
    }
    give(&yard.root());
    for name in ["b.md", "src/set.json", "hooks/pre-commit", "hooks/new"] {
        yard.fails(&format!("echo evil > {name}")).await;
    }
    yard.fails("mv src elsewhere").await;
    let said = yard.works("echo x > more").await;
    assert!(said.contains("[more was renamed to more.held"), "{said}");
    // A new link is put aside, and not what it leads to.
    let said = yard.works("echo x > plain; ln -s plain GEMINI.md; ln -s . .vscode").await;
    assert!(said.matches("was renamed").count() == 2 && yard.has("plain"), "{said}");
    // Nor is what new settings name.
    let said = yard
        .works("mkdir -p n/.git kept; printf '[core]\\nhooksPath = ../kept\\n' > n/.git/config")
        .await;
    assert!(said.matches("was renamed").count() == 1 && yard.has("kept"), "{said}");
    let said = yard.works("rm a.md").await;
    assert!(said.contains("[a.md is gone"), "{said}");
    yard.put("n/.git/config", "[core]\n\thooksPath = ..\n");
    let told = yard.fails("echo x > pre-commit").await;
    assert!(told.contains("n/.git/config steers other programs, and it leads to"), "{told}");
    fs::remove_file(yard.root().join("n/.git/config")).unwrap();
    symlink(".", yard.root().join(".vscode")).unwrap();
    let told = yard.fails("echo x > tasks.json").await;
    assert!(told.contains(".vscode steers other programs, and it leads to the whole"), "{told}");
}

#[tokio::test]
async fn a_second_name_of_a_file_in_a_steering_folder_leads_nowhere() {
    let yard = Yard::new();
    yard.put(".vscode/tasks.json", "mine\n");
    fs::hard_link(yard.root().join(".vscode/tasks.json"), yard.root().join("copy.json")).unwrap();
    let said = yard.works("echo evil > copy.json").await;
    assert!(said.contains("[.vscode/tasks.json was renamed to .vscode/tasks.json.held"), "{said}");
}
