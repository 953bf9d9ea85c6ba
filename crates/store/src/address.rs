//! [`Address`]: where a PostgreSQL server is, and how the way to it is kept safe.
//!
//! The client we use knows neither certificates nor all of `sslmode`, so both are taken out of the address
//! before it reads the rest. They mean what they mean to every other client of PostgreSQL.

use std::{ops::Range, path::PathBuf, str::FromStr};

use tokio_postgres::{
    Config,
    config::{Host, SslMode},
};

use crate::StoreError;

/// Where a server is, and how the way to it is kept safe.
#[derive(Clone)]
pub(crate) struct Address {
    pub(crate) config: Config,
    pub(crate) safety: Safety,
}

/// How the way to a server is kept safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Safety {
    /// Not at all: on the same machine, or because somebody said so.
    Plain,
    /// It is encrypted, where the server can (or in any case: that is for the client to see to); whose server
    /// it is nobody knows.
    Encrypted,
    /// The server's certificate was signed by one of those in the file.
    Authority(PathBuf),
    /// It is also for the name that the server was called by. Without a file those count whom the system
    /// trusts.
    Name(Option<PathBuf>),
}

/// What was taken out of an address, and what is left of it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Taken {
    rest: String,
    mode: Option<String>,
    roots: Option<String>,
}

const FORM: &str = "write postgres://USER:PASSWORD@HOST:PORT/DATABASE, the port in figures, and in the password %40 for @, %3A \
     for :, %2F for /, %3F for ? and %25 for %";
const MODES: &str =
    "write sslmode=disable, prefer, require, verify-ca or verify-full in the address";

impl FromStr for Address {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        let Taken { rest, mode, roots } = taken(text);
        let unreadable = |what: String| StoreError::Address { what, advice: FORM };
        let mut config: Config =
            rest.parse().map_err(|error: tokio_postgres::Error| unreadable(error.to_string()))?;
        // The client reads a password up to the first, and what is left of it as the name of a host.
        let has_more = |host: &Host| matches!(host, Host::Tcp(name) if name.contains('@'));
        if config.get_hosts().iter().any(has_more) {
            return Err(unreadable("there is an @ too many in it".to_owned()));
        }
        // An address of numbers alone is a name, too: certificates may be for it.
        if config.get_hosts().is_empty() {
            for address in config.get_hostaddrs().to_vec() {
                config.host(address.to_string());
            }
        }
        let is_local = config.get_hosts().iter().all(|host| !matches!(host, Host::Tcp(_)));
        // As everywhere: `system` stands for those whom the system trusts.
        let roots = roots.filter(|file| file != "system").map(PathBuf::from);
        let (mode, safety) = match (mode.as_deref().unwrap_or("prefer"), roots) {
            // There is no TLS on a socket of this machine's, whatever was asked for.
            (_, _) if is_local => (SslMode::Disable, Safety::Plain),
            ("disable", _) => (SslMode::Disable, Safety::Plain),
            ("prefer", _) => (SslMode::Prefer, Safety::Encrypted),
            ("require", None) => (SslMode::Require, Safety::Encrypted),
            ("require" | "verify-ca", Some(file)) => (SslMode::Require, Safety::Authority(file)),
            ("verify-full", file) => (SslMode::Require, Safety::Name(file)),
            // Anybody gets a certificate from one of those for a name of their own.
            ("verify-ca", None) => {
                return Err(StoreError::Tls {
                    what: "sslmode=verify-ca does not say whose certificates are good".to_owned(),
                    advice: "name the authority's certificate, sslrootcert=FILE, or write \
                             sslmode=verify-full",
                });
            }
            (_, _) => {
                let what = "the sslmode in the address is none that is understood".to_owned();
                return Err(StoreError::Tls { what, advice: MODES });
            }
        };
        config.ssl_mode(mode);
        // Whoever looks at the server's connections sees whose they are, unless the address says it better.
        if config.get_application_name().is_none() {
            config.application_name("toolwright");
        }
        Ok(Self { config, safety })
    }
}

