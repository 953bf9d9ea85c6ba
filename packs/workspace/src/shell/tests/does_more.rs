//! What can do more than its beginning tells is allowed only by a rule that names all of it.

use super::{found, only_looks};

/// Every script is one whose first subject, or all of it, needs an exact rule.
#[track_caller]
fn all_exact(scripts: &[&str]) {
    for script in scripts {
        let found = found(script);
        assert!(found.iter().any(|it| it.starts_with('=')), "{script}: {found:?}");
        assert!(!only_looks(script), "{script}");
    }
}

#[test]
fn b17_options_that_run_programs_are_not_covered_by_the_programs_name() {
    all_exact(&[
        "git -c core.pager=cmd log",
        "git -ccore.pager=cmd log",
        "git --config-env=core.pager=X log",
        "git --exec-path=. log",
        "git -C x status",
        "git --git-dir=x status",
        "git -p log",
        "git unknown-alias",
        "git config core.pager x",
        "git bisect run x",
        "git rebase -x cmd",
        "git rebase --exec cmd main",
        "git submodule foreach cmd",
        "git difftool",
        "git mergetool",
        "git filter-branch",
        "git grep -Ocmd x",
        "git grep --open-files-in-pager=cmd x",
        "git diff --ext-diff",
        "git diff --output=x",
        "git log --outpu=x",
        "git show --output x",
        "git clone 'ext::sh -c x'",
        "git clone -u x y",
        "git fetch --upload-pack=x",
        "git push --receive-pack x",
        "git help log",
        "cd x && git status",
        "find . -exec ls {} \\;",
        "find . -execdir ls {} +",
        "find . -ok ls",
        "find . -delete",
        "find . -fprint x",
        "find . -fprintf x y",
        "find . -fls x",
        "find . -{exec,x} ls",
        "sed -n '1e cmd'",
        "sed 1ecmd x",
        "sed e",
        "sed 's/a/b/e' x",
        "sed 's/a/b/w x' y",
        "sed 's/a/b/;w x' y",
        "sed -n '/a/w x' y",
        "sed -i s/a/b/ x",
        "sed s/a/b/ x -i",
        "sed -ni p x",
        "sed --in-place p x",
        "sed -f x y",
        "sed -e p -e 'w x' y",
        "sed --expression='w x' y",
        "sed 'p\nw x' y",
        "sed '1{e cmd' y",
        "tar --checkpoint-action=exec=cmd -cf x y",
        "tar --checkpoint-act=exec=cmd -cf x y",
        "tar -I cmd -cf x y",
        "tar --to-command=cmd -xf x",
        "tar cIf cmd x y",
        "tar xf x",
        "awk 'BEGIN { system(\"cmd\") }'",
        "gawk x",
        "mawk x",
        "rg --pre cmd x",
        "rg --pre=cmd x",
        "rg -z x",
        "sort -o x y",
        "sort -ro x y",
        "sort --output=x y",
        "sort --comp=x y",
        "tree -o x",
        "date -s x",
        "date --set=x",
        "date 01010101",
        "file -C -m x",
        "uniq a b",
        "uniq -c a b",
        "uniq -- a b",
        "printf -v PATH x",
        "printf -vPATH x",
        "test -v 'a[$(rm x)]'",
        "[ -v x ]",
        "fd -x rm",
    ]);
}

#[test]
fn programs_that_run_what_they_are_given_need_an_exact_rule() {
    for program in [
        "sh",
        "bash",
        "dash",
        "zsh",
        "eval",
        "exec",
        "source",
        ".",
        "env",
        "xargs",
        "sudo",
        "su",
        "nice",
        "nohup",
        "timeout",
        "setsid",
        "time",
        "watch",
        "parallel",
        "ssh",
        "python",
        "python3",
        "python3.11",
        "perl",
        "ruby",
        "node",
        "php",
        "php8.2",
        "lua5.4",
        "awk",
        "less",
        "more",
        "man",
        "vi",
        "vim",
        "read",
        "mapfile",
        "let",
        "hash",
        "enable",
        "alias",
        "shopt",
        "set",
        "trap",
    ] {
        let found = found(&format!("{program} x"));
        assert_eq!(found.first(), Some(&format!("={program} x")), "{found:?}");
    }
}

