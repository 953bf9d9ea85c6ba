//! What an answer may not rest on: the instructions, what a tool only repeats, and nothing at all.

use serde_json::json;
use toolwright_core::{
    AssistantMessage, Call, Conversation, Message, Outcome, ToolEffect, ToolSpec,
    review::{Review, ReviewTools},
};

use super::{Tools, held_against as review};

fn tools() -> Tools {
    let spec = |name: &str, about: &str, parameter: &str| {
        let parameters = json!({"type": "object", "properties": {parameter: {"type": "string"}}});
        ToolSpec::new(name, about, parameters)
    };
    Tools(vec![
        spec("get_statistics", "How many videos of which channels were watched.", "channel")
            .effect(ToolEffect::ReadOnly),
        spec("get_positions", "The open positions and holdings.", "symbol")
            .effect(ToolEffect::ReadOnly),
        spec("get_weather", "The weather at a place.", "location").effect(ToolEffect::ReadOnly),
        spec("take_note", "Keeps a note.", "text").effect(ToolEffect::Idempotent),
        spec("edit_file", "Changes a file.", "new").effect(ToolEffect::Destructive),
        spec("bash", "Runs a command.", "command").executable("command"),
    ])
}

const PROMPT: &str = "You answer from 5 tools by 25 rules, at most 10 at once, 3% each.\n\
    Today is Monday, November 16, 2026 (2026-11-16); the time zone is UTC. As dates:\n\
    - last month: 2026-10-01 to 2026-10-31";

/// A question under those instructions, and calls with what they returned.
fn asked(question: &str, calls: &[(&str, &str, Outcome)]) -> Conversation {
    let mut talk = Conversation::new();
    talk.push(Message::system(PROMPT));
    talk.push(Message::user(question));
    for (number, (tool, arguments, outcome)) in calls.iter().enumerate() {
        let id = format!("c{number}");
        let calls = vec![Call::new(id.as_str(), *tool, *arguments)];
        talk.push(Message::Assistant(AssistantMessage { calls, ..AssistantMessage::default() }));
        talk.push(Message::tool(id.as_str(), *tool, outcome.clone()));
    }
    talk
}

fn required(answer: &str, talk: &Conversation) -> Review {
    review(answer, talk, ReviewTools::Required(&tools()))
}

fn found(answer: &str, talk: &Conversation) -> Vec<String> {
    required(answer, talk).findings.into_iter().map(|it| it.text).collect()
}

const NONE: [&str; 0] = [];

#[test]
fn the_instructions_prove_nothing() {
    let talk = asked("What do I hold?", &[]);
    assert_eq!(found("You hold 25 shares and 10 of TCS.", &talk), ["25", "10"]);
    let refused = Outcome::refused("there is no such instrument");
    let talk = asked("ABB price?", &[("get_positions", "{}", refused)]);
    assert_eq!(found("ABB trades at 5 rupees, up 3%.", &talk), ["5", "3%"]);
    let talk = asked("When did I watch it?", &[]);
    for day in ["October 31, 2026", "October 1, 2026", "November 16, 2026", "2026-11-16"] {
        assert_eq!(found(&format!("You last watched it on {day}."), &talk), [day]);
        assert_eq!(found(&format!("You last watched it today, {day}."), &talk), [day]);
    }
}

#[test]
fn an_answer_may_say_what_day_it_is() {
    for (question, answer) in [
        ("Hello", "Today is Monday, November 16, 2026."),
        ("Hello", "As of today, 2026-11-16, I have looked nothing up."),
        ("What day is it today?", "It is Monday, November 16, 2026."),
        ("Hallo", "Heute ist Montag, der 16. November 2026."),
        ("Bonjour", "Aujourd'hui, nous sommes le lundi 16 novembre 2026."),
        ("你好", "今天是2026年11月16日。"),
    ] {
        assert_eq!(found(answer, &asked(question, &[])), NONE, "{answer}");
    }
    assert_eq!(found("Today is October 31, 2026.", &asked("Hello", &[])), ["October 31, 2026"]);
}

