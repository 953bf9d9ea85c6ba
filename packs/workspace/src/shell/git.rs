//! [`does_more`]: the ways in which git runs other programs or writes files.

use super::{
    options::{has, is_long, is_short},
    word::Word,
};

/// Drops the options before the command that change nothing, so that rules see the command.
pub(super) fn drop_harmless(words: &mut Vec<Word>) {
    const HARMLESS: [&str; 3] = ["--no-pager", "--no-optional-locks", "-P"];
    let count = words.iter().skip(1).take_while(|it| HARMLESS.iter().any(|no| it.is(no))).count();
    words.drain(1..=count);
}

/// The command without the options before it, where there are any.
pub(super) fn bare(arguments: &[Word]) -> Option<Vec<Word>> {
    const WITH_VALUE: [&str; 8] = [
        "-c",
        "-C",
        "--git-dir",
        "--work-tree",
        "--namespace",
        "--config-env",
        "--super-prefix",
        "--attr-source",
    ];
    let mut rest = arguments;
    while let [word, more @ ..] = rest {
        if !word.text.starts_with('-') {
            break;
        }
        let takes_next = WITH_VALUE.contains(&&*word.text);
        rest = if takes_next { more.get(1..).unwrap_or_default() } else { more };
    }
    let has_options = rest.len() < arguments.len() && !rest.is_empty();
    has_options.then(|| std::iter::once(Word::plain("git")).chain(rest.iter().cloned()).collect())
}

/// Whether a command of git can do more than its beginning tells.
pub(super) fn does_more(arguments: &[Word]) -> bool {
    let Some((command, rest)) = arguments.split_first() else { return false };
    if command.text == "--version" {
        return false;
    }
    // Every other option before the command says where git looks, or what it runs; an unknown
    // command may be an alias of anything.
    if !KNOWN.contains(&&*command.text) || has(rest, &RUN, "") {
        return true;
    }
    let says = |word: &str| rest.iter().any(|it| it.text == word);
    match &*command.text {
        "grep" => has(rest, &[], "O"),
        "rebase" => has(rest, &["interactive", "edit-todo"], "xi"),
        "submodule" => says("foreach") || leads_elsewhere(rest),
        "bisect" => says("run") || says("visualize") || says("view"),
        "clone" | "ls-remote" => leads_elsewhere(rest) || has(rest, &[], "cu"),
        "fetch" | "pull" | "push" | "remote" | "archive" => leads_elsewhere(rest),
        _ => false,
    }
}

/// Whether another program may be asked to speak for git: `ext::sh -c …`.
fn leads_elsewhere(rest: &[Word]) -> bool {
    rest.iter().any(|it| it.text.contains("::") || is_long(&it.text, &["upload-pack", "exec"]))
        || rest.iter().any(|it| is_short(&it.text, "o") && it.text.contains("command"))
}

/// Options that run a program or write a file.
const RUN: [&str; 13] = [
    "output",
    "ext-diff",
    "textconv",
    "filters",
    "upload-pack",
    "receive-pack",
    "exec",
    "exec-path",
    "open-files-in-pager",
    "config",
    "template",
    "extcmd",
    "tool",
];

/// The commands of git that do what they say.
const KNOWN: [&str; 62] = [
    "add",
    "am",
    "apply",
    "archive",
    "bisect",
    "blame",
    "branch",
    "cat-file",
    "check-ignore",
    "checkout",
    "cherry",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "count-objects",
    "describe",
    "diff",
    "diff-files",
    "diff-index",
    "diff-tree",
    "fetch",
    "for-each-ref",
    "format-patch",
    "fsck",
    "gc",
    "grep",
    "init",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge",
    "merge-base",
    "mv",
    "name-rev",
    "notes",
    "prune",
    "pull",
    "push",
    "range-diff",
    "rebase",
    "reflog",
    "remote",
    "reset",
    "restore",
    "rev-list",
    "rev-parse",
    "revert",
    "rm",
    "shortlog",
    "show",
    "show-branch",
    "show-ref",
    "sparse-checkout",
    "stash",
    "status",
    "submodule",
    "switch",
    "tag",
    "whatchanged",
    "worktree",
];
