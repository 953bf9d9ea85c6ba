//! [`Api`]: one of the two interfaces of Restate, over HTTP.

use std::time::Duration;

use http::{
    HeaderValue, Method, StatusCode,
    header::{ACCEPT, CONTENT_TYPE},
};
use serde_json::Value;
use toolwright_core::Fault;
use toolwright_http::{Address, Client, HttpError, HttpSettings, RetryPolicy, Url};
use toolwright_session::EngineError;
use toolwright_timeout::timeout;

use crate::sentence::sentence;

/// How long it is asked again and again, all in all: one that takes connections and says nothing would keep whoever asks for minutes.
const INSISTING: Duration = Duration::from_secs(10);
/// How long Restate may take for an answer. Registering asks the worker in between.
const LONGEST: Duration = Duration::from_secs(15);
/// How much of an answer is read.
const MOST: usize = 4 << 20;
/// How much of what Restate says about an error is shown.
const SHOWN: usize = 400;

/// What a caller does about a server that is away for a moment: it is asked again for a few seconds.
const PATIENT: RetryPolicy = RetryPolicy {
    retries: 6,
    first_wait: Duration::from_millis(100),
    longest_wait: Duration::from_secs(2),
    longest_asked: Duration::from_secs(5),
};

/// Which of Restate's interfaces it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interface {
    /// Where calls are taken in.
    Ingress,
    /// Where it is looked after.
    Admin,
}

/// One of the two interfaces of Restate.
#[derive(Clone, Debug)]
pub(crate) struct Api {
    interface: Interface,
    address: Address,
    client: Client,
}

/// What Restate answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    /// Nothing where it was no JSON.
    pub(crate) body: Value,
    /// Whether it is somebody whom Restate calls, and not Restate.
    pub(crate) is_called: bool,
}

/// What programs say that Restate calls.
const CALLED: &str = "x-restate-server";

impl Interface {
    /// The setting that says where it is.
    pub(crate) fn setting(self) -> &'static str {
        match self {
            Self::Ingress => "engine.ingress",
            Self::Admin => "engine.admin",
        }
    }

    pub(crate) fn variable(self) -> &'static str {
        match self {
            Self::Ingress => "TOOLWRIGHT_ENGINE_INGRESS",
            Self::Admin => "TOOLWRIGHT_ENGINE_ADMIN",
        }
    }

    pub(crate) fn usual_port(self) -> u16 {
        match self {
            Self::Ingress => 8080,
            Self::Admin => 9070,
        }
    }
}

impl Api {
    pub(crate) fn interface(&self) -> Interface {
        self.interface
    }

    pub(crate) fn new(
        interface: Interface,
        address: &str,
        http: &HttpSettings,
    ) -> Result<Self, EngineError> {
        let setting = interface.setting();
        let wrong = |reason: String| {
            let port = interface.usual_port();
            EngineError::new(format!("{setting} is not an address of Restate: {reason}"))
                .with_advice(format!("set it as in http://127.0.0.1:{port}"))
                .of_fault(Fault::Usage)
        };
        let address = Address::new(address).map_err(wrong)?;
        let client = Client::pinned_with(&address, http).map_err(|it| wrong(it.reason))?;
        Ok(Self { interface, address, client })
    }

    /// Where it is, as it may be shown.
    pub(crate) fn shown(&self) -> String {
        format!("{}{}", self.address.origin(), self.address.path())
    }

    /// The address of something below it; what is in `path` is escaped already.
    pub(crate) fn url(&self, path: &str) -> Url {
        self.address.join(path)
    }

    pub(crate) async fn get(&self, path: &str) -> Result<Answer, EngineError> {
        self.once(Method::GET, &self.url(path), &Value::Null).await.map_err(|it| self.away(&it))
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Result<Answer, EngineError> {
        self.once(Method::POST, &self.url(path), body).await.map_err(|it| self.away(&it))
    }

    /// Changes something, and says nothing beside.
    pub(crate) async fn patch(&self, url: &Url) -> Result<Answer, EngineError> {
        self.once(Method::PATCH, url, &Value::Null).await.map_err(|it| self.away(&it))
    }

    /// As [`Api::post`], again and again for a few seconds where the server is away or has trouble of its own.
    pub(crate) async fn insist(&self, url: &Url, body: &Value) -> Result<Answer, EngineError> {
        let answer = timeout(INSISTING, self.again_and_again(url, body)).await;
        answer.unwrap_or_else(|_| Err(self.slow(INSISTING)))
    }

    async fn again_and_again(&self, url: &Url, body: &Value) -> Result<Answer, EngineError> {
        let mut attempt = 1;
        loop {
            let answer = self.once(Method::POST, url, body).await;
            let is_passing = match &answer {
                Ok(answer) => is_passing(answer.status),
                Err(error) => !error.is_lasting(),
            };
            attempt += 1;
            match PATIENT.wait(attempt, None).filter(|_| is_passing) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return answer.map_err(|it| self.away(&it)),
            }
        }
    }

