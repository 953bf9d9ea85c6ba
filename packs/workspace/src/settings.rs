//! [`Settings`]: a folder, and what may be done in it.

use std::{path::PathBuf, time::Duration};

use toolwright_sandbox::{Helper, RootCommands, SandboxSettings};

/// A folder, and what may be done in it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder. A link is followed once, when it is opened.
    pub root: PathBuf,
    /// A private folder outside of it, where writes that have not finished are noted: what a crash
    /// leaves half done is cleared away at the next start.
    pub scratch: PathBuf,
    /// Files and folders that no tool may see or change, should they be in the workspace: where
    /// Toolwright keeps its own data.
    pub hidden: Vec<PathBuf>,
    /// Files and folders that are changed only when somebody looked at the change, beside those that
    /// always are (`.git/hooks`, `.git/config`, `.toolwright`, `.mcp.json`, `.vscode/tasks.json`,
    /// `toolwright.toml`).
    pub protected: Vec<PathBuf>,
    /// Folders outside of the workspace that commands may read: toolchains, say.
    pub readable: Vec<PathBuf>,
    /// Environment variables that commands get: a name, and its value.
    pub env: Vec<(String, String)>,
    /// What one command may use.
    pub limits: Limits,
    /// What commands are started through: a program whose [`enter`](crate::enter) knows
    /// [`PREPARATION`](crate::PREPARATION).
    pub helper: Helper,
    /// Whether commands may run as root, in a workspace that belongs to root.
    pub root_commands: RootCommands,
}

impl Settings {
    /// The folder `root`, with `scratch` for notes, and nothing special about it.
    pub fn new(root: impl Into<PathBuf>, scratch: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            scratch: scratch.into(),
            hidden: Vec::new(),
            protected: Vec::new(),
            readable: Vec::new(),
            env: Vec::new(),
            limits: Limits::default(),
            helper: Helper::This,
            root_commands: RootCommands::Refused,
        }
    }

    /// What the sandbox is built from.
    pub(crate) fn sandbox(&self) -> SandboxSettings {
        SandboxSettings {
            scratch: self.scratch.clone(),
            helper: self.helper.clone(),
            root_commands: self.root_commands,
            hidden: self.hidden.clone(),
        }
    }

    /// Where what is protected lies below the workspace, whose real path is `root`: by the name it was
    /// given, and by its real one.
    #[cfg(target_os = "linux")]
    pub(crate) fn protected_below(&self, root: &std::path::Path) -> Vec<PathBuf> {
        let named = self.protected.iter().map(|path| root.join(path));
        let both = named.flat_map(|path| [path.canonicalize().ok(), Some(path)]).flatten();
        both.filter_map(|path| path.strip_prefix(root).map(std::path::Path::to_owned).ok())
            .collect()
    }
}

/// What one command may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long it may run, where the call does not say.
    pub time: Duration,
    /// How long it may run at most, whatever the call says.
    pub most_time: Duration,
    /// How many bytes of memory it may use, with all it starts.
    pub memory: u64,
    /// How many processes and threads it may have at once.
    pub processes: u32,
    /// How large a file it may write, and how much its `/tmp` may hold.
    pub file: u64,
    /// How many bytes must stay free on the workspace's disk: a command that leaves less is stopped.
    pub free: u64,
}

impl Default for Limits {
    fn default() -> Self {
        let toolwright_sandbox::Limits { memory, processes, file } = Default::default();
        let (time, most_time) = (Duration::from_secs(120), Duration::from_secs(600));
        Self { time, most_time, memory, processes, file, free: 512 << 20 }
    }
}

impl Limits {
    /// Those that the sandbox sees to.
    #[cfg(target_os = "linux")]
    pub(crate) fn of_sandbox(&self) -> toolwright_sandbox::Limits {
        let Self { memory, processes, file, .. } = *self;
        toolwright_sandbox::Limits { memory, processes, file }
    }
}
