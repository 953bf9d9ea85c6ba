//! [`ListFile`]: a list of records in a file that only its owner reads, changed by one process at a
//! time.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};

/// A list of records in a file of JSON.
#[derive(Clone, Debug)]
pub struct ListFile {
    path: PathBuf,
}

impl ListFile {
    /// The list in this file; where there is none, it is empty.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is in it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read<T: DeserializeOwned>(&self) -> io::Result<Vec<T>> {
        match fs::read(&self.path) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
            // A folder that cannot be used is told by whoever writes to it.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                Ok(Vec::new())
            }
            Err(error) => Err(error),
        }
    }

    /// Changes it, one process at a time; a crash leaves it as it was or as it is now.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn change<T: Serialize + DeserializeOwned, R>(
        &self,
        change: impl FnOnce(&mut Vec<T>) -> R,
    ) -> io::Result<R> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let lock = private(&self.path.with_extension("lock"))?;
        lock.lock()?;
        let mut records = self.read()?;
        let result = change(&mut records);
        let new = self.path.with_extension("new");
        let mut file = private(&new)?;
        file.write_all(&serde_json::to_vec_pretty(&records)?)?;
        file.sync_all()?;
        fs::rename(&new, &self.path)?;
        Ok(result)
    }
}

/// A new file that only its owner may read.
fn private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}
