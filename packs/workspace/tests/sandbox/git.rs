//! What a command cannot change in the workspace: what decides what other programs run.

use std::{fs, os::unix::fs::symlink};

use crate::support::Yard;

const ME: &str = "git -c user.name=a -c user.email=a@example.com";

fn repository() -> Yard {
    let yard = Yard::new();
    yard.git(&["init", "-q"]);
    yard
}

#[tokio::test]
async fn commits_work() {
    let yard = repository();
    yard.put("a", "one\n");
    let said = yard
        .works(&format!(
            "git add -A && {ME} commit -qm one && git checkout -qb other && echo two >> a && \
             {ME} commit -qam two && git log --oneline | wc -l && git stash list && git status --short"
        ))
        .await;
    assert!(said.starts_with("2\n[exit 0"), "{said}");
}

#[tokio::test]
async fn hooks_and_settings_of_git_cannot_be_changed() {
    let yard = repository();
    let config = yard.read(".git/config");
    for attempt in [
        "echo x > .git/hooks/pre-commit",
        "ln -s ../../evil .git/hooks/post-checkout",
        "mv .git/hooks .git/old",
        "rm -rf .git/hooks",
        "rmdir .git/hooks",
        "git config core.hooksPath evil",
        "echo x >> .git/config",
        "echo x > .git/new; mv .git/new .git/config",
        "ln -f .git/HEAD .git/config",
        "mv .git elsewhere",
        "rm -rf .git",
        "ln .git/config copy && echo x >> copy",
        "echo x > .git/info/attributes",
    ] {
        yard.fails(attempt).await;
    }
    assert_eq!(yard.read(".git/config"), config);
    assert!(!yard.has(".git/hooks/pre-commit") && !yard.has("elsewhere"));
}

#[tokio::test]
async fn what_decides_what_runs_is_put_aside_when_a_command_makes_it() {
    let yard = repository();
    for (name, make) in [
        (".mcp.json", "echo evil > .mcp.json"),
        (".vscode", "mkdir .vscode; echo evil > .vscode/tasks.json"),
        (".toolwright", "mkdir -p .toolwright; echo evil > .toolwright/rules.toml"),
        ("toolwright.toml", "echo evil > t; mv t toolwright.toml"),
        (".git/config.worktree", "echo evil > .git/config.worktree"),
        (
            ".git/modules/x/config",
            "cd .git; mkdir -p modules/x/objects modules/x/refs; cp HEAD modules/x; echo x > modules/x/config",
        ),
    ] {
        let said = yard.works(make).await;
        let line =
            format!("[{name} was renamed to {name}.held: it decides what other programs run");
        assert!(said.contains(&line), "{said}");
        assert!(!yard.has(name) && yard.has(&format!("{name}.held")), "{name}");
    }
    // What was put aside before stays as it is.
    let said = yard.works("echo again > .mcp.json").await;
    assert!(said.contains("[.mcp.json was renamed to .mcp.json.held-"), "{said}");
    assert_eq!(yard.read(".mcp.json.held"), "evil\n");
    assert!(!yard.has(".mcp.json"));
}

#[tokio::test]
async fn what_was_there_can_be_read_and_not_changed() {
    let yard = Yard::with(|settings| settings.protected = vec!["deploy/keys".into()]);
    let all =
        [".mcp.json", ".vscode/tasks.json", "toolwright.toml", ".toolwright/a", "deploy/keys/a"];
    for name in all {
        yard.put(name, "mine\n");
    }
    for name in all {
        let said = yard.works(&format!("cat {name}")).await;
        assert!(said.starts_with("mine\n[exit 0"), "{said}");
        yard.fails(&format!("echo evil > {name}")).await;
        yard.fails(&format!("rm -f {name}")).await;
        yard.fails(&format!("echo evil > new; mv -f new {name}")).await;
    }
    for folder in [".vscode", ".toolwright", "deploy", "deploy/keys"] {
        yard.fails(&format!("mv {folder} elsewhere")).await;
    }
    yard.fails("echo x > .vscode/settings.json").await;
    yard.works("echo x > deploy/other").await;
    for name in all {
        assert_eq!(yard.read(name), "mine\n");
    }
}

