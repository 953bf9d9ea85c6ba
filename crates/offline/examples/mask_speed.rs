//! How long a mask takes: `cargo run --release -p toolwright-offline --example mask_speed -- MODEL.gguf`.
//!
//! Writes turns token by token over a long conversation and prints what each kind of place costs.

use std::{
    collections::BTreeMap,
    env,
    error::Error,
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::json;
use toolwright_core::{ToolChoice, ToolSpec};
use toolwright_offline::{
    constrain::{Constraint, Context, Lexicon, Style},
    tokens::{Tokenizer, Vocabulary},
    weights::Gguf,
};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("name a GGUF")?;
    let tokenizer: Arc<dyn Vocabulary> = Arc::new(Tokenizer::new(&Gguf::open(path)?)?);
    let start = Instant::now();
    let lexicon = Arc::new(Lexicon::new(tokenizer));
    println!("lexicon of {} tokens: {:?}", lexicon.vocabulary().size(), start.elapsed());
    let mut places: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    for (choice, turn) in [(ToolChoice::Required, CALL), (ToolChoice::Auto, ANSWER)] {
        let start = Instant::now();
        let context = Context::new(&conversation(), &[]);
        let mut constraint =
            Constraint::new(lexicon.clone(), &tools(), context, &choice, Style::default());
        println!("constraint: {:?}", start.elapsed());
        let mut written = String::new();
        for byte in turn.bytes() {
            let start = Instant::now();
            let is_allowed = constraint.allowed().allows(token(&lexicon, byte)?);
            places.entry(place(&written)).or_default().push(start.elapsed());
            if !is_allowed {
                return Err(format!("not allowed after {written}").into());
            }
            constraint.push(token(&lexicon, byte)?);
            written.push(char::from(byte));
        }
    }
    for (place, mut times) in places {
        times.sort_unstable();
        let middle = times.get(times.len() / 2).copied().unwrap_or_default();
        let most = times.last().copied().unwrap_or_default();
        println!(
            "{place:<28} {:>4} masks, median {middle:>10.1?}, most {most:>10.1?}",
            times.len()
        );
    }
    Ok(())
}

const CALL: &str = concat!(
    r#"<tool_call>{"name": "get_market_quote", "arguments": {"securities": {"NSE_EQ": [1007, "1010"]}}}</tool_call>"#,
    "\n",
    r#"<tool_call>{"name": "search", "arguments": {"query": "Instrument number 12"}}</tool_call>"#,
    "\n",
    r#"<tool_call>{"name": "bash", "arguments": {"command": "echo \"a\" | wc -l"}}</tool_call>"#,
);
const ANSWER: &str = "Instrument number 12 has the id 1012, and \"number 3\" has 1003.";

fn conversation() -> Vec<String> {
    let row = |at: u32| {
        format!("{at}. Instrument number {at}: security_id {}, exchange_segment NSE_EQ", 1000 + at)
    };
    let result = (1..60).map(row).collect::<Vec<_>>().join("\n");
    vec!["What do instruments 7 and 10 cost?".to_owned(), result.clone(), result]
}

fn tools() -> Vec<Arc<ToolSpec>> {
    let tool = |name: &str, field: &str, schema: serde_json::Value| {
        let parameters =
            json!({"type": "object", "properties": {field: schema}, "required": [field]});
        ToolSpec::new(name, "", parameters)
    };
    let ids = json!({"type": "array", "items": {"type": ["integer", "string"]}});
    let securities = json!({"type": "object", "additionalProperties": ids});
    let string = json!({"type": "string"});
    vec![
        Arc::new(tool("get_market_quote", "securities", securities)),
        Arc::new(tool("search", "query", string.clone())),
        Arc::new(tool("bash", "command", string).generated("command")),
    ]
}

/// The token of one byte.
fn token(lexicon: &Lexicon, byte: u8) -> Result<u32, String> {
    let vocabulary = lexicon.vocabulary();
    let mut tokens = 0..vocabulary.size();
    tokens.find(|token| vocabulary.bytes(*token) == [byte]).ok_or(format!("no token for {byte}"))
}

/// What is being written.
fn place(written: &str) -> &'static str {
    if !written.starts_with('<') {
        return match written {
            "" => "beginning of a turn",
            _ if written.ends_with(|char: char| char.is_ascii_digit()) => "figure in an answer",
            _ => "answer",
        };
    }
    let call = written.rsplit('\n').next().unwrap_or_default();
    let (before, string) = call.rsplit_once("\": ").unwrap_or((call, ""));
    match string {
        "\"" if before.ends_with("query") => "beginning of a held string",
        _ if before.ends_with("query") => "held string",
        _ if before.ends_with("command") => "composed string",
        _ => "names, keys, numbers",
    }
}
