//! [`Keeper`]: a child that looks after a server for tests: it obeys words, and ends with whoever tells it.
#![allow(clippy::expect_used, reason = "without a server there is no test to run")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::Mutex,
};

/// A child that looks after a server. It reads a word a line, answers `done` to each, and ends with its input: that is
/// closed when this is dropped, and when this process dies.
#[derive(Debug)]
pub(crate) struct Keeper {
    talk: Mutex<(Option<ChildStdin>, BufReader<ChildStdout>)>,
    child: Child,
}

impl Keeper {
    pub(crate) fn start(command: &mut Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("`sh` runs");
        let stdin = child.stdin.take().expect("it is piped");
        let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { talk: Mutex::new((Some(stdin), stdout)), child }
    }

    /// What it says next.
    pub(crate) fn line(&self) -> String {
        let mut line = String::new();
        let mut talk = self.talk.lock().expect("nobody panicked here");
        talk.1.read_line(&mut line).expect("its output can be read");
        line
    }

    /// Why it ended, where its errors are piped.
    pub(crate) fn failure(mut self) -> String {
        let mut said = String::new();
        if let Some(mut errors) = self.child.stderr.take() {
            let _ = errors.read_to_string(&mut said);
        }
        said
    }

    /// Has it do something, and waits until that is done.
    pub(crate) fn tell(&self, word: &str) {
        let mut talk = self.talk.lock().expect("nobody panicked here");
        writeln!(talk.0.as_mut().expect("it runs"), "{word}").expect("it listens");
        let mut line = String::new();
        talk.1.read_line(&mut line).expect("it answers");
        assert_eq!(line, "done\n");
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // Its input ends here, and with it the server.
        if let Ok(talk) = self.talk.get_mut() {
            talk.0 = None;
        }
        let _ = self.child.wait();
    }
}
