//! Whether the server says so when what it needs is gone.

use std::fs;

use toolwright_testkit::PostgresServer;

use crate::harness::{Desk, PATIENCE, Setup};

/// A look is good for a moment: a further one tells what is so now.
async fn becomes(desk: &Desk, status: u16) {
    tokio::time::timeout(PATIENCE, turns(desk, status)).await.expect("it is noticed");
}

async fn turns(desk: &Desk, status: u16) {
    loop {
        let answer = desk.get("/api/health").await;
        if answer.status == status {
            if status == 503 {
                assert_eq!(answer.code(), "storage");
            }
            return;
        }
        assert!([200, 503].contains(&answer.status), "{answer:?}");
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_gone_is_told() {
    let server = PostgresServer::start();
    let field = |name: &str| {
        let mut fields = server.address.split(' ').filter_map(|it| it.split_once('='));
        fields.find(|it| it.0 == name).unwrap().1.to_owned()
    };
    let host = field("host").replace('/', "%2F");
    let url = format!("postgres://{}@{host}/{}", field("user"), field("dbname"));
    let desk = Desk::start(Setup { database: Some(url), ..Setup::default() }, None).await;
    becomes(&desk, 200).await;
    server.crash();
    becomes(&desk, 503).await;
    // Whoever asks all the same is told the same, and when to come back.
    let asked = desk.post("/api/chat/stream", &serde_json::json!({"message": "Go"})).await;
    assert_eq!((asked.status, asked.code().as_str()), (503, "storage"), "{}", asked.text());
    assert!(asked.headers.contains_key("retry-after"), "{asked:?}");
    server.restart();
    becomes(&desk, 200).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_taken_away_is_told() {
    let desk = Desk::demo().await;
    becomes(&desk, 200).await;
    let file = desk.data().join("toolwright.db");
    let aside = desk.data().join("aside.db");
    fs::rename(&file, &aside).unwrap();
    becomes(&desk, 503).await;
    // Another in its place is not it.
    fs::copy(&aside, &file).unwrap();
    becomes(&desk, 503).await;
    fs::rename(&aside, &file).unwrap();
    becomes(&desk, 200).await;
}
