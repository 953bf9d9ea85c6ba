//! `edit`: a text in a file, replaced by another.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use toolwright_core::{FnTool, Tool, ToolEffect, ToolSpec, Verbatim, WithPreview, schema_of};

use crate::{
    Workspace,
    files::{self, Bounds, Change, Content, FileError, Over, Proposed, Which},
    root::{Place, Root},
};

const ABOUT: &str = "\
Replace a text in a file by another. old_string must be in the file exactly as given, with its \
indentation and without the line numbers of show, and only once: include lines around it, or set \
replace_all.";

#[derive(Deserialize, JsonSchema)]
struct Edit {
    /// The file, as its full path from the workspace root, such as src/main.rs.
    file_path: String,
    /// The text to be replaced, exactly as it is in the file.
    old_string: String,
    /// The text to put in its place.
    new_string: String,
    /// Whether to replace every occurrence of it. Otherwise there must be only one.
    #[serde(default)]
    replace_all: Option<bool>,
}

/// Things people say when they want it.
const EXAMPLES: [&str; 6] = [
    "replace foo by bar in main.rs",
    "change the title in README.md",
    "rename the variable in lib.rs",
    "fix the typo in the docs",
    "set the port to 8080 in config.toml",
    "set LIMIT = 10 to LIMIT = 20 in settings.py",
];

/// Words by which people ask for it.
const ASKED_BY: &str = "\
    edit, change, replace, rename, set, reset, update, fix, correct, modify, switch, turn, \
    bump, raise, lower, increase, decrease, double, halve, remove, delete, drop, cut, add, \
    insert, append, prepend, put, move, swap, rewrite, comment, uncomment, enable, disable, \
    adjust, convert, refactor, improve, substitute, translate, capitalize, indent, make, \
    should, instead, use, give, want, need, flip, take out, say, write, become, must, has to, \
    have to, typo, mend, wrong, ought, rather, toggle, strip, wipe, scrap, ditch, trim, mark, \
    extend, shorten, clean, tidy, redo, undo, revert, name, exchange, alter, amend, tweak, \
    revise, supposed, old, new, prefer, chg, goes, belongs, longer, spelled, spelt, misspelled, \
    mistake, correction, replacement, patch, ki jagah, karo, kar do, needful, assign, enter, \
    take, off, activate, deactivate, get rid, can go, scratch, nix, kill, lose, bin, throw, \
    away, in place of, d like, would like, value, overwrite, override, transform, reduce, \
    expand, reword, rephrase, relabel, retitle, reorder, shift, erase, omit, exclude, \
    eliminate, clear, invert, allow, deny, block, point, wrap, lowercase, uppercase, shud, \
    shld, gotta, be, from, without, chop, pull, zap, configure, tune, nuke, rm, scrub, sub, \
    trade, bring, equal, everywhere, where, whatever, out, let, strike, cross, tick, adapt, \
    reflect, no longer, hata, hatao, hata do, badal, badlo, nikal, nikalo, ->, =>, →, =";

/// Words by which people ask for every place of a text.
const EVERYWHERE: &str = "\
    all, every, each, everywhere, both, any, anywhere, throughout, occurrence, instance, rename, whole, entire, across, \
    everything, wherever, whenever, times, global, globally, twice, sab, har";

pub(crate) fn tool(workspace: Arc<Workspace>) -> Arc<dyn Tool> {
    let spec = ToolSpec::new("edit", ABOUT, schema_of::<Edit>())
        .effect(ToolEffect::Destructive)
        .free_text("old_string")
        .free_text("new_string")
        .generated("new_string")
        .seen("old_string")
        .asked_by(ASKED_BY.split(", "))
        .asked_for("replace_all", EVERYWHERE.split(", "))
        .examples(EXAMPLES)
        .verbatim(Verbatim::Diff);
    let shared = workspace.clone();
    let tool = FnTool::new(spec, move |arguments, _| {
        Box::pin(files::run(shared.clone(), arguments, edit))
    });
    Arc::new(WithPreview::new(Arc::new(tool), move |arguments, _| {
        let arguments = arguments.clone();
        Box::pin(files::propose(workspace.clone(), arguments, Root::locate, preview))
    }))
}

/// An edit that was thought through and not made.
struct Plan {
    place: Place,
    before: Content,
    change: Change,
}

impl Plan {
    fn new(root: &Root, it: &Edit) -> Result<Self, FileError> {
        let place = root.locate(&it.file_path)?;
        let before = Content::read(root, &place)?;
        let which = if it.replace_all == Some(true) { Which::All } else { Which::Only };
        let texts = (it.old_string.as_str(), it.new_string.as_str());
        let change = files::replace(&place.absolute, &before.bytes, texts, which)?;
        files::spoiled(&place.absolute, &before.bytes, &change.content)?;
        Ok(Self { place, before, change })
    }

    fn versions(&self) -> (Option<&[u8]>, &[u8]) {
        (Some(&self.before.bytes), &self.change.content)
    }
}

fn edit(root: &Root, it: &Edit) -> Result<String, FileError> {
    let plan = Plan::new(root, it)?;
    files::put(root, &plan.place, &plan.change.content, Over::This(&plan.before))?;
    let path = plan.place.absolute.display();
    let (name, spots) = (plan.place.name(), &plan.change.spots);
    let diff = files::unified(&name, plan.versions(), spots, Bounds::MODEL);
    Ok(format!("File edited successfully: {path}\n\n{diff}"))
}

fn preview(root: &Root, it: &Edit) -> Result<Proposed, FileError> {
    let plan = Plan::new(root, it)?;
    let diff = files::whole(&plan.place.name(), plan.versions(), &plan.change.spots);
    Ok(Proposed { diff, replaces: None })
}
