//! [`Slot`]: something large that is made when it is needed, and given up when it was not for a while.

use std::{
    fmt,
    hint::black_box,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

/// How long a model stays in memory after it was last asked. To read one again takes a third of a second.
pub const IDLE: Duration = Duration::from_secs(300);

/// How long after something was given up all that used it have ended, too: threads that wait for work do so for ten seconds.
const SETTLED: Duration = Duration::from_secs(15);
/// As much as no allocator has in its small change.
const A_LOT: usize = 4 << 20;

/// Something large that is made when it is needed, and given up when it was not for a while. Cloning it costs
/// nothing; clones have the same.
pub struct Slot<T> {
    parts: Arc<Parts<T>>,
}

struct Parts<T> {
    held: Mutex<Held<T>>,
    /// Held by whoever makes it.
    making: tokio::sync::Mutex<()>,
    idle: Duration,
}

struct Held<T> {
    value: Option<T>,
    /// How many use it now, and when the last one began or ended.
    users: usize,
    used: Instant,
}

/// Somebody uses what is in a slot, until this is dropped.
pub struct InUse<T>(Arc<Parts<T>>);

impl<T: Clone + Send + 'static> Slot<T> {
    /// An empty one. What is in it is given up after nobody used it for so long.
    pub fn new(idle: Duration) -> Self {
        let held = Held { value: None, users: 0, used: Instant::now() };
        let parts = Parts { held: Mutex::new(held), making: tokio::sync::Mutex::default(), idle };
        Self { parts: Arc::new(parts) }
    }

    /// What is in it.
    pub fn get(&self) -> Option<(T, InUse<T>)> {
        let mut held = self.parts.held();
        let value = held.value.clone()?;
        held.users += 1;
        Some((value, InUse(self.parts.clone())))
    }

    /// What is in it, made where nothing is, once for all who wait for it. What could not be made is tried again by the
    /// next one. Within a runtime.
    ///
    /// # Errors
    /// When it cannot be made.
    pub async fn get_or_make<E>(
        &self,
        make: impl Future<Output = Result<T, E>>,
    ) -> Result<(T, InUse<T>), E> {
        let _making = self.parts.making.lock().await;
        if let Some(there) = self.get() {
            return Ok(there);
        }
        let value = make.await?;
        {
            let mut held = self.parts.held();
            (held.value, held.used) = (Some(value.clone()), Instant::now());
            held.users += 1;
        }
        let weak = Arc::downgrade(&self.parts);
        let idle = self.parts.idle;
        // It ends when it has given the value up, and with whoever has the slot.
        tokio::spawn(async move {
            let mut rest = idle;
            loop {
                tokio::time::sleep(rest).await;
                let Some(parts) = weak.upgrade() else { break };
                match parts.rest() {
                    Some(more) => rest = more,
                    None => break,
                }
            }
            tokio::time::sleep(SETTLED).await;
            // An allocator that gives back what was freed does so when it is next asked for a lot, and an idle process never asks.
            drop(black_box(vec![0_u8; A_LOT]));
        });
        Ok((value, InUse(self.parts.clone())))
    }
}

impl<T> Parts<T> {
    fn held(&self) -> MutexGuard<'_, Held<T>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long it is kept at least; nothing where it was given up.
    fn rest(&self) -> Option<Duration> {
        let mut held = self.held();
        let rest = match held.users {
            0 => self.idle.saturating_sub(held.used.elapsed()),
            _ => self.idle,
        };
        if !rest.is_zero() {
            return Some(rest);
        }
        let value = held.value.take();
        drop(held);
        // Where nobody waits for it: it is large.
        drop(value);
        None
    }
}

impl<T> fmt::Debug for Slot<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slot").field("idle", &self.parts.idle).finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for InUse<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InUse").finish_non_exhaustive()
    }
}

impl<T> Clone for Slot<T> {
    fn clone(&self) -> Self {
        Self { parts: self.parts.clone() }
    }
}

impl<T> Drop for InUse<T> {
    fn drop(&mut self) {
        let mut held = self.0.held();
        held.users = held.users.saturating_sub(1);
        held.used = Instant::now();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "these are tests")]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const IDLE: Duration = Duration::from_secs(60);

    async fn made(slot: &Slot<usize>, times: &AtomicUsize) -> (usize, InUse<usize>) {
        let make = async { Ok::<_, ()>(times.fetch_add(1, Ordering::Relaxed)) };
        slot.get_or_make(make).await.unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn what_nobody_uses_is_given_up_and_made_again() {
        let (slot, times) = (Slot::new(IDLE), AtomicUsize::new(0));
        assert!(slot.get().is_none());
        let (first, in_use) = made(&slot, &times).await;
        assert_eq!(first, 0);
        // However long somebody uses it, it is there.
        tokio::time::sleep(IDLE * 3).await;
        assert_eq!(slot.get().unwrap().0, 0);
        drop(in_use);
        tokio::time::sleep(IDLE / 2).await;
        assert_eq!(made(&slot, &times).await.0, 0);
        tokio::time::sleep(IDLE * 3).await;
        assert!(slot.get().is_none());
        assert_eq!(made(&slot, &times).await.0, 1);
    }

    #[tokio::test]
    async fn what_cannot_be_made_is_tried_again() {
        let slot = Slot::new(IDLE);
        assert!(slot.get_or_make(async { Err::<u8, _>("not there") }).await.is_err());
        assert_eq!(slot.get_or_make(async { Ok::<_, ()>(7) }).await.unwrap().0, 7);
    }

    #[tokio::test]
    async fn it_is_made_once_for_all_who_wait() {
        let (slot, times) = (Slot::new(IDLE), AtomicUsize::new(0));
        let (one, other) = tokio::join!(made(&slot, &times), made(&slot, &times));
        assert_eq!((one.0, other.0, times.into_inner()), (0, 0, 1));
    }
}
