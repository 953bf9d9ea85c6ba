//! [`get`]: brings what is at an address, within limits.

use std::io::Read;

use flate2::read::{MultiGzDecoder, ZlibDecoder};
use http::{HeaderValue, header};
use toolwright_core::{ToolError, truncate_line};
use toolwright_http::{Client, HttpError, HttpErrorKind, HttpSettings, Response, Url};

use super::LONGEST_ADDRESS;

/// More than this is not read, be it packed or not.
pub(super) const MOST_BYTES: usize = 5 << 20;

const ACCEPT: &str = "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, \
                      application/json;q=0.8, application/pdf;q=0.7, image/*;q=0.5, */*;q=0.1";

/// What an address brought.
pub(super) struct Fetched {
    /// The address that answered.
    pub(super) url: Url,
    /// The one that was asked for, where that is another.
    pub(super) from: Option<Url>,
    /// What it is said to be.
    pub(super) media: String,
    pub(super) bytes: Vec<u8>,
}

/// Brings what is at an address. The client is made for this one request: no connection, no cookie and nothing
/// else is left for the next.
pub(super) async fn get(http: &HttpSettings, url: &Url) -> Result<Fetched, ToolError> {
    if url.as_str().len() > LONGEST_ADDRESS {
        return Err(ToolError::new("the address is longer than any that is gone to"));
    }
    let mut asked = url.clone();
    asked.set_fragment(None);
    let request = Client::following_with(http);
    let request = request
        .get(asked.clone())
        .header(header::ACCEPT, HeaderValue::from_static(ACCEPT))
        .header(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    let mut response = request.send().await.map_err(|error| failed(url, &error))?;
    let status = response.status();
    if !status.is_success() {
        let reason = format!("the server answered {status}");
        return Err(match status.as_u16() {
            408 | 425 | 429 | 500.. => ToolError::temporary(reason),
            _ => ToolError::new(reason),
        });
    }
    let packed = response.bytes(MOST_BYTES).await.map_err(|error| failed(url, &error))?;
    let bytes = unpacked(&text_of(&response, header::CONTENT_ENCODING), packed)?;
    let url = response.url().clone();
    let from = (url != asked).then_some(asked);
    Ok(Fetched { url, from, media: text_of(&response, header::CONTENT_TYPE), bytes })
}

fn text_of(response: &Response, name: header::HeaderName) -> String {
    let value = response.headers().get(name).and_then(|it| it.to_str().ok());
    value.unwrap_or_default().to_owned()
}

fn unpacked(encoding: &str, bytes: Vec<u8>) -> Result<Vec<u8>, ToolError> {
    match encoding.trim().to_ascii_lowercase().as_str() {
        "" | "identity" => Ok(bytes),
        "gzip" | "x-gzip" => bounded(MultiGzDecoder::new(bytes.as_slice())),
        "deflate" => bounded(ZlibDecoder::new(bytes.as_slice())),
        other => {
            let other = truncate_line(other, 40);
            Err(ToolError::new(format!(
                "the server packed it as `{other}`, which was not asked for"
            )))
        }
    }
}

fn bounded(from: impl Read) -> Result<Vec<u8>, ToolError> {
    let mut bytes = Vec::new();
    let read = from.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|_| ToolError::new("the server packed it in a way that cannot be unpacked"))?;
    if bytes.len() > MOST_BYTES {
        return Err(too_long());
    }
    Ok(bytes)
}

fn too_long() -> ToolError {
    ToolError::new(format!(
        "it is longer than {} MiB, which is the most that is read",
        MOST_BYTES >> 20
    ))
}

/// What went wrong, without what only concerns whoever runs this: where a private name leads to, say.
pub(super) fn failed(url: &Url, error: &HttpError) -> ToolError {
    let host = url.host_str().unwrap_or_default();
    let told = match error.kind {
        HttpErrorKind::Blocked => ToolError::new(
            "this address, or one that it redirects to, is not fetched: only public http and https addresses \
             are, on the usual ports and without a login. If the user means it, they can name the host in \
             `allow_hosts` in the section [web] of their toolwright.toml.",
        ),
        HttpErrorKind::UncheckedProxy => ToolError::new(
            "nothing is fetched through a proxy, which looks names up by itself, unless the user sets \
             `through_proxy = true` in the section [web] of their toolwright.toml.",
        ),
        HttpErrorKind::TooLong => too_long(),
        HttpErrorKind::Redirect => ToolError::new(error.reason.clone()),
        _ if error.is_lasting() => ToolError::new(format!("{host} cannot be asked")),
        HttpErrorKind::Connect => ToolError::temporary(format!("{host} cannot be reached")),
        _ => ToolError::temporary(format!("the connection to {host} broke")),
    };
    told.with_detail(error.reason.clone())
}
