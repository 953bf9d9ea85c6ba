//! [`SettingsFile`]: the user's `toolwright.toml`, changed by a program without losing anything that a person wrote
//! into it.
//!
//! It is the file that was named, or the one where the user's settings lie, and never what lies in the folder of a
//! project: that is somebody else's word.

mod mcp;
mod model;

use std::{
    fs::{self, File},
    io::{self, Write},
    iter,
    path::{Path, PathBuf},
};

use toml_edit::{DocumentMut, Item, Table};
use toolwright_files::{SETTINGS, Writing, private_file, private_folder, read_text};

pub use self::{
    mcp::McpEntry,
    model::{ProviderEntry, set_model},
};
use super::{Config, file::NAME};
use crate::AppError;

/// How many links are followed to the file.
const LINKS: usize = 40;

/// The user's `toolwright.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsFile {
    path: PathBuf,
    /// Whoever changes it holds this.
    lock: PathBuf,
}

/// Who may read the file once it was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// Whoever could before; its owner alone where there was none.
    AsBefore,
    /// Its owner alone: there is a key in it now.
    Owner,
}

impl SettingsFile {
    /// The file that settings are written to: the one that was read, or the user's.
    ///
    /// # Errors
    /// When there is nowhere to keep any.
    pub fn of(config: &Config) -> Result<Self, AppError> {
        let users = config.user_folder.as_ref().map(|it| it.join(NAME));
        let path = config.file.clone().or(users).ok_or(AppError::NoSettings)?;
        Ok(Self { path, lock: config.data.value.join("settings.lock") })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Changes the file, one program at a time; a crash leaves it as it was or as it is now. What somebody wrote into
    /// it meanwhile is not written over.
    ///
    /// # Errors
    /// When it cannot be read or written, or is no TOML.
    pub fn change<T>(
        &self,
        readers: Readers,
        change: impl FnOnce(&mut DocumentMut) -> T,
    ) -> Result<T, AppError> {
        let (done, ()) = self.change_if(readers, |document| Ok(change(document)), || Ok(()))?;
        Ok(done)
    }

    /// As [`SettingsFile::change`], where what is written then proves usable: else the file is again what it was.
    ///
    /// # Errors
    /// When it cannot be changed, or what is written cannot be used.
    pub fn change_if<T, U>(
        &self,
        readers: Readers,
        change: impl FnOnce(&mut DocumentMut) -> Result<T, AppError>,
        is_usable: impl FnOnce() -> Result<U, AppError>,
    ) -> Result<(T, U), AppError> {
        self.try_change(readers, change, is_usable)
    }

    /// As [`SettingsFile::change_if`], for a change with reasons of its own not to be made. What it looks at in the
    /// document is what is changed: where the file says something else by the time it is written, nothing is.
    ///
    /// # Errors
    /// When it cannot or must not be changed, or what is written cannot be used.
    pub fn try_change<T, U, E: From<AppError>>(
        &self,
        readers: Readers,
        change: impl FnOnce(&mut DocumentMut) -> Result<T, E>,
        is_usable: impl FnOnce() -> Result<U, AppError>,
    ) -> Result<(T, U), E> {
        let path = self.target();
        let failed = |reason| AppError::Unwritable { path: path.clone(), reason };
        for folder in [&path, &self.lock].into_iter().filter_map(|it| it.parent()) {
            if !folder.as_os_str().is_empty() {
                private_folder(folder).map_err(failed)?;
            }
        }
        let lock = private_file(&self.lock, Writing::Update).map_err(failed)?;
        lock.lock().map_err(failed)?;
        let before = self.text()?;
        let document = before.parse::<DocumentMut>();
        let mut document = document.map_err(|_| {
            let reason = "it is no TOML; `toolwright doctor` tells where it is wrong".to_owned();
            AppError::Invalid { path: path.clone(), reason }
        })?;
        let done = change(&mut document)?;
        let after = document.to_string();
        if after == before && readers == Readers::AsBefore {
            return Ok((done, is_usable()?));
        }
        // Whoever made it so does not want it changed; taking its place would change it all the same.
        if fs::metadata(&path).is_ok_and(|it| it.permissions().readonly()) {
            return Err(failed(io::ErrorKind::PermissionDenied.into()).into());
        }
        let kept = KeptFile::of(&path).map_err(failed)?;
        self.replace(&path, readers, &before, &after)?;
        match is_usable() {
            Ok(used) => Ok((done, used)),
            Err(_) if self.text()? != after => Err(AppError::Meanwhile(path.clone()).into()),
            Err(error) => {
                kept.put_back().map_err(failed)?;
                Err(error.into())
            }
        }
    }

    /// What is written to: what a link leads to is changed, and not the link, also where nothing is there (yet).
    fn target(&self) -> PathBuf {
        let followed = || {
            let next = |path: &PathBuf| {
                let to = fs::read_link(path).ok()?;
                Some(path.parent().map_or_else(|| to.clone(), |it| it.join(&to)))
            };
            let links = iter::successors(Some(self.path.clone()), next);
            links.take(LINKS).last().unwrap_or_else(|| self.path.clone())
        };
        self.path.canonicalize().unwrap_or_else(|_| followed())
    }

    /// Writes a text in the place of another, if that still stands there.
    fn replace(
        &self,
        path: &Path,
        readers: Readers,
        before: &str,
        after: &str,
    ) -> Result<(), AppError> {
        let failed = |reason| AppError::Unwritable { path: path.to_owned(), reason };
        if after.len() as u64 > SETTINGS {
            // Written, it could never be read again.
            return Err(failed(io::ErrorKind::FileTooLarge.into()));
        }
        let new = path.with_extension("toml.new");
        let replaced = written(&new, path, readers, after).map_err(failed).and_then(|()| {
            if self.text()? != before {
                return Err(AppError::Meanwhile(path.to_owned()));
            }
            fs::rename(&new, path).map_err(failed)
        });
        if replaced.is_err() {
            // There may be a key in it.
            let _ = fs::remove_file(&new);
        }
        replaced
    }

    /// What it says; nothing where there is none.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn text(&self) -> Result<String, AppError> {
        match read_text(&self.path, SETTINGS) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            read => read.map_err(|reason| AppError::Unreadable { path: self.path.clone(), reason }),
        }
    }
}

