//! [`ProjectFiles`]: the files of a folder that say something to a model, read once: what is shown, approved
//! and used is the same bytes.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    ContextKind, Level, RefusedFile,
    instructions::NAMES,
    reading::Reader,
    root::{chain, project_root},
};

/// The largest file of instructions, in bytes; of which a model is told less.
const INSTRUCTIONS: u64 = 1 << 20;
/// The largest command, in bytes.
const COMMAND: u64 = 64 << 10;
/// The largest file of a skill, in bytes.
const SKILL_FILE: u64 = 4 << 20;
/// How many files a skill has.
const SKILL_FILES: usize = 500;
/// How deep skills and their files lie.
const SKILL_DEPTH: usize = 6;
/// How deep commands lie.
const COMMAND_DEPTH: usize = 4;
/// How many skills, and how many commands, are looked at.
const MOST: usize = 256;

/// Where skills of a project are, in each of its folders.
const SKILLS: [&str; 3] = [".agents/skills", ".toolwright/skills", ".claude/skills"];
/// Where its commands are.
const COMMANDS: [&str; 2] = [".toolwright/commands", ".claude/commands"];

/// What a program leaves in a skill's folder while it runs.
const LEFT_BEHIND: [&str; 3] = [".git", "__pycache__", ".DS_Store"];

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
        let mut found = Found::new(Level::Project, &project_root(&folder));
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
        let mut found = Found::new(Level::User, &root);
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

/// What was found so far.
struct Found {
    reader: Reader,
    files: ProjectFiles,
}

impl Found {
    fn new(level: Level, root: &Path) -> Self {
        let files = ProjectFiles {
            level,
            folder: PathBuf::new(),
            root: root.to_owned(),
            instructions: Vec::new(),
            skills: Vec::new(),
            commands: Vec::new(),
            refused: Vec::new(),
        };
        Self { reader: Reader::new(root), files }
    }

    fn keep_within(&mut self, folder: &Path) {
        self.reader.keep_within(folder);
    }

    fn done(mut self, folder: PathBuf) -> ProjectFiles {
        self.files.folder = folder;
        self.files.refused = self.reader.refused;
        self.files
    }

    fn file(&self, kind: ContextKind, path: &Path, bytes: Arc<[u8]>) -> ProjectFile {
        let (level, name) = (self.files.level, self.name(path));
        ProjectFile { kind, level, name, path: path.to_owned(), bytes }
    }

    fn name(&self, path: &Path) -> String {
        match (path.strip_prefix(&self.files.root), self.files.level) {
            (Ok(name), Level::Project) => name.display().to_string(),
            (Ok(name), Level::User) => format!("~/{}", name.display()),
            (Err(_), _) | (_, Level::Server) => path.display().to_string(),
        }
    }

    /// The one file of a folder that counts.
    fn add_instructions(&mut self, folder: &Path) {
        for name in NAMES {
            let path = folder.join(name);
            let Some(bytes) = self.reader.read_or_note(&path, INSTRUCTIONS) else { continue };
            match std::str::from_utf8(&bytes) {
                Ok(text) if text.trim().is_empty() => {}
                Ok(_) => {
                    let file = self.file(ContextKind::Instructions, &path, bytes);
                    self.files.instructions.push(file);
                    return;
                }
                Err(_) => self.reader.refuse(&path, "it is no text in UTF-8"),
            }
        }
    }

    /// The skills in a folder, however deep.
    fn add_skills(&mut self, folder: &Path, depth: usize) {
        for (name, path) in self.reader.list(folder) {
            if name == ".git" || !path.is_dir() {
                continue;
            }
            if self.files.skills.len() >= MOST {
                self.reader.refuse(folder, format!("there are more than {MOST} skills"));
                return;
            }
            let inner = self.reader.list(&path);
            match inner.iter().any(|(name, _)| name == "SKILL.md") {
                true => self.add_skill(&path),
                false if depth + 1 < SKILL_DEPTH => self.add_skills(&path, depth + 1),
                false => {}
            }
        }
    }

    fn add_skill(&mut self, folder: &Path) {
        let mut skill = SkillFolder {
            level: self.files.level,
            name: self.name(folder),
            path: folder.to_owned(),
            files: Vec::new(),
            error: None,
        };
        if let Err(reason) = self.add_skill_files(&mut skill, folder, 0) {
            // Approved without one of its files it would not be what was approved.
            self.reader.refuse(folder, reason.clone());
            skill.error = Some(reason);
        }
        self.files.skills.push(skill);
    }

    fn add_skill_files(
        &mut self,
        skill: &mut SkillFolder,
        folder: &Path,
        depth: usize,
    ) -> Result<(), String> {
        for (name, path) in self.reader.list(folder) {
            if LEFT_BEHIND.contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() {
                if depth + 1 >= SKILL_DEPTH {
                    return Err(format!("its folders are more than {SKILL_DEPTH} deep"));
                }
                self.reader.inside(&path).map_err(|error| format!("{name}: {error}"))?;
                self.add_skill_files(skill, &path, depth + 1)?;
                continue;
            }
            if skill.files.len() >= SKILL_FILES {
                return Err(format!("it has more than {SKILL_FILES} files"));
            }
            let read = self.reader.read(&path, SKILL_FILE);
            match read.map_err(|reason| format!("{name}: {reason}"))? {
                Some(bytes) => skill.files.push(self.file(ContextKind::Skill, &path, bytes)),
                None => return Err(format!("{name}: it is a link to nothing")),
            }
        }
        Ok(())
    }

    /// The commands in a folder, however deep: `git/commit.md` is `git:commit`.
    fn add_commands(&mut self, folder: &Path, prefix: &str, depth: usize) {
        for (name, path) in self.reader.list(folder) {
            if path.is_dir() {
                if depth + 1 < COMMAND_DEPTH && !name.starts_with('.') {
                    self.add_commands(&path, &format!("{prefix}{name}:"), depth + 1);
                }
                continue;
            }
            let Some(stem) = name.strip_suffix(".md") else { continue };
            if self.files.commands.len() >= MOST {
                self.reader.refuse(folder, format!("there are more than {MOST} commands"));
                return;
            }
            if let Some(bytes) = self.reader.read_or_note(&path, COMMAND) {
                let file = self.file(ContextKind::Command, &path, bytes);
                self.files.commands.push((format!("{prefix}{stem}"), file));
            }
        }
    }
}

#[cfg(test)]
mod tests;
