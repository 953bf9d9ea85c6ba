//! How fast the model is: `cargo run --release -p toolwright-embed --example speed -- FOLDER`.

use std::{env, error::Error, path::PathBuf, time::Instant};

use toolwright_embed::{Embedder, Local};

const SUBJECTS: [&str; 8] = [
    "How to sharpen a kitchen knife",
    "The history of the Roman aqueducts",
    "Rust for beginners, part",
    "Relaxing piano music for study",
    "I built a tiny house in the woods",
    "Why planes fly: lift explained",
    "Cheap and quick vegetarian dinners",
    "Full match highlights, final of",
];

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder =
        env::args().nth(1).map_or_else(|| env::temp_dir().join("embed-model"), PathBuf::from);
    Local::fetch(&folder, &toolwright_fetch::Indexes::configured(None)?, &mut |_, _| {})?;
    let began = Instant::now();
    let local = Local::open(&folder)?;
    println!("load: {:.0?}", began.elapsed());
    let titles = (0..512).zip(SUBJECTS.iter().cycle());
    let titles: Vec<String> =
        titles.map(|(number, subject)| format!("{subject} {number}")).collect();
    local.embed(&titles).await?;
    for size in [1, 16, 64, 512] {
        let mut best = 0.0_f64;
        for _ in 0..5 {
            let some: Vec<_> = titles.chunks(size).take(64).collect();
            let began = Instant::now();
            for batch in &some {
                local.embed(batch).await?;
            }
            let count: usize = some.iter().map(|it| it.len()).sum();
            best = best.max(count as f64 / began.elapsed().as_secs_f64());
        }
        println!("batch {size}: {best:.0} texts/s");
    }
    Ok(())
}
