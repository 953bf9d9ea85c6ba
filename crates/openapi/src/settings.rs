//! [`ApiSettings`]: which document describes the API, where that is, and what lets one in.

use std::{fmt, path::PathBuf};

use base64::{Engine, prelude::BASE64_STANDARD};
use http::{HeaderName, HeaderValue, header};
use toolwright_http::Url;

/// An API, as the user set it up.
#[derive(Clone, Debug)]
pub struct ApiSettings {
    /// What it is called: the beginning of its tools' names.
    pub name: String,
    /// Where the document is.
    pub spec: SpecLocation,
    /// Which operations are tools: `tag:pets`, `GET`, `GET /pets/*`, `/pets/*`, `list*`; `!` before it leaves out.
    pub include: Vec<String>,
    /// Where the API is, where the user says so and not the document.
    pub base_url: Option<Url>,
    /// What lets one in.
    pub auth: Option<ApiAuth>,
}

/// Where a document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecLocation {
    /// A file.
    File(PathBuf),
    /// An address.
    Url(Url),
}

/// What lets one in. Printing it shows no secret.
#[derive(Clone)]
pub enum ApiAuth {
    /// In a header.
    Header(HeaderName, HeaderValue),
    /// In the query, under this name.
    Query(String, String),
}

impl ApiAuth {
    /// A secret in a header of this name.
    ///
    /// # Errors
    /// When the name or the secret cannot be sent. The secret is not repeated.
    pub fn header(name: &str, secret: &str) -> Result<Self, String> {
        let name = HeaderName::from_bytes(name.trim().as_bytes())
            .map_err(|_| "`header` is not the name of a header".to_owned())?;
        if [header::HOST, header::CONTENT_LENGTH, header::TRANSFER_ENCODING].contains(&name) {
            return Err(format!("`{name}` is not a header that a key is sent in"));
        }
        let mut value = HeaderValue::from_str(secret.trim())
            .map_err(|_| "the secret has characters in it that no header has".to_owned())?;
        value.set_sensitive(true);
        Ok(Self::Header(name, value))
    }

    /// A token, as `Authorization: Bearer`.
    ///
    /// # Errors
    /// As those of [`ApiAuth::header`].
    pub fn bearer(token: &str) -> Result<Self, String> {
        Self::header("authorization", &format!("Bearer {}", token.trim()))
    }

    /// A login, `NAME:PASSWORD`, as `Authorization: Basic`.
    ///
    /// # Errors
    /// As those of [`ApiAuth::header`].
    pub fn basic(login: &str) -> Result<Self, String> {
        if !login.contains(':') {
            return Err("a login is written as NAME:PASSWORD".to_owned());
        }
        Self::header("authorization", &format!("Basic {}", BASE64_STANDARD.encode(login.trim())))
    }

    /// A secret in the query, under this name.
    pub fn query(name: &str, secret: &str) -> Self {
        Self::Query(name.trim().to_owned(), secret.trim().to_owned())
    }

    /// Whether a parameter of the document is this one: then a model is not asked for it.
    pub(crate) fn is(&self, location: &str, name: &str) -> bool {
        match self {
            Self::Header(own, _) => location == "header" && own.as_str().eq_ignore_ascii_case(name),
            Self::Query(own, _) => location == "query" && own == name,
        }
    }
}

impl fmt::Debug for ApiAuth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header(name, _) => write!(f, "Header({name})"),
            Self::Query(name, _) => write!(f, "Query({name})"),
        }
    }
}
