//! [`Limits`]: whose turn it is to ask the broker.

use std::{
    collections::HashMap,
    fmt,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use governor::{
    Quota, RateLimiter,
    clock::Clock,
    middleware::NoOpMiddleware,
    state::{InMemoryState, NotKeyed},
};
use jiff::civil::Date;
use tokio::{
    sync::OwnedMutexGuard,
    time::{Instant, sleep, timeout},
};

use super::Pace;
use crate::{Access, Key, MarketError, MarketErrorKind};

/// Nobody waits longer than this for a turn.
const LONGEST_QUEUE: Duration = Duration::from_secs(60);
/// With more gates than this, those that nobody waits at are forgotten.
const MOST_GATES: usize = 256;
/// The longest time that a broker who keeps complaining is left alone.
const LONGEST_BLOCK: Duration = Duration::from_secs(16 * 60);

/// What is limited together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Lane {
    /// Quotes of any detail.
    Quotes,
    /// Candles.
    Data,
    /// One option chain; without a day, the list of its days.
    Chain(Key, Option<Date>),
    /// The account.
    Other,
}

impl Lane {
    /// Whether the broker asks for the client's number beside the token.
    pub(super) fn needs_client(self) -> bool {
        matches!(self, Self::Quotes | Self::Chain(..))
    }
}

/// Whose turn it is to ask the broker. The broker counts for each client id, so this does too.
pub(super) struct Limits {
    pace: Pace,
    clock: Ticks,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    gates: HashMap<(String, Lane), Arc<Gate>>,
    blocks: HashMap<String, Block>,
}

/// A time in which nothing is asked.
struct Block {
    until: Instant,
    length: Duration,
}

impl Limits {
    pub(super) fn new(pace: Pace) -> Self {
        Self { pace, clock: Ticks(Instant::now()), state: Mutex::default() }
    }

    /// Waits until this client may ask this. Whoever stops waiting takes no turn from others.
    pub(super) async fn turn(&self, access: &Access, lane: Lane) -> Result<Turn, MarketError> {
        self.open(access, lane)?;
        let queue = async {
            let turn = self.gate(access, lane).pass().await;
            match lane {
                Lane::Quotes => turn,
                Lane::Chain(..) => {
                    self.gate(access, Lane::Data).pass().await.pass_on();
                    turn
                }
                // Many a second are allowed: their pace has room for some that arrive late.
                Lane::Data | Lane::Other => turn.pass_on(),
            }
        };
        let turn = timeout(LONGEST_QUEUE, queue).await.map_err(|_| crowded())?;
        // Somebody before us may have been told to stop meanwhile.
        self.open(access, lane)?;
        Ok(turn)
    }

    /// The broker said that this client asks too often: how long it is not to be asked.
    pub(super) fn block(&self, access: &Access) -> Duration {
        let now = Instant::now();
        let mut state = self.state();
        // Long over means forgiven.
        state.blocks.retain(|_, block| now < block.until + 2 * block.length);
        let length = match state.blocks.get(access.counts_as()) {
            // Said to several who asked at once.
            Some(block) if now < block.until => return block.until - now,
            Some(block) => (2 * block.length).min(LONGEST_BLOCK),
            None => self.pace.cool_down,
        };
        let block = Block { until: now + length, length };
        state.blocks.insert(access.counts_as().to_owned(), block);
        length
    }

    /// Fails while this client is not to ask. The account is another matter than market data.
    fn open(&self, access: &Access, lane: Lane) -> Result<(), MarketError> {
        let now = Instant::now();
        let state = self.state();
        match state.blocks.get(access.counts_as()) {
            Some(block) if now < block.until && lane != Lane::Other => {
                Err(blocked(block.until - now))
            }
            _ => Ok(()),
        }
    }

    fn gate(&self, access: &Access, lane: Lane) -> Arc<Gate> {
        let mut state = self.state();
        if state.gates.len() >= MOST_GATES {
            state.gates.retain(|_, gate| Arc::strong_count(gate) > 1 || !gate.is_idle());
        }
        let new = || Arc::new(Gate::new(self.period(lane), self.clock));
        let place = (access.counts_as().to_owned(), lane);
        Arc::clone(state.gates.entry(place).or_insert_with(new))
    }

