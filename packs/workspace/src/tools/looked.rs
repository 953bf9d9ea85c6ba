//! [`Looked`]: looking through files beside the event loop, for as long as somebody waits.

use std::{
    cell::Cell,
    io,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::task::spawn_blocking;
use toolwright_core::{Output, RunContext, ToolError, ToolResult, escape_invisible, plural};

use crate::{
    Workspace,
    files::count,
    root::{Place, Root},
};

/// The failure with the arguments as they were understood: the path from the root of everything.
fn with_place(root: &Root, arguments: &Value, error: ToolError) -> ToolError {
    let mut input = arguments.clone();
    if let Some(path) = input.get_mut("path")
        && let Some(typed) = path.as_str()
    {
        *path = root.absolute(typed).display().to_string().into();
    }
    error.with_input(input)
}

/// How often it is told how far the work is.
const OFTEN: Duration = Duration::from_secs(1);

/// Work that is done for as long as somebody waits for it.
pub(super) struct Looked {
    stop: Arc<AtomicBool>,
    context: RunContext,
    told: Cell<Instant>,
}

impl Looked {
    /// Does a tool's work beside the event loop. It ends when nobody waits for it any more: nothing
    /// is left half done by looking.
    pub(super) async fn beside<A: DeserializeOwned + 'static>(
        workspace: Arc<Workspace>,
        arguments: Arc<Value>,
        context: RunContext,
        work: fn(&Root, &A, &Self) -> Result<String, ToolError>,
    ) -> ToolResult {
        let stop = Arc::new(AtomicBool::new(false));
        let _stopped = StopWhenDropped(stop.clone());
        let done = spawn_blocking(move || {
            let parsed = A::deserialize(&*arguments)
                .map_err(|error| ToolError::new(format!("Invalid input: {error}")))?;
            let looked = Self { stop, context, told: Cell::new(Instant::now()) };
            let failed = |error| with_place(&workspace.root, &arguments, error);
            workspace.root.check().map_err(|error| ToolError::new(error.to_string()))?;
            work(&workspace.root, &parsed, &looked).map(Output::Text).map_err(failed)
        });
        done.await.unwrap_or_else(|error| {
            let told = "the files could not be looked through";
            Err(ToolError::new(told).with_detail(error.to_string()))
        })
    }

    /// An error where nobody waits any more.
    pub(super) fn check_time(&self) -> Result<(), ToolError> {
        match self.is_stopped() {
            false => Ok(()),
            true => Err(ToolError::new("it was stopped")),
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Tells how many files were looked through, now and then.
    pub(super) fn tell(&self, files: u64) {
        if self.told.get().elapsed() >= OFTEN {
            self.told.set(Instant::now());
            let word = plural(files, "file", "files");
            self.context.progress(format!("{} {word} searched", count(files)));
        }
    }

    /// What a typed path means; the workspace itself, where none was typed.
    pub(super) fn place(root: &Root, typed: Option<&str>) -> Result<Place, ToolError> {
        let typed = typed.filter(|it| !it.is_empty()).unwrap_or(".");
        root.locate(typed).map_err(|error| ToolError::new(format!("Invalid input: {error}")))
    }
}

/// Says that nobody waits any more.
struct StopWhenDropped(Arc<AtomicBool>);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A path below the root as people write it: with `/`, and nothing hidden in it.
pub(super) fn name(relative: &Path) -> String {
    let parts = relative.iter().map(|it| it.to_string_lossy());
    plain(&parts.collect::<Vec<_>>().join("/"))
}

/// The text with everything shown that cannot be seen.
pub(super) fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in escape_invisible(text).chars() {
        if character.is_control() && character != '\t' {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// That the system does not let us look.
pub(super) fn refused(path: &Path, error: &io::Error) -> ToolError {
    ToolError::new(format!("{} cannot be looked at: {error}", path.display()))
}
