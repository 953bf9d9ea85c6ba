//! [`carries_out`]: whether a command carries out text that is not in the script.

use super::{
    programs::{is_interpreter, starts_nothing},
    word::{Kind, Word},
    wrappers::{self, Inner, SHELLS},
};

/// Whether a command carries out text that is not in the script: what a file holds, or what another
/// command writes. The program is empty where only running it tells which one it is.
pub(super) fn carries_out(program: &str, arguments: &[Word]) -> bool {
    match program {
        "" | "source" | "." | "at" | "batch" => true,
        "ed" | "emacs" | "ex" | "nvim" | "vi" | "view" | "vim" | "vimdiff" => true,
        "xargs" | "parallel" => !feeds_known(program, arguments),
        "awk" | "gawk" | "mawk" | "nawk" => reads_odd(arguments) || arguments.iter().any(starts),
        "make" | "gmake" => arguments.iter().any(is_fed),
        "git" => sets_program(arguments),
        program if SHELLS.contains(&program) => !has_script(arguments),
        program if is_interpreter(program) => {
            reads(arguments) || (has_code(arguments) && arguments.iter().any(starts))
        }
        program if starts_nothing(program) => false,
        // A program that nobody knows may start the shell that it is given.
        program => {
            let is_unknown = wrappers::inner(program, arguments).is_empty();
            is_unknown && arguments.iter().any(|it| SHELLS.contains(&name(it)))
        }
    }
}

/// The name of the program that a word may stand for.
fn name(word: &Word) -> &str {
    word.text.rsplit('/').next().unwrap_or_default()
}

/// Whether what is fed to a command goes to a program that starts no other.
fn feeds_known(program: &str, arguments: &[Word]) -> bool {
    wrappers::inner(program, arguments).iter().all(|it| match it {
        Inner::Words(words) => {
            words.first().is_some_and(|it| it.kind == Kind::Plain && starts_nothing(name(it)))
        }
        Inner::Script(_) | Inner::Unknown => false,
    })
}

/// Whether code in a word starts programs, or reads what it is to do.
fn starts(word: &Word) -> bool {
    const WAYS: [&str; 9] =
        ["system", "exec", "eval", "popen", "spawn", "subprocess", "stdin", "STDIN", "getline"];
    word.text.contains(['`', '|']) || WAYS.iter().any(|it| word.text.contains(it))
}

/// Whether a language is given its program in a word.
fn has_code(arguments: &[Word]) -> bool {
    let is_code = |it: &Word| {
        let short = it.text.strip_prefix('-').filter(|it| !it.starts_with('-'));
        short.is_some_and(|it| it.contains(['c', 'e', 'E', 'n', 'p', 'r']))
            || it.text.starts_with("--eval")
            || it.text.starts_with("--print")
    };
    arguments.iter().any(is_code)
}

/// Whether `make` reads what to do from what it is fed.
fn is_fed(word: &Word) -> bool {
    let value = word.text.rsplit_once('=').map_or(&*word.text, |(_, value)| value);
    matches!(value, "-" | "-f-") || value.contains("/dev/") || value.contains("/proc/")
}

/// Whether git is told which program to run.
fn sets_program(arguments: &[Word]) -> bool {
    const HARMLESS: [&str; 5] = ["user.", "color.", "advice.", "core.quotepath=", "init.default"];
    let options = arguments.iter().zip(arguments.iter().skip(1));
    let mut set = options.filter(|(option, _)| option.is("-c")).map(|(_, value)| value);
    set.any(|it| !HARMLESS.iter().any(|no| it.text.to_ascii_lowercase().starts_with(no)))
        || arguments
            .iter()
            .any(|it| it.text.starts_with("--config-env") || it.text.starts_with("--exec-path="))
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
    let is_asked = |it: &Word| matches!(&*it.text, "--version" | "-V" | "-v" | "--help" | "-h");
    let names_none = arguments.iter().all(|it| it.text.starts_with('-'));
    let is_open = arguments.iter().any(|it| it.kind == Kind::Open);
    is_open || reads_odd(arguments) || (names_none && !arguments.iter().any(is_asked))
}

/// Whether a file is named that only running it tells.
fn reads_odd(arguments: &[Word]) -> bool {
    let is_odd =
        |it: &Word| it.text == "-" || it.text.starts_with("/dev/") || it.text.starts_with("/proc/");
    arguments.iter().any(is_odd)
}
