//! Where bash may read something else, nobody can tell.

use super::reason;

#[test]
fn what_cannot_be_read_is_unclear() {
    for script in [
        "",
        "  \n ",
        "# only a comment",
        "ls 'a",
        "ls \"a",
        "ls $(",
        "ls (",
        "ls )",
        "if ls",
        "ls |",
        "ls; ;",
        "fi",
        "ls `",
        "ls ${",
        "cat <<EOF\na",
        "{ ls",
        "ls }; }",
        "case a in",
        "ls &&",
    ] {
        assert!(!reason(script).is_empty(), "{script}");
    }
}

#[test]
fn what_cannot_be_seen_is_unclear() {
    for script in [
        "ls\0rm x",
        "ls\rrm x",
        "ls\u{1b}[2Krm x",
        "ls \u{200b}x",
        "ls \u{202e}x",
        "ls\u{a0}x",
        "ls \u{feff}x",
        "ls \u{2066}x",
        "ls \u{e0041}",
        "ls\u{85}rm x",
        "ls\u{2028}rm x",
        "ls\u{b}x",
        "ls\u{7f}",
    ] {
        assert!(reason(script).contains("cannot be seen"), "{script:?}");
    }
    assert!(reason(&"a ".repeat(40_000)).contains("longer than 64 KiB"));
}

#[test]
fn where_bash_may_read_something_else_it_is_unclear() {
    for script in [
        // The grammar's text ends later than bash's, or earlier.
        r"echo $'a\\' ; rm x ; echo 'b'",
        r"echo $'\x72m'",
        "echo $\"a\"",
        "cat <<EOF\n EOF\n'\nEOF\nrm x\n'\nEOF",
        "cat <<EOF\nEOFX\n'\nEOF\nrm x\n#'",
        "cat <<E\"O\"F\na\nEOF",
        "cat <<EOF;ls\na\nEOF;ls",
        "cat <<EOF\na \\\nEOF\nrm x\nEOF",
        "cat <<EOF\n$(rm x)\nEOF",
        "cat <<EOF\n`rm x`\nEOF",
        "cat <<EOF\n${a:=b}\nEOF",
        "cat <<A <<B\na\nA\nb\nB",
        "cat <<EOF \"\nEOF\nrm x\n\"\nEOF",
        // Blanks that are none, and lines that do not end.
        r"ls \ #;rm x",
        "l\\\ns x",
        "ls &\\\n& rm x",
        // Words that the grammar takes for more files.
        "find . >/dev/null -delete",
        "ls && find . 2>/dev/null -delete",
        "ls > a b",
        "cat <<EOF -x\na\nEOF",
        // Words that are none of the grammar's.
        "if[ -f x ]; then ls; fi",
        "{ls,rm} x",
        "[ -n a \n rm x ]",
        "[ -n a -a ( b ) ]",
        "{ls; }",
        "[a ]",
        "[ a ]b",
        "[ a > b ]",
        "[ a && rm x ]",
        "((ls); rm x)",
        "$((ls); rm x)",
        "coproc rm x",
        "select a in b; do ls; done",
        "ls @(a|b)",
        "case a in @(a|b)) ls;; esac",
        "[[ a =~ (b|$(rm x)) ]]",
        // Values that are run.
        "((a))",
        "echo $((a))",
        "echo $[a]",
        "[[ a -eq 1 ]]",
        "for ((i = 0; i < 3; i++)); do ls; done",
        "echo ${a@P}",
        "echo ${!a}",
        "echo ${a[b]}",
        "echo ${a:b}",
        "echo ${a:=b}",
        "echo \"${a:-$(rm x)}\"",
        "a[b]=c",
        "echo `echo \\`rm x\\``",
        "echo \"`echo \"a\"`\"",
        "bash -c 'ls \"'",
        "bash -c \"$x\"",
        "sh -c \"ls $x\"",
        "eval $x",
        "eval 'one a'$(three)",
        "trap \"$x\" EXIT",
        "watch $x",
    ] {
        assert!(!reason(script).is_empty(), "{script}");
    }
}
