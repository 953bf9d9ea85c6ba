//! [`Limit`]: calls wait their turn when there are too many.

mod window;

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use futures_core::future::BoxFuture;
use serde_json::Value;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, timeout},
};
use toolwright_core::{
    RunContext, Tool, ToolError, ToolErrorKind, ToolResult, ToolSpec, policy::RateLimit,
};

use self::window::Window;

/// Lets calls of all runs wait their turn, first come, first served: so many at once, so many in a
/// time. What would wait longer than anybody is willing to is refused right away. Whoever stops
/// waiting leaves the queue and takes nothing along.
pub(super) struct Limit {
    tool: Arc<dyn Tool>,
    at_once: Option<(u32, Semaphore)>,
    window: Option<Window>,
    /// Calls that have come and do not have their turn yet.
    waiting: AtomicUsize,
    max_wait: Duration,
}

/// The longest wait where the tool declares no time.
const MAX_WAIT: Duration = Duration::from_secs(60);

impl Limit {
    pub(super) fn new(tool: Arc<dyn Tool>, rate: RateLimit, max_wait: Option<Duration>) -> Self {
        let at_once = rate.max_concurrent.map(|most| {
            let permits = usize::try_from(most).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
            (most, Semaphore::new(permits))
        });
        let period = rate.period.unwrap_or(Duration::from_secs(1));
        let window = rate.calls.map(|calls| Window::new(calls, period));
        let max_wait = max_wait.unwrap_or(MAX_WAIT);
        Self { tool, at_once, window, waiting: AtomicUsize::new(0), max_wait }
    }

    /// Comes back when the call may be made; it holds its place among those at once.
    async fn turn(&self, context: &RunContext) -> Result<Option<SemaphorePermit<'_>>, ToolError> {
        let place = Place::new(&self.waiting);
        let now = Instant::now();
        let wait = self.window.as_ref().map_or(Duration::ZERO, |it| it.wait(place.ahead, now));
        if wait > self.max_wait {
            return Err(self.refused(
                &format!("its next turn is {} away", toolwright_duration::ahead(wait)),
                context,
            ));
        }
        if let Some(turn) = self.at_once_now(now) {
            return Ok(turn);
        }
        context.note("limit", "waiting", self.waits(wait));
        match timeout(self.max_wait, self.in_turn()).await {
            Ok(turn) => Ok(turn),
            Err(_) => {
                let why =
                    format!("no turn came within {}", toolwright_duration::ahead(self.max_wait));
                Err(self.refused(&why, context))
            }
        }
    }

    /// The turn, if there is nobody to wait for.
    fn at_once_now(&self, now: Instant) -> Option<Option<SemaphorePermit<'_>>> {
        let permit = match &self.at_once {
            Some((_, permits)) => Some(permits.try_acquire().ok()?),
            None => None,
        };
        let may_start = self.window.as_ref().is_none_or(|window| window.start_now(now));
        may_start.then_some(permit)
    }

    /// The place among those at once comes first: from the moment the window lets a call start it
    /// must not be kept waiting, or starts would bunch up.
    async fn in_turn(&self) -> Option<SemaphorePermit<'_>> {
        let permit = match &self.at_once {
            // Nobody ever closes it.
            Some((_, permits)) => permits.acquire().await.ok(),
            None => None,
        };
        if let Some(window) = &self.window {
            window.start().await;
        }
        permit
    }

    fn waits(&self, wait: Duration) -> String {
        match wait.as_millis() {
            0 => "waits until a call before it has ended".to_owned(),
            _ => format!("waits about {} for its turn", toolwright_duration::ahead(wait)),
        }
    }

    fn refused(&self, why: &str, context: &RunContext) -> ToolError {
        context.note("limit", "refused", why);
        let tool = &self.tool.spec().name;
        let at_once = self.at_once.as_ref().map(|(most, _)| format!("{most} at a time"));
        let window = self.window.as_ref().map(ToString::to_string);
        let rule = at_once.into_iter().chain(window).collect::<Vec<_>>().join(" and ");
        let text = format!(
            "`{tool}` may be called {rule}, and {why}. The call was not made: do without it, or \
             call it again later."
        );
        ToolError::new(text).of_kind(ToolErrorKind::Refused)
    }
}

impl Tool for Limit {
    fn spec(&self) -> &ToolSpec {
        self.tool.spec()
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let _turn = self.turn(context).await?;
            self.tool.call(arguments, context).await
        })
    }
}

/// A place in the queue, until it is dropped.
struct Place<'a> {
    waiting: &'a AtomicUsize,
    ahead: usize,
}

impl<'a> Place<'a> {
    fn new(waiting: &'a AtomicUsize) -> Self {
        Self { waiting, ahead: waiting.fetch_add(1, Relaxed) }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.waiting.fetch_sub(1, Relaxed);
    }
}
