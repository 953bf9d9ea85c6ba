//! [`only_computes`]: whether code that stands in a command reads, computes and prints, and runs
//! nothing.
//!
//! Languages have too many ways to run a text to name them all. So what may stand in the code is
//! named: a word that is on no list may be one that runs something, and a person looks at it.

use super::word::{Kind, Word};

/// What a language is told to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told<'w> {
    /// This code.
    Code(&'w Word),
    /// A module of this name.
    Module(&'w Word),
    /// A program in a file, or something that is not told apart from one.
    Program,
}

/// What Python is told to do.
pub(super) fn python(arguments: &[Word]) -> Told<'_> {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let Some(cluster) = word.text.strip_prefix('-').filter(|it| !it.starts_with('-')) else {
            return Told::Program;
        };
        match cluster.chars().last() {
            Some('c') => return words.next().map_or(Told::Program, Told::Code),
            Some('m') => return words.next().map_or(Told::Program, Told::Module),
            Some('B' | 'E' | 'I' | 'O' | 'P' | 's' | 'S' | 'u' | 'q') => {}
            _ => return Told::Program,
        }
    }
    Told::Program
}

/// Whether code of Python computes and no more.
pub(super) fn python_computes(code: &Word) -> bool {
    code.kind == Kind::Plain && words(&code.text).is_some_and(|it| it.into_iter().all(is_known))
}

/// The words of some code, without what stands in quotes; nothing where it may be read otherwise.
fn words(code: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (token, after) = match c {
            '\'' | '"' => {
                rest = quoted(rest, c)?;
                continue;
            }
            c if is_name(c) => {
                rest.split_at(rest.find(|c: char| !is_name(c)).unwrap_or(rest.len()))
            }
            // A comment may hold a quote, an escape joins lines, and other letters look like these.
            '#' | '\\' | '`' => return None,
            c if !c.is_ascii() => return None,
            c => {
                rest = rest.get(c.len_utf8()..)?;
                continue;
            }
        };
        // Some words before a quote say what the text in it means: that of `f"…"` is code.
        if after.starts_with(['\'', '"']) && !matches!(token, "b" | "r" | "in" | "and" | "or") {
            return None;
        }
        found.push(token);
        rest = after;
    }
    Some(found)
}

/// What comes behind a text in quotes, where it is on one line and has no escapes.
fn quoted(text: &str, quote: char) -> Option<&str> {
    let inside = text.strip_prefix(quote)?;
    let (text, rest) = inside.split_once(quote)?;
    let is_long = text.is_empty() && rest.starts_with(quote);
    let has_plain_escapes = text.replace("\\n", "").replace("\\t", "").find('\\').is_none();
    (!is_long && !text.contains('\n') && has_plain_escapes).then_some(rest)
}

fn is_known(word: &str) -> bool {
    let mut letters = word.chars();
    let is_short = letters.next().is_some_and(|it| it.is_ascii_alphanumeric() || it == '_')
        && letters.all(|it| it.is_ascii_digit());
    let is_number = word.starts_with(|it: char| it.is_ascii_digit());
    is_short || is_number || PYTHON.contains(&word)
}

