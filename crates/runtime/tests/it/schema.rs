//! Arguments against a tool's schema.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{Status, ToolEffect};
use toolwright_runtime::{Toolbox, ToolboxError};
use toolwright_testkit::{Reply, Script};

use crate::support::{Count, agent, counting, play, result_sent, serve, spec, text, tool};

/// What the model is told when it calls a tool of this schema, and how often the tool ran.
async fn checked(parameters: Value, arguments: &Value) -> (Status, String, usize) {
    let arguments = arguments.to_string();
    let script = Script::new()
        .reply(Reply::calls([("call_1", "look", arguments.as_str())]))
        .reply(Reply::text("Well."));
    let server = serve(script).await;
    let count = Count::default();
    let mut spec = spec("look", ToolEffect::ReadOnly);
    spec.parameters = parameters;
    let played =
        play(agent(&server).tool(counting(spec, &count)).build().unwrap().run("Go.")).await;
    server.assert_clean();
    assert_eq!(played.answer().response, "Well.");
    (played.calls()[0].1, result_sent(&server), count.get())
}

fn person() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "age": {"type": "integer"},
            "email": {"type": "string"},
            "nick": {"type": ["string", "null"]},
        },
        "required": ["name", "age"],
        "additionalProperties": false,
    })
}

#[tokio::test]
async fn every_violation_is_told_at_once_and_the_tool_does_not_run() {
    let wrong = json!({"age": "many", "colour": "blue"});
    let (status, text, ran) = checked(person(), &wrong).await;
    assert_eq!((status, ran), (Status::Failed, 0));
    assert_eq!(
        text,
        "Error executing look: invalid arguments, the tool was not run.\n\
         - arguments: \"name\" is required\n\
         - `/age`: \"many\" is not of type \"integer\"\n\
         - arguments: Additional properties are not allowed ('colour' was unexpected)"
    );
}

/// A model that does not see a choice cannot make it: all of them are told, also where the choice is
/// optional, and only what no prompt could hold is left out.
#[tokio::test]
async fn every_choice_is_told() {
    let choices: Vec<_> = (0..40).map(|at| format!("KIND_{at}")).collect();
    let choice = json!({"type": "string", "enum": choices});
    let optional = json!({"anyOf": [choice, {"type": "null"}]});
    let either = json!({"oneOf": [choice, {"type": "null"}]});
    let nullable = {
        let all: Vec<_> = choices.iter().map(|it| json!(it)).chain([Value::Null]).collect();
        json!({"type": ["string", "null"], "enum": all})
    };
    for schema in [choice.clone(), optional, either, nullable] {
        let parameters = json!({"type": "object", "properties": {"kind": schema}});
        let (status, text, ran) = checked(parameters, &json!({"kind": "OTHER"})).await;
        assert_eq!((status, ran), (Status::Failed, 0), "{text}");
        assert!(
            text.contains("- `/kind`: \"OTHER\" is not one of \"KIND_0\", \"KIND_1\","),
            "{text}"
        );
        for choice in &choices {
            assert!(text.contains(&format!("\"{choice}\"")), "{choice} is missing in {text}");
        }
    }
    let very_many: Vec<_> = (0..100_000).map(|at| format!("KIND_{at}")).collect();
    let schema = json!({"type": "object", "properties": {"kind": {"enum": very_many}}});
    let long = json!({"kind": "x".repeat(100_000)});
    let (_, text, _) = checked(schema, &long).await;
    assert!(text.len() < 6_000 && text.contains(" more, which are in the tool's definition)"));
}

#[tokio::test]
async fn arguments_that_are_no_object_are_refused() {
    for wrong in [json!([1]), json!(13), json!("text")] {
        let (status, text, ran) = checked(person(), &wrong).await;
        assert_eq!((status, ran), (Status::Failed, 0), "{text}");
    }
}

#[tokio::test]
async fn null_for_an_optional_parameter_is_as_if_it_were_not_there() {
    let script = Script::new()
        .reply(Reply::calls([(
            "call_1",
            "look",
            r#"{"name":"Ada","age":36,"email":null,"nick":null}"#,
        )]))
        .reply(Reply::text("Well."));
    let server = serve(script).await;
    let mut spec = spec("look", ToolEffect::ReadOnly);
    spec.parameters = person();
    let look = tool(spec, |arguments, _| async move { text(arguments.to_string()) });
    let played = play(agent(&server).tool(look).build().unwrap().run("Go.")).await;
    server.assert_clean();
    assert_eq!(played.calls(), [("look", Status::Ok)]);
    assert_eq!(result_sent(&server), r#"{"age":36,"name":"Ada"}"#);
}

#[tokio::test]
async fn null_for_a_required_parameter_is_a_violation() {
    let (status, text, ran) = checked(person(), &json!({"name": null, "age": 36})).await;
    assert_eq!((status, ran), (Status::Failed, 0));
    assert!(text.ends_with("- `/name`: null is not of type \"string\""), "{text}");
}

#[tokio::test]
async fn a_violation_is_not_longer_than_it_is_useful() {
    let long = "x".repeat(100_000);
    let (_, text, ran) = checked(person(), &json!({"name": "Ada", "age": long})).await;
    assert_eq!(ran, 0);
    assert!(text.len() < 1000, "{} bytes", text.len());
}

#[tokio::test]
async fn a_schema_that_refers_elsewhere_is_unusable_and_nothing_is_fetched() {
    // Something that would notice.
    let elsewhere = serve(Script::new()).await;
    let remote = format!("{}/schema.json", elsewhere.base_url());
    for reference in [remote.as_str(), "file:///etc/hostname", "https://example.com/schema.json"] {
        let parameters = json!({"type": "object", "properties": {"a": {"$ref": reference}}});
        let mut bad = spec("look", ToolEffect::ReadOnly);
        bad.parameters = parameters.clone();
        let toolbox = Toolbox::builder().tool(counting(bad, &Count::default())).build().unwrap();
        let error = toolbox.verify().unwrap_err();
        assert!(
            matches!(&error, ToolboxError::BadSchema { tool, .. } if tool == "look"),
            "{error}"
        );

        let (status, text, ran) = checked(parameters, &json!({"a": 1})).await;
        assert_eq!((status, ran), (Status::Failed, 0));
        assert!(text.contains("the schema of the arguments is unusable"), "{text}");
    }
    assert!(elsewhere.requests().is_empty());
}

#[test]
fn a_schema_that_is_none_is_reported() {
    let mut bad = spec("look", ToolEffect::ReadOnly);
    bad.parameters = json!({"type": "objekt"});
    let toolbox = Toolbox::builder().tool(counting(bad, &Count::default())).build().unwrap();
    let message = toolbox.verify().unwrap_err().to_string();
    assert!(
        message.starts_with("the parameters of `look` are not a usable JSON Schema: "),
        "{message}"
    );
    let good =
        Toolbox::builder().tool(counting(spec("look", ToolEffect::ReadOnly), &Count::default()));
    assert_eq!(Arc::new(good.build().unwrap()).verify(), Ok(()));
}
