//! How often the tools a question needs are among those offered, and what choosing them costs.
//!
//!   bench-select [TOOLS.json QUESTIONS.json]
//!
//! Without arguments it reads what the tests read. Tools are a list of specs; questions are an object
//! with lists of `{"tools": […], "messages": […]}`, each list a row, and under `searches` the words
//! in which a model would look for each tool.

use std::{collections::BTreeMap, env, fs, hint::black_box, sync::Arc, time::Instant};

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;
use toolwright::{
    Conversation,
    tool::{SelectionConfig, ToolDefinitions, ToolSelector, ToolSpec},
};

#[derive(Deserialize)]
struct Question {
    tools: Vec<String>,
    messages: Conversation,
}

/// What is read: tools, questions in groups, and how a model looks for each tool.
struct Data {
    specs: Vec<Arc<ToolSpec>>,
    groups: Vec<(String, Vec<Question>)>,
    searches: BTreeMap<String, String>,
}

fn main() -> Result<()> {
    let data = Data::read()?;
    println!("{} tools\n", data.specs.len());
    println!(
        "| questions | | recall@8 | recall@16 | recall@24 | missed, then found by find_tools |"
    );
    println!("|---|---|---|---|---|---|");
    for (name, questions) in &data.groups {
        let recall = [8, 16, 24].map(|offer| data.recall(questions, offer));
        let [eight, sixteen, all] = recall.map(|it| format!("{:.3}", it.share));
        let [.., last] = recall;
        let count = questions.len();
        let found = match data.searches.is_empty() {
            true => String::new(),
            false => format!("{} of {}", last.found, last.missed),
        };
        println!("| {name} | {count} | {eight} | {sixteen} | {all} | {found} |");
    }
    data.cost();
    Ok(())
}

/// How many of the needed tools were offered.
#[derive(Clone, Copy)]
struct Recall {
    /// The mean over the questions.
    share: f64,
    missed: usize,
    found: usize,
}

impl Data {
    fn read() -> Result<Self> {
        let known = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/runtime/tests/data");
        let mut paths = env::args().skip(1);
        let mut next = |name: &str| paths.next().unwrap_or_else(|| format!("{known}/{name}"));
        let mut read = |name: &str| {
            let path = next(name);
            fs::read_to_string(&path).with_context(|| path)
        };
        let specs = serde_json::from_str(&read("tools.json")?).context("the tools")?;
        let mut questions: BTreeMap<String, Value> =
            serde_json::from_str(&read("questions.json")?).context("the questions")?;
        let searches = questions.remove("searches").map(serde_json::from_value).transpose()?;
        let groups = questions
            .into_iter()
            .map(|(name, list)| Ok((name, serde_json::from_value(list)?)))
            .collect::<Result<_>>()?;
        Ok(Self { specs, groups, searches: searches.unwrap_or_default() })
    }

    fn recall(&self, questions: &[Question], offer: usize) -> Recall {
        let selector = ToolSelector::new(&self.specs, SelectionConfig { above: 0, offer });
        let is = |at: &usize, name: &str| self.specs.get(*at).is_some_and(|it| it.name == name);
        let mut recall = Recall { share: 0.0, missed: 0, found: 0 };
        for question in questions {
            let chosen = selector.choose(&question.messages, &[]);
            let missed: Vec<_> = question
                .tools
                .iter()
                .filter(|name| !chosen.iter().any(|at| is(at, name)))
                .collect();
            let part = missed.len() as f64 / question.tools.len() as f64;
            recall.share += (1.0 - part) / questions.len() as f64;
            recall.missed += missed.len();
            let found = missed.iter().filter(|name| {
                let words = self.searches.get(**name).map_or("", String::as_str);
                selector.search(words, 8).iter().any(|at| is(at, name))
            });
            recall.found += found.count();
        }
        recall
    }

    fn cost(&self) {
        let questions: Vec<_> = self.groups.iter().flat_map(|(_, questions)| questions).collect();
        let count = questions.len() as f64;
        let build = best_of(5, || {
            let selector = ToolSelector::new(&self.specs, SelectionConfig { above: 0, offer: 24 });
            drop(black_box(selector.search("anything", 1)));
        });
        let selector = ToolSelector::new(&self.specs, SelectionConfig { above: 0, offer: 24 });
        let choose = best_of(10, || {
            for question in &questions {
                drop(black_box(selector.choose(&question.messages, &[])));
            }
        });
        let mut offered = 0;
        for question in &questions {
            let chosen = selector.choose(&question.messages, &[]);
            let chosen = chosen.into_iter().filter_map(|at| self.specs.get(at).cloned());
            offered += ToolDefinitions::new(chosen).json().len();
        }
        let all = ToolDefinitions::new(self.specs.iter().cloned()).json().len() as f64;
        let offered = offered as f64 / count;
        println!("\n| cost | | goal |");
        println!("|---|---|---|");
        println!("| µs to choose, mean of the questions | {:.0} | ≤ 100 |", choose * 1e6 / count);
        println!("| ms to read the tools, once | {:.1} | |", build * 1e3);
        println!("| definitions of all tools, KB | {:.1} | |", all / 1e3);
        println!("| definitions of 24 offered, KB, mean | {:.1} | |", offered / 1e3);
        println!("| of all | {:.1} % | |", 100.0 * offered / all);
    }
}

/// The seconds something takes when nothing disturbs it.
fn best_of(rounds: u32, mut work: impl FnMut()) -> f64 {
    let round = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    (0..rounds).map(round).fold(f64::INFINITY, f64::min)
}
