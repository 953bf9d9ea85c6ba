//! [`Gauge`], [`Fund`], [`Bond`] and [`Commodity`]: indices, and what else is listed.

use jiff::civil::Weekday;

/// An index.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct Gauge {
    /// The number among the indices.
    pub(in crate::sim) id: u64,
    /// Whose it is.
    pub(in crate::sim) exchange: &'static str,
    /// The ticker.
    pub(in crate::sim) symbol: &'static str,
    /// The name for people.
    pub(in crate::sim) name: &'static str,
    /// Where it stands about.
    pub(in crate::sim) level: f64,
    /// How much it follows the market, and what it moves by in a day on its own.
    pub(in crate::sim) moves: (f64, f64),
    /// Its futures and options.
    pub(in crate::sim) contracts: Option<Contracts>,
}

/// The futures and options on an index.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct Contracts {
    /// The exchange's own number of the index, which is not the number among the indices.
    pub(in crate::sim) token: u64,
    /// How many make a lot.
    pub(in crate::sim) lot: u32,
    /// What the strikes are apart, and how many there are on each side.
    pub(in crate::sim) strikes: (f64, u32),
    /// How many weeks and months ahead options are listed.
    pub(in crate::sim) ahead: (usize, usize),
    /// The weekday they end on, where it is not NSE's.
    pub(in crate::sim) weekday: Option<Weekday>,
}

const fn gauge(id: u64, symbol: &'static str, name: &'static str, level: f64, own: f64) -> Gauge {
    Gauge { id, exchange: "NSE", symbol, name, level, moves: (1.0, own), contracts: None }
}

impl Gauge {
    const fn bse(self) -> Self {
        Self { exchange: "BSE", ..self }
    }

    const fn moving(self, beta: f64, own: f64) -> Self {
        Self { moves: (beta, own), ..self }
    }

    const fn contracts(
        self,
        token: u64,
        lot: u32,
        strikes: (f64, u32),
        ahead: (usize, usize),
    ) -> Self {
        let weekday = match self.exchange.as_bytes() {
            b"BSE" => Some(Weekday::Thursday),
            _ => None,
        };
        Self { contracts: Some(Contracts { token, lot, strikes, ahead, weekday }), ..self }
    }
}

/// The indices. The numbers of those with contracts, and of India VIX, are the documented ones; the
/// others are as far as publicly known.
#[rustfmt::skip] // A table: one index a line.
pub(in crate::sim) const GAUGES: &[Gauge] = &[
    gauge(13, "NIFTY", "Nifty 50", 25_000.0, 0.0).contracts(26_000, 65, (50.0, 40), (3, 3)),
    gauge(25, "BANKNIFTY", "Nifty Bank", 55_000.0, 0.004).contracts(26_009, 30, (100.0, 35), (0, 3)),
    gauge(27, "FINNIFTY", "Nifty Financial Services", 26_500.0, 0.004).contracts(26_037, 60, (50.0, 25), (0, 2)),
    gauge(442, "MIDCPNIFTY", "Nifty Midcap Select", 13_500.0, 0.005).contracts(26_074, 120, (25.0, 25), (0, 2)),
    gauge(38, "NIFTYNXT50", "Nifty Next 50", 68_000.0, 0.005).contracts(26_013, 25, (100.0, 20), (0, 1)),
    gauge(51, "SENSEX", "S&P BSE SENSEX", 82_000.0, 0.0006).bse().contracts(1, 20, (100.0, 40), (3, 2)),
    gauge(69, "BANKEX", "S&P BSE BANKEX", 61_500.0, 0.004).bse().contracts(12, 30, (100.0, 20), (0, 2)),
    gauge(21, "INDIA VIX", "India VIX", 13.0, 0.0).moving(-2.0, 0.02),
    gauge(17, "NIFTY 100", "Nifty 100", 25_600.0, 0.001),
    gauge(18, "NIFTY 200", "Nifty 200", 13_900.0, 0.001),
    gauge(19, "NIFTY 500", "Nifty 500", 22_900.0, 0.0015),
    gauge(14, "NIFTY AUTO", "Nifty Auto", 26_800.0, 0.006),
    gauge(28, "NIFTY FMCG", "Nifty FMCG", 54_000.0, 0.006),
    gauge(29, "NIFTYIT", "Nifty IT", 38_000.0, 0.008),
    gauge(30, "NIFTY MEDIA", "Nifty Media", 1_450.0, 0.009),
    gauge(31, "NIFTY METAL", "Nifty Metal", 11_200.0, 0.009),
    gauge(32, "NIFTY PHARMA", "Nifty Pharma", 22_400.0, 0.007),
    gauge(33, "NIFTY PSU BANK", "Nifty PSU Bank", 8_600.0, 0.009),
    gauge(34, "NIFTY REALTY", "Nifty Realty", 860.0, 0.011),
    gauge(42, "NIFTY ENERGY", "Nifty Energy", 35_500.0, 0.006),
    gauge(43, "NIFTYINFRA", "Nifty Infrastructure", 9_400.0, 0.004),
    gauge(15, "NIFTY PVT BANK", "Nifty Private Bank", 28_000.0, 0.004),
    gauge(37, "NIFTYMCAP50", "Nifty Midcap 50", 16_900.0, 0.005),
    gauge(5, "NIFTY SMALLCAP 100", "Nifty Smallcap 100", 17_600.0, 0.006),
    gauge(83, "BSE 500", "S&P BSE 500", 36_500.0, 0.0015).bse(),
];

