//! A list of instruments as long as the real one, made up from a seed; both layouts.
#![allow(dead_code, reason = "the tests and the example use different parts")]

use std::fmt::Write;

use jiff::{ToSpan, civil::Date};

/// The day the list is of: a Monday.
pub(crate) const TODAY: Date = Date::constant(2026, 8, 10);

const INDICES: &[(&str, u64, &str, &str)] = &[
    ("NIFTY", 13, "Nifty 50", "NSE"),
    ("BANKNIFTY", 25, "Nifty Bank", "NSE"),
    ("FINNIFTY", 27, "Nifty Fin Service", "NSE"),
    ("NIFTYNXT50", 38, "Nifty Next 50", "NSE"),
    ("MIDCPNIFTY", 442, "Nifty Mid Select", "NSE"),
    ("INDIA VIX", 21, "India VIX", "NSE"),
    ("NIFTYIT", 29, "Nifty IT", "NSE"),
    ("NIFTY 100", 17, "Nifty 100", "NSE"),
    ("NIFTY 500", 19, "Nifty 500", "NSE"),
    ("NIFTY AUTO", 14, "Nifty Auto", "NSE"),
    ("SENSEX", 51, "S&P BSE SENSEX", "BSE"),
    ("BANKEX", 69, "S&P BSE BANKEX", "BSE"),
];

