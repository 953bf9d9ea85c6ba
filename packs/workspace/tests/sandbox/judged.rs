//! What the judge calls looking changes nothing, even where it could write: scripts at random, most of
//! them broken or made to deceive, run with write access in a folder full of traps.
//!
//! `TOOLWRIGHT_SCRIPTS=100000` makes as many of them; `TOOLWRIGHT_SEED` makes others. strace, where it
//! is installed, watches for calls to the network.

use std::{
    collections::BTreeMap, env, fs, os::unix::fs::PermissionsExt, path::Path, time::Duration,
};

use fastrand::Rng;
use toolwright_workspace::{Workspace, internals};

use crate::{support::Yard, traced};

/// Commands that only look, or nearly.
const COMMANDS: &[&str] = &[
    "ls",
    "ls -la",
    "ls src",
    "ls *.txt",
    "cat a.txt",
    "cat src/b.rs a.txt",
    "head -2 a.txt",
    "tail -n 1 a.txt",
    "wc -l a.txt",
    "grep -rn one .",
    "grep -c one a.txt",
    "find . -name a.txt",
    "find src -type f -print",
    "find . -maxdepth 1",
    "sort a.txt",
    "sort -rn -k2 a.txt",
    "uniq -c a.txt",
    "sed -n 1,2p a.txt",
    "sed s/one/two/g a.txt",
    "sed '/one/d' a.txt",
    "date +%s",
    "date -u",
    "printf '%s\\n' one",
    "printf %d 4",
    "echo one",
    "echo 'a b' c",
    "cd src",
    "pwd",
    "true",
    "false",
    ":",
    "[ -f a.txt ]",
    "[[ -d src ]]",
    "test -e a.txt",
    "diff a.txt src/b.rs",
    "cmp a.txt src/b.rs",
    "cut -c1 a.txt",
    "tr a b",
    "nl a.txt",
    "od a.txt",
    "seq 3",
    "stat a.txt",
    "file a.txt",
    "du -s src",
    "basename a/b",
    "dirname a/b",
    "realpath a.txt",
    "readlink a.txt",
    "md5sum a.txt",
    "jq . a.txt",
    "which ls",
    "type ls",
    "command -v ls",
    "id",
    "uname -a",
    "whoami",
    "tac a.txt",
    "paste a.txt",
    "git status",
    "git status --short",
    "git diff",
    "git diff HEAD",
    "git log --oneline -3",
    "git log -p -1",
    "git show HEAD",
    "git blame a.txt",
    "git grep -n one",
    "git ls-files",
    "git branch",
    "git branch -a",
    "git tag",
    "git tag -l",
    "git remote -v",
    "git stash list",
    "git rev-parse HEAD",
    "git cat-file -p HEAD",
    "git describe --always",
    "git shortlog HEAD",
    "column -t a.txt",
    "comm a.txt a.txt",
    "expr 1 + 1",
    "strings a.txt",
    "hexdump -C a.txt",
    "fold a.txt",
    "sha256sum a.txt",
    "df .",
];

