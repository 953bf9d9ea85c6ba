//! The texts that are read: always the same.

use std::fmt::Write as _;

use serde_json::json;
use toolwright_dialects::{Dialect, KnownTools};

/// Numbers that look random and are not.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % end
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list.get(self.below(list.len())).copied().unwrap_or_default()
    }
}

const WORDS: &[&str] = &[
    "the", "market", "opened", "higher", "and", "index", "futures", "traded", "near", "the",
    "day's", "range", "while", "breadth", "stayed", "positive", "volume", "was", "thin",
    "(so far)", "at", "24,300",
];

/// What a person reads: sentences and paragraphs.
pub(crate) fn prose(size: usize) -> String {
    written(size, &[". ", ", ", "; ", ": "])
}

/// The same with what Markdown adds: links, code, lists, comparisons.
pub(crate) fn markdown(size: usize) -> String {
    let marks = [
        ". ",
        ", ",
        "\n- ",
        " [see](https://example.org/a) ",
        " `x[0] < {y}` ",
        " **a** > b, 1 < 2 ",
        " {braces} ",
    ];
    written(size, &marks)
}

fn written(size: usize, marks: &[&str]) -> String {
    let (mut text, mut numbers) = (String::new(), Numbers(7));
    while text.len() < size {
        for _ in 0..6 + numbers.below(10) {
            text.push_str(numbers.of(WORDS));
            text.push(' ');
        }
        text.truncate(text.len() - 1);
        text.push_str(numbers.of(marks));
        if numbers.below(8) == 0 {
            text.push_str("\n\n");
        }
    }
    text.truncate(size);
    text
}

/// The tool that is called.
pub(crate) fn tools() -> KnownTools {
    let text = || json!({"type": "string"});
    let search = json!({"type": "object", "properties": {
        "query": text(), "instrument_type": text(), "limit": {"type": "integer"},
    }});
    let file = json!({"type": "object", "properties": {"path": text(), "content": text()}});
    KnownTools::new([("search_instruments", search), ("write_file", file)])
}

/// A text that is nothing but calls in one dialect.
pub(crate) struct Calls {
    pub(crate) dialect: Dialect,
    pub(crate) what: &'static str,
    /// A call; `@` stands for a number.
    form: &'static str,
}

pub(crate) const CALLS: &[Calls] = &[
    Calls {
        dialect: Dialect::Hermes,
        what: "`<tool_call>{…}`",
        form: "<tool_call>\n{\"name\": \"search_instruments\", \"arguments\": {\"query\": \"NIFTY @\", \
               \"instrument_type\": \"INDEX\", \"limit\": @}}\n</tool_call>\n",
    },
    Calls {
        dialect: Dialect::Generic,
        what: "`{\"tool\": …}` in prose",
        form: "{\"tool\": \"search_instruments\", \"params\": {\"query\": \"NIFTY @\", \
               \"instrument_type\": \"INDEX\", \"limit\": @}}\n",
    },
    Calls {
        dialect: Dialect::Mistral,
        what: "`[TOOL_CALLS][…]`",
        form: "[TOOL_CALLS][{\"name\": \"search_instruments\", \"arguments\": {\"query\": \"NIFTY @\", \
               \"instrument_type\": \"INDEX\", \"limit\": @}}]\n",
    },
    Calls {
        dialect: Dialect::KimiK2,
        what: "a header, then JSON",
        form: "<|tool_calls_section_begin|><|tool_call_begin|>functions.search_instruments:@\
               <|tool_call_argument_begin|>{\"query\": \"NIFTY @\", \"instrument_type\": \"INDEX\", \
               \"limit\": @}<|tool_call_end|><|tool_calls_section_end|>\n",
    },
    Calls {
        dialect: Dialect::Harmony,
        what: "a message to a tool",
        form: "<|start|>assistant<|channel|>commentary to=functions.search_instruments \
               <|constrain|>json<|message|>{\"query\": \"NIFTY @\", \"instrument_type\": \"INDEX\", \
               \"limit\": @}<|call|>",
    },
    Calls {
        dialect: Dialect::Qwen3Coder,
        what: "`<function=…>`",
        form: "<tool_call>\n<function=search_instruments>\n<parameter=query>\nNIFTY @\n</parameter>\n\
               <parameter=instrument_type>\nINDEX\n</parameter>\n<parameter=limit>\n@\n</parameter>\n\
               </function>\n</tool_call>\n",
    },
    Calls {
        dialect: Dialect::Glm45,
        what: "`<arg_key>`",
        form: "<tool_call>search_instruments\n<arg_key>query</arg_key>\n<arg_value>NIFTY @</arg_value>\n\
               <arg_key>instrument_type</arg_key>\n<arg_value>INDEX</arg_value>\n\
               <arg_key>limit</arg_key>\n<arg_value>@</arg_value>\n</tool_call>\n",
    },
    Calls {
        dialect: Dialect::MinimaxM2,
        what: "`<invoke name=…>`",
        form: "<minimax:tool_call>\n<invoke name=\"search_instruments\">\n<parameter name=\"query\">NIFTY @\
               </parameter>\n<parameter name=\"instrument_type\">INDEX</parameter>\n\
               <parameter name=\"limit\">@</parameter>\n</invoke>\n</minimax:tool_call>\n",
    },
    Calls {
        dialect: Dialect::Pythonic,
        what: "`[f(a=1)]`",
        form: "[search_instruments(query=\"NIFTY @\", instrument_type=\"INDEX\", limit=@)]\n",
    },
];

impl Calls {
    /// The text, and how many calls are in it.
    pub(crate) fn text(&self, size: usize) -> (String, usize) {
        let (mut text, mut calls) = (String::new(), 0);
        while text.len() < size {
            text.push_str(&self.form.replace('@', &calls.to_string()));
            calls += 1;
        }
        (text, calls)
    }
}

/// Calls that write a file of 4 KB each, as JSON and as tags.
pub(crate) fn files(size: usize) -> [(Dialect, String, usize); 2] {
    let code = "    let found = words.iter().map(|it| it.len()).max();\n".repeat(4096 / 56);
    let (mut json, mut tags, mut calls) = (String::new(), String::new(), 0);
    while json.len() < size {
        let content = json!(code);
        let _ = write!(
            json,
            "<tool_call>\n{{\"name\": \"write_file\", \"arguments\": {{\"path\": \"{calls}.rs\", \"content\": {content}}}}}\n</tool_call>\n"
        );
        let _ = write!(
            tags,
            "<tool_call>\n<function=write_file>\n<parameter=path>\n{calls}.rs\n</parameter>\n<parameter=content>\n{code}\n</parameter>\n</function>\n</tool_call>\n"
        );
        calls += 1;
    }
    [(Dialect::Hermes, json, calls), (Dialect::Qwen3Coder, tags, calls)]
}
