//! [`watch`]: a fault of Toolwright's own is told in a sentence, with what to do about it.

use std::{
    backtrace::{Backtrace, BacktraceStatus},
    panic::{self, AssertUnwindSafe, PanicHookInfo},
};

use crate::{
    exit::{self, Exit},
    style::line,
};

const REPORT: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/issues");

/// From now on a panic on any thread is told. What a tool's panic says is part of the tool's result:
/// nothing else of it belongs here.
pub(crate) fn watch() {
    panic::set_hook(Box::new(|panic| {
        tracing::debug!(%panic, "panic");
        if !toolwright_runtime::is_panic_contained() {
            tell(panic);
        }
    }));
}

/// What `work` ends with; where it panics, that it failed.
pub(crate) fn guarded(work: impl FnOnce() -> Exit) -> Exit {
    // Nothing of what it left half done is used again.
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or(Exit::Failed)
}

fn tell(panic: &PanicHookInfo<'_>) {
    let what = panic.payload_as_str().unwrap_or("without a word");
    let place = panic.location().map(|it| format!(" ({}:{})", it.file(), it.line()));
    let message = format!("Toolwright has a fault: {}{}", what, place.unwrap_or_default());
    let advice = format!("it is not your doing: report this line at {REPORT}");
    exit::say(&message, Some(&advice));
    // Only where RUST_BACKTRACE asks for it.
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        line(&trace.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure() {
        assert_eq!(guarded(|| panic!("a test's fault")), Exit::Failed);
        assert_eq!(guarded(|| Exit::Usage), Exit::Usage);
    }
}
