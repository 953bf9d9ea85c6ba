//! [`Sandbox::run`]: one command, from its start to the end of its last process.

use std::{
    io::{PipeReader, PipeWriter, Write},
    os::{fd::OwnedFd, unix::process::ExitStatusExt},
    path::Path,
    process::ExitStatus,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::{
    io::AsyncReadExt,
    net::unix::pipe::Receiver,
    task::spawn_blocking,
    time::{self, MissedTickBehavior},
};
use toolwright_timeout::{Countdown, timeout};

use super::{
    Access, Ending, Finished, Held, Job, Sandbox,
    capture::Capture,
    enter::{GO, READY, REPLACED},
    launch::{Launch, Parts, Script},
    running::{PATIENCE, Running, gather},
    screen::Screen,
};

/// How often the disk is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// After how many looks the last line of the output is told.
const TELL: u32 = 5;

/// How long the output may stay open when every process was killed.
const DRAIN: Duration = Duration::from_secs(2);

/// How long it may take until the command begins.
const START: Duration = Duration::from_secs(30);

/// How much is kept of what went wrong at the start.
const TOLD: u64 = 16 << 10;

/// Why nobody waits for a command any more.
enum Stop {
    Exited(ExitStatus),
    TimedOut,
    DiskFull,
    NoScreen,
}

impl Sandbox {
    /// Runs a command to its end. Dropping the future kills it, with all that it started.
    pub(crate) async fn run(&self, job: Job<'_>) -> Finished {
        let began = Instant::now();
        let mut capture = Capture::default();
        let (ending, held) = match self.attempt(&job, &mut capture).await {
            Ok(ended) => ended,
            Err(reason) => (Ending::NotStarted(reason), Vec::new()),
        };
        Finished { ending, output: capture.finish(), took: began.elapsed(), held }
    }

    async fn attempt(
        &self,
        job: &Job<'_>,
        capture: &mut Capture,
    ) -> Result<(Ending, Vec<Held>), String> {
        let (mut running, pipes) = self.start(job).await?;
        let began = timeout(START, begin(&mut running, pipes.told, pipes.go));
        began.await.map_err(|_| "it took too long to start")??;
        let mut output = receiver(pipes.output)?;
        let stop = follow(&self.parts, &mut running, &mut output, capture, job).await;
        running.kill();
        // What was written before the end is still in the pipe.
        let _ = timeout(DRAIN, drain(&mut output, capture)).await;
        let _ = timeout(PATIENCE, running.child.wait()).await;
        let after = running.finish().ok_or("nothing was started")?;
        let settled = spawn_blocking(|| after.settle()).await.map_err(|it| it.to_string())?;
        let ending = match stop {
            Stop::TimedOut => Ending::TimedOut,
            Stop::DiskFull => Ending::DiskFull,
            Stop::NoScreen => Ending::NoScreen,
            Stop::Exited(status) => match code(status) {
                code if settled.ran_out => Ending::OutOfMemory(code),
                code => Ending::Exited(code),
            },
        };
        Ok((ending, settled.held))
    }

    async fn start(&self, job: &Job<'_>) -> Result<(Running, Pipes), String> {
        let (parts, access) = (self.parts.clone(), job.access);
        let prepare = move || {
            parts.leaving.wait();
            let group = parts.groups.as_ref().map(|groups| groups.make(&parts.limits)).transpose();
            let guarded = parts.walls.guarded();
            let before = match access {
                Access::ReadOnly => Ok(guarded.hide()),
                Access::Write => guarded.begin(),
            };
            (before, group)
        };
        let (before, group) = spawn_blocking(prepare).await.map_err(|it| it.to_string())?;
        let before = before?;
        let group = group.map_err(|it| format!("its use of memory cannot be limited: {it}"))?;
        let script = Script::Command(job.script);
        let launch = self.parts.launch(&before, job.folder, job.access, script);
        let Launch { command, output, told, go } = launch.map_err(|it| it.to_string())?;
        let mut command = tokio::process::Command::from(command);
        let child = command.spawn().map_err(|it| it.to_string())?;
        let running = Running::new(child, self.parts.clone(), before, group);
        Ok((running, Pipes { output, told, go }))
    }
}

struct Pipes {
    output: PipeReader,
    told: PipeReader,
    go: PipeWriter,
}

/// Waits until the walls are up and everything is in the control group, and lets the command begin.
async fn begin(running: &mut Running, told: PipeReader, mut go: PipeWriter) -> Result<(), String> {
    let outer = running.pid().ok_or("it ended at once")?;
    let group = running.group();
    // What is added before it starts others need not be looked for.
    let early = group.clone().map(|group| spawn_blocking(move || group.add(outer)));
    let ready = ready(receiver(told)?).await;
    if let Some(early) = early {
        // What went wrong goes wrong again, below.
        let _ = early.await;
    }
    ready?;
    let gathered = spawn_blocking(move || gather(outer, group.as_deref())).await;
    let first = gathered.map_err(|it| it.to_string())?.map_err(|it| format!("limits: {it}"))?;
    running.is_up(first);
    go.write_all(&[GO]).map_err(|it| it.to_string())
}

/// Waits until the program inside says that the walls are up.
async fn ready(told: Receiver) -> Result<(), String> {
    let mut told = told.take(TOLD);
    let mut text = Vec::new();
    loop {
        let read = told.read_buf(&mut text).await;
        let said = String::from_utf8_lossy(&text);
        let lines = said.split_inclusive('\n');
        if lines.filter(|line| line.ends_with('\n')).any(|line| line.starts_with(READY)) {
            return Ok(());
        }
        if !matches!(read, Ok(1..)) {
            return Err(match said.trim().strip_prefix(REPLACED) {
                Some(path) => format!("another file or folder was put in the place of {path}"),
                None => said.trim().to_owned(),
            });
        }
    }
}

/// Keeps what the command writes until it ends or has to.
async fn follow(
    parts: &Arc<Parts>,
    running: &mut Running,
    output: &mut Receiver,
    capture: &mut Capture,
    job: &Job<'_>,
) -> Stop {
    let mut buffer = vec![0; 64 << 10];
    let mut is_open = true;
    let mut looks = time::interval_at(time::Instant::now() + LOOK, LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut looked = 0_u32;
    let mut screen = Screen::default();
    let mut over = Countdown::new(job.time);
    loop {
        tokio::select! {
            () = over.over() => return Stop::TimedOut,
            ended = running.child.wait() => {
                return Stop::Exited(ended.unwrap_or_else(|_| ExitStatus::from_raw(255 << 8)));
            }
            _ = looks.tick() => {
                let parts = parts.clone();
                let full = spawn_blocking(move || is_full(&parts.root, parts.limits.free)).await;
                if full.unwrap_or(false) {
                    return Stop::DiskFull;
                }
                if screen.is_left_waiting(capture, || running.worked()) {
                    return Stop::NoScreen;
                }
                looked = looked.wrapping_add(1);
                if looked.is_multiple_of(TELL) && let Some(line) = capture.news() {
                    (job.progress)(line);
                }
            }
            read = output.read(&mut buffer), if is_open => {
                let read = read.unwrap_or(0);
                capture.push(buffer.get(..read).unwrap_or_default());
                is_open = read > 0;
            }
        }
    }
}

async fn drain(output: &mut Receiver, capture: &mut Capture) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(read @ 1..) = output.read(&mut buffer).await {
        capture.push(buffer.get(..read).unwrap_or_default());
    }
}

/// Whether less than `free` is left on the disk; on a small one, less than a twentieth of it.
fn is_full(root: &Path, free: u64) -> bool {
    rustix::fs::statvfs(root).is_ok_and(|disk| {
        let least = free.min(disk.f_blocks.saturating_mul(disk.f_frsize) / 20);
        disk.f_bavail.saturating_mul(disk.f_frsize) < least
    })
}

fn receiver(pipe: PipeReader) -> Result<Receiver, String> {
    Receiver::from_owned_fd(OwnedFd::from(pipe)).map_err(|error| error.to_string())
}

fn code(status: ExitStatus) -> i32 {
    status.code().or_else(|| Some(128 + status.signal()?)).unwrap_or(255)
}
