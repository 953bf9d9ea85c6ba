//! [`discover`]: the models that servers on this machine offer, found without any configuration.

mod candidate;
mod llama_cpp;
mod lm_studio;
mod ollama;
mod probe;
mod vllm;

use std::time::Duration;

use futures_util::future::join_all;
use serde::Serialize;
use serde_json::Value;
use toolwright_http::HttpSettings;

pub use self::candidate::{Candidate, ollama_address};
use self::{candidate::Kind, probe::Probe};

/// How long looking around takes at most. A server on this machine that is up answers in a few milliseconds;
/// whoever looks may be waiting for the program to start.
const LONGEST: Duration = Duration::from_millis(500);
/// The most models of one server.
const MOST_MODELS: usize = 256;
/// The longest name of a model.
const LONGEST_NAME: usize = 256;

/// A server that offers models.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Found {
    /// Who it is, as [`Vendor::named`](crate::Vendor::named) knows it: `ollama`, `lmstudio`, `llamacpp`, `vllm`.
    pub provider: &'static str,
    /// The root of its API, as [`EndpointConfig::base_url`](crate::EndpointConfig::base_url) has it.
    pub base_url: String,
    /// Its version, where it says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it offers to talk to, in its own order.
    pub models: Vec<FoundModel>,
}

/// A model on offer. Of what a server does not say nothing is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FoundModel {
    /// Its name, as requests have it.
    pub name: String,
    /// How many tokens it reads: as it is loaded, where the server says that, else at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// Whether it calls tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<bool>,
    /// Whether it sees pictures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub images: Option<bool>,
    /// Whether it thinks before it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<bool>,
}

impl FoundModel {
    /// One of which only the name is known, where that is one: it is shown to people and sent back.
    fn named(name: &str) -> Option<Self> {
        let is_name = !name.trim().is_empty()
            && name.len() <= LONGEST_NAME
            && !name.chars().any(char::is_control);
        is_name.then(|| Self { name: name.to_owned(), ..Self::default() })
    }
}

/// Looks on this machine for servers that offer models: Ollama, LM Studio, llama.cpp and vLLM, each on its
/// usual port (Ollama where `OLLAMA_HOST` says). It takes half a second at most, asks nothing of a model, and
/// never goes through a proxy. What answers on those ports and is no such server is left alone.
pub async fn discover(http: &HttpSettings) -> Vec<Found> {
    discover_at(http, Candidate::usual(), LONGEST).await
}

/// As [`discover`], at addresses of the caller's, and for so long at most.
pub async fn discover_at(
    http: &HttpSettings,
    candidates: impl IntoIterator<Item = Candidate>,
    limit: Duration,
) -> Vec<Found> {
    // A proxy would ask another machine's ports.
    let Ok(http) = http.clone().with_proxy("off") else { return Vec::new() };
    let http = http.with_connect_timeout(limit);
    let until = tokio::time::Instant::now() + limit;
    let looks = candidates.into_iter().map(|candidate| {
        let http = &http;
        async move {
            let probe = Probe::new(&candidate.base_url, http, until)?;
            let base_url = candidate.base_url.trim_end_matches('/').to_owned();
            match candidate.kind {
                Kind::Ollama => ollama::look(&probe, base_url).await,
                Kind::LmStudio => lm_studio::look(&probe, base_url).await,
                Kind::LlamaCpp => llama_cpp::look(&probe, base_url).await,
                Kind::Vllm => vllm::look(&probe, base_url).await,
            }
        }
    });
    join_all(looks).await.into_iter().flatten().collect()
}

/// The models in a list of OpenAI's form, where it is one and each entry is of this server's make.
fn listed(list: &Value, is_its: impl Fn(&Value) -> bool) -> Option<Vec<(&Value, FoundModel)>> {
    let data = list.get("data")?.as_array().filter(|_| list["object"] == "list")?;
    if !data.iter().all(|it| it["id"].is_string() && is_its(it)) {
        return None;
    }
    let models = data.iter().filter_map(|it| Some((it, FoundModel::named(it["id"].as_str()?)?)));
    Some(models.take(MOST_MODELS).collect())
}

/// A version as it may be shown.
fn version(value: &Value) -> Option<String> {
    let is_one =
        |it: &&str| !it.is_empty() && it.len() <= 64 && it.bytes().all(|b| b.is_ascii_graphic());
    value.as_str().filter(is_one).map(str::to_owned)
}

/// How many tokens: zero is none.
fn tokens(value: &Value) -> Option<u64> {
    value.as_u64().filter(|it| *it > 0)
}
