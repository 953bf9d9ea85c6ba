//! [`Prefixes`]: what conversations begin with, as it was read, on disk.

use std::{
    fs, io,
    io::{Read as _, Write as _},
    iter,
    path::{Path, PathBuf},
    process,
    sync::Arc,
    time::{Duration, SystemTime},
};

use toolwright_files::{Digest, Links, Opened, Writing, digest_of, private_file, private_folder};

use crate::engine::{DecodeSession, Llama};

/// What a file begins with. Changes whenever the engine reads the same tokens otherwise, or what it keeps of them
/// lies elsewhere.
const FORM: &str = "toolwright-prefix-4";
/// Fewer tokens are read as fast as a file is.
const LEAST: usize = 64;
/// How many files are kept, and how many bytes they have together.
const MOST: usize = 8;
const MOST_BYTES: u64 = 200 << 20;
/// A file that is still being written after this is not written any more.
const LEFT: Duration = Duration::from_secs(600);

/// What conversations begin with, the tools above all, as it was read: a file for each, so that the next
/// process need not read it again. A folder that cannot be written to, or a file that is damaged, is a
/// slower first answer and nothing else. Cloning it costs nothing.
#[derive(Clone)]
pub(super) struct Prefixes(Arc<Parts>);

struct Parts {
    folder: PathBuf,
    /// What tells this model from others.
    model: String,
}

impl Prefixes {
    /// Those in a folder, of the model that is known by these texts.
    pub(super) fn new(folder: PathBuf, model: &[&[u8]]) -> Self {
        let parts = [FORM.as_bytes(), env!("CARGO_PKG_VERSION").as_bytes()];
        let model = digest_of(parts.iter().chain(model));
        Self(Arc::new(Parts { folder, model }))
    }

    /// A session that has read these tokens, if one was kept.
    pub(super) fn find(&self, model: &Llama, tokens: &[u32]) -> Option<DecodeSession> {
        if tokens.len() < LEAST {
            return None;
        }
        let path = self.path(tokens);
        let opened = Opened::new(&path, Links::Refused).ok()?;
        // Which one was used last decides which one goes first. Where that cannot be noted, another one does.
        let _ = fs::File::options()
            .append(true)
            .open(&path)
            .and_then(|it| it.set_modified(SystemTime::now()));
        let found = read(model, tokens, opened);
        if found.is_none() {
            let _ = fs::remove_file(&path);
        }
        found
    }

    /// Keeps what a session has read, unless it is there or too little.
    pub(super) fn keep(&self, session: &DecodeSession) {
        let path = self.path(session.tokens());
        if self.is_new(session.tokens()) && self.write(&path, session).is_ok() {
            self.tidy();
        }
    }

    /// Whether these tokens are worth keeping and are not kept.
    pub(super) fn is_new(&self, tokens: &[u32]) -> bool {
        tokens.len() >= LEAST && !self.path(tokens).exists()
    }

    fn write(&self, path: &Path, session: &DecodeSession) -> io::Result<()> {
        private_folder(&self.0.folder)?;
        let new = path.with_extension(format!("{}.new", process::id()));
        let written = private_file(&new, Writing::New).and_then(|mut file| {
            // Part by part, twice: nobody waits, and all of it at once is as much as the session itself.
            file.write_all(digest_of(session.save()).as_bytes())?;
            session.save().try_for_each(|part| file.write_all(&part))?;
            // More exact than what the system notes by itself.
            file.set_modified(SystemTime::now())?;
            fs::rename(&new, path)
        });
        written.inspect_err(|_| _ = fs::remove_file(&new))
    }

    /// Removes what was used least lately, where there is too much; and what nobody finishes any more.
    fn tidy(&self) {
        let entries = fs::read_dir(&self.0.folder).into_iter().flatten().flatten();
        let mut files: Vec<_> = entries
            .filter_map(|entry| {
                let about = entry.metadata().ok().filter(fs::Metadata::is_file)?;
                Some((about.modified().ok()?, about.len(), entry.path()))
            })
            .collect();
        files.sort();
        let (mut many, mut bytes) = (0, 0);
        for (used, size, path) in files.into_iter().rev() {
            let is_extension = |name: &str| path.extension().is_some_and(|it| it == name);
            let is_left = used.elapsed().is_ok_and(|it| it > LEFT);
            if is_extension("kv") {
                (many, bytes) = (many + 1, bytes + size);
            }
            let is_too_much = is_extension("kv") && (many > MOST || bytes > MOST_BYTES);
            if is_too_much || is_extension("new") && is_left {
                let _ = fs::remove_file(path);
            }
        }
    }

    fn path(&self, tokens: &[u32]) -> PathBuf {
        let bytes: Vec<u8> = tokens.iter().flat_map(|it| it.to_le_bytes()).collect();
        self.0.folder.join(digest_of([self.0.model.as_bytes(), &bytes])).with_extension("kv")
    }
}

/// The session in a file, if that has just that, and all of it.
fn read(model: &Llama, tokens: &[u32], opened: Opened) -> Option<DecodeSession> {
    let (parts, bytes) = DecodeSession::parts(model, tokens.len())?;
    let mut sum = digest_of::<&str>([]).into_bytes();
    let size = (parts as u64).checked_mul(bytes as u64)?.checked_add(sum.len() as u64)?;
    if opened.about().len() != size || size > MOST_BYTES {
        return None;
    }
    let (mut file, mut digest) = (opened.into_file(), Digest::default());
    file.read_exact(&mut sum).ok()?;
    let parts = iter::from_fn(|| {
        let mut part = vec![0; bytes];
        file.read_exact(&mut part).ok()?;
        digest.add(&part);
        Some(part)
    })
    .take(parts);
    let session = DecodeSession::restore(model, tokens, parts)?;
    (digest.finish().as_bytes() == sum).then_some(session)
}
