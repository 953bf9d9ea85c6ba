//! The frame of a client: its arguments, the warm-up, and the timed conversations.

use std::{
    cell::Cell,
    env,
    fmt::Display,
    io::{self, Write},
    rc::Rc,
    str::FromStr,
    time::Instant,
};

use anyhow::Context;
use tokio::{
    runtime,
    task::{LocalSet, spawn_local},
};

use crate::{
    measure::{Tally, Timer},
    scenario::Scenario,
};

/// What every client is told: `BASE_URL SCENARIO N CONCURRENCY`.
#[derive(Clone, Debug)]
pub struct Args {
    /// Where the server is, up to and with `/v1`.
    pub base_url: String,
    /// Which conversation to hold.
    pub scenario: Scenario,
    /// How many to hold in the timed part; none measures the start alone.
    pub conversations: usize,
    /// How many at a time.
    pub concurrency: usize,
    /// How many to hold beforehand, one at a time.
    pub warm_up: usize,
}

impl Args {
    /// Reads the command line, and the warm-up from `BENCH_WARM`.
    ///
    /// # Errors
    ///
    /// When an argument is missing or is not what it should be.
    pub fn from_env() -> anyhow::Result<Self> {
        let arguments: Vec<_> = env::args().skip(1).collect();
        let [base_url, scenario, conversations, concurrency] = arguments.as_slice() else {
            anyhow::bail!("usage: BASE_URL SCENARIO N CONCURRENCY");
        };
        let scenario = scenario.parse()?;
        let conversations = parsed("N", conversations)?;
        Ok(Self {
            base_url: base_url.clone(),
            scenario,
            conversations,
            concurrency: parsed("CONCURRENCY", concurrency)?,
            warm_up: match env::var("BENCH_WARM") {
                Ok(value) => parsed("BENCH_WARM", &value)?,
                Err(_) => default_warm_up(scenario, conversations),
            },
        })
    }
}

fn parsed<T: FromStr<Err: Display>>(name: &str, value: &str) -> anyhow::Result<T> {
    value.parse().map_err(|error| anyhow::anyhow!("{name} is {value:?}: {error}"))
}

fn default_warm_up(scenario: Scenario, conversations: usize) -> usize {
    match scenario {
        _ if conversations == 0 => 0,
        Scenario::Nifty => 10,
        // One of these is a hundred rounds, or 50 ms of sleep.
        Scenario::Long | Scenario::Parallel => 1,
    }
}

/// Holds the warm-up, then the timed conversations, on a runtime of one thread, and prints the
/// line of JSON.
///
/// `conversation` holds one and returns the model's answer; it may `spawn_local`. A wrong answer
/// and an error go to standard error and do not count as `ok`.
///
/// # Errors
///
/// When the runtime does not start, a conversation panics, or the figures cannot be had. A
/// conversation that fails is not an error here.
pub fn drive<F, E>(
    peer: &str,
    args: Args,
    conversation: impl Fn() -> F + Clone + 'static,
) -> anyhow::Result<()>
where
    F: Future<Output = Result<String, E>> + 'static,
    E: Display + 'static,
{
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    LocalSet::new().block_on(&runtime, async move {
        let expected = args.scenario.expected();
        hold(args.warm_up, 1, expected, &conversation).await?;
        let timer = Timer::start()?;
        let tally = hold(args.conversations, args.concurrency, expected, &conversation).await?;
        timer.finish(peer, &args, &tally)
    })
}

async fn hold<F, E>(
    conversations: usize,
    concurrency: usize,
    expected: &'static str,
    conversation: &(impl Fn() -> F + Clone + 'static),
) -> anyhow::Result<Tally>
where
    F: Future<Output = Result<String, E>> + 'static,
    E: Display + 'static,
{
    let left = Rc::new(Cell::new(conversations));
    let workers: Vec<_> = (0..concurrency.min(conversations))
        .map(|_| {
            let (left, conversation) = (Rc::clone(&left), conversation.clone());
            spawn_local(async move {
                let mut tally = Tally::default();
                while let Some(rest) = left.get().checked_sub(1) {
                    left.set(rest);
                    let start = Instant::now();
                    match conversation().await {
                        Ok(answer) if answer == expected => tally.ok += 1,
                        Ok(answer) => complain(&format!("wrong answer: {answer}")),
                        // An anyhow error with its causes; others print the same either way.
                        Err(error) => complain(&format!("{error:#}")),
                    }
                    tally.latencies.push(start.elapsed());
                }
                tally
            })
        })
        .collect();
    let mut total = Tally::default();
    for worker in workers {
        total.add(worker.await.context("a worker panicked")?);
    }
    Ok(total)
}

fn complain(what: &str) {
    // With nowhere to complain to, the count of the right ones still tells.
    let _ = writeln!(io::stderr(), "{what}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_right_answers_count_and_every_conversation_is_timed() {
        let turn = Rc::new(Cell::new(0));
        let conversation = move || {
            let turn = Rc::clone(&turn);
            async move {
                turn.set(turn.get() + 1);
                match turn.get() {
                    2 => Ok("wrong".to_owned()),
                    3 => Err("broken"),
                    _ => Ok("right".to_owned()),
                }
            }
        };
        let tally = LocalSet::new().run_until(hold(5, 2, "right", &conversation)).await.unwrap();
        assert_eq!((tally.ok, tally.latencies.len()), (3, 5));
    }

    #[test]
    fn the_warm_up_fits_the_scenario() {
        assert_eq!(default_warm_up(Scenario::Nifty, 300), 10);
        assert_eq!(default_warm_up(Scenario::Long, 5), 1);
        assert_eq!(default_warm_up(Scenario::Nifty, 0), 0);
    }
}
