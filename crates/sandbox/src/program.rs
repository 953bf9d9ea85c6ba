//! [`Sandbox::check`]: whether walls can be put up, and a program be found inside of them.

use std::{
    env,
    ffi::OsStr,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

use crate::{
    Mount, NoSandbox, Sandbox, SandboxProfile,
    arguments::search_path,
    here::{find, is_program},
    person::Person,
    private::{closed, replaced},
};

/// What is the same inside, for every program.
const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];

/// What no walls show, whoever names it: the machine as a whole, and what every program has of its
/// own.
const NEVER: [&str; 4] = ["/proc", "/sys", "/dev", "/run"];

/// How many scripts may start each other, and how many links a path may lead over: as the kernel has it.
const SCRIPTS: usize = 5;
const LINKS: usize = 40;

/// How many bytes of a script are read to know what it is started with.
const FIRST_LINE: u64 = 256;

impl Sandbox {
    /// Whether these walls can be put up, and where in them this program is: by its name, its full
    /// path, or its path from the folder in which it begins.
    ///
    /// # Errors
    /// When a folder is missing or may not be shown, or the program is not there inside; the advice
    /// names the folder that would have to be readable.
    pub fn check(&self, program: &OsStr, profile: &SandboxProfile) -> Result<PathBuf, NoSandbox> {
        let named = &profile.mounts;
        let profile = &closed(profile, &self.parts.hidden)?;
        named.iter().try_for_each(check_mount)?;
        Person::of(profile, self.parts.root_commands)?;
        if let Some(swapped) = replaced(profile) {
            return Err(swapped);
        }
        let inside = profile.folder == Path::new("/tmp") || is_shown(&profile.folder, profile);
        if !inside {
            return Err(unseen(&profile.folder, &profile.folder, "the folder it begins in"));
        }
        let found = locate(program, profile)?;
        startable(&found, profile)?;
        Ok(found)
    }
}

/// Whether all is seen that starting a program takes: every step of a link, and where it is a script,
/// what it says it is started with, which may be a link or a script again.
fn startable(program: &Path, profile: &SandboxProfile) -> Result<(), NoSandbox> {
    let mut at = program.to_owned();
    let mut what = None;
    for _ in 0..SCRIPTS {
        let (steps, real) = steps(&at);
        if let Some(step) = steps.iter().find(|it| !is_shown(it, profile)) {
            let named = what.unwrap_or_else(|| "the program".to_owned());
            let named = match *step == at {
                true => named,
                false => format!("what {named} is a link to"),
            };
            return Err(unseen(step, home_of(step), &named));
        }
        let Some(next) = interpreter(&real, profile)? else { return Ok(()) };
        what = Some(format!("{}, which starts {},", next.display(), at.display()));
        at = next;
    }
    // The kernel follows no more of them either.
    Ok(())
}

/// Where a path leads: itself, every link on the way, and what is there at last.
fn steps(path: &Path) -> (Vec<PathBuf>, PathBuf) {
    let mut steps = vec![path.to_owned()];
    let mut at = path.to_owned();
    for _ in 0..LINKS {
        let Ok(target) = fs::read_link(&at) else { break };
        let joined = at.parent().unwrap_or(&at).join(target);
        // Folders on the way may be links, too: inside, they are what they are here.
        at = match (joined.parent().map(Path::canonicalize), joined.file_name()) {
            (Some(Ok(folder)), Some(name)) => folder.join(name),
            _ => joined,
        };
        steps.push(at.clone());
    }
    let real = at.canonicalize().unwrap_or(at);
    steps.push(real.clone());
    (steps, real)
}

fn check_mount(mount: &Mount) -> Result<(), NoSandbox> {
    let path = mount.path();
    let shown = path.display();
    if matches!(mount, Mount::Hide(_)) {
        return Ok(());
    }
    if !path.is_absolute() || path.components().any(|it| it.as_os_str() == "..") {
        return Err(NoSandbox::new(format!("{shown} is no full path"), "name it from `/` on"));
    }
    if path == Path::new("/") || NEVER.iter().any(|never| path.starts_with(never)) {
        return Err(NoSandbox::new(
            format!("{shown} cannot be shown to a program in a sandbox"),
            "name the folders that it needs",
        ));
    }
    fs::metadata(path).map(drop).map_err(|error| {
        let reason = format!("{shown}, which a program should see, cannot be opened: {error}");
        NoSandbox::new(reason, "make it, or take it out of what the program may read or write")
    })
}

