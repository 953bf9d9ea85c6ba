//! Signing in, and who is signed in.

use axum::{extract::State, response::Response};
use http::request::Parts;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    ApiError,
    address::Query,
    auth::{Identity, Returned},
    error::Failed,
    json::Json,
    server::Service,
};

/// How people sign in.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignInWays {
    ways: Vec<SignInWay>,
}

/// A way to sign in.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignInWay {
    /// `oidc`.
    kind: &'static str,
    /// What it is called; empty where it has no name.
    label: String,
    /// Where a browser goes for it.
    path: &'static str,
}

/// How people sign in here
#[utoipa::path(
    get, path = "/api/sign-in", operation_id = "sign_in_ways", tag = "signing in",
    responses((status = 200, body = SignInWays))
)]
pub(crate) async fn ways(State(service): State<Service>) -> Json<SignInWays> {
    let oidc = service.gate().sign_in().map(|it| SignInWay {
        kind: "oidc",
        label: it.label().to_owned(),
        path: "/api/sign-in/oidc",
    });
    Json(SignInWays { ways: oidc.into_iter().collect() })
}

/// Sign in with the identity provider
#[utoipa::path(
    get, path = "/api/sign-in/oidc", operation_id = "sign_in", tag = "signing in",
    responses(
        (status = 303, description = "Where the browser goes to sign in"),
        (status = 404, description = "Nobody signs in here", body = Failed),
        (status = 429, description = "Too many do at once", body = Failed),
    )
)]
pub(crate) async fn begin(
    State(service): State<Service>,
    head: Parts,
) -> Result<Response, ApiError> {
    service.gate().begin_sign_in(&head).await
}

/// Come back from the identity provider
#[utoipa::path(
    get, path = "/api/sign-in/oidc/callback", operation_id = "signed_in", tag = "signing in",
    params(
        ("state" = Option<String>, Query), ("code" = Option<String>, Query),
        ("error" = Option<String>, Query), ("iss" = Option<String>, Query),
    ),
    responses(
        (status = 303, description = "The page, with the browser signed in or told why it is not"),
        (status = 400, description = "A parameter that cannot be read", body = Failed),
        (status = 404, description = "Nobody signs in here", body = Failed),
    )
)]
pub(crate) async fn finish(
    State(service): State<Service>,
    head: Parts,
    Query(returned): Query<Returned>,
) -> Result<Response, ApiError> {
    service.gate().finish_sign_in(&head, &returned).await
}

/// Who is signed in.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignedIn {
    /// What they are called.
    name: String,
    /// Whose their conversations are, where there are several people.
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
    /// What they may do: `ask`, `decide`, `admin`.
    scopes: Vec<&'static str>,
    /// How they came in: `local`, `server_token`, `link`, `token`, `header` or `oidc`.
    way: &'static str,
}

/// Who asks, and what they may do
#[utoipa::path(
    get, path = "/api/identity", operation_id = "identity", tag = "signing in",
    responses((status = 200, body = SignedIn))
)]
pub(crate) async fn identity(who: Identity) -> Json<SignedIn> {
    Json(SignedIn {
        name: who.name.to_string(),
        owner: who.owner.as_deref().map(str::to_owned),
        scopes: who.scopes.names(),
        way: who.way.name(),
    })
}
