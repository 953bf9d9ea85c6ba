//! [`Engine`]: a search engine, and how it is asked.

use std::{fmt, time::Duration};

use http::{HeaderName, HeaderValue, StatusCode, header};
use serde_json::{Value, json};
use toolwright_core::{ToolError, ToolErrorKind};
use toolwright_http::{Address, Client, HttpError, HttpSettings, RequestBuilder};
use toolwright_timeout::timeout;

use super::hit::Hit;

/// How long an answer may take, and be.
const TIME: Duration = Duration::from_secs(20);
const MOST_BYTES: usize = 4 << 20;

/// Which search engine it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineKind {
    /// SearXNG, on a server of the user's choice.
    Searxng,
    /// Brave.
    Brave,
    /// Tavily.
    Tavily,
    /// Exa.
    Exa,
}

impl EngineKind {
    /// All of them, in the order in which they are chosen where several are set up.
    pub const ALL: [Self; 4] = [Self::Searxng, Self::Brave, Self::Tavily, Self::Exa];

    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Searxng => "searxng",
            Self::Brave => "brave",
            Self::Tavily => "tavily",
            Self::Exa => "exa",
        }
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Searxng => "SearXNG",
            Self::Brave => "Brave",
            Self::Tavily => "Tavily",
            Self::Exa => "Exa",
        }
    }

    /// Where it is; SearXNG is wherever the user has it.
    pub fn usual_address(self) -> Option<&'static str> {
        match self {
            Self::Searxng => None,
            Self::Brave => Some("https://api.search.brave.com"),
            Self::Tavily => Some("https://api.tavily.com"),
            Self::Exa => Some("https://api.exa.ai"),
        }
    }

    /// The variable that has its key.
    pub(crate) fn variable(self) -> &'static str {
        match self {
            Self::Searxng => "",
            Self::Brave => "BRAVE_API_KEY",
            Self::Tavily => "TAVILY_API_KEY",
            Self::Exa => "EXA_API_KEY",
        }
    }

    /// Where a snippet is in what it says of a page.
    pub(super) fn snippets(self) -> &'static [&'static str] {
        match self {
            Self::Searxng | Self::Tavily => &["content"],
            Self::Brave => &["description", "extra_snippets"],
            Self::Exa => &["highlights", "summary", "text"],
        }
    }
}

/// A search engine that was set up. Printing it shows no key.
#[derive(Clone)]
pub struct Engine {
    kind: EngineKind,
    address: Address,
    client: Client,
    key: Option<HeaderValue>,
}

impl Engine {
    /// An engine at this address. It is the user's word, and may be one of this machine.
    ///
    /// # Errors
    /// When the address or the key cannot be used. The key is not repeated.
    pub fn new(
        kind: EngineKind,
        address: &str,
        key: Option<&str>,
        http: &HttpSettings,
    ) -> Result<Self, String> {
        let address = Address::new(address)?;
        let client = Client::pinned_with(&address, http).map_err(|error| error.to_string())?;
        let key = key.map(|key| {
            let text = match kind {
                EngineKind::Tavily => format!("Bearer {}", key.trim()),
                _ => key.trim().to_owned(),
            };
            let mut value = HeaderValue::from_str(&text)
                .map_err(|_| "the key has characters in it that no key has".to_owned())?;
            value.set_sensitive(true);
            Ok::<_, String>(value)
        });
        Ok(Self { kind, address, client, key: key.transpose()? })
    }

    /// Which it is.
    pub fn kind(&self) -> EngineKind {
        self.kind
    }

    /// Where it is.
    pub fn host(&self) -> String {
        self.address.host()
    }

    /// What it finds.
    pub(crate) async fn search(
        &self,
        query: &str,
        count: usize,
    ) -> Result<Vec<impl serde::Serialize + use<>>, ToolError> {
        let answer = self.ask(query, count).await?;
        let found = match self.kind {
            EngineKind::Brave => answer.pointer("/web/results"),
            _ => answer.get("results"),
        };
        let found = found.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        Ok(found.iter().filter_map(|it| Hit::new(self.kind, it)).take(count).collect::<Vec<Hit>>())
    }

