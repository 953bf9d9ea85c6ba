use toolwright_market::{Detail, MarketErrorKind};

use super::*;

const QUOTE: &str = r#"{"NSE_EQ":[2885]}"#;

#[tokio::test]
async fn each_family_of_endpoints_tells_who_is_not_let_in() {
    let market = market_at(OPEN).await;
    let client_id = ("client-id", "1000000001");
    for (headers, feed, trading) in [
        (vec![client_id], "808", "DH-901"),
        (vec![("access-token", "expired"), client_id], "807", "DH-901"),
        (vec![("access-token", "invalid"), client_id], "809", "DH-901"),
        (vec![("access-token", "any"), ("client-id", "invalid")], "810", "DH-901"),
    ] {
        for path in ["/marketfeed/ltp", "/optionchain", "/optionchain/expirylist"] {
            let refused = ask(&market, &format!("POST /v2{path}"), &headers, QUOTE).await;
            assert_eq!(refused.status, 401, "{headers:?}");
            let body = refused.json();
            assert!(body["data"][feed].is_string() && body["status"] == "failed", "{body}");
        }
        for what in ["POST /v2/charts/intraday", "GET /v2/holdings", "GET /v2/profile"] {
            let refused = ask(&market, what, &headers, "").await;
            assert_eq!((refused.status, &refused.json()["errorCode"]), (401, &trading.into()));
        }
    }
    // Quotes and chains need the client's number as well; the others do not.
    let token = [("access-token", "any")];
    let refused = ask(&market, "POST /v2/marketfeed/ltp", &token, QUOTE).await;
    assert_eq!(refused.status, 401);
    assert_eq!(ask(&market, "GET /v2/fundlimit", &token, "").await.status, 200);
}

#[tokio::test]
async fn without_a_plan_there_is_an_account_and_no_data() {
    let market = market_at(OPEN).await;
    let headers = [("access-token", "nodata"), ("client-id", "1000000001")];
    let refused = ask(&market, "POST /v2/marketfeed/quote", &headers, QUOTE).await;
    assert!(refused.json()["data"]["806"].is_string());
    let refused = ask(&market, "POST /v2/charts/historical", &headers, "{}").await;
    assert_eq!(refused.json()["errorCode"], "DH-902");
    assert_eq!(ask(&market, "GET /v2/holdings", &headers, "").await.status, 200);
    let access = Access::new("nodata", "1000000001");
    let error = client(&market).quotes(&access, &[RELIANCE], Detail::Full).await.unwrap_err();
    assert_eq!(error.kind, MarketErrorKind::NotSubscribed);
}

#[tokio::test]
async fn a_bad_request_for_quotes_is_814() {
    let market = market_at(OPEN).await;
    for body in
        ["", "[]", "{}", r#"{"NSE_FO":[1]}"#, r#"{"NSE_EQ":["2885"]}"#, r#"{"NSE_EQ":2885}"#]
    {
        let refused = post(&market, "/marketfeed/ltp", body).await;
        assert_eq!(refused.status, 400, "{body}");
        assert!(refused.json()["data"]["814"].is_string());
    }
}

#[tokio::test]
async fn no_order_is_placed() {
    let market = market_at(OPEN).await;
    for (what, status) in [
        ("POST /v2/orders", 404),
        ("DELETE /v2/orders/1", 404),
        ("DELETE /v2/positions", 405),
        ("POST /v2/positions", 405),
        ("GET /v2/marketfeed/ltp", 405),
        ("GET /", 404),
    ] {
        let refused = ask(&market, what, HEADERS, "{}").await;
        assert_eq!(refused.status, status, "{what}");
        let body = refused.json();
        assert_eq!((&body["status"], &body["errorCode"]), (&"failure".into(), &"DH-910".into()));
    }
}

#[tokio::test]
async fn it_stops_when_it_is_dropped_and_when_it_is_told() {
    let market = market_at(OPEN).await;
    let addr = market.addr();
    assert_eq!(market.base_url(), format!("http://{addr}/v2"));
    drop(market);
    for _ in 0..100 {
        if TcpStream::connect(addr).await.is_err() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(TcpStream::connect(addr).await.is_err());
    market_at(OPEN).await.run_until(async {}).await;
    let taken = market_at(OPEN).await;
    let settings = SimSettings { addr: taken.addr(), ..SimSettings::default() };
    let error = Simulator::start(settings).await.unwrap_err();
    assert!(error.message.contains("cannot listen"), "{error}");
}
