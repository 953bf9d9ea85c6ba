//! [`PinStore`]: which tools of which servers the user approved, as they were then.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use toolwright_files::{DigestEntry, DigestStore, digest_of};

use super::{PromptDefinition, ToolDefinition};

/// More than a server may list, as it is written here.
const MOST: u64 = 64 << 20;
/// The longest name of a server that is the name of its file, too.
const LONGEST: usize = 64;

/// Which tools and prompts of which servers the user approved: a file for each server, so that none is read for another.
#[derive(Clone, Debug)]
pub struct PinStore {
    folder: PathBuf,
}

/// The tools of a server that were approved, by their own names.
pub type ApprovedTools = BTreeMap<String, DigestEntry<ToolDefinition>>;

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
        Self { folder: data.join("mcp").join("approved") }
    }

    /// The file with the tools of a server.
    pub fn path(&self, server: &str) -> PathBuf {
        self.folder.join(file_name(server))
    }

    fn store(&self, server: &str) -> DigestStore<ToolDefinition> {
        DigestStore::new(self.path(server)).with_limit(MOST)
    }

    fn prompts(&self, server: &str) -> DigestStore<PromptDefinition> {
        DigestStore::new(self.folder.join("prompts").join(file_name(server))).with_limit(MOST)
    }

    /// The tools of a server that were approved, by their own names.
    ///
    /// # Errors
    /// When they cannot be read, or others may have written them.
    pub fn of(&self, server: &str) -> io::Result<ApprovedTools> {
        let entries = self.store(server).entries()?;
        Ok(entries.into_iter().map(|it| (it.subject.clone(), it)).collect())
    }

    /// The prompts of a server that were approved, by their own names.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn prompts_of(&self, server: &str) -> io::Result<BTreeMap<String, PromptDefinition>> {
        let entries = self.prompts(server).entries()?;
        Ok(entries.into_iter().map(|it| (it.subject, it.details)).collect())
    }

    /// Approves tools of a server as they are.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub fn approve(&self, server: &str, tools: &[ToolDefinition]) -> io::Result<()> {
        let entries = tools.iter().map(|it| {
            let (subject, digest) = (it.name.clone(), it.digest());
            DigestEntry { subject, digest, details: it.clone() }
        });
        self.store(server).put(entries.collect())
    }

    /// Approves prompts of a server as they are.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub fn approve_prompts(&self, server: &str, prompts: &[PromptDefinition]) -> io::Result<()> {
        let entries = prompts.iter().map(|it| {
            let (subject, digest) = (it.name.clone(), it.digest());
            DigestEntry { subject, digest, details: it.clone() }
        });
        self.prompts(server).put(entries.collect())
    }

    /// Takes back what was said of a server; whether there was anything.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub fn forget(&self, server: &str) -> io::Result<bool> {
        let had_prompts = self.prompts(server).clear()?;
        Ok(self.store(server).clear()? || had_prompts)
    }

    /// What tells that a server's file is another one.
    pub(super) fn stamp(&self, server: &str) -> Option<(SystemTime, u64)> {
        self.store(server).stamp()
    }
}

/// The name of a server's file: its own, where that is a file's, too.
fn file_name(server: &str) -> String {
    let is_plain = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-');
    match server.len() <= LONGEST && server.bytes().all(is_plain) {
        true => format!("{server}.json"),
        false => format!("{}.json", digest_of([server])),
    }
}

/// What the user said of this tool, which has this digest, among those that were approved.
pub(super) fn approval_of(
    tool: &ToolDefinition,
    digest: &str,
    approved: &ApprovedTools,
) -> Approval {
    match approved.get(&tool.name) {
        None => Approval::New,
        Some(known) if known.digest == digest => Approval::Approved,
        Some(known) => Approval::Changed { approved: Box::new(known.details.clone()) },
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
        assert_eq!(approval_of(&tool, &tool.digest(), &store.of("s").unwrap()), Approval::New);
        store.approve("s", std::slice::from_ref(&tool)).unwrap();
        assert_eq!(approval_of(&tool, &tool.digest(), &store.of("s").unwrap()), Approval::Approved);
        assert_eq!(approval_of(&tool, &tool.digest(), &store.of("t").unwrap()), Approval::New);
        let changed = ToolDefinition { description: Some("x".to_owned()), ..tool.clone() };
        let approved = Box::new(tool);
        assert_eq!(
            approval_of(&changed, &changed.digest(), &store.of("s").unwrap()),
            Approval::Changed { approved }
        );
        let mode = std::fs::metadata(store.path("s")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(store.forget("s").unwrap() && !store.forget("s").unwrap());
        assert_eq!(store.of("s").unwrap(), BTreeMap::new());
    }
}
