//! The tables: which markers and which forms make up each dialect. How patterns are spelt is told
//! in [`crate::marker`].

use super::{
    Body::{
        Braces, Element, Function, Header, Keyed, Message, Mistral, Nested, PythonTag, Section,
        Solar, Typed, Wrapper, Xtml,
    },
    Form,
    Token::{self, Answer, Call, EndOfTurn, Mark, Quiet, Think},
};
use crate::Dialect as D;

type Entry = (&'static str, Token);
type Group = &'static [Entry];

/// Known in every dialect.
pub(super) const COMMON: Group = &[
    ("<think>", Think(&["</think>"])),
    ("</think>", Mark("</think>")),
    ("<|im_end|>", EndOfTurn),
    ("<|eot_id|>", EndOfTurn),
    ("<|eom_id|>", EndOfTurn),
    ("<|endoftext|>", EndOfTurn),
    ("<|end_of_text|>", EndOfTurn),
    ("<|end_of_sentence|>", EndOfTurn),
    ("<|END_OF_TURN_TOKEN|>", EndOfTurn),
    ("<|observation|>", EndOfTurn),
    ("<|user|>", EndOfTurn),
    ("<end_of_turn>", EndOfTurn),
    ("</s>", EndOfTurn),
];

const fn wrapper(close: &'static str, dialect: D) -> Token {
    Call(Wrapper { close, dialect })
}

const TOOL_CALL: Group = &[
    ("<tool_call…>", wrapper("</tool_call>", D::Hermes)),
    ("</tool_call…>", Mark("</tool_call>")),
];
const TOOL_CALLS: Group = &[
    ("<tool_calls…>", wrapper("</tool_calls>", D::Jamba)),
    ("</tool_calls…>", Mark("</tool_calls>")),
];
const FUNCTION: Group = &[
    ("<function=", Call(Function)),
    ("<function =", Call(Function)),
    ("</function>", Mark("</function>")),
];
const ANSWERS: Group = &[
    ("<response>", Answer("</response>")),
    ("</response>", Mark("</response>")),
    ("<answer>", Answer("</answer>")),
    ("</answer>", Mark("</answer>")),
];
const LONGCAT: Group = &[
    ("<longcat_tool_call>", wrapper("</longcat_tool_call>", D::Longcat)),
    ("</longcat_tool_call>", Mark("</longcat_tool_call>")),
];
const GRANITE_20B: Group = &[
    ("<function_call>", wrapper("</function_call>", D::Granite20bFc)),
    ("</function_call>", Mark("</function_call>")),
];
const BARRED: Group = &[
    ("<|tool_call|>", wrapper("<|/tool_call|>", D::Granite)),
    ("<|/tool_call|>", Mark("<|/tool_call|>")),
];
const FINAL: Group = &[("[BEGIN FINAL RESPONSE]", Mark("[BEGIN FINAL RESPONSE]"))];
const TOOLCALL: Group =
    &[("<TOOLCALL>", wrapper("</TOOLCALL>", D::NemotronV2)), ("</TOOLCALL>", Mark("</TOOLCALL>"))];
const MISTRAL: Group = &[
    ("[TOOL_CALLS]", Call(Mistral)),
    ("[THINK]", Think(&["[/THINK]"])),
    ("[/THINK]", Mark("[/THINK]")),
];
const PLUGIN: Group = &[
    ("<|action_start|>·<|plugin|>", wrapper("<|action_end|>", D::Internlm2)),
    ("<|action_end|>", Mark("<|action_end|>")),
];
const COHERE: Group = &[
    ("<|START_ACTION|>", wrapper("<|END_ACTION|>", D::CommandR7b)),
    ("<|END_ACTION|>", Mark("<|END_ACTION|>")),
    ("<|START_THINKING|>", Think(&["<|END_THINKING|>"])),
    ("<|END_THINKING|>", Mark("<|END_THINKING|>")),
    ("<|START_RESPONSE|>", Quiet(&["<|END_RESPONSE|>"])),
    ("<|END_RESPONSE|>", Mark("<|END_RESPONSE|>")),
    ("<|START_TEXT|>", Quiet(&["<|END_TEXT|>"])),
    ("<|END_TEXT|>", Mark("<|END_TEXT|>")),
];
/// DeepSeek, Kimi K2 and Step 3 differ only in what stands in the header.
const HEADERS: Group = &[
    ("<|tool_calls_begin|>", Call(Section("<|tool_calls_end|>"))),
    ("<|tool_calls_end|>", Mark("<|tool_calls_end|>")),
    ("<|tool_calls_section_begin|>", Call(Section("<|tool_calls_section_end|>"))),
    ("<|tool_calls_section_end|>", Mark("<|tool_calls_section_end|>")),
    ("<|tool_call_section_begin|>", Call(Section("<|tool_call_section_end|>"))),
    ("<|tool_call_section_end|>", Mark("<|tool_call_section_end|>")),
    ("<|tool_call_begin|>", Call(Header)),
    ("<|tool_call_end|>", Mark("<|tool_call_end|>")),
];
const APERTUS: Group = &[
    ("<|tools_prefix|>", Call(Keyed)),
    ("<|tools_suffix|>", Mark("<|tools_suffix|>")),
    ("<|inner_prefix|>", Think(&["<|inner_suffix|>"])),
    ("<|inner_suffix|>", Mark("<|inner_suffix|>")),
];
const GIGACHAT: Group = &[
    ("<|message_sep|>·function call<|role_sep|>", wrapper("</s>", D::Gigachat3)),
    ("<|function_call|>", wrapper("</s>", D::Gigachat31)),
];
const INKLING: Group = &[
    ("<|message_model|>", Call(Typed)),
    ("<|content_invoke_tool_json|>", wrapper("<|end_message|>", D::Inkling)),
    ("<|content_text|>", Quiet(&["<|end_message|>"])),
    ("<|content_thinking|>", Think(&["<|end_message|>"])),
    ("<|end_message|>", Mark("<|end_message|>")),
];
const SOLAR: Group = &[
    ("<|begin|>assistant", Mark("<|begin|>")),
    ("<|tool_calls|>", Mark("<|tool_calls|>")),
    ("<|tool_call:begin|>", Call(Solar)),
    ("<|tool_call:end|>", Mark("<|tool_call:end|>")),
    ("<|think|>", Think(&["<|end|>"])),
    ("<|content|>", Quiet(&["<|end|>"])),
    ("<|end|>", Mark("<|end|>")),
];
/// gpt-oss and Muse Glimmer: messages with a header.
const MESSAGES: Group = &[
    ("<|start|>", Call(Message)),
    ("<|channel|>", Call(Message)),
    ("<|end|>", Mark("<|end|>")),
    ("<|return|>", Mark("<|return|>")),
    ("<|call|>", Mark("<|call|>")),
    ("<|eom|>", Mark("<|eom|>")),
    ("<|eot|>", Mark("<|eot|>")),
];
const PYTHON_TAG: Group = &[("<|python_tag|>", Call(PythonTag))];
const SEED: Group = &[
    ("<seed:tool_call>", wrapper("</seed:tool_call>", D::SeedOss)),
    ("</seed:tool_call>", Mark("</seed:tool_call>")),
    ("<seed:think>", Think(&["</seed:think>"])),
    ("</seed:think>", Mark("</seed:think>")),
];
const GLM: Group = &[
    ("<arg_key…>", Mark("<arg_key>")),
    ("<arg_value…>", Mark("<arg_value>")),
    ("<tool_sep…>", Mark("<tool_sep>")),
];
const MINIMAX: Group = &[
    ("<minimax:tool_call>", wrapper("</minimax:tool_call>", D::MinimaxM2)),
    ("</minimax:tool_call>", Mark("</minimax:tool_call>")),
];
const FUNCTION_CALLS: Group = &[
    ("<function_calls>", wrapper("</function_calls>", D::Olmo3)),
    ("</function_calls>", Mark("</function_calls>")),
];
const INVOKE: Group = &[
    ("<function_calls>", wrapper("</function_calls>", D::Anthropic)),
    ("</function_calls>", Mark("</function_calls>")),
    ("<invoke ", Call(Element)),
    ("</invoke>", Mark("</invoke>")),
    (concat!("<", "antml", ":function_calls>"), wrapper("</ns:function_calls>", D::Anthropic)),
    (concat!("</", "antml", ":function_calls>"), Mark("</ns:function_calls>")),
    (concat!("<", "antml", ":invoke "), Call(Element)),
    (concat!("</", "antml", ":invoke>"), Mark("</ns:invoke>")),
];
const DOTS: Group = &[
    ("<dots_function_call>", wrapper("</dots_function_call>", D::Dots)),
    ("</dots_function_call>", Mark("</dots_function_call>")),
];
const ATEM: Group = &[
    ("<atem:function_calls>", wrapper("</atem:function_calls>", D::MuseGlimmer)),
    ("</atem:function_calls>", Mark("</atem:function_calls>")),
    ("<atem:invoke ", Call(Element)),
    ("</atem:invoke>", Mark("</atem:invoke>")),
];
const MINICPM: Group = &[("<function name", Call(Element)), ("</function>", Mark("</function>"))];
const STEP: Group =
    &[("<steptml:invoke ", Call(Element)), ("</steptml:invoke>", Mark("</steptml:invoke>"))];
const DSML: Group = &[
    ("<|DSML|function_calls>", wrapper("</|DSML|function_calls>", D::DeepseekV32)),
    ("</|DSML|function_calls>", Mark("</|DSML|function_calls>")),
    ("<|DSML|tool_calls>", wrapper("</|DSML|tool_calls>", D::DeepseekV4)),
    ("</|DSML|tool_calls>", Mark("</|DSML|tool_calls>")),
    ("<|DSML|invoke ", Call(Element)),
    ("</|DSML|invoke>", Mark("</|DSML|invoke>")),
];
const XTML: Group = &[
    ("<|open|>call ", Call(Xtml)),
    ("<|open|>tools<|sep|>", Mark("<|open|>tools")),
    ("<|close|>tools<|sep|>", Mark("<|close|>tools")),
    ("<|close|>call<|sep|>", Mark("<|close|>call")),
    ("<|open|>message<|sep|>", Mark("<|open|>message")),
    ("<|close|>message<|sep|>", Mark("<|close|>message")),
    ("<|open|>think<|sep|>", Think(&["<|close|>think"])),
    ("<|close|>think<|sep|>", Mark("<|close|>think")),
    ("<|open|>response<|sep|>", Quiet(&["<|close|>response"])),
    ("<|close|>response<|sep|>", Mark("<|close|>response")),
];
const NESTED: Group = &[
    ("]<]minimax[>[·<tool_call>", Call(Nested)),
    ("]<]minimax[>[·</tool_call>", Mark("]</tool_call>")),
    ("<mm:think>", Think(&["</mm:think>"])),
    ("</mm:think>", Mark("</mm:think>")),
];
const PYTHON: Group =
    &[("<|python_start|>", Mark("<|python_start|>")), ("<|python_end|>", Mark("<|python_end|>"))];
const LFM: Group = &[
    ("<|tool_call_start|>", wrapper("<|tool_call_end|>", D::Lfm2)),
    ("<|tool_call_end|>", Mark("<|tool_call_end|>")),
];
const GEMMA: Group = &[
    ("<|tool_call>", Call(Braces { quote: "<|\"|>", close: "<tool_call|>", dialect: D::Gemma4 })),
    ("<tool_call|>", Mark("<tool_call|>")),
    ("<|channel>thought", Think(&["<channel|>"])),
    ("<channel|>", Mark("<channel|>")),
    (
        "<start_function_call>",
        Call(Braces { quote: "<escape>", close: "<end_function_call>", dialect: D::Functiongemma }),
    ),
    ("<end_function_call>", Mark("<end_function_call>")),
];

/// Every group there is, for a text whose dialect shows only as it is read.
const ALL: &[Group] = &[
    TOOL_CALL,
    TOOL_CALLS,
    FUNCTION,
    ANSWERS,
    LONGCAT,
    GRANITE_20B,
    BARRED,
    FINAL,
    TOOLCALL,
    MISTRAL,
    PLUGIN,
    COHERE,
    HEADERS,
    APERTUS,
    GIGACHAT,
    INKLING,
    SOLAR,
    MESSAGES,
    PYTHON_TAG,
    SEED,
    GLM,
    MINIMAX,
    FUNCTION_CALLS,
    INVOKE,
    DOTS,
    ATEM,
    MINICPM,
    STEP,
    DSML,
    XTML,
    NESTED,
    PYTHON,
    LFM,
    GEMMA,
];

/// The markers and forms of a dialect.
pub(super) fn of(dialect: D) -> (&'static [Group], &'static [Form]) {
    use Form::{
        Actions, Entities, Functools, Headers, Json, Lines, Orphan, Python, Recipients,
        ThinkingCalls, ToolCode,
    };
    match dialect {
        D::Auto => (ALL, &[Json, Functools, Python, ToolCode, Lines, Actions, Recipients, Headers]),
        D::Generic => (&[], &[Json]),
        D::Hermes => (&[TOOL_CALL, FUNCTION], &[Orphan]),
        D::Ernie45 => (&[TOOL_CALL, ANSWERS], &[Orphan]),
        D::Trinity => (&[TOOL_CALL, FUNCTION], &[Orphan, ThinkingCalls]),
        D::Longcat => (&[LONGCAT], &[Orphan]),
        D::Granite => (&[BARRED, TOOL_CALL], &[]),
        D::Granite20bFc => (&[GRANITE_20B], &[]),
        D::Jamba | D::MinimaxM1 => (&[TOOL_CALLS], &[Orphan]),
        D::HunyuanA13b => (&[TOOL_CALLS, ANSWERS], &[Orphan]),
        D::Apriel => (&[TOOL_CALLS, FINAL], &[Orphan]),
        D::NemotronV2 => (&[TOOLCALL], &[Orphan]),
        D::Phi4Mini | D::Firefunction => (&[BARRED], &[Functools]),
        D::Mistral | D::MistralV11 | D::MistralV13 => (&[MISTRAL], &[]),
        D::Internlm2 => (&[PLUGIN], &[]),
        D::CommandR7b | D::CommandA => (&[COHERE], &[]),
        D::CommandRPlus => (&[], &[Actions]),
        D::DeepseekV3 | D::DeepseekV31 | D::KimiK2 => (&[HEADERS], &[]),
        D::Step3 => (&[HEADERS, STEP], &[]),
        D::Apertus => (&[APERTUS], &[]),
        D::Gigachat3 | D::Gigachat31 => (&[GIGACHAT], &[]),
        D::Inkling => (&[INKLING], &[]),
        D::SolarOpen => (&[SOLAR], &[]),
        D::Harmony => (&[MESSAGES], &[]),
        D::MuseGlimmer => (&[MESSAGES, ATEM], &[Headers]),
        D::Llama3Json => (&[PYTHON_TAG, FUNCTION], &[Json]),
        D::Xlam => (&[MISTRAL, TOOL_CALL], &[Json]),
        D::FunctionaryV31 => (&[FUNCTION, PYTHON_TAG], &[]),
        D::FunctionaryV32 => (&[], &[Recipients]),
        D::Qwen3Coder => (&[TOOL_CALL, FUNCTION], &[Orphan]),
        D::SeedOss => (&[SEED, FUNCTION], &[Orphan]),
        D::Mimo => (&[TOOL_CALL, FUNCTION], &[Orphan, Entities]),
        D::Glm45 | D::Glm47 | D::PoolsideV1 => (&[TOOL_CALL, GLM], &[]),
        D::HunyuanV3 => (&[TOOL_CALLS, TOOL_CALL, GLM], &[]),
        D::MinimaxM2 => (&[MINIMAX, INVOKE], &[]),
        D::MinimaxM3 => (&[NESTED], &[]),
        D::Anthropic => (&[FUNCTION_CALLS, INVOKE], &[]),
        D::Dots => (&[DOTS, INVOKE], &[]),
        D::Minicpm5 => (&[MINICPM], &[Entities]),
        D::DeepseekV32 | D::DeepseekV4 => (&[DSML], &[]),
        D::KimiK3 => (&[XTML], &[]),
        D::Pythonic => (&[PYTHON], &[Python]),
        D::Lfm2 => (&[LFM], &[]),
        D::Olmo3 => (&[FUNCTION_CALLS], &[]),
        D::ToolCode => (&[], &[ToolCode]),
        D::Functiongemma | D::Gemma4 => (&[GEMMA], &[]),
        D::React => (&[], &[Lines]),
    }
}
