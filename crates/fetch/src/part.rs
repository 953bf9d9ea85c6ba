//! [`PackageFile`]: a file, and whether it is what it should be.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, Write},
    path::Path,
    time::UNIX_EPOCH,
};

use sha2::{Digest, Sha256};
use toolwright_files::{SETTINGS, read_text};

use crate::{Bundle, FetchError, FetchErrorKind};

/// A file, and what it must be.
#[derive(Clone, Copy, Debug)]
pub struct PackageFile {
    /// Its name in the folder.
    pub name: &'static str,
    /// How many bytes it has.
    pub bytes: u64,
    /// The SHA-256 of them, in hexadecimal.
    pub sum: &'static str,
}

/// Which files were found right, so that they are not read whole at every start.
const VERDICTS: &str = ".checked";

/// Whether all files are there and right.
pub(crate) fn check(bundle: &Bundle, folder: &Path) -> Result<(), FetchError> {
    let known = read_text(folder.join(VERDICTS), SETTINGS).unwrap_or_default();
    let mut verdicts = String::new();
    for part in bundle.parts() {
        let verdict = part.verdict(bundle, folder)?;
        if !known.lines().any(|line| line == verdict) {
            part.read(bundle, folder)?;
        }
        verdicts.push_str(&verdict);
        verdicts.push('\n');
    }
    if verdicts != known {
        // A folder that cannot be written to is a slower start, and nothing else.
        let _ = keep(folder, &verdicts);
    }
    Ok(())
}

fn keep(folder: &Path, verdicts: &str) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(verdicts.as_bytes())?;
    file.persist(folder.join(VERDICTS))?;
    Ok(())
}

impl PackageFile {
    /// What is remembered of a file that is right: it changes when the file does.
    fn verdict(&self, bundle: &Bundle, folder: &Path) -> Result<String, FetchError> {
        let path = folder.join(self.name);
        let about = match fs::metadata(&path) {
            Ok(about) => about,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(missing(bundle, &path));
            }
            Err(error) => return Err(unreadable(&path, &error)),
        };
        if !about.is_file() || about.len() != self.bytes {
            return Err(damaged(bundle, &path));
        }
        let changed = about.modified().ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok());
        let changed = changed.unwrap_or_default().as_nanos();
        Ok(format!("{} {} {changed} {}", self.name, self.bytes, self.sum))
    }

    fn read(&self, bundle: &Bundle, folder: &Path) -> Result<(), FetchError> {
        let path = folder.join(self.name);
        let file = File::open(&path).map_err(|error| unreadable(&path, &error))?;
        let right = self.copy(file, &mut io::sink()).map_err(|error| unreadable(&path, &error))?;
        if right { Ok(()) } else { Err(damaged(bundle, &path)) }
    }

    /// Copies the file, and says whether what was copied is right. No more is read than it has.
    pub(crate) fn copy(&self, from: impl Read, to: &mut impl Write) -> io::Result<bool> {
        copy(from, to, self.bytes, self.sum)
    }
}

/// Whether an open file is right, from its beginning.
pub(crate) fn is_right(file: &mut File, bytes: u64, sum: &str) -> io::Result<bool> {
    file.rewind()?;
    copy(file, &mut io::sink(), bytes, sum)
}

fn copy(from: impl Read, to: &mut impl Write, bytes: u64, sum: &str) -> io::Result<bool> {
    let mut from = from.take(bytes + 1);
    let mut digest = Sha256::new();
    let mut piece = vec![0; 64 << 10];
    let mut copied = 0;
    loop {
        let got = from.read(&mut piece)?;
        let Some(got) = piece.get(..got).filter(|it| !it.is_empty()) else { break };
        digest.update(got);
        to.write_all(got)?;
        copied += got.len() as u64;
    }
    let digest: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(copied == bytes && digest == sum)
}

fn missing(bundle: &Bundle, path: &Path) -> FetchError {
    let message = format!("{} is not there: no {}.", bundle.what, path.display());
    FetchError::new(FetchErrorKind::Missing, message)
        .with_advice(format!("Fetch it ({} MB, once).", bundle.megabytes()))
}

fn damaged(bundle: &Bundle, path: &Path) -> FetchError {
    let message = format!("{} is not the file it should be: it is damaged.", path.display());
    FetchError::new(FetchErrorKind::Damaged, message)
        .with_advice(format!("Fetch the model again ({} MB).", bundle.megabytes()))
}

fn unreadable(path: &Path, error: &io::Error) -> FetchError {
    let message = format!("{} cannot be read: {error}.", path.display());
    FetchError::new(FetchErrorKind::Missing, message)
        .with_advice("Check who may read it, and the disk it is on.")
}
