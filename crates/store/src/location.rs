//! [`Location`]: where a log is kept, and [`Patience`]: how long to wait for it.

use std::{convert::Infallible, fmt, path::PathBuf, str::FromStr, time::Duration};

/// Where a log is kept. Printing it never shows a password.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    /// A file, made with its folder where there is none.
    Sqlite(PathBuf),
    /// A server, as a URL (`postgres://user:password@host/database`) or as `key=value` pairs.
    ///
    /// The connection is not encrypted. Where the server is not on this machine or in the same
    /// private network, put a tunnel between the two; a URL that demands TLS is refused.
    Postgres(String),
}

/// A URL is a server, anything else a file.
impl FromStr for Location {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let is_server = text.starts_with("postgres://") || text.starts_with("postgresql://");
        Ok(if is_server {
            Self::Postgres(text.to_owned())
        } else {
            Self::Sqlite(text.strip_prefix("sqlite:").unwrap_or(text).into())
        })
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => path.display().fmt(f),
            Self::Postgres(address) => postgres(address, f),
        }
    }
}

/// As [`fmt::Display`], for the same reason.
impl fmt::Debug for Location {
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

/// Only what is known to be no secret is taken out of the address.
fn postgres(address: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    use tokio_postgres::config::Host;
    f.write_str("postgres://")?;
    let Ok(config) = address.parse::<tokio_postgres::Config>() else {
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

/// How long to wait for a database before giving up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For another program that holds a lock.
    pub locked: Duration,
    /// For a server that went away to come back.
    pub lost: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { locked: Duration::from_secs(5), lost: Duration::from_secs(10) }
    }
}
