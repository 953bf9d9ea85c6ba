//! [`enter`]: the inner walls, from inside the outer ones.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, Write},
    os::unix::{fs::MetadataExt as _, process::CommandExt},
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use rustix::process::{Resource, Rlimit, setrlimit};

use crate::{ENTER, Preparation, Variables, accounts, fence, filter, handover, probe::probe};

/// How the line begins that says the walls are up. The version of Landlock follows.
pub(super) const READY: &str = "ready ";

/// Has the walls tried from inside before the command begins.
pub(super) const TRIAL: &str = "--trial";

/// A path, and the device and number of what has to be there.
pub(super) const SAME: &str = "--same";

/// A folder that can be changed.
pub(super) const WRITE: &str = "--write";

/// What the user is called that the command runs as.
pub(super) const USER: &str = "--user";

/// What is done before the command begins, by its name, and the folder it is done for.
pub(super) const PREPARE: &str = "--prepare";

/// Leaves the command its own input and error output, behind what is said over them before.
pub(super) const STREAMS: &str = "--streams";

/// What is said where something else is there.
pub(super) const REPLACED: &str = "replaced: ";

/// How many files a process may have open.
const OPEN_FILES: u64 = 4096;

/// Puts up the inner walls and becomes the program. For the beginning of `main`. `preparations` are
/// those that walls may name.
///
/// What goes wrong is written to the standard error output, which is not the program's yet.
pub fn enter(arguments: impl Iterator<Item = OsString>, preparations: &[Preparation]) -> ExitCode {
    let told = match become_command(arguments, preparations) {
        Ok(never) => match never {},
        Err(told) => told,
    };
    // There is nobody else to tell.
    let _ = writeln!(io::stderr(), "{told}");
    ExitCode::from(125)
}

/// What the command is, and what it may use.
#[derive(Default)]
struct Entry {
    writable: Vec<PathBuf>,
    preparation: Option<(OsString, PathBuf)>,
    same: Vec<(PathBuf, u64, u64)>,
    file: u64,
    processes: u64,
    data: Option<u64>,
    user: String,
    /// Whether the walls are tried before the command.
    is_trial: bool,
    /// Whether it has its own input and error output.
    has_streams: bool,
    command: Vec<OsString>,
}

impl Entry {
    fn parse(mut arguments: impl Iterator<Item = OsString>) -> Option<Self> {
        let mut entry = Self::default();
        while let Some(name) = arguments.next() {
            let number = |value: Option<OsString>| value?.to_str()?.parse().ok();
            match name.to_str()? {
                // The name by which a program calls itself to get here.
                ENTER => {}
                WRITE => entry.writable.push(arguments.next()?.into()),
                PREPARE => {
                    entry.preparation = Some((arguments.next()?, arguments.next()?.into()));
                }
                USER => entry.user = arguments.next()?.into_string().ok()?,
                STREAMS => entry.has_streams = true,
                "--file" => entry.file = number(arguments.next())?,
                "--processes" => entry.processes = number(arguments.next())?,
                "--data" => entry.data = Some(number(arguments.next())?),
                SAME => {
                    let path = arguments.next()?.into();
                    entry.same.push((path, number(arguments.next())?, number(arguments.next())?));
                }
                TRIAL => entry.is_trial = true,
                "--" => {
                    entry.command = arguments.collect();
                    return Some(entry);
                }
                _ => return None,
            }
        }
        None
    }

    /// Whether what was mounted is what was looked at: mounts are made by path, and whoever may
    /// rename a folder may have put another in its place meanwhile.
    fn compare(&self) -> Result<(), String> {
        let other = self.same.iter().find(|(path, device, number)| {
            let found = path.symlink_metadata();
            !found.is_ok_and(|it| (it.dev(), it.ino()) == (*device, *number))
        });
        match other {
            None => Ok(()),
            Some((path, ..)) => Err(format!("{REPLACED}{}", path.display())),
        }
    }

    /// What is added to the environment. A preparation that nobody knows is not left out.
    fn prepare(&self, preparations: &[Preparation]) -> Result<Variables, String> {
        let Some((name, folder)) = &self.preparation else { return Ok(Variables::new()) };
        let known = preparations.iter().find(|it| name == it.name);
        let known = known.ok_or_else(|| {
            format!("this program does not know how to prepare {}", name.display())
        })?;
        (known.prepare)(folder).map_err(|error| format!("{}: {error}", known.name))
    }

    fn limit(&self) -> io::Result<()> {
        let limits = [
            (Resource::Core, Some(0)),
            (Resource::Fsize, Some(self.file)),
            (Resource::Nofile, Some(OPEN_FILES)),
            (Resource::Nproc, Some(self.processes)),
            (Resource::Data, self.data),
        ];
        for (resource, most) in limits {
            let Some(most) = most else { continue };
            // A limit that is lower already stays.
            let now = rustix::process::getrlimit(resource);
            let most = now.maximum.map_or(most, |now| now.min(most));
            setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
        }
        Ok(())
    }
}

enum Never {}

fn become_command(
    arguments: impl Iterator<Item = OsString>,
    preparations: &[Preparation],
) -> Result<Never, String> {
    let entry = Entry::parse(arguments).ok_or("this is only for Toolwright to call")?;
    let (program, rest) = entry.command.split_first().ok_or("there is no command to start")?;
    let said = |what: &'static str| move |error: io::Error| format!("{what}: {error}");
    entry.compare()?;
    close_others().map_err(said("files"))?;
    entry.limit().map_err(said("limits"))?;
    rustix::thread::set_no_new_privs(true).map_err(|error| said("privileges")(error.into()))?;
    let prepared = entry.prepare(preparations)?;
    accounts::write(&entry.user, Path::new("/etc")).map_err(said("users"))?;
    let version = fence::put_up(&entry.writable).map_err(|error| format!("landlock: {error}"))?;
    filter::put_up().map_err(|error| format!("seccomp: {error}"))?;
    let mut environment = wait(&version).map_err(said("start"))?;
    environment.extend(prepared);
    if entry.is_trial {
        probe(&mut io::stdout()).map_err(said("trial"))?;
    }
    let error = start(program, rest, environment, entry.has_streams);
    Err(format!("{}: {error}", program.display()))
}

/// Closes whatever the server had open and did not mean to share.
fn close_others() -> io::Result<()> {
    let open = std::fs::read_dir("/proc/self/fd")?;
    let numbers: Vec<i32> =
        open.filter_map(|it| it.ok()?.file_name().to_str()?.parse().ok()).collect();
    for number in numbers.into_iter().filter(|number| *number > 2) {
        // The one that was read from is among them, and closed already.
        let _ = nix::unistd::close(number);
    }
    Ok(())
}

/// Says that the walls are up, and waits until the command may begin; the variables that it is given.
fn wait(version: &str) -> io::Result<Variables> {
    writeln!(io::stderr(), "{READY}{version}")?;
    handover::read(rustix::stdio::stdin())
}

fn start(
    program: &OsStr,
    arguments: &[OsString],
    environment: Variables,
    has_streams: bool,
) -> io::Error {
    let prepare = || -> io::Result<()> {
        if has_streams {
            return Ok(());
        }
        rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
        rustix::stdio::dup2_stderr(io::stdout())?;
        Ok(())
    };
    match prepare() {
        Ok(()) => Command::new(program).args(arguments).envs(environment).exec(),
        Err(error) => error,
    }
}
