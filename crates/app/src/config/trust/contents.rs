//! [`FolderContents`]: the files of a folder that would count, read once, and their digest.

use std::{
    fmt::{self, Write},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use sha2::{Digest, Sha256};
use toolwright_files::{Links, Opened, SETTINGS};

use super::super::file::NAME;

/// Where the tasks of a folder are, in it.
const TASKS: &str = ".toolwright/tasks";

/// More tasks than any folder has.
const MOST: usize = 256;

/// The files of a folder that would count, as they were read, once: what is trusted, shown and parsed
/// is the same bytes. Cloning is cheap.
#[derive(Clone)]
pub struct FolderContents {
    folder: PathBuf,
    path: PathBuf,
    files: Arc<[(String, Vec<u8>)]>,
    digest: String,
}

/// Why a folder cannot be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

impl FolderContents {
    /// Reads the files of a folder that would count; none where there are none.
    ///
    /// # Errors
    /// Where one is there that cannot be trusted.
    pub fn read(folder: &Path) -> Result<Option<Self>, Refusal> {
        let path = folder.join(NAME);
        let failed =
            |reason: &io::Error| Refusal { path: path.clone(), reason: reason.to_string() };
        let mut files = Vec::new();
        for name in names(folder).map_err(|reason| failed(&reason))? {
            match read(&folder.join(&name)) {
                Ok(bytes) => files.push((name, bytes)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(reason) => {
                    let path = folder.join(name);
                    return Err(Refusal { path, reason: reason.to_string() });
                }
            }
        }
        if files.is_empty() {
            return Ok(None);
        }
        let folder = folder.canonicalize().map_err(|error| failed(&error))?;
        let digest = digest(&files);
        Ok(Some(Self { folder, path, files: files.into(), digest }))
    }

    /// The folder, its real path.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file with its settings, as it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What tells these bytes from all others.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// What its settings say.
    pub(super) fn settings(&self) -> &[u8] {
        let found = self.files.iter().find(|(name, _)| name == NAME);
        found.map_or(&[], |(_, bytes)| bytes)
    }

    /// Its tasks: where each is, and what stands in it.
    pub(super) fn tasks(&self) -> Vec<(PathBuf, String)> {
        let tasks = self.files.iter().filter(|(name, _)| name != NAME);
        tasks
            .map(|(name, bytes)| {
                (self.folder.join(name), String::from_utf8_lossy(bytes).into_owned())
            })
            .collect()
    }
}

/// Without what was read: it may hold anything.
impl fmt::Debug for FolderContents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.path.display(), self.digest)
    }
}

/// The files that count, once a folder is trusted: its settings and its tasks. Whatever else a folder may
/// say one day belongs here.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let listed = match std::fs::read_dir(folder.join(TASKS)) {
        Ok(listed) => listed,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(vec![NAME.to_owned()]),
        Err(error) => return Err(error),
    };
    let mut names = Vec::new();
    for file in listed {
        let name = file?.file_name();
        let name = name.to_str().filter(|name| name.ends_with(".md"));
        names.extend(name.map(|name| format!("{TASKS}/{name}")));
        if names.len() > MOST {
            return Err(io::Error::other(format!("there are more than {MOST} tasks")));
        }
    }
    // In an order of their own: the digest is of all of them.
    names.sort();
    Ok([vec![NAME.to_owned()], names].concat())
}

/// A file that lies in the folder itself, and belongs to the user or to the system.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let opened = Opened::new(path, Links::Refused)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let owner = opened.about().uid();
        if owner != 0 && owner != rustix::process::geteuid().as_raw() {
            return Err(io::Error::other(format!(
                "it belongs to another account (number {owner}); copy it to trust it"
            )));
        }
    }
    opened.read(SETTINGS)
}

/// A digest of names and contents, each told from the next by its length.
fn digest(files: &[(String, Vec<u8>)]) -> String {
    let mut sum = Sha256::new();
    for part in files.iter().flat_map(|(name, bytes)| [name.as_bytes(), bytes.as_slice()]) {
        sum.update((part.len() as u64).to_le_bytes());
        sum.update(part);
    }
    sum.finalize().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
