//! [`Mark`]: a place in a turn that can be gone back to.

use super::{Constraint, Repeated, State};

/// A place in a turn that can be gone back to: what is only foreseen may come otherwise.
#[derive(Clone, Debug)]
pub struct Mark {
    state: State,
    repeated: Repeated,
    is_finished: bool,
    length: usize,
}

impl Constraint {
    /// The place where the turn is now.
    pub fn mark(&self) -> Mark {
        let Self { state, repeated, is_finished, length, .. } = self;
        let (state, repeated) = (state.clone(), repeated.clone());
        Mark { state, repeated, is_finished: *is_finished, length: *length }
    }

    /// Goes back to a place where the turn was.
    pub fn rewind(&mut self, mark: Mark) {
        let Mark { state, repeated, is_finished, length } = mark;
        (self.state, self.repeated) = (state, repeated);
        (self.is_finished, self.length) = (is_finished, length);
        self.is_current = false;
    }
}
