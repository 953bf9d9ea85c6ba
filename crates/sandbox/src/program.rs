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
};

/// What is the same inside, for every program.
const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];

/// What no walls show, whoever names it: the machine as a whole, and what every program has of its
/// own.
const NEVER: [&str; 4] = ["/proc", "/sys", "/dev", "/run"];

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
        Person::of(profile, self.parts.root_commands)?;
        profile.mounts.iter().try_for_each(check_mount)?;
        let inside = profile.folder == Path::new("/tmp") || is_shown(&profile.folder, profile);
        if !inside {
            return Err(unseen(&profile.folder, &profile.folder, "the folder it begins in"));
        }
        let found = locate(program, profile)?;
        // Each step of a link has to be there; the last is the program itself.
        let real = found.canonicalize().unwrap_or_else(|_| found.clone());
        for step in [&found, &real] {
            if !is_shown(step, profile) {
                return Err(unseen(step, home_of(step), "the program"));
            }
        }
        if let Some(interpreter) = interpreter(&real)
            && !is_shown(&interpreter, profile)
        {
            let what = format!("{}, which starts {}", interpreter.display(), real.display());
            return Err(unseen(&interpreter, home_of(&interpreter), &what));
        }
        Ok(found)
    }
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
    NoSandbox::new(
        format!("{what} is not seen in the sandbox: {}", path.display()),
        format!("add {} to what it may read (`sandbox.read`)", folder.display()),
    )
}

/// What a script says it is started with.
fn interpreter(script: &Path) -> Option<PathBuf> {
    let mut first = Vec::new();
    File::open(script).ok()?.take(FIRST_LINE).read_to_end(&mut first).ok()?;
    let line = first.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let word = std::str::from_utf8(line).ok()?.split_whitespace().next()?.to_owned();
    Some(word.into()).filter(|it: &PathBuf| it.is_absolute())
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
