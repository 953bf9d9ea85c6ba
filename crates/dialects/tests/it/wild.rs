//! What models write besides what they were taught: each a text that is not among the cases.

use serde_json::{Value, json};
use toolwright_dialects::{Decoder, Dialect, Extraction, KnownTools, extract};

fn tools() -> KnownTools {
    KnownTools::new([
        (
            "add",
            json!({"type": "object", "properties": {
                "a": {"type": "integer"},
                "b": {"type": ["number", "null"]},
                "note": {"type": "string"},
                "items": {"$ref": "#/$defs/list"},
            }, "$defs": {"list": {"type": "array"}}}),
        ),
        ("note", json!({"type": "object", "properties": {"text": {"type": "string"}}})),
        ("list", json!({"type": "object", "properties": {}})),
    ])
}

/// The calls and the content of a text, the same whole and letter by letter.
fn read(dialect: Dialect, text: &str) -> (Value, String) {
    let whole = extract(text, dialect, &tools());
    let mut decoder = Decoder::new(dialect, &tools());
    let mut by_letter = Extraction::default();
    for letter in text.chars() {
        by_letter.extend(decoder.push(letter.encode_utf8(&mut [0; 4])));
    }
    by_letter.extend(decoder.finish());
    by_letter.dialect = decoder.dialect();
    assert_eq!(whole, by_letter, "{text}");
    let calls = whole.calls.iter().map(|call| {
        let arguments: Value = serde_json::from_str(&call.arguments).expect("arguments are JSON");
        json!([call.name, arguments])
    });
    let calls = calls.chain(whole.incomplete.then(|| json!("cut off"))).collect();
    (Value::Array(calls), whole.content)
}

fn check(dialect: Dialect, text: &str, calls: Value, content: &str) {
    for dialect in [dialect, Dialect::Auto] {
        assert_eq!(read(dialect, text), (calls.clone(), content.to_owned()), "{dialect}: {text}");
    }
}

#[test]
fn json_between_markers() {
    let call = json!([["add", {"a": 1}]]);
    for text in [
        "<tool_call>{'name': 'add', 'arguments': {'a': 1}}</tool_call>",
        "<tool_call>\n{name: \"add\", arguments: {\"a\": 1}} // that is it\n</tool_call>",
        "<tool_call>{\"name\": \"add\" \"arguments\": {\"a\": 1}}</tool_call>",
        "<tool_call>{\"function\": {\"name\": \"add\", \"arguments\": \"{\\\"a\\\": 1}\"}}</tool_call>",
        "<tool_call>{\"arguments\": {\"a\": 1}, \"name\": \"add\"}</tool_call>",
        "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 1</tool_call>",
        "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 1}",
        "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 01}}</tool_call>",
        "<think>no idea</think><tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 1}}</tool_call>",
        "<tool_call>{\"tool_calls\": [{\"name\": \"add\", \"arguments\": {\"a\": 1}}]}</tool_call>",
    ] {
        let calls = if text.ends_with("1}") { json!(["cut off"]) } else { call.clone() };
        check(Dialect::Hermes, text, calls, "");
    }
    check(
        Dialect::Jamba,
        "[{\"name\": \"add\", \"arguments\": {\"a\": 1}}]</tool_calls>",
        call,
        "",
    );
}

#[test]
fn a_list_that_was_cut_off_called_nothing() {
    let text = "Now. [TOOL_CALLS] [{\"name\": \"add\", \"arguments\": {\"a\": 1}}, {\"name\": \"li";
    check(Dialect::Mistral, text, json!(["cut off"]), "Now.");
    let text = "<tool_calls>[{\"name\": \"list\", \"arguments\": {}}";
    check(Dialect::Jamba, text, json!(["cut off"]), "");
    // Objects one behind the other are each their own.
    let text = "<tool_calls>{\"name\": \"list\", \"arguments\": {}}{\"name\": \"ad";
    check(Dialect::MinimaxM1, text, json!([["list", {}], "cut off"]), "");
}

