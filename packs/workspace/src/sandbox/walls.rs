//! [`Walls`]: what a command sees of the machine, as bubblewrap's arguments.

use std::{
    ffi::{OsStr, OsString},
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use super::{
    Access,
    enter::SAME,
    guarded::{Before, Guarded},
    person::Person,
};
use crate::{Limits, Settings};

/// Where the program that puts up the inner walls is, inside.
pub(super) const INSIDE: &str = "/.toolwright-enter";

/// What programs need of `/etc`. None of it is secret.
const ETC: &[&str] = &[
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "alternatives",
    "localtime",
    "passwd",
    "group",
    "nsswitch.conf",
    "os-release",
    "ssl/certs",
];

/// What no command has to see in `/proc`: the memory, the keys, the devices and the messages of the
/// machine.
const UNSEEN: &[&str] = &[
    "kcore",
    "keys",
    "key-users",
    "kmsg",
    "kpagecgroup",
    "kpagecount",
    "kpageflags",
    "slabinfo",
    "vmallocinfo",
    "timer_list",
    "sched_debug",
    "latency_stats",
    "acpi",
    "scsi",
];

/// What a command sees of the machine.
pub(super) struct Walls {
    /// What is the same for every command.
    fixed: Vec<OsString>,
    root: PathBuf,
    guarded: Guarded,
}

impl Walls {
    pub(super) fn new(
        root: &Path,
        settings: &Settings,
        helper: &Path,
        person: Person,
        guarded: Guarded,
    ) -> Self {
        let mut fixed = Arguments::default();
        fixed.flags();
        fixed.system();
        fixed.processes(person);
        fixed.all(["--dev", "/dev"]);
        fixed.all(["--size", &settings.limits.file.to_string(), "--tmpfs", "/tmp"]);
        fixed.all(["--size", &settings.limits.file.to_string(), "--tmpfs", "/dev/shm"]);
        fixed.all(["--dir", HOME]);
        for path in readable(settings) {
            fixed.all(["--ro-bind".as_ref(), path.as_os_str(), path.as_os_str()]);
        }
        fixed.all(["--ro-bind".as_ref(), helper.as_os_str(), OsStr::new(INSIDE)]);
        fixed.environment(settings);
        Self { fixed: fixed.0, root: root.to_owned(), guarded }
    }

    /// What is guarded in the workspace now.
    pub(super) fn guarded(&self) -> &Guarded {
        &self.guarded
    }

    /// The arguments for one command, up to the program that is started inside.
    pub(super) fn arguments(
        &self,
        before: &Before,
        folder: &Path,
        access: Access,
    ) -> Vec<OsString> {
        let mut arguments = Arguments(self.fixed.clone());
        arguments.all(["--bind".as_ref(), self.root.as_os_str(), self.root.as_os_str()]);
        arguments.0.extend(before.arguments.iter().cloned());
        if access == Access::ReadOnly {
            arguments.read_only();
        }
        arguments.all(["--chdir".as_ref(), folder.as_os_str(), OsStr::new("--")]);
        arguments.0
    }
}

/// A home that is the command's own.
const HOME: &str = "/tmp/home";

#[derive(Default)]
struct Arguments(Vec<OsString>);

impl Arguments {
    fn all<const N: usize>(&mut self, arguments: [impl AsRef<OsStr>; N]) {
        self.0.extend(arguments.into_iter().map(|it| it.as_ref().to_owned()));
    }

    /// Nothing that was mounted so far can be written to; what a command has for itself still can.
    fn read_only(&mut self) {
        for argument in &mut self.0 {
            // Every path is absolute: none is taken for an option.
            for (writable, fixed) in [("--bind", "--ro-bind"), ("--bind-try", "--ro-bind-try")] {
                if argument == writable {
                    *argument = fixed.into();
                }
            }
        }
    }

    fn flags(&mut self) {
        self.all(["--unshare-all", "--unshare-user", "--disable-userns"]);
        self.all(["--cap-drop", "ALL", "--die-with-parent", "--new-session", "--clearenv"]);
    }

    /// The command's own processes, and of the machine only what is no secret. None of it is changed:
    /// the kernel's settings are in there, and who has root's number may set them without any right.
    fn processes(&mut self, person: Person) {
        self.all(["--proc", "/proc"]);
        for path in UNSEEN.iter().map(|name| Path::new("/proc").join(name)) {
            match path.metadata() {
                // Nobody could read it: it needs no mount.
                Ok(found) if found.mode() & 0o004 == 0 && !person.is_root() => {}
                Ok(found) if found.is_dir() => {
                    self.all(["--size", "4096", "--tmpfs"]);
                    self.all([path.as_os_str(), "--remount-ro".as_ref(), path.as_os_str()]);
                }
                Ok(_) => self.all(["--ro-bind".as_ref(), "/dev/null".as_ref(), path.as_os_str()]),
                Err(_) => {}
            }
        }
        self.all(["--remount-ro", "/proc"]);
    }

    /// The programs and libraries of the system.
    fn system(&mut self) {
        self.all(["--ro-bind", "/usr", "/usr"]);
        for name in ["/bin", "/sbin", "/lib", "/lib32", "/lib64"] {
            match fs::read_link(name) {
                Ok(target) => self.all(["--symlink".as_ref(), target.as_os_str(), name.as_ref()]),
                Err(_) if Path::new(name).is_dir() => self.all(["--ro-bind", name, name]),
                Err(_) => {}
            }
        }
        for name in ETC.iter().map(|name| Path::new("/etc").join(name)) {
            match fs::read_link(&name) {
                // A link into what is there anyway needs no mount.
                Ok(target)
                    if Path::new("/etc").join(&target).starts_with("/usr")
                        || target.starts_with("../usr") =>
                {
                    self.all(["--symlink".as_ref(), target.as_os_str(), name.as_os_str()]);
                }
                _ if name.exists() => {
                    self.all(["--ro-bind".as_ref(), name.as_os_str(), name.as_os_str()]);
                }
                _ => {}
            }
        }
    }

    /// What a command finds in its environment. Nothing of the server's own is in it.
    fn environment(&mut self, settings: &Settings) {
        let bins = readable(settings).filter_map(|path| match path.file_name() {
            Some(name) if name == "bin" => Some(path),
            _ => Some(path.join("bin")).filter(|bin| bin.is_dir()),
        });
        let path = ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from).into_iter();
        let path =
            std::env::join_paths(path.chain(bins)).unwrap_or_else(|_| "/usr/bin:/bin".into());
        self.all(["--setenv".as_ref(), "PATH".as_ref(), path.as_os_str()]);
        let own = [("HOME", HOME), ("LANG", "C.UTF-8"), ("TERM", "dumb"), ("TMPDIR", "/tmp")];
        for (name, value) in own {
            self.all(["--setenv", name, value]);
        }
        for (name, value) in &settings.env {
            self.all(["--setenv", name, value]);
        }
    }
}

