//! [`Route`]: which API a path belongs to, and what is asked of it.

use super::SpokenApi;
use crate::server::Recorded;

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route {
    /// A question, which the script answers.
    Ask(SpokenApi),
    /// Which models there are.
    Models(SpokenApi),
    /// `POST /api/show` of Ollama.
    Show,
    /// `GET /api/version` of Ollama.
    Version,
}

impl Route {
    /// The route of a request, or `None` where there is none.
    ///
    /// A path may begin with the name of its API, which tells apart what is alike otherwise: three
    /// vendors list their models at `/v1/models`.
    pub(crate) fn of(request: &Recorded) -> Option<Self> {
        let path = request.path.split('?').next().unwrap_or_default();
        let mut names = SpokenApi::ALL.into_iter();
        let prefixed = names.find_map(|api| {
            let rest = path.strip_prefix('/')?.strip_prefix(api.name())?;
            rest.starts_with('/').then_some((api, rest))
        });
        let (api, path) = prefixed.map_or((None, path), |(api, rest)| (Some(api), rest));
        let route = match (request.method.as_str(), path) {
            ("POST", "/v1/chat/completions") => Self::Ask(SpokenApi::Chat),
            ("POST", "/v1/responses") => Self::Ask(SpokenApi::Responses),
            ("POST", "/v1/messages") => Self::Ask(SpokenApi::Messages),
            ("POST", "/api/chat") => Self::Ask(SpokenApi::Ollama),
            ("POST", path) if gemini_model(path).is_some() => Self::Ask(SpokenApi::Gemini),
            ("POST", "/api/show") => Self::Show,
            ("GET", "/api/version") => Self::Version,
            ("GET", "/api/tags") => Self::Models(SpokenApi::Ollama),
            ("GET", "/v1/models") => Self::Models(api.unwrap_or_else(|| lists(request))),
            ("GET", "/v1beta/models") => Self::Models(SpokenApi::Gemini),
            _ => return None,
        };
        api.is_none_or(|api| api == route.api()).then_some(route)
    }

    /// The API it belongs to.
    pub(crate) fn api(self) -> SpokenApi {
        match self {
            Self::Ask(api) | Self::Models(api) => api,
            Self::Show | Self::Version => SpokenApi::Ollama,
        }
    }
}

/// Whose models are asked for where only the headers tell.
fn lists(request: &Recorded) -> SpokenApi {
    if request.header("anthropic-version").is_some() {
        SpokenApi::Messages
    } else if request.header("x-goog-api-key").is_some() {
        SpokenApi::Gemini
    } else {
        SpokenApi::Chat
    }
}

/// The model in a path of Gemini's, and whether a stream is asked for.
fn gemini_model(path: &str) -> Option<(&str, bool)> {
    let (_, rest) = path
        .split_once("/models/")
        .filter(|(base, _)| ["/v1", "/v1beta"].iter().any(|version| base == version))?;
    match rest.split_once(':')? {
        (model, "generateContent") => Some((model, false)),
        (model, "streamGenerateContent") => Some((model, true)),
        _ => None,
    }
}

impl Recorded {
    /// The API by whose path the request came; `None` for a path of none.
    pub fn api(&self) -> Option<SpokenApi> {
        Route::of(self).map(Route::api)
    }

    /// The model that is asked.
    pub fn model(&self) -> Option<&str> {
        let path = self.path.split('?').next().unwrap_or_default();
        let in_path = || {
            let start = path.find("/v1")?;
            gemini_model(path.get(start..)?).map(|(model, _)| model)
        };
        let in_body = self.body.get("model").and_then(serde_json::Value::as_str);
        in_body.or_else(in_path)
    }

    /// Whether the request asks for a stream, in the way of its API.
    pub fn streamed(&self) -> bool {
        let asked = self.body.get("stream").and_then(serde_json::Value::as_bool);
        match self.api() {
            Some(SpokenApi::Gemini) => self.path.contains(":streamGenerateContent"),
            Some(SpokenApi::Ollama) => asked.unwrap_or(true),
            _ => asked.unwrap_or(false),
        }
    }
}