#[test]
fn what_follows_a_call_is_text() {
    let text = "<function_call> {\"name\": \"list\", \"arguments\": {}}, and more";
    check(Dialect::Granite20bFc, text, json!([["list", {}]]), ", and more");
    let text = "<tool_call>{\"name\": \"list\"}, {\"name\": \"list\"}</tool_call>; done";
    check(Dialect::Hermes, text, json!([["list", {}], ["list", {}]]), "; done");
}

#[test]
fn what_cannot_be_mended_comes_back() {
    for text in [
        "<tool_call>{\"name\": \"add\", \"arguments\": [1]}</tool_call>",
        "<tool_call>{\"a\": 1}</tool_call>",
        "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": one}}</tool_call>",
        "<tool_call></tool_call>",
        "<tool_call>[1, 2]</tool_call>",
        "<tool_call>[{\"name\": \"list\", \"arguments\": {}}, oops]</tool_call>",
    ] {
        check(Dialect::Hermes, text, json!([]), text);
    }
}

#[test]
fn headers() {
    let call = json!([["add", {"a": 1}]]);
    for text in [
        "<|tool_calls_begin|><|tool_call_begin|>function<|tool_sep|>add\n```json\n{\"a\": 1}\n```<|tool_call_end|><|tool_calls_end|>",
        "<｜tool\\_calls\\_begin｜><｜tool\\_call\\_begin｜>function<｜tool\\_sep｜>add\n```json\n{\"a\": 1}\n```",
        "<｜tool calls begin｜><｜tool call begin｜>function<｜tool sep｜>add\n{\"a\": 1}<｜tool call end｜>",
        "<｜tool▁call▁begin｜>add<｜tool▁sep｜>{\"a\": 1}",
        "<|tool_call_section_begin|><|tool_call_begin|>functions.add:3<|tool_call_argument_begin|>{\"a\": 1}<|tool_call_end|><|tool_call_section_end|>",
    ] {
        check(Dialect::DeepseekV3, text, call.clone(), "");
    }
    let text =
        "<|tool_call_begin|>functions.a.b:3<|tool_call_argument_begin|>{}<|tool_call_end|> Done.";
    check(Dialect::KimiK2, text, json!([["a.b", {}]]), "Done.");
    check(
        Dialect::Mistral,
        "[TOOL_CALLS][{\"name\": \"list\"}]\n\nDone.",
        json!([["list", {}]]),
        "Done.",
    );
}

#[test]
fn messages() {
    let text = "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=python <|constrain|>code<|message|>print(1)<|call|>";
    check(Dialect::Harmony, text, json!([["python", {"code": "print(1)"}]]), "");
    let text = "<|channel|>commentary to=functions.list<|message|>{}<|end|>";
    check(Dialect::Harmony, text, json!([["list", {}]]), "");
    let text = "<|channel|>final<|message|>Four.";
    check(Dialect::Harmony, text, json!([]), "Four.");
}

