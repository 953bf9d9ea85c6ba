//! [`run`] and [`propose`]: what the tools for files have in common.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::task::spawn_blocking;
use toolwright_core::{
    CallPreview, Output, PreviewContent, ReplacedText, RuleTarget, RuleTargets, ToolError,
    ToolResult,
};

use super::FileError;
use crate::{
    Workspace,
    root::{PathError, Place, Root},
};

/// Does a tool's work beside the event loop; it is finished even if nobody waits for it any more, so
/// that no file is left half done.
pub(crate) async fn run<A: DeserializeOwned + 'static>(
    workspace: Arc<Workspace>,
    arguments: Arc<Value>,
    work: fn(&Root, &A) -> Result<String, FileError>,
) -> ToolResult {
    run_for(workspace, arguments, move |root, it| work(root, it).map(Output::Text)).await
}

/// The same for a tool that gives back more than words.
pub(crate) async fn run_for<A: DeserializeOwned + 'static>(
    workspace: Arc<Workspace>,
    arguments: Arc<Value>,
    work: impl FnOnce(&Root, &A) -> Result<Output, FileError> + Send + 'static,
) -> ToolResult {
    let done = spawn_blocking(move || plan(&workspace, &arguments, work));
    done.await.unwrap_or_else(|error| {
        Err(ToolError::new("the file could not be worked on").with_detail(error.to_string()))
    })
}

/// What both do: with arguments that are none, or in a folder that is gone, nothing.
fn plan<A: DeserializeOwned, T>(
    workspace: &Workspace,
    arguments: &Value,
    work: impl FnOnce(&Root, &A) -> Result<T, FileError>,
) -> Result<T, ToolError> {
    let parsed = A::deserialize(arguments)
        .map_err(|error| ToolError::new(format!("Invalid input: {error}")))?;
    workspace.root.check().map_err(|error| ToolError::new(error.to_string()))?;
    work(&workspace.root, &parsed).map_err(|error| failure(&workspace.root, arguments, &error))
}

/// What a change of a file would do.
#[derive(Default)]
pub(crate) struct Proposed {
    /// The change as a diff, unless nobody could read one that long.
    pub(crate) diff: Option<String>,
    /// What would be gone.
    pub(crate) replaces: Option<ReplacedText>,
}

/// What is said of a change of which no diff is shown.
const TOO_LONG: &str = "the change is too long to be shown line by line: its arguments are shown whole, and \
    what they replace is not";

/// What a change of a file would do, or why it cannot be made. A path that means nothing is told as it was
/// typed.
pub(crate) async fn propose<A: DeserializeOwned + 'static>(
    workspace: Arc<Workspace>,
    arguments: Value,
    locate: fn(&Root, &str) -> Result<Place, PathError>,
    change: fn(&Root, &A) -> Result<Proposed, FileError>,
) -> CallPreview {
    let proposed = spawn_blocking(move || {
        let root = &workspace.root;
        let typed = typed(&arguments);
        // As the call itself finds it; else as it was typed.
        let place = locate(root, typed).or_else(|_| root.locate_new(typed)).ok();
        let subject = place.as_ref().map_or_else(|| typed.to_owned(), Place::name);
        let planned = plan(&workspace, &arguments, change);
        let is_too_long = matches!(planned, Ok(Proposed { diff: None, .. }));
        let too_long = is_too_long.then(|| TOO_LONG.to_owned());
        let (Proposed { diff, replaces }, failure) = match planned {
            Ok(proposed) => (proposed, None),
            Err(error) => (Proposed::default(), Some(error)),
        };
        CallPreview {
            place: Some(root.path().display().to_string()),
            content: diff.map(PreviewContent::Diff),
            targets: RuleTargets::These(vec![RuleTarget::new(subject)]),
            always: vec!["*".to_owned()],
            replaces,
            review_reason: place.and_then(|it| root.protection(typed, &it)).or(too_long),
            failure,
            ..CallPreview::default()
        }
    });
    let unclear = || RuleTargets::Unclear("what it would change could not be found out".to_owned());
    proposed.await.unwrap_or_else(|_| CallPreview { targets: unclear(), ..CallPreview::default() })
}

fn typed(arguments: &Value) -> &str {
    arguments.get(FILE_PATH).and_then(Value::as_str).unwrap_or_default()
}

const FILE_PATH: &str = "file_path";

fn failure(root: &Root, arguments: &Value, error: &FileError) -> ToolError {
    let typed = typed(arguments);
    let meant =
        root.locate_new(typed).map_or_else(|_| root.absolute(typed), |place| place.absolute);
    let mut input = arguments.clone();
    if let Some(fields) = input.as_object_mut() {
        fields.insert(FILE_PATH.to_owned(), meant.display().to_string().into());
    }
    let told =
        if error.is_of_input() { format!("Invalid input: {error}") } else { error.to_string() };
    ToolError::new(told).with_input(input)
}
