//! [`carries_out`]: whether a command carries out text that is not in the script.

use super::{
    programs::is_interpreter,
    word::{Kind, Word},
    wrappers::SHELLS,
};

/// Whether a command carries out text that is not in the script: what a file holds, or what another
/// command writes. The program is empty where only running it tells which one it is.
pub(super) fn carries_out(program: &str, arguments: &[Word]) -> bool {
    match program {
        "" | "source" | "." | "at" | "batch" => true,
        "xargs" | "parallel" => arguments.iter().any(|it| is_read_by(name(it))),
        program if SHELLS.contains(&program) => !has_script(arguments),
        program if is_interpreter(program) => reads(arguments),
        _ => false,
    }
}

/// The name of the program that a word may stand for.
fn name(word: &Word) -> &str {
    word.text.rsplit('/').next().unwrap_or_default()
}

fn is_read_by(program: &str) -> bool {
    SHELLS.contains(&program)
        || is_interpreter(program)
        || matches!(program, "eval" | "env" | "xargs")
}

/// Whether a shell is given its script: `-c` and a word behind it.
fn has_script(arguments: &[Word]) -> bool {
    let is_option = |it: &&Word| it.text.starts_with(['-', '+']);
    let options = arguments.iter().take_while(is_option);
    let is_given = |it: &Word| !it.text.starts_with("--") && it.text.contains('c');
    let count = options.clone().count();
    options.into_iter().any(is_given) && arguments.len() > count
}

/// Whether a language reads its program from somewhere that only running it tells. A file that is
/// named is a program of the workspace, like those that `make` or `cargo` run.
fn reads(arguments: &[Word]) -> bool {
    let is_odd = |it: &Word| {
        it.kind == Kind::Open
            || it.text == "-"
            || it.text.starts_with("/dev/")
            || it.text.starts_with("/proc/")
    };
    let is_asked = |it: &Word| matches!(&*it.text, "--version" | "-V" | "-v" | "--help" | "-h");
    let names_none = arguments.iter().all(|it| it.text.starts_with('-'));
    arguments.iter().any(is_odd) || (names_none && !arguments.iter().any(is_asked))
}