#[test]
fn tags() {
    for text in [
        "<tool_call><function=add><parameter=a>1</parameter></function></tool_call>",
        "<tool_call>\n<function=\"add\">\n<parameter=\"a\">\n1\n</parameter>\n</function>\n</tool_call>",
        "<tool_call>\n<function = add >\n<parameter = a >\n1\n</parameter>\n</function>\n</tool_call>",
        "<think>so\n<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>",
        "<function=add><parameter=a>1</parameter></function>",
        "<function=add>{\"a\": 1}</function>",
    ] {
        check(Dialect::Qwen3Coder, text, json!([["add", {"a": 1}]]), "");
    }
    let two = "<tool_call><function=list></function><function=add><parameter=b>null</parameter></function></tool_call>";
    check(Dialect::Qwen3Coder, two, json!([["list", {}], ["add", {"b": null}]]), "");
    for text in [
        "<minimax:tool_call><invoke name='add'><parameter name='a'>1</parameter></invoke></minimax:tool_call>",
        "<minimax:tool_call><invoke name=add><parameter name=a>1</parameter></invoke></minimax:tool_call>",
    ] {
        check(Dialect::MinimaxM2, text, json!([["add", {"a": 1}]]), "");
    }
    let text = "<function name=\"note\"><param name=\"text\"><![CDATA[a </param> & <b>\n]]></param></function>";
    check(Dialect::Minicpm5, text, json!([["note", {"text": "a </param> & <b>\n"}]]), "");
    let text = "<|DSML|function_calls><|DSML|invoke name=\"add\"><|DSML|parameter name=\"items\" string=\"false\">[1]</|DSML|parameter></|DSML|invoke></|DSML|function_calls>";
    check(Dialect::DeepseekV32, text, json!([["add", {"items": [1]}]]), "");
    let text = "<tool_calls:v2><tool_call:v2>add<tool_sep:v2><arg_key:v2>a</arg_key:v2><arg_value:v2>1</arg_value:v2></tool_call:v2></tool_calls:v2>";
    check(Dialect::HunyuanV3, text, json!([["add", {"a": 1}]]), "");
}

#[test]
fn a_value_may_hold_its_own_closing_tag() {
    let text = "<function=note><parameter=text>\nuse </parameter> and <parameter>\n</parameter></function>";
    check(
        Dialect::Qwen3Coder,
        text,
        json!([["note", {"text": "use </parameter> and <parameter>"}]]),
        "",
    );
}

#[test]
fn python() {
    let call =
        json!([["add", {"a": -1, "b": null, "items": [1, "x", [true]], "note": "it's \"so\"\n"}]]);
    let text = "[add(a=-1, b=None, items=(1, 'x', [True],), note='it\\'s ' '\"so\"\\n')]";
    check(Dialect::Pythonic, text, call.clone(), "");
    let text = "[add(\n    a=-1,\n    b=None,\n    items=[1, 'x', [True]],\n    note=\"\"\"it's \"so\"\n\"\"\",\n)]";
    check(Dialect::Pythonic, text, call, "");
    check(Dialect::Pythonic, "[tools.list()]", json!([["list", {}]]), "");
    check(Dialect::Pythonic, "[add(a=b)]", json!([]), "[add(a=b)]");
    check(
        Dialect::Lfm2,
        "<|tool_call_start|>[list(), add(a=007)]<|tool_call_end|>Ok.",
        json!([["list", {}], ["add", {"a": 7}]]),
        "Ok.",
    );
}

#[test]
fn lines() {
    let text = "Thought: I add.\nAction: add\nAction Input: {\"a\": 1}\n\nThought: done.\nFinal Answer: 1.";
    check(Dialect::React, text, json!([["add", {"a": 1}]]), "1.");
    let text = "thought: I note.\naction: note\naction input: \"buy milk\"\nObservation: ok\nFinal Answer: no";
    check(Dialect::React, text, json!([["note", {"text": "buy milk"}]]), "");
}

#[test]
fn prose_in_auto_stays_prose() {
    for text in [
        "Observation: the plant grew.\nThought: water it.\nFinal Answer: yes.",
        "Action: wash the dishes\nAction Input: soap",
        "all\nof us",
        "He said </s> and <s>old</s> things; a <b>bold</b> [link](url) {braces} `code {\"tool\": \"list\"}`.",
        "In Python:\n\n```python\nfrom functools import reduce\nfunctools[0]\nlist()\n```\n",
        "  indented\n\n\ttext, with blanks at the end  \n",
        "to=nobody and >>> prompt\n>>> list\n",
        "[1] [2, 3] {\"a\": [1, {\"name\": \"list\"}]}",
        "<answer>42</answer> and <response> are tags",
    ] {
        assert_eq!(read(Dialect::Auto, text), (json!([]), text.to_owned()));
    }
}

