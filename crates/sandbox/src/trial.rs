//! [`trial`]: a sandbox is tried out before anything runs in it.

use std::{
    ffi::OsString,
    fs,
    io::{BufRead, BufReader, ErrorKind, Read, Write},
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
    time::Duration,
};

use rustix::process::Pid;
use toolwright_files::{Writing, private_file, private_folder};

use crate::{
    NoSandbox, SandboxProfile,
    cgroup::Group,
    enter::{READY, REPLACED},
    handover,
    launch::{Launch, Parts, Pipes, Start},
    person::Person,
    probe::{ATTEMPTS, HELD},
};

/// How long a trial may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// What has to be true inside, and what it means where it is not.
const PROMISES: &[(&str, &str)] = &[
    ("CapPrm: 0000000000000000", "commands would keep rights of the administrator"),
    ("CapEff: 0000000000000000", "commands would have rights of the administrator"),
    ("NoNewPrivs: 1", "commands could gain rights"),
    ("Seccomp: 2", "system calls are not filtered"),
    ("processes: own", "commands would see the processes of this machine"),
    ("outside: unseen", "commands would see files that they were not shown"),
    ("folder: writable", "commands could not write in their folder"),
];

/// What a trial found out.
pub(super) struct Tried {
    /// The version of Landlock that the kernel has.
    pub(super) landlock: String,
    /// What was attempted from inside, in vain.
    pub(super) held: Vec<&'static str>,
}

/// Tries the walls from inside, and runs a command that looks around. It begins in a folder that it
/// has to be able to write to.
pub(super) fn trial(
    parts: &mut Parts,
    profile: &SandboxProfile,
    person: Person,
    scratch: &Path,
) -> Result<Tried, NoSandbox> {
    let canary = Canary::new(scratch).map_err(|error| {
        let reason = format!("{} cannot be written to: {error}", scratch.display());
        NoSandbox::new(reason, "make that folder writable")
    })?;
    let answer = ask(parts, profile, person, &script(&canary.0));
    let Answer { told, output } = answer.map_err(|error| failed(&error))?;
    let version = told.lines().find_map(|line| line.strip_prefix(READY));
    let version = version.ok_or_else(|| explain(&told))?;
    let promises = PROMISES.iter().map(|(promise, otherwise)| ((*promise).to_owned(), *otherwise));
    let attempts = ATTEMPTS.iter().map(|(name, otherwise)| (format!("{name}: {HELD}"), *otherwise));
    let is_root =
        (!person.is_root()).then(|| ("user: ordinary".to_owned(), "commands would run as root"));
    for (promise, otherwise) in promises.chain(attempts).chain(is_root) {
        if !output.lines().any(|line| line == promise) {
            let reason = format!("the sandbox does not hold: {otherwise}");
            return Err(NoSandbox::new(
                reason,
                format!("it should have said `{promise}`, and said: {output}"),
            ));
        }
    }
    let held = ATTEMPTS.iter().map(|(name, _)| *name).collect();
    Ok(Tried { landlock: version.to_owned(), held })
}

/// A file that nothing inside may see.
struct Canary(PathBuf);

impl Canary {
    fn new(scratch: &Path) -> std::io::Result<Self> {
        private_folder(scratch)?;
        let path = scratch.canonicalize()?.join(format!("unseen-{:016x}", fastrand::u64(..)));
        let mut file = private_file(&path, Writing::New)?;
        file.write_all(b"Nothing in the sandbox may read this.\n")?;
        Ok(Self(path))
    }
}

impl Drop for Canary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn script(canary: &Path) -> String {
    let canary = canary.to_string_lossy().replace('\'', r"'\''");
    format!(
        "while read -r name value; do\n\
         case $name in CapPrm:|CapEff:|NoNewPrivs:|Seccomp:) echo \"$name $value\";; esac\n\
         done </proc/self/status\n\
         [ \"$EUID\" -gt 0 ] && echo 'user: ordinary'\n\
         [ $$ -lt 10 ] && echo 'processes: own'\n\
         [ -e '{canary}' ] || [ -e /etc/shadow ] || echo 'outside: unseen'\n\
         [ -w . ] && echo 'folder: writable'\n\
         true"
    )
}

struct Answer {
    told: String,
    output: String,
}

