//! What must hold at any moment, of anything that is listed.

use super::*;

/// Before the market opens, as it opens, in its first minute, in its last second, after it, on a holiday
/// of shares, on the day contracts end, at night.
const MOMENTS: &[&str] = &[
    "2026-11-13T03:44:59Z",
    "2026-11-13T03:45:00Z",
    "2026-11-13T03:45:50Z",
    "2026-11-13T09:59:59Z",
    "2026-11-13T10:00:00Z",
    "2026-11-10T06:00:00Z",
    "2026-11-23T09:30:00Z",
    "2026-11-23T12:00:00Z",
    "2026-11-13T17:59:00Z",
    "2025-08-28T07:00:00Z",
    "2024-02-29T07:00:00Z",
];

#[tokio::test]
async fn quotes_are_whole_at_any_moment() {
    for moment in MOMENTS {
        let market = market_at(moment).await;
        let master = get(&market, "/api-data/api-scrip-master.csv").await.body;
        let mut asked: std::collections::BTreeMap<&str, Vec<&str>> = Default::default();
        for row in master.lines().skip(1).step_by(29).filter(|row| !row.contains("NSETEST")) {
            let columns: Vec<_> = row.split(',').collect();
            let segment = Segment::of_master(columns[0], columns[1]).unwrap();
            asked.entry(segment.as_str()).or_default().push(columns[2]);
        }
        let parts = asked.iter().map(|(segment, ids)| format!("\"{segment}\":[{}]", ids.join(",")));
        let body = format!("{{{}}}", parts.collect::<Vec<_>>().join(","));
        let [ltp, ohlc, full] = [
            post(&market, "/marketfeed/ltp", &body).await.json(),
            post(&market, "/marketfeed/ohlc", &body).await.json(),
            post(&market, "/marketfeed/quote", &body).await.json(),
        ];
        let number = |value: &Value| value.as_f64().unwrap();
        for (segment, id) in
            asked.iter().flat_map(|(segment, ids)| ids.iter().map(move |id| (segment, id)))
        {
            let quote = &full["data"][segment][id];
            let what = format!("{moment} {segment} {id}: {quote}");
            assert_eq!(quote["last_price"], ltp["data"][segment][id]["last_price"], "{what}");
            assert_eq!(quote["ohlc"], ohlc["data"][segment][id]["ohlc"], "{what}");
            let last = number(&quote["last_price"]);
            let (low, high) = (number(&quote["ohlc"]["low"]), number(&quote["ohlc"]["high"]));
            let open = number(&quote["ohlc"]["open"]);
            assert!(0.0 < low && low <= last && last <= high, "{what}");
            assert!(low <= open && open <= high, "{what}");
            if *segment != "IDX_I" {
                assert!(number(&quote["lower_circuit_limit"]) <= low, "{what}");
                assert!(number(&quote["upper_circuit_limit"]) >= high, "{what}");
                let average = number(&quote["average_price"]);
                assert!(average == 0.0 || (low - 0.01..=high + 0.01).contains(&average), "{what}");
                assert_eq!(quote["depth"]["buy"].as_array().unwrap().len(), 5);
            }
            let (oi, most) = (number(&quote["oi"]), number(&quote["oi_day_high"]));
            assert!(number(&quote["oi_day_low"]) <= oi && oi <= most, "{what}");
        }
    }
}

#[tokio::test]
async fn a_quote_of_a_moment_is_in_the_minute_of_it() {
    // What was told at eleven is what the day, looked at later, has at eleven.
    let (eleven, later) = (market_at("2026-11-13T05:30:00Z").await, market_at(SUNDAY).await);
    let body = r#"{"NSE_EQ":[2885,11536,1333]}"#;
    let told = post(&eleven, "/marketfeed/ltp", body).await.json();
    for id in ["2885", "11536", "1333"] {
        let body = format!(
            r#"{{"securityId":"{id}","exchangeSegment":"NSE_EQ","instrument":"EQUITY","interval":1,"fromDate":"2026-11-13 11:00:00","toDate":"2026-11-13 11:01:00"}}"#
        );
        let minute = post(&later, "/charts/intraday", &body).await.json();
        assert_eq!(minute["open"][0], told["data"]["NSE_EQ"][id]["last_price"]);
    }
}

#[tokio::test]
async fn an_option_ends_at_what_it_brings() {
    let market = market_at("2026-11-17T12:00:00Z").await;
    let body = r#"{"UnderlyingScrip":13,"UnderlyingSeg":"IDX_I","Expiry":"2026-11-17"}"#;
    let chain = post(&market, "/optionchain", body).await.json();
    let spot = chain["data"]["last_price"].as_f64().unwrap();
    for (strike, pair) in chain["data"]["oc"].as_object().unwrap() {
        let strike: f64 = strike.parse().unwrap();
        let (call, put) = (&pair["ce"]["last_price"], &pair["pe"]["last_price"]);
        assert!(
            (call.as_f64().unwrap() - (spot - strike).max(0.05)).abs() < 0.2,
            "{strike} {call}"
        );
        assert!((put.as_f64().unwrap() - (strike - spot).max(0.05)).abs() < 0.2, "{strike} {put}");
    }
    // The day after, it is gone.
    let after = market_at("2026-11-18T05:00:00Z").await;
    assert!(post(&after, "/optionchain", body).await.json()["data"]["811"].is_string());
}
