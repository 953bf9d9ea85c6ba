//! [`TokenStore`]: which servers the user is logged in to.

use std::{
    collections::BTreeMap,
    fmt,
    fs::{self, File, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use serde::{Deserialize, Serialize};
use toolwright_files::{Writing, private_file, private_folder, read_bounded};
use toolwright_http::Url;

use super::{
    client::{Grant, now},
    registration::RegisteredClient,
    scopes,
};

/// More than any number of logins.
const MOST: u64 = 16 << 20;
/// A token that ends so soon is renewed before it is used.
const EARLY: u64 = 60;
/// How long another process may take to renew a token, and how often is looked whether it is done.
const RENEWAL: Duration = Duration::from_secs(30);
const LOOK: Duration = Duration::from_millis(50);

/// Which servers the user is logged in to, in a file that only its owner reads.
#[derive(Clone, Debug)]
pub struct TokenStore {
    path: PathBuf,
}

/// The file as it is written.
#[derive(Default, Serialize, Deserialize)]
struct TokenFile {
    version: u32,
    servers: BTreeMap<String, Credentials>,
}

/// A login: for which server, and with what it is renewed.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Credentials {
    /// The address of the server. Another one is sent nothing of this.
    pub(super) server: String,
    /// What tokens are asked for.
    pub(super) resource: String,
    pub(super) issuer: String,
    pub(super) token_endpoint: String,
    pub(super) client: RegisteredClient,
    pub(super) access_token: String,
    pub(super) refresh_token: Option<String>,
    /// When the token ends, in seconds since 1970.
    pub(super) expires_at: Option<u64>,
    pub(super) scopes: Vec<String>,
    /// When the user logged in, in nanoseconds since 1970: what tells one login from another, however often it was renewed.
    pub(super) since: u64,
    /// What the server wanted besides, for the next login.
    #[serde(default)]
    pub(super) wanted: Vec<String>,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("server", &self.server).finish_non_exhaustive()
    }
}

impl Credentials {
    /// Whether the token ends soon, or has ended.
    pub(super) fn ends_soon(&self) -> bool {
        self.expires_at.is_some_and(|at| at <= now() + EARLY)
    }

    /// Whether the token has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.expires_at.is_some_and(|at| at <= now())
    }

    /// The same login with new tokens. What is not given anew stays.
    pub(super) fn renewed(&self, grant: Grant) -> Self {
        Self {
            access_token: grant.access_token,
            refresh_token: grant.refresh_token.or_else(|| self.refresh_token.clone()),
            expires_at: grant.expires_at,
            scopes: grant.scopes.unwrap_or_else(|| self.scopes.clone()),
            ..self.clone()
        }
    }

    /// What nobody may see.
    pub(super) fn secrets(&self) -> Vec<String> {
        let all =
            [Some(&self.access_token), self.refresh_token.as_ref(), self.client.secret.as_ref()];
        all.into_iter().flatten().cloned().collect()
    }
}

impl TokenStore {
    /// The logins in this folder.
    pub fn in_folder(data: &Path) -> Self {
        Self { path: data.join("mcp").join("tokens.json") }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Forgets the login to a server; whether there was one.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub fn forget(&self, server: &str) -> io::Result<bool> {
        if !self.read()?.servers.contains_key(server) {
            return Ok(false);
        }
        self.change(|all| all.remove(server).is_some())
    }

    /// All that nobody may see.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn secrets(&self) -> io::Result<Vec<String>> {
        Ok(self.read()?.servers.values().flat_map(Credentials::secrets).collect())
    }

    /// The login to the server of this name, at this address.
    pub(super) fn of(&self, server: &str, url: &Url) -> io::Result<Option<Credentials>> {
        let found = self.read()?.servers.remove(server);
        Ok(found.filter(|it| it.server == url.as_str()))
    }

    /// Since when the user is logged in to the server of this name, if they are.
    pub(in super::super) fn since(&self, server: &str) -> Option<u64> {
        self.read().ok()?.servers.get(server).map(|it| it.since)
    }

    /// Keeps a login.
    pub(super) fn save(&self, server: &str, login: Credentials) -> io::Result<()> {
        self.change(|all| _ = all.insert(server.to_owned(), login))
    }

    /// Keeps what a login became, or that it is none any more, unless there is another by now. Returns the one
    /// there is.
    pub(super) fn replace(
        &self,
        server: &str,
        old: &Credentials,
        new: Option<Credentials>,
    ) -> io::Result<Option<Credentials>> {
        self.change(|all| {
            let is_same = |it: &Credentials| {
                (&it.access_token, &it.server) == (&old.access_token, &old.server)
            };
            if all.get(server).is_some_and(is_same) {
                match new {
                    Some(new) => _ = all.insert(server.to_owned(), new),
                    None => _ = all.remove(server),
                }
            }
            all.get(server).filter(|it| it.server == old.server).cloned()
        })
    }

    /// Keeps what a server wants to have asked for at the next login.
    pub(super) fn want(&self, server: &str, wanted: &[String]) -> io::Result<()> {
        self.change(|all| {
            if let Some(login) = all.get_mut(server) {
                login.wanted =
                    scopes::bounded(login.wanted.iter().chain(wanted).cloned().collect::<Vec<_>>());
            }
        })
    }

    /// What tells that the file is another one.
    pub(in super::super) fn stamp(&self) -> Option<(SystemTime, u64)> {
        let about = fs::metadata(&self.path).ok()?;
        Some((about.modified().ok()?, about.len()))
    }

    /// What only one process at a time holds, which then renews the tokens of this server.
    pub(super) async fn lock_renewal(&self, server: &str) -> io::Result<File> {
        self.make_folder()?;
        let path = self.path.with_file_name(format!("tokens.{server}.lock"));
        let lock = private_file(path, Writing::Update)?;
        for _ in 0..RENEWAL.as_millis() / LOOK.as_millis() {
            match lock.try_lock() {
                Ok(()) => return Ok(lock),
                Err(TryLockError::WouldBlock) => tokio::time::sleep(LOOK).await,
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        let told = "another process renews the login, and is not done";
        Err(io::Error::new(io::ErrorKind::TimedOut, told))
    }

    fn make_folder(&self) -> io::Result<()> {
        self.path.parent().map_or(Ok(()), private_folder)
    }

    fn read(&self) -> io::Result<TokenFile> {
        match read_bounded(&self.path, MOST) {
            // What is wrong with it is told without a word of it.
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|_| {
                let told = format!("{} is no file of logins; remove it", self.path.display());
                io::Error::new(io::ErrorKind::InvalidData, told)
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(TokenFile::default()),
            Err(error) => Err(error),
        }
    }

    /// Changes it, one process at a time; a crash leaves it as it was or as it is now.
    fn change<T>(
        &self,
        change: impl FnOnce(&mut BTreeMap<String, Credentials>) -> T,
    ) -> io::Result<T> {
        self.make_folder()?;
        let lock = private_file(self.path.with_extension("lock"), Writing::Update)?;
        lock.lock()?;
        let mut file = self.read()?;
        file.version = 1;
        let result = change(&mut file.servers);
        let new = self.path.with_extension("new");
        // Whoever holds the lock is alone: one that is there was left by a crash.
        let _ = fs::remove_file(&new);
        let mut written = private_file(&new, Writing::New)?;
        written.write_all(&serde_json::to_vec_pretty(&file)?)?;
        written.sync_all()?;
        fs::rename(&new, &self.path)?;
        Ok(result)
    }
}
