//! [`OriginHeaders`]: what is sent with every request to an origin; [`RequestHeaders`]: with one request.

use std::{collections::BTreeMap, fmt};

use http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::{Address, HttpError, HttpErrorKind};

/// What this program calls itself.
pub(crate) const AGENT: &str = concat!("toolwright/", env!("CARGO_PKG_VERSION"));

/// What HTTP itself is made of, and what shows a proxy who asks.
const RESERVED: [HeaderName; 9] = [
    header::HOST,
    header::CONTENT_LENGTH,
    header::TRANSFER_ENCODING,
    header::CONNECTION,
    header::UPGRADE,
    header::TE,
    header::TRAILER,
    header::EXPECT,
    header::PROXY_AUTHORIZATION,
];

/// Headers that are set for an origin, and go nowhere else. Their values are never shown.
#[derive(Clone, Default)]
pub(crate) struct OriginHeaders(BTreeMap<String, HeaderMap>);

impl OriginHeaders {
    pub(crate) fn with(
        mut self,
        origin: &str,
        headers: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, HttpError> {
        let bad = |reason: &str| {
            let reason = format!("the headers for an origin cannot be used: {reason}");
            HttpError::new(HttpErrorKind::Settings, reason).with_advice(
                "write the origin as https://HOST, and a name and a value on one line each",
            )
        };
        let address = Address::new(origin).map_err(|reason| bad(&reason))?;
        if !address.path().is_empty() {
            return Err(bad("an origin has no path"));
        }
        let own = self.0.entry(address.origin()).or_default();
        for (name, value) in headers {
            let name = HeaderName::from_bytes(name.trim().as_bytes())
                .map_err(|_| bad("a name has characters in it that no header has"))?;
            if RESERVED.contains(&name) {
                return Err(bad(&format!("`{name}` is not for settings to say")));
            }
            let mut value = HeaderValue::from_str(value.trim()).map_err(|_| {
                bad(&format!("the value of `{name}` has characters in it that no header has"))
            })?;
            value.set_sensitive(true);
            own.insert(name, value);
        }
        Ok(self)
    }

    /// Those of an origin.
    pub(crate) fn of(&self, origin: &str) -> HeaderMap {
        self.0.get(origin).cloned().unwrap_or_default()
    }
}

impl fmt::Debug for OriginHeaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// What is sent with a request, made ready for one origin by [`Origin::headers`](crate::Origin::headers).
#[derive(Clone, Debug)]
pub struct RequestHeaders {
    pub(crate) map: HeaderMap,
    /// Whether there is something in it that is for the origin alone.
    pub(crate) is_secret: bool,
}

impl RequestHeaders {
    /// The values that are for the origin alone, as far as they are text.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        let sensitive = self.map.values().filter(|value| value.is_sensitive());
        sensitive.filter_map(|value| value.to_str().ok())
    }
}
