//! What a model was sent in a round, made once more from the log.

use serde_json::json;
use toolwright_testkit::{Reply, Script};

use crate::harness::{Desk, Setup};

#[tokio::test(flavor = "multi_thread")]
async fn the_request_of_a_round_is_what_the_model_got() {
    let script = Script::new()
        .reply(Reply::calls([("c1", "list", "{}")]))
        .reply(Reply::text("A file."))
        .reply(Reply::text("Still a file."));
    let setup = Setup { workspace: true, ..Setup::default() };
    let (desk, model) = Desk::with(setup, script).await;
    std::fs::write(desk.work().join("a.txt"), "old\n").unwrap();
    let first = desk.chat_with(json!({"message": "What is there?"})).await;
    let id = first[0]["conversation_id"].as_str().unwrap().to_owned();
    // What was switched off was not sent, and is not shown.
    let again = json!({"message": "And now?", "conversation_id": id, "tools_off": ["bash"]});
    let second = desk.chat_with(again).await;
    let runs = [(&first, 1), (&first, 2), (&second, 1)];
    let made = model.requests();
    assert_eq!(made.len(), runs.len());
    for ((events, round), made) in runs.into_iter().zip(&made) {
        let run = events[0]["run"].as_str().unwrap();
        let path = format!("/api/conversations/{id}/runs/{run}/rounds/{round}/request");
        let answer = desk.get(&path).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let shown = answer.json();
        let body = shown["body"].as_str().unwrap();
        assert_eq!(body.as_bytes(), made.raw, "{run} {round}");
        assert!(shown["url"].as_str().unwrap().ends_with(&made.path), "{shown}");
        assert!(shown["curl"].as_str().unwrap().starts_with("curl '"), "{shown}");
    }
    let run = first[0]["run"].as_str().unwrap();
    for (run, round) in [(run, "3"), (run, "0"), (run, "one"), ("run_x", "1")] {
        let path = format!("/api/conversations/{id}/runs/{run}/rounds/{round}/request");
        assert_eq!(desk.get(&path).await.status, 404, "{run} {round}");
    }
}
