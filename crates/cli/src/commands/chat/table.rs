//! [`ChatCommand`]: what can be typed behind a `/` in a chat. Help, completion and what is done with a line are read
//! out of one table.

use futures_core::future::LocalBoxFuture;

use super::{Chat, Next};
use crate::error::Result;

/// What a command does: with the chat, and what stands behind its name.
type Handler = for<'c> fn(&'c mut Chat, &'c str) -> LocalBoxFuture<'c, Result<Next>>;

/// A command of the chat's own.
pub(super) struct ChatCommand {
    /// With its slash.
    pub(super) name: &'static str,
    /// What may stand behind it, as help shows it; nothing where it stands alone.
    pub(super) arguments: &'static str,
    /// What it does, in a line. One without is another name of the command before it.
    pub(super) help: &'static str,
    pub(super) completes: Completes,
    pub(super) run: Handler,
}

/// What is completed behind a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Completes {
    Nothing,
    /// Paths, and what servers have.
    Files,
    Models,
    Tasks,
    Conversations,
    /// One of these.
    Words(&'static [&'static str]),
}

macro_rules! commands {
    ($($name:literal $arguments:literal $help:literal $completes:expr => $run:ident;)*) => {
        &[$(ChatCommand {
            name: $name,
            arguments: $arguments,
            help: $help,
            completes: $completes,
            run: |chat, rest| Box::pin(chat.$run(rest)),
        }),*]
    };
}

/// All of them, as help lists them.
pub(super) const COMMANDS: &[ChatCommand] = commands! {
    "/retry" "" "ask the last question again" Completes::Nothing => retry;
    "/edit" "[TEXT]" "ask another question in the place of the last" Completes::Nothing => edit;
    "/fork" "[N]" "go on from the answer to question N in a copy of the conversation" Completes::Nothing => fork;
    "/next" "TEXT" "while an answer comes: ask this after it; Alt+Enter does it, too" Completes::Nothing => next;
    "/attach" "FILE" "goes with the next question; mcp:SERVER:URI for what a server has" Completes::Files => attach;
    "/new" "" "begin a new conversation" Completes::Nothing => new_conversation;
    "/conversations" "[N|ID|WORDS]" "go on with another conversation" Completes::Conversations => conversations;
    "/model" "[NAME]" "list what can answer, or let another model answer" Completes::Models => model;
    "/task" "[NAME]" "list the tasks, or take up another" Completes::Tasks => task;
    "/tools" "" "list the tools that are offered, and where they come from" Completes::Nothing => tools;
    "/status" "" "show the model, the conversation, its tokens and cost, and what waits" Completes::Nothing => status;
    "/context" "" "show what fills the model's window, and what it is told of this project" Completes::Nothing => context;
    "/compact" "" "replace the older part by a digest with the next question" Completes::Nothing => compact;
    "/thinking" "[on|off]" "show what the model thought, or show it as it comes" Completes::Words(&["on", "off"]) => thinking;
    "/copy" "" "copy the last answer to the clipboard" Completes::Nothing => copy;
    "/export" "[FILE]" "write the conversation to a file: .md, .html, .json or .jsonl" Completes::Files => export;
    "/approvals" "[remove N]" "list what was approved with \"always\", or take it back" Completes::Words(&["remove "]) => approvals;
    "/help" "" "show this text" Completes::Nothing => help;
    "/quit" "" "leave (or Ctrl-D)" Completes::Nothing => quit;
    "/exit" "" "" Completes::Nothing => quit;
};

/// The command of this name.
pub(super) fn find(name: &str) -> Option<&'static ChatCommand> {
    COMMANDS.iter().find(|it| it.name == name)
}

/// A line as a command and what stands behind its name.
pub(super) fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    match line.split_once(char::is_whitespace) {
        Some((name, rest)) => (name, rest.trim()),
        None => (line, ""),
    }
}

/// The commands that help lists, and that are completed.
pub(super) fn listed() -> impl Iterator<Item = &'static ChatCommand> {
    COMMANDS.iter().filter(|it| !it.help.is_empty())
}

/// All of them, a line each; where the terminal is narrow, two.
pub(super) fn help(columns: usize) -> String {
    const NARROW: usize = 80;
    let usage = |it: &ChatCommand| format!("{} {}", it.name, it.arguments).trim_end().to_owned();
    let width = listed().map(|it| usage(it).len()).max().unwrap_or_default();
    let told = listed().map(|it| match columns < NARROW {
        true => format!("  {}\n      {}\n", usage(it), it.help),
        false => format!("  {:<width$}   {}\n", usage(it), it.help),
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::{COMMANDS, find, listed, split};

    /// What can be typed is documented, with its arguments.
    #[test]
    fn every_command_is_in_the_documentation() {
        let docs = include_str!("../../../../../docs/chat.md");
        for it in listed() {
            let usage = format!("{} {}", it.name, it.arguments).replace('|', "\\|");
            let usage = format!("| `{}` |", usage.trim_end());
            assert!(docs.contains(&usage), "{usage} is missing in docs/chat.md");
        }
    }

    #[test]
    fn every_name_is_one_command() {
        for (at, it) in COMMANDS.iter().enumerate() {
            assert!(it.name.starts_with('/') && it.name == it.name.to_lowercase(), "{}", it.name);
            let first = COMMANDS.iter().position(|other| other.name == it.name);
            assert_eq!(first, Some(at), "{}", it.name);
        }
        assert!(find("/exit").is_some() && find("/nonsense").is_none());
    }

    #[test]
    fn a_line_is_a_name_and_the_rest() {
        assert_eq!(split(" /edit  two\nlines \n"), ("/edit", "two\nlines"));
        assert_eq!(split("/retry"), ("/retry", ""));
    }
}
