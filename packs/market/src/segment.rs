//! [`Segment`] and [`Kind`]: where an instrument is traded, and what it is.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{MarketError, MarketErrorKind};

macro_rules! words {
    ($(#[$doc:meta])* $type:ident, $what:literal { $($(#[$each:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $type {
            $($(#[$each])* #[serde(rename = $word)] $variant,)*
        }

        impl $type {
            /// Each of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The word the API uses.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $type {
            type Err = MarketError;

            fn from_str(word: &str) -> Result<Self, MarketError> {
                let typed = word.trim().to_ascii_uppercase().replace([' ', '-'], "_");
                let word = Self::known_as(&typed);
                Self::ALL.iter().copied().find(|it| it.as_str() == word).ok_or_else(|| {
                    let all: Vec<_> = Self::ALL.iter().map(|it| it.as_str()).collect();
                    let message = format!("`{word}` is no {}: use one of {}", $what, all.join(", "));
                    MarketError::new(MarketErrorKind::Input, message)
                })
            }
        }
    };
}

words! {
    /// Where an instrument is traded.
    Segment, "segment" {
        /// Index values.
        Index = "IDX_I",
        /// NSE, cash.
        NseEq = "NSE_EQ",
        /// NSE, futures and options.
        NseFno = "NSE_FNO",
        /// NSE, currency.
        NseCurrency = "NSE_CURRENCY",
        /// BSE, cash.
        BseEq = "BSE_EQ",
        /// MCX, commodities.
        McxComm = "MCX_COMM",
        /// BSE, currency.
        BseCurrency = "BSE_CURRENCY",
        /// BSE, futures and options.
        BseFno = "BSE_FNO",
        /// NSE, commodities.
        NseComm = "NSE_COMM",
    }
}

words! {
    /// What an instrument is.
    Kind, "kind of instrument" {
        /// An index.
        Index = "INDEX",
        /// A share, or something traded like one.
        Equity = "EQUITY",
        /// A future on an index.
        FutIdx = "FUTIDX",
        /// An option on an index.
        OptIdx = "OPTIDX",
        /// A future on a share.
        FutStk = "FUTSTK",
        /// An option on a share.
        OptStk = "OPTSTK",
        /// A future on a commodity.
        FutCom = "FUTCOM",
        /// An option on a commodity's future.
        OptFut = "OPTFUT",
        /// A future on a currency.
        FutCur = "FUTCUR",
        /// An option on a currency.
        OptCur = "OPTCUR",
    }
}

impl Segment {
    /// The segment that a common but wrong word means.
    fn known_as(word: &str) -> &str {
        match word {
            "NSE_FO" | "NFO" => "NSE_FNO",
            "BSE_FO" | "BFO" => "BSE_FNO",
            "MCX_COM" | "MCX" => "MCX_COMM",
            "NSE_IDX" | "IDX" | "INDEX" | "NSE_I" => "IDX_I",
            "NSE" | "NSE_E" => "NSE_EQ",
            "BSE" | "BSE_E" => "BSE_EQ",
            word => word,
        }
    }

    /// The segment of a row of the instrument master.
    pub fn of_master(exchange: &str, segment: &str) -> Option<Self> {
        Some(match (exchange, segment) {
            (_, "I") => Self::Index,
            ("NSE", "E") => Self::NseEq,
            ("NSE", "D") => Self::NseFno,
            ("NSE", "C") => Self::NseCurrency,
            ("NSE", "M") => Self::NseComm,
            ("BSE", "E") => Self::BseEq,
            ("BSE", "D") => Self::BseFno,
            ("BSE", "C") => Self::BseCurrency,
            ("MCX", "M") => Self::McxComm,
            _ => return None,
        })
    }
}

impl Kind {
    fn known_as(word: &str) -> &str {
        match word {
            "EQ" | "STOCK" | "SHARE" => "EQUITY",
            "IDX" => "INDEX",
            word => word,
        }
    }

    /// Whether it is an option.
    pub fn is_option(self) -> bool {
        matches!(self, Self::OptIdx | Self::OptStk | Self::OptFut | Self::OptCur)
    }

    /// Whether it is a future.
    pub fn is_future(self) -> bool {
        matches!(self, Self::FutIdx | Self::FutStk | Self::FutCom | Self::FutCur)
    }
}
