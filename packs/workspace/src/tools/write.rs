//! `write`: a new file, something added to an old one, or all of it replaced.

use std::{borrow::Cow, io::ErrorKind, sync::Arc};

use schemars::JsonSchema;
use serde::Deserialize;
use toolwright_core::{
    FnTool, ReplacedText, Tool, ToolEffect, ToolSpec, WithPreview, plural, schema_of,
};

use crate::{
    Workspace,
    files::{self, Bounds, Content, FileError, MOST, Over, Proposed, Spot, count},
    root::{Kind, Place, Root},
};

const ABOUT: &str = "\
Make a new file with this content, and the folders it is in. A file that exists is replaced only with \
overwrite: to change a part of it, use edit.";

#[derive(Deserialize, JsonSchema)]
struct Write {
    /// The file, as its full path from the workspace root, such as src/main.rs.
    file_path: String,
    /// All of what is to be in it.
    content: String,
    /// Whether to replace the file if there is one.
    #[serde(default)]
    overwrite: Option<bool>,
    /// Add the content at the end of the file instead of making a new one
    #[serde(default)]
    append: Option<bool>,
}

/// Things people say when they want it.
const EXAMPLES: [&str; 7] = [
    "create a file hello.txt",
    "write a new module",
    "save this as notes.md",
    "make an empty src/lib.rs",
    "put the text into a file",
    "add a line to todo.txt",
    "append this to the end of the log",
];

/// Words by which people ask for it.
const ASKED_BY: &str = "\
    write, wrote, rewrite, create, make, save, store, put, add, append, insert, generate, \
    produce, draft, compose, export, copy, dump, log, record, note, new, touch, scaffold, \
    implement, fill, populate, overwrite, replace, start over, from scratch, set up, bring, \
    extend, turn, convert, translate, need, want, give, says, say, contain, wipe, the end, \
    call, named, paste, type, jot, keep, place, stick, drop, pop, throw, tack, include, edit, \
    change, redo";

/// Words by which people ask for a file to be replaced as a whole, and for nothing else: a file that nobody was shown is replaced
/// by them, whatever the model.
const OVERWRITE: &str = "\
    overwrite, overwritten, start over, over with, from scratch, start afresh, start again, \
    anew, regenerate, recreate, throw away, discard, empty the file, empty it, \
    replace the file, replace the whole, replace the entire, replace the content, \
    replace all of, replace all in, replace everything, replace its content, replace what is, \
    replace the old, rewrite the file, rewrite the whole, rewrite it, wipe, contain only, \
    only contain, nothing but, clobber";

pub(crate) fn tool(workspace: Arc<Workspace>) -> Arc<dyn Tool> {
    let spec = ToolSpec::new("write", ABOUT, schema_of::<Write>())
        .effect(ToolEffect::Destructive)
        .free_text("content")
        .generated("content")
        .asked_by(ASKED_BY.split(", "))
        .asked_for("overwrite", OVERWRITE.split(", "))
        .examples(EXAMPLES);
    let shared = workspace.clone();
    let tool = FnTool::new(spec, move |arguments, _| {
        Box::pin(files::run(shared.clone(), arguments, write))
    });
    Arc::new(WithPreview::new(Arc::new(tool), move |arguments, _| {
        let arguments = arguments.clone();
        Box::pin(files::propose(workspace.clone(), arguments, Root::locate_new, preview))
    }))
}

/// A file that is going to be written.
struct Plan<'a> {
    place: Place,
    /// What it replaces.
    before: Option<Content>,
    content: Cow<'a, [u8]>,
}

impl<'a> Plan<'a> {
    fn new(root: &Root, it: &'a Write) -> Result<Self, FileError> {
        let (appends, overwrites) = (it.append == Some(true), it.overwrite == Some(true));
        if appends && overwrites {
            return Err(FileError::AddsAndReplaces);
        }
        if appends && it.content.is_empty() {
            return Err(FileError::NothingToAdd);
        }
        let place = root.locate_new(&it.file_path)?;
        let before = match root.metadata(&place.relative) {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Ok(entry) if entry.kind == Kind::File && !overwrites && !appends => {
                return Err(FileError::Exists { path: place.absolute });
            }
            // Reading it says what is wrong with it, if something is.
            _ => Some(Content::read(root, &place)?),
        };
        let content: Cow<'_, [u8]> = match &before {
            Some(before) if appends => files::appended(&before.bytes, &it.content).into(),
            _ => it.content.as_bytes().into(),
        };
        let len = content.len() as u64;
        if len > MOST {
            return Err(FileError::WouldBeTooLarge { len, most: MOST });
        }
        Ok(Self { place, before, content })
    }

    fn versions(&self) -> (Option<&[u8]>, &[u8]) {
        (self.before.as_ref().map(|it| it.bytes.as_slice()), &self.content)
    }

    fn spot(&self, it: &Write) -> Spot {
        let (old, new) = self.versions();
        let old = old.unwrap_or_default();
        match it.append {
            Some(true) => Spot { old: old.len()..old.len(), new: old.len()..new.len() },
            _ => Spot::all(old, new),
        }
    }
}

fn write(root: &Root, it: &Write) -> Result<String, FileError> {
    let plan = Plan::new(root, it)?;
    let head = format!("File written successfully: {}", plan.place.absolute.display());
    let lines = it.content.lines().count() as u64;
    let lines = format!("{} {}", count(lines), plural(lines, "line", "lines"));
    let Some(before) = &plan.before else {
        files::put(root, &plan.place, &plan.content, Over::Nothing)?;
        let new = if it.append == Some(true) { "; there was no such file before" } else { "" };
        return Ok(format!("{head}\n\n{lines}{new}"));
    };
    if before.bytes == *plan.content {
        return Ok(format!("{head}\n\n{lines}; it had this content already"));
    }
    files::put(root, &plan.place, &plan.content, Over::This(before))?;
    let spot = plan.spot(it);
    let diff = files::unified(&plan.place.name(), plan.versions(), &[spot], Bounds::MODEL);
    let added = if it.append == Some(true) { " added" } else { "" };
    Ok(format!("{head}\n\n{lines}{added}\n\n{diff}"))
}

fn preview(root: &Root, it: &Write) -> Result<Proposed, FileError> {
    let plan = Plan::new(root, it)?;
    let diff = files::whole(&plan.place.name(), plan.versions(), &[plan.spot(it)]);
    let replaces = match &plan.before {
        // What is replaced by itself, or stays, is not lost.
        Some(before) if it.append != Some(true) && before.bytes != *plan.content => {
            files::shown(&before.bytes).map(|text| ReplacedText {
                name: plan.place.name(),
                text,
                advice: INSTEAD.to_owned(),
            })
        }
        _ => None,
    };
    Ok(Proposed { diff, replaces })
}

/// What can be done where a file was not seen that would be replaced.
const INSTEAD: &str =
    "Show it first. To add to it, use append: true; to change a part of it, edit.";
