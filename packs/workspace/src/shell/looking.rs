//! [`only_looks`]: the programs that only look, and the options with which they do.

use super::{
    looking_git, sed,
    word::{Kind, Word},
};

/// Options of a program that change nothing.
pub(super) struct Options {
    /// Short ones, in any order in one word: `-la`.
    pub(super) short: &'static str,
    /// Short ones whose value may follow in the same word: `-k2`.
    pub(super) valued: &'static str,
    /// Long ones, with a value or without.
    pub(super) long: &'static [&'static str],
}

impl Options {
    /// Whether every word that may be an option is one of these. A word in the place of a value is
    /// held to the same.
    pub(super) fn hold(&self, arguments: &[Word]) -> bool {
        let before = arguments.split(|it| it.is("--")).next().unwrap_or_default();
        let hides = |it: &Word| it.kind == Kind::Pattern && it.may_be_option();
        !arguments.iter().any(hides) && before.iter().all(|it| self.has(&it.text))
    }

    fn has(&self, word: &str) -> bool {
        let Some(rest) = word.strip_prefix('-').filter(|it| !it.is_empty()) else { return true };
        if let Some(long) = rest.strip_prefix('-') {
            return self.long.contains(&long.split('=').next().unwrap_or_default());
        }
        let cluster = rest.find(|c| self.valued.contains(c)).map_or(rest, |at| rest.split_at(at).0);
        cluster.chars().all(|c| self.short.contains(c))
    }
}

/// The name of a program that only looks, where it is the system's own.
pub(super) fn program(word: &Word) -> Option<&str> {
    let name = ["/bin/", "/usr/bin/"].iter().find_map(|it| word.text.strip_prefix(it));
    let name = name.unwrap_or(&word.text);
    (word.kind == Kind::Plain).then_some(name)
}

/// Whether a command only looks. Its words are written out: no variable is in them.
pub(super) fn only_looks(words: &[Word]) -> bool {
    let Some((name, arguments)) = words.split_first() else { return false };
    let Some(program) = program(name) else { return false };
    if FREE.contains(&program) {
        return true;
    }
    if let Some((_, options)) = LIMITED.iter().find(|(name, _)| *name == program) {
        return options.hold(arguments);
    }
    let is_plain = arguments.iter().all(|it| it.kind == Kind::Plain);
    match program {
        "git" => looking_git::only_looks(arguments),
        "sed" => sed::only_looks(arguments),
        "find" => arguments.iter().all(is_condition),
        "uniq" => is_plain && UNIQ.hold(arguments) && operands(arguments) <= 1,
        "date" => is_plain && is_date(arguments),
        "printf" => is_format(arguments),
        "test" => is_plain && arguments.iter().all(|it| is_test_word(&it.text)),
        "command" => is_plain && arguments.first().is_some_and(|it| it.is("-v")),
        _ => false,
    }
}

/// Whether a program changes nothing, whatever it is given.
pub(super) fn is_free(program: &str) -> bool {
    FREE.contains(&program)
}

/// Whether it is a program that only looks when it is used for that.
pub(super) fn is_known(program: &str) -> bool {
    let others = ["[", "command", "date", "find", "git", "printf", "sed", "test", "uniq"];
    is_free(program) || LIMITED.iter().any(|(it, _)| *it == program) || others.contains(&program)
}

/// Programs that change nothing, whatever they are given.
const FREE: [&str; 43] = [
    ":",
    "basename",
    "cat",
    "cd",
    "cmp",
    "comm",
    "cut",
    "df",
    "dirname",
    "du",
    "echo",
    "egrep",
    "expr",
    "false",
    "fgrep",
    "fold",
    "grep",
    "head",
    "hexdump",
    "id",
    "jq",
    "ls",
    "md5sum",
    "nl",
    "od",
    "paste",
    "pwd",
    "readlink",
    "realpath",
    "seq",
    "sha1sum",
    "sha256sum",
    "stat",
    "strings",
    "tac",
    "tail",
    "tr",
    "true",
    "type",
    "uname",
    "wc",
    "which",
    "whoami",
];

