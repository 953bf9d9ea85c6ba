//! Where the token goes, and where it never goes.

use serde_json::json;
use toolwright_market::{Access, Client, Detail, MarketErrorKind as Kind};

use super::{
    TCS, TOKEN, access,
    broker::{Answer, Broker},
    client, error_of,
};

#[tokio::test]
async fn no_redirect_is_followed_with_a_token() {
    for status in [301, 302, 303, 307, 308] {
        let elsewhere = Broker::saying([Answer::json(&json!({}))]).await;
        let to = format!("{}/fundlimit", elsewhere.base_url());
        let broker = Broker::saying([Answer::raw(status, "").header("location", &to)]).await;
        let client = client(&broker);
        let errors = [
            error_of(client.funds(&access()).await),
            error_of(client.quotes(&access(), &[TCS], Detail::Ltp).await),
        ];
        for error in errors {
            assert_eq!(error.kind, Kind::Unreadable);
            assert!(error.message.contains("is not followed"), "{error}");
        }
        assert_eq!((broker.asked(), elsewhere.asked()), (2, 0));
    }
}

#[tokio::test]
async fn a_redirect_to_the_same_place_is_none_either() {
    let broker = Broker::saying([Answer::raw(307, "").header("location", "/v2/fundlimit")]).await;
    assert_eq!(error_of(client(&broker).funds(&access()).await).kind, Kind::Unreadable);
    assert_eq!(broker.asked(), 1);
}

#[tokio::test]
async fn the_token_is_in_its_header_only() {
    let broker = Broker::saying([Answer::json(&json!({"data": {}}))]).await;
    client(&broker).quotes(&access(), &[TCS], Detail::Ltp).await.unwrap();
    let [request] = <[_; 1]>::try_from(broker.seen()).unwrap();
    let with_token: Vec<_> = request.headers.iter().filter(|(_, it)| it.contains(TOKEN)).collect();
    assert_eq!(with_token, [&(String::from("access-token"), String::from(TOKEN))]);
    assert!(!request.path.contains(TOKEN) && !request.body.to_string().contains(TOKEN));
}

#[tokio::test]
async fn a_broker_that_repeats_the_token() {
    let words = format!("Invalid token {TOKEN}, said in {TOKEN}");
    for body in [
        json!({"errorCode": "DH-901", "errorMessage": words}),
        json!({"data": {"809": words}, "status": "failed"}),
        json!({"status": "failed", "message": words}),
    ] {
        let broker = Broker::saying([Answer::error(401, &body)]).await;
        let error = error_of(client(&broker).funds(&access()).await);
        assert!(error.message.contains("Invalid token [redacted], said in [redacted]"), "{error}");
    }
    let broker = Broker::saying([Answer::error(401, &json!({"errorCode": TOKEN}))]).await;
    let error = error_of(client(&broker).funds(&access()).await);
    let shown = format!("{error:?}").to_ascii_lowercase();
    assert!(!shown.contains(&TOKEN.to_ascii_lowercase()), "{shown}");
    let broker = Broker::saying([Answer::raw(200, TOKEN)]).await;
    error_of(client(&broker).funds(&access()).await);
}

#[tokio::test]
async fn nothing_that_prints_shows_it() {
    let broker = Broker::saying([Answer::json(&json!({}))]).await;
    let client = client(&broker);
    client.funds(&access()).await.unwrap();
    assert!(!format!("{client:?} {:?}", access()).contains(TOKEN));
}

#[tokio::test]
async fn without_a_token_nothing_is_sent() {
    let broker = Broker::saying([Answer::json(&json!({"data": {}}))]).await;
    let client = client(&broker);
    for (access, kind, words) in [
        (Access::new(" ", "1"), Kind::NoAccess, "DHANHQ_ACCESS_TOKEN"),
        (Access::new("a\nb", "1"), Kind::Authentication, "on one line"),
        (Access::new("token", "\u{1}"), Kind::Authentication, "DHANHQ_CLIENT_ID"),
    ] {
        let error = client.quotes(&access, &[TCS], Detail::Ltp).await.unwrap_err();
        assert_eq!(error.kind, kind);
        assert!(error.message.contains(words), "{error}");
    }
    assert_eq!(broker.asked(), 0);
    // The account is told from the token alone.
    client.funds(&Access::new("token\n", "")).await.unwrap();
    let seen = broker.seen();
    assert_eq!(
        (seen[0].header("access-token"), seen[0].header("client-id")),
        (Some("token"), None)
    );
}

/// Whoever has a token has what it takes: whose it is the broker tells, once.
#[tokio::test]
async fn a_token_alone_is_enough() {
    let broker = Broker::start(|_, seen| match seen.path.as_str() {
        "/v2/profile" => Answer::json(&json!({"dhanClientId": "1000000009"})),
        _ => Answer::json(&json!({"data": {}, "status": "success"})),
    })
    .await;
    let (client, access) = (client(&broker), Access::new(TOKEN, ""));
    for _ in 0..2 {
        client.quotes(&access, &[TCS], Detail::Ltp).await.unwrap();
    }
    let asked: Vec<_> = broker.seen().iter().map(|it| it.path.clone()).collect();
    assert_eq!(asked, ["/v2/profile", "/v2/marketfeed/ltp", "/v2/marketfeed/ltp"]);
    for seen in &broker.seen()[1..] {
        assert_eq!(seen.header("client-id"), Some("1000000009"));
    }
    assert!(!format!("{client:?}").contains(TOKEN));
    // One that does not say is told what to do.
    let silent = Broker::saying([Answer::json(&json!({}))]).await;
    let told = self::client(&silent).quotes(&access, &[TCS], Detail::Ltp).await.unwrap_err();
    assert!(told.kind == Kind::NoAccess && told.message.contains("DHANHQ_CLIENT_ID"), "{told}");
}

#[tokio::test]
async fn settings_at_an_address_have_their_list_of_instruments_there() {
    let settings = toolwright_market::Settings::at("http://127.0.0.1:8002/v2/");
    assert_eq!(settings.master_url, "http://127.0.0.1:8002/v2/master");
    assert!(Client::new(settings).is_ok());
}
