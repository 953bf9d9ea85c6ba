//! What a trader types, and what is found first.

use std::sync::LazyLock;

use jiff::civil::Date;
use proptest::prelude::*;
use toolwright_market::{Instrument, Instruments, Key, Kind, Query, Segment, Side};

use crate::generated::{self, TODAY};

static COMPACT: LazyLock<Instruments> = LazyLock::new(|| {
    Instruments::read(generated::compact(&generated::records(7)).as_bytes()).unwrap()
});
static DETAILED: LazyLock<Instruments> = LazyLock::new(|| {
    Instruments::read(generated::detailed(&generated::records(7)).as_bytes()).unwrap()
});

fn query(text: &str) -> Query {
    Query { today: Some(TODAY), ..Query::new(text) }
}

fn shown(it: &Instrument) -> String {
    let expiry = it.expiry.map(|day| format!(" {day}")).unwrap_or_default();
    format!("{} {}{expiry}", it.key.segment, it.symbol)
}

fn first(instruments: &Instruments, query: &Query) -> String {
    instruments.search(query).first().map_or("nothing".to_owned(), shown)
}

fn all(query: &Query) -> Vec<String> {
    COMPACT.search(query).iter().map(shown).collect()
}

#[test]
fn what_traders_type_is_found_first() {
    let table = [
        // Indices, however they are called.
        ("nifty", "IDX_I NIFTY"),
        ("NIFTY", "IDX_I NIFTY"),
        ("nifty 50", "IDX_I NIFTY"),
        ("Nifty50", "IDX_I NIFTY"),
        ("nifty index", "IDX_I NIFTY"),
        ("  nifty ", "IDX_I NIFTY"),
        ("bank nifty", "IDX_I BANKNIFTY"),
        ("nifty bank", "IDX_I BANKNIFTY"),
        ("banknift", "IDX_I BANKNIFTY"),
        ("fin nifty", "IDX_I FINNIFTY"),
        ("nifty financial services", "IDX_I FINNIFTY"),
        ("midcap nifty", "IDX_I MIDCPNIFTY"),
        ("nifty next 50", "IDX_I NIFTYNXT50"),
        ("nifty 500", "IDX_I NIFTY 500"),
        ("nifty it", "IDX_I NIFTYIT"),
        ("sensex", "IDX_I SENSEX"),
        ("bse sensex", "IDX_I SENSEX"),
        ("sensex index", "IDX_I SENSEX"),
        ("vix", "IDX_I INDIA VIX"),
        // Shares, by ticker, name and nickname.
        ("reliance", "NSE_EQ RELIANCE"),
        ("Reliance Industries", "NSE_EQ RELIANCE"),
        ("RELIANCE INDUSTRIES LTD", "NSE_EQ RELIANCE"),
        ("relia", "NSE_EQ RELIANCE"),
        ("ril", "NSE_EQ RELIANCE"),
        ("reliance share price", "NSE_EQ RELIANCE"),
        ("reliance nse", "NSE_EQ RELIANCE"),
        ("reliance bse", "BSE_EQ RELIANCE"),
        ("500325", "BSE_EQ RELIANCE"),
        ("infosys", "NSE_EQ INFY"),
        ("infosys ltd", "NSE_EQ INFY"),
        ("sbi", "NSE_EQ SBIN"),
        ("state bank of india", "NSE_EQ SBIN"),
        ("sbi card", "NSE_EQ SBICARD"),
        ("hdfc", "NSE_EQ HDFCBANK"),
        ("hdfc bank", "NSE_EQ HDFCBANK"),
        ("hdfc life", "NSE_EQ HDFCLIFE"),
        ("icici", "NSE_EQ ICICIBANK"),
        ("tata motors", "NSE_EQ TATAMOTORS"),
        ("tata consultancy", "NSE_EQ TCS"),
        ("m&m", "NSE_EQ M&M"),
        ("mahindra and mahindra", "NSE_EQ M&M"),
        ("Mahindra & Mahindra Ltd.", "NSE_EQ M&M"),
        ("m&m fin", "NSE_EQ M&MFIN"),
        ("bajaj auto", "NSE_EQ BAJAJ-AUTO"),
        ("bajaj-auto", "NSE_EQ BAJAJ-AUTO"),
        ("bajaj finance", "NSE_EQ BAJFINANCE"),
        ("l&t", "NSE_EQ LT"),
        ("larsen", "NSE_EQ LT"),
        ("airtel", "NSE_EQ BHARTIARTL"),
        ("bharti", "NSE_EQ BHARTIARTL"),
        ("zomato", "NSE_EQ ETERNAL"),
        ("dr reddy", "NSE_EQ DRREDDY"),
        ("lic", "NSE_EQ LICI"),
        ("unilever", "NSE_EQ HINDUNILVR"),
        ("bse", "NSE_EQ BSE"),
        ("mcx", "NSE_EQ MCX"),
        ("cholafin", "NSE_EQ CHOLAFIN"),
        ("itc", "NSE_EQ ITC"),
        // Misspelt.
        ("relianse", "NSE_EQ RELIANCE"),
        ("relaince", "NSE_EQ RELIANCE"),
        ("infosis", "NSE_EQ INFY"),
        ("infosy", "NSE_EQ INFY"),
        ("bankinfty", "IDX_I BANKNIFTY"),
        ("bank nfity", "IDX_I BANKNIFTY"),
        ("sensx", "IDX_I SENSEX"),
        ("hdcf bank", "NSE_EQ HDFCBANK"),
        ("tata motrs", "NSE_EQ TATAMOTORS"),
        ("mahendra", "NSE_EQ M&M"),
        ("bjaaj auto", "NSE_EQ BAJAJ-AUTO"),
        ("adani entreprises", "NSE_EQ ADANIENT"),
        // What has no spot price here: its nearest future.
        ("gold", "MCX_COMM GOLD-19Aug2026-FUT 2026-08-19"),
        ("crude", "MCX_COMM CRUDEOIL-19Aug2026-FUT 2026-08-19"),
        ("crude oil", "MCX_COMM CRUDEOIL-19Aug2026-FUT 2026-08-19"),
        ("mcx gold", "MCX_COMM GOLD-19Aug2026-FUT 2026-08-19"),
        ("natural gas", "MCX_COMM NATURALGAS-19Aug2026-FUT 2026-08-19"),
        ("usd inr", "NSE_CURRENCY USDINR-Aug2026-FUT 2026-08-26"),
        ("gold bees", "NSE_EQ GOLDBEES"),
    ];
    for (text, expected) in table {
        assert_eq!(first(&COMPACT, &query(text)), expected, "compact: {text}");
        assert_eq!(first(&DETAILED, &query(text)), expected, "detailed: {text}");
        for instruments in [&*COMPACT, &*DETAILED] {
            assert_accounted(instruments, text, expected, !MISSPELT.contains(&text));
        }
    }
}

