//! [`reading`]: what is typed at the terminal, read so that nothing else is kept from happening.
//!
//! Whoever reads a line holds up a thread until it comes. It is a thread of its own: while a person is asked, a
//! run can be told to end, and ends.

use std::{
    io::{self, IsTerminal},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use tokio::sync::{MutexGuard, oneshot};

use crate::style::{DIM, END, line};

/// Held by the thread that reads: one that nobody waits for any more reads its line to the end.
static READER: Mutex<()> = Mutex::new(());
/// Held by whoever talks to the person.
static DIALOGUE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
static IS_OPEN: AtomicBool = AtomicBool::new(false);

/// Whether somebody reads from the terminal now.
#[cfg(unix)]
pub(crate) fn is_being_read() -> bool {
    READER.try_lock().is_err()
}

/// What `read` returns, which may wait for a person. Nothing where it could not be asked.
///
/// Whoever drops this before its end finds the terminal as it was.
pub(crate) async fn reading<T: Send + 'static>(
    read: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    if READER.try_lock().is_err() {
        line(&format!("{DIM}What was asked before is over: press Enter to go on.{END}"));
    }
    let mut terminal = TerminalSettings::keep();
    let (send, typed) = oneshot::channel();
    let waits = thread::Builder::new().name("terminal".to_owned()).spawn(move || {
        let turn = READER.lock().unwrap_or_else(PoisonError::into_inner);
        if !send.is_closed() {
            let typed = read();
            // Before it is told: whoever is may read on at once.
            drop(turn);
            let _ = send.send(typed);
        }
    });
    waits.ok()?;
    let typed = typed.await.ok();
    terminal.is_read = true;
    typed
}

/// The terminal as it was before somebody read from it, and as it is again when this is dropped.
struct TerminalSettings {
    #[cfg(unix)]
    kept: Option<rustix::termios::Termios>,
    is_read: bool,
}

impl TerminalSettings {
    fn keep() -> Self {
        Self {
            #[cfg(unix)]
            kept: rustix::termios::tcgetattr(io::stdin()).ok(),
            is_read: false,
        }
    }
}

impl Drop for TerminalSettings {
    fn drop(&mut self) {
        // Whoever read to the end has put it back.
        if self.is_read || !io::stdin().is_terminal() {
            return;
        }
        #[cfg(unix)]
        if let Some(kept) = &self.kept {
            use rustix::termios::{OptionalActions, tcsetattr};
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, kept);
        }
        line("");
    }
}

/// A person is asked, by one at a time. What happens meanwhile is shown afterwards: it would stand in the middle
/// of what is typed.
pub(crate) struct Dialogue {
    _turn: MutexGuard<'static, ()>,
}

impl Dialogue {
    /// Waits until nobody else asks, and until what is asked about is on the screen.
    pub(crate) async fn open() -> Self {
        let turn = DIALOGUE.lock().await;
        tokio::task::yield_now().await;
        IS_OPEN.store(true, Ordering::SeqCst);
        forget_typed();
        Self { _turn: turn }
    }

    /// Whether somebody is asked now.
    pub(crate) fn is_open() -> bool {
        IS_OPEN.load(Ordering::SeqCst)
    }
}

/// What was typed before anybody asked is no answer, least of all a permission.
fn forget_typed() {
    #[cfg(unix)]
    if io::stdin().is_terminal() {
        use rustix::termios::{QueueSelector, tcflush};
        let _ = tcflush(io::stdin(), QueueSelector::IFlush);
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        IS_OPEN.store(false, Ordering::SeqCst);
    }
}

/// Whether the terminal can only be written to, line by line.
pub(crate) fn is_dumb() -> bool {
    // Consoles of Windows have no such variable, and can.
    cfg!(unix) && std::env::var_os("TERM").is_none_or(|it| it.is_empty() || it == "dumb")
}

/// Whether a person is at the terminal: what is typed is shown on standard output, and what reads that is none
/// otherwise.
pub(crate) fn is_person() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}
