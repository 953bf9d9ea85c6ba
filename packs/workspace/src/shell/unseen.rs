//! [`carries_out`]: whether a command carries out text that is not in the script.
//!
//! What is fed to a program may be carried out by it. So only programs that are known not to do that
//! are fed without a question; a program that nobody knows may be the next language.

use super::{
    awk,
    command::Command,
    git,
    inline::{self, Told},
    looking,
    options::{has, operands},
    programs::{is_interpreter, starts_nothing},
    sed_script,
    word::{Kind, Word},
    wrappers::{self, Inner, SHELLS},
};

/// Whether a command carries out text that is not in the script: what a file holds, or what another
/// command writes. The program is empty where only running it tells which one it is.
pub(super) fn carries_out(command: &Command, program: &str) -> bool {
    let arguments = command.words.get(1..).unwrap_or_default();
    let is_fed = command.is_fed || command.reads_unknown;
    let may_be_another =
        || is_fed || arguments.iter().any(names_shell) || starts_language(arguments);
    // A program of the workspace may be named like one that is known.
    let is_system = command.words.first().is_some_and(|it| it.is(program));
    let misleads = command.set.iter().any(|it| misleads(it));
    if misleads && (is_fed || program == "git" || SHELLS.contains(&program)) {
        return true;
    }
    match program {
        "" | "source" | "." | "at" | "batch" | "parallel" => true,
        "ed" | "emacs" | "ex" | "nvim" | "vi" | "view" | "vim" | "vimdiff" => true,
        program if SHELLS.contains(&program) => !has_script(arguments) || has_files(arguments),
        program if is_interpreter(program) => language(program, arguments, is_fed),
        _ if !is_system => may_be_another(),
        "xargs" => !feeds_known(arguments),
        "awk" | "gawk" | "mawk" | "nawk" => !awk::runs_nothing(arguments),
        "sed" => !sed_script::runs_nothing(arguments),
        "git" => {
            sets_program(arguments) || git_is_given(arguments) || is_fed && git_takes(arguments)
        }
        "read" | "mapfile" | "readarray" | "getopts" | "let" | "printf" | "test" | "wait" => {
            names_open(program, arguments)
        }
        program if starts_nothing(program) => may_start(program, arguments),
        "make" | "gmake" if arguments.iter().any(is_from_elsewhere) => true,
        // What it starts is judged on its own, and is fed what it is fed.
        program if !wrappers::inner(program, arguments).is_empty() => {
            let before =
                arguments.iter().take_while(|it| it.text.starts_with('-') || it.text.contains('='));
            before.into_iter().any(|it| it.text.contains('=') && self::misleads(&it.text))
        }
        _ => may_be_another(),
    }
}

/// Whether a variable that is set may make a known program another, or make it run something: where
/// programs are found, what is loaded into them, what a shell or a language reads first. There are
/// more of these than anybody knows, so only those that are known not to do that do not.
pub(super) fn misleads(change: &str) -> bool {
    const HARMLESS: [&str; 16] = [
        "CARGO_TERM_COLOR",
        "CI",
        "CLICOLOR",
        "COLUMNS",
        "DEBUG",
        "FORCE_COLOR",
        "GIT_TERMINAL_PROMPT",
        "LANG",
        "LANGUAGE",
        "LINES",
        "NO_COLOR",
        "RUST_BACKTRACE",
        "RUST_LOG",
        "SOURCE_DATE_EPOCH",
        "TZ",
        "VERBOSE",
    ];
    const FAMILIES: [&str; 3] = ["GIT_AUTHOR_", "GIT_COMMITTER_", "LC_"];
    let change = change.strip_prefix("export ").unwrap_or(change).trim_start();
    let Some((name, value)) = change.split_once('=') else { return true };
    let is_nothing = name.ends_with("EDITOR") && value == "true"
        || name.ends_with("PAGER") && matches!(value, "" | "cat");
    let is_harmless =
        is_nothing || HARMLESS.contains(&name) || FAMILIES.iter().any(|it| name.starts_with(it));
    !is_harmless && !is_own(change)
}

