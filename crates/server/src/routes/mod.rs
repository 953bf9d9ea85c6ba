//! The routes, one file for each thing there is, and the description of all of them.

mod approvals;
pub(crate) mod attachments;
mod branching;
mod chat;
mod context;
mod conversations;
mod decisions;
mod description;
mod events;
mod info;
mod log;
mod messages;
mod models;
mod needs;
mod once;
mod operating;
mod questions;
mod requests;
#[cfg(feature = "mcp")]
mod servers;
mod settings;
mod sign_in;
mod tasks;
mod tools;
mod usage;

pub(crate) use self::{
    conversations::exact,
    needs::{Audited, Need, Row, needs},
    once::{Key, Once},
};

use std::any::Any;

use axum::{
    Router, middleware,
    response::{IntoResponse, Response},
    routing,
};
use http::{HeaderValue, header};
use tower_http::{catch_panic::CatchPanicLayer, set_header::SetResponseHeaderLayer};
use utoipa::OpenApi;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    ApiError,
    adapters::{ag_ui, ai_sdk, openai},
    auth, mcp, page,
    server::Service,
};

/// What the description begins with.
#[derive(OpenApi)]
#[openapi(info(
    title = "Toolwright",
    description = "A person asks, a model calls tools, and everybody can watch. Every answer that is none has a body `{\"error\": {\"code\", \"message\", \"advice\"?}}`."
))]
struct Description;

/// The routes, and their description.
pub(crate) fn router(service: Service) -> (Router, utoipa::openapi::OpenApi) {
    let (router, mut description) = described().split_for_parts();
    let (open, of_open) = open_to_all().split_for_parts();
    description.merge(of_open);
    description::complete(&mut description);
    description::with_scopes(&mut description);
    let credentials = service.host().credentials().into_iter().map(|(_, credential)| credential);
    description::with_credentials(&mut description, credentials);
    description::with_attachments(&mut description);
    let told = description.clone();
    let router = router
        .route("/api/openapi.json", routing::get(move || operating::description(told.clone())))
        .route("/mcp", routing::any(mcp::serve))
        .route("/", routing::get(page::page))
        .fallback(fallback)
        .method_not_allowed_fallback(|| async { ApiError::method().into_response() })
        .layer(middleware::from_fn_with_state(service.clone(), auth::check))
        .with_state(service.clone());
    (protected(router.merge(open.with_state(service))), description)
}

/// What is described, and only for those who are let in.
fn described() -> OpenApiRouter<Service> {
    let router = OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(chat::stream))
        .routes(routes!(ai_sdk::chat))
        .routes(routes!(ai_sdk::resume))
        .routes(routes!(ag_ui::chat))
        .routes(routes!(openai::complete))
        .routes(routes!(openai::models))
        .routes(routes!(conversations::list))
        .routes(routes!(conversations::one, conversations::rename, conversations::delete))
        .routes(routes!(attachments::one))
        .routes(routes!(log::events))
        .routes(routes!(log::export))
        .routes(routes!(log::import))
        .routes(routes!(events::stream))
        .routes(routes!(chat::stop))
        .routes(routes!(chat::resume))
        .routes(routes!(chat::retry))
        .routes(routes!(branching::fork))
        .routes(routes!(requests::request))
        .routes(routes!(messages::say, messages::list))
        .routes(routes!(messages::withdraw))
        .routes(routes!(decisions::waiting, decisions::decide))
        .routes(routes!(questions::answer))
        .routes(routes!(approvals::list))
        .routes(routes!(approvals::remove))
        .routes(routes!(tasks::list))
        .routes(routes!(tools::tools))
        .routes(routes!(tools::call))
        .routes(routes!(usage::usage))
        .routes(routes!(info::info))
        .routes(routes!(context::context))
        .routes(routes!(operating::metrics))
        .routes(routes!(operating::launch))
        .routes(routes!(operating::logout))
        .routes(routes!(sign_in::ways))
        .routes(routes!(sign_in::begin))
        .routes(routes!(sign_in::finish))
        .routes(routes!(sign_in::identity))
        .routes(routes!(settings::reload))
        .routes(routes!(models::list))
        .routes(routes!(models::warm::warm))
        .routes(routes!(models::check::test))
        .routes(routes!(models::check::listed))
        .routes(routes!(models::provider::choose))
        .routes(routes!(models::provider::save, models::provider::forget));
    with_mcp_servers(router)
}

/// What anybody may ask, under whatever name: whoever looks after servers knows no tokens.
fn open_to_all() -> OpenApiRouter<Service> {
    OpenApiRouter::new().routes(routes!(operating::health)).routes(routes!(operating::live))
}

/// The routes with those about MCP servers.
#[cfg(feature = "mcp")]
fn with_mcp_servers(router: OpenApiRouter<Service>) -> OpenApiRouter<Service> {
    router
        .routes(routes!(servers::list, servers::add))
        .routes(routes!(servers::one, servers::remove))
        .routes(routes!(servers::approve))
}

#[cfg(not(feature = "mcp"))]
fn with_mcp_servers(router: OpenApiRouter<Service>) -> OpenApiRouter<Service> {
    router
}

/// The page's files; nothing else is found by chance.
async fn fallback(request: axum::extract::Request) -> Response {
    if request.method() == http::Method::GET {
        let (head, _) = request.into_parts();
        page::page(head.uri, head.headers).await
    } else {
        ApiError::not_found("there is nothing here").into_response()
    }
}

/// A fault of ours: the log says which.
#[expect(clippy::needless_pass_by_value, reason = "the layer hands it over")]
fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let id = auth::fault_id();
    tracing::error!(%id, panic = text.unwrap_or("without a word"), "a request could not be served");
    ApiError::broken(&id).into_response()
}

/// What stands on every answer, also on those that let nobody in.
fn protected(router: Router) -> Router {
    const CONTENT: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
         img-src 'self' data: blob:; media-src blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'";
    let headers = [
        (header::CONTENT_SECURITY_POLICY, CONTENT),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    let router = router.layer(CatchPanicLayer::custom(panicked));
    let router = headers.into_iter().fold(router, |router, (name, value)| {
        router.layer(SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value)))
    });
    // What was said in a conversation is nothing for a cache on the way.
    router.layer(SetResponseHeaderLayer::if_not_present(
        header::CACHE_CONTROL,
        HeaderValue::from_static("no-store"),
    ))
}
