//! What a driver reports about questions that tools ask the user.
//!
//! A call that asks goes on running: what it waits for changes nothing about how it ends, nor about what
//! becomes of it after a crash. A question without an answer is then void.

use std::sync::Arc;

use super::{CallState, Events, Run, RunError};
use crate::{CallId, EventKind, Question, QuestionAnswer, QuestionId, Timestamp};

impl Run {
    /// The tool asks the user something. The question has the name that [`Run::next_question`] told.
    ///
    /// # Errors
    /// When the call does not run.
    pub fn question_asked(&mut self, id: &CallId, question: Question, at: Timestamp) -> Events {
        let tool = self.open_in(id, &CallState::Started)?.tool.clone();
        let (question_id, question) = (self.next_question(), Arc::new(question));
        let kind = EventKind::QuestionAsked { id: id.clone(), question_id, tool, question };
        let mut out = Vec::with_capacity(1);
        self.emit(&mut out, at, kind);
        Ok(out)
    }

    /// The question has its answer.
    ///
    /// # Errors
    /// When the call does not wait for one to this question.
    pub fn question_answered(
        &mut self,
        id: &CallId,
        question_id: &QuestionId,
        answer: QuestionAnswer,
        at: Timestamp,
    ) -> Events {
        let call = self.open_in(id, &CallState::Started)?;
        if !call.questions.contains(question_id) {
            return Err(RunError::NoSuchQuestion(question_id.clone()));
        }
        let question_id = question_id.clone();
        let mut out = Vec::with_capacity(1);
        self.emit(
            &mut out,
            at,
            EventKind::QuestionAnswered { id: id.clone(), question_id, answer },
        );
        Ok(out)
    }

    /// The name of the question that is asked next. The run is in it: agents that run side by side may name
    /// their calls alike, and an answer is for one of them.
    pub fn next_question(&self) -> QuestionId {
        QuestionId::from(format!("{}-q{}", self.id, self.questions.saturating_add(1)))
    }

    /// How many questions tools asked the user in this run.
    pub fn questions(&self) -> u32 {
        self.questions
    }

    /// The tool of an open call.
    pub fn tool_of(&self, id: &CallId) -> Option<&str> {
        self.open.iter().find(|call| call.id == *id).map(|call| call.tool.as_str())
    }

    /// The questions that have no answer yet, and the calls that wait for one.
    pub fn open_questions(&self) -> impl Iterator<Item = (&CallId, &QuestionId)> {
        self.open.iter().flat_map(|call| call.questions.iter().map(|it| (&call.id, it)))
    }

    /// Something worth knowing about an open call.
    ///
    /// # Errors
    /// When there is no such call.
    pub fn call_noticed(&mut self, id: &CallId, message: String, at: Timestamp) -> Events {
        self.open_in(id, &CallState::Started)?;
        let mut out = Vec::with_capacity(1);
        self.emit(&mut out, at, EventKind::Notice { message, id: Some(id.clone()) });
        Ok(out)
    }

    pub(super) fn fold_question(&mut self, id: &CallId, question_id: &QuestionId) {
        self.questions = self.questions.saturating_add(1);
        // Only a call that runs waits for anything.
        if let Some(call) = self.open_call(id).filter(|it| it.state == CallState::Started) {
            call.questions.push(question_id.clone());
        }
    }
}
