//! Every provider through the real program: the same conversation in each API, chains of models, what is known of
//! them, and mistakes in their names.

use serde_json::Value;
use toolwright_testkit::{Failure, ModelServer, Reply, Script, Spoken, SpokenApi};

use crate::harness::{Cli, Ended, KEY};

fn tip() -> [Reply; 2] {
    let arguments = r#"{"amount": 45.6, "percentage": 20}"#;
    let call = Spoken::text("One moment.").call("call_1", "calculate_tip", arguments);
    [Reply::spoken(call.usage(100, 20).of_which(64, 0)), Reply::text("The tip is $9.12.")]
}

fn script(replies: impl IntoIterator<Item = Reply>) -> Script {
    replies.into_iter().fold(Script::new(), Script::reply).key(KEY)
}

/// A provider of the user's own that speaks this API.
fn own(server: &ModelServer, api: SpokenApi) -> String {
    format!(
        "[providers.own]\nbase_url = \"{}\"\napi = \"{}\"\napi_key = \"{KEY}\"\n",
        server.url(api),
        api.name()
    )
}

fn last(ended: &Ended) -> Value {
    ended.events().last().cloned().unwrap_or_else(|| panic!("{ended:?}"))
}

fn fallbacks(ended: &Ended) -> Vec<(String, String)> {
    let text = |it: &Value| it.as_str().unwrap().to_owned();
    let events = ended.events();
    let found = events.iter().filter(|it| it["type"] == "model_fallback");
    found.map(|it| (text(&it["from"]), text(&it["to"]))).collect()
}

#[tokio::test]
async fn the_same_conversation_in_every_api() {
    for api in SpokenApi::ALL {
        let server = ModelServer::start(script(tip())).await;
        let file = own(&server, api)
            + "[models.\"own:scripted\"]\ninput_price = 1000.0\n\
            cached_input_price = 0.0\noutput_price = 0.0\n";
        let cli = Cli::new().configured(&file).env("TOOLWRIGHT_MODEL", "own:scripted");
        let ended = cli.run(&["--json", "ask", "A 20% tip on $45.60?"]).await;
        assert_eq!(ended.code, Some(0), "{api:?}: {ended:?}");
        let done = last(&ended);
        assert_eq!(done["response"], "The tip is $9.12.", "{api:?}");
        server.assert_clean();
        let asked = api.request(&server.requests()[1]).unwrap();
        assert!(asked.tools.iter().any(|it| it == "calculate_tip"), "{api:?}");
        assert_eq!(done["usage"]["prompt_tokens"], 110, "{api:?}: {done}");
        // What came from a cache is paid for as such: 36 of the first 100, and 10.
        let cached = if api == SpokenApi::Ollama { 0 } else { 64 };
        assert_eq!(done["usage"]["cached_tokens"].as_u64().unwrap_or(0), cached, "{api:?}");
        assert_eq!(done["cost_millionths"], (110 - cached) * 1000, "{api:?}: {done}");
    }
}

#[tokio::test]
async fn vendors_are_known_by_name_and_their_keys_by_theirs() {
    let rows = [
        ("anthropic", "ANTHROPIC_API_KEY", SpokenApi::Messages),
        ("gemini", "GEMINI_API_KEY", SpokenApi::Gemini),
        ("openai", "OPENAI_API_KEY", SpokenApi::Responses),
        ("groq", "GROQ_API_KEY", SpokenApi::Chat),
    ];
    for (name, variable, api) in rows {
        let server = ModelServer::start(script([Reply::text("Hello.")])).await;
        let file = format!("[providers.{name}]\nbase_url = \"{}\"\n", server.url(api));
        let file = if name == "openai" { file + "api = \"responses\"\n" } else { file };
        let model = format!("{name}:scripted");
        let cli = Cli::new().configured(&file).env(variable, KEY);
        let ended = cli.run(&["ask", "--model", &model, "Hello?"]).await;
        assert_eq!((ended.code, ended.out.trim()), (Some(0), "Hello."), "{name}: {ended:?}");
        server.assert_clean();

        let none = Cli::new().run(&["ask", "--model", &model, "Hello?"]).await;
        assert_eq!(none.code, Some(3), "{name}: {none:?}");
        assert!(none.err.contains(variable), "{name}: {none:?}");
    }
}

