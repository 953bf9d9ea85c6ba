//! One script, played in every way.

use std::collections::HashSet;
use std::sync::Mutex;

use futures_util::FutureExt;
use serde_json::Value;
use toolwright_testkit::{Reply, Script, matrix};

use crate::client::{Client, hello, hello_streamed};

/// The number of chunks a reply came in, and its text.
async fn asked(base_url: &str, stream: bool) -> (usize, String) {
    let mut client = Client::connect_to(base_url).await;
    client.post(&if stream { hello_streamed() } else { hello() }).await;
    let response = client.response().await;
    let text =
        |value: &Value, at: &str| value.pointer(at).and_then(Value::as_str).map(str::to_owned);
    let said = if stream {
        let body = response.text();
        let events = body.split("\n\n").filter_map(|event| event.strip_prefix("data: {"));
        let events = events.map(|event| serde_json::from_str(&format!("{{{event}")).unwrap());
        events.filter_map(|event: Value| text(&event, "/choices/0/delta/content")).collect()
    } else {
        text(&response.json(), "/choices/0/message/content").unwrap()
    };
    (response.chunks.len(), said)
}

/// What a future that panics says.
async fn complaint(play: impl Future<Output = String>) -> String {
    let panic = std::panic::AssertUnwindSafe(play).catch_unwind().await.unwrap_err();
    panic.downcast_ref::<String>().unwrap().clone()
}

#[tokio::test]
async fn a_script_is_played_in_every_cell_by_a_server_of_its_own() {
    let seen = Mutex::new(Vec::new());
    let script = Script::new().reply(Reply::text("Grüße, 世界"));
    let said = matrix::play(script, async |base_url: String, stream: bool| {
        let (chunks, said) = asked(&base_url, stream).await;
        seen.lock().unwrap().push((stream, chunks));
        said
    })
    .await;
    assert_eq!(said, "Grüße, 世界");
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.len(), 12);
    assert_eq!(seen.iter().filter(|(stream, _)| *stream).count(), 6);
    // The script has one reply, so that a server asked twice would have complained. Addresses prove
    // nothing: a port is free again, and may come again, once its server has ended.
    let chunks: HashSet<usize> = seen.iter().map(|(_, chunks)| *chunks).collect();
    assert!(chunks.len() > 6, "cut in different ways: {chunks:?}");
}

#[tokio::test]
async fn a_result_that_differs_is_shown_with_its_cell() {
    let script = Script::new().reply(Reply::text("Well."));
    let played = complaint(matrix::play(script, async |base_url: String, stream: bool| {
        let (_, said) = asked(&base_url, stream).await;
        if stream { said } else { format!("{said}!") }
    }))
    .await;
    assert_eq!(
        played,
        "[whole reply, Whole] is not the same as [stream, Whole]:\nat line 1\n- \"Well.\"\n+ \"Well.!\"\n"
    );
}

#[tokio::test]
async fn a_complaint_of_a_server_is_shown_with_its_cell() {
    let script = Script::new().reply(Reply::text("Well.")).reply(Reply::text("Never asked for."));
    let played = complaint(matrix::play(script, async |base_url: String, stream: bool| {
        asked(&base_url, stream).await.1
    }))
    .await;
    assert_eq!(
        played,
        "[stream, Whole] the model server has complaints:\n  1 scripted replies were not used"
    );
}
