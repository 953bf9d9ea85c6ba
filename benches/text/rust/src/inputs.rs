//! The inputs: always the same, about 1 MB each.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use serde_json::{Value, json};

const WORDS: [&str; 14] = [
    "the", "market", "opened", "higher", "and", "index", "futures", "traded", "near", "day",
    "range", "while", "breadth", "positive",
];

const SIZE: usize = 1_000_000;

pub struct Inputs {
    /// Prose with a call in Hermes' form in every paragraph.
    pub hermes: String,
    pub calls: usize,
    /// Records, as JSON.
    pub valid: String,
    /// The same, damaged as models damage JSON.
    pub broken: String,
    /// One small call, damaged.
    pub one: String,
}

/// Numbers that look random and are not.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn prose(&mut self, words: usize) -> String {
        let word = |_| WORDS[self.below(WORDS.len() as u64) as usize];
        (0..words).map(word).collect::<Vec<_>>().join(" ")
    }
}

impl Inputs {
    pub fn new() -> Self {
        let mut numbers = Numbers(7);
        let (hermes, calls) = hermes(&mut numbers);
        let (mut valid, mut broken, mut size) = (Vec::new(), Vec::new(), 0);
        while size < SIZE {
            let id = valid.len();
            let record = json!({
                "id": id,
                "name": format!("rec {id}"),
                "note": numbers.prose(20),
                "tags": ["a", "b", "c"],
                "price": numbers.below(10_000_000) as f64 / 100.0,
                "live": true,
            });
            let text = spaced(&record);
            size += text.len() + 2;
            broken.push(damaged(id, &text));
            valid.push(text);
        }
        Self {
            hermes,
            calls,
            valid: format!("[{}]", valid.join(", ")),
            // And never closed.
            broken: format!("[{}", broken.join(", ")),
            one: r#"{"query": "NIFTY", "instrument_type": "INDEX", "limit": 5,"#.to_owned(),
        }
    }

    /// Writes the inputs, for programs in another language.
    pub fn write(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        for (name, text) in [
            ("hermes.txt", &self.hermes),
            ("valid.json", &self.valid),
            ("broken.json", &self.broken),
            ("one.txt", &self.one),
        ] {
            fs::write(folder.join(name), text).context(name)?;
        }
        Ok(())
    }
}

fn hermes(numbers: &mut Numbers) -> (String, usize) {
    let (mut text, mut calls) = (String::new(), 0);
    while text.len() < SIZE {
        text.push_str(&numbers.prose(120));
        text.push_str(&format!(
            "\n<tool_call>\n{{\"name\": \"search_instruments\", \"arguments\": {{\"query\": \"NIFTY {calls}\", \
             \"instrument_type\": \"INDEX\"}}}}\n</tool_call>\n"
        ));
        calls += 1;
    }
    (text, calls)
}

/// A record as models write it: with a blank behind each comma and colon.
fn spaced(record: &Value) -> String {
    let fields = record.as_object().into_iter().flatten();
    let fields =
        fields.map(|(key, value)| format!("\"{key}\": {value}").replace("\",\"", "\", \""));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
}

fn damaged(id: usize, text: &str) -> String {
    match id % 6 {
        0 => text.replace('"', "'"),
        1 => format!("{},}}", text.trim_end_matches('}')),
        2 => text.replace("true", "True"),
        3 => text.replace("\"name\"", "name"),
        // A comma is missing.
        4 => text.replace(", \"tags\"", " \"tags\""),
        _ => text.to_owned(),
    }
}
