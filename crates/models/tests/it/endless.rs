//! What a server may send without end is given up on, however fast it comes.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    task::JoinHandle,
};
use toolwright_core::{ModelError, ModelErrorKind};
use toolwright_models::{EndpointConfig, RetryPolicy};

use crate::support::{ask, in_runtime, model, said};

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";

/// A server that sends this, and then that again and again until the client leaves; how much it sent.
async fn endless(first: String, again: String) -> (String, JoinHandle<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let sent = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut asked = [0; 1 << 16];
        let _ = stream.read(&mut asked).await.unwrap();
        stream.write_all(first.as_bytes()).await.unwrap();
        let mut sent = first.len();
        while stream.write_all(again.as_bytes()).await.is_ok() {
            sent += again.len();
        }
        sent
    });
    (address, sent)
}

/// Why a client gives up on such a server, and how much it was sent by then.
fn given_up(first: &str, again: &str) -> (ModelError, usize) {
    in_runtime(async {
        let (address, sent) = endless(first.to_owned(), again.to_owned()).await;
        let mut config = EndpointConfig::new(address, "m");
        config.retry = RetryPolicy { retries: 0, ..RetryPolicy::default() };
        config.idle = Duration::from_secs(600);
        config.first_byte = Duration::from_secs(600);
        let heard = ask(&model(config), true).await;
        (heard.error(), sent.await.unwrap())
    })
}

/// What lies in the buffers of both sides of a connection.
const BUFFERED: usize = 16 << 20;

#[track_caller]
fn refused((error, sent): (ModelError, usize), wanted: &str) {
    assert_eq!(error.kind, ModelErrorKind::BrokenReply, "{error}");
    assert!(error.message.contains(wanted), "{error}");
    assert!(sent < BUFFERED, "{sent} bytes were sent");
}

#[test]
fn headers() {
    let did_not_begin = "what it sent first is longer than 64 KiB";
    refused(given_up(HEAD, "x-filler: more and more and more\r\n"), did_not_begin);
    refused(given_up(&format!("{HEAD}x-filler: "), "and more and more "), did_not_begin);
}

#[test]
fn responses_before_the_response() {
    let did_not_begin = "what it sent first is longer than 64 KiB";
    for line in ["103 Early Hints", "100 Continue", "102 Processing"] {
        refused(given_up("", &format!("HTTP/1.1 {line}\r\n\r\n")), did_not_begin);
    }
    let hint = "HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload; as=style\r\n\r\n";
    refused(given_up("", hint), did_not_begin);
}

#[test]
fn trailers_and_extensions_of_chunks() {
    let chunked = format!("{HEAD}transfer-encoding: chunked\r\n\r\n");
    refused(given_up(&format!("{chunked}0\r\n"), "x-filler: more and more\r\n"), "broke");
    refused(given_up(&format!("{chunked}5;x="), "and more and more"), "broke");
    let piece = said("a");
    let extended = format!("{chunked}{:x}\r\n{piece}\r\n1;x=", piece.len());
    refused(given_up(&extended, "and more and more"), "broke");
}

#[test]
fn comments_and_blank_lines() {
    let head = format!("{HEAD}\r\n");
    for again in [": keep-alive\n\n".repeat(1000), "\n".repeat(10_000), "event: x\n".repeat(1000)] {
        let (error, sent) = given_up(&head, &again);
        assert!(error.message.contains("32 MiB of it held nothing"), "{error}");
        assert!(sent < BUFFERED + (32 << 20), "{sent}");
    }
}

/// A few responses before the response do no harm.
#[test]
fn a_hint_or_two_is_skipped() {
    let heard = in_runtime(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let _ = stream.read(&mut [0; 1 << 16]).await.unwrap();
            let body = said("Hello.") + crate::support::DONE;
            let hints = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(3);
            let all = format!("{hints}{HEAD}content-length: {}\r\n\r\n{body}", body.len());
            stream.write_all(all.as_bytes()).await.unwrap();
        });
        ask(&model(EndpointConfig::new(address, "m")), true).await
    });
    assert_eq!(heard.reply().text, "Hello.");
}
