//! Calls as Python writes them, and in Gemma's braces.

use super::{ADJACENT, BARE, NAMED};
use crate::prompt::form::{Form, Results, Style};

/// `f(a=1)`.
pub(super) const PYTHON: Form = Form {
    before: "[",
    call: "$name($arguments)",
    between: ", ",
    after: "]",
    arguments: Style::Python(["True", "False", "None"]),
    ..BARE
};

pub(super) const LFM2: Form = Form {
    before: "<|tool_call_start|>[",
    after: "]<|tool_call_end|>",
    results: Results {
        one: "<|tool_response_start|>$result<|tool_response_end|>",
        between: "\n",
        ..NAMED
    },
    ..PYTHON
};

pub(super) const OLMO3: Form = Form {
    before: "<function_calls>\n",
    between: "\n",
    after: "\n</function_calls>",
    arguments: Style::Python(["true", "false", "null"]),
    ..PYTHON
};

pub(super) const TOOL_CODE: Form = Form {
    before: "```tool_code\n",
    between: "\n",
    after: "\n```",
    results: Results { one: "```tool_output\n$result\n```", between: "\n", ..NAMED },
    ..PYTHON
};

pub(super) const FUNCTIONGEMMA: Form = Form {
    call: "<start_function_call>call:$name$arguments<end_function_call>",
    arguments: Style::Braces("<escape>"),
    results: Results {
        one: "<start_function_response>response:$name{value:<escape>$result<escape>}<end_function_response>",
        between: "",
        ..NAMED
    },
    ..ADJACENT
};

pub(super) const GEMMA4: Form = Form {
    call: "<|tool_call>call:$name$arguments<tool_call|>",
    arguments: Style::Braces("<|\"|>"),
    ..ADJACENT
};
