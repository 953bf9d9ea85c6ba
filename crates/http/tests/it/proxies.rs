//! What goes through a proxy, what the proxy gets to read, and what is told of one that fails.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
use toolwright_http::{Address, Client, HttpError, HttpErrorKind, HttpSettings, Response};
use toolwright_testkit::{
    ProxyMode, ProxyServer,
    tls::{CA, TlsServer},
};

use crate::server::Server;

const KEY: &str = "Bearer canary-5522";
/// `me:hunter2`, as it is sent.
const LOGIN: &str = "bWU6aHVudGVyMg==";

/// Settings of nobody's but the test's: with this proxy, and with the tests' own authority.
pub(crate) fn through(proxy: &str) -> HttpSettings {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, CA).unwrap();
    let settings = HttpSettings::from_vars(&|_| None).with_ca_file(file.path()).unwrap();
    settings.with_proxy(proxy).unwrap().with_connect_timeout(Duration::from_secs(2))
}

async fn ask(settings: &HttpSettings, url: &str, key: Option<&str>) -> Result<Response, HttpError> {
    let address = Address::new(url).unwrap();
    let mut headers = HeaderMap::new();
    if let Some(key) = key {
        let mut key = HeaderValue::from_str(key).unwrap();
        key.set_sensitive(true);
        headers.insert(AUTHORIZATION, key);
    }
    Client::pinned_with(&address, settings)?.get(address.join("v1")).headers(headers).send().await
}

async fn body(response: Result<Response, HttpError>) -> String {
    String::from_utf8(response.unwrap().bytes(100).await.unwrap()).unwrap()
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|it| it == text.as_bytes())
}

#[tokio::test]
async fn what_is_encrypted_goes_through_a_tunnel_and_the_proxy_reads_nothing() {
    let server = Server::fine().await;
    let secure = TlsServer::start(server.address).await;
    for mode in [ProxyMode::Pass(secure.address()), ProxyMode::Login(secure.address(), LOGIN)] {
        let proxy = ProxyServer::start(mode).await;
        let url = proxy.url().replace("http://", "http://me:hunter2@");
        let said = body(ask(&through(&url), "https://api.test", Some(KEY)).await).await;
        assert_eq!(said, "fine");
        assert_eq!(proxy.asked(), ["CONNECT api.test:443 HTTP/1.1"]);
        assert!(!holds(&proxy.read(), "canary"), "the proxy never reads the key");
        let head = server.heads().pop().unwrap();
        assert!(head.starts_with("get /v1 http/1.1"), "{head}");
        assert!(head.contains("host: api.test") && head.contains("canary-5522"), "{head}");
        assert!(!head.contains("proxy-authorization"), "the server never reads the proxy's login");
    }
}

/// A proxy that is itself behind TLS: nobody on the way reads its login, and it reads no key.
#[tokio::test]
async fn a_proxy_behind_tls_is_trusted_by_its_certificate() {
    let server = Server::fine().await;
    let secure = TlsServer::start(server.address).await;
    let proxy = ProxyServer::start(ProxyMode::Login(secure.address(), LOGIN)).await;
    let front = TlsServer::start(proxy.address()).await;
    let url = format!("https://me:hunter2@localhost:{}", front.address().port());
    assert_eq!(body(ask(&through(&url), "https://api.test", Some(KEY)).await).await, "fine");
    assert_eq!(proxy.asked(), ["CONNECT api.test:443 HTTP/1.1"]);
    assert!(!holds(&proxy.read(), "canary"));
}

#[tokio::test]
async fn what_is_not_encrypted_is_asked_for_by_its_whole_address() {
    let server = Server::fine().await;
    let proxy = ProxyServer::start(ProxyMode::Login(server.address, LOGIN)).await;
    let url = proxy.url().replace("http://", "http://me:hunter2@");
    let said = body(ask(&through(&url), "http://api.test:81", None).await).await;
    assert_eq!(said, "fine");
    assert_eq!(proxy.asked(), ["GET http://api.test:81/v1 HTTP/1.1"]);
    assert!(!server.heads().pop().unwrap().contains("proxy-authorization"));
}

#[tokio::test]
async fn a_proxy_that_would_read_the_key_does_not_get_it() {
    let server = Server::fine().await;
    let proxy = ProxyServer::start(ProxyMode::Pass(server.address)).await;
    for url in [proxy.url(), proxy.url().replace("http://", "socks5://")] {
        let settings = through(&url);
        let error = ask(&settings, "http://api.test", Some(KEY)).await.unwrap_err();
        assert_eq!(error.kind, HttpErrorKind::Exposed);
        assert!(error.advice.unwrap().contains("NO_PROXY"), "{error:?}");
        // What settings say of an origin is as secret.
        let team = [("X-Team".to_owned(), "canary-5522".to_owned())];
        let settings = settings.with_headers("http://api.test", team).unwrap();
        let error = ask(&settings, "http://api.test", None).await.unwrap_err();
        assert_eq!(error.kind, HttpErrorKind::Exposed);
    }
    assert!(proxy.asked().is_empty() && proxy.read().is_empty() && server.heads().is_empty());
}

