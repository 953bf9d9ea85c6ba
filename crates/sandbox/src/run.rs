//! [`Sandbox::run`]: one program, from its start to the end of its last process.

use std::{
    ffi::OsString,
    io::{self, PipeReader, PipeWriter, Write},
    os::{fd::OwnedFd, unix::process::ExitStatusExt},
    pin::pin,
    process::ExitStatus,
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::unix::pipe::{Receiver, Sender},
    task::spawn_blocking,
    time::{self, MissedTickBehavior},
};
use toolwright_timeout::{Countdown, timeout};

use crate::{
    AtEnd, DiskReserve, Ending, Finished, Job, NoSandbox, Sandbox, SandboxProfile, Streams,
    capture::{Capture, Kept},
    enter::{READY, REPLACED},
    handover,
    launch::{Launch, Pipes, Start},
    person::Person,
    private::{closed, replaced},
    refusal::not_started,
    running::{PATIENCE, Running, gather},
    screen::Screen,
    spawner::spawn,
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

/// A program that has begun, and the pipes to it.
pub(super) struct Begun<E: AtEnd> {
    pub(super) running: Running<E>,
    /// Until it was handed over.
    pub(super) input: Option<PipeWriter>,
    pub(super) output: Receiver,
    pub(super) errors: Receiver,
}

impl Sandbox {
    /// Runs a program to its end. Dropping the future kills it, with all that it started. `end` is done
    /// when nothing of it is left, however it ended.
    pub async fn run<E: AtEnd>(&self, job: Job<'_>, end: E) -> Finished<E::Found> {
        let began = Instant::now();
        let mut kept = Kept::of(&job);
        let (ending, found) = match self.attempt(&job, end, &mut kept).await {
            Ok((ending, found)) => (ending, Some(found)),
            Err(reason) => (Ending::NotStarted(reason), None),
        };
        let (output, errors) = kept.finish();
        Finished { ending, output, errors, took: began.elapsed(), found }
    }

    async fn attempt<E: AtEnd>(
        &self,
        job: &Job<'_>,
        end: E,
        kept: &mut Kept<'_>,
    ) -> Result<(Ending, E::Found), String> {
        let start = match job.streams {
            Streams::Joined => Start::Joined,
            Streams::Separate(_) => Start::Separate,
        };
        let begun = self.begin(job.program, job.profile, start, end).await;
        let mut begun = begun.map_err(|none| none.reason)?;
        let stop = follow(&mut begun, kept, job).await?;
        let Begun { mut running, mut output, mut errors, .. } = begun;
        running.kill();
        // What was written before the end is still in the pipes.
        let drained = async {
            drain(&mut output, &mut kept.output).await;
            drain(&mut errors, &mut kept.errors).await;
        };
        let _ = timeout(DRAIN, drained).await;
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
        Ok((ending, settled.found))
    }

    /// Starts a program, and lets it begin when its walls are up.
    pub(super) async fn begin<E: AtEnd>(
        &self,
        program: &[OsString],
        profile: &SandboxProfile,
        start: Start,
        end: E,
    ) -> Result<Begun<E>, NoSandbox> {
        let profile = &closed(profile, &self.parts.hidden)?;
        let person = Person::of(profile, self.parts.root_commands)?;
        let failed = |said: String| not_started(said, person);
        let begins = handover::written(&profile.env).map_err(|it| failed(it.to_string()))?;
        // What was swapped meanwhile is why, whatever was said.
        let why = |said: String| replaced(profile).unwrap_or_else(|| failed(said));
        let (mut running, pipes) =
            self.spawn(program, profile, person, start, end).await.map_err(why)?;
        let mut errors = receiver(pipes.told).map_err(failed)?;
        let input = pipes.input;
        let began = timeout(START, begin(&mut running, &mut errors, &input, begins));
        let began = began.await.unwrap_or_else(|_| Err("it took too long to start".to_owned()));
        began.map_err(why)?;
        let output = receiver(pipes.output).map_err(failed)?;
        Ok(Begun { running, input: Some(input), output, errors })
    }

    async fn spawn<E: AtEnd>(
        &self,
        program: &[OsString],
        profile: &SandboxProfile,
        person: Person,
        start: Start,
        end: E,
    ) -> Result<(Running<E>, Pipes), String> {
        let (parts, limits) = (self.parts.clone(), profile.limits);
        let group = move || parts.groups.as_ref().map(|groups| groups.make(&limits)).transpose();
        let group = spawn_blocking(group).await.map_err(|it| it.to_string())?;
        let group = group.map_err(|it| format!("its use of memory cannot be limited: {it}"))?;
        let launch = self.parts.launch(profile, person, program, start);
        let Launch { command, pipes } = launch.map_err(|it| it.to_string())?;
        let parts = self.parts.clone();
        let spawned = spawn(move || {
            let child = tokio::process::Command::from(command).spawn()?;
            Ok(Running::new(child, parts, end, group))
        });
        Ok((spawned.await.map_err(|it| it.to_string())?, pipes))
    }
}

/// Waits until the walls are up and everything is in the control group, and lets the command begin.
async fn begin<E: AtEnd>(
    running: &mut Running<E>,
    told: &mut Receiver,
    go: &PipeWriter,
    begins: Vec<u8>,
) -> Result<(), String> {
    let outer = running.pid().ok_or("it ended at once")?;
    let group = running.group();
    // What is added before it starts others need not be looked for.
    let early = group.clone().map(|group| spawn_blocking(move || group.add(outer)));
    let ready = ready(told).await;
    if let Some(early) = early {
        // What went wrong goes wrong again, below.
        let _ = early.await;
    }
    ready?;
    let gathered = spawn_blocking(move || gather(outer, group.as_deref())).await;
    let first = gathered.map_err(|it| it.to_string())?.map_err(|it| format!("limits: {it}"))?;
    running.is_up(first);
    let mut go = go.try_clone().map_err(|it| it.to_string())?;
    // A pipe holds less than it may be.
    let written = spawn_blocking(move || go.write_all(&begins)).await;
    written.map_err(|it| it.to_string())?.map_err(|it| it.to_string())
}

/// Waits until the program inside says that the walls are up. It says nothing more before it may
/// begin: what follows is the program's own.
async fn ready(told: &mut Receiver) -> Result<(), String> {
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

/// Hands a program what it reads, and keeps what it writes, until it ends or has to.
async fn follow<E: AtEnd>(
    begun: &mut Begun<E>,
    kept: &mut Kept<'_>,
    job: &Job<'_>,
) -> Result<Stop, String> {
    let Begun { running, input, output, errors } = begun;
    let (mut buffer, mut other) = (vec![0; 64 << 10], vec![0; 16 << 10]);
    let (mut is_open, mut has_errors) = (true, matches!(job.streams, Streams::Separate(_)));
    let mut fed = pin!(feed(input, job.streams));
    let mut is_fed = false;
    let mut looks = time::interval_at(time::Instant::now() + LOOK, LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut looked = 0_u32;
    let mut screen = Screen::default();
    let mut over = Countdown::new(job.time);
    loop {
        tokio::select! {
            () = over.over() => return Ok(Stop::TimedOut),
            ended = running.child.wait() => {
                let ended = ended.unwrap_or_else(|_| ExitStatus::from_raw(255 << 8));
                return Ok(Stop::Exited(ended));
            }
            done = &mut fed, if !is_fed => {
                is_fed = true;
                done?;
            }
            _ = looks.tick() => {
                if is_full(job.disk).await {
                    return Ok(Stop::DiskFull);
                }
                if screen.is_left_waiting(&kept.output, || running.worked()) {
                    return Ok(Stop::NoScreen);
                }
                looked = looked.wrapping_add(1);
                if looked.is_multiple_of(TELL) && let Some(line) = kept.output.news() {
                    (job.progress)(line);
                }
            }
            read = output.read(&mut buffer), if is_open => {
                is_open = keep(&mut kept.output, &buffer, read);
            }
            read = errors.read(&mut other), if has_errors => {
                has_errors = keep(&mut kept.errors, &other, read);
            }
        }
    }
}

/// Keeps what was read. Says whether there may be more.
fn keep(capture: &mut Capture, buffer: &[u8], read: io::Result<usize>) -> bool {
    let read = read.unwrap_or(0);
    capture.push(buffer.get(..read).unwrap_or_default());
    read > 0
}

/// Writes what a program reads, and closes its input. One that does not read it to its end is not
/// wrong.
async fn feed(input: &mut Option<PipeWriter>, streams: Streams<'_>) -> Result<(), String> {
    let Some(input) = input.take() else { return Ok(()) };
    let Streams::Separate(text) = streams else { return Ok(()) };
    if text.is_empty() {
        return Ok(());
    }
    let sender = Sender::from_owned_fd(OwnedFd::from(input));
    let mut sender = sender.map_err(|error| error.to_string())?;
    let _ = sender.write_all(text).await;
    Ok(())
}

async fn drain(output: &mut Receiver, capture: &mut Capture) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(read @ 1..) = output.read(&mut buffer).await {
        capture.push(buffer.get(..read).unwrap_or_default());
    }
}

/// Whether less is left on the disk than must stay free.
async fn is_full(disk: Option<DiskReserve<'_>>) -> bool {
    let Some(DiskReserve { folder, free }) = disk else { return false };
    let folder = folder.to_owned();
    let look = move || {
        rustix::fs::statvfs(&folder).is_ok_and(|disk| {
            let least = free.min(disk.f_blocks.saturating_mul(disk.f_frsize) / 20);
            disk.f_bavail.saturating_mul(disk.f_frsize) < least
        })
    };
    spawn_blocking(look).await.unwrap_or(false)
}

fn receiver(pipe: PipeReader) -> Result<Receiver, String> {
    Receiver::from_owned_fd(OwnedFd::from(pipe)).map_err(|error| error.to_string())
}

fn code(status: ExitStatus) -> i32 {
    status.code().or_else(|| Some(128 + status.signal()?)).unwrap_or(255)
}
