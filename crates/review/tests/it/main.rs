//! The review of an answer: what passes, what is caught, and what the model is told.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::unwrap_used
)]

use proptest::{
    prelude::*,
    test_runner::{Config, RngSeed},
};
use serde_json::{Value, json};
use toolwright_core::{
    AssistantMessage, Call, Conversation, Message, Outcome, Status, ToolCatalog, ToolEffect,
    ToolSpec,
    review::{Finding, FindingKind, Review, ReviewCheck, ReviewTools, Reviewer, correction},
};
use toolwright_review::AnswerReviewer;

/// The words of the packs, as their crates have them.
#[path = "../../../../packs/market/src/vocabulary.rs"]
mod market;
#[path = "../../../../packs/watch/src/vocabulary.rs"]
mod watch;
#[path = "../../../../packs/demo/src/vocabulary.rs"]
mod weather;
#[path = "../../../../packs/workspace/src/vocabulary.rs"]
mod workspace;

/// Tools as far as a review needs to know them.
struct Tools(Vec<ToolSpec>);

impl ToolCatalog for Tools {
    fn find(&self, name: &str) -> Option<&ToolSpec> {
        self.0.iter().find(|spec| spec.name == name)
    }

    fn specs(&self) -> Box<dyn Iterator<Item = &ToolSpec> + '_> {
        Box::new(self.0.iter())
    }

    fn violations(&self, _: &ToolSpec, _: &Value) -> Vec<String> {
        Vec::new()
    }

    fn unknown(&self, name: &str) -> String {
        format!("there is no tool `{name}`")
    }
}

/// Holds an answer against a conversation, with the words of every pack.
fn held_against(answer: &str, conversation: &Conversation, tools: ReviewTools<'_>) -> Review {
    let words = [market::VOCABULARY, watch::VOCABULARY, weather::VOCABULARY, workspace::VOCABULARY];
    let reviewer = words.into_iter().fold(AnswerReviewer::new(), AnswerReviewer::vocabulary);
    reviewer.review(answer, conversation, tools)
}

/// What is wrong with an answer, where no tool could have told anything that none did.
fn review(answer: &str, conversation: &Conversation) -> Vec<Finding> {
    let none = Tools(Vec::new());
    held_against(answer, conversation, ReviewTools::Required(&none)).findings
}

/// A conversation in which a tool returned this: text as text, anything else as JSON.
fn returned(question: &str, results: &[Value]) -> Conversation {
    let mut conversation = Conversation::new();
    conversation.push(Message::user(question));
    for (number, result) in results.iter().enumerate() {
        let text = result.as_str().map_or_else(|| result.to_string(), str::to_owned);
        conversation.push(Message::tool(format!("call_{number}"), "look_up", Outcome::ok(text)));
    }
    conversation
}

fn found(kind: FindingKind, text: &str) -> Finding {
    let check = match kind {
        FindingKind::Empty | FindingKind::Apology => ReviewCheck::Answered,
        FindingKind::Claim => ReviewCheck::Judged,
        _ => ReviewCheck::Supported,
    };
    Finding::new(check, kind, text)
}

fn figure(text: &str) -> Finding {
    found(FindingKind::Figure, text)
}

fn date(text: &str) -> Finding {
    found(FindingKind::Date, text)
}

fn name(text: &str) -> Finding {
    found(FindingKind::Name, text)
}

fn id(text: &str) -> Finding {
    found(FindingKind::Id, text)
}

/// Checks answers to one result: those that pass, and those that do not, with what is found.
fn check(result: Value, good: &[&str], bad: &[(&str, Finding)]) {
    let conversation = returned("Tell me.", std::slice::from_ref(&result));
    for answer in good {
        assert_eq!(review(answer, &conversation), [], "{answer:?} on {result}");
    }
    for (answer, finding) in bad {
        assert_eq!(
            review(answer, &conversation),
            std::slice::from_ref(finding),
            "{answer:?} on {result}"
        );
    }
}

mod figures {
    use super::*;

