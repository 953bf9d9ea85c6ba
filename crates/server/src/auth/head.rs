//! What the head of a request says: which route it leads to, what it shows, and whether a page is wished for.

use std::sync::Arc;

use axum::extract::MatchedPath;
use http::{HeaderMap, Method, header, request::Parts};

use super::Peer;
use crate::{
    page,
    places::Newcomer,
    routes::{Row, needs},
};

/// The row of the table that is about this request.
pub(super) fn row(head: &Parts) -> Option<&'static Row> {
    needs(&head.method, route(head)?)
}

/// The route that a request leads to; none where only the page's files are left.
pub(super) fn route(head: &Parts) -> Option<&str> {
    head.extensions.get::<MatchedPath>().map(MatchedPath::as_str)
}

pub(super) fn peer(head: &Parts) -> Option<&Arc<Peer>> {
    head.extensions.get::<Arc<Peer>>()
}

/// Whoever was let in keeps their connection.
pub(super) fn is_known(head: &Parts) {
    if let Some(Some(newcomer)) = head.extensions.get::<Option<Arc<Newcomer>>>() {
        newcomer.is_known();
    }
}

/// Whether the page itself is asked for, which is no secret.
pub(super) fn is_for_page(head: &Parts) -> bool {
    head.method == Method::GET && page::exists(head.uri.path())
}

pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().unwrap_or_default();
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    // Anything else that is shown is wrong, too.
    Some(if scheme.eq_ignore_ascii_case("bearer") { token.trim() } else { "" })
}

/// A cookie that a browser shows.
pub(super) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).map(str::trim);
    pairs.find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// The one-time token of a link.
pub(super) fn launch_token(head: &Parts) -> Option<&str> {
    if head.method != Method::GET || head.uri.path() != "/" {
        return None;
    }
    head.uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

pub(super) fn wants_page(head: &Parts) -> bool {
    let accept = head.headers.get(header::ACCEPT).and_then(|it| it.to_str().ok());
    head.method == Method::GET && accept.is_some_and(|it| it.contains("text/html"))
}