#[tokio::test]
async fn ollama_is_found_where_its_variable_says() {
    let server = ModelServer::start(Script::new().reply(Reply::text("Hello."))).await;
    let host = server.root(SpokenApi::Chat).replace("http://", "").replace("/chat", "");
    let cli = Cli::new().env("OLLAMA_HOST", &host).env("TOOLWRIGHT_MODEL", "ollama:scripted");
    let ended = cli.run(&["ask", "Hello?"]).await;
    assert_eq!((ended.code, ended.out.trim()), (Some(0), "Hello."), "{ended:?}");
    let listed = cli.run(&["models"]).await;
    assert!(listed.out.contains("--model ollama:scripted"), "{listed:?}");
    let listed: Value = serde_json::from_str(&cli.run(&["--json", "models"]).await.out).unwrap();
    let found = listed["found"].as_array().unwrap();
    assert!(found.iter().any(|it| it["provider"] == "ollama"), "{listed}");
    // Whoever has no model is told of it.
    let none = Cli::new().env("OLLAMA_HOST", &host).run(&["doctor"]).await;
    assert!(none.out.contains("to ask it: --model ollama:scripted"), "{none:?}");
}

#[tokio::test]
async fn another_model_answers_where_one_gives_no_reply() {
    let failing = ModelServer::start(script([Reply::failure(Failure::Key)])).await;
    let [call, answer] = tip();
    let broken = ModelServer::start(script([call, Reply::failure(Failure::Forbidden)])).await;
    let good = ModelServer::start(script([answer])).await;
    let provider = |name: &str, server: &ModelServer, api: SpokenApi| {
        own(server, api).replace("providers.own", &format!("providers.{name}"))
    };
    let file = provider("one", &failing, SpokenApi::Chat)
        + &provider("two", &broken, SpokenApi::Messages)
        + &provider("three", &good, SpokenApi::Gemini)
        + "[model]\nname = [\"one:scripted\", \"two:scripted\", \"three:scripted\"]\n";
    let cli = Cli::new().configured(&file).env("TOOLWRIGHT_MODEL", "");
    let ended = cli.run(&["--json", "ask", "A 20% tip on $45.60?"]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(last(&ended)["response"], "The tip is $9.12.");
    let named = |from: &str, to: &str| (format!("{from}:scripted"), format!("{to}:scripted"));
    assert_eq!(fallbacks(&ended), [named("one", "two"), named("two", "three")]);
    // What the tool returned to the second went to the third: nothing was lost.
    let asked = SpokenApi::Gemini.request(&good.requests()[0]).unwrap();
    assert!(format!("{asked:?}").contains("9.12"), "{asked:?}");
    for server in [&failing, &broken, &good] {
        server.assert_clean();
    }
}

#[tokio::test]
async fn where_none_replies_every_one_is_named() {
    let server = ModelServer::start(script([Reply::failure(Failure::Key)])).await;
    let cli = Cli::new().configured(&own(&server, SpokenApi::Messages));
    let cli = cli.env("TOOLWRIGHT_MODEL", "own:scripted, ollama:qwen3");
    // Nothing listens there.
    let ended = cli.env("OLLAMA_HOST", "127.0.0.1:1").run(&["ask", "Hello?"]).await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.err.contains("own:scripted") && ended.err.contains("ollama:qwen3"), "{ended:?}");
}

#[tokio::test]
async fn mistakes_are_told_in_a_line() {
    let cases = [
        ("antropic:claude-sonnet-5", "", "did you mean `anthropic:…`?"),
        ("anthropic:", "", "write its name behind the colon"),
        ("own:m", "[providers.own]\napi = \"chat\"\n", "base_url"),
        ("own:m", "[providers.own]\nbase_url = \"http://h/v1\"\napi = \"soap\"\n", "responses"),
        ("own:m", "[providers.offline]\nbase_url = \"http://h/v1\"\n", "taken"),
        ("own:m", "[providers.own]\nbase_url = \"h\"\n", "not the address of an API"),
        ("own:m", "[providers.own]\nbase_ulr = \"http://h/v1\"\n", "did you mean `base_url`?"),
        ("m", "[model]\nname = []\n", "a list of names is expected"),
        ("m", "[models.\"m\"]\nwindow = 0\n", "at least 1"),
        ("m", "[models.\"m\"]\naccepts = [\"smell\"]\n", "use image, pdf and audio"),
    ];
    for empty in ["", "own:m,", " , "] {
        let ended = Cli::new().run(&["ask", "--model", empty, "Hello?"]).await;
        assert!(ended.code == Some(2) && ended.err.contains("a name is missing"), "{ended:?}");
    }
    for (model, file, says) in cases {
        let cli = Cli::new().configured(file).env("TOOLWRIGHT_MODEL", model);
        let ended = cli.run(&["ask", "Hello?"]).await;
        assert!(matches!(ended.code, Some(2 | 3)), "{model} {file}: {ended:?}");
        assert!(ended.err.contains(says), "{model} {file}: {ended:?}");
    }
}

