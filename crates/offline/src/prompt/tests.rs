//! Prompts are byte for byte those the model was trained on.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use jiff::civil::Date;
use serde::Deserialize;
use serde_json::Value;
use toolwright_core::{Conversation, Message, ToolDefinitions, ToolSpec};

use super::Prompt;

#[derive(Deserialize)]
struct Golden {
    today: Option<Date>,
    messages: Vec<Message>,
    tools: Vec<Definition>,
    expected: String,
}

#[derive(Deserialize)]
struct Definition {
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    description: String,
    parameters: Value,
}

fn golden() -> BTreeMap<String, Golden> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/prompts");
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "json") {
            let text = fs::read_to_string(&path).unwrap();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            all.insert(name, serde_json::from_str(&text).unwrap());
        }
    }
    assert!(all.len() >= 10, "the golden files are not there");
    all
}

fn rendered(golden: &Golden) -> Prompt {
    let mut conversation = Conversation::new();
    golden.messages.iter().for_each(|message| conversation.push(message.clone()));
    let specs = golden.tools.iter().map(|tool| {
        let Function { name, description, parameters } = &tool.function;
        Arc::new(ToolSpec::new(name, description, parameters.clone()))
    });
    Prompt::render(&conversation, &ToolDefinitions::new(specs), golden.today)
}

#[test]
fn prompts_are_as_trained() {
    for (name, golden) in golden() {
        assert_eq!(rendered(&golden).text, golden.expected, "{name}");
    }
}

#[test]
fn values_come_from_the_person_and_from_results() {
    let golden = golden();
    let Prompt { said, found, .. } = rendered(&golden["demo-results"]);
    assert_eq!(said, ["What's the weather in São Paulo and a 20% tip on $45.60?"]);
    assert_eq!(found, ["Weather in São Paulo: 72°F, sunny", "{\"tip\":9.12,\"total\":54.72}"]);
    // What the runtime said in the person's place is not among them.
    let Prompt { said, found, .. } = rendered(&golden["trading-chain"]);
    let mut all = said.iter().chain(&found);
    assert!(all.all(|text| !text.contains("was refused")), "{said:?} {found:?}");
}
