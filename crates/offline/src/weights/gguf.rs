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
use crate::{OfflineError, OfflineErrorKind};

/// Where tensors begin, unless the file says otherwise.
const ALIGNMENT: u64 = 32;
/// What the format allows, twice over.
const MOST_DIMENSIONS: u32 = 8;

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
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OfflineError> {
        let path = path.as_ref();
        // Whoever names a pipe or a terminal must not make this wait for its other end.
        let opened = Opened::new(path, Links::Followed).map_err(|error| {
            let message = format!("{} cannot be read: {error}.", path.display());
            OfflineError::new(OfflineErrorKind::Missing, message)
        })?;
        let (size, file) = (opened.about().len(), opened.into_file());
        let head = head(BufReader::with_capacity(1 << 18, &file), size);
        let (fields, tensors) = head.map_err(|error| {
            OfflineError::damaged(format!("{} is no sound GGUF: {error}.", path.display()))
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
    pub(crate) fn numbers(&self, tensor: &str) -> Result<Vec<f32>, OfflineError> {
        let rows = self.rows(tensor)?;
        let mut numbers = vec![0.0; rows.rows * rows.cols];
        rows.kind.numbers(&rows.bytes, &mut numbers);
        Ok(numbers)
    }

    pub(super) fn rows(&self, name: &str) -> Result<Rows, OfflineError> {
        let broken = |why: &str| {
            OfflineError::damaged(format!("{}: the tensor {name} {why}.", self.path.display()))
        };
        let tensor = self.tensors.get(name).ok_or_else(|| broken("is not there"))?;
        let kind = Kind::of(tensor.kind).ok_or_else(|| {
            let message = format!(
                "{}: the tensor {name} is stored in a way (GGML type {}) that is not understood here.",
                self.path.display(),
                tensor.kind
            );
            OfflineError::unsupported(message).with_advice(
                "Take a file with weights as F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K or Q6_K.",
            )
        })?;
        let cols = tensor.shape.first().copied().unwrap_or(1);
        // As many as this are in the file, so that their product is no surprise.
        let length = kind.size(&tensor.shape).ok_or_else(|| broken("has no sound size"))?;
        let rows: usize = tensor.shape.iter().skip(1).product();
        let bytes = self.read(tensor.at, length);
        Ok(Rows { rows, cols, kind, bytes: bytes.map_err(|error| broken(&error.to_string()))? })
    }

    fn read(&self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        // Every read begins with a seek: one that panicked half way left nothing behind.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        // All tensors together are no larger than the file.
        let mut bytes = Vec::with_capacity(length);
        (&mut *file).take(length as u64).read_to_end(&mut bytes)?;
        if bytes.len() == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

type Head = (HashMap<String, Field>, HashMap<String, Tensor>);

fn head(file: impl Read, size: u64) -> io::Result<Head> {
    let mut bytes = Bytes::new(file, size);
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
        let dimensions = bytes.u32()?;
        if dimensions > MOST_DIMENSIONS {
            return Err(io::Error::other(format!("a tensor has {dimensions} dimensions")));
        }
        let shape = (0..dimensions).map(|_| bytes.dimension()).collect::<io::Result<_>>()?;
        let (kind, at) = (bytes.u32()?, bytes.u64()?);
        if places.insert(name, Tensor { shape, kind, at }).is_some() {
            return Err(io::Error::other("two tensors have the same name"));
        }
    }
    let alignment = match found.get("general.alignment") {
        Some(Field::Whole(alignment)) => u64::try_from(*alignment).unwrap_or(ALIGNMENT).max(1),
        _ => ALIGNMENT,
    };
    let begin = (size - bytes.left().min(size)).checked_next_multiple_of(alignment);
    let begin = begin.ok_or_else(|| io::Error::other("its alignment is absurd"))?;
    for tensor in places.values_mut() {
        tensor.at = tensor.at.saturating_add(begin);
    }
    if are_in(&places, size.saturating_sub(begin)) {
        return Ok((found, places));
    }
    Err(io::Error::other("its tensors are larger than what follows its head"))
}

/// Whether all tensors together take no more than so many bytes. Were each only held against the file's
/// end, thousands could be the same bytes: a small file would fill all memory.
fn are_in(tensors: &HashMap<String, Tensor>, bytes: u64) -> bool {
    // What has no sound size is refused when it is asked for.
    let mut sizes = tensors.values().filter_map(|it| Kind::of(it.kind)?.size(&it.shape));
    let all = sizes.try_fold(0_u64, |all, size| all.checked_add(u64::try_from(size).ok()?));
    all.is_some_and(|all| all <= bytes)
}

impl fmt::Debug for Gguf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gguf").field("path", &self.path).finish_non_exhaustive()
    }
}
