//! What is asked again, how often, and what ends it.

use std::time::Duration;

use serde_json::json;
use toolwright_market::{Client, Detail, MarketErrorKind as Kind, Quote, Settings};

use super::{
    TCS, access,
    broker::{Answer, Broker},
    client, error_of, settings,
};

fn good() -> Answer {
    let data = json!({"NSE_EQ": {"11536": {"last_price": 1}}});
    Answer::json(&json!({"data": data, "status": "success"}))
}

#[tokio::test]
async fn a_failure_that_passes_is_not_seen() {
    let failures = [
        Answer::raw(502, "<html>"),
        Answer::error(500, &json!({"errorCode": "DH-908"})),
        good().cut(10),
        good().cut(0),
        // Closed early without a length to compare with: the JSON itself is cut.
        Answer::raw(200, r#"{"data": {"NSE_EQ": {"#),
    ];
    for failure in failures {
        let broker = Broker::saying([failure.clone(), failure, good()]).await;
        let quotes = client(&broker).quotes(&access(), &[TCS], Detail::Ltp).await.unwrap();
        assert_eq!(quotes, [(TCS, Quote { last_price: 1.0, ..Quote::default() })]);
        assert_eq!(broker.asked(), 3);
    }
}

#[tokio::test]
async fn three_times_is_enough() {
    for (failure, kind) in [(Answer::raw(503, ""), Kind::Server), (good().cut(10), Kind::Network)] {
        let broker = Broker::saying([failure]).await;
        let error = error_of(client(&broker).quotes(&access(), &[TCS], Detail::Ltp).await);
        assert_eq!((error.kind, broker.asked()), (kind, 3), "{error}");
    }
}

#[tokio::test]
async fn an_answer_that_does_not_come_or_does_not_end() {
    for answer in [good().stalled(0), good().stalled(10)] {
        let broker = Broker::saying([answer]).await;
        let mut settings = settings(&broker);
        settings.timeout = Duration::from_millis(600);
        let client = Client::new(settings).unwrap();
        let error = error_of(client.quotes(&access(), &[TCS], Detail::Ltp).await);
        assert_eq!(error.kind, Kind::Timeout);
        assert!(error.message.contains("did not answer within 0.6 seconds"), "{error}");
        // Twice the time of one request is the most for all of them, so there is no third; on a
        // busy machine the first can have used up the time of both.
        assert!((1..=2).contains(&broker.asked()), "asked {} times", broker.asked());
    }
}

#[tokio::test]
async fn a_slow_answer_and_then_a_good_one() {
    let broker = Broker::saying([good().stalled(10), good()]).await;
    let mut settings = settings(&broker);
    settings.timeout = Duration::from_secs(1);
    let quotes = Client::new(settings).unwrap().quotes(&access(), &[TCS], Detail::Ltp).await;
    assert_eq!((quotes.unwrap().len(), broker.asked()), (1, 2));
}

#[tokio::test]
async fn nobody_is_there() {
    let broker = Broker::saying([good()]).await;
    let settings = settings(&broker);
    drop(broker);
    tokio::task::yield_now().await;
    let error = error_of(Client::new(settings).unwrap().funds(&access()).await);
    assert_eq!(error.kind, Kind::Network);
    assert!(error.message.contains("127.0.0.1:") && error.message.contains("DHANHQ_BASE_URL"));
}

#[tokio::test]
async fn what_is_no_json_is_not_asked_again() {
    for body in ["<html>Welcome to the hotel</html>", "{]"] {
        let broker = Broker::saying([Answer::raw(200, body)]).await;
        let error = error_of(client(&broker).quotes(&access(), &[TCS], Detail::Ltp).await);
        assert_eq!((error.kind, broker.asked()), (Kind::Unreadable, 1), "{error}");
    }
}

#[tokio::test]
async fn an_answer_without_end_is_left() {
    let broker = Broker::saying([Answer::raw(200, vec![b' '; 1 << 20]).endless()]).await;
    let error = error_of(client(&broker).funds(&access()).await);
    assert_eq!((error.kind, broker.asked()), (Kind::Unreadable, 1));
    assert!(error.message.contains("longer than 16 MB"), "{error}");
}

#[tokio::test]
async fn addresses_that_are_none() {
    for address in [
        "",
        "api.dhan.co",
        "ftp://api.dhan.co",
        "https://",
        "https://me:secret@api.dhan.co/v2",
        "https://api.dhan.co/v2?token=secret",
    ] {
        let error = error_of(Client::new(Settings::at(address)));
        assert_eq!(error.kind, Kind::Input, "{address}");
        assert!(!error.message.contains("secret"), "{error}");
    }
    assert!(Client::new(Settings::live()).is_ok());
}

#[tokio::test]
async fn a_slash_at_the_end_of_the_address() {
    let broker = Broker::saying([good()]).await;
    let mut settings = settings(&broker);
    settings.base_url.push('/');
    let client = Client::new(settings).unwrap();
    client.quotes(&access(), &[TCS], Detail::Ltp).await.unwrap();
    assert_eq!(broker.seen()[0].path, "/v2/marketfeed/ltp");
}