/// Whether a script only sets a variable of its own: programs read few whose names are in small
/// letters, and those say what to ask for what on the network.
pub(super) fn is_own(change: &str) -> bool {
    let name = change.split(['=', '+', '[']).next().unwrap_or_default();
    // The places in a list are calculated: `y=([x]=1)`.
    let is_list = change.contains("=(") && change.contains('[');
    change.starts_with(['>', '&'])
        || (change.contains('=')
            && !is_list
            && !name.is_empty()
            && !name.ends_with("_proxy")
            && !name.starts_with("npm_config")
            && name.bytes().all(|it| it.is_ascii_lowercase() || it == b'_'))
}

/// The name of the program that a word may stand for.
fn name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or_default()
}

/// Whether a program that nobody knows is told to start a shell: `prlimit sh x`, `--to-command=sh`,
/// `-e 'sh x'`.
fn names_shell(word: &Word) -> bool {
    let value = word.text.rsplit_once('=').map_or(&*word.text, |(_, value)| value);
    [&*word.text, value]
        .iter()
        .filter_map(|it| it.split_ascii_whitespace().next())
        .any(|it| SHELLS.contains(&name(it)))
}

/// Whether a program that nobody knows is told to start a language with something that only running
/// it tells.
fn starts_language(arguments: &[Word]) -> bool {
    let mut rest = arguments;
    while let [word, more @ ..] = rest {
        let program = name(&word.text);
        if is_interpreter(program) && !more.is_empty() && language(program, more, false) {
            return true;
        }
        rest = more;
    }
    false
}

/// Whether what is fed to `xargs` goes to a program that starts no other, whatever it is given.
fn feeds_known(arguments: &[Word]) -> bool {
    wrappers::inner("xargs", arguments).iter().all(|it| match it {
        Inner::Words(words) => {
            let Some((program, rest)) = words.split_first() else { return false };
            let Some(known) = looking::program(program) else { return false };
            // Behind `--` no word is an option any more.
            let is_closed = || rest.iter().any(|it| it.is("--"));
            let takes_anything = looking::is_free(known) || is_writer(known);
            let is_safe = match known {
                "sed" => is_closed() && sed_script::runs_nothing(rest),
                known => starts_nothing(known) && is_closed() && !may_start(known, rest),
            };
            takes_anything || is_safe
        }
        Inner::Script(_) | Inner::Unknown => false,
    })
}

fn is_writer(program: &str) -> bool {
    super::programs::WRITERS.contains(&program) && program != "wait"
}

/// Whether a program that by itself starts no other is told to.
fn may_start(program: &str, arguments: &[Word]) -> bool {
    let hides = |it: &Word| it.kind == Kind::Open && !it.text.starts_with(['"', '/', '.']);
    match program {
        "sort" => has(arguments, &["compress-program"], ""),
        "rg" => has(arguments, &["pre", "hostname-bin"], "") || arguments.iter().any(hides),
        "find" => {
            arguments.iter().any(|it| it.kind == Kind::Open && it.may_be_option() && hides(it))
        }
        _ => false,
    }
}

/// Whether a variable is named by something that only running it tells: the name may be a place in a
/// list, and the place a command (`a[$(…)]`).
fn names_open(program: &str, arguments: &[Word]) -> bool {
    let is_open = |it: &Word| it.kind == Kind::Open;
    match program {
        "printf" => {
            let format = arguments.iter().find(|it| !it.is("--"));
            format.is_none_or(|it| {
                let alone = looking::is_format(std::slice::from_ref(it));
                !alone && arguments.iter().any(is_open)
            })
        }
        "test" | "wait" => has(arguments, &[], "vRp") && arguments.iter().any(is_open),
        "mapfile" | "readarray" => has(arguments, &[], "Cc") || arguments.iter().any(is_open),
        _ => arguments.iter().any(is_open),
    }
}

