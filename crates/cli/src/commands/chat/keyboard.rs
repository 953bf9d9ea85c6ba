//! [`Keyboard`]: what is typed while a run goes on, key by key.
//!
//! The line editor cannot be told to stop reading, and a person may have to be asked about a call at any time. So while
//! a run goes on the terminal hands over each key as it comes, and a thread takes it up that can be told to stop.
//! Where there is no such terminal nothing is read: what is typed waits for the next line, as it always did.

use tokio::sync::mpsc;

use super::draft::Keyed;

/// What is typed while a run goes on.
pub(super) struct Keyboard {
    keyed: mpsc::UnboundedReceiver<Keyed>,
    #[cfg(unix)]
    reader: Option<reader::Reader>,
}

impl Keyboard {
    /// Reads from the terminal, where there is one to read from.
    pub(super) fn open() -> Self {
        let (send, keyed) = mpsc::unbounded_channel();
        // Nobody sends anything there.
        #[cfg(not(unix))]
        drop(send);
        Self {
            keyed,
            #[cfg(unix)]
            reader: reader::Reader::start(send),
        }
    }

    /// What was typed; never where nobody can.
    pub(super) async fn typed(&mut self) -> Keyed {
        match self.keyed.recv().await {
            Some(keyed) => keyed,
            None => std::future::pending().await,
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
        (left, draft)
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
        event::{PollFd, PollFlags, poll},
        io::Errno,
        termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr},
    };
    use tokio::sync::mpsc::UnboundedSender;

    use super::super::draft::{Draft, Keyed};
    use crate::reading::{Dialogue, is_being_read, is_dumb, is_person};

    /// The thread that reads keys, and how it is told to stop.
    pub(super) struct Reader {
        wake: UnixStream,
        thread: Option<JoinHandle<String>>,
        kept: Termios,
    }

    impl Reader {
        pub(super) fn start(send: UnboundedSender<Keyed>) -> Option<Self> {
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
            Some(reader)
        }

        /// What stands on the line.
        pub(super) fn stop(mut self) -> String {
            let _ = self.wake.write_all(b"x");
            self.thread.take().and_then(|it| it.join().ok()).unwrap_or_default()
        }
    }

    impl Drop for Reader {
        fn drop(&mut self) {
            let _ = self.wake.write_all(b"x");
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.kept);
        }
    }

    fn read(woken: &UnixStream, send: &UnboundedSender<Keyed>) -> String {
        let (input, mut draft) = (io::stdin(), Draft::default());
        let mut bytes = [0; 1024];
        loop {
            let mut waits = [PollFd::new(woken, PollFlags::IN), PollFd::new(&input, PollFlags::IN)];
            match poll(&mut waits, None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(_) => return draft.into_text(),
            }
            let [stop, typed] = waits.map(|it| !it.revents().is_empty());
            if stop {
                return draft.into_text();
            }
            // Whoever asks reads the answer; it is not ours.
            if Dialogue::is_open() {
                thread::sleep(Duration::from_millis(20));
                continue;
            }
            if !typed {
                continue;
            }
            match rustix::io::read(&input, &mut bytes) {
                Ok(length) if length > 0 => {
                    for keyed in draft.feed(bytes.get(..length).unwrap_or_default()) {
                        if send.send(keyed).is_err() {
                            return draft.into_text();
                        }
                    }
                }
                Err(Errno::INTR | Errno::AGAIN) => {}
                // The terminal is gone.
                _ => return draft.into_text(),
            }
        }
    }
}
