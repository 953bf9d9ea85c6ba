//! Whose certificates are trusted.

use toolwright_http::{Address, Client, HttpErrorKind, HttpSettings};
use toolwright_testkit::tls::{CA, TlsServer};

use crate::{proxies::through, server::Server};

#[tokio::test]
async fn an_authority_of_ones_own_is_trusted_where_it_is_named_and_nowhere_else() {
    let server = Server::fine().await;
    let secure = TlsServer::start(server.address).await;
    let address = Address::new(&format!("https://localhost:{}", secure.address().port())).unwrap();
    let ask = async |settings: &HttpSettings| {
        Client::pinned_with(&address, settings).unwrap().get(address.join("")).send().await
    };
    assert_eq!(ask(&through("off")).await.unwrap().status(), 200);
    let error = ask(&HttpSettings::from_vars(&|_| None)).await.unwrap_err();
    // A system without any authorities says that.
    if error.kind != HttpErrorKind::Certificates {
        assert_eq!(error.kind, HttpErrorKind::Untrusted, "{error:?}");
        assert!(error.reason.starts_with("the certificate of localhost is not trusted"), "{error}");
        assert!(error.advice.unwrap().contains("ca_file"), "{error:?}");
    }
    assert_eq!(server.heads().len(), 1, "who is not trusted is told nothing");
}

#[test]
fn a_file_without_certificates_is_told_where_it_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let settings = HttpSettings::from_vars(&|_| None);
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let broken = CA.replace("MII", "!!!");
    let bad = [
        file("empty", ""),
        file("other", "hello"),
        file("broken", &broken),
        folder.path().join("none"),
    ];
    for path in bad {
        let error = settings.clone().with_ca_file(&path).unwrap_err();
        assert_eq!(error.kind, HttpErrorKind::Settings);
        assert!(error.reason.contains(path.to_str().unwrap()), "{error}");
    }
    settings.with_ca_file(file("good", CA)).unwrap();
}

#[test]
fn headers_that_cannot_be_sent_are_told_without_their_values() {
    let settings = HttpSettings::from_vars(&|_| None);
    let with = |origin: &str, name: &str, value: &str| {
        settings.clone().with_headers(origin, [(name.to_owned(), value.to_owned())])
    };
    for (origin, name, value) in [
        ("gateway.example", "X-Team", "canary-5522"),
        ("https://a.example/v1", "X-Team", "canary-5522"),
        ("https://canary-5522@a.example", "X-Team", "x"),
        ("https://a.example", "X Team", "canary-5522"),
        ("https://a.example", "X-Team", "canary-5522\r\nX-Other: 1"),
        ("https://a.example", "Host", "canary-5522"),
        ("https://a.example", "Proxy-Authorization", "canary-5522"),
        ("https://a.example", "Transfer-Encoding", "canary-5522"),
    ] {
        let error = with(origin, name, value).unwrap_err();
        assert_eq!(error.kind, HttpErrorKind::Settings);
        assert!(!format!("{error:?}").contains("canary"), "{error:?}");
    }
    let settings = with("https://A.example:443", "X-Team", "canary-5522").unwrap();
    assert!(!format!("{settings:?}").contains("canary"));
}
