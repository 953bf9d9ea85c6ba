use toolwright_market::Columns;

use super::*;

async fn file(market: &Simulator, columns: Columns) -> String {
    let mut bytes = Vec::new();
    client(market).master(columns, &mut bytes).await.unwrap();
    String::from_utf8(bytes).unwrap()
}

#[tokio::test]
async fn both_layouts_list_a_few_thousand_and_each_number_once() {
    let market = market_at(OPEN).await;
    for (columns, width) in [(Columns::Compact, 16), (Columns::Detailed, 42)] {
        let file = file(&market, columns).await;
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(file.as_bytes());
        assert_eq!(reader.headers().unwrap().len(), width);
        let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert!((2_500..9_000).contains(&rows.len()), "{}", rows.len());
        let extra = if columns == Columns::Detailed { 1 } else { 0 };
        assert!(rows.iter().all(|row| row.len() == width + extra));
        let mut keys: Vec<_> = rows
            .iter()
            .map(|row| (Segment::of_master(&row[0], &row[1]).unwrap(), row[2].to_owned()))
            .collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), rows.len(), "two papers have the same number");
        assert_eq!(file.matches("\r\n").count(), rows.len() + 1);
    }
}

#[tokio::test]
async fn rows_look_as_the_broker_writes_them() {
    let market = market_at(OPEN).await;
    let compact = file(&market, Columns::Compact).await;
    let detailed = file(&market, Columns::Detailed).await;
    for row in [
        "NSE,I,13,INDEX,0,NIFTY,1.0,Nifty 50,,7.00000,,1.0000,NA,INDEX,X,NIFTY",
        "NSE,E,2885,EQUITY,0,RELIANCE,1.0,Reliance Industries,,,,10.0000,NA,ES,EQ,RELIANCE INDUSTRIES LTD",
        "BSE,E,500325,EQUITY,0,RELIANCE,1.0,Reliance Industries,,,,5.0000,NA,ES,A,RELIANCE INDUSTRIES LTD",
    ] {
        assert!(compact.contains(&format!("\r\n{row}\r\n")), "{row}");
    }
    for part in [
        ",FUTIDX,0,NIFTY-Dec2026-FUT,65.0,NIFTY DEC FUT,2026-12-29 14:30:00,-0.01000,XX,10.0000,M,FUT,,\r\n",
        ",OPTIDX,0,NIFTY-Nov2026-25000-CE,65.0,NIFTY 17 NOV 25000 CALL,2026-11-17 14:30:00,25000.00000,CE,5.0000,W,OP,,\r\n",
        ",FUTCOM,0,CRUDEOIL-19Nov2026-FUT,1.0,CRUDEOIL NOV FUT,2026-11-19 23:30:00,0.00000,XX,100.0000,M,FUTCOM,2,CRUDEOIL\r\n",
        ",FUTSTK,0,011NSETEST-Nov2036-FUT,50.0,011NSETEST 27 NOV FUT,2036-11-27 14:30:00,-0.01000,XX,5.0000,W,FUT,,\r\n",
        ",M&M,",
        ",BAJAJ-AUTO,",
        "\"CHOLAMANDALAM IN & FIN CO, 8.40% NCD 2028\"",
    ] {
        assert!(compact.contains(part), "{part}");
    }
    for part in [
        "NSE,I,13,NA,INDEX,13,NIFTY,NIFTY,Nifty 50,INDEX,NA,1.0,0001-01-01,,XX,0.0500,N,",
        "BSE,I,51,NA,INDEX,51,SENSEX,SENSEX,S&P BSE SENSEX,INDEX,NA,1.0,0001-01-01,,XX,0.0100,N,",
        "NSE,E,3045,INE062A01020,EQUITY,,SBIN,\"STATE BANK OF INDIA\",State Bank,ES,EQ,1.0,,,,",
        ",NA,FUTIDX,26000,NIFTY,NIFTY-Dec2026-FUT,NIFTY DEC FUT,FUT,NA,65.0,2026-12-29,-0.01000,XX,10.0000,M,",
        ",NA,OPTIDX,26000,NIFTY,NIFTY-Nov2026-25000-CE,NIFTY 17 NOV 25000 CALL,OP,NA,65.0,2026-11-17,25000.00000,CE,5.0000,W,",
        ",NA,FUTCOM,294,CRUDEOIL,CRUDEOIL,CRUDEOIL NOV FUT,FUTCOM,2,1.0,2026-11-19,0.00000,XX,100.0000,M,",
    ] {
        assert!(detailed.contains(part), "{part}");
    }
}

#[tokio::test]
async fn a_contract_keeps_its_number_from_day_to_day() {
    let (friday, monday) = (market_at(OPEN).await, market_at("2026-11-16T05:30:00Z").await);
    let row = |file: &str| {
        let row = file.lines().find(|row| row.contains(",NIFTY 29 DEC 25000 CALL,")).unwrap();
        row.to_owned()
    };
    let (one, other) =
        (file(&friday, Columns::Compact).await, file(&monday, Columns::Compact).await);
    assert_eq!(row(&one), row(&other));
}

#[tokio::test]
async fn a_segment_is_elsewhere_and_needs_no_token() {
    let market = market_at(OPEN).await;
    let answer = ask(&market, "GET /v2/instrument/NSE_EQ", &[], "").await;
    assert_eq!(answer.status, 307);
    let place = answer.head.lines().find_map(|line| line.strip_prefix("location: ")).unwrap();
    let place = place.replace("nse_eq", "NSE_EQ");
    let file = ask(&market, &format!("GET {place}"), &[], "").await;
    assert!(file.head.contains("text/csv"));
    assert!(file.body.lines().skip(1).all(|row| row.starts_with("NSE,E,")));
    assert_eq!(get(&market, "/v2/instrument/NSE_IDX").await.status, 400);
    assert_eq!(get(&market, "/v2/master/other.csv").await.status, 404);
}
