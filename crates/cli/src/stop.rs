//! [`asked_to_stop`]: what a person or the system says when a run is to end before its end.
//!
//! Both are listened for from the call on, not from the first poll: a run may take a while before
//! it lets anybody else have a turn.

use std::io;

/// Ends when somebody presses Ctrl-C or asks the process to end. For commands that end with their
/// run: whoever goes on afterwards would not hear it a second time.
#[cfg(unix)]
pub(crate) fn asked_to_stop() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (ctrl_c, mut terminate) = (ctrl_c()?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            () = ctrl_c => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Ends when somebody presses Ctrl-C.
#[cfg(unix)]
pub(crate) fn ctrl_c() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        let _ = interrupt.recv().await;
    })
}

/// Elsewhere there is nothing but Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn asked_to_stop() -> io::Result<impl Future<Output = ()>> {
    ctrl_c()
}

#[cfg(not(unix))]
pub(crate) fn ctrl_c() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
