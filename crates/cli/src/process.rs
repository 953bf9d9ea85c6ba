//! [`keep_to_itself`] and [`open_many`]: what a process does that serves others.

/// Keeps keys and tokens in this process: it leaves no image of its memory behind, and other programs
/// of the same user may not look into it.
pub(crate) fn keep_to_itself() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{
            DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit,
        };
        let none = Rlimit { current: Some(0), maximum: Some(0) };
        let kept = setrlimit(Resource::Core, none)
            .and_then(|()| set_dumpable_behavior(DumpableBehavior::NotDumpable));
        if let Err(error) = kept {
            tracing::warn!(%error, "other programs of this user may look into this process");
        }
    }
}

/// Whoever listens takes a file: lets this process have as many open as it may, and not only the few
/// that it begins with for the sake of old programs.
pub(crate) fn open_many() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        let most = Rlimit { current: maximum, maximum };
        if let Err(error) = setrlimit(Resource::Nofile, most) {
            tracing::warn!(%error, "few can listen at a time");
        }
    }
}
