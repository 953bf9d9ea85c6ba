//! [`Vendor`]: a provider as a row of data. A new one is six lines in [`Vendor::ALL`].

use toolwright_core::OutputStrategy;

use super::{Api, Quirks};

/// A provider of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Vendor {
    /// The first half of its models' names.
    pub name: &'static str,
    /// The protocol it speaks.
    pub api: Api,
    /// The root of its API.
    pub base_url: &'static str,
    /// The variables that hold its key, in the order in which they are looked at; none where it wants none.
    pub keys: &'static [&'static str],
    /// What it wants differently.
    pub quirks: Quirks,
}

const fn row(
    name: &'static str,
    base_url: &'static str,
    keys: &'static [&'static str],
    quirks: Quirks,
) -> Vendor {
    Vendor { name, api: Api::Chat, base_url, keys, quirks }
}

const fn of(api: Api, vendor: Vendor) -> Vendor {
    Vendor { api, ..vendor }
}

const DEEPSEEK: Quirks =
    Quirks { echo_reasoning: true, output: OutputStrategy::Prompt, ..Quirks::TEXT };
const GROQ: Quirks = Quirks { named_results: false, ..Quirks::NONE };
const MISTRAL: Quirks = Quirks { required: "any", ..Quirks::NONE };
const THINKERS: Quirks = Quirks { echo_reasoning: true, ..Quirks::NONE };
/// Ollama counts a call's form from the first token: a schema is sent in a turn without tools only.
const NONE: Quirks = Quirks::NONE;

impl Vendor {
    /// OpenAI. Its current models call tools by the Responses API only.
    pub const OPENAI: Self = of(
        Api::Responses,
        row("openai", "https://api.openai.com/v1", &["OPENAI_API_KEY"], Quirks::OPENAI),
    );

    /// Everybody known by name.
    #[rustfmt::skip]
    pub const ALL: &'static [Self] = &[
        Self::OPENAI,
        row("openai-chat", "https://api.openai.com/v1", &["OPENAI_API_KEY"], Quirks::OPENAI),
        of(Api::Messages, row("anthropic", "https://api.anthropic.com/v1", &["ANTHROPIC_API_KEY"], Quirks::PAPERS)),
        of(Api::Gemini, row("gemini", "https://generativelanguage.googleapis.com/v1beta", &["GEMINI_API_KEY", "GOOGLE_API_KEY"], Quirks::ALL_MEDIA)),
        of(Api::Ollama, row("ollama", "http://127.0.0.1:11434", &[], NONE)),
        of(Api::Ollama, row("ollama-cloud", "https://ollama.com", &["OLLAMA_API_KEY"], NONE)),
        row("openrouter", "https://openrouter.ai/api/v1", &["OPENROUTER_API_KEY"], Quirks::ALL_MEDIA),
        row("groq", "https://api.groq.com/openai/v1", &["GROQ_API_KEY"], GROQ),
        row("mistral", "https://api.mistral.ai/v1", &["MISTRAL_API_KEY"], MISTRAL),
        row("deepseek", "https://api.deepseek.com/v1", &["DEEPSEEK_API_KEY"], DEEPSEEK),
        row("xai", "https://api.x.ai/v1", &["XAI_API_KEY"], NONE),
        row("moonshot", "https://api.moonshot.ai/v1", &["MOONSHOT_API_KEY"], THINKERS),
        row("zai", "https://api.z.ai/api/paas/v4", &["ZAI_API_KEY", "ZHIPUAI_API_KEY"], THINKERS),
        row("minimax", "https://api.minimax.io/v1", &["MINIMAX_API_KEY"], NONE),
        row("qwen", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", &["DASHSCOPE_API_KEY"], NONE),
        row("together", "https://api.together.xyz/v1", &["TOGETHER_API_KEY"], NONE),
        row("fireworks", "https://api.fireworks.ai/inference/v1", &["FIREWORKS_API_KEY"], NONE),
        row("cerebras", "https://api.cerebras.ai/v1", &["CEREBRAS_API_KEY"], NONE),
        row("nvidia", "https://integrate.api.nvidia.com/v1", &["NVIDIA_API_KEY"], NONE),
        row("huggingface", "https://router.huggingface.co/v1", &["HF_TOKEN"], NONE),
        row("github", "https://models.github.ai/inference", &["GITHUB_TOKEN"], NONE),
        row("perplexity", "https://api.perplexity.ai", &["PERPLEXITY_API_KEY"], NONE),
        row("lmstudio", "http://127.0.0.1:1234/v1", &[], NONE),
        row("llamacpp", "http://127.0.0.1:8080/v1", &[], NONE),
        row("vllm", "http://127.0.0.1:8000/v1", &[], NONE),
    ];

    /// The one of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|it| it.name == name)
    }

    /// A model's name in its two halves, where the first is a vendor's: `llama3.2:3b` is a name alone.
    pub fn split(name: &str) -> Option<(&'static Self, &str)> {
        let (vendor, model) = name.split_once(':')?;
        Some((Self::named(vendor)?, model)).filter(|_| !model.is_empty())
    }

    /// The one whose API is at this host.
    pub(super) fn of_host(host: &str) -> Option<&'static Self> {
        let is_here = |vendor: &&Self| {
            let theirs = vendor.host();
            // Other hosts of the same domain are the same vendor's, and this machine is nobody's.
            let domain =
                theirs.strip_prefix("api.").filter(|it| it.contains('.')).unwrap_or(theirs);
            !theirs.starts_with("127.")
                && (host == theirs || host == domain || is_below(host, domain))
        };
        Self::ALL.iter().find(is_here)
    }

    /// The host of its API.
    pub fn host(&self) -> &'static str {
        let rest = self.base_url.split_once("://").map_or(self.base_url, |(_, rest)| rest);
        rest.split(['/', ':']).next().unwrap_or(rest)
    }

    /// Whether it wants a key.
    pub fn needs_key(&self) -> bool {
        !self.keys.is_empty()
    }
}

fn is_below(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::Vendor;

    #[test]
    fn names_are_told_from_tags() {
        let split = |name| Vendor::split(name).map(|(vendor, model)| (vendor.name, model));
        assert_eq!(split("anthropic:claude"), Some(("anthropic", "claude")));
        assert_eq!(split("ollama:qwen3:8b"), Some(("ollama", "qwen3:8b")));
        assert_eq!(split("llama3.2:3b"), None);
        assert_eq!(split("anthropic:"), None);
    }

    #[test]
    fn hosts_are_told_by_their_domain() {
        let of = |host| Vendor::of_host(host).map(|it| it.name);
        assert_eq!(of("api.openai.com"), Some("openai"));
        assert_eq!(of("eu.api.openai.com"), Some("openai"));
        assert_eq!(of("api.deepseek.com"), Some("deepseek"));
        assert_eq!(of("openrouter.ai"), Some("openrouter"));
        assert_eq!(of("notopenrouter.ai"), None);
        assert_eq!(of("127.0.0.1"), None);
    }

    #[test]
    fn every_row_can_be_used() {
        for vendor in Vendor::ALL {
            let config = super::super::EndpointConfig::of(vendor, "m").with_key("k");
            assert!(super::super::Endpoint::new(config).is_ok(), "{}", vendor.name);
            assert!(!vendor.name.contains(':'));
        }
    }
}
