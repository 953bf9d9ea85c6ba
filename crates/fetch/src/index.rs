//! [`PackageIndex`]: a place packages are to be had from; [`Indexes`]: all that are asked, in order.

use std::{env, fmt, time::Duration};

use toolwright_http::{Address, Url};

use crate::{FetchError, FetchErrorKind, settings::PipSettings};

/// The index that Python's own tools ask.
const USUAL: &str = "https://pypi.org/simple";

/// A place packages are to be had from (PEP 503 and 691).
#[derive(Clone)]
pub struct PackageIndex {
    pub(crate) address: Address,
    /// A name and a password, as they stand in an address.
    login: Option<(String, Option<String>)>,
}

impl PackageIndex {
    /// Reads an address as people set it for their package tools: it may hold a login, which goes to this
    /// origin and nowhere else.
    ///
    /// # Errors
    /// When it is none, or a login would be sent unencrypted: why, without the login.
    pub fn new(text: &str) -> Result<Self, String> {
        let mut url = Url::parse(text.trim()).map_err(|error| error.to_string())?;
        let (name, password) = (url.username().to_owned(), url.password().map(str::to_owned));
        let login = (!name.is_empty() || password.is_some()).then_some((name, password));
        // Addresses without a host have no login either.
        let _ = (url.set_username(""), url.set_password(None));
        let address = Address::new(url.as_str())?;
        if login.is_some() && !address.is_encrypted() && !address.is_this_machine() {
            return Err(format!(
                "it holds a login, and {} is not asked over https",
                address.host()
            ));
        }
        Ok(Self { address, login })
    }

    /// The address of a page, or of a file, with the login where it is of the same origin.
    pub(crate) fn authorised(&self, mut url: Url) -> Url {
        if let Some((name, password)) = &self.login
            && url.origin() == self.address.join("").origin()
        {
            let _ = (url.set_username(name), url.set_password(password.as_deref()));
        }
        url
    }
}

impl fmt::Debug for PackageIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PackageIndex").field(&self.address.host()).finish()
    }
}

/// How long is waited.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// For the next bytes.
    pub silence: Duration,
    /// Before the second attempt; twice as long before each further one.
    pub backoff: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self { silence: Duration::from_secs(60), backoff: Duration::from_millis(500) }
    }
}

/// The indexes that are asked, in order.
#[derive(Clone, Debug, Default)]
pub struct Indexes {
    pub(crate) all: Vec<PackageIndex>,
    pub(crate) timing: Timing,
    /// Why one of those that are set up is not asked.
    pub(crate) unusable: Option<String>,
    pub(crate) fallback: Fallback,
}

/// What is asked where no index gives a package.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fallback {
    #[default]
    Nothing,
    /// The package tool of the user's Python.
    Pip,
}

impl Indexes {
    /// This one alone: nothing else is asked, and no other program.
    pub fn only(index: PackageIndex) -> Self {
        Self { all: vec![index], ..Self::default() }
    }

    /// The one that is named; else those that are set up for the package tool of Python (`PIP_INDEX_URL`,
    /// `PIP_EXTRA_INDEX_URL`, `pip.conf`); else the usual one.
    ///
    /// # Errors
    /// Where the one that is named cannot be used.
    pub fn configured(named: Option<&str>) -> Result<Self, FetchError> {
        match named.map(str::trim).filter(|it| !it.is_empty()) {
            Some(named) => PackageIndex::new(named).map(Self::only).map_err(|reason| {
                let message = format!("The address of the package index cannot be used: {reason}.");
                FetchError::new(FetchErrorKind::Missing, message).with_advice(
                    "Name one that begins with https://, as package tools are given it.",
                )
            }),
            None => Ok(Self::of_pip(&PipSettings::read(&|name| {
                env::var_os(name).map(|it| it.to_string_lossy().into_owned())
            }))),
        }
    }

    /// With other times to wait.
    #[must_use]
    pub fn with_timing(mut self, timing: Timing) -> Self {
        self.timing = timing;
        self
    }

    fn of_pip(settings: &PipSettings) -> Self {
        let mut indexes = Self { fallback: Fallback::Pip, ..Self::default() };
        if settings.is_without_index {
            indexes.unusable = Some("the settings of pip say to ask no index".to_owned());
            return indexes;
        }
        let first = settings.index.as_deref().unwrap_or(USUAL);
        for text in std::iter::once(first).chain(settings.extra.iter().map(String::as_str)) {
            match PackageIndex::new(text) {
                Ok(index) => indexes.all.push(index),
                Err(reason) => {
                    let why = format!(
                        "the address of an index that is set for pip cannot be used: {reason}"
                    );
                    indexes.unusable.get_or_insert(why);
                }
            }
        }
        indexes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_goes_to_its_own_origin_and_is_never_shown() {
        let index = PackageIndex::new("https://me:s%3Acret@mirror.example/simple/").unwrap();
        let own = index.authorised(Url::parse("https://mirror.example/files/a.whl").unwrap());
        assert_eq!((own.username(), own.password()), ("me", Some("s%3Acret")));
        for other in [
            "https://files.example/a.whl",
            "http://mirror.example/a.whl",
            "https://mirror.example:8443/a.whl",
        ] {
            let other = index.authorised(Url::parse(other).unwrap());
            assert!(other.username().is_empty() && other.password().is_none(), "{other}");
        }
        assert!(!format!("{index:?}").contains("cret"));
        let reason = PackageIndex::new("http://me:secret@mirror.example/simple").unwrap_err();
        assert!(reason.contains("https") && !reason.contains("secret"), "{reason}");
        assert!(PackageIndex::new("http://me:secret@127.0.0.1/simple").is_ok());
    }

    #[test]
    fn indexes_are_those_that_are_set_up() {
        let hosts = |settings: &PipSettings| -> Vec<String> {
            Indexes::of_pip(settings).all.iter().map(|it| it.address.host()).collect()
        };
        let mut settings = PipSettings::default();
        assert_eq!(hosts(&settings), ["pypi.org"]);
        settings.index = Some("https://mirror.example/simple".to_owned());
        settings.extra = vec!["ftp://b".to_owned(), "https://c.example/simple".to_owned()];
        assert_eq!(hosts(&settings), ["mirror.example", "c.example"]);
        settings.is_without_index = true;
        assert!(hosts(&settings).is_empty());
        assert!(Indexes::configured(Some("mirror.example")).is_err());
    }
}
