//! What carries out text that is not in the script is found.

use proptest::prelude::*;
use toolwright_core::OpaqueCommand;

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
        assert!(!unseen(script).is_empty(), "{script}");
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
        "make test < /dev/null",
        "cat > x.py <<'E'\nprint(1)\nE\npython3 x.py",
        "cd src && make && wc -l < x",
        "git diff | git apply --check",
        "git commit -F - < message.txt",
        "cat a.json | python3 -m json.tool",
        "cat a.json | python3 -c 'import json, sys; print(len(json.load(sys.stdin)))'",
        "diff <(sort a) <(sort b)",
        "cargo build 2>&1 | tee build.txt | grep -c warning",
        "while read -r line; do echo \"$line\"; printf '%s\\n' \"$line\"; done < list.txt",
        "find . -name '*.rs' | while read -r f; do wc -l \"$f\"; done",
        "sed -i 's/a/b/g; /^#/d' f",
        "sed -i.bak -e 's|a|b|' -e '$a the end' f",
        "sed -n '/a/,/b/{p;=}' f",
        "perl -pi -e 's/(a)b$/$1/g' f",
        "awk -F'|' -v n=\"$n\" '$1 > n || NR == 1 { print $2 }' f",
        "timeout 5 grep sh f",
        "export RUST_LOG=debug; cargo test 2>&1 | tail -5",
        "CI=1 bash -c 'npm test'",
        "/usr/bin/cat f | /bin/grep x",
        "unset x; export A=b; x=1; echo $x",
    ] {
        assert_eq!(unseen(script), [], "{script}");
    }
}

/// Programs that may carry out what they are given, known or not.
#[rustfmt::skip]
const RUNNERS: [&str; 23] = [
    "sh", "sh -s", "bash -x", "env python3 -", "python3", "python3 tool.py", "python3 -m code", "perl",
    "perl -ne 'qx($_)'", "someinterpreter", "./run", "make -f -", "timeout 5 sh", "nice bash", "xargs sh -c",
    "parallel", "busybox sh", "node -", "awk '{ system($0) }'", "sed e", "sed 's/x/y/e'",
    "git unknown", "sudo -u a tclsh",
];

/// Ways to give a program something to read.
const WAYS: [&str; 16] = [
    "tail -1 f | RUN",
    "tail -1 f |& RUN",
    "tail -1 f | cat | RUN | cat",
    "RUN < f",
    "< f RUN",
    "RUN <<< x",
    "RUN <<'E'\nx\nE",
    "cat <<'E' | RUN\nx\nE",
    "tail -1 f | (RUN)",
    "tail -1 f | { true; RUN; }",
    "tail -1 f | while true; do RUN; done",
    "if true; then RUN; fi < f",
    "true && RUN < f",
    "tail -1 f > >(RUN)",
    "tail -1 f | bash -c 'RUN'",
    "f() { RUN; }; tail -1 f | f",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever way it is fed and wherever that stands, a program that may carry it out is found.
    #[test]
    fn whoever_is_fed_is_known_or_asked_about(
        runner in prop::sample::select(&RUNNERS[..]),
        way in prop::sample::select(&WAYS[..]),
        launcher in prop::sample::select(&["", "", "env ", "nice ", "timeout 5 ", "nohup ", "command "][..]),
        before in prop::sample::select(&["", "ls; ", "make && ", "! ", "x=1; "][..]),
    ) {
        prop_assume!(!(way.contains("bash -c") && runner.contains('\'')));
        let script = format!("{before}{}", way.replace("RUN", &format!("{launcher}{runner}")));
        prop_assert!(!unseen(&script).is_empty(), "{script:?}");
    }

    /// A program nobody has heard of is none that is known.
    #[test]
    fn a_program_that_nobody_knows_is_not_fed(name in "[a-z]{9,12}", way in prop::sample::select(&WAYS[..])) {
        let script = way.replace("RUN", &name);
        prop_assert!(!unseen(&script).is_empty(), "{script:?}");
    }
}

#[test]
fn code_that_may_run_what_it_reads_is_found() {
    for script in [
        "perl -e 'print qx(sh f)'",
        "perl -pe 's/x/$y[system(1)]/' f",
        "perl -pe 's/(.*)/$1/ee' f",
        "perl -e 'do \"./f\"'",
        "ruby -e 'IO.popen(File.read(\"f\"))'",
        "php -r 'passthru(file_get_contents(\"f\"));'",
        "node -e 'require(\"child_process\").fork(\"f\")'",
        "lua -e 'dofile(\"f\")'",
        "python3 -c 'import pty; pty.spawn(\"f\")'",
        "python3 -c 'import runpy; runpy.run_path(\"f\")'",
        "python3 -c 'getattr(__builtins__, \"ex\" + \"ec\")(open(\"f\").read())'",
        "python3 -c 'print(f\"{exec(open(chr(102)).read())}\")'",
        "sed '1e sh f' f",
        "sed -n 's/.*/&/e' f",
        "sed --expression='1e' f",
        "sed -f f g",
        "sed -i \"$(cat f)\" g",
        "awk -f /dev/stdin f",
        "gawk '@include \"f\"'",
        "gawk 'BEGIN { g = \"sys\" \"tem\"; @g($0) }' f",
        "sort --compress-program=sh f",
        "tar xf f --to-command=sh",
        "split --filter='sh -s' f",
        "nice bash f",
        "env python3 - < f",
        "find . -exec sh {} +",
        "find . -execdir env bash {} +",
        "prlimit python3 -c 'import os; os.execv(1)'",
        "git rebase --exec 'sh f' main",
        "git bisect run sh f",
        "git submodule foreach 'sh f'",
        "bash --rcfile f -ic ls",
        "BASH_ENV=f bash -c ls",
        "read x < f; [ -v \"$x\" ]",
        "unset \"$(cat f)\"",
        "declare -i n=\"$(cat f)\"",
        "printf -v \"$(cat f)\" x",
        "mapfile -C 'sh -c' -c 1 < f",
        "cat() { sh; }; tail -1 f | cat",
        "PATH=.; tail -1 f | cat",
        "find . | xargs sed -n p",
        "tail -1 f | ./cat",
        "tail -1 f | xargs ./rm",
        "PATH=. cat < f",
        "env PATH=. cat < f",
        "env BASH_ENV=f bash -c ls",
        "GIT_PAGER='sh f' git log",
        "export LD_PRELOAD=./x.so; tail -1 f | cat",
    ] {
        assert!(!unseen(script).is_empty(), "{script}");
    }
}

/// What the user said of one part says nothing of another.
#[test]
fn every_part_is_told() {
    let parts = |script: &str| -> Vec<String> {
        unseen(script).iter().map(|it| it.part().to_owned()).collect()
    };
    assert_eq!(parts("sh build.sh; source setup.sh"), ["sh build.sh", "source setup.sh"]);
    let script = "sh build.sh; tail -1 f | sh -s";
    assert_eq!(parts(script), ["sh build.sh", script]);
}

#[test]
fn what_cannot_be_understood_is_told_from_what_runs_a_file() {
    assert!(matches!(&unseen("sh f")[..], [OpaqueCommand::Brought { part }] if part == "sh f"));
    let found = unseen("ls ${x@P}");
    assert!(
        matches!(&found[..], [OpaqueCommand::Unclear { part, .. }] if part == "ls ${x@P}"),
        "{found:?}"
    );
}
