//! [`Strays`], on anything but Linux: what left a program's group is not found.

use rustix::process::Signal;

/// What a program started and what left its group: nobody knows here.
#[derive(Default)]
pub(super) struct Strays;

impl Strays {
    #[expect(clippy::unused_self, reason = "the one that is there has a value of its own")]
    pub(super) fn variable(&self) -> (&'static str, &str) {
        ("TOOLWRIGHT_SERVER_ID", "")
    }

    #[expect(clippy::unused_self, reason = "as above")]
    pub(super) fn are_there(&self) -> bool {
        false
    }

    #[expect(clippy::unused_self, reason = "as above")]
    pub(super) fn signal(&self, _signal: Signal) {}
}
