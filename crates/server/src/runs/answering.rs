//! Answers to what tools of a run ask the user, wherever it is driven.

use std::sync::Arc;

use toolwright_core::{CallId, Event, EventKind, Question, QuestionAnswer, QuestionId};
use toolwright_store::{Instructed, Instruction, Position, StoreError};

use super::{Going, NotAnswered, Runs, instructing::Driven, standing::Given};
use crate::ApiError;

/// How many events are read at once where a question is looked for.
const PAGE: usize = 256;

impl Runs {
    /// The answer to what a call of a run, or of one within it, asks the user, as it would be taken.
    pub(crate) async fn check_answer(
        &self,
        going: &Going,
        call: &CallId,
        question: &QuestionId,
        answer: QuestionAnswer,
    ) -> Result<QuestionAnswer, ApiError> {
        let checked = match &going.driven {
            Driven::Here => self.waiting.would_answer(&going.run, call, question, answer),
            Driven::Elsewhere(open) => {
                let given = Given::to(self.store(), &going.conversation, &open.run).await?;
                match given.unanswered(&open.run).contains(&(call, question)) {
                    true => match self.question(going, question).await? {
                        Some(asked) => asked.check_answer(answer).map_err(NotAnswered::Invalid),
                        None => Err(NotAnswered::Gone),
                    },
                    false => Err(NotAnswered::Gone),
                }
            }
        };
        checked.map_err(not_answered)
    }

    /// Answers what a call of a run, or of one within it, asks the user.
    pub(crate) async fn answer(
        self: &Arc<Self>,
        going: &Going,
        call: &CallId,
        question: &QuestionId,
        answer: QuestionAnswer,
    ) -> Result<(), ApiError> {
        if matches!(going.driven, Driven::Here) && !self.store().is_shared() {
            let answered = self.waiting.answer_question(&going.run, call, question, answer);
            return answered.map_err(not_answered);
        }
        let answer = self.check_answer(going, call, question, answer).await?;
        let (call, question) = (call.clone(), question.clone());
        let instruction = Instruction::Answer { call, question, answer };
        if self.left(going, &instruction).await? != Instructed::Taken {
            return Err(not_answered(NotAnswered::Gone));
        }
        self.tell_driver(going).await;
        Ok(())
    }

    /// The question of this name in a run, as the log has it.
    async fn question(
        &self,
        going: &Going,
        id: &QuestionId,
    ) -> Result<Option<Arc<Question>>, StoreError> {
        let mut after = going.first.0.checked_sub(1).map(Position);
        loop {
            let events = self.store().events(&going.conversation, after, PAGE).await?;
            if let Some(found) = events.iter().find_map(|(_, event)| asked(event, id)) {
                return Ok(Some(found));
            }
            match events.last() {
                Some((last, _)) if events.len() == PAGE => after = Some(*last),
                _ => return Ok(None),
            }
        }
    }
}

/// The question of this name, where an event asks it, be it in a run within the run.
fn asked(event: &Event, id: &QuestionId) -> Option<Arc<Question>> {
    match &event.kind {
        EventKind::QuestionAsked { question_id, question, .. } if question_id == id => {
            Some(question.clone())
        }
        EventKind::Nested { event, .. } => asked(event, id),
        _ => None,
    }
}

fn not_answered(why: NotAnswered) -> ApiError {
    match why {
        NotAnswered::Gone => ApiError::not_found("no such question waits for an answer"),
        NotAnswered::Invalid(wrong) => {
            ApiError::invalid(format!("the answer is not valid: {}", wrong.join("; ")))
        }
    }
}