/// What makes more of a command than looking.
const TRICKS: &[&str] = &[
    "printf %n PATH",
    "printf '%n' HOME",
    "printf -v PATH .",
    "echo {PATH}>/dev/null",
    "cat {HOME}</dev/null",
    "PATH=.",
    "PATH=. ls",
    "export PATH=.",
    "for PATH in .; do ls; done",
    "read PATH < a.txt",
    "let PATH=4",
    "(( PATH = 4 ))",
    ": ${PATH:=.}",
    "unset PATH",
    "./evil",
    "evil",
    "4",
    "touch MARK",
    "rm a.txt",
    "\\rm a.txt",
    "r''m a.txt",
    "/usr/../bin/rm a.txt",
    "coproc rm a.txt",
    "$(echo rm) a.txt",
    "`./evil`",
    "ls $(./evil)",
    "ls <(./evil)",
    "cat > MARK",
    "ls > MARK",
    "ls >> a.txt",
    "ls >| a.txt",
    "ls &> MARK",
    "ls | tee MARK",
    "ls | sh",
    "echo ./evil | sh",
    "sh evil",
    ". ./evil",
    "source evil",
    "eval ./evil",
    "eval 'touch MARK'",
    "find . -delete",
    "find . -exec ./evil {} +",
    "find . -fprint MARK",
    "find . -name x -o -exec ./evil ;",
    "sort -o MARK a.txt",
    "sort --compress-program=./evil a.txt",
    "sort -T . a.txt",
    "uniq a.txt MARK",
    "sed -i s/one/two/ a.txt",
    "sed 'w MARK' a.txt",
    "sed '1e ./evil' a.txt",
    "sed s/one/two/w\\ MARK a.txt",
    "sed s/one/.\\\\/evil/e a.txt",
    "git commit -am x",
    "git checkout -b y",
    "git branch new",
    "git tag new",
    "git diff --output=MARK",
    "git config a.b c",
    "git -c core.pager=./evil log",
    "git stash",
    "git add -A",
    "git log --output MARK",
    "git grep -O./evil one",
    "git update-index --refresh",
    "git gc",
    "git branch -D x",
    "tree -o MARK",
    "file -C -m a.txt",
    "date -s now",
    "[ -v 'a[$(./evil)]' ]",
    "[[ 'a[$(./evil)]' -eq 0 ]]",
    "test -v 'a[$(./evil)]'",
    "awk 'BEGIN{system(\"./evil\")}'",
    "xargs ./evil",
    "env ./evil",
    "nice ./evil",
    "timeout 1 ./evil",
    "busybox touch MARK",
    "exec ./evil",
    "trap ./evil EXIT",
    "alias ls=./evil",
    "ls() { ./evil; }",
    "function cat { ./evil; }",
    "set -o noglob",
    "hash -p ./evil ls",
    "enable -n echo",
    "cat <<E\n$(./evil)\nE",
    "cat <<'E'\nx\nE",
    "cat <<< \"$(./evil)\"",
    "ls *",
    "find *",
    "sort *",
    "git diff *",
    "cp a.txt MARK",
    "mkdir MARK",
    "ln -s a MARK",
    "chmod 777 a.txt",
    "dd of=MARK",
    "truncate -s0 a.txt",
];

/// Words that mean something to some program.
const WORDS: &[&str] = &[
    "-o",
    "-o MARK",
    "--output=MARK",
    "-i",
    "-delete",
    "-exec ./evil {} +",
    "-fls MARK",
    "-e",
    "-f",
    "-w",
    "-c",
    "--",
    "-",
    "*",
    "-*",
    "{a,b}",
    "{}",
    "~",
    "$x",
    "${x}",
    "$(./evil)",
    "`./evil`",
    "'$(./evil)'",
    "%n",
    "PATH",
    "HOME",
    ">MARK",
    "> MARK",
    ">&2",
    "2>&1",
    "2>/dev/null",
    "</dev/null",
    "&",
    ";",
    "|",
    "||",
    "&&",
    "\n",
    "!",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "[[",
    "]]",
    "#",
    "\\",
    "'",
    "\"",
    "$'\\n'",
    "if",
    "then",
    "fi",
    "do",
    "done",
    "in",
    "a.txt",
    "src",
    "MARK",
    "./evil",
    "evil",
    "=",
    "a=b",
    "{x}>",
    "{PATH}<",
    "<<E",
    "<<<",
    "<(",
    "1e ./evil",
    "w MARK",
    "s/a/b/w MARK",
    "-v",
    "-n",
    "-D x",
    "new",
    "--ext-diff",
    "--textconv",
    "-O./evil",
    "-T.",
    "\t",
];

const JOINTS: &[&str] = &["; ", " && ", " || ", " | ", "\n", " |& ", " & ", ";", "|", "&&"];

