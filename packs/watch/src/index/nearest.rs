//! [`nearest`]: the best of many, on every core.

use std::{cmp::Ordering, thread};

/// Fewer than this are looked at before another thread would have started.
const PER_THREAD: usize = 25_000;

/// One of many, and how near it is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Near {
    score: f32,
    place: u32,
}

impl Near {
    /// The nearer first, of equals the lower place.
    fn order(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.place.cmp(&other.place))
    }
}

/// The best of what was seen so far.
struct Best {
    most: usize,
    kept: Vec<Near>,
    /// What is not nearer than this is not among the best.
    least: f32,
}

impl Best {
    fn new(most: usize) -> Self {
        Self { most, kept: Vec::with_capacity(most * 2), least: f32::NEG_INFINITY }
    }

    /// Places come in ascending order, so that one as near as the last of the best comes too late.
    fn see(&mut self, near: Near) {
        if near.score <= self.least {
            return;
        }
        self.kept.push(near);
        if self.kept.len() >= self.most * 2 {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.kept.len() > self.most {
            self.kept.select_nth_unstable_by(self.most, Near::order);
            self.kept.truncate(self.most);
            let scores = self.kept.iter().map(|it| it.score);
            self.least = scores.fold(f32::INFINITY, f32::min);
        }
    }
}

fn look(
    places: impl Iterator<Item = u32>,
    score: &impl Fn(u32) -> Option<f32>,
    most: usize,
) -> Vec<Near> {
    let mut best = Best::new(most);
    for place in places {
        if let Some(score) = score(place) {
            best.see(Near { score, place });
        }
    }
    best.cut();
    best.kept
}

/// The places with the highest scores, the highest first, of equals the lower place. Places that have no score
/// are passed over.
pub(super) fn nearest(
    places: impl ExactSizeIterator<Item = u32> + Clone + Send,
    score: &(impl Fn(u32) -> Option<f32> + Sync),
    most: usize,
) -> Vec<u32> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let count = places.len();
    let parts = (count / PER_THREAD).clamp(1, cores);
    let size = count.div_ceil(parts);
    let mut all = if parts == 1 {
        look(places, score, most)
    } else {
        thread::scope(|scope| {
            let running: Vec<_> = (0..parts)
                .map(|part| places.clone().skip(part * size).take(size))
                .map(|part| scope.spawn(|| look(part, score, most)))
                .collect();
            // A thread cannot fail: nothing in it panics.
            running.into_iter().flat_map(|it| it.join().unwrap_or_default()).collect()
        })
    };
    all.sort_unstable_by(Near::order);
    all.truncate(most);
    all.into_iter().map(|it| it.place).collect()
}
