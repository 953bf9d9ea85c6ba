//! [`find`]: where a file is, by the page an index has for its project (PEP 503, PEP 691).

use html5gum::{Token, Tokenizer};
use http::{
    HeaderValue,
    header::{ACCEPT, CONTENT_TYPE},
};
use serde::Deserialize;
use toolwright_http::{Client, Url};
use toolwright_timeout::timeout;

use crate::{Package, PackageIndex, Timing, trouble::Trouble};

/// The longest pages there are have some ten thousand files.
const LONGEST: usize = 16 << 20;
const KINDS: &str = "application/vnd.pypi.simple.v1+json, text/html;q=0.1";

/// Where the package's file is, by what the index says.
pub(crate) async fn find(
    http: &Client,
    index: &PackageIndex,
    package: &Package,
    timing: Timing,
) -> Result<Url, Trouble> {
    let host = index.address.host();
    let page = index.authorised(index.address.join(&format!("{}/", package.project)));
    let request = http.get(page).header(ACCEPT, HeaderValue::from_static(KINDS)).send();
    let answer = timeout(timing.silence, request).await;
    let answer = answer.map_err(|_| Trouble::silent(&host, timing.silence))?;
    let mut response = answer.map_err(|error| Trouble::broken(&host, &error))?;
    if !response.status().is_success() {
        return Err(Trouble::status(&host, &response));
    }
    let is_json = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|it| it.to_str().ok())
        .is_some_and(|it| it.to_ascii_lowercase().contains("json"));
    let base = response.url().clone();
    let mut page = Vec::new();
    loop {
        let piece = timeout(timing.silence, response.chunk()).await;
        let piece = piece.map_err(|_| Trouble::silent(&host, timing.silence))?;
        let Some(piece) = piece.map_err(|error| Trouble::broken(&host, &error))? else { break };
        if page.len() + piece.len() > LONGEST {
            return Err(Trouble::Wrong(format!("the page of {host} is too long to be one")));
        }
        page.extend_from_slice(&piece);
    }
    let links = if is_json { in_json(&page) } else { in_html(&page) };
    let link = links.into_iter().filter_map(|it| base.join(&it).ok()).find(|it| is_of(it, package));
    let link = link.ok_or_else(|| Trouble::Absent(format!("{host} has no {}", package.file)))?;
    // What was asked for over an encrypted connection is not fetched over an open one.
    if base.scheme() == "https" && link.scheme() != "https" {
        return Err(Trouble::Refused(format!("{host} points to an unencrypted address")));
    }
    Ok(index.authorised(link))
}

fn is_of(link: &Url, package: &Package) -> bool {
    let name = link.path_segments().and_then(|mut it| it.next_back());
    matches!(link.scheme(), "http" | "https") && name == Some(package.file)
}

fn in_json(page: &[u8]) -> Vec<String> {
    #[derive(Deserialize)]
    struct Page {
        files: Vec<File>,
    }
    #[derive(Deserialize)]
    struct File {
        url: String,
    }
    let page = serde_json::from_slice::<Page>(page);
    page.map(|it| it.files.into_iter().map(|file| file.url).collect()).unwrap_or_default()
}

fn in_html(page: &[u8]) -> Vec<String> {
    let mut links = Vec::new();
    for token in Tokenizer::new(page) {
        let Ok(token) = token;
        if let Token::StartTag(tag) = token
            && tag.name.as_slice() == b"a"
            && let Some(href) = tag.attributes.get(b"href".as_slice())
        {
            links.push(String::from_utf8_lossy(href).into_owned());
        }
    }
    links
}
