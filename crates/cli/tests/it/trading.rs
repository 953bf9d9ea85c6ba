//! The trading desk through the real binary: a scripted model, a simulated market, real sockets.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    process::Stdio,
};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use toolwright_market::{Limits, Segment, SimSettings, Simulator};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::{Cli, Ended};

const PRICE: &str = "What's the current price of NIFTY?";
const CANDLES: &str = "Get OHLCV data for NIFTY";
const TOKEN: &str = "eyJhbGciOiJIUzUxMiJ9.canary-of-a-broker.signature";

fn search(id: &str) -> (&str, &str, &str) {
    (id, "search_instruments", r#"{"query":"NIFTY","instrument_type":"INDEX"}"#)
}

fn quote<'a>(id: &'a str, arguments: &'a str) -> (&'a str, &'a str, &'a str) {
    (id, "get_market_quote", arguments)
}

const NIFTY: &str = r#"{"securities":{"IDX_I":[13]}}"#;

async fn ask(script: Script, question: &str) -> (Ended, ModelServer) {
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server);
    let ended = cli.run(&["ask", "--json", "--task", "trading", question]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    server.assert_clean();
    (ended, server)
}

/// Each call with how it ended.
fn calls(ended: &Ended) -> Vec<(String, String)> {
    let done = ended.events().pop().unwrap();
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let calls = done["tool_calls"].as_array().unwrap().iter();
    calls.map(|it| (word(&it["tool"]), word(&it["status"]))).collect()
}

/// What the model was sent as results, in order.
fn results(server: &ModelServer) -> Vec<String> {
    let last = server.requests().pop().unwrap();
    let messages = last.body["messages"].as_array().unwrap().clone();
    let results = messages.iter().filter(|it| it["role"] == "tool");
    results.map(|it| it["content"].as_str().unwrap().to_owned()).collect()
}

