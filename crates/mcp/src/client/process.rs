//! [`Process`]: a program that is a server, with all that it starts.

use std::{
    collections::VecDeque,
    process::{ExitStatus, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufReader},
    process::{Child, Command},
};

use super::{
    McpError, SandboxConfig, Screened, StdioCommand, error::words, strays::Strays, walled::Walled,
};

/// How many lines of standard error are kept.
const LINES: usize = 20;
/// The longest of them, in bytes.
const LONGEST: usize = 4 << 10;
/// How long a program may take to end by itself, and then when it is told to.
const PATIENCE: Duration = Duration::from_millis(500);

/// What a program is given of our environment. All else has to be named.
const ENVIRONMENT: [&str; 10] =
    ["HOME", "LOGNAME", "PATH", "SHELL", "USER", "LANG", "LC_ALL", "TERM", "TMPDIR", "TZ"];

/// A program that is a server, with all that it starts. Dropped, it is ended.
pub(super) struct Process {
    program: Program,
    pub(super) stderr: StderrTail,
    /// What it may not reach, where it is inside walls.
    profile: Option<SandboxConfig>,
}

enum Program {
    /// Inside walls: nothing of it is left when it is dropped, nor when this process is killed.
    Walled(Box<Walled>),
    /// Without any.
    Plain(Box<Group>),
}

/// A program and what it starts, whether or not that stays in its group.
struct Group {
    child: Child,
    id: Option<Pid>,
    /// What left the group.
    strays: Strays,
}

/// What a program prints, and what it reads.
pub(super) type Pipes = (Box<dyn AsyncRead + Send + Unpin>, Box<dyn AsyncWrite + Send + Unpin>);

impl Process {
    /// Starts a program; what it is to read and what it prints is handed back.
    pub(super) async fn start(
        name: &str,
        command: &StdioCommand,
        screened: &Screened,
    ) -> Result<(Self, Pipes), McpError> {
        let tail = StderrTail { screened: screened.clone(), ..StderrTail::default() };
        if let Some(profile) = &command.sandbox {
            let (walled, stderr, pipes) = Walled::start(command, profile).await?;
            tokio::spawn(tail.clone().follow(name.to_owned(), stderr));
            let (program, profile) = (Program::Walled(Box::new(walled)), Some(profile.clone()));
            return Ok((Self { program, stderr: tail, profile }, pipes));
        }
        let failed = |reason: String| McpError::Start { program: command.program.clone(), reason };
        let mut prepared = prepared(command);
        prepared.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: what is typed at our terminal is not for it, and all of it can be ended.
        prepared.process_group(0).kill_on_drop(true);
        let strays = Strays::default();
        let (name_of_mark, mark) = strays.variable();
        prepared.env(name_of_mark, mark);
        let mut child = prepared.spawn().map_err(|error| failed(why(&error)))?;
        let pipes = (child.stdout.take(), child.stdin.take(), child.stderr.take());
        let (Some(stdout), Some(stdin), Some(stderr)) = pipes else {
            return Err(failed("it has no pipes".to_owned()));
        };
        let id = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        tokio::spawn(tail.clone().follow(name.to_owned(), stderr));
        let program = Program::Plain(Box::new(Group { child, id, strays }));
        Ok((Self { program, stderr: tail, profile: None }, (Box::new(stdout), Box::new(stdin))))
    }

    /// Waits until it has ended by itself, as one that closed its output does; why, in words.
    pub(super) async fn ended(&mut self) -> McpError {
        let how = match tokio::time::timeout(PATIENCE, self.program.wait()).await {
            Ok(Ok(status)) => how(status),
            _ => "it closed its output".to_owned(),
        };
        // What it wrote last may still be on its way.
        tokio::time::sleep(Duration::from_millis(20)).await;
        let hint = self.profile.as_ref().and_then(|it| hint(it, &self.stderr.lines()));
        McpError::Exited { how, stderr: self.stderr.last(), hint }
    }

    /// Ends it and all that it started: by itself, now that nothing more will come; then it is told to; then it is
    /// not asked any more.
    pub(super) async fn close(mut self) {
        for signal in [None, Some(Signal::TERM)] {
            if let (Some(signal), Some(id)) = (signal, self.program.group()) {
                let _ = kill_process_group(id, signal);
            }
            if tokio::time::timeout(PATIENCE, self.program.wait()).await.is_ok() {
                break;
            }
        }
    }
}

impl Program {
    /// The group of one without walls.
    fn group(&self) -> Option<Pid> {
        match self {
            Self::Walled(_) => None,
            Self::Plain(group) => group.id,
        }
    }

