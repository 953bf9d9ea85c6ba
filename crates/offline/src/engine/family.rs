//! [`Family`]: the kinds of models that are understood, and what sets them apart.

use crate::{OfflineError, weights::Gguf};

/// A kind of models. What only some of their weights have (biases, norms of heads) is found by looking for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Llama 2 and 3, SmolLM and SmolLM2, and many others that were built like it.
    Llama,
    /// Qwen 2 and 2.5.
    Qwen2,
    /// Qwen 3, but for those with experts.
    Qwen3,
    /// SmolLM3.
    SmolLm3,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Llama, Self::Qwen2, Self::Qwen3, Self::SmolLm3];

    pub(super) fn read(gguf: &Gguf) -> Result<Self, OfflineError> {
        let name = gguf.text("general.architecture").unwrap_or("none");
        Self::ALL.into_iter().find(|it| it.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            let message = format!("The model is of the architecture {name}.");
            OfflineError::unsupported(message).with_advice(format!(
                "Take a GGUF of one of the architectures that are understood here: {known}."
            ))
        })
    }

    /// What a GGUF calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Llama => "llama",
            Self::Qwen2 => "qwen2",
            Self::Qwen3 => "qwen3",
            Self::SmolLm3 => "smollm3",
        }
    }

    /// Whether a GGUF has the two numbers that turn together next to each other, and not half a head apart.
    pub(super) fn has_neighbours(self) -> bool {
        matches!(self, Self::Llama | Self::SmolLm3)
    }

    /// Whether a layer is told where tokens stand.
    pub(super) fn is_told_places(self, layer: usize) -> bool {
        self != Self::SmolLm3 || !(layer + 1).is_multiple_of(4)
    }
}