fn ask(
    parts: &mut Parts,
    profile: &SandboxProfile,
    person: Person,
    script: &str,
) -> std::io::Result<Answer> {
    let program = ["bash", "-c", "--", script].map(OsString::from);
    let begins = handover::written(&profile.env)?;
    let Launch { mut command, pipes } = parts.launch(profile, person, &program, Start::Trial)?;
    let Pipes { input: mut go, output, told } = pipes;
    let mut child = command.spawn()?;
    // What it holds of the pipes would keep them open.
    drop(command);
    let group = join(parts, profile, child.id());
    let (sender, answer) = mpsc::channel();
    thread::spawn(move || {
        let mut told = BufReader::new(told);
        let mut said = String::new();
        while told.read_line(&mut said).is_ok_and(|read| read > 0) {
            if said.lines().last().is_some_and(|line| line.starts_with(READY)) {
                let _ = go.write_all(&begins);
                break;
            }
        }
        drop(go);
        let mut seen = Vec::new();
        let _ = output.take(64 << 10).read_to_end(&mut seen);
        let output = String::from_utf8_lossy(&seen).into_owned();
        // Nobody waits any more where it took too long.
        let _ = sender.send(Answer { told: said, output });
    });
    let answer = answer.recv_timeout(PATIENCE);
    let _ = child.kill();
    let _ = child.wait();
    if let Some(group) = group {
        group.remove();
    }
    answer.map_err(|_| std::io::ErrorKind::TimedOut.into())
}

/// Tries whether processes can be put into a control group; where not, there are none.
fn join(parts: &mut Parts, profile: &SandboxProfile, child: u32) -> Option<Group> {
    let child = Pid::from_raw(child.try_into().ok()?)?;
    let group = parts.groups.as_ref()?.make(&profile.limits);
    let joined = group.and_then(|group| group.add(child).map(|()| group));
    if joined.is_err() {
        parts.groups = None;
    }
    joined.ok()
}

fn failed(error: &std::io::Error) -> NoSandbox {
    let reason = format!("a command in a sandbox could not be started: {error}");
    let advice = match error.kind() {
        ErrorKind::TimedOut => "the machine may be busy: start Toolwright again",
        ErrorKind::ArgumentListTooLong => {
            "the folder has too many files that steer other programs: work in one further inside"
        }
        _ => "check that `bwrap --ro-bind / / true` works",
    };
    NoSandbox::new(reason, advice)
}

/// What bubblewrap, or the program inside, says when it cannot start, in words that help.
fn explain(told: &str) -> NoSandbox {
    let said = told.trim();
    let has = |words: &[&str]| words.iter().any(|word| said.contains(word));
    if let Some(path) = said.lines().find_map(|line| line.strip_prefix(REPLACED)) {
        return NoSandbox::replaced(path);
    }
    if has(&["landlock: "]) {
        return NoSandbox::new(
            format!("the kernel does not have Landlock ({said})"),
            "use Linux 5.13 or newer with `landlock` in its `lsm=` boot parameter",
        );
    }
    if has(&["Unknown option"]) {
        return NoSandbox::new(
            format!("bubblewrap is too old ({said})"),
            "install bubblewrap 0.8.0 or newer",
        );
    }
    if has(&["namespace", "uid map", "setting up", "loopback"]) {
        return NoSandbox::new(
            format!("user namespaces are switched off ({said})"),
            namespaces(|name| fs::read_to_string(name).ok()),
        );
    }
    if has(&["Permission denied", "Can't find source path"]) {
        return NoSandbox::new(
            format!("the sandbox may not open what it needs ({said})"),
            "put Toolwright and the folder where the folder's owner may read them, as in \
             /usr/local/bin and /srv",
        );
    }
    let said = if said.is_empty() { "it said nothing" } else { said };
    NoSandbox::new(
        format!("the sandbox could not be built ({said})"),
        "check that `bwrap --ro-bind / / true` works",
    )
}

/// What switches user namespaces on again, by what switched them off.
fn namespaces(read: impl Fn(&str) -> Option<String>) -> String {
    let switches = [
        ("kernel/unprivileged_userns_clone", "0", "1"),
        ("kernel/apparmor_restrict_unprivileged_userns", "1", "0"),
        ("user/max_user_namespaces", "0", "15000"),
    ];
    let off = switches.iter().find(|(name, off, _)| {
        read(&format!("/proc/sys/{name}")).is_some_and(|value| value.trim() == *off)
    });
    match off {
        Some((name, _, on)) => format!("sudo sysctl -w {}={on}", name.replace('/', ".")),
        None => "allow user namespaces; in a container, start it with a seccomp and AppArmor \
                 profile that does"
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_switched_off_is_named() {
        let off = "bwrap: No permissions to create new namespace, likely because …";
        assert!(explain(off).reason.starts_with("user namespaces are switched off"));
        let ubuntu = |name: &str| name.contains("apparmor").then(|| "1\n".to_owned());
        let advice = "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
        assert_eq!(namespaces(ubuntu), advice);
        assert!(namespaces(|_| None).starts_with("allow user namespaces"));
    }

    #[test]
    fn a_workspace_that_was_swapped_is_named() {
        let told = explain("replaced: /srv/app\n");
        assert_eq!(told.reason, "another file or folder was put in the place of /srv/app");
        assert!(!told.advice.contains("bwrap"), "{told:?}");
    }

    #[test]
    fn a_kernel_without_landlock_is_named() {
        let told = explain("landlock: the kernel does not have it\n");
        assert!(told.reason.starts_with("the kernel does not have Landlock"), "{told:?}");
    }
}
