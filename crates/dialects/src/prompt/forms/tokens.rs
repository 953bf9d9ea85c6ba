//! JSON behind special tokens.

use super::{ADJACENT, ARRAY, BARE, NAMED};
use crate::prompt::form::{Form, Results};

pub(super) const MISTRAL: Form = Form {
    before: "[TOOL_CALLS] [",
    results: Results {
        one: "[TOOL_RESULTS] {\"content\": $json}[/TOOL_RESULTS]",
        between: "",
        ..NAMED
    },
    ..ARRAY
};

pub(super) const MISTRAL_V11: Form = Form {
    call: "[TOOL_CALLS]$name[ARGS]$arguments",
    results: Results { one: "[TOOL_RESULTS]$result[/TOOL_RESULTS]", between: "", ..NAMED },
    ..ADJACENT
};

pub(super) const MISTRAL_V13: Form = Form {
    call: "[TOOL_CALLS]$name[CALL_ID]$id[ARGS]$arguments",
    results: Results {
        one: "[TOOL_RESULTS]$id[TOOL_CONTENT]$result[/TOOL_RESULTS]",
        between: "",
        ..NAMED
    },
    ..ADJACENT
};

pub(super) const GRANITE: Form = Form { before: "<|tool_call|>[", ..ARRAY };

pub(super) const INTERNLM2: Form = Form {
    call: "<|action_start|><|plugin|>\n{\"name\": \"$name\", \"parameters\": $arguments}<|action_end|>",
    ..ADJACENT
};

pub(super) const COMMAND_R7B: Form = Form {
    before: "<|START_ACTION|>[\n    ",
    call: "{\"tool_call_id\": \"$number\", \"tool_name\": \"$name\", \"parameters\": $arguments}",
    between: ",\n    ",
    after: "\n]<|END_ACTION|>",
    results: Results {
        before: "<|START_TOOL_RESULT|>[\n    ",
        one: "{\"tool_call_id\": \"$number\", \"results\": {\"0\": $json}}",
        between: ",\n    ",
        after: "\n]<|END_TOOL_RESULT|>",
    },
    ..BARE
};

pub(super) const DEEPSEEK_V3: Form = Form {
    before: "<｜tool▁calls▁begin｜>",
    call: "<｜tool▁call▁begin｜>function<｜tool▁sep｜>$name\n```json\n$arguments\n```<｜tool▁call▁end｜>",
    after: "<｜tool▁calls▁end｜>",
    results: Results {
        before: "<｜tool▁outputs▁begin｜>",
        one: "<｜tool▁output▁begin｜>$result<｜tool▁output▁end｜>",
        between: "\n",
        after: "<｜tool▁outputs▁end｜>",
    },
    ..BARE
};

pub(super) const DEEPSEEK_V31: Form = Form {
    before: "<｜tool▁calls▁begin｜>",
    call: "<｜tool▁call▁begin｜>$name<｜tool▁sep｜>$arguments<｜tool▁call▁end｜>",
    after: "<｜tool▁calls▁end｜>",
    results: Results {
        one: "<｜tool▁output▁begin｜>$result<｜tool▁output▁end｜>",
        between: "",
        ..NAMED
    },
    ..ADJACENT
};

pub(super) const KIMI_K2: Form = Form {
    before: "<|tool_calls_section_begin|>",
    call: "<|tool_call_begin|>$function<|tool_call_argument_begin|>$arguments<|tool_call_end|>",
    after: "<|tool_calls_section_end|>",
    results: Results { one: "## Return of $function\n$result", ..NAMED },
    ..ADJACENT
};

pub(super) const APERTUS: Form = Form {
    before: "<|tools_prefix|>[",
    call: "{\"$name\": $arguments}",
    after: "]<|tools_suffix|>",
    ..ARRAY
};

pub(super) const GIGACHAT3: Form =
    Form { said: "$text", before: "<|message_sep|>\n\nfunction call<|role_sep|>\n", ..BARE };

pub(super) const GIGACHAT31: Form = Form { said: "$text", before: "<|function_call|>", ..BARE };

pub(super) const INKLING: Form = Form {
    said: "<|message_model|><|content_text|>$text<|end_message|>",
    call: "<|message_model|>$name<|content_invoke_tool_json|>{\"name\": \"$name\", \"args\": $arguments}<|end_message|>",
    ..ADJACENT
};

pub(super) const SOLAR_OPEN: Form = Form {
    said: "<|begin|>assistant<|content|>$text<|end|>",
    before: "<|begin|>assistant<|tool_calls|>",
    call: "<|tool_call:begin|>$id<|tool_call:name|>$name<|tool_call:args|>$arguments<|tool_call:end|>",
    ..ADJACENT
};

pub(super) const HARMONY: Form = Form {
    said: "<|channel|>commentary<|message|>$text<|end|><|start|>assistant",
    call: "<|channel|>commentary to=functions.$name <|constrain|>json<|message|>$arguments<|call|>",
    between: "<|start|>assistant",
    ..BARE
};
