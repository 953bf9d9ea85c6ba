//! Questions of tools to the user: what may be asked, and what an answer has to be.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::Relaxed},
};

use futures_core::future::BoxFuture;
use serde_json::{Value, json};
use toolwright_core::{
    FieldKind, MAX_QUESTIONS, Question, QuestionAnswer, QuestionCount, QuestionError,
    QuestionField, QuestionKind, RunContext, TextFormat,
};

/// What every MCP client has to understand, in each of its spellings.
fn booking() -> Value {
    json!({
        "type": "object",
        "properties": {
            "email": {"type": "string", "format": "email", "title": "E-mail", "maxLength": 30},
            "nights": {"type": "integer", "minimum": 1, "maximum": 14, "default": 2},
            "budget": {"type": "number", "minimum": 0.5},
            "breakfast": {"type": "boolean", "default": true, "description": "With breakfast?"},
            "view": {"type": "string", "enum": ["s", "h"], "enumNames": ["Sea", "Hills"]},
            "floor": {"type": "string", "oneOf": [{"const": "0", "title": "Ground"}, {"const": "1"}], "default": "1"},
            "extras": {"type": "array", "items": {"type": "string", "enum": ["wifi", "tv", "bath"]}, "maxItems": 2},
            "days": {
                "type": "array",
                "items": {"anyOf": [{"const": "mo", "title": "Monday"}, {"const": "tu", "title": "Tuesday"}]},
                "default": ["mo"]
            },
        },
        "required": ["view", "email"],
    })
}

fn asked(schema: Value) -> Result<Question, QuestionError> {
    Question::from_schema("Which room?", &schema)
}

fn accepts(question: &Question, content: Value) -> Result<Value, Vec<String>> {
    let answer = question.check_answer(QuestionAnswer::accept_with(content))?;
    Ok(Value::Object(answer.content().unwrap().clone()))
}

