//! [`Limits`]: how often a client may ask.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

/// So many requests in so long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// So many.
    pub requests: u32,
    /// In so long.
    pub per: Duration,
}

/// How often a client may ask. Each class has any number of limits; with none, it has no limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Quotes.
    pub quotes: Vec<Rate>,
    /// Candles.
    pub charts: Vec<Rate>,
    /// Option chains: each chain counts by itself.
    pub chains: Vec<Rate>,
    /// The account.
    pub account: Vec<Rate>,
}

impl Limits {
    /// No limits.
    pub fn none() -> Self {
        Self { quotes: Vec::new(), charts: Vec::new(), chains: Vec::new(), account: Vec::new() }
    }
}

/// The documented limits.
impl Default for Limits {
    fn default() -> Self {
        let second = Duration::from_secs(1);
        let day = Duration::from_secs(86_400);
        Self {
            quotes: vec![Rate { requests: 1, per: second }],
            charts: vec![Rate { requests: 5, per: second }, Rate { requests: 100_000, per: day }],
            chains: vec![Rate { requests: 1, per: Duration::from_secs(3) }],
            account: vec![Rate { requests: 20, per: second }],
        }
    }
}

/// What a request asks for, as far as limits are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Class {
    /// Quotes.
    Quotes,
    /// Candles.
    Charts,
    /// Option chains.
    Chains,
    /// The account.
    Account,
}

/// Beyond so many clients, those that have not asked for a while are forgotten.
const CLIENTS: usize = 4096;

/// Who asked how often.
#[derive(Debug)]
pub(super) struct Meter {
    limits: Limits,
    windows: Mutex<HashMap<(Class, String, usize), Window>>,
}

#[derive(Clone, Copy, Debug)]
struct Window {
    since: Instant,
    length: Duration,
    asked: u32,
}

impl Meter {
    /// A meter that has seen nobody.
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, windows: Mutex::default() }
    }

    /// Counts a request; the error means that it is one too many.
    pub(super) fn count(&self, class: Class, who: &str) -> Result<(), TooMany> {
        let rates = match class {
            Class::Quotes => &self.limits.quotes,
            Class::Charts => &self.limits.charts,
            Class::Chains => &self.limits.chains,
            Class::Account => &self.limits.account,
        };
        let now = Instant::now();
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() > CLIENTS {
            windows.retain(|_, window| window.is_open(now));
        }
        let mut within = Ok(());
        for (place, rate) in rates.iter().enumerate() {
            // A client that keeps the limit to the millisecond is not refused for what its requests
            // spend on the way.
            let fresh = Window { since: now, length: rate.per.mul_f64(0.95), asked: 0 };
            let window = windows.entry((class, who.to_owned(), place)).or_insert(fresh);
            if !window.is_open(now) {
                *window = fresh;
            }
            window.asked = window.asked.saturating_add(1);
            if window.asked > rate.requests {
                within = Err(TooMany);
            }
        }
        within
    }
}

impl Window {
    fn is_open(&self, now: Instant) -> bool {
        now.duration_since(self.since) < self.length
    }
}

/// One request too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMany;
