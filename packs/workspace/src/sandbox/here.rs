//! [`Sandbox`], on Linux.

use std::{
    ffi::OsString,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use rustix::{
    fs::{Mode, OFlags},
    io::Errno,
};
use tokio::task::spawn_blocking;
use toolwright_sandbox::{
    AtEnd, DiskReserve, Ending, Mount, NoSandbox, Output, SameFile, SandboxProfile, Streams,
};

use super::{
    Access, Finished, Held, Job,
    guarded::{Before, Guarded},
    repository::PREPARATION,
    unlooked::unlooked,
};
use crate::Settings;

/// How much is kept of the beginning of what a command writes, and as much of the end.
const KEPT: usize = 512 << 10;

/// SandboxProfile around a command.
pub struct Sandbox {
    sandbox: toolwright_sandbox::Sandbox,
    guarded: Arc<Guarded>,
    root: PathBuf,
    /// Which folder the root is: device and number.
    identity: (u64, u64),
    /// What is the same for every command.
    fixed: SandboxProfile,
    /// How many bytes must stay free on the workspace's disk.
    free: u64,
}

impl Sandbox {
    /// Builds a sandbox for the workspace at `root` and tries it out.
    ///
    /// # Errors
    /// When none can be built here that holds.
    pub(crate) fn build(
        root: &Path,
        identity: (u64, u64),
        settings: &Settings,
    ) -> Result<Self, NoSandbox> {
        let handle = open(root, identity)?;
        let guarded = Guarded::new(root, handle, settings).map_err(|error| unlooked(&error))?;
        // Also where no command will run. What goes wrong goes wrong again before the next command.
        let _ = guarded.settle();
        let before = guarded.look().map_err(|error| unlooked(&error))?;
        let fixed = fixed(root, settings);
        let tried = profile(&fixed, root, identity, &before, Access::Write);
        let built = toolwright_sandbox::Sandbox::build(&settings.sandbox(), &tried);
        // What was swapped meanwhile is why, whatever was said.
        let sandbox = built.map_err(|none| open(root, identity).err().unwrap_or(none))?;
        Ok(Self {
            sandbox,
            guarded: Arc::new(guarded),
            root: root.to_owned(),
            identity,
            fixed,
            free: settings.limits.free,
        })
    }

    /// What the walls are made of, for whoever checks them: a name and what there is to say.
    pub fn describe(&self) -> Vec<(String, String)> {
        self.sandbox.describe()
    }

    /// Runs a command to its end. Dropping the future kills it, with all that it started.
    pub(crate) async fn run(&self, job: Job<'_>) -> Finished {
        let began = Instant::now();
        match self.attempt(&job).await {
            Ok(done) => {
                let held = done.found.unwrap_or_default();
                Finished { ending: done.ending, output: done.output, took: done.took, held }
            }
            Err(reason) => {
                let (ending, output) = (Ending::NotStarted(reason), Output::default());
                Finished { ending, output, took: began.elapsed(), held: Vec::new() }
            }
        }
    }

    async fn attempt(
        &self,
        job: &Job<'_>,
    ) -> Result<toolwright_sandbox::Finished<Vec<Held>>, String> {
        let (guarded, access, folder) = (self.guarded.clone(), job.access, job.folder.to_owned());
        let settled = self.sandbox.settled();
        let prepare = move || {
            // What others leave is not taken for what was there before this one.
            settled();
            let before = match access {
                Access::ReadOnly => guarded.hide(),
                Access::Write => guarded.begin()?,
            };
            let beginning = guarded.which(&folder).map_err(|error| error.to_string())?;
            Ok::<_, String>((before, beginning))
        };
        let prepared = spawn_blocking(prepare).await.map_err(|it| it.to_string())?;
        let (before, (device, number)) = prepared?;
        let mut profile = profile(&self.fixed, &self.root, self.identity, &before, access);
        profile.same.push(SameFile { path: job.folder.to_owned(), device, number });
        job.folder.clone_into(&mut profile.folder);
        let program = ["bash", "-c", "--", job.script].map(OsString::from);
        let cut_off = |output: Output, _: Output| (job.cut_off)(output);
        let inner = toolwright_sandbox::Job {
            program: &program,
            profile: &profile,
            streams: Streams::Joined,
            time: job.time,
            kept: KEPT,
            disk: Some(DiskReserve { folder: &self.root, free: self.free }),
            progress: job.progress,
            cut_off: &cut_off,
        };
        let end = Comparison { guarded: self.guarded.clone(), before };
        Ok(self.sandbox.run(inner, end).await)
    }
}

/// What the workspace is held against when a command is over.
struct Comparison {
    guarded: Arc<Guarded>,
    before: Before,
}

impl AtEnd for Comparison {
    type Found = Vec<Held>;

    fn at_end(self) -> Vec<Held> {
        self.guarded.end(self.before)
    }
}

/// What is the same for every command.
fn fixed(root: &Path, settings: &Settings) -> SandboxProfile {
    let readable = settings.readable.iter().filter(|path| path.is_absolute() && path.exists());
    let readable: Vec<PathBuf> = readable.cloned().collect();
    let mut profile = SandboxProfile::new(root);
    profile.path = toolwright_sandbox::programs(&readable);
    profile.mounts = readable.into_iter().map(Mount::Read).collect();
    profile.env.clone_from(&settings.env);
    profile.owner = Some(root.to_owned());
    profile.limits = settings.limits.of_sandbox();
    profile
}

/// The walls of one command that begins at the root.
fn profile(
    fixed: &SandboxProfile,
    root: &Path,
    (device, number): (u64, u64),
    before: &Before,
    access: Access,
) -> SandboxProfile {
    let mut profile = fixed.clone();
    profile.same.clone_from(&before.same);
    profile.same.push(SameFile { path: root.to_owned(), device, number });
    let own = [Mount::Write(root.to_owned())].into_iter().chain(before.mounts.iter().cloned());
    match access {
        Access::Write => profile.mounts.extend(own),
        Access::ReadOnly => {
            profile.mounts.extend(own.map(|mount| match mount {
                Mount::Write(path) => Mount::Read(path),
                other => other,
            }));
            profile.preparation = Some((PREPARATION.name, root.to_owned()));
        }
    }
    profile
}

/// Opens the workspace, should it be this folder still.
fn open(root: &Path, identity: (u64, u64)) -> Result<OwnedFd, NoSandbox> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let replaced = || NoSandbox::replaced(&root.display().to_string());
    let opened = rustix::fs::open(root, flags, Mode::empty()).map_err(|error| match error {
        Errno::NOENT | Errno::NOTDIR | Errno::LOOP => replaced(),
        error => unlooked(&error.into()),
    })?;
    let found = rustix::fs::fstat(&opened).map_err(|error| unlooked(&error.into()))?;
    if (found.st_dev, found.st_ino) != identity {
        return Err(replaced());
    }
    Ok(opened)
}
