//! [`Simulator`]: a market on a socket.

use std::{
    future::Future,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
};

use jiff::Timestamp;
use tokio::{net::TcpListener, sync::watch, task::JoinHandle};

use super::{
    board::Board,
    limits::{Limits, Meter},
    market::Market,
    routes::router,
};
use crate::{MarketError, MarketErrorKind, in_india};

/// What the simulated market takes for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The real time.
    Real,
    /// Always this moment.
    Fixed(Timestamp),
}

impl Clock {
    fn now(self) -> Timestamp {
        match self {
            Self::Real => Timestamp::now(),
            Self::Fixed(moment) => moment,
        }
    }
}

/// How a market is simulated. The same seed and the same moment give the same answers, byte by byte.
#[derive(Clone, Debug)]
pub struct SimSettings {
    /// Where to listen. With port 0, the system chooses one.
    pub addr: SocketAddr,
    /// What all chance follows from.
    pub seed: u64,
    /// What the market takes for now.
    pub clock: Clock,
    /// How often a client may ask.
    pub limits: Limits,
}

impl Default for SimSettings {
    fn default() -> Self {
        Self {
            addr: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            seed: 1,
            clock: Clock::Real,
            limits: Limits::default(),
        }
    }
}

/// A market on a socket: a running server, which stops when this is dropped.
#[derive(Debug)]
pub struct Simulator {
    addr: SocketAddr,
    // Dropped with the simulator, which the server takes for the sign to stop.
    _running: watch::Sender<()>,
    server: JoinHandle<()>,
}

impl Simulator {
    /// Starts a market.
    pub async fn start(settings: SimSettings) -> Result<Self, MarketError> {
        let failed = |error: std::io::Error| {
            let message =
                format!("the market simulator cannot listen on {}: {error}", settings.addr);
            MarketError::new(MarketErrorKind::Network, message)
        };
        let listener = TcpListener::bind(settings.addr).await.map_err(failed)?;
        let addr = listener.local_addr().map_err(failed)?;
        let desk = Arc::new(Desk::new(&settings));
        let (running, mut stopped) = watch::channel(());
        let server = tokio::spawn(async move {
            let served = axum::serve(listener, router(&desk)).with_graceful_shutdown(async move {
                // Only ever ends in an error: nothing is sent, the sender is dropped.
                while stopped.changed().await.is_ok() {}
            });
            // A server that listens ends only when it is told to.
            let _ = served.await;
        });
        Ok(Self { addr, _running: running, server })
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// What a client takes for the broker's address.
    pub fn base_url(&self) -> String {
        format!("http://{}/v2", self.addr)
    }

    /// Runs until told to stop.
    pub async fn run_until(mut self, stop: impl Future<Output = ()>) {
        tokio::select! {
            () = stop => {}
            _ = &mut self.server => {}
        }
    }
}

/// What the endpoints share.
#[derive(Debug)]
pub(super) struct Desk {
    seed: u64,
    clock: Clock,
    /// Who asked how often.
    pub(super) meter: Meter,
    board: Mutex<Option<Arc<Board>>>,
}

impl Desk {
    fn new(settings: &SimSettings) -> Self {
        Self {
            seed: settings.seed,
            clock: settings.clock,
            meter: Meter::new(settings.limits.clone()),
            board: Mutex::default(),
        }
    }

    /// The market now.
    pub(super) fn market(&self) -> Market {
        let now = self.clock.now();
        let today = in_india(now).date();
        let mut board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        let board = match &*board {
            Some(board) if board.day == today => Arc::clone(board),
            // What is listed changes once a day.
            _ => Arc::clone(board.insert(Arc::new(Board::new(self.seed, today)))),
        };
        Market::new(self.seed, now, board)
    }
}
