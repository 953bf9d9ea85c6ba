//! [`Recent`]: pages that were just read, for those who go on reading them.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::{Page, content::Format};

/// How many pages are kept, and for how long.
const MOST: usize = 8;
const LONGEST: Duration = Duration::from_secs(600);

type Key = (String, Format);

/// Pages that were just read. They are the same for everybody: no request for them tells who asks.
#[derive(Default)]
pub(super) struct Recent(Mutex<VecDeque<(Key, Instant, Arc<Page>)>>);

impl Recent {
    pub(super) fn get(&self, key: &Key) -> Option<Arc<Page>> {
        let pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = pages.iter().find(|(it, at, _)| it == key && at.elapsed() < LONGEST)?;
        Some(found.2.clone())
    }

    pub(super) fn keep(&self, key: Key, page: Arc<Page>) {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.retain(|(it, at, _)| *it != key && at.elapsed() < LONGEST);
        pages.truncate(MOST - 1);
        pages.push_front((key, Instant::now(), page));
    }
}