/// Real shares with futures: ticker, number on NSE and on BSE, display name, company, price.
const SHARES: &[(&str, u64, u64, &str, &str, u32)] = &[
    ("RELIANCE", 2885, 500_325, "Reliance Industries", "RELIANCE INDUSTRIES LTD", 1400),
    ("HDFCBANK", 1333, 500_180, "HDFC Bank", "HDFC BANK LTD", 1000),
    ("HDFCLIFE", 467, 540_777, "HDFC Life Insurance", "HDFC LIFE INS CO LTD", 760),
    ("HDFCAMC", 4244, 541_729, "HDFC AMC", "HDFC AMC LIMITED", 5400),
    ("ICICIBANK", 4963, 532_174, "ICICI Bank", "ICICI BANK LTD", 1420),
    ("ICICIGI", 21_770, 540_716, "ICICI Lombard", "ICICI LOMBARD GIC LIMITED", 1900),
    ("SBIN", 3045, 500_112, "State Bank", "STATE BANK OF INDIA", 820),
    ("SBICARD", 17_971, 543_066, "SBI Cards", "SBI CARDS AND PAYMENT SERVICES LTD", 800),
    ("SBILIFE", 21_808, 540_719, "SBI Life Insurance", "SBI LIFE INSURANCE CO LTD", 1830),
    ("INFY", 1594, 500_209, "Infosys", "INFOSYS LIMITED", 1500),
    ("TCS", 11_536, 532_540, "Tata Consultancy Services", "TATA CONSULTANCY SERV LT", 3100),
    ("TATAMOTORS", 3456, 500_570, "Tata Motors", "TATA MOTORS LIMITED", 680),
    ("TATASTEEL", 3499, 500_470, "Tata Steel", "TATA STEEL LIMITED", 160),
    ("TATAPOWER", 3426, 500_400, "Tata Power", "TATA POWER CO LTD", 390),
    ("M&M", 2031, 500_520, "Mahindra & Mahindra", "MAHINDRA & MAHINDRA LTD", 3300),
    ("M&MFIN", 13_285, 532_720, "M&M Financial Services", "M&M FIN. SERVICES LTD", 260),
    ("BAJAJ-AUTO", 16_669, 532_977, "Bajaj Auto", "BAJAJ AUTO LIMITED", 8200),
    ("BAJFINANCE", 317, 500_034, "Bajaj Finance", "BAJAJ FINANCE LIMITED", 900),
    ("BAJAJFINSV", 16_675, 532_978, "Bajaj Finserv", "BAJAJ FINSERV LTD.", 1950),
    ("MARUTI", 10_999, 532_500, "Maruti Suzuki", "MARUTI SUZUKI INDIA LTD.", 12_500),
    ("LT", 11_483, 500_510, "Larsen & Toubro", "LARSEN & TOUBRO LTD.", 3600),
    ("LTIM", 17_818, 540_005, "LTIMindtree", "LTIMINDTREE LIMITED", 5200),
    ("BHARTIARTL", 10_604, 532_454, "Bharti Airtel", "BHARTI AIRTEL LIMITED", 1900),
    ("HINDUNILVR", 1394, 500_696, "Hindustan Unilever", "HINDUSTAN UNILEVER LTD.", 2500),
    ("ITC", 1660, 500_875, "ITC", "ITC LTD", 410),
    ("AXISBANK", 5900, 532_215, "Axis Bank", "AXIS BANK LIMITED", 1070),
    ("KOTAKBANK", 1922, 500_247, "Kotak Bank", "KOTAK MAHINDRA BANK LTD", 2000),
    ("BANKBARODA", 4668, 532_134, "Bank of Baroda", "BANK OF BARODA", 240),
    ("BANKINDIA", 4745, 532_149, "Bank of India", "BANK OF INDIA", 112),
    ("WIPRO", 3787, 507_685, "Wipro", "WIPRO LTD", 245),
    ("ADANIENT", 25, 512_599, "Adani Enterprises", "ADANI ENTERPRISES LIMITED", 2300),
    ("ADANIPORTS", 15_083, 532_921, "Adani Ports", "ADANI PORT & SEZ LTD", 1330),
    ("ASIANPAINT", 236, 500_820, "Asian Paints", "ASIAN PAINTS LIMITED", 2500),
    ("ULTRACEMCO", 11_532, 532_538, "UltraTech Cement", "ULTRATECH CEMENT LIMITED", 12_300),
    ("SUNPHARMA", 3351, 524_715, "Sun Pharmaceutical", "SUN PHARMACEUTICAL IND L", 1600),
    ("DRREDDY", 881, 500_124, "Dr. Reddy's Laboratories", "DR. REDDY'S LABORATORIES", 1250),
    ("IDEA", 14_366, 532_822, "Vodafone Idea", "VODAFONE IDEA LIMITED", 7),
    ("ETERNAL", 5097, 543_320, "Eternal", "ETERNAL LIMITED", 300),
    ("LICI", 9480, 543_526, "LIC of India", "LIFE INSURA CORP OF INDIA", 890),
    ("CHOLAFIN", 685, 511_243, "Cholamandalam Investment", "CHOLAMANDALAM IN & FIN CO", 1500),
    ("BSE", 19_585, 999_999, "BSE", "BSE LIMITED", 2400),
    ("MCX", 31_181, 534_091, "MCX", "MULTI COMMODITY EXCHANGE", 7800),
    ("PNB", 10_666, 532_461, "Punjab National Bank", "PUNJAB NATIONAL BANK", 105),
    ("ONGC", 2475, 500_312, "ONGC", "OIL AND NATURAL GAS CORP.", 240),
    ("JIOFIN", 18_143, 543_940, "Jio Financial Services", "JIO FIN SERVICES LTD", 320),
];

const FUNDS: &[(&str, u64, &str, &str)] = &[
    ("NIFTYBEES", 10_576, "Nippon Nifty 50 BeES ETF", "NIP IND ETF NIFTY BEES"),
    ("BANKBEES", 11_439, "Nippon Nifty Bank BeES ETF", "NIP IND ETF BANK BEES"),
    ("GOLDBEES", 14_428, "Nippon Gold BeES ETF", "NIP IND ETF GOLD BEES"),
    ("SENSEXETF", 14_429, "Sensex Index ETF", "SENSEX INDEX ETF"),
];

const COMMODITIES: &[(&str, u32)] = &[
    ("CRUDEOIL", 5800),
    ("CRUDEOILM", 5800),
    ("NATURALGAS", 270),
    ("NATGASMINI", 270),
    ("GOLD", 99_000),
    ("GOLDM", 99_000),
    ("GOLDPETAL", 9900),
    ("SILVER", 112_000),
    ("SILVERM", 112_000),
    ("SILVERMIC", 112_000),
    ("COPPER", 890),
    ("ZINC", 270),
    ("ALUMINIUM", 250),
    ("LEAD", 180),
];

