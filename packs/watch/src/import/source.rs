//! Where an export is: in a file, in a folder, in an archive.

use std::{
    fs::{self, File},
    io::{self, Read, Seek},
    path::{Path, PathBuf},
};

use zip::{ZipArchive, result::ZipError};

use super::{intake::Intake, reading};
use crate::{WatchError, WatchErrorKind};

const DEEPEST: usize = 16;
const MOST_FILES: usize = 100_000;
/// All that is unpacked of one archive: several times the longest history there is.
const MOST_UNPACKED: u64 = 8 << 30;
const ARCHIVE: &[u8] = b"PK\x03\x04";

/// Reads what is there.
pub(super) fn read(path: &Path, intake: &mut Intake<'_>) -> Result<(), WatchError> {
    let about = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if !about.is_dir() {
        return file(path, &named(path, path), intake);
    }
    let (mut folders, mut seen) = (vec![(path.to_owned(), 0)], 0);
    while let Some((folder, depth)) = folders.pop() {
        let Some(inside) = listed(&folder, intake) else { continue };
        for (inner, is_folder) in inside {
            seen += 1;
            if seen > MOST_FILES {
                let reason =
                    format!("only the first {MOST_FILES} files of the folder were looked at");
                intake.unreadable(&folder.display().to_string(), &reason);
                return Ok(());
            }
            if !is_folder {
                file(&inner, &named(path, &inner), intake)?;
            } else if depth < DEEPEST {
                folders.push((inner, depth + 1));
            }
        }
    }
    Ok(())
}

/// The files and folders in a folder, in order. Links are left out: they may lead anywhere.
fn listed(folder: &Path, intake: &mut Intake<'_>) -> Option<Vec<(PathBuf, bool)>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            intake.unreadable(&folder.display().to_string(), &error.to_string());
            return None;
        }
    };
    let entries = entries.filter_map(Result::ok).take(MOST_FILES + 1);
    let mut inside: Vec<_> = entries
        .filter_map(|it| Some((it.path(), it.file_type().ok()?)))
        .filter(|(_, kind)| kind.is_file() || kind.is_dir())
        .map(|(path, kind)| (path, kind.is_dir()))
        .collect();
    inside.sort();
    Some(inside)
}

/// What a file is called where it is reported: its place in the folder that was given.
fn named(root: &Path, path: &Path) -> String {
    let inner = path.strip_prefix(root).ok().filter(|it| !it.as_os_str().is_empty());
    let inner = inner.map_or_else(|| path.file_name().map(Path::new), Some);
    inner.unwrap_or(path).display().to_string()
}

fn file(path: &Path, name: &str, intake: &mut Intake<'_>) -> Result<(), WatchError> {
    let mut opened = match File::open(path) {
        Ok(opened) => opened,
        Err(error) => {
            intake.unreadable(name, &error.to_string());
            return Ok(());
        }
    };
    let mut magic = [0; 4];
    let read = opened.read_exact(&mut magic);
    if let Err(error) = opened.rewind() {
        intake.unreadable(name, &error.to_string());
        return Ok(());
    }
    if read.is_ok() && magic == ARCHIVE {
        return archive(name, opened, intake);
    }
    reading::read(name, opened, intake)
}

fn archive(name: &str, file: File, intake: &mut Intake<'_>) -> Result<(), WatchError> {
    let mut archive = match ZipArchive::new(io::BufReader::new(file)) {
        Ok(archive) => archive,
        Err(error) => {
            intake.unreadable(name, &format!("the archive is damaged: {error}. Download it again"));
            return Ok(());
        }
    };
    let mut left = MOST_UNPACKED;
    for at in 0..archive.len().min(MOST_FILES) {
        let inside = match archive.by_index(at) {
            Ok(inside) => inside,
            Err(error) => {
                intake.unreadable(name, &locked(&error));
                continue;
            }
        };
        if !inside.is_file() {
            continue;
        }
        let inner = inside.name().map_or_else(|_| name.to_owned(), |it| format!("{name}: {it}"));
        let mut bounded = inside.take(left);
        reading::read(&inner, &mut bounded, intake)?;
        left = bounded.limit();
        if left == 0 {
            let reason = format!(
                "unpacks to more than {} GB, and the rest was left out",
                MOST_UNPACKED >> 30
            );
            intake.unreadable(name, &reason);
            break;
        }
    }
    Ok(())
}

fn locked(error: &ZipError) -> String {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => {
            String::from("the archive is encrypted. Unpack it, then give the folder")
        }
        ZipError::UnsupportedArchive(_) => {
            format!(
                "a file in the archive cannot be unpacked: {error}. Unpack it, then give the folder"
            )
        }
        error => format!("a file in the archive is damaged: {error}. Download it again"),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> WatchError {
    let message = format!("cannot read {}: {error}", path.display());
    let advice = "Give the file watch-history.json, the folder, or the archive of Google Takeout.";
    WatchError::new(WatchErrorKind::Unreadable, message).with_advice(advice)
}