#[tokio::test]
async fn links_do_not_lead_the_way_around() {
    let yard = Yard::new();
    let outside = yard.outside.path().join("repository");
    fs::create_dir_all(outside.join("hooks")).unwrap();
    fs::write(outside.join("config"), "theirs").unwrap();
    // A link made by a command, to what only the server can see.
    let said = yard.works(&format!("ln -s {} .git", outside.display())).await;
    assert!(said.contains("[.git was renamed to .git.held"), "{said}");
    assert_eq!(fs::read_to_string(outside.join("config")).unwrap(), "theirs");
    // A link that was there, to something in the workspace.
    yard.put("real/hooks/a", "");
    yard.put("real/config", "mine");
    symlink("real", yard.root().join(".git")).unwrap();
    yard.fails("echo x > .git/hooks/pre-commit").await;
    yard.fails("echo x > real/config").await;
    yard.fails("mv real other").await;
    // Another one in its place.
    let said = yard.works("mkdir evil; ln -sfn evil .git").await;
    assert!(said.contains("[.git was renamed to .git.held-"), "{said}");
}

#[tokio::test]
async fn a_repository_that_a_command_makes_has_no_hooks_of_its_own() {
    let yard = Yard::new();
    let said = yard.works("git init -q . && echo x > .git/hooks/pre-commit").await;
    assert!(said.contains("[.git/hooks was renamed to .git/hooks.held"), "{said}");
    yard.put("a", "one\n");
    yard.works(&format!("git add a && {ME} commit -qm one && git status")).await;
    assert!(!yard.has(".git/hooks"));
}

/// Whoever goes on with a rebase runs the steps that are written down there.
#[tokio::test]
async fn the_steps_of_a_rebase_are_not_for_commands_to_write() {
    let yard = repository();
    for name in ["rebase-merge", "rebase-apply", "sequencer"] {
        let said =
            yard.works(&format!("mkdir .git/{name}; echo 'exec evil' > .git/{name}/t")).await;
        let line = format!("[.git/{name} was renamed to .git/{name}.held");
        assert!(said.contains(&line) && !yard.has(&format!(".git/{name}")), "{said}");
        let steps = format!(".git/{name}/git-rebase-todo");
        yard.put(&steps, "pick 1\n");
        for attempt in ["echo exec evil >>", "rm -f", "touch x; mv x"] {
            yard.fails(&format!("{attempt} {steps}")).await;
        }
        yard.fails(&format!("mv .git/{name} .git/other")).await;
        assert_eq!(yard.read(&steps), "pick 1\n");
        fs::remove_dir_all(yard.root().join(".git").join(name)).unwrap();
    }
    // One that goes through leaves nothing; one that stops says what became of it.
    let begin = format!(
        "echo 1 > a; git add a; {ME} commit -qm one; git branch other; echo 2 > a; {ME} commit -qam two; \
         git checkout -q other; echo 3 > b; git add b; {ME} commit -qm three"
    );
    let said = yard.works(&format!("{begin}; {ME} rebase -q -")).await;
    assert!(!said.contains("renamed"), "{said}");
    let stop = format!("git checkout -qb third HEAD~2; echo 4 > a; {ME} commit -qam four");
    let told = yard.fails(&format!("{stop}; {ME} rebase -q other")).await;
    assert!(told.contains("[.git/rebase-merge was renamed to .git/rebase-merge.held"), "{told}");
}

/// Git follows links where it writes its data: to the user's own files, outside of the sandbox.
#[tokio::test]
async fn links_in_the_data_of_git_are_put_aside() {
    let yard = repository();
    yard.put("a", "one\n");
    yard.git(&["add", "a"]);
    yard.git(&["commit", "-qm", "one"]);
    let victim = yard.outside.path().join("secret");
    let to = victim.display();
    for (name, held) in [
        ("COMMIT_EDITMSG", "COMMIT_EDITMSG.held"),
        ("MERGE_MSG", "MERGE_MSG.held"),
        ("FETCH_HEAD.lock", "FETCH_HEAD.lock.held"),
        ("index", "index.held"),
        ("rebase-merge", "rebase-merge.held"),
        ("logs/HEAD", "logs/HEAD..held"),
        ("logs/refs/heads/a.held", "logs/refs/heads/a.held..held"),
        ("refs/heads/x/y", "refs/heads/x/y..held"),
        ("objects/pack", "objects/pack.held"),
        ("objects/zz/link", "objects/zz/link.held"),
        ("rr-cache", "rr-cache.held"),
    ] {
        let make = format!("cd .git; mkdir -p $(dirname {name}); rm -rf {name}; ln -s {to} {name}");
        let said = yard.works(&make).await;
        let line = format!("[.git/{name} was renamed to .git/{held}");
        assert!(said.contains(&line) && !yard.has(&format!(".git/{name}")), "{name}: {said}");
    }
    let said = yard.works("mkfifo .git/ORIG_HEAD; mkfifo .git/refs/heads/pipe").await;
    assert!(said.matches("was renamed").count() == 2, "{said}");
    yard.git(&["commit", "-q", "--allow-empty", "-m", "two"]);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "canary-outside");
}
