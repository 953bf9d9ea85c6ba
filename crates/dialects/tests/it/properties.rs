//! The laws of [`super::laws`], for texts that are put together at random: from the cases, from
//! markers and pieces of JSON, from prose; and cut off anywhere.

use std::sync::LazyLock;

use proptest::{
    prelude::*,
    sample::{Index, select},
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use serde_json::json;
use toolwright_dialects::{Dialect, KnownTools};

use super::{
    cases::{Case, cases},
    laws::{self, Reply},
};

static CASES: LazyLock<Vec<Case>> = LazyLock::new(cases);

/// What texts are put together from, besides those of the cases.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "<tool_call>", "</tool_call>", "<tool_calls>", "</tool_calls>", "<function=", "</function>",
    "<parameter=a>", "</parameter>", "<invoke name=\"", "</invoke>", "<function_calls>",
    "</function_calls>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", "<think>",
    "</think>", "[THINK]", "[/THINK]", "[TOOL_CALLS]", "[ARGS]", "functools[",
    "<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>", "<|channel|>",
    "<|message|>", "<|start|>", "<|call|>", "<|end|>", "<|python_tag|>", "<|tool_call>", "call:",
    "<tool_call|>", "<|\"|>", "<|open|>call ", "<|sep|>", "]<]minimax[>[", "<|im_end|>", "</s>",
    "<｜DSML｜invoke ", "<｜tool▁calls▁begin｜>", ">>>", "all\n", "\nAction: ", "\nAction Input: ",
    "\nThought: ", "\nObservation: ", "\nFinal Answer: ", "```json\n", "```tool_code\n", "```", "`",
    "\n", " ", "{", "}", "[", "]", "(", ")", ",", ":", "=", "\"", "'", "\\", "\\u00e9", "\\ud83d",
    "\\x4", "{\"tool\": \"", "{\"name\": \"", "\"arguments\": {", "\"params\": {", "\"a\": 1",
    "\"b\": [true, None]", "1e5", "-0.5", "// no\n", "/* no */", "<", "<|", "<![CDATA[", "]]>",
    "&amp;", "é", "▁", "｜", "😀", "Sure, one moment. ", "a < b, [1] and {x}. ",
];

const NAMES: [&str; 11] = [
    "book_slot",
    "brave_search",
    "draft_note",
    "list_orchards",
    "log_reading",
    "look_up",
    "plan_route",
    "query_ledger",
    "tag_item",
    "translate_phrase",
    "nope",
];

/// How a text is made of a piece of a case.
#[derive(Clone, Debug)]
enum Piece {
    Word(&'static str),
    Name(Index),
    Slice(Index, Index, Index),
}

fn piece() -> impl Strategy<Value = Piece> {
    prop_oneof![
        6 => select(PIECES).prop_map(Piece::Word),
        2 => any::<Index>().prop_map(Piece::Name),
        4 => any::<(Index, Index, Index)>().prop_map(|(case, from, to)| Piece::Slice(case, from, to)),
    ]
}

impl Piece {
    fn text<'a>(&'a self, case: &'a Case) -> &'a str {
        match self {
            Self::Word(word) => word,
            Self::Name(index) => NAMES[index.index(NAMES.len())],
            Self::Slice(other, from, to) => {
                // Mostly of the same case, whose tools are on offer.
                let text = if other.index(3) > 0 { &case.text } else { &other.get(&CASES).text };
                let [one, two] =
                    [from, to].map(|at| text.floor_char_boundary(at.index(text.len() + 1)));
                &text[one.min(two)..one.max(two)]
            }
        }
    }
}

fn replies() -> impl Strategy<Value = (Reply, u64)> {
    let text = (prop::collection::vec(piece(), 0..12), any::<Option<Index>>());
    let how = (any::<bool>(), prop::bool::weighted(0.1), prop::bool::weighted(0.2), any::<u64>());
    (any::<Index>(), text, how).prop_map(
        |(case, (pieces, place), (auto, in_reasoning, cut_off, seed))| {
            let case = case.get(&CASES);
            let mut text = String::new();
            // The case itself stands somewhere in it, most of the time.
            let place = place.map(|place| place.index(pieces.len() + 1));
            for (at, piece) in pieces.iter().enumerate() {
                if place == Some(at) {
                    text.push_str(&case.text);
                }
                text.push_str(piece.text(case));
            }
            let dialect = if auto { Dialect::Auto } else { case.dialect };
            (Reply { dialect, tools: case.tools.clone(), text, in_reasoning, cut_off }, seed)
        },
    )
}

/// Runs a property over the same values every time.
fn always<S: Strategy>(cases: u32, values: &S, property: impl Fn(S::Value) -> Result<(), String>) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]));
    let ran = runner.run(values, |value| property(value).map_err(TestCaseError::fail));
    if let Err(why) = ran {
        panic!("{why}");
    }
}