#[test]
fn deep_nesting_is_read_and_deeper_is_refused_in_good_order() {
    let nested = |depth: usize| {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        format!(
            "<tool_call>{{\"name\": \"add\", \"arguments\": {{\"items\": {open}{close}}}}}</tool_call>"
        )
    };
    let found = extract(&nested(256), Dialect::Hermes, &tools());
    assert_eq!(found.calls.len(), 1);
    assert_eq!(
        found.calls[0].arguments,
        format!("{{\"items\":{}{}}}", "[".repeat(256), "]".repeat(256))
    );
    for depth in [600, 30_000] {
        let text = nested(depth);
        let found = extract(&text, Dialect::Hermes, &tools());
        assert_eq!((found.calls.len(), found.content.len()), (0, text.len()));
    }
}

#[test]
fn a_cut_in_the_middle_of_plain_input_is_no_call() {
    let mut decoder = Decoder::new(Dialect::React, &tools());
    let mut found: Extraction =
        decoder.push("Action: note\nAction Input: buy mi").into_iter().collect();
    found.extend(decoder.cut_off());
    assert_eq!((found.calls.len(), found.incomplete), (0, true));
}

#[test]
fn prose_between_calls_is_prose() {
    let pairs = "<tool_call>add<arg_key>a</arg_key><arg_value>1</arg_value></tool_call>";
    let json = "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 1}}</tool_call>";
    let tags = "<tool_call><function=add><parameter=a>1</parameter></function></tool_call>";
    let bare = "<tool_call>list</tool_call>";
    let (add, list) = (json!(["add", {"a": 1}]), json!(["list", {}]));
    for (dialect, one, calls) in [
        (Dialect::Glm47, pairs, &add),
        (Dialect::Glm47, bare, &list),
        (Dialect::Hermes, json, &add),
        (Dialect::Qwen3Coder, tags, &add),
    ] {
        for words in ["Beta.", "Beta", "Beta (so far)", "beta()", "Now the other:"] {
            let calls = json!([calls, calls]);
            check(dialect, &format!("{one} {words} {one}"), calls.clone(), words);
            // The mark that closes the first is missing.
            let open = one.strip_suffix("</tool_call>").unwrap();
            if one != bare && one != pairs {
                check(dialect, &format!("{open} {words} {one}"), calls, words);
            }
        }
    }
    let two =
        "<tool_calls><tool_call>list</tool_call> Beta. <tool_call>list</tool_call></tool_calls>";
    check(Dialect::HunyuanV3, two, json!([list, list]), "Beta.");
    let half = "<tool_calls><tool_call>list</tool_call><tool_call>add<arg_k";
    let found = extract(half, Dialect::HunyuanV3, &tools());
    assert_eq!((found.calls.len(), found.content.as_str(), found.incomplete), (1, "", true));
}

#[test]
fn brackets_that_are_never_closed_are_a_call_that_was_cut_off() {
    let deep = "[".repeat(30_000);
    for (dialect, opening) in [
        (Dialect::Hermes, "<tool_call>{\"name\": \"add\", \"arguments\": {\"items\": "),
        (Dialect::Generic, "{\"tool\": \"add\", \"params\": {\"items\": "),
        (Dialect::Generic, "```json\n{\"tool\": \"add\", \"params\": {\"items\": "),
        (Dialect::React, "Action: add\nAction Input: {\"items\": "),
        (Dialect::Pythonic, "[add(items="),
        (Dialect::Gemma4, "<|tool_call>call:add{items:"),
        (
            Dialect::KimiK2,
            "<|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{\"items\": ",
        ),
    ] {
        let text = format!("{opening}{deep}");
        for (dialect, text) in [(dialect, &text), (dialect, &format!("Well. {text}"))] {
            if text.starts_with("Well. ") && matches!(dialect, Dialect::React)
                || text.contains(". ```")
            {
                continue;
            }
            let found = extract(text, dialect, &tools());
            let said = if text.starts_with("Well. ") { "Well." } else { "" };
            let found = (found.calls.len(), found.content.as_str(), found.incomplete);
            assert_eq!(found, (0, said, true), "{dialect}, {opening}");
        }
    }
    let open = "]<]minimax[>[<a>".repeat(3000);
    let text = format!("]<]minimax[>[<tool_call>]<]minimax[>[<invoke name=\"add\">{open}");
    let found = extract(&text, Dialect::MinimaxM3, &tools());
    assert_eq!((found.calls.len(), found.content.as_str(), found.incomplete), (0, "", true));
    // Where it is over, it is only too deep, and what follows is read.
    let text = format!(
        "<tool_call>{{\"name\": \"add\", \"arguments\": {{\"items\": {deep}</tool_call> \
         <tool_call>{{\"name\": \"list\"}}</tool_call>"
    );
    let found = extract(&text, Dialect::Hermes, &tools());
    assert_eq!((found.calls.len(), found.incomplete), (1, false));
}

