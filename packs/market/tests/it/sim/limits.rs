use toolwright_market::{Detail, MarketErrorKind, Rate};

use super::*;

const QUOTE: &str = r#"{"NSE_EQ":[2885]}"#;
const CHAIN: &str = r#"{"UnderlyingScrip":13,"UnderlyingSeg":"IDX_I","Expiry":"2026-11-17"}"#;
const OTHER: &str = r#"{"UnderlyingScrip":13,"UnderlyingSeg":"IDX_I","Expiry":"2026-11-23"}"#;

/// A market with the documented numbers of requests, in times that no slow machine outlasts.
async fn limited() -> Simulator {
    let mut limits = Limits::default();
    let Limits { quotes, charts, chains, account } = &mut limits;
    for rate in [quotes, charts, chains, account].into_iter().flatten() {
        rate.per *= 1_000;
    }
    let clock = Clock::Fixed(OPEN.parse().unwrap());
    Simulator::start(SimSettings { clock, limits, ..SimSettings::default() }).await.unwrap()
}

#[test]
fn limits_are_the_documented_ones_and_the_client_keeps_them() {
    let seconds = Duration::from_secs;
    let limits = Limits {
        quotes: vec![Rate { requests: 1, per: seconds(1) }],
        charts: vec![
            Rate { requests: 5, per: seconds(1) },
            Rate { requests: 100_000, per: seconds(86_400) },
        ],
        chains: vec![Rate { requests: 1, per: seconds(3) }],
        account: vec![Rate { requests: 20, per: seconds(1) }],
    };
    assert_eq!(SimSettings::default().limits, limits);
    let pace = Pace::default();
    let kept = [
        (pace.quotes, &limits.quotes[0]),
        (pace.data, &limits.charts[0]),
        (pace.chain, &limits.chains[0]),
        (pace.other, &limits.account[0]),
    ];
    assert!(kept.iter().all(|(pace, rate)| *pace * rate.requests >= rate.per));
}

#[tokio::test]
async fn quotes_of_any_detail_share_one_a_second() {
    let market = limited().await;
    assert_eq!(post(&market, "/marketfeed/ltp", QUOTE).await.status, 200);
    let refused = post(&market, "/marketfeed/quote", QUOTE).await;
    assert_eq!(refused.status, 429);
    assert!(refused.json()["data"]["805"].is_string());
    // Another client has a limit of its own.
    let other = [("access-token", "any"), ("client-id", "1000000002")];
    assert_eq!(ask(&market, "POST /v2/marketfeed/ltp", &other, QUOTE).await.status, 200);
    let error = client(&market).quotes(&access(), &[RELIANCE], Detail::Full).await.unwrap_err();
    assert_eq!(error.kind, MarketErrorKind::RateLimited);
}

#[tokio::test]
async fn a_limit_passes() {
    let rate = Rate { requests: 1, per: Duration::from_millis(300) };
    let limits = Limits { quotes: vec![rate], ..Limits::none() };
    let clock = Clock::Fixed(OPEN.parse().unwrap());
    let settings = SimSettings { clock, limits, ..SimSettings::default() };
    let market = Simulator::start(settings).await.unwrap();
    assert_eq!(post(&market, "/marketfeed/ltp", QUOTE).await.status, 200);
    tokio::time::sleep(rate.per).await;
    assert_eq!(post(&market, "/marketfeed/ltp", QUOTE).await.status, 200);
}

#[tokio::test]
async fn candles_come_five_a_second_and_the_account_twenty() {
    let market = limited().await;
    let mut answers = Vec::new();
    for _ in 0..6 {
        // Refused for what it asks, but counted.
        answers.push(post(&market, "/charts/historical", "{}").await);
    }
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [400, 400, 400, 400, 400, 429]);
    assert_eq!(answers[5].json()["errorCode"], "DH-904");
    let mut statuses = Vec::new();
    for _ in 0..21 {
        statuses.push(get(&market, "/v2/fundlimit").await.status);
    }
    assert_eq!(statuses, [[200; 20].as_slice(), &[429]].concat());
}

#[tokio::test]
async fn each_chain_comes_once_in_three_seconds() {
    let market = limited().await;
    assert_eq!(post(&market, "/optionchain", CHAIN).await.status, 200);
    assert_eq!(post(&market, "/optionchain", OTHER).await.status, 200);
    let refused = post(&market, "/optionchain", CHAIN).await;
    assert_eq!((refused.status, refused.json()["data"]["805"].is_string()), (429, true));
}
