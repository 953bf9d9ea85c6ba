//! [`QuestionRequest`]: a tool's question that waits for the user's answer.

use futures_core::future::BoxFuture;
use toolwright_core::{CallId, Question, QuestionAnswer, QuestionId, RunId};

/// A tool's question that waits for the user's answer.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct QuestionRequest<'a> {
    /// The run whose call asks.
    pub run: &'a RunId,
    /// The run that was asked for: the same, unless the one whose call asks is a part of it.
    pub root: &'a RunId,
    /// The call.
    pub call: &'a CallId,
    /// Its tool.
    pub tool: &'a str,
    /// The question's name.
    pub id: &'a QuestionId,
    /// The question.
    pub question: &'a Question,
    /// How many questions tools asked in the run before it.
    pub asked: u32,
    /// The agents on the way to it, by the names of the tools that they are, where the run is a part of another.
    pub path: &'a [String],
}

/// The answer, once there is one.
pub type QuestionFuture<'a> = BoxFuture<'a, QuestionAnswer>;

impl QuestionRequest<'_> {
    /// Who asks, for people: the tool, and the server it belongs to where there is one. It is never
    /// Toolwright itself.
    pub fn asker(&self) -> String {
        let within: String = self.path.iter().map(|agent| format!(", in {agent}")).collect();
        match &self.question.asker {
            Some(asker) => format!("{asker} (tool {}{within})", self.tool),
            None => format!("The tool {}{within}", self.tool),
        }
    }
}

/// What nobody is asked about.
pub(super) fn declined<'a>() -> QuestionFuture<'a> {
    Box::pin(std::future::ready(QuestionAnswer::Decline))
}
