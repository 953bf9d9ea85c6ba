//! Browsers that follow links, at several servers that share a database: whoever stands before them sends each request to
//! any of them.

use serde_json::json;
use toolwright_server::{AuthMode, LinkedBrowsers};
use toolwright_store::{Store, StoreLocation, Timeouts};

use super::{Database, KEY, path, until};
use crate::harness::{Browser, Desk, Listening, Request, Setup, TOKEN, ask, followed};

impl Database {
    async fn linked(&self) -> LinkedBrowsers {
        let (place, key) = (StoreLocation::Postgres(self.url.clone()), KEY.parse().unwrap());
        LinkedBrowsers::of(&Store::open_keyed(&place, Timeouts::default(), key).await.unwrap())
    }

    async fn two(&self, setup: impl Fn(Setup) -> Setup) -> [Desk; 2] {
        let desk = async || Desk::start(setup(self.setup()), None).await;
        [desk().await, desk().await]
    }
}

async fn link(desk: &Desk) -> String {
    let request = Request::new("POST", "/api/launch");
    let request = request.header("Authorization", &format!("Bearer {TOKEN}"));
    let answer = ask(desk.address, &request).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["url"].as_str().unwrap().to_owned()
}

async fn status(desk: &Desk, browser: &Browser) -> u16 {
    ask(desk.address, &browser.request("GET", "/api/info")).await.status
}

/// As in `deploy`: the token for programs, one name for people, and nobody who keeps a browser at one server.
#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_followed_at_any_server_and_its_browser_is_known_to_all() {
    let database = Database::new().await;
    let desks = database
        .two(|from| Setup {
            auth: AuthMode::Token,
            hosts: vec!["https://desk.example".to_owned(), "http://other.example".to_owned()],
            ..from
        })
        .await;
    for (asked, opened) in [(0, 1), (1, 0), (0, 0), (1, 1)] {
        let link = link(&desks[asked]).await;
        assert!(link.starts_with("https://desk.example/?token="), "{link}");
        let request = Request::new("GET", followed(&link)).header("Host", "desk.example");
        let answer = ask(desks[opened].address, &request).await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        assert!(answer.headers["set-cookie"].ends_with("; Secure"), "{answer:?}");
        let browser = Browser::let_in(&answer);
        for desk in &desks {
            let page = Request::new("GET", "/").header("Cookie", &browser.cookie);
            let page = page.header("Host", "desk.example");
            assert_eq!(ask(desk.address, &page).await.status, 200);
            assert_eq!(status(desk, &browser).await, 200);
            // The cookie alone opens nothing but the page, here as there.
            let alone = Browser { key: "0".repeat(64), ..browser.clone() };
            assert_eq!(status(desk, &alone).await, 401);
            assert_eq!(ask(desk.address, &request).await.status, 401, "it was used");
        }
    }
}

/// Browsers tell cookies apart by name and host, and not by port: whoever is let in by one deployment stays known to another.
#[tokio::test(flavor = "multi_thread")]
async fn two_deployments_on_one_host_do_not_sign_each_other_out() {
    let (one, other) = (Database::new().await, Database::new().await);
    let ([a, b], [c, _d]) = (one.two(|from| from).await, other.two(|from| from).await);
    let name = async |desk: &Desk| {
        let browser = Browser::with_link(desk.address, &link(desk).await).await;
        browser.cookie.split_once('=').unwrap().0.to_owned()
    };
    let (at_a, at_b, at_c) = (name(&a).await, name(&b).await, name(&c).await);
    assert_eq!(at_a, at_b, "these know the same browsers");
    assert_ne!(at_a, at_c);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_who_follow_a_link_at_two_servers_one_is_let_in() {
    let database = Database::new().await;
    let [a, b] = database.two(|from| from).await;
    for _ in 0..8 {
        let link = link(&a).await;
        let request = Request::new("GET", followed(&link));
        let (one, other) = tokio::join!(ask(a.address, &request), ask(b.address, &request));
        let mut answers = [one.status, other.status];
        answers.sort_unstable();
        assert_eq!(answers, [303, 401]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_is_over_lets_nobody_in_at_any_server() {
    let database = Database::new().await;
    let mut short = database.setup();
    short.limits.link = std::time::Duration::ZERO;
    let (a, b) = (Desk::start(short, None).await, Desk::start(database.setup(), None).await);
    let link = link(&a).await;
    for desk in [&a, &b] {
        assert_eq!(ask(desk.address, &Request::new("GET", followed(&link))).await.status, 401);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_is_signed_out_is_known_nowhere() {
    let database = Database::new().await;
    let [a, b] = database.two(|from| from).await;
    let id = a.chat("Hi").await.last().unwrap()["conversation_id"].as_str().unwrap().to_owned();
    let link = link(&a).await;
    let (browser, other) = (Browser::with_link(b.address, &link).await, b.browser().await);
    let unused = a.post("/api/launch", &json!({})).await.json();

    // What is kept tells nobody how to come in.
    let kept = database.sql("SELECT kind, name, digest, body FROM toolwright.access").await;
    let cookie = browser.cookie.split_once('=').unwrap().1;
    let unused = unused["url"].as_str().unwrap().split_once('=').unwrap().1.to_owned();
    assert!(kept.contains("browser|") && kept.contains("link|"), "{kept}");
    for secret in [cookie, &browser.key, &unused] {
        assert!(!kept.contains(secret), "{kept}");
    }

    let request = browser.request("GET", &path(&id, "/stream?after=0"));
    let mut listening = Listening::to(a.address, &request).await;
    listening.until("done").await;
    let browsers = database.linked().await;
    let all = browsers.list().await.unwrap();
    assert_eq!(all.len(), 2, "{all:?}");
    assert!(all.iter().all(|it| it.agent == "Browser 1.0"), "{all:?}");
    assert_eq!(ask(b.address, &other.request("POST", "/api/logout")).await.status, 204);
    assert_eq!(status(&b, &other).await, 401);
    until(async || status(&a, &other).await == 401).await;
    let [left] = &browsers.list().await.unwrap()[..] else { panic!("one is left") };
    assert_eq!((status(&a, &browser).await, status(&b, &browser).await), (200, 200));
    assert!(browsers.revoke(&left.id).await.unwrap());
    assert!(!browsers.revoke(&left.id).await.unwrap());
    for desk in [&a, &b] {
        until(async || status(desk, &browser).await == 401).await;
    }
    // What it listened to ends by itself.
    while listening.next().await.is_some() {}
}