/// The folders outside of the workspace that there are to be read.
fn readable(settings: &Settings) -> impl Iterator<Item = PathBuf> {
    settings.readable.iter().filter(|path| path.is_absolute() && path.exists()).cloned()
}

/// The flags for the program inside: what it allows the command.
pub(super) fn allowance(
    root: &Path,
    same: &[(PathBuf, u64, u64)],
    access: Access,
    limits: &Limits,
    memory: Memory,
) -> Vec<OsString> {
    let mut arguments = Arguments::default();
    for (path, device, number) in same {
        let (device, number) = (device.to_string(), number.to_string());
        arguments.all([SAME.as_ref(), path.as_os_str(), device.as_ref(), number.as_ref()]);
    }
    arguments.all(["--workspace".as_ref(), root.as_os_str()]);
    if access == Access::ReadOnly {
        arguments.all(["--read-only"]);
    }
    arguments.all(["--file", &limits.file.to_string()]);
    arguments.all(["--processes", &limits.processes.to_string()]);
    if memory == Memory::EachProcess {
        arguments.all(["--data", &limits.memory.to_string()]);
    }
    arguments.0
}

/// Who sees to the limit of memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Memory {
    /// A control group, for all processes together.
    Group,
    /// Each process by itself.
    EachProcess,
}
