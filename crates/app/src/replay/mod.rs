//! [`replay`]: the questions of a conversation asked again, and what is not as it was.

mod compare;
mod export;
mod ledger;
mod log;
mod replies;

use std::sync::Arc;

use serde::Serialize;
use toolwright_core::{Conversation, ConversationId, Event, EventKind, UserMessage};
use toolwright_runtime::{Agent, RunStream};
use toolwright_store::Store;

pub use self::{
    compare::{Difference, DifferenceKind},
    export::export_cassette,
};
use self::{
    compare::{Played, PlayedCall, differences},
    ledger::{Ledger, LoggedTool},
    log::{Log, LoggedRun},
    replies::LoggedReplies,
};
use crate::{
    AppError, Config, ModelBackend, OpenPacks, Recording, TaskSetup,
    assemble::{Made, context, make_with},
    model_backend::ChosenModels,
};

/// Who answers in a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayedBy {
    /// What was recorded: what is looked at is what becomes of it.
    Recording,
    /// The configured model: what is looked at is what it does.
    Model,
}

/// What came of a replay.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReplayReport {
    /// The conversation.
    pub conversation: ConversationId,
    /// The model that answered then.
    pub recorded_model: String,
    /// The model that answered now; the same where the recording did.
    pub model: String,
    /// Whether all is as it was.
    pub same: bool,
    /// How many calls the log does not have: none of them was run.
    pub stand_ins: usize,
    /// The questions, in order.
    pub questions: Vec<ReplayedQuestion>,
}

/// A question that was asked again.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ReplayedQuestion {
    /// The question.
    pub question: String,
    /// How many calls were made.
    pub calls: usize,
    /// How many of them were refused, by a guard or by somebody.
    pub refusals: usize,
    /// The answer, if there is one.
    pub answer: Option<String>,
    /// What is not as it was.
    pub differences: Vec<Difference>,
}

/// Asks the questions of a conversation again, those that lead to its newest answer. No tool is run: what calls return, and what was decided about
/// them, is what the log says, by tool and arguments; a call that it does not have is told so. Nothing is kept.
///
/// # Errors
/// When the log cannot be read, or nothing can be put together as configured.
pub async fn replay(
    config: &Config,
    store: &Store,
    id: &ConversationId,
    by: ReplayedBy,
) -> Result<ReplayReport, AppError> {
    let log = Log::read(store, id).await?;
    let runs = log.newest();
    let recorded_model = runs.first().copied().map(LoggedRun::model).unwrap_or_default().to_owned();
    let replies = LoggedReplies::new(&recorded_model);
    let ledger = Ledger::default();
    let (agent, model) = agent(config, by, &replies, &ledger)?;
    let (mut history, mut questions) = (Conversation::new(), Vec::new());
    for run in runs {
        let Some(question) = run.question() else { continue };
        if !log.follows(run) {
            history = log.history(run)?;
        }
        filled(store, id, question).await?;
        ledger.add(&run.events);
        replies.say(run.replies());
        let context = context(config);
        let asked = prepared(&agent, run, question, history.clone()).context(context).start();
        let (events, said) = played(asked).await;
        history = said.unwrap_or(history);
        questions.push(looked_at(question, run, &events));
    }
    let same = questions.iter().all(|it| it.differences.is_empty());
    let (conversation, stand_ins) = (id.clone(), ledger.stand_ins());
    Ok(ReplayReport { conversation, recorded_model, model, same, stand_ins, questions })
}

/// An agent that runs no tool, and what its model is called.
fn agent(
    config: &Config,
    by: ReplayedBy,
    replies: &LoggedReplies,
    ledger: &Ledger,
) -> Result<(Agent, String), AppError> {
    let packs = OpenPacks::default();
    let mut config = config.clone();
    if by == ReplayedBy::Recording {
        // What a judge said is not in the log, and what the model said is not for it.
        config.model.judge.value = None;
    }
    let config = &config;
    let mut setup = TaskSetup::of(config, &packs)?;
    setup.tools = LoggedTool::all(setup.tools, ledger);
    let chosen = match by {
        ReplayedBy::Recording => {
            let about = "the log answers".to_owned();
            let log = Recording::new(Arc::new(replies.clone()), about);
            ChosenModels::only(ModelBackend::Recorded(log))
        }
        ReplayedBy::Model => ModelBackend::chosen(config, &packs)?,
    };
    let Made { agent, .. } = make_with(config, &packs, setup, chosen, ledger.clone(), Vec::new())?;
    let name = agent.settings().model.name().to_owned();
    Ok((agent, name))
}

/// A run that is bounded and reviewed as it was then.
fn prepared(
    agent: &Agent,
    run: &LoggedRun,
    question: &UserMessage,
    history: Conversation,
) -> toolwright_runtime::RunBuilder {
    let prepared = agent.prepare(question.clone()).conversation(history);
    let Some(EventKind::RunStarted {
        limits, first_choice, mode, review, output, tools_off, ..
    }) = run.started()
    else {
        return prepared;
    };
    let prepared = prepared.limits(*limits).first_choice(first_choice.clone());
    let prepared = prepared.mode(*mode).review(*review).tools_off(tools_off.clone());
    match output {
        Some(output) => prepared.output_schema((**output).clone()),
        None => prepared,
    }
}

/// Gives what is attached to a question its bytes.
async fn filled(
    store: &Store,
    id: &ConversationId,
    question: &UserMessage,
) -> Result<(), AppError> {
    for attachment in &question.attachments {
        if let Some(bytes) = store.attachment(id, &attachment.digest).await? {
            // Those of another one would not be filled in: the model is then told that they are gone.
            let _ = attachment.fill(bytes);
        }
    }
    Ok(())
}

/// What happens in a run, and the conversation it leads to.
async fn played(mut run: RunStream) -> (Vec<Event>, Option<Conversation>) {
    let mut events = Vec::new();
    while let Some(event) = run.next().await {
        events.push(event);
    }
    (events, run.conversation().cloned())
}

fn looked_at(question: &UserMessage, run: &LoggedRun, events: &[Event]) -> ReplayedQuestion {
    let (was, is) = (Played::of(&run.events), Played::of(events));
    ReplayedQuestion {
        question: question.content.clone(),
        calls: is.calls.len(),
        refusals: is.calls.iter().filter(|it| PlayedCall::is_refused(it)).count(),
        differences: differences(&was, &is),
        answer: is.answer,
    }
}
