//! Texts that nobody writes, unless to make a reader work: each has cost some parser dearly. The
//! tests read them, too.

use serde_json::json;
use toolwright_dialects::{Dialect, KnownTools};

/// A text of one kind, as long as one likes.
pub(crate) struct Flood {
    /// Before the flood.
    pub(crate) opening: &'static str,
    /// What it is a flood of.
    pub(crate) unit: &'static str,
    /// Behind the flood.
    pub(crate) closing: &'static str,
    /// Who would be flooded by it, besides [`Dialect::Auto`].
    pub(crate) dialect: Dialect,
}

impl Flood {
    pub(crate) fn text(&self, size: usize) -> String {
        let units = size.saturating_sub(self.opening.len() + self.closing.len()) / self.unit.len();
        [self.opening, &self.unit.repeat(units), self.closing].concat()
    }
}

/// The tools that are on offer in a flood.
pub(crate) fn tools() -> KnownTools {
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "string"}, "n": {"type": "integer"}, "l": {"type": "array"}, "x": {},
    }});
    KnownTools::new([("add", schema)])
}

const fn flood(dialect: Dialect, unit: &'static str) -> Flood {
    Flood { opening: "", unit, closing: "", dialect }
}

const fn behind(dialect: Dialect, opening: &'static str, unit: &'static str) -> Flood {
    Flood { opening, unit, closing: "", dialect }
}

const fn within(
    dialect: Dialect,
    opening: &'static str,
    unit: &'static str,
    closing: &'static str,
) -> Flood {
    Flood { opening, unit, closing, dialect }
}

use Dialect as D;

const CALL: &str = "<tool_call>{\"name\":\"add\",\"arguments\":{\"a\":\"1\"}}</tool_call>";
const DEEP: &str = "<tool_call>{\"name\":\"add\",\"arguments\":{\"a\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\
     [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\
     [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\
     [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\
     [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[0";