#[test]
fn a_call_of_another_name_is_one_where_that_is_wanted() {
    let call = "{\"tool\": \"hammer\", \"params\": {\"size\": 3}}";
    let hammer = ("hammer".to_owned(), "{\"size\":3}".to_owned());
    let wanted = tools().or_unlisted(|call| call.name != "quoted");
    let read = |dialect, text: &str, tools: &KnownTools| {
        let found = extract(text, dialect, tools);
        let calls = found.calls.iter().map(|it| (it.name.clone(), it.arguments.clone()));
        (calls.collect::<Vec<_>>(), found.content, found.incomplete)
    };
    for (dialect, text) in [
        (Dialect::Generic, call.to_owned()),
        (Dialect::Generic, format!("```json\n{call}\n```")),
        (Dialect::Auto, format!("```\n[{call}]\n```")),
        (Dialect::Auto, "{\"type\": \"function\", \"function\": {\"name\": \"hammer\", \"arguments\": {\"size\": 3}}}".to_owned()),
        (Dialect::Llama3Json, "{\"name\": \"hammer\", \"parameters\": {\"size\": 3}}".to_owned()),
        (Dialect::React, "Action: hammer\nAction Input: {\"size\": 3}".to_owned()),
        (Dialect::Pythonic, "[hammer(size=3)]".to_owned()),
        (Dialect::ToolCode, "```tool_code\nprint(hammer(size=3))\n```".to_owned()),
        (Dialect::FunctionaryV32, "hammer\n{\"size\": 3}".to_owned()),
        (Dialect::CommandRPlus, "Action:\n```json\n[{\"tool_name\": \"hammer\", \"parameters\": {\"size\": 3}}]\n```".to_owned()),
    ] {
        assert_eq!(read(dialect, &text, &wanted), (vec![hammer.clone()], String::new(), false), "{text}");
        assert_eq!(read(dialect, &text, &tools()), (vec![], text.clone(), false), "{text}");
        let quoted = text.replace("hammer", "quoted");
        assert_eq!(read(dialect, &quoted, &wanted), (vec![], quoted.clone(), false), "{quoted}");
    }
    // What a call does not look like stays text; and so does what has no end.
    for text in [
        "{\"name\": \"Ann\", \"age\": 3}",
        "{\"name\": \"Ann\"}",
        "{\"name\": \"f\", \"description\": \"x\", \"parameters\": {\"type\": \"object\"}}",
        "{\"tool\": \"hammer\", \"params\": {\"size\": ",
        "```json\n{\"tool\": \"hammer\", \"params\": 3}\n```",
        "`{\"tool\": \"hammer\", \"params\": {}}`",
        "```python\n{\"tool\": \"hammer\", \"params\": {}}\n```",
        "[hammer(size=3)]",
    ] {
        assert_eq!(read(Dialect::Auto, text, &wanted), (vec![], text.to_owned(), false), "{text}");
    }
}