#[tokio::test]
async fn socks_is_spoken_with_and_without_a_login() {
    let server = Server::fine().await;
    let secure = TlsServer::start(server.address).await;
    let open = ProxyServer::start(ProxyMode::Pass(secure.address())).await;
    let closed = ProxyServer::start(ProxyMode::Login(secure.address(), "me:hunter2")).await;
    for (proxy, scheme) in
        [(&open, "socks5://"), (&open, "socks5h://"), (&closed, "socks5://me:hunter2@")]
    {
        let settings = through(&proxy.url().replace("http://", scheme));
        assert_eq!(body(ask(&settings, "https://api.test:8443", Some(KEY)).await).await, "fine");
        assert_eq!(proxy.asked().pop().unwrap(), "SOCKS api.test:8443");
    }
    let settings = through(&closed.url().replace("http://", "socks5://me:wrong-hunter2@"));
    let error = ask(&settings, "https://api.test", None).await.unwrap_err();
    assert_eq!(error.kind, HttpErrorKind::ProxyFailed);
    assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
}

/// Whatever a proxy does: what is told names it, says what it did, and holds no login.
#[tokio::test]
async fn a_proxy_that_fails_is_named_with_what_it_said_and_without_its_login() {
    let say = |text: &'static str| ProxyMode::Say(text.as_bytes());
    let cases = [
        (
            say("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"),
            "answered 407",
            HttpErrorKind::Proxy,
        ),
        (say("HTTP/1.1 403 Forbidden\r\n\r\n<html>"), "answered 403", HttpErrorKind::Proxy),
        (say("HTTP/1.1 502 Bad Gateway\r\n\r\n"), "answered 502", HttpErrorKind::ProxyFailed),
        (say("SSH-2.0-OpenSSH\r\n\r\n"), "did not answer as one", HttpErrorKind::ProxyFailed),
        (say(""), "did not answer as one", HttpErrorKind::ProxyFailed),
        (ProxyMode::Hang, "made no connection within", HttpErrorKind::ProxyFailed),
    ];
    for (mode, words, kind) in cases {
        let proxy = ProxyServer::start(mode.clone()).await;
        let url = proxy.url().replace("http://", "http://me:hunter2@");
        let error = ask(&through(&url), "https://api.test", Some(KEY)).await.unwrap_err();
        assert_eq!(error.kind, kind, "{mode:?}: {error:?}");
        let told = format!("{error} {error:?} {}", error.advice_sentence().unwrap());
        assert!(told.contains(&format!("the proxy {} {words}", proxy.url())), "{told}");
        assert!(!told.contains("hunter2") && !told.contains("canary"), "{told}");
    }
    let error =
        ask(&through("http://me:hunter2@127.0.0.1:1"), "https://api.test", None).await.unwrap_err();
    assert_eq!(error.kind, HttpErrorKind::Connect);
    assert!(error.reason.starts_with("the proxy http://127.0.0.1:1 cannot be reached"), "{error}");
}

/// A proxy that is told whole addresses says 407 as if it were the server.
#[tokio::test]
async fn a_proxy_that_wants_a_login_is_told_from_the_server() {
    let server = Server::fine().await;
    let proxy = ProxyServer::start(ProxyMode::Login(server.address, LOGIN)).await;
    let error = ask(&through(&proxy.url()), "http://api.test", None).await.unwrap_err();
    assert_eq!(error.kind, HttpErrorKind::Proxy);
    assert!(error.reason.contains(&format!("the proxy {} answered 407", proxy.url())), "{error}");
}

#[tokio::test]
async fn what_is_named_is_asked_directly_and_this_machine_always() {
    let server = Server::fine().await;
    let proxy = ProxyServer::start(ProxyMode::Hang).await;
    let settings = through(&proxy.url());
    for host in ["127.0.0.1", "localhost"] {
        let url = format!("http://{host}:{}", server.address.port());
        assert_eq!(body(ask(&settings, &url, Some(KEY)).await).await, "fine");
    }
    // A name that is nobody's: whether the proxy was asked is what counts.
    for (list, is_direct) in
        [("api.invalid", true), (".invalid", true), ("*", true), ("other.invalid", false)]
    {
        let settings =
            settings.clone().with_no_proxy(list).with_connect_timeout(Duration::from_millis(300));
        let error = ask(&settings, "https://api.invalid", None).await.unwrap_err();
        assert_eq!(!error.reason.contains("proxy"), is_direct, "{list}: {error}");
    }
    let off = settings.with_proxy("off").unwrap();
    let error = ask(&off, "https://api.invalid", None).await.unwrap_err();
    assert!(!error.reason.contains("proxy"), "{error}");
}

/// Connections through a proxy are kept as others are.
#[tokio::test]
async fn a_connection_through_a_proxy_is_used_again() {
    let server = Server::fine().await;
    let secure = TlsServer::start(server.address).await;
    let proxy = ProxyServer::start(ProxyMode::Pass(secure.address())).await;
    let address = Address::new("https://api.test").unwrap();
    let client = Client::pinned_with(&address, &through(&proxy.url())).unwrap();
    for _ in 0..3 {
        assert_eq!(body(client.get(address.join("v1")).send().await).await, "fine");
    }
    assert_eq!((proxy.asked().len(), server.heads().len()), (1, 3));
}
