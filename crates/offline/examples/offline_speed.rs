//! How fast the model reads and writes here: `cargo run --release --example offline_speed -- GGUF [ADAPTER]`.

use std::{env, error::Error, fs, time::Instant};

use toolwright_offline::{
    engine::Llama,
    tokens::{Tokenizer, Vocabulary as _},
    weights::{Adapter, Gguf},
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let path = args.next().ok_or("give the path of a GGUF")?;
    let begun = Instant::now();
    let gguf = Gguf::open(&path)?;
    let adapter = args.next().map(fs::read).transpose()?.map(|it| Adapter::new(&it)).transpose()?;
    let tokenizer = Tokenizer::new(&gguf)?;
    println!("tokenizer after {:.2} s", begun.elapsed().as_secs_f64());
    let model = Llama::new(&gguf, adapter.as_ref())?;
    drop(adapter);
    println!("loaded after {:.2} s; {} MB", begun.elapsed().as_secs_f64(), memory());
    let text = "<|im_start|>system\nYou call tools.\n# Tools\nget_weather(location: string) - Get the current weather in a given location\n  location: The city and state, e.g. San Francisco, CA\ncalculate_tip(amount: number, percent: number) - Calculate the tip for a bill<|im_end|>\n<|im_start|>user\nWhat's the weather in San Francisco and a 20% tip on $45.60?<|im_end|>\n<|im_start|>assistant\n";
    let tokens = tokenizer.conversation(text);
    for size in [tokens.len(), 40, 256, 600, 877, 1500] {
        let tokens: Vec<u32> = tokens.iter().copied().cycle().take(size).collect();
        let mut session = model.session();
        let (begun, worked) = (Instant::now(), work());
        session.advance(&tokens, &|| true)?;
        let (read, reading) = (begun.elapsed().as_secs_f64(), work() - worked);
        let (begun, worked) = (Instant::now(), work());
        let mut written = Vec::new();
        for _ in 0..48 {
            let Some(token) = session.likeliest(&|_| true) else { break };
            if token == tokenizer.end() && written.len() > 8 {
                break;
            }
            written.push(token);
            session.push(&[token], &|| true)?;
        }
        let (wrote, writing) = (begun.elapsed().as_secs_f64(), work() - worked);
        let (some, many) = (size as f64, written.len() as f64);
        println!(
            "{size} read: {:.0} a second, {:.2} ms of a core each",
            some / read,
            reading / some
        );
        println!(
            "{many} written: {:.0} a second, {:.2} ms of a core each",
            many / wrote,
            writing / many
        );
        for together in [2, 4, 8] {
            let guess = vec![written.first().copied().unwrap_or(1); together];
            let (begun, worked) = (Instant::now(), work());
            for _ in 0..12 {
                session.push_each(&guess, &|| true)?;
                session.truncate(session.tokens().len() - together);
            }
            let (read, reading) = (begun.elapsed().as_secs_f64() / 12.0, (work() - worked) / 12.0);
            println!("{together} at once: {:.1} ms, {reading:.1} ms of a core", read * 1e3);
        }
        println!("{} MB", memory());
        println!("  {:?}", tokenizer.decode(&written));
    }
    Ok(())
}

/// How many milliseconds cores have worked for this process, where that can be known: what the time is
/// worth on a machine that does other things too.
fn work() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|it| it.parse::<f64>().ok()).sum::<f64>() * 10.0
}

/// What this process holds in memory at most, in MB, where that can be known.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|it| it.split_whitespace().next()?.parse().ok()).unwrap_or(0u64) / 1024
}