/// Whether a word says that a program is to read from where only running it tells.
fn is_from_elsewhere(word: &Word) -> bool {
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

/// Whether git is given something to run: `git rebase --exec 'sh x'`, `git bisect run sh x`.
fn git_is_given(arguments: &[Word]) -> bool {
    let Some((command, rest)) = arguments.split_first() else { return false };
    let says = |word: &str| rest.iter().any(|it| it.text == word);
    match &*command.text {
        _ if command.kind == Kind::Open => true,
        "rebase" => has(rest, &["exec"], "x"),
        "submodule" => says("foreach"),
        "bisect" => says("run"),
        "grep" => has(rest, &["open-files-in-pager"], "O"),
        "difftool" | "mergetool" | "filter-branch" => true,
        "clone" | "fetch" | "pull" | "push" | "ls-remote" => {
            has(rest, &["upload-pack", "receive-pack", "exec", "config", "template"], "")
                || rest.iter().any(|it| it.text.contains("::"))
        }
        _ => false,
    }
}

/// Whether git may carry out what it is fed: a command of it that is not known may be an alias.
fn git_takes(arguments: &[Word]) -> bool {
    match git::bare(arguments) {
        Some(bare) => git::does_more(bare.get(1..).unwrap_or_default()),
        None => git::does_more(arguments),
    }
}

/// Whether a shell is given its script: `-c` and a word behind it.
fn has_script(arguments: &[Word]) -> bool {
    let is_option = |it: &&Word| it.text.starts_with(['-', '+']);
    let options = arguments.iter().take_while(is_option);
    let is_given = |it: &Word| !it.text.starts_with("--") && it.text.contains('c');
    let count = options.clone().count();
    options.into_iter().any(is_given) && arguments.len() > count
}

/// Whether a shell is told to read a file before its script.
fn has_files(arguments: &[Word]) -> bool {
    has(arguments, &["rcfile", "init-file"], "")
}

/// Whether a language carries out what only running it tells. A file that is named is a program of
/// the workspace, like those that `make` or `cargo` run.
fn language(program: &str, arguments: &[Word], is_fed: bool) -> bool {
    if is_asked(arguments) {
        return false;
    }
    if program.starts_with("python") || program.starts_with("pypy") {
        return match inline::python(arguments) {
            Told::Code(code) => !inline::python_computes(code),
            Told::Module(module) => is_fed && !module.is("json.tool"),
            Told::Program => is_fed || reads(arguments),
        };
    }
    if program.starts_with("perl") && inline::perl_replaces(arguments) {
        return false;
    }
    is_fed || reads(arguments) || has_code(arguments)
}

/// Whether a language is only asked what it is.
fn is_asked(arguments: &[Word]) -> bool {
    let is_asked = |it: &Word| matches!(&*it.text, "--version" | "-V" | "-v" | "--help" | "-h");
    !arguments.is_empty() && arguments.iter().all(is_asked)
}

/// Whether a language is given its program in a word.
fn has_code(arguments: &[Word]) -> bool {
    let is_code = |it: &Word| {
        // `-I` names a folder.
        let short = it.text.strip_prefix('-').filter(|it| !it.starts_with(['-', 'I']));
        short.is_some_and(|it| it.contains(['c', 'e', 'E', 'n', 'p', 'r', 'R', 'B', 'F']))
            || matches!(&*it.text, "eval" | "repl")
            || it.text.starts_with("--eval")
            || it.text.starts_with("--print")
            || it.text.contains("data:")
    };
    // Behind the program's name its own words begin.
    let count = arguments.iter().take_while(|it| it.text.starts_with('-')).count();
    arguments.iter().take(count + 1).any(is_code)
}

/// Whether a language reads its program from somewhere that only running it tells.
fn reads(arguments: &[Word]) -> bool {
    let is_odd =
        |it: &Word| it.text == "-" || it.text.starts_with("/dev/") || it.text.starts_with("/proc/");
    let is_open = arguments.iter().any(|it| it.kind == Kind::Open);
    is_open || arguments.iter().any(is_odd) || operands(arguments, "").is_empty()
}
