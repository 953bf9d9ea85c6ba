//! [`way`]: where a path leads, link by link; and what the settings of git lead to.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use toolwright_files::{SETTINGS, read_bounded};

/// The settings in a file of the workspace.
///
/// # Errors
/// Where it cannot be read; `FileTooLarge` where there is more than is looked through.
pub(super) fn text(root: &Path, file: &Path) -> io::Result<String> {
    let bytes = read_bounded(root.join(file), SETTINGS)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What a setting of git names.
pub(super) enum Named {
    /// `core.hooksPath`: from the work tree.
    Hooks(PathBuf),
    /// `include.path`: from the file that says so.
    Settings(PathBuf),
    /// Any word that may be the file of a program, as of `core.fsmonitor` or of a filter: from the work
    /// tree. Dozens of settings name programs, so no list of them would be whole.
    Program(PathBuf),
}

/// What settings of git name, from a home like this. Other settings may be called the same: one thing too
/// many is guarded then.
pub(super) fn named(text: &str, home: Option<&Path>) -> Vec<Named> {
    let meant = |path: &str| match (path.strip_prefix("~/"), home) {
        (Some(below), Some(home)) => home.join(below),
        _ => PathBuf::from(path),
    };
    let paths = text.lines().filter_map(|line| {
        let (name, value) = line.split_once('=')?;
        let name = name.rsplit(']').next().unwrap_or_default().trim().to_ascii_lowercase();
        let of = match name.as_str() {
            "hookspath" => Named::Hooks,
            "path" => Named::Settings,
            _ => return None,
        };
        Some(values(value).map(move |value| of(meant(&value))))
    });
    let paths = paths.flatten();
    // A name without a slash is looked for where programs are, and not in the work tree.
    let is_path = |word: &&str| {
        word.contains('/')
            && !word.contains(':')
            && !word.trim_start_matches('+').starts_with("refs/")
    };
    let words = text.split(|it: char| it.is_whitespace() || r#""'\;|&<>()=![]`$"#.contains(it));
    let words: BTreeSet<&str> = words.filter(is_path).collect();
    paths.chain(words.into_iter().map(|it| Named::Program(meant(it)))).collect()
}

/// What the value of a setting may be: as it is written, and without what git may take for a comment.
fn values(value: &str) -> impl Iterator<Item = String> {
    let without = |it: &str| it.trim().replace('"', "");
    let comment = value.find(['#', ';']).and_then(|at| value.get(..at));
    let all: BTreeSet<_> = [Some(value), comment].into_iter().flatten().map(without).collect();
    all.into_iter().filter(|it| !it.is_empty())
}

/// The files of settings that hold for every repository of whoever runs this.
pub(super) fn of_every_repository(home: &Path) -> [PathBuf; 2] {
    let settings = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let settings = settings.filter(|it| it.is_absolute()).unwrap_or_else(|| home.join(".config"));
    [home.join(".gitconfig"), settings.join("git/config")]
}

/// How many links the kernel follows.
const LINKS: usize = 40;

/// The links on the way to a path, and where it ends, whether something is there or not. None where
/// it never does.
pub(super) fn way(path: &Path) -> (Vec<PathBuf>, Option<PathBuf>) {
    let reversed = |path: &Path| path.iter().rev().map(OsStr::to_owned).collect::<Vec<_>>();
    let (mut at, mut rest, mut links) = (PathBuf::new(), reversed(path), Vec::new());
    while let Some(part) = rest.pop() {
        match part.as_bytes() {
            b"." => continue,
            b".." => {
                at.pop();
                continue;
            }
            _ => at.push(&part),
        }
        let Ok(target) = at.read_link() else { continue };
        links.push(at.clone());
        if links.len() > LINKS {
            return (links, None);
        }
        at.pop();
        rest.extend(reversed(&target));
    }
    (links, Some(at))
}
