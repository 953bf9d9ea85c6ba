//! [`Api`]: the protocols in which models are asked.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::Protocol;
use crate::{
    anthropic::Messages, gemini::GenerateContent, ollama::OllamaChat, openai::ChatCompletions,
    responses::Responses,
};

/// A protocol in which models are asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Api {
    /// OpenAI's Chat Completions, which most servers speak.
    #[default]
    Chat,
    /// OpenAI's Responses.
    Responses,
    /// Anthropic's Messages.
    Messages,
    /// Gemini's generateContent.
    Gemini,
    /// Ollama's own.
    Ollama,
}

impl Api {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Chat, Self::Responses, Self::Messages, Self::Gemini, Self::Ollama];

    /// Its name, as settings have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Responses => "responses",
            Self::Messages => "messages",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }

    pub(crate) fn protocol(self) -> &'static dyn Protocol {
        match self {
            Self::Chat => &ChatCompletions,
            Self::Responses => &Responses,
            Self::Messages => &Messages,
            Self::Gemini => &GenerateContent,
            Self::Ollama => &OllamaChat,
        }
    }
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Api {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|it| it.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("there is no API `{text}`: use one of {names}")
        })
    }
}
