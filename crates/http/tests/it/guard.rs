//! A guarded client connects to what was looked at, and never into a private network.

use std::{
    collections::VecDeque,
    io,
    net::IpAddr,
    pin::Pin,
    sync::{Arc, Mutex},
    time::Duration,
};

use http::{HeaderName, HeaderValue};
use toolwright_http::{
    AddressGuard, Client, HttpError, HttpErrorKind, HttpSettings, Resolver, Url,
};
use toolwright_testkit::{ProxyMode, ProxyServer};

use crate::{proxies::through, server::Server};

/// Answers with what a test gives it, one answer after the other; the last one stays.
struct Fickle {
    answers: Mutex<VecDeque<Vec<IpAddr>>>,
    asked: Mutex<Vec<String>>,
}

impl Fickle {
    fn new(answers: &[&[&str]]) -> Arc<Self> {
        let read = |answer: &&[&str]| answer.iter().map(|it| it.parse().unwrap()).collect();
        let answers = Mutex::new(answers.iter().map(read).collect());
        Arc::new(Self { answers, asked: Mutex::default() })
    }

    fn asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

impl Resolver for Fickle {
    fn resolve<'a>(
        &'a self,
        host: &'a str,
    ) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>> {
        self.asked.lock().unwrap().push(host.to_owned());
        let mut answers = self.answers.lock().unwrap();
        let answer = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        Box::pin(async move { answer.ok_or_else(|| io::Error::other("no such name")) })
    }
}

fn settings(guard: AddressGuard) -> HttpSettings {
    let settings = HttpSettings::from_vars(&|_| None);
    settings.with_connect_timeout(Duration::from_millis(300)).with_guard(guard)
}

async fn status(settings: &HttpSettings, url: &str) -> Result<u16, HttpError> {
    let url = Url::parse(url).unwrap();
    Ok(Client::following_with(settings).get(url).send().await?.status().as_u16())
}

fn to(url: &str) -> String {
    format!("HTTP/1.1 302 Found\r\nlocation: {url}\r\ncontent-length: 0\r\n\r\n")
}

/// The classic: a name that is public while it is checked and this machine while it is connected to.
#[tokio::test]
async fn a_name_that_changes_its_mind_gains_nothing() {
    let inside = Server::fine().await;
    let url = format!("http://fickle.test:{}/", inside.address.port());
    let fickle = Fickle::new(&[&["1.1.1.1"], &["127.0.0.1"]]);
    let guard = AddressGuard::new().with_any_port().with_resolver(fickle.clone());
    let settings = settings(guard);
    // What was looked at is connected to: whether somebody is there is another matter.
    let first = status(&settings, &url).await.unwrap_err();
    assert_eq!((first.kind, fickle.asked()), (HttpErrorKind::Connect, 1), "{first}");
    let second = status(&settings, &url).await.unwrap_err();
    assert_eq!((second.kind, fickle.asked()), (HttpErrorKind::Blocked, 2), "{second}");
    assert!(second.reason.contains("fickle.test leads to 127.0.0.1"), "{second}");
    assert!(second.is_lasting() && second.is_connect());
    assert!(inside.heads().is_empty());
}

#[tokio::test]
async fn one_answer_that_is_not_public_is_enough() {
    let inside = Server::fine().await;
    let url = format!("http://mixed.test:{}/", inside.address.port());
    for answer in [
        &["1.1.1.1", "127.0.0.1"] as &[&str],
        &["127.0.0.1", "1.1.1.1"],
        &["2606:4700::1111", "::1"],
        &["::ffff:127.0.0.1"],
        &["64:ff9b::7f00:1"],
        &["0.0.0.0"],
    ] {
        let guard = AddressGuard::new().with_any_port().with_resolver(Fickle::new(&[answer]));
        let error = status(&settings(guard), &url).await.unwrap_err();
        assert_eq!(error.kind, HttpErrorKind::Blocked, "{answer:?}: {error}");
    }
    for answers in [&[] as &[&[&str]], &[&[]]] {
        let guard = AddressGuard::new().with_any_port().with_resolver(Fickle::new(answers));
        let error = status(&settings(guard), &url).await.unwrap_err();
        assert_eq!(error.kind, HttpErrorKind::Connect, "{error}");
    }
    assert!(inside.heads().is_empty());
}