#[test]
fn a_form_is_made_of_a_flat_schema_in_every_spelling() {
    let question = asked(booking()).unwrap();
    let names: Vec<_> = question.fields().iter().map(|it| it.name.as_str()).collect();
    let first = ["view", "email"];
    assert_eq!(
        names,
        [&first[..], &["breakfast", "budget", "days", "extras", "floor", "nights"]].concat()
    );
    let required: Vec<_> = question.fields().iter().map(|it| it.required).collect();
    assert_eq!(required, [true, true, false, false, false, false, false, false]);
    let labels = |name: &str| -> Vec<String> {
        let field = question.fields().iter().find(|it| it.name == name).unwrap();
        match &field.kind {
            FieldKind::Choice { options, .. } | FieldKind::MultipleChoice { options, .. } => {
                options.iter().map(|it| it.label().to_owned()).collect()
            }
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(labels("view"), ["Sea", "Hills"]);
    assert_eq!(labels("floor"), ["Ground", "1"]);
    assert_eq!(labels("extras"), ["wifi", "tv", "bath"]);
    assert_eq!(labels("days"), ["Monday", "Tuesday"]);
    // And back: whoever passes it on passes on the same. Constants have titles, all of them or none.
    let mut same = question.clone();
    if let QuestionKind::Form { fields } = &mut same.kind {
        let floor = fields.iter_mut().find(|it| it.name == "floor").unwrap();
        if let FieldKind::Choice { options, .. } = &mut floor.kind {
            options[1].title = Some("1".to_owned());
        }
    }
    assert_eq!(asked(question.schema()).unwrap(), same);
}

#[test]
fn choices_are_passed_on_as_they_were_spelled() {
    let (schema, passed_on) = (booking(), asked(booking()).unwrap().schema());
    for name in ["view", "extras", "days", "nights", "breakfast"] {
        assert_eq!(passed_on["properties"][name], schema["properties"][name], "{name}");
    }
    let own = Question::new("Which?").field(QuestionField::choice("a", ["x", "y"]));
    assert_eq!(own.schema()["properties"]["a"], json!({"type": "string", "enum": ["x", "y"]}));
}

#[test]
fn what_is_left_out_is_what_stood_there_and_what_is_null_was_left_empty() {
    let question = asked(booking()).unwrap();
    let least = json!({"view": "s", "email": "ann@example.com"});
    let given = accepts(&question, least).unwrap();
    assert_eq!(
        given,
        json!({"view": "s", "email": "ann@example.com", "breakfast": true, "days": ["mo"], "floor": "1", "nights": 2})
    );
    let cleared = json!({"view": "h", "email": "a@b", "nights": null, "floor": null, "breakfast": false, "days": []});
    assert_eq!(
        accepts(&question, cleared).unwrap(),
        json!({"view": "h", "email": "a@b", "breakfast": false, "days": []})
    );
    for answer in [QuestionAnswer::Decline, QuestionAnswer::Cancel] {
        assert_eq!(question.check_answer(answer.clone()), Ok(answer));
    }
}

#[test]
fn an_answer_that_the_schema_does_not_allow_is_no_answer() {
    let question = asked(booking()).unwrap();
    for (name, value, says) in [
        ("email", json!("nobody"), "is no e-mail address"),
        ("email", json!("a-very-long-name-indeed@example.com"), "at most 30 characters"),
        ("email", json!(7), "has to be a text"),
        ("email", json!(null), "is missing"),
        ("nights", json!(0), "at least 1"),
        ("nights", json!(15), "at most 14"),
        ("nights", json!(1.5), "is no whole number"),
        ("nights", json!("2"), "has to be a whole number"),
        ("budget", json!(0.25), "at least 0.5"),
        ("budget", json!(true), "has to be a number"),
        ("breakfast", json!("yes"), "true or false"),
        ("view", json!("Sea"), "one of: s, h"),
        ("view", json!(["s"]), "one of: s, h"),
        ("extras", json!(["wifi", "tv", "bath"]), "at most 2 choices"),
        ("extras", json!(["wifi", "wifi"]), "twice"),
        ("extras", json!(["sauna"]), "one of: wifi"),
        ("extras", json!("wifi"), "has to be a list"),
        ("stranger", json!(1), "there is no field `stranger`"),
    ] {
        let mut content = json!({"view": "s", "email": "a@b"});
        content[name] = value.clone();
        let wrong = accepts(&question, content).unwrap_err().join("\n");
        assert!(wrong.contains(says), "{name} = {value}: {wrong}");
    }
    let all = accepts(&question, json!({"nights": 0})).unwrap_err();
    assert_eq!(all.len(), 3, "every violation at once: {all:?}");
    let long = json!({"view": "s", "email": "a@b", "x".repeat(100_000): 1});
    assert!(accepts(&question, long).unwrap_err().join("").len() < 200);
    let text = Question::new("?").field(QuestionField::text("note"));
    assert!(accepts(&text, json!({"note": "x".repeat(10_000)})).is_ok());
    assert!(accepts(&text, json!({"note": "x".repeat(10_001)})).is_err());
}

#[test]
fn what_no_form_can_be_made_of_is_refused() {
    let field = |it: Value| json!({"type": "object", "properties": {"a": it}});
    for schema in [
        json!(null),
        json!([]),
        json!("x"),
        json!({"type": "array"}),
        json!({"type": "object", "properties": []}),
        json!({"type": "object", "properties": {}, "required": ["a"]}),
        field(json!(1)),
        field(json!({})),
        field(json!({"type": "object", "properties": {}})),
        field(json!({"type": "array", "items": {"type": "string"}})),
        field(json!({"type": "array", "items": {"type": "object"}})),
        field(json!({"type": "array"})),
        field(json!({"type": ["string", "null"]})),
        field(json!({"type": "string", "enum": []})),
        field(json!({"type": "string", "enum": ["a", 1]})),
        field(json!({"type": "string", "enum": ["a", "a"]})),
        field(json!({"type": "string", "oneOf": [{"title": "x"}]})),
        json!({"type": "object", "properties": {"": {"type": "string"}}}),
    ] {
        let error = asked(schema.clone()).unwrap_err();
        assert!(matches!(error, QuestionError::Schema(_)), "{schema}: {error:?}");
    }
    assert!(asked(json!({"type": "object"})).is_ok(), "a form without fields asks for a yes");
}

#[test]
fn whatever_is_longer_than_is_shown_is_refused() {
    let long = "é".repeat(4_001);
    let fields = (0..33).map(|at| QuestionField::boolean(format!("f{at}")));
    let options = || (0..101).map(|at| format!("o{at}"));
    let fits = Question::new("é".repeat(4_000));
    assert!(fits.clone().checked().is_ok());
    for question in [
        Question::new(long.clone()),
        Question::new("x".repeat(50_000_000)),
        fits.clone().asker("x".repeat(201)),
        fits.clone().named("x".repeat(201)),
        fields.fold(fits.clone(), Question::field),
        fits.clone().field(QuestionField::choice("a", options())),
        fits.clone().field(QuestionField::multiple_choice("a", options())),
        fits.clone().field(QuestionField::choice("a", ["x".repeat(1_001)])),
        fits.clone().field(QuestionField::text("x".repeat(201))),
        fits.clone().field(QuestionField::text("a").title("x".repeat(201))),
        fits.clone().field(QuestionField::text("a").description("x".repeat(1_001))),
        Question::url("Go", format!("https://example.com/{}", "x".repeat(2_000))),
    ] {
        let error = question.checked().unwrap_err();
        assert!(matches!(error, QuestionError::TooLong { .. }), "{error:?}");
        assert!(error.to_string().len() < 200, "{error}");
    }
    let twice = fits.field(QuestionField::text("a")).field(QuestionField::boolean("a"));
    assert!(twice.checked().is_err());
}

#[test]
fn no_form_asks_for_a_secret() {
    for schema in [
        json!({"type": "string", "format": "password"}),
        json!({"type": "string", "title": "Your API key"}),
    ] {
        let schema = json!({"type": "object", "properties": {"value": schema}});
        let error = asked(schema).unwrap_err();
        assert_eq!(error, QuestionError::Secret("value".into()));
        assert!(error.to_string().contains("must not"), "{error}");
    }
    let kind = FieldKind::Text {
        format: Some(TextFormat::Password),
        min_length: None,
        max_length: None,
        default: None,
    };
    let by_hand = Question::new("?").field(QuestionField::new("x", kind));
    assert!(matches!(by_hand.checked(), Err(QuestionError::Secret(_))));
}

#[test]
fn nothing_hides_in_a_question_and_no_terminal_obeys_it() {
    let evil = "a\u{202e}b\u{1b}[2Jc\u{200b}";
    let field = QuestionField::choice("f", ["x"]).title(evil).description(evil);
    let question = Question::new(evil).asker(evil).named(evil).field(field).checked().unwrap();
    let shown = "a⟦U+202E⟧b␛[2Jc⟦U+200B⟧";
    assert_eq!(question.message, shown);
    assert_eq!((question.asker.as_deref(), question.name.as_deref()), (Some(shown), Some(shown)));
    let field = &question.fields()[0];
    assert_eq!((field.title.as_deref(), field.description.as_deref()), (Some(shown), Some(shown)));
    assert_eq!(question.clone().checked().unwrap(), question, "once is enough");
}

#[test]
fn what_stands_there_at_first_could_be_sent() {
    let question = asked(json!({"type": "object", "properties": {
        "n": {"type": "integer", "maximum": 3, "default": 9},
        "m": {"type": "integer", "minimum": 0.5, "maximum": 1e300},
        "c": {"type": "string", "enum": ["a"], "default": "b"},
        "d": {"type": "string", "format": "date", "default": "soon"},
        "l": {"type": "array", "items": {"enum": ["a"]}, "default": ["a", "z"]},
    }}))
    .unwrap();
    assert_eq!(accepts(&question, json!({})), Ok(json!({})));
    assert!(accepts(&question, json!({"m": 0})).is_err());
    assert!(accepts(&question, json!({"m": i64::MAX})).is_ok());
}

fn now<T>(work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match work.as_mut().poll(&mut context) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => panic!("it waits"),
    }
}

#[test]
fn a_call_asks_a_bounded_number_of_questions_and_nobody_there_declines() {
    let alone = RunContext::new();
    assert_eq!(now(alone.ask(Question::new("?"))), Ok(QuestionAnswer::Decline));
    let times = Arc::new(AtomicU32::new(0));
    let counted = times.clone();
    let context = alone.with_asker(Arc::new(move |_| {
        counted.fetch_add(1, Relaxed);
        Box::pin(std::future::ready(QuestionAnswer::accept())) as BoxFuture<'static, _>
    }));
    // What may not be asked is not counted, nor put to anybody.
    let secret = Question::new("?").field(QuestionField::text("password"));
    assert!(matches!(now(context.ask(secret)), Err(QuestionError::Secret(_))));
    let copy = context.clone();
    for at in 0..MAX_QUESTIONS {
        let context = if at % 2 == 0 { &context } else { &copy };
        assert_eq!(now(context.ask(Question::new("?"))), Ok(QuestionAnswer::accept()));
    }
    assert_eq!(now(copy.ask(Question::new("?"))), Err(QuestionError::TooMany));
    assert_eq!(times.load(Relaxed), MAX_QUESTIONS);
    assert_eq!(context.questions(), QuestionCount { asked: MAX_QUESTIONS, open: 0 });
}

#[test]
fn a_question_that_is_dropped_is_not_open_any_more() {
    let context = RunContext::new()
        .with_asker(Arc::new(|_| Box::pin(std::future::pending()) as BoxFuture<'static, _>));
    let mut asking = Box::pin(context.ask(Question::new("?")));
    let mut waker = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(asking.as_mut().poll(&mut waker).is_pending());
    assert_eq!(context.questions(), QuestionCount { asked: 1, open: 1 });
    drop(asking);
    assert_eq!(context.questions(), QuestionCount { asked: 1, open: 0 });
}