    #[test]
    fn may_be_written_and_rounded_in_any_way() {
        check(
            json!({"price": 24350.75}),
            &[
                "It is 24350.75.",
                "It is 24,350.75.",
                "It is ₹24,350.75.",
                "It is Rs. 24,350.75 now.",
                "It is Rs24,350.75 now.",
                "It is USD 24,350.75.",
                "It is 24 350.75.",
                "It is 24\u{202f}350,75.",
                "It is 24.350,75 €.",
                "It is 24'350.75.",
                "It is 24,350.8.",
                "It is 24,351.",
                "It is 24.35K.",
                "It is 24.4k.",
                "It is **24,350.75** points.",
                "It is \\$24,350.75.",
                "It is about 24,000.",
                "It is ~24,400.",
                "It is more than 24,000.",
                "It is 2.435e4.",
                "It is 0.24 lakh.",
            ],
            &[
                ("It is 24,530.75.", figure("24,530.75")),
                ("It is ₹24,352.", figure("₹24,352")),
                ("It is 24.45K.", figure("24.45K")),
                ("It is 24.35.", figure("24.35")),
                ("It is 24.35 million.", figure("24.35 million")),
                ("It is 24,000.", figure("24,000")),
                ("It is about 26,000.", figure("26,000")),
                ("It is $24.35M.", figure("$24.35M")),
                ("The price is\n187.", figure("187")),
                ("It is **24,999.00** points.", figure("24,999.00")),
            ],
        );
    }

    #[test]
    fn of_great_size_have_words_and_groups() {
        check(
            json!({"volume": 12_345_678, "cap": 1_987_000_000_000_u64, "lots": 123_456}),
            &[
                "Volume was 12,345,678.",
                "Volume was 12.3M.",
                "Volume was 12.35 million.",
                "Volume was 1,23,45,678.",
                "Volume was 1.23 crore.",
                "Volume was 123.46 lakh.",
                "Volume was 12 million.",
                "The cap is 1.99 trillion.",
                "The cap is $1,987 billion.",
                "The cap is 1987bn.",
                "The cap is ₹1.99 lakh crore.",
                "Lots: 1,23,456.",
                "Lots: 123k.",
                "Lots: 1.23 lakh.",
            ],
            &[
                ("Volume was 12.8M.", figure("12.8M")),
                ("Volume was 1.23 lakh crore.", figure("1.23 lakh crore")),
                ("The cap is 1.89 trillion.", figure("1.89 trillion")),
                ("Lots: 1,32,456.", figure("1,32,456")),
            ],
        );
    }

    #[test]
    fn have_a_sign_where_it_is_written() {
        check(
            json!({"change": -1.25, "gain": 3.5}),
            &[
                "It changed by -1.25%.",
                "It changed by −1.25.",
                "It fell 1.25%.",
                "It gained +3.5.",
                "It gained 3.5%.",
            ],
            &[("It changed by +1.25%.", figure("+1.25%")), ("It lost -3.5.", figure("-3.5"))],
        );
    }

    #[test]
    fn may_be_shares() {
        check(
            json!({"share": 0.2, "score": 0.873, "yield": 4.5}),
            &["20%.", "20 percent.", "87%.", "87.3 %.", "A yield of 4.5%.", "100% of them."],
            &[("It is 21%.", figure("21%")), ("It is 88%.", figure("88%"))],
        );
    }

    #[test]
    fn may_count_items() {
        let items: Vec<Value> = (0..37).map(|_| json!({"a": "x", "b": true})).collect();
        check(
            json!({"items": items}),
            &[
                "There are 37 items.",
                "There are 3 kinds of them.",
                "There are 15 of the 37 with a tick.",
                "1. One\n2. Two\n13. Thirteen",
                "| # | What |\n|---|---|\n| 1 | x |\n| 2 | x |",
            ],
            &[("There are 38 items.", figure("38"))],
        );
        let listed: String = (1..=14).map(|n| format!("{n}. x\n")).collect();
        check(json!({"items": items}), &[&format!("Here are 14:\n{listed}")], &[]);
        let table: String = (1..=14).map(|n| format!("| {n} | x |\n")).collect();
        check(json!({"a": "x"}), &[&format!("| # | What |\n|---|---|\n{table}")], &[]);
    }

    #[test]
    fn may_be_worked_out_within_a_result() {
        check(
            json!({"open": 24200.0, "last": 24350.5, "quantity": 150}),
            &[
                "It is up 150.5 points.",
                "It is up 0.62%.",
                "The last is 100.6% of the open.",
                "Together they are 48,550.5.",
                "The position is worth 3,652,575.",
            ],
            &[("It is up 151.5 points.", figure("151.5")), ("It is up 1.62%.", figure("1.62%"))],
        );
        check(
            json!([{"name": "a", "spent": 120.5}, {"name": "b", "spent": 79.5}, {"name": "c", "spent": 40}]),
            &["In total 240 was spent, 80 on average."],
            &[("In total 250 was spent.", figure("250"))],
        );
    }

