use toolwright_market::{DataPlan, Detail, Direction};

use super::*;

#[tokio::test]
async fn holdings_and_positions_agree_with_quotes() {
    let market = market_at(OPEN).await;
    let client = client(&market);
    let price = |key: Key| {
        let client = client.clone();
        async move { client.quotes(&access(), &[key], Detail::Ltp).await.unwrap()[0].1.last_price }
    };
    let holdings = client.holdings(&access()).await.unwrap();
    assert_eq!(holdings.len(), 6);
    for holding in holdings {
        let key = Key { segment: Segment::NseEq, id: holding.security_id.unwrap() };
        assert_eq!(holding.last_price, Some(price(key).await));
        assert!(holding.average_cost > 0.0 && holding.quantity > 0);
    }
    let positions = client.positions(&access()).await.unwrap();
    let directions: Vec<_> = positions.iter().map(|it| it.direction).collect();
    use Direction::{Closed, Long, Short};
    assert_eq!(directions, [Long, Short, Long, Closed]);
    for position in &positions {
        let now = price(position.key.unwrap()).await;
        let gained = position.net_quantity as f64 * (now - position.cost_price);
        assert!((position.unrealized_profit - gained).abs() < 0.01, "{position:?}");
    }
    assert!(positions[3].realized_profit > 0.0);
    assert!(positions[1].strike.unwrap() > 0.0 && positions[1].expiry.is_some());
    let funds = client.funds(&access()).await.unwrap();
    assert!(funds.available.unwrap() > 0.0 && funds.available.unwrap() < 500_000.0);
}

#[tokio::test]
async fn an_empty_account_is_empty() {
    let market = market_at(OPEN).await;
    let empty = Access::new("empty", "1000000001");
    let headers = [("access-token", "empty")];
    let refused = ask(&market, "GET /v2/holdings", &headers, "").await.json();
    assert_eq!(refused["errorCode"], "DH-1111");
    assert_eq!(client(&market).holdings(&empty).await.unwrap(), []);
    assert_eq!(client(&market).positions(&empty).await.unwrap(), []);
}

#[tokio::test]
async fn a_profile_tells_the_plan() {
    let market = market_at(OPEN).await;
    let profile = client(&market).profile(&access()).await.unwrap();
    assert_eq!(profile.data_plan, DataPlan::Active);
    let raw = get(&market, "/v2/profile").await.json();
    assert_eq!(raw["tokenValidity"], "14/11/2026 11:00");
    assert_eq!(raw["dhanClientId"], "1000000001");
    let without = Access::new("nodata", "1000000001");
    let profile = client(&market).profile(&without).await.unwrap();
    assert_ne!(profile.data_plan, DataPlan::Active);
}
