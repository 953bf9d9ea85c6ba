//! [`Master`]: the list of all instruments, as a stream of bytes.

use std::time::Duration;

use http::{
    HeaderValue,
    header::{ACCEPT, CONTENT_TYPE},
};
use tokio::{
    io::{AsyncWrite, AsyncWriteExt},
    time::sleep,
};
use toolwright_http::{Address, Client as Http, Response};
use toolwright_timeout::timeout;

use super::{Client, Columns, refusal::Refusal, trouble};
use crate::{Access, MarketError};

/// Far more than there are.
const MOST_BYTES: u64 = 512 << 20;
/// For all of it, over a slow line.
const LONGEST: Duration = Duration::from_secs(15 * 60);
const RETRIES: u32 = 2;

/// Where the list of all instruments is.
#[derive(Debug)]
pub(super) struct Master {
    /// It has no key, and may be elsewhere.
    http: Http,
    address: Address,
    timeout: Duration,
    backoff: Duration,
}

impl Master {
    pub(super) fn new(address: Address, timeout: Duration, backoff: Duration) -> Self {
        Self { http: Http::following(), address, timeout, backoff }
    }

    /// Begins a download, again if it does not begin.
    async fn begin(&self, columns: Columns) -> Result<Response, MarketError> {
        let mut retries = 0;
        loop {
            let error = match timeout(self.timeout, self.once(columns)).await {
                Ok(Ok(response)) => return Ok(response),
                Ok(Err(error)) => error,
                Err(_) => trouble::slow(&self.address, self.timeout),
            };
            if !error.is_temporary() || retries == RETRIES {
                return Err(error);
            }
            sleep(self.backoff.saturating_mul(4_u32.pow(retries))).await;
            retries += 1;
        }
    }

    async fn once(&self, columns: Columns) -> Result<Response, MarketError> {
        let request = self.http.get(self.address.join(columns.file()));
        let request = request.header(ACCEPT, HeaderValue::from_static("text/csv"));
        let response = request.send().await.map_err(|it| trouble::failed(&self.address, &it))?;
        let status = response.status();
        if !status.is_success() {
            return Err(Refusal::default().error(status, None, &Access::new("", "")));
        }
        let kind = response.headers().get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
        if kind.is_some_and(|it| it.trim_start().to_ascii_lowercase().starts_with("text/html")) {
            return Err(trouble::no_list(&self.address));
        }
        Ok(response)
    }

    async fn copy(
        &self,
        mut response: Response,
        to: &mut (impl AsyncWrite + Unpin + Send),
    ) -> Result<u64, MarketError> {
        let mut written = 0;
        loop {
            let piece = timeout(self.timeout, response.chunk()).await;
            let piece = piece.map_err(|_| trouble::slow(&self.address, self.timeout))?;
            let piece = piece.map_err(|error| trouble::broken(&self.address, &error))?;
            let Some(piece) = piece else { break };
            written += piece.len() as u64;
            if written > MOST_BYTES {
                return Err(trouble::endless(&self.address, MOST_BYTES));
            }
            to.write_all(&piece).await.map_err(|error| trouble::not_kept(&error))?;
        }
        to.flush().await.map_err(|error| trouble::not_kept(&error))?;
        if written == 0 {
            return Err(trouble::no_list(&self.address));
        }
        Ok(written)
    }
}

impl Client {
    /// Copies the list of all instruments, as it comes, and says how many bytes it has. After an
    /// error, what was written is not all of it.
    pub async fn master(
        &self,
        columns: Columns,
        to: &mut (impl AsyncWrite + Unpin + Send),
    ) -> Result<u64, MarketError> {
        let copied = async {
            let response = self.master.begin(columns).await?;
            self.master.copy(response, to).await
        };
        let late = |_| trouble::slow(&self.master.address, LONGEST);
        timeout(LONGEST, copied).await.map_err(late)?
    }
}