    #[test]
    fn are_not_worked_out_across_fields_of_a_long_list() {
        let items: Vec<Value> =
            (0..20).map(|n| json!({"price": 1000 + 37 * n, "days": 90 + n})).collect();
        check(
            json!(items),
            &["The first two differ by 37.", "The last costs 1,703, 70.3% more than the first."],
            // 1037 and 109 stand in different items and different fields.
            &[("That is 1,146 together.", figure("1,146"))],
        );
    }

    #[test]
    fn may_compare_results_of_one_tool() {
        let conversation = returned(
            "Which is warmer?",
            &[json!({"city": "Oslo", "temp": 14.5}), json!({"city": "Rome", "temp": 31})],
        );
        assert_eq!(review("Rome is 16.5 degrees warmer than Oslo.", &conversation), []);
        assert_eq!(
            review("Rome is 19.5 degrees warmer than Oslo.", &conversation),
            [figure("19.5")]
        );
    }

    #[test]
    fn may_be_worked_out_with_what_the_person_gave() {
        let conversation =
            returned("What are my 50 shares worth?", &[json!({"symbol": "INFY", "ltp": 1612.35})]);
        assert_eq!(review("Your 50 shares are worth ₹80,617.50.", &conversation), []);
        assert_eq!(
            review("Your 50 shares are worth ₹81,617.50.", &conversation),
            [figure("₹81,617.50")]
        );
    }

    #[test]
    fn may_be_in_another_unit() {
        check(
            json!({"bytes": 12_582_912, "seconds": 7_500, "temp_c": 22, "wind_kmh": 16, "amount_cents": 4850}),
            &[
                "It is 12.6 MB.",
                "It is 12 MiB.",
                "It takes 125 minutes.",
                "It takes 2 h 5 min.",
                "It takes 2h05m.",
                "It takes 2 hours and 5 minutes.",
                "It takes 2:05:00.",
                "It is 72°F (22°C).",
                "It is 71.6 °F.",
                "Wind at 9.9 mph.",
                "It costs $48.50.",
            ],
            &[
                ("It is 13.6 MB.", figure("13.6")),
                ("It takes 135 minutes.", figure("135")),
                ("It takes 2 h 25 min.", figure("2 h 25 min")),
                ("It is 78°F.", figure("78°F")),
                ("It is 7°C.", figure("7°C")),
                ("It costs $49.50.", figure("$49.50")),
            ],
        );
    }

    #[test]
    fn inside_something_else_are_part_of_it() {
        check(
            json!({"52_week_high": 26277.35, "id": "ord_7f3a", "version": "1.14.2", "open": 25}),
            &[
                "The 52-week high is 26,277.35.",
                "Over a 24-hour period.",
                "Since the 1990s.",
                "The 21st of them.",
                "Version 1.14.2 opened at 25.",
                "Between 25-25.",
            ],
            &[
                ("Version 1.15.2 opened at 25.", id("1.15.2")),
                ("The order is ord_7f3b.", id("ord_7f3b")),
                ("Between 25-47.", figure("47")),
            ],
        );
    }

    #[test]
    fn are_read_in_texts_too() {
        check(
            json!("Weather in Oslo: 72°F, sunny, wind 14 km/h, humidity 43%\nUV index high"),
            &["It is 72 degrees with 43% humidity.", "72°F, or 22 °C.", "Wind: 14 km/h (9 mph)."],
            &[
                ("It is 75 degrees.", figure("75")),
                ("Humidity is 34%.", figure("34%")),
                ("Wind: 9 km/h.", figure("9")),
            ],
        );
        check(
            json!("[100,200,300] then 1 234 567 and a cut off {\"ltp\":24350.75,\"oi\":118"),
            &["It said 200.", "It said 1,234,567.", "It said 24,350.75 and 118."],
            &[("It said 250.", figure("250"))],
        );
    }

    #[test]
    fn in_programs_are_not_read() {
        check(
            json!({"a": "x"}),
            &["Try this:\n```python\nprint(4711)\n```", "```rust\nlet a = 815;\n```\nDone."],
            &[
                ("So:\n```\ntotal 4711\n```", figure("4711")),
                ("It says:\n```\ntotal 4711\n```", found(FindingKind::Quote, "total 4711")),
            ],
        );
    }
}

mod moments {
    use super::*;