/// The floods.
pub(crate) const FLOODS: &[Flood] = &[
    // Beginnings of nothing.
    flood(D::Hermes, "<"),
    flood(D::DeepseekV3, "<|"),
    flood(D::DeepseekV3, "<｜"),
    flood(D::Mistral, "["),
    flood(D::Generic, "{"),
    flood(D::Generic, "{\""),
    flood(D::Generic, "{ "),
    flood(D::Generic, "[{"),
    flood(D::MinimaxM3, "]<]"),
    flood(D::MinimaxM3, "]<]minimax[>["),
    flood(D::FunctionaryV32, ">"),
    flood(D::FunctionaryV32, ">>>add"),
    flood(D::Hermes, "<tool_call:"),
    flood(D::Hermes, "<tool_call "),
    behind(D::Hermes, "<tool_call:", "v2"),
    behind(D::Internlm2, "<|action_start|>", "\n"),
    flood(D::Generic, "\n"),
    flood(D::Generic, " "),
    flood(D::Generic, "\\"),
    flood(D::Harmony, "</s> "),
    flood(D::Harmony, "<|im_end|>\nx"),
    // Code.
    flood(D::Generic, "`"),
    flood(D::Generic, "` "),
    flood(D::Generic, "``` "),
    flood(D::Generic, "```\n"),
    flood(D::Generic, "```json\n"),
    flood(D::Generic, "```json\n{"),
    behind(D::Generic, "`", "{"),
    behind(D::Generic, "`", "x``"),
    behind(D::Generic, "```rust\n", "{"),
    behind(D::ToolCode, "```tool_code\n", "add("),
    // Openers again and again.
    flood(D::Hermes, "<tool_call>"),
    flood(D::Hermes, "<tool_call>{\"a\":"),
    flood(D::Hermes, "<tool_call>{\"name\":\"add\",\"arguments\":{"),
    flood(D::Hermes, "<tool_call>add"),
    flood(D::Hermes, "<tool_call>\n<tool_call>{}"),
    flood(D::Hermes, "</tool_call>"),
    behind(D::Hermes, "<tool_call>", "\\n"),
    flood(D::Mistral, "[TOOL_CALLS]"),
    flood(D::MistralV11, "[TOOL_CALLS]add"),
    flood(D::Phi4Mini, "functools"),
    flood(D::Phi4Mini, "functools["),
    flood(D::Phi4Mini, "functools[{\"name\":"),
    flood(D::DeepseekV3, "<|tool_calls_begin|>"),
    flood(D::DeepseekV3, "<|tool_call_begin|>function"),
    flood(D::KimiK2, "<|tool_call_begin|>functions.add:0"),
    flood(D::Harmony, "<|channel|>"),
    flood(D::Harmony, "<|start|>assistant to=functions.add"),
    flood(D::Harmony, "<|channel|>analysis<|message|>"),
    flood(D::KimiK3, "<|open|>call "),
    flood(D::Gemma4, "<|tool_call>call:add{"),
    flood(D::SolarOpen, "<|tool_call:begin|>"),
    flood(D::Apertus, "<|tools_prefix|>[{"),
    flood(D::Qwen3Coder, "<function=add>"),
    flood(D::Qwen3Coder, "<function=add><parameter=a>"),
    flood(D::Anthropic, "<invoke name=\""),
    flood(D::Anthropic, "<invoke name=\"add\"><parameter name=\"a\">"),
    flood(D::Glm45, "<tool_call>add<arg_key>"),
    flood(D::React, "\nThought:"),
    flood(D::React, "\nAction:"),
    flood(D::React, "\nAction: add\n"),
    flood(D::React, "\nAction: add\nAction Input: "),
    flood(D::CommandRPlus, "\nAction: ```json\n["),
    flood(D::Pythonic, "[add("),
    flood(D::Pythonic, "[add(a="),
    behind(D::Pythonic, "", "add(a=1, "),
    // Values.
    behind(D::Qwen3Coder, "<function=add><parameter=a>", "</parameter>"),
    behind(D::Qwen3Coder, "<function=add><parameter=a>", "</parameter> x"),
    behind(D::Qwen3Coder, "<function=add><parameter=a>", "</parameter>\n\n\n\n\n\n\n\n"),
    behind(D::Qwen3Coder, "<function=add><parameter=a>", "<"),
    behind(D::Qwen3Coder, "<function=add>", "<parameter=a>1</parameter>"),
    within(D::Qwen3Coder, "<function=add><parameter=n>", "1", "</parameter></function>"),
    within(D::Qwen3Coder, "<function=add><parameter=l>", "[", "</parameter></function>"),
    within(D::Mimo, "<function=add><parameter=a>", "&lt;", "</parameter></function>"),
    within(D::Mimo, "<function=add><parameter=a>", "&", "</parameter></function>"),
    behind(D::Minicpm5, "<function name=\"add\"><param name=\"a\"><![CDATA[", "]"),
    behind(D::Minicpm5, "<function name=\"add\"><param name=\"a\"><![CDATA[", "]]>"),
    behind(D::Glm45, "<tool_call>add<arg_key>a</arg_key><arg_value>", "</arg_value>"),
    behind(D::Glm45, "<tool_call>add", "<arg_key>a</arg_key>"),
    behind(D::Gemma4, "<|tool_call>call:add{a:<|\"|>", "<|\"|"),
    behind(
        D::MinimaxM3,
        "]<]minimax[>[<tool_call>]<]minimax[>[<invoke name=\"add\">",
        "]<]minimax[>[<a>",
    ),
    behind(D::KimiK3, "<|open|>call tool=\"add\"<|sep|>", "<|close|>"),
    within(D::Generic, "{\"tool\":\"add\",\"params\":{\"a\":\"", "word ", "\"}}"),
    within(D::Generic, "{\"tool\":\"add\",\"params\":{\"a\":\"", "\\\\", "\"}}"),
    within(D::Generic, "{\"tool\":\"add\",\"params\":{\"a\":\"", "\\u00e9", "\"}}"),
    within(D::Generic, "{\"tool\":\"add\",\"params\":{\"a\":\"", "\n", "\"}}"),
    within(D::Generic, "{\"tool\":\"add\",\"params\":{\"x\":", "1", "}}"),
    within(D::Generic, "{\"tool\":\"add\",\"params\":\"", "{\\\"a\\\":", "\"}}"),
    behind(D::Generic, "{\"tool\":\"add\",\"params\":{\"l\":", "["),
    behind(D::Generic, "{\"tool\":\"add\",\"params\":", "{\"a\":"),
    behind(D::Generic, "{\"tool\":\"add\",\"params\":{", "\"a\":1,"),
    behind(D::Generic, "{\"tool\":\"add\",\"params\":{", "//\n"),
    behind(D::Generic, "{\"tool\":\"add\",\"params\":{", "/*/"),
    behind(D::Generic, "{\"tool\":\"add\",\"params\":{", ","),
    flood(D::Generic, "{\"tool\":"),
    flood(D::Generic, "{\"tool\":\"no\","),
    flood(D::Generic, "{\"tool\":\"add\","),
    flood(D::Generic, "{\"id\":{"),
    flood(D::Generic, "{\"tool\":\"add\",\"params\":{}},"),
    behind(D::Generic, "{\"tool_calls\":[", "{\"tool\":\"add\"},"),
    behind(D::Hermes, DEEP, ")"),
    behind(D::Hermes, DEEP, "]"),
    // Reasoning that is never closed, or closed after all.
    behind(D::Hermes, "<think>", CALL),
    within(D::Hermes, "<think>", CALL, "</think>"),
    flood(D::Hermes, "<think><tool_call>{\"name\":\"add\"}</tool_call></think>"),
    behind(D::Hermes, "<think>", "<tool_call>"),
    behind(D::Hermes, "<think>", "<tool_call>{} "),
    behind(D::Generic, "<think>", "{"),
    behind(D::Generic, "<think>", "{\"tool\":\"no\"} "),
    flood(D::Hermes, "<think>"),
    flood(D::Hermes, "<think></think>"),
];
