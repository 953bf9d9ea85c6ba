//! [`Adapter`]: what was taught on top of a model's weights.

use std::{collections::HashMap, sync::Arc};

use super::{
    matrix::Matrix,
    safetensors::{Safetensors, Table},
};
use crate::OfflineError;

/// What was taught on top of a model's weights: to each of its matrices, a product of two thin ones
/// is added. It is kept beside the weights, so that these stay as small and as exact as they are.
pub struct Adapter {
    /// By the names that the matrices have in the file, without what tells the two apart.
    pairs: HashMap<String, Pair>,
}

/// Two thin matrices, through which a vector goes one after the other. Cloning them costs nothing.
#[derive(Clone)]
pub(crate) struct Pair {
    pub(crate) down: Arc<Matrix>,
    pub(crate) up: Arc<Matrix>,
}

impl Adapter {
    /// Reads a file of safetensors with tables `….lora_a` and `….lora_b`. What they say together is
    /// taken times the `scale` that the file names, or times 2.
    ///
    /// # Errors
    /// `Damaged` where it is no such file.
    pub fn new(file: &[u8]) -> Result<Self, OfflineError> {
        let file = Safetensors::new(file)?;
        let scale = file.about.get("scale").map_or(Ok(2.0), |it| it.parse::<f32>());
        let scale =
            scale.map_err(|_| OfflineError::damaged("The adapter's scale is no number."))?;
        let names = file.names().filter_map(|name| name.strip_suffix(".lora_a"));
        let pairs = names.map(|name| {
            let down = file.table(&format!("{name}.lora_a"))?;
            let mut up = file.table(&format!("{name}.lora_b"))?;
            if down.rows != up.cols || !down.rows.is_multiple_of(16) {
                let message = format!("The adapter's halves of {name} do not fit.");
                return Err(OfflineError::damaged(message));
            }
            up.numbers.iter_mut().for_each(|it| *it *= scale);
            // At once: as plain numbers they are four times as large, and what is freed among what stays is not given back.
            let matrix = |it: &Table| Arc::new(Matrix::of_numbers(it.rows, it.cols, &it.numbers));
            Ok((name.to_owned(), Pair { down: matrix(&down), up: matrix(&up) }))
        });
        Ok(Self { pairs: pairs.collect::<Result<_, _>>()? })
    }

    /// How many matrices it adds to.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether it adds to none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// What it adds to the matrix of this name, which takes and makes so many numbers.
    pub(crate) fn pair(
        &self,
        name: &str,
        takes: usize,
        makes: usize,
    ) -> Result<Option<Pair>, OfflineError> {
        let Some(pair) = self.pairs.get(name) else { return Ok(None) };
        if pair.down.cols() != takes || pair.up.rows() != makes {
            let message = format!("The adapter does not fit this model: {name} has another size.");
            return Err(OfflineError::damaged(message));
        }
        Ok(Some(pair.clone()))
    }
}

impl std::fmt::Debug for Adapter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Adapter").field("matrices", &self.len()).finish()
    }
}
