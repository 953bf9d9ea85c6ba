//! [`PinStore`]: which tools of which servers the user approved, as they were then.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde::{Deserialize, Serialize};
use toolwright_files::{Writing, private_file, private_folder, read_bounded};

use super::{PromptDefinition, ToolDefinition};

/// More than anybody approves.
const MOST: u64 = 64 << 20;

/// The tools that were approved, by their server and their own name.
type Pins<T> = BTreeMap<String, BTreeMap<String, T>>;

/// Which tools and prompts of which servers the user approved, in a file that only its owner reads.
#[derive(Clone, Debug)]
pub struct PinStore {
    path: PathBuf,
}

/// The file as it is written.
#[derive(Default, Serialize, Deserialize)]
struct PinFile {
    version: u32,
    servers: Pins<ToolDefinition>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    prompts: Pins<PromptDefinition>,
}

/// What the user said of a tool, or of a prompt.
#[derive(Clone, Debug, PartialEq)]
pub enum Approval<T = ToolDefinition> {
    /// It is approved as it is.
    Approved,
    /// Nothing yet.
    New,
    /// It was approved, and is not what it was then.
    Changed {
        /// What it was.
        approved: Box<T>,
    },
}

impl PinStore {
    /// The approvals in this folder.
    pub fn in_folder(data: &Path) -> Self {
        Self { path: data.join("mcp").join("approved.json") }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The tools of a server that were approved, by their own names.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn of(&self, server: &str) -> io::Result<BTreeMap<String, ToolDefinition>> {
        Ok(self.read()?.servers.remove(server).unwrap_or_default())
    }

    /// The prompts of a server that were approved, by their own names.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn prompts_of(&self, server: &str) -> io::Result<BTreeMap<String, PromptDefinition>> {
        Ok(self.read()?.prompts.remove(server).unwrap_or_default())
    }

    /// Approves tools of a server as they are.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub fn approve(&self, server: &str, tools: &[ToolDefinition]) -> io::Result<()> {
        self.change(|pins| {
            let own = pins.servers.entry(server.to_owned()).or_default();
            own.extend(tools.iter().map(|it| (it.name.clone(), it.clone())));
        })
    }

    /// Approves prompts of a server as they are.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub fn approve_prompts(&self, server: &str, prompts: &[PromptDefinition]) -> io::Result<()> {
        self.change(|pins| {
            let own = pins.prompts.entry(server.to_owned()).or_default();
            own.extend(prompts.iter().map(|it| (it.name.clone(), it.clone())));
        })
    }

    /// Takes back what was said of a server; whether there was anything.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub fn forget(&self, server: &str) -> io::Result<bool> {
        self.change(|pins| {
            let had_prompts = pins.prompts.remove(server).is_some();
            pins.servers.remove(server).is_some() || had_prompts
        })
    }

    /// What tells that the file is another one.
    pub(super) fn stamp(&self) -> Option<(SystemTime, u64)> {
        let about = fs::metadata(&self.path).ok()?;
        Some((about.modified().ok()?, about.len()))
    }

    fn read(&self) -> io::Result<PinFile> {
        match read_bounded(&self.path, MOST) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(PinFile::default()),
            Err(error) => Err(error),
        }
    }

    /// Changes it, one process at a time; a crash leaves it as it was or as it is now.
    fn change<T>(&self, change: impl FnOnce(&mut PinFile) -> T) -> io::Result<T> {
        if let Some(folder) = self.path.parent() {
            private_folder(folder)?;
        }
        let lock = private_file(self.path.with_extension("lock"), Writing::Update)?;
        lock.lock()?;
        let mut file = self.read()?;
        file.version = 1;
        let result = change(&mut file);
        let new = self.path.with_extension("new");
        // Whoever holds the lock is alone: one that is there was left by a crash.
        let _ = fs::remove_file(&new);
        let mut written = private_file(&new, Writing::New)?;
        written.write_all(&serde_json::to_vec_pretty(&file)?)?;
        written.sync_all()?;
        fs::rename(&new, &self.path)?;
        Ok(result)
    }
}

/// What the user said of this tool, among those that were approved.
pub(super) fn approval_of(
    tool: &ToolDefinition,
    approved: &BTreeMap<String, ToolDefinition>,
) -> Approval {
    match approved.get(&tool.name) {
        None => Approval::New,
        Some(known) if known.digest() == tool.digest() => Approval::Approved,
        Some(known) => Approval::Changed { approved: Box::new(known.clone()) },
    }
}

/// What the user said of this prompt, among those that were approved.
pub(super) fn prompt_approval(
    prompt: &PromptDefinition,
    approved: &BTreeMap<String, PromptDefinition>,
) -> Approval<PromptDefinition> {
    match approved.get(&prompt.name) {
        None => Approval::New,
        Some(known) if known == prompt => Approval::Approved,
        Some(known) => Approval::Changed { approved: Box::new(known.clone()) },
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_approved_is_kept_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let store = PinStore::in_folder(folder.path());
        let tool: ToolDefinition =
            serde_json::from_value(json!({"name": "a", "inputSchema": {}})).unwrap();
        assert_eq!(approval_of(&tool, &store.of("s").unwrap()), Approval::New);
        store.approve("s", std::slice::from_ref(&tool)).unwrap();
        assert_eq!(approval_of(&tool, &store.of("s").unwrap()), Approval::Approved);
        assert_eq!(approval_of(&tool, &store.of("t").unwrap()), Approval::New);
        let changed = ToolDefinition { description: Some("x".to_owned()), ..tool.clone() };
        let approved = Box::new(tool);
        assert_eq!(approval_of(&changed, &store.of("s").unwrap()), Approval::Changed { approved });
        let mode = fs::metadata(store.path()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(store.forget("s").unwrap() && !store.forget("s").unwrap());
        assert_eq!(store.of("s").unwrap(), BTreeMap::new());
    }
}
