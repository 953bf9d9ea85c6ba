//! `write`: a new file, something added to an old one, or all of it replaced.

use std::{borrow::Cow, io::ErrorKind, sync::Arc};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use toolwright_core::{
    FnTool, ReplacedText, Tool, ToolEffect, ToolSpec, Verbatim, WithPreview, plural, schema_of,
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
    change, redo, update, start, goes, go at, go in, go last, come at, come last, d like, \
    would like, into, mk, banao, likho, chuck, echo, let there be, remember, persist, output, \
    one more, missing, as the last, at the bottom, slap, set, should be, should become, \
    should just, should have, should hold, should read, must be, must have, content, body, \
    one line, capture, pipe, redirect, spit, prepare, init, initialise, initialize, seed, tuck, \
    slip, squeeze, park, stow, attach, prepend, build, clear, empty, scrap, written, \
    overwritten, overwrote, clobber, discard, forget, remove, delete, over everything, \
    >, >>, +=, =, \
    next, below, another line, last line, final line, extra line, very end, at end, at the \
    very, whip, carry on, continue, swap, this as, that as, file with, a file, duplicate, clone, \
    enter, belongs, plus, jodo, daal, daalo, likh, <<, =>>, ->";

/// Words by which people ask for something behind what is there: all of those but the ones that ask for another thing in its place.
const APPEND: &str = "\
    add, append, insert, put, write, save, store, log, record, note, extend, the end, jot, keep, place, \
    stick, drop, pop, throw, tack, include, goes, go at, go in, go last, come at, come last, into, \
    likho, chuck, echo, remember, one more, another, missing, as the last, at the bottom, slap, tuck, \
    slip, squeeze, park, stow, attach, dump, paste, copy, type, >>, +=, below, last line, final line, \
    extra line, very end, at end, at the very, carry on, continue, enter, belongs, plus, jodo, daal, \
    daalo, likh, also, too, as well, new line, new row, new entry, more, give, bring, need, want, <<";

/// Words by which people ask for a file to be replaced as a whole, among other things.
const OVERWRITE: &str = "\
    overwrite, overwritten, overwrote, start over, over with, from scratch, start afresh, \
    start again, anew, regenerate, recreate, throw away, throw out, throw the rest, discard, \
    empty, clear, scrap, wipe, redo, forget what, forget the old, clobber, \
    replace the file, replace the whole, replace the entire, replace the content, \
    replace the full, replace the text of, replace the lot, replace the existing, \
    replace all of, replace all in, replace all that, replace everything, replace its content, \
    replace what, replace whatever, replace the old, replace that file, replace it all, \
    rewrite the file, rewrite the whole, rewrite it, rewrite all, \
    rewrite the entire, replace this file, replace all its, file over, contain only, only contain, \
    contain just, nothing but, nothing in, consist of, consist only, whole content, \
    entire content, full content, all content, only content, content of, contents of, \
    the only thing, only thing in, should only, only say, just say, just be, should just, \
    just this, be all there, all there is, old content, the old can, old one can, old text can, \
    drop the old, drop everything, drop the rest, delete the rest, delete all, \
    delete everything, remove all, remove everything, existing one, can go, from zero, \
    from the beginning, completely, anything of, over everything, instead of everything, \
    place of everything, take the place, need what, start fresh, start clean, new version";

/// Words by which people ask for a file to be replaced as a whole, and for nothing else: a file that nobody was shown is
/// replaced by them, whatever the model; `{}` is its name. `Replace the old` may mean a word in it, `from scratch` what is to
/// be written, and whoever wants an empty file may not know that there is one.
const EVEN_UNSEEN: &str = "\
    overwrite, overwritten, overwrote, clobber, start over, start the file over, start {} over, \
    start {} from zero, start {} from scratch, rewrite {} from scratch, rewrite the file, \
    rewrite the whole file, rewrite the entire file, rewrite the whole of {}, rewrite all of {}, \
    replace {}, replace the file, replace this file, replace that file, replace the old file, \
    replace the whole file, replace the entire file, replace the full file, \
    replace the existing file, replace the whole {}, replace the entire {}, replace the old {}, \
    replace the existing {}, replace all of {}, replace all that is in {}, replace what is in {}, \
    replace what s in {}, replace whatever is in {}, replace everything in {}, \
    replace everything of {}, replace the lot in {}, replace the full text of {}, \
    replace the content of {}, replace the content in {}, replace the whole content, \
    replace the entire content, replace the full content, replace all its content, \
    wipe the file, wipe {}, empty the file and, empty {} and, clear the file and, clear {} and, \
    clear {} out, clear out {}, clear full {}, scrap {}, scrap the current {}, \
    discard what is in {}, discard everything in {}, throw away what is in {}, \
    throw away everything in {}, throw out everything in {}, throw out what is in {}, \
    forget what is in {}, forget what s in {}, delete everything in {}, delete all in {}, \
    remove everything in {}, remove all content of {}, set the content of {} to, \
    set the whole content of {}, set the entire content of {}, the whole content of {} should, \
    over everything in {}, place of everything in {}, the old content of {} can go";

pub(crate) fn tool(workspace: Arc<Workspace>) -> Arc<dyn Tool> {
    let spec = ToolSpec::new("write", ABOUT, schema_of::<Write>())
        .effect(ToolEffect::Destructive)
        .free_text("content")
        .generated("content")
        .asked_by(ASKED_BY.split(", "))
        .asked_for("overwrite", OVERWRITE.split(", "))
        .asked_for("append", APPEND.split(", "))
        .even_unseen("overwrite", EVEN_UNSEEN.split(", "))
        .examples(EXAMPLES)
        .verbatim(Verbatim::Diff);
    let shared = workspace.clone();
    let tool = FnTool::new(spec, move |arguments, _| {
        Box::pin(files::run(shared.clone(), arguments, write))
    });
    Arc::new(WithPreview::new(Arc::new(tool), move |arguments, _| {
        let arguments = arguments.clone();
        let is_added = arguments.get("append").and_then(Value::as_bool) == Some(true);
        let locate = if is_added { Root::locate_to_add } else { Root::locate_new };
        Box::pin(files::propose(workspace.clone(), arguments, locate, preview))
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
        let place = match appends {
            true => root.locate_to_add(&it.file_path)?,
            false => root.locate_new(&it.file_path)?,
        };
        let before = match root.metadata(&place.relative) {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Ok(entry) if entry.kind == Kind::File && !overwrites && !appends => {
                return Err(FileError::Exists { path: place.absolute });
            }
            // Reading it says what is wrong with it, if something is.
            _ => Some(Content::read(root, &place)?),
        };
        if before.is_none() && !appends {
            root.check_alone(&it.file_path, &place)?;
        }
        let content: Cow<'_, [u8]> = match &before {
            Some(before) if appends => {
                let content = files::appended(&before.bytes, &it.content);
                files::spoiled(&place.absolute, &before.bytes, &content)?;
                content.into()
            }
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
