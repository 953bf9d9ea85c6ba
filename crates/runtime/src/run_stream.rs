//! [`RunStream`]: a run that goes on while it is listened to.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use futures_core::{Stream, future::BoxFuture};
use futures_util::StreamExt;
use toolwright_core::{
    Answer, Conversation, Event, Failure, FailureKind, Run, Step, StreamFrom, Usage,
};

use crate::{CancelHandle, PauseHandle, SteerHandle};

/// A run that goes on while it is listened to: a stream of events, the last of them terminal.
///
/// It works only while it is polled, so a listener that is slow slows the run and nothing piles
/// up. Dropping it stops everything at once; [`RunStream::cancel`] stops it in good order.
///
/// ```
/// # use toolwright_core::{EventKind, ModelResponse};
/// # use toolwright_models::Scripted;
/// # use toolwright_runtime::Agent;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let agent = Agent::builder(Scripted::new([ModelResponse::text("Good morning.")])).build()?;
/// let mut run = agent.run("Hello");
/// let mut shown = String::new();
/// while let Some(event) = run.next().await {
///     if let EventKind::Content { data } = event.kind {
///         shown.push_str(&data);
///     }
/// }
/// let answer = run.finish().await?;
/// assert_eq!(answer.response, shown);
/// assert_eq!(run.conversation().map(|it| it.len()), Some(2));
/// # Ok(())
/// # }
/// ```
pub struct RunStream {
    driver: StreamFrom<Event, BoxFuture<'static, Driven>>,
    handles: Handles,
}

/// What acts on a run from outside.
#[derive(Clone, Default)]
pub(crate) struct Handles {
    pub(crate) cancel: CancelHandle,
    pub(crate) steer: SteerHandle,
    pub(crate) pause: PauseHandle,
}

/// A run that was driven: to its end, or until it was left.
pub(crate) struct Driven {
    pub(crate) run: Run,
    /// How much of its time was used, with what was used before.
    pub(crate) spent: Duration,
}

impl RunStream {
    pub(crate) fn new(
        driver: StreamFrom<Event, BoxFuture<'static, Driven>>,
        handles: Handles,
    ) -> Self {
        Self { driver, handles }
    }

    /// The next event; none after the terminal one, or where the run was left.
    pub async fn next(&mut self) -> Option<Event> {
        self.driver.next().await
    }

    /// Goes on to the end, whatever was listened to before.
    ///
    /// # Errors
    /// When the run has no answer; the failure says why and what to do.
    pub async fn finish(&mut self) -> Result<Answer, Failure> {
        while self.next().await.is_some() {}
        match self.driver.output().map(|driven| driven.run.step()) {
            Some(Step::Done(Ok(answer))) => Ok(*answer),
            Some(Step::Done(Err(failure))) => Err(*failure),
            Some(_) => Err(unfinished("the run was left before its end, and can be resumed")),
            // Only when the driver panicked and was polled again.
            None => Err(unfinished("the run stopped before its end")),
        }
    }

    /// What stops the run, from anywhere: [`CancelHandle::cancel`] does it.
    #[must_use = "the handle stops the run, not this method"]
    pub fn cancel(&self) -> CancelHandle {
        self.handles.cancel.clone()
    }

    /// What says something to the run while it goes on, from anywhere: [`SteerHandle::steer`] does it.
    #[must_use = "the handle says something to the run, not this method"]
    pub fn steer(&self) -> SteerHandle {
        self.handles.steer.clone()
    }

    /// What has the run left at a boundary, from anywhere: [`PauseHandle::pause`] does it.
    #[must_use = "the handle pauses the run, not this method"]
    pub fn pause_handle(&self) -> PauseHandle {
        self.handles.pause.clone()
    }

    /// Whether it was left before its end: there was no terminal event, and the run can be resumed.
    pub fn is_paused(&self) -> bool {
        self.driver.output().is_some_and(|driven| !driven.run.is_ended())
    }

    /// How much of its time the run has used, once it has ended or was left: that of whoever decides is not
    /// counted.
    pub fn spent(&self) -> Option<Duration> {
        self.driver.output().map(|driven| driven.spent)
    }

    /// The conversation as it stands after the run; none while it goes on.
    pub fn conversation(&self) -> Option<&Conversation> {
        self.driver.output().map(|driven| driven.run.conversation())
    }

    /// The run itself, once it has ended or was left.
    pub fn into_run(self) -> Option<Run> {
        self.driver.into_output().map(|driven| driven.run)
    }
}

impl Stream for RunStream {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        self.driver.poll_next_unpin(cx)
    }
}

/// Awaiting a run is [finishing](RunStream::finish) it: `let answer = agent.run("…").await?`.
impl IntoFuture for RunStream {
    type Output = Result<Answer, Failure>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(mut self) -> Self::IntoFuture {
        Box::pin(async move { self.finish().await })
    }
}

fn unfinished(message: &str) -> Failure {
    Failure {
        kind: FailureKind::Cancelled,
        message: message.to_owned(),
        advice: None,
        response: String::new(),
        tool_calls: Vec::new(),
        usage: Usage::default(),
        cost: None,
        conversation_id: "".into(),
    }
}