fn pairs<'a>(pairs: &[(&'a str, &'a str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[tokio::test]
async fn s0_the_price_of_nifty_is_searched_for_and_quoted() {
    let script = Script::new()
        .reply(Reply::calls([search("call_1")]))
        .reply(Reply::calls([quote("call_2", NIFTY)]))
        .reply(Reply::text("Here is NIFTY's price; the data is simulated."));
    let (ended, server) = ask(script, PRICE).await;
    assert_eq!(
        calls(&ended),
        pairs(&[("search_instruments", "success"), ("get_market_quote", "success")])
    );
    let results = results(&server);
    assert!(
        results[0].starts_with(
            "✅ Success!\n\nFound Nifty 50 (NIFTY):\n- Security ID: 13\n- Exchange: IDX_I\n"
        ),
        "{}",
        results[0]
    );
    assert!(
        results[1].starts_with("✅ Success!\n\nNifty 50 (NIFTY), IDX_I 13: "),
        "{}",
        results[1]
    );
    for result in &results {
        assert!(result.contains("IST") && result.contains("Simulated data"), "{result}");
    }

    // S0.2: a tool must be called in the first round, and may be afterwards.
    let requests = server.requests();
    let choices: Vec<_> = requests.iter().map(|it| it.body["tool_choice"].clone()).collect();
    assert_eq!(choices[0], "required");
    assert!(choices[1..].iter().all(|it| it != "required"), "{choices:?}");
    let system = requests[0].body["messages"][0]["content"].as_str().unwrap();
    assert!(system.contains("- get_market_quote: Get current prices"), "{system}");
    let names: Vec<_> = requests[0].body["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["function"]["name"].clone())
        .collect();
    assert_eq!(
        names,
        [
            "search_instruments",
            "find_instrument",
            "get_market_quote",
            "get_historical_data",
            "get_daily_ohlcv",
            "get_intraday_ohlcv",
            "get_option_chain",
            "get_expiries",
            "get_positions",
            "get_holdings",
            "get_funds",
        ]
    );

    // What was asked for came from the search, and the page can show from where.
    let checked = ended.events().into_iter().rfind(|it| it["type"] == "call_checked").unwrap();
    assert_eq!(
        checked["provenance"],
        json!([{"argument": "/securities/IDX_I/0", "from": "result", "call": "call_1", "tool": "search_instruments", "pointer": "/instruments/0/security_id"}])
    );
    let quoted = ended.events().into_iter().rfind(|it| it["type"] == "call_finished").unwrap();
    assert_eq!(quoted["message"]["data"]["simulated"], true);
}

#[tokio::test]
async fn s1_candles_of_nifty_are_found_and_fetched() {
    let script = Script::new()
        .reply(Reply::calls([("a", "find_instrument", r#"{"symbol":"NIFTY","segment":"IDX_I"}"#)]))
        .reply(Reply::calls([(
            "b",
            "get_daily_ohlcv",
            r#"{"security_id":"13","exchange_segment":"IDX_I","instrument_type":"INDEX"}"#,
        )]))
        .reply(Reply::text("Here are NIFTY's candles; the data is simulated."));
    let (ended, server) = ask(script, CANDLES).await;
    assert_eq!(
        calls(&ended),
        pairs(&[("find_instrument", "success"), ("get_daily_ohlcv", "success")])
    );
    // S1.1: JSON strings, in the documented form.
    let told = results(&server);
    let begin = r#"{"security_id":"13","exchange_segment":"IDX_I","instrument_type":"INDEX","trading_symbol":"NIFTY","#;
    assert!(told[0].starts_with(begin), "{}", told[0]);
    let rows: Vec<Value> = serde_json::from_str(&told[1]).unwrap();
    for row in &rows {
        assert!(row["date"].as_str().unwrap().len() == 10, "{row}");
        let prices = ["open", "high", "low", "close"].map(|it| row[it].as_f64().unwrap());
        assert!(prices[2] <= prices[0] && prices[0] <= prices[1], "{row}");
    }
    let candles = ended.events().into_iter().rfind(|it| it["type"] == "call_finished").unwrap();
    let data = &candles["message"]["data"];
    assert_eq!((&data["symbol"], &data["interval"]), (&json!("NIFTY"), &json!("1d")));
    assert_eq!(data["candles"].as_array().unwrap().len(), rows.len());
    // The readable form is beside it, for people.
    let words = candles["message"]["words"].as_str().unwrap();
    assert!(words.contains("| Time (IST) | Open | High | Low | Close |"), "{words}");
    assert_eq!(data["candles"][0].as_array().unwrap().len(), 6);
}

#[tokio::test]
async fn a_model_that_calls_side_by_side_works_as_well() {
    let share = r#"{"query":"RELIANCE","instrument_type":"EQUITY"}"#;
    let script = Script::new()
        .reply(Reply::calls([search("a"), ("b", "search_instruments", share)]))
        .reply(Reply::calls([
            quote("c", NIFTY),
            quote("d", r#"{"securities":{"NSE_EQ":["2885"],"BSE_EQ":[500325]}}"#),
            ("e", "get_daily_ohlcv", r#"{"security_id":2885,"exchange_segment":"NSE_EQ"}"#),
        ]))
        .reply(Reply::text("Both are quoted; the data is simulated."));
    let (ended, _) = ask(script, "NIFTY and RELIANCE?").await;
    assert!(calls(&ended).iter().all(|(_, status)| status == "success"), "{:?}", calls(&ended));
    assert_eq!(calls(&ended).len(), 5);
}

#[tokio::test]
async fn s1_4_one_call_at_a_time_where_the_config_says_so() {
    let script = Script::new()
        .reply(Reply::calls([search("a"), quote("b", NIFTY)]))
        .reply(Reply::calls([quote("c", NIFTY)]))
        .reply(Reply::text("Quoted; the data is simulated."));
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server).configured("[tasks.trading]\none_at_a_time = true\n");
    let ended = cli.run(&["ask", "--json", "--task", "trading", PRICE]).await;
    assert_eq!(
        calls(&ended),
        pairs(&[
            ("search_instruments", "success"),
            ("get_market_quote", "refused"),
            ("get_market_quote", "success"),
        ])
    );
    assert!(results(&server)[1].contains("was not run"), "{}", results(&server)[1]);
}

#[tokio::test]
async fn s1_4_what_nobody_returned_is_refused_with_what_exists() {
    let script = Script::new()
        .reply(Reply::calls([(
            "a",
            "search_instruments",
            r#"{"query":"RELIANCE","instrument_type":"EQUITY"}"#,
        )]))
        .reply(Reply::calls([
            quote("b", r#"{"securities":{"NSE_EQ":[99926000]}}"#),
            // Both were returned, but this is the id of the other exchange.
            quote("c", r#"{"securities":{"NSE_EQ":[500325]}}"#),
            ("d", "get_daily_ohlcv", r#"{"security_id":2885,"exchange_segment":"BSE_EQ"}"#),
            (
                "e",
                "get_daily_ohlcv",
                r#"{"security_id":"<security_id>","exchange_segment":"NSE_EQ"}"#,
            ),
        ]))
        .reply(Reply::calls([quote("f", r#"{"securities":{"NSE_EQ":[2885]}}"#)]))
        .reply(Reply::text("Quoted; the data is simulated."));
    let (ended, server) = ask(script, "What does Reliance cost?").await;
    let statuses: Vec<_> = calls(&ended).into_iter().map(|(_, status)| status).collect();
    assert_eq!(statuses, ["success", "refused", "refused", "refused", "refused", "success"]);
    let results = results(&server);
    assert!(results[1].contains("security_id 2885 (from search_instruments)"), "{}", results[1]);
    let both = "What belongs together: exchange_segment NSE_EQ with security_id 2885 (from \
                search_instruments), exchange_segment BSE_EQ with security_id 500325 (from \
                search_instruments).";
    assert!(
        results[2].contains("The values `500325` and `NSE_EQ` were returned, but not together")
    );
    assert!(results[2].ends_with(both), "{}", results[2]);
    assert!(results[3].contains("`2885` and `BSE_EQ`"), "{}", results[3]);
    assert!(results[4].contains("the placeholder `<security_id>`"), "{}", results[4]);
}

/// Every id with every segment, in every tool that takes both and in every shape: a call runs where a
/// result returned the two together, and nowhere else.
#[tokio::test]
async fn s1_4_an_id_counts_only_with_the_segment_it_came_with() {
    let looked_up = |script: Script| {
        script
            .reply(Reply::calls([
                search("a"),
                ("b", "search_instruments", r#"{"query":"RELIANCE","instrument_type":"EQUITY"}"#),
                ("c", "get_positions", "{}"),
                ("d", "get_holdings", "{}"),
            ]))
            .reply(Reply::calls([(
                "e",
                "get_option_chain",
                r#"{"security_id":13,"exchange_segment":"IDX_I","strikes":2}"#,
            )]))
    };
    let question = "What is there?";
    let server = ModelServer::start(looked_up(Script::new()).reply(Reply::text("Much."))).await;
    let ended = Cli::asking(&server).run(&["ask", "--json", "--task", "trading", question]).await;
    let mut returned = Returned::default();
    returned.hear(&ended.events());
    assert!(returned.pairs.contains(&("13".to_owned(), "IDX_I".to_owned())), "{returned:?}");

    let mut calls = Vec::new();
    for id in returned.some_ids() {
        for segment in Segment::ALL.iter().map(|it| it.as_str()) {
            let both = json!({"security_id": id, "exchange_segment": segment});
            for tool in BOTH {
                let mut both = both.clone();
                match tool {
                    "get_intraday_ohlcv" => both["interval"] = json!("60"),
                    "get_option_chain" => both["strikes"] = json!(1),
                    _ => {}
                }
                calls.push((id.clone(), segment, tool, both));
            }
            let alone = json!({"securities": {segment: [id]}});
            calls.push((id.clone(), segment, "get_market_quote", alone));
            let mut beside = json!({"securities": {"IDX_I": [13]}});
            match segment {
                "IDX_I" => beside["securities"]["IDX_I"] = json!([13, id]),
                other => beside["securities"][other] = json!([id]),
            }
            calls.push((id.clone(), segment, "get_market_quote", beside));
        }
    }
    // No more calls are taken from one reply.
    let replies: Vec<_> = calls.chunks(100).collect();
    let id_of = |reply: usize, at: usize| format!("call_{reply}_{at}");
    let mut script = looked_up(Script::new());
    for (reply, calls) in replies.iter().enumerate() {
        let asked = calls.iter().enumerate();
        let asked = asked.map(|(at, it)| (id_of(reply, at), it.2.to_owned(), it.3.to_string()));
        script = script.reply(Reply::calls(asked));
    }
    let server = ModelServer::start(script.reply(Reply::text("All of it."))).await;
    let cli = Cli::asking(&server).configured("[limits]\nrounds = 100\ncalls = 5000\n");
    let ended = cli.run(&["ask", "--json", "--task", "trading", question]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let events = ended.events();
    let finished = events.iter().filter(|it| it["type"] == "call_finished");
    let finished: HashMap<_, _> = finished.map(|it| (it["id"].as_str().unwrap(), it)).collect();
    let (mut ran, mut refused) = (0, 0);
    for (reply, calls) in replies.iter().enumerate() {
        let ends: Vec<_> = (0..calls.len()).map(|at| finished[id_of(reply, at).as_str()]).collect();
        for ((id, segment, tool, arguments), it) in calls.iter().zip(&ends) {
            let belongs = returned.pairs.contains(&(id.clone(), (*segment).to_owned()));
            let is_refused = it["status"] == "refused" && it["guard"] == "grounded";
            assert_eq!(!is_refused, belongs, "{tool} {arguments}: {it}");
            (ran, refused) = (ran + u32::from(belongs), refused + u32::from(is_refused));
        }
        returned.hear(ends);
    }
    assert!(ran >= 30 && refused >= 300, "{ran} ran, {refused} were refused");
}

/// The tools that take an id and its segment as two parameters.
const BOTH: [&str; 5] = [
    "get_historical_data",
    "get_daily_ohlcv",
    "get_intraday_ohlcv",
    "get_expiries",
    "get_option_chain",
];

/// What results returned, read without the guard's help.
#[derive(Debug, Default)]
struct Returned {
    /// Each id with its segment.
    pairs: HashSet<(String, String)>,
    /// Every other number.
    others: BTreeSet<String>,
}

impl Returned {
    /// Takes note of what these events say was returned.
    fn hear<'a>(&mut self, events: impl IntoIterator<Item = &'a Value>) {
        for event in events {
            if event["type"] == "call_finished" && event["status"] == "success" {
                self.read(&event["message"]["data"], None);
            }
        }
    }

    fn read(&mut self, value: &Value, around: Option<&str>) {
        match value {
            Value::Object(map) => {
                let said = map.get("exchange_segment").or(map.get("segment"));
                let segment = said.map_or(around, Value::as_str);
                let id = map.get("security_id").or(map.get("id"));
                if let (Some(Value::Number(id)), Some(segment)) = (id, segment) {
                    self.pairs.insert((id.to_string(), segment.to_owned()));
                }
                map.values().for_each(|inner| self.read(inner, segment));
            }
            Value::Array(items) => items.iter().for_each(|inner| self.read(inner, around)),
            Value::Number(number) if number.is_u64() => {
                self.others.insert(number.to_string());
            }
            _ => {}
        }
    }

    /// Some ids of every segment, and some numbers that are none.
    fn some_ids(&self) -> Vec<String> {
        let mut of_segment: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (id, segment) in &self.pairs {
            of_segment.entry(segment).or_default().push(id);
        }
        let is_id = |id: &&String| self.pairs.iter().any(|(known, _)| known == *id);
        let others: Vec<_> =
            self.others.iter().filter(|it| !is_id(it)).map(String::as_str).collect();
        let some = of_segment.into_values().chain([others]).flat_map(|mut ids| {
            ids.sort_unstable();
            ids.into_iter().take(2)
        });
        let some: BTreeSet<_> = some.chain(["13", "2885", "1"]).map(str::to_owned).collect();
        some.into_iter().collect()
    }
}

async fn simulator() -> Simulator {
    let settings = SimSettings { limits: Limits::none(), ..SimSettings::default() };
    Simulator::start(settings).await.unwrap()
}

fn story() -> Script {
    Script::new()
        .reply(Reply::calls([search("a")]))
        .reply(Reply::calls([quote("b", NIFTY), ("c", "get_funds", "{}")]))
        .reply(Reply::text("That is all."))
}

#[tokio::test]
async fn a_token_that_has_run_out_is_told_to_the_model_and_to_doctor() {
    let simulator = simulator().await;
    for token in ["expired", "invalid"] {
        let server = ModelServer::start(story()).await;
        let cli = Cli::asking(&server)
            .env("DHANHQ_BASE_URL", &simulator.base_url())
            .env("DHANHQ_ACCESS_TOKEN", token)
            .env("DHANHQ_CLIENT_ID", "1000000001");
        let ended = cli.run(&["ask", "--json", "--task", "trading", PRICE]).await;
        assert_eq!(
            calls(&ended),
            pairs(&[
                ("search_instruments", "success"),
                ("get_market_quote", "error"),
                ("get_funds", "error"),
            ])
        );
        for result in &results(&server)[1..] {
            assert!(result.starts_with("❌ Error: "), "{result}");
            assert!(result.to_lowercase().contains("token"), "{result}");
        }
        let doctor = cli.run(&["doctor"]).await;
        assert!(doctor.out.contains("✗ market: a simulated market: "), "{}", doctor.out);
        assert!(doctor.out.contains("DHANHQ_ACCESS_TOKEN"), "{}", doctor.out);
    }
}

#[tokio::test]
async fn the_token_is_nowhere() {
    let simulator = simulator().await;
    let server = ModelServer::start(story()).await;
    let cli = Cli::asking(&server)
        .env("DHANHQ_BASE_URL", &simulator.base_url())
        .env("DHANHQ_ACCESS_TOKEN", TOKEN)
        .env("DHANHQ_CLIENT_ID", "1000000001")
        .env("TOOLWRIGHT_LOG", "trace");
    let ended = cli.run(&["ask", "--json", "--task", "trading", PRICE]).await;
    let all = ["search_instruments", "get_market_quote", "get_funds"].map(|it| (it, "success"));
    assert_eq!(calls(&ended), pairs(&all), "{}", ended.err);
    let doctor = cli.run(&["doctor", "--json"]).await;
    let report: Value = serde_json::from_str(&doctor.out).unwrap();
    let row = |name: &str| {
        let rows = report["settings"].as_array().unwrap();
        rows.iter().find(|it| it["name"] == name).unwrap()["value"].clone()
    };
    assert_eq!(
        (row("market.access_token"), row("market.client_id")),
        (json!("set"), json!("1000000001"))
    );
    let market = report["checks"].as_array().unwrap().iter().find(|it| it["name"] == "market");
    assert_eq!(market.unwrap()["state"], "ok", "{market:?}");

    let mut places = vec![ended.out, ended.err, doctor.out, doctor.err];
    places.extend(server.requests().iter().map(|it| it.body.to_string()));
    for entry in std::fs::read_dir(cli.folder.path().join("data")).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap_or_default();
        places.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    for place in places {
        assert!(!place.contains("canary-of-a-broker"), "the token is in {place}");
    }
}

#[tokio::test]
async fn s0_11_log_lines_tell_the_round_the_tool_and_its_arguments() {
    let server = ModelServer::start(story()).await;
    let cli = Cli::asking(&server);
    let ended = cli.run(&["ask", "--log", "info", "--task", "trading", PRICE]).await;
    for line in [
        "[agentic_loop] Iteration 1/5",
        r#"[execute_tool] Executing: search_instruments {"instrument_type":"INDEX","query":"NIFTY"}"#,
        "[agentic_loop] Iteration 2/5",
        r#"[execute_tool] Executing: get_market_quote {"securities":{"IDX_I":[13]}}"#,
    ] {
        assert!(ended.err.contains(line), "{line} is missing in {}", ended.err);
    }
}

/// Behind the last round with tools there is one to answer in, which is not a sixth of five.
#[tokio::test]
async fn the_round_to_answer_in_is_told_as_such() {
    let script = Script::new().reply(Reply::calls([search("a")])).reply(Reply::text("Found."));
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server).configured("[limits]\nrounds = 1\n");
    let ended = cli.run(&["ask", "--log", "info", "--task", "trading", PRICE]).await;
    assert!(ended.err.contains("[agentic_loop] Iteration 1/1"), "{}", ended.err);
    assert!(ended.err.contains("[agentic_loop] Answering, after 1/1"), "{}", ended.err);
    assert!(!ended.err.contains("2/1"), "{}", ended.err);
}

#[tokio::test]
async fn without_a_model_the_script_knows_both_stories() {
    for (question, tools, answer) in [
        (PRICE, ["search_instruments", "get_market_quote"], "Nifty 50 (NIFTY), IDX_I 13: "),
        (CANDLES, ["find_instrument", "get_daily_ohlcv"], "daily candles"),
    ] {
        let ended = Cli::new().run(&["ask", "--json", "--task", "trading", question]).await;
        assert_eq!(calls(&ended), pairs(&tools.map(|it| (it, "success"))));
        let done = ended.events().pop().unwrap();
        let said = done["response"].as_str().unwrap();
        assert!(said.contains(answer) && said.contains("Simulated data"), "{said}");
    }
}

/// The command prints where it is, serves, and ends in good order.
#[cfg(unix)]
#[tokio::test]
async fn a_market_can_be_simulated_by_itself() {
    let cli = Cli::new();
    let mut child = cli
        .command(&["--json", "market", "simulate", "--addr", "127.0.0.1:0", "--seed", "7"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = lines.next_line().await.unwrap().unwrap();
    let said: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&said["seed"], &said["simulated"]), (&json!(7), &json!(true)));

    let url = said["base_url"].as_str().unwrap();
    let asking = Cli::new().env("DHANHQ_BASE_URL", url);
    let quoted = asking
        .run(&["tools", "call", "get_market_quote", NIFTY, "--task", "trading", "--json"])
        .await;
    let envelope: Value = serde_json::from_str(&quoted.out).unwrap();
    assert_eq!(envelope["success"], true, "{envelope}");
    assert_eq!(envelope["data"]["simulated"], true);
    let taken = Cli::new()
        .run(&[
            "market",
            "simulate",
            "--addr",
            url.trim_start_matches("http://").trim_end_matches("/v2"),
        ])
        .await;
    assert_eq!(taken.code, Some(2));
    assert!(taken.err.contains("what to do: choose another address"), "{}", taken.err);

    let pid = child.id().unwrap().to_string();
    tokio::process::Command::new("kill").args(["-INT", &pid]).status().await.unwrap();
    assert_eq!(child.wait().await.unwrap().code(), Some(0));
}

/// Each id with each segment that the user named: a call runs where the two were named as one, and
/// nowhere else.
#[tokio::test]
async fn s1_4_what_the_user_typed_does_not_cross_over() {
    let pairs = [(13, "IDX_I"), (2885, "NSE_EQ")];
    let all = || pairs.iter().flat_map(|one| pairs.iter().map(move |two| (one.0, two.1)));
    let mut asked = Vec::new();
    for (id, segment) in all() {
        let both = json!({"security_id": id, "exchange_segment": segment});
        asked.push((id, segment, "get_historical_data", both));
        asked.push((id, segment, "get_market_quote", json!({"securities": {segment: [id]}})));
    }
    for question in [
        "Compare 13 (IDX_I) with 2885 (NSE_EQ)",
        r#"quote {"IDX_I":[13],"NSE_EQ":[2885]}"#,
        "IDX_I 13 and NSE_EQ 2885",
    ] {
        let calls_of = asked.iter().enumerate();
        let reply = calls_of.map(|(at, it)| (format!("c{at}"), it.2.to_owned(), it.3.to_string()));
        let script = Script::new().reply(Reply::calls(reply)).reply(Reply::text("Compared."));
        let (ended, server) = ask(script, question).await;
        let told = results(&server);
        for (((id, segment, tool, _), (_, status)), said) in
            asked.iter().zip(calls(&ended)).zip(told)
        {
            let wanted = if pairs.contains(&(*id, *segment)) { "success" } else { "refused" };
            assert_eq!(status, wanted, "{question}: {tool} {id} {segment}: {said}");
            let how = format!("as `{segment} {id}`");
            assert!(wanted == "success" || said.contains(&how), "{question}: {said}");
        }
    }
}

/// A number that is no id there, and a name that several have, are not answered with a guess.
#[tokio::test]
async fn what_is_not_found_is_not_guessed() {
    let cli = Cli::new();
    for (number, segment) in [("31337", "IDX_I"), ("99999", "IDX_I"), ("12345", "NSE_EQ")] {
        let asked = json!({"symbol": number, "segment": segment}).to_string();
        let ended = cli.run(&["tools", "call", "find_instrument", &asked]).await;
        assert_eq!(ended.code, Some(1), "{}", ended.out);
        let said = format!("{}{}", ended.out, ended.err);
        assert!(said.contains(&format!("there is no {number} in {segment}")), "{said}");
    }
    for (asked, wanted) in [
        (json!({"symbol": "13", "segment": "NSE_EQ"}), "ABB"),
        (json!({"symbol": "TATA", "segment": "NSE_EQ"}), "may be several in NSE_EQ"),
    ] {
        let ended = cli.run(&["tools", "call", "find_instrument", &asked.to_string()]).await;
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        assert!(ended.out.contains(wanted), "{}", ended.out);
    }
}

/// What is no token is sent to nobody: the broker that was set is not even connected to.
#[tokio::test]
async fn without_a_token_the_broker_that_was_set_is_not_asked() {
    let broker = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    broker.set_nonblocking(true).unwrap();
    let at = broker.local_addr().unwrap();
    let config = format!("[market]\nbase_url = \"http://{at}/v2\"\nprices = \"live\"\n");
    for token in [None, Some("your_token"), Some("<token>")] {
        let cli = Cli::new().configured(&config);
        let cli = match token {
            Some(token) => cli.env("DHANHQ_ACCESS_TOKEN", token),
            None => cli,
        };
        let quoted = cli.run(&["tools", "call", "get_market_quote", NIFTY, "--json"]).await;
        let envelope: Value = serde_json::from_str(&quoted.out).unwrap();
        assert_eq!(envelope["success"], true, "{token:?}: {envelope}");
        assert_eq!(envelope["data"]["simulated"], true, "{token:?}");
        let doctor = cli.run(&["doctor"]).await;
        assert!(
            doctor.out.contains("market: simulated: a broker is set, but no access token"),
            "{}",
            doctor.out
        );
        let asked = broker.accept().map(|(_, from)| from);
        assert!(asked.is_err(), "{token:?}: {asked:?} connected");
    }
}

#[tokio::test]
async fn doctor_says_that_the_market_is_simulated() {
    let ended = Cli::new().run(&["doctor"]).await;
    assert!(ended.out.contains("✓ market: simulated: no access token is set"), "{}", ended.out);
}
