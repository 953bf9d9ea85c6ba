//! What is written under a constraint ends, parses, validates and is grounded.

mod cases;
mod edits;
mod properties;
mod schema_cases;
mod schemas;
mod world;

use std::sync::Arc;

use serde_json::Value;
use toolwright_core::{ToolChoice, ToolSpec};

use super::{CallForm, Constraint, Context, Lexicon, Style};
use crate::tokens::Vocabulary;

/// Every byte, some longer tokens, and the end.
struct Tokens {
    tokens: Vec<Vec<u8>>,
}

/// What the longer tokens are cut from: what turns look like.
const SAMPLE: &str = r#"<tool_call>{"name": "find", "arguments": {"a": "x", "b": [1, 20], "c": {}}}</tool_call>
The price of NIFTY is 24,850.30 today, 2026-11-16. It's 5 °C in São Paulo "now"\n. true false null
[[1]] `x` [[tools]] ```"#;

impl Tokens {
    fn new(rng: &mut fastrand::Rng) -> Self {
        let mut tokens: Vec<_> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
        let sample = SAMPLE.as_bytes();
        for _ in 0..300 {
            let from = rng.usize(..sample.len());
            let to = (from + rng.usize(2..12)).min(sample.len());
            tokens.push(sample[from..to].to_vec());
        }
        // The end, which has no bytes.
        tokens.push(Vec::new());
        Self { tokens }
    }
}

impl Vocabulary for Tokens {
    fn size(&self) -> u32 {
        self.tokens.len() as u32
    }

    fn bytes(&self, token: u32) -> &[u8] {
        self.tokens.get(token as usize).map(Vec::as_slice).unwrap_or_default()
    }

    fn end(&self) -> u32 {
        self.size() - 1
    }
}

fn lexicon(rng: &mut fastrand::Rng) -> Arc<Lexicon> {
    Arc::new(Lexicon::new(Arc::new(Tokens::new(rng))))
}

fn tool(name: &str, parameters: Value) -> Arc<ToolSpec> {
    Arc::new(ToolSpec::new(name, "Does something.", parameters))
}

fn constraint(tools: &[Arc<ToolSpec>], said: &[&str], choice: &ToolChoice) -> Constraint {
    constraint_on(tools, said, &[], choice)
}

fn constraint_on(
    tools: &[Arc<ToolSpec>],
    said: &[&str],
    found: &[&str],
    choice: &ToolChoice,
) -> Constraint {
    let lexicon = lexicon(&mut fastrand::Rng::with_seed(7));
    let texts = |texts: &[&str]| texts.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let context = Context::new(&texts(said), &texts(found));
    Constraint::new(lexicon, tools, context, choice, Style::default())
}

/// How much of a text may be written, and whether the turn may end there.
fn accepted<'a>(constraint: &mut Constraint, text: &'a str) -> (&'a str, bool) {
    for (at, byte) in text.bytes().enumerate() {
        if !constraint.allowed().allows(u32::from(byte)) {
            return (&text[..text.floor_char_boundary(at)], false);
        }
        constraint.push(u32::from(byte));
    }
    let end = constraint.lexicon.vocabulary().end();
    (text, constraint.allowed().allows(end))
}
