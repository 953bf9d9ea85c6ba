//! A figure stands with the thing that it is told of.

use proptest::{
    prelude::*,
    test_runner::{Config, RngSeed},
};
use serde_json::{Value, json};
use toolwright_core::{
    AssistantMessage, Call, Conversation, Message, Outcome, review::FindingKind,
};

use super::{returned, review};

/// What is objected to.
fn wrong(answer: &str, talk: &Conversation) -> Vec<String> {
    let findings = review(answer, talk).into_iter();
    findings.filter(|it| it.kind == FindingKind::Claim).map(|it| it.text).collect()
}

const QUOTES: &str = "✅ Success!\n\n\
    Tata Consultancy Services (TCS), NSE_EQ 11536: 2,847.70 ▲ +41.50 (+1.48%)\n\
    - Open 2,811.05, high 2,866.45, low 2,801.50\n\
    - Previous close 2,806.20\n\n\
    HCL Technologies (HCLTECH), NSE_EQ 7229: 1,612.40 ▼ -8.15 (-0.50%)\n\
    - Open 1,622.30, high 1,630.00, low 1,601.95\n\
    - Previous close 1,620.55\n\n\
    ⚠ Simulated data: nothing of it is real.";

#[test]
fn the_figures_of_one_thing_told_of_another_are_found() {
    let talk = returned("What are TCS and HCL at?", &[json!(QUOTES)]);
    for (answer, figure) in [
        ("TCS is at ₹1,612.40.", "₹1,612.40"),
        ("TCS opened at 1,622.30, with a high of 1,630.00.", "1,622.30"),
        ("| Share | Price |\n|---|---|\n| TCS | 1,612.40 |", "1,612.40"),
        ("- **Tata Consultancy Services**: ₹1,612.40", "₹1,612.40"),
        ("HCL Technologies trades at 2,847.70 now.", "2,847.70"),
    ] {
        let found = wrong(answer, &talk);
        assert!(found.first().is_some_and(|it| it.contains(figure)), "{answer}: {found:?}");
        assert!(found.iter().all(|it| it.contains("is told of") && it.contains("stands with")));
    }
}

#[test]
fn what_is_right_or_tells_more_than_one_is_left_alone() {
    let talk = returned("What are TCS and HCL at? I paid 1,700.25.", &[json!(QUOTES)]);
    for answer in [
        "TCS is at ₹2,847.70, up 41.50 (1.48%).",
        "TCS is at ₹2,848.",
        "TCS is at ₹2,847.70 and HCL at ₹1,612.40.",
        "TCS trades ₹1,235.30 above HCLTECH.",
        "Unlike TCS, it fell to ₹1,612.40.",
        "HCL is at 1,612.40.",
        "Compared to TCS, that is 1,612.40.",
        "TCS gained 41.50. The other one is at 1,612.40.",
        "It is at 1,612.40; TCS is not.",
        "You paid 1,700.25 for TCS.",
        "The highest was 2,866.45, the lowest 1,601.95.",
        "TCS is worth 77% more than HCL's 1,612.40.",
        "Ten of TCS would be ₹28,477.",
    ] {
        assert_eq!(wrong(answer, &talk), Vec::<String>::new(), "{answer}");
    }
}

#[test]
fn values_of_one_thing_are_no_rows() {
    let funds =
        "Funds:\n- Available: ₹83,989.12\n- Opening balance: ₹5,00,000.00\n- In use: ₹4,16,010.88";
    let talk = returned("My funds?", &[json!(funds)]);
    for answer in [
        "With ₹83,989.12 left and ₹4,16,010.88 in use, you are fine.",
        "Of the opening balance ₹4,16,010.88 is tied up.",
    ] {
        assert_eq!(wrong(answer, &talk), Vec::<String>::new(), "{answer}");
    }
    let day = json!({"high": 24500.5, "low": 24100.25, "name": "Nifty 50", "change": -120.75});
    let talk = returned("Nifty?", &[day]);
    assert!(wrong("Nifty 50 fell 120.75 to a low of 24,100.25.", &talk).is_empty());
}

#[test]
fn a_name_within_another_and_a_number_in_a_name_do_no_harm() {
    let rows = json!([
        {"name": "Nifty 50", "symbol": "NIFTY", "price": 25715.35},
        {"name": "Nifty Bank", "symbol": "BANKNIFTY", "price": 55590.9},
        {"name": "Nifty 100", "symbol": "NIFTY100", "price": 26310.05},
    ]);
    let talk = returned("The indices?", &[rows]);
    for answer in [
        "Nifty Bank is at 55,590.90.",
        "Bank Nifty is at 55,590.90.",
        "Nifty 100 is at 26,310.05.",
        "NIFTY is at 25,715.35.",
        "The bank index is at 55,590.90.",
    ] {
        assert_eq!(wrong(answer, &talk), Vec::<String>::new(), "{answer}");
    }
    assert!(!wrong("Nifty Bank is at 26,310.05.", &talk).is_empty());
}

