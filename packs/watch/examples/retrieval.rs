//! Measures what a search finds, by the judged questions in `judged/`.
//!
//! ```text
//! TOOLWRIGHT_EMBED_MODEL=<folder of the model> cargo run --release -p toolwright-watch --example retrieval
//! ```
//!
//! Without the folder, words alone are measured. The questions are few, and the constants of the ranking
//! were chosen with all of them in view: the halves say how much the figures vary, not how well the
//! ranking does on questions it never saw.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a program that measures may stop where something fails"
)]

use std::path::Path;

use futures_core::future::BoxFuture;
use jiff::Timestamp;
use toolwright_embed::{EmbedError, Embedder, Local};
use toolwright_watch::{Channel, Filter, Library, Query, Watched};

const MODEL: &str = "TOOLWRIGHT_EMBED_MODEL";
const AT: usize = 5;
/// Floors of relevance that are held against each other. Below that of the library nothing is found.
const FLOORS: [f32; 4] = [0.2, 0.25, 0.3, 0.35];
/// Nothing in `judged/titles.tsv` has to do with these.
const STRANGE: [&str; 12] = [
    "xyzzyx",
    "medieval tax law",
    "submarine cable repair",
    "ballet shoes",
    "how to file a patent",
    "beekeeping in winter",
    "coin collecting",
    "sewing curtains",
    "wedding vows",
    "opera singers of the 19th century",
    "dentist appointment",
    "asdf qwer zxcv",
];

struct Question {
    text: String,
    relevant: Vec<String>,
}

/// By what is searched.
#[derive(Clone, Copy)]
enum By {
    Words,
    Vectors,
    Both,
}

/// Knows the vectors of questions by signs that hold no word: `?` is the first, `??` the second.
struct Wordless<'a> {
    embedder: &'a dyn Embedder,
    questions: &'a [Question],
}

impl Embedder for Wordless<'_> {
    fn name(&self) -> &str {
        self.embedder.name()
    }

    fn dimensions(&self) -> usize {
        self.embedder.dimensions()
    }

    fn shares_form(&self) -> bool {
        self.embedder.shares_form()
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        let meant = |it: &String| {
            let signs = it.matches('?').count();
            it.replace(&"?".repeat(signs), &self.questions[signs - 1].text)
        };
        Box::pin(async move {
            let texts: Vec<String> = texts.iter().map(meant).collect();
            self.embedder.embed(&texts).await
        })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let judged = Path::new(env!("CARGO_MANIFEST_DIR")).join("judged");
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).unwrap();
    library.add(&titles(&judged)).unwrap();
    let questions = questions(&judged);

    let model = std::env::var_os(MODEL).map(|it| Local::open(it).expect("the model opens"));
    println!("{:<10} {:>9} {:>6}   {:>9} {:>6}", "", "recall@5", "MRR", "recall@5", "MRR");
    println!("{:<10} {:^16}   {:^16}", "", "odd questions", "even questions");
    let Some(model) = model else {
        print("words", &measure(&library, &questions, By::Words, None).await);
        println!("Set {MODEL} to the folder of the model to measure vectors too.");
        return;
    };
    library.embed(&model, &mut |_, _| ()).await.expect("the vectors are made");
    for (name, by) in [("words", By::Words), ("vectors", By::Vectors), ("both", By::Both)] {
        print(name, &measure(&library, &questions, by, Some(&model)).await);
    }
    for floor in FLOORS {
        floors(&library, &questions, &model, floor).await;
    }
}

