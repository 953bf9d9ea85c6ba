//! What is judged to be this machine is what a client connects to.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::net::SocketAddr;

use proptest::{prelude::*, sample::select};

use super::*;

fn is_this_machine(text: &str) -> bool {
    Address::new(text).is_ok_and(|address| address.is_this_machine())
}

#[test]
fn this_machine_is_told_from_names_that_only_look_like_it() {
    for url in [
        "http://localhost",
        "http://LOCALHOST:8080/v1",
        "https://127.0.0.1:1",
        "http://127.9.9.9/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://[::1]:8002/x",
        "http://[::ffff:127.0.0.1]/",
        "http://%6c%6f%63alhost/",
        "http:\\\\localhost\\x",
    ] {
        assert!(is_this_machine(url), "{url}");
    }
    for url in [
        "http://localhost.evil.example",
        "http://127.evil.example",
        "http://127.0.0.1.evil.example/v1",
        "http://evil.example#@127.0.0.1",
        "http://evil.example?@127.0.0.1",
        "http://evil.example/@127.0.0.1",
        "http://evil.example\\@127.0.0.1",
        "http://127.0.0.1@evil.example",
        "http://127.0.0.1:80@evil.example",
        "http://localhost\t.evil.example",
        "http://[::1].evil.example",
        "http://[::1%25eth0]/",
        "http://a.localhost",
        "http://localhost.",
        "http://0.0.0.0",
        "http://[::]",
        "http://[::ffff:8.8.8.8]",
        "http://10.0.0.1",
        "localhost:8080",
        "file://localhost/x",
        "",
    ] {
        assert!(!is_this_machine(url), "{url}");
    }
}

/// Pieces of which authorities are made that one reader takes for one host, and another for another.
fn authority() -> impl Strategy<Value = String> {
    let piece = select(vec![
        "localhost",
        "LOCALHOST",
        "127.0.0.1",
        "127.1",
        "127",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "[::1]",
        "::1",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "0.0.0.0",
        "0",
        "evil.invalid",
        ".evil.invalid",
        "8.8.8.8",
        "@",
        ":",
        ":80",
        ":99999",
        "#",
        "?",
        "/",
        "\\",
        "%",
        "%40",
        "%2e",
        "%00",
        ".",
        "..",
        "\t",
        "\n",
        "\r",
        " ",
        "\0",
        "[",
        "]",
        "。",
        "．",
        "ⓛocalhost",
        "ｌocalhost",
        "１２７",
        "ß",
        "\u{200d}",
        "\u{ad}",
        "xn--",
        "-",
        "_",
        "user",
        "a",
    ]);
    prop::collection::vec(piece, 1..6).prop_map(|pieces| pieces.concat())
}

fn is_loopback(addresses: impl IntoIterator<Item = SocketAddr>) -> bool {
    addresses.into_iter().all(|it| it.ip().to_canonical().is_loopback())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    /// Only names that were judged to be this machine are looked up: nothing is asked of the network.
    #[test]
    fn what_is_judged_to_be_this_machine_is(authority in authority(), rest in "[/?#@:a-z0-9.]{0,12}") {
        let text = format!("http://{authority}{rest}");
        if is_this_machine(&text) {
            // What the client connects to.
            let url = Address::new(&text).unwrap().join("");
            let addresses = url.socket_addrs(|| None).unwrap();
            prop_assert!(is_loopback(addresses), "{text:?} is {url}");
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in any::<String>()) {
        let _ = is_this_machine(&text);
        let _ = is_this_machine(&format!("http://{text}"));
    }
}