#[test]
fn results_of_calls_that_asked_of_different_things_are_rows() {
    let mut talk = Conversation::new();
    talk.push(Message::user("The weather in Paris and Oslo?"));
    let calls = ["Paris", "Oslo"].map(|it| {
        Call::new(it, "get_weather", json!({"location": it, "unit": "celsius"}).to_string())
    });
    let reply = AssistantMessage { calls: calls.to_vec(), ..AssistantMessage::default() };
    talk.push(Message::Assistant(reply));
    talk.push(Message::tool("Paris", "get_weather", Outcome::ok("72.5°F, humidity 41.5%")));
    talk.push(Message::tool("Oslo", "get_weather", Outcome::ok("39.2°F, humidity 77.5%")));
    assert!(wrong("In Paris it is 72.5°F with 41.5% humidity.", &talk).is_empty());
    assert!(wrong("Paris: 22.5°C. Oslo: 4°C.", &talk).is_empty(), "converted");
    let found = wrong("In Paris the humidity is 77.5%.", &talk);
    assert_eq!(found, ["`77.5%` is told of Paris, but stands with Oslo"]);
}

/// How results list rows.
fn listed(form: usize, rows: &[(String, f64, f64)]) -> Value {
    let line = |(name, price, high): &(String, f64, f64)| match form {
        0 => format!("- {name}: {price:.2}, high {high:.2}"),
        1 => format!("{name}: {price:.2}\n- High {high:.2}\n"),
        2 => format!("| {name} | {price:.2} | {high:.2} |"),
        _ => String::new(),
    };
    match form {
        3 => rows
            .iter()
            .map(|(name, price, high)| json!({"name": name, "last": price, "high": high}))
            .collect(),
        4 => {
            let map = rows
                .iter()
                .map(|(name, price, high)| (name.clone(), json!({"last": price, "high": high})));
            Value::Object(map.collect())
        }
        _ => Value::String(rows.iter().map(line).collect::<Vec<_>>().join("\n")),
    }
}

fn names() -> impl Strategy<Value = Vec<String>> {
    let all = ["Alpha", "Bravo", "Carrot Foods", "Delta Air", "ECHO", "Foxtrot", "Golf", "Hotel"];
    Just(all.map(str::to_owned).to_vec()).prop_shuffle()
}

proptest! {
    #![proptest_config(Config { cases: 200, rng_seed: RngSeed::Fixed(17), ..Config::default() })]

    /// Whatever the order of the rows and the form of the list: what is right passes, and what is told of another
    /// is found.
    #[test]
    fn the_order_of_rows_makes_no_difference(
        names in names(),
        many in 2_usize..8,
        seeds in proptest::collection::vec(0_u32..9_000, 8),
        form in 0_usize..5,
        one in 0_usize..8,
        other in 0_usize..8,
    ) {
        // No two alike, and none that is worked out from others.
        let rows: Vec<_> = names.into_iter().take(many).enumerate().map(|(at, name)| {
            let price = 1_000.0 + f64::from(seeds[at]) * 7.31 + at as f64 * 70_001.77;
            (name, (price * 100.0).round() / 100.0, ((price + 13.37) * 100.0).round() / 100.0)
        }).collect();
        let (one, other) = (one % many, other % many);
        let talk = returned("How are they?", &[listed(form, &rows)]);
        let (name, price, high) = &rows[one];
        for answer in [
            format!("{name} is at {price:.2}."),
            format!("- {name}: {price:.2} (high {high:.2})"),
            format!("{name} reached {high:.2} today and is at {price:.2} now."),
        ] {
            prop_assert_eq!(wrong(&answer, &talk), Vec::<String>::new(), "{}", answer);
        }
        let told = wrong(&format!("{name} is at {:.2}.", rows[other].1), &talk);
        prop_assert_eq!(told.is_empty(), one == other, "{:?}", told);
    }
}

fn shown(text: &str) -> Conversation {
    let mut talk = Conversation::new();
    talk.push(Message::user("Show me app.toml"));
    let calls = vec![Call::new("a", "show", r#"{"file_path":"app.toml"}"#)];
    talk.push(Message::Assistant(AssistantMessage { calls, ..AssistantMessage::default() }));
    talk.push(Message::tool("a", "show", Outcome::ok(text)));
    talk
}

fn quotes(answer: &str, talk: &Conversation) -> Vec<String> {
    let findings = review(answer, talk).into_iter();
    findings.filter(|it| it.kind == FindingKind::Quote).map(|it| it.text).collect()
}

/// A letter that is not the file's is found, in a block under its name and in one that is said to be its content.
#[test]
fn a_file_is_quoted_as_it_is() {
    let file = "     1\t[server]\n     2\thost = \"localhost\"\n     3\tport = 8080\n     4\tdebug = false\n";
    let talk = shown(file);
    let block = "[server]\nhost = \"localhost\"\nport = 8080\ndebug = false";
    for lead in ["app.toml:", "**app.toml**:", "In `app.toml`:", "The contents of app.toml:"] {
        assert_eq!(quotes(&format!("{lead}\n```\n{block}\n```"), &talk), Vec::<String>::new());
        let altered = block.replace("localhost", "localhos");
        let found = quotes(&format!("{lead}\n```\n{altered}\n```"), &talk);
        assert_eq!(found, ["host = \"localhos\""], "{lead}");
    }
    // A draft is none of the file's, whatever it is called.
    let draft = "app.toml:\n```\n[client]\nretries = 3\nname = \"me\"\ndebug = false\n```";
    assert_eq!(quotes(draft, &talk), Vec::<String>::new());
    let other = "other.toml:\n```\n[server]\nhost = \"b\"\nport = 8080\ndebug = false\n```";
    assert_eq!(quotes(other, &talk), Vec::<String>::new(), "nobody looked at it");
}
