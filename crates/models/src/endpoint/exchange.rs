//! [`Exchange`]: one request and its reply, asked again while nothing has arrived.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, header};
use tokio::time::sleep;
use toolwright_core::{ModelDelta, ModelError, ModelErrorKind, ModelResponse, StreamSender};
use toolwright_http::RequestHeaders;
use toolwright_timeout::timeout;

use super::{
    Client, Handed,
    error::{from_response, unanswered},
    reading::{IdleLimits, Reading, read_whole, silence},
};
use crate::real;

/// How long an answer that is no reply may take: nobody has to think before saying no.
const LONGEST_REFUSAL: Duration = Duration::from_secs(30);

/// One request and its reply.
pub(super) struct Exchange {
    pub(super) client: Arc<Client>,
    /// Where they are not those of every request.
    pub(super) headers: Option<RequestHeaders>,
    pub(super) body: Bytes,
    /// The same without the form that the reply has to have, where it has to have one.
    pub(super) formless: Option<Bytes>,
    pub(super) stream: bool,
    pub(super) outbox: StreamSender<Handed>,
}

/// A failed attempt.
struct Failed {
    error: ModelError,
    /// What the provider says about trying again, where it says anything.
    again: Option<bool>,
    /// Whether a part of the reply was already handed on.
    begun: bool,
}

impl Exchange {
    pub(super) async fn run(mut self) {
        let last = self.attempts().await.map(ModelDelta::Response);
        self.outbox.put(last);
    }

    async fn attempts(&mut self) -> Result<ModelResponse, ModelError> {
        real::check_real_request(self.client.origin.host())?;
        let client = self.client.clone();
        client.budget.earn();
        let mut attempt = 1;
        loop {
            let failed = match self.attempt().await {
                Ok(mut reply) => {
                    reply.model = reply.is_bound().then(|| client.identity.clone());
                    return Ok(reply);
                }
                Err(failed) => failed,
            };
            attempt += 1;
            let headers = self.headers.as_ref().unwrap_or(&client.headers);
            let error = client.config.without_secrets(failed.error, headers);
            if let Some(formless) = self.formless.take_if(|_| !failed.begun && refuses_form(&error))
            {
                // It may only be this schema that it does not take.
                if takes_none(&error) {
                    client.takes_no_schema.store(true, Ordering::Relaxed);
                }
                tracing::info!(reason = %error, "the endpoint takes no schema: the prompt has to do");
                let reason = format!("{}; the form is only asked for in the prompt", error.message);
                self.outbox.put(Ok(ModelDelta::Retry { attempt, wait_ms: 0, reason }));
                self.body = formless;
                continue;
            }
            let error = match failed.begun {
                true => client.config.advised(error),
                false => client.config.with_likely_cause(error),
            };
            let wanted = failed.again.unwrap_or_else(|| error.is_transient()) && !failed.begun;
            let wait = client.config.retry.wait(attempt, error.retry_after);
            let Some(wait) = wait.filter(|_| wanted) else { return Err(error) };
            if !client.budget.spend() {
                tracing::warn!("not asked again: too many requests failed lately");
                return Err(error);
            }
            tracing::info!(attempt, ?wait, reason = %error, "the provider is asked again");
            self.outbox.put(Ok(ModelDelta::Retry {
                attempt,
                wait_ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX),
                reason: error.message,
            }));
            sleep(wait).await;
        }
    }

    async fn attempt(&mut self) -> Result<ModelResponse, Failed> {
        let client = self.client.clone();
        let limit = client.config.first_byte;
        let body = self.body.clone();
        let headers = self.headers.as_ref().unwrap_or(&client.headers);
        let send = client.origin.send(Method::POST, client.path(self.stream), headers, body);
        let response = match timeout(limit, send).await {
            Ok(sent) => {
                sent.map_err(|it| Failed::early(unanswered(&client.origin, &client.config, &it)))?
            }
            Err(_) => return Err(Failed::early(silence("the response did not begin", limit))),
        };
        let (head, mut body) = response.into_parts();
        if head.status != StatusCode::OK {
            let limit = limit.min(LONGEST_REFUSAL);
            let bytes = Box::pin(read_whole(&mut body, limit)).await.unwrap_or_default();
            let error = from_response(head.status, &head.headers, &bytes);
            let again = should_retry(&head.headers).or_else(|| client.protocol.again(&error));
            return Err(Failed { again, error, begun: false });
        }
        if is_page(&head.headers) {
            let message = "what answers at this address sent a page: it is no API of models";
            let error = ModelError::new(ModelErrorKind::BrokenReply, message);
            let error = error.with_advice(format!("check {}", client.config.set_by.address));
            return Err(Failed { error, again: Some(false), begun: false });
        }
        let is_stream = is_stream(&head.headers, self.stream);
        // Its headers lie in the buffer the body is read into: kept, they would cost a new one.
        drop(head);
        let mut reading = Reading::new(client.protocol, &self.outbox);
        let read = if is_stream {
            let limits = IdleLimits { first: limit, more: client.config.idle };
            reading.stream(body, limits).await
        } else {
            Box::pin(reading.whole(body, limit)).await
        };
        match read {
            Ok(()) => Ok(reading.reply()),
            Err(error) => Err(Failed { error, again: None, begun: reading.begun() }),
        }
    }
}

impl Failed {
    fn early(error: ModelError) -> Self {
        Self { error, again: None, begun: false }
    }
}

/// Whether an endpoint says that it knows no forms at all.
fn takes_none(error: &ModelError) -> bool {
    let says = error.message.to_ascii_lowercase();
    let none = ["support", "unknown", "unrecognized", "unexpected", "not permitted", "extra"];
    none.iter().any(|it| says.contains(it)) && !says.contains("invalid schema")
}

/// Whether an endpoint refuses the form of a reply.
fn refuses_form(error: &ModelError) -> bool {
    let says = error.message.to_ascii_lowercase();
    let about = [
        "response_format",
        "json_schema",
        "schema",
        "structured output",
        "output_config.format",
        "compiled grammar",
    ];
    error.kind == ModelErrorKind::Request && about.iter().any(|it| says.contains(it))
}

fn is_stream(headers: &HeaderMap, asked: bool) -> bool {
    match headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok()) {
        Some(kind) if kind.contains("event-stream") || kind.contains("ndjson") => true,
        Some(kind) if kind.contains("json") => false,
        _ => asked,
    }
}

fn is_page(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    kind.is_some_and(|it| it.trim_start().starts_with("text/html"))
}

fn should_retry(headers: &HeaderMap) -> Option<bool> {
    headers.get("x-should-retry")?.to_str().ok()?.parse().ok()
}