impl Address {
    /// Where that is, for people: nothing in it is secret.
    pub(crate) fn place(&self) -> String {
        let (config, usual) = (&self.config, 5432);
        let ports = config.get_ports();
        let hosts = config.get_hosts().iter().enumerate().map(|(at, host)| match host {
            Host::Tcp(name) => {
                let port = ports.get(at).or(ports.first()).unwrap_or(&usual);
                format!("{name}:{port}")
            }
            Host::Unix(path) => path.display().to_string(),
        });
        let hosts = hosts.collect::<Vec<_>>().join(", ");
        let name = config.get_dbname().or(config.get_user()).unwrap_or_default();
        format!("`{name}` at {hosts}")
    }
}

fn taken(text: &str) -> Taken {
    let is_url = text.split_once("://").is_some_and(|(scheme, _)| {
        scheme.eq_ignore_ascii_case("postgres") || scheme.eq_ignore_ascii_case("postgresql")
    });
    if is_url { from_url(text) } else { from_pairs(text) }
}

impl Taken {
    /// Whether it is one of those that are taken out.
    fn take(&mut self, key: &str, value: String) -> bool {
        match key {
            "sslmode" => self.mode = Some(value),
            "sslrootcert" => self.roots = Some(value),
            _ => return false,
        }
        true
    }
}

/// Behind the question mark that follows the host: a password may have one in it.
fn from_url(text: &str) -> Taken {
    let host = text.find('@').map_or(0, |at| at + 1);
    let mark = text.get(host..).and_then(|rest| rest.find('?')).map(|at| host + at);
    let mut taken = Taken::default();
    let Some((before, asked)) = mark.and_then(|at| Some((text.get(..at)?, text.get(at + 1..)?)))
    else {
        return Taken { rest: text.to_owned(), ..taken };
    };
    let rest = asked.split('&').filter(|pair| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        !taken.take(key, decoded(value))
    });
    let rest = rest.collect::<Vec<_>>().join("&");
    let mark = if rest.is_empty() { "" } else { "?" };
    taken.rest = format!("{before}{mark}{rest}");
    taken
}

