//! [`TaskCatalog`]: the tasks there are, whoever wrote them.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    ffi::OsStr,
    path::{Path, PathBuf},
};

use toolwright_files::SETTINGS;

use super::{Task, TaskFields, TaskSource, file};
use crate::{
    AppError, PackRegistry,
    words::{meant, nearest},
};

/// The task that has everything.
pub(crate) const GENERAL: &str = "general";

const GENERAL_FILE: &str = include_str!("../../tasks/general.md");

/// The tasks there are: those of the packs, the user's and the project's. A file is read when its task
/// is asked for, so that a mistake in one is no mistake in another.
#[derive(Clone, Debug)]
pub struct TaskCatalog {
    entries: Vec<TaskEntry>,
    /// What the config file says of tasks, and where it is.
    said: BTreeMap<String, TaskFields>,
    said_in: PathBuf,
    /// The tasks of the folder one stands in, where they do not count: where they are, and why.
    withheld: Option<(PathBuf, String)>,
}

/// A task that there is.
#[derive(Clone, Debug)]
pub struct TaskEntry {
    /// Its name.
    pub name: String,
    /// Who wrote it.
    pub source: TaskSource,
    text: Result<Cow<'static, str>, String>,
}

impl TaskCatalog {
    /// Those of these packs.
    pub(crate) fn new(packs: &PackRegistry) -> Self {
        let built_in = |name: &str, text| TaskEntry {
            name: name.to_owned(),
            source: TaskSource::BuiltIn,
            text: Ok(Cow::Borrowed(text)),
        };
        let files = packs.iter().flat_map(|pack| pack.info().tasks);
        let entries = files.map(|file| built_in(file.name, file.text));
        let entries = [built_in(GENERAL, GENERAL_FILE)].into_iter().chain(entries).collect();
        Self { entries, said: BTreeMap::new(), said_in: PathBuf::new(), withheld: None }
    }

    /// The same with the user's: files in this folder. One that is called like another takes its place.
    pub(crate) fn with_users(mut self, folder: &Path) -> Self {
        for path in markdown(folder) {
            let (name, text) = match name_of(&path) {
                Some(name) => (name, read(&path)),
                // It is told rather than missed.
                None => (stem(&path), Err(NAME.to_owned())),
            };
            self.put(TaskEntry { name, source: TaskSource::User(path), text });
        }
        self
    }

    /// The same with the project's, which is trusted. None takes the place of another: who types a name
    /// must get what they know by it. One that can never count is told rather than missed.
    pub(crate) fn with_projects(mut self, files: Vec<(PathBuf, Result<String, String>)>) -> Self {
        for (path, text) in files {
            let name = name_of(&path);
            let wrong = match &name {
                None => Some(NAME.to_owned()),
                Some(name) => self.find(name).map(|it| taken(name, &it.source)),
            };
            let text = match wrong {
                Some(reason) => Err(reason),
                None => text.map(Cow::Owned),
            };
            // By its path, where its name is not its own: no task has one, and nothing is replaced.
            let name = name.filter(|it| self.find(it).is_none());
            let name = name.unwrap_or_else(|| path.display().to_string());
            self.put(TaskEntry { name, source: TaskSource::Project(path), text });
        }
        self
    }

    /// The same, knowing why the tasks in this folder do not count.
    pub(crate) fn without(self, folder: &Path, reason: &str) -> Self {
        Self { withheld: Some((folder.to_owned(), reason.to_owned())), ..self }
    }

    /// The same with what the config file says of tasks.
    ///
    /// # Errors
    /// When it says something of a task that there is not, and that it does not make.
    pub(crate) fn with_config(
        mut self,
        said: &BTreeMap<String, TaskFields>,
        path: &Path,
    ) -> Result<Self, AppError> {
        let wrong = |name: &str, reason: String| AppError::Invalid {
            path: path.to_owned(),
            reason: format!("`[tasks.{name}]`: {reason}"),
        };
        for (name, fields) in said.iter().filter(|(name, _)| self.find(name).is_none()) {
            if !Self::is_name(name) {
                return Err(wrong(name, NAME.replace("rename the file", "choose another name")));
            }
            if fields.prompt.is_none() {
                let meant = meant(name, self.entries.iter().map(|it| it.name.as_str()));
                let reason = format!(
                    "there is no task `{name}` to say this of{meant} (tasks are: {}), and it is no new \
                     one without a `prompt`",
                    self.names()
                );
                return Err(wrong(name, reason));
            }
        }
        for name in
            said.keys().filter(|name| self.find(name).is_none()).cloned().collect::<Vec<_>>()
        {
            let source = TaskSource::Config(path.to_owned());
            self.put(TaskEntry { name, source, text: Ok(Cow::Borrowed("")) });
        }
        self.said = said.clone();
        path.clone_into(&mut self.said_in);
        Ok(self)
    }

