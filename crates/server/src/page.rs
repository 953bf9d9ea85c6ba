//! [`page`]: the page, which is a part of the program.
//!
//! Its files are sent compressed, as they were when the page was built (`web/build/compress.ts`). Nothing else
//! is: an answer of the API has in it what others wrote and what is nobody's business, and how well the two
//! compress together tells who listens to the lengths something of the second.

use axum::response::{Html, IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
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
pub(crate) async fn page(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    match get(if path.is_empty() { "index.html" } else { path }) {
        Some(file) => serve(path, file, &headers),
        None if path.is_empty() => Html(MISSING).into_response(),
        None => ApiError::not_found("there is nothing here").into_response(),
    }
}

/// Whether the page, or one of its files, is here.
pub(crate) fn exists(path: &str) -> bool {
    path == "/" || get(path.trim_start_matches('/')).is_some()
}

/// A file of the page, as text.
pub(crate) fn text(path: &str) -> Option<String> {
    String::from_utf8(get(path)?.data.into_owned()).ok()
}

/// A file of the page. What lies beside it compressed is the same file and has no address of its own.
fn get(path: &str) -> Option<EmbeddedFile> {
    let is_beside = ENCODINGS.iter().any(|it| path.ends_with(it.suffix));
    if is_beside { None } else { Files::get(path) }
}

/// A form in which a file lies beside itself.
struct Encoding {
    name: &'static str,
    suffix: &'static str,
}

/// The smallest first.
const ENCODINGS: [Encoding; 2] =
    [Encoding { name: "br", suffix: ".br" }, Encoding { name: "gzip", suffix: ".gz" }];

fn serve(path: &str, file: EmbeddedFile, asked: &HeaderMap) -> Response {
    let kept = if path.starts_with("assets/") { FOREVER } else { NOT_KEPT };
    let kind = HeaderValue::from_static(kind(path));
    let vary = HeaderValue::from_static("accept-encoding");
    let headers =
        [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, kept), (header::VARY, vary)];
    let fitting = ENCODINGS.iter().filter(|it| accepts(asked, it.name));
    let mut found = fitting.filter_map(|it| {
        let smaller = Files::get(&format!("{path}{}", it.suffix))?;
        Some((it.name, smaller))
    });
    match found.next() {
        Some((name, smaller)) => {
            let encoding = [(header::CONTENT_ENCODING, HeaderValue::from_static(name))];
            (StatusCode::OK, headers, encoding, smaller.data).into_response()
        }
        None => (StatusCode::OK, headers, file.data).into_response(),
    }
}

/// Whether a client reads an encoding: it named it, and not with a weight of nothing.
fn accepts(asked: &HeaderMap, encoding: &str) -> bool {
    let values = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|it| it.to_str().ok());
    values.flat_map(|it| it.split(',')).any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, "q=1"));
        let weight = weight.trim().trim_start_matches(['q', 'Q']).trim_start_matches('=');
        let is_wanted = weight.trim().parse::<f32>().is_ok_and(|it| it > 0.0);
        name.trim().eq_ignore_ascii_case(encoding) && is_wanted
    })
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

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, header};

    use super::accepts;

    #[test]
    fn a_client_is_sent_what_it_says_it_reads() {
        for (asked, br, gzip) in [
            ("gzip, deflate, br, zstd", true, true),
            ("GZIP;q=0.5, br;q=0", false, true),
            ("br; q=0.0, gzip; Q=1", false, true),
            ("identity", false, false),
            ("brotli, x-gzip", false, false),
            ("br;q=often", false, false),
            ("", false, false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(asked));
            assert_eq!((accepts(&headers, "br"), accepts(&headers, "gzip")), (br, gzip), "{asked}");
        }
        assert!(!accepts(&HeaderMap::new(), "br"));
    }
}
