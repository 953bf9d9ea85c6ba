//! [`ProjectFiles`]: the files of a folder that say something to a model, read once: what is shown, approved
//! and used is the same bytes.

mod finder;

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use self::finder::FileFinder;
use crate::{
    ContextKind, Level, RefusedFile,
    root::{chain, project_root},
};

/// Where skills of a project are, in each of its folders.
const SKILLS: [&str; 3] = [".agents/skills", ".toolwright/skills", ".claude/skills"];
/// Where its commands are.
const COMMANDS: [&str; 2] = [".toolwright/commands", ".claude/commands"];

/// A file as it was read.
#[derive(Clone, PartialEq, Eq)]
pub struct ProjectFile {
    /// What it is a part of.
    pub kind: ContextKind,
    /// Whose it is.
    pub level: Level,
    /// Its name: its path from the project's root.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
}

/// Without what was read: it may be long, and may hold anything.
impl fmt::Debug for ProjectFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} bytes)", self.path.display(), self.bytes.len())
    }
}

/// A skill's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SkillFolder {
    pub(crate) level: Level,
    /// Its path from the project's root.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) files: Vec<ProjectFile>,
    /// Why it cannot be used.
    pub(crate) error: Option<String>,
}

/// Where the user's own files are.
#[derive(Clone, Debug, Default)]
pub struct UserFolders {
    /// The folder of their settings.
    pub config: Option<PathBuf>,
    /// Their home.
    pub home: Option<PathBuf>,
}

impl UserFolders {
    fn skills(&self) -> Vec<PathBuf> {
        let at = |folder: &Option<PathBuf>, name: &str| folder.as_ref().map(|it| it.join(name));
        let all = [
            at(&self.home, ".agents/skills"),
            at(&self.config, "skills"),
            at(&self.home, ".claude/skills"),
        ];
        all.into_iter().flatten().collect()
    }

    fn commands(&self) -> Vec<PathBuf> {
        let at = |folder: &Option<PathBuf>, name: &str| folder.as_ref().map(|it| it.join(name));
        let all = [at(&self.config, "commands"), at(&self.home, ".claude/commands")];
        all.into_iter().flatten().collect()
    }
}

/// The files of a folder that say something to a model, as they were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectFiles {
    pub(crate) level: Level,
    /// The folder that is worked in, and the project's root: what a link may not lead out of.
    pub(crate) folder: PathBuf,
    pub(crate) root: PathBuf,
    /// The farthest first.
    pub(crate) instructions: Vec<ProjectFile>,
    /// The nearest first.
    pub(crate) skills: Vec<SkillFolder>,
    pub(crate) commands: Vec<(String, ProjectFile)>,
    refused: Vec<RefusedFile>,
}

impl ProjectFiles {
    /// Those of the project that a folder belongs to: `AGENTS.md` from its root to the folder, skills and
    /// commands from the folder to its root. What is the user's own is not the project's.
    pub fn of_project(folder: &Path, user: &UserFolders) -> Self {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let mut found = FileFinder::new(Level::Project, &project_root(&folder));
        let folders = chain(&folder);
        for folder in &folders {
            found.add_instructions(folder);
        }
        let (own_skills, own_commands) = (user.skills(), user.commands());
        for folder in folders.iter().rev() {
            let is_own = |own: &[PathBuf], path: &Path| own.iter().any(|it| is_same(it, path));
            for path in SKILLS.map(|it| folder.join(it)) {
                if !is_own(&own_skills, &path) {
                    found.add_skills(&path, 0);
                }
            }
            for path in COMMANDS.map(|it| folder.join(it)) {
                if !is_own(&own_commands, &path) {
                    found.add_commands(&path, "", 0);
                }
            }
        }
        found.done(folder)
    }

    /// The user's own.
    pub fn of_user(user: &UserFolders) -> Self {
        let root = user.home.clone().or_else(|| user.config.clone()).unwrap_or_default();
        let mut found = FileFinder::new(Level::User, &root);
        if let Some(config) = &user.config {
            found.keep_within(config);
            found.add_instructions(config);
        }
        for path in user.skills() {
            // The user may keep them elsewhere: links of their own are theirs.
            found.keep_within(Path::new("/"));
            found.add_skills(&path, 0);
        }
        for path in user.commands() {
            found.add_commands(&path, "", 0);
        }
        found.done(root)
    }

    /// Every file, in an order of its own: what is approved is all of them.
    pub fn files(&self) -> impl Iterator<Item = &ProjectFile> {
        let skills = self.skills.iter().flat_map(|it| &it.files);
        let commands = self.commands.iter().map(|(_, file)| file);
        self.instructions.iter().chain(skills).chain(commands)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.files().next().is_none()
    }

    /// What is there and cannot be used.
    pub fn refused(&self) -> &[RefusedFile] {
        &self.refused
    }

    /// What is there, in a few words for each thing: `AGENTS.md`, `2 skills`.
    pub fn told(&self) -> Vec<String> {
        let count = |number: usize, one: &str| match number {
            0 => None,
            1 => Some(format!("1 {one}")),
            number => Some(format!("{number} {one}s")),
        };
        let files = self.instructions.iter().map(|it| it.path.display().to_string());
        let skills = count(self.skills.len(), "skill");
        files.chain(skills).chain(count(self.commands.len(), "command")).collect()
    }
}

/// Whether two paths lead to the same place.
fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

#[cfg(test)]
mod tests;
