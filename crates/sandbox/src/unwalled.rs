//! [`run_unwalled`]: a program without walls, because the user said so.

use std::{
    io,
    process::{ExitStatus, Stdio},
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    process::{Child, ChildStdin, Command},
};
use toolwright_timeout::timeout;

use crate::{
    Ending, Finished, Job, Streams,
    capture::{Capture, Kept},
};

/// How long the outputs may stay open when the program has ended: who it left running may hold them.
const DRAIN: Duration = Duration::from_millis(500);

/// What a program has of this process's environment, beside what is listed.
const KEPT: [&str; 4] = ["PATH", "HOME", "LANG", "TMPDIR"];

/// Runs a program to its end as this process's user, who said that it needs no sandbox: of its walls only
/// the folder and the environment count. Its group of processes is killed when it ends, when its time is
/// over and when the future is dropped; a process that left the group is not.
pub async fn run_unwalled(job: Job<'_>) -> Finished {
    let began = Instant::now();
    let mut kept = Kept::of(&job);
    let ending = match spawn(&job) {
        Err(reason) => Ending::NotStarted(reason),
        Ok(mut group) => {
            let Kept { output, errors, .. } = &mut kept;
            match timeout(job.time, follow(&mut group, &job, output, errors)).await {
                Err(_) => Ending::TimedOut,
                Ok(Ok(status)) => Ending::Exited(code(status)),
                Ok(Err(error)) => Ending::NotStarted(error.to_string()),
            }
        }
    };
    let (output, errors) = kept.finish();
    Finished { ending, output, errors, took: began.elapsed(), found: Some(()) }
}

fn spawn(job: &Job<'_>) -> Result<Group, String> {
    let (program, rest) = job.program.split_first().ok_or("there is no program to start")?;
    let mut command = Command::new(program);
    command.args(rest).current_dir(&job.profile.folder).env_clear().kill_on_drop(true);
    let kept = KEPT.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
    command.envs(kept).envs(job.profile.env.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    command.process_group(0);
    let child = command.spawn();
    let child = child.map_err(|error| format!("{}: {error}", program.display()))?;
    Ok(Group(child))
}

/// A program, with those of its group.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        // Where it was waited for already, its number may be somebody else's.
        #[cfg(unix)]
        if let Some(pid) =
            self.0.id().and_then(|it| rustix::process::Pid::from_raw(it.try_into().ok()?))
        {
            let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
        }
    }
}

async fn follow(
    group: &mut Group,
    job: &Job<'_>,
    output: &mut Capture,
    errors: &mut Capture,
) -> io::Result<ExitStatus> {
    let child = &mut group.0;
    let text = match job.streams {
        Streams::Joined => &[],
        Streams::Separate(text) => text,
    };
    let input = child.stdin.take();
    let (mut stdout, mut stderr) = (child.stdout.take(), child.stderr.take());
    let mut reading = std::pin::pin!(async {
        tokio::join!(keep(stdout.as_mut(), output), keep(stderr.as_mut(), errors))
    });
    let mut is_read = false;
    let mut feeding = std::pin::pin!(feed(input, text));
    let mut is_fed = false;
    // Its group is killed while its number is still its own.
    #[cfg(unix)]
    let pid = child.id().and_then(|it| rustix::process::Pid::from_raw(it.try_into().ok()?));
    let status = loop {
        tokio::select! {
            ended = child.wait() => break ended?,
            _ = &mut reading, if !is_read => is_read = true,
            () = &mut feeding, if !is_fed => is_fed = true,
        }
    };
    #[cfg(unix)]
    if let Some(pid) = pid {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
    if !is_read {
        let _ = timeout(DRAIN, reading).await;
    }
    Ok(status)
}

async fn keep(from: Option<&mut (impl AsyncRead + Unpin)>, capture: &mut Capture) {
    let Some(from) = from else { return };
    let mut buffer = vec![0; 64 << 10];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        capture.push(buffer.get(..read).unwrap_or_default());
    }
}

/// One that does not read what it is given is not wrong.
async fn feed(input: Option<ChildStdin>, text: &[u8]) {
    if let Some(mut input) = input {
        let _ = input.write_all(text).await;
    }
}

fn code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    let signal: Option<i32> = None;
    status.code().or_else(|| Some(128 + signal?)).unwrap_or(255)
}
