//! [`Keyboard`]: what is typed while a run goes on, key by key.
//!
//! The line editor cannot be told to stop reading, and a person may have to be asked about a call at any time. So while
//! a run goes on the terminal hands over each key as it comes, and a thread takes it up that can be told to stop.
//! Where there is no such terminal nothing is read: what is typed waits for the next line, as it always did.

use tokio::sync::mpsc;
use toolwright_core::QueueMode;

use super::draft::Keyed;
use crate::reading::typing;

/// What is typed while a run goes on.
pub(super) struct Keyboard {
    keyed: mpsc::UnboundedReceiver<Keyed>,
    /// Lines that were finished before somebody was asked something.
    finished: mpsc::UnboundedReceiver<String>,
    #[cfg(unix)]
    reader: Option<reader::Reader>,
}

impl Keyboard {
    /// Reads from the terminal, where there is one to read from.
    pub(super) fn open() -> Self {
        let (send, keyed) = mpsc::unbounded_channel();
        let (entered, finished) = mpsc::unbounded_channel();
        // Nobody sends anything there.
        #[cfg(not(unix))]
        drop((send, entered));
        Self {
            keyed,
            finished,
            #[cfg(unix)]
            reader: reader::Reader::start(send, entered),
        }
    }

    /// What was typed; never where nobody can.
    pub(super) async fn typed(&mut self) -> Keyed {
        tokio::select! {
            Some(keyed) = self.keyed.recv() => keyed,
            Some(line) = self.finished.recv() => said(line),
            else => std::future::pending().await,
        }
    }

    /// Stops reading: what was entered meanwhile, and the line that was not.
    pub(super) fn close(mut self) -> (Vec<Keyed>, String) {
        #[cfg(unix)]
        let draft = self.reader.take().map(reader::Reader::stop).unwrap_or_default();
        #[cfg(not(unix))]
        let draft = String::new();
        let mut left = Vec::new();
        while let Ok(keyed) = self.keyed.try_recv() {
            left.push(keyed);
        }
        while let Ok(line) = self.finished.try_recv() {
            left.push(said(line));
        }
        (left, draft)
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        let mut typing = typing();
        typing.entered = None;
        typing.line.clear();
    }
}

/// A line that was finished: nothing is said by an empty one.
fn said(line: String) -> Keyed {
    match line.trim().is_empty() {
        true => Keyed::Draft(String::new()),
        false => Keyed::Entered(line, QueueMode::Steer),
    }
}

#[cfg(unix)]
mod reader {
    use std::{
        io::{self, IsTerminal, Write},
        os::unix::net::UnixStream,
        thread::{self, JoinHandle},
        time::Duration,
    };

    use rustix::{
        event::{PollFd, PollFlags, Timespec, poll},
        io::Errno,
        termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr},
    };
    use tokio::sync::mpsc::UnboundedSender;

    use super::super::draft::{Draft, Keyed};
    use crate::reading::{Dialogue, is_being_read, is_dumb, is_person, mark_pastes, typing};

    /// How long the rest of a key may take that begins with Escape; without it, that was the key.
    const ESCAPE: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
    const AT_ONCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

    /// The thread that reads keys, and how it is told to stop.
    pub(super) struct Reader {
        wake: UnixStream,
        thread: Option<JoinHandle<()>>,
        kept: Termios,
    }

    impl Reader {
        pub(super) fn start(
            send: UnboundedSender<Keyed>,
            entered: UnboundedSender<String>,
        ) -> Option<Self> {
            // What is typed is shown on standard error, at the bottom.
            if is_dumb() || !is_person() || !io::stderr().is_terminal() || is_being_read() {
                return None;
            }
            let kept = tcgetattr(io::stdin()).ok()?;
            let (wake, woken) = UnixStream::pair().ok()?;
            let mut keys = kept.clone();
            // Ctrl-C stays a signal, and the end of a line stays one on the way out.
            keys.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::IEXTEN;
            keys.special_codes[SpecialCodeIndex::VMIN] = 1;
            keys.special_codes[SpecialCodeIndex::VTIME] = 0;
            tcsetattr(io::stdin(), OptionalActions::Now, &keys).ok()?;
            let mut reader = Self { wake, thread: None, kept };
            let spawned = thread::Builder::new()
                .name("keyboard".to_owned())
                .spawn(move || read(&woken, &send));
            reader.thread = Some(spawned.ok()?);
            typing().entered = Some(entered);
            mark_pastes(true);
            Some(reader)
        }

        /// What stands on the line.
        pub(super) fn stop(mut self) -> String {
            let _ = self.wake.write_all(b"x");
            let _ = self.thread.take().map(JoinHandle::join);
            std::mem::take(&mut typing().line)
        }
    }

    impl Drop for Reader {
        fn drop(&mut self) {
            let _ = self.wake.write_all(b"x");
            mark_pastes(false);
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.kept);
        }
    }

    fn read(woken: &UnixStream, send: &UnboundedSender<Keyed>) {
        let (input, mut draft) = (io::stdin(), Draft::default());
        let mut bytes = [0; 1024];
        loop {
            let mut waits = [PollFd::new(woken, PollFlags::IN), PollFd::new(&input, PollFlags::IN)];
            let ready = poll(&mut waits, draft.is_escaped().then_some(&ESCAPE));
            let [stop, typed] = waits.map(|it| !it.revents().is_empty());
            match ready {
                Ok(0) => draft.escape_alone(),
                Ok(_) | Err(Errno::INTR) => {}
                Err(_) => return,
            }
            if stop {
                return;
            }
            // Whoever asks reads the answer; it is not ours.
            if Dialogue::is_open() {
                thread::sleep(Duration::from_millis(20));
                continue;
            }
            if !typed {
                continue;
            }
            // Nobody begins to ask between a key and the line that it is on.
            let mut typing = typing();
            let mut waits = [PollFd::new(&input, PollFlags::IN)];
            // Whoever asked meanwhile may have read it.
            if Dialogue::is_open() || !poll(&mut waits, Some(&AT_ONCE)).is_ok_and(|it| it > 0) {
                continue;
            }
            match rustix::io::read(&input, &mut bytes) {
                Ok(length) if length > 0 => {
                    draft.set_text(std::mem::take(&mut typing.line));
                    let keyed = draft.feed(bytes.get(..length).unwrap_or_default());
                    draft.text().clone_into(&mut typing.line);
                    if keyed.into_iter().any(|it| send.send(it).is_err()) {
                        return;
                    }
                }
                Err(Errno::INTR | Errno::AGAIN) => {}
                // The terminal is gone.
                _ => return,
            }
        }
    }
}
