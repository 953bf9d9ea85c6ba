//! A question is asked: with what goes with it, followed to its end, and what was said meanwhile behind it.

use std::path::{Path, PathBuf};

use toolwright_app::{AppError, Heeding, Session, StartedRun};
use toolwright_core::UserMessage;

use super::{
    Chat, Next,
    attend::{Attended, attend},
    told,
};
use crate::{
    commands::{
        attaching::{attachment, typed_path},
        waiting::Waiting,
    },
    error::{CommandError, Result},
    screen::Screen,
    stop::Ending,
    style::{DIM, END, line, tame},
};

/// How many files a question may name with `@`.
const MOST_NAMED: usize = 10;

impl Chat {
    /// Asks what somebody typed, with the files that it names and what is attached.
    pub(super) async fn ask(&mut self, question: UserMessage) -> Result<Next> {
        let question = with_named_files(question)?;
        for attached in &question.attachments {
            line(&format!("{DIM}{} goes with it.{END}", attached.describe()));
        }
        self.send(question).await
    }

    /// Asks a question, with what is attached. What others wrote names no files here: a command brings its own, as far
    /// as it may.
    pub(super) async fn send(&mut self, question: UserMessage) -> Result<Next> {
        let question = self.attached.iter().cloned().fold(question, UserMessage::with_attachment);
        let session = self.asking();
        let started = session.ask(Some(&self.id), question, self.app.context.clone()).await;
        let started = started.map_err(AppError::from)?;
        self.attached.clear();
        Ok(Next::Run(Box::new(started)))
    }

    /// The session that the next question is asked in.
    pub(super) fn asking(&mut self) -> Session {
        let session = &self.app.session;
        match std::mem::take(&mut self.compacts) {
            true => session.with_agent(session.agent().compacting()),
            false => session.clone(),
        }
    }

    /// Follows a run to its end, and what was queued behind it. Whether the chat ends with it.
    pub(super) async fn follow(&mut self, started: StartedRun, ending: &Ending) -> Result<bool> {
        let mut next = Some(started);
        while let Some(mut started) = next.take() {
            self.last = Some(self.id.clone());
            let waiting = Waiting::new(&self.app.session.agent().settings().toolbox);
            let screen = Screen::new().thinking(self.thinking);
            let heeding = Heeding::begin(self.store(), &started);
            let (store, run) = (self.store(), &mut started.running);
            let Attended { is_answered, is_left, thought, later, draft } =
                attend(run, ending, screen, store, &self.id).await?;
            drop((waiting, heeding));
            // Whoever asks on has the conversation's lease given back.
            drop(started);
            self.entered.extend(later);
            if !thought.trim().is_empty() {
                self.thought = thought;
            }
            if !draft.is_empty() {
                self.draft = draft;
            }
            if ending.is_now() || is_left {
                return Ok(true);
            }
            next = self.after(is_answered).await;
        }
        Ok(false)
    }

    /// What was said while a run went on and was not taken up: it is asked where the run has its answer, and told of
    /// where it has none.
    async fn after(&self, is_answered: bool) -> Option<StartedRun> {
        let waiting = self.store().queued(&self.id).await.unwrap_or_default();
        let first = waiting.first()?;
        if !is_answered {
            let it = if waiting.len() == 1 { "It waits" } else { "They wait" };
            let says = format!("{it} for the next question; /status lists what waits.");
            line(&format!("{DIM}{} said and not taken up. {says}{END}", waiting.len()));
            return None;
        }
        line(&format!("{DIM}›{END} {}", tame(&first.message.content)));
        match self.app.session.ask_next(&self.id, self.app.context.clone()).await {
            Ok(started) => started,
            Err(error) => {
                told(&AppError::from(error).into());
                None
            }
        }
    }

    /// A file that goes with the next question, unless it cannot.
    pub(super) fn attach_file(&mut self, file: &Path) {
        match attachment(file) {
            Ok(it) => {
                line(&format!("{DIM}{} goes with the next question.{END}", it.describe()));
                self.attached.push(it);
            }
            Err(error) => told(&error.into()),
        }
    }
}

/// What somebody typed, with the files that it names.
pub(super) fn with_named_files(question: UserMessage) -> Result<UserMessage, CommandError> {
    named_files(&question.content)
        .iter()
        .try_fold(question, |question, path| Ok(question.with_attachment(attachment(path)?)))
}

/// What may stand before a file that is named.
const OPENING: [char; 8] = ['(', '[', '{', '<', '"', '\'', '`', ','];

/// The files that a question names with `@`, each once.
fn named_files(question: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for (at, _) in question.match_indices('@') {
        let (before, name) = question.split_at(at);
        // Elsewhere it is an address of somebody, or a part of one.
        let begins = |it: char| it.is_whitespace() || OPENING.contains(&it);
        if !before.is_empty() && !before.ends_with(begins) {
            continue;
        }
        let file = named_file(name.get(1..).unwrap_or_default());
        files.extend(file.filter(|it| files.len() < MOST_NAMED && !files.contains(it)));
    }
    files
}

/// The file whose name this begins with: in quotes, or up to a blank without a backslash before it. What ends a
/// sentence, or closes what was opened before, may stand behind it.
fn named_file(text: &str) -> Option<PathBuf> {
    const CLOSING: [char; 13] = ['.', ',', ';', ':', '?', '!', ')', ']', '}', '>', '"', '\'', '`'];
    if let Some(quote) = text.chars().next().filter(|it| matches!(it, '"' | '\'')) {
        let end = text.get(1..)?.find(quote)?;
        return Some(typed_path(text.get(..end + 2)?)).filter(|it| it.is_file());
    }
    let mut name = text.get(..word_end(text))?;
    loop {
        let path = typed_path(name);
        if !name.is_empty() && path.is_file() {
            return Some(path);
        }
        name = name.strip_suffix(CLOSING)?;
    }
}

/// Where the first blank stands that has no backslash before it.
fn word_end(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.char_indices().find(|(_, letter)| {
        let ends = letter.is_whitespace() && !is_escaped;
        is_escaped = cfg!(unix) && *letter == '\\' && !is_escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::named_files;

    #[test]
    fn a_file_is_named_however_it_stands_in_a_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let (plain, blank) = (folder.path().join("notes.md"), folder.path().join("a b.txt"));
        for file in [&plain, &blank] {
            std::fs::write(file, "x").unwrap();
        }
        let path = folder.path().to_str().unwrap();
        for typed in [
            "see @{}/notes.md",
            "see @{}/notes.md.",
            "(@{}/notes.md)",
            "\"@{}/notes.md\"?",
            "@\"{}/notes.md\", and @{}/notes.md again",
        ] {
            assert_eq!(
                named_files(&typed.replace("{}", path)),
                std::slice::from_ref(&plain),
                "{typed}"
            );
        }
        for typed in ["see @{}/a\\ b.txt.", "see @\"{}/a b.txt\".", "see @'{}/a b.txt'"] {
            assert_eq!(
                named_files(&typed.replace("{}", path)),
                std::slice::from_ref(&blank),
                "{typed}"
            );
        }
        for typed in ["ann@{}/notes.md", "@", "@ {}/notes.md", "@\"{}/notes.md", "@...", "@{}/a b"]
        {
            assert!(named_files(&typed.replace("{}", path)).is_empty(), "{typed}");
        }
    }
}
