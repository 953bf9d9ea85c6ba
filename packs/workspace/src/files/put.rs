//! [`put`]: new content for a file, all of it or none.

use std::{
    ffi::OsStr,
    fs::File,
    io,
    io::{Read as _, Seek as _, Write as _},
    path::Path,
    thread,
    time::Duration,
};

use super::{Content, FileError, MOST, notes};
use crate::root::{Entry, Folder, Place, Root};

/// What the new content takes the place of.
#[derive(Clone, Copy)]
pub(crate) enum Over<'a> {
    /// Nothing: the file is new.
    Nothing,
    /// This version of the file; should there be another meanwhile, nothing is written.
    This(&'a Content),
}

/// Writes `content` beside the file, and then puts it in the file's place at once. Where something
/// goes wrong the file is as it was, and nothing lies beside it.
pub(crate) fn put(
    root: &Root,
    place: &Place,
    content: &[u8],
    over: Over<'_>,
) -> Result<(), FileError> {
    let path = || place.absolute.clone();
    write(root, &place.relative, content, over).map_err(|failure| match failure {
        Failure::Changed => FileError::Changed { path: path() },
        Failure::System(reason) if reason.kind() == io::ErrorKind::AlreadyExists => {
            FileError::Exists { path: path() }
        }
        Failure::System(reason) => FileError::Unwritten { path: path(), reason },
    })
}

enum Failure {
    Changed,
    System(io::Error),
}

impl From<io::Error> for Failure {
    fn from(reason: io::Error) -> Self {
        Self::System(reason)
    }
}

fn write(root: &Root, relative: &Path, content: &[u8], over: Over<'_>) -> Result<(), Failure> {
    let (Some(parent), Some(name)) = (relative.parent(), relative.file_name()) else {
        return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
    };
    let folder = match over {
        Over::Nothing => root.make_folders(parent)?,
        Over::This(_) => root.folder().folder(parent)?,
    };
    let temp = notes::temp_name();
    let _note = root.notes().begin(root.path(), &parent.join(&temp))?;
    let temp = OsStr::new(&temp);
    let mut new = folder.create(temp, mode(over))?;
    let mut taken = 0;
    let done = fill(&mut new, content, over).and_then(|()| match over {
        Over::Nothing => Ok(folder.rename_new(temp, name)?),
        Over::This(before) => {
            Swap { folder: &folder, temp, name, new: &new, before, taken: &mut taken }.run()
        }
    });
    if done.is_err() {
        remove(&folder, temp, &new, content.len() + taken);
    }
    done?;
    Ok(folder.sync()?)
}

/// Nobody else may read a file before it has the rights of the one that it replaces.
fn mode(over: Over<'_>) -> u32 {
    match over {
        Over::This(before) if before.entry.access.is_some() => 0o600,
        _ => 0o644,
    }
}

fn fill(new: &mut File, content: &[u8], over: Over<'_>) -> Result<(), Failure> {
    new.write_all(content)?;
    if let Over::This(before) = over
        && let Some(access) = before.entry.access
    {
        Folder::take_over(&before.file, new, access)?;
    }
    Ok(new.sync_all()?)
}

/// Removes what was made here, and nothing else that has its name. What somebody else wrote to it,
/// while it had the name of the other, is left for them.
fn remove(folder: &Folder, temp: &OsStr, new: &File, len: usize) {
    let (Ok(found), Ok(made)) = (folder.metadata(Path::new(temp)), new.metadata()) else { return };
    let is_new = found.identity().is_none_or(|it| Entry::from(&made).identity() == Some(it));
    if is_new && made.len() <= len as u64 {
        let _ = folder.remove(temp);
    }
}

/// How long whoever has opened the old file may take to write to it. The system does not tell whether
/// anybody has.
const GRACE: Duration = Duration::from_millis(10);

/// How often what is written behind the old file is taken over.
const ROUNDS: usize = 100;

/// A file and the one that takes its place.
struct Swap<'a> {
    folder: &'a Folder,
    temp: &'a OsStr,
    name: &'a OsStr,
    new: &'a File,
    before: &'a Content,
    /// How much was taken over that was written behind the old file.
    taken: &'a mut usize,
}

/// What became of the old file since it was read.
enum Since {
    Nothing,
    /// This was written behind it.
    Grown(Vec<u8>),
    Changed,
}

impl Swap<'_> {
    /// Exchanges both, and looks at the old one only then: from now on, whoever opens the file by its
    /// name has the new one. What was written to the old one in between is not lost.
    fn run(mut self) -> Result<(), Failure> {
        let now = self.folder.metadata(Path::new(self.name));
        if now.ok().as_ref() != Some(&self.before.entry) {
            return Err(Failure::Changed);
        }
        match self.folder.exchange(self.temp, self.name) {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(self.folder.rename(self.temp, self.name)?);
            }
            done => done?,
        }
        // Lasting names take a while. Whoever opened the old file before has that long to write.
        let settled = self.folder.sync().map_err(Failure::from).and_then(|()| self.settle());
        if settled.is_err() {
            self.folder.exchange(self.temp, self.name)?;
        }
        settled
    }

    /// Takes over what was written behind the old file, and removes it.
    fn settle(&mut self) -> Result<(), Failure> {
        for _ in 0..ROUNDS {
            match self.since()? {
                Since::Nothing => {
                    self.folder.remove(self.temp)?;
                    self.look_again();
                    return Ok(());
                }
                Since::Changed => return Err(Failure::Changed),
                Since::Grown(tail) => self.take(&tail)?,
            }
        }
        // Somebody keeps the old one open and goes on writing.
        Err(Failure::Changed)
    }

    /// Whoever had opened the old file and not written to it yet gets one more chance.
    fn look_again(&mut self) {
        let _ = self.folder.sync();
        thread::sleep(GRACE);
        if let Ok(Since::Grown(tail)) = self.written() {
            let _ = self.take(&tail);
        }
    }

    /// Writes behind the new file, and behind what others wrote there.
    fn take(&mut self, tail: &[u8]) -> io::Result<()> {
        let mut new = self.new;
        new.write_all(tail)?;
        *self.taken += tail.len();
        new.sync_all()
    }

    fn since(&self) -> io::Result<Since> {
        let found = self.folder.metadata(Path::new(self.temp))?;
        let was = &self.before.entry;
        if (found.kind, found.identity(), found.access) != (was.kind, was.identity(), was.access) {
            return Ok(Since::Changed);
        }
        self.written()
    }

    /// What was written to the old file, whatever it is called now.
    fn written(&self) -> io::Result<Since> {
        let mut old = &self.before.file;
        old.rewind()?;
        let mut bytes = Vec::with_capacity(self.before.bytes.len());
        old.take(2 * MOST).read_to_end(&mut bytes)?;
        let Some(more) = bytes.strip_prefix(self.before.bytes.as_slice()) else {
            return Ok(Since::Changed);
        };
        Ok(match more.get(*self.taken..) {
            None => Since::Changed,
            Some([]) => Since::Nothing,
            Some(tail) => Since::Grown(tail.to_vec()),
        })
    }
}
