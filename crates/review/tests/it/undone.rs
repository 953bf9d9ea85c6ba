//! Answers that say that something was done: caught where no call did it, and nowhere else.

use proptest::{
    prelude::*,
    test_runner::{Config, RngSeed},
};
use serde_json::json;
use toolwright_core::{
    AssistantMessage, Call, Conversation, Message, Outcome, Status, ToolEffect, ToolSpec,
    review::{FindingKind, ReviewTools},
};

use super::{Tools, held_against};

fn tools() -> Tools {
    let spec = |name: &str, about: &str, parameter: &str, effect| {
        let parameters = json!({"type": "object", "properties": {parameter: {"type": "string"}}});
        ToolSpec::new(name, about, parameters).effect(effect)
    };
    Tools(vec![
        spec("show", "Shows a file.", "path", ToolEffect::ReadOnly),
        spec("get_orders", "The orders of today.", "symbol", ToolEffect::ReadOnly),
        spec("calculate_tip", "Works out a tip.", "bill", ToolEffect::ReadOnly),
        spec("edit", "Changes a file.", "path", ToolEffect::Destructive),
        spec("take_note", "Keeps a note.", "text", ToolEffect::Idempotent),
        spec("place_order", "Places an order.", "symbol", ToolEffect::Destructive),
        spec("bash", "Runs a command.", "command", ToolEffect::Destructive).executable("command"),
    ])
}

type Made<'a> = (&'a str, &'a str, Outcome);

