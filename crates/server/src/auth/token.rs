//! [`Token`]: what lets everybody in who has it.

use std::{
    fmt,
    io::{self, Write},
    path::Path,
};

use subtle::ConstantTimeEq;
use toolwright_files::{Writing, private_file, private_folder, read_text};

use super::secret::random;
use crate::ServerError;

/// What lets everybody in who has it. It is not printed.
#[derive(Clone)]
pub struct Token(String);

/// Shorter ones can be guessed.
const SHORTEST: usize = 16;

/// Where a token is named.
pub(crate) const VARIABLE: &str = "TOOLWRIGHT_TOKEN";

/// Larger files hold something else.
const LONGEST: u64 = 4096;

impl Token {
    /// A token that was chosen.
    ///
    /// # Errors
    /// When it is too short to keep anybody out.
    pub fn new(text: impl Into<String>) -> Result<Self, ServerError> {
        let text = text.into();
        if text.trim().len() < SHORTEST {
            let reason = format!("it must have at least {SHORTEST} characters");
            return Err(ServerError::Token { path: VARIABLE.to_owned(), reason });
        }
        Ok(Self(text.trim().to_owned()))
    }

    /// The token in a file that only its owner reads; made where there is none.
    ///
    /// # Errors
    /// When it cannot be read or kept.
    pub fn in_file(path: &Path) -> Result<Self, ServerError> {
        let failed =
            |reason: String| ServerError::Token { path: path.display().to_string(), reason };
        match read_text(path, LONGEST) {
            Ok(text) => Self::new(text).map_err(|_| failed("it is too short".to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let token = random();
                keep(path, &token).map_err(|error| failed(error.to_string()))?;
                // Whoever was faster has written theirs.
                let kept = read_text(path, LONGEST).map_err(|error| failed(error.to_string()))?;
                Self::new(kept).map_err(|_| failed("it is too short".to_owned()))
            }
            Err(error) => Err(failed(error.to_string())),
        }
    }

    /// Whether this is it. Takes as long for a near miss as for a wide one.
    pub(super) fn is(&self, shown: &str) -> bool {
        self.0.as_bytes().ct_eq(shown.as_bytes()).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[hidden]")
    }
}

fn keep(path: &Path, token: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        private_folder(folder)?;
    }
    match private_file(path, Writing::New) {
        Ok(mut file) => file.write_all(token.as_bytes()).and_then(|()| file.sync_all()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}