/// The file as it was before a change, with all that belongs to it: who may read it, who owns it. It is forgotten
/// unless it is put back.
struct KeptFile<'p> {
    path: &'p Path,
    /// It, under another name; nothing where there was none.
    kept: Option<PathBuf>,
}

impl<'p> KeptFile<'p> {
    fn of(path: &'p Path) -> io::Result<Self> {
        let kept = path.with_extension("toml.old");
        // One that is there was left by a crash.
        let _ = fs::remove_file(&kept);
        let is_none = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        let linked = fs::hard_link(path, &kept).or_else(|error| match is_none(&error) {
            true => Err(error),
            // Not every disk can have a file under two names.
            false => fs::copy(path, &kept).map(drop),
        });
        match linked {
            Ok(()) => Ok(Self { path, kept: Some(kept) }),
            Err(error) if is_none(&error) => Ok(Self { path, kept: None }),
            Err(error) => Err(error),
        }
    }

    fn put_back(&self) -> io::Result<()> {
        match &self.kept {
            Some(kept) => fs::rename(kept, self.path),
            None => fs::remove_file(self.path),
        }
    }
}

impl Drop for KeptFile<'_> {
    fn drop(&mut self) {
        if let Some(kept) = &self.kept {
            let _ = fs::remove_file(kept);
        }
    }
}

/// Writes a text beside the file that it takes the place of.
fn written(new: &Path, old: &Path, readers: Readers, text: &str) -> io::Result<()> {
    // Whoever holds the lock is alone: one that is there was left by a crash.
    let _ = fs::remove_file(new);
    let mut file: File = private_file(new, Writing::New)?;
    file.write_all(text.as_bytes())?;
    if let Some(about) = fs::metadata(old).ok().filter(|_| readers == Readers::AsBefore) {
        file.set_permissions(about.permissions())?;
    }
    file.sync_all()
}

