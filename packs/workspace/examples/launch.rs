//! Measures what the sandbox adds to the start of a command.
//!
//! `cargo run --release --example launch [FOLDER]`, in an empty folder or in this one.

use std::{
    fs,
    path::PathBuf,
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::json;
use toolwright_core::{RunContext, Tool};
use toolwright_workspace::{ENTER, Settings, Workspace};

const RUNS: usize = 200;

/// What only a command that may write can do: before and after it the workspace is looked through.
const WRITES: &str = "echo > /tmp/x";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == ENTER) {
        let code = toolwright_workspace::enter(arguments);
        return if code == std::process::ExitCode::SUCCESS {
            Ok(())
        } else {
            Err("not started".into())
        };
    }
    let folder = std::env::temp_dir().join(format!("launch-{}", std::process::id()));
    fs::create_dir_all(folder.join("ws"))?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let measured = runtime.block_on(measure(&folder));
    fs::remove_dir_all(&folder)?;
    measured
}

/// No command runs as root: where root measures, the folder is nobody's.
fn ordinary(folder: PathBuf) -> std::io::Result<PathBuf> {
    const NOBODY: u32 = 65_534;
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&folder, Some(NOBODY), Some(NOBODY))?;
    }
    Ok(folder)
}

async fn measure(folder: &std::path::Path) -> Result<(), Box<dyn std::error::Error>> {
    let given = std::env::args_os().nth(1).map(PathBuf::from);
    let root = match given {
        Some(given) => given,
        None => ordinary(folder.join("ws"))?,
    };
    let mut settings = Settings::new(root, folder.join("scratch"));
    if let Some(path) = std::env::var_os("HELPER") {
        settings.helper = toolwright_workspace::Helper::At(PathBuf::from(path));
    }
    let since = Instant::now();
    let workspace = Workspace::open(settings)?;
    println!("opened in {:.1} ms", since.elapsed().as_secs_f64() * 1e3);
    for (name, value) in workspace.sandbox().map_err(Clone::clone)?.describe() {
        println!("{name}: {value}");
    }
    let tools = workspace.tools();
    let tool = tools.into_iter().find(|tool| tool.spec().name == "bash").ok_or("no bash")?;

    let since = Instant::now();
    run(&tool, WRITES).await?;
    println!("the first that may write: {:.2} ms", since.elapsed().as_secs_f64() * 1e3);
    let (mut plain, mut walled, mut writing) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let since = Instant::now();
        Command::new("bash").args(["-c", "true"]).status()?;
        plain.push(since.elapsed());
        let since = Instant::now();
        run(&tool, "true").await?;
        walled.push(since.elapsed());
        let since = Instant::now();
        run(&tool, WRITES).await?;
        writing.push(since.elapsed());
    }
    let (plain, walled, writing) = (middle(plain), middle(walled), middle(writing));
    println!("plain:    p50 {:.2} ms, p95 {:.2} ms", plain.0, plain.1);
    println!("sandbox:  p50 {:.2} ms, p95 {:.2} ms", walled.0, walled.1);
    println!("that may write: p50 {:.2} ms, p95 {:.2} ms", writing.0, writing.1);
    println!("added:    p50 {:.2} ms, p95 {:.2} ms", walled.0 - plain.0, walled.1 - plain.1);

    for lanes in [2, 8] {
        let since = Instant::now();
        let lanes: Vec<_> = (0..lanes)
            .map(|_| {
                let tool = tool.clone();
                tokio::spawn(async move {
                    let mut done = 0_u32;
                    while since.elapsed() < Duration::from_secs(3)
                        && run(&tool, "true").await.is_ok()
                    {
                        done += 1;
                    }
                    done
                })
            })
            .collect();
        let (count, mut done) = (lanes.len(), 0);
        for lane in lanes {
            done += lane.await?;
        }
        println!(
            "{count} at once: {:.0} in a second",
            f64::from(done) / since.elapsed().as_secs_f64()
        );
    }
    Ok(())
}

async fn run(tool: &Arc<dyn Tool>, command: &str) -> Result<(), toolwright_core::ToolError> {
    tool.call(Arc::new(json!({"command": command})), &RunContext::new()).await.map(drop)
}

/// The middle and the 95th of a hundred, in milliseconds.
fn middle(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort();
    let at = |part: usize| times.get(times.len() * part / 100).map_or(0.0, Duration::as_secs_f64);
    (at(50) * 1e3, at(95) * 1e3)
}
