//! [`SteerHandle`]: says something to a run that goes on.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use toolwright_core::{MessageId, QueueMode, QueuedMessage, UserMessage};

use crate::{driver::now, id::new_message_id};

/// Says something to a run that goes on, from anywhere. Clones speak to the same run.
///
/// The run takes it up as soon as every call has its result, also behind an answer: then it goes on. What
/// it did not get to before its end is given back ([`SteerHandle::take_back`]). A queue that survives the
/// process is the [journal's](toolwright_core::Journal::waiting).
///
/// ```
/// # use toolwright_core::ModelResponse;
/// # use toolwright_models::Scripted;
/// # use toolwright_runtime::Agent;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let model = Scripted::new([ModelResponse::text("Bonjour.")]);
/// # let agent = Agent::builder(model).build()?;
/// let mut run = agent.run("Greet me.");
/// let steer = run.steer();
/// steer.steer("In French.")?;
/// assert_eq!(run.finish().await?.response, "Bonjour.");
/// assert!(steer.steer("Too late.").is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct SteerHandle(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    waiting: Vec<QueuedMessage>,
    is_over: bool,
}

/// The run has ended, and takes up nothing any more.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEnded(
    /// What was said to it.
    pub UserMessage,
);

impl fmt::Display for RunEnded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the run has ended and takes up nothing any more")
    }
}

impl std::error::Error for RunEnded {}

impl SteerHandle {
    /// One that speaks to nobody until it is given to a run.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says this to the run. The event that brings it into the conversation names it by what comes back.
    ///
    /// # Errors
    /// When the run has ended; the message comes back.
    pub fn steer(&self, message: impl Into<UserMessage>) -> Result<MessageId, RunEnded> {
        let message = message.into();
        let mut state = self.lock();
        if state.is_over {
            return Err(RunEnded(message));
        }
        let id = new_message_id();
        let (mode, at) = (QueueMode::Steer, now());
        state.waiting.push(QueuedMessage { id: id.clone(), mode, at, message });
        Ok(id)
    }

    /// What waits and was not taken up, which waits no longer: after its end, what the run did not get to.
    pub fn take_back(&self) -> Vec<UserMessage> {
        let waiting = std::mem::take(&mut self.lock().waiting);
        waiting.into_iter().map(|it| it.message).collect()
    }

    pub(crate) fn waiting(&self) -> Vec<QueuedMessage> {
        self.lock().waiting.clone()
    }

    /// Forgets what was taken up.
    pub(crate) fn settle(&self, is_taken: impl Fn(&MessageId) -> bool) {
        self.lock().waiting.retain(|it| !is_taken(&it.id));
    }

    pub(crate) fn end(&self) {
        self.lock().is_over = true;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing under it panics half way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A run's own end of a handle: once it is gone, however that came, nothing is taken up any more.
pub(crate) struct Steered(SteerHandle);

impl Steered {
    pub(crate) fn by(handle: SteerHandle) -> Self {
        Self(handle)
    }

    pub(crate) fn handle(&self) -> &SteerHandle {
        &self.0
    }
}

impl Drop for Steered {
    fn drop(&mut self) {
        self.0.end();
    }
}
