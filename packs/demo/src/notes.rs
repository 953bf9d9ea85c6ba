//! Notes: tools that change something, so that one can see what is asked, kept and never done twice.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use toolwright_core::ToolError;
use toolwright_files::{Writing, private_file, private_folder};
use toolwright_macros::toolset;

/// More notes than anybody reads.
const MOST: u64 = 1 << 20;

/// Notes in a text file, one a line.
pub(crate) struct Notes {
    path: PathBuf,
}

impl Notes {
    pub(crate) fn in_folder(data: &Path) -> Self {
        Self { path: data.join("notes.txt") }
    }

    fn append(&self, note: &str) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            private_folder(folder)?;
        }
        let mut file = private_file(&self.path, Writing::Append)?;
        // In one write, so that two writers never mix their lines.
        file.write_all(format!("{note}\n").as_bytes())?;
        file.sync_all()
    }

    fn failed(&self, what: &str, error: &io::Error) -> ToolError {
        ToolError::new(format!("the notes could not be {what}"))
            .with_detail(format!("{}: {error}", self.path.display()))
    }
}

#[toolset]
impl Notes {
    /// Write a note down for the user. Notes are kept between conversations.
    #[tool(
        asked_by(
            "note", "notes", "remember", "remind", "reminder", "forget", "jot", "write", "record", "save", "store",
            "keep", "add", "put", "memo", "memorize", "memorise", "log", "pin", "todo", "to do", "take down", "get down",
            "mark", "scribble", "type", "stash", "pop", "stick", "list", "post it", "nb", "mem", "hang on", "hold", "another",
            "also", "turns out"
        ),
        examples = [
            "note that the rent is due on Friday",
            "remind me to call Anna",
            "write down the wifi password",
            "remember that I parked on level 3",
            "add a note: buy milk",
            "remind me: dentist on Thursday",
            "don't let me forget the keys",
            "save this as a note",
            "write down: the passport is in the drawer",
            "note it down",
        ]
    )]
    fn take_note(
        &self,
        /// The note, in one line.
        #[tool(free_text, generated)]
        text: String,
    ) -> Result<String, ToolError> {
        let note = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if note.is_empty() {
            return Err(ToolError::new("the note is empty"));
        }
        self.append(&note).map_err(|error| self.failed("written", &error))?;
        Ok(format!("Noted: {note}"))
    }

    /// Read all notes.
    #[tool(
        read_only,
        examples = [
            "show my notes",
            "what did I write down",
            "read me my notes",
            "which notes do I have",
            "do I have any reminders",
        ]
    )]
    fn list_notes(&self) -> Result<Vec<String>, ToolError> {
        match toolwright_files::read_text(&self.path, MOST) {
            Ok(notes) => Ok(notes.lines().map(str::to_owned).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(self.failed("read", &error)),
        }
    }

    /// Delete all notes. This cannot be taken back.
    #[tool(
        destructive,
        asked_by(
            "delete", "clear", "remove", "erase", "wipe", "throw", "empty", "forget", "drop", "purge", "clean",
            "discard", "trash", "reset", "get rid", "start over", "scrap", "ditch", "toss", "dump", "nuke", "gone", "lose",
            "chuck", "bin", "vanish", "shred", "destroy", "zap", "burn", "flush", "sweep", "dispose", "truncate",
            "disappear", "del", "dlt", "yeet", "kill", "torch", "fresh start", "tabula rasa", "no notes", "zero notes",
            "notes left", "do away", "go away", "away", "have to go", "should go", "stale", "remain"
        ),
        examples = [
            "delete all my notes",
            "clear my notes",
            "throw away everything I wrote down",
            "remove my reminders",
            "start over with empty notes",
        ]
    )]
    fn delete_notes(&self) -> Result<String, ToolError> {
        let emptied = private_file(&self.path, Writing::Update)
            .and_then(|file| file.set_len(0).and_then(|()| file.sync_all()));
        match emptied {
            Ok(()) => Ok("All notes are deleted.".to_owned()),
            Err(error) => Err(self.failed("deleted", &error)),
        }
    }
}
