//! [`Sessions`]: those who come in over HTTP, so many at a time. Where there is no room, whoever has rested longest
//! makes it.

use std::{
    cell::RefCell,
    collections::HashMap,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use futures_core::Stream;
use futures_util::StreamExt as _;
use rmcp::{
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::streamable_http_server::{
        SessionId, SessionManager,
        session::{
            ServerSseMessage,
            local::{LocalSessionManager, LocalSessionManagerError},
        },
    },
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// After how long of nothing a session ends. Somebody may be asked meanwhile, who takes their time.
const RESTING: Duration = Duration::from_secs(60 * 60);

/// How long somebody waits for room: a request that was answered leaves at once.
const MOMENT: Duration = Duration::from_secs(1);

/// Room for one of those who come in: a session, or a request without one.
pub(super) enum Place {
    Session(OwnedSemaphorePermit),
    Request(OwnedSemaphorePermit),
}

tokio::task_local! {
    /// The room that was found for the request that is looked at just now.
    static PLACE: RefCell<Option<Place>>;
}

/// Looks at a request for which there is room.
pub(super) async fn with_place<F: Future>(place: Option<Place>, request: F) -> F::Output {
    PLACE.scope(RefCell::new(place), request).await
}

/// The room of a request without a session, which stays with it from here on.
pub(super) fn request_place() -> Option<OwnedSemaphorePermit> {
    taken(|place| match place {
        Place::Request(permit) => Ok(permit),
        other @ Place::Session(_) => Err(other),
    })
}

fn session_place() -> Option<OwnedSemaphorePermit> {
    taken(|place| match place {
        Place::Session(permit) => Ok(permit),
        other @ Place::Request(_) => Err(other),
    })
}

fn taken(
    choose: impl Fn(Place) -> Result<OwnedSemaphorePermit, Place>,
) -> Option<OwnedSemaphorePermit> {
    let take = |place: &RefCell<Option<Place>>| match choose(place.take()?) {
        Ok(permit) => Some(permit),
        Err(other) => {
            place.replace(Some(other));
            None
        }
    };
    PLACE.try_with(take).ok().flatten()
}

/// The sessions, and room for more.
pub(super) struct Sessions {
    inner: LocalSessionManager,
    places: Arc<Semaphore>,
    all: Arc<Mutex<HashMap<SessionId, Usage>>>,
}

/// What is known of a session's use.
struct Usage {
    /// Requests that are answered just now.
    open: usize,
    last: Instant,
    _place: Option<OwnedSemaphorePermit>,
}

impl Sessions {
    /// At most so many, together with requests that have none.
    pub(super) fn new(most: usize) -> Self {
        let mut inner = LocalSessionManager::default();
        inner.session_config.keep_alive = Some(RESTING);
        Self { inner, places: Arc::new(Semaphore::new(most)), all: Arc::default() }
    }

    /// Room for one more, for which whoever has rested longest may have to go; nothing where all of them are busy,
    /// and stay so for a moment.
    pub(super) async fn room(&self) -> Option<OwnedSemaphorePermit> {
        loop {
            if let Ok(permit) = self.places.clone().try_acquire_owned() {
                return Some(permit);
            }
            // Each turn ends a session, and nobody else can have ended this one.
            let Some(id) = self.longest_resting() else { break };
            tracing::info!("a session of an MCP client ends: others want to come in");
            if let Err(error) = self.inner.close_session(&id).await {
                tracing::warn!(%error, "a session of an MCP client did not end in good order");
            }
        }
        let room = tokio::time::timeout(MOMENT, self.places.clone().acquire_owned()).await;
        room.ok()?.ok()
    }

    /// Takes whoever has rested longest off the list.
    fn longest_resting(&self) -> Option<SessionId> {
        let mut all = lock(&self.all);
        let resting = all.iter().filter(|(_, usage)| usage.open == 0);
        let id = resting.min_by_key(|(_, usage)| usage.last).map(|(id, _)| id.clone())?;
        all.remove(&id);
        Some(id)
    }

    /// Counts a request of a session, until what is answered has been said.
    fn used<S>(&self, id: &SessionId, stream: S) -> Used<S> {
        if let Some(usage) = lock(&self.all).get_mut(id) {
            usage.open += 1;
        }
        Used { stream: Box::pin(stream), id: id.clone(), all: self.all.clone() }
    }

    fn touch(&self, id: &SessionId) {
        if let Some(usage) = lock(&self.all).get_mut(id) {
            usage.last = Instant::now();
        }
    }
}

fn lock(all: &Mutex<HashMap<SessionId, Usage>>) -> MutexGuard<'_, HashMap<SessionId, Usage>> {
    all.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is answered to a request of a session: for as long as it goes on, the session is busy.
struct Used<S> {
    stream: Pin<Box<S>>,
    id: SessionId,
    all: Arc<Mutex<HashMap<SessionId, Usage>>>,
}

impl<S: Stream> Stream for Used<S> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<S::Item>> {
        self.stream.as_mut().poll_next(context)
    }
}

impl<S> Drop for Used<S> {
    fn drop(&mut self) {
        if let Some(usage) = lock(&self.all).get_mut(&self.id) {
            usage.open = usage.open.saturating_sub(1);
            usage.last = Instant::now();
        }
    }
}

impl SessionManager for Sessions {
    type Error = LocalSessionManagerError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let (id, transport) = self.inner.create_session().await?;
        let usage = Usage { open: 0, last: Instant::now(), _place: session_place() };
        lock(&self.all).insert(id.clone(), usage);
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        let _busy = self.used(id, ());
        self.inner.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        self.inner.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        lock(&self.all).remove(id);
        self.inner.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let busy = self.used(id, ());
        let stream = self.inner.create_stream(id, message).await?;
        let used = self.used(id, stream);
        drop(busy);
        Ok(used)
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), Self::Error> {
        self.touch(id);
        self.inner.accept_message(id, message).await
    }

    // Who only listens is at rest: it can begin anew, and would keep its place for as long as it likes.
    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.touch(id);
        self.inner.create_standalone_stream(id).await
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        // The ids of what only listens name no request.
        let is_request = last_event_id.contains('/');
        let stream = self.inner.resume(id, last_event_id).await?;
        self.touch(id);
        Ok(match is_request {
            true => self.used(id, stream).left_stream(),
            false => stream.right_stream(),
        })
    }
}