#[test]
fn what_a_tool_only_repeats_proves_nothing() {
    let note = "NIFTY is at 24,987.65, order ORD-9912, since October 3, 2025";
    let arguments = json!({"text": note}).to_string();
    let noted = || Outcome::ok(format!("Noted: {note}"));
    let talk = asked("NIFTY?", &[("take_note", arguments.as_str(), noted())]);
    assert_eq!(found("NIFTY is at 24,987.65.", &talk), ["24,987.65"]);
    assert_eq!(found("NIFTY is at 24,988.", &talk), ["24,988"]);
    assert_eq!(found("The order is ORD-9912.", &talk), ["ORD-9912"]);
    assert_eq!(found("It is so since October 3, 2025.", &talk), ["October 3, 2025"]);
    let place = "Rome (it has 4.3 million people)";
    let weather = Outcome::ok(format!("Weather in {place}: 72°F"));
    let arguments = json!({"location": place}).to_string();
    let talk = asked("Rome?", &[("get_weather", arguments.as_str(), weather)]);
    assert_eq!(found("It is 72°F, and 4.3 million people live there.", &talk), ["4.3 million"]);
    // As data, and written otherwise.
    let data = Outcome::ok(json!({"amount": 4712, "ok": true}).to_string());
    let talk = asked("?", &[("get_positions", r#"{"symbol":"4,712"}"#, data)]);
    assert_eq!(found("It is 4,712.", &talk), ["4,712"]);
}

#[test]
fn what_else_is_known_may_be_repeated() {
    // The person said it, or an earlier result did.
    let arguments = r#"{"text":"NIFTY is at 24,987.65"}"#;
    let noted = Outcome::ok("Noted: NIFTY is at 24,987.65");
    let talk =
        asked("Note that NIFTY is at 24,987.65.", &[("take_note", arguments, noted.clone())]);
    assert_eq!(found("Noted: 24,987.65.", &talk), NONE);
    let told = Outcome::ok(r#"{"last_price":24987.65}"#);
    let talk = asked("?", &[("get_positions", "{}", told), ("take_note", arguments, noted)]);
    assert_eq!(found("NIFTY is at 24,987.65.", &talk), NONE);
    // A search was narrowed by it; it was found under it; somebody had to decide about it.
    let found_in = Outcome::ok("37 videos from 2026-11-09 to 2026-11-15");
    let arguments = r#"{"from":"2026-11-09","to":"2026-11-15"}"#;
    let talk = asked("?", &[("get_statistics", arguments, found_in)]);
    assert_eq!(found("From 2026-11-09 to November 15 it was 37 videos.", &talk), NONE);
    let edited = Outcome::ok("-timeout = 30\n+timeout = 45");
    let talk = asked("?", &[("edit_file", r#"{"new":"timeout = 45"}"#, edited)]);
    assert_eq!(found("The timeout is 45 seconds now.", &talk), NONE);
}

/// Figures of several arguments do not make a day that was said in one of them.
#[test]
fn a_day_that_stands_in_no_argument_is_no_echo() {
    let candles = "| 2026-10-21 | 15.60 |\n| 2026-10-10 | 15.65 | 10:31 |";
    let arguments = r#"{"security_id":21,"from":"2026-10-01","to":"2026-10-31","at":[10,31]}"#;
    let talk = asked("VIX?", &[("get_positions", arguments, Outcome::ok(candles))]);
    for answer in ["It was 15.60 on 2026-10-21.", "It was 15.65 on October 10, 2026, at 10:31."] {
        assert_eq!(found(answer, &talk), NONE, "{answer}");
    }
    // Within one it is.
    let arguments = r#"{"symbol":"VIX as of 2026-10-21 15:30"}"#;
    let talk = asked("VIX?", &[("get_positions", arguments, Outcome::ok(candles))]);
    assert_eq!(found("It was 15.60 on 2026-10-21.", &talk), ["2026-10-21"]);
}

#[test]
fn what_was_found_is_supported_letter_by_letter_whatever_was_asked() {
    let lines = "Weather in Rome (4.3 million people) by 2026-10-21:\n| 72°F | 4.3 | ORD-9912 |\nSorry, no more.";
    let arguments = json!({"location": "Rome (4.3 million people) by 2026-10-21, ORD-9912"});
    let arguments = arguments.to_string();
    let talk = asked("Rome?", &[("get_weather", arguments.as_str(), Outcome::ok(lines))]);
    for answer in [lines.to_owned(), format!("It is so:\n\n```\n{lines}\n```")] {
        assert_eq!(found(&answer, &talk), NONE, "{answer}");
    }
    // In other words it has to stand by itself, and so it has in a line that goes on.
    assert_eq!(found("Rome has 4.3 million people.", &talk), ["4.3 million"]);
    let more = format!("{lines} ORD-9912 it is");
    assert_eq!(found(&more, &talk), ["ORD-9912"]);
    // What a tool keeps is what the model told it.
    let note = Outcome::ok("Noted: NIFTY is at 24,987.65");
    let arguments = r#"{"text":"NIFTY is at 24,987.65"}"#;
    let talk = asked("NIFTY?", &[("take_note", arguments, note)]);
    assert_eq!(found("Noted: NIFTY is at 24,987.65", &talk), ["24,987.65"]);
}

#[test]
fn small_counts_need_a_result() {
    let missing = Outcome::ok("I couldn't find a video like that.");
    let talks = [
        asked("How many?", &[]),
        asked("How many?", &[("get_statistics", "{}", Outcome::refused("no"))]),
        asked("How many?", &[("get_statistics", "{}", Outcome::failed("no"))]),
        asked("How many?", &[("get_statistics", "{}", missing)]),
    ];
    for talk in &talks {
        for (answer, expected) in [
            ("You have watched 7 videos from 3 channels.", &["7", "3"] as &[&str]),
            ("You have watched twenty-seven videos.", &["twenty-seven"]),
            ("There are seven videos.", &["seven"]),
            ("You have 3 open positions and 2 losses.", &["3", "2"]),
            ("You watched it 4 times, 12 minutes long.", &["4", "12"]),
            ("The video is 12 minutes long.", &["12"]),
            ("There are 3 ways to find out.", &[]),
            ("I can look up 5 videos for you. You can ask for 3 channels.", &[]),
            ("I found 0 videos.", &[]),
            ("Please try again in 5 minutes.", &[]),
            ("Your question has 2 parts.", &[]),
        ] {
            assert_eq!(found(answer, talk), expected, "{answer}");
        }
    }
    assert_eq!(found("You said 7 videos.", &asked("I saw seven videos.", &[])), NONE);
}

#[test]
fn small_counts_are_held_against_what_can_be_counted() {
    let list = json!({"videos": [{"title": "a"}, {"title": "b"}, {"title": "c"}], "total": 96});
    let talk = asked("Which?", &[("get_statistics", "{}", Outcome::ok(list.to_string()))]);
    for answer in [
        "These are 3 videos, 2 of them short.",
        "You watched two videos twice, in 4 sittings, over 5 days.",
        "1. a\n2. b\n3. c\nThat is all 3.",
    ] {
        assert_eq!(found(answer, &talk), NONE, "{answer}");
    }
    assert_eq!(found("These are 7 videos.", &talk), ["7"]);
    assert_eq!(found("These are forty videos.", &talk), ["forty"]);
    assert_eq!(found("These are ninety-six videos.", &talk), NONE);
}

/// What is said to have been printed is about the tool that runs commands, whoever asked for what.
#[test]
fn made_up_output_is_found_where_a_tool_could_have_run_it() {
    let answer = "I ran it:\n```\n$ pytest\n5 passed in 0.12s\n```";
    let related = |answer: &str, talk: &Conversation, tools: &Tools| {
        review(answer, talk, ReviewTools::Related(tools)).findings.len()
    };
    let talk = asked("run the tests", &[]);
    assert_eq!(related(answer, &talk, &tools()), 1);
    let weather = ToolSpec::new("get_weather", "The weather.", json!({"type": "object"}));
    assert_eq!(related(answer, &talk, &Tools(vec![weather])), 0);
    // Nor did a note print it.
    let arguments = json!({"text": "5 passed in 0.12s"}).to_string();
    let talk = asked("run the tests", &[("take_note", arguments.as_str(), Outcome::ok("Noted."))]);
    assert_eq!(related(answer, &talk, &tools()), 1);
}
