//! [`Wire`]: requests to the broker, and only to it.

use std::time::Duration;

use http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
    header::{ACCEPT, CONTENT_TYPE},
};
use serde_json::Value;
use tokio::time::{Instant, sleep};
use toolwright_timeout::timeout;

use toolwright_http::{Address, Client, HttpErrorKind, Response, retry_after};

use super::{
    Pace,
    fields::Fields,
    limits::{Lane, Limits},
    owners::Owners,
    refusal::Refusal,
    trouble, web,
};
use crate::{Access, MarketError, MarketErrorKind};

/// How often a request is repeated at most.
const RETRIES: u32 = 2;
/// An answer is never longer: three months of minutes are a quarter of it.
const MOST_BYTES: usize = 16 << 20;
/// How long the broker is left alone at least once it has said 805.
const SHORTEST_BLOCK: Duration = Duration::from_secs(60);

/// What is asked for.
#[derive(Debug)]
pub(super) struct Request {
    /// What it counts as.
    pub(super) lane: Lane,
    /// Below the API's address.
    pub(super) path: &'static str,
    /// What is posted; without it, the request is a GET.
    pub(super) body: Option<Value>,
}

/// Requests to the broker, and only to it.
#[derive(Debug)]
pub(super) struct Wire {
    http: Client,
    address: Address,
    limits: Limits,
    /// Whose the tokens are that do not say so themselves.
    owners: Owners,
    timeout: Duration,
    backoff: Duration,
}

impl Wire {
    pub(super) fn new(
        address: Address,
        timeout: Duration,
        pace: Pace,
    ) -> Result<Self, MarketError> {
        // The token must not follow where an answer points to.
        let http = web::pinned(&address)?;
        let (limits, owners) = (Limits::new(pace), Owners::default());
        Ok(Self { http, address, limits, owners, timeout, backoff: pace.backoff })
    }

    /// Asks when it is this client's turn, and again if the broker or the way to it failed: all
    /// that is asked is a read.
    pub(super) async fn ask(
        &self,
        access: &Access,
        request: &Request,
    ) -> Result<Value, MarketError> {
        if access.client_id().trim().is_empty() && request.lane.needs_client() {
            let access = self.owned(access).await?;
            return self.ask_as(&access, request).await;
        }
        self.ask_as(access, request).await
    }

    /// The access with its client's number, which the broker tells whoever has the token.
    async fn owned(&self, access: &Access) -> Result<Access, MarketError> {
        let token = access.reveal().trim();
        if let Some(client_id) = self.owners.of(token) {
            return Ok(Access::new(token, client_id));
        }
        let request = Request { lane: Lane::Other, path: "/profile", body: None };
        let answer = self.ask_as(access, &request).await?;
        let fields = Fields::of(&answer);
        let client_id = fields.text("dhanClientId").or(fields.inner("data").text("dhanClientId"));
        let client_id = client_id.filter(|it| !it.trim().is_empty());
        let client_id =
            client_id.ok_or_else(|| trouble::no_access("client id", "DHANHQ_CLIENT_ID"))?;
        self.owners.told(token, &client_id);
        Ok(Access::new(token, client_id))
    }