/// One row, before it is laid out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) exchange: &'static str,
    pub(crate) segment: &'static str,
    pub(crate) id: u64,
    pub(crate) kind: &'static str,
    pub(crate) ticker: String,
    pub(crate) contract: String,
    pub(crate) display: String,
    pub(crate) company: String,
    pub(crate) form: &'static str,
    pub(crate) series: String,
    pub(crate) lot: u32,
    pub(crate) expiry: Option<Date>,
    pub(crate) strike: f64,
    pub(crate) side: &'static str,
    pub(crate) paise: f64,
}

/// The rows of a whole list: more than 200,000.
pub(crate) fn records(seed: u64) -> Vec<Record> {
    let mut maker = Maker { random: fastrand::Rng::with_seed(seed), all: Vec::new(), next: 35_000 };
    maker.indices();
    maker.shares();
    maker.commodities();
    maker.currencies();
    maker.small_companies();
    maker.all
}

struct Maker {
    random: fastrand::Rng,
    all: Vec<Record>,
    next: u64,
}

impl Maker {
    fn id(&mut self) -> u64 {
        self.next += 1 + self.random.u64(..3);
        self.next
    }

    fn cash(&mut self, record: Record) {
        self.all.push(Record { kind: "EQUITY", segment: "E", lot: 1, paise: 5.0, ..record });
    }

    fn indices(&mut self) {
        for &(ticker, id, name, exchange) in INDICES {
            let (ticker, display) = (ticker.to_owned(), name.to_owned());
            let company = ticker.clone();
            let (kind, form) = ("INDEX", "INDEX");
            let record =
                Record { exchange, segment: "I", id, kind, ticker, display, ..Record::default() };
            self.all.push(Record { company, form, lot: 1, strike: 7.0, paise: 1.0, ..record });
        }
        let tuesdays = weekly(TODAY.tomorrow().unwrap(), 18);
        let thursdays = weekly(TODAY.saturating_add(3.days()), 12);
        for (ticker, exchange, price, step, days) in [
            ("NIFTY", "NSE", 25_000, 50, &tuesdays),
            ("SENSEX", "BSE", 82_000, 100, &thursdays),
            ("BANKNIFTY", "NSE", 56_000, 100, &monthly(2)),
            ("FINNIFTY", "NSE", 26_000, 50, &monthly(2)),
            ("MIDCPNIFTY", "NSE", 13_000, 25, &monthly(2)),
            ("NIFTYNXT50", "NSE", 68_000, 100, &monthly(2)),
            ("BANKEX", "BSE", 62_000, 100, &monthly(4)),
        ] {
            self.futures(
                ticker,
                exchange,
                "D",
                "FUTIDX",
                &monthly(if exchange == "NSE" { 2 } else { 4 }),
            );
            self.options(ticker, exchange, "D", "OPTIDX", days, (price, step, 110));
        }
    }

    fn shares(&mut self) {
        for &(ticker, nse, bse, display, company, price) in SHARES {
            self.share(ticker, (nse, bse), display, company);
            self.derivatives(ticker, price);
        }
        for n in 0..170 {
            let (ticker, display) = self.name(n);
            let ids = (self.id(), 600_000 + u64::from(n));
            self.share(&ticker, ids, &display, &format!("{} LTD", display.to_uppercase()));
            let price = self.random.u32(80..4000);
            self.derivatives(&ticker, price);
        }
        for &(ticker, id, display, company) in FUNDS {
            let record = Record {
                exchange: "NSE",
                id,
                form: "ETF",
                series: "EQ".into(),
                ..Record::default()
            };
            self.cash(Record {
                ticker: ticker.into(),
                display: display.into(),
                company: company.into(),
                ..record
            });
        }
        for n in 1..=30_u32 {
            let id = self.id();
            let record = Record { exchange: "NSE", id, form: "DBT", ..Record::default() };
            let display = format!("Cholamandalam 8.{n}% 2029");
            let company = "CHOLAMANDALAM IN & FIN CO".to_owned();
            self.cash(Record {
                ticker: "CHOLAFIN".into(),
                series: format!("D{n}"),
                display,
                company,
                ..record
            });
        }
    }

