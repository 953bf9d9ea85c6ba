//! [`WorkspaceConfig`]: the folder a model may work in, and what commands may use there.

use std::path::{Path, PathBuf};

use toolwright_workspace::{Limits, RootCommands, Settings};

use super::{
    Config, Flags, Setting,
    file::WorkspaceSection,
    sources::{Sources, optional, parsed},
};
use crate::{AppError, Task};

/// The folder a model may work in, and what commands may use there.
#[derive(Clone, Debug)]
pub struct WorkspaceConfig {
    /// The folder.
    pub path: Setting<Option<PathBuf>>,
    /// Folders outside of it that commands may read.
    pub readable: Setting<Vec<PathBuf>>,
    /// Environment variables that commands get: a name that is passed on, or `NAME=value`.
    pub env: Setting<Vec<String>>,
    /// What one command may use.
    pub limits: Setting<Limits>,
    /// Whether commands may run as root, in a folder that belongs to root.
    pub allow_root: Setting<bool>,
}

impl WorkspaceConfig {
    pub(super) fn read(
        sources: &Sources<'_>,
        flags: &Flags,
        file: WorkspaceSection,
    ) -> Result<Self, AppError> {
        let is_named = named(flags, sources.env).is_some();
        let path = sources.pick(
            "--workspace",
            flags.workspace.as_ref().map(|it| it.to_string_lossy().into_owned()),
            "TOOLWRIGHT_WORKSPACE",
            (!is_named).then_some(file.path).flatten(),
        );
        let folder = &sources.folder.workspace;
        let path = optional(sources.or_folder(path, folder.path.as_ref().filter(|_| !is_named)));
        let usual = Limits::default();
        let timeout = sources.pick("", None, "", file.timeout);
        let timeout =
            parsed("workspace.timeout", timeout, usual.time, toolwright_duration::parse_nonzero)?;
        let limits = Limits {
            time: timeout.value,
            most_time: usual.most_time.max(timeout.value),
            memory: file.memory_mb.map_or(usual.memory, |mb| mb.saturating_mul(1 << 20)),
            processes: file.processes.unwrap_or(usual.processes),
            ..usual
        };
        let is_set = limits != usual;
        let allow_root = flags.allow_root.then(|| true.to_string());
        let in_file = file.allow_root.map(|it| it.to_string());
        let allow_root = sources.pick("--allow-root", allow_root, "TOOLWRIGHT_ALLOW_ROOT", in_file);
        let allow_root = parsed("workspace.allow_root", allow_root, false, str::parse::<bool>)?;
        let folders_time = sources.folders_time("workspace.timeout", folder.timeout.as_ref())?;
        let folders_memory = folder.memory_mb.map(|mb| mb.saturating_mul(1 << 20));
        let smaller = Limits {
            time: folders_time.unwrap_or(limits.time).min(limits.time),
            memory: folders_memory.unwrap_or(limits.memory).min(limits.memory),
            processes: folder.processes.unwrap_or(limits.processes).min(limits.processes),
            ..limits
        };
        let limits = sources.in_file(is_set.then_some(limits), usual);
        Ok(Self {
            path: path.map(|path| path.map(PathBuf::from)),
            readable: sources.in_file(file.readable, Vec::new()),
            env: sources.in_file(file.env, Vec::new()),
            limits: sources.narrowed(limits, Some(smaller), |new, old| new != old),
            allow_root,
        })
    }
}

/// The workspace that was named without a file: a file that is found in it is not asked for one.
pub(super) fn named(
    flags: &Flags,
    env: &dyn Fn(&'static str) -> Option<String>,
) -> Option<PathBuf> {
    let path = flags.workspace.clone();
    let path = path.or_else(|| env("TOOLWRIGHT_WORKSPACE").map(PathBuf::from));
    let task = flags.task.clone().or_else(|| env("TOOLWRIGHT_TASK"));
    let here = || (task.as_deref() == Some(Task::Workspace.name())).then(|| PathBuf::from("."));
    path.or_else(here)
}

/// Whether a file lies in a folder, links followed.
pub(super) fn is_in(file: &Path, folder: &Path) -> bool {
    match (file.canonicalize(), folder.canonicalize()) {
        (Ok(file), Ok(folder)) => file.starts_with(folder),
        _ => false,
    }
}

impl Config {
    /// The folder the configured task works in, if it does: the one that was named, or for the task
    /// `workspace` the current one.
    pub fn workspace(&self) -> Option<PathBuf> {
        match (&self.workspace.path.value, self.task.value) {
            (Some(path), Task::General | Task::Workspace) => Some(path.clone()),
            (None, Task::Workspace) => Some(PathBuf::from(".")),
            _ => None,
        }
    }

    /// How that folder is worked in. Nothing of Toolwright's own is seen there, should it be in it.
    pub(crate) fn workspace_settings(&self, root: PathBuf) -> Settings {
        let data = &self.data.value;
        let passed = |it: &String| match it.split_once('=') {
            Some((name, value)) => Some((name.to_owned(), value.to_owned())),
            None => std::env::var(it).ok().map(|value| (it.clone(), value)),
        };
        let mut settings = Settings::new(root, data.join("workspace"));
        settings.hidden = vec![data.clone()];
        settings.hidden.extend(self.user_folder.clone());
        // It may have keys in it.
        settings.hidden.extend(self.file.clone());
        settings.protected = self.folder_file().map(Path::to_owned).into_iter().collect();
        settings.readable = self.workspace.readable.value.iter().map(|it| home(it)).collect();
        settings.env = self.workspace.env.value.iter().filter_map(passed).collect();
        settings.limits = self.workspace.limits.value;
        if self.workspace.allow_root.value {
            settings.root_commands = RootCommands::Allowed;
        }
        settings
    }
}

/// `~/x` as a path in the home folder.
fn home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), std::env::home_dir()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}