    async fn wait(&mut self) -> std::io::Result<ExitStatus> {
        match self {
            Self::Walled(program) => program.wait().await,
            Self::Plain(group) => group.child.wait().await,
        }
    }
}

impl Group {
    /// Whether anything of it is left. Nobody but its own children is in the group, so that is empty once all of them
    /// have ended.
    fn is_there(&mut self) -> bool {
        let _ = self.child.try_wait();
        self.id.is_some_and(|id| test_kill_process_group(id).is_ok()) || self.strays.are_there()
    }

    fn signal(&self, signal: Signal) {
        // A number is somebody else's once the group is empty: then there is nobody in it to be told.
        if let Some(id) = self.id.filter(|id| test_kill_process_group(*id).is_ok()) {
            let _ = kill_process_group(id, signal);
        }
        self.strays.signal(signal);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.is_there() {
            return;
        }
        self.signal(Signal::TERM);
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE / 2 && self.is_there() {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.signal(Signal::KILL);
    }
}

/// The command that starts it.
fn prepared(command: &StdioCommand) -> Command {
    let mut prepared = Command::new(&command.program);
    prepared.args(&command.args).env_clear();
    for name in ENVIRONMENT {
        if let Some(value) = std::env::var_os(name) {
            prepared.env(name, value);
        }
    }
    prepared.envs(command.env.iter().map(|(name, value)| (name, value)));
    if let Some(folder) = &command.cwd {
        prepared.current_dir(folder);
    }
    prepared
}

/// What to write so that a program has the network.
pub(super) const NETWORK: &str = "it has no network in its sandbox: `sandbox = { network = true }`";

/// What programs say that miss the network.
const NO_NETWORK: [&str; 7] = [
    "ENOTFOUND",
    "EAI_AGAIN",
    "ENETUNREACH",
    "getaddrinfo",
    "name resolution",
    "dns error",
    "etwork is unreachable",
];
/// What programs say that miss a file.
const NO_FILE: [&str; 7] = [
    "Cannot find module",
    "ENOENT",
    "EACCES",
    "EROFS",
    "No such file",
    "ermission denied",
    "Read-only file system",
];

/// What to write so that a program has what it misses, where that is what it says.
fn hint(profile: &SandboxConfig, said: &[String]) -> Option<String> {
    let says = |words: &[&str]| said.iter().any(|line| words.iter().any(|it| line.contains(it)));
    if !profile.network && says(&NO_NETWORK) {
        return Some(NETWORK.to_owned());
    }
    says(&NO_FILE).then(|| {
        "its sandbox shows it what `sandbox = { read = [\"…\"], write = [\"…\"] }` names".to_owned()
    })
}

fn why(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => {
            "there is no such program, or no such folder to start it in".to_owned()
        }
        _ => error.to_string(),
    }
}

fn how(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "nobody knows how".to_owned(),
    }
}

/// The last lines that a program wrote to standard error.
#[derive(Clone, Default)]
pub(super) struct StderrTail {
    kept: Arc<Mutex<VecDeque<String>>>,
    screened: Screened,
}

impl StderrTail {
    /// The lines, the last one last.
    pub(super) fn lines(&self) -> Vec<String> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    fn last(&self) -> Option<String> {
        let lines = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // What runs a program may have the last word, and it is seldom the reason.
        let said = || lines.iter().rev().filter(|it| !it.is_empty());
        said().find(|it| it.contains("rror")).or_else(|| said().next()).cloned()
    }

    async fn follow(self, name: String, stderr: impl AsyncRead + Unpin) {
        let mut stderr = BufReader::new(stderr);
        let mut line = Vec::new();
        loop {
            let piece = stderr.fill_buf().await.unwrap_or_default();
            if piece.is_empty() {
                // The last one may have no end.
                if !line.is_empty() {
                    self.keep(&name, &line);
                }
                return;
            }
            let end = piece.iter().position(|it| *it == b'\n');
            let text = piece.get(..end.unwrap_or(piece.len())).unwrap_or_default();
            let room = LONGEST.saturating_sub(line.len());
            line.extend_from_slice(text.get(..room).unwrap_or(text));
            let used = text.len() + usize::from(end.is_some());
            stderr.consume(used);
            if end.is_some() {
                self.keep(&name, &std::mem::take(&mut line));
            }
        }
    }

    fn keep(&self, name: &str, line: &[u8]) {
        let text = words(&self.screened.text(&String::from_utf8_lossy(line)));
        tracing::debug!(server = name, "{text}");
        let mut lines = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push_back(text);
        if lines.len() > LINES {
            lines.pop_front();
        }
    }
}
