//! [`Services`]: what packs share, by type.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
};

/// What packs share: one of each type. Whoever runs packs puts in what it has (what makes vectors of
/// texts, say), and a pack takes what it knows.
#[derive(Default)]
pub struct Services(HashMap<TypeId, Box<dyn Any + Send + Sync>>);

impl Services {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with this one.
    pub fn with<T: Clone + Send + Sync + 'static>(mut self, service: T) -> Self {
        self.0.insert(TypeId::of::<T>(), Box::new(service));
        self
    }

    /// The one of this type, if there is one.
    pub fn get<T: Clone + Send + Sync + 'static>(&self) -> Option<T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref().cloned()
    }
}
