//! [`Yard`]: folders for programs, and a sandbox to start them in.

use std::{
    ffi::OsString,
    fs,
    os::unix::fs::{PermissionsExt, chown},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use tempfile::TempDir;
use toolwright_sandbox::{
    Ending, Finished, Helper, Job, Sandbox, SandboxProfile, SandboxSettings, Streams, Words,
};
use toolwright_testkit::is_root;

/// Folders for programs, and a sandbox to start them in.
pub(crate) struct Yard {
    pub(crate) outside: TempDir,
    pub(crate) sandbox: Sandbox,
}

impl Yard {
    pub(crate) fn new() -> Self {
        let outside = tempfile::tempdir().unwrap();
        fs::set_permissions(outside.path(), PermissionsExt::from_mode(0o755)).unwrap();
        fs::write(outside.path().join("secret"), "canary-outside").unwrap();
        let sandbox = Sandbox::build(&settings(outside.path()), &SandboxProfile::new("/tmp"));
        let sandbox = sandbox.unwrap_or_else(|none| panic!("{none:?}"));
        Self { outside, sandbox }
    }

    /// A folder of an ordinary user, where this is root.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        let path = self.outside.path().join(name);
        fs::create_dir_all(&path).unwrap();
        if is_root() {
            chown(&path, Some(4242), Some(4242)).unwrap();
        }
        path
    }

    /// Runs a script to its end, with its outputs kept apart.
    pub(crate) async fn run(&self, script: &str, profile: &SandboxProfile) -> Ran {
        self.feed(script, profile, b"").await
    }

    pub(crate) async fn feed(&self, script: &str, profile: &SandboxProfile, input: &[u8]) -> Ran {
        let program = bash(script);
        let job = Job {
            program: &program,
            profile,
            streams: Streams::Separate(input),
            time: Duration::from_secs(20),
            kept: 64 << 10,
            disk: None,
            progress: &|_| {},
            cut_off: &|_, _| {},
        };
        self.sandbox.run(job, ()).await.into()
    }
}

/// What came of a script.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) ending: Ending,
    pub(crate) output: String,
    pub(crate) errors: String,
}

impl From<Finished> for Ran {
    fn from(it: Finished) -> Self {
        let text = |output| Words::from(output).text;
        Self { ending: it.ending, output: text(it.output), errors: text(it.errors) }
    }
}

pub(crate) fn bash(script: &str) -> [OsString; 4] {
    ["bash", "-c", "--", script].map(OsString::from)
}

pub(crate) fn settings(scratch: &Path) -> SandboxSettings {
    let mut settings = SandboxSettings::new(scratch.join("scratch"), [scratch.join("scratch")]);
    settings.helper = Helper::At(env!("CARGO_BIN_EXE_toolwright-enter").into());
    settings
}

/// The processes of this machine that have `marker` in their arguments.
pub(crate) fn survivors(marker: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let lines = processes.filter_map(|it| {
        let pid: u32 = it.file_name().to_str()?.parse().ok()?;
        let line = fs::read(it.path().join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        (line.contains(marker)).then(|| format!("{pid}: {line}"))
    });
    lines.collect()
}

/// A number that no other test sleeps for.
pub(crate) fn marker() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    format!("9{:09}.{}", since.subsec_nanos(), std::process::id())
}

/// Waits until it is so, at most ten seconds.
pub(crate) async fn until(mut so: impl FnMut() -> bool) -> bool {
    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(10) {
        if so() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    false
}
