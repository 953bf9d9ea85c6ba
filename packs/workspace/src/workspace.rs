//! [`Workspace`]: a folder that a model may work in, and nothing beside it.

use std::{path::Path, sync::Arc};

use toolwright_core::Tool;

use crate::{NoSandbox, Sandbox, Settings, WorkspaceError, root::Root, tools};

/// A folder that a model may work in, and nothing beside it.
pub struct Workspace {
    pub(crate) root: Root,
    pub(crate) sandbox: Result<Sandbox, NoSandbox>,
    pub(crate) settings: Settings,
}

impl Workspace {
    /// The names of its tools, for whoever must know them without a folder to open.
    pub const TOOLS: [&str; 6] = tools::NAMES;

    /// Opens the folder, clears away what a crash left half done in it, and tries the sandbox.
    ///
    /// # Errors
    /// When the folder cannot be worked in. A sandbox that cannot be built is no error: `bash` is off
    /// then, and [`Workspace::sandbox`] says why.
    pub fn open(mut settings: Settings) -> Result<Arc<Self>, WorkspaceError> {
        // Whoever changed the program that puts up the walls would have none.
        settings.protected.extend(settings.helper.path().ok());
        let root = Root::open(&settings)?;
        let sandbox = Sandbox::build(root.path(), root.identity(), &settings);
        Ok(Arc::new(Self { root, sandbox, settings }))
    }

    /// Where it is, with every link followed.
    pub fn path(&self) -> &Path {
        self.root.path()
    }

    /// What commands run in, or why none do.
    ///
    /// # Errors
    /// When no sandbox can be built here.
    pub fn sandbox(&self) -> Result<&Sandbox, &NoSandbox> {
        self.sandbox.as_ref()
    }

    /// The tools.
    pub fn tools(self: &Arc<Self>) -> Vec<Arc<dyn Tool>> {
        tools::all(self)
    }

    /// What a model is told about working here.
    pub fn instructions(&self) -> String {
        tools::instructions(self)
    }
}
