//! [`does_more`]: programs that can do more than their name tells.

use super::{
    git, looking, options,
    options::{has, operands},
    sed,
    word::{Kind, Word},
};

/// Whether a command can do more than its beginning tells: then only a rule that names all of it
/// allows it.
pub(super) fn does_more(program: &str, arguments: &[Word]) -> bool {
    if RUNS.contains(&program) || is_interpreter(program) {
        return true;
    }
    // A file may be called like an option.
    let may_hide = |it: &Word| it.kind == Kind::Pattern && it.may_be_option();
    if !looking::is_free(program) && arguments.iter().any(may_hide) {
        return true;
    }
    match program {
        "find" => arguments.iter().any(|it| is_action(&it.text)),
        "sed" => !sed::only_looks(arguments),
        "git" => git::does_more(arguments),
        "tar" => {
            has(arguments, &TAR, "xIF")
                || arguments.first().is_some_and(|it| it.text.contains(['x', 'I', 'F']))
        }
        "sort" => has(arguments, &["output", "compress-program", "temporary-directory"], "oT"),
        "tree" => has(arguments, &["output"], "oR"),
        "file" => has(arguments, &["compile", "uncompress", "no-sandbox"], "CzZS"),
        "rg" => has(arguments, &["pre", "hostname-bin", "search-zip"], "z"),
        "date" => {
            let sets = |it: &&Word| !it.text.starts_with('+');
            has(arguments, &["set"], "s") || operands(arguments, "dfr").iter().any(sets)
        }
        "uniq" => operands(arguments, "fsw").len() > 1,
        "printf" => !looking::is_format(arguments) || arguments.iter().any(may_calculate),
        "test" | "[" => has(arguments, &[], "vR") || arguments.iter().any(may_calculate),
        "command" => !has(arguments.get(..1).unwrap_or_default(), &[], "vV"),
        "wait" => !arguments.iter().all(is_job),
        "fd" | "fdfind" => has(arguments, &["exec", "exec-batch"], "xX"),
        "diff" => has(arguments, &["paginate"], "l"),
        "xxd" | "column" => options::operands(arguments, "closgnN").len() > 1,
        _ => false,
    }
}

/// Programs that change files and start no other program, whatever they are given.
pub(super) const WRITERS: [&str; 20] = [
    "break", "chmod", "chown", "continue", "cp", "dd", "exit", "kill", "ln", "mkdir", "mktemp",
    "mv", "return", "rm", "rmdir", "sleep", "tee", "touch", "truncate", "wait",
];

/// Whether a program starts no other by itself: a rule about another program is not about it. git
/// starts what the repository's settings and hooks say, whatever it is asked.
pub(super) fn starts_nothing(program: &str) -> bool {
    program != "git" && (WRITERS.contains(&program) || looking::is_known(program))
}

/// Programs that run what they are given, show a prompt from which anything can be run, or change
/// what later commands mean.
const RUNS: [&str; 88] = [
    ".",
    "alias",
    "ash",
    "at",
    "awk",
    "bash",
    "batch",
    "bind",
    "builtin",
    "busybox",
    "chroot",
    "chrt",
    "compgen",
    "complete",
    "coproc",
    "csh",
    "dash",
    "declare",
    "doas",
    "ed",
    "emacs",
    "enable",
    "env",
    "eval",
    "ex",
    "exec",
    "expect",
    "export",
    "fc",
    "fish",
    "flock",
    "gawk",
    "gdb",
    "getopts",
    "hash",
    "ionice",
    "ksh",
    "less",
    "let",
    "local",
    "ltrace",
    "man",
    "mapfile",
    "mawk",
    "more",
    "most",
    "nano",
    "nawk",
    "nice",
    "nohup",
    "nvim",
    "parallel",
    "pkexec",
    "read",
    "readarray",
    "readonly",
    "run-parts",
    "screen",
    "script",
    "set",
    "setpriv",
    "setsid",
    "sh",
    "shopt",
    "source",
    "ssh",
    "stdbuf",
    "strace",
    "su",
    "sudo",
    "taskset",
    "tcsh",
    "time",
    "timeout",
    "tmux",
    "toybox",
    "trap",
    "typeset",
    "unalias",
    "unset",
    "unshare",
    "vi",
    "view",
    "vim",
    "vimdiff",
    "watch",
    "xargs",
    "zsh",
];

/// Whether it is a programming language.
pub(super) fn is_interpreter(program: &str) -> bool {
    const LANGUAGES: [&str; 15] = [
        "python",
        "pypy",
        "perl",
        "ruby",
        "irb",
        "node",
        "nodejs",
        "deno",
        "bun",
        "php",
        "lua",
        "luajit",
        "tclsh",
        "osascript",
        "guile",
    ];
    let name = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    LANGUAGES.contains(&name)
}

const TAR: [&str; 8] = [
    "checkpoint-action",
    "to-command",
    "use-compress-program",
    "info-script",
    "new-volume-script",
    "rsh-command",
    "extract",
    "get",
];

/// Whether it makes `find` do something with what it found.
fn is_action(text: &str) -> bool {
    ["-exec", "-ok", "-delete", "-fprint", "-fls"].iter().any(|it| text.starts_with(it))
}

/// Whether a word of `wait` says what to wait for. Another may be the name of a variable (`-p`), and
/// that is calculated.
fn is_job(word: &Word) -> bool {
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let text = word.text.as_str();
    matches!(text, "-n" | "-f" | "$!" | "\"$!\"")
        || is_number(text.strip_prefix('%').unwrap_or(text))
}

/// Whether a word may be a place in a list, and the place a command: `a[$(…)]`.
fn may_calculate(word: &Word) -> bool {
    word.kind != Kind::Plain || (word.text.contains('[') && word.text.contains(['$', '`']))
}
