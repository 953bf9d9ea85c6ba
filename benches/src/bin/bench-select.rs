//! How often the tools a question needs are among those offered, and what choosing them costs.
//!
//!   bench-select [TOOLS.json QUESTIONS.json]
//!
//! Without arguments it reads what the tests read, and then `benches/select`: tools and questions that
//! were written without the lists of words, and looked at while the weights were chosen. Tools are a
//! list of specs; questions are an object with lists of
//! `{"tools": […], "messages": […]}`, each list a row, and under `searches` the words in which a model
//! would look for each tool. Where `TOOLWRIGHT_EMBED_MODEL` names the folder of the model for search by
//! meaning, every row is there once more with it.

use std::{
    collections::BTreeMap, env, fs, future::Future, hint::black_box, sync::Arc, time::Instant,
};

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;
use toolwright::{
    Conversation,
    tool::{SelectionConfig, ToolDefinitions, ToolSelector, ToolSimilarity, ToolSpec},
};
use toolwright_embed::Source;
use toolwright_offline::Similarity;

#[derive(Clone, Deserialize)]
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
    let paths: Vec<_> = env::args().skip(1).collect();
    let here = env!("CARGO_MANIFEST_DIR");
    let known = [format!("{here}/../crates/runtime/tests/data"), format!("{here}/select")];
    let known = known.map(|it| [format!("{it}/tools.json"), format!("{it}/questions.json")]);
    match &*paths {
        [] => known.iter().try_for_each(|[tools, questions]| measure(tools, questions)),
        [tools, questions] => measure(tools, questions),
        _ => anyhow::bail!("bench-select [TOOLS.json QUESTIONS.json]"),
    }
}

fn measure(tools: &str, questions: &str) -> Result<()> {
    let data = Data::read(tools, questions)?;
    println!("{} tools\n", data.specs.len());
    println!(
        "| questions | | recall@8 | recall@16 | recall@24 | missed, then found by find_tools |"
    );
    println!("|---|---|---|---|---|---|");
    data.rows("", &vec![Vec::new(); data.all().count()]);
    let model = env::var_os("TOOLWRIGHT_EMBED_MODEL");
    let model = model.map(|folder| Similarity::new(Arc::new(Source::local(folder))));
    let start = Instant::now();
    let compared = model.as_ref().map(|model| data.compare(model)).transpose()?;
    let first = start.elapsed().as_secs_f64();
    if let Some(compared) = &compared {
        data.rows(", with meaning", compared);
    }
    data.cost();
    if let Some(model) = &model {
        let again = best_of(1, || drop(black_box(data.compare(model))));
        let count = data.all().count() as f64;
        println!(
            "| ms to load the model and compare all tools, once | {:.0} | |",
            (first - again) * 1e3
        );
        println!("| ms to compare, mean of the questions | {:.1} | |", again * 1e3 / count);
    }
    println!();
    Ok(())
}

/// How similar the tools are to each question, in the groups' order; nothing where meaning is left out.
type Compared = Vec<Vec<f32>>;

fn wait<T>(work: impl Future<Output = T>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(work))
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
    fn read(tools: &str, questions: &str) -> Result<Self> {
        let read = |path: &str| fs::read_to_string(path).with_context(|| path.to_owned());
        let specs = serde_json::from_str(&read(tools)?).context("the tools")?;
        let mut questions: BTreeMap<String, Value> =
            serde_json::from_str(&read(questions)?).context("the questions")?;
        let searches = questions.remove("searches").map(serde_json::from_value).transpose()?;
        let groups = questions
            .into_iter()
            .map(|(name, list)| Ok((name, serde_json::from_value(list)?)))
            .collect::<Result<_>>()?;
        Ok(Self { specs, groups, searches: searches.unwrap_or_default() })
    }

    fn all(&self) -> impl Iterator<Item = &Question> {
        self.groups.iter().flat_map(|(_, questions)| questions)
    }

    fn compare(&self, model: &Similarity) -> Result<Compared> {
        wait(async {
            let mut compared = Vec::new();
            for question in self.all() {
                let similarities = model.similarities(&question.messages, &self.specs).await;
                compared.push(similarities.context("the model cannot be used")?);
            }
            Ok(compared)
        })?
    }

    /// A row for each group, and one for all of them.
    fn rows(&self, with: &str, compared: &[Vec<f32>]) {
        let mut rest = compared;
        for (name, questions) in &self.groups {
            let (own, others) = rest.split_at(questions.len().min(rest.len()));
            rest = others;
            self.row(&format!("{name}{with}"), questions, own);
        }
        self.row(&format!("all{with}"), &self.all().cloned().collect::<Vec<_>>(), compared);
    }

    fn row(&self, name: &str, questions: &[Question], compared: &[Vec<f32>]) {
        let recall = [8, 16, 24].map(|offer| self.recall(questions, compared, offer));
        let [eight, sixteen, all] = recall.map(|it| format!("{:.3}", it.share));
        let [.., last] = recall;
        let found = match self.searches.is_empty() {
            true => String::new(),
            false => format!("{} of {}", last.found, last.missed),
        };
        println!("| {name} | {} | {eight} | {sixteen} | {all} | {found} |", questions.len());
    }

    fn recall(&self, questions: &[Question], compared: &[Vec<f32>], offer: usize) -> Recall {
        let selector = ToolSelector::new(&self.specs, SelectionConfig { above: 0, offer });
        let is = |at: &usize, name: &str| self.specs.get(*at).is_some_and(|it| it.name == name);
        let mut recall = Recall { share: 0.0, missed: 0, found: 0 };
        for (question, similarities) in questions.iter().zip(compared) {
            let chosen = selector.choose_similar(&question.messages, &[], similarities);
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
        let questions: Vec<_> = self.all().collect();
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
