//! [`Reader`]: makes text of a document, in a process of its own.
//!
//! Parsers of HTML and PDF recurse, allocate and sometimes panic as a document tells them to. Nothing of that
//! may end the process that others work in: so this program is started again, without its environment and
//! within limits, is given the document and answers with the text. If it dies, one page was not read.

mod document;
mod html;
mod main_part;
mod pdf;
mod plain;

use std::{
    env, io,
    path::PathBuf,
    process::{ExitStatus, Stdio},
};

use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::Command,
};

pub use self::document::read;
pub(crate) use self::plain::tidy;

/// The first argument of a program that is started to read.
pub const READ: &str = "__read_document";

/// More text than this is not taken of a document.
pub(crate) const MOST_TEXT: usize = 5 << 20;

/// Which program is started to read documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ReaderProgram {
    /// This very program, with [`READ`] as its first argument. Its `main` has to hand the rest of the arguments
    /// to [`read`] before anything else.
    #[default]
    This,
    /// The program `toolwright-web-read`, at this path.
    At(PathBuf),
}

/// What a document is to be made into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// HTML into Markdown.
    Markdown,
    /// HTML into text.
    Text,
    /// PDF into text.
    Pdf,
}

impl Form {
    pub(crate) const ALL: [Self; 3] = [Self::Markdown, Self::Text, Self::Pdf];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Text => "text",
            Self::Pdf => "pdf",
        }
    }
}

/// What a document says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Document {
    /// Its title, where it has one.
    pub(crate) title: Option<String>,
    /// Its text.
    pub(crate) text: String,
}

/// Why a document cannot be read.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// The program that reads cannot be started.
    NoReader(io::Error),
    /// It says why.
    Unreadable(String),
    /// It died.
    Died(ExitStatus),
}

/// Makes text of documents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reader(pub(crate) ReaderProgram);

impl Reader {
    /// What a document at this address says. Dropping the future ends the process.
    pub(crate) async fn read(
        &self,
        form: Form,
        address: &str,
        document: &[u8],
    ) -> Result<Document, ReadError> {
        let mut command = self.command().map_err(ReadError::NoReader)?;
        let command = command
            .args([form.name(), address])
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        let mut child = command.spawn().map_err(ReadError::NoReader)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let write = async {
            if let Some(mut stdin) = stdin {
                // Whoever died does not read on: how it ended is what counts.
                let _ = stdin.write_all(document).await;
            }
        };
        let read = async {
            let mut answer = Vec::new();
            if let Some(stdout) = stdout {
                // JSON has an escape for a character in up to six.
                let _ = stdout.take(6 * MOST_TEXT as u64 + 4096).read_to_end(&mut answer).await;
            }
            answer
        };
        let ((), answer) = tokio::join!(write, read);
        let status = child.wait().await.map_err(ReadError::NoReader)?;
        if !status.success() {
            let _ = child.start_kill();
            return Err(ReadError::Died(status));
        }
        let answer: Result<Document, String> = serde_json::from_slice(&answer)
            .map_err(|_| ReadError::Unreadable("what was read of it is no answer".to_owned()))?;
        answer.map_err(ReadError::Unreadable)
    }

    fn command(&self) -> io::Result<Command> {
        Ok(match &self.0 {
            ReaderProgram::This => {
                let mut command = Command::new(env::current_exe()?);
                command.arg(READ);
                command
            }
            ReaderProgram::At(path) => Command::new(path),
        })
    }
}
