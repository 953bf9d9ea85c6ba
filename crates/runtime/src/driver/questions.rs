//! [`Questions`]: what tools ask the user while their calls run.
//!
//! As with everything else, what happened is kept before anybody acts on it: the question before the user
//! sees it, the answer before the tool does.

use std::{
    mem::take,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use futures_channel::oneshot;
use futures_util::{FutureExt, task::AtomicWaker};
use toolwright_core::{
    CallId, JournalError, Question, QuestionAnswer, QuestionAsker, QuestionId, Run, Timestamp,
};

use super::{Driver, approval::OpenAsking, now};
use crate::{AgentConfig, Approver, QuestionFuture, QuestionRequest};

/// What tools ask the user.
#[derive(Default)]
pub(super) struct Questions {
    bell: Arc<AtomicWaker>,
    callers: Vec<(CallId, Arc<Inbox>)>,
    open: Vec<OpenQuestion>,
}

/// A question, and where its answer goes.
struct Asked {
    question: Question,
    reply: oneshot::Sender<QuestionAnswer>,
}

/// A question that was reported to the run.
struct OpenQuestion {
    call: CallId,
    id: QuestionId,
    question: Arc<Question>,
    reply: oneshot::Sender<QuestionAnswer>,
    stage: Stage,
    /// The run's clock stands still meanwhile.
    _asking: OpenAsking,
}

enum Stage {
    /// It is not kept yet: the user is asked once it is.
    Reported(QuestionFuture<'static>),
    /// The user is asked.
    Asking(QuestionFuture<'static>),
    /// The answer is not kept yet: the tool is given it once it is.
    Answered(QuestionAnswer),
}

impl Questions {
    /// Begins to listen to a call.
    pub(super) fn of_call(&mut self, call: &CallId) -> QuestionAsker {
        let inbox = Arc::new(Inbox::default());
        self.callers.push((call.clone(), inbox.clone()));
        let bell = self.bell.clone();
        Arc::new(move |question| {
            let (reply, answer) = oneshot::channel();
            inbox.put(Asked { question, reply });
            bell.wake();
            // Where nobody listens any more, nobody decides.
            answer.map(|answer| answer.unwrap_or(QuestionAnswer::Cancel)).boxed()
        })
    }

    /// The call is over, and so is what it asked.
    pub(super) fn end_of(&mut self, call: &CallId) {
        self.open.retain(|it| it.call != *call);
        self.callers.retain(|(caller, inbox)| {
            let stays = caller != call;
            if !stays {
                inbox.close();
            }
            stays
        });
    }

    /// All calls are over.
    pub(super) fn end(&mut self) {
        self.open.clear();
        self.callers.drain(..).for_each(|(_, inbox)| inbox.close());
    }

    /// What is asked now. Wakes whoever polls when there is more.
    fn poll(&mut self, cx: &mut Context<'_>) -> Vec<(CallId, Asked)> {
        self.bell.register(cx.waker());
        let of_call = |(call, inbox): &(CallId, Arc<Inbox>)| {
            inbox.take().into_iter().map(|asked| (call.clone(), asked)).collect::<Vec<_>>()
        };
        self.callers.iter().flat_map(of_call).collect()
    }
}

/// A call may outlive the run that began it, where another waits for the same: it is answered all the same.
impl Drop for Questions {
    fn drop(&mut self) {
        self.end();
    }
}

/// Where a call puts its questions, until they are taken up. Their number is bounded where they are asked.
#[derive(Default)]
struct Inbox(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    asked: Vec<Asked>,
    is_closed: bool,
}

impl Inbox {
    fn put(&self, asked: Asked) {
        let mut waiting = self.lock();
        if !waiting.is_closed {
            waiting.asked.push(asked);
        }
    }

    fn take(&self) -> Vec<Asked> {
        take(&mut self.lock().asked)
    }

    fn close(&self) {
        let mut waiting = self.lock();
        waiting.is_closed = true;
        waiting.asked.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Driver {
    /// Takes up what tools ask, and brings every question as far as it gets. Ready where something
    /// could not be kept.
    pub(super) fn poll_questions(&mut self, cx: &mut Context<'_>) -> Poll<JournalError> {
        for (call, asked) in self.questions.poll(cx) {
            self.open_question(&call, asked);
        }
        loop {
            let is_kept = match self.commit.poll(cx) {
                Poll::Ready(Err(error)) => return Poll::Ready(error),
                kept => kept.is_ready(),
            };
            if !self.advance_questions(is_kept, cx) {
                return Poll::Pending;
            }
        }
    }

    fn open_question(&mut self, call: &CallId, asked: Asked) {
        let Asked { question, reply } = asked;
        // Whoever asked may have thought better of it.
        if reply.is_canceled() {
            return;
        }
        let Some(question) = self.screen.question(question) else {
            let _ = reply.send(QuestionAnswer::Decline);
            return;
        };
        let Some(tool) = self.run.tool_of(call).map(str::to_owned) else { return };
        let (id, before) = (self.run.next_question(), self.run.questions());
        let Ok(events) = self.run.question_asked(call, question.clone(), now()) else { return };
        self.commit.add(events);
        let question = Arc::new(question);
        let request = OwnedRequest {
            run: self.run.id().clone(),
            root: self.nesting.root.as_ref().unwrap_or(self.run.id()).clone(),
            path: self.nesting.path.to_vec(),
            call: call.clone(),
            tool,
            id: id.clone(),
            question: question.clone(),
            asked: before,
        };
        let stage = match self.settings.approver.answers_questions(&request.borrowed()) {
            true => Stage::Reported(request.put_to(&self.settings)),
            false => {
                let answer = QuestionAnswer::Decline;
                self.note_question(call, NOBODY);
                self.report(|run, at| run.question_answered(call, &id, answer.clone(), at));
                Stage::Answered(answer)
            }
        };
        let (call, asking) = (call.clone(), self.asking.begin());
        let open = OpenQuestion { call, id, question, reply, stage, _asking: asking };
        self.questions.open.push(open);
    }

    /// Whether something was reported that is to be kept first.
    fn advance_questions(&mut self, is_kept: bool, cx: &mut Context<'_>) -> bool {
        let mut is_reported = false;
        for mut open in take(&mut self.questions.open) {
            if open.reply.poll_canceled(cx).is_ready() {
                if !matches!(open.stage, Stage::Answered(_)) {
                    self.note_question(&open.call, WITHDRAWN);
                    let answer = QuestionAnswer::Cancel;
                    self.report(|run, at| run.question_answered(&open.call, &open.id, answer, at));
                    is_reported = true;
                }
                continue;
            }
            open.stage = match open.stage {
                Stage::Answered(answer) if is_kept => {
                    let _ = open.reply.send(answer);
                    continue;
                }
                Stage::Reported(asking) if is_kept => Stage::Asking(asking),
                stage => stage,
            };
            if let Stage::Asking(asking) = &mut open.stage
                && let Poll::Ready(answer) = asking.as_mut().poll(cx)
            {
                let answer = self.checked_answer(&open, answer);
                let told = answer.clone();
                self.report(|run, at| run.question_answered(&open.call, &open.id, told, at));
                open.stage = Stage::Answered(answer);
                is_reported = true;
            }
            self.questions.open.push(open);
        }
        is_reported
    }

    /// The answer as the tool may have it.
    fn checked_answer(&mut self, open: &OpenQuestion, answer: QuestionAnswer) -> QuestionAnswer {
        let Some(answer) = self.screen.answer(answer) else {
            self.note_question(&open.call, SECRET);
            return QuestionAnswer::Decline;
        };
        open.question.check_answer(answer).unwrap_or_else(|wrong| {
            let wrong = self.screen.text(wrong.join("; "));
            let message = format!("The answer to the tool's question was not valid: {wrong}.");
            self.note_question(&open.call, &message);
            QuestionAnswer::Cancel
        })
    }

    fn note_question(&mut self, call: &CallId, message: &str) {
        let message = message.to_owned();
        self.report(|run: &mut Run, at: Timestamp| run.call_noticed(call, message, at));
    }
}

/// What people are told where the user cannot be asked.
const NOBODY: &str = "The tool asked the user a question. Nobody can be asked here, or the user was asked \
    often enough, so it was declined.";
/// What they are told where the tool does not wait any longer.
const WITHDRAWN: &str = "The tool withdrew its question before it was answered.";
/// What they are told where the answer is not handed on.
const SECRET: &str = "The answer to the tool's question holds something that is secret in this run, so the \
    tool was not given it: the question was declined.";

/// A [`QuestionRequest`] that outlives the moment in which it was made.
struct OwnedRequest {
    run: toolwright_core::RunId,
    root: toolwright_core::RunId,
    path: Vec<String>,
    call: CallId,
    tool: String,
    id: QuestionId,
    question: Arc<Question>,
    asked: u32,
}

impl OwnedRequest {
    fn borrowed(&self) -> QuestionRequest<'_> {
        let Self { run, root, path, call, tool, id, question, asked } = self;
        QuestionRequest { run, root, path, call, tool, id, question, asked: *asked }
    }

    fn put_to(self, settings: &AgentConfig) -> QuestionFuture<'static> {
        let approver = settings.approver.clone();
        async move { approver.answer(&self.borrowed()).await }.boxed()
    }
}