#[tokio::test]
async fn a_key_of_one_vendor_is_not_sent_to_another() {
    let server = ModelServer::start(Script::new().reply(Reply::text("Hello."))).await;
    let file = format!("[providers.own]\nbase_url = \"{}\"\n", server.base_url());
    let cli = Cli::new().configured(&file).env("TOOLWRIGHT_MODEL", "own:scripted");
    let cli = cli.env("ANTHROPIC_API_KEY", KEY).env("OPENAI_API_KEY", KEY).env("GROQ_API_KEY", KEY);
    let ended = cli.run(&["ask", "Hello?"]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let sent = format!("{:?}", server.requests());
    assert!(!sent.contains(KEY), "{sent}");
}

#[tokio::test]
async fn the_list_tells_who_answers_and_who_does_not() {
    let good = ModelServer::start(script([])).await;
    let bad = ModelServer::start(Script::new().key("another")).await;
    let file = own(&good, SpokenApi::Messages)
        + &own(&bad, SpokenApi::Chat).replace("providers.own", "providers.locked")
        + "[models.\"own:scripted\"]\nwindow = 123000\n";
    let cli = Cli::new().configured(&file).env("TOOLWRIGHT_MODEL", "own:scripted,offline");
    let listed = cli.run(&["models"]).await;
    assert_eq!(listed.code, Some(0), "{listed:?}");
    for text in [
        "own:scripted",
        "123 k tokens",
        "offline",
        "locked",
        "401",
        "anthropic (ANTHROPIC_API_KEY)",
    ] {
        assert!(listed.out.contains(text), "{text}: {}", listed.out);
    }
    let json: Value = serde_json::from_str(&cli.run(&["--json", "models"]).await.out).unwrap();
    let providers = json["providers"].as_array().unwrap();
    let answers = |name: &str| {
        providers.iter().find(|it| it["name"] == name).map(|it| it["answers"].clone()).unwrap()
    };
    assert_eq!((answers("own"), answers("locked")), (true.into(), false.into()), "{json}");
    let doctor = cli.run(&["doctor"]).await;
    assert!(doctor.out.contains("own:scripted: the endpoint answers"), "{doctor:?}");
}

#[tokio::test]
async fn a_limit_on_money_that_bounds_nothing_is_told() {
    let server = ModelServer::start(script([Reply::text("Hello."), Reply::text("Hello.")])).await;
    let file = own(&server, SpokenApi::Chat) + "[limits]\ncost = 1.0\n";
    let cli = Cli::new().configured(&file).env("TOOLWRIGHT_MODEL", "own:scripted");
    let told = cli.run(&["ask", "Hello?"]).await;
    assert!(told.err.contains("limits.cost does not bound what own:scripted costs"), "{told:?}");
    let cli = cli.configured(&(file + "[models.\"own:scripted\"]\ninput_price = 1.0\n"));
    let silent = cli.run(&["ask", "Hello?"]).await;
    assert!(silent.code == Some(0) && !silent.err.contains("limits.cost"), "{silent:?}");
}

/// `models test` changes nothing; `models add` writes what was tested, and what does not answer is not written.
#[tokio::test]
async fn a_model_is_tested_and_then_added() {
    let ready = || Reply::text("ready");
    let call = || Reply::calls([("call_1", "repeat_word", r#"{"word":"ready"}"#)]);
    let server =
        ModelServer::start(script([ready(), call(), ready(), call(), Reply::text("Hello.")])).await;
    let cli = Cli::new().configured("# mine\ntask = \"demo\"\n");
    let base = server.base_url();
    let add = ["models", "add", "work", "--base-url", base, "--name", "scripted", "--key-stdin"];

    let wrong = cli.run_with_input(&add, Some("sk-another-key-0123456789\n")).await;
    assert_eq!(wrong.code, Some(1), "{wrong:?}");
    assert!(wrong.out.contains("✗ the key is accepted"), "{wrong:?}");
    assert_eq!(std::fs::read_to_string(cli.settings()).unwrap(), "# mine\ntask = \"demo\"\n");

    let added = cli.run_with_input(&add, Some(&format!("{KEY}\n"))).await;
    assert_eq!(added.code, Some(0), "{added:?}");
    assert!(added.out.contains("✓ it calls tools"), "{added:?}");
    let text = std::fs::read_to_string(cli.settings()).unwrap();
    assert!(text.starts_with("# mine\ntask = \"demo\"\n"), "{text}");
    assert!(text.contains("name = \"work:scripted\""), "{text}");

    let tested = cli.run(&["--json", "models", "test", "work:scripted"]).await;
    assert_eq!(tested.code, Some(0), "{tested:?}");
    let json: Value = serde_json::from_str(&tested.out).unwrap();
    assert_eq!((&json["name"], &json["answers"]), (&"work:scripted".into(), &true.into()));
    let ended = cli.run(&["--json", "ask", "--model", "work:scripted", "Hi"]).await;
    assert_eq!(last(&ended)["response"], "Hello.", "{ended:?}");
}