#[test]
fn ordinary_programs_are_covered_by_their_name() {
    for script in [
        "cargo test --all",
        "make -j2",
        "npm run build",
        "git commit -m 'a b'",
        "git push origin main",
        "tee x",
        "dd if=a",
        "rm -rf x",
        "tar -cf x y",
        "xxd x",
        "git branch -D x",
        "mkdir -p a/b",
        "git rebase main",
        "git stash pop",
        "curl https://example.org/a?b=c",
    ] {
        assert!(!found(script).iter().any(|it| it.starts_with('=')), "{script}");
        assert!(!only_looks(script), "{script}");
    }
}

#[test]
fn what_is_not_known_beforehand_needs_an_exact_rule() {
    all_exact(&[
        "$x y",
        "ls $x",
        "ls \"$x\"",
        "ls ${x}",
        "ls ${x:-y}",
        "ls a$x",
        "l? x",
        "l* x",
        "ls {a,b}",
        "ls {1..3}",
        "ls $((1 + 1))",
        "[ -f $x ]",
        "[[ -f $x ]]",
        "cat < $x",
        "cat < /dev/tcp/example.org/80",
        "\"$@\"",
        "find *",
        "sort *",
        "tar -cf x *",
        "git diff *",
        "cargo ?x",
    ]);
    assert_eq!(found("find *"), ["=find *"]);
    assert_eq!(found("ls $x \"$y\""), ["=ls $x \"$y\""]);
}

#[test]
fn what_is_set_needs_an_exact_rule_and_puts_every_name_in_doubt() {
    assert_eq!(found("PATH=. ls"), ["=ls", "=PATH=. ls"]);
    assert_eq!(found("PATH=.; ls"), ["=PATH=.", "=ls"]);
    assert_eq!(found("PATH+=:. ls"), ["=ls", "=PATH+=:. ls"]);
    assert_eq!(found("export PATH=.; ls"), ["=export PATH=.", "=ls"]);
    assert_eq!(found("unset PATH; ls"), ["=unset PATH", "=ls"]);
    assert_eq!(found("for PATH in .; do date; done"), ["=for PATH", "=date"]);
    assert_eq!(found("a=(b c)"), ["=a=(b c)"]);
    assert_eq!(found("ls() { rm x; }; ls"), ["=rm x", "=ls"]);
    assert_eq!(found("function ls { rm x; }\nls"), ["=rm x", "=ls"]);
    assert_eq!(found("alias ls='rm x'; ls"), ["=alias 'ls=rm x'", "=ls"]);
    assert_eq!(found("'a=b' ls"), ["='a=b' ls"]);
}

#[test]
fn what_writes_to_a_file_needs_an_exact_rule() {
    for (script, wanted) in [
        ("ls > x", "=ls > x"),
        ("ls >> x", "=ls >> x"),
        ("ls >| x", "=ls >| x"),
        ("ls &> x", "=ls &> x"),
        ("ls &>> x", "=ls &>> x"),
        ("ls >& x", "=ls >& x"),
        ("ls 2> x", "=ls > x"),
        ("2> x ls", "=ls > x"),
        ("ls > $x", "=ls > $x"),
        ("ls > 'a b' 2>&1", "=ls > 'a b'"),
        ("> x", "=> x"),
    ] {
        assert_eq!(found(script), [wanted], "{script}");
    }
    all_exact(&["ls | cat > x", "{ ls; } > x", "(ls) > x", "for a in b; do ls; done > x"]);
    all_exact(&["cat <<'EOF' > x\na\nEOF", "ls && cat > x", "while true; do ls; done >> x"]);
}
