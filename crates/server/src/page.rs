//! [`page`]: the page, which is a part of the program.

use axum::response::{Html, IntoResponse, Response};
use http::{HeaderValue, StatusCode, Uri, header};
use rust_embed::{Embed, EmbeddedFile};

use crate::ApiError;

/// What `npm run build` made of `web/`, if it did.
#[derive(Embed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Files;

/// Named by what is in them: they never change.
const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Asked for each time.
const NOT_KEPT: HeaderValue = HeaderValue::from_static("no-cache");

/// The page, or one of its files.
pub(crate) async fn page(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    match Files::get(if path.is_empty() { "index.html" } else { path }) {
        Some(file) => serve(path, file),
        None if path.is_empty() => Html(MISSING).into_response(),
        None => ApiError::not_found("there is nothing here").into_response(),
    }
}

/// Whether the page, or one of its files, is here.
pub(crate) fn exists(path: &str) -> bool {
    path == "/" || Files::get(path.trim_start_matches('/')).is_some()
}

fn serve(path: &str, file: EmbeddedFile) -> Response {
    let kept = if path.starts_with("assets/") { FOREVER } else { NOT_KEPT };
    let kind = HeaderValue::from_static(kind(path));
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, kept)];
    (StatusCode::OK, headers, file.data).into_response()
}

/// What a file is. There are no others: the page is ours.
fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("html", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "json" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

const MISSING: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Toolwright</title>\
    <h1>The page was not built</h1>\
    <p>This program was built without it. <code>make run</code> builds both; \
    the API under <code>/api</code> works without the page.</p>";