/// Prints what a floor of relevance shows: recall, and how much of it is not relevant.
async fn floors(library: &Library, questions: &[Question], embedder: &dyn Embedder, floor: f32) {
    let (mut recall, mut shown, mut wrong) = ([Vec::new(), Vec::new()], 0, 0);
    for (number, question) in questions.iter().enumerate() {
        let query = Query { text: question.text.clone(), most: 10, filter: Filter::default() };
        let found = library.search(&query, Some(embedder)).await.unwrap();
        let found: Vec<_> = found.into_iter().filter(|it| it.relevance >= floor).collect();
        let is_relevant = |it: &&toolwright_watch::Hit| question.relevant.contains(&it.video.id);
        let hits = found.iter().take(AT).filter(is_relevant).count() as f64;
        recall[number % 2].push(hits / question.relevant.len().min(AT) as f64);
        shown += found.len();
        wrong += found.iter().filter(|it| !is_relevant(it)).count();
    }
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let mut strange = 0;
    for text in STRANGE {
        let query = Query { text: text.to_owned(), most: 10, filter: Filter::default() };
        let found = library.search(&query, Some(embedder)).await.unwrap();
        strange += found.iter().filter(|it| it.relevance >= floor).count();
    }
    println!(
        "floor {floor}: recall@5 {:.3} {:.3}; of {shown} shown {wrong} are not relevant; {strange} shown for {} \
         questions about nothing there",
        mean(&recall[0]),
        mean(&recall[1]),
        STRANGE.len()
    );
}

fn print(name: &str, measured: &[(f64, f64)]) {
    let odd = average(measured.iter().step_by(2));
    let even = average(measured.iter().skip(1).step_by(2));
    println!("{name:<10} {:>9.3} {:>6.3}   {:>9.3} {:>6.3}", odd.0, odd.1, even.0, even.1);
}

fn average<'a>(of: impl Iterator<Item = &'a (f64, f64)>) -> (f64, f64) {
    let all: Vec<_> = of.collect();
    let count = all.len() as f64;
    (all.iter().map(|it| it.0).sum::<f64>() / count, all.iter().map(|it| it.1).sum::<f64>() / count)
}

/// For each question: the part of what is relevant among the first five, and one over the place of
/// the first that is.
async fn measure(
    library: &Library,
    questions: &[Question],
    by: By,
    embedder: Option<&dyn Embedder>,
) -> Vec<(f64, f64)> {
    let mut measured = Vec::new();
    for (number, question) in questions.iter().enumerate() {
        let query =
            |text: &str| Query { text: text.to_owned(), most: 20, filter: Filter::default() };
        let found = match (by, embedder) {
            (By::Both, Some(_)) => library.search(&query(&question.text), embedder).await,
            (By::Vectors, Some(embedder)) => {
                let wordless = Wordless { embedder, questions };
                library.search(&query(&"?".repeat(number + 1)), Some(&wordless)).await
            }
            _ => library.search(&query(&question.text), None).await,
        };
        let found: Vec<String> = found.unwrap().into_iter().map(|it| it.video.id).collect();
        let is_relevant = |id: &&String| question.relevant.contains(id);
        let hits = found.iter().take(AT).filter(is_relevant).count() as f64;
        let first = found.iter().position(|it| is_relevant(&it));
        let recall = hits / question.relevant.len().min(AT) as f64;
        measured.push((recall, first.map_or(0.0, |it| 1.0 / (it + 1) as f64)));
    }
    measured
}

/// Rows of a table, without its heading.
fn rows(file: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(file).expect("the judged questions are there");
    text.lines().skip(1).map(|it| it.split('\t').map(str::to_owned).collect()).collect()
}

fn id(number: &str) -> String {
    format!("judged{number:0>5}")
}

fn titles(judged: &Path) -> Vec<Watched> {
    let rows = rows(&judged.join("titles.tsv"));
    let at = |row: usize| Timestamp::from_second(1_700_000_000 + row as i64 * 3600).unwrap();
    rows.iter()
        .enumerate()
        .map(|(row, it)| Watched {
            id: id(&it[0]),
            title: Some(it[3].clone()),
            channel: Some(Channel { id: None, name: it[2].clone() }),
            is_music: false,
            at: at(row),
        })
        .collect()
}

fn questions(judged: &Path) -> Vec<Question> {
    let rows = rows(&judged.join("queries.tsv"));
    rows.into_iter()
        .map(|it| Question { relevant: it[1].split(',').map(id).collect(), text: it[2].clone() })
        .collect()
}
