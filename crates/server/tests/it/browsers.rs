//! H7: how browsers are let in, known again and signed out.

use std::{fs, os::unix::fs::MetadataExt};

use serde_json::{Value, json};
use toolwright_server::BrowserSessions;

use crate::harness::{Browser, Desk, Listening, Request, Setup, ask, followed};

async fn is_in(desk: &Desk, browser: &Browser) -> bool {
    ask(desk.address, &browser.request("GET", "/api/info")).await.status == 200
}

fn sessions(desk: &Desk) -> BrowserSessions {
    BrowserSessions::in_folder(&desk.data().join("server"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_lets_one_browser_in_once() {
    let desk = Desk::demo().await;
    let path = followed(&desk.link);
    let request = Request::new("GET", path).header("Sec-Fetch-Site", "none");
    assert!(desk.link.starts_with(&format!("http://{}/?token=", desk.address)), "{}", desk.link);
    let first = ask(desk.address, &request).await;
    assert_eq!(first.status, 303);
    assert!(first.headers["location"].starts_with("/#key="), "{first:?}");
    assert_eq!(first.headers["referrer-policy"], "no-referrer");
    let cookie = &first.headers["set-cookie"];
    // Whoever follows the link in a mail comes from another site, and is to be known in the very next request.
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    assert!(!cookie.contains(path.split_once('=').unwrap().1));
    assert_eq!(ask(desk.address, &request).await.status, 401);
    // A further link for a further browser.
    assert!(is_in(&desk, &desk.browser().await).await);
}

/// Somebody goes back, or opens the same tab again.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_known_follows_a_link_again_and_sees_the_page() {
    let desk = Desk::demo().await;
    let request = || {
        let request = Request::new("GET", followed(&desk.link)).header("Sec-Fetch-Site", "none");
        request.header("Accept", "text/html")
    };
    let browser = Browser::let_in(&ask(desk.address, &request()).await);
    let again = ask(desk.address, &request().header("Cookie", &browser.cookie)).await;
    assert_eq!((again.status, again.headers["location"].as_str()), (303, "/"), "{again:?}");
    assert!(!again.headers.contains_key("set-cookie"), "nobody was let in anew: {again:?}");
    // Anybody else is told what is wrong with the link, and how to have another.
    let forged = format!("{}0", browser.cookie);
    for other in [request(), request().header("Cookie", &forged)] {
        let refused = ask(desk.address, &other).await;
        assert_eq!(refused.status, 401);
        let said = refused.text();
        assert!(
            said.contains("This link lets nobody in") && said.contains("/api/launch"),
            "{said}"
        );
    }
    let plain = Request::new("GET", "/").header("Sec-Fetch-Site", "none");
    let plain = ask(desk.address, &plain.header("Accept", "text/html")).await;
    assert!(plain.text().contains("This browser is not known here"), "{}", plain.text());
    assert!(is_in(&desk, &browser).await);
}

/// Behind a proxy with TLS the cookie goes nowhere else.
#[tokio::test(flavor = "multi_thread")]
async fn a_cookie_of_a_server_behind_tls_goes_over_tls_alone() {
    let hosts = vec!["https://desk.example".to_owned()];
    let desk = Desk::start(Setup { hosts, ..Setup::default() }, None).await;
    let request = Request::new("GET", followed(&desk.link)).header("Host", "desk.example");
    let answer = ask(desk.address, &request).await;
    assert!(answer.headers["set-cookie"].ends_with("; Secure"), "{answer:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_good_for_a_while_only() {
    let mut setup = Setup::default();
    setup.limits.link = std::time::Duration::ZERO;
    let desk = Desk::start(setup, None).await;
    let path = followed(&desk.link);
    assert_eq!(ask(desk.address, &Request::new("GET", path)).await.status, 401);
    let (long, mut links) = (Desk::demo().await, Vec::new());
    for _ in 0..5 {
        let link = long.post("/api/launch", &json!({})).await.json();
        links.push(link["url"].as_str().unwrap().to_owned());
    }
    // Those that nobody used make room.
    for (link, expected) in [(&long.link, 401), (&links[0], 401), (&links[4], 303)] {
        let request = Request::new("GET", followed(link));
        assert_eq!(ask(long.address, &request).await.status, expected);
    }
}

/// Whoever listens at another port of this machine is sent the cookie. It opens nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_cookie_alone_opens_nothing() {
    let desk = Desk::demo().await;
    let browser = desk.browser().await;
    assert!(is_in(&desk, &browser).await);
    let page = Request::new("GET", "/").header("Cookie", &browser.cookie);
    assert_eq!(ask(desk.address, &page).await.status, 200);
    let other = desk.browser().await;
    for key in ["", "x", &other.key] {
        assert!(!is_in(&desk, &Browser { key: key.to_owned(), ..browser.clone() }).await, "{key}");
    }
    let alone = Request::new("GET", "/api/info").header("Cookie", &browser.cookie);
    assert_eq!(ask(desk.address, &alone).await.status, 401);
    let key_alone = Request::new("GET", "/api/info").header("X-Toolwright-Key", &browser.key);
    let key_alone = key_alone.header("Sec-Fetch-Site", "same-origin");
    assert_eq!(ask(desk.address, &key_alone).await.status, 401);
    // One letter of it changed is somebody else's.
    let last = if browser.cookie.ends_with('0') { "1" } else { "0" };
    let forged = format!("{}{last}", &browser.cookie[..browser.cookie.len() - 1]);
    assert!(!is_in(&desk, &Browser { cookie: forged, ..browser.clone() }).await);
    // A cookie that is enormous, and one that is given twice.
    let huge = format!("{}{}", browser.cookie, "0".repeat(32 << 10));
    assert!(!is_in(&desk, &Browser { cookie: huge, ..browser }).await);
}

/// A browser is known where it was let in, and nowhere else; there, also after a restart.
#[tokio::test(flavor = "multi_thread")]
async fn a_browser_is_known_to_one_server() {
    let (one, two) = (Desk::demo().await, Desk::demo().await);
    let browser = one.browser().await;
    let value = browser.cookie.split_once('=').unwrap().1;
    let renamed = format!("toolwright_{}={value}", two.address.port());
    let there = Browser { cookie: renamed, ..browser.clone() };
    assert!(is_in(&one, &browser).await && !is_in(&two, &there).await);
    // Even with the same files.
    let (from, to) = (one.data().join("server"), two.data().join("server"));
    fs::copy(from.join("sessions.json"), to.join("sessions.json")).unwrap();
    assert!(!is_in(&two, &there).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_out_is_for_good() {
    let desk = Desk::demo().await;
    let (browser, other) = (desk.browser().await, desk.browser().await);
    let answer = ask(desk.address, &browser.request("POST", "/api/logout")).await;
    assert_eq!(answer.status, 204);
    assert!(answer.headers["set-cookie"].contains("Max-Age=0"), "{answer:?}");
    assert!(!is_in(&desk, &browser).await && is_in(&desk, &other).await);
}

/// What is taken back from outside is noticed by the server that runs.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_revoked_while_the_server_runs() {
    let desk = Desk::demo().await;
    let id = desk.chat("Hi").await.last().unwrap()["conversation_id"].as_str().unwrap().to_owned();
    let (browser, other) = (desk.browser().await, desk.browser().await);
    let path = format!("/api/conversations/{id}/stream?after=0");
    let mut listening = Listening::to(desk.address, &browser.request("GET", &path)).await;
    listening.until("done").await;
    let sessions = sessions(&desk);
    let all = sessions.list().unwrap();
    assert_eq!(all.len(), 2);
    assert!(all.iter().all(|it| it.agent == "Browser 1.0" && it.port == desk.address.port()));
    let of_browser = all.iter().find(|it| it.id != all[1].id).unwrap();
    assert!(sessions.revoke(&of_browser.id).unwrap());
    assert!(!sessions.revoke(&of_browser.id).unwrap());
    assert!(!is_in(&desk, &browser).await && is_in(&desk, &other).await);
    // What it listened to ends with the next that is to be told.
    desk.chat_with(json!({"message": "A tip on $10?", "conversation_id": id})).await;
    while let Some((_, event)) = listening.next().await {
        assert_ne!(event["type"], "done", "a stream of a browser that was signed out goes on");
    }
    assert_eq!(sessions.revoke_all().unwrap(), 1);
    assert!(!is_in(&desk, &other).await);
}

/// The file tells nobody how to come in, and only its owner reads it.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_kept_of_a_session_opens_nothing() {
    let desk = Desk::demo().await;
    let browser = desk.browser().await;
    let file = desk.data().join("server/sessions.json");
    assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o600);
    let kept = fs::read_to_string(&file).unwrap();
    let value = browser.cookie.split_once('=').unwrap().1;
    assert!(!kept.contains(value) && !kept.contains(&browser.key), "{kept}");
    let record = &serde_json::from_str::<Value>(&kept).unwrap()[0];
    let name = browser.cookie.split_once('=').unwrap().0;
    for digest in ["cookie", "key"] {
        let digest = record[digest].as_str().unwrap();
        let cookie = format!("{name}={digest}");
        assert!(!is_in(&desk, &Browser { cookie, key: digest.to_owned() }).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_ends_by_itself() {
    let desk = Desk::demo().await;
    let file = desk.data().join("server/sessions.json");
    let day = 24 * 60 * 60;
    for (field, days, expected) in
        [("created", 29, true), ("created", 31, false), ("used", 6, true), ("used", 8, false)]
    {
        sessions(&desk).revoke_all().unwrap();
        let browser = desk.browser().await;
        let mut all: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let since = all[0][field].as_u64().unwrap() - days * day;
        all[0][field] = json!(since);
        // As every change is made: by a new file.
        fs::write(file.with_extension("changed"), all.to_string()).unwrap();
        fs::rename(file.with_extension("changed"), &file).unwrap();
        assert_eq!(is_in(&desk, &browser).await, expected, "{field} {days}");
    }
    // A file that cannot be read lets nobody in.
    let browser = desk.browser().await;
    fs::write(&file, "[{").unwrap();
    assert!(!is_in(&desk, &browser).await);
}
