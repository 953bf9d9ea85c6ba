//! [`CallForm`]: how a call is written.

use crate::prompt::spaced;

/// How a model writes a call. Around it is always JSON with the tool's name and the arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallForm {
    /// `<tool_call>{…}</tool_call>`, as our own was taught.
    #[default]
    Line,
    /// The same in three lines, as Hermes, Qwen and SmolLM3 have it.
    Lines,
    /// `{"name": …, "parameters": {…}}` alone, as Llama 3 has it: one call a turn.
    Bare,
}

impl CallForm {
    /// A call.
    pub(crate) fn call(self, tool: &str, arguments: &str) -> String {
        format!("{}{arguments}{}", self.opening(tool), self.closing())
    }

    /// A call up to its arguments.
    pub(super) fn opening(self, tool: &str) -> String {
        let name = spaced(&tool.into());
        match self {
            Self::Line => format!("<tool_call>{{\"name\": {name}, \"arguments\": "),
            Self::Lines => format!("<tool_call>\n{{\"name\": {name}, \"arguments\": "),
            Self::Bare => format!("{{\"name\": {name}, \"parameters\": "),
        }
    }

    /// What stands behind the arguments.
    pub(super) fn closing(self) -> &'static str {
        match self {
            Self::Line => "}</tool_call>",
            Self::Lines => "}\n</tool_call>",
            Self::Bare => "}",
        }
    }

    /// Whether a turn may have several.
    pub(super) fn has_several(self) -> bool {
        self != Self::Bare
    }
}