/// What is not the name of anything.
const MISSPELT: [&str; 11] = [
    "relianse",
    "relaince",
    "infosis",
    "bankinfty",
    "bank nfity",
    "sensx",
    "hdcf bank",
    "tata motrs",
    "mahendra",
    "bjaaj auto",
    "adani entreprises",
];

/// Contracts that do not exist as they are asked for.
const IMPOSSIBLE: [&str; 7] = [
    "nifty 25030 ce",
    "bankinfty 56000 ce",
    "relianse 1400 ce",
    "niftybees fut",
    "nifty 25 ce",
    "nifty 24 sep 25000 ce",
    "reliance jan fut",
];

/// What is found accounts for the whole text, or says what it leaves out.
fn assert_accounted(instruments: &Instruments, text: &str, expected: &str, fits: bool) {
    let found = instruments.matches(&query(text));
    let best = found.first().unwrap();
    assert_eq!(shown(&best.instrument), expected, "{text}");
    assert_eq!(best.left_out.is_empty(), fits, "{text}: {:?}", best.left_out);
    let same = found.iter().all(|it| it.left_out.is_empty() == fits);
    assert!(same, "{text}: where something fits, nothing else is told");
}

#[test]
fn contracts_are_understood() {
    let table = [
        ("nifty fut", "NSE_FNO NIFTY-Aug2026-FUT 2026-08-25"),
        ("nifty 50 futures", "NSE_FNO NIFTY-Aug2026-FUT 2026-08-25"),
        ("nifty sep fut", "NSE_FNO NIFTY-Sep2026-FUT 2026-09-29"),
        ("NIFTY26SEPFUT", "NSE_FNO NIFTY-Sep2026-FUT 2026-09-29"),
        ("NIFTY-Sep2026-FUT", "NSE_FNO NIFTY-Sep2026-FUT 2026-09-29"),
        ("reliance aug fut", "NSE_FNO RELIANCE-Aug2026-FUT 2026-08-25"),
        ("reliance october future", "NSE_FNO RELIANCE-Oct2026-FUT 2026-10-27"),
        ("reliance aug fut bse", "BSE_FNO RELIANCE-Aug2026-FUT 2026-08-27"),
        ("bajaj auto sep fut", "NSE_FNO BAJAJ-AUTO-Sep2026-FUT 2026-09-29"),
        ("sensex fut", "BSE_FNO SENSEX-Aug2026-FUT 2026-08-27"),
        ("bse fut", "NSE_FNO BSE-Aug2026-FUT 2026-08-25"),
        ("crudeoil sep fut", "MCX_COMM CRUDEOIL-19Sep2026-FUT 2026-09-19"),
        ("crude fut", "MCX_COMM CRUDEOIL-19Aug2026-FUT 2026-08-19"),
        ("nifty 25000 ce", "NSE_FNO NIFTY-Aug2026-25000-CE 2026-08-11"),
        ("nifty 25,000 ce", "NSE_FNO NIFTY-Aug2026-25000-CE 2026-08-11"),
        ("nifty 25000ce", "NSE_FNO NIFTY-Aug2026-25000-CE 2026-08-11"),
        ("nifty 25k call", "NSE_FNO NIFTY-Aug2026-25000-CE 2026-08-11"),
        ("nifty 25000", "NSE_FNO NIFTY-Aug2026-25000-CE 2026-08-11"),
        ("nifty 50 25000 pe", "NSE_FNO NIFTY-Aug2026-25000-PE 2026-08-11"),
        ("25000 call option on nifty", "NSE_FNO NIFTY-Aug2026-25000-CE 2026-08-11"),
        ("nifty 25 aug 25000 call", "NSE_FNO NIFTY-Aug2026-25000-CE 2026-08-25"),
        ("NIFTY 25 AUG 25000 CALL", "NSE_FNO NIFTY-Aug2026-25000-CE 2026-08-25"),
        ("nifty 25000 pe 2026-09-01", "NSE_FNO NIFTY-Sep2026-25000-PE 2026-09-01"),
        ("nifty 25000 pe 01/09/2026", "NSE_FNO NIFTY-Sep2026-25000-PE 2026-09-01"),
        ("NIFTY26SEP25000PE", "NSE_FNO NIFTY-Sep2026-25000-PE 2026-09-01"),
        ("nifty 25030 ce", "NSE_FNO NIFTY-Aug2026-25050-CE 2026-08-11"),
        ("banknifty 27 oct put", "NSE_FNO BANKNIFTY-Oct2026-56000-PE 2026-10-27"),
        ("bank nifty 56000 put oct", "NSE_FNO BANKNIFTY-Oct2026-56000-PE 2026-10-27"),
        ("bankinfty 56000 ce", "NSE_FNO BANKNIFTY-Aug2026-56000-CE 2026-08-25"),
        ("relianse 1400 ce", "NSE_FNO RELIANCE-Aug2026-1400-CE 2026-08-25"),
        ("nifty sep 2026 call", "NSE_FNO NIFTY-Sep2026-25000-CE 2026-09-01"),
        ("idea aug 7 ce", "NSE_FNO IDEA-Aug2026-7-CE 2026-08-25"),
        ("usdinr 86.25 ce", "NSE_CURRENCY USDINR-Aug2026-86.25-CE 2026-08-26"),
        ("m&m 3300 pe", "NSE_FNO M&M-Aug2026-3300-PE 2026-08-25"),
        // What cannot be: the thing itself, or the nearest contract.
        ("niftybees fut", "NSE_EQ NIFTYBEES"),
        ("nifty 25 ce", "IDX_I NIFTY"),
        ("nifty 24 sep 25000 ce", "NSE_FNO NIFTY-Sep2026-25000-CE 2026-09-01"),
        ("reliance jan fut", "NSE_FNO RELIANCE-Aug2026-FUT 2026-08-25"),
    ];
    for (text, expected) in table {
        assert_eq!(first(&COMPACT, &query(text)), expected, "compact: {text}");
        assert_eq!(first(&DETAILED, &query(text)), expected, "detailed: {text}");
        for instruments in [&*COMPACT, &*DETAILED] {
            assert_accounted(instruments, text, expected, !IMPOSSIBLE.contains(&text));
        }
    }
}

