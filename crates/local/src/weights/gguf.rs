//! [`Gguf`]: a file with a model's weights, and what it says about them.

use std::{
    collections::HashMap,
    fmt,
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use toolwright_files::{Links, Opened};

use super::{
    blocks::Kind,
    fields::{Bytes, Field},
};
use crate::{LocalError, LocalErrorKind};

/// Where tensors begin, unless the file says otherwise.
const ALIGNMENT: u64 = 32;

/// A file with a model's weights. Only its head is read when it is opened.
pub struct Gguf {
    path: PathBuf,
    /// Opened once: what is read later is of the same file, whatever stands at its path meanwhile.
    file: Mutex<File>,
    fields: HashMap<String, Field>,
    tensors: HashMap<String, Tensor>,
}

/// Where a tensor stands in the file.
struct Tensor {
    /// The innermost dimension first.
    shape: Vec<usize>,
    kind: u32,
    at: u64,
}

/// A tensor's bytes, as rows of blocks.
pub(super) struct Rows {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) kind: Kind,
    pub(super) bytes: Vec<u8>,
}

impl Gguf {
    /// Opens a file and reads its head.
    ///
    /// # Errors
    /// `Missing` where it cannot be read, `Damaged` where it is no GGUF.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, LocalError> {
        let path = path.as_ref();
        // Whoever names a pipe or a terminal must not make this wait for its other end.
        let opened = Opened::new(path, Links::Followed).map_err(|error| {
            let message = format!("{} cannot be read: {error}.", path.display());
            LocalError::new(LocalErrorKind::Missing, message)
        })?;
        let file = opened.into_file();
        let head = head(BufReader::with_capacity(1 << 18, &file));
        let (fields, tensors) = head.map_err(|error| {
            LocalError::damaged(format!("{} is no sound GGUF: {error}.", path.display()))
        })?;
        Ok(Self { path: path.to_owned(), file: Mutex::new(file), fields, tensors })
    }

    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.get(name)
    }

    /// A field that is a text.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match self.field(name)? {
            Field::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A field that is a whole number.
    pub(crate) fn whole(&self, name: &str) -> Option<usize> {
        match self.field(name)? {
            Field::Whole(whole) => usize::try_from(*whole).ok(),
            _ => None,
        }
    }

    /// A field that is a number.
    pub(crate) fn number(&self, name: &str) -> Option<f32> {
        match self.field(name)? {
            Field::Fraction(number) => Some(*number as f32),
            Field::Whole(whole) => Some(*whole as f32),
            _ => None,
        }
    }

    pub(crate) fn has(&self, tensor: &str) -> bool {
        self.tensors.contains_key(tensor)
    }

    /// The numbers of a tensor, whatever they are stored as.
    pub(crate) fn numbers(&self, tensor: &str) -> Result<Vec<f32>, LocalError> {
        let rows = self.rows(tensor)?;
        let mut numbers = vec![0.0; rows.rows * rows.cols];
        rows.kind.numbers(&rows.bytes, &mut numbers);
        Ok(numbers)
    }

    pub(super) fn rows(&self, name: &str) -> Result<Rows, LocalError> {
        let broken = |why: &str| {
            LocalError::damaged(format!("{}: the tensor {name} {why}.", self.path.display()))
        };
        let tensor = self.tensors.get(name).ok_or_else(|| broken("is not there"))?;
        let kind = Kind::of(tensor.kind).ok_or_else(|| {
            let message = format!(
                "{}: the tensor {name} is stored in a way (GGML type {}) that is not understood here.",
                self.path.display(),
                tensor.kind
            );
            LocalError::unsupported(message).with_advice(
                "Take a file with weights as F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K or Q6_K.",
            )
        })?;
        let cols = tensor.shape.first().copied().unwrap_or(1);
        let rows: usize = tensor.shape.iter().skip(1).product();
        let length = rows.checked_mul(kind.bytes(cols)).filter(|it| *it < 1 << 36);
        let length = length.ok_or_else(|| broken("is absurdly large"))?;
        if !cols.is_multiple_of(kind.block()) {
            return Err(broken("has rows that end within a block"));
        }
        let bytes = self.read(tensor.at, length);
        Ok(Rows { rows, cols, kind, bytes: bytes.map_err(|error| broken(&error.to_string()))? })
    }

    fn read(&self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        // Every read begins with a seek: one that panicked half way left nothing behind.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        let mut bytes = Vec::new();
        (&mut *file).take(length as u64).read_to_end(&mut bytes)?;
        if bytes.len() == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

type Head = (HashMap<String, Field>, HashMap<String, Tensor>);

fn head(file: impl Read + Seek) -> io::Result<Head> {
    let mut bytes = Bytes(file);
    if &bytes.array::<4>()? != b"GGUF" {
        return Err(io::Error::other("it does not begin with GGUF"));
    }
    let version = bytes.u32()?;
    if !(2..=3).contains(&version) {
        return Err(io::Error::other(format!("version {version} is not known")));
    }
    let (tensors, fields) = (bytes.length()?, bytes.length()?);
    let mut found = HashMap::new();
    for _ in 0..fields {
        found.insert(bytes.text()?, bytes.field()?);
    }
    let mut places = HashMap::new();
    for _ in 0..tensors {
        let name = bytes.text()?;
        let dimensions = bytes.u32()?.min(8);
        let shape = (0..dimensions).map(|_| bytes.length()).collect::<io::Result<_>>()?;
        let (kind, at) = (bytes.u32()?, bytes.u64()?);
        places.insert(name, Tensor { shape, kind, at });
    }
    let alignment = match found.get("general.alignment") {
        Some(Field::Whole(alignment)) => u64::try_from(*alignment).unwrap_or(ALIGNMENT).max(1),
        _ => ALIGNMENT,
    };
    let begin = bytes.0.stream_position()?.next_multiple_of(alignment);
    for tensor in places.values_mut() {
        tensor.at = tensor.at.saturating_add(begin);
    }
    Ok((found, places))
}

impl fmt::Debug for Gguf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gguf").field("path", &self.path).finish_non_exhaustive()
    }
}
