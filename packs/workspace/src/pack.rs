//! [`WorkspacePack`]: working in a folder as a pack.

use std::{
    env::VarError,
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use serde_json::Value;
use toolwright_core::Tool;
use toolwright_pack::{
    Check, OpenPack, Pack, PackError, PackInfo, PackSetup, ProjectRule, Section, SettingKey,
    TaskFile,
};

use crate::{Limits, RootCommands, Settings, Workspace, vocabulary::VOCABULARY};

/// Files and commands in a folder.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorkspacePack;

const INFO: PackInfo = PackInfo::new("workspace", "files and commands in a folder")
    .settings(&[
        SettingKey::path("path", "the folder that is worked in")
            .flag(
                "--workspace",
                "Let the model work in this folder, with the task `workspace` unless another is named",
            )
            .env("TOOLWRIGHT_WORKSPACE")
            .project(ProjectRule::Free)
            .selects("workspace", "."),
        SettingKey::list("readable", "folders that commands may read"),
        SettingKey::list("env", "variables that commands get: NAME, or NAME=value"),
        SettingKey::duration("timeout", "how long a command may take, where the call does not say")
            .usual("2m")
            .project(ProjectRule::Narrow),
        SettingKey::number("memory_mb", "memory of a command")
            .usual("4096")
            .project(ProjectRule::Narrow),
        SettingKey::number("processes", "processes of a command")
            .usual("512")
            .project(ProjectRule::Narrow),
        SettingKey::switch("allow_root", "whether commands may run as root")
            .flag("--allow-root", "Let commands run as root, in a folder that belongs to root")
            .env("TOOLWRIGHT_ALLOW_ROOT"),
    ])
    .tasks(&[TaskFile::new("workspace", include_str!("../tasks/workspace.md"))])
    .vocabulary(VOCABULARY)
    .tools(&Workspace::TOOLS);

impl Pack for WorkspacePack {
    fn info(&self) -> &PackInfo {
        &INFO
    }

    fn open(&self, setup: &PackSetup<'_>) -> Result<Option<Arc<dyn OpenPack>>, PackError> {
        let Some(root) = setup.section.get::<PathBuf>("path")? else { return Ok(None) };
        let workspace = Workspace::open(settings(root, setup)?).map_err(PackError::from_error)?;
        Ok(Some(Arc::new(OpenWorkspace(workspace))))
    }

    /// A wish does not open the folder that the process happens to be in.
    fn missing(&self, section: &Section) -> Option<&'static str> {
        (!section.is_set("path")).then_some("name the folder to work in: --workspace DIR")
    }
}

/// A variable that commands are given: as it is written, or as it is set here.
fn passed(variable: &str) -> Result<Option<(String, String)>, PackError> {
    if let Some((name, value)) = variable.split_once('=') {
        return Ok(Some((name.to_owned(), value.to_owned())));
    }
    match std::env::var(variable) {
        Ok(value) => Ok(Some((variable.to_owned(), value))),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => {
            let message = format!("the variable {variable} is set to what is no text (UTF-8)");
            Err(PackError::new(message)
                .with_advice("set it again, or take it out of workspace.env"))
        }
    }
}

/// How the folder is worked in. Nothing of Toolwright's own is seen there, should it be in it.
fn settings(root: PathBuf, setup: &PackSetup<'_>) -> Result<Settings, PackError> {
    let section = setup.section;
    let mut settings = Settings::new(root, setup.data.join("workspace"));
    settings.hidden = setup.private.to_vec();
    settings.protected = setup.protected.to_vec();
    let readable: Vec<PathBuf> = section.get("readable")?.unwrap_or_default();
    settings.readable = readable.iter().map(|it| home(it)).collect();
    let variables: Vec<String> = section.get("env")?.unwrap_or_default();
    let passed = variables.iter().filter_map(|it| passed(it).transpose());
    settings.env = passed.collect::<Result<_, _>>()?;
    let usual = Limits::default();
    let time = section.duration("timeout")?.unwrap_or(usual.time);
    let memory: Option<u64> = section.get("memory_mb")?;
    settings.limits = Limits {
        time,
        most_time: usual.most_time.max(time),
        memory: memory.map_or(usual.memory, |mb| mb.saturating_mul(1 << 20)),
        processes: section.get("processes")?.unwrap_or(usual.processes),
        ..usual
    };
    if section.get("allow_root")?.unwrap_or(false) {
        settings.root_commands = RootCommands::Allowed;
    }
    Ok(settings)
}

/// `~/x` as a path in the home folder.
fn home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), std::env::home_dir()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

struct OpenWorkspace(Arc<Workspace>);

#[async_trait]
impl OpenPack for OpenWorkspace {
    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.0.tools()
    }

    fn instructions(&self) -> String {
        self.0.instructions()
    }

    fn notices(&self) -> Vec<Check> {
        let place = Check::good("workspace", format!("in {}", self.0.path().display()));
        let off = self.0.sandbox().err().map(|none| {
            Check::warning("bash is off", none.to_string()).with_advice(none.advice.clone())
        });
        [place].into_iter().chain(off).collect()
    }

    fn folder(&self) -> Option<&Path> {
        Some(self.0.path())
    }

    fn touched(&self, tool: &str, arguments: &Value) -> Option<PathBuf> {
        let is_own = Workspace::TOOLS.contains(&tool);
        let path = ["file_path", "path"].iter().find_map(|name| arguments[name].as_str());
        path.filter(|_| is_own).map(PathBuf::from)
    }

    async fn checks(&self) -> Vec<Check> {
        let place = Check::good("workspace", self.0.path().display().to_string());
        let sandbox = match self.0.sandbox() {
            Ok(sandbox) => {
                let rows = sandbox.describe();
                let rows = rows.iter().map(|(name, says)| format!("{name} {says}"));
                Check::good("sandbox", rows.collect::<Vec<_>>().join("; "))
            }
            Err(none) => Check::warning("sandbox", format!("bash is off: {}", none.reason))
                .with_advice(none.advice.clone()),
        };
        vec![place, sandbox]
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// What the settings say holds where nobody sets them is what holds.
    #[test]
    fn usual_values_are_those_of_the_limits() {
        let usual = |name: &str| {
            INFO.settings.iter().find(|key| key.name == name).and_then(|key| key.usual)
        };
        let limits = Limits::default();
        assert_eq!(usual("timeout"), Some("2m"));
        assert_eq!(limits.time, Duration::from_secs(120));
        assert_eq!(usual("memory_mb"), Some((limits.memory >> 20).to_string().as_str()));
        assert_eq!(usual("processes"), Some(limits.processes.to_string().as_str()));
    }
}