/// Programs that change nothing with these options.
const LIMITED: [(&str, Options); 6] = [
    ("column", Options { short: "tnexJ", valued: "scolNTRHO", long: &["table", "separator"] }),
    (
        "diff",
        Options {
            short: "abBcdeEiInNpqrstTuwyZ0123456789",
            valued: "UCWxF",
            long: &[
                "brief",
                "color",
                "exclude",
                "ignore-all-space",
                "ignore-blank-lines",
                "ignore-case",
                "ignore-space-change",
                "no-dereference",
                "new-file",
                "recursive",
                "report-identical-files",
                "side-by-side",
                "text",
                "unified",
                "width",
            ],
        },
    ),
    (
        "file",
        Options {
            short: "bhiLkNprs0",
            valued: "F",
            long: &["brief", "dereference", "mime", "mime-encoding", "mime-type"],
        },
    ),
    (
        "rg",
        Options {
            short: "0abcFHhIiLlnNopPqsSuUvVwx.",
            valued: "ABCdeEgjmMrtT",
            long: &[
                "after-context",
                "before-context",
                "case-sensitive",
                "color",
                "context",
                "count",
                "count-matches",
                "files",
                "files-with-matches",
                "files-without-match",
                "fixed-strings",
                "follow",
                "glob",
                "heading",
                "hidden",
                "iglob",
                "ignore-case",
                "invert-match",
                "json",
                "line-number",
                "max-count",
                "max-depth",
                "multiline",
                "no-filename",
                "no-heading",
                "no-ignore",
                "no-line-number",
                "only-matching",
                "pcre2",
                "regexp",
                "smart-case",
                "sort",
                "stats",
                "trim",
                "type",
                "type-list",
                "type-not",
                "version",
                "vimgrep",
                "with-filename",
                "word-regexp",
            ],
        },
    ),
    (
        "sort",
        Options {
            short: "bcCdfghiMmnRrsuVz",
            valued: "kt",
            long: &[
                "field-separator",
                "human-numeric-sort",
                "ignore-case",
                "key",
                "numeric-sort",
                "reverse",
                "stable",
                "unique",
                "version-sort",
                "zero-terminated",
            ],
        },
    ),
    (
        "tree",
        Options {
            short: "aAcCdDfFghilnNpqQrsStuUvx",
            valued: "LPI",
            long: &["dirsfirst", "gitignore", "noreport", "prune", "filelimit", "sort", "version"],
        },
    ),
];

const UNIQ: Options = Options {
    short: "cdDiuz",
    valued: "fsw",
    long: &["count", "repeated", "unique", "ignore-case", "skip-fields", "skip-chars"],
};

/// How many words are no options, or may be none.
fn operands(arguments: &[Word]) -> usize {
    arguments.iter().filter(|it| !it.text.starts_with('-') || it.text == "-").count()
}

/// Whether it says when, or how it is shown; anything else would be a time to set.
fn is_date(arguments: &[Word]) -> bool {
    let mut words = arguments.iter().map(|it| it.text.as_str());
    while let Some(word) = words.next() {
        let is_known = match word {
            "-u" | "-R" | "-I" | "--utc" | "--iso-8601" => true,
            "-d" | "--date" | "-r" => words.next().is_some(),
            word => ["+", "--date=", "--iso-8601=", "--rfc-3339=", "-I"]
                .iter()
                .any(|it| word.starts_with(it)),
        };
        if !is_known {
            return false;
        }
    }
    true
}

/// Whether a format prints and no more: some set a variable (`%n`, `-v`).
pub(super) fn is_format(arguments: &[Word]) -> bool {
    let Some((format, rest)) = arguments.split_first() else { return false };
    let (format, rest) = match format.is("--") {
        true => match rest.split_first() {
            Some(it) => it,
            None => return false,
        },
        false => (format, rest),
    };
    let mut parts = format.text.replace("%%", "").into_bytes();
    parts.reverse();
    let mut fits = format.kind == Kind::Plain && !format.text.starts_with('-');
    while let Some(byte) = parts.pop() {
        if byte != b'%' {
            continue;
        }
        while parts.last().is_some_and(|it| b"-+ #0123456789.*".contains(it)) {
            parts.pop();
        }
        fits &= parts.last().is_some_and(|it| b"bcdeEfgGioqsuxX".contains(it));
    }
    fits && rest.iter().all(|it| it.kind != Kind::Open)
}

/// Whether a word of `find` says what to find or how to show it.
fn is_condition(word: &Word) -> bool {
    if word.kind != Kind::Plain {
        return !word.may_be_option();
    }
    !word.text.starts_with('-') || CONDITIONS.contains(&&*word.text)
}

const CONDITIONS: [&str; 55] = [
    "-",
    "-H",
    "-L",
    "-P",
    "-a",
    "-amin",
    "-and",
    "-anewer",
    "-atime",
    "-cmin",
    "-cnewer",
    "-ctime",
    "-daystart",
    "-depth",
    "-empty",
    "-executable",
    "-false",
    "-follow",
    "-group",
    "-iname",
    "-inum",
    "-ipath",
    "-iregex",
    "-links",
    "-lname",
    "-ls",
    "-maxdepth",
    "-mindepth",
    "-mmin",
    "-mount",
    "-mtime",
    "-name",
    "-newer",
    "-nogroup",
    "-not",
    "-nouser",
    "-o",
    "-or",
    "-path",
    "-perm",
    "-print",
    "-print0",
    "-printf",
    "-prune",
    "-quit",
    "-readable",
    "-regex",
    "-regextype",
    "-samefile",
    "-size",
    "-true",
    "-type",
    "-user",
    "-wholename",
    "-writable",
];

/// Whether a word of a test is an operator that only compares or looks, or plain text. Others
/// calculate (`-v`), and calculating runs commands.
pub(super) fn is_test_word(word: &str) -> bool {
    const OPERATORS: [&str; 30] = [
        "!", "=", "==", "!=", "-a", "-b", "-c", "-d", "-e", "-f", "-g", "-h", "-k", "-L", "-n",
        "-o", "-p", "-r", "-s", "-S", "-u", "-w", "-x", "-z", "-ef", "-nt", "-ot", "-G", "-O",
        "-N",
    ];
    OPERATORS.contains(&word) || is_plain_text(word)
}

pub(super) fn is_plain_text(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with('-')
        && word.chars().all(|c| c.is_ascii_alphanumeric() || "_./,:@%+=^~-".contains(c))
}