/// A fund that is traded like a share.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct Fund {
    /// The number on NSE.
    pub(in crate::sim) id: u64,
    /// The ticker.
    pub(in crate::sim) symbol: &'static str,
    /// The name for people.
    pub(in crate::sim) name: &'static str,
    /// What it costs about.
    pub(in crate::sim) price: f64,
    /// How much it follows the market, and what it moves by in a day on its own.
    pub(in crate::sim) moves: (f64, f64),
}

const fn fund(
    id: u64,
    symbol: &'static str,
    name: &'static str,
    price: f64,
    moves: (f64, f64),
) -> Fund {
    Fund { id, symbol, name, price, moves }
}

/// Funds.
#[rustfmt::skip] // A table: one fund a line.
pub(in crate::sim) const FUNDS: &[Fund] = &[
    fund(10576, "NIFTYBEES", "Nippon India Nifty 50 BeES", 283.0, (1.0, 0.0003)),
    fund(11439, "BANKBEES", "Nippon India Nifty Bank BeES", 565.0, (1.0, 0.004)),
    fund(10939, "JUNIORBEES", "Nippon India Nifty Next 50 BeES", 720.0, (1.0, 0.005)),
    fund(19084, "ITBEES", "Nippon India Nifty IT ETF", 42.0, (1.0, 0.008)),
    fund(14428, "GOLDBEES", "Nippon India Gold BeES", 125.0, (0.0, 0.009)),
    fund(8080, "SILVERBEES", "Nippon India Silver ETF", 290.0, (0.0, 0.016)),
    fund(900_101, "LIQUIDBEES", "Nippon India Liquid BeES", 1000.0, (0.0, 0.0001)),
    fund(900_102, "SETFNIF50", "SBI Nifty 50 ETF", 270.0, (1.0, 0.0003)),
    fund(900_103, "CPSEETF", "CPSE ETF", 96.0, (1.0, 0.006)),
    fund(900_104, "MON100", "Motilal Oswal Nasdaq 100 ETF", 230.0, (0.0, 0.012)),
];

/// A debenture: it shares the ticker of a share.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct Bond {
    /// The number on NSE.
    pub(in crate::sim) id: u64,
    /// The ticker, which is that of the company's share.
    pub(in crate::sim) symbol: &'static str,
    /// The series.
    pub(in crate::sim) series: &'static str,
    /// The name for people.
    pub(in crate::sim) name: &'static str,
}

/// Debentures.
#[rustfmt::skip] // A table: one debenture a line.
pub(in crate::sim) const BONDS: &[Bond] = &[
    Bond { id: 900_201, symbol: "CHOLAFIN", series: "D1", name: "CHOLAMANDALAM IN & FIN CO, 8.40% NCD 2028" },
    Bond { id: 900_202, symbol: "CHOLAFIN", series: "D2", name: "CHOLAMANDALAM IN & FIN CO, 8.60% NCD 2033" },
    Bond { id: 900_203, symbol: "MUTHOOTFIN", series: "N1", name: "MUTHOOT FINANCE LTD, 8.75% NCD 2029" },
    Bond { id: 900_204, symbol: "PFC", series: "N2", name: "POWER FINANCE CORP, 7.50% TAX FREE 2031" },
    Bond { id: 900_205, symbol: "RECLTD", series: "N8", name: "REC LIMITED, 7.34% TAX FREE 2028" },
    Bond { id: 900_206, symbol: "NTPC", series: "N6", name: "NTPC LTD, 8.49% NCD 2025 BONUS" },
    Bond { id: 900_207, symbol: "IRFC", series: "N9", name: "INDIAN RAILWAY FIN CORP, 7.64% TAX FREE 2031" },
];

/// Something on MCX.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct Commodity {
    /// The exchange's number of it.
    pub(in crate::sim) token: u64,
    /// The ticker.
    pub(in crate::sim) symbol: &'static str,
    /// What it costs about.
    pub(in crate::sim) price: f64,
    /// The smallest step of its price, in rupees.
    pub(in crate::sim) tick: f64,
    /// The day of the month its futures end on.
    pub(in crate::sim) day: i8,
    /// What it moves by in a day.
    pub(in crate::sim) own: f64,
    /// Whose prices it has: the small contract costs what the large one does.
    pub(in crate::sim) driver: &'static str,
}

const fn commodity(
    token: u64,
    symbol: &'static str,
    price: f64,
    tick: f64,
    day: i8,
    own: f64,
) -> Commodity {
    Commodity { token, symbol, price, tick, day, own, driver: symbol }
}

impl Commodity {
    const fn like(self, driver: &'static str) -> Self {
        Self { driver, ..self }
    }
}

/// Commodities. Only crude oil's token is the public one.
#[rustfmt::skip] // A table: one commodity a line.
pub(in crate::sim) const COMMODITIES: &[Commodity] = &[
    commodity(294, "CRUDEOIL", 5_500.0, 1.0, 19, 0.016),
    commodity(900_301, "CRUDEOILM", 5_500.0, 1.0, 19, 0.016).like("CRUDEOIL"),
    commodity(900_302, "NATURALGAS", 330.0, 0.1, 25, 0.024),
    commodity(900_303, "GOLD", 150_000.0, 1.0, 5, 0.008),
    commodity(900_304, "GOLDM", 150_000.0, 1.0, 5, 0.008).like("GOLD"),
    commodity(900_305, "SILVER", 330_000.0, 1.0, 5, 0.015),
    commodity(900_306, "SILVERM", 330_000.0, 1.0, 5, 0.015).like("SILVER"),
    commodity(900_307, "COPPER", 1_250.0, 0.05, 28, 0.010),
    commodity(900_308, "ZINC", 315.0, 0.05, 28, 0.011),
    commodity(900_309, "ALUMINIUM", 310.0, 0.05, 28, 0.010),
    commodity(900_310, "LEAD", 190.0, 0.05, 28, 0.008),
];
