//! [`Unasked`]: commands that change something are those that somebody asks for.

use serde_json::Value;
use toolwright_core::{
    Guard,
    guard::{CallCheck, Refusal},
};

use crate::{
    asked::{asking, wanted},
    constrain::may_take_out,
};

/// Refuses a command (a value of a parameter that is [executable](toolwright_core::ToolSpec::executable)) that stands in what
/// is *not* to be done (`don't run make clean`), and one that changes something where the user only asks a question (`is it
/// safe to rm a.txt?`).
///
/// For the offline model, whose commands answer questions, too, and which runs what it reads. What others know of a request is more
/// than its words.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unasked;

/// Commands that change something, however they go on.
const CHANGING: [&str; 30] = [
    "rm",
    "rmdir",
    "mv",
    "cp",
    "chmod",
    "chown",
    "chgrp",
    "touch",
    "mkdir",
    "ln",
    "dd",
    "truncate",
    "tee",
    "kill",
    "pkill",
    "killall",
    "install",
    "uninstall",
    "upgrade",
    "shred",
    "unlink",
    "rsync",
    "scp",
    "mkfs",
    "sudo",
    "apt",
    "apt-get",
    "patch",
    "reboot",
    "shutdown",
];
/// What is done with git that changes something.
const OF_GIT: [&str; 17] = [
    "add",
    "am",
    "apply",
    "checkout",
    "cherry-pick",
    "clean",
    "commit",
    "init",
    "merge",
    "mv",
    "pull",
    "push",
    "rebase",
    "reset",
    "restore",
    "rm",
    "stash",
];

impl Guard for Unasked {
    fn name(&self) -> &str {
        "unasked"
    }

    fn check_call(&self, check: &CallCheck<'_>) -> Result<(), Refusal> {
        // Whoever changed a call by hand means what they wrote.
        if check.original_arguments.is_some() {
            return Ok(());
        }
        let request = check.conversation.request().join("\n");
        let named = check.spec.executable.iter().filter_map(|it| check.arguments.get(it));
        let mut commands = named.filter_map(Value::as_str);
        match commands.find(|it| is_unasked(it, &request)) {
            None => Ok(()),
            Some(command) => {
                Err(Refusal::new(format!("Nobody asked to run `{command}`, so it did not run.")))
            }
        }
    }
}

/// Behind these stands what something else is to run.
const OF_OTHERS: [&str; 6] =
    ["that runs", "which runs", "that run", "which run", "that does", "that calls"];

fn is_unasked(command: &str, request: &str) -> bool {
    let is_of_others = |at: usize| {
        let before = request.get(..at).unwrap_or_default().to_lowercase();
        let before = before.trim_end_matches([' ', '`', '"', '\'', ':']);
        OF_OTHERS.iter().any(|it| before.ends_with(it))
    };
    let mut places = request.match_indices(command.trim()).map(|(at, _)| at).peekable();
    if places.peek().is_some() && places.all(is_of_others) {
        return true;
    }
    let is_said = asking(request).iter().any(|it| says(it, command));
    let is_refused = says(request, command) && !is_said && !is_split(command);
    is_refused
        || changes(command) && wanted(request).is_empty()
        || !is_said && deletes_what_stays(command, request)
}

/// Commands that delete the files they are given.
const DELETING: [&str; 4] = ["rm", "rmdir", "unlink", "shred"];
/// Behind these stands a file that something is in, and that stays.
const WITHIN: [&str; 7] = [" in ", " from ", " inside ", " within ", " leave ", " on ", " update "];

/// Whether a command deletes files where nothing is to go, or something that only stands in them: `remove the milk from todo.md`.
fn deletes_what_stays(command: &str, request: &str) -> bool {
    let mut words = command.split_whitespace().skip_while(|it| !DELETING.contains(it));
    if words.next().is_none() {
        return false;
    }
    let request = wanted(request).join(", ");
    let stands_within = |file: &str| {
        let before = request.find(file).and_then(|at| request.get(..at)).unwrap_or_default();
        // The folders before it, and what it is called besides.
        let before = before.trim_end_matches(|it: char| !it.is_whitespace());
        let before =
            before.strip_suffix("the file ").or(before.strip_suffix("the ")).unwrap_or(before);
        WITHIN.iter().any(|it| before.to_lowercase().ends_with(it))
    };
    let names = words.filter(|it| !it.starts_with('-'));
    let mut names = names.filter_map(|it| it.rsplit('/').find(|it| !it.is_empty()));
    !may_take_out(&request) || names.any(stands_within)
}

/// Whether a command stands in a text, and not in the middle of a word: `ls` does not in `tools`.
fn says(text: &str, command: &str) -> bool {
    let command = command.trim();
    text.match_indices(command).any(|(at, _)| {
        let (before, behind) = (text.get(..at), text.get(at + command.len()..));
        !before.is_some_and(|it| it.ends_with(char::is_alphanumeric))
            && !behind.is_some_and(|it| it.starts_with(char::is_alphanumeric))
    })
}

/// Whether a command could not stand in one part of what is said.
fn is_split(command: &str) -> bool {
    crate::asked::parts(command).nth(1).is_some()
}

/// Whether a command surely changes something.
fn changes(command: &str) -> bool {
    let words: Vec<_> = command.split_whitespace().collect();
    let is_git = |pair: &[&str]| matches!(pair, ["git", verb] if OF_GIT.contains(verb));
    words.iter().any(|it| CHANGING.contains(it))
        || words.windows(2).any(is_git)
        || command.contains('>')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_asked_for_where_it_changes_something() {
        for (request, command, is) in [
            ("don't run rm -rf data", "rm -rf data", true),
            ("list files, do not run make clean", "make clean", true),
            ("list files, do not run make clean", "ls", false),
            ("list files, do not run tools", "ls", false),
            ("list files, do not run tools or ls", "ls", true),
            ("what happens if I run rm -rf data", "rm -rf data", true),
            ("is it safe to rm todo.md?", "rm todo.md", true),
            ("what would git reset --hard do here?", "git reset --hard", true),
            ("why was flask removed?", "git add -A && git commit -m flask", true),
            ("I ran rm notes.txt by mistake, how do I get it back?", "rm notes.txt", true),
            ("what does `python3 report.py` print", "python3 report.py", false),
            ("do the tests pass?", "make test", false),
            ("what changed?", "git diff", false),
            ("add a target clean that runs rm -rf build", "rm -rf build", true),
            ("run the script that runs rm, then rm a.txt", "rm a.txt", false),
            ("delete a.txt", "rm a.txt", false),
            ("can you rm a.txt", "rm a.txt", false),
            ("run make; make install", "make; make install", false),
            ("what is in a.txt? remove it", "rm a.txt", false),
            (
                "the cards are printed, so that line can leave notes/todo.txt",
                "rm notes/todo.txt",
                true,
            ),
            ("remove the milk from notes/todo.txt", "rm -f ./notes/todo.txt", true),
            ("tidy up data/old.csv", "rm data/old.csv", true),
            ("get rid of all files in data/old", "rm -rf data/old", true),
            ("get rid of data/old please", "rm -rf data/old", false),
            ("run rm data/old.csv", "rm data/old.csv", false),
        ] {
            assert_eq!(is_unasked(command, request), is, "{request}: {command}");
        }
    }
}
