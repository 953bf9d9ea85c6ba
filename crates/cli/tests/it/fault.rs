//! A fault of Toolwright's own: one sentence, and where to report it.

use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::Cli;

#[tokio::test]
async fn a_panic_is_one_sentence_with_a_place_to_report_it() {
    // In the run itself, and where the store writes.
    for moment in ["user_saved", "llm_end", "store::append"] {
        let server = ModelServer::start(Script::new().reply(Reply::text("Hello."))).await;
        let cli = Cli::asking(&server).env("TOOLWRIGHT_PANIC_AT", moment);
        let ended = cli.command(&["ask", "Hello?"]).output().await.unwrap();
        let err = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{moment}: {err}");
        let fault = err.lines().find(|line| line.contains("Toolwright has a fault")).unwrap();
        assert!(fault.contains("a fault of a test"), "{moment}: {err}");
        let advice = err.lines().find(|line| line.contains("what to do:")).expect("advice");
        assert!(advice.contains("report this") && advice.contains("https://"), "{moment}: {err}");
        for noise in ["panicked at", "RUST_BACKTRACE", "stack backtrace", "note: run with"] {
            assert!(!err.contains(noise), "{moment}: {err}");
        }
    }
}
