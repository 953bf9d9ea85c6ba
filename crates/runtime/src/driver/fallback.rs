//! [`Current`]: which of an agent's models a run asks; and how it goes on with another where that one gives no
//! reply.
//!
//! The run stays with the model it turned to: one that changes with every round would be read by each of them
//! anew, and would answer with two voices. Only where that gives no reply either is the next one asked, and
//! those that failed lately last.

use std::sync::Arc;

use tokio::time::Instant;
use toolwright_core::{
    Attachment, AttachmentKind, FinishReason, Message, ModelError, ModelErrorKind, ModelOptions,
    ModelResponse, OutputSchema, RequestCache, Run, ToolChoice, Usage, truncate_line,
};

use super::Driver;
use crate::{AgentConfig, ContextWindow, fallback_model::Candidate};

/// The longest reason there is.
const REASON: usize = 300;

/// Which of an agent's models a run asks.
pub(super) struct Current {
    at: usize,
    /// How it is to write.
    pub(super) options: Arc<ModelOptions>,
    /// Whether the log says that another is asked, which is not there any more.
    is_gone: bool,
}

impl Current {
    /// The one the run turned to before it was cut short, or the first.
    pub(super) fn of(run: &Run, settings: &AgentConfig) -> Self {
        let is_named = |at: &usize| settings.candidate(*at).model.name() == run.model();
        let found = match run.is_on_fallback() {
            true => (0..settings.models()).find(is_named),
            false => Some(0),
        };
        let at = found.unwrap_or(0);
        Self { at, options: settings.options_of(at), is_gone: found.is_none() }
    }

    pub(super) fn candidate<'a>(&self, settings: &'a AgentConfig) -> Candidate<'a> {
        settings.candidate(self.at)
    }
}

/// What another model has to be better at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lack {
    /// Nothing: any other may reply.
    Anything,
    /// It takes what is attached to the question.
    Attachment,
    /// It reads more.
    Window,
}

/// Whether another model may reply where one failed so, and what it has to be better at.
fn lack(kind: ModelErrorKind) -> Option<Lack> {
    match kind {
        // Another provider, another line, another key, another account.
        ModelErrorKind::NotConfigured
        | ModelErrorKind::Connection
        | ModelErrorKind::Timeout
        | ModelErrorKind::Auth
        | ModelErrorKind::RateLimited
        | ModelErrorKind::Quota
        | ModelErrorKind::Server => Some(Lack::Anything),
        // Withdrawn, or misspelled: the next name may be right.
        ModelErrorKind::NotFound => Some(Lack::Anything),
        // What was shown of it is taken back.
        ModelErrorKind::BrokenReply => Some(Lack::Anything),
        // A picture is no trouble of the one that sees.
        ModelErrorKind::Attachment => Some(Lack::Attachment),
        // What is left after it was shortened goes to one that reads more, or to nobody.
        ModelErrorKind::TooLong => Some(Lack::Window),
        // What is wrong with the request is wrong wherever it goes, and is better seen than hidden; so is a
        // kind that is not known here.
        _ => None,
    }
}

/// Whether a failure says something about the model, and not about what it was asked.
fn is_about_model(kind: ModelErrorKind) -> bool {
    lack(kind) == Some(Lack::Anything)
}

/// Why a reply is none: another model may have something to say.
fn silence(reply: &ModelResponse) -> Option<&'static str> {
    let has_calls = reply.calls.iter().any(|call| !call.name.trim().is_empty());
    if has_calls || !reply.text.trim().is_empty() {
        return None;
    }
    match reply.finish {
        FinishReason::Stop | FinishReason::ToolCalls => Some("it replied with nothing"),
        FinishReason::Length => Some("it used up its length limit before it said anything"),
        // A decision about the question, and not to be got round by asking elsewhere.
        FinishReason::ContentFilter | FinishReason::Refusal => None,
    }
}

impl Driver {
    /// How much of the conversation the model is sent.
    pub(super) fn window(&self) -> &ContextWindow {
        self.current.candidate(&self.settings).window
    }

    /// Before a question: turns away from a model that failed lately, where there is another.
    pub(super) fn pass_over(&mut self) {
        if self.settings.models() == 1 && !self.current.is_gone {
            return;
        }
        let settings = self.settings.clone();
        if std::mem::take(&mut self.current.is_gone) {
            let reason = "it is not configured any more".to_owned();
            let from = self.run.model().to_owned();
            self.turn_to(0, from, reason, Usage::default());
        }
        let current = self.current.candidate(&settings);
        if current.health.admits() {
            return;
        }
        let reason = current.health.describe();
        let mut others = self.others(&[]);
        if let Some(next) = others.find(|at| settings.candidate(*at).health.admits()) {
            self.turn_to(next, current.model.name().to_owned(), reason, Usage::default());
        }
    }

