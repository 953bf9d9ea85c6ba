//! [`looks`] and others: what tests and fuzz targets ask that no program should.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use toolwright_core::{RuleTarget, RuleTargets};
use toolwright_sandbox::Words;

use crate::{
    Settings, Workspace,
    root::Root,
    sandbox::{Access, Job},
    shell,
};

/// Whether a script needs no question: it only looks.
pub fn looks(script: &str) -> bool {
    shell::looks(script).is_some()
}

/// Takes a script apart in every way there is.
///
/// # Errors
/// When what only looks has a part that does more.
pub fn judge(script: &str) -> Result<(), String> {
    let (subjects, unseen) = (shell::subjects(script), shell::unseen(script));
    if !looks(script) {
        return Ok(());
    }
    let RuleTargets::These(parts) = subjects else {
        return Err(format!("{script:?} only looks and cannot be taken apart"));
    };
    let does_more = |it: &&RuleTarget| it.exact || !(it.read_only || it.text.starts_with("git "));
    match (unseen.first(), parts.iter().find(does_more)) {
        (Some(unseen), _) => Err(format!("{script:?} only looks and carries out {unseen:?}")),
        (None, Some(part)) => Err(format!("{script:?} only looks, and does {part:?}")),
        (None, None) => Ok(()),
    }
}

/// Where the paths of a workspace lead.
pub struct Paths(Root);

impl Paths {
    /// Those of the folder in these settings.
    pub fn open(settings: &Settings) -> Option<Self> {
        Root::open(settings).ok().map(Self)
    }

    /// Where a typed path leads, below the folder; nothing where it is refused.
    pub fn resolve(&self, typed: &str) -> Option<PathBuf> {
        self.0.locate_new(typed).ok().map(|place| place.absolute)
    }
}

/// Runs a script as one that may write, whatever it does; what it said.
pub async fn run_writing(workspace: &Workspace, script: &str, time: Duration) -> String {
    run(workspace, script, Access::Write, time).await
}

/// Runs a script as one that only looks, whatever it does; what it said.
pub async fn run_looking(workspace: &Workspace, script: &str, time: Duration) -> String {
    run(workspace, script, Access::ReadOnly, time).await
}

async fn run(workspace: &Workspace, script: &str, access: Access, time: Duration) -> String {
    let folder: &Path = workspace.path();
    let Ok(sandbox) = workspace.sandbox() else { return "there is no sandbox".to_owned() };
    let finished = sandbox
        .run(Job { script, access, folder, time, progress: &|_| {}, cut_off: &|_| {} })
        .await;
    let words: Words = finished.output.into();
    format!("{}\n{:?}", words.text, finished.ending)
}
