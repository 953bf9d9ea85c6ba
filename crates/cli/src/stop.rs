//! [`asked_to_stop`]: what a person or the system says when a run is to end before its end.
//!
//! Each is listened for from the call on, not from the first poll: a run may take a while before it lets
//! anybody else have a turn. Whatever ends the process ends the run first: a command that was cut short is
//! cleaned up after, and what it made is looked at.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use tokio::sync::Notify;

/// Ends when somebody presses Ctrl-C or asks the process to end. For commands that end with their
/// run: whoever goes on afterwards would not hear it a second time.
pub(crate) fn asked_to_stop() -> io::Result<impl Future<Output = ()>> {
    let (ctrl_c, told_to_end) = (ctrl_c()?, told_to_end()?);
    Ok(async move {
        tokio::select! {
            () = ctrl_c => {}
            () = told_to_end => {}
        }
    })
}

/// Ctrl-C where a line was read: the terminal sends no signal then.
static PRESSED: Notify = Notify::const_new();
/// How many listen for Ctrl-C.
static LISTENING: AtomicUsize = AtomicUsize::new(0);

/// Ctrl-C was pressed where a line was read. Whether somebody listens who stops for it.
pub(crate) fn pressed() -> bool {
    PRESSED.notify_waiters();
    LISTENING.load(Ordering::SeqCst) > 0
}

/// Somebody who listens for Ctrl-C.
struct Listener;

impl Listener {
    fn new() -> Self {
        LISTENING.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        LISTENING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Ends when somebody presses Ctrl-C.
pub(crate) fn ctrl_c() -> io::Result<impl Future<Output = ()>> {
    let (signal, pressed, listener) = (interrupted()?, PRESSED.notified(), Listener::new());
    Ok(async move {
        let _listener = listener;
        tokio::select! {
            () = signal => {}
            () = pressed => {}
        }
    })
}

#[cfg(unix)]
fn interrupted() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        let _ = interrupt.recv().await;
    })
}

#[cfg(not(unix))]
fn interrupted() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// Ends when the process is asked to end, or its terminal is gone.
#[cfg(unix)]
fn told_to_end() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut quit) = (signal(SignalKind::terminate())?, signal(SignalKind::quit())?);
    let mut hangup = match hears_hangup() {
        true => Some(signal(SignalKind::hangup())?),
        false => None,
    };
    Ok(async move {
        let hung_up = async {
            match &mut hangup {
                Some(hangup) => drop(hangup.recv().await),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = quit.recv() => {}
            () = hung_up => {}
        }
    })
}

/// Elsewhere there is nothing but Ctrl-C.
#[cfg(not(unix))]
fn told_to_end() -> io::Result<impl Future<Output = ()>> {
    Ok(std::future::pending())
}

/// Whether the end of the terminal is meant for this process: `nohup` says that it is not. Where that
/// cannot be known it is left as it is.
#[cfg(unix)]
fn hears_hangup() -> bool {
    const HANGUP: u64 = 1;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|it| u64::from_str_radix(it.trim(), 16).ok());
    ignored.is_some_and(|it| it & HANGUP == 0)
}

/// Hears that the process is to end, for a program that waits for a person between its runs.
#[derive(Clone, Default)]
pub(crate) struct Ending {
    is_told: Arc<AtomicBool>,
    told: Arc<Notify>,
}

impl Ending {
    /// Begins to listen.
    pub(crate) fn listen() -> io::Result<Self> {
        let (ending, told_to_end) = (Self::default(), told_to_end()?);
        let heard = ending.clone();
        tokio::spawn(async move {
            told_to_end.await;
            heard.is_told.store(true, Ordering::SeqCst);
            heard.told.notify_one();
        });
        Ok(ending)
    }

    /// Ends when the process is to end.
    pub(crate) async fn come(&self) {
        self.told.notified().await;
    }

    /// A run begins. Ends when it is to stop: by Ctrl-C, or with the process.
    pub(crate) fn begin(&self) -> io::Result<impl Future<Output = ()>> {
        let ctrl_c = ctrl_c()?;
        let told = self.told.clone();
        Ok(async move {
            tokio::select! {
                () = ctrl_c => {}
                () = told.notified() => {}
            }
        })
    }

    /// Whether the process is to end.
    pub(crate) fn is_now(&self) -> bool {
        self.is_told.load(Ordering::SeqCst)
    }
}
