//! [`SandboxSettings`]: what sandboxes are built from.

use std::{env, io, path::PathBuf};

/// What sandboxes are built from.
#[derive(Clone, Debug)]
pub struct SandboxSettings {
    /// A private folder, in which a file is made that nothing inside may see: so the walls are tried.
    pub scratch: PathBuf,
    /// What programs are started through.
    pub helper: Helper,
    /// Whether programs may run as root.
    pub root_commands: RootCommands,
    /// Folders and files that no program sees, whatever it is shown: where the data and the settings
    /// are of whoever starts it.
    pub hidden: Vec<PathBuf>,
}

impl SandboxSettings {
    /// Programs are started through this one, and never as root. `hidden` is what none of them sees,
    /// whatever it is shown; nobody who builds a sandbox can leave it out.
    pub fn new(
        scratch: impl Into<PathBuf>,
        hidden: impl IntoIterator<Item = impl Into<PathBuf>>,
    ) -> Self {
        Self {
            scratch: scratch.into(),
            helper: Helper::This,
            root_commands: RootCommands::Refused,
            hidden: hidden.into_iter().map(Into::into).collect(),
        }
    }
}

/// What one program may use, with all that it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many bytes of memory it may use.
    pub memory: u64,
    /// How many processes and threads it may have at once.
    pub processes: u32,
    /// How large a file it may write, and how much its `/tmp` may hold.
    pub file: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 4 << 30, processes: 512, file: 1 << 30 }
    }
}

/// Whether programs may run as root: they do where root starts them and what they may write to is
/// root's. They have no capability then, but root's files are theirs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RootCommands {
    /// They do not run.
    #[default]
    Refused,
    /// They run.
    Allowed,
}

/// What programs are started through: a program that puts up the inner walls and then becomes the one
/// that was meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Helper {
    /// This very program, started again with [`ENTER`](crate::ENTER) as its first argument. Its
    /// `main` has to hand the rest of the arguments to [`enter`](crate::enter) before anything else.
    This,
    /// A program that does nothing but call [`enter`](crate::enter), at this path.
    At(PathBuf),
}

impl Helper {
    /// The program's file.
    ///
    /// # Errors
    /// When there is none.
    pub fn path(&self) -> io::Result<PathBuf> {
        match self {
            Self::This => env::current_exe(),
            Self::At(path) => path.canonicalize(),
        }
    }
}
