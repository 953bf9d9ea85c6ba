//! Tools for a trading desk.
//!
//! [`Desk`] has the tools, and says which market a call sees: the broker's, which [`Client`] asks, or
//! one that [`Simulator`] makes up. [`Instrument`] is something that can be looked up, [`Quote`] what it
//! costs now, [`Candle`] what it cost then.

mod access;
mod candle;
mod chain;
mod client;
mod desk;
mod error;
mod instrument;
mod instruments;
mod ist;
mod pack;
mod quote;
mod segment;
mod sim;
mod tools;
mod vocabulary;
mod words;

pub use self::{
    access::{Access, NoToken},
    candle::{Candle, Interval},
    chain::{Leg, OptionChain, Strike},
    client::{
        Client, Columns, DataPlan, Detail, Direction, Funds, Holding, Pace, Position, Profile,
        Settings,
    },
    desk::{Desk, DeskSettings, Mark, Seen},
    error::{MarketError, MarketErrorKind},
    instrument::{Instrument, Key, Side},
    instruments::{Instruments, Master, Match, Query, Source},
    ist::{Session, in_india, ist},
    pack::MarketPack,
    quote::{Depth, Level, Ohlc, Quote},
    segment::{Kind, Segment},
    sim::{Clock, Limits, Rate, SimSettings, Simulator},
};