fn one<'a>(rng: &mut Rng, of: &[&'a str]) -> &'a str {
    of.get(rng.usize(..of.len())).copied().unwrap_or_default()
}

/// A script: a few commands, some of them tricks, with words put in and characters changed.
fn script(rng: &mut Rng) -> String {
    let mut text = String::new();
    for at in 0..rng.usize(1..4) {
        if at > 0 {
            text.push_str(one(rng, JOINTS));
        }
        let from = if rng.u8(..6) == 0 { TRICKS } else { COMMANDS };
        let command = one(rng, from);
        match rng.u8(..12) {
            0 => text.push_str(&format!("({command})")),
            1 => text.push_str(&format!("{{ {command}; }}")),
            2 => text.push_str(&format!("! {command}")),
            3 => text.push_str(&format!("if {command}; then {}; fi", one(rng, COMMANDS))),
            _ => text.push_str(command),
        }
    }
    for _ in 0..rng.usize(..3) {
        let places: Vec<_> =
            text.char_indices().filter(|(_, c)| *c == ' ').map(|it| it.0).collect();
        let at = places.get(rng.usize(..places.len() + 1)).copied().unwrap_or(text.len());
        let word = one(rng, WORDS);
        text.insert_str(at, &if rng.bool() { format!(" {word}") } else { word.to_owned() });
    }
    if rng.u8(..4) == 0 {
        let at = rng.usize(..text.len().max(1));
        if text.is_char_boundary(at) {
            match rng.bool() {
                true => text.insert_str(at, one(rng, WORDS)),
                false => drop(text.drain(at..).next()),
            }
        }
    }
    text
}

/// A folder full of traps: whatever is run in it by mistake leaves a mark.
fn traps(yard: &Yard) {
    yard.put("a.txt", "one\ntwo\n./evil\n");
    yard.put("src/b.rs", "fn main() {}\n");
    yard.git(&["init", "-q"]);
    yard.git(&["add", "-A"]);
    yard.git(&["commit", "-qm", "one"]);
    // A variable that was made a number leads into a folder of that name.
    let numbers =
        ["0", "1", "4", "10", "11"].map(|it| ["ls", "cat", "git"].map(|of| format!("{it}/{of}")));
    let names = ["evil", "ls", "cat", "git", "sort", "x", "src/ls"].map(str::to_owned);
    for name in names.into_iter().chain(numbers.into_iter().flatten()) {
        let path = yard.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "#!/bin/sh\necho evil >> MARK\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    for name in ["-delete", "-o", "-i", "--output=MARK", "-exec"] {
        yard.put(name, "");
    }
}

type Found = BTreeMap<String, (u32, Vec<u8>)>;

fn snapshot(folder: &Path) -> Found {
    let mut found = Found::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let (path, meta) = (entry.path(), entry.metadata().unwrap());
            let content = if meta.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
            found.insert(path.display().to_string(), (meta.permissions().mode(), content));
            if meta.is_dir() {
                folders.push(path);
            }
        }
    }
    found
}

/// Runs scripts one after the other in one sandbox, and says what is left in its own folders.
async fn run(workspace: &Workspace, folder: &Path, scripts: &[String]) -> String {
    fs::write(folder.join("scripts"), scripts.join("\0") + "\0").unwrap();
    let run = format!(
        "export GIT_OPTIONAL_LOCKS=0 GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=diff.autoRefreshIndex \
         GIT_CONFIG_VALUE_0=false\nwhile IFS= read -r -d '' script; do\n\
         timeout 5 bash -c -- \"$script\" >/dev/null 2>&1 </dev/null\ndone < '{}'\n\
         find /tmp -path '{}' -prune -o -path '{}' -prune -o -type f -print; echo over",
        folder.join("scripts").display(),
        folder.display(),
        workspace.path().parent().unwrap().display(),
    );
    internals::run_writing(workspace, &run, Duration::from_secs(600)).await
}

fn number(name: &str, otherwise: u64) -> u64 {
    env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(otherwise)
}

