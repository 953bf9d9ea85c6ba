//! [`Worker`]: drives slices for Restate.

use std::{
    net::SocketAddr,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use restate_sdk::hyper::HyperEndpoint;
use tokio::net::TcpListener;
use toolwright_core::Fault;
use toolwright_session::{EngineError, SliceDriver};

use crate::{drain::Connections, object::endpoint, tasks::Tasks};

/// How a worker is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerSettings {
    /// How long a slice may take before Restate takes the worker for stuck: longer than the longest one, with the
    /// time in which a person thinks about what a tool asks.
    pub inactivity: Duration,
    /// How long it then has for letting go, before Restate breaks the connection and asks again.
    pub abort: Duration,
    /// How long slices have for coming to a boundary once the worker is to end.
    pub drain: Duration,
    /// How long a message of a newer form is left to newer workers.
    pub newer: Duration,
}

impl Default for WorkerSettings {
    fn default() -> Self {
        Self {
            inactivity: Duration::from_secs(24 * 60 * 60),
            abort: Duration::from_secs(60),
            drain: Duration::from_secs(60),
            newer: Duration::from_secs(10 * 60),
        }
    }
}

/// Drives slices for Restate, which calls it over HTTP.
pub struct Worker {
    addr: SocketAddr,
    connections: Connections,
    tasks: Arc<Tasks>,
    drain: Duration,
}

/// How a worker ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drained {
    /// Slices that were still driven: other workers find their calls interrupted.
    pub left: usize,
    /// How long it took.
    pub took: Duration,
}

/// What a worker did.
#[derive(Clone)]
pub struct WorkerCounts(Arc<Tasks>);

impl Worker {
    /// A worker that listens at an address.
    ///
    /// # Errors
    /// When it cannot listen there.
    pub async fn bind(
        addr: SocketAddr,
        driver: Arc<dyn SliceDriver>,
        settings: WorkerSettings,
    ) -> Result<Self, EngineError> {
        let refused = |error| {
            EngineError::new(format!("the worker cannot listen at {addr}: {error}"))
                .with_advice("end what listens there, or choose another address with --addr")
                .of_fault(Fault::Usage)
        };
        let listener = TcpListener::bind(addr).await.map_err(refused)?;
        let addr = listener.local_addr().map_err(refused)?;
        let tasks = Tasks::new(driver);
        let endpoint = HyperEndpoint::new(endpoint(tasks.clone(), &settings));
        let connections = Connections::new(listener, endpoint, tasks.clone());
        Ok(Self { addr, connections, tasks, drain: settings.drain })
    }

    /// The same worker, which tells what was counted at `/metrics`, beside its health: `text` is asked each time.
    #[must_use]
    pub fn with_metrics(mut self, text: impl Fn() -> String + Send + Sync + 'static) -> Self {
        self.connections.metrics = Some(Arc::new(text));
        self
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// What it did so far, and does now.
    pub fn counts(&self) -> WorkerCounts {
        WorkerCounts(self.tasks.clone())
    }

    /// Drives slices until `stop`. Then health checks are told that it goes, slices end at their next boundary and
    /// are driven on by others, and it ends when none is left or its time for that is up. Dropping this ends it
    /// at once, as a crash would.
    pub async fn serve(self, stop: impl Future<Output = ()>) -> Drained {
        let mut began = Instant::now();
        let stop = async {
            stop.await;
            began = Instant::now();
        };
        self.connections.serve(stop, self.drain).await;
        Drained { left: self.tasks.count(), took: began.elapsed() }
    }
}

impl WorkerCounts {
    /// Slices that are driven now.
    pub fn running(&self) -> usize {
        self.0.count()
    }

    /// Slices that were begun.
    pub fn started(&self) -> u64 {
        self.0.started.load(Ordering::Relaxed)
    }

    /// How often Restate came back for a slice that was still driven.
    pub fn attached(&self) -> u64 {
        self.0.attached.load(Ordering::Relaxed)
    }

    /// Slices that could not be driven.
    pub fn failed(&self) -> u64 {
        self.0.failed.load(Ordering::Relaxed)
    }
}
