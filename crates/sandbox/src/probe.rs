//! [`probe`]: attempts at the walls from inside, as a hostile command would make them.
//!
//! Every one of them is made for real. What it is told in is one line each, `name: held` or what
//! went through; whoever asked decides what follows.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::{
        fs::{OpenOptionsExt, PermissionsExt},
        net::{UnixDatagram, UnixListener, UnixStream},
    },
    path::Path,
};

use rustix::fs::{CWD, FileType, IFlags, Mode, XattrFlags, ioctl_setflags, mknodat, setxattr};

/// How a line ends that says that an attempt failed as it should.
pub(super) const HELD: &str = "held";

/// What is attempted, and what it means where it goes through.
pub(super) const ATTEMPTS: [(&str, &str); 4] = [
    ("kernel settings", "commands could change settings of the kernel"),
    ("set-id bits", "commands could leave programs that give rights to others"),
    ("attributes", "commands could give files rights beside their mode"),
    ("sockets", "commands could talk to programs of this machine"),
];

/// Files in `/proc` that only root may write, and one that anybody may write for themselves. They are
/// opened and not written.
const SETTINGS: &[&str] = &[
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/hostname",
    "/proc/sys/kernel/modprobe",
    "/proc/sys/fs/binfmt_misc/register",
    "/proc/sys/vm/drop_caches",
    "/proc/sysrq-trigger",
    "/proc/irq/default_smp_affinity",
    "/proc/mtrr",
    "/proc/self/oom_score_adj",
];

/// Makes every attempt, and says what came of it.
pub(super) fn probe(out: &mut impl Write) -> io::Result<()> {
    let results = [settings(), set_id(), attributes(), sockets()];
    for ((name, _), result) in ATTEMPTS.iter().zip(results) {
        match result {
            Ok(None) => writeln!(out, "{name}: {HELD}")?,
            Ok(Some(through)) => writeln!(out, "{name}: {through}")?,
            Err(error) => writeln!(out, "{name}: could not be tried: {error}")?,
        }
    }
    out.flush()
}

/// What went through, if something did.
type Attempt = io::Result<Option<String>>;

fn settings() -> Attempt {
    let opens = |name: &&&str| OpenOptions::new().write(true).open(name).is_ok();
    Ok(SETTINGS.iter().find(opens).map(|name| format!("{name} can be written")))
}

fn set_id() -> Attempt {
    let folder = Scratch::new()?;
    let path = folder.0.join("file");
    let file = File::create(&path)?;
    // That it fails below is because of the bits.
    fs::set_permissions(&path, PermissionsExt::from_mode(0o755))?;
    for mode in [0o4755, 0o2755] {
        let other = folder.0.join(format!("{mode:o}"));
        let bits = || PermissionsExt::from_mode(mode);
        let through = [
            ("chmod", fs::set_permissions(&path, bits()).is_ok()),
            ("fchmod", file.set_permissions(bits()).is_ok()),
            ("open", OpenOptions::new().create(true).write(true).mode(mode).open(&other).is_ok()),
            (
                "mknod",
                mknodat(CWD, &other, FileType::RegularFile, Mode::from_raw_mode(mode), 0).is_ok(),
            ),
        ];
        if let Some((call, _)) = through.iter().find(|(_, went)| *went) {
            return Ok(Some(format!("{call} sets {mode:o}")));
        }
    }
    Ok(None)
}

fn attributes() -> Attempt {
    let folder = Scratch::new()?;
    let path = folder.0.join("file");
    let file = File::create(&path)?;
    if ioctl_setflags(&file, IFlags::NODUMP).is_ok() {
        return Ok(Some("a file's flags can be set".to_owned()));
    }
    // The right to become anybody, permitted and effective; and an attribute that anybody may set.
    let right = [0x01, 0, 0, 0x02, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let through = [("security.capability", &right[..]), ("user.toolwright", b"x")]
        .into_iter()
        .find(|(name, value)| setxattr(&path, *name, value, XattrFlags::empty()).is_ok());
    Ok(through.map(|(name, _)| format!("{name} can be set")))
}

fn sockets() -> Attempt {
    let folder = Scratch::new()?;
    let path = folder.0.join("socket");
    let through = [
        ("a socket with a name", UnixListener::bind(&path).is_ok()),
        ("a message to a name", UnixDatagram::unbound().is_ok()),
        ("a pair that can send to a name", UnixDatagram::pair().is_ok()),
    ];
    // Programs talk to what they start through these.
    UnixStream::pair()?;
    Ok(through.iter().find(|(_, went)| *went).map(|(what, _)| format!("{what} can be made")))
}

/// A folder of this process's own, inside.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new() -> io::Result<Self> {
        let path = Path::new("/tmp").join(format!("probe-{:016x}", fastrand::u64(..)));
        fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