/// Odd spellings are looked up by some systems as if they were names: the system's own resolver is asked here.
#[tokio::test]
async fn what_the_system_makes_of_a_name_counts() {
    let inside = Server::fine().await;
    let port = inside.address.port();
    let settings = settings(AddressGuard::new().with_any_port());
    for host in
        ["localhost", "127.1", "0x7f.1", "2130706433", "017700000001", "[::1]", "localhost."]
    {
        let error = status(&settings, &format!("http://{host}:{port}/")).await.unwrap_err();
        let kinds = [HttpErrorKind::Blocked, HttpErrorKind::Connect];
        assert!(kinds.contains(&error.kind), "{host}: {error:?}");
        assert!(host != "localhost" || error.kind == HttpErrorKind::Blocked, "{error}");
    }
    assert!(inside.heads().is_empty());
}

/// A host that is allowed may point to where is not.
#[tokio::test]
async fn every_target_of_a_redirect_is_looked_at_anew() {
    let inside = Server::fine().await;
    let port = inside.address.port();
    let targets = [
        format!("http://127.0.0.1:{port}/"),
        format!("//127.0.0.1:{port}/"),
        format!("http://other.test:{port}/"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://[::ffff:169.254.169.254]/".to_owned(),
        "http://2852039166/".to_owned(),
    ];
    let fickle = || Fickle::new(&[&["127.0.0.1"]]);
    for target in targets {
        let answer = to(&target);
        let server = Server::start(move |_| answer.clone()).await;
        let own = format!("good.test:{}", server.address.port());
        let guard = AddressGuard::new().with_resolver(fickle()).allow_host(&own).unwrap();
        let error = status(&settings(guard), &format!("http://{own}/")).await.unwrap_err();
        assert_eq!(error.kind, HttpErrorKind::Blocked, "{target}: {error}");
        assert_eq!(server.heads().len(), 1);
    }
    let server = Server::start(|_| to("http://me:pw@good.test/")).await;
    let own = format!("good.test:{}", server.address.port());
    let guard = AddressGuard::new().with_resolver(fickle()).allow_host(&own).unwrap();
    let error = status(&settings(guard), &format!("http://{own}/")).await.unwrap_err();
    assert_eq!(error.reason, "a redirect to an address with a login in it");
    assert!(inside.heads().is_empty());
}

#[tokio::test]
async fn what_is_allowed_is_reached_by_its_name_without_what_is_set_for_it() {
    let server = Server::fine().await;
    let own = format!("intranet.test:{}", server.address.port());
    let fickle = Fickle::new(&[&["127.0.0.1"]]);
    let guard = AddressGuard::new().with_resolver(fickle.clone()).allow_host(&own).unwrap();
    let team = [("X-Team".to_owned(), "canary-5522".to_owned())];
    let settings = HttpSettings::from_vars(&|_| None)
        .with_headers(&format!("http://{own}"), team)
        .unwrap()
        .with_guard(guard);
    assert_eq!(status(&settings, &format!("http://{own}/x")).await.unwrap(), 200);
    let head = server.heads().pop().unwrap();
    assert!(head.contains(&format!("host: {own}")) && !head.contains("canary"), "{head}");
    let login = status(&settings, &format!("http://me:pw@{own}/x")).await.unwrap_err();
    assert_eq!((login.kind, server.heads().len()), (HttpErrorKind::Blocked, 1));
    // A connection that is kept is one to an address that was looked at: nothing is looked up again.
    let client = Client::following_with(&settings);
    let asked = fickle.asked();
    for _ in 0..3 {
        let name = HeaderName::from_static("x-n");
        let url = Url::parse(&format!("http://{own}/")).unwrap();
        let request = client.get(url).header(name, HeaderValue::from_static("1"));
        assert_eq!(request.send().await.unwrap().bytes(10).await.unwrap(), b"fine");
    }
    assert_eq!(fickle.asked(), asked + 1);
}

/// A proxy looks names up by itself.
#[tokio::test]
async fn a_proxy_is_used_only_where_that_was_allowed() {
    let server = Server::fine().await;
    let proxy = ProxyServer::start(ProxyMode::Pass(server.address)).await;
    for url in [proxy.url(), proxy.url().replace("http://", "socks5://")] {
        let before = proxy.asked().len();
        let settings = through(&url).with_guard(AddressGuard::new());
        let error = status(&settings, "http://public.test/").await.unwrap_err();
        assert_eq!(error.kind, HttpErrorKind::UncheckedProxy, "{error}");
        assert_eq!(proxy.asked().len(), before);
        let settings = settings.with_guard(AddressGuard::new().with_proxies());
        assert_eq!(status(&settings, "http://public.test/").await.unwrap(), 200);
        assert_eq!(proxy.asked().len(), before + 1);
        // Numbers need no lookup.
        let error = status(&settings, "http://10.0.0.1/").await.unwrap_err();
        assert_eq!(error.kind, HttpErrorKind::Blocked, "{error}");
        assert_eq!(proxy.asked().len(), before + 1);
    }
}
