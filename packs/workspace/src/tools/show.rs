//! `show`: some lines of a file, numbered; a picture as a picture.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use toolwright_core::{FnTool, Output, Tool, ToolEffect, ToolSpec, Verbatim, schema_of};

use super::{
    list::Found,
    subject::{Reach, looking_at},
};
use crate::{
    Workspace,
    files::{self, FileError, Span},
    root::{Kind, Place, Root},
};

const ABOUT: &str = "\
Show a file, each line with its number before it: at most 2,000 lines and 50 kB at once. What is left \
out is said at the end, and how to see it.";

#[derive(Deserialize, JsonSchema)]
struct Show {
    /// The file, as its full path from the workspace root, such as src/main.rs.
    file_path: String,
    /// The first line to show, from 1. The first of the file where it is not given.
    start_line: Option<u64>,
    /// The last line to show.
    end_line: Option<u64>,
}

/// Things people say when they want it.
const EXAMPLES: [&str; 9] = [
    "what is new in version 1.2",
    "who was at the meeting, see the minutes",
    "show me README.md",
    "open src/main.rs",
    "what is in Cargo.toml",
    "read lines 10 to 20 of the log",
    "print the config file",
    "let me see app.py",
    "it stands in docs/plan.txt, when is it",
];

pub(crate) fn tool(workspace: Arc<Workspace>) -> Arc<dyn Tool> {
    let spec = ToolSpec::new("show", ABOUT, schema_of::<Show>())
        .effect(ToolEffect::ReadOnly)
        .examples(EXAMPLES)
        .verbatim(Verbatim::Numbered);
    let shared = workspace.clone();
    let tool = FnTool::new(spec, move |arguments, _| {
        Box::pin(files::run_for(shared.clone(), arguments, show))
    });
    looking_at(workspace, Arc::new(tool), "file_path", Reach::File)
}

fn show(root: &Root, it: &Show) -> Result<Output, FileError> {
    let span = Span::new(it.start_line, it.end_line)?;
    let place = root.locate(&it.file_path)?;
    if root.metadata(&place.relative).is_ok_and(|it| it.kind == Kind::Folder) {
        return Ok(Output::Text(folder(root, &place)));
    }
    match files::picture(root, &place)? {
        Some(picture) => Ok(picture),
        None => {
            let text = files::view(root, &place, span)?;
            Ok(Output::Text(text + &place.note(&it.file_path)))
        }
    }
}

/// What is in a folder: whoever asks to see one means that.
fn folder(root: &Root, place: &Place) -> String {
    let found = Found::in_folder(root, place, 1, &mut || true);
    let name = match place.name() {
        name if name.is_empty() => "This".to_owned(),
        name => name,
    };
    format!("{}\n\n[{name} is a folder: this is what is in it]", found.words(&name, 1))
}