    async fn ask(&self, query: &str, count: usize) -> Result<Value, ToolError> {
        let work = async {
            let sent = self.request(query, count).send().await;
            let mut response = sent.map_err(|error| self.unreachable(&error))?;
            let status = response.status();
            if !status.is_success() {
                return Err(self.refused(status));
            }
            let bytes = response.bytes(MOST_BYTES).await;
            let bytes = bytes.map_err(|error| self.unreachable(&error))?;
            serde_json::from_slice(&bytes).map_err(|_| {
                let title = self.kind.title();
                ToolError::new(format!(
                    "{title} answered with something that is not JSON{}",
                    self.hint()
                ))
            })
        };
        timeout(TIME, work).await.unwrap_or_else(|_| {
            let (title, seconds) = (self.kind.title(), TIME.as_secs());
            let reason = format!("{title} did not answer within {seconds} seconds");
            Err(ToolError::new(reason).of_kind(ToolErrorKind::TimedOut))
        })
    }

    fn request(&self, query: &str, count: usize) -> RequestBuilder<'_> {
        let post = |path: &str, body: Value| {
            let request = self.client.post(self.address.join(path)).body(body.to_string());
            request.header(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))
        };
        let get = |path: &str, pairs: &[(&str, &str)]| {
            let mut url = self.address.join(path);
            url.query_pairs_mut().extend_pairs(pairs);
            self.client.get(url)
        };
        let request = match self.kind {
            EngineKind::Searxng => get("search", &[("q", query), ("format", "json")]),
            EngineKind::Brave => {
                get("res/v1/web/search", &[("q", query), ("count", &count.to_string())])
            }
            EngineKind::Tavily => post("search", json!({"query": query, "max_results": count})),
            EngineKind::Exa => {
                let contents = json!({"highlights": true});
                post("search", json!({"query": query, "numResults": count, "contents": contents}))
            }
        };
        let name = match self.kind {
            EngineKind::Brave => HeaderName::from_static("x-subscription-token"),
            EngineKind::Exa => HeaderName::from_static("x-api-key"),
            EngineKind::Searxng | EngineKind::Tavily => header::AUTHORIZATION,
        };
        let request = request.header(header::ACCEPT, HeaderValue::from_static("application/json"));
        match &self.key {
            Some(key) => request.header(name, key.clone()),
            None => request,
        }
    }

    fn unreachable(&self, error: &HttpError) -> ToolError {
        let (title, host) = (self.kind.title(), self.host());
        let advice = match error.advice_sentence() {
            Some(advice) => format!(". {advice}"),
            None if self.kind == EngineKind::Searxng => {
                ". Is it running, and is `searxng` in the section [web] of toolwright.toml its address?"
                    .to_owned()
            }
            None => String::new(),
        };
        let told = format!("{title} at {host} gave no answer: {}{advice}", error.reason);
        if error.is_lasting() { ToolError::new(told) } else { ToolError::temporary(told) }
    }

    fn refused(&self, status: StatusCode) -> ToolError {
        let (title, variable) = (self.kind.title(), self.kind.variable());
        let key = || {
            ToolError::new(format!(
                "{title} did not accept the key ({status}): check {variable}, or `{}_key` in the section \
                 [web] of toolwright.toml",
                self.kind.name()
            ))
        };
        match (self.kind, status.as_u16()) {
            (EngineKind::Searxng, 403) => ToolError::new(format!(
                "SearXNG at {} does not answer programs (403): add `json` to `search.formats` in its \
                 settings.yml",
                self.host()
            )),
            (EngineKind::Searxng, 401) => {
                ToolError::new(format!("SearXNG at {} wants a login (401)", self.host()))
            }
            // Brave says 422 of a key that is none.
            (EngineKind::Brave, 422) | (_, 401 | 403) => key(),
            (_, 402 | 432 | 433) => ToolError::new(format!(
                "what was paid for at {title} is used up ({status}): look at your plan there"
            )),
            (_, 429) => ToolError::temporary(format!(
                "{title} was asked too often ({status}): try again later"
            )),
            (_, 500..) => ToolError::temporary(format!("{title} failed ({status})")),
            _ => ToolError::new(format!("{title} answered {status}{}", self.hint())),
        }
    }

    fn hint(&self) -> &'static str {
        match self.kind {
            EngineKind::Searxng => {
                ": is the address in `searxng`, in the section [web] of toolwright.toml, that of a SearXNG?"
            }
            _ => "",
        }
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind.name();
        f.debug_struct("Engine").field("kind", &kind).field("host", &self.host()).finish()
    }
}
