//! A question is asked: with what goes with it, followed to its end, and what was said meanwhile behind it.

use std::path::{Path, PathBuf};

use toolwright_app::{AppError, Session, StartedRun};
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
    error::Result,
    screen::Screen,
    stop::Ending,
    style::{DIM, END, line, tame},
};

/// How many files a question may name with `@`.
const MOST_NAMED: usize = 10;

impl Chat {
    /// Asks a question, with what is attached.
    pub(super) async fn ask(&mut self, mut question: UserMessage) -> Result<Next> {
        for path in named_files(&question.content) {
            let attached = attachment(&path)?;
            line(&format!("{DIM}{} goes with it.{END}", attached.describe()));
            question = question.with_attachment(attached);
        }
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
            let (store, run) = (self.store(), &mut started.running);
            let Attended { is_answered, is_left, thought, later, draft } =
                attend(run, ending, screen, store, &self.id).await?;
            drop(waiting);
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

/// The files that a question names with `@`.
fn named_files(question: &str) -> Vec<PathBuf> {
    let words = question.split_whitespace().filter_map(|word| word.strip_prefix('@'));
    let paths = words.map(|word| typed_path(word.trim_end_matches([',', ';', ':', '?', '!', ')'])));
    paths.filter(|it| it.is_file()).take(MOST_NAMED).collect()
}