/// The table of this name, made where there is none; it is not shown while it only has tables.
pub(crate) fn table<'d>(
    document: &'d mut DocumentMut,
    name: &str,
) -> Option<&'d mut dyn toml_edit::TableLike> {
    let tables = document.entry(name).or_insert_with(|| {
        let mut tables = Table::new();
        tables.set_implicit(true);
        Item::Table(tables)
    });
    tables.as_table_like_mut()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use tempfile::TempDir;
    use toml_edit::value;

    use super::*;

    fn file(folder: &TempDir) -> SettingsFile {
        let (path, lock) = (folder.path().join(NAME), folder.path().join("data/settings.lock"));
        SettingsFile { path, lock }
    }

    #[test]
    fn what_a_person_wrote_stays_and_what_is_no_toml_is_not_touched() {
        let folder = TempDir::new().unwrap();
        let file = file(&folder);
        fs::write(file.path(), "# mine\ntask = \"demo\"  # yes\n").unwrap();
        file.change(Readers::AsBefore, |it| it["review"] = value("warn")).unwrap();
        let text = file.text().unwrap();
        assert_eq!(text, "# mine\ntask = \"demo\"  # yes\nreview = \"warn\"\n");
        fs::write(file.path(), "task = ").unwrap();
        let error = file.change(Readers::AsBefore, |it| it["review"] = value("off")).unwrap_err();
        assert!(matches!(error, AppError::Invalid { .. }), "{error}");
        assert_eq!(file.text().unwrap(), "task = ");
    }

    #[test]
    fn what_somebody_wrote_meanwhile_is_not_written_over() {
        let folder = TempDir::new().unwrap();
        let file = file(&folder);
        fs::write(file.path(), "task = \"a\"\n").unwrap();
        let error = file.change(Readers::AsBefore, |it| {
            fs::write(file.path(), "task = \"theirs\"\n").unwrap();
            it["task"] = value("ours");
        });
        assert!(matches!(error, Err(AppError::Meanwhile(_))), "{error:?}");
        assert_eq!(file.text().unwrap(), "task = \"theirs\"\n");
    }

    #[test]
    fn what_cannot_be_used_is_taken_back() {
        let folder = TempDir::new().unwrap();
        let file = file(&folder);
        fs::write(file.path(), "task = \"a\" # mine\n").unwrap();
        let change = |it: &mut DocumentMut| {
            it["task"] = value("b");
            Ok(())
        };
        let refused = file.change_if(Readers::Owner, change, || {
            assert!(file.text()?.starts_with("task = \"b\""));
            Err::<(), _>(AppError::NoHome)
        });
        assert!(matches!(refused, Err(AppError::NoHome)), "{refused:?}");
        assert_eq!(file.text().unwrap(), "task = \"a\" # mine\n");
    }

    /// A change that proves unusable once it is written.
    #[cfg(unix)]
    fn refused(file: &SettingsFile) {
        let change = |it: &mut DocumentMut| {
            it["task"] = value("b");
            Ok(())
        };
        let refused = file.change_if(Readers::Owner, change, || Err::<(), _>(AppError::NoHome));
        assert!(matches!(refused, Err(AppError::NoHome)), "{refused:?}");
    }

    #[cfg(unix)]
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name());
        let mut names: Vec<_> = entries.map(|it| it.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[cfg(unix)]
    #[test]
    fn a_change_that_fails_leaves_the_very_file() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let folder = TempDir::new().unwrap();
        let file = file(&folder);
        refused(&file);
        assert_eq!(names(folder.path()), ["data"], "there was none");
        fs::write(file.path(), "task = \"a\"\r\n").unwrap();
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o644)).unwrap();
        let about = || fs::metadata(file.path()).map(|it| (it.ino(), it.mode())).unwrap();
        let before = about();
        refused(&file);
        assert_eq!(about(), before);
        assert_eq!(fs::read(file.path()).unwrap(), b"task = \"a\"\r\n");
        assert_eq!(names(folder.path()), ["data", NAME]);
        file.change(Readers::AsBefore, |it| it["task"] = value("b")).unwrap();
        assert_eq!(names(folder.path()), ["data", NAME]);
    }

    #[test]
    fn a_file_that_is_only_to_be_read_is_not_changed() {
        let folder = TempDir::new().unwrap();
        let file = file(&folder);
        fs::write(file.path(), "task = \"a\"\n").unwrap();
        let mut permissions = fs::metadata(file.path()).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(file.path(), permissions).unwrap();
        for readers in [Readers::AsBefore, Readers::Owner] {
            let error = file.change(readers, |it| it["task"] = value("b")).unwrap_err();
            assert!(matches!(error, AppError::Unwritable { .. }), "{error}");
        }
        assert_eq!(file.text().unwrap(), "task = \"a\"\n");
        file.change(Readers::AsBefore, |_| ()).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_one_whether_or_not_it_leads_anywhere() {
        let folder = TempDir::new().unwrap();
        let file = file(&folder);
        let real = folder.path().join("real/tw.toml");
        std::os::unix::fs::symlink("real/tw.toml", file.path()).unwrap();
        let is_link = || fs::symlink_metadata(file.path()).unwrap().is_symlink();
        refused(&file);
        assert!(is_link() && !real.exists());
        file.change(Readers::AsBefore, |it| it["task"] = value("a")).unwrap();
        assert!(is_link());
        assert_eq!(fs::read_to_string(&real).unwrap(), "task = \"a\"\n");
        refused(&file);
        assert!(is_link());
        assert_eq!(fs::read_to_string(&real).unwrap(), "task = \"a\"\n");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_with_a_key_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = TempDir::new().unwrap();
        let file = file(&folder);
        let mode = || fs::metadata(file.path()).unwrap().permissions().mode() & 0o777;
        fs::write(file.path(), "").unwrap();
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o644)).unwrap();
        file.change(Readers::AsBefore, |it| it["task"] = value("a")).unwrap();
        assert_eq!(mode(), 0o644);
        file.change(Readers::Owner, |it| it["task"] = value("b")).unwrap();
        assert_eq!(mode(), 0o600);
        file.change(Readers::AsBefore, |it| it["task"] = value("c")).unwrap();
        assert_eq!(mode(), 0o600);
    }
}
