//! The simulated market, over its socket: raw where bytes matter, through the client where it may be.

mod account;
mod chains;
mod charts;
mod faults;
mod feed;
mod limits;
mod master;
mod moments;
mod refusals;

use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use toolwright_market::{
    Access, Client, Clock, Key, Limits, Pace, Segment, Settings, SimSettings, Simulator,
};

const NIFTY: Key = Key { segment: Segment::Index, id: 13 };
const SENSEX: Key = Key { segment: Segment::Index, id: 51 };
const RELIANCE: Key = Key { segment: Segment::NseEq, id: 2885 };

/// Friday, 13 November 2026, 11:00:07 in India: the market is open.
const OPEN: &str = "2026-11-13T05:30:07Z";
/// The Sunday after.
const SUNDAY: &str = "2026-11-15T06:00:00Z";

async fn market_at(moment: &str) -> Simulator {
    let clock = Clock::Fixed(moment.parse::<Timestamp>().unwrap());
    let settings = SimSettings { clock, limits: Limits::none(), ..SimSettings::default() };
    Simulator::start(settings).await.unwrap()
}

fn client(market: &Simulator) -> Client {
    client_at(market.base_url())
}

fn client_at(base_url: String) -> Client {
    let mut settings = Settings::at(base_url);
    settings.pace = Pace::unlimited();
    settings.timeout = Duration::from_secs(20);
    Client::new(settings).unwrap()
}

fn access() -> Access {
    Access::new("any token", "1000000001")
}

/// An answer: its status, its head and its body, as they came.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// Asks with these headers, and reads to the end of the connection.
async fn ask(market: &Simulator, what: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut socket = TcpStream::connect(market.addr()).await.unwrap();
    let headers: String =
        headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    let request = format!(
        "{what} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    );
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
}

const HEADERS: &[(&str, &str)] = &[("access-token", "any"), ("client-id", "1000000001")];

async fn post(market: &Simulator, path: &str, body: &str) -> Answer {
    ask(market, &format!("POST /v2{path}"), HEADERS, body).await
}

async fn get(market: &Simulator, path: &str) -> Answer {
    ask(market, &format!("GET {path}"), HEADERS, "").await
}
