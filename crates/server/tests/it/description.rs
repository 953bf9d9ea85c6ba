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

/// Two of one name would be one in the description: the later one, for both.
#[test]
fn no_two_schemas_have_one_name() {
    let mut found: std::collections::BTreeMap<String, Vec<String>> = Default::default();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for name in schemas_in(&text) {
                found.entry(name).or_default().push(path.display().to_string());
            }
        }
    }
    assert!(found.len() > 30 && found.contains_key("Asking"), "{found:?}");
    found.retain(|_, places| places.len() > 1);
    assert_eq!(found, Default::default());
}

/// The names of the types in a source that derive a schema, as the description has them.
fn schemas_in(text: &str) -> Vec<String> {
    let derives = text.split("#[derive(").skip(1);
    let schemas = derives.filter(|it| it.split(")]").next().unwrap().contains("ToSchema"));
    let named = |it: &str| {
        let item = it.find("struct ").or_else(|| it.find("enum ")).unwrap();
        let head = &it[..item];
        let is_name = |it: char| it.is_alphanumeric() || it == '_';
        let name: fn(&str) -> &str = |it| it.split(' ').nth(1).unwrap();
        match head.split("schema(as = ").nth(1) {
            Some(given) => given.split(|it| !is_name(it)).next().unwrap().to_owned(),
            None => name(&it[item..]).split(|it| !is_name(it)).next().unwrap().to_owned(),
        }
    };
    schemas.map(named).collect()
}

#[test]
fn what_derives_a_schema_is_found_by_its_name() {
    let text = "#[derive(Debug)]\nstruct A;\n#[derive(Clone, ToSchema)]\n/// B.\npub(crate) struct B {\n}\n\
                #[derive(ToSchema)]\n#[schema(as = Other)]\nenum C {\n}\n#[derive(ToSchema)]\nstruct D(u8);";
    assert_eq!(schemas_in(text), ["B", "Other", "D"]);
}
