//! [`inner`]: the commands that a command is given to run.

use super::{
    git,
    word::{Kind, Word},
};

/// Something that a command is given to run.
pub(super) enum Inner {
    /// A program and its arguments.
    Words(Vec<Word>),
    /// A script.
    Script(String),
    /// A script that is only known when it runs.
    Unknown,
}

impl Inner {
    fn script(word: &Word) -> Self {
        match word.kind {
            Kind::Plain => Self::Script(word.text.clone()),
            _ => Self::Unknown,
        }
    }
}

/// What a command is given to run: rules are held against it, too.
pub(super) fn inner(program: &str, arguments: &[Word]) -> Vec<Inner> {
    if SHELLS.contains(&program) {
        return option_script(arguments, 'c').into_iter().collect();
    }
    match program {
        "eval" => joined(arguments).into_iter().collect(),
        "trap" => {
            let code = arguments.first().filter(|it| !it.is("-") && !is_option(it));
            code.map(Inner::script).into_iter().collect()
        }
        "su" | "script" | "runuser" => option_script(arguments, 'c').into_iter().collect(),
        "find" => executed(arguments),
        "git" => git::bare(arguments).map(Inner::Words).into_iter().collect(),
        "command" if arguments.first().is_some_and(|it| it.is("-v") || it.is("-V")) => Vec::new(),
        "env"
            if arguments
                .iter()
                .any(|it| it.text.starts_with("-S") || it.text.starts_with("--s")) =>
        {
            joined(behind(arguments, "")).into_iter().chain(started(program, arguments)).collect()
        }
        "watch" => joined(behind(arguments, "n")).into_iter().collect(),
        "flock" => {
            option_script(arguments, 'c').into_iter().chain(started(program, arguments)).collect()
        }
        program => started(program, arguments),
    }
}

pub(super) const SHELLS: [&str; 16] = [
    "sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "csh", "tcsh", "rbash", "rzsh", "rksh",
    "mksh", "yash", "posh", "ksh93",
];

/// Programs that start the program named by their arguments: which of their short options have a
/// value, and how many arguments come before the program.
const STARTERS: [(&str, &str, usize); 27] = [
    ("builtin", "", 0),
    ("busybox", "", 0),
    ("chroot", "", 1),
    ("chrt", "TPD", 1),
    ("command", "", 0),
    ("doas", "uC", 0),
    ("env", "uC", 0),
    ("exec", "a", 0),
    ("flock", "wE", 1),
    ("ionice", "cnpPu", 0),
    ("ltrace", "eopsu", 0),
    ("nice", "n", 0),
    ("nohup", "", 0),
    ("parallel", "jIaN", 0),
    ("pkexec", "", 0),
    ("setpriv", "", 0),
    ("setsid", "", 0),
    ("stdbuf", "ioe", 0),
    ("strace", "eopsuPEabIOSUX", 0),
    ("sudo", "ughpCrtTUDR", 0),
    ("taskset", "", 1),
    ("time", "fo", 0),
    ("timeout", "sk", 1),
    ("toybox", "", 0),
    ("unbuffer", "", 0),
    ("unshare", "", 0),
    ("xargs", "IdEnPLsa", 0),
];

/// The program that a starter starts; two, where an option may have a value or not.
fn started(program: &str, arguments: &[Word]) -> Vec<Inner> {
    let Some((_, with_value, before)) = STARTERS.iter().find(|(name, ..)| *name == program) else {
        return Vec::new();
    };
    let is_doubtful =
        arguments.iter().take_while(|it| it.text.starts_with('-') || it.text.contains('='));
    let is_doubtful =
        is_doubtful.into_iter().any(|it| it.text.starts_with("--") && it.text.len() > 2);
    let mut rest = behind(arguments, with_value);
    if program == "env" || program == "sudo" || program == "doas" {
        rest = past(rest, |it| it.text.contains('='));
    }
    let rest = rest.get(*before..).unwrap_or_default();
    let mut found = vec![rest];
    if is_doubtful {
        found.extend(rest.get(1..));
    }
    let words = found.into_iter().filter(|it| !it.is_empty());
    words.map(|it| Inner::Words(it.to_vec())).collect()
}

/// What comes behind the options.
fn behind<'w>(arguments: &'w [Word], with_value: &str) -> &'w [Word] {
    let mut rest = arguments;
    while let [word, more @ ..] = rest {
        let Some(cluster) = word.text.strip_prefix('-').filter(|it| !it.is_empty()) else { break };
        rest = more;
        if cluster == "-" {
            break;
        }
        let takes_next = !cluster.starts_with('-') && cluster.ends_with(|c| with_value.contains(c));
        if takes_next {
            rest = rest.get(1..).unwrap_or_default();
        }
    }
    rest
}

/// The words from the first that is not like this.
fn past(words: &[Word], is_like: impl Fn(&Word) -> bool) -> &[Word] {
    let count = words.iter().take_while(|it| is_like(it)).count();
    words.get(count..).unwrap_or_default()
}

/// The script that is the value of an option.
fn option_script(arguments: &[Word], letter: char) -> Option<Inner> {
    let is_it = |it: &Word| {
        let short = it.text.strip_prefix('-').filter(|it| !it.starts_with('-'));
        short.is_some_and(|it| it.contains(letter)) || it.text == "--command"
    };
    let mut words = arguments.iter().skip_while(|it| !is_it(it)).skip(1);
    let script = words.find(|it| !it.text.starts_with(['-', '+']))?;
    Some(Inner::script(script))
}

/// The words as one script.
fn joined(words: &[Word]) -> Option<Inner> {
    if words.iter().any(|it| it.kind != Kind::Plain) {
        return Some(Inner::Unknown);
    }
    let texts: Vec<_> = words.iter().map(|it| it.text.as_str()).collect();
    (!words.is_empty()).then(|| Inner::Script(texts.join(" ")))
}

fn is_option(word: &Word) -> bool {
    word.kind == Kind::Plain && word.text.starts_with('-')
}

/// What `find` starts for what it found.
fn executed(arguments: &[Word]) -> Vec<Inner> {
    const STARTS: [&str; 4] = ["-exec", "-execdir", "-ok", "-okdir"];
    let mut found = Vec::new();
    let mut words = arguments.iter();
    while words.by_ref().any(|it| STARTS.contains(&&*it.text)) {
        let command = words.by_ref().take_while(|it| !it.is(";") && !it.is("+"));
        let command: Vec<_> = command.cloned().collect();
        if !command.is_empty() {
            found.push(Inner::Words(command));
        }
    }
    found
}
