//! [`PendingQuestions`]: questions of tools that wait for the user, who is somewhere else.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;
use toolwright_core::{CallId, Question, QuestionAnswer, QuestionId, RunId};
use toolwright_runtime::{QuestionFuture, QuestionRequest};

/// Questions of tools that wait for the user.
#[derive(Clone, Default)]
pub(super) struct PendingQuestions {
    open: Arc<Mutex<HashMap<Key, Open>>>,
}

type Key = (RunId, QuestionId);

struct Open {
    call: CallId,
    question: Question,
    reply: oneshot::Sender<QuestionAnswer>,
}

/// Why an answer was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotAnswered {
    /// The question does not wait, or not any more.
    Gone,
    /// It is not valid: everything that is wrong with it. The question goes on waiting.
    Invalid(Vec<String>),
}

impl PendingQuestions {
    /// Puts a question on the list, until it is answered or its run stops waiting.
    pub(super) fn put<'a>(&self, request: &QuestionRequest<'a>) -> QuestionFuture<'a> {
        // A question's name has the run in it that asks: within the one that was asked for it is alone.
        let key = (request.root.clone(), request.id.clone());
        let (reply, answered) = oneshot::channel();
        let (call, question) = (request.call.clone(), request.question.clone());
        self.lock().insert(key.clone(), Open { call, question, reply });
        let leaving = Leaving { questions: self.clone(), key };
        Box::pin(async move {
            let answer = answered.await;
            drop(leaving);
            answer.unwrap_or(QuestionAnswer::Cancel)
        })
    }

    /// Answers a question of this call.
    pub(super) fn answer(
        &self,
        run: &RunId,
        call: &CallId,
        id: &QuestionId,
        answer: QuestionAnswer,
    ) -> Result<(), NotAnswered> {
        let key = (run.clone(), id.clone());
        let mut all = self.lock();
        let open = all.get(&key).filter(|it| it.call == *call).ok_or(NotAnswered::Gone)?;
        let answer = open.question.check_answer(answer).map_err(NotAnswered::Invalid)?;
        let open = all.remove(&key).ok_or(NotAnswered::Gone)?;
        drop(all);
        open.reply.send(answer).map_err(|_| NotAnswered::Gone)
    }

    /// The answer as it would be taken.
    pub(super) fn would_answer(
        &self,
        run: &RunId,
        call: &CallId,
        id: &QuestionId,
        answer: QuestionAnswer,
    ) -> Result<QuestionAnswer, NotAnswered> {
        let all = self.lock();
        let open = all.get(&(run.clone(), id.clone())).filter(|it| it.call == *call);
        let question = &open.ok_or(NotAnswered::Gone)?.question;
        question.check_answer(answer).map_err(NotAnswered::Invalid)
    }

    /// How many of a run wait, with those within it.
    pub(super) fn count(&self, run: &RunId) -> usize {
        self.lock().keys().filter(|(root, _)| root == run).count()
    }

    /// Those of a run that wait, with those within it.
    pub(super) fn of_run(&self, run: &RunId) -> Vec<QuestionId> {
        self.lock().keys().filter(|(root, _)| root == run).map(|(_, id)| id.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes a question off the list when its run stops waiting.
struct Leaving {
    questions: PendingQuestions,
    key: Key,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        self.questions.lock().remove(&self.key);
    }
}
