//! A command that needs no question has no way to write, and git runs nothing that a repository names.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use serde_json::json;
use toolwright_core::RunContext;

use crate::support::Yard;

fn repository() -> Yard {
    let yard = Yard::new();
    yard.put("a.txt", "one\n");
    yard.put("src/b.rs", "fn main() {}\n");
    yard.git(&["init", "-q", "-b", "main"]);
    yard.git(&["add", "-A"]);
    yard.git(&["commit", "-qm", "first"]);
    yard.put("a.txt", "one\ntwo\n");
    yard
}

impl Yard {
    async fn is_read_only(&self, command: &str, cwd: Option<&str>) -> bool {
        let mut arguments = json!({"command": command});
        if let Some(cwd) = cwd {
            arguments["cwd"] = cwd.into();
        }
        self.tool.preview(&arguments, &RunContext::new()).await.read_only
    }
}

/// A program in the workspace that leaves a mark wherever it can.
fn evil(yard: &Yard, name: &str) -> String {
    let path = yard.root().join(name);
    let mark = yard.root().join("marked");
    let text = format!(
        "#!/bin/sh\necho evil-ran; echo evil > '{}'; echo evil > /tmp/marked; cat \"$@\" 2>/dev/null\n",
        mark.display()
    );
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

/// Whoever tricks the judge into taking a script for one that looks gains nothing: this is the box
/// it runs in. `ls` stands before each attempt only so that the test reads well.
#[tokio::test]
async fn nothing_can_be_changed_by_a_command_that_only_looks() {
    let yard = repository();
    yard.put("notes/x", "");
    let before = snapshot(&yard.root());
    for command in ["ls -la", "cat a.txt", "git status", "git diff", "git log -p", "git stash list"]
    {
        assert!(yard.is_read_only(command, None).await, "{command}");
        yard.works(command).await;
    }
    assert_eq!(snapshot(&yard.root()), before);
}

#[tokio::test]
async fn what_people_look_with_works_without_write_access() {
    let yard = repository();
    yard.git(&["remote", "add", "origin", "https://example.com/a.git"]);
    yard.git(&["tag", "v1"]);
    for (command, wanted) in [
        ("git status --short", " M a.txt"),
        ("git status", "On branch main"),
        ("git log --oneline", "first"),
        ("git log -p -1 --stat", "a.txt"),
        ("git diff", "+two"),
        ("git diff HEAD -- a.txt", "+two"),
        ("git show HEAD:a.txt", "one"),
        ("git blame a.txt", "one"),
        ("git grep -n main", "src/b.rs:1:fn main"),
        ("git ls-files", "src/b.rs"),
        ("git branch -a", "* main"),
        ("git remote -v", "https://example.com/a.git (fetch)"),
        ("git describe --tags", "v1"),
        ("git rev-parse --abbrev-ref HEAD", "main"),
        ("git tag -l", "v1"),
        ("git shortlog -sn HEAD", "1\ta"),
        ("find . -name '*.rs' -type f | sort -r", "./src/b.rs"),
        ("grep -rn two . 2>/dev/null", "./a.txt:2:two"),
        ("sort a.txt | uniq -c | head -3", "1 one"),
        ("seq 1 300000 | sort -n -S 1M 2>/dev/null | tail -1; true", ""),
        ("seq 1 300000 | sort -n | tail -1", "300000"),
        ("sed -n 1,2p a.txt | wc -l", "2"),
        ("[ -f a.txt ] && echo yes", "yes"),
        ("cd src && ls", "b.rs"),
    ] {
        let said = yard.works(command).await;
        assert!(said.contains(wanted), "{command}: {said}");
    }
    let said = yard.call(json!({"command": "git status --short .", "cwd": "src"})).await.unwrap();
    assert!(said.starts_with("[exit 0"), "{said}");
    assert!(yard.is_read_only("git status", Some("src")).await);
}

/// Every setting that makes git run something, in the repository of the workspace.
#[tokio::test]
async fn git_runs_nothing_that_the_repository_names() {
    let yard = repository();
    let program = evil(&yard, "evil");
    yard.git(&["config", "extra.one", "x"]);
    for name in [
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "core.editor",
        "core.askPass",
        "core.alternateRefsCommand",
        "core.gitProxy",
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "merge.evil.driver",
        "gpg.program",
        "gpg.ssh.program",
        "pager.log",
        "pager.status",
        "pager.diff",
        "credential.helper",
        "man.evil.cmd",
        "browser.evil.cmd",
        "remote.origin.uploadpack",
        "uploadpack.packObjectsHook",
        "interactive.diffFilter",
        "sendemail.sendmailCmd",
    ] {
        yard.git(&["config", name, &program]);
    }
    yard.git(&["config", "core.hooksPath", &yard.root().display().to_string()]);
    yard.git(&["config", "alias.status", "!./evil"]);
    yard.git(&["config", "log.showSignature", "true"]);
    yard.put("included", &format!("[core]\n\tfsmonitor = {program}\n"));
    yard.git(&["config", "include.path", "../included"]);
    yard.git(&["config", "--add", "includeIf.gitdir:/.path", "../included"]);
    for hook in ["post-index-change", "fsmonitor-watchman", "pre-commit", "reference-transaction"] {
        evil(&yard, hook);
        evil(&yard, &format!(".git/hooks/{hook}"));
    }
    yard.put(".gitattributes", "* diff=evil filter=evil merge=evil\n");
    yard.put(".git/info/attributes", "* diff=evil filter=evil\n");
    fs::remove_file(yard.root().join("marked")).ok();
    for command in [
        "git status",
        "git diff",
        "git diff HEAD",
        "git log -p",
        "git show",
        "git blame a.txt",
        "git grep -n one",
        "git ls-files",
        "git describe --always",
        "git shortlog HEAD",
        "git stash list",
        "git branch -vv",
        "git cat-file -p HEAD",
    ] {
        assert!(yard.is_read_only(command, None).await, "{command}");
        let said = yard.works(command).await;
        assert!(!said.contains("evil-ran"), "{command}: {said}");
        assert!(!yard.has("marked"), "{command}");
    }
    for command in [
        "git log --show-signature",
        "git log --format=%G?",
        "git log --format '%h %GS'",
        "git show --textconv",
        "git diff --ext-diff",
        "git cat-file --textconv HEAD:a.txt",
        "git grep -Ovi one",
        "git -c core.pager=x log",
        "git help log",
    ] {
        assert!(!yard.is_read_only(command, None).await, "{command}");
    }
}

/// B: a repository within the workspace has settings of its own.
#[tokio::test]
async fn another_repository_is_asked_about() {
    let yard = repository();
    let program = evil(&yard, "evil");
    fs::create_dir(yard.root().join("docs")).unwrap();
    yard.git(&["init", "-q", "--bare", "docs"]);
    yard.git(&["-C", "docs", "config", "core.fsmonitor", &program]);
    yard.git(&["-C", "docs", "config", "core.bare", "false"]);
    yard.git(&["-C", "docs", "config", "core.worktree", "/tmp"]);
    yard.git(&["init", "-q", "nested"]);
    for cwd in ["docs", "docs/refs", "nested", "nested/.git", ".git"] {
        assert!(!yard.is_read_only("git status", Some(cwd)).await, "{cwd}");
        assert!(yard.is_read_only("ls", Some(cwd)).await, "{cwd}");
        // Somebody may allow it all the same; it still cannot write.
        let _ = yard.call(json!({"command": "git status", "cwd": cwd})).await;
        assert!(!yard.has("marked"), "{cwd}");
    }
    for command in ["cd docs && git status", "cd docs; git log", "git -C docs status"] {
        assert!(!yard.is_read_only(command, None).await, "{command}");
    }
}

/// Something that makes a repository another kind of one.
type Change = fn(&Yard);

#[tokio::test]
async fn what_is_no_plain_repository_is_asked_about() {
    let cases: [(&str, Change); 9] = [
        ("a file in the place of the folder", |yard| {
            fs::rename(yard.root().join(".git"), yard.root().join("real")).unwrap();
            yard.put(".git", "gitdir: real\n");
        }),
        ("a link in its place", |yard| {
            fs::rename(yard.root().join(".git"), yard.root().join("real")).unwrap();
            std::os::unix::fs::symlink("real", yard.root().join(".git")).unwrap();
        }),
        ("one that is kept elsewhere", |yard| yard.put(".git/commondir", "../real\n")),
        ("settings of a work tree", |yard| yard.put(".git/config.worktree", "")),
        ("an extension", |yard| drop(yard.git(&["config", "extensions.worktreeConfig", "true"]))),
        ("another work tree", |yard| drop(yard.git(&["config", "core.worktree", "../src"]))),
        ("a bare one", |yard| drop(yard.git(&["config", "core.bare", "true"]))),
        ("a repository in the index", |yard| {
            yard.git(&["init", "-q", "sub"]);
            let entry = format!("160000,{},sub", yard.git(&["rev-parse", "HEAD"]).trim());
            yard.git(&["update-index", "--add", "--cacheinfo", &entry]);
        }),
        ("an index in two files", |yard| drop(yard.git(&["update-index", "--split-index"]))),
    ];
    for (what, change) in cases {
        let yard = repository();
        assert!(yard.is_read_only("git status", None).await, "{what}");
        change(&yard);
        assert!(!yard.is_read_only("git status", None).await, "{what}");
    }
    assert!(!Yard::new().is_read_only("git status", None).await);
    assert!(Yard::new().is_read_only("git --version", None).await);
}

/// Everything there is below a folder, with its content, its rights and when it was changed.
fn snapshot(folder: &Path) -> Vec<(String, u32, std::time::SystemTime, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let (path, meta) = (entry.path(), entry.metadata().unwrap());
            let content = if meta.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
            let mode = meta.permissions().mode();
            found.push((path.display().to_string(), mode, meta.modified().unwrap(), content));
            if meta.is_dir() {
                folders.push(path);
            }
        }
    }
    found.sort();
    found
}
