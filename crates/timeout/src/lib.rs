//! [`Countdown`] and [`timeout`]: time limits that count only the time in which this process could act.
//!
//! A process that was stopped (SIGSTOP, a debugger, a machine that paused) finds all its timers run
//! out at once when it goes on, and what arrived meanwhile still unread: waiting for sockets was
//! interrupted, so nobody has told the reader yet. A plain timer then ends work that has its answer
//! waiting. Here a limit is waited for in slices, and of a slice that took far too long only as much
//! counts as of any other. Whatever happened in it, one more slice is left to look around.

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    task::{Context, Poll},
    time::Duration,
};

use tokio::time::{Instant, Sleep, sleep};

/// Into how many slices a limit is cut.
const SLICES: u32 = 8;
/// Timers are no finer than milliseconds.
const SHORTEST: Duration = Duration::from_millis(5);
/// A moment that far away can still be named.
const LONGEST: Duration = Duration::from_secs(3600);

/// A limit to the time in which this process could act.
#[derive(Debug)]
pub struct Countdown {
    limit: Duration,
    spent: Duration,
    /// When the clock was last read.
    last: Instant,
    /// Whether one slice more was granted since the start.
    has_grace: bool,
    alarm: Pin<Box<Sleep>>,
}

impl Countdown {
    /// Begins to count.
    pub fn new(limit: Duration) -> Self {
        Self::after(Duration::ZERO, limit)
    }

    /// Begins to count where so much of the limit was used before.
    pub fn after(spent: Duration, limit: Duration) -> Self {
        let left = limit.saturating_sub(spent);
        let alarm = Box::pin(sleep(slice(limit).min(left)));
        Self { limit, spent, last: Instant::now(), has_grace: false, alarm }
    }

    /// How much was used, when the clock was last read.
    pub fn spent(&self) -> Duration {
        self.spent
    }

    /// The limit.
    pub fn limit(&self) -> Duration {
        self.limit
    }

    /// Begins again. The alarm is not touched: it is set anew when it rings.
    pub fn restart(&mut self) {
        (self.spent, self.last, self.has_grace) = (Duration::ZERO, Instant::now(), false);
    }

    /// Leaves the time since the clock was last read out of account. Whoever lets it stand still does
    /// not poll it, and calls this before it goes on.
    pub fn skip(&mut self) {
        self.last = Instant::now();
    }

    /// Begins again with another limit.
    pub fn restart_with(&mut self, limit: Duration) {
        self.limit = limit;
        self.restart();
        self.alarm.as_mut().reset(self.last + slice(limit));
    }

    /// Whether the limit is reached, by the clock: for work that never waits.
    pub fn is_over(&mut self) -> bool {
        let (now, slice) = (Instant::now(), slice(self.limit));
        let passed = now.saturating_duration_since(self.last);
        self.last = now;
        self.spent = self.spent.saturating_add(passed.min(slice * 2));
        if self.spent < self.limit {
            return false;
        }
        let is_late = passed > slice * 2;
        if is_late && !self.has_grace {
            self.has_grace = true;
            self.spent = self.limit.saturating_sub(slice);
            return false;
        }
        true
    }

    /// Ready once the limit is reached. Ask it after whatever is waited for.
    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while self.alarm.as_mut().poll(cx).is_ready() {
            if self.is_over() {
                return Poll::Ready(());
            }
            let left = self.limit.saturating_sub(self.spent);
            self.alarm.as_mut().reset(self.last + left.min(slice(self.limit)));
        }
        Poll::Pending
    }

    /// Ends once the limit is reached.
    pub async fn over(&mut self) {
        poll_fn(|cx| self.poll(cx)).await;
    }
}

fn slice(limit: Duration) -> Duration {
    (limit / SLICES).clamp(SHORTEST, LONGEST).min(limit)
}

/// The time was up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elapsed;

impl std::fmt::Display for Elapsed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the time was up")
    }
}

impl std::error::Error for Elapsed {}

/// What `work` gives within this time.
///
/// # Errors
/// When the time was up before.
pub async fn timeout<F: Future>(limit: Duration, work: F) -> Result<F::Output, Elapsed> {
    let mut work = pin!(work);
    let mut countdown = Countdown::new(limit);
    poll_fn(|cx| match work.as_mut().poll(cx) {
        Poll::Ready(value) => Poll::Ready(Ok(value)),
        Poll::Pending => countdown.poll(cx).map(|()| Err(Elapsed)),
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(8);

    #[tokio::test(start_paused = true)]
    async fn without_a_stop_a_limit_is_a_limit() {
        for limit in [0, 1, 3, 50, 8000, 3_600_000] {
            let (limit, began) = (Duration::from_millis(limit), Instant::now());
            let ended = timeout(limit, std::future::pending::<()>()).await;
            assert!(ended.is_err());
            assert_eq!(began.elapsed(), limit);
        }
        assert!(timeout(Duration::ZERO, async {}).await.is_ok());
        let endless = timeout(Duration::MAX, sleep(Duration::from_secs(86_400 * 30)));
        assert!(endless.await.is_ok());
    }

    /// A process that is stopped reads the clock only afterwards.
    #[tokio::test(start_paused = true)]
    async fn a_stop_at_any_moment_leaves_time_to_look_around() {
        for before in 0..LIMIT.as_secs() {
            let mut countdown = Countdown::new(LIMIT);
            for _ in 0..before {
                let tick = sleep(Duration::from_secs(1));
                tokio::select! {
                    biased;
                    () = tick => {}
                    () = countdown.over() => panic!("over after {before} seconds"),
                }
            }
            tokio::time::advance(Duration::from_secs(3600)).await;
            let resumed = Instant::now();
            countdown.over().await;
            assert!(resumed.elapsed() >= LIMIT / SLICES, "stopped after {before}");
            assert!(resumed.elapsed() <= LIMIT, "stopped after {before}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_left_out_of_account_is_not_counted() {
        let mut countdown = Countdown::new(LIMIT);
        for _ in 0..20 {
            sleep(10 * LIMIT).await;
            countdown.skip();
            assert!(!countdown.is_over());
        }
        let last = Instant::now();
        countdown.over().await;
        assert_eq!(last.elapsed(), LIMIT);
    }

    #[tokio::test(start_paused = true)]
    async fn it_begins_again_when_told_to() {
        let mut countdown = Countdown::new(LIMIT);
        for _ in 0..20 {
            tokio::select! {
                biased;
                () = sleep(LIMIT / 2) => countdown.restart(),
                () = countdown.over() => panic!("it was restarted"),
            }
        }
        let last = Instant::now();
        countdown.over().await;
        assert_eq!(last.elapsed(), LIMIT);
        countdown.restart_with(LIMIT / 4);
        let last = Instant::now();
        countdown.over().await;
        assert_eq!(last.elapsed(), LIMIT / 4);
    }
}
