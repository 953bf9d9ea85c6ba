//! [`Quirks`]: what a provider wants differently, as data.

use toolwright_core::OutputStrategy;

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
        Self {
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
        }
    }
}

impl Quirks {
    /// What the provider at this host wants.
    pub fn of(host: &str) -> Self {
        let base = Self::default();
        let is = |domain: &str| host == domain || host.ends_with(&format!(".{domain}"));
        if is("api.openai.com") {
            let (max_tokens, reasons_by_name) = ("max_completion_tokens", true);
            Self { pdf: true, audio: true, max_tokens, reasons_by_name, ..base }
        } else if is("openrouter.ai") {
            Self { pdf: true, audio: true, ..base }
        } else if is("groq.com") {
            Self { named_results: false, ..base }
        } else if is("mistral.ai") {
            Self { required: "any", ..base }
        } else if is("deepseek.com") {
            Self { echo_reasoning: true, images: false, output: OutputStrategy::Prompt, ..base }
        } else {
            base
        }
    }
}