/// Words of Python that run no text: of the language, and of modules that read, compute and print.
#[rustfmt::skip]
const PYTHON: [&str; 223] = [
    "False", "None", "True", "and", "as", "assert", "break", "continue", "def", "del", "elif", "else",
    "except", "finally", "for", "from", "if", "import", "in", "is", "lambda", "not", "or", "pass",
    "raise", "return", "try", "while", "with", "yield",
    "abs", "all", "any", "bin", "bool", "bytes", "chr", "dict", "divmod", "enumerate", "filter",
    "float", "format", "frozenset", "hex", "int", "isinstance", "iter", "len", "list", "map", "max",
    "min", "next", "oct", "open", "ord", "pow", "print", "range", "repr", "reversed", "round", "set",
    "sorted", "str", "sum", "tuple", "type", "zip",
    "Exception", "IndexError", "KeyError", "TypeError", "ValueError",
    "append", "close", "copy", "count", "decode", "encode", "endswith", "extend", "find", "get",
    "index", "insert", "isdigit", "items", "join", "keys", "lower", "lstrip", "pop", "read",
    "readline", "readlines", "remove", "replace", "rsplit", "rstrip", "sort", "split", "splitlines",
    "startswith", "strip", "title", "update", "upper", "values", "write",
    "data", "default", "encoding", "end", "ensure_ascii", "errors", "file", "indent", "key", "line",
    "lines", "mode", "name", "newline", "res", "result", "reverse", "row", "rows", "sep", "separators",
    "sort_keys", "text", "total", "value", "word",
    "json", "dump", "dumps", "load", "loads",
    "sys", "argv", "exit", "stderr", "stdin", "stdout", "version", "version_info",
    "os", "path", "basename", "dirname", "exists", "getcwd", "getsize", "isdir", "isfile", "listdir",
    "environ", "walk",
    "pathlib", "Path", "read_text", "stem", "suffix", "write_text",
    "re", "findall", "fullmatch", "group", "groups", "match", "search", "sub",
    "math", "ceil", "cos", "exp", "factorial", "floor", "gcd", "log", "pi", "sin", "sqrt",
    "datetime", "date", "isoformat", "now", "strftime", "strptime", "timedelta", "today",
    "time", "perf_counter", "sleep",
    "random", "choice", "randint", "seed", "shuffle",
    "collections", "Counter", "defaultdict", "most_common",
    "itertools", "chain", "combinations", "permutations", "product",
    "functools", "reduce", "statistics", "mean", "median",
    "hashlib", "hexdigest", "md5", "sha256", "csv", "reader",
];

/// Whether a command of Perl replaces texts in lines and no more: `perl -pi -e 's/a/b/g' f`.
pub(super) fn perl_replaces(arguments: &[Word]) -> bool {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let Some(cluster) = word.text.strip_prefix('-').filter(|_| word.kind == Kind::Plain) else {
            return false;
        };
        let (flags, last) = match cluster.strip_suffix('e') {
            Some(flags) => (flags, true),
            None => (cluster.strip_suffix(".bak").unwrap_or(cluster), false),
        };
        // What comes behind `i` is the end of a file's name.
        let flags = if last { flags } else { flags.strip_suffix('i').unwrap_or(flags) };
        if !flags.chars().all(|it| "pnlw07".contains(it)) {
            return false;
        }
        if last {
            let rest = words.as_slice();
            let has_more = rest.iter().skip(1).any(Word::may_be_option);
            return !has_more && rest.first().is_some_and(is_replacement);
        }
    }
    false
}

/// Whether it is `s/…/…/` with nothing in it that is calculated.
fn is_replacement(code: &Word) -> bool {
    let Some(rest) = code.text.strip_prefix('s').filter(|_| code.kind == Kind::Plain) else {
        return false;
    };
    let Some(mark) = rest.chars().next().filter(|it| "/|,:!#".contains(*it)) else { return false };
    let parts: Vec<_> = rest.split(mark).collect();
    let [_, from, to, flags] = parts.as_slice() else { return false };
    let is_plain = |it: &&str| !it.contains(['@', '{', '\n']) && puts_in_groups(it);
    [from, to].into_iter().all(is_plain) && flags.chars().all(|it| "gims".contains(it))
}

/// Whether every `$` in a text stands for a group, or for the end of a line.
fn puts_in_groups(text: &str) -> bool {
    text.split('$').skip(1).all(|after| {
        let rest = after.trim_start_matches(|it: char| it.is_ascii_digit());
        match after.len() - rest.len() {
            0 => rest.is_empty() || rest.starts_with([')', '|']),
            _ => !rest.starts_with(['[', '-']),
        }
    })
}