    #[test]
    fn are_the_same_day_in_every_form() {
        check(
            json!({"date": "2024-01-05"}),
            &[
                "On 2024-01-05.",
                "On 5 January 2024.",
                "On January 5, 2024.",
                "On Jan 5, 2024.",
                "On Jan. 5th, 2024.",
                "On the 5th of January 2024.",
                "On 05/01/2024.",
                "On 01/05/2024.",
                "On 5.1.2024.",
                "On 05-Jan-2024.",
                "On 05-Jan-24.",
                "On January 5.",
                "On 5 Jan.",
                "In January 2024.",
                "In 2024.",
                "On Friday, January 5th.",
                "El 5 de enero de 2024.",
            ],
            &[
                ("On 2024-01-06.", date("2024-01-06")),
                ("On 6 January 2024.", date("6 January 2024")),
                ("On Jan 5, 2023.", date("Jan 5, 2023")),
                ("On 05/02/2024.", date("05/02/2024")),
                ("On March 5.", date("March 5")),
                ("In February 2024.", date("February 2024")),
                ("In 2023.", figure("2023")),
            ],
        );
    }

    #[test]
    fn may_be_numbers_in_data() {
        for data in [
            json!({"t": 1_704_445_200}),
            json!({"t": 1_704_445_200_000_u64}),
            json!({"t": "20240105"}),
        ] {
            check(
                data,
                &["On January 5, 2024.", "In 2024."],
                &[("On January 15, 2024.", date("January 15, 2024"))],
            );
        }
    }

    #[test]
    fn have_times_in_every_form() {
        check(
            json!({"opens": "09:15", "closes": "15:30:00"}),
            &[
                "From 9:15 AM to 3:30 PM.",
                "From 09:15 to 15:30.",
                "From 9:15 a.m. until 3:30 p.m.",
                "Open 9:15-15:30.",
                "At 9:15am.",
            ],
            &[
                ("From 9:30 AM.", date("9:30 AM")),
                ("Until 4 PM.", date("4 PM")),
                ("Until 16:30.", date("16:30")),
            ],
        );
    }

    #[test]
    fn of_an_instant_are_those_of_any_place() {
        check(
            json!({"at": "2024-01-05T22:45:00Z"}),
            &[
                "At 22:45 UTC on January 5.",
                "On January 6, 2024 at 4:15 AM.",
                "At 2024-01-05T22:45:00Z.",
                "At 2024-01-06T04:15:00+05:30.",
            ],
            &[("On January 8 at 22:45.", date("January 8")), ("At 22:50.", date("22:50"))],
        );
    }

    #[test]
    fn may_be_reckoned_from_today() {
        check(
            json!({"watched": "2024-01-05", "title": "Rust"}),
            &["You watched it 35 days ago.", "In the last 90 days.", "Over the past 18 months."],
            &[("You watched it for 35 minutes.", figure("35"))],
        );
    }

    #[test]
    fn may_be_lengths() {
        check(
            json!([{"length": 205}, {"length": "PT1H45M"}, {"length": "12:07"}]),
            &[
                "It runs 3:25.",
                "It runs 3 minutes 25 seconds.",
                "It runs 1:45:00.",
                "It runs 105 minutes.",
                "It runs 12 min 7 s.",
            ],
            &[("It runs 3:52.", date("3:52")), ("It runs 115 minutes.", figure("115"))],
        );
    }
}

mod ids {
    use super::*;

    #[test]
    fn stand_literally_in_a_source() {
        check(
            json!({
                "order": "ORD-2024-0117",
                "uuid": "550e8400-e29b-41d4-a716-446655440000",
                "account": 240_105_000_123_u64,
                "path": "/srv/reports/q3-2024_final.csv",
                "url": "https://www.example.com/watch?v=dQw4w9WgXcQ",
                "flight": "BA 249",
                "phone": "555-0134"
            }),
            &[
                "Order ORD-2024-0117 is done.",
                "Order `ord-2024-0117` is done.",
                "It is 550e8400-e29b-41d4-a716-446655440000.",
                "It is 550E8400-E29B-41D4-A716-446655440000.",
                "Account 240105000123.",
                "See q3-2024_final.csv.",
                "Watch [it](https://www.example.com/watch?v=dQw4w9WgXcQ).",
                "Watch https://example.com/watch?v=dQw4w9WgXcQ.",
                "The video dQw4w9WgXcQ.",
                "Flight BA249 or BA 249.",
                "Call 555-0134.",
                "An MP3 in Q3, 24/7.",
            ],
            &[
                ("Order ORD-2024-0118 is done.", id("ORD-2024-0118")),
                (
                    "It is 550e8400-e29b-41d4-a716-446655440001.",
                    id("550e8400-e29b-41d4-a716-446655440001"),
                ),
                ("Account 240105000132.", id("240105000132")),
                ("See q4-2024_final.csv.", id("q4-2024_final.csv")),
                (
                    "Watch https://example.com/watch?v=dQw4w9WgXcX.",
                    id("https://example.com/watch?v=dQw4w9WgXcX"),
                ),
                ("See https://example.org/help.", id("https://example.org/help")),
                ("Flight BA294.", id("BA294")),
                ("Call 555-0143.", id("555-0143")),
                ("Room 0042.", id("0042")),
            ],
        );
    }
}