    fn period(&self, lane: Lane) -> Duration {
        match lane {
            Lane::Quotes => self.pace.quotes,
            Lane::Data => self.pace.data,
            Lane::Chain(..) => self.pace.chain,
            Lane::Other => self.pace.other,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits").field("pace", &self.pace).finish_non_exhaustive()
    }
}

type Limiter = RateLimiter<NotKeyed, InMemoryState, Ticks, NoOpMiddleware<Duration>>;

/// Lets one pass, and the next only a while later, in the order they came.
struct Gate {
    period: Duration,
    clock: Ticks,
    /// None where everybody may pass. The limiter alone would let in whoever looks first when the
    /// time has come; the lock keeps the order.
    limiter: Arc<tokio::sync::Mutex<Option<Limiter>>>,
}

impl Gate {
    fn new(period: Duration, clock: Ticks) -> Self {
        let limiter = Arc::new(tokio::sync::Mutex::new(limiter(period, clock)));
        Self { period, clock, limiter }
    }

    async fn pass(&self) -> Turn {
        let limiter = Arc::clone(&self.limiter).lock_owned().await;
        if let Some(limiter) = &*limiter {
            while let Err(early) = limiter.check() {
                sleep(early.wait_time_from(limiter.clock().now())).await;
            }
        }
        Turn { limiter: Some(limiter), period: self.period, clock: self.clock }
    }

    /// Whether the next may pass at once; then nothing is lost with this gate.
    fn is_idle(&self) -> bool {
        let Ok(limiter) = self.limiter.try_lock() else { return false };
        limiter.as_ref().is_none_or(|limiter| limiter.check().is_ok())
    }
}

fn limiter(period: Duration, clock: Ticks) -> Option<Limiter> {
    // A quota of one: with more, a burst and what is replenished in the same second would
    // together be twice of what the broker allows.
    Quota::with_period(period).map(|quota| RateLimiter::direct_with_clock(quota, clock))
}

/// The right to ask once, now.
#[derive(Debug)]
pub(super) struct Turn {
    limiter: Option<OwnedMutexGuard<Option<Limiter>>>,
    period: Duration,
    clock: Ticks,
}

impl Turn {
    /// Asks, and lets the next wait from the answer on.
    ///
    /// What counts is when requests arrive. The first takes longer than others (it connects), and
    /// if the next waited from when the first left, both might arrive too close together. One that
    /// is under way for longer than the wait itself has arrived, or will not.
    pub(super) async fn ask<T>(self, asked: impl Future<Output = T>) -> T {
        let mut asked = pin!(asked);
        let period = self.period;
        let early = timeout(period, &mut asked).await;
        drop(self);
        match early {
            Ok(answer) => answer,
            Err(_) => asked.await,
        }
    }

    /// Lets the next wait from now on.
    fn pass_on(mut self) -> Self {
        self.limiter = None;
        self
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let Some(kept) = &mut self.limiter else { return };
        // A new one, of which the first turn is taken now.
        let next = limiter(self.period, self.clock);
        if let Some(next) = &next {
            let _ = next.check();
        }
        **kept = next;
    }
}

/// The runtime's clock, which tests can stop.
#[derive(Clone, Copy, Debug)]
struct Ticks(Instant);

impl Clock for Ticks {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

fn blocked(left: Duration) -> MarketError {
    let seconds = left.as_secs().max(1);
    let message = format!(
        "The broker was asked too often (805) and is now left alone: asking on could get the \
         account blocked. Nothing was sent. Ask again in {seconds} seconds."
    );
    let mut error = MarketError::new(MarketErrorKind::RateLimited, message);
    error.code = Some(String::from("805"));
    error.retry_after = Some(left);
    error
}

fn crowded() -> MarketError {
    let message = format!(
        "Too much was asked of the broker at once: this request waited {} seconds for its turn \
         and was not sent. Ask for less, or for several instruments in one request.",
        LONGEST_QUEUE.as_secs()
    );
    let mut error = MarketError::new(MarketErrorKind::RateLimited, message);
    error.retry_after = Some(LONGEST_QUEUE);
    error
}

#[cfg(test)]
#[path = "limits_test.rs"]
mod tests;
