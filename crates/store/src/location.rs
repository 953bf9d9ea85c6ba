//! [`StoreLocation`]: where a log is kept, and [`Timeouts`]: how long to wait for it.

use std::{
    fmt,
    path::{Component, Path, PathBuf},
    str::FromStr,
    time::Duration,
};

/// Where a log is kept. Printing it never shows a password.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreLocation {
    /// A file, made with its folder where there is none.
    Sqlite(PathBuf),
    /// A server, as a URL (`postgres://user:password@host/database`) or as `key=value` pairs.
    ///
    /// `sslmode` says how safe the way to it is to be (`disable`, `prefer`, which it is without,
    /// `require`, `verify-ca`, `verify-full`), and `sslrootcert` names a file with the certificates of
    /// the authorities that count; without one, those whom the system trusts.
    Postgres(String),
}

/// Why a text is no place for a log. What the text was is not told: there may be a password in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LocationError {
    /// It begins like a URL of something else.
    #[error("`{0}:` is no database that is understood")]
    Scheme(String),
    /// It begins like PostgreSQL's pairs, and is not.
    #[error("it looks like PostgreSQL's `key=value` pairs, and cannot be read as such")]
    Pairs,
    /// No file is named, or not by a path that means the same everywhere.
    #[error("it names no file")]
    Path,
    /// It is neither a URL, nor pairs, nor a path.
    #[error("it is neither the address of a database nor the path of a file")]
    Neither,
}

impl LocationError {
    /// What is understood.
    pub const ADVICE: &str = "write postgres://USER@HOST/DATABASE, or host=HOST dbname=DATABASE, or \
                              sqlite:FILE, or a path such as ./toolwright.db or /data/toolwright.db";
}

/// A server as a URL or as `key=value` pairs; a file as `sqlite:FILE` or as a path.
impl FromStr for StoreLocation {
    type Err = LocationError;

    fn from_str(text: &str) -> Result<Self, LocationError> {
        let text = text.trim();
        if let Some((scheme, rest)) = scheme(text) {
            return match scheme.to_ascii_lowercase().as_str() {
                "postgres" | "postgresql" if rest.starts_with("//") => {
                    Ok(Self::Postgres(text.to_owned()))
                }
                "sqlite" => file(rest.strip_prefix("//").unwrap_or(rest)),
                _ => Err(LocationError::Scheme(scheme.to_owned())),
            };
        }
        if is_pairs(text) {
            let is_read = is_address(text);
            return is_read.then(|| Self::Postgres(text.to_owned())).ok_or(LocationError::Pairs);
        }
        if is_path(text) { file(text) } else { Err(LocationError::Neither) }
    }
}

/// What stands before a colon, where that can be a scheme. One letter is a drive.
fn scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|it: char| it.is_ascii_alphabetic())
        && scheme.chars().all(|it| it.is_ascii_alphanumeric() || "+.-".contains(it));
    // `name:password@host` is no scheme: the name is nobody's business.
    let is_url = rest.starts_with("//") || scheme.eq_ignore_ascii_case("sqlite");
    (is_scheme && is_url).then_some((scheme, rest))
}

/// Whether it begins with a word and an equals sign.
fn is_pairs(text: &str) -> bool {
    let word = text.split_once('=').map(|(word, _)| word.trim_end());
    word.is_some_and(|it| {
        !it.is_empty() && it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
    })
}

/// Whether it is meant as a path: one that is there, one that begins like one, or one that ends like
/// the name of a database.
fn is_path(text: &str) -> bool {
    let path = Path::new(text);
    let first = path.components().next();
    let begins = matches!(first, Some(Component::CurDir | Component::ParentDir));
    let ends = || {
        let known = ["db", "sqlite", "sqlite3"];
        path.extension().is_some_and(|it| known.iter().any(|known| it == *known))
    };
    begins || path.is_absolute() || path.exists() || (ends() && !text.contains('@'))
}

/// A file. No shell expands `~` here, and a folder of that name is never meant.
fn file(path: &str) -> Result<StoreLocation, LocationError> {
    let is_named = !path.is_empty() && !path.starts_with('~') && !path.contains('\0');
    if is_named { Ok(StoreLocation::Sqlite(path.into())) } else { Err(LocationError::Path) }
}

impl fmt::Display for StoreLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => path.display().fmt(f),
            Self::Postgres(address) => postgres(address, f),
        }
    }
}

/// As [`fmt::Display`], for the same reason.
impl fmt::Debug for StoreLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "Sqlite({})", path.display()),
            Self::Postgres(address) => {
                f.write_str("Postgres(")?;
                postgres(address, f)?;
                f.write_str(")")
            }
        }
    }
}

/// Whether PostgreSQL's client can read it.
#[cfg(feature = "postgres")]
fn is_address(text: &str) -> bool {
    use crate::StoreError;
    // What is wrong about TLS is told when it is opened, and how to mend it.
    let read = text.parse::<crate::address::Address>();
    matches!(read, Ok(_) | Err(StoreError::Tls { .. }))
}

/// Nobody here could tell; opening it says so.
#[cfg(not(feature = "postgres"))]
fn is_address(_text: &str) -> bool {
    true
}

/// Only what is known to be no secret is taken out of the address.
#[cfg(feature = "postgres")]
fn postgres(address: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    use tokio_postgres::config::Host;
    f.write_str("postgres://")?;
    let Ok(crate::address::Address { config, .. }) = address.parse() else {
        return f.write_str("(an address that cannot be read)");
    };
    if let Some(user) = config.get_user() {
        write!(f, "{user}@")?;
    }
    for (index, host) in config.get_hosts().iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        match host {
            Host::Tcp(name) => write!(f, "{comma}{name}")?,
            #[cfg(unix)]
            Host::Unix(path) => write!(f, "{comma}{}", path.display())?,
        }
        if let Some(port) = config.get_ports().get(index) {
            write!(f, ":{port}")?;
        }
    }
    config.get_dbname().map_or(Ok(()), |name| write!(f, "/{name}"))
}

/// Nobody here could tell what of it is no secret.
#[cfg(not(feature = "postgres"))]
fn postgres(_address: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("postgres://")
}

/// How long to wait for a database before giving up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For another program that holds a lock.
    pub locked: Duration,
    /// For a server that went away to come back.
    pub lost: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { locked: Duration::from_secs(5), lost: Duration::from_secs(10) }
    }
}
