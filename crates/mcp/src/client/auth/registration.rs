//! [`RegisteredClient`]: as whom one logs in.

use http::{Request, header::CONTENT_TYPE};
use oauth2::AuthType;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    super::error::words, AuthError, OAuthConfig, discovery::LoginServer, error::shown,
    guarded::GuardedHttp,
};

/// The longest id, and the longest secret.
const LONGEST: usize = 4_096;

/// As whom one logs in.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct RegisteredClient {
    pub(super) id: String,
    pub(super) secret: Option<String>,
    /// Whether the secret is sent in the body, and not in a header.
    #[serde(default)]
    is_in_body: bool,
}

#[derive(Deserialize)]
struct Registration {
    client_id: String,
    client_secret: Option<String>,
    token_endpoint_auth_method: Option<String>,
}

impl RegisteredClient {
    /// The one that is configured, or one that is registered now (RFC 7591).
    pub(super) async fn find(
        http: &GuardedHttp,
        server: &LoginServer,
        config: &OAuthConfig,
        redirect: &str,
    ) -> Result<Self, AuthError> {
        if let Some(id) = &config.client_id {
            let offers = |wanted: &str| {
                server.auth_methods.as_ref().is_some_and(|all| all.iter().any(|it| it == wanted))
            };
            let is_in_body = offers("client_secret_post") && !offers("client_secret_basic");
            return Ok(Self { id: id.clone(), secret: config.client_secret.clone(), is_in_body });
        }
        let issuer = shown(&server.issuer);
        let endpoint =
            server.register.as_ref().ok_or_else(|| AuthError::NoClient(issuer.clone()))?;
        let body = json!({
            "client_name": "Toolwright",
            "application_type": "native",
            "redirect_uris": [redirect],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        });
        let request = Request::post(endpoint.as_str()).header(CONTENT_TYPE, "application/json");
        let request = request.body(body.to_string().into_bytes()).map_err(|_| {
            AuthError::metadata("the registration endpoint is not the address of a server")
        })?;
        let answer = http.send("the registration endpoint", request).await?;
        if !answer.status().is_success() {
            let said = words(&String::from_utf8_lossy(answer.body()));
            let status = answer.status();
            return Err(AuthError::Refused(format!(
                "the login server {issuer} does not register this client (HTTP {status}): {said}"
            )));
        }
        let registered: Option<Registration> = serde_json::from_slice(answer.body()).ok();
        let fits = |it: &Registration| {
            let secret = it.client_secret.as_deref().unwrap_or_default();
            (1..=LONGEST).contains(&it.client_id.len()) && secret.len() <= LONGEST
        };
        let registered = registered.filter(fits).ok_or_else(|| {
            AuthError::metadata(format!("what the login server {issuer} registers is no client"))
        })?;
        let method = registered.token_endpoint_auth_method.as_deref();
        Ok(Self {
            id: registered.client_id,
            secret: registered.client_secret.filter(|it| !it.is_empty() && method != Some("none")),
            is_in_body: method == Some("client_secret_post"),
        })
    }

    /// How it shows who it is.
    pub(super) fn auth_type(&self) -> AuthType {
        if self.is_in_body { AuthType::RequestBody } else { AuthType::BasicAuth }
    }
}