    fn share(&mut self, ticker: &str, (nse, bse): (u64, u64), display: &str, company: &str) {
        for (exchange, id, series) in [("BSE", bse, "A"), ("NSE", nse, "EQ")] {
            let record =
                Record { exchange, id, form: "ES", series: series.into(), ..Record::default() };
            self.cash(Record {
                ticker: ticker.into(),
                display: display.into(),
                company: company.into(),
                ..record
            });
        }
    }

    fn derivatives(&mut self, ticker: &str, price: u32) {
        let step = (price / 100).max(1);
        self.futures(ticker, "BSE", "D", "FUTSTK", &monthly(4));
        self.futures(ticker, "NSE", "D", "FUTSTK", &monthly(2));
        self.options(ticker, "NSE", "D", "OPTSTK", &monthly(2), (price, step, 45));
        self.options(ticker, "BSE", "D", "OPTSTK", &monthly(4)[..1], (price, step, 45));
    }

    fn commodities(&mut self) {
        for &(ticker, price) in COMMODITIES {
            let days: Vec<Date> = (8..=12).map(|month| Date::constant(2026, month, 19)).collect();
            self.futures(ticker, "MCX", "M", "FUTCOM", &days);
            let days: Vec<Date> = (8..=10).map(|month| Date::constant(2026, month, 17)).collect();
            self.options(ticker, "MCX", "M", "OPTFUT", &days, (price, (price / 100).max(1), 40));
        }
    }

    fn currencies(&mut self) {
        for (ticker, price) in [("USDINR", 86), ("EURINR", 98), ("GBPINR", 115), ("JPYINR", 58)] {
            self.futures(ticker, "NSE", "C", "FUTCUR", &monthly(3));
            for day in monthly(3) {
                for n in 0..80 {
                    let strike = f64::from(price) - 10.0 + f64::from(n) * 0.25;
                    self.option(ticker, "NSE", "C", "OPTCUR", day, strike);
                }
            }
        }
        // Tests of the exchange, which nobody trades.
        let day = Date::constant(2036, 11, 27);
        for n in 0..20 {
            self.futures(&format!("{n:03}NSETEST"), "NSE", "D", "FUTSTK", &[day]);
        }
    }

    fn small_companies(&mut self) {
        for n in 200..2400 {
            let (ticker, display) = self.name(n);
            let ids = (self.id(), 610_000 + u64::from(n));
            self.share(&ticker, ids, &display, &format!("{} LIMITED", display.to_uppercase()));
        }
        for n in 2400..6500 {
            let (ticker, display) = self.name(n);
            let record = Record {
                exchange: "BSE",
                id: 610_000 + u64::from(n),
                form: "ES",
                ..Record::default()
            };
            let company =
                format!("{}, ERSTWHILE {} CO", display.to_uppercase(), display.to_uppercase());
            self.cash(Record { ticker, series: "X".into(), display, company, ..record });
        }
        for n in 0..5000_u32 {
            let (year, rate) = (2027 + n % 20, n % 97);
            let id = self.id();
            let record = Record {
                exchange: "NSE",
                id,
                form: "GB",
                series: "GS".into(),
                ..Record::default()
            };
            let display = format!("GOI LOAN 7.{rate}% {year} {n}");
            self.cash(Record {
                ticker: format!("7{rate}GS{year}T{n}"),
                company: display.clone(),
                display,
                ..record
            });
        }
    }

