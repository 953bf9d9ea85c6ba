//! [`Client`]: asks the broker.
//!
//! A call checks what it is asked for, waits for its turn (`limits`), goes over the wire (`wire`),
//! and makes of the answer what this crate speaks of (`quotes`, `charts`, `options`, `account`).

mod account;
mod charts;
mod fields;
mod limits;
mod master;
mod meaning;
mod options;
mod owners;
mod quotes;
mod range;
mod refusal;
mod settings;
mod trouble;
mod web;
mod wire;

use std::sync::Arc;

pub use self::{
    account::{DataPlan, Direction, Funds, Holding, Position, Profile},
    settings::{Columns, Detail, Pace, Settings},
};
use self::{master::Master, wire::Wire};
use crate::MarketError;

/// Asks the broker. Clones share connections and limits.
#[derive(Clone, Debug)]
pub struct Client {
    wire: Arc<Wire>,
    master: Arc<Master>,
}

impl Client {
    /// A client for what is at the addresses of these settings.
    pub fn new(settings: Settings) -> Result<Self, MarketError> {
        let Settings { base_url, master_url, timeout, pace } = settings;
        let wire = Arc::new(Wire::new(web::address(&base_url)?, timeout, pace)?);
        let master = Arc::new(Master::new(web::address(&master_url)?, timeout, pace.backoff));
        Ok(Self { wire, master })
    }
}
