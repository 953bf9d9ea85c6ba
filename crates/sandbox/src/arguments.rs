//! [`outer`] and [`inner`]: walls as the arguments of bubblewrap, and of the program inside of it.

use std::{
    ffi::{OsStr, OsString},
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use crate::{
    Mount, Network, SameFile, SandboxProfile,
    enter::{PREPARE, SAME, STREAMS, TRIAL, USER, WRITE},
    launch::{Memory, Start},
    person::Person,
};

/// Where the program that puts up the inner walls is, inside.
pub(super) const INSIDE: &str = "/.toolwright-enter";

/// A home that is the program's own.
const HOME: &str = "/tmp/home";

/// What programs need of `/etc`. None of it is secret. Who has an account here is no program's
/// business: inside there is a list of users of its own.
const ETC: &[&str] = &[
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "alternatives",
    "localtime",
    "nsswitch.conf",
    "os-release",
    "ssl/certs",
];

/// What they need beside it to reach others by name, and to know them.
const NETWORK: &[&str] = &[
    "resolv.conf",
    "hosts",
    "host.conf",
    "gai.conf",
    "services",
    "protocols",
    "ssl/openssl.cnf",
    "pki/tls/certs",
    "pki/ca-trust/extracted",
    "crypto-policies",
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

/// The arguments of bubblewrap that are the same for every program.
pub(super) fn fixed(helper: &Path) -> Vec<OsString> {
    let mut arguments = Arguments::default();
    arguments.all(["--unshare-all", "--unshare-user", "--disable-userns"]);
    arguments.all(["--cap-drop", "ALL", "--die-with-parent", "--new-session", "--clearenv"]);
    arguments.system();
    arguments.all(["--dev", "/dev"]);
    arguments.all(["--ro-bind".as_ref(), helper.as_os_str(), OsStr::new(INSIDE)]);
    arguments.0
}

/// The arguments of bubblewrap for a program, up to the one that is started inside.
pub(super) fn outer(fixed: &[OsString], profile: &SandboxProfile, person: Person) -> Vec<OsString> {
    let mut arguments = Arguments(fixed.to_vec());
    let size = profile.limits.file.to_string();
    arguments.processes(person);
    arguments.all(["--size", &size, "--tmpfs", "/tmp"]);
    arguments.all(["--size", &size, "--tmpfs", "/dev/shm"]);
    if profile.network == Network::Host {
        arguments.all(["--share-net"]);
        arguments.etc(NETWORK);
    }
    if profile.home.is_none() {
        arguments.all(["--dir", HOME]);
    }
    arguments.environment(profile);
    arguments.mounts(&profile.mounts);
    arguments.all(["--chdir".as_ref(), profile.folder.as_os_str(), OsStr::new("--")]);
    arguments.0
}

/// The arguments of the program inside, up to the one that it becomes.
pub(super) fn inner(
    profile: &SandboxProfile,
    person: Person,
    start: Start,
    memory: Memory,
) -> Vec<OsString> {
    let mut arguments = Arguments::default();
    arguments.all([USER, &person.name()]);
    for SameFile { path, device, number } in &profile.same {
        let (device, number) = (device.to_string(), number.to_string());
        arguments.all([SAME.as_ref(), path.as_os_str(), device.as_ref(), number.as_ref()]);
    }
    for path in profile.writable() {
        arguments.all([OsStr::new(WRITE), path.as_os_str()]);
    }
    if let Some((name, folder)) = &profile.preparation {
        arguments.all([PREPARE.as_ref(), name.as_ref(), folder.as_os_str()]);
    }
    match start {
        Start::Joined => {}
        Start::Separate => arguments.all([STREAMS]),
        Start::Trial => arguments.all([TRIAL]),
    }
    arguments.all(["--file", &profile.limits.file.to_string()]);
    arguments.all(["--processes", &profile.limits.processes.to_string()]);
    if memory == Memory::EachProcess {
        arguments.all(["--data", &profile.limits.memory.to_string()]);
    }
    arguments.all(["--"]);
    arguments.0
}

/// Where programs are looked for inside.
pub(super) fn search_path(profile: &SandboxProfile) -> Vec<PathBuf> {
    let own = ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from);
    own.into_iter().chain(profile.path.iter().cloned()).collect()
}

#[derive(Default)]
struct Arguments(Vec<OsString>);

impl Arguments {
    fn all<const N: usize>(&mut self, arguments: [impl AsRef<OsStr>; N]) {
        self.0.extend(arguments.into_iter().map(|it| it.as_ref().to_owned()));
    }

    /// What was named, each at its own path. Folders that are hidden stay writable until the end: what
    /// lies in them and is named may have to be mounted there.
    fn mounts(&mut self, mounts: &[Mount]) {
        let mut hidden = Vec::new();
        for mount in mounts {
            let path = mount.path().as_os_str();
            match mount {
                Mount::Read(_) => self.all(["--ro-bind".as_ref(), path, path]),
                Mount::Write(_) => self.all(["--bind".as_ref(), path, path]),
                Mount::Hide(folder) if folder.is_dir() => {
                    self.all(["--size".as_ref(), "4096".as_ref(), "--tmpfs".as_ref(), path]);
                    hidden.push(path);
                }
                Mount::Hide(file) if file.symlink_metadata().is_ok() => {
                    self.all(["--ro-bind".as_ref(), "/dev/null".as_ref(), path]);
                }
                Mount::Hide(_) => {}
            }
        }
        for path in hidden {
            self.all([OsStr::new("--remount-ro"), path]);
        }
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
        self.etc(ETC);
    }

    fn etc(&mut self, names: &[&str]) {
        for name in names.iter().map(|name| Path::new("/etc").join(name)) {
            match fs::read_link(&name) {
                // A link into what is there anyway needs no mount.
                Ok(target)
                    if Path::new("/etc").join(&target).starts_with("/usr")
                        || target.starts_with("../usr") =>
                {
                    self.all(["--symlink".as_ref(), target.as_os_str(), name.as_os_str()]);
                }
                // What it leads to may be where nothing else is seen, as `/run`.
                _ => {
                    if let Ok(real) = name.canonicalize() {
                        self.all(["--ro-bind".as_ref(), real.as_os_str(), name.as_os_str()]);
                    }
                }
            }
        }
    }

    /// What every program finds in its environment. Nothing of the server's own is in it, and nothing
    /// that is given to one program alone: arguments can be read by every user of the machine.
    fn environment(&mut self, profile: &SandboxProfile) {
        let path = std::env::join_paths(search_path(profile));
        let path = path.unwrap_or_else(|_| "/usr/bin:/bin".into());
        self.all(["--setenv".as_ref(), "PATH".as_ref(), path.as_os_str()]);
        let home = profile.home.as_deref().unwrap_or(Path::new(HOME));
        self.all(["--setenv".as_ref(), "HOME".as_ref(), home.as_os_str()]);
        for (name, value) in [("LANG", "C.UTF-8"), ("TERM", "dumb"), ("TMPDIR", "/tmp")] {
            self.all(["--setenv", name, value]);
        }
    }
}
