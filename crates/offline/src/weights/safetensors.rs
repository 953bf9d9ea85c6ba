//! [`Safetensors`]: a file of named tensors.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

use super::{blocks::word, half::from_half};
use crate::OfflineError;

/// A file of named tensors, in memory.
pub(super) struct Safetensors<'a> {
    tensors: HashMap<String, Tensor>,
    /// What the file says about itself.
    pub(super) about: HashMap<String, String>,
    data: &'a [u8],
}

#[derive(Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

/// A tensor of two dimensions, as numbers.
pub(super) struct Table {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) numbers: Vec<f32>,
}

impl<'a> Safetensors<'a> {
    pub(super) fn new(file: &'a [u8]) -> Result<Self, OfflineError> {
        let sound = || {
            let (length, rest) = file.split_first_chunk::<8>()?;
            let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
            let (head, data) = rest.split_at_checked(length)?;
            let mut head: HashMap<String, Value> = serde_json::from_slice(head).ok()?;
            let about = head.remove("__metadata__").map(serde_json::from_value);
            let about = about.transpose().ok()?.unwrap_or_default();
            let tensors =
                head.into_iter().map(|(name, it)| Some((name, serde_json::from_value(it).ok()?)));
            Some(Self { tensors: tensors.collect::<Option<_>>()?, about, data })
        };
        sound().ok_or_else(|| OfflineError::damaged("The adapter is no file of safetensors."))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    /// A tensor as numbers: of 32 or 16 bits, or of eight with a scale for each row, which is the
    /// tensor of the same name with `.scale` at its end.
    pub(super) fn table(&self, name: &str) -> Result<Table, OfflineError> {
        let broken = |why: &str| OfflineError::damaged(format!("The adapter's {name} {why}."));
        let tensor = self.tensors.get(name).ok_or_else(|| broken("is not there"))?;
        let [begin, end] = tensor.data_offsets;
        let bytes = self.data.get(begin..end).ok_or_else(|| broken("is beyond the file's end"))?;
        let rows = tensor.shape.first().copied().unwrap_or(1);
        let cols = tensor.shape.iter().skip(1).try_fold(1_usize, |cols, it| cols.checked_mul(*it));
        let many = cols.and_then(|cols| rows.checked_mul(cols));
        let (Some(cols), Some(many)) = (cols, many) else {
            return Err(broken("is absurdly large"));
        };
        let mut numbers: Vec<f32> = match tensor.dtype.as_str() {
            "F16" => bytes.chunks_exact(2).map(|it| from_half(word(it, 0))).collect(),
            "BF16" => bytes
                .chunks_exact(2)
                .map(|it| f32::from_bits(u32::from(word(it, 0)) << 16))
                .collect(),
            "F32" => bytes.as_chunks().0.iter().map(|it| f32::from_le_bytes(*it)).collect(),
            "I8" => bytes.iter().map(|it| f32::from(*it as i8)).collect(),
            _ => return Err(broken("has numbers of an unknown kind")),
        };
        if numbers.len() != many || numbers.is_empty() {
            return Err(broken("has not as many numbers as it says"));
        }
        if tensor.dtype == "I8" {
            let scales = self.table(&format!("{name}.scale"))?.numbers;
            if scales.len() != rows {
                return Err(broken("has not one scale for each row"));
            }
            for (row, scale) in numbers.chunks_exact_mut(cols).zip(scales) {
                row.iter_mut().for_each(|it| *it *= scale);
            }
        }
        Ok(Table { rows, cols, numbers })
    }
}
