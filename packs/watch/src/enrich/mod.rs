//! [`Api`]: YouTube's Data API, which knows how long videos are.

mod answer;
mod length;
mod refusal;
mod web;

use std::{collections::HashMap, fmt, time::Duration};

use http::{HeaderName, HeaderValue};
use serde::Serialize;
use tokio::time::{sleep, timeout};
use toolwright_http::{Client, HttpErrorKind, Url, retry_after};

use self::refusal::Refused;
use crate::{Library, Progress, WatchError, library::Learned};

/// The API takes no more at once.
const BATCH: usize = 50;
const RETRIES: u32 = 4;
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Fifty videos with long descriptions are a tenth of it.
const MOST_BYTES: usize = 8 << 20;
/// What the key is sent in.
const KEY: HeaderName = HeaderName::from_static("x-goog-api-key");

/// Where YouTube's Data API is, and the right to ask it.
#[derive(Clone)]
pub struct ApiSettings {
    /// Where the API begins. The key goes to this address and to no other.
    pub base_url: String,
    /// The key. Never shown.
    pub key: String,
    /// How long one request may take.
    pub timeout: Duration,
    /// The first wait before a request is repeated; each is twice as long as the one before.
    pub backoff: Duration,
}

impl ApiSettings {
    /// YouTube itself, with this key.
    pub fn new(key: impl Into<String>) -> Self {
        Self {
            base_url: String::from("https://www.googleapis.com/youtube/v3"),
            key: key.into(),
            timeout: Duration::from_secs(20),
            backoff: Duration::from_millis(500),
        }
    }
}

impl fmt::Debug for ApiSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiSettings").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

/// YouTube's Data API.
#[derive(Clone)]
pub struct Api {
    http: Client,
    videos: Url,
    key: HeaderValue,
    timeout: Duration,
    backoff: Duration,
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Api").field("host", &self.videos.host_str()).finish_non_exhaustive()
    }
}

/// What became of asking it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Enriched {
    /// Videos that were asked about.
    pub asked: u64,
    /// Videos it knew.
    pub found: u64,
}

impl Api {
    /// The API at an address, with a key.
    ///
    /// # Errors
    /// When the address is none, the key cannot be one, or no encrypted connection can be made.
    pub fn new(settings: &ApiSettings) -> Result<Self, WatchError> {
        let address = web::address(&settings.base_url)?;
        let (videos, http) = (address.join("videos"), web::client(&address)?);
        let key = settings.key.trim();
        let header = HeaderValue::from_str(key).ok().filter(|_| !key.is_empty());
        let mut key = header.ok_or_else(refusal::bad_key)?;
        key.set_sensitive(true);
        Ok(Self { http, videos, key, timeout: settings.timeout, backoff: settings.backoff })
    }

    /// What is known of these videos, at most fifty. Of what is private or deleted, nothing is.
    async fn videos(&self, ids: &[String]) -> Result<HashMap<String, Learned>, WatchError> {
        let mut retries = 0;
        loop {
            let once = timeout(self.timeout, self.once(ids)).await;
            let refused = match once.unwrap_or_else(|_| Err(refusal::slow(self.timeout))) {
                Ok(found) => return Ok(found),
                Err(refused) => refused,
            };
            if !refused.is_temporary || retries == RETRIES {
                return Err(refused.error);
            }
            let wait = self.backoff.saturating_mul(1 << retries);
            sleep(refused.wait.unwrap_or_default().max(wait).min(LONGEST_WAIT)).await;
            retries += 1;
        }
    }

    async fn once(&self, ids: &[String]) -> Result<HashMap<String, Learned>, Refused> {
        let mut url = self.videos.clone();
        url.query_pairs_mut()
            .append_pair("part", "snippet,contentDetails")
            .append_pair("id", &ids.join(","));
        let asked = self.http.get(url).header(KEY, self.key.clone());
        let mut response = asked.send().await.map_err(|error| refusal::failed(&error))?;
        let status = response.status();
        let wait = retry_after(response.headers());
        let body = response.bytes(MOST_BYTES).await.map_err(|error| match error.kind {
            HttpErrorKind::TooLong => refusal::strange(),
            _ => refusal::failed(&error),
        })?;
        if !status.is_success() {
            return Err(refusal::read(status, &body, wait));
        }
        answer::read(&body).ok_or_else(refusal::strange)
    }
}

impl Library {
    /// Asks about every video that was not asked about yet, those watched last first. It is told how many
    /// were asked about, and how many there are to ask about.
    ///
    /// # Errors
    /// When the API refuses or cannot be reached; what was learned until then is kept.
    pub async fn enrich(&self, api: &Api, progress: Progress<'_>) -> Result<Enriched, WatchError> {
        let total = self.blocking(Self::unasked).await?;
        let mut enriched = Enriched::default();
        progress(0, Some(total));
        loop {
            let ids = self.blocking(Self::next_unasked).await?;
            if ids.is_empty() {
                return Ok(enriched);
            }
            let found = api.videos(&ids).await?;
            let asked = ids.len() as u64;
            enriched.found += self.blocking(move |it| it.keep_learned(&ids, &found)).await?;
            enriched.asked += asked;
            progress(enriched.asked, Some(total.max(enriched.asked)));
        }
    }

    fn unasked(&self) -> Result<u64, WatchError> {
        let sql = "SELECT count(*) FROM videos WHERE enriched = 0";
        let count: i64 = self.database().query_row(sql, [], |row| row.get(0))?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    fn next_unasked(&self) -> Result<Vec<String>, WatchError> {
        let sql = "SELECT id FROM videos WHERE enriched = 0 ORDER BY last DESC LIMIT ?1";
        let database = self.database();
        let mut next = database.prepare_cached(sql)?;
        let most = i64::try_from(BATCH).unwrap_or(i64::MAX);
        let ids = next.query_map([most], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// Keeps what was learned of those that were asked about, and says of how many that is something.
    fn keep_learned(
        &self,
        ids: &[String],
        found: &HashMap<String, Learned>,
    ) -> Result<u64, WatchError> {
        let nothing = Learned::default();
        self.write(|writing| {
            for id in ids {
                writing.learned(id, found.get(id).unwrap_or(&nothing))?;
            }
            Ok(ids.iter().filter(|it| found.contains_key(*it)).count() as u64)
        })
    }
}
