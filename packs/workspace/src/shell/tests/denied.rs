//! A rule that denies a command is never passed by one in which it could hide.

use toolwright_core::RuleTargets;

use super::subjects;

/// Whether a rule about `rm` is about a script, or may be.
fn may_be_rm(script: &str) -> bool {
    let RuleTargets::These(found) = subjects(script) else { return true };
    found.iter().any(|it| {
        let is_it = it.text == "rm" || it.text.starts_with("rm ");
        let known = it.text.get(..it.certain.unwrap_or(it.text.len())).unwrap_or_default();
        is_it || (it.certain.is_some() && "rm ".starts_with(known))
    })
}

#[test]
fn a_command_that_could_hide_another_is_not_certain() {
    let mut passed = Vec::new();
    for script in [
        "rm x",
        "$(echo rm) x",
        "`echo rm` x",
        "coproc rm x",
        "coproc X { rm x; }",
        "rm<f",
        "rm>f",
        "<f rm x",
        "/usr/../bin/rm x",
        "//bin//rm x",
        "/bin/./rm x",
        "\\rm x",
        "r''m x",
        "'r'\"m\" x",
        "$'rm' x",
        "$'\\x72m' x",
        "busybox rm x",
        "env rm x",
        "env -i A=b rm x",
        "A=1 rm x",
        "PATH=. rm x",
        "x=rm; $x y",
        "${x:-rm} y",
        "eval rm x",
        "eval \"$(cat f)\"",
        "echo rm x | sh",
        "tail -1 f | bash -s",
        "sh f",
        "source f",
        ". ./f",
        "python3 -c 'import os; os.system(\"rm x\")'",
        "perl -e 'unlink x'",
        "xargs rm < f",
        "xargs -a f",
        "find . -exec rm {} +",
        "find . -{exec,x} rm {} +",
        "find . $x",
        "awk 'BEGIN { system(\"rm x\") }'",
        "sed '1e rm x' f",
        "git -c alias.x='!rm x' x",
        "git x",
        "git rebase --exec 'rm x'",
        "tar --to-command=rm -xf f",
        "./rm x",
        "./tool x",
        "/opt/tool x",
        "/lib64/ld-linux-x86-64.so.2 /bin/rm x",
        "cmake -E rm x",
        "make clean",
        "npx rm x",
        "nsenter rm x",
        "setarch x86_64 rm x",
        "timeout 1 rm x",
        "sudo -u a rm x",
        "nice rm x",
        "exec rm x",
        "command rm x",
        "builtin eval rm x",
        "trap 'rm x' EXIT",
        "alias l=rm; l x",
        "f() { rm x; }; f",
        "function f { $1 x; }; f rm",
        "for x in rm; do $x y; done",
        "case a in *) rm x;; esac",
        "if true; then rm x; fi",
        "LD_PRELOAD=./x ls",
        "export PATH=.; ls",
        "declare -x BASH_ENV=f; ls",
        "r? x",
        "r* x",
        "{rm,x}",
        "echo {PATH}>/dev/null; ls",
        "printf %n PATH; ls",
        "printf -v PATH .; ls",
        "read PATH < f; ls",
        "mapfile -C rm x",
        "getopts a PATH",
        "bash -c \"$x\"",
        "bash <(echo rm x)",
        "sh <<< 'rm x'",
        "sh <<'E'\nrm x\nE",
        "ls; (rm x)",
        "ls & rm x",
        "time rm x",
        "! rm x",
        "{ rm x; }",
        "ls `rm x`",
        "ls \"$(rm x)\"",
        "echo x > >(rm x)",
        "vim -c '!rm x'",
        "ssh h rm x",
        "sort --compress-program=rm f",
        "rg --pre rm x",
        "script -c 'rm x'",
        "watch rm x",
        "parallel rm ::: x",
        // git runs what the repository's settings and hooks say.
        "git commit -m 'a b'",
        "git push origin main",
        "git status",
        "git add .; ls",
        // A variable's name is a place in a list, and the place is calculated.
        "sleep 0 & wait -n -p 'a[$(rm victim)]'",
        "wait -p x -n; ls",
        "wait -n $x",
        "printf -v 'a[$(rm x)]' y",
        "read 'a[$(rm x)]' < f",
        "unset 'a[$(rm x)]'",
        "declare 'a[$(rm x)]=1'",
        "export 'a[$(rm x)]=1'",
        "let 'a[$(rm x)]'",
        "test -v 'a[$(rm x)]'",
        "[ -v 'a[$(rm x)]' ]",
        "[[ -v 'a[$(rm x)]' ]]",
        "[[ 'a[$(rm x)]' -eq 1 ]]",
        "x='a[$(rm x)]'; [[ x -eq 1 ]]",
        "x='a[$(rm x)]'; [[ $x -eq 1 ]]",
        "x='a[$(rm x)]'; (( x ))",
        "x='a[$(rm x)]'; echo $((x))",
        "x='a[$(rm x)]'; echo $[x]",
        "x='a[$(rm x)]'; echo \"${y[x]}\"",
        "x='a[$(rm x)]'; echo ${y:x}",
        "x='a[$(rm x)]'; echo ${y:1:x}",
        "x='a[$(rm x)]'; echo ${!x}",
        "x='$(rm x)'; echo \"${x@P}\"",
        "x='a[$(rm x)]'; y[x]=1",
        "x='a[$(rm x)]'; y=([x]=1)",
        "x='a[$(rm x)]'; for ((i = x; i < 1; i++)); do ls; done",
    ] {
        if !may_be_rm(script) {
            passed.push(script);
        }
    }
    assert_eq!(passed, <[&str; 0]>::default());
}

#[test]
fn what_is_written_out_is_certain() {
    for script in [
        "ls -la",
        "cat a | head -5",
        "cp a b && mkdir -p c",
        "echo \"$x\" > out.txt",
        "ls *.rs",
        "wait",
        "sleep 0 & wait -n $!",
        "wait 12 %1",
        "[[ $x == y ]]",
        "x=a; echo \"${x}\" ${#x} ${x:-b} ${x%.rs}",
        "echo $((1 + 2))",
        "x=1; echo $x",
        "touch a b",
        "sed -n 1,5p f",
        "find . -name '*.rs'",
        "[ -f a ] && cat a",
        "grep -rn foo src 2>/dev/null",
        "rmdir $x",
    ] {
        assert!(!may_be_rm(script), "{script}: {:?}", subjects(script));
    }
}
