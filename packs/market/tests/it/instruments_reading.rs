//! What the list looks like in the wild.

use jiff::civil::Date;
use toolwright_market::{
    Instrument, Instruments, Key, Kind, MarketErrorKind, Query, Segment, Side,
};

const COMPACT: &str = include_str!("instruments/compact.csv");
const DETAILED: &str = include_str!("instruments/detailed.csv");

fn read(csv: &str) -> Instruments {
    Instruments::read(csv.as_bytes()).unwrap()
}

fn get(instruments: &Instruments, segment: Segment, id: u64) -> Instrument {
    instruments.get(Key { segment, id }).unwrap()
}

#[test]
fn a_share() {
    let share = Instrument {
        key: Key { segment: Segment::NseEq, id: 2885 },
        symbol: "RELIANCE".into(),
        name: "Reliance Industries".into(),
        underlying: "RELIANCE".into(),
        kind: Kind::Equity,
        series: "EQ".into(),
        lot_size: 1,
        tick: 0.1,
        expiry: None,
        strike: None,
        side: None,
    };
    assert_eq!(get(&read(COMPACT), Segment::NseEq, 2885), share);
    let share = get(&read(DETAILED), Segment::NseEq, 3045);
    assert_eq!((share.symbol.as_str(), share.name.as_str()), ("SBIN", "State Bank"));
}

#[test]
fn an_option() {
    let option = Instrument {
        key: Key { segment: Segment::NseFno, id: 35_000 },
        symbol: "NIFTY-Sep2026-25000-CE".into(),
        name: "NIFTY 24 SEP 25000 CALL".into(),
        underlying: "NIFTY".into(),
        kind: Kind::OptIdx,
        series: String::new(),
        lot_size: 75,
        tick: 0.05,
        expiry: Some(Date::constant(2026, 9, 24)),
        strike: Some(25_000.0),
        side: Some(Side::Call),
    };
    assert_eq!(get(&read(DETAILED), Segment::NseFno, 35_000), option);
    let option = get(&read(COMPACT), Segment::NseFno, 44_430);
    assert_eq!(option.underlying, "NIFTY");
    assert_eq!(option.expiry, Some(Date::constant(2024, 10, 24)));
    assert_eq!((option.strike, option.side), (Some(25_800.0), Some(Side::Call)));
}

#[test]
fn only_options_have_a_strike_and_only_contracts_a_last_day() {
    for (list, future, index) in [(read(COMPACT), 58_072, 13), (read(DETAILED), 68_407, 13)] {
        let future = get(&list, Segment::NseFno, future);
        assert_eq!((future.strike, future.side), (None, None));
        assert!(future.expiry.is_some());
        let index = get(&list, Segment::Index, index);
        assert_eq!((index.strike, index.expiry), (None, None));
    }
}

#[test]
fn ticks_are_in_rupees() {
    let (compact, detailed) = (read(COMPACT), read(DETAILED));
    assert_eq!(get(&compact, Segment::BseEq, 500_325).tick, 0.05);
    assert_eq!(get(&compact, Segment::McxComm, 569_900).tick, 1.0);
    assert_eq!(get(&compact, Segment::NseCurrency, 1_100).tick, 0.0025);
    assert_eq!(get(&detailed, Segment::Index, 13).tick, 0.05);
    assert_eq!(get(&detailed, Segment::Index, 51).tick, 0.01);
}

#[test]
fn one_number_may_be_two_instruments() {
    let list = read(COMPACT);
    assert_eq!(get(&list, Segment::Index, 13).symbol, "NIFTY");
    assert_eq!(get(&list, Segment::NseEq, 13).symbol, "ABB");
}

#[test]
fn tests_of_the_exchange_are_left_out() {
    for list in [read(COMPACT), read(DETAILED)] {
        assert_eq!(list.get(Key { segment: Segment::NseFno, id: 36_687 }), None);
        assert!(list.search(&Query::new("011NSETEST")).iter().all(|it| it.key.id != 36_687));
    }
}

#[test]
fn hyphens_ampersands_and_quoted_commas() {
    let list = read(COMPACT);
    assert_eq!(get(&list, Segment::NseFno, 60_001).underlying, "BAJAJ-AUTO");
    assert_eq!(get(&list, Segment::NseFno, 60_002).underlying, "M&M");
    assert_eq!(get(&list, Segment::NseEq, 7001).name, "Acme, Sons & Co");
    let found = list.search(&Query::new("acme sons"));
    assert_eq!(found.first().map(|it| it.key.id), Some(7001));
}

#[test]
fn contracts_without_a_name_get_one() {
    let future = get(&read(DETAILED), Segment::McxComm, 565_899);
    assert_eq!(future.symbol, "CRUDEOIL-21Sep2026-FUT");
    assert_eq!(future.name, "CRUDEOIL SEP FUT");
}

#[test]
fn rows_that_say_nothing_are_left_out() {
    let list = read(COMPACT);
    assert_eq!(list.get(Key { segment: Segment::NseEq, id: 9001 }), None, "a kind nobody knows");
    assert_eq!(list.len(), 15);
}

#[test]
fn line_ends_marks_and_added_columns_do_not_matter() {
    let windows = COMPACT.replace('\n', "\r\n");
    let marked = format!("\u{feff}{COMPACT}");
    let wider: String = COMPACT.lines().map(|line| format!("{line},X,\n")).collect();
    let turned: String = COMPACT.lines().map(|line| format!("X,{line}\n")).collect();
    for csv in [windows, marked, wider, turned] {
        let list = read(&csv);
        assert_eq!(list.len(), read(COMPACT).len());
        assert_eq!(get(&list, Segment::NseEq, 2885), get(&read(COMPACT), Segment::NseEq, 2885));
    }
}

#[test]
fn the_first_of_two_rows_with_one_key_stays() {
    let row = "NSE,E,2885,EQUITY,0,OTHER,1.0,Other,,,,10.0000,NA,ES,EQ,OTHER LTD\n";
    let list = read(&format!("{COMPACT}{row}"));
    assert_eq!(get(&list, Segment::NseEq, 2885).symbol, "RELIANCE");
}

#[test]
fn names_that_are_not_utf_8_do_not_stop_it() {
    let mut csv = COMPACT.as_bytes().to_vec();
    csv.extend(b"NSE,E,7777,EQUITY,0,ODD,1.0,Odd \xff name,,,,10.0000,NA,ES,EQ,ODD LTD\n");
    let list = Instruments::read(csv.as_slice()).unwrap();
    assert_eq!(get(&list, Segment::NseEq, 7777).name, "Odd");
}

#[test]
fn what_is_no_list_is_told_so() {
    for csv in ["", "<!doctype html><p>Sorry</p>\n", "a,b,c\n1,2,3\n", "EXCH_ID,SEGMENT\nNSE,E\n"] {
        let error = Instruments::read(csv.as_bytes()).unwrap_err();
        assert_eq!(error.kind, MarketErrorKind::Unreadable, "{csv}");
        assert!(error.message.contains("list of instruments"), "{}", error.message);
    }
    let header = COMPACT.lines().next().unwrap();
    let error = Instruments::read(header.as_bytes()).unwrap_err();
    assert_eq!(error.message, "The list of instruments has no instrument in it.");
}
