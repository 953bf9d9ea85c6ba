//! Answers that are JSON, and options of the model, through the real binary.

use serde_json::{Value, json};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::Cli;

const SCHEMA: &str =
    r#"{"type": "object", "properties": {"tip": {"type": "number"}}, "required": ["tip"]}"#;
const ANSWER: &str = r#"{"tip": 9.12}"#;

fn tip() -> Reply {
    Reply::calls([("1", "calculate_tip", r#"{"amount": 45.6, "percentage": 20}"#)])
}

/// Whatever the model says before, standard output is the JSON and nothing else.
#[tokio::test]
async fn standard_output_is_the_json() {
    for how in ["inline", "file"] {
        let script = Script::new()
            .reply(tip().with_text("Let me see."))
            .reply(Reply::text("The tip is $9.12."))
            .reply(Reply::text(r#"{"tip": "9.12"}"#))
            .reply(Reply::text(ANSWER));
        let server = ModelServer::start(script).await;
        let cli = Cli::asking(&server);
        std::fs::write(cli.folder.path().join("tip.json"), SCHEMA).unwrap();
        let schema = if how == "file" { "tip.json" } else { SCHEMA };
        let asked = cli.run(&["ask", "--schema", schema, "A 20% tip on $45.60?"]).await;
        assert_eq!(
            (asked.code, asked.out.as_str()),
            (Some(0), "{\"tip\": 9.12}\n"),
            "{}",
            asked.err
        );
        let requests = server.requests();
        let has_form = |body: &Value| body.get("response_format").is_some();
        let forms: Vec<_> = requests.iter().map(|it| has_form(&it.body)).collect();
        assert_eq!(forms, [false, false, true, true]);
        let name = &requests[2].body["response_format"]["json_schema"]["name"];
        assert_eq!(name, if how == "file" { "tip" } else { "answer" });
    }
}

#[tokio::test]
async fn what_never_fits_is_no_answer() {
    let script = Script::new().reply(tip()).reply(Reply::text("It is $9.12."));
    let script = script.reply(Reply::text("$9.12")).reply(Reply::text("$9.12."));
    let server = ModelServer::start(script).await;
    let asked = Cli::asking(&server).run(&["ask", "--schema", SCHEMA, "A tip?"]).await;
    assert_eq!((asked.code, asked.out.as_str()), (Some(1), ""), "{}", asked.err);
    assert!(asked.err.contains("does not have the form"), "{}", asked.err);
}

#[tokio::test]
async fn a_schema_that_is_none_is_told_before_anything_is_sent() {
    let server = ModelServer::start(Script::new()).await;
    let cli = Cli::asking(&server);
    std::fs::write(cli.folder.path().join("broken.json"), "{").unwrap();
    std::fs::write(cli.folder.path().join("list.json"), "[]").unwrap();
    for schema in ["nosuch.json", "broken.json", "list.json", "{", r#"{"type": 7}"#, ""] {
        let asked = cli.run(&["ask", "--schema", schema, "A tip?"]).await;
        assert_eq!((asked.code, asked.out.as_str()), (Some(2), ""), "{schema}: {}", asked.err);
        assert!(asked.err.contains("schema") || asked.err.contains("Schema"), "{}", asked.err);
    }
    let both = cli.run(&["ask", "--single-shot", "--schema", SCHEMA, "A tip?"]).await;
    assert_eq!(both.code, Some(2), "{}", both.err);
    assert!(server.requests().is_empty());
}

/// What is typed beats the task, which beats the file.
#[tokio::test]
async fn options_come_from_the_file_the_task_and_the_command_line() {
    let server = ModelServer::start(Script::new().reply(Reply::text("Hi."))).await;
    let config = "[model.options]\ntemperature = 0.1\ntop_p = 0.5\nseed = 1\n\
         headers = { X-Team = \"team-secret-1\" }\nextra = { top_k = 40 }\n\
         [tasks.general.options]\ntemperature = 0.2\nseed = 2\n";
    let cli = Cli::asking(&server).configured(config);
    let asked =
        cli.run(&["ask", "--option", "temperature=0.3", "--option", "stop=END", "Hello"]).await;
    assert_eq!(asked.code, Some(0), "{}", asked.err);
    let request = &server.requests()[0];
    let of = |name: &str| request.body[name].clone();
    assert_eq!((of("temperature"), of("seed"), of("top_p")), (json!(0.3), json!(2), json!(0.5)));
    assert_eq!((of("stop"), of("top_k")), (json!(["END"]), json!(40)));
    assert!(
        request.headers.iter().any(|(name, value)| {
            name.eq_ignore_ascii_case("x-team") && value == "team-secret-1"
        })
    );
    let doctor = cli.run(&["doctor"]).await;
    assert!(doctor.out.contains("\"temperature\":0.2"), "{}", doctor.out);
    assert!(!doctor.out.contains("team-secret-1"), "{}", doctor.out);

    for (option, says) in [
        ("temperature=hot", "temperature"),
        ("temperature=9", "0 to 2"),
        ("heat=1", "max_output_tokens"),
        ("temperature", "NAME=VALUE"),
    ] {
        let asked = cli.run(&["ask", "--option", option, "Hello"]).await;
        assert_eq!(asked.code, Some(2), "{option}: {}", asked.err);
        assert!(asked.err.contains(says), "{option}: {}", asked.err);
    }
    let wrong = Cli::new().configured("[model.options]\nheat = 1\n");
    let told = wrong.run(&["ask", "Hello"]).await;
    assert_eq!(told.code, Some(2), "{}", told.err);
    assert!(told.err.contains("heat") && told.err.contains("temperature"), "{}", told.err);
}

/// What the model takes is said where its endpoint is not known.
#[tokio::test]
async fn a_model_that_sees_nothing_is_not_sent_pictures() {
    let server = ModelServer::start(Script::new().reply(Reply::text("Hi."))).await;
    let cli = Cli::asking(&server).configured("[model]\naccepts = []\n");
    std::fs::write(cli.folder.path().join("a.png"), b"\x89PNG\r\n\x1a\n...").unwrap();
    let asked = cli.run(&["ask", "--attach", "a.png", "What is it?"]).await;
    assert_eq!(asked.code, Some(1), "{}", asked.err);
    assert!(asked.err.contains("takes no image"), "{}", asked.err);
    assert!(server.requests().is_empty());
}
