//! `list`: what is in a folder, and in the folders in it.

use std::{path::Path, sync::Arc};

use schemars::JsonSchema;
use serde::Deserialize;
use toolwright_core::{FnTool, Tool, ToolEffect, ToolError, ToolSpec, Verbatim, plural, schema_of};
use toolwright_sandbox::size;

use super::{
    looked::{Looked, name, plain, refused},
    subject::{Reach, looking_at},
};
use crate::{
    Workspace,
    files::count,
    root::{Kind, Place, Root},
};

const ABOUT: &str = "\
List what is in a folder and in the folders in it, with the sizes of files: without .git and what \
.gitignore names, at most 1,000 entries. Links are shown and not followed.";

/// How deep it goes, where nobody says.
const DEPTH: usize = 2;
/// How deep it goes at most.
const DEEPEST: usize = 10;
/// How many entries are listed.
const MOST: usize = 1_000;
/// How many more are counted: whoever is told how much is left out needs no more than this.
const COUNTED: usize = 100_000;

#[derive(Deserialize, JsonSchema)]
struct List {
    /// The folder, as its full path from the workspace root, such as src/tools. The workspace itself
    /// where it is not given.
    path: Option<String>,
    /// How many folders deep to look, 1 to 10. 2 where it is not given.
    depth: Option<u64>,
}

/// Things people say when they want it.
const EXAMPLES: [&str; 5] = [
    "list the files",
    "what is in the src folder",
    "which files are there",
    "show the project's tree",
    "what folders do I have",
];

pub(crate) fn tool(workspace: Arc<Workspace>) -> Arc<dyn Tool> {
    let spec = ToolSpec::new("list", ABOUT, schema_of::<List>())
        .effect(ToolEffect::ReadOnly)
        .examples(EXAMPLES)
        .verbatim(Verbatim::Text);
    let shared = workspace.clone();
    let tool = FnTool::new(spec, move |arguments, context| {
        Box::pin(Looked::beside(shared.clone(), arguments, context, list))
    });
    looking_at(workspace, Arc::new(tool), "path", Reach::Below)
}

fn list(root: &Root, it: &List, looked: &Looked) -> Result<String, ToolError> {
    let depth = usize::try_from(it.depth.unwrap_or(DEPTH as u64)).unwrap_or(usize::MAX);
    if depth == 0 || depth > DEEPEST {
        return Err(ToolError::new(format!("Invalid input: depth is 1 to {DEEPEST}, not {depth}")));
    }
    let folder = Looked::place(root, it.path.as_deref())?;
    let entry =
        root.metadata(&folder.relative).map_err(|error| refused(&folder.absolute, &error))?;
    let note = it.path.as_deref().map(|typed| folder.note(typed)).unwrap_or_default();
    if entry.kind != Kind::Folder {
        let mut found = Found::default();
        found.add(root, &folder.relative, &folder.relative, depth);
        let (text, name) = (found.lines.join("\n"), name(&folder.relative));
        let kind = entry.kind.words();
        return Ok(format!("{text}\n\n[{name} is {kind}: show tells what is in a file]{note}"));
    }
    let found = Found::in_folder(root, &folder, depth, &mut || !looked.is_stopped());
    looked.check_time()?;
    Ok(found.words(&name(&folder.relative), depth) + &note)
}

/// What was found so far.
#[derive(Default)]
pub(super) struct Found {
    lines: Vec<String>,
    all: usize,
    /// Whether there is a folder that was not looked into.
    is_cut: bool,
}

impl Found {
    /// What is in a folder, as far as `goes_on` lets it look.
    pub(super) fn in_folder(
        root: &Root,
        folder: &Place,
        depth: usize,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Self {
        let mut found = Self::default();
        let mut walk = root.walk(&folder.relative);
        walk.max_depth(Some(depth)).sort_by_file_name(Ord::cmp);
        for entry in walk.build().skip(1) {
            if found.all > COUNTED || !goes_on() {
                break;
            }
            let Ok(entry) = entry else { continue };
            if let Ok(relative) = entry.path().strip_prefix(root.path()) {
                found.add(root, relative, &folder.relative, depth);
            }
        }
        found
    }

    /// Takes in what the walk came across. It only proposes names: they count when there is such a
    /// thing below the workspace's handle.
    fn add(&mut self, root: &Root, relative: &Path, top: &Path, depth: usize) {
        if root.is_hidden(relative) {
            return;
        }
        let Ok(entry) = root.metadata(relative) else { return };
        self.all += 1;
        let below = relative.strip_prefix(top).unwrap_or(relative);
        self.is_cut |= entry.kind == Kind::Folder && below.iter().count() == depth;
        if self.lines.len() >= MOST {
            return;
        }
        let shown = name(relative);
        self.lines.push(match entry.kind {
            Kind::File => format!("{shown} ({})", size(entry.len)),
            Kind::Folder => format!("{shown}/"),
            Kind::Link => format!("{shown} -> {}", target(root, relative)),
            Kind::Other(words) => format!("{shown} ({words})"),
        });
    }

    pub(super) fn words(self, folder: &str, depth: usize) -> String {
        let folder = if folder.is_empty() { "the workspace" } else { folder };
        if self.lines.is_empty() {
            return format!("There is nothing in {folder}, apart from what is ignored.");
        }
        let mut text = self.lines.join("\n");
        let more = self.all - self.lines.len();
        if more > 0 {
            let at_least = if self.all > COUNTED { "at least " } else { "" };
            text.push_str(&format!(
                "\n\n[{at_least}{} more {} left out: list a folder in it, or a smaller depth]",
                count(more as u64),
                plural(more as u64, "entry is", "entries are"),
            ));
        } else if self.is_cut {
            let deeper = if depth < DEEPEST { "a larger depth" } else { "a folder in it" };
            text.push_str(&format!(
                "\n\n[folders {depth} deep were not looked into: list {deeper} to see more]"
            ));
        }
        text
    }
}

/// Where a link says that it leads; nobody goes there.
fn target(root: &Root, relative: &Path) -> String {
    plain(&root.folder().read_link(relative).unwrap_or_default().to_string_lossy())
}
