//! Processor time, memory, and the line of JSON that every client prints.

use std::{
    fs,
    io::{self, Write},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use anyhow::Context;
use nix::sys::{
    resource::{UsageWho, getrusage},
    time::TimeVal,
};
use serde::Serialize;

use crate::{
    drive::Args,
    scenario::{PAGES, Scenario},
};

static MARKS: Mutex<Vec<Instant>> = Mutex::new(Vec::new());

fn marks() -> MutexGuard<'static, Vec<Instant>> {
    // A list of instants is whole after any panic.
    MARKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes the time of a round of [`Scenario::Long`]; `fetch_page` calls it. The marks give the
/// growth from the first ten rounds to the last ten.
pub fn mark() {
    marks().push(Instant::now());
}

/// Processor time of this process so far, in seconds.
#[derive(Clone, Copy, Debug)]
pub struct CpuTime {
    /// In its own code.
    pub user: f64,
    /// In the kernel, on its behalf.
    pub system: f64,
}

impl CpuTime {
    /// Reads it from the kernel.
    ///
    /// # Errors
    ///
    /// When the kernel refuses to say.
    pub fn now() -> anyhow::Result<Self> {
        let usage = getrusage(UsageWho::RUSAGE_SELF).context("getrusage")?;
        let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
        Ok(Self { user: seconds(usage.user_time()), system: seconds(usage.system_time()) })
    }

    /// Both parts together.
    pub fn total(self) -> f64 {
        self.user + self.system
    }
}

/// The most memory that this process has had resident, in MB.
///
/// Read from `VmHWM`: `ru_maxrss` survives exec, so that a small process started by a large one
/// reports its parent's.
///
/// # Errors
///
/// Where there is no `/proc` with a `VmHWM` in it.
pub fn peak_rss_mb() -> anyhow::Result<f64> {
    let status = fs::read_to_string("/proc/self/status").context("/proc/self/status")?;
    let kilobytes = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|value| value.trim().strip_suffix(" kB"))
        .context("no VmHWM in /proc/self/status")?;
    Ok(kilobytes.parse::<f64>().context("VmHWM")? / 1024.0)
}

/// How the conversations of a part of the run went.
#[derive(Debug, Default)]
pub struct Tally {
    /// Conversations that ended in the expected answer.
    pub ok: usize,
    /// The wall time of each, right or wrong.
    pub latencies: Vec<Duration>,
}

impl Tally {
    /// Adds what another worker did.
    pub fn add(&mut self, other: Self) {
        self.ok += other.ok;
        self.latencies.extend(other.latencies);
    }
}

/// Runs from the end of the warm-up to the end of the last conversation.
#[derive(Debug)]
pub struct Timer {
    start: Instant,
    cpu: f64,
}

#[derive(Serialize)]
struct Line<'a> {
    peer: &'a str,
    scenario: &'static str,
    n: usize,
    conc: usize,
    ok: usize,
    wall_s: f64,
    cpu_s: f64,
    peak_rss_mb: f64,
    p50_ms: Option<f64>,
    growth: Option<f64>,
}

impl Timer {
    /// Starts it, and forgets the marks of the warm-up.
    ///
    /// # Errors
    ///
    /// As [`CpuTime::now`].
    pub fn start() -> anyhow::Result<Self> {
        marks().clear();
        Ok(Self { cpu: CpuTime::now()?.total(), start: Instant::now() })
    }

    /// Stops it and prints the line of JSON.
    ///
    /// # Errors
    ///
    /// When the figures cannot be read, or standard output cannot be written.
    pub fn finish(self, peer: &str, args: &Args, tally: &Tally) -> anyhow::Result<()> {
        let wall_s = self.start.elapsed().as_secs_f64();
        let cpu_s = CpuTime::now()?.total() - self.cpu;
        let latencies = tally.latencies.iter().map(|wall| wall.as_secs_f64() * 1e3).collect();
        // With more than one worker the marks of several conversations are mixed.
        let alone = args.scenario == Scenario::Long && args.concurrency == 1;
        let line = Line {
            peer,
            scenario: args.scenario.name(),
            n: args.conversations,
            conc: args.concurrency,
            ok: tally.ok,
            wall_s,
            cpu_s,
            peak_rss_mb: peak_rss_mb()?,
            p50_ms: median(latencies),
            growth: if alone { growth(&marks()) } else { None },
        };
        writeln!(io::stdout(), "{}", serde_json::to_string(&line)?)?;
        Ok(())
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// The wall time of rounds 90 to 99 over that of rounds 1 to 10, the median of all conversations.
fn growth(marks: &[Instant]) -> Option<f64> {
    let of_one = |rounds: &[Instant]| {
        let span = |from: usize, to: usize| {
            Some(rounds.get(to)?.duration_since(*rounds.get(from)?).as_secs_f64())
        };
        Some(span(89, 99)? / span(0, 10)?)
    };
    median(marks.chunks_exact(PAGES as usize).filter_map(of_one).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_compares_the_last_ten_rounds_with_the_first() {
        let mut at = Instant::now();
        let marks: Vec<_> = (0..PAGES as u64)
            .map(|round| {
                at += Duration::from_millis(if round < 50 { 2 } else { 6 });
                at
            })
            .collect();
        assert!((growth(&marks).unwrap() - 3.0).abs() < 1e-9);
        assert_eq!(growth(&marks[..99]), None);
    }

    #[test]
    fn memory_and_processor_time_are_read() {
        assert!(peak_rss_mb().unwrap() > 0.1);
        assert!(CpuTime::now().unwrap().total() >= 0.0);
    }
}
