//! [`Failure`]: what may go wrong with a request, and the [`ApiError`] by which an API tells it.

use std::time::{Duration, SystemTime};

use super::SpokenApi;
use super::failure_bodies::{anthropic, google, ollama, openai};
use crate::reply::Reply;

/// How long a failure that passes asks to wait, unless a test says: long enough to be seen in
/// headers, too short to be waited for.
const WAIT: Duration = Duration::from_millis(20);

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Failure {
    /// The conversation does not fit the model's window (400).
    TooLong,
    /// Something else about the request is wrong (400).
    Invalid,
    /// The key is not known (401; with Gemini 400).
    Key,
    /// The key may not do this (403).
    Forbidden,
    /// There is no such model (404).
    NoModel,
    /// Too much at once; it passes (429).
    RateLimited,
    /// What was paid for is used up; it does not pass (429).
    Quota,
    /// Something broke (500).
    Server,
    /// Too many ask at the same time; it passes (503; with Anthropic 529).
    Overloaded,
}

impl Failure {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::TooLong,
        Self::Invalid,
        Self::Key,
        Self::Forbidden,
        Self::NoModel,
        Self::RateLimited,
        Self::Quota,
        Self::Server,
        Self::Overloaded,
    ];

    /// Whether the same request may be answered later.
    pub fn passes(self) -> bool {
        matches!(self, Self::RateLimited | Self::Server | Self::Overloaded)
    }

    /// The HTTP status with which this API tells it.
    pub fn status(self, api: SpokenApi) -> u16 {
        match (self, api) {
            (Self::Key, SpokenApi::Gemini) | (Self::TooLong | Self::Invalid, _) => 400,
            (Self::Key, _) => 401,
            (Self::Forbidden, _) => 403,
            (Self::NoModel, _) => 404,
            (Self::RateLimited | Self::Quota, _) => 429,
            (Self::Server, _) => 500,
            (Self::Overloaded, SpokenApi::Messages) => 529,
            (Self::Overloaded, _) => 503,
        }
    }
}

/// How an API says how long to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetryForm {
    /// As the vendor does, in every way it has. Ollama says nothing.
    Usual,
    /// Not at all.
    Silent,
    /// `retry-after`, in seconds.
    Seconds,
    /// `retry-after-ms`, in milliseconds.
    Millis,
    /// `retry-after`, as a date, which has whole seconds.
    Date,
    /// When the limit is lifted: `x-ratelimit-reset-requests` as a duration, or
    /// `anthropic-ratelimit-requests-reset` as a time.
    Reset,
    /// In the words of the message.
    Words,
    /// `RetryInfo` among the details of Google's errors.
    Details,
}

/// An error as an API tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApiError {
    /// The HTTP status.
    pub status: u16,
    /// Headers beside the content type.
    pub headers: Vec<(String, String)>,
    /// The JSON body.
    pub body: String,
}

impl ApiError {
    /// This error as a reply.
    pub fn reply(&self) -> Reply {
        let reply = Reply::status(self.status).body(self.body.as_str());
        self.headers.iter().fold(reply, |reply, (name, value)| reply.header(name, value))
    }
}

impl SpokenApi {
    /// The ways in which this API says how long to wait.
    pub fn retry_forms(self) -> &'static [RetryForm] {
        match self {
            Self::Chat | Self::Responses => &[
                RetryForm::Seconds,
                RetryForm::Millis,
                RetryForm::Date,
                RetryForm::Reset,
                RetryForm::Words,
            ],
            Self::Messages => &[RetryForm::Seconds, RetryForm::Date, RetryForm::Reset],
            Self::Gemini => &[RetryForm::Words, RetryForm::Details],
            Self::Ollama => &[],
        }
    }

    /// An error that asks to wait this long, said in this way. Without it, what passes asks for
    /// 20 ms in the usual way.
    pub fn error_after(self, failure: Failure, retry: Option<(Duration, RetryForm)>) -> ApiError {
        // A limit that does not pass tells no time, and that is how one knows it.
        let usual = failure.passes().then_some((WAIT, RetryForm::Usual));
        let retry = retry.or(usual).filter(|(_, form)| *form != RetryForm::Silent);
        let words = retry.filter(|(_, form)| matches!(form, RetryForm::Usual | RetryForm::Words));
        let words = words.map(|(wait, _)| wait);
        let body = match self {
            Self::Chat | Self::Responses => openai(failure, "scripted", words),
            Self::Messages => anthropic(failure, "scripted"),
            Self::Gemini => google(failure, "scripted", retry),
            Self::Ollama => ollama(failure, "scripted"),
        };
        let mut headers = self.id_header();
        if let Some((wait, form)) = retry {
            headers.extend(self.retry_headers(wait, form));
        }
        ApiError { status: failure.status(self), headers, body: body.to_string() }
    }

    fn id_header(self) -> Vec<(String, String)> {
        let name = match self {
            Self::Chat | Self::Responses => "x-request-id",
            Self::Messages => "request-id",
            Self::Gemini | Self::Ollama => return Vec::new(),
        };
        vec![(name.to_owned(), "req_scripted".to_owned())]
    }

    fn retry_headers(self, wait: Duration, form: RetryForm) -> Vec<(String, String)> {
        let usual = match self {
            Self::Chat | Self::Responses => &[RetryForm::Millis, RetryForm::Reset][..],
            Self::Messages => &[RetryForm::Seconds, RetryForm::Reset],
            Self::Gemini | Self::Ollama => &[],
        };
        let forms = if form == RetryForm::Usual { usual } else { &[form] };
        forms.iter().flat_map(|form| self.retry_header(wait, *form)).collect()
    }

    fn retry_header(self, wait: Duration, form: RetryForm) -> Vec<(String, String)> {
        let lifted = SystemTime::now() + wait;
        let (name, value) = match form {
            RetryForm::Seconds => ("retry-after", wait.as_secs_f64().to_string()),
            RetryForm::Millis => ("retry-after-ms", wait.as_millis().to_string()),
            RetryForm::Date => ("retry-after", httpdate::fmt_http_date(lifted)),
            RetryForm::Reset if self == Self::Messages => {
                let at = jiff::Timestamp::try_from(lifted).map(|it| it.to_string());
                ("anthropic-ratelimit-requests-reset", at.unwrap_or_default())
            }
            RetryForm::Reset => ("x-ratelimit-reset-requests", format!("{}ms", wait.as_millis())),
            _ => return Vec::new(),
        };
        let mut headers = vec![(name.to_owned(), value)];
        if form == RetryForm::Reset {
            let left = name.replace("reset", "remaining");
            headers.push((left, "0".to_owned()));
        }
        headers
    }
}
