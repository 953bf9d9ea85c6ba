//! [`Server`]: the program as a process of its own, and what the kernel tells of it.

use std::{
    fs,
    process::Stdio,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
    time::timeout,
};

use crate::{
    bench::Bench,
    http::{Connection, Door},
};

/// How many runs there may be at a time.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) runs: usize,
}

impl Bounds {
    /// None that is reached here.
    pub(crate) const WIDE: Self = Self { runs: 2_000 };
}

/// A server that listens.
pub(crate) struct Server {
    child: Child,
    pid: u32,
    pub(crate) door: Door,
    /// From the moment the process was asked for until it listened.
    pub(crate) took: Duration,
}

/// A process that does not end in this time never will.
const PATIENCE: Duration = Duration::from_secs(30);
/// How many files a process may begin with on most systems.
const FEW: &str = "ulimit -S -n 1024; exec \"$0\" \"$@\"";

impl Server {
    pub(crate) async fn start(bench: &Bench, bounds: Bounds) -> Result<Self> {
        let config = bench.folder.join("toolwright.toml");
        let Bounds { runs } = bounds;
        let settings = format!(
            "[server]\nauth = \"token\"\nruns = {runs}\nruns_per_minute = 0\nconnections = 20000\n"
        );
        fs::write(&config, settings)?;
        // Nobody else is on this machine's own address for long enough to guess.
        let token = format!("bench-server-load-{}", std::process::id());
        let start = Instant::now();
        let mut child = Command::new("sh")
            .args(["-c", FEW])
            .arg(&bench.program)
            .args(["--json", "--log", "error", "--config"])
            .arg(&config)
            .arg("--data")
            .arg(bench.folder.join("data"))
            .args(["serve", "--addr", "127.0.0.1:0"])
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &bench.folder)
            .env("OPENAI_API_BASE", format!("http://{}/v1", bench.model.address))
            .env("OPENAI_API_KEY", "none")
            .env("TOOLWRIGHT_MODEL", "bench")
            .env("TOOLWRIGHT_TOKEN", &token)
            .current_dir(&bench.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let said = child.stdout.take().context("no standard output")?;
        let line = timeout(PATIENCE, BufReader::new(said).lines().next_line()).await??;
        let took = start.elapsed();
        let line: Value = serde_json::from_str(&line.context("the server said nothing")?)?;
        let address = line.get("address").and_then(Value::as_str).context("no address")?.parse()?;
        let pid = child.id().context("the server has ended")?;
        Ok(Self { child, pid, door: Door { address, token }, took })
    }

    /// Resident memory, in KiB.
    pub(crate) fn memory(&self) -> Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let size = line.and_then(|it| it.trim().strip_suffix(" kB")).context("no VmRSS")?;
        Ok(size.parse()?)
    }

    /// Processor time so far, in seconds.
    pub(crate) fn cpu(&self) -> Result<f64> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.pid))?;
        // The name may have anything in it, but ends with the last bracket.
        let (_, fields) = stat.rsplit_once(')').context("no end of the name")?;
        let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<f64>);
        // A tick is a hundredth of a second on every Linux there is.
        Ok(ticks.sum::<Result<f64, _>>()? / 100.0)
    }

    /// How many files it may have open.
    pub(crate) fn files(&self) -> Result<usize> {
        let limits = fs::read_to_string(format!("/proc/{}/limits", self.pid))?;
        let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
        let soft = line.and_then(|it| it.split_whitespace().next()).context("no limit")?;
        Ok(soft.parse()?)
    }

    /// Whether it answers.
    pub(crate) async fn answers(&self) -> Result<()> {
        let mut connection = Connection::open(self.door.address).await?;
        connection.send(&self.door.get("/api/health")).await?;
        let head = connection.head().await?;
        connection.body(&head).await?;
        ensure!(head.status == 200, "its health is {}", head.status);
        Ok(())
    }

    /// Asks it to end.
    pub(crate) fn interrupt(&self) -> Result<()> {
        Ok(kill(Pid::from_raw(self.pid.try_into()?), Signal::SIGINT)?)
    }

    /// Waits for it to end, in good order.
    pub(crate) async fn ended(mut self) -> Result<()> {
        let status = timeout(PATIENCE, self.child.wait()).await.context("it did not end")??;
        ensure!(status.success(), "the server ended with {status}");
        Ok(())
    }

    /// Ends it.
    pub(crate) async fn stop(self) -> Result<()> {
        self.interrupt()?;
        self.ended().await
    }
}
