//! [`browse`]: opens an address as a browser does, and goes where it is pointed to.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

/// Where a browser ended.
#[derive(Clone, Debug)]
pub struct Page {
    /// The address.
    pub url: String,
    /// The status.
    pub status: u16,
    /// Head and body, as they came.
    pub text: String,
}

/// Opens an address on this machine, and goes where it is pointed to.
pub fn browse(url: &str) -> Page {
    let mut url = url.to_owned();
    for _ in 0..5 {
        let page = get(&url);
        let location = page.text.lines().find_map(|it| {
            let (name, value) = it.split_once(": ")?;
            name.eq_ignore_ascii_case("location").then(|| value.trim().to_owned())
        });
        match location {
            Some(location) if (300..400).contains(&page.status) => url = location,
            _ => return page,
        }
    }
    get(&url)
}

fn get(url: &str) -> Page {
    let rest = url.strip_prefix("http://").unwrap_or(url);
    let (host, target) = rest.split_once('/').unwrap_or((rest, ""));
    let mut stream = TcpStream::connect(host).unwrap();
    let request = format!("GET /{target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    // Whoever answers may also just close it.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
    Page { url: url.to_owned(), status, text }
}