    async fn ask_as(&self, access: &Access, request: &Request) -> Result<Value, MarketError> {
        let headers = headers(access)?;
        let mut left = 2 * self.timeout;
        let mut retries = 0;
        loop {
            let turn = self.limits.turn(access, request.lane).await?;
            let began = Instant::now();
            let limit = left.min(self.timeout);
            let once = timeout(limit, turn.ask(self.once(access, request, headers.clone()))).await;
            // A second request may have been given less; what is said is the time people set.
            let slow = |_| Err(trouble::slow(&self.address, self.timeout));
            let error = match once.unwrap_or_else(slow) {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let wait = self.wait(retries);
            // Waiting for a turn is not counted: that time is ours, not the broker's.
            left = left.saturating_sub(began.elapsed() + wait);
            if !may_repeat(&error) || retries == RETRIES || left.is_zero() {
                return Err(error);
            }
            retries += 1;
            sleep(wait).await;
        }
    }

    async fn once(
        &self,
        access: &Access,
        request: &Request,
        headers: HeaderMap,
    ) -> Result<Value, MarketError> {
        let url = self.address.join(request.path);
        let method = if request.body.is_some() { Method::POST } else { Method::GET };
        let mut asked = self.http.request(method, url).headers(headers);
        if let Some(body) = &request.body {
            asked = asked
                .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
                .body(body.to_string());
        }
        let response = asked.send().await.map_err(|it| trouble::failed(&self.address, &it))?;
        let status = response.status();
        if status.is_redirection() {
            return Err(trouble::redirected(&self.address, status));
        }
        let wait = retry_after(response.headers());
        let body = self.body(response).await?;
        match (self.read(&body), status.is_success()) {
            (Ok(body), true) => match Refusal::read(&body) {
                Some(refusal) => Err(self.refused(access, refusal, status, wait)),
                None => Ok(body),
            },
            (Err(error), true) => Err(error),
            // What is not JSON comes from something before the broker, and says nothing.
            (body, false) => {
                let refusal = body.ok().and_then(|body| Refusal::read(&body)).unwrap_or_default();
                Err(self.refused(access, refusal, status, wait))
            }
        }
    }

    fn refused(
        &self,
        access: &Access,
        refusal: Refusal,
        status: StatusCode,
        wait: Option<Duration>,
    ) -> MarketError {
        let mut error = refusal.error(status, wait, access);
        if error.code.as_deref() == Some("805") {
            let block = self.limits.block(access);
            error.retry_after = error.retry_after.max(Some(block)).max(Some(SHORTEST_BLOCK));
        }
        error
    }

    async fn body(&self, mut response: Response) -> Result<Vec<u8>, MarketError> {
        response.bytes(MOST_BYTES).await.map_err(|error| match error.kind {
            HttpErrorKind::TooLong => trouble::endless(&self.address, MOST_BYTES as u64),
            _ => trouble::broken(&self.address, &error),
        })
    }

    fn read(&self, body: &[u8]) -> Result<Value, MarketError> {
        serde_json::from_slice(body).map_err(|error| trouble::unreadable(&self.address, &error))
    }

    /// How long to wait before the next attempt, less up to a quarter so that many who failed
    /// together do not come back together.
    fn wait(&self, retries: u32) -> Duration {
        self.backoff.saturating_mul(4_u32.pow(retries)).mul_f64(1.0 - fastrand::f64() / 4.0)
    }
}

/// Whether a failure may pass by itself, and soon.
fn may_repeat(error: &MarketError) -> bool {
    use MarketErrorKind::{Network, Server, Timeout};
    // Documented as one that stays.
    let stays = error.code.as_deref() == Some("DH-910");
    matches!(error.kind, Server | Network | Timeout) && !stays
}

fn headers(access: &Access) -> Result<HeaderMap, MarketError> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    let token = access.reveal().trim();
    if token.is_empty() {
        return Err(trouble::no_access("access token", "DHANHQ_ACCESS_TOKEN"));
    }
    let mut token = HeaderValue::from_str(token)
        .map_err(|_| trouble::bad_access("access token", "DHANHQ_ACCESS_TOKEN"))?;
    // Keeps it out of whatever prints requests.
    token.set_sensitive(true);
    headers.insert(HeaderName::from_static("access-token"), token);
    let client_id = access.client_id().trim();
    if !client_id.is_empty() {
        let client_id = HeaderValue::from_str(client_id)
            .map_err(|_| trouble::bad_access("client id", "DHANHQ_CLIENT_ID"))?;
        headers.insert(HeaderName::from_static("client-id"), client_id);
    }
    Ok(headers)
}
