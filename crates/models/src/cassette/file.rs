//! [`CassetteFile`]: the file with the exchanges, open for whoever records or replays.

use std::{
    fmt,
    fs::{File, OpenOptions, TryLockError},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use toolwright_core::ModelError;

use super::{
    CassetteHeader, CassetteMode, Exchange,
    difference::difference,
    error,
    format::ModelCard,
    read::{self, Read},
    request::Request,
    written::Written,
};

/// The file with the exchanges: lines of JSON, the first of them about the file, then one an exchange.
///
/// It is open once, and shared by all models that are recorded to it: clones are the same file. One program
/// at a time records to a file. Every exchange is written in one piece as soon as it is over, so that a program
/// that is killed leaves a file that can be read.
#[derive(Clone)]
pub struct CassetteFile(Arc<Inner>);

struct Inner {
    path: PathBuf,
    mode: CassetteMode,
    header: CassetteHeader,
    tape: Mutex<Tape>,
}

struct Tape {
    /// What was recorded when the file was opened, each with whether it was given already.
    exchanges: Vec<(Exchange, bool)>,
    /// What stands in the file, as far as lines that follow refer to it.
    written: Written,
    /// Where more goes; held locked.
    file: Option<File>,
}

impl CassetteFile {
    /// Opens a file: one that is recorded to is made where there is none, with this header, and can be read
    /// by its owner alone. In [`CassetteMode::Record`] what was in it is replaced, if it is a cassette.
    ///
    /// # Errors
    /// When it cannot be read or written, is no cassette, is damaged, or another program records to it.
    pub fn open(
        path: impl Into<PathBuf>,
        mode: CassetteMode,
        header: CassetteHeader,
    ) -> Result<Self, ModelError> {
        let path = path.into();
        let made = match mode {
            CassetteMode::Replay => {
                let file = File::open(&path).map_err(|error| match error.kind() {
                    io::ErrorKind::NotFound => error::missing(&path),
                    _ => error::unreadable(&path, &error),
                })?;
                let read =
                    read::exchanges(&path, &file)?.ok_or_else(|| error::no_cassette(&path))?;
                (read, None)
            }
            CassetteMode::Record | CassetteMode::RecordMissing => recorded_to(&path, mode, header)?,
        };
        let (Read { header, exchanges, written, .. }, file) = made;
        let exchanges = exchanges.into_iter().map(|it| (it, false)).collect();
        let tape = Mutex::new(Tape { exchanges, written, file });
        Ok(Self(Arc::new(Inner { path, mode, header, tape })))
    }

    /// The file's path.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// What is done with it.
    pub fn mode(&self) -> CassetteMode {
        self.0.mode
    }

    /// What it says of itself.
    pub fn header(&self) -> &CassetteHeader {
        &self.0.header
    }

    /// How many exchanges that were recorded before nobody asked for yet.
    pub fn unused(&self) -> usize {
        self.lock().exchanges.iter().filter(|(_, used)| !used).count()
    }

    /// Adds an exchange.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&self, exchange: &Exchange) -> Result<(), ModelError> {
        let mut tape = self.lock();
        let Tape { written, file, .. } = &mut *tape;
        let path = &self.0.path;
        let Some(file) = file else {
            let error = io::Error::from(io::ErrorKind::ReadOnlyFilesystem);
            return Err(error::unwritable(path, &error));
        };
        let (line, written) = written.line(exchange);
        let mut text = serde_json::to_string(&line)
            .map_err(|error| error::unwritable(path, &io::Error::from(error)))?;
        text.push('\n');
        append(file, text.as_bytes()).map_err(|error| error::unwritable(path, &error))?;
        written();
        Ok(())
    }

    /// What was recorded for this request, by this model where one is named.
    ///
    /// Requests are matched by what they say, those that say the same in the order in which they were
    /// recorded: of several conversations in one file each finds its own, however they take turns.
    pub(super) fn take(&self, now: &Request, by: Option<&str>) -> Option<Exchange> {
        let mut tape = self.lock();
        let fits = |it: &Exchange| by.is_none_or(|name| it.model.name == name);
        let found = tape
            .exchanges
            .iter_mut()
            .find(|(exchange, used)| !used && fits(exchange) && exchange.request.is(now))?;
        found.1 = true;
        Some(found.0.clone())
    }

    /// Why nothing was recorded for a request: what is different in the one that is most like it.
    pub(super) fn why_not(&self, now: &Request) -> ModelError {
        let tape = self.lock();
        let numbered = (1..).zip(&tape.exchanges);
        let unused = numbered.clone().filter(|(_, (_, used))| !used);
        // Of those that are equally like it, the first.
        let nearest = unused.max_by_key(|(number, (exchange, _))| {
            (exchange.request.common(now), std::cmp::Reverse(*number))
        });
        let same = || numbered.clone().filter(|(_, (exchange, _))| exchange.request.is(now));
        if let Some((number, _)) = same().next() {
            return error::once_more(number, same().count());
        }
        match nearest {
            Some((number, (exchange, _))) => {
                let told = difference(&exchange.request, now);
                error::differs(number, &told.unwrap_or_else(|| "it is another".to_owned()))
            }
            None => error::ended(tape.exchanges.len()),
        }
    }

    /// The model that is asked next, if all is asked in the order in which it was recorded.
    pub(super) fn next_model(&self) -> Option<ModelCard> {
        let tape = self.lock();
        let next = tape.exchanges.iter().find(|(_, used)| !used);
        next.map(|(exchange, _)| exchange.model.clone())
    }

    /// The model that was asked first.
    pub(super) fn first_model(&self) -> Option<ModelCard> {
        self.lock().exchanges.first().map(|(exchange, _)| exchange.model.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Tape> {
        self.0.tape.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for CassetteFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CassetteFile({}, {})", self.0.path.display(), self.0.mode)
    }
}

/// All of a line, or nothing of it: what could be written of one that does not fit is taken away again.
fn append(file: &mut File, line: &[u8]) -> io::Result<()> {
    let end = file.seek(SeekFrom::End(0))?;
    let written = file.write_all(line).and_then(|()| file.flush());
    if written.is_err() {
        file.set_len(end)?;
    }
    written
}

/// A file that is recorded to, and what is in it already.
fn recorded_to(
    path: &Path,
    mode: CassetteMode,
    header: CassetteHeader,
) -> Result<(Read, Option<File>), ModelError> {
    let unwritable = |error: io::Error| error::unwritable(path, &error);
    let mut file = made(path).map_err(unwritable)?;
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => error::in_use(path),
        TryLockError::Error(error) => unwritable(error),
    })?;
    let is_new = file.metadata().map_err(unwritable)?.len() == 0;
    if !is_new && mode == CassetteMode::Record {
        // Not read further: it is replaced also where it is damaged. What is no cassette is not.
        read::header(path, &file)?.ok_or_else(|| error::no_cassette(path))?;
        file.set_len(0).map_err(unwritable)?;
    } else if !is_new {
        let read = read::exchanges(path, &file)?.ok_or_else(|| error::no_cassette(path))?;
        // What a program that was killed left of a line.
        file.set_len(read.whole).map_err(unwritable)?;
        return Ok((read, Some(file)));
    }
    let text = serde_json::to_string(&header).map_err(|error| unwritable(error.into()))?;
    append(&mut file, format!("{text}\n").as_bytes()).map_err(unwritable)?;
    Ok((Read::new(header), Some(file)))
}

fn made(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}
