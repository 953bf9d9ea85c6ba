//! The list of all instruments.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::io::AsyncWrite;
use toolwright_market::{Client, Columns, MarketErrorKind as Kind};

use super::{
    broker::{Answer, Broker},
    client, error_of, settings,
};

fn list() -> Vec<u8> {
    (0..200_000).flat_map(|row| format!("NSE,E,{row},EQUITY\n").into_bytes()).collect()
}

#[tokio::test]
async fn a_long_list_is_copied_as_it_comes() {
    let broker = Broker::saying([Answer::raw(200, list())]).await;
    let mut copy = Vec::new();
    let length = client(&broker).master(Columns::Compact, &mut copy).await.unwrap();
    assert_eq!((length, copy == list()), (list().len() as u64, true));
    let seen = broker.seen();
    assert_eq!(
        (seen[0].method.as_str(), seen[0].path.as_str()),
        ("GET", "/v2/master/api-scrip-master.csv")
    );
    assert_eq!((seen[0].header("access-token"), seen[0].header("client-id")), (None, None));
}

#[tokio::test]
async fn redirects_are_followed_but_not_for_ever() {
    let elsewhere = Broker::saying([Answer::raw(200, "a,b\n")]).await;
    let to = format!("{}/there.csv", elsewhere.base_url());
    let broker = Broker::saying([Answer::raw(302, "").header("location", &to)]).await;
    let mut copy = Vec::new();
    assert_eq!(client(&broker).master(Columns::Detailed, &mut copy).await.unwrap(), 4);
    assert_eq!(copy, b"a,b\n");
    assert_eq!(broker.seen()[0].path, "/v2/master/api-scrip-master-detailed.csv");
    assert_eq!(elsewhere.seen()[0].header("access-token"), None);

    let broker = Broker::saying([Answer::raw(302, "").header("location", "/again")]).await;
    let error = error_of(client(&broker).master(Columns::Compact, &mut copy).await);
    assert_eq!((error.kind, broker.asked()), (Kind::Unreadable, 6), "{error}");
}

#[tokio::test]
async fn what_does_not_begin_is_asked_for_again() {
    let broker =
        Broker::saying([Answer::raw(503, ""), Answer::raw(502, "<html>"), Answer::raw(200, "a")])
            .await;
    assert_eq!(client(&broker).master(Columns::Compact, &mut Vec::new()).await.unwrap(), 1);
    assert_eq!(broker.asked(), 3);
    let broker = Broker::saying([Answer::raw(404, "")]).await;
    let error = error_of(client(&broker).master(Columns::Compact, &mut Vec::new()).await);
    assert_eq!((error.kind, broker.asked()), (Kind::Unreadable, 1));
}

#[tokio::test]
async fn what_breaks_off_is_an_error() {
    let broker = Broker::saying([Answer::raw(200, list()).cut(1000)]).await;
    let mut copy = Vec::new();
    let error = error_of(client(&broker).master(Columns::Compact, &mut copy).await);
    assert_eq!((error.kind, broker.asked()), (Kind::Network, 1), "{error}");
    assert!(copy.len() <= 1000);
}

#[tokio::test]
async fn what_stops_coming_is_an_error() {
    let broker = Broker::saying([Answer::raw(200, vec![b'a'; 2000]).stalled(1000)]).await;
    let mut settings = settings(&broker);
    settings.timeout = Duration::from_millis(600);
    let client = Client::new(settings).unwrap();
    let error = error_of(client.master(Columns::Compact, &mut Vec::new()).await);
    assert_eq!((error.kind, broker.asked()), (Kind::Timeout, 1), "{error}");
}

#[tokio::test]
async fn a_page_or_nothing_is_no_list() {
    let page = Answer::raw(200, "<html>").header("content-type", "text/html; charset=utf-8");
    for answer in [page, Answer::raw(200, "")] {
        let broker = Broker::saying([answer]).await;
        let error = error_of(client(&broker).master(Columns::Compact, &mut Vec::new()).await);
        assert_eq!((error.kind, broker.asked()), (Kind::Unreadable, 1), "{error}");
    }
}

/// A disk without room.
struct Full;

impl AsyncWrite for Full {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Err(io::Error::other("no space left on device")))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[tokio::test]
async fn a_disk_without_room() {
    let broker = Broker::saying([Answer::raw(200, "a,b\n")]).await;
    let error = error_of(client(&broker).master(Columns::Compact, &mut Full).await);
    assert_eq!(error.kind, Kind::Storage);
    assert!(error.message.contains("no space left on device"), "{error}");
}
