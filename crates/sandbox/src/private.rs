//! [`closed`]: walls in which nothing is seen that no program may see, whatever they show.

use std::{
    fs,
    path::{Path, PathBuf},
};

use toolwright_files::private_folder;

use crate::{Mount, NoSandbox, SameFile, SandboxProfile};

/// The walls, with what is `hidden` covered where they would show it. Of what lies in it only the
/// program's own home is seen, and nothing that is shown is another than it is now when it is mounted.
///
/// # Errors
/// When they show what is in it on purpose, or lead elsewhere than they did.
pub(super) fn closed(
    profile: &SandboxProfile,
    hidden: &[PathBuf],
) -> Result<SandboxProfile, NoSandbox> {
    let mut profile = profile.clone();
    for path in hidden {
        cover(&mut profile, &real(path))?;
    }
    pin(&mut profile)?;
    Ok(profile)
}

/// Covers one of them, wherever it is seen.
fn cover(profile: &mut SandboxProfile, hidden: &Path) -> Result<(), NoSandbox> {
    let home = profile.home.clone();
    let mut is_home_covered = false;
    for mount in profile.mounts.clone() {
        let named = mount.path();
        // What is covered already is not shown.
        let top = profile.mounts.iter().rev().find(|it| named.starts_with(it.path()));
        if matches!(mount, Mount::Hide(_)) || matches!(top, Some(Mount::Hide(_))) {
            continue;
        }
        let shown = real(named);
        if shown.starts_with(hidden) {
            if home.as_deref() == Some(named) {
                continue;
            }
            return Err(NoSandbox::new(
                format!(
                    "{} is where Toolwright keeps its own data and settings, which no program sees",
                    named.display()
                ),
                "take it out of what the program may read or write",
            ));
        }
        let Ok(below) = hidden.strip_prefix(&shown) else { continue };
        let at = named.join(below);
        let top = profile.mounts.iter().rev().find(|it| at.starts_with(it.path()));
        if matches!(top, Some(Mount::Hide(_))) {
            continue;
        }
        // What is made later would be seen, or be made by the program itself.
        if hidden.extension().is_none() && !hidden.exists() {
            private_folder(hidden).map_err(|error| {
                NoSandbox::new(
                    format!("{} cannot be made, to hide it: {error}", hidden.display()),
                    "make that folder",
                )
            })?;
        }
        if matches!(mount, Mount::Write(_)) {
            // A folder above could be renamed, and another be put there; what is mounted stays.
            let above = at.ancestors().skip(1).take_while(|it| *it != named);
            let above = above.map(|it| Mount::Write(it.to_owned()));
            let new: Vec<_> = above.filter(|it| !profile.mounts.contains(it)).collect();
            // Right over it: what was named further inside still lies over these.
            let next = profile.mounts.iter().position(|it| *it == mount).map_or(0, |it| it + 1);
            drop(profile.mounts.splice(next..next, new.into_iter().rev()));
        }
        is_home_covered |= home.as_deref().is_some_and(|home| home.starts_with(&at));
        profile.mounts.push(Mount::Hide(at));
    }
    if let Some(home) = home.filter(|_| is_home_covered) {
        profile.mounts.push(Mount::Write(home));
    }
    Ok(())
}

/// What is mounted is what is there now: mounts are made by path, and whoever may rename a folder may
/// put another in its place before. What was looked at earlier must not lead elsewhere.
fn pin(profile: &mut SandboxProfile) -> Result<(), NoSandbox> {
    for path in mounted(profile) {
        let is_known = profile.same.iter().any(|it| it.path == path);
        // One that is a link now and was named so is followed, once.
        let found = SameFile::at(&path).ok().filter(|_| !path.is_symlink());
        if let Some(same) = found.filter(|_| !is_known) {
            profile.same.push(same);
        }
    }
    match moved(profile) {
        Some(path) => Err(NoSandbox::replaced(&path.display().to_string())),
        None => Ok(()),
    }
}

/// What is shown, and not covered by what is mounted over it.
fn mounted(profile: &SandboxProfile) -> Vec<PathBuf> {
    let over = |path: &Path| profile.mounts.iter().rev().find(|it| path.starts_with(it.path()));
    let shown = profile.mounts.iter().filter(|it| !matches!(it, Mount::Hide(_)));
    let seen = shown.filter(|it| {
        let is_top = |top: &Mount| top.path() == it.path() && !matches!(top, Mount::Hide(_));
        over(it.path()).is_some_and(is_top)
    });
    seen.map(|it| it.path().to_owned()).collect()
}

/// What was swapped, where something was: whatever is said of a start that failed, this is why.
pub(super) fn replaced(profile: &SandboxProfile) -> Option<NoSandbox> {
    let other = |it: &&SameFile| SameFile::at(&it.path).ok().as_ref() != Some(*it);
    let found =
        moved(profile).or_else(|| profile.same.iter().find(other).map(|it| it.path.as_path()));
    found.map(|path| NoSandbox::replaced(&path.display().to_string()))
}

/// What leads elsewhere than it did when it was looked at.
fn moved(profile: &SandboxProfile) -> Option<&Path> {
    let other = profile.resolved.iter().find(|(path, led)| real(path) != *led);
    other.map(|(path, _)| path.as_path())
}

/// The path without links; what is not there is where it would be.
fn real(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return real;
    }
    match (path.parent(), path.file_name()) {
        // A link that leads nowhere is not what is named.
        (Some(above), Some(_)) if path.is_symlink() => {
            above.join(fs::read_link(path).unwrap_or_default())
        }
        (Some(above), Some(name)) => real(above).join(name),
        _ => path.to_owned(),
    }
}