    /// Asks the run's model, and where that gives no reply the others, each of them once.
    pub(super) async fn ask(
        &mut self,
        choice: ToolChoice,
        output: Option<&OutputSchema>,
    ) -> Result<ModelResponse, ModelError> {
        if self.settings.models() == 1 {
            return self.ask_current(choice, output).await;
        }
        let settings = self.settings.clone();
        let mut asked = Vec::new();
        loop {
            let since = Instant::now();
            let result = self.ask_current(choice.clone(), output).await;
            let current = self.current.candidate(&settings);
            let (reason, lack, usage) = match &result {
                Ok(reply) => {
                    current.health.succeeded();
                    let Some(reason) = silence(reply) else { return result };
                    (reason.to_owned(), Lack::Anything, reply.usage)
                }
                Err(error) => {
                    if is_about_model(error.kind) {
                        current.health.failed(since, error);
                    }
                    let Some(lack) = lack(error.kind) else { return result };
                    (truncate_line(&error.message, REASON), lack, Usage::default())
                }
            };
            asked.push(self.current.at);
            let Some(next) = self.next_model(&asked, lack) else { return result };
            self.turn_to(next, current.model.name().to_owned(), reason, usage);
            self.persist().await;
            if self.run.is_ended() {
                return result;
            }
        }
    }

    /// Asks the run's model; once more, with less, where it was too much to read.
    async fn ask_current(
        &mut self,
        choice: ToolChoice,
        output: Option<&OutputSchema>,
    ) -> Result<ModelResponse, ModelError> {
        let result = self.exchange(choice.clone(), output).await;
        let is_too_long = matches!(&result, Err(it) if it.kind == ModelErrorKind::TooLong);
        if !is_too_long || !self.compact() {
            return result;
        }
        // Once: what is left now is what has to fit.
        self.persist().await;
        self.exchange(choice, output).await
    }

    /// The model to ask now: the next in order that did not fail lately, or else the next that did.
    fn next_model(&self, asked: &[usize], lack: Lack) -> Option<usize> {
        let settings = &self.settings;
        let suits = |at: &usize| self.suits(settings.candidate(*at), lack);
        let well = |at: &usize| settings.candidate(*at).health.admits();
        let healthy = self.others(asked).filter(suits).find(well);
        healthy.or_else(|| self.others(asked).find(suits))
    }

    /// The places behind the current one, and then those before it.
    fn others<'a>(&self, asked: &'a [usize]) -> impl Iterator<Item = usize> + use<'a> {
        let (at, all) = (self.current.at, self.settings.models());
        (1..all).map(move |step| (at + step) % all).filter(move |it| !asked.contains(it))
    }

    fn suits(&self, other: Candidate<'_>, lack: Lack) -> bool {
        let current = self.current.candidate(&self.settings);
        let takes = |it: &Candidate<'_>| {
            let is_taken =
                |file: &Attachment| file.kind() == AttachmentKind::Text || it.model.accepts(file);
            let messages = self.run.conversation().messages();
            let question = messages.iter().rfind(|it| matches!(&***it, Message::User(_)));
            question.iter().flat_map(|it| it.attachments()).all(is_taken)
        };
        match lack {
            Lack::Anything => true,
            // What is gone is gone for all of them.
            Lack::Attachment => !takes(&current) && takes(&other),
            Lack::Window => other.window.tokens > current.window.tokens,
        }
    }

    /// Goes on with another model. What was made for the one before is of no use to it.
    fn turn_to(&mut self, next: usize, from: String, reason: String, usage: Usage) {
        let settings = self.settings.clone();
        let candidate = settings.candidate(next);
        let (to, price) = (candidate.model.name().to_owned(), candidate.price);
        tracing::info!(run = %self.run.id(), from, to, reason, "[model] fell back");
        self.report(|run, at| run.model_fell_back(from, to, reason, price, usage, at));
        self.current = Current { at: next, options: settings.options_of(next), is_gone: false };
        self.memo = RequestCache::default();
        self.fitted.forget();
        self.measured = None;
        // It may read less.
        self.compact_at_threshold();
    }
}
