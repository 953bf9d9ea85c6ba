//! [`FileFinder`]: looks for the files of a folder that say something to a model, within bounds.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{ProjectFile, ProjectFiles, SkillFolder};
use crate::{ContextKind, Level, instructions::NAMES, reading::Reader};

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

/// What a program leaves in a skill's folder while it runs.
const LEFT_BEHIND: [&str; 3] = [".git", "__pycache__", ".DS_Store"];

/// Looks for the files of a folder that say something to a model: what was found so far.
pub(super) struct FileFinder {
    reader: Reader,
    files: ProjectFiles,
}

impl FileFinder {
    pub(super) fn new(level: Level, root: &Path) -> Self {
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

    pub(super) fn keep_within(&mut self, folder: &Path) {
        self.reader.keep_within(folder);
    }

    pub(super) fn done(mut self, folder: PathBuf) -> ProjectFiles {
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
    pub(super) fn add_instructions(&mut self, folder: &Path) {
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
    pub(super) fn add_skills(&mut self, folder: &Path, depth: usize) {
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
    pub(super) fn add_commands(&mut self, folder: &Path, prefix: &str, depth: usize) {
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
