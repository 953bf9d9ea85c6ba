//! [`Lines`]: where the lines of a chat come from.

use std::{
    io::{self, BufRead, IsTerminal},
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
};

use rustyline::{
    CompletionType, Config as EditorConfig, Editor, Helper,
    completion::Completer,
    error::ReadlineError,
    highlight::Highlighter,
    hint::Hinter,
    history::FileHistory,
    validate::{ValidationContext, ValidationResult, Validator},
};
use tokio::sync::oneshot;
use toolwright_app::Config;
use toolwright_files::{Writing, private_file, private_folder};

use super::completion::Completions;
use crate::{
    error::{CommandError, Result},
    reading::reading,
    style::{END, WARN, line},
};

/// What was typed.
pub(super) enum Typed {
    Line(String),
    /// Ctrl-C.
    Interrupted,
    /// Ctrl-D, or there is no more.
    End,
}

/// Where lines come from: a thread that waits for them, so that nobody else has to.
pub(super) struct Lines(mpsc::Sender<Wanted>);

/// A line that is waited for: what it begins as, and who waits.
type Wanted = (String, oneshot::Sender<Result<Typed, String>>);

impl Lines {
    pub(super) fn open(config: &Config, completions: Completions) -> Self {
        let (wanted, lines) = mpsc::channel::<Wanted>();
        let data = config.data.value.clone();
        // Where there is no thread nobody takes up what is wanted, which is the end of the lines.
        let _ = thread::Builder::new().name("lines".to_owned()).spawn(move || {
            let mut source = LineSource::open(&data, completions);
            while let Ok((begun, typed)) = lines.recv() {
                let _ = typed.send(source.read(&begun));
            }
        });
        Self(wanted)
    }

    /// The next line; at a terminal it begins as this.
    pub(super) async fn read(&self, begun: String) -> Result<Typed> {
        let wanted = self.0.clone();
        let read = reading(move || {
            let (send, typed) = oneshot::channel();
            wanted.send((begun, send)).ok()?;
            typed.blocking_recv().ok()
        });
        match read.await.flatten() {
            Some(typed) => Ok(typed.map_err(CommandError::failed)?),
            None => Ok(Typed::End),
        }
    }
}

/// An editor with history at a terminal, plain lines otherwise.
enum LineSource {
    Editor(Box<Editor<ChatHelper, FileHistory>>, PathBuf),
    Plain(io::Stdin),
}

impl LineSource {
    fn open(data: &Path, completions: Completions) -> Self {
        if !io::stdin().is_terminal() {
            return Self::Plain(io::stdin());
        }
        let settings = EditorConfig::builder()
            .auto_add_history(true)
            .completion_type(CompletionType::List)
            .build();
        let Ok(mut editor) = Editor::with_config(settings) else { return Self::Plain(io::stdin()) };
        editor.set_helper(Some(ChatHelper { completions }));
        let history = data.join("history");
        // Without a place for it there is no history, and that is all.
        if private_folder(data).and_then(|()| private_file(&history, Writing::Update)).is_ok() {
            let _ = editor.load_history(&history);
        }
        Self::Editor(Box::new(editor), history)
    }

    fn read(&mut self, begun: &str) -> Result<Typed, String> {
        match self {
            Self::Editor(editor, history) => match editor.readline_with_initial("› ", (begun, ""))
            {
                Ok(text) => {
                    // What is no file of ours is not written to.
                    if private_file(&*history, Writing::Update).is_ok() {
                        let _ = editor.save_history(history);
                    }
                    Ok(Typed::Line(text.replace("\\\n", "\n")))
                }
                Err(ReadlineError::Interrupted) => Ok(Typed::Interrupted),
                Err(ReadlineError::Eof) => Ok(Typed::End),
                Err(error) => Err(error.to_string()),
            },
            Self::Plain(input) => {
                let mut text = String::new();
                while let Some(more) = plain_line(input)? {
                    text.push_str(&more);
                    let Some(line) = text.strip_suffix("\\\n") else {
                        return Ok(Typed::Line(text));
                    };
                    text = format!("{line}\n");
                }
                Ok(if text.is_empty() { Typed::End } else { Typed::Line(text) })
            }
        }
    }
}

/// The next line of a pipe or a file; nothing at its end. One that is no text is told of and left out.
fn plain_line(input: &io::Stdin) -> Result<Option<String>, String> {
    loop {
        let mut bytes = Vec::new();
        let read = input.lock().read_until(b'\n', &mut bytes).map_err(|error| error.to_string())?;
        if read == 0 {
            return Ok(None);
        }
        match String::from_utf8(bytes) {
            Ok(line) => return Ok(Some(line)),
            Err(_) => line(&format!("{WARN}!{END} A line is no text in UTF-8 and was left out.")),
        }
    }
}

/// A line that ends in `\` goes on in the next; one that begins with `/` calls a command.
struct ChatHelper {
    completions: Completions,
}

impl Helper for ChatHelper {}
impl Highlighter for ChatHelper {}
impl Completer for ChatHelper {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.completions.fitting(line.get(..at).unwrap_or_default()))
    }
}
impl Hinter for ChatHelper {
    type Hint = String;
}

impl Validator for ChatHelper {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if context.input().ends_with('\\') {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}
