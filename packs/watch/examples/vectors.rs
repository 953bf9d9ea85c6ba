//! Measures searching by vectors: how long it takes, how much of the exact answer it finds, what it keeps.
//!
//! ```text
//! cargo run --release -p toolwright-watch --example vectors -- 100000
//! ```
//!
//! The library is real, in a folder that is removed afterwards; the vectors are made up: 384 numbers, around
//! one of 500 topics. A question holds no words, so that the words are not measured with it.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a program that measures may stop where something fails"
)]

use std::{
    f32::consts::TAU,
    time::{Duration, Instant},
};

use jiff::Timestamp;
use rusqlite::Connection;
use toolwright_embed::{EmbedError, Embedder};
use toolwright_watch::{Filter, Library, Query};

const DIMENSIONS: usize = 384;
const TOPICS: u64 = 500;
/// A search drops what is further off than this, and cannot be blamed for not finding it.
const SHOWN: f32 = 0.227;
const QUESTIONS: u64 = 50;
/// When the first video was watched; each next one a minute later.
const START: i64 = 1_500_000_000_000;
const MINUTE: i64 = 60_000;

/// Has a vector for each number: those of the titles, then those of the questions.
struct MadeUp {
    vectors: Vec<Vec<f32>>,
    titles: usize,
}

impl MadeUp {
    fn new(count: u64) -> Self {
        let vectors = (0..=count + QUESTIONS).map(vector).collect();
        Self { vectors, titles: count as usize }
    }

    /// Of the title `Title: 17`, or of the question `???`, which is the third.
    fn vector(&self, text: &str) -> &Vec<f32> {
        match text.strip_prefix("Title: ") {
            Some(title) => &self.vectors[title.parse::<usize>().unwrap()],
            None => &self.vectors[self.titles + text.len()],
        }
    }

    /// The nearest ten in a range that are near enough to be shown, by the vectors as they were made.
    fn exact(&self, question: &str, range: (u64, u64)) -> Vec<u64> {
        let question = self.vector(question);
        let cosine = |it: &[f32]| question.iter().zip(it).map(|(a, b)| a * b).sum::<f32>();
        let mut all: Vec<(f32, u64)> =
            (range.0..range.1).map(|it| (cosine(&self.vectors[it as usize]), it)).collect();
        all.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        all.into_iter().take(10).filter(|it| it.0 >= SHOWN).map(|it| it.1).collect()
    }
}

impl Embedder for MadeUp {
    fn name(&self) -> &str {
        "made up"
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn shares_form(&self) -> bool {
        false
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> futures_core::future::BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(async { Ok(texts.iter().map(|it| self.vector(it).clone()).collect()) })
    }
}

fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut it = *state;
    it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    it ^ (it >> 31)
}

/// Numbers of a bell curve, without end.
fn bell(seed: u64) -> impl Iterator<Item = f32> {
    let mut state = seed.wrapping_mul(0x2545_f491_4f6c_dd1d);
    std::iter::repeat_with(move || {
        let bits = next(&mut state);
        let a = ((bits >> 40) as f32 + 1.0) / 16_777_217.0;
        let b = (bits & 0xff_ffff) as f32 / 16_777_216.0;
        (-2.0 * a.ln()).sqrt() * (TAU * b).cos()
    })
}

fn vector(number: u64) -> Vec<f32> {
    let topic = bell(next(&mut (number ^ 0x5555)) % TOPICS + 1);
    let own = bell(number + 100_000);
    let mut vector: Vec<f32> = topic.zip(own).map(|(a, b)| a + b).take(DIMENSIONS).collect();
    let length = vector.iter().map(|it| it * it).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|it| *it /= length);
    vector
}

fn main() {
    let count: u64 = std::env::args().nth(1).map_or(100_000, |it| it.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).unwrap();
    fill(&Connection::open(folder.path().join("watch.db")).unwrap(), count);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();

    let made_up = MadeUp::new(count);
    let before = Instant::now();
    let made = runtime.block_on(library.embed(&made_up, &mut |_, _| ())).unwrap();
    println!("{} videos: vectors kept in {:.1?}", made.all, before.elapsed());

    let (memory, before) = (resident(), Instant::now());
    let asking = Asking { runtime, library, made_up };
    asking.ask(1, (0, count));
    let took = before.elapsed();
    let each = (resident() - memory) * 1024 / count;
    println!("first search, which loads them: {took:.1?}; memory {each} B for a video");

    for part in [1, 30, 100] {
        let size = count * part / 100;
        let range = ((count - size) / 2, (count - size) / 2 + size);
        let (mut times, mut found, mut all) = (Vec::new(), 0, 0);
        for number in 1..=QUESTIONS {
            let exact = asking.made_up.exact(&question(number), range);
            let (took, hits) = asking.ask(number, range);
            times.push(took);
            all += exact.len();
            found += exact.iter().filter(|it| hits.contains(it)).count();
        }
        times.sort();
        let recall = found as f64 / all as f64;
        let (half, most) = (times[times.len() / 2], times[times.len() * 95 / 100]);
        println!(
            "dates let {part:>3} % through: p50 {half:.2?}, p95 {most:.2?}, recall@10 {recall:.3}"
        );
    }
}

fn fill(database: &Connection, count: u64) {
    database.execute_batch("BEGIN").unwrap();
    let sql = "INSERT INTO videos (row, id, title, watches, last) VALUES (?1, ?2, ?3, 1, ?4)";
    let mut videos = database.prepare(sql).unwrap();
    let mut watches = database.prepare("INSERT INTO watches (video, at) VALUES (?1, ?2)").unwrap();
    for it in 0..count as i64 {
        let at = START + it * MINUTE;
        videos.execute((it + 1, format!("{it:011}"), it.to_string(), at)).unwrap();
        watches.execute((it + 1, at)).unwrap();
    }
    database.execute_batch("COMMIT").unwrap();
}

/// A question without words.
fn question(number: u64) -> String {
    "?".repeat(number as usize)
}

struct Asking {
    runtime: tokio::runtime::Runtime,
    library: Library,
    made_up: MadeUp,
}

impl Asking {
    /// The numbers found among those in the range, and how long it took.
    fn ask(&self, number: u64, range: (u64, u64)) -> (Duration, Vec<u64>) {
        let at = |it: u64| Timestamp::from_millisecond(START + it as i64 * MINUTE).ok();
        let filter = Filter { from: at(range.0), before: at(range.1), channels: None };
        let query = Query { text: question(number), most: 10, filter };
        let before = Instant::now();
        let hits = self.runtime.block_on(self.library.search(&query, Some(&self.made_up))).unwrap();
        let took = before.elapsed();
        let titles = hits.into_iter().filter_map(|it| it.video.title);
        (took, titles.map(|it| it.parse().unwrap()).collect())
    }
}

/// Kilobytes in memory.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    line.and_then(|it| it.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
