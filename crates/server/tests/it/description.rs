//! What the description of the API asks for is what the server asks for, to the character.

use serde_json::{Value, json};

use crate::harness::{Answer, Desk, Request, ask};

/// The schema of something that is sent.
async fn schema(desk: &Desk, pointer: &str) -> jsonschema::Validator {
    let description = desk.get("/api/openapi.json").await.json();
    let schema = description.pointer(pointer).unwrap_or_else(|| panic!("no {pointer}"));
    // References are to other parts of the whole.
    let mut schema = schema.clone();
    schema["components"] = description["components"].clone();
    jsonschema::validator_for(&schema).unwrap()
}

fn agree(schema: &jsonschema::Validator, sent: &Value, answer: &Answer) {
    let (says, does) = (schema.is_valid(sent), answer.status == 200);
    assert_eq!(says, does, "{sent} was answered with {}: {}", answer.status, answer.text());
}

/// Every character that says nothing, and some that look like it.
fn little() -> Vec<String> {
    let all = (0..0x3100).chain([0xfeff, 0x1_f600]).filter_map(char::from_u32);
    let is_near = |c: &char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, 'x' | '\u{200b}' | '\u{feff}' | '\u{1f600}')
    };
    all.filter(is_near).map(String::from).collect()
}

async fn held(desk: &Desk) -> String {
    let events = desk.chat("A tip on $10?").await;
    events.last().unwrap()["conversation_id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_what_its_schema_says() {
    let desk = Desk::demo().await;
    let schema = schema(&desk, "/components/schemas/Renaming").await;
    let path = format!("/api/conversations/{}", held(&desk).await);
    let x = |count| "x".repeat(count);
    let long = [x(0), x(200), x(201), x(199) + " ", x(200) + "\n", " ".repeat(200) + "x"];
    for title in little().into_iter().chain(long) {
        let body = json!({"title": title});
        let answer = ask(desk.address, &Request::new("PATCH", &path).json(&body)).await;
        agree(&schema, &body, &answer);
    }
    // The fields in their order are no object, whatever the reader could make of them.
    let answer = ask(desk.address, &Request::new("PATCH", &path).json(&json!(["x"]))).await;
    assert_eq!((answer.status, schema.is_valid(&json!(["x"]))), (422, false));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_what_its_schema_says() {
    let desk = Desk::demo().await;
    let schema = schema(&desk, "/components/schemas/Asking").await;
    for message in little().into_iter().chain([String::new()]) {
        let body = json!({"message": message});
        agree(&schema, &body, &desk.post("/api/chat/stream", &body).await);
    }
    for mode in [json!("auto"), json!("Auto"), json!(" auto"), json!("auto\n"), json!(null)] {
        let body = json!({"message": "A tip on $10?", "tool_mode": mode});
        agree(&schema, &body, &desk.post("/api/chat/stream", &body).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_in_the_list_is_what_its_schema_says() {
    let desk = Desk::demo().await;
    let description = desk.get("/api/openapi.json").await.json();
    let parameters = &description["paths"]["/api/conversations"]["get"]["parameters"];
    let parameters = parameters.as_array().unwrap();
    let at = parameters.iter().position(|it| it["name"] == "before").unwrap();
    let pointer = format!("/paths/~1api~1conversations/get/parameters/{at}/schema");
    let schema = schema(&desk, &pointer).await;
    let places = [
        "1.conv",
        "0.x",
        "1.\n",
        "1.a.b",
        "1.x\n",
        "1.",
        ".x",
        "+1.x",
        "-1.x",
        "1",
        "x",
        "1.\0",
        "1.a\0",
        "999999999999999999.x",
        "9999999999999999999.x",
        "18446744073709551616.x",
        "\u{661}.x",
    ];
    for place in places {
        let escaped: String = place.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let answer = desk.get(&format!("/api/conversations?before={escaped}")).await;
        agree(&schema, &json!(place), &answer);
    }
    // Where the list goes on is such a place.
    held(&desk).await;
    let next = desk.get("/api/conversations?limit=1").await.json()["next"].clone();
    assert!(next.is_string() && schema.is_valid(&next), "{next}");
}

/// Addresses that cannot be read are answered like everything else.
#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_cannot_be_read_is_told() {
    let desk = Desk::demo().await;
    let id = held(&desk).await;
    for (path, status) in [
        ("/api/conversations/%ff".to_owned(), 404),
        ("/api/conversations/%00".to_owned(), 404),
        (format!("/api/conversations/{id}%00"), 404),
        ("/api/chat/ai-sdk/%ff/stream".to_owned(), 404),
        ("/api/tools?task=demo&task=demo".to_owned(), 400),
        (format!("/api/conversations/{id}/stream?after=1&after=1"), 400),
        (format!("/api/conversations/{id}/events?limit=x"), 400),
        ("/api/conversations?limit=-1".to_owned(), 400),
        ("/api/conversations?q=%ff%00".to_owned(), 200),
    ] {
        let answer = desk.get(&path).await;
        assert_eq!(answer.status, status, "{path}: {}", answer.text());
        assert!(status == 200 || !answer.code().is_empty(), "{path}: {}", answer.text());
    }
}