#[test]
fn any_text_is_read_by_the_laws() {
    always(1500, &replies(), |(reply, seed)| reply.check(seed));
}

#[test]
fn plain_text_is_not_touched() {
    let dialects: Vec<Dialect> = Dialect::ALL.iter().copied().chain([Dialect::Auto]).collect();
    let replies = (select(dialects), "[a-zA-Z0-9 .,;!?'\"/é😀-]{0,80}", any::<u64>());
    always(500, &replies, |(dialect, text, seed)| {
        let tools = CASES[0].tools.clone();
        Reply { dialect, tools, text, in_reasoning: false, cut_off: false }.check(seed)
    });
}

#[test]
fn what_is_mended_is_json() {
    let words = prop::collection::vec(select(PIECES), 0..16);
    always(2000, &words, |words| {
        let text = words.concat();
        laws::check_mend(&text).map_err(|why| format!("{why}\n{text:?}"))
    });
}

/// What fuzzing found to break a law once, as short as it can be.
const FOUND: &[&str] = &[
    "[",
    "see [1]",
    "functools[x",
    "x functools[1]",
    "Action: ```json\n[{\"tool_name\": \"directly_answer\", \"parameters\": {}}]```",
    "Action:```{\"tool_name\":\"\"{\"tool_name\":\"plan_route\"",
    "Action:```{\"tool_name\":\"plan_route\":",
    "Action:plan_route\nAction Input:{:",
    "Action:plan_route\nAction Input:\u{19}",
    "<tool_call>:{</tool_call>",
    "<tool_calls>:{</tool_calls>",
    "<｜tool▁call▁begin｜>{<｜tool▁call▁end｜>",
    "{{\"name\":\"plan_route\"}",
    "<{<|channel|>to=f<|message|>\"\"",
    "<|channel|>analysis<|message|>E<|start|>",
    "</invoke>/think>\n\n\n<response>",
    "{,\"<tool_call>",
    "{,'<mm:think>",
    "[{,\"<|tool_call_end|>",
    "<|open|>call tool=\"\"<|sep|>v<",
    "S[{\"name\":\"\"//\nfunctools[{",
    "{\"tool\":\"plan_route\",\"params\":{\"a\":[)1]}}",
    "<function_call>{\"name\":\"a\",\"name\":\"b\",\"arguments\":{}}",
    "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"plan_route\">\n<｜DSML｜parameter name=\"a\" string=\"false\">[]\n\
     <｜DSML｜parameter name=\"b\" string=\"false\">{}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
];

#[test]
fn what_fuzzing_found_stays_mended() {
    let tools = KnownTools::new([("plan_route", json!({"type": "object"}))]);
    for text in FOUND {
        for dialect in Dialect::ALL.iter().copied().chain([Dialect::Auto]) {
            for (in_reasoning, cut_off) in [(false, false), (false, true), (true, false)] {
                let (tools, text) = (tools.clone(), (*text).to_owned());
                let reply = Reply { dialect, tools, text, in_reasoning, cut_off };
                if let Err(why) = reply.check(7) {
                    panic!("{why}\n{reply:?}");
                }
            }
        }
    }
    for text in ["[)1]", "[[}{", "[)-4\n-"] {
        laws::check_mend(text).unwrap();
    }
}
