//! [`Trouble`]: why an index did not give a package, and whether asking again may help.
//!
//! Nothing of it repeats an address beyond its host: a login may stand in one.

use std::{io, time::Duration};

use http::StatusCode;
use toolwright_http::{HttpError, HttpErrorKind, Response, retry_after};

/// No server is waited for longer than this before it is asked again.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Why an index did not give a package.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// It cannot be reached, or the connection broke off; how long it asks to wait.
    Passing(String, Option<Duration>),
    /// It does not have the package.
    Absent(String),
    /// It wants a login, or does not let this one in.
    Refused(String),
    /// What it gave is another file.
    Wrong(String),
    /// The file cannot be written here.
    Disk(io::Error),
}

impl Trouble {
    pub(crate) fn passing(message: impl Into<String>) -> Self {
        Self::Passing(message.into(), None)
    }

    /// A request that failed before its answer began, or in the middle of it.
    pub(crate) fn broken(host: &str, error: &HttpError) -> Self {
        if error.kind == HttpErrorKind::Redirect {
            return Self::Refused(format!("{host} points elsewhere: {error}"));
        }
        let what = if error.is_connect() { "cannot be reached" } else { "broke off" };
        let advice = error.advice.map(|it| format!(" ({it})")).unwrap_or_default();
        let message = format!("{host} {what}: {error}{advice}");
        if error.is_lasting() { Self::Absent(message) } else { Self::passing(message) }
    }

    /// Nothing came for too long.
    pub(crate) fn silent(host: &str, limit: Duration) -> Self {
        Self::passing(format!("{host} sent nothing for {} seconds", limit.as_secs_f32()))
    }

    /// An answer that is no success.
    pub(crate) fn status(host: &str, response: &Response) -> Self {
        let status = response.status();
        let message = format!("{host} answers {status}");
        match status {
            StatusCode::NOT_FOUND | StatusCode::GONE => Self::Absent(message),
            StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => {
                Self::Passing(message, asked(response))
            }
            it if it.is_server_error() => Self::Passing(message, asked(response)),
            _ => Self::Refused(message),
        }
    }

    pub(crate) fn says(&self) -> String {
        match self {
            Self::Passing(message, _)
            | Self::Absent(message)
            | Self::Refused(message)
            | Self::Wrong(message) => message.clone(),
            Self::Disk(error) => error.to_string(),
        }
    }
}

/// How long the server asks to wait.
fn asked(response: &Response) -> Option<Duration> {
    retry_after(response.headers()).map(|it| it.min(LONGEST_WAIT))
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}