fn ask(talk: &mut Conversation, question: &str, calls: &[Made<'_>]) {
    talk.push(Message::user(question));
    for (tool, arguments, outcome) in calls {
        let id = format!("c{}", talk.len());
        let calls = vec![Call::new(id.as_str(), *tool, *arguments)];
        talk.push(Message::Assistant(AssistantMessage { calls, ..AssistantMessage::default() }));
        talk.push(Message::tool(id.as_str(), *tool, outcome.clone()));
    }
}

fn asked(question: &str, calls: &[Made<'_>]) -> Conversation {
    let mut talk = Conversation::new();
    ask(&mut talk, question, calls);
    talk
}

/// The sentences that say what was not done.
fn undone(answer: &str, talk: &Conversation) -> Vec<String> {
    let review = held_against(answer, talk, ReviewTools::Related(&tools()));
    let findings = review.findings.into_iter().filter(|it| it.kind == FindingKind::Undone);
    findings.map(|it| it.text).collect()
}

const NONE: [&str; 0] = [];
const FILE: &str = r#"{"path":"config/settings.toml"}"#;
const CHANGE: &str = "change the timeout to 45 in config/settings.toml";

fn shown() -> Made<'static> {
    ("show", FILE, Outcome::ok("timeout = 30\nretries = 3"))
}

fn denied(tool: &'static str) -> Made<'static> {
    (tool, FILE, Outcome::new(Status::Denied, "The user said no."))
}

/// A command that was refused printed nothing, whatever else was looked at.
#[test]
fn a_command_that_did_not_run_printed_nothing() {
    let made = |outcome| ("bash", r#"{"command":"rm -rf data"}"#, outcome);
    let ran = asked("Run rm -rf data", &[made(Outcome::ok("[exit 0]"))]);
    let failed = asked("Run rm -rf data", &[made(Outcome::failed("exit code 1"))]);
    let refused = asked("Is rm -rf data safe?", &[shown(), made(Outcome::refused("no"))]);
    let denied = asked("Run rm -rf data", &[made(Outcome::new(Status::Denied, "No."))]);
    let other = asked("What does it say?", &[shown()]);
    for answer in
        ["`rm -rf data` ran without output.", "`rm -rf data` printed:\n```\nx\n```", "`rm` failed:"]
    {
        for talk in [&refused, &denied, &other] {
            let first = answer.lines().next().unwrap();
            assert_eq!(undone(answer, talk), [first]);
        }
        for talk in [&ran, &failed, &asked("What does rm do?", &[])] {
            assert_eq!(undone(answer, talk), NONE);
        }
    }
    assert_eq!(undone("`rm -rf data` would delete the folder.", &refused), NONE);
}

/// What was seen first: the file was looked at, three times, and nothing else.
#[test]
fn what_was_only_looked_at_was_not_changed() {
    let question = "timeout shud be 45 secs in config/settings.toml";
    let talk = asked(question, &[shown(), shown(), shown()]);
    let answer = "Done: in config/settings.toml, `show` is now `show`.";
    assert_eq!(undone(answer, &talk), [answer]);
}

const CLAIMS: &[&str] = &[
    "Done.",
    "Done!",
    "Done: the timeout is 45.",
    "All done.",
    "✅ Done.",
    "Sure thing! Done.",
    "I've updated config/settings.toml.",
    "I’ve updated the file as requested.",
    "I have changed the timeout.",
    "I have just set it to 45.",
    "I updated the timeout in `config/settings.toml`, let me know if you need more.",
    "I've gone ahead and edited the file, so you can restart it now.",
    "I've made the change.",
    "I made the requested edits to config/settings.toml.",
    "No problem, I've saved it.",
    "**I've replaced** the value.",
    "The timeout has been updated to 45.",
    "The file has been successfully edited.",
    "`timeout` is now `45`.",
    "config/settings.toml is changed in line 1 of 2: `timeout = 45`",
    "The value is now set to 45.",
    "Updated config/settings.toml.",
    "Successfully updated the timeout.",
    "Changed `timeout` to 45.",
    "Okay, I've fixed that.",
    "I've removed the last line.",
    "Yes, I've written it to the file.",
];

#[test]
fn a_change_that_no_call_made_is_caught_however_it_is_said() {
    let talks = [
        ("looked", asked(CHANGE, &[shown()])),
        ("denied", asked(CHANGE, &[shown(), denied("edit")])),
        ("failed", asked(CHANGE, &[("edit", FILE, Outcome::failed("no such text"))])),
        ("refused", asked(CHANGE, &[("edit", FILE, Outcome::refused("not seen"))])),
        ("made up", asked(CHANGE, &[("set_value", FILE, Outcome::unknown_tool("no such tool"))])),
        ("nothing called", asked(CHANGE, &[])),
    ];
    for (name, talk) in &talks {
        for claim in CLAIMS {
            assert_eq!(undone(claim, talk).len(), 1, "{name}: {claim:?}");
        }
        let all = "I've updated config/settings.toml. I've also added the note. Anything else?";
        let both = ["I've updated config/settings.toml.", "I've also added the note."];
        assert_eq!(undone(all, talk), both, "{name}");
    }
}

const INNOCENT: &[&str] = &[
    // Proposed, asked or supposed.
    "I can update config/settings.toml for you.",
    "Should I say that I've updated it?",
    "Once I've updated it, restart the server.",
    "Let me know if I've changed the wrong file.",
    "I would have set it to 45.",
    "I'll change config/settings.toml now.",
    "Set `timeout` to 45 in config/settings.toml.",
    "It should then say that it has been updated.",
    "After the file has been updated, restart it.",
    // Denied, or admitted.
    "Nothing was changed.",
    "I have not updated config/settings.toml.",
    "I haven't changed the file.",
    "The file has not been updated.",
    "I've changed no files.",
    "I tried to update it, but it was declined.",
    "I've prepared it. The edit failed, so config/settings.toml is as it was.",
    "I've updated my plan. The file itself was not changed, as you declined.",
    // Of others, and of other times.
    "You updated config/settings.toml.",
    "The team has updated config/settings.toml.",
    "The file was updated yesterday.",
    "It has been changed by somebody else.",
    "I've already updated it before.",
    "I updated config/settings.toml last week.",
    "The commit says \"I've updated the timeout\".",
    // Nothing that is claimed.
    "The timeout is 30.",
    "Updated prices are in the file.",
    "Done properly, this takes an hour.",
    "I've looked at config/settings.toml: the timeout is 30.",
    "I've noticed that the timeout is 30.",
    "I read config/settings.toml.",
    "Use this:\n```toml\n# I've updated config/settings.toml\ntimeout = 45\n```",
    "> I've updated config/settings.toml.",
    // Other languages.
    "Ich habe config/settings.toml geändert.",
    "Hecho: he cambiado config/settings.toml a 45.",
    "I set di dati sono nella cartella e la configurazione è nel file.",
    "完成了。",
];

#[test]
fn what_claims_nothing_passes() {
    for talk in [
        asked(CHANGE, &[shown()]),
        asked(CHANGE, &[shown(), denied("edit")]),
        asked(CHANGE, &[]),
        asked("what is in config/settings.toml?", &[shown()]),
    ] {
        for answer in INNOCENT {
            assert_eq!(undone(answer, &talk), NONE, "{answer:?}");
        }
    }
}

#[test]
fn what_a_call_may_have_done_excuses_everything() {
    let ends = [
        ("edit", Outcome::ok("Changed.")),
        ("edit", Outcome::new(Status::TimedOut, "stopped")),
        ("edit", Outcome::interrupted()),
        // It did something until then.
        ("bash", Outcome::failed("exit code 1")),
        // Nobody knows what it does.
        ("remote__store", Outcome::ok("ok")),
    ];
    for (tool, outcome) in ends {
        let talk = asked(CHANGE, &[shown(), (tool, FILE, outcome), denied("edit")]);
        for claim in CLAIMS {
            assert_eq!(undone(claim, &talk), NONE, "{tool}: {claim:?}");
        }
    }
}

#[test]
fn what_was_done_before_the_question_may_be_told_of() {
    let before = || asked(CHANGE, &[("edit", FILE, Outcome::ok("Changed."))]);
    let mut talk = before();
    ask(&mut talk, "what did you do to config/settings.toml?", &[shown()]);
    assert_eq!(undone("I've updated config/settings.toml.", &talk), NONE);
    // A guard refuses what was done before.
    let again = ("edit", FILE, Outcome::refused("the same call was made before"));
    let mut talk = before();
    ask(&mut talk, CHANGE, &[again]);
    assert_eq!(undone("I've updated config/settings.toml.", &talk), NONE);
    // But not of a call since that did not come about.
    for end in [Outcome::failed("no such text"), Outcome::new(Status::Denied, "no")] {
        let mut talk = before();
        ask(&mut talk, "set retries to 5 there", &[("edit", FILE, end)]);
        assert_eq!(undone("I've set retries to 5.", &talk), ["I've set retries to 5."]);
    }
}

#[test]
fn what_an_imported_or_outer_conversation_did_is_not_held_against_anybody() {
    let mut talk = asked(CHANGE, &[shown()]);
    talk.mark_foreign();
    assert_eq!(undone("I've updated the file.", &talk), NONE);
    let outer = asked(CHANGE, &[("edit", FILE, Outcome::ok("Changed."))]);
    let mut inner = Conversation::within(outer.into());
    inner.push(Message::from_agent(CHANGE));
    assert_eq!(undone("I've updated the file.", &inner), NONE);
    let mut inner = Conversation::within(asked(CHANGE, &[shown()]).into());
    inner.push(Message::from_agent(CHANGE));
    assert_eq!(undone("I've updated the file.", &inner), ["I've updated the file."]);
}

/// What a model changes in a text of the person's needs no tool.
#[test]
fn a_text_that_was_asked_for_is_in_the_answer() {
    let tip = || ("calculate_tip", r#"{"bill":"45.60"}"#, Outcome::ok("tip 9.12, total 54.72"));
    let orders = || ("get_orders", "{}", Outcome::ok("TCS 10 TRADED"));
    let cases: Vec<(&str, Vec<Made<'_>>, &str)> = vec![
        ("rename x to y: let x = 1;", vec![], "Done! Here it is:\n```\nlet y = 1;\n```"),
        ("fix the grammar: he go home", vec![], "I've corrected it: he goes home."),
        ("remove duplicates: a, a, b", vec![], "I've removed the duplicates: a, b."),
        ("add a sentence to this: Dogs bark.", vec![], "Done! Dogs bark. Cats purr."),
        ("write an email: config.toml is done", vec![], "Hi Bob, I've updated config.toml."),
        ("tell Bob I changed config.toml", vec![], "Dear Bob,\nI've changed config.toml."),
        (
            "translate: Ich habe die Datei config.toml geändert",
            vec![],
            "I have changed the file config.toml.",
        ),
        ("draft a note on config/settings.toml", vec![shown()], "I've set the timeout to 30."),
        ("add a 20% tip to 45.60", vec![tip()], "Done: the total is 54.72."),
        ("add a 20% tip to 45.60", vec![tip()], "I've added a 20% tip: 54.72."),
        ("add the numbers in config/settings.toml", vec![shown()], "I added 30 and 3: 33."),
        ("what about my order?", vec![orders()], "Your order has been placed."),
        ("read config/settings.toml and say when done", vec![shown()], "Done. The timeout is 30."),
        ("read config/settings.toml", vec![shown()], "Done: config/settings.toml is read."),
        ("say: I've updated the file.", vec![], "I've updated the file."),
        ("My name is Ann.", vec![], "Nice to meet you, Ann. I've noted that."),
        ("create an overview of my orders", vec![orders()], "I've created it:\n- TCS: 10"),
        ("Hello", vec![], "Done."),
    ];
    for (question, calls, answer) in cases {
        assert_eq!(undone(answer, &asked(question, &calls)), NONE, "{question:?}: {answer:?}");
    }
}

#[test]
fn a_result_may_tell_of_what_others_did() {
    let log = "Anna: I've updated config/settings.toml.\nstatus: updated";
    let talk = asked(CHANGE, &[("show", FILE, Outcome::ok(log))]);
    for answer in ["I've updated config/settings.toml.", "The file has been updated."] {
        assert_eq!(undone(answer, &talk), NONE, "{answer:?}");
    }
}

#[test]
fn a_block_excuses_what_names_no_file_that_was_spoken_of() {
    let talk = asked(CHANGE, &[shown()]);
    let block = "\n```toml\ntimeout = 45\n```";
    assert_eq!(undone(&format!("I've updated the snippet:{block}"), &talk), NONE);
    let named = "I've updated config/settings.toml:";
    assert_eq!(undone(&format!("{named}{block}"), &talk), [named]);
}

#[test]
fn what_was_called_for_and_not_done_is_caught_too() {
    let cases: Vec<(&str, Vec<Made<'_>>, &str)> = vec![
        ("note: buy milk", vec![denied("take_note")], "Noted: buy milk"),
        ("note: buy milk", vec![("take_note", "{}", Outcome::failed("full"))], "I noted: buy milk"),
        ("buy 10 TCS", vec![denied("place_order")], "Your order has been placed."),
        ("run the tests", vec![denied("bash")], "I ran the tests and they pass."),
        (
            "look it up",
            vec![("show", FILE, Outcome::refused("no"))],
            "I searched it and it is fine.",
        ),
        ("add milk to my notes", vec![], "I've added milk to your notes."),
        ("did you add the note?", vec![], "Yes, I've added the note."),
        ("order 10 TCS", vec![], "Your order has been placed."),
    ];
    for (question, calls, answer) in cases {
        assert_eq!(undone(answer, &asked(question, &calls)), [answer], "{question:?}");
    }
    // It ran, and what came of it is for the answer to say.
    let ran = ("bash", r#"{"command":"make"}"#, Outcome::failed("exit code 2"));
    assert_eq!(undone("I ran the tests: 2 are red.", &asked("run the tests", &[ran])), NONE);
    let looked = asked("look it up", &[shown()]);
    assert_eq!(undone("I searched it and it is fine.", &looked), NONE);
}

/// Words of which none says that something was done.
fn idle() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "the",
        "file",
        "config/settings.toml",
        "`timeout`",
        "is",
        "now",
        "45",
        "you",
        "we",
        "they",
        "it",
        "will",
        "change",
        "update",
        "edit",
        "I",
        "can",
        "should",
        "if",
        "\n",
        ". ",
        ": ",
        ", ",
        "? ",
        "- ",
        "**",
        "`",
        "\"",
        "ß",
        "完成",
        "have",
        "been",
        "to",
        "and",
        "```",
    ]);
    prop::collection::vec(word, 0..24).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(Config {
        cases: 256,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x5eed),
        ..Config::default()
    })]

    #[test]
    fn an_answer_without_a_claim_is_never_objected_to(answer in idle()) {
        // "is now `…`" is one.
        let answer = answer.replace("now", "there");
        for calls in [vec![shown()], vec![denied("edit")], vec![]] {
            prop_assert_eq!(undone(&answer, &asked(CHANGE, &calls)), Vec::<String>::new());
        }
    }

    #[test]
    fn whatever_is_said_a_change_excuses_it(before in idle(), claim in prop::sample::select(CLAIMS), after in idle()) {
        let talk = asked(CHANGE, &[("edit", FILE, Outcome::ok("Changed."))]);
        let answer = format!("{before}\n{claim}\n{after}");
        prop_assert_eq!(undone(&answer, &talk), Vec::<String>::new());
    }
}
