//! [`Client`]: asks an API at its address, or goes where a server points to.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use http::{Method, Uri};
use url::Url;

use crate::{Address, HttpError, HttpErrorKind, HttpSettings, Origin, RequestBuilder};

/// Asks an API at its address, or goes where a server points to. Cloning is cheap and shares connections.
#[derive(Clone, Debug)]
pub struct Client(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: HttpSettings,
    reach: Reach,
}

/// How far a client goes.
#[derive(Debug)]
enum Reach {
    /// To this origin.
    Pinned(String, Origin),
    /// Wherever it is sent: the origins it has been to.
    Anywhere(Mutex<BTreeMap<String, Origin>>),
}

impl Client {
    /// A client that goes to this address and no further: a key must not follow where an answer points to.
    ///
    /// # Errors
    /// When the proxy that is set for it is none.
    pub fn pinned(address: &Address) -> Result<Self, HttpError> {
        Self::pinned_with(address, &HttpSettings::default())
    }

    /// As [`Client::pinned`], with settings of the caller's.
    ///
    /// # Errors
    /// As those of [`Client::pinned`].
    pub fn pinned_with(address: &Address, settings: &HttpSettings) -> Result<Self, HttpError> {
        let url = address.join("");
        let origin = Origin::new(&uri(&url)?, settings)?;
        Ok(Self::of(Reach::Pinned(url.origin().ascii_serialization(), origin), settings))
    }

    /// A client that goes where it is pointed to: a few times, and never from an encrypted address to one
    /// that is not. What is secret stays with the origin it was given for.
    pub fn following() -> Self {
        Self::following_with(&HttpSettings::default())
    }

    /// As [`Client::following`], with settings of the caller's.
    pub fn following_with(settings: &HttpSettings) -> Self {
        Self::of(Reach::Anywhere(Mutex::default()), settings)
    }

    fn of(reach: Reach, settings: &HttpSettings) -> Self {
        Self(Arc::new(Inner { settings: settings.clone(), reach }))
    }

    /// A request for an address.
    pub fn request(&self, method: Method, url: Url) -> RequestBuilder<'_> {
        RequestBuilder::new(self, method, url)
    }

    /// A request for what is at an address.
    pub fn get(&self, url: Url) -> RequestBuilder<'_> {
        self.request(Method::GET, url)
    }

    /// A request that brings something to an address.
    pub fn post(&self, url: Url) -> RequestBuilder<'_> {
        self.request(Method::POST, url)
    }

    /// Whether it goes where it is pointed to.
    pub(crate) fn follows(&self) -> bool {
        matches!(self.0.reach, Reach::Anywhere(_))
    }

    /// Whether it only goes where a guard lets it.
    pub(crate) fn is_guarded(&self) -> bool {
        self.0.settings.guard.is_some()
    }

    /// The origin of an address, where it goes there.
    pub(crate) fn origin(&self, url: &Url) -> Result<Origin, HttpError> {
        let name = url.origin().ascii_serialization();
        match &self.0.reach {
            Reach::Pinned(own, origin) if *own == name => Ok(origin.clone()),
            Reach::Pinned(..) => {
                let reason = "it goes to the address it was made for, and to no other";
                Err(HttpError::new(HttpErrorKind::Redirect, reason))
            }
            Reach::Anywhere(known) => {
                let known = || known.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(origin) = known().get(&name) {
                    return Ok(origin.clone());
                }
                let origin = Origin::new(&uri(url)?, &self.0.settings)?;
                known().insert(name, origin.clone());
                Ok(origin)
            }
        }
    }
}

/// The address as it is connected to.
pub(crate) fn uri(url: &Url) -> Result<Uri, HttpError> {
    let bad = |_| HttpError::new(HttpErrorKind::Settings, "it is not the address of a server");
    url.as_str().parse().map_err(bad)
}
