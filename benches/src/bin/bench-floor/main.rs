//! What a conversation costs at the least.
//!
//! ```text
//! bench-floor BASE_URL SCENARIO N CONCURRENCY
//! FLOOR=tcp bench-floor ...
//! FLOOR=lean bench-floor ...
//! ```
//!
//! The floor sends requests serialized beforehand through hyper and reads the replies without
//! parsing them. `tcp` does so with blocking sockets, one thread for each worker. `lean` is a real
//! loop that parses replies, runs tools and grows the history, and does nothing else.

mod bodies;
mod http;
mod lean;
mod tcp;

use std::{env, rc::Rc};

use anyhow::Context;
use bytes::Bytes;
use http_body_util::BodyExt;
use toolwright_benches::{
    drive::{Args, drive},
    measure::mark,
    scenario::{LOOKUP_TIME, Scenario},
};

use crate::{bodies::bodies, http::Pool};

/// The last reply has more bytes than this; a shorter one was an error.
const MIN_ANSWER_LEN: usize = 1000;

fn main() -> anyhow::Result<()> {
    let args = Args::from_env()?;
    let scenario = args.scenario;
    match env::var("FLOOR").as_deref() {
        Ok("tcp") => tcp::run(&args),
        Ok("lean") => {
            let pool = Rc::new(Pool::new(&args.base_url)?);
            let opening: Rc<[u8]> = lean::opening(scenario).into();
            drive("lean", args, move || lean::conversation(Rc::clone(&pool), Rc::clone(&opening)))
        }
        Ok("hyper") | Err(_) => {
            let pool = Rc::new(Pool::new(&args.base_url)?);
            let bodies: Rc<[Bytes]> = bodies(scenario).into();
            drive("floor", args, move || floor(Rc::clone(&pool), scenario, Rc::clone(&bodies)))
        }
        Ok(other) => anyhow::bail!("FLOOR is {other:?}; there are hyper, tcp and lean"),
    }
}

async fn floor(pool: Rc<Pool>, scenario: Scenario, bodies: Rc<[Bytes]>) -> anyhow::Result<String> {
    let mut sender = pool.take().await?;
    let mut length = 0;
    for (turn, body) in bodies.iter().enumerate() {
        if turn == 1 && scenario == Scenario::Parallel {
            tokio::time::sleep(LOOKUP_TIME).await;
        }
        let mut reply = pool.post(&mut sender, body.clone()).await?;
        length = 0;
        while let Some(frame) = reply.frame().await {
            length += frame?.data_ref().map_or(0, Bytes::len);
        }
        if scenario == Scenario::Long && turn + 1 < bodies.len() {
            mark();
        }
    }
    pool.give_back(sender);
    anyhow::ensure!(length > MIN_ANSWER_LEN, "the last reply has only {length} bytes");
    // The replies were not parsed. That they were not 400 is what is known of them, and the
    // server accepts the last request only for its full history.
    Ok(scenario.expected().to_owned())
}

/// The authority and the path of the chat completions under `base_url`.
fn endpoint(base_url: &str) -> anyhow::Result<(&str, String)> {
    let rest = base_url.strip_prefix("http://").context("the base URL must start with http://")?;
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let path = path.trim_end_matches('/');
    let slash = if path.is_empty() { "" } else { "/" };
    Ok((authority, format!("{slash}{path}/chat/completions")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_endpoint_is_under_the_base_url() {
        let of = |url| endpoint(url).unwrap();
        assert_eq!(of("http://host:1/v1"), ("host:1", "/v1/chat/completions".to_owned()));
        assert_eq!(of("http://host:1/v1/"), ("host:1", "/v1/chat/completions".to_owned()));
        assert_eq!(of("http://host:1"), ("host:1", "/chat/completions".to_owned()));
        assert!(endpoint("https://host").is_err());
    }
}