#[test]
fn the_thing_itself_comes_before_what_is_traded_on_it() {
    let found = all(&Query { limit: 6, ..query("reliance") });
    let expected = [
        "NSE_EQ RELIANCE",
        "BSE_EQ RELIANCE",
        "NSE_FNO RELIANCE-Aug2026-FUT 2026-08-25",
        "NSE_FNO RELIANCE-Sep2026-FUT 2026-09-29",
        "NSE_FNO RELIANCE-Oct2026-FUT 2026-10-27",
        "BSE_FNO RELIANCE-Aug2026-FUT 2026-08-27",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_share_comes_before_its_debentures_and_a_debenture_is_found_by_its_name() {
    let cash = Query { kinds: vec![Kind::Equity], limit: 3, ..query("cholafin") };
    let found: Vec<_> =
        COMPACT.search(&cash).into_iter().map(|it| (it.key.segment, it.series)).collect();
    let (nse, bse) = (Segment::NseEq, Segment::BseEq);
    let expected = [(nse, "EQ".to_owned()), (bse, "A".to_owned())];
    assert_eq!(found.get(..2), Some(&expected[..]));
    assert_eq!(found[2].0, Segment::NseEq);
    assert!(found[2].1.starts_with('D'));

    let named = COMPACT.search(&query("Cholamandalam 8.12% 2029"));
    assert_eq!(named[0].series, "D12");
}

#[test]
fn filters_hold() {
    let aug = Date::constant(2026, 8, 25);
    let calls = Query { kinds: vec![Kind::OptIdx], expiry: Some(aug), limit: 50, ..query("nifty") };
    let found = COMPACT.search(&calls);
    assert_eq!(found.len(), 50);
    assert!(found.iter().all(|it| it.kind == Kind::OptIdx && it.expiry == Some(aug)));
    assert_eq!(found[0].strike, Some(25_000.0));

    let bse = Query { segment: Some(Segment::BseEq), ..query("reliance") };
    assert!(COMPACT.search(&bse).iter().all(|it| it.key.segment == Segment::BseEq));
    assert_eq!(first(&COMPACT, &bse), "BSE_EQ RELIANCE");

    let futures = Query { kinds: vec![Kind::FutStk, Kind::FutIdx], ..query("nifty") };
    assert_eq!(first(&COMPACT, &futures), "NSE_FNO NIFTY-Aug2026-FUT 2026-08-25");

    let nowhere = Query { segment: Some(Segment::McxComm), ..query("sensex") };
    assert_eq!(all(&nowhere), Vec::<String>::new());

    // Without a text, what passes.
    let indices = Query { kinds: vec![Kind::Index], limit: 3, ..query("") };
    assert_eq!(all(&indices)[0], "IDX_I NIFTY");
    assert_eq!(all(&query("")), Vec::<String>::new());
}

#[test]
fn what_has_ended_is_left_out_if_the_day_is_known() {
    let later = Date::constant(2026, 9, 1);
    let found = first(&COMPACT, &Query { today: Some(later), ..Query::new("nifty fut") });
    assert_eq!(found, "NSE_FNO NIFTY-Sep2026-FUT 2026-09-29");
    let found = first(&COMPACT, &Query { today: Some(later), ..Query::new("nifty 25000 ce") });
    assert_eq!(found, "NSE_FNO NIFTY-Sep2026-25000-CE 2026-09-01");
    assert_eq!(first(&COMPACT, &Query::new("nifty fut")), "NSE_FNO NIFTY-Aug2026-FUT 2026-08-25");
}

#[test]
fn expiries_are_those_of_the_underlying() {
    let days = COMPACT.expiries("bank nifty");
    assert_eq!(days, [(8, 25), (9, 29), (10, 27)].map(|(m, d)| Date::constant(2026, m, d)));
    assert_eq!(COMPACT.expiries("NIFTY").len(), 18);
    assert_eq!(COMPACT.expiries("NIFTY"), DETAILED.expiries("Nifty 50"));
    assert_eq!(COMPACT.expiries("NIFTYBEES"), []);
    assert_eq!(COMPACT.expiries("no such thing"), []);
}

#[test]
fn both_layouts_say_the_same() {
    assert!(COMPACT.len() > 200_000);
    assert_eq!(COMPACT.len(), DETAILED.len());
    for record in generated::records(7).iter().step_by(97) {
        let segment = Segment::of_master(record.exchange, record.segment).unwrap();
        let key = Key { segment, id: record.id };
        let (compact, mut detailed) = (COMPACT.get(key), DETAILED.get(key));
        if let (Some(compact), Some(detailed)) = (&compact, &mut detailed) {
            assert_eq!(compact.underlying, record.ticker);
            if compact.kind == Kind::Index {
                detailed.tick = compact.tick;
            }
        }
        assert_eq!(compact, detailed, "{record:?}");
        assert_eq!(compact.is_none(), record.ticker.ends_with("NSETEST"));
    }
    let option = COMPACT.search(&query("nifty 25000 pe"))[0].clone();
    assert_eq!((option.strike, option.side), (Some(25_000.0), Some(Side::Put)));
    assert_eq!(COMPACT.get(option.key), Some(option));
}

#[test]
fn every_ticker_is_the_first_hit_for_itself_in_its_segment() {
    // Every cash row, and of the contracts some.
    let records = generated::records(7);
    let cash = records.iter().filter(|it| it.contract.is_empty());
    let contracts = records.iter().filter(|it| !it.contract.is_empty()).step_by(211);
    for record in cash.chain(contracts).filter(|it| !it.ticker.ends_with("NSETEST")) {
        let segment = Segment::of_master(record.exchange, record.segment);
        let text = if record.contract.is_empty() { &record.ticker } else { &record.contract };
        let found = COMPACT.search(&Query { segment, limit: 1, ..query(text) });
        assert_eq!(found.first().map(|it| it.symbol.as_str()), Some(text.as_str()));
        let found = COMPACT.matches(&Query { segment, limit: 1, ..query(text) });
        let best = found.first().unwrap();
        assert_eq!(&best.instrument.symbol, text);
        assert_eq!(best.left_out, Vec::<String>::new(), "{text}");
    }
}

/// Whoever types more than a name is told what the name is of, and what nothing accounts for.
#[test]
fn a_symbol_among_other_words_is_found() {
    for text in ["reliance abhi", "kindly wipro asap", "cmp reliance", "bhav wipro today"] {
        let found = COMPACT.matches(&query(text));
        let best = found.first().unwrap_or_else(|| panic!("{text}"));
        assert!(text.contains(&best.instrument.symbol.to_lowercase()), "{text}: {best:?}");
        let is_accounted_for = text.starts_with("cmp") || text.starts_with("bhav");
        assert_eq!(best.left_out.is_empty(), is_accounted_for, "{text}: {best:?}");
    }
    assert_eq!(COMPACT.search(&query("kindly asap")), []);
}

static RECORDS: LazyLock<Vec<generated::Record>> = LazyLock::new(|| generated::records(7));

fn words() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec(
        "nifty|reliance|bank|tata|gold|usdinr|ce|pe|fut|option|aug|sep2026|25000|1400|13|2885|bse|mcx|nse_eq|share|price|ltd",
        0..5,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_can_be_searched(text in "\\PC{0,60}", limit in 0_usize..20) {
        let found = COMPACT.search(&Query { limit, ..query(&text) });
        let most = if limit == 0 { 10 } else { limit };
        prop_assert!(found.len() <= most);
    }

    #[test]
    fn anything_like_a_query_can_be_searched(
        words in proptest::collection::vec(
            "(nifty|m&m|bank|[a-z]{1,5}|[0-9]{1,6}|[0-9]{1,3}\\.[0-9]|ce|put|fut|aug|sep2026|26oct|2026-13-40|bse|mcx|-|,|é|[A-Z0-9]{4,9}CE)",
            0..9,
        ),
        segment in proptest::option::of(proptest::sample::select(Segment::ALL)),
        kinds in proptest::collection::vec(proptest::sample::select(Kind::ALL), 0..3),
    ) {
        let asked = Query { segment, kinds: kinds.clone(), ..query(&words.join(" ")) };
        let matched = COMPACT.matches(&asked);
        prop_assert!(matched.iter().all(|it| it.left_out.is_empty() == matched[0].left_out.is_empty()));
        for found in [COMPACT.search(&asked), matched.into_iter().map(|it| it.instrument).collect()] {
        for it in &found {
            prop_assert!(segment.is_none_or(|segment| it.key.segment == segment));
            prop_assert!(kinds.is_empty() || kinds.contains(&it.kind));
            prop_assert!(it.expiry.is_none_or(|day| day >= TODAY));
        }
        let mut keys: Vec<_> = found.iter().map(|it| it.key).collect();
        keys.sort_unstable();
        keys.dedup();
        prop_assert_eq!(keys.len(), found.len());
        }
    }

    /// A number that is nobody's id, strike or year, and a word that is in no name, are never
    /// swallowed, whatever stands around them.
    #[test]
    fn what_nothing_accounts_for_is_told(
        before in words(),
        strange in "9[0-9]{8}|qx[a-z]{5}zq|9[0-9]{8}\\.5",
        after in words(),
        segment in proptest::option::of(proptest::sample::select(Segment::ALL)),
    ) {
        let is_id = |id| Segment::ALL.iter().any(|it| COMPACT.get(Key { segment: *it, id }).is_some());
        prop_assume!(!strange.parse().is_ok_and(is_id));
        let text = format!("{} {strange} {}", before.join(" "), after.join(" "));
        for it in COMPACT.matches(&Query { segment, ..query(&text) }) {
            prop_assert!(it.left_out.contains(&strange), "{text}: {:?}", it);
            prop_assert!(it.named.is_none());
        }
    }

    /// What fits is found by its own id: with its name and without it, alone.
    #[test]
    fn a_number_is_the_id_it_is(at in 0_usize..200_000) {
        let records = &*RECORDS;
        let record = &records[at % records.len()];
        let segment = Segment::of_master(record.exchange, record.segment).unwrap();
        let key = Key { segment, id: record.id };
        let Some(wanted) = COMPACT.get(key) else { return Ok(()) };
        for text in [record.id.to_string(), format!("{} {segment}", record.id), format!("{} ({})", wanted.symbol, record.id)] {
            let found = COMPACT.matches(&Query { segment: Some(segment), ..Query::new(&text) });
            prop_assert!(found.iter().any(|it| it.instrument.key == key), "{text}: {found:?}");
            prop_assert!(found.iter().all(|it| it.left_out.is_empty()), "{text}: {found:?}");
        }
    }

    #[test]
    fn a_slip_of_the_finger_is_forgiven(at in 1_usize..7, which in 0_usize..4) {
        let (typed, ticker) = [("reliance", "RELIANCE"), ("infosys", "INFY"), ("banknifty", "BANKNIFTY"), ("wipro", "WIPRO")][which];
        let mut letters: Vec<char> = typed.chars().collect();
        let at = at.min(letters.len() - 2);
        letters.swap(at, at + 1);
        let found = COMPACT.search(&query(&letters.iter().collect::<String>()));
        prop_assert_eq!(found.first().map(|it| it.underlying.as_str()), Some(ticker));
    }
}
