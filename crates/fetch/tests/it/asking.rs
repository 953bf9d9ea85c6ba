use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use toolwright_fetch::{FetchErrorKind, Indexes, PackageIndex, Timing};
use toolwright_testkit::http::{Answer, Server};

use crate::{BUNDLE, FILE, WHEEL, fetched, page, serving};

#[test]
fn indexes_are_read_in_both_forms() {
    let json = Server::new(|request| match request.path.as_str() {
        "/simple/toolwright-words/" => {
            assert!(request.headers["accept"].contains("application/vnd.pypi.simple.v1+json"));
            let files = format!(
                r#"{{"meta":{{}},"files":[{{"filename":"x","url":"/x"}},{{"filename":"{FILE}","url":"/f/{FILE}"}}]}}"#
            );
            Answer::whole("application/vnd.pypi.simple.v1+json", files)
        }
        _ => Answer::part(&WHEEL, request, usize::MAX),
    });
    fetched(&json).unwrap();
    fetched(&serving(|request| Answer::part(&WHEEL, request, usize::MAX))).unwrap();
}

#[test]
fn redirects_are_followed_and_not_for_ever() {
    let files = Server::new(|request| Answer::part(&WHEEL, request, 100_000));
    let there = files.url();
    let server = Server::new(move |request| {
        let to = match request.path.as_str() {
            "/simple/toolwright-words/" => "/elsewhere/".to_owned(),
            "/elsewhere/" => return page(FILE),
            _ => format!("{there}/{FILE}"),
        };
        Answer::new("302 Found", &[("Location", &to), ("Content-Length", "0")], "")
    });
    fetched(&server).unwrap();
    assert_eq!(files.asked(FILE).len(), 4, "the rest is asked for through the redirect, too");

    let circle =
        serving(|_| Answer::new("302 Found", &[("Location", FILE), ("Content-Length", "0")], ""));
    let error = fetched(&circle).unwrap_err();
    assert!(error.message.contains("too many redirects"), "{error}");
}

/// A login goes to the index, and neither to where a link nor to where a redirect leads.
#[test]
fn a_login_does_not_travel() {
    let files = Server::new(|request| Answer::part(&WHEEL, request, usize::MAX));
    let link = format!("{}/{FILE}", files.url());
    let server = Server::new(move |request| match request.headers.get("authorization") {
        Some(login) if login == "Basic bWU6czpjcmV0" => page(&link),
        _ => Answer::new("401 Unauthorized", &[("Content-Length", "0")], ""),
    });
    let folder = tempfile::tempdir().unwrap();
    let index = |login: &str| {
        let index = format!("http://{login}{}/simple", server.address);
        Indexes::only(PackageIndex::new(&index).unwrap())
    };
    let error = BUNDLE.fetch(folder.path(), &index("me:wrong@"), &mut |_, _| {}).unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Missing);
    assert!(error.message.contains("401") && !error.message.contains("wrong"), "{error}");
    assert!(error.advice.unwrap().contains("login"));
    BUNDLE.fetch(folder.path(), &index("me:s%3Acret@"), &mut |_, _| {}).unwrap();
    assert!(files.asked(FILE).iter().all(|it| !it.headers.contains_key("authorization")));
}

#[test]
fn a_server_that_is_busy_is_asked_again() {
    let asked = AtomicUsize::new(0);
    let server = Server::new(move |request| match asked.fetch_add(1, Ordering::SeqCst) {
        0 => Answer::new("503 Busy", &[("Retry-After", "0"), ("Content-Length", "0")], ""),
        1 => Answer::new("429 Too Many", &[("Content-Length", "0")], ""),
        2 => page(FILE),
        3 | 4 => Answer::new("502 Bad Gateway", &[("Content-Length", "0")], ""),
        _ => Answer::part(&WHEEL, request, usize::MAX),
    });
    fetched(&server).unwrap();
}

#[test]
fn what_an_index_does_not_have_is_told_with_advice() {
    let empty = Server::new(|_| Answer::whole("text/html", "<a href='x-1.whl'>x</a>"));
    let error = fetched(&empty).unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Missing);
    assert!(error.message.contains(&format!("has no {FILE}")), "{error}");
    let advice = error.advice.unwrap();
    assert!(advice.contains("TOOLWRIGHT_PACKAGE_INDEX") && advice.contains("by hand: words.bin"));
    for odd in ["{", "[]", "<a href=", "\u{feff}"] {
        for kind in ["application/json", "text/html"] {
            let server = Server::new(move |_| Answer::whole(kind, odd));
            assert_eq!(fetched(&server).unwrap_err().kind, FetchErrorKind::Missing, "{odd}");
        }
    }
}

#[test]
fn an_index_that_is_not_there_is_told() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let index = PackageIndex::new(&format!("http://{nobody}/simple")).unwrap();
    let timing = Timing { silence: Duration::from_secs(5), backoff: Duration::from_millis(1) };
    let folder = tempfile::tempdir().unwrap();
    let indexes = Indexes::only(index).with_timing(timing);
    let error = BUNDLE.fetch(folder.path(), &indexes, &mut |_, _| {}).unwrap_err();
    assert!(error.message.contains("cannot be reached"), "{error}");
    assert!(error.advice.unwrap().contains("HTTPS_PROXY"));
}
