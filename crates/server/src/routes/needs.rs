//! [`needs`]: what somebody must be allowed for each request there is, and whether and as what it is told in the audit log.
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
    pub(crate) audited: Audited,
}

/// Whether a request is told in the audit log when it was served, and what it is called there. Those that were refused
/// always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audited {
    /// It changes nothing, and shows nothing that is anybody's alone.
    No,
    /// Each is.
    Each(&'static str),
    /// Those are that show somebody what is another's.
    Others(&'static str),
    /// Those are that do something, and whoever does it tells: that is not known from the answer's head.
    Within(&'static str),
}

impl Row {
    /// Whether it begins something that is kept in the log; what comes under `/v1` is not.
    pub(crate) fn is_kept(&self) -> bool {
        self.audited == Audited::Each("ask") && self.path.starts_with("/api/")
    }
}

const fn row(method: &'static str, path: &'static str, need: Need, audited: Audited) -> Row {
    Row { method, path, need, audited }
}

const fn told(method: &'static str, path: &'static str, need: Need, action: &'static str) -> Row {
    row(method, path, need, Audited::Each(action))
}

/// What somebody may read of another's who may do everything.
const READ: Audited = Audited::Others("read");
const NO: Audited = Audited::No;
const SIGN_IN: Audited = Audited::Within("sign_in");

const ASK: Need = Need::Scope(Scope::Ask);
const DECIDE: Need = Need::Scope(Scope::Decide);
const ADMIN: Need = Need::Scope(Scope::Admin);

/// Every request that there is. What is about one conversation is besides that only for whoever's it is.
const ROWS: &[Row] = &[
    told("POST", "/api/chat/stream", ASK, "ask"),
    told("POST", "/api/chat/ai-sdk", ASK, "ask"),
    row("GET", "/api/chat/ai-sdk/{id}/stream", ASK, READ),
    // Those who decide by it must be allowed to decide, too.
    told("POST", "/api/chat/ag-ui", ASK, "ask"),
    told("POST", "/v1/chat/completions", ASK, "ask"),
    row("GET", "/v1/models", ASK, NO),
    row("GET", "/api/conversations", ASK, Audited::Others("list")),
    row("GET", "/api/conversations/{id}", ASK, READ),
    told("PATCH", "/api/conversations/{id}", ASK, "rename"),
    told("DELETE", "/api/conversations/{id}", ASK, "delete"),
    row("GET", "/api/conversations/{id}/attachments/{digest}", ASK, READ),
    row("GET", "/api/conversations/{id}/events", ASK, READ),
    told("GET", "/api/conversations/{id}/export", ASK, "export"),
    told("POST", "/api/conversations/import", ASK, "import"),
    row("GET", "/api/conversations/{id}/stream", ASK, READ),
    told("POST", "/api/conversations/{id}/stop", ASK, "stop"),
    told("POST", "/api/conversations/{id}/resume", ASK, "ask"),
    told("POST", "/api/conversations/{id}/retry", ASK, "ask"),
    told("POST", "/api/conversations/{id}/fork", ASK, "fork"),
    row("GET", "/api/conversations/{id}/runs/{run}/rounds/{round}/request", ASK, READ),
    told("POST", "/api/conversations/{id}/messages", ASK, "say"),
    row("GET", "/api/conversations/{id}/messages", ASK, READ),
    told("DELETE", "/api/conversations/{id}/messages/{message}", ASK, "withdraw"),
    row("GET", "/api/conversations/{id}/decisions", ASK, READ),
    told("POST", "/api/conversations/{id}/decisions", DECIDE, "decide"),
    told("POST", "/api/conversations/{id}/questions", DECIDE, "answer"),
    row("GET", "/api/approvals", ADMIN, NO),
    told("DELETE", "/api/approvals/{number}", ADMIN, "settings"),
    row("GET", "/api/tasks", ASK, NO),
    row("GET", "/api/tools", ASK, NO),
    told("POST", "/api/tools/{name}/call", ASK, "ask"),
    row("GET", "/api/usage", ASK, NO),
    row("GET", "/api/info", Need::Known, NO),
    row("GET", "/api/identity", Need::Known, NO),
    row("GET", "/api/context", ASK, NO),
    row("GET", "/api/health", Need::Open, NO),
    row("GET", "/api/health/live", Need::Open, NO),
    row("GET", "/metrics", ADMIN, NO),
    // Whoever follows the link may do everything.
    told("POST", "/api/launch", ADMIN, "link"),
    told("POST", "/api/logout", Need::Known, "sign_out"),
    row("GET", "/api/sign-in", Need::Nothing, NO),
    row("GET", "/api/sign-in/oidc", Need::Nothing, SIGN_IN),
    row("GET", "/api/sign-in/oidc/callback", Need::Nothing, SIGN_IN),
    told("POST", "/api/settings/reload", ADMIN, "settings"),
    row("GET", "/api/models", ASK, NO),
    told("POST", "/api/models/warm", ASK, "warm"),
    told("POST", "/api/models/test", ADMIN, "settings"),
    told("POST", "/api/models/list", ADMIN, "settings"),
    told("PUT", "/api/models/default", ADMIN, "settings"),
    told("PUT", "/api/models/providers/{name}", ADMIN, "settings"),
    told("DELETE", "/api/models/providers/{name}", ADMIN, "settings"),
    row("GET", "/api/mcp", ADMIN, NO),
    told("POST", "/api/mcp", ADMIN, "settings"),
    row("GET", "/api/mcp/{name}", ADMIN, NO),
    told("DELETE", "/api/mcp/{name}", ADMIN, "settings"),
    told("POST", "/api/mcp/{name}/approve", ADMIN, "settings"),
    row("GET", "/api/openapi.json", Need::Known, NO),
    // A client there calls tools itself and says for its user what may run, and the conversations are nobody's: that is
    // asking and deciding at once, for everybody.
    row("*", "/mcp", ADMIN, Audited::Within("ask")),
    row("GET", "/", Need::Known, SIGN_IN),
];

impl Audited {
    /// How the description says it: the key, and the word.
    pub(crate) fn described(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::No => None,
            Self::Each(action) | Self::Within(action) => Some(("x-audit", action)),
            Self::Others(action) => Some(("x-audit-others", action)),
        }
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

    use super::{super::described, Audited, Need, ROWS, needs};

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

    /// What decides, asks, changes or shows what is somebody's is told; and what has a name in the log is something.
    #[test]
    fn every_request_that_does_something_is_told() {
        for row in ROWS {
            let changes = row.method != "GET";
            let is_told = matches!(row.audited, Audited::Each(_) | Audited::Within(_));
            assert!(is_told || !changes, "{} {} changes something untold", row.method, row.path);
            let is_somebodys = row.path.contains("{id}") || row.path == "/api/conversations";
            assert!(
                row.audited != Audited::No || !is_somebodys,
                "{} {} shows what is somebody's untold",
                row.method,
                row.path
            );
            assert_eq!(row.need == Need::Open, row.path.starts_with("/api/health"), "{}", row.path);
        }
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
