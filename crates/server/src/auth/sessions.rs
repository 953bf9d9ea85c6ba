//! [`BrowserSessions`]: browsers that were let in, as records that can be listed and taken back.
//!
//! Browsers send the cookies of a host to whoever listens at any of its ports. So a cookie alone opens
//! nothing but the page: with it goes a key that the page keeps where only pages of the same address
//! *and port* can read. Of both, the file has only digests.

use std::{
    fs, io,
    path::Path,
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use http::{HeaderMap, HeaderName, header::USER_AGENT};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use toolwright_app::ListFile;

use super::{
    head::cookie,
    secret::{digest, random},
};

/// How long a browser is known at most.
const LIFE: Duration = Duration::from_secs(30 * DAY);
/// How long a browser is known that does not come back.
const IDLE: Duration = Duration::from_secs(7 * DAY);
/// How exactly is kept when a browser was last here.
const GRAIN: Duration = Duration::from_secs(10 * 60);
const DAY: u64 = 24 * 60 * 60;
/// How many browsers are known; a further one takes the place of the one that was away longest.
const MOST: usize = 64;
/// How much of what a browser calls itself is kept.
const LABEL: usize = 200;

/// With which header the page sends its key.
pub(super) const KEY: HeaderName = HeaderName::from_static("x-toolwright-key");

/// A browser that was let in.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct BrowserSession {
    /// What it is called by.
    pub id: String,
    /// The server that let it in, by its port: none other does.
    pub port: u16,
    /// When it was let in, in seconds since 1970.
    pub created: u64,
    /// When it was last here, in seconds since 1970, to ten minutes.
    pub used: u64,
    /// What it calls itself.
    pub agent: String,
    /// The digest of its cookie.
    cookie: String,
    /// The digest of the key that its page sends.
    pub(super) key: String,
}

impl BrowserSession {
    fn is_current(&self, now: u64) -> bool {
        // A clock that was set back makes nobody younger.
        let within = |since: u64, life: Duration| {
            now.checked_sub(since).is_none_or(|age| age < life.as_secs())
        };
        within(self.created, LIFE) && within(self.used, IDLE)
    }
}

/// The file with the browsers that were let in.
#[derive(Clone, Debug)]
pub struct BrowserSessions {
    file: ListFile,
}

impl BrowserSessions {
    /// Those in the server's folder.
    pub fn in_folder(folder: &Path) -> Self {
        Self { file: ListFile::new(folder.join("sessions.json")) }
    }

    /// Those that are still known, of all servers with this folder.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn list(&self) -> io::Result<Vec<BrowserSession>> {
        let now = now();
        let all = self.file.read::<BrowserSession>()?;
        Ok(all.into_iter().filter(|it| it.is_current(now)).collect())
    }

    /// Forgets a browser: it needs a new link. Returns whether it was known.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub fn revoke(&self, id: &str) -> io::Result<bool> {
        self.change(|all| {
            let before = all.len();
            all.retain(|it| it.id != id);
            all.len() < before
        })
    }

    /// Forgets all browsers. Returns how many there were.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub fn revoke_all(&self) -> io::Result<usize> {
        self.change(|all| std::mem::take(all).len())
    }

    /// Changes the list, less those that are no longer known.
    fn change<R>(&self, change: impl FnOnce(&mut Vec<BrowserSession>) -> R) -> io::Result<R> {
        let now = now();
        self.file.change(|all: &mut Vec<BrowserSession>| {
            all.retain(|it| it.is_current(now));
            change(all)
        })
    }
}

/// What a browser is given when it is let in.
pub(super) struct Admitted {
    /// The value of `Set-Cookie`.
    pub(super) cookie: String,
    /// What its page is to send.
    pub(super) key: String,
}

/// The browsers that one server lets in.
pub(super) struct Known {
    sessions: BrowserSessions,
    port: u16,
    read: Mutex<Read>,
}

/// The file as it was last read.
#[derive(Default)]
struct Read {
    stamp: Option<Stamp>,
    all: Vec<BrowserSession>,
}

/// By which it is seen that a file was changed: it is never changed in place.
#[derive(PartialEq, Eq)]
struct Stamp(u64, SystemTime, u64);

impl Known {
    pub(super) fn new(folder: &Path, port: u16) -> Self {
        Self { sessions: BrowserSessions::in_folder(folder), port, read: Mutex::default() }
    }

