//! [`RequestCache`]: where a model keeps what it encoded for earlier rounds of the same run.

use std::{any::Any, fmt};

/// A slot a driver keeps for one run and hands to the model with every request, so that a round
/// costs what is new and not what is old. Only a cache: losing it changes nothing but the cost.
#[derive(Default)]
pub struct RequestCache(Option<Box<dyn Any + Send>>);

impl RequestCache {
    /// What was kept, made anew if nothing of this type was.
    pub fn get_or_default<T: Any + Send + Default>(&mut self) -> &mut T {
        // Two steps, because a borrow returned early would last too long.
        if !self.0.as_ref().is_some_and(|kept| kept.is::<T>()) {
            self.0 = None;
        }
        let kept = self.0.get_or_insert_with(|| Box::<T>::default());
        match kept.downcast_mut() {
            Some(value) => value,
            None => unreachable!("the slot was just filled with this type"),
        }
    }
}

impl fmt::Debug for RequestCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "RequestCache(kept)" } else { "RequestCache(empty)" })
    }
}
