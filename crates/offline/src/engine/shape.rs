//! [`Shape`]: the measures of a model.

use super::{Family, attention::LONGEST};
use crate::{OfflineError, weights::Gguf};

/// The measures of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// What kind of model it is.
    pub family: Family,
    /// How many layers there are.
    pub layers: usize,
    /// How many numbers stand for a token between layers.
    pub width: usize,
    /// How many numbers its feed-forward part has.
    pub hidden: usize,
    /// How many heads ask.
    pub heads: usize,
    /// How many heads answer; several that ask share one.
    pub shared: usize,
    /// How many numbers a head has.
    pub head: usize,
    /// How many tokens it was taught to read.
    pub context: usize,
    /// What keeps a division from being one by nothing.
    pub epsilon: f32,
    /// What positions are powers of.
    pub base: f32,
}

impl Shape {
    pub(super) fn read(gguf: &Gguf) -> Result<Self, OfflineError> {
        let family = Family::read(gguf)?;
        let key = |name: &str| format!("{}.{name}", family.name());
        let whole = |name: &str| gguf.whole(&key(name)).filter(|it| *it > 0);
        let needed = |name: &str| {
            whole(name)
                .ok_or_else(|| OfflineError::damaged(format!("The model does not say its {name}.")))
        };
        let (width, heads) = (needed("embedding_length")?, needed("attention.head_count")?);
        let shape = Self {
            family,
            layers: needed("block_count")?,
            width,
            hidden: needed("feed_forward_length")?,
            heads,
            shared: whole("attention.head_count_kv").unwrap_or(heads),
            head: whole("attention.key_length").unwrap_or(width / heads),
            context: needed("context_length")?,
            epsilon: gguf.number(&key("attention.layer_norm_rms_epsilon")).unwrap_or(1e-5),
            base: gguf.number(&key("rope.freq_base")).unwrap_or(10_000.0),
        };
        let turned = whole("rope.dimension_count").unwrap_or(shape.head);
        if !heads.is_multiple_of(shape.shared)
            || shape.head == 0
            || !shape.head.is_multiple_of(16)
            || shape.head > LONGEST
            || heads.checked_mul(shape.head).is_none()
            || turned != shape.head
            || whole("attention.value_length").is_some_and(|it| it != shape.head)
        {
            return Err(OfflineError::unsupported("The model's heads are of an unusual kind."));
        }
        Ok(shape)
    }

    /// How many numbers the heads that answer have together.
    pub(super) fn shared_width(&self) -> usize {
        self.shared * self.head
    }
}