mod names {
    use super::*;

    #[test]
    fn are_known_if_any_of_their_words_is() {
        check(
            json!({"name": "Reliance Industries", "symbol": "TATAMOTORS", "exchange": "NSE", "ticker": "TSLA", "city": "Bangalore, India"}),
            &[
                "The price of Reliance is up.",
                "The shares of Reliance Industries Limited are up.",
                "The shares of Tata Motors are up.",
                "It trades on the National Stock Exchange.",
                "The maker is Tesla.",
                "It is in India, an Indian city.",
                "The shares of Bharat Heavy Vehicles (TATAMOTORS) are up. So is Bharat.",
                "Unfortunately, Mondays are slow in January.",
                "Based on the data, The Current Market Price is up.",
                "## Acme Widgets Quarterly\nIt is up.",
                "**Acme Widgets:** it is up.",
                "**Acme Widgets**\nIt is up.",
                "- Acme Widgets: it is up.",
                "| Acme | Widgets |\n|---|---|\n| Beta Gamma | up |",
                "Run `Acme Widgets` now.",
                "Everything is up. Nothing is down.",
                "Der Kurs von Reliance ist gut und das Volumen ist hoch.",
            ],
            &[
                ("The shares of Acme Widgets are up.", name("Acme Widgets")),
                ("It was founded by Elon Musk.", name("Elon Musk")),
                ("Elon Musk founded it.", name("Elon Musk")),
                ("According to Bloomberg it is up.", name("Bloomberg")),
                ("It is bigger than Microsoft's.", name("Microsoft")),
                ("A loan from the Bank of Zanzibar helped.", name("Bank of Zanzibar")),
                ("It is made in Paris (France).", name("Paris")),
                (
                    "| Name | State |\n|---|---|\n| 1 | the great Walter Scott |",
                    name("Walter Scott"),
                ),
            ],
        );
    }
}

mod answered {
    use super::*;

    const SORRY: &str = "I'm sorry, but I don't have access to real-time data.";

    fn sorry(text: &str) -> Finding {
        found(FindingKind::Apology, text)
    }

    #[test]
    fn is_not_what_says_nothing() {
        let conversation = returned("Hello?", &[]);
        for answer in ["", " \n\t ", "---", "**", "...", "```\n```"] {
            assert_eq!(
                review(answer, &conversation),
                [found(FindingKind::Empty, "")],
                "{answer:?}"
            );
        }
        for answer in ["Yes.", "好的", "👍", "7"] {
            assert_eq!(review(answer, &conversation), [], "{answer:?}");
        }
    }

    #[test]
    fn is_not_an_apology_where_the_tools_answered() {
        let conversation = returned(
            "What is NIFTY at?",
            &[json!({"symbol": "NIFTY", "last_price": 21710.8, "state": "closed"})],
        );
        let caught = [
            (SORRY, SORRY),
            ("Unfortunately, I cannot retrieve the price of NIFTY at this time.", ""),
            (
                "I apologize, but I am unable to provide live prices. Please check a broker's page.",
                "I apologize, but I am unable to provide live prices.",
            ),
            ("As an AI language model, I don't have real-time information.", ""),
            ("Something went wrong. Please try again later.", "Something went wrong."),
            (
                "It seems I don’t have the latest price. Let me know if I can help otherwise!",
                "It seems I don’t have the latest price.",
            ),
            ("I was unable to fetch that.", ""),
        ];
        for (answer, quoted) in caught {
            let quoted = if quoted.is_empty() { answer } else { quoted };
            assert_eq!(review(answer, &conversation), [sorry(quoted)], "{answer:?}");
        }
        for answer in [
            "NIFTY is at 21,710.8. Unfortunately, I don't have the volume.",
            "Unfortunately, I can't see the volume, but the price is 21,710.80.",
            "The market is closed. I cannot give you a live price.",
            "I'm sorry to hear that. NIFTY is at 21,711.",
            "I couldn't find a fall in it.",
            "I can't recommend buying.",
            "Sorry for the wait: it is closed.",
        ] {
            assert_eq!(review(answer, &conversation), [], "{answer:?}");
        }
    }

