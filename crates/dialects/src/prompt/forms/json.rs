//! JSON in text tags, or behind no marker at all.

use super::{ADJACENT, ARRAY, BARE, TOOL_RESPONSE};
use crate::prompt::form::Form;

pub(super) const HERMES: Form = Form {
    call: "<tool_call>\n{\"name\": \"$name\", \"arguments\": $arguments}\n</tool_call>",
    results: TOOL_RESPONSE,
    ..BARE
};

pub(super) const ERNIE45: Form = Form {
    call: "\n<tool_call>\n{\"name\": \"$name\", \"arguments\": $arguments}\n</tool_call>\n",
    between: "",
    results: TOOL_RESPONSE,
    ..BARE
};

pub(super) const LONGCAT: Form = Form {
    call: "<longcat_tool_call>\n{\"name\": \"$name\", \"arguments\": $arguments}\n</longcat_tool_call>",
    ..BARE
};

pub(super) const GRANITE20B_FC: Form =
    Form { call: "<function_call> {\"name\": \"$name\", \"arguments\": $arguments}", ..BARE };

pub(super) const JAMBA: Form =
    Form { before: "<tool_calls>[\n    ", between: ",\n    ", after: "\n]</tool_calls>", ..BARE };

pub(super) const HUNYUAN_A13B: Form =
    Form { before: "<tool_calls>[", after: "]</tool_calls>", ..ARRAY };

pub(super) const MINIMAX_M1: Form =
    Form { before: "<tool_calls>\n", after: "\n</tool_calls>", ..BARE };

pub(super) const NEMOTRON_V2: Form = Form { before: "<TOOLCALL>[", after: "]</TOOLCALL>", ..ARRAY };

pub(super) const PHI4_MINI: Form = Form { before: "functools[", ..ARRAY };

pub(super) const FIREFUNCTION: Form = Form { before: " functools[", ..ARRAY };

pub(super) const COMMAND_RPLUS: Form = Form {
    before: "Action:\n```json\n[\n    ",
    call: "{\n        \"tool_name\": \"$name\",\n        \"parameters\": $arguments\n    }",
    between: ",\n    ",
    after: "\n]\n```",
    ..BARE
};

pub(super) const LLAMA3_JSON: Form =
    Form { call: "{\"name\": \"$name\", \"parameters\": $arguments}", between: "; ", ..BARE };

pub(super) const FUNCTIONARY_V31: Form =
    Form { call: "<function=$name>$arguments</function>", ..ADJACENT };

pub(super) const FUNCTIONARY_V32: Form =
    Form { said: "all\n$text>>>", call: "$name\n$arguments", between: ">>>", ..BARE };
