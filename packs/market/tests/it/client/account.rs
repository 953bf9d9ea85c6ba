//! The account.

use jiff::civil::date;
use serde_json::json;
use toolwright_market::{
    DataPlan, Direction, Funds, Holding, Key, MarketErrorKind, Position, Profile, Segment, Side,
};

use super::{
    access,
    broker::{Answer, Broker},
    client, error_of,
};

#[tokio::test]
async fn positions() {
    let option = json!({
        "dhanClientId": "1000000001", "tradingSymbol": "NIFTY-Oct2024-25800-CE", "securityId": "44430",
        "positionType": "SHORT", "exchangeSegment": "NSE_FNO", "productType": "MARGIN", "buyAvg": 0,
        "buyQty": 0, "costPrice": 100.5, "sellAvg": "100.5", "sellQty": 25, "netQty": -25,
        "realizedProfit": 0.0, "unrealizedProfit": 512.5, "drvExpiryDate": "2024-10-24 14:30:00",
        "drvOptionType": "CALL", "drvStrikePrice": 25800.0
    });
    let share = json!({"tradingSymbol": "TCS", "securityId": 11536, "exchangeSegment": "NSE_EQ",
        "netQty": 3, "drvExpiryDate": "0001-01-01", "drvOptionType": null, "drvStrikePrice": 0.0});
    let broker = Broker::saying([Answer::json(&json!([option, share]))]).await;
    let positions = client(&broker).positions(&access()).await.unwrap();
    let option = Position {
        symbol: String::from("NIFTY-Oct2024-25800-CE"),
        key: Some(Key { segment: Segment::NseFno, id: 44_430 }),
        direction: Direction::Short,
        product: String::from("MARGIN"),
        net_quantity: -25,
        buy_quantity: 0,
        buy_average: 0.0,
        sell_quantity: 25,
        sell_average: 100.5,
        cost_price: 100.5,
        realized_profit: 0.0,
        unrealized_profit: 512.5,
        expiry: Some(date(2024, 10, 24)),
        strike: Some(25_800.0),
        side: Some(Side::Call),
    };
    let share = Position {
        symbol: String::from("TCS"),
        key: Some(super::TCS),
        direction: Direction::Long,
        product: String::new(),
        net_quantity: 3,
        sell_quantity: 0,
        sell_average: 0.0,
        cost_price: 0.0,
        unrealized_profit: 0.0,
        expiry: None,
        strike: None,
        side: None,
        ..option.clone()
    };
    assert_eq!(positions, [option, share]);
    let seen = broker.seen();
    assert_eq!((seen[0].method.as_str(), seen[0].path.as_str()), ("GET", "/v2/positions"));
}

#[tokio::test]
async fn holdings() {
    let body = json!([{"exchange": "ALL", "tradingSymbol": "HDFCBANK", "securityId": "1333",
        "isin": "INE040A01034", "totalQty": 1000, "dpQty": 1000, "t1Qty": 2, "availableQty": 998,
        "collateralQty": 5, "avgCostPrice": 2655.0, "lastTradedPrice": 2780.5}]);
    let broker = Broker::saying([Answer::json(&body), Answer::json(&json!({"data": body}))]).await;
    let holding = Holding {
        symbol: String::from("HDFCBANK"),
        exchange: String::from("ALL"),
        security_id: Some(1333),
        isin: Some(String::from("INE040A01034")),
        quantity: 1000,
        available: 998,
        arriving: 2,
        collateral: 5,
        average_cost: 2655.0,
        last_price: Some(2780.5),
    };
    let client = client(&broker);
    for form in ["bare", "wrapped"] {
        let holdings = client.holdings(&access()).await.unwrap();
        assert_eq!(holdings, std::slice::from_ref(&holding), "{form}");
    }
    assert_eq!(broker.seen()[0].path, "/v2/holdings");
}

#[tokio::test]
async fn an_account_without_anything() {
    for status in [400, 500, 200] {
        let body = json!({"errorType": "HOLDING_ERROR", "errorCode": "DH-1111",
            "errorMessage": "No holdings available"});
        let broker = Broker::saying([Answer::error(status, &body)]).await;
        let client = client(&broker);
        assert_eq!(client.holdings(&access()).await.unwrap(), []);
        assert_eq!(client.positions(&access()).await.unwrap(), []);
        assert_eq!(broker.asked(), 2, "nothing was repeated");
    }
}

#[tokio::test]
async fn funds() {
    let body = json!({"dhanClientId": "1000000001", "availabelBalance": 98440.0, "sodLimit": 113642,
        "collateralAmount": 0.0, "receiveableAmount": 0.0, "utilizedAmount": "15202.0",
        "blockedPayoutAmount": 0.0});
    let broker = Broker::saying([Answer::json(&body)]).await;
    let funds = Funds {
        available: Some(98_440.0),
        start_of_day: Some(113_642.0),
        collateral: Some(0.0),
        receivable: Some(0.0),
        utilized: Some(15_202.0),
        blocked_payout: Some(0.0),
        withdrawable: None,
    };
    assert_eq!(client(&broker).funds(&access()).await.unwrap(), funds);
    assert_eq!(broker.seen()[0].path, "/v2/fundlimit");
}

#[tokio::test]
async fn a_profile() {
    let body = json!({"dhanClientId": "1000000001", "tokenValidity": "30/03/2025 15:37",
        "activeSegment": "Equity, Derivative", "ddpi": "Active", "mtf": "Active",
        "dataPlan": "Active", "dataValidity": "2024-12-05 09:37:52.0"});
    let broker =
        Broker::saying([Answer::json(&body), Answer::json(&json!({"dataPlan": "Deactive"}))]).await;
    let client = client(&broker);
    let profile = Profile {
        client_id: Some(String::from("1000000001")),
        token_until: Some(date(2025, 3, 30).at(15, 37, 0, 0)),
        segments: vec![String::from("Equity"), String::from("Derivative")],
        data_plan: DataPlan::Active,
        data_until: Some(date(2024, 12, 5).at(9, 37, 52, 0)),
    };
    assert_eq!(client.profile(&access()).await.unwrap(), profile);
    let profile = client.profile(&access()).await.unwrap();
    assert_eq!((profile.data_plan, profile.segments), (DataPlan::Inactive, vec![]));
    assert_eq!(broker.seen()[0].path, "/v2/profile");
}

#[tokio::test]
async fn what_is_no_list() {
    let broker = Broker::saying([Answer::json(&json!({"hello": 1}))]).await;
    let error = error_of(client(&broker).positions(&access()).await);
    assert_eq!(error.kind, MarketErrorKind::Unreadable);
}
