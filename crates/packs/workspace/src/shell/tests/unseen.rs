//! What carries out text that is not in the script is found.

use super::super::unseen;

#[test]
fn what_feeds_a_shell_or_a_language_is_found() {
    for script in [
        "tail -1 README.md | sh",
        "tail -1 README.md | s''h",
        "tail -1 README.md | \\bash",
        "tail -1 README.md | /bin/../bin/sh",
        "tail -1 README.md | env bash",
        "tail -1 README.md | busybox sh",
        "tail -1 README.md | $SHELL",
        "tail -1 README.md | sh -s",
        "tail -1 README.md | sh -x",
        "cat f | xargs sh -c",
        "cat f | xargs -I{} sh -c '{}'",
        "cat f | xargs -0 bash",
        "cat f | xargs env",
        "cat f | python3",
        "cat f | python3 -",
        "cat f | perl",
        "cat f | node /dev/stdin",
        "sh setup.sh",
        "bash ./setup.sh now",
        "source setup.sh",
        ". ./setup.sh",
        "eval \"$(cat f)\"",
        "eval `cat f`",
        "bash -c \"$(cat f)\"",
        "bash <(cat f)",
        "bash < f",
        "sh <<< \"$(cat f)\"",
        "python3 -c \"$(cat f)\"",
        "$(cat f)",
        "`cat f`",
        "\"$(head -1 f)\" x",
        "x=$(cat f); $x",
        "find . -name '*.sh' -exec sh {} \\;",
        "timeout 5 sh f",
        "coproc sh",
        "at now < f",
        "mapfile -t a < f; \"${a[@]}\"",
        "trap \"$(cat f)\" EXIT",
        "if true; then cat f | sh; fi",
    ] {
        assert!(unseen(script).is_some(), "{script}");
    }
}

#[test]
fn what_is_in_the_script_is_seen() {
    for script in [
        "ls -la",
        "make all",
        "cargo test 2>&1 | tail -20",
        "bash -c 'ls; make'",
        "python3 -c 'print(1)'",
        "python3 -m pytest -q",
        "python3 tests/run.py --all",
        "python3 --version",
        "node build.js",
        "./run.sh",
        "x=1; echo \"$x\"",
        "for f in *; do wc -l \"$f\"; done",
        "git log | head",
        "find . -name '*.rs' | xargs grep -n foo",
        "u=http://example.com; curl -s \"$u\" -o x || echo unreachable",
    ] {
        assert_eq!(unseen(script), None, "{script}");
    }
}
