//! The login server: metadata, registration, a page that always says yes, and tokens.

use std::collections::BTreeMap;

use base64::{Engine, prelude::BASE64_STANDARD, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    Shared, State,
    wire::{Asked, Reply, encoded},
};

pub(super) fn answer(shared: &Shared, asked: &Asked) -> Reply {
    match (asked.method.as_str(), asked.path.as_str()) {
        ("GET", "/.well-known/oauth-authorization-server") => {
            shared.twisted(metadata(&shared.issuer), shared.twists.server.as_ref())
        }
        ("POST", "/register") => register(shared, asked),
        ("GET", "/authorize") => authorize(shared, asked),
        ("POST", "/token") => match token(shared, asked) {
            Ok(tokens) => shared.twisted(tokens, shared.twists.tokens.as_ref()),
            Err((error, why)) => {
                Reply::json(400, &json!({"error": error, "error_description": why}))
            }
        },
        _ => Reply::empty(404, String::new()),
    }
}

fn metadata(issuer: &str) -> Value {
    json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "registration_endpoint": format!("{issuer}/register"),
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["plain", "S256"],
        "token_endpoint_auth_methods_supported": ["none", "client_secret_basic"],
        "authorization_response_iss_parameter_supported": true,
        "scopes_supported": ["files:read", "files:write", "offline_access"],
    })
}

fn register(shared: &Shared, asked: &Asked) -> Reply {
    let client: Value = serde_json::from_slice(&asked.body).unwrap_or_default();
    let redirect = client["redirect_uris"][0].as_str().unwrap_or_default();
    if !redirect.starts_with("http://127.0.0.1:") || client["application_type"] != "native" {
        return Reply::json(400, &json!({"error": "invalid_redirect_uri"}));
    }
    let mut state = shared.state.lock().unwrap();
    let id = format!("client-{}", state.next());
    state.clients.push(id.clone());
    Reply::json(201, &json!({"client_id": id, "token_endpoint_auth_method": "none"}))
}

fn authorize(shared: &Shared, asked: &Asked) -> Reply {
    let query = &asked.query;
    let of = |name: &str| query.get(name).cloned().unwrap_or_default();
    let mut state = shared.state.lock().unwrap();
    let is_sound = of("response_type") == "code"
        && state.clients.contains(&of("client_id"))
        && of("code_challenge_method") == "S256"
        && of("code_challenge").len() == 43
        && of("state").len() >= 16
        && of("resource") == shared.url;
    if !is_sound {
        return Reply::json(400, &json!({"error": "invalid_request", "query": query}));
    }
    let code = format!("code-secret-{}", state.next());
    state.codes.insert(code.clone(), query.clone());
    let mut pairs = vec![
        ("code".to_owned(), code),
        ("state".to_owned(), of("state")),
        ("iss".to_owned(), shared.issuer.clone()),
    ];
    if let Some(twist) = &shared.twists.redirect {
        twist(&mut pairs);
    }
    let query: Vec<_> =
        pairs.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    let location = format!("location: {}?{}\r\n", of("redirect_uri"), query.join("&"));
    Reply::empty(302, location)
}

fn token(shared: &Shared, asked: &Asked) -> Result<Value, (&'static str, &'static str)> {
    let form = asked.form();
    let of = |name: &str| form.get(name).cloned().unwrap_or_default();
    let mut state = shared.state.lock().unwrap();
    client(shared, asked, &form, &state)?;
    if of("resource") != shared.url {
        return Err(("invalid_target", "the resource is another"));
    }
    let scope = match of("grant_type").as_str() {
        "authorization_code" => {
            let known = state.codes.remove(&of("code")).ok_or(("invalid_grant", "no such code"))?;
            let digest = Sha256::digest(of("code_verifier").as_bytes());
            let is_sound = known["code_challenge"] == BASE64_URL_SAFE_NO_PAD.encode(digest)
                && known["redirect_uri"] == of("redirect_uri");
            if !is_sound {
                return Err(("invalid_grant", "it is not the one who asked for the code"));
            }
            known.get("scope").cloned().unwrap_or_default()
        }
        "refresh_token" => {
            state.renewals += 1;
            // Each is good for once.
            let known = state.refresh.remove(&of("refresh_token"));
            known.ok_or(("invalid_grant", "no such refresh token"))?
        }
        _ => return Err(("unsupported_grant_type", "")),
    };
    Ok(state.tokens(&scope, shared.twists.lifetime))
}

/// Whether the client is one that is known.
fn client(
    shared: &Shared,
    asked: &Asked,
    form: &BTreeMap<String, String>,
    state: &State,
) -> Result<(), (&'static str, &'static str)> {
    let is_known = match &shared.twists.client {
        Some((id, secret)) => {
            let login = BASE64_STANDARD.encode(format!("{id}:{secret}"));
            asked.headers.get("authorization") == Some(&format!("Basic {login}"))
        }
        None => form.get("client_id").is_some_and(|it| state.clients.contains(it)),
    };
    is_known.then_some(()).ok_or(("invalid_client", "no such client"))
}

impl State {
    fn next(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    fn tokens(&mut self, scope: &str, lifetime: Option<u64>) -> Value {
        let number = self.next();
        let (access, refresh) =
            (format!("access-secret-{number:04}"), format!("refresh-secret-{number:04}"));
        self.access.insert(access.clone(), scope.to_owned());
        self.refresh.insert(refresh.clone(), scope.to_owned());
        self.given.extend([access.clone(), refresh.clone()]);
        let mut tokens = json!({
            "access_token": access, "refresh_token": refresh, "token_type": "bearer", "scope": scope,
        });
        if let Some(lifetime) = lifetime {
            tokens["expires_in"] = lifetime.into();
        }
        tokens
    }
}
