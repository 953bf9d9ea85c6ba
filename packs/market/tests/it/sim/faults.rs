use toolwright_market::{Columns, Detail, MarketErrorKind};

use super::*;

const QUOTE: &str = r#"{"NSE_EQ":[2885]}"#;

/// The kind of error a client makes of a fault, which is named in the token.
async fn kind_of(market: &Simulator, fault: &str) -> MarketErrorKind {
    let access = Access::new(format!("simulate-{fault}"), "1000000001");
    client(market).quotes(&access, &[RELIANCE], Detail::Full).await.unwrap_err().kind
}

#[tokio::test]
async fn a_client_understands_each_code() {
    use MarketErrorKind::{
        Account, Authentication, Input, NoData, NotSubscribed, RateLimited, Server,
    };
    let market = market_at(OPEN).await;
    for (code, kinds) in [
        ("DH-901", &[Authentication][..]),
        ("DH-902", &[NotSubscribed]),
        ("DH-903", &[Account]),
        ("DH-904", &[RateLimited]),
        ("DH-905", &[Input]),
        ("DH-906", &[Input, Account]),
        ("DH-907", &[NoData, Input]),
        ("DH-908", &[Server]),
        ("DH-909", &[Server, MarketErrorKind::Network]),
        ("DH-910", &[Server, Input, Account]),
        ("DH-911", &[Account, Authentication, NotSubscribed]),
        ("800", &[Server]),
        ("804", &[Input]),
        ("805", &[RateLimited]),
        ("806", &[NotSubscribed]),
        ("807", &[Authentication]),
        ("808", &[Authentication]),
        ("809", &[Authentication]),
        ("810", &[Authentication]),
        ("811", &[Input]),
        ("812", &[Input]),
        ("813", &[Input]),
        ("814", &[Input]),
        ("429", &[RateLimited]),
        ("bare805", &[RateLimited]),
    ] {
        let kind = kind_of(&market, code).await;
        assert!(kinds.contains(&kind), "{code}: {kind:?}");
    }
}

#[tokio::test]
async fn a_client_survives_a_bad_connection() {
    use MarketErrorKind::{Network, Server, Unreadable};
    let market = market_at(OPEN).await;
    assert!(matches!(kind_of(&market, "html502").await, Server | Network));
    assert!(matches!(kind_of(&market, "cut").await, Network | Unreadable));
    assert_eq!(kind_of(&market, "garbage").await, Unreadable);
    let huge = kind_of(&market, "huge").await;
    assert!(matches!(huge, Unreadable | Network), "{huge:?}");
}

#[tokio::test]
async fn a_slow_answer_comes_late() {
    let market = market_at(OPEN).await;
    let mut settings = Settings::at(market.base_url());
    settings.pace = Pace::unlimited();
    settings.timeout = Duration::from_millis(200);
    let client = Client::new(settings).unwrap();
    let access = Access::new("simulate-slow", "1000000001");
    let error = client.quotes(&access, &[RELIANCE], Detail::Full).await.unwrap_err();
    assert_eq!(error.kind, MarketErrorKind::Timeout);
    // One that is late, but not too late, is an answer.
    let client = super::client(&market);
    let access = Access::new("simulate-slow:5", "1000000001");
    assert_eq!(client.quotes(&access, &[RELIANCE], Detail::Full).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_fault_is_named_in_a_header_in_the_query_or_in_the_path() {
    let market = market_at(OPEN).await;
    let mut headers = HEADERS.to_vec();
    headers.push(("x-simulate", "DH-908"));
    let answer = ask(&market, "POST /v2/marketfeed/ltp", &headers, QUOTE).await;
    assert_eq!((answer.status, &answer.json()["errorCode"]), (500, &"DH-908".into()));
    let answer = post(&market, "/marketfeed/ltp?x-simulate=html502", QUOTE).await;
    assert_eq!((answer.status, answer.head.contains("text/html")), (502, true));
    let answer = get(&market, "/simulate/807/v2/profile").await;
    assert!(answer.json()["data"]["807"].is_string());
    let answer = get(&market, "/v2/positions?x-simulate=429").await;
    assert_eq!((answer.status, &answer.json()["errorCode"]), (429, &"DH-904".into()));
    // What is no fault is none.
    assert_eq!(post(&market, "/marketfeed/ltp?x-simulate=nothing", QUOTE).await.status, 200);
}

#[tokio::test]
async fn a_master_that_breaks_off_is_an_error() {
    let market = market_at(OPEN).await;
    let client = client_at(format!("http://{}/simulate/cut/v2", market.addr()));
    let mut bytes = Vec::new();
    assert!(client.master(Columns::Compact, &mut bytes).await.is_err());
}
