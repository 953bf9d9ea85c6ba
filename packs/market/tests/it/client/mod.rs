//! The client, against a broker that says what a test tells it to say.

mod account;
mod broker;
mod charts;
mod errors;
mod master;
mod numbers;
mod options;
mod pace;
mod quotes;
mod retries;
mod secrets;
mod simulator;

use std::time::Duration;

use toolwright_market::{Access, Client, Key, MarketError, Pace, Segment, Settings};

use self::broker::Broker;

/// As long as real ones are.
const TOKEN: &str = "eyJhbGciOiJIUzUxMiJ9.eyJkaGFuQ2xpZW50SWQiOiIxMDAwMDAwMDAxIn0.c2lnbmF0dXJl";

const NIFTY: Key = Key { segment: Segment::Index, id: 13 };
const TCS: Key = Key { segment: Segment::NseEq, id: 11_536 };

fn access() -> Access {
    Access::new(TOKEN, "1000000001")
}

/// Settings that wait for nothing.
fn settings(broker: &Broker) -> Settings {
    let mut settings = Settings::at(broker.base_url());
    settings.pace = Pace::unlimited();
    settings.timeout = Duration::from_secs(5);
    settings
}

fn client(broker: &Broker) -> Client {
    Client::new(settings(broker)).unwrap()
}

/// The error there must be; it must not hold the token.
#[track_caller]
fn error_of<T: std::fmt::Debug>(result: Result<T, MarketError>) -> MarketError {
    let error = result.unwrap_err();
    assert!(!format!("{error} {error:?}").contains(TOKEN), "{error:?}");
    error
}