/// Where the program is, as far as it can be known from outside.
fn locate(program: &OsStr, profile: &SandboxProfile) -> Result<PathBuf, NoSandbox> {
    let name = Path::new(program);
    if name.components().count() > 1 || name.is_absolute() {
        let path = profile.folder.join(name);
        return if is_program(&path) {
            Ok(path)
        } else {
            let reason = format!("{} is not there, or cannot be started", path.display());
            Err(NoSandbox::new(reason, "check its path and that it is executable (chmod +x)"))
        };
    }
    let shown = program.to_string_lossy();
    if let Some(found) = find(&shown, search_path(profile).into_iter()) {
        return Ok(found);
    }
    let ours = env::var_os("PATH").unwrap_or_default();
    match find(&shown, env::split_paths(&ours)) {
        Some(outside) => Err(unseen(&outside, home_of(&outside), "the program")),
        None => Err(NoSandbox::new(
            format!("the program `{shown}` is not installed"),
            "install it, or name it by its full path",
        )),
    }
}

/// Whether a path is the same inside.
fn is_shown(path: &Path, profile: &SandboxProfile) -> bool {
    let over = profile.mounts.iter().rev().find(|it| path.starts_with(it.path()));
    match over {
        Some(mount) => !matches!(mount, Mount::Hide(_)),
        None => SYSTEM.iter().any(|system| path.starts_with(system)),
    }
}

/// The folder that a program is installed in: that above its `bin`.
fn home_of(program: &Path) -> &Path {
    let folder = program.parent().unwrap_or(program);
    match (folder.file_name(), folder.parent()) {
        (Some(name), Some(above)) if name == "bin" && above != Path::new("/") => above,
        _ => folder,
    }
}

fn unseen(path: &Path, folder: &Path, what: &str) -> NoSandbox {
    let reason = format!("{what} is not seen in the sandbox: {}", path.display());
    let advice = format!("add {} to what it may read (`sandbox.read`)", folder.display());
    NoSandbox { unread: Some(folder.to_owned()), ..NoSandbox::new(reason, advice) }
}

/// What a script says it is started with: a path, or what `env` would find inside.
fn interpreter(script: &Path, profile: &SandboxProfile) -> Result<Option<PathBuf>, NoSandbox> {
    let Some(line) = first_line(script) else { return Ok(None) };
    let mut words = line.split_whitespace();
    let Some(first) = words.next().map(PathBuf::from).filter(|it| it.is_absolute()) else {
        return Ok(None);
    };
    if first.file_name().is_none_or(|it| it != "env") {
        return Ok(Some(first));
    }
    let named = words.find(|it| !it.starts_with('-') && !it.contains('='));
    let Some(named) = named.filter(|it| !it.contains('/')) else { return Ok(None) };
    locate(named.as_ref(), profile).map(Some).map_err(|none| NoSandbox {
        reason: format!("{}, which starts {}", none.reason, script.display()),
        ..none
    })
}

/// What follows `#!` in the first line of a script.
fn first_line(script: &Path) -> Option<String> {
    let mut first = Vec::new();
    File::open(script).ok()?.take(FIRST_LINE).read_to_end(&mut first).ok()?;
    let line = first.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    std::str::from_utf8(line).ok().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_further_inside_counts() {
        let path = |it: &str| PathBuf::from(it);
        let profile = SandboxProfile::new("/tmp").showing(
            [path("/home/a")],
            [path("/home/a/data/b")],
            [path("/home/a/data")],
        );
        for (at, shown) in [
            ("/home/a/x", true),
            ("/home/a/data/x", false),
            ("/home/a/data/b/x", true),
            ("/home/b", false),
            ("/usr/bin/env", true),
        ] {
            assert_eq!(is_shown(Path::new(at), &profile), shown, "{at}");
        }
    }

    #[test]
    fn the_folder_of_a_program_is_that_above_its_bin() {
        let of = |it: &'static str| home_of(Path::new(it)).display().to_string();
        assert_eq!(of("/opt/node/bin/node"), "/opt/node");
        assert_eq!(of("/srv/tool.sh"), "/srv");
        assert_eq!(of("/bin/x"), "/bin");
    }
}
