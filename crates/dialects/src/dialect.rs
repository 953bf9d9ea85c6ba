//! [`Dialect`]: a form in which a model writes its calls.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Declares the dialects, each once.
macro_rules! dialects {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A form in which a model writes its calls.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum Dialect {
            /// Whatever the text turns out to hold.
            #[default]
            #[serde(rename = "auto")]
            Auto,
            $($(#[$doc])* #[serde(rename = $name)] $variant,)*
        }

        impl Dialect {
            /// Every dialect but [`Dialect::Auto`].
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its name, as in configuration.
            pub fn name(self) -> &'static str {
                match self {
                    Self::Auto => "auto",
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

dialects! {
    /// `{"tool": …, "params": {…}}`, in a fence or bare in prose. For any model.
    Generic = "generic",
    /// Hermes 2 and 3, Qwen 2.5 and 3, Granite 4, SmolLM3 and many fine-tunes.
    Hermes = "hermes",
    /// ERNIE 4.5.
    Ernie45 = "ernie45",
    /// Arcee Trinity.
    Trinity = "trinity",
    /// LongCat-Flash.
    Longcat = "longcat",
    /// Llama 3.1, 3.2 and 3.3.
    Llama3Json = "llama3_json",
    /// Mistral, tokenizer v3.
    Mistral = "mistral",
    /// Mistral, tokenizer v11; Ministral.
    MistralV11 = "mistral_v11",
    /// Mistral, tokenizer v13; Small 3.2.
    MistralV13 = "mistral_v13",
    /// Granite 3.
    Granite = "granite",
    /// Granite 20B function calling.
    Granite20bFc = "granite_20b_fc",
    /// AI21 Jamba.
    Jamba = "jamba",
    /// Hunyuan A13B.
    HunyuanA13b = "hunyuan_a13b",
    /// ServiceNow Apriel 1.5 and 1.6.
    Apriel = "apriel",
    /// MiniMax M1.
    MinimaxM1 = "minimax_m1",
    /// InternLM 2 and 3, Intern-S1.
    Internlm2 = "internlm2",
    /// Phi-4-mini.
    Phi4Mini = "phi4_mini",
    /// FireFunction v2.
    Firefunction = "firefunction",
    /// Command R7B.
    CommandR7b = "command_r7b",
    /// Command A.
    CommandA = "command_a",
    /// Command R and R+.
    CommandRPlus = "command_r_plus",
    /// Functionary v3.1.
    FunctionaryV31 = "functionary_v31",
    /// Functionary v3.2.
    FunctionaryV32 = "functionary_v32",
    /// xLAM.
    Xlam = "xlam",
    /// DeepSeek V3 and R1, Cogito.
    DeepseekV3 = "deepseek_v3",
    /// DeepSeek V3.1.
    DeepseekV31 = "deepseek_v31",
    /// DeepSeek V3.2.
    DeepseekV32 = "deepseek_v32",
    /// DeepSeek V4.
    DeepseekV4 = "deepseek_v4",
    /// Kimi K2.
    KimiK2 = "kimi_k2",
    /// Kimi K3.
    KimiK3 = "kimi_k3",
    /// Apertus.
    Apertus = "apertus",
    /// Nemotron Nano v2.
    NemotronV2 = "nemotron_v2",
    /// GigaChat 3.
    Gigachat3 = "gigachat3",
    /// GigaChat 3.1.
    Gigachat31 = "gigachat31",
    /// Inkling.
    Inkling = "inkling",
    /// Solar Open.
    SolarOpen = "solar_open",
    /// gpt-oss.
    Harmony = "harmony",
    /// Qwen3-Coder, Qwen 3.5, Nemotron 3, Step 3.5 Flash.
    Qwen3Coder = "qwen3_coder",
    /// Seed-OSS.
    SeedOss = "seed_oss",
    /// MiMo V2.
    Mimo = "mimo",
    /// GLM 4.5 and 4.6.
    Glm45 = "glm45",
    /// GLM 4.7, Ling 3.
    Glm47 = "glm47",
    /// Laguna.
    PoolsideV1 = "poolside_v1",
    /// Hunyuan 3.
    HunyuanV3 = "hunyuan_v3",
    /// MiniMax M2.
    MinimaxM2 = "minimax_m2",
    /// MiniMax M3.
    MinimaxM3 = "minimax_m3",
    /// Prompts in the style of Claude, and many fine-tunes.
    Anthropic = "anthropic",
    /// dots.
    Dots = "dots",
    /// Muse Glimmer.
    MuseGlimmer = "muse_glimmer",
    /// MiniCPM 5.
    Minicpm5 = "minicpm5",
    /// Step 3.
    Step3 = "step3",
    /// Llama 4, ToolACE and others that write Python calls.
    Pythonic = "pythonic",
    /// LFM2.
    Lfm2 = "lfm2",
    /// OLMo 3.
    Olmo3 = "olmo3",
    /// Gemma 3 with a Python prompt.
    ToolCode = "tool_code",
    /// FunctionGemma.
    Functiongemma = "functiongemma",
    /// Gemma 4.
    Gemma4 = "gemma4",
    /// `Thought:`, `Action:`, `Action Input:` lines. For any model.
    React = "react",
}

impl Dialect {
    /// Whether its text cannot be read rightly unless the dialect is known: another one looks the
    /// same and means something else.
    pub fn needs_name(self) -> bool {
        matches!(self, Self::FunctionaryV32 | Self::Mimo | Self::React | Self::Trinity)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no dialect of this name.
#[derive(Debug, thiserror::Error)]
#[error("there is no dialect `{0}`; `auto` finds the right one by itself")]
pub struct UnknownDialect(String);

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        let mut all = Self::ALL.iter().copied().chain([Self::Auto]);
        all.find(|it| it.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownDialect(name.to_owned()))
    }
}
