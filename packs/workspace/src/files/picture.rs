//! [`picture`]: a file that is a picture, to be looked at.

use std::io::Read;

use toolwright_core::{MAX_ATTACHMENT, MediaType, Output};

use super::{FileError, content};
use crate::root::{Place, Root};

/// How many bytes tell what a file is.
const TOLD_BY: u64 = 32;
/// What models and pages show. A picture of another kind is a binary file like any other.
const SHOWN: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// The file as a picture, where it is one and not too large.
pub(crate) fn picture(root: &Root, place: &Place) -> Result<Option<Output>, FileError> {
    let (file, entry) = content::open(root, place)?;
    let unreadable = |reason| FileError::Unreadable { path: place.absolute.clone(), reason };
    let mut bytes = Vec::new();
    (&file).take(TOLD_BY).read_to_end(&mut bytes).map_err(unreadable)?;
    let is_shown = SHOWN.contains(&MediaType::detect(&bytes).as_str());
    if !is_shown || entry.len > MAX_ATTACHMENT {
        return Ok(None);
    }
    (&file).take(MAX_ATTACHMENT).read_to_end(&mut bytes).map_err(unreadable)?;
    let name = place.relative.file_name().map(|it| it.to_string_lossy().into_owned());
    Ok(Output::file(bytes, name.as_deref().unwrap_or("picture")).ok())
}
