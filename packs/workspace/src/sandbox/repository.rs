//! [`Repository`]: the workspace's git repository, as a command that may only read sees it.
//!
//! git runs what a repository's settings name: monitors, filters, drivers, hooks, signature checkers,
//! and those of every repository it finds on its way. So it is not given the repository's folder but
//! one of ours, with links to the data in it (objects, refs, the index) and nothing else. Settings are
//! handed over by the environment: those on a list of ours, which name no program. What does not fit
//! this (work trees, submodules, extensions, a repository within the workspace) is not plain, and
//! looking at it is asked about.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use toolwright_sandbox::Preparation;

use super::config;

/// The git repository of a workspace, with nothing special about it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Repository {
    head: Vec<u8>,
    settings: Vec<(String, String)>,
}

/// The most bytes of a file that is read here.
const HEAD: u64 = 4 << 10;
const CONFIG: u64 = 256 << 10;

/// How the index says that an entry is another repository (mode 160000).
const GITLINK: [u8; 4] = [0, 0, 0xe0, 0];

impl Repository {
    /// The repository at `root`, where commands in `folder` would use that one, and it is plain.
    pub(crate) fn plain(root: &Path, folder: &Path) -> Option<Self> {
        let git = root.join(".git");
        let is_folder = |path: &Path| fs::symlink_metadata(path).is_ok_and(|it| it.is_dir());
        let is_absent = |name: &str| fs::symlink_metadata(git.join(name)).is_err();
        if ![&git, &git.join("objects"), &git.join("refs")].into_iter().all(|it| is_folder(it))
            || folder.starts_with(&git)
            || !is_absent("commondir")
            || !is_absent("config.worktree")
        {
            return None;
        }
        let within = folder.ancestors().take_while(|it| *it != root);
        if !folder.starts_with(root) || within.into_iter().any(is_repository) {
            return None;
        }
        let head = read(&git.join("HEAD"), HEAD).ok()?;
        let config = read(&git.join("config"), CONFIG).ok()?;
        let settings = config::harmless(&String::from_utf8(config).ok()?)?;
        let index = git.join("index");
        let is_simple = is_absent("index") || !names_others(&index).unwrap_or(true);
        (is_simple && !has_shared_index(&git)).then_some(Self { head, settings })
    }
}

/// Whether git would take a folder for a repository.
fn is_repository(folder: &Path) -> bool {
    let has = |name: &str| fs::symlink_metadata(folder.join(name)).is_ok();
    has(".git") || (has("HEAD") && has("objects") && has("refs"))
}

/// Whether an index has entries that are repositories: git looks into them, by their own settings.
/// Finds the bytes wherever they are, so it says yes too often rather than too seldom.
fn names_others(index: &Path) -> io::Result<bool> {
    let mut file = open(index)?;
    let mut buffer = vec![0; 64 << 10];
    let mut kept = 0;
    loop {
        let read = file.read(buffer.get_mut(kept..).unwrap_or_default())?;
        let filled = buffer.get(..kept + read).unwrap_or_default();
        if filled.windows(GITLINK.len()).any(|it| it == GITLINK) {
            return Ok(true);
        }
        if read == 0 {
            return Ok(false);
        }
        // It may lie across two pieces.
        let tail = filled.len().min(GITLINK.len() - 1);
        buffer.copy_within(kept + read - tail..kept + read, 0);
        kept = tail;
    }
}

/// Whether the index has a second part, in a file of its own.
fn has_shared_index(git: &Path) -> bool {
    fs::read_dir(git).map_or(true, |all| {
        all.flatten().any(|it| it.file_name().to_string_lossy().starts_with("sharedindex"))
    })
}

fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let mut content = Vec::new();
    file.take(most + 1).read_to_end(&mut content)?;
    if content.len() as u64 > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(content) }
}

/// Opens a plain file; anything else is an error at once.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

/// Where git is told that the repository is, inside.
#[cfg(target_os = "linux")]
const FOLDER: &str = "/tmp/.toolwright-git";

/// What git reads of a repository that only holds data.
#[cfg(target_os = "linux")]
const DATA: [&str; 17] = [
    "BISECT_LOG",
    "CHERRY_PICK_HEAD",
    "FETCH_HEAD",
    "MERGE_HEAD",
    "MERGE_MSG",
    "ORIG_HEAD",
    "REVERT_HEAD",
    "index",
    "info",
    "logs",
    "objects",
    "packed-refs",
    "rebase-apply",
    "rebase-merge",
    "refs",
    "sequencer",
    "shallow",
];

/// What has to be done inside, by [`enter`](toolwright_sandbox::enter), before a command that may only
/// look: git is told to read no setting that could run a program.
pub const PREPARATION: Preparation = Preparation { name: "git", prepare: environment };

#[cfg(not(target_os = "linux"))]
fn environment(_root: &Path) -> io::Result<Vec<(String, OsString)>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The environment in which git only reads, for a command inside the sandbox.
#[cfg(target_os = "linux")]
fn environment(root: &Path) -> io::Result<Vec<(String, OsString)>> {
    let fixed = [
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_ATTR_NOSYSTEM", "1"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_ALLOW_PROTOCOL", "none"),
        ("GIT_PAGER", "cat"),
        ("PAGER", "cat"),
    ];
    let mut all: Vec<(String, OsString)> =
        fixed.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    let Some(repository) = Repository::plain(root, &std::env::current_dir()?) else {
        return Ok(all);
    };
    repository.lay_out(root)?;
    all.push(("GIT_DIR".to_owned(), FOLDER.into()));
    all.push(("GIT_WORK_TREE".to_owned(), root.into()));
    let ours = config::OURS.map(|(name, value)| (name.to_owned(), value.to_owned()));
    // What comes last counts.
    let settings: Vec<_> = repository.settings.into_iter().chain(ours).collect();
    all.push(("GIT_CONFIG_COUNT".to_owned(), settings.len().to_string().into()));
    for (at, (name, value)) in settings.into_iter().enumerate() {
        all.push((format!("GIT_CONFIG_KEY_{at}"), name.into()));
        all.push((format!("GIT_CONFIG_VALUE_{at}"), value.into()));
    }
    Ok(all)
}

#[cfg(target_os = "linux")]
impl Repository {
    /// Makes the folder that git is given. Links lead into the workspace as the command sees it, so
    /// they open nothing.
    fn lay_out(&self, root: &Path) -> io::Result<()> {
        let folder = Path::new(FOLDER);
        fs::create_dir_all(folder)?;
        // git takes no link for this one.
        fs::write(folder.join("HEAD"), &self.head)?;
        DATA.iter().try_for_each(|name| {
            std::os::unix::fs::symlink(root.join(".git").join(name), folder.join(name))
        })
    }
}