    #[test]
    fn is_an_apology_where_something_failed() {
        let mut conversation = returned("Sell it.", &[json!({"id": 7})]);
        conversation.push(Message::tool("x", "sell", Outcome::failed("Not enough margin.")));
        let answer = "I'm sorry, I was unable to do that.";
        assert_eq!(review(answer, &conversation), []);
        conversation.push(Message::tool("y", "sell", Outcome::ok("{\"sold\": true}")));
        assert_eq!(review(answer, &conversation), [sorry(answer)]);
    }

    #[test]
    fn is_asked_of_this_run_only() {
        let mut conversation = returned("What is it?", &[json!({"price": 7.25})]);
        conversation.push(Message::assistant("It is 7.25."));
        conversation.push(Message::user("And tomorrow?"));
        assert_eq!(review(SORRY, &conversation), []);
        // What earlier results said is still a source.
        assert_eq!(review("It was 7.25.", &conversation), []);
        assert_eq!(review("It will be 7.75.", &conversation), [figure("7.75")]);
    }
}

mod sources {
    use super::*;

    #[test]
    fn are_needed_to_ask_for_support() {
        let mut conversation = returned("Who wrote Faust?", &[]);
        let answer = "Johann Wolfgang von Goethe wrote Faust in 1808, see https://example.org/f1.";
        assert_eq!(review(answer, &conversation), []);
        conversation.push(Message::tool("a", "ask", Outcome::failed("Born 1749.")));
        conversation.push(Message::tool("b", "ask", Outcome::new(Status::Refused, "No 4711.")));
        assert_eq!(review(answer, &conversation), []);
        conversation.push(Message::tool("c", "ask", Outcome::ok("ok")));
        assert_eq!(
            review(answer, &conversation),
            [figure("1808"), id("https://example.org/f1"), name("Johann Wolfgang von Goethe")]
        );
    }

    #[test]
    fn are_the_person_but_not_the_instructions_the_runtime_or_the_model() {
        let mut conversation = Conversation::new();
        conversation.push(Message::system("The fee is 17.5 dollars. Ask Meredith Blackwood."));
        conversation.push(Message::user("My order is ORD-99 over 345 pieces."));
        conversation.push(Message::correction("Do not say 999."));
        conversation.push(Message::assistant("Perhaps 888?"));
        conversation.push(Message::tool("a", "look_up", Outcome::ok("done").with_detail("777")));
        // The names in the instructions are known; what they say of them proves nothing.
        for answer in ["ORD-99, 345 pieces.", "Please ask Meredith."] {
            assert_eq!(review(answer, &conversation), [], "{answer:?}");
        }
        for text in ["999", "888", "777", "17.5"] {
            assert_eq!(review(&format!("It is {text}."), &conversation), [figure(text)]);
        }
    }

    #[test]
    fn are_text_and_data() {
        let mut conversation = returned("How many?", &[]);
        let outcome = Outcome::ok("Forty, at 41.5 each.").with_data(json!({"stock": 1234}));
        conversation.push(Message::tool("a", "look_up", outcome));
        assert_eq!(review("There are 1,234 at 41.50.", &conversation), []);
        assert_eq!(review("There are 1,235 at 41.50.", &conversation), [figure("1,235")]);
    }

    #[test]
    fn may_end_with_the_answer_itself() {
        let mut conversation = returned("How many?", &[json!({"stock": 1234})]);
        conversation.push(Message::assistant("There are 1,235."));
        assert_eq!(review("There are 1,235.", &conversation), [figure("1,235")]);
    }

    #[test]
    fn may_be_in_a_digest() {
        let mut conversation =
            returned("Find order 4711.", &[json!({"order": "ORD-17", "sum": 99.5})]);
        for _ in 0..3 {
            conversation.push(Message::assistant("It is 123.25."));
            conversation.push(Message::user("Go on."));
        }
        let digest = conversation.digest(10).expect("there is something to shorten");
        conversation.restore(&std::sync::Arc::new(digest));
        assert_eq!(review("4711 is ORD-17 over 99.50.", &conversation), []);
        assert_eq!(
            review("4711 is ORD-18 over 123.25.", &conversation),
            [id("ORD-18"), figure("123.25")]
        );
    }

    #[test]
    fn may_be_large() {
        const HALF: usize = 5_000_000;
        let line = "item-00017 sold for 1234.5 on 2024-01-05, Somebody said\n";
        let text = line.repeat(HALF / line.len()) + "the last is 987654.25, tail-77x";
        let item = json!({"id": "item-00018", "price": 4321.5, "at": 1_704_445_200, "note": "Somebody said"});
        let mut items = vec![item.clone(); HALF / item.to_string().len()];
        items.push(json!({"id": "rear-88y", "price": 456_789.5}));
        let count = items.len();
        let conversation = returned("What is in it?", &[json!(text), json!(items)]);
        let answer = format!(
            "The last of {count} are 987,654.25 (tail-77x) and 456,789.50 (rear-88y), \
             not 987,655.25 (tail-78x) or 456,788.50 (rear-89y)."
        );
        assert_eq!(
            review(&answer, &conversation),
            [figure("987,655.25"), id("tail-78x"), figure("456,788.50"), id("rear-89y")]
        );
    }

