//! Policies from `toolwright.toml`, in the real binary.

use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::Cli;

#[tokio::test]
async fn what_a_layer_does_is_shown_and_kept() {
    let twice = r#"{"location":"Rome"}"#;
    let script = Script::new()
        .reply(Reply::calls([("a", "get_weather", twice)]))
        .reply(Reply::calls([("b", "get_weather", r#"{ "location": "Rome" }"#)]))
        .reply(Reply::calls([("c", "get_weather", r#"{"location":"Oslo"}"#)]))
        .reply(Reply::text("Sunny, 72°F."));
    let server = ModelServer::start(script).await;
    let toml = "[tools.get_weather]\ncache = \"5m\"\nretry = 3\nbreaker = true\n\
                limit = { per_run = 2 }\n[tools.\"*\"]\ntimeout = \"30s\"\n";
    let cli = Cli::asking(&server).configured(toml);
    let ended = cli.run(&["ask", "--json", "Weather in Rome?"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let acted: Vec<_> = ended
        .events()
        .into_iter()
        .filter(|it| it["type"] == "layer_acted")
        .map(|it| format!("{} {} {}", it["id"], it["layer"], it["action"]))
        .collect();
    assert_eq!(acted, [r#""b" "cache" "hit""#]);
    let last = ended.events().pop().unwrap();
    let ends: Vec<_> =
        last["tool_calls"].as_array().unwrap().iter().map(|it| it["status"].clone()).collect();
    assert_eq!(ends, ["success", "success", "refused"]);
    server.assert_clean();
}

#[tokio::test]
async fn a_policy_that_cannot_be_kept_or_read_is_told() {
    for (toml, says) in [
        ("[tools.take_note]\nretry = 3\n", "take_note"),
        ("[tools.get_wether]\ncache = \"5m\"\n", "get_wether"),
        ("[tools.get_weather]\ncache = \"soon\"\n", "`soon` is no time"),
        ("[tools.get_weather]\nretries = 3\n", "unknown field `retries`"),
        ("[tools.get_weather]\nbreaker = false\n", "leave the line out"),
    ] {
        let ended = Cli::new().configured(toml).run(&["ask", "Weather in Rome?"]).await;
        assert_eq!(ended.code, Some(2), "{toml}: {}", ended.err);
        assert!(ended.err.contains(says), "{toml}: {}", ended.err);
    }
}
