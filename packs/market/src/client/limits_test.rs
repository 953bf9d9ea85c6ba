use std::time::Duration;

use jiff::civil::date;
use tokio::time::{Instant, advance, sleep, timeout};

use super::{Lane, Limits, MOST_GATES};
use crate::{Access, Key, MarketErrorKind, Segment, client::Pace};

const NIFTY: Key = Key { segment: Segment::Index, id: 13 };

fn limits() -> Limits {
    let second = Duration::from_secs;
    let (data, other) = (second(1) / 5, second(1) / 20);
    let (quotes, chain, cool_down) = (second(1), second(3), second(60));
    Limits::new(Pace { quotes, data, chain, other, cool_down, backoff: Duration::ZERO })
}

fn access(client_id: &str) -> Access {
    Access::new("token", client_id)
}

/// How long so many turns take, one after the other.
async fn time_for(limits: &Limits, lane: Lane, turns: u32) -> Duration {
    let began = Instant::now();
    for _ in 0..turns {
        limits.turn(&access("1"), lane).await.unwrap();
    }
    began.elapsed()
}

/// Timers are exact to a millisecond.
#[track_caller]
fn assert_about(time: Duration, wanted: Duration, turns: u32) {
    let most = wanted + Duration::from_millis(2) * turns;
    assert!((wanted..=most).contains(&time), "{time:?} instead of {wanted:?}");
}

#[tokio::test(start_paused = true)]
async fn each_lane_has_its_pace() {
    let limits = limits();
    let chain = Lane::Chain(NIFTY, Some(date(2024, 10, 31)));
    for (lane, turns, millis) in
        [(Lane::Quotes, 4, 3000), (Lane::Data, 11, 2000), (Lane::Other, 41, 2000), (chain, 3, 6000)]
    {
        let time = time_for(&limits, lane, turns).await;
        assert_about(time, Duration::from_millis(millis), turns);
    }
}

#[tokio::test(start_paused = true)]
async fn there_are_no_bursts_after_a_pause() {
    let limits = limits();
    sleep(Duration::from_secs(100)).await;
    assert_about(time_for(&limits, Lane::Data, 6).await, Duration::from_secs(1), 6);
}

#[tokio::test(start_paused = true)]
async fn the_next_quote_waits_from_the_answer_on_but_not_for_ever() {
    let limits = limits();
    let one = access("1");
    for (taken, next_after) in [(0, 1000), (300, 1300), (1000, 2000), (5000, 2000)] {
        sleep(Duration::from_secs(10)).await;
        let began = Instant::now();
        let turn = limits.turn(&one, Lane::Quotes).await.unwrap();
        let first = turn.ask(sleep(Duration::from_millis(taken)));
        let second = async {
            let turn = limits.turn(&one, Lane::Quotes).await.unwrap();
            (began.elapsed(), turn).0
        };
        let ((), second) = tokio::join!(first, second);
        assert_about(second, Duration::from_millis(next_after), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn candles_do_not_wait_for_answers() {
    let limits = limits();
    let one = access("1");
    let began = Instant::now();
    let ask = async || {
        let turn = limits.turn(&one, Lane::Data).await.unwrap();
        turn.ask(sleep(Duration::from_secs(1))).await;
    };
    tokio::join!(ask(), ask(), ask());
    assert_about(began.elapsed(), Duration::from_millis(1400), 3);
}

#[tokio::test(start_paused = true)]
async fn different_chains_wait_for_each_other_only_as_data() {
    let limits = limits();
    let began = Instant::now();
    for day in 1..=6 {
        let lane = Lane::Chain(NIFTY, Some(date(2024, 10, day)));
        limits.turn(&access("1"), lane).await.unwrap();
    }
    limits.turn(&access("1"), Lane::Chain(NIFTY, None)).await.unwrap();
    assert_about(began.elapsed(), Duration::from_millis(1200), 7);
}

#[tokio::test(start_paused = true)]
async fn clients_do_not_wait_for_each_other() {
    let limits = limits();
    let began = Instant::now();
    for client in ["1", "2", "3"] {
        limits.turn(&access(client), Lane::Quotes).await.unwrap();
    }
    assert_eq!(began.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn who_comes_first_is_first() {
    let limits = limits();
    let order = std::sync::Mutex::new(Vec::new());
    let (limits, order) = (&limits, &order);
    let turn = async |number: u32| {
        limits.turn(&access("1"), Lane::Quotes).await.unwrap();
        order.lock().unwrap().push(number);
    };
    tokio::join!(turn(0), turn(1), turn(2), turn(3), turn(4));
    assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3, 4]);
}

#[tokio::test(start_paused = true)]
async fn who_gives_up_takes_no_turn() {
    let limits = limits();
    let one = access("1");
    limits.turn(&one, Lane::Quotes).await.unwrap();
    let began = Instant::now();
    for _ in 0..5 {
        let given_up = timeout(Duration::from_millis(100), limits.turn(&one, Lane::Quotes));
        assert!(given_up.await.is_err());
    }
    limits.turn(&one, Lane::Quotes).await.unwrap();
    assert_about(began.elapsed(), Duration::from_secs(1), 6);
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_ever() {
    let limits = limits();
    let (one, quotes) = (access("1"), Lane::Quotes);
    let all = futures_util::future::join_all(
        (0..70).map(async |_| limits.turn(&one, quotes).await.map(drop)),
    );
    let (served, refused): (Vec<_>, Vec<_>) = all.await.into_iter().partition(Result::is_ok);
    // Whoever's turn comes in the very moment the wait ends may be either.
    assert!((60..=61).contains(&served.len()), "{}", served.len());
    let error = refused.into_iter().next().unwrap().unwrap_err();
    assert_eq!(error.kind, MarketErrorKind::RateLimited);
    assert!(error.message.contains("was not sent"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_broker_that_complains_is_left_alone_ever_longer() {
    let limits = limits();
    let one = access("1");
    for seconds in [60, 120, 240, 480, 960, 960] {
        let length = Duration::from_secs(seconds);
        assert_eq!(limits.block(&one), length);
        advance(Duration::from_secs(1)).await;
        let left = length - Duration::from_secs(1);
        assert_eq!(limits.block(&one), left, "said to two at once");
        let error = limits.turn(&one, Lane::Data).await.unwrap_err();
        assert_eq!(error.retry_after, Some(left));
        limits.turn(&one, Lane::Other).await.unwrap();
        limits.turn(&access("2"), Lane::Data).await.unwrap();
        advance(left).await;
        limits.turn(&one, Lane::Data).await.unwrap();
    }
    advance(Duration::from_secs(3600)).await;
    assert_eq!(limits.block(&one), Duration::from_secs(60), "forgiven");
}

#[tokio::test(start_paused = true)]
async fn who_waits_when_the_broker_complains_does_not_ask() {
    let limits = limits();
    let one = access("1");
    limits.turn(&one, Lane::Quotes).await.unwrap();
    let complaint = async {
        sleep(Duration::from_millis(500)).await;
        limits.block(&one);
    };
    let (turn, ()) = tokio::join!(limits.turn(&one, Lane::Quotes), complaint);
    assert_eq!(turn.unwrap_err().kind, MarketErrorKind::RateLimited);
}

#[tokio::test(start_paused = true)]
async fn gates_are_forgotten_once_they_are_idle() {
    let limits = limits();
    for number in 0..4 * MOST_GATES {
        limits.turn(&access(&number.to_string()), Lane::Quotes).await.unwrap();
        sleep(Duration::from_millis(20)).await;
    }
    assert!(limits.state().gates.len() <= MOST_GATES);
}
