//! What goes wrong on the wire, at every kind of place.

use std::time::Duration;

use toolwright_testkit::{Chunking, Fault, ModelServer, Reply, Script};

use crate::client::{Client, Ending, hello, hello_streamed, post};

const EVENTS: &str = "data: {\"a\":1}\n\ndata: [DONE]\n\n";

async fn start(fault: Fault) -> ModelServer {
    ModelServer::start(Script::new().reply(Reply::raw_sse(EVENTS).fault(fault))).await
}

#[tokio::test]
async fn a_cut_body_ends_at_the_byte_it_should() {
    for at in [0, 1, 9, EVENTS.len()] {
        let server = start(Fault::CutAt(at)).await;
        let response = post(&server, &hello()).await;
        assert_eq!((response.text().as_str(), response.ending), (&EVENTS[..at], Ending::Closed));
        server.assert_clean();
    }
}

#[tokio::test]
async fn a_number_past_the_end_leaves_out_only_the_end_mark() {
    let server = start(Fault::CutAt(10_000)).await;
    let response = post(&server, &hello()).await;
    assert_eq!((response.text().as_str(), response.ending), (EVENTS, Ending::Closed));
}

#[tokio::test]
async fn a_reset_is_an_error_and_not_an_end() {
    for at in [0, 9] {
        let server = start(Fault::ResetAt(at)).await;
        let response = post(&server, &hello()).await;
        assert_eq!((response.text().as_str(), response.ending), (&EVENTS[..at], Ending::Reset));
    }
}

#[tokio::test]
async fn faults_count_bytes_whatever_the_pieces() {
    for chunking in [Chunking::OneByte, Chunking::Random(7), Chunking::PerEvent] {
        let reply = || Reply::text("grüezi mitenand").fault(Fault::CutAt(333));
        let script = Script::new().reply(reply()).reply(reply()).chunking(chunking);
        let server = ModelServer::start(script).await;
        let stream = post(&server, &hello_streamed()).await;
        assert_eq!((stream.body().len(), stream.ending), (333, Ending::Closed), "{chunking:?}");
        let whole = post(&server, &hello()).await;
        assert_eq!(whole.ending, Ending::Closed);
        assert!(whole.text().starts_with('{'));
    }
}

#[tokio::test]
async fn a_whole_json_body_can_be_cut_too() {
    let script = Script::new().reply(Reply::text("x").fault(Fault::CutAt(7)));
    let server = ModelServer::start(script).await;
    let response = post(&server, &hello()).await;
    assert_eq!((response.body().len(), response.ending), (7, Ending::Closed));
}

#[tokio::test]
async fn a_stall_lasts_until_the_client_leaves() {
    let server = start(Fault::StallAt(9)).await;
    let mut client = Client::connect(&server).await;
    client.post(&hello()).await;
    server.received(1).await;
    client.read_until(&EVENTS[..9]).await;
    let more = tokio::time::timeout(Duration::from_millis(20), client.read()).await;
    assert!(more.is_err(), "the silence was broken: {more:?}");
    tokio::select! {
        biased;
        () = server.quiet() => panic!("the reply ended by itself"),
        () = std::future::ready(()) => {}
    }
    drop(client);
    server.quiet().await;
}

#[tokio::test]
async fn a_client_that_leaves_during_a_delay_ends_it() {
    let reply = Reply::text("x").delay(Duration::from_secs(600));
    let server = ModelServer::start(Script::new().reply(reply)).await;
    let mut client = Client::connect(&server).await;
    client.post(&hello()).await;
    server.received(1).await;
    drop(client);
    server.quiet().await;
}

#[tokio::test]
async fn comments_are_all_that_still_comes() {
    let server = start(Fault::CommentsAt(9)).await;
    let mut client = Client::connect(&server).await;
    client.post(&hello()).await;
    let comment = "e\r\n: keep-alive\n\n\r\n";
    client.read_until(&format!("9\r\n{}\r\n{}", &EVENTS[..9], comment.repeat(3))).await;
    drop(client);
    server.quiet().await;
}

#[tokio::test]
async fn garbage_stands_in_an_otherwise_proper_body() {
    let server = start(Fault::GarbageAt(9)).await;
    let response = post(&server, &hello()).await;
    let expected =
        [&EVENTS.as_bytes()[..9], b"\xff\xfe{{{not json", &EVENTS.as_bytes()[9..]].concat();
    assert_eq!((response.body(), response.ending), (expected, Ending::Complete));
}

#[tokio::test]
async fn raw_responses_can_break_before_the_head() {
    let script = Script::new()
        .reply(Reply::raw_http(""))
        .reply(Reply::raw_http("HTTP/1.1 200 OK\r\n\r\n").fault(Fault::ResetAt(0)))
        .reply(Reply::raw_http("HTTP/1.1 200 OK\r\n\r\n").fault(Fault::CutAt(12)));
    let server = ModelServer::start(script).await;
    for (sent, ending) in
        [("", Ending::Closed), ("", Ending::Reset), ("HTTP/1.1 200", Ending::Closed)]
    {
        let mut client = Client::connect(&server).await;
        client.post(&hello()).await;
        if !sent.is_empty() {
            client.read_until(sent).await;
        }
        assert_eq!(client.read().await, Err(ending));
    }
    server.assert_clean();
}