    async fn once(&self, method: Method, url: &Url, body: &Value) -> Result<Answer, HttpError> {
        let json = HeaderValue::from_static("application/json");
        let mut request = self.client.request(method, url.clone()).header(ACCEPT, json.clone());
        if !body.is_null() {
            request = request.header(CONTENT_TYPE, json).body(body.to_string());
        }
        let asked = async {
            let mut response = request.send().await?;
            let body = response.bytes(MOST).await?;
            let body = serde_json::from_slice(&body).unwrap_or_default();
            let is_called = response.headers().contains_key(CALLED);
            Ok(Answer { status: response.status(), body, is_called })
        };
        timeout(LONGEST, asked).await.unwrap_or_else(|_| Err(too_slow(LONGEST)))
    }

    /// Nobody answered there.
    fn away(&self, error: &HttpError) -> EngineError {
        let (at, setting) = (self.shown(), self.interface.setting());
        let said = EngineError::new(format!("Restate does not answer at {at}: {error}"));
        let advice = match error.advice_sentence() {
            Some(advice) if error.is_lasting() => advice,
            _ => format!(
                "start restate-server, or say where it is: {setting}, or {} in the environment",
                self.interface.variable()
            ),
        };
        said.with_advice(advice).of_fault(match error.is_lasting() {
            true => Fault::NotConfigured,
            false => Fault::Failure,
        })
    }

    /// Nobody answered there within so long.
    pub(crate) fn slow(&self, waited: Duration) -> EngineError {
        self.away(&too_slow(waited))
    }

    /// Somebody answered who does not seem to be Restate, or has trouble.
    pub(crate) fn strange(&self, answer: &Answer) -> EngineError {
        let (at, setting) = (self.shown(), self.interface.setting());
        let (status, said) = (answer.status.as_u16(), answer.said());
        let error = EngineError::new(match said.is_empty() {
            true => format!("what is at {at} answered with {status}"),
            false => format!("what is at {at} answered with {status}: {said}"),
        });
        // Restate says in words what is wrong.
        if answer.is_of_door() || said.is_empty() && !is_passing(answer.status) {
            return self.is_another(answer);
        }
        match is_passing(answer.status) {
            true => error.with_advice("see what restate-server logs; it may be starting still"),
            false => error
                .with_advice(format!("is that the right port of Restate? {setting} says which one"))
                .of_fault(Fault::NotConfigured),
        }
    }
}

impl Answer {
    /// Whether somebody wants to know first who asks: that is never Restate, though it may stand before it.
    pub(crate) fn is_of_door(&self) -> bool {
        matches!(self.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
    }

    /// The number of an error, as Restate has it; empty where it has none.
    pub(crate) fn code(&self) -> &str {
        self.body.get("restate_code").and_then(Value::as_str).unwrap_or_default()
    }

    /// What Restate says about an error: a line, and not all of it where it is long.
    pub(crate) fn said(&self) -> String {
        let message = self.body.get("message").and_then(Value::as_str).unwrap_or_default();
        let line = sentence(message).chars().map(|it| if it.is_control() { ' ' } else { it });
        let mut line: String = line.take(SHOWN + 1).collect();
        if line.chars().count() > SHOWN {
            line.pop();
            line.push('…');
        }
        line.trim().to_owned()
    }
}

/// Whether the same again may work in a moment.
pub(crate) fn is_passing(status: StatusCode) -> bool {
    status.is_server_error()
        || matches!(status, StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS)
}

fn too_slow(waited: Duration) -> HttpError {
    let reason = format!("it took longer than {} seconds", waited.as_secs());
    HttpError { kind: toolwright_http::HttpErrorKind::Broken, reason, advice: None }
}