#[test]
fn what_a_model_did_not_finish_although_it_stopped_is_text_unless_a_marker_opened_it() {
    let stopped = |dialect, text: &str| {
        let mut decoder = Decoder::new(dialect, &tools());
        let mut found: Extraction = decoder.push(text).into_iter().collect();
        found.extend(decoder.stopped());
        (found.calls.len(), found.content, found.incomplete)
    };
    for text in [
        "{\"tool\": \"note\", \"params\": {\"text\": \"buy mi",
        "Sure. {\"tool\": \"note\", \"params\": ",
        "```json\n{\"tool\": \"note\", \"params\": {\"text\": \"buy\"",
        "{\"tool\": \"add\", \"params\": {\"a\": tru",
    ] {
        assert_eq!(stopped(Dialect::Auto, text), (0, text.to_owned(), false), "{text}");
        let found = extract(text, Dialect::Auto, &tools());
        assert_eq!((found.calls.len(), found.incomplete), (0, true), "{text}");
    }
    let marked = "<tool_call>{\"name\": \"note\", \"arguments\": {\"te";
    assert_eq!(stopped(Dialect::Auto, marked), (0, String::new(), true));
}

/// A key that stands twice, or two names that differ, could be read in more than one way: it is no
/// call, in whichever form it stands.
#[test]
fn what_names_two_tools_calls_none() {
    let objects = [
        r#"{"tool": "note", "tool": "list", "params": {"text": "a"}}"#,
        r#"{"tool": "note", "params": {"text": "a"}, "tool": "list"}"#,
        r#"{"tool": "note", "tool": "note", "params": {"text": "a"}}"#,
        r#"{"tool": "note", "name": "list", "params": {"text": "a"}}"#,
        r#"{"tool": "note", "t\u006fol": "list", "params": {"text": "a"}}"#,
        r#"{"tool": "note", "params": {"text": "a"}, "params": null}"#,
        r#"{"tool": "note", "params": null, "params": {"text": "a"}}"#,
        r#"{"function": {"name": "note", "name": "list", "arguments": {"text": "a"}}}"#,
        r#"{"name": "list", "function": {"name": "note", "arguments": {"text": "a"}}}"#,
    ];
    for object in objects {
        for text in [
            object.to_owned(),
            format!("Well: {object} and so on"),
            format!("```json\n{object}\n```"),
            format!("<tool_call>{object}</tool_call>"),
            format!("[TOOL_CALLS] [{object}]"),
        ] {
            for dialect in [Dialect::Auto, Dialect::Generic, Dialect::Hermes, Dialect::Mistral] {
                let (calls, _) = read(dialect, &text);
                assert_eq!(calls, json!([]), "{dialect}: {text}");
            }
        }
    }
    // What names one tool in two ways is one call.
    let same = r#"{"tool": "note", "name": "note", "params": {"text": "a"}}"#;
    check(Dialect::Generic, same, json!([["note", {"text": "a"}]]), "");
}

/// A fence may be made of tildes.
#[test]
fn a_fence_of_tildes_is_a_fence() {
    let call = r#"{"tool": "note", "params": {"text": "a"}}"#;
    let calls = json!([["note", {"text": "a"}]]);
    for text in [
        format!("~~~json\n{call}\n~~~"),
        format!("~~~\n{call}\n~~~"),
        format!("~~~~json\n{call}\n~~~~\n"),
        format!("~~~json\n{call}"),
    ] {
        check(Dialect::Generic, &text, calls.clone(), "");
    }
    let text = format!("So:\n\n~~~json\n{call}\n~~~\nDone.");
    check(Dialect::Generic, &text, calls, &read(Dialect::Generic, &text.replace("~~~", "```")).1);
    // In one with another label it is text, and so is what the other kind of mark seems to close.
    for text in [
        format!("~~~python\n{call}\n~~~"),
        format!("~~~python\n```\n{call}\n```\n~~~"),
        format!("```python\n~~~\n{call}\n~~~\n```"),
        "about ~5 or ~~~ so".to_owned(),
        "~~struck~~ and `~~~`".to_owned(),
    ] {
        check(Dialect::Generic, &text, json!([]), &text);
    }
}
