//! [`Layout`]: the instrument master, as the broker writes it.
//!
//! With its oddities, for clients must live with them: steps of prices in paise but not for indices, strikes
//! that mean nothing, a comma too many at the ends of detailed lines, line ends of another system.

use std::fmt::Write;

use super::{
    calendar::Cycle,
    market::Market,
    papers::{Paper, Terms},
};
use crate::{Kind, Segment, Side};

/// How the instrument master is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// 16 columns.
    Compact,
    /// 42 columns.
    Detailed,
}

const COMPACT: &str = "SEM_EXM_EXCH_ID,SEM_SEGMENT,SEM_SMST_SECURITY_ID,SEM_INSTRUMENT_NAME,\
    SEM_EXPIRY_CODE,SEM_TRADING_SYMBOL,SEM_LOT_UNITS,SEM_CUSTOM_SYMBOL,SEM_EXPIRY_DATE,\
    SEM_STRIKE_PRICE,SEM_OPTION_TYPE,SEM_TICK_SIZE,SEM_EXPIRY_FLAG,SEM_EXCH_INSTRUMENT_TYPE,\
    SEM_SERIES,SM_SYMBOL_NAME";

const DETAILED: &str = "EXCH_ID,SEGMENT,SECURITY_ID,ISIN,INSTRUMENT,UNDERLYING_SECURITY_ID,\
    UNDERLYING_SYMBOL,SYMBOL_NAME,DISPLAY_NAME,INSTRUMENT_TYPE,SERIES,LOT_SIZE,SM_EXPIRY_DATE,\
    STRIKE_PRICE,OPTION_TYPE,TICK_SIZE,EXPIRY_FLAG,BRACKET_FLAG,COVER_FLAG,ASM_GSM_FLAG,\
    ASM_GSM_CATEGORY,BUY_SELL_INDICATOR,BUY_CO_MIN_MARGIN_PER,SELL_CO_MIN_MARGIN_PER,\
    BUY_CO_SL_RANGE_MAX_PERC,SELL_CO_SL_RANGE_MAX_PERC,BUY_CO_SL_RANGE_MIN_PERC,\
    SELL_CO_SL_RANGE_MIN_PERC,BUY_BO_MIN_MARGIN_PER,SELL_BO_MIN_MARGIN_PER,\
    BUY_BO_SL_RANGE_MAX_PERC,SELL_BO_SL_RANGE_MAX_PERC,BUY_BO_SL_RANGE_MIN_PERC,\
    SELL_BO_SL_MIN_RANGE,BUY_BO_PROFIT_RANGE_MAX_PERC,SELL_BO_PROFIT_RANGE_MAX_PERC,\
    BUY_BO_PROFIT_RANGE_MIN_PERC,SELL_BO_PROFIT_RANGE_MIN_PERC,MTF_LEVERAGE,SM_UPPER_LIMIT,\
    SM_LOWER_LIMIT,SM_FREEZE_QTY";

impl Market {
    /// The instrument master: of one segment, or all of it.
    pub(super) fn master(&self, layout: Layout, segment: Option<Segment>) -> String {
        let mut file = match layout {
            Layout::Compact => COMPACT.to_owned(),
            Layout::Detailed => DETAILED.to_owned(),
        };
        file.push_str("\r\n");
        let wanted = |paper: &&Paper| segment.is_none_or(|it| paper.key.segment == it);
        for paper in self.board.papers().iter().filter(wanted) {
            // Writing to a string does not fail.
            let _ = match layout {
                Layout::Compact => write!(file, "{}\r\n", compact(paper)),
                Layout::Detailed => write!(file, "{}\r\n", self.detailed(paper)),
            };
        }
        file
    }

