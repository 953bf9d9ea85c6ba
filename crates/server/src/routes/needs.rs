//! [`needs`]: what somebody must be allowed for each request there is, and what it is called in the audit log.
//!
//! This is the one place where it stands. A request that is not in it is for those alone who may do everything, and a test
//! fails for it.

use http::Method;

use crate::auth::Scope;

/// What somebody must be allowed for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nothing: it is not asked who it is.
    Open,
    /// Nothing, not even to be known, where people sign in: it is how they do.
    Nothing,
    /// To be known.
    Known,
    /// This.
    Scope(Scope),
}

impl Need {
    /// The word for it in the description, where there is something to say.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Self::Open | Self::Nothing | Self::Known => None,
            Self::Scope(scope) => Some(scope.name()),
        }
    }
}

/// A request that there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    method: &'static str,
    path: &'static str,
    pub(crate) need: Need,
    /// What it is called in the audit log, where it is told there also when it was served.
    pub(crate) action: Option<&'static str>,
}

const fn row(method: &'static str, path: &'static str, need: Need) -> Row {
    Row { method, path, need, action: None }
}

const fn told(method: &'static str, path: &'static str, need: Need, action: &'static str) -> Row {
    Row { method, path, need, action: Some(action) }
}

const ASK: Need = Need::Scope(Scope::Ask);
const DECIDE: Need = Need::Scope(Scope::Decide);
const ADMIN: Need = Need::Scope(Scope::Admin);

/// Every request that there is. What is about one conversation is besides that only for whoever's it is.
const ROWS: &[Row] = &[
    told("POST", "/api/chat/stream", ASK, "ask"),
    told("POST", "/api/chat/ai-sdk", ASK, "ask"),
    row("GET", "/api/chat/ai-sdk/{id}/stream", ASK),
    // Those who decide by it must be allowed to decide, too.
    told("POST", "/api/chat/ag-ui", ASK, "ask"),
    told("POST", "/v1/chat/completions", ASK, "ask"),
    row("GET", "/v1/models", ASK),
    row("GET", "/api/conversations", ASK),
    row("GET", "/api/conversations/{id}", ASK),
    told("PATCH", "/api/conversations/{id}", ASK, "rename"),
    told("DELETE", "/api/conversations/{id}", ASK, "delete"),
    row("GET", "/api/conversations/{id}/attachments/{digest}", ASK),
    row("GET", "/api/conversations/{id}/events", ASK),
    told("GET", "/api/conversations/{id}/export", ASK, "export"),
    told("POST", "/api/conversations/import", ASK, "import"),
    row("GET", "/api/conversations/{id}/stream", ASK),
    told("POST", "/api/conversations/{id}/stop", ASK, "stop"),
    told("POST", "/api/conversations/{id}/resume", ASK, "ask"),
    told("POST", "/api/conversations/{id}/retry", ASK, "ask"),
    told("POST", "/api/conversations/{id}/fork", ASK, "fork"),
    row("GET", "/api/conversations/{id}/runs/{run}/rounds/{round}/request", ASK),
    told("POST", "/api/conversations/{id}/messages", ASK, "say"),
    row("GET", "/api/conversations/{id}/messages", ASK),
    told("DELETE", "/api/conversations/{id}/messages/{message}", ASK, "withdraw"),
    row("GET", "/api/conversations/{id}/decisions", ASK),
    told("POST", "/api/conversations/{id}/decisions", DECIDE, "decide"),
    told("POST", "/api/conversations/{id}/questions", DECIDE, "answer"),
    row("GET", "/api/approvals", ADMIN),
    told("DELETE", "/api/approvals/{number}", ADMIN, "settings"),
    row("GET", "/api/tasks", ASK),
    row("GET", "/api/tools", ASK),
    told("POST", "/api/tools/{name}/call", ASK, "ask"),
    row("GET", "/api/usage", ASK),
    row("GET", "/api/info", Need::Known),
    row("GET", "/api/identity", Need::Known),
    row("GET", "/api/context", ASK),
    row("GET", "/api/health", Need::Open),
    row("GET", "/api/health/live", Need::Open),
    row("GET", "/metrics", ADMIN),
    // Whoever follows the link may do everything.
    told("POST", "/api/launch", ADMIN, "link"),
    told("POST", "/api/logout", Need::Known, "sign_out"),
    row("GET", "/api/sign-in", Need::Nothing),
    row("GET", "/api/sign-in/oidc", Need::Nothing),
    row("GET", "/api/sign-in/oidc/callback", Need::Nothing),
    told("POST", "/api/settings/reload", ADMIN, "settings"),
    row("GET", "/api/models", ASK),
    told("POST", "/api/models/test", ADMIN, "settings"),
    told("POST", "/api/models/list", ADMIN, "settings"),
    told("PUT", "/api/models/default", ADMIN, "settings"),
    told("PUT", "/api/models/providers/{name}", ADMIN, "settings"),
    told("DELETE", "/api/models/providers/{name}", ADMIN, "settings"),
    row("GET", "/api/mcp", ADMIN),
    told("POST", "/api/mcp", ADMIN, "settings"),
    row("GET", "/api/mcp/{name}", ADMIN),
    told("DELETE", "/api/mcp/{name}", ADMIN, "settings"),
    told("POST", "/api/mcp/{name}/approve", ADMIN, "settings"),
    row("GET", "/api/openapi.json", Need::Known),
    // The conversations that come to be there are nobody's.
    row("*", "/mcp", ADMIN),
    row("GET", "/", Need::Known),
];