    /// A company that does not exist. The number makes its ticker unique.
    fn name(&mut self, n: u32) -> (String, String) {
        const FIRST: &[&str] = &[
            "Shree",
            "Jay",
            "Om",
            "Surya",
            "Ganga",
            "Vindhya",
            "Malwa",
            "Deccan",
            "Konkan",
            "Nilgiri",
            "Kaveri",
            "Chambal",
            "Aravali",
            "Sahyadri",
            "Himal",
            "Mewar",
            "Marathon",
            "Orchid",
            "Lotus",
            "Zenith",
            "Apex",
            "Vertex",
            "Crest",
            "Prime",
            "Global",
            "United",
            "National",
            "Modern",
            "Bharat",
            "Swadeshi",
            "Kohinoor",
            "Navketan",
            "Panchsheel",
            "Trident",
            "Emerald",
            "Sapphire",
        ];
        const SECOND: &[&str] = &[
            "Cements",
            "Textiles",
            "Spinners",
            "Chemicals",
            "Pharma",
            "Laboratories",
            "Motors",
            "Forgings",
            "Steels",
            "Ispat",
            "Agro",
            "Sugars",
            "Foods",
            "Beverages",
            "Finance",
            "Capital",
            "Securities",
            "Infra",
            "Realty",
            "Power",
            "Energy",
            "Petro",
            "Plastics",
            "Polymers",
            "Papers",
            "Prints",
            "Media",
            "Telecom",
            "Software",
            "Infotech",
            "Systems",
            "Electronics",
            "Cables",
            "Pumps",
        ];
        const THIRD: &[&str] =
            &["India", "Industries", "Enterprises", "Exports", "International", "Ventures"];
        const SYLLABLES: &[&str] = &[
            "ba", "che", "dra", "gun", "har", "jo", "kal", "lak", "mun", "nav", "pra", "rit",
            "san", "tul", "var", "yog", "zin", "esh", "ind", "omk",
        ];
        let mut pick = |all: &[&'static str]| all[self.random.usize(..all.len())];
        let coined: String = [pick(SYLLABLES), pick(SYLLABLES), pick(SYLLABLES)].concat();
        let (first, second, third) = (pick(FIRST), pick(SECOND), pick(THIRD));
        let short = |word: &str| word.chars().take(3).collect::<String>();
        let ticker =
            format!("{}{}{}{n}", short(first), short(&coined), short(second)).to_uppercase();
        let mut coined = coined;
        coined[..1].make_ascii_uppercase();
        (ticker, format!("{first} {coined} {second} {third}"))
    }

    fn futures(
        &mut self,
        ticker: &str,
        exchange: &'static str,
        segment: &'static str,
        kind: &'static str,
        days: &[Date],
    ) {
        for &day in days {
            let id = self.id();
            let contract = format!("{ticker}-{}-FUT", stamp(day, segment));
            let display = format!("{ticker} {} FUT", month(day).to_uppercase());
            let form = if segment == "M" { kind } else { "FUT" };
            let (side, strike) = ("XX", -0.01);
            let record = Record {
                exchange,
                segment,
                id,
                kind,
                contract,
                display,
                form,
                ..Record::default()
            };
            self.all.push(Record {
                ticker: ticker.into(),
                lot: 65,
                expiry: Some(day),
                strike,
                side,
                paise: 10.0,
                ..record
            });
        }
    }

    fn options(
        &mut self,
        ticker: &str,
        exchange: &'static str,
        segment: &'static str,
        kind: &'static str,
        days: &[Date],
        (price, step, around): (u32, u32, u32),
    ) {
        for &day in days {
            let lowest = price - around.min(price / step - 1) * step;
            for n in 0..=2 * around {
                self.option(ticker, exchange, segment, kind, day, f64::from(lowest + n * step));
            }
        }
    }

    fn option(
        &mut self,
        ticker: &str,
        exchange: &'static str,
        segment: &'static str,
        kind: &'static str,
        day: Date,
        strike: f64,
    ) {
        for (side, word) in [("CE", "CALL"), ("PE", "PUT")] {
            let id = self.id();
            let contract = format!("{ticker}-{}-{strike}-{side}", stamp(day, segment));
            let display =
                format!("{ticker} {:02} {} {strike} {word}", day.day(), month(day).to_uppercase());
            let record = Record {
                exchange,
                segment,
                id,
                kind,
                contract,
                display,
                form: "OP",
                ..Record::default()
            };
            self.all.push(Record {
                ticker: ticker.into(),
                lot: 65,
                expiry: Some(day),
                strike,
                side,
                paise: 5.0,
                ..record
            });
        }
    }
}

/// The last such day (2 is Tuesday) of this month and the next two.
fn monthly(weekday: i8) -> Vec<Date> {
    let last = |month| {
        let mut day = Date::constant(2026, month, 1).last_of_month();
        while day.weekday().to_monday_one_offset() != weekday {
            day = day.yesterday().unwrap();
        }
        day
    };
    [8, 9, 10].map(last).to_vec()
}

fn weekly(first: Date, many: i64) -> Vec<Date> {
    (0..many).map(|n| first.saturating_add((7 * n).days())).collect()
}

fn month(day: Date) -> &'static str {
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        [day.month() as usize - 1]
}

