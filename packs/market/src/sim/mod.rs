//! [`Simulator`]: the broker's market data, made up, on a real socket.
//!
//! Prices follow from a seed and a clock, and from nothing else: each is a function of where it belongs
//! ([`noise`]), so that any day of any instrument is computed without the days before it, and candles,
//! quotes and option chains agree with each other. Symbols and levels are real, what happens is not.

mod black;
mod board;
mod calendar;
mod driver;
mod fault;
mod gate;
mod limits;
mod market;
mod master;
mod noise;
mod papers;
mod pricing;
mod quotes;
mod refusal;
mod routes;
mod server;
mod trades;

pub use self::{
    limits::{Limits, Rate},
    server::{Clock, SimSettings, Simulator},
};