impl Row {
    /// The conversation that this path is about.
    pub(crate) fn conversation<'a>(&self, path: &'a str) -> Option<&'a str> {
        let rest = path.strip_prefix("/api/conversations/")?;
        let id = rest.split('/').next()?;
        self.path.contains("{id}").then_some(id)
    }
}

/// What somebody must be allowed for a request to this route.
pub(crate) fn needs(method: &Method, path: &str) -> Option<&'static Row> {
    // Whoever asks only for the head of an answer asks for that answer.
    let method = if method == Method::HEAD { "GET" } else { method.as_str() };
    ROWS.iter().find(|row| row.path == path && (row.method == method || row.method == "*"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{super::described, ROWS, needs};

    /// Those that are described, and what they are described with.
    fn described_rows() -> BTreeSet<(String, String)> {
        let (_, description) = described().merge(super::super::open_to_all()).split_for_parts();
        let description = serde_json::to_value(description).unwrap();
        let paths = description["paths"].as_object().unwrap().iter();
        let rows = paths.flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().keys();
            methods.map(|method| (method.to_uppercase(), path.clone())).collect::<Vec<_>>()
        });
        rows.collect()
    }

    #[test]
    fn every_request_that_there_is_says_what_it_needs() {
        let described = described_rows();
        assert!(described.len() > 40, "{described:?}");
        for (method, path) in &described {
            let row = needs(&method.parse().unwrap(), path);
            assert!(row.is_some(), "{method} {path} has no row in `ROWS`");
        }
        // What is not described, and nothing that is not there.
        let others = ["/", "/mcp", "/api/openapi.json"];
        for row in ROWS.iter().filter(|row| !others.contains(&row.path)) {
            let known = described.contains(&(row.method.to_owned(), row.path.to_owned()));
            assert!(
                known || cfg!(not(feature = "mcp")),
                "{} {} is not there",
                row.method,
                row.path
            );
        }
        let all: BTreeSet<_> = ROWS.iter().map(|row| (row.method, row.path)).collect();
        assert_eq!(all.len(), ROWS.len(), "one of them is there twice");
    }

    /// A route that has the log itself could forget to ask whose a conversation is.
    #[test]
    fn no_route_has_the_log_of_everybody() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut seen = 0;
        for folder in ["routes", "routes/models", "adapters"] {
            for file in std::fs::read_dir(root.join(folder)).unwrap().flatten() {
                let name = file.file_name().into_string().unwrap();
                // How the store is, is nothing that anybody owns; what asks nothing is kept nowhere.
                if !name.ends_with(".rs")
                    || ["operating.rs", "openai.rs", "needs.rs"].contains(&&*name)
                {
                    continue;
                }
                let text = std::fs::read_to_string(file.path()).unwrap();
                let plain: String = text.split_whitespace().collect();
                for bare in ["host().store()", "host.store()", ".runs().store()"] {
                    assert!(!plain.contains(bare), "{name} has `{bare}`");
                }
                seen += 1;
            }
        }
        assert!(seen > 20, "{seen}");
    }
}