/// MCX names the day of a contract, the others only the month.
fn stamp(day: Date, segment: &str) -> String {
    let first = if segment == "M" { format!("{:02}", day.day()) } else { String::new() };
    format!("{first}{}{}", month(day), day.year())
}

fn quoted(text: &str) -> String {
    if text.contains(',') { format!("\"{text}\"") } else { text.to_owned() }
}

/// The compact layout.
pub(crate) fn compact(records: &[Record]) -> String {
    let mut csv = String::from(
        "SEM_EXM_EXCH_ID,SEM_SEGMENT,SEM_SMST_SECURITY_ID,SEM_INSTRUMENT_NAME,SEM_EXPIRY_CODE,\
         SEM_TRADING_SYMBOL,SEM_LOT_UNITS,SEM_CUSTOM_SYMBOL,SEM_EXPIRY_DATE,SEM_STRIKE_PRICE,\
         SEM_OPTION_TYPE,SEM_TICK_SIZE,SEM_EXPIRY_FLAG,SEM_EXCH_INSTRUMENT_TYPE,SEM_SERIES,\
         SM_SYMBOL_NAME\n",
    );
    for it in records {
        let Record { exchange, segment, id, kind, lot, side, form, series, .. } = it;
        let symbol = if it.contract.is_empty() { &it.ticker } else { &it.contract };
        let expiry = it.expiry.map(|day| format!("{day} 14:30:00")).unwrap_or_default();
        let company = if *segment == "M" { &it.ticker } else { &it.company };
        writeln!(
            csv,
            "{exchange},{segment},{id},{kind},0,{symbol},{lot}.0,{},{expiry},{:.5},{side},{:.4},NA,{form},{series},{}",
            quoted(&it.display), it.strike, it.paise, quoted(company),
        )
        .unwrap();
    }
    csv
}

/// The detailed layout, with columns that are of no use here, lines that end in a comma, and CRLF.
pub(crate) fn detailed(records: &[Record]) -> String {
    let mut csv = String::from(
        "EXCH_ID,SEGMENT,SECURITY_ID,ISIN,INSTRUMENT,UNDERLYING_SECURITY_ID,UNDERLYING_SYMBOL,\
         SYMBOL_NAME,DISPLAY_NAME,INSTRUMENT_TYPE,SERIES,LOT_SIZE,SM_EXPIRY_DATE,STRIKE_PRICE,\
         OPTION_TYPE,TICK_SIZE,EXPIRY_FLAG,BRACKET_FLAG,COVER_FLAG,ASM_GSM_FLAG,ASM_GSM_CATEGORY,\
         BUY_SELL_INDICATOR,MTF_LEVERAGE,SM_UPPER_LIMIT\r\n",
    );
    for it in records {
        let Record { exchange, segment, id, kind, ticker, lot, side, form, .. } = it;
        // MCX's contracts have no name here.
        let named = if *segment == "M" { ticker } else { &it.contract };
        let name = if it.contract.is_empty() { &it.company } else { named };
        let expiry = it.expiry.map_or("0001-01-01".to_owned(), |day| day.to_string());
        let series = if it.series.is_empty() { "NA" } else { &it.series };
        let paise = if *kind == "INDEX" { 0.05 } else { it.paise };
        write!(
            csv,
            "{exchange},{segment},{id},NA,{kind},26000,{ticker},{},{},{form},{series},{lot}.0,{expiry},{:.5},{side},{paise:.4},N,N,N,N,NA,A,4.0,0.0,\r\n",
            quoted(name), quoted(&it.display), it.strike,
        )
        .unwrap();
    }
    csv
}
