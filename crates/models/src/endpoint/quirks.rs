//! [`Quirks`]: what a provider wants differently, as data.

use toolwright_core::OutputStrategy;

use super::Vendor;

/// What a provider wants differently from OpenAI. Known hosts get theirs by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quirks {
    /// What stands for the content of a message that only calls tools.
    pub silence: EmptyContent,
    /// Whether a result carries its tool's name. OpenAI ignores it, others want it.
    pub named_results: bool,
    /// The word for `tool_choice: required`.
    pub required: &'static str,
    /// Whether the model's reasoning goes back to it within a run.
    pub echo_reasoning: bool,
    /// Whether messages may have pictures in them.
    pub images: bool,
    /// Whether messages may have PDFs in them.
    pub pdf: bool,
    /// Whether messages may have sounds in them.
    pub audio: bool,
    /// How an answer gets its form.
    pub output: OutputStrategy,
    /// What the longest reply is called.
    pub max_tokens: &'static str,
    /// Whether names of models tell which of them reason.
    pub reasons_by_name: bool,
    /// What to say about calls side by side; nothing where the provider's default will do.
    pub parallel_tool_calls: Option<bool>,
}

/// What stands for the content of a message that only calls tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyContent {
    /// `null`.
    Null,
    /// `""`.
    Empty,
}

impl Default for Quirks {
    fn default() -> Self {
        Self::NONE
    }
}

impl Quirks {
    /// What an OpenAI-compatible server wants that nothing is known of.
    pub const NONE: Self = Self {
        silence: EmptyContent::Null,
        named_results: true,
        required: "required",
        echo_reasoning: false,
        images: true,
        pdf: false,
        audio: false,
        output: OutputStrategy::Native,
        max_tokens: "max_tokens",
        reasons_by_name: false,
        parallel_tool_calls: None,
    };
    /// A server that takes PDFs and sounds as well.
    pub(super) const ALL_MEDIA: Self = Self { pdf: true, audio: true, ..Self::NONE };
    /// OpenAI's own.
    pub(super) const OPENAI: Self =
        Self { max_tokens: "max_completion_tokens", reasons_by_name: true, ..Self::ALL_MEDIA };
    /// One that takes pictures and PDFs.
    pub(super) const PAPERS: Self = Self { pdf: true, ..Self::NONE };
    /// One whose models only read text.
    pub(super) const TEXT: Self = Self { images: false, ..Self::NONE };

    /// What the provider at this host wants.
    pub fn of(host: &str) -> Self {
        Vendor::of_host(host).map(|it| it.quirks).unwrap_or_default()
    }
}