    fn no_such(&self, name: &str) -> AppError {
        AppError::NoSuchTask {
            name: name.to_owned(),
            known: self.names(),
            nearest: nearest(name, self.entries.iter().map(|it| it.name.as_str())),
            place: None,
            withheld: self.withheld_task(name),
        }
    }

    /// Why a task of this name does not count, where the folder one stands in has one.
    fn withheld_task(&self, name: &str) -> Option<String> {
        let (folder, reason) = self.withheld.as_ref().filter(|_| Self::is_name(name))?;
        let path = folder.join(format!("{name}.md"));
        std::fs::symlink_metadata(&path).ok()?;
        Some(format!("{} does not count: {reason}", path.display()))
    }

    fn put(&mut self, entry: TaskEntry) {
        match self.entries.iter_mut().find(|it| it.name == entry.name) {
            Some(old) => *old = entry,
            None => self.entries.push(entry),
        }
    }

    fn find(&self, name: &str) -> Option<&TaskEntry> {
        self.entries.iter().find(|it| it.name == name)
    }

    /// All of them.
    pub fn entries(&self) -> &[TaskEntry] {
        &self.entries
    }

    /// Their names, for people.
    pub(crate) fn names(&self) -> String {
        self.entries.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The task of this name.
    ///
    /// # Errors
    /// When there is none, or its file is wrong.
    pub fn get(&self, name: &str) -> Result<Task, AppError> {
        let name = name.trim();
        self.load(self.find(name).ok_or_else(|| self.no_such(name))?)
    }

    /// The task of an entry.
    ///
    /// # Errors
    /// When its file is wrong.
    pub fn load(&self, entry: &TaskEntry) -> Result<Task, AppError> {
        entry.load(self.said.get(&entry.name).map(|it| (it.clone(), self.said_in.as_path())))
    }

    /// The task in this file of the user's.
    ///
    /// # Errors
    /// When it cannot be read, or is wrong.
    pub fn in_file(path: &Path) -> Result<Task, AppError> {
        let name = name_of(path).unwrap_or_else(|| "task".to_owned());
        TaskEntry { name, source: TaskSource::User(path.to_owned()), text: read(path) }.load(None)
    }

    /// Whether what was typed names a file, and not a task.
    pub fn is_file(typed: &str) -> bool {
        typed.contains('/') || typed.ends_with(".md")
    }

    /// Whether a task may have this name: small letters, digits, `-` and `_`.
    pub fn is_name(name: &str) -> bool {
        let fits =
            |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || matches!(it, '-' | '_');
        (1..=64).contains(&name.len()) && name.chars().all(fits)
    }
}

impl TaskEntry {
    /// The file, as it is; nothing where the task is all in the config file.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref().ok().filter(|text| !text.is_empty())
    }

    fn load(&self, said: Option<(TaskFields, &Path)>) -> Result<Task, AppError> {
        let wrong = |line, reason| AppError::Task {
            name: self.name.clone(),
            place: self.source.to_string(),
            line,
            reason,
        };
        let text = self.text.as_deref().map_err(|reason| wrong(None, reason.clone()))?;
        let (fields, front) = match &self.source {
            TaskSource::Config(_) => Default::default(),
            _ => file::read(text).map_err(|it| wrong(Some(it.line), it.reason))?,
        };
        let said = said.map(|(fields, path)| (fields, path.to_owned()));
        if let Some((fields, path)) = &said
            && let Some(prompt) = &fields.prompt
        {
            super::template::check(prompt).map_err(|it| AppError::Task {
                name: self.name.clone(),
                place: format!("{}, `[tasks.{}] prompt`", path.display(), self.name),
                line: None,
                reason: it.reason,
            })?;
        }
        let task = fields.task(said, &self.name, self.source.clone());
        let task = task.map_err(|(field, reason)| wrong(front.line_of(field, ""), reason))?;
        Ok(Task { front, ..task })
    }
}

/// What is wrong with a project's task of a name that there is.
fn taken(name: &str, source: &TaskSource) -> String {
    let whose = match source {
        TaskSource::BuiltIn => "a task that is built in",
        TaskSource::User(_) | TaskSource::Config(_) => "a task of yours",
        TaskSource::Project(_) => "another task",
    };
    format!("`{name}` is {whose}, and a project's takes the place of none: rename the file")
}

/// The Markdown files of a folder, in the order of their names.
fn markdown(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path());
    let mut files: Vec<_> = files.filter(|it| it.extension() == Some(OsStr::new("md"))).collect();
    files.sort();
    files
}

/// What is wrong with the name of a file that no task can have.
const NAME: &str = "a task is called by small letters, digits, `-` and `_`: rename the file";

fn read(path: &Path) -> Result<Cow<'static, str>, String> {
    let text = toolwright_files::read_text(path, SETTINGS);
    text.map(Cow::Owned).map_err(|error| error.to_string())
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The name of the task in a file.
fn name_of(path: &Path) -> Option<String> {
    let name = path.file_stem()?.to_str()?;
    TaskCatalog::is_name(name).then(|| name.to_owned())
}
