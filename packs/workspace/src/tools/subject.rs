//! [`Reach`]: what rules are held against for tools that only look.

use std::sync::Arc;

use tokio::task::spawn_blocking;
use toolwright_core::{CallPreview, RuleTarget, RuleTargets, Tool, WithPreview};

use crate::{Workspace, root::Place};

/// How much of what is at its path a tool looks at.
#[derive(Clone, Copy)]
pub(super) enum Reach {
    /// The file itself.
    File,
    /// All that is in the folder.
    Below,
}

/// The tool, with the path that it looks at as what rules are about. The path is in the argument `field`.
pub(super) fn looking_at(
    workspace: Arc<Workspace>,
    tool: Arc<dyn Tool>,
    field: &'static str,
    reach: Reach,
) -> Arc<dyn Tool> {
    Arc::new(WithPreview::new(tool, move |arguments, _| {
        let typed = arguments.get(field).and_then(|it| it.as_str()).filter(|it| !it.is_empty());
        let (workspace, typed) = (workspace.clone(), typed.unwrap_or(".").to_owned());
        Box::pin(async move {
            // What is not there is looked for everywhere.
            let preview = spawn_blocking(move || preview(&workspace, &typed, reach)).await;
            preview.unwrap_or_else(|_| unclear())
        })
    }))
}

fn unclear() -> CallPreview {
    let reason = "what it would look at could not be found out".to_owned();
    CallPreview { targets: RuleTargets::Unclear(reason), ..CallPreview::default() }
}

fn preview(workspace: &Workspace, typed: &str, reach: Reach) -> CallPreview {
    let root = &workspace.root;
    // As the call itself finds it; else as it was typed.
    let place = root.locate(typed).or_else(|_| root.locate_new(typed)).ok();
    let name = place.as_ref().map_or_else(|| typed.to_owned(), Place::name);
    let mut subjects = Vec::with_capacity(2);
    if let Reach::Below = reach {
        let folder = if name.is_empty() { String::new() } else { format!("{name}/") };
        let certain = Some(folder.len());
        subjects.push(RuleTarget { certain, ..RuleTarget::new(folder) });
    }
    subjects.push(RuleTarget::new(name));
    CallPreview {
        place: Some(root.path().display().to_string()),
        targets: RuleTargets::These(subjects),
        read_only: true,
        ..CallPreview::default()
    }
}