/// The search itself runs in a process of its own, so that it can be watched from its beginning.
#[test]
fn what_is_taken_for_looking_changes_nothing_and_reaches_for_no_network() {
    traced::watch("judged::the_search");
}

#[tokio::test]
#[ignore = "started by the test above"]
async fn the_search() {
    let batches = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    fs::create_dir(outside.path().join("ws")).unwrap();
    let (yard, workspace) = Yard::over(outside, |settings| {
        settings.readable = vec![batches.path().canonicalize().unwrap()];
    });
    traps(&yard);
    let before = snapshot(&yard.root());
    let mut rng = Rng::with_seed(number("TOOLWRIGHT_SEED", 7));
    let wanted = number("TOOLWRIGHT_SCRIPTS", 3_000);
    let (mut made, mut looked, mut batch) = (0, 0, Vec::new());
    while made < wanted {
        let script = script(&mut rng);
        made += 1;
        internals::judge(&script).unwrap();
        if internals::looks(&script) {
            looked += 1;
            batch.push(script);
        }
        if batch.len() == 250 || made == wanted {
            let said = run(&workspace, batches.path(), &batch).await;
            assert!(said.starts_with("over\n"), "{said}");
            if snapshot(&yard.root()) != before {
                panic!("one of these changed something: {batch:#?}");
            }
            batch.clear();
        }
    }
    // Where something is changed, it is noticed.
    for trap in ["touch MARK", "printf %n PATH; ls", "echo {PATH}>/dev/null; ls", "PATH=.; cat x"] {
        run(&workspace, batches.path(), &[trap.to_owned()]).await;
        assert!(snapshot(&yard.root()) != before, "{trap}");
        fs::remove_file(yard.root().join("MARK")).unwrap();
    }
    let reaches = format!("exec 3<>/dev/tcp/127.0.0.1/{}", traced::PORT);
    run(&workspace, batches.path(), &[reaches]).await;
    println!("{made} scripts, of which {looked} only look: none changed anything");
    assert!(looked * 10 > made, "only {looked} of {made} were taken for looking");
}

/// Whoever tricks the judge gains nothing: this is the box that such a script runs in.
#[tokio::test]
async fn where_a_script_only_looks_nothing_can_be_changed() {
    let outside = tempfile::tempdir().unwrap();
    fs::create_dir(outside.path().join("ws")).unwrap();
    let (yard, workspace) = Yard::over(outside, |_| {});
    traps(&yard);
    yard.put(".vscode/tasks.json", "{}");
    let before = snapshot(&yard.root());
    for attempt in [
        "touch new",
        "echo x > a.txt",
        "echo x >> a.txt",
        "rm -rf a.txt src .git",
        "mv a.txt b.txt",
        "ln a.txt hard",
        "ln -s a.txt soft",
        "mkdir folder",
        "chmod 777 a.txt src .git .git/HEAD .vscode/tasks.json",
        "touch -d 2001-01-01 a.txt",
        "setfattr -n user.a -v b a.txt",
        "truncate -s 0 a.txt",
        "mkfifo pipe",
        "git add -A; git commit -qm x; git gc; git tag x; git branch y",
        "echo x > .git/HEAD; echo x > .git/refs/heads/x; echo x > .vscode/new",
        "cd src && ../evil; echo x > b.rs",
        "exec 3<>a.txt; echo x >&3",
        "dd if=/dev/zero of=a.txt",
        "for f in $(find . -type d); do echo x > $f/new; done",
        "python3 -c 'import os; os.open(\"a.txt\", os.O_RDWR)'",
    ] {
        internals::run_looking(&workspace, attempt, Duration::from_secs(20)).await;
        assert!(snapshot(&yard.root()) == before, "{attempt}");
    }
    // It is the box that stops it: with write access the same leaves something.
    internals::run_writing(&workspace, "touch new", Duration::from_secs(20)).await;
    assert!(yard.has("new"));
}