    fn detailed(&self, paper: &Paper) -> String {
        let row = Row(paper);
        let (lower, upper) = self.band(paper, self.board.day, 10.0);
        let (lower, upper, freeze) = match paper.kind {
            Kind::Index => (0.0, 0.0, 0),
            _ => (lower, upper, 40 * paper.lot),
        };
        let underlying = paper.underlying.map(|id| id.to_string()).unwrap_or_default();
        let (symbol, series, expiry, flag) = match paper.kind {
            Kind::Index => (paper.symbol.clone(), "NA", "0001-01-01".to_owned(), "N"),
            Kind::Equity => (format!("\"{}\"", paper.title), paper.series, String::new(), "NA"),
            Kind::FutCom => (paper.title.clone(), paper.series, row.date(), row.flag()),
            _ => (paper.symbol.clone(), "NA", row.date(), row.flag()),
        };
        let strike = if paper.kind == Kind::Index { String::new() } else { row.strike() };
        let side = if paper.kind == Kind::Index { "XX" } else { row.side() };
        let tick = match paper.kind {
            Kind::Index => format!("{:.4}", paper.tick),
            _ => row.tick(),
        };
        format!(
            "{},{},{},{},{},{underlying},{},{symbol},{},{},{series},{}.0,{expiry},{strike},{side},{tick},\
             {flag},N,N,N,NA,A,{},{upper:.2},{lower:.2},{freeze},",
            paper.exchange,
            row.letter(),
            paper.key.id,
            paper.isin,
            paper.kind,
            paper.ticker,
            quoted(&paper.name),
            paper.category,
            paper.lot,
            "0.00,".repeat(16) + "0.0",
        )
    }
}

fn compact(paper: &Paper) -> String {
    let row = Row(paper);
    let (time, strike, tick, flag) = match paper.kind {
        Kind::Index => (String::new(), "7.00000".to_owned(), "1.0000".to_owned(), "NA"),
        _ => (row.time(), row.strike(), row.tick(), row.flag()),
    };
    format!(
        "{},{},{},{},0,{},{}.0,{},{time},{strike},{},{tick},{flag},{},{},{}",
        paper.exchange,
        row.letter(),
        paper.key.id,
        paper.kind,
        paper.symbol,
        paper.lot,
        quoted(&paper.name),
        row.side(),
        paper.category,
        paper.series,
        quoted(&paper.title),
    )
}

/// What both layouts write alike.
struct Row<'a>(&'a Paper);

impl Row<'_> {
    fn letter(&self) -> &'static str {
        match self.0.key.segment {
            Segment::Index => "I",
            Segment::NseEq | Segment::BseEq => "E",
            Segment::NseFno | Segment::BseFno => "D",
            Segment::NseCurrency | Segment::BseCurrency => "C",
            Segment::McxComm | Segment::NseComm => "M",
        }
    }

    fn date(&self) -> String {
        self.0.terms.expiry().map(|expiry| expiry.date.to_string()).unwrap_or_default()
    }

    fn time(&self) -> String {
        let clock = if self.0.kind == Kind::FutCom { "23:30:00" } else { "14:30:00" };
        match self.0.terms.expiry() {
            Some(expiry) => format!("{} {clock}", expiry.date),
            None => String::new(),
        }
    }

    fn flag(&self) -> &'static str {
        match self.0.terms.expiry().map(|expiry| expiry.cycle) {
            Some(Cycle::Monthly) => "M",
            Some(Cycle::Weekly) => "W",
            None => "NA",
        }
    }

    fn strike(&self) -> String {
        match self.0.terms {
            Terms::Option { strike, .. } => format!("{strike:.5}"),
            Terms::Spot | Terms::Test(None) => String::new(),
            _ if self.0.kind == Kind::FutCom => "0.00000".to_owned(),
            _ => "-0.01000".to_owned(),
        }
    }

    fn side(&self) -> &'static str {
        match self.0.terms {
            Terms::Option { side: Side::Call, .. } => "CE",
            Terms::Option { side: Side::Put, .. } => "PE",
            Terms::Spot | Terms::Test(None) => "",
            _ => "XX",
        }
    }

    /// In paise.
    fn tick(&self) -> String {
        format!("{:.4}", self.0.tick * 100.0)
    }
}

/// In quotes, if it needs them.
fn quoted(text: &str) -> String {
    if text.contains(',') { format!("\"{text}\"") } else { text.to_owned() }
}
