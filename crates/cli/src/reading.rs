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

use tokio::sync::{MutexGuard, mpsc::UnboundedSender, oneshot};

use crate::style::{DIM, END, line};

/// Held by the thread that reads: one that nobody waits for any more reads its line to the end.
static READER: Mutex<()> = Mutex::new(());
/// Held by whoever talks to the person.
static DIALOGUE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
static IS_OPEN: AtomicBool = AtomicBool::new(false);
static TYPING: Mutex<Typing> = Mutex::new(Typing { line: String::new(), entered: None });

/// What somebody types while a run goes on. Held by whoever takes up keys, so that a line has been begun before
/// somebody is asked, or was not.
pub(crate) struct Typing {
    /// The line that is not entered yet.
    pub(crate) line: String,
    /// Where it goes once it is; nowhere where nothing is taken up.
    pub(crate) entered: Option<UnboundedSender<String>>,
}

/// What somebody types while a run goes on.
pub(crate) fn typing() -> std::sync::MutexGuard<'static, Typing> {
    TYPING.lock().unwrap_or_else(PoisonError::into_inner)
}

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
///
/// A line that was begun before is no answer, least of all a permission: it is finished first ([`Dialogue::begun`]).
pub(crate) struct Dialogue {
    _turn: MutexGuard<'static, ()>,
    /// The line that was begun before.
    begun: Option<String>,
    /// The lines that were finished, for when this ends: before, they would stand in the middle of it.
    finished: Vec<String>,
}

impl Dialogue {
    /// Waits until nobody else asks, and until what is asked about is on the screen.
    pub(crate) async fn open() -> Self {
        let turn = DIALOGUE.lock().await;
        tokio::task::yield_now().await;
        let mut typing = typing();
        IS_OPEN.store(true, Ordering::SeqCst);
        let begun = std::mem::take(&mut typing.line);
        let begun = (!begun.is_empty()).then_some(begun);
        Self { _turn: turn, begun, finished: Vec::new() }
    }

    /// What stands on a line that somebody is in the middle of: nothing can be asked before it is finished.
    pub(crate) fn begun(&mut self) -> Option<String> {
        self.begun.take().or_else(|| is_typed().then(String::new))
    }

    /// A line that was begun before is finished.
    pub(crate) fn finish(&mut self, line: String) {
        self.finished.push(line);
    }

    /// It is not, and stays what it was.
    pub(crate) fn leave(&mut self, line: String) {
        typing().line = line;
    }

    /// Whether somebody is asked now.
    pub(crate) fn is_open() -> bool {
        IS_OPEN.load(Ordering::SeqCst)
    }
}

/// Whether keys were pressed that nobody has taken up.
#[cfg(unix)]
fn is_typed() -> bool {
    use rustix::{
        event::{PollFd, PollFlags, Timespec, poll},
        termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr},
    };
    let input = io::stdin();
    let Ok(kept) = tcgetattr(&input) else { return false };
    // Where the terminal waits for whole lines it does not tell of one that was only begun.
    let mut keys = kept.clone();
    keys.local_modes -= LocalModes::ICANON;
    let _ = tcsetattr(&input, OptionalActions::Now, &keys);
    let mut waits = [PollFd::new(&input, PollFlags::IN)];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    let is_typed = poll(&mut waits, Some(&at_once)).is_ok_and(|ready| ready > 0);
    let _ = tcsetattr(&input, OptionalActions::Now, &kept);
    is_typed
}

/// Elsewhere nobody can tell.
#[cfg(not(unix))]
fn is_typed() -> bool {
    false
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        let typing = typing();
        IS_OPEN.store(false, Ordering::SeqCst);
        let Some(entered) = &typing.entered else { return };
        for line in self.finished.drain(..) {
            let _ = entered.send(line);
        }
        // Whoever read the answer has turned it off.
        mark_pastes(true);
    }
}

/// Asks the terminal to mark what is pasted, or not to: what is pasted is no key that was pressed.
pub(crate) fn mark_pastes(is_wanted: bool) {
    use io::Write;
    let mut terminal = io::stderr();
    let _ = terminal.write_all(if is_wanted { b"\x1b[?2004h" } else { b"\x1b[?2004l" });
    let _ = terminal.flush();
}

/// Whether the terminal can only be written to, line by line.
pub(crate) fn is_dumb() -> bool {
    // Consoles of Windows have no such variable, and can.
    cfg!(unix) && std::env::var_os("TERM").is_none_or(|it| it.is_empty() || it == "dumb")
}

/// Whether a person is at the terminal: what is typed is shown on standard output, and what is asked about on
/// standard error. Whoever does not see one of them cannot be asked.
pub(crate) fn is_person() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && io::stderr().is_terminal()
}
