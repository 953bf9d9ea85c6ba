//! [`Settings`]: a folder, and what may be done in it.

use std::{
    env, io,
    path::{Path, PathBuf},
    time::Duration,
};

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
    /// What commands are started through.
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

    /// Where what is protected lies below the workspace, whose real path is `root`: by the name it was
    /// given, and by its real one.
    #[cfg(target_os = "linux")]
    pub(crate) fn protected_below(&self, root: &Path) -> Vec<PathBuf> {
        let named = self.protected.iter().map(|path| root.join(path));
        let both = named.flat_map(|path| [path.canonicalize().ok(), Some(path)]).flatten();
        both.filter_map(|path| path.strip_prefix(root).map(Path::to_owned).ok()).collect()
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
        Self {
            time: Duration::from_secs(120),
            most_time: Duration::from_secs(600),
            memory: 4 << 30,
            processes: 512,
            file: 1 << 30,
            free: 512 << 20,
        }
    }
}

/// Whether commands may run as root: they do in a workspace that belongs to root, when root works in
/// it. They have no capability then, but root's files are theirs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RootCommands {
    /// They do not run.
    #[default]
    Refused,
    /// They run.
    Allowed,
}

/// What commands are started through: a program that puts up the inner walls and then becomes the
/// command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Helper {
    /// This very program, started again with [`ENTER`](crate::ENTER) as its first argument. Its
    /// `main` has to hand the rest of the arguments to [`enter`](crate::enter) before anything else.
    This,
    /// The program `toolwright-sandbox`, at this path.
    At(PathBuf),
}

impl Helper {
    /// The program's file.
    pub(crate) fn path(&self) -> io::Result<PathBuf> {
        match self {
            Self::This => env::current_exe(),
            Self::At(path) => path.canonicalize(),
        }
    }
}
