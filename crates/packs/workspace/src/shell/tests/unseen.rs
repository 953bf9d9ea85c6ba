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
        "rbash README.md",
        "/lib64/ld-linux-x86-64.so.2 /bin/bash README.md",
        "prlimit sh README.md",
        "setarch x86_64 sh README.md",
        "fakeroot sh README.md",
        "awk '{ system($0) }' README.md",
        "cat f | awk '{ print | \"sh\" }'",
        "perl -ne 'exec $_' README.md",
        "python3 -c 'import os; os.system(open(\"f\").read())'",
        "cat f | python3 -c 'import sys; exec(sys.stdin.read())'",
        "vim -es -c ':!sh f' -c q",
        "git -c alias.x='!sh f' x",
        "git -c core.pager='sh f' log",
        "cat f | make -f -",
        "cat f | make --file=/dev/stdin",
        "cat f | xargs nice",
        "cat f | xargs timeout 5",
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
        "git commit -m 'Fix sh'",
        "git -c user.name=a commit -m x",
        "npm test",
        "make test",
        "make -f other.mk all",
        "cargo run --release -- --fast",
        "awk '{ print $1 }' f",
        "find . -name '*.o' | xargs rm -f",
        "timeout 5 python3 tests/run.py",
        "find . -name '*.rs' | xargs grep -n foo",
        "u=http://example.com; curl -s \"$u\" -o x || echo unreachable",
    ] {
        assert_eq!(unseen(script), None, "{script}");
    }
}
