//! The [`Form`] of every dialect: one constant each, siblings beside each other.

mod code;
mod json;
mod tags;
mod tokens;

use super::form::{Form, Results, Style, Telling};
use crate::Dialect;

/// How a dialect writes calls and results.
pub(super) fn of(dialect: Dialect) -> Form {
    match dialect {
        Dialect::Auto | Dialect::Generic => GENERIC,
        Dialect::React => REACT,
        Dialect::Hermes | Dialect::Trinity => json::HERMES,
        Dialect::Ernie45 => json::ERNIE45,
        Dialect::Longcat => json::LONGCAT,
        Dialect::Granite20bFc => json::GRANITE20B_FC,
        Dialect::Jamba => json::JAMBA,
        Dialect::HunyuanA13b | Dialect::Apriel => json::HUNYUAN_A13B,
        Dialect::MinimaxM1 => json::MINIMAX_M1,
        Dialect::NemotronV2 => json::NEMOTRON_V2,
        Dialect::Phi4Mini => json::PHI4_MINI,
        Dialect::Firefunction => json::FIREFUNCTION,
        Dialect::Mistral => tokens::MISTRAL,
        Dialect::MistralV11 => tokens::MISTRAL_V11,
        Dialect::MistralV13 => tokens::MISTRAL_V13,
        Dialect::Granite => tokens::GRANITE,
        Dialect::Internlm2 => tokens::INTERNLM2,
        Dialect::CommandR7b | Dialect::CommandA => tokens::COMMAND_R7B,
        Dialect::CommandRPlus => json::COMMAND_RPLUS,
        Dialect::DeepseekV3 => tokens::DEEPSEEK_V3,
        Dialect::DeepseekV31 => tokens::DEEPSEEK_V31,
        Dialect::KimiK2 => tokens::KIMI_K2,
        Dialect::Apertus => tokens::APERTUS,
        Dialect::Gigachat3 => tokens::GIGACHAT3,
        Dialect::Gigachat31 => tokens::GIGACHAT31,
        Dialect::Inkling => tokens::INKLING,
        Dialect::SolarOpen => tokens::SOLAR_OPEN,
        Dialect::Harmony => tokens::HARMONY,
        Dialect::Llama3Json => json::LLAMA3_JSON,
        Dialect::Xlam => ARRAY,
        Dialect::FunctionaryV31 => json::FUNCTIONARY_V31,
        Dialect::FunctionaryV32 => json::FUNCTIONARY_V32,
        Dialect::Qwen3Coder => tags::LINES,
        Dialect::SeedOss => tags::SEED_OSS,
        Dialect::Mimo => tags::MIMO,
        Dialect::Glm45 | Dialect::PoolsideV1 => tags::PAIRS,
        Dialect::Glm47 => tags::GLM47,
        Dialect::HunyuanV3 => tags::HUNYUAN_V3,
        Dialect::MinimaxM2 => tags::MINIMAX_M2,
        Dialect::Anthropic => tags::ANTHROPIC,
        Dialect::Dots => tags::DOTS,
        Dialect::MuseGlimmer => tags::MUSE_GLIMMER,
        Dialect::Step3 => tags::STEP3,
        Dialect::DeepseekV32 => tags::DEEPSEEK_V32,
        Dialect::DeepseekV4 => tags::DEEPSEEK_V4,
        Dialect::Minicpm5 => tags::MINICPM5,
        Dialect::KimiK3 => tags::KIMI_K3,
        Dialect::MinimaxM3 => tags::MINIMAX_M3,
        Dialect::Pythonic => code::PYTHON,
        Dialect::Lfm2 => code::LFM2,
        Dialect::Olmo3 => code::OLMO3,
        Dialect::ToolCode => code::TOOL_CODE,
        Dialect::Functiongemma => code::FUNCTIONGEMMA,
        Dialect::Gemma4 => code::GEMMA4,
    }
}

const GENERIC: Form = Form {
    call: "```json\n{\"tool\": \"$name\", \"params\": $arguments}\n```",
    telling: Telling::Words(AS_DOCUMENTED),
    ..BARE
};

const REACT: Form = Form {
    call: "Action: $name\nAction Input: $arguments",
    results: Results { one: "Observation: $result", between: "\n", ..NAMED },
    telling: Telling::Words(LABELLED_LINES),
    ..BARE
};

/// `{"name": …, "arguments": …}`, without any marker: what most others add theirs to.
const BARE: Form = Form {
    said: "$text\n",
    before: "",
    call: r#"{"name": "$name", "arguments": $arguments}"#,
    between: "\n",
    after: "",
    arguments: Style::Json,
    results: NAMED,
    telling: Telling::Example,
};

/// An array of such objects.
const ARRAY: Form = Form { before: "[", between: ", ", after: "]", ..BARE };

/// The name in front of a JSON object.
const ADJACENT: Form = Form { between: "", ..BARE };

const NAMED: Results =
    Results { before: "", one: "Result of `$name`:\n$result", between: "\n\n", after: "" };
const TOOL_RESPONSE: Results =
    Results { one: "<tool_response>\n$result\n</tool_response>", between: "\n", ..NAMED };

const AS_DOCUMENTED: &str = "To use a tool, respond with a JSON object in the following format:
```json
{
  \"tool\": \"tool_name\",
  \"params\": {
    \"param1\": \"value1\"
  }
}
```";

const LABELLED_LINES: &str = "To use a tool, respond in the following format:
Thought: what to do next, and why
Action: tool_name
Action Input: {\"param1\": \"value1\"}

The result is given to you as an Observation. When you can answer, respond in this format:
Thought: what is known now
Final Answer: the answer";
