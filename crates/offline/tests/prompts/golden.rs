//! [`GoldenPrompt`]: the conversations in this folder, for all tests that read them.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use jiff::civil::Date;
use serde::Deserialize;
use serde_json::Value;
use toolwright_core::{Conversation, Message, ToolDefinitions, ToolSpec};

/// A conversation that the form of prompts is held against, with its tools.
#[derive(Deserialize)]
pub(crate) struct GoldenPrompt {
    messages: Vec<Message>,
    tools: Vec<Definition>,
    /// What day it is.
    #[allow(dead_code, reason = "only the tests of prompts look at it")]
    pub(crate) today: Option<Date>,
    /// The prompt.
    #[allow(dead_code, reason = "only the tests of prompts look at it")]
    pub(crate) expected: String,
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

impl GoldenPrompt {
    /// All of them, by their names.
    pub(crate) fn all() -> BTreeMap<String, Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/prompts");
        let files = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
        let files = files.filter(|it| it.extension().is_some_and(|it| it == "json"));
        let read = files.map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, serde_json::from_slice(&fs::read(path).unwrap()).unwrap())
        });
        let all: BTreeMap<_, _> = read.collect();
        assert!(all.len() >= 10, "the golden files are not there");
        all
    }

    /// What was said.
    pub(crate) fn conversation(&self) -> Conversation {
        self.messages.iter().cloned().collect()
    }

    /// The tools that are offered.
    pub(crate) fn definitions(&self) -> ToolDefinitions {
        ToolDefinitions::new(self.tools.iter().map(|Definition { function }| {
            let Function { name, description, parameters } = function;
            Arc::new(ToolSpec::new(name, description, parameters.clone()))
        }))
    }
}