    /// Lets a browser in.
    pub(super) fn admit(&self, headers: &HeaderMap) -> io::Result<Admitted> {
        let (cookie, key, id) = (random(), random(), random());
        let now = now();
        let session = BrowserSession {
            id: id.chars().take(12).collect(),
            port: self.port,
            created: now,
            used: now,
            agent: label(headers),
            cookie: digest(&cookie),
            key: digest(&key),
        };
        self.sessions.change(|all| {
            all.sort_by_key(|it| it.used);
            all.drain(..(all.len() + 1).saturating_sub(MOST));
            all.push(session);
        })?;
        Ok(Admitted { cookie: keeping(&self.name(), &cookie), key })
    }

    /// Browsers tell cookies apart by name and host, and not by port.
    fn name(&self) -> String {
        format!("toolwright_{}", self.port)
    }

    /// What makes a browser drop its cookie.
    pub(super) fn farewell(&self) -> String {
        farewell(&self.name())
    }

    /// The cookie that a browser shows.
    pub(super) fn cookie<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        cookie(headers, &self.name())
    }

    /// The browser that has this cookie.
    pub(super) fn find(&self, cookie: &str) -> Option<BrowserSession> {
        let shown = digest(cookie);
        let found = self.current(|it| is(&it.cookie, &shown))?;
        let now = now();
        if now.saturating_sub(found.used) > GRAIN.as_secs() {
            let seen = self.sessions.change(|all| {
                all.iter_mut().filter(|it| it.id == found.id).for_each(|it| it.used = now);
            });
            if let Err(error) = seen {
                tracing::warn!(%error, "when a browser was last here is not kept");
            }
        }
        Some(found)
    }

    /// Whether a browser is still known.
    pub(super) fn is_known(&self, id: &str) -> bool {
        self.current(|it| it.id == id).is_some()
    }

    /// Forgets a browser.
    pub(super) fn forget(&self, id: &str) -> io::Result<bool> {
        self.sessions.revoke(id)
    }

    /// The one of this server's browsers that is meant, as the file has it now.
    fn current(&self, is_meant: impl Fn(&BrowserSession) -> bool) -> Option<BrowserSession> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = self.stamp();
        if stamp != read.stamp {
            *read = Read { all: self.reread(), stamp };
        }
        let now = now();
        let mut all = read.all.iter();
        all.find(|it| it.port == self.port && it.is_current(now) && is_meant(it)).cloned()
    }

    fn stamp(&self) -> Option<Stamp> {
        use std::os::unix::fs::MetadataExt;
        let found = fs::metadata(self.sessions.file.path()).ok()?;
        Some(Stamp(found.ino(), found.modified().ok()?, found.len()))
    }

    /// What cannot be read lets nobody in.
    fn reread(&self) -> Vec<BrowserSession> {
        self.sessions.list().unwrap_or_else(|error| {
            tracing::error!(%error, "the list of browsers that were let in cannot be read");
            Vec::new()
        })
    }
}

/// What has a browser keep a cookie. It is sent, too, where somebody comes from another site, by a link in a mail or in a
/// chat: else nobody who follows one there would be known, neither with the link that lets them in nor afterwards. Nothing but
/// the page is had with it, and no page of another site is sent it for what it asks itself.
pub(super) fn keeping(name: &str, value: &str) -> String {
    let age = LIFE.as_secs();
    format!("{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax")
}

/// What has a browser drop it.
pub(super) fn farewell(name: &str) -> String {
    format!("{name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax")
}

/// Whether the key that a page sent is the one with this digest.
pub(super) fn is_key(kept: &str, headers: &HeaderMap) -> bool {
    let shown = headers.get(KEY).and_then(|it| it.to_str().ok());
    shown.is_some_and(|shown| is(kept, &digest(shown)))
}

/// Takes as long for a near miss as for a wide one.
fn is(kept: &str, shown: &str) -> bool {
    kept.as_bytes().ct_eq(shown.as_bytes()).into()
}

/// What a browser calls itself, in letters that can be shown.
pub(super) fn label(headers: &HeaderMap) -> String {
    let agent = headers.get(USER_AGENT).and_then(|it| it.to_str().ok());
    agent.unwrap_or_default().chars().take(LABEL).collect()
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(u64::MAX, |it| it.as_secs())
}
