//! [`Conversation`]: the virtual object that Restate knows a conversation as.
// What the library's macro makes of it has no documentation.
#![allow(missing_docs, unreachable_pub)]

use std::{sync::Arc, time::Duration};

use restate_sdk::{endpoint::ServiceOptions, prelude::*};
use serde_json::Value;
use toolwright_core::ConversationId;

use crate::{
    WorkerSettings,
    message::{Done, Drive, Unreadable, now},
    newer::Newer,
    tasks::{Tasks, sentence},
};

/// What it is called in Restate.
pub(crate) const NAME: &str = "conversation";

/// How long Restate waits before it asks for a slice again that was not driven to its end, at first and at most.
const FIRST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// How often it asks again before a person has to: a run is not to stand still because workers were away over a
/// weekend.
const ATTEMPTS: u64 = 1_000_000;
/// How long the same key wakes a conversation only once.
const KEYS: Duration = Duration::from_secs(24 * 60 * 60);

/// A conversation, as Restate knows it.
pub(crate) struct Conversation {
    tasks: Arc<Tasks>,
    newer: Newer,
}

#[object(name = "conversation")]
impl Conversation {
    /// Drives a slice of a run. Restate has one at a time for each conversation; others wait.
    #[handler]
    async fn drive(&self, ctx: ObjectContext<'_>, said: Json<Value>) -> Result<(), HandlerError> {
        let drive = Drive::read(said.into_inner());
        let drive = drive.map_err(|it| self.unreadable(&it, ctx.invocation_id()))?;
        let slice = drive.slice(ConversationId::from(ctx.key()));
        let (tasks, log) = (self.tasks.clone(), drive.log.clone());
        // The only value of this that is kept, and all that follows depends on it alone: the log that a slice
        // reads changes, so that without it the same again would take another way, and Restate refuse it.
        let done = ctx.run(move || async move {
            if let Some(log) = log {
                tasks.knows(&log, &slice).await.map_err(|it| sentence(&it))?;
            }
            let next = tasks.drive(slice).await.map_err(|it| sentence(&it))?;
            Ok(Json(Done::new(next, now()).write()))
        });
        let done: Json<Value> = done.name("slice").await?;
        let done = Done::read(done.into_inner()).map_err(|it| it.sentence())?;
        let Some((next, delay)) = done.then(&drive) else { return Ok(()) };
        let client = ctx.object_client::<ConversationClient<'_>>(ctx.key());
        let request = client.drive(Json(next.write()));
        let _ = match delay {
            Some(delay) => request.send_after(delay),
            None => request.send(),
        };
        Ok(())
    }
}

impl Conversation {
    /// What nobody can read is over; what others can, Restate asks for again, unless they have had their time.
    fn unreadable(&self, why: &Unreadable, invocation: &str) -> HandlerError {
        let sentence = why.sentence();
        let is_over = match why {
            Unreadable::Newer(_) => self.newer.is_nobodys(invocation),
            Unreadable::Malformed(_) => true,
        };
        if !is_over {
            tracing::warn!("{sentence}");
            return sentence.into();
        }
        tracing::warn!(
            "{sentence}. Nobody takes it: it is dropped, and what is to be driven is woken from the log"
        );
        TerminalError::new_with_code(400, sentence).into()
    }
}

/// What Restate talks to.
pub(crate) fn endpoint(tasks: Arc<Tasks>, settings: &WorkerSettings) -> Endpoint {
    let options = ServiceOptions::new()
        .inactivity_timeout(settings.inactivity)
        .abort_timeout(settings.abort)
        // What happened is in our log; a second copy would be one more place to look after.
        .journal_retention(Duration::ZERO)
        .idempotency_retention(KEYS)
        .retry_policy_initial_interval(FIRST_WAIT)
        .retry_policy_exponentiation_factor(2.0)
        .retry_policy_max_interval(LONGEST_WAIT)
        .retry_policy_max_attempts(ATTEMPTS)
        .retry_policy_pause_on_max_attempts();
    let conversation = Conversation { tasks, newer: Newer::new(settings.newer) };
    let definition = conversation.into_service_definition().options(options);
    Endpoint::builder().bind(definition).build()
}
