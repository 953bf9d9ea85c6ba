//! [`Token`]: what lets everybody in who has it; [`Links`], which let one browser in; and
//! [`Sessions`], by which that browser is known afterwards.

use std::{
    collections::VecDeque,
    fmt,
    fs::{self, File},
    io::{self, Write},
    path::Path,
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderMap, header};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use toolwright_files::read_text;

use crate::ServerError;

/// What lets everybody in who has it. It is not printed.
#[derive(Clone)]
pub struct Token(String);

/// Shorter ones can be guessed.
const SHORTEST: usize = 16;

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
            return Err(ServerError::Token { path: "TOOLWRIGHT_TOKEN".to_owned(), reason });
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

    /// A key for one purpose, from which the token cannot be told.
    fn key(&self, purpose: &str) -> Hmac<Sha256> {
        // Any length will do for a key.
        let mut key = Hmac::<Sha256>::new_from_slice(self.0.as_bytes())
            .unwrap_or_else(|_| Hmac::new(&Default::default()));
        key.update(purpose.as_bytes());
        let key = key.finalize().into_bytes();
        Hmac::new_from_slice(&key).unwrap_or_else(|_| Hmac::new(&Default::default()))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[hidden]")
    }
}

fn keep(path: &Path, token: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    match options.open(path) {
        Ok(mut file) => file.write_all(token.as_bytes()).and_then(|()| file.sync_all()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// 256 random bits. Without randomness there is no secret, and nothing may be served.
fn random() -> String {
    let mut bytes = [0_u8; 32];
    match getrandom::fill(&mut bytes) {
        Ok(()) => hex(&bytes),
        Err(error) => {
            tracing::error!(%error, "the system has no randomness");
            std::process::abort()
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// How many links may wait to be used.
const LINKS: usize = 8;

/// Links that let one browser in, once.
#[derive(Default)]
pub(super) struct Links(Mutex<VecDeque<String>>);

impl Links {
    /// The token of a new link.
    pub(super) fn make(&self) -> String {
        let token = random();
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push_back(token.clone());
        while waiting.len() > LINKS {
            waiting.pop_front();
        }
        token
    }

    /// Uses a link up.
    pub(super) fn take(&self, shown: &str) -> bool {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = waiting.len();
        waiting.retain(|token| !bool::from(token.as_bytes().ct_eq(shown.as_bytes())));
        waiting.len() < before
    }
}

/// How long a browser is known.
const KNOWN: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Browsers that were let in. Nothing is stored: a cookie says until when it is good, and that it is
/// ours. It is good until the token changes, so also after a restart.
pub(super) struct Sessions {
    key: Hmac<Sha256>,
    name: String,
}

impl Sessions {
    pub(super) fn of(token: &Token, port: u16) -> Self {
        // Browsers tell cookies apart by name and host, and not by port.
        Self { key: token.key("session"), name: format!("toolwright_{port}") }
    }

    /// A cookie for a browser.
    pub(super) fn make(&self) -> String {
        let until = now().saturating_add(KNOWN.as_secs());
        let said = format!("{until}.{}", random());
        let proof = hex(&self.proof(&said).finalize().into_bytes());
        let (name, age) = (&self.name, KNOWN.as_secs());
        format!("{name}={said}.{proof}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict")
    }

    /// The cookie that a browser shows.
    pub(super) fn cookie<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
        let mut pairs = lines.flat_map(|line| line.split(';')).map(str::trim);
        pairs.find_map(|pair| pair.strip_prefix(&self.name)?.strip_prefix('='))
    }

    /// Whether a cookie is ours, and still good.
    pub(super) fn is_valid(&self, cookie: &str) -> bool {
        let Some((said, proof)) = cookie.rsplit_once('.') else { return false };
        let expected = hex(&self.proof(said).finalize().into_bytes());
        let is_ours: bool = expected.as_bytes().ct_eq(proof.as_bytes()).into();
        let until = said.split('.').next().and_then(|it| it.parse::<u64>().ok());
        is_ours && until.is_some_and(|until| now() < until)
    }

    fn proof(&self, said: &str) -> Hmac<Sha256> {
        let mut proof = self.key.clone();
        proof.update(said.as_bytes());
        proof
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(u64::MAX, |it| it.as_secs())
}
