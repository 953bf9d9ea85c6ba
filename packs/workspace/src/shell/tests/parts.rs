//! A script comes apart into its commands.

use std::time::{Duration, Instant};

use super::{found, only_looks};

#[test]
fn words_are_told_without_their_quotes() {
    for (script, wanted) in [
        (r#"git   "status""#, "git status"),
        ("/bin/rm x", "rm x"),
        ("/usr/bin/rm x", "rm x"),
        (r"\rm x", "rm x"),
        ("r''m x", "rm x"),
        (r#"r"m" x"#, "rm x"),
        ("echo 'a b' \"c'd\" ''", r"echo 'a b' 'c'\''d' ''"),
        (r"echo a\ b", "echo 'a b'"),
        (r"echo $'a\nb'", "echo 'a\nb'"),
        (r#"echo "a\"b" '$x'"#, r#"echo 'a"b' '$x'"#),
        ("ls *.txt '*.txt'", "ls *.txt '*.txt'"),
        ("git show HEAD@{1} 'HEAD@{1}'", "git show HEAD@{1} HEAD@{1}"),
        ("git log --format=%H v1..v2", "git log --format=%H v1..v2"),
        ("ls -1 5 -- + - %", "ls -1 5 -- + - %"),
        ("ls ~/x '~/x'", "ls ~/x '~/x'"),
        ("cargo test \\\n  --all", "cargo test --all"),
        ("make CC=gcc", "make CC=gcc"),
        ("echo a#b # not this", "echo a#b"),
        ("ls 2>&1 >/dev/null </dev/null", "ls"),
        ("cat < in.txt", "cat"),
        ("echo \"a\n  b\"", "echo 'a\n  b'"),
    ] {
        assert_eq!(found(script), [wanted], "{script}");
    }
}

#[test]
fn a_program_from_elsewhere_keeps_its_folder() {
    for script in
        ["./ls x", "/opt/bin/ls", "bin/ls", "../ls", "/bin/x/ls", "~/ls", "/usr/bin/../x/ls"]
    {
        assert_eq!(found(script), [format!("={script}")], "{script}");
    }
}

#[test]
fn b15_each_command_is_judged_on_its_own() {
    for script in [
        "ls; rm -rf x",
        "ls && rm -rf x",
        "ls || rm -rf x",
        "ls | rm -rf x",
        "ls |& rm -rf x",
        "ls\nrm -rf x",
        "ls&rm -rf x",
        "ls & rm -rf x &",
        "(ls; rm -rf x)",
        "{ ls; rm -rf x; }",
        "! rm -rf x && ls",
        "if ls; then rm -rf x; fi",
        "if rm -rf x; then ls; fi",
        "if false; then ls; elif ls; then rm -rf x; else ls; fi",
        "if false; then ls; else rm -rf x; fi",
        "while ls; do rm -rf x; done",
        "until ls; do rm -rf x; done",
        "for a in b c; do rm -rf x; done; ls",
        "case a in a) ls;; b|c) rm -rf x;; *) ls;; esac",
        "ls <(rm -rf x)",
        "ls > >(rm -rf x)",
        "ls $(rm -rf x)",
        "ls `rm -rf x`",
        "ls \"$(rm -rf x)\"",
        "ls \"a `rm -rf x` b\"",
        "ls \"$(ls \"$(rm -rf x)\")\"",
        "a=$(rm -rf x)",
        "a=(b $(rm -rf x)); ls",
        "export a=$(rm -rf x)",
        "ls <<< $(rm -rf x)",
        "ls < $(rm -rf x)",
        "[ -n $(rm -rf x) ]",
        "[[ -n $(rm -rf x) && a == b ]]",
        "for a in $(rm -rf x); do ls; done",
        "case $(rm -rf x) in *) ls;; esac",
        "$(rm -rf x)",
        "f() { rm -rf x; }",
        "ls # comment\nrm -rf x # comment",
        "ls \\\n; rm -rf x",
        "cat <<'EOF'\nls\nEOF\nrm -rf x",
        "cat <<EOF | rm -rf x\nls\nEOF",
        "ls;{ rm -rf x;}",
    ] {
        let found = found(script);
        let is_rm = |it: &String| it.trim_start_matches('=') == "rm -rf x";
        assert!(found.iter().any(is_rm), "{script}: {found:?}");
        assert!(!only_looks(script), "{script}");
    }
    assert_eq!(
        found("git -C a --git-dir b push x"),
        ["=git -C a --git-dir b push x", "git push x"]
    );
    assert_eq!(found("ls; rm -rf x"), ["ls", "rm -rf x"]);
    assert_eq!(found("ls | sh"), ["ls", "=sh"]);
    assert_eq!(found("ls $(rm x)"), ["=ls $(rm x)", "rm x"]);
}

#[test]
fn b16_a_command_behind_ten_thousand_others_is_found() {
    let started = Instant::now();
    let script = format!("{}rm x", "true;".repeat(10_000));
    assert_eq!(found(&script), ["true", "rm x"]);
    let script = format!("{}rm x", "true && ".repeat(8_000));
    assert_eq!(found(&script), ["true", "rm x"]);
    let script = format!("{}rm x", "a | ".repeat(900));
    assert_eq!(found(&script), ["a", "rm x"]);
    let script = format!("echo {}", "a ".repeat(30_000));
    assert_eq!(found(&script).len(), 1);
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

#[test]
fn what_is_nested_deeply_ends() {
    let started = Instant::now();
    for (open, middle, close) in [
        ("$(", "rm x", ")"),
        ("( ", "rm x", ")"),
        ("{ ", "rm x", ";}"),
        ("echo \"$(", "rm x", ")\""),
        ("if a; then ", "rm x", "; fi"),
        ("! ", "rm x", ""),
        ("<(", "rm x", ")"),
        ("`", "rm x", "`"),
        ("${", "a", "}"),
        ("$((", "1", "))"),
        ("[[ ( ", "a", " ) ]]"),
        ("case a in a) ", "rm x", " ;; esac"),
        ("f() { ", "rm x", ";}"),
        ("cat <<", "EOF", "\n"),
        ("{", "a", ","),
        ("@(", "a", ")"),
        ("\"", "a", "\""),
        ("a[", "0", "]"),
        ("a|", "", ""),
        ("a&&", "", ")"),
        ("a;", "", ")"),
    ] {
        for count in [10, 90, 1_000, 60_000 / (open.len() + close.len())] {
            let script = format!("{}{middle}{}", open.repeat(count), close.repeat(count));
            let _either = super::subjects(&script);
            let _either = super::subjects(&format!("{}{middle}", open.repeat(count)));
        }
    }
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}

#[test]
fn what_only_looks_needs_no_question() {
    for script in [
        "ls",
        "ls -la src",
        "ls *.rs",
        "pwd",
        "cat a | head -5 | wc -l",
        "git status",
        "git diff HEAD~1",
        "git --no-pager log --oneline -5",
        "find . -name '*.rs' -type f",
        "grep -rn 'a b' src 2>/dev/null",
        "rg -n foo | sort | uniq -c | sort -rn",
        "sed -n '1,20p' a.txt",
        "sed 's/a/b/g' x",
        "date +%s",
        "cd src && ls",
        "git branch",
        "git branch -a",
        "[ -f a ] && echo yes",
        "test -d a || echo no",
        "[[ -f a && -d b ]]",
        "printf '%s\\n' a b",
        "jq .a x.json",
        "diff a b",
        "tail -n 5 a",
        "uniq -c a",
        "if [ -f a ]; then cat a; fi",
        "command -v cargo",
        "stat a; file a; du -sh .; tree -L 2",
        "sort -k2,2n a",
    ] {
        assert!(only_looks(script), "{script}: {:?}", super::subjects(script));
    }
}

#[test]
fn what_is_started_by_others_is_found_too() {
    for script in [
        "sudo rm -rf x",
        "sudo -u root rm -rf x",
        "sudo --user root rm -rf x",
        "sudo -E A=b rm -rf x",
        "env A=b rm -rf x",
        "env -i -u A B=c rm -rf x",
        "env -S 'rm -rf x'",
        "nice -n 5 rm -rf x",
        "nohup rm -rf x",
        "timeout 5 rm -rf x",
        "timeout -s KILL 5 rm -rf x",
        "setsid rm -rf x",
        "stdbuf -oL rm -rf x",
        "time rm -rf x",
        "command rm -rf x",
        "builtin rm -rf x",
        "exec rm -rf x",
        "busybox rm -rf x",
        "echo x | xargs -n 1 rm -rf x",
        "xargs -I {} rm -rf x",
        "find . -exec rm -rf x \\;",
        "find . -name a -execdir rm -rf x + -print",
        "find . -exec ls {} \\; -ok rm -rf x \\;",
        "bash -c 'rm -rf x'",
        "bash -euc 'ls; rm -rf x'",
        "sh -c \"rm -rf x\" a b",
        "sudo bash -c 'nice sh -c \"rm -rf x\"'",
        "eval rm -rf x",
        "eval 'rm -rf' x",
        "trap 'rm -rf x' EXIT",
        "watch -n 1 rm -rf x",
        "su root -c 'rm -rf x'",
        "/usr/bin/env /bin/rm -rf x",
        "./sudo rm -rf x",
        "git -c a=b push; nice rm -rf x",
    ] {
        let found = found(script);
        let is_rm = |it: &String| it.trim_start_matches('=') == "rm -rf x";
        assert!(found.iter().any(is_rm), "{script}: {found:?}");
        assert!(found.iter().any(|it| it.starts_with('=')), "{script}: {found:?}");
    }
}
