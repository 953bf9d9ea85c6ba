//! [`Wire`]: requests to an endpoint, repeated where that may help.

use std::time::Duration;

use http::{
    HeaderValue,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE},
};
use serde_json::json;
use tokio::time::{sleep, timeout};

use toolwright_http::{Address, Client, HttpErrorKind, Response, retry_after};

use super::{
    EndpointSettings, Key,
    answer::Answer,
    trouble::{self, Trouble},
    web,
};
use crate::{EmbedError, EmbedErrorKind};

/// How often a request is repeated at most.
const RETRIES: u32 = 4;
/// The longest wait an endpoint may ask for; beyond it the request fails.
const LONGEST_ASKED: Duration = Duration::from_secs(60);
/// An answer is never longer: 64 vectors of 4096 numbers are a tenth of it.
const MOST_BYTES: usize = 64 << 20;

/// Requests to an endpoint.
#[derive(Debug)]
pub(super) struct Wire {
    http: Client,
    pub(super) address: Address,
    model: String,
    key: Option<Key>,
    authorization: Option<HeaderValue>,
    timeout: Duration,
    first_wait: Duration,
}

impl Wire {
    pub(super) fn new(settings: EndpointSettings) -> Result<Self, EmbedError> {
        let address = web::address(&settings.base)?;
        let key = settings.key.filter(|it| !it.reveal().is_empty());
        let authorization = key.as_ref().map(authorization).transpose()?;
        Ok(Self {
            http: web::client(&address)?,
            address,
            model: settings.model,
            key,
            authorization,
            timeout: settings.timeout,
            first_wait: settings.first_wait,
        })
    }

    /// One vector for each text, in their order.
    pub(super) async fn ask(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let body = json!({ "model": self.model, "input": texts }).to_string();
        let mut retries = 0;
        loop {
            let once = timeout(self.timeout, self.once(&body, texts.len())).await;
            let trouble = match once {
                Ok(Ok(vectors)) => return Ok(vectors),
                Ok(Err(trouble)) => trouble,
                Err(_) => trouble::slow(&self.address, self.timeout),
            };
            let wait = trouble.asked.unwrap_or_else(|| self.wait(retries));
            if !trouble.passes || retries == RETRIES || wait > LONGEST_ASKED {
                return Err(trouble.error);
            }
            retries += 1;
            sleep(wait).await;
        }
    }

    async fn once(&self, body: &str, texts: usize) -> Result<Vec<Vec<f32>>, Trouble> {
        let mut request = self.http.post(self.address.join("embeddings"));
        request = request
            .header(ACCEPT, HeaderValue::from_static("application/json"))
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .body(body.to_owned());
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization.clone());
        }
        let response = request.send().await;
        let response = response.map_err(|it| trouble::broken(&self.address, &it))?;
        let (status, asked) = (response.status(), retry_after(response.headers()));
        let body = self.body(response).await?;
        if !status.is_success() {
            return Err(trouble::refused(&self.address, self.key.as_ref(), status, &body, asked));
        }
        let answer: Answer = serde_json::from_slice(&body)
            .map_err(|error| trouble::unreadable(&self.address, &error))?;
        Ok(answer.vectors(texts).map_err(|what| trouble::strange(&self.address, &what))?)
    }

    async fn body(&self, mut response: Response) -> Result<Vec<u8>, Trouble> {
        response.bytes(MOST_BYTES).await.map_err(|error| match error.kind {
            HttpErrorKind::TooLong => trouble::strange(&self.address, "does not end").into(),
            _ => trouble::broken(&self.address, &error),
        })
    }

    /// How long to wait before the next attempt, less up to a quarter so that many who failed
    /// together do not come back together.
    fn wait(&self, retries: u32) -> Duration {
        self.first_wait.saturating_mul(1 << retries.min(16)).mul_f64(1.0 - fastrand::f64() / 4.0)
    }
}

fn authorization(key: &Key) -> Result<HeaderValue, EmbedError> {
    let value = HeaderValue::from_str(&format!("Bearer {}", key.reveal()));
    let mut value = value.map_err(|_| {
        let message = "The key of the embeddings endpoint has characters in it that no key has.";
        EmbedError::new(EmbedErrorKind::Refused, message)
            .with_advice("Copy it again, whole and on one line.")
    })?;
    // Keeps it out of whatever prints requests.
    value.set_sensitive(true);
    Ok(value)
}
