//! Tags with the values as text.

use super::{ADJACENT, BARE, NAMED, TOOL_RESPONSE};
use crate::prompt::{
    form::{Form, Results, Style},
    written::Value,
};

/// `<parameter name="a">v</parameter>` lines.
const ATTRIBUTES: Form = Form {
    call: "<invoke name=\"$name\">\n$arguments</invoke>\n",
    between: "",
    arguments: Style::Each("<parameter name=\"$key\">$value</parameter>\n", Value::Inline),
    results: FUNCTION_RESULTS,
    ..BARE
};

/// `<arg_key>` and `<arg_value>` lines.
pub(super) const PAIRS: Form = Form {
    call: "<tool_call>$name\n$arguments</tool_call>",
    arguments: Style::Each(
        "<arg_key>$key</arg_key>\n<arg_value>$value</arg_value>\n",
        Value::Inline,
    ),
    results: TOOL_RESPONSE,
    ..BARE
};

/// `<parameter=a>` with the value on lines of its own.
pub(super) const LINES: Form = Form {
    call: "<tool_call>\n<function=$name>\n$arguments</function>\n</tool_call>",
    arguments: Style::Each("<parameter=$key>\n$value\n</parameter>\n", Value::AsIs),
    results: TOOL_RESPONSE,
    ..BARE
};

const FUNCTION_RESULTS: Results = Results {
    before: "<function_results>\n",
    one: "<result>\n<tool_name>$name</tool_name>\n<stdout>$result</stdout>\n</result>\n",
    between: "",
    after: "</function_results>",
};

pub(super) const SEED_OSS: Form = Form {
    call: "<seed:tool_call>\n<function=$name>\n$arguments</function>\n</seed:tool_call>",
    ..LINES
};

pub(super) const MIMO: Form = Form {
    arguments: Style::Each("<parameter=$key>$value</parameter>\n", Value::Escaped),
    ..LINES
};

pub(super) const GLM47: Form = Form {
    call: "<tool_call>$name$arguments</tool_call>",
    between: "",
    arguments: Style::Each("<arg_key>$key</arg_key><arg_value>$value</arg_value>", Value::Inline),
    ..PAIRS
};

pub(super) const HUNYUAN_V3: Form = Form {
    before: "<tool_calls>\n",
    call: "<tool_call>$name<tool_sep>\n$arguments</tool_call>\n",
    between: "",
    after: "</tool_calls>",
    ..PAIRS
};

pub(super) const MINIMAX_M2: Form = Form {
    before: "<minimax:tool_call>\n",
    after: "</minimax:tool_call>",
    results: Results { one: "<response>$result</response>", between: "\n", ..NAMED },
    ..ATTRIBUTES
};

pub(super) const MINIMAX_M3: Form = Form {
    before: "]<]minimax[>[<tool_call>\n",
    call: "]<]minimax[>[<invoke name=\"$name\">$arguments]<]minimax[>[</invoke>\n",
    between: "",
    after: "]<]minimax[>[</tool_call>",
    arguments: Style::Nested("]<]minimax[>["),
    ..BARE
};

pub(super) const ANTHROPIC: Form =
    Form { before: "<function_calls>\n", after: "</function_calls>", ..ATTRIBUTES };

pub(super) const DOTS: Form = Form {
    before: "<dots_function_call>\n",
    after: "</dots_function_call>",
    results: NAMED,
    ..ATTRIBUTES
};

pub(super) const MUSE_GLIMMER: Form = Form {
    said: " to=user<|message|>$text<|eom|><|start|>assistant",
    before: " to=$name<|message|><atem:function_calls>\n",
    call: "<atem:invoke name=\"$name\">\n$arguments</atem:invoke>\n",
    after: "</atem:function_calls><|eot|>",
    arguments: Style::Each(
        "<atem:parameter name=\"$key\">$value</atem:parameter>\n",
        Value::Inline,
    ),
    results: NAMED,
    ..ATTRIBUTES
};

pub(super) const STEP3: Form = Form {
    before: "<｜tool_calls_begin｜>\n",
    call: "<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"$name\">\n$arguments</steptml:invoke><｜tool_call_end｜>\n",
    after: "<｜tool_calls_end｜>",
    arguments: Style::Each(
        "<steptml:parameter name=\"$key\">$value</steptml:parameter>\n",
        Value::Inline,
    ),
    results: NAMED,
    ..ATTRIBUTES
};

pub(super) const DEEPSEEK_V32: Form =
    dsml("<｜DSML｜function_calls>\n", "</｜DSML｜function_calls>");

pub(super) const DEEPSEEK_V4: Form = dsml("<｜DSML｜tool_calls>\n", "</｜DSML｜tool_calls>");

pub(super) const MINICPM5: Form = Form {
    call: "<function name=\"$name\">$arguments</function>",
    arguments: Style::Each("<param name=\"$key\">$value</param>", Value::Cdata),
    ..BARE
};

pub(super) const KIMI_K3: Form = Form {
    before: "<|open|>tools<|sep|>",
    call: "<|open|>call tool=\"$name\" index=\"$ordinal\"<|sep|>$arguments<|close|>call<|sep|>",
    after: "<|close|>tools<|sep|>",
    arguments: Style::Each(
        "<|open|>argument key=\"$key\" type=\"$type\"<|sep|>$value<|close|>argument<|sep|>",
        Value::AsIs,
    ),
    ..ADJACENT
};

const fn dsml(before: &'static str, after: &'static str) -> Form {
    Form {
        before,
        call: "<｜DSML｜invoke name=\"$name\">\n$arguments</｜DSML｜invoke>\n",
        after,
        arguments: Style::Each(
            "<｜DSML｜parameter name=\"$key\" string=\"$string\">$value</｜DSML｜parameter>\n",
            Value::Inline,
        ),
        results: Results {
            before: "<function_results>\n",
            one: "<result>$result</result>\n",
            between: "",
            after: "</function_results>",
        },
        ..ATTRIBUTES
    }
}