/// With `%20` and its like as what they stand for.
fn decoded(value: &str) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    let mut left = value.as_bytes();
    while let [first, rest @ ..] = left {
        let digits = rest.get(..2).filter(|_| *first == b'%');
        let digits = digits.and_then(|it| std::str::from_utf8(it).ok());
        match digits.and_then(|it| u8::from_str_radix(it, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                left = rest.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                left = rest;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Pairs with blanks between them, and values in quotes that may have blanks in them.
fn from_pairs(text: &str) -> Taken {
    let mut taken = Taken::default();
    let mut rest = Vec::new();
    let mut at = 0;
    while let Some(pair) = Pair::behind(text, at) {
        at = pair.place.end;
        if !taken.take(pair.key, pair.value) {
            rest.push(text.get(pair.place).unwrap_or_default());
        }
    }
    // What is no pair is left as it is: whoever reads the rest says so.
    rest.push(text.get(at..).unwrap_or_default().trim());
    rest.retain(|it| !it.is_empty());
    taken.rest = rest.join(" ");
    taken
}

struct Pair<'a> {
    key: &'a str,
    value: String,
    /// Where it stands.
    place: Range<usize>,
}

impl<'a> Pair<'a> {
    fn behind(text: &'a str, at: usize) -> Option<Self> {
        let left = text.get(at..)?;
        let start = at + (left.len() - left.trim_start().len());
        let (key, value) = text.get(start..)?.split_once('=')?;
        let key = key.trim_end();
        if key.is_empty() || key.contains(char::is_whitespace) {
            return None;
        }
        let trimmed = value.trim_start();
        let (read, length) = value_of(trimmed)?;
        let end = text.len() - trimmed.len() + length;
        Some(Self { key, value: read, place: start..end })
    }
}

/// The value at the beginning of this, and how long it is as it stands there.
fn value_of(text: &str) -> Option<(String, usize)> {
    let (text, quote) = match text.strip_prefix('\'') {
        Some(text) => (text, 1),
        None => (text, 0),
    };
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => value.push(letters.next()?.1),
            '\'' if quote == 1 => return Some((value, at + 2)),
            blank if quote == 0 && blank.is_whitespace() => return Some((value, at)),
            letter => value.push(letter),
        }
    }
    (quote == 0).then_some((value, text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StoreLocation;

    #[test]
    fn what_is_about_tls_is_taken_out() {
        for (text, rest, mode, roots) in [
            ("host=h dbname=x", "host=h dbname=x", None, None),
            ("host=h sslmode=verify-full dbname=x", "host=h dbname=x", Some("verify-full"), None),
            (
                "sslrootcert = '/a b/c\\'s.pem'  host='h' sslmode='require'",
                "host='h'",
                Some("require"),
                Some("/a b/c's.pem"),
            ),
            (
                "host=h password='sslmode=x y' user=u",
                "host=h password='sslmode=x y' user=u",
                None,
                None,
            ),
            ("host=h sslmode=disable sslmode=prefer", "host=h", Some("prefer"), None),
            ("host=h nonsense", "host=h nonsense", None, None),
            ("host='h", "host='h", None, None),
            ("postgres://u:p@h/x", "postgres://u:p@h/x", None, None),
            ("postgres://u:p@h/x?sslmode=verify-ca", "postgres://u:p@h/x", Some("verify-ca"), None),
            (
                "postgresql://u:p?a@h:1/x?connect_timeout=3&sslrootcert=%2Fa%20b.pem&sslmode=require",
                "postgresql://u:p?a@h:1/x?connect_timeout=3",
                Some("require"),
                Some("/a b.pem"),
            ),
            (
                "postgres://h?sslmode=disable&options=x",
                "postgres://h?options=x",
                Some("disable"),
                None,
            ),
            ("postgres://h/x?sslrootcert=%zz%4", "postgres://h/x", None, Some("%zz%4")),
        ] {
            let expected = Taken {
                rest: rest.to_owned(),
                mode: mode.map(str::to_owned),
                roots: roots.map(str::to_owned),
            };
            assert_eq!(taken(text), expected, "{text}");
        }
    }

    #[test]
    fn of_an_address_that_cannot_be_read_nothing_is_shown() {
        for text in
            ["postgres://u:p@hunter2@h/x", "postgres://u:hunter2@h:port/x", "host=h hunter2"]
        {
            let error = text.parse::<Address>().map(drop).expect_err(text);
            assert!(matches!(error, StoreError::Address { .. }), "{error:?}");
            let shown = StoreLocation::Postgres(text.to_owned()).to_string();
            for said in [error.to_string(), format!("{error:?}"), shown] {
                assert!(!said.contains("hunter2"), "{said}");
            }
        }
    }

    #[test]
    fn how_the_way_is_kept_safe_is_said_in_the_address() {
        let file = || PathBuf::from("/ca.pem");
        for (said, mode, safety) in [
            ("", SslMode::Prefer, Safety::Encrypted),
            ("sslmode=disable", SslMode::Disable, Safety::Plain),
            ("sslmode=prefer sslrootcert=/ca.pem", SslMode::Prefer, Safety::Encrypted),
            ("sslmode=require", SslMode::Require, Safety::Encrypted),
            ("sslmode=require sslrootcert=/ca.pem", SslMode::Require, Safety::Authority(file())),
            ("sslmode=verify-ca sslrootcert=/ca.pem", SslMode::Require, Safety::Authority(file())),
            ("sslmode=verify-full", SslMode::Require, Safety::Name(None)),
            ("sslmode=verify-full sslrootcert=system", SslMode::Require, Safety::Name(None)),
            (
                "sslmode=verify-full sslrootcert=/ca.pem",
                SslMode::Require,
                Safety::Name(Some(file())),
            ),
        ] {
            let address: Address = format!("host=db.example {said}").parse().expect("an address");
            assert_eq!(address.safety, safety, "{said}");
            assert_eq!(address.config.get_ssl_mode(), mode, "{said}");
            let local: Address = format!("host=/run/pg {said}").parse().expect("an address");
            assert_eq!(local.safety, Safety::Plain, "{said}");
        }
        for said in ["sslmode=allow", "sslmode=verify-ca", "sslmode=verify-ca sslrootcert=system"] {
            let error = format!("host=h password=hunter2 {said}").parse::<Address>().map(drop);
            let error = error.expect_err(said);
            assert!(matches!(error, StoreError::Tls { .. }), "{error:?}");
            assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
        }
    }
}