    #[test]
    fn may_repeat_themselves_without_end() {
        let pieces = [
            "1,",
            "9",
            "a1-",
            "1 ",
            "100 ",
            "1:",
            "12:30-",
            "1h",
            "1.",
            "1/",
            "5–",
            "1:2:",
            "1'000",
            "Jan ",
            "5 and ",
            "Ab ",
            "Ab of ",
            "(A ",
            "$-",
            "ratio 5.5 ",
            "| ",
            "**",
            "`",
            "- ",
            ". ",
        ];
        for piece in pieces {
            let text = piece.repeat(10_000 / piece.len());
            let mut findings = review(&text, &returned("Go on.", &[json!(text)]));
            findings.retain(|it| it.kind != FindingKind::Empty);
            assert_eq!(findings, [], "{piece:?}");
        }
    }

    #[test]
    fn that_are_too_large_to_read_support_anything() {
        let text = "x ".repeat(9 << 20);
        let conversation = returned("What is in it?", &[json!(text)]);
        assert_eq!(review("It is 987,655.25.", &conversation), []);
        assert_eq!(review("", &conversation), [found(FindingKind::Empty, "")]);
    }
}

/// Nothing of a field is known but what is given: the same words pass with them, and do not without.
#[test]
fn the_words_of_a_field_are_given() {
    let conversation = returned("How is it?", &[json!({"price": 24350.75})]);
    let none = Tools(Vec::new());
    let found = |reviewer: &AnswerReviewer, answer: &str| -> Vec<String> {
        let review = reviewer.review(answer, &conversation, ReviewTools::Required(&none));
        review.findings.into_iter().map(|it| it.text).collect()
    };
    let bare = AnswerReviewer::new();
    let nothing = Vec::<String>::new();
    for (answer, text, words) in [
        ("The Nifty 50 is at 24,350.75 and the trend is up.", "50", "nifty50"),
        ("It is 24,350.75, and that is a Straddle.", "Straddle", "straddle"),
        ("It is 24,350.75, and the mood is Bullish.", "Bullish", "bullish*"),
    ] {
        assert!(found(&bare, answer).contains(&text.to_owned()), "{answer}");
        let given = bare.clone().vocabulary(words);
        assert!(!found(&given, answer).contains(&text.to_owned()), "{answer}");
        assert_eq!(
            found(&given.vocabulary(market::VOCABULARY).vocabulary("nifty"), answer),
            nothing
        );
    }
}

mod corpus;
mod languages;
mod rows;
mod table;
mod talks;
mod undone;
mod unproven;

#[test]
fn only_so_much_is_found_and_quoted() {
    let conversation = returned("Tell me.", &[json!({"a": 1})]);
    let answer: String = (100..200).map(|n| format!("{n}.5 and ")).collect();
    let expected: Vec<Finding> = (100..132).map(|n| figure(&format!("{n}.5"))).collect();
    assert_eq!(review(&answer, &conversation), expected);
    assert_eq!(review("It is 77.5, 77.5 and 77.5.", &conversation), [figure("77.5")]);
    let long = format!("https://example.org/{}", "a1".repeat(500));
    let quoted: String = long.chars().take(200).chain(['…']).collect();
    assert_eq!(review(&long, &conversation), [id(&quoted)]);
}

#[test]
fn the_model_is_told_exactly_what_is_wrong() {
    assert_eq!(correction(&[]), "");
    let last = "Then give the whole answer again, and do not mention this correction.";
    assert_eq!(
        correction(&[
            figure("24,999"),
            figure("12%"),
            name("Elon Musk"),
            date("5 March"),
            id("ord_9")
        ]),
        format!(
            "Your answer says things that no tool returned and the user did not say: figures \
             `24,999`, `12%`; dates and times `5 March`; ids and links `ord_9`; names `Elon Musk`. \
             Replace each with what the results say, or leave it out; if a result is missing, call \
             the tool for it. {last}"
        )
    );
    assert_eq!(
        correction(&[found(FindingKind::Empty, "")]),
        format!("Your answer is empty. Answer the question from what the tools returned. {last}")
    );
    assert_eq!(
        correction(&[found(FindingKind::Apology, "I can't."), figure("7.5")]),
        format!(
            "Your answer apologises, but the tools did answer. Answer the question from what they \
             returned. Your answer says things that no tool returned and the user did not say: \
             figures `7.5`. Replace each with what the results say, or leave it out; if a result \
             is missing, call the tool for it. {last}"
        )
    );
    assert_eq!(
        correction(&[found(FindingKind::Undone, "I've saved it.")]),
        format!(
            "Your answer says that something was done, but no call did it: `I've saved it.`. Do it \
             with a tool, or say plainly that it was not done, and why. {last}"
        )
    );
    assert_eq!(
        correction(&[found(FindingKind::Claim, "It compares the wrong years.")]),
        format!("A reviewer objects to your answer: It compares the wrong years. {last}")
    );
}

