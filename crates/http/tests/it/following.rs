//! A client goes where it is pointed to, or nowhere but where it belongs; what is secret stays behind.

use http::{HeaderValue, header::AUTHORIZATION};
use toolwright_http::{Address, Client, HttpErrorKind, HttpSettings, Url};
use toolwright_testkit::tls::TlsServer;

use crate::{
    proxies::through,
    server::{FINE, Server},
};

fn to(url: &str) -> String {
    format!("HTTP/1.1 302 Found\r\nlocation: {url}\r\ncontent-length: 0\r\n\r\n")
}

fn plain() -> HttpSettings {
    HttpSettings::from_vars(&|_| None)
}

fn url(server: &Server, path: &str) -> Url {
    Url::parse(&format!("http://{}{path}", server.address)).unwrap()
}

fn secret() -> HeaderValue {
    let mut value = HeaderValue::from_static("canary-5522");
    value.set_sensitive(true);
    value
}

#[tokio::test]
async fn a_secret_does_not_follow_to_another_origin_and_a_pinned_client_goes_nowhere() {
    let other = Server::fine().await;
    let elsewhere = to(url(&other, "/there").as_str());
    let server = Server::start(move |line| match line.contains("/near") {
        true => to("/far?x=1"),
        false => elsewhere.clone(),
    })
    .await;
    let mut near = url(&server, "/near");
    near.set_username("me").unwrap();
    near.set_password(Some("hunter2")).unwrap();
    let client = Client::following_with(
        &plain()
            .with_headers(
                &format!("http://{}", server.address),
                [("X-Team".to_owned(), "blue-canary".to_owned())],
            )
            .unwrap(),
    );
    let key = http::HeaderName::from_static("x-key");
    let response = client.get(near).header(key, secret()).send().await.unwrap();
    assert_eq!(response.url(), &url(&other, "/there"));
    let [first, second] = server.heads().try_into().unwrap();
    for head in [&first, &second] {
        // `me:hunter2`.
        assert!(head.contains("authorization: basic bwu6ahvudgvymg=="), "{head}");
        assert!(head.contains("canary-5522") && head.contains("x-team: blue-canary"), "{head}");
        assert!(!head.contains("hunter2"), "{head}");
    }
    let there = other.heads().pop().unwrap();
    assert!(!there.contains("canary") && !there.contains("authorization"), "{there}");

    let address = Address::new(&format!("http://{}", server.address)).unwrap();
    let pinned = Client::pinned_with(&address, &plain()).unwrap();
    let response =
        pinned.get(address.join("x")).header(AUTHORIZATION, secret()).send().await.unwrap();
    assert_eq!(response.status(), 302);
    let error =
        pinned.get(url(&other, "/")).header(AUTHORIZATION, secret()).send().await.unwrap_err();
    assert_eq!(error.kind, HttpErrorKind::Redirect);
    assert_eq!(other.heads().len(), 1, "nobody was asked");
}

#[tokio::test]
async fn pointing_has_an_end_and_does_not_leave_what_is_encrypted() {
    let round = Server::start(|_| to("/again")).await;
    let error = Client::following_with(&plain()).get(url(&round, "/")).send().await.unwrap_err();
    assert_eq!(
        (error.kind, error.reason.as_str()),
        (HttpErrorKind::Redirect, "too many redirects")
    );
    assert_eq!(round.heads().len(), 6);

    let open = Server::fine().await;
    let down = to(url(&open, "/").as_str());
    let server = Server::start(move |_| down.clone()).await;
    let secure = TlsServer::start(server.address).await;
    let address = Url::parse(&format!("https://localhost:{}/", secure.address().port())).unwrap();
    let client = Client::following_with(&through("off"));
    let error = client.get(address).send().await.unwrap_err();
    assert_eq!(error.reason, "a redirect to an unencrypted address");
    assert!(open.heads().is_empty());

    // What is no address is not gone to: the answer is what it is.
    let odd =
        Server::start(|line| if line.contains(" / ") { to("mailto:a@b") } else { FINE.to_owned() })
            .await;
    let response = Client::following_with(&plain()).get(url(&odd, "/")).send().await.unwrap();
    assert_eq!(response.status(), 302);
}
