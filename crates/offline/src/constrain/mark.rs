//! [`Mark`]: a place in a turn that can be gone back to.

use super::{Constraint, State};

/// A place in a turn that can be gone back to: what is only foreseen may come otherwise.
#[derive(Clone, Debug)]
pub struct Mark {
    state: State,
    is_finished: bool,
    length: usize,
}

impl Constraint {
    /// The place where the turn is now.
    pub fn mark(&self) -> Mark {
        let Self { state, is_finished, length, .. } = self;
        Mark { state: state.clone(), is_finished: *is_finished, length: *length }
    }

    /// Goes back to a place where the turn was.
    pub fn rewind(&mut self, mark: Mark) {
        Mark { state: self.state, is_finished: self.is_finished, length: self.length } = mark;
        self.is_current = false;
    }
}
