//! How often the broker is asked, as it sees it. The gates alone are tested where they are, with a
//! clock that can be stopped; sockets need one that goes.

use std::time::Duration;

use jiff::civil::date;
use serde_json::json;
use toolwright_market::{Access, Client, Detail, MarketErrorKind as Kind, Pace};

use super::{
    NIFTY, TCS, access,
    broker::{Answer, Broker},
    error_of, settings,
};

fn gaps(broker: &Broker) -> Vec<Duration> {
    broker.seen().windows(2).map(|pair| pair[1].at - pair[0].at).collect()
}

#[tokio::test]
async fn clones_share_their_turns() {
    let broker = Broker::saying([Answer::json(&json!({"data": {}}))]).await;
    let mut settings = settings(&broker);
    settings.pace.quotes = Duration::from_millis(100);
    let client = Client::new(settings).unwrap();
    let ask = async |client: Client| client.quotes(&access(), &[TCS], Detail::Ltp).await.unwrap();
    tokio::join!(ask(client.clone()), ask(client.clone()), ask(client.clone()));
    let wait = Duration::from_millis(100);
    assert!(gaps(&broker).iter().all(|gap| *gap >= wait), "{:?}", gaps(&broker));
}

#[tokio::test]
async fn repeated_requests_wait_for_their_turn_too() {
    let broker = Broker::saying([Answer::raw(500, "")]).await;
    let mut settings = settings(&broker);
    settings.pace.other = Duration::from_millis(300);
    error_of(Client::new(settings).unwrap().funds(&access()).await);
    assert_eq!(broker.asked(), 3);
    // The time a request takes to arrive varies.
    let wait = Duration::from_millis(150);
    assert!(gaps(&broker).iter().all(|gap| *gap > wait), "{:?}", gaps(&broker));
}

#[tokio::test]
async fn after_805_market_data_is_left_alone_and_the_account_is_not() {
    let broker = Broker::start(|_, request| match request.path.as_str() {
        "/v2/marketfeed/ltp" => {
            Answer::error(429, &json!({"data": {"805": "Too many requests"}, "status": "failed"}))
        }
        _ => Answer::json(&json!({"data": ["2024-10-17"]})),
    })
    .await;
    let mut settings = settings(&broker);
    settings.pace.cool_down = Duration::from_secs(90);
    let client = Client::new(settings).unwrap();
    let error = error_of(client.quotes(&access(), &[TCS], Detail::Ltp).await);
    assert_eq!((error.kind, error.retry_after), (Kind::RateLimited, Some(Duration::from_secs(90))));
    assert_eq!(broker.asked(), 1);

    let day = date(2024, 10, 17);
    for error in [
        error_of(client.quotes(&access(), &[TCS], Detail::Full).await),
        error_of(client.expiries(&access(), NIFTY).await),
        error_of(client.option_chain(&access(), NIFTY, day).await),
        error_of(client.daily(&access(), TCS, toolwright_market::Kind::Equity, day, day).await),
    ] {
        assert_eq!((error.kind, error.code.as_deref()), (Kind::RateLimited, Some("805")));
        assert!(error.retry_after.unwrap() > Duration::from_secs(80));
        assert!(error.message.contains("Nothing was sent"), "{error}");
    }
    assert_eq!(broker.asked(), 1);
    client.funds(&access()).await.unwrap();
    // Another client has limits of its own.
    client.expiries(&Access::new("another", "1000000002"), NIFTY).await.unwrap();
    assert_eq!(broker.asked(), 3);
}

#[test]
fn the_documented_limits_are_kept() {
    let pace = Pace::default();
    assert!(pace.quotes > Duration::from_secs(1));
    assert!(pace.data > Duration::from_secs(1) / 5);
    assert!(pace.chain > Duration::from_secs(3));
    assert!(pace.other > Duration::from_secs(1) / 20);
    assert!(pace.cool_down >= Duration::from_secs(60));
}
