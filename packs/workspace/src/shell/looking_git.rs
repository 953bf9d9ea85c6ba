//! [`only_looks`]: the commands of git that only look, and the options with which they do.

use super::{
    looking::Options,
    word::{Kind, Word},
};

/// Whether a command of git only looks, with settings that name no program.
pub(super) fn only_looks(arguments: &[Word]) -> bool {
    let is_before =
        |it: &&Word| ["--no-pager", "-P", "--no-optional-locks"].iter().any(|no| it.is(no));
    let count = arguments.iter().take_while(is_before).count();
    let Some((command, rest)) = arguments.get(count..).and_then(<[Word]>::split_first) else {
        return false;
    };
    let is =
        |words: &[&str]| rest.len() == words.len() && rest.iter().zip(words).all(|(a, b)| a.is(b));
    let all_of = |words: &[&str]| rest.iter().all(|it| words.iter().any(|word| it.is(word)));
    if command.kind != Kind::Plain || rest.iter().any(checks_signatures) {
        return false;
    }
    match &*command.text {
        "--version" | "version" => rest.is_empty(),
        "branch" => all_of(&["--list", "--show-current", "--all", "-a", "-r", "-v", "-vv", "-av"]),
        "tag" => {
            rest.is_empty()
                || rest.first().is_some_and(|it| it.is("-l") || it.is("--list")) && TAG.hold(rest)
        }
        "remote" => all_of(&["-v", "--verbose"]) && rest.len() <= 1,
        "stash" => is(&["list"]),
        name => COMMANDS.iter().any(|(names, options)| names.contains(&name) && options.hold(rest)),
    }
}

/// Whether a format asks for signatures, which another program checks (`%G?`).
fn checks_signatures(word: &Word) -> bool {
    let mut rest = word.text.as_str();
    while let Some((_, after)) = rest.split_once('%') {
        if after.trim_start_matches(['+', '-', ' ', '%']).starts_with(['G', '(']) {
            return true;
        }
        rest = after;
    }
    false
}

const TAG: Options = Options { short: "ln0123456789", valued: "", long: &["list", "sort"] };

/// Commands that change nothing with these options.
const COMMANDS: [(&[&str], Options); 14] = [
    (
        &["status"],
        Options {
            short: "sbvz",
            valued: "u",
            long: &[
                "ahead-behind",
                "branch",
                "column",
                "ignored",
                "long",
                "no-ahead-behind",
                "no-column",
                "no-renames",
                "porcelain",
                "renames",
                "short",
                "show-stash",
                "untracked-files",
                "verbose",
            ],
        },
    ),
    (&["log", "show", "diff", "rev-list", "shortlog", "whatchanged"], HISTORY),
    (
        &["blame"],
        Options {
            short: "befklnpstw0123456789",
            valued: "LMC",
            long: &[
                "abbrev",
                "date",
                "line-porcelain",
                "porcelain",
                "root",
                "show-email",
                "show-name",
                "show-number",
                "since",
            ],
        },
    ),
    (
        &["grep"],
        Options {
            short: "aceEFGhHiIlLnopPqrvwWz0123456789",
            valued: "ABCm",
            long: &[
                "all-match",
                "and",
                "basic-regexp",
                "break",
                "cached",
                "color",
                "column",
                "count",
                "extended-regexp",
                "files-with-matches",
                "files-without-match",
                "fixed-strings",
                "function-context",
                "heading",
                "ignore-case",
                "invert-match",
                "line-number",
                "max-count",
                "max-depth",
                "name-only",
                "no-color",
                "not",
                "only-matching",
                "or",
                "perl-regexp",
                "quiet",
                "show-function",
                "untracked",
                "word-regexp",
            ],
        },
    ),
    (&["cat-file"], Options { short: "epst", valued: "", long: &[] }),
    (
        &["ls-files"],
        Options {
            short: "cdfikmostuvz",
            valued: "x",
            long: &[
                "cached",
                "deleted",
                "error-unmatch",
                "exclude",
                "exclude-standard",
                "full-name",
                "ignored",
                "modified",
                "others",
                "stage",
                "unmerged",
            ],
        },
    ),
    (
        &["ls-tree"],
        Options {
            short: "dlrtz",
            valued: "",
            long: &["abbrev", "full-name", "full-tree", "long", "name-only", "name-status"],
        },
    ),
    (
        &["rev-parse"],
        Options {
            short: "q",
            valued: "",
            long: &[
                "abbrev-ref",
                "is-inside-work-tree",
                "quiet",
                "short",
                "show-prefix",
                "show-toplevel",
                "symbolic-full-name",
                "verify",
            ],
        },
    ),
    (
        &["describe"],
        Options {
            short: "",
            valued: "",
            long: &[
                "abbrev",
                "all",
                "always",
                "candidates",
                "contains",
                "exact-match",
                "first-parent",
                "long",
                "match",
                "tags",
            ],
        },
    ),
    (
        &["merge-base"],
        Options { short: "a", valued: "", long: &["all", "fork-point", "is-ancestor", "octopus"] },
    ),
    (
        &["show-ref"],
        Options {
            short: "dqs",
            valued: "",
            long: &["abbrev", "branches", "hash", "head", "heads", "tags", "verify"],
        },
    ),
    (&["check-ignore"], Options { short: "nqvz", valued: "", long: &["no-index", "verbose"] }),
    (&["count-objects"], Options { short: "Hv", valued: "", long: &["human-readable", "verbose"] }),
    (&["name-rev"], Options { short: "", valued: "", long: &["always", "name-only", "tags"] }),
];

/// Options of what shows history and differences.
const HISTORY: Options = Options {
    short: "abcDeEFgiImnpPqRrstuwWz0123456789",
    valued: "BCGLMnSU",
    long: &[
        "abbrev",
        "abbrev-commit",
        "after",
        "all",
        "all-match",
        "author",
        "author-date-order",
        "before",
        "binary",
        "boundary",
        "branches",
        "cached",
        "cherry",
        "cherry-mark",
        "cherry-pick",
        "color",
        "color-words",
        "committer",
        "compact-summary",
        "count",
        "cumulative",
        "date",
        "date-order",
        "decorate",
        "diff-algorithm",
        "diff-filter",
        "dirstat",
        "email",
        "exit-code",
        "extended-regexp",
        "find-copies",
        "find-renames",
        "first-parent",
        "fixed-strings",
        "follow",
        "format",
        "full-history",
        "full-index",
        "function-context",
        "graph",
        "grep",
        "histogram",
        "ignore-all-space",
        "ignore-blank-lines",
        "ignore-space-at-eol",
        "ignore-space-change",
        "invert-grep",
        "left-right",
        "max-count",
        "merge-base",
        "merges",
        "min-parents",
        "minimal",
        "name-only",
        "name-status",
        "no-abbrev-commit",
        "no-color",
        "no-decorate",
        "no-ext-diff",
        "no-merges",
        "no-notes",
        "no-patch",
        "no-prefix",
        "no-renames",
        "no-textconv",
        "no-walk",
        "numbered",
        "numstat",
        "oneline",
        "parents",
        "patch",
        "patch-with-stat",
        "patience",
        "perl-regexp",
        "pickaxe-all",
        "pickaxe-regex",
        "pretty",
        "quiet",
        "raw",
        "regexp-ignore-case",
        "relative",
        "relative-date",
        "remotes",
        "reverse",
        "shortstat",
        "since",
        "skip",
        "staged",
        "stat",
        "summary",
        "tags",
        "text",
        "topo-order",
        "unified",
        "until",
        "walk-reflogs",
        "word-diff",
    ],
};
