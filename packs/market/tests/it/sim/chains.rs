use toolwright_market::{Detail, Kind, MarketErrorKind};

use super::*;

#[tokio::test]
async fn contracts_end_on_the_days_the_exchanges_say() {
    let market = market_at(OPEN).await;
    let client = client(&market);
    let days = |key| {
        let client = client.clone();
        async move {
            let days = client.expiries(&access(), key).await.unwrap();
            days.iter().map(ToString::to_string).collect::<Vec<_>>()
        }
    };
    // Tuesdays; the 24th of November is a holiday, so that month's contracts end on Monday.
    assert_eq!(
        days(NIFTY).await,
        ["2026-11-17", "2026-11-23", "2026-12-01", "2026-12-08", "2026-12-29", "2027-01-25"]
    );
    // Thursdays.
    assert_eq!(
        days(SENSEX).await,
        ["2026-11-19", "2026-11-26", "2026-12-03", "2026-12-10", "2026-12-31"]
    );
    assert_eq!(days(RELIANCE).await, ["2026-11-23", "2026-12-29"]);
}

#[tokio::test]
async fn calls_and_puts_agree_with_each_other_and_with_quotes() {
    let market = market_at(OPEN).await;
    let client = client(&market);
    for key in [NIFTY, SENSEX, RELIANCE] {
        for expiry in client.expiries(&access(), key).await.unwrap() {
            let chain = client.option_chain(&access(), key, expiry).await.unwrap();
            let spot = client.quotes(&access(), &[key], Detail::Ltp).await.unwrap()[0].1.last_price;
            assert_eq!(chain.last_price, spot);
            assert!(chain.strikes.is_sorted_by(|a, b| a.strike < b.strike));
            assert!(chain.strikes[0].strike < spot);
            assert!(spot < chain.strikes[chain.strikes.len() - 1].strike);
            let calls: Vec<_> = chain.strikes.iter().map(|it| it.call.clone().unwrap()).collect();
            let puts: Vec<_> = chain.strikes.iter().map(|it| it.put.clone().unwrap()).collect();
            assert!(calls.is_sorted_by(|a, b| a.last_price >= b.last_price));
            assert!(puts.is_sorted_by(|a, b| a.last_price <= b.last_price));
            assert!(calls.is_sorted_by(|a, b| a.delta >= b.delta), "{key} {expiry}");
            // Call and put differ by what buying the underlying later costs: nowhere by more than a
            // few steps of their prices, beside what carrying it costs.
            let days = (expiry.since("2026-11-13".parse::<jiff::civil::Date>().unwrap()))
                .unwrap()
                .get_days();
            for (strike, (call, put)) in chain.strikes.iter().zip(calls.iter().zip(&puts)) {
                let left = call.last_price - put.last_price;
                let carry = 0.055 * (f64::from(days) + 0.2) / 365.0;
                let right = spot - strike.strike * (-carry).exp();
                assert!((left - right).abs() < 0.2 + spot * 1e-4, "{key} {expiry} {strike:?}");
                assert!(call.delta.unwrap() >= 0.0 && put.delta.unwrap() <= 0.0);
                assert!(call.gamma.unwrap() >= 0.0 && call.vega.unwrap() >= 0.0);
                let fear = call.implied_volatility.unwrap();
                assert!((5.0..80.0).contains(&fear), "{fear}");
            }
        }
    }
}

#[tokio::test]
async fn an_option_of_a_chain_has_quotes_and_candles() {
    let market = market_at(OPEN).await;
    let client = client(&market);
    let expiry = client.expiries(&access(), NIFTY).await.unwrap()[0];
    let chain = client.option_chain(&access(), NIFTY, expiry).await.unwrap();
    let nearest = chain.strikes.iter().min_by(|a, b| {
        (a.strike - chain.last_price).abs().total_cmp(&(b.strike - chain.last_price).abs())
    });
    let call = nearest.unwrap().call.clone().unwrap();
    let key = Key { segment: Segment::NseFno, id: call.security_id.unwrap() };
    let quote = client.quotes(&access(), &[key], Detail::Full).await.unwrap().remove(0).1;
    assert_eq!(quote.last_price, call.last_price);
    assert_eq!(quote.ohlc.unwrap().close, call.previous_close.unwrap());
    assert_eq!((quote.oi, quote.volume), (call.oi, call.volume));
    let (bid, ask) = (call.bid.unwrap(), call.ask.unwrap());
    assert!(bid < call.last_price && call.last_price < ask);
    assert!(quote.lower_circuit.unwrap() < bid && ask < quote.upper_circuit.unwrap());
    let (from, to) = ("2026-11-12".parse().unwrap(), "2026-11-13".parse().unwrap());
    let days = client.daily(&access(), key, Kind::OptIdx, from, to).await.unwrap();
    assert_eq!((days[0].close, days[1].close), (call.previous_close.unwrap(), call.last_price));
    assert_eq!((days[0].oi, days[1].oi), (call.previous_oi, call.oi));
}

#[tokio::test]
async fn open_interest_gathers_at_round_strikes() {
    let market = market_at(OPEN).await;
    let client = client(&market);
    let expiry = client.expiries(&access(), NIFTY).await.unwrap()[1];
    let chain = client.option_chain(&access(), NIFTY, expiry).await.unwrap();
    let most = chain.strikes.iter().max_by_key(|it| it.call.as_ref().unwrap().oi).unwrap();
    assert_eq!(most.strike % 500.0, 0.0, "{most:?}");
}

#[tokio::test]
async fn what_has_no_chain_is_refused() {
    let market = market_at(OPEN).await;
    for (body, status, code) in [
        (r#"{"UnderlyingScrip":13,"UnderlyingSeg":"IDX_I","Expiry":"2026-11-18"}"#, 400, "811"),
        (r#"{"UnderlyingScrip":13,"UnderlyingSeg":"IDX_I","Expiry":"18/11/2026"}"#, 400, "812"),
        (r#"{"UnderlyingScrip":4711,"UnderlyingSeg":"IDX_I","Expiry":"2026-11-17"}"#, 400, "813"),
        (r#"{"UnderlyingScrip":"13","UnderlyingSeg":"IDX_I","Expiry":"2026-11-17"}"#, 400, "814"),
        (r#"{"UnderlyingScrip":13,"UnderlyingSeg":"IDX_I"}"#, 400, "814"),
    ] {
        let refused = post(&market, "/optionchain", body).await;
        let answer = refused.json();
        assert_eq!(refused.status, status, "{body}");
        assert!(answer["data"].get(code).is_some() && answer["status"] == "failed", "{answer}");
    }
    let gone = client(&market)
        .option_chain(&access(), NIFTY, "2026-11-18".parse().unwrap())
        .await
        .unwrap_err();
    assert!(matches!(gone.kind, MarketErrorKind::Input | MarketErrorKind::NoData), "{gone:?}");
}