#[test]
fn findings_are_stored_and_come_back() {
    let findings = [
        figure("24,999"),
        date("5 March"),
        name("Elon Musk"),
        id("ord_9"),
        found(FindingKind::Empty, ""),
        found(FindingKind::Apology, "I can't."),
        found(FindingKind::Claim, "It is wrong."),
        found(FindingKind::Quote, "total 48"),
        found(FindingKind::Undone, "Done."),
    ];
    let stored = serde_json::to_value(&findings).unwrap();
    assert_eq!(
        stored,
        json!([
            {"check": "supported", "kind": "figure", "text": "24,999"},
            {"check": "supported", "kind": "date", "text": "5 March"},
            {"check": "supported", "kind": "name", "text": "Elon Musk"},
            {"check": "supported", "kind": "id", "text": "ord_9"},
            {"check": "answered", "kind": "empty", "text": ""},
            {"check": "answered", "kind": "apology", "text": "I can't."},
            {"check": "judged", "kind": "claim", "text": "It is wrong."},
            {"check": "supported", "kind": "quote", "text": "total 48"},
            {"check": "supported", "kind": "undone", "text": "Done."}
        ])
    );
    assert_eq!(serde_json::from_value::<Vec<Finding>>(stored).unwrap(), findings);
}

/// Text as a model might write it, and as none would.
fn anything() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "\\PC{0,8}",
        2 => "[0-9]{1,12}",
        2 => "[-+$€₹%°.,:/'’_@#*`|() \u{a0}\u{202f}\n]{1,3}",
        2 => prop::sample::select(vec![
            "12:30", "2024-01-05T", "Jan ", " May 5", "05/01/24", "PM", "a.m.", " million", "K",
            "°C", "PT1H", "1h30m", "https://", "```", "| a |", "|--|", "**", "I'm sorry", "Musk",
            "52-week", "mid-", "1e9", "１２", "٣", "²", "½", "İ", "ß", "ǆ", "\u{2011}", "万", "日",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(Config {
        cases: 1_000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x5eed),
        ..Config::default()
    })]

    #[test]
    fn whatever_is_said_is_reviewed(answer in anything(), result in anything()) {
        let conversation = returned("Tell me.", &[json!(result)]);
        let findings = review(&answer, &conversation);
        prop_assert_eq!(&review(&answer, &conversation), &findings, "not the same twice");
        prop_assert_eq!(correction(&findings).is_empty(), findings.is_empty());
    }

    #[test]
    fn what_was_found_may_be_told_letter_by_letter(result in anything(), asked in anything()) {
        let tool = ToolSpec::new("look_up", "Looks.", json!({"type": "object"}));
        let tools = Tools(vec![tool.effect(ToolEffect::ReadOnly)]);
        let call = Call::new("call", "look_up", json!({"for": asked, "in": result}).to_string());
        let calls = AssistantMessage { calls: vec![call], ..AssistantMessage::default() };
        let outcome = Outcome::ok(result.as_str());
        let talk = [Message::user("Tell me."), Message::Assistant(calls), Message::tool("call", "look_up", outcome)];
        let review = held_against(&result, &talk.into_iter().collect(), ReviewTools::Required(&tools));
        let mut unsupported = review.findings;
        unsupported.retain(|it| it.check == ReviewCheck::Supported);
        prop_assert_eq!(unsupported, []);
    }

    #[test]
    fn what_a_result_says_may_be_repeated(result in anything()) {
        // In an answer a backslash is markup.
        let result = result.replace('\\', "");
        let conversation = returned("Tell me.", &[json!(result)]);
        let unsupported: Vec<Finding> = review(&result, &conversation)
            .into_iter()
            .filter(|it| it.check == ReviewCheck::Supported)
            .collect();
        prop_assert_eq!(unsupported, []);
    }
}
