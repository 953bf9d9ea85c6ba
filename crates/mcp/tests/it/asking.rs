//! What clients ask for beside tools, and what their users are asked.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{FieldOption, Output, Question, QuestionField, Tool, ToolEffect};

use crate::serving::{Client, modern, text, tool};

/// Asks for two things, one after the other, each under its name.
fn two_questions() -> Arc<dyn Tool> {
    tool("two", ToolEffect::Write, |context| async move {
        let mut said = Vec::new();
        for name in ["first", "second"] {
            let question = Question::new(name).field(QuestionField::text("it").required());
            let answer = context.ask(question.named(name)).await?;
            let it = answer.content().and_then(|it| it.get("it")).and_then(Value::as_str);
            said.push(it.unwrap_or(answer.action()).to_owned());
        }
        Ok(Output::Text(said.join(" ")))
    })
}

fn quick() -> Arc<dyn Tool> {
    tool("quick", ToolEffect::ReadOnly, |_| async { Ok(Output::Text("Here.".to_owned())) })
}

fn accept(it: &str) -> Value {
    json!({"action": "accept", "content": {"it": it}})
}

#[tokio::test]
async fn while_the_user_is_asked_other_calls_go_on() {
    let mut client = Client::of(vec![two_questions(), quick()]).await;
    let params = json!({"name": "two"});
    let asked = client.call_modern(params.clone()).await["result"].clone();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    // More than there are turns, and one that asks itself.
    for _ in 0..3 {
        let result = client.call_modern(json!({"name": "quick"})).await["result"].clone();
        assert_eq!(text(&result), "Here.");
    }
    let other = client.call_modern(params.clone()).await["result"].clone();
    assert_eq!(other["resultType"], "input_required", "{other}");
    assert_eq!(text(&client.call_modern(json!({"name": "quick"})).await["result"]), "Here.");
    for (asked, first) in [(other, "x"), (asked, "y")] {
        let next = json!({
            "name": "two", "requestState": asked["requestState"], "inputResponses": {"first": accept(first)},
        });
        let next = client.call_modern(next).await["result"].clone();
        assert_eq!(next["inputRequests"]["second"]["method"], "elicitation/create", "{next}");
        assert_ne!(next["requestState"], asked["requestState"]);
        let last = json!({
            "name": "two", "requestState": next["requestState"], "inputResponses": {"second": accept("z")},
        });
        assert_eq!(text(&client.call_modern(last).await["result"]), format!("{first} z"));
    }
}

#[tokio::test]
async fn a_question_that_is_expected_is_answered_with_the_call_and_once() {
    let mut client = Client::of(vec![two_questions()]).await;
    let given = json!({"first": accept("a"), "second": accept("b"), "else": accept("c")});
    let all = client.call_modern(json!({"name": "two", "inputResponses": given})).await;
    assert_eq!(text(&all["result"]), "a b");
    // What is no answer is none.
    for wrong in [json!(12345), json!({"action": "allow"}), json!(null)] {
        let params = json!({"name": "two", "inputResponses": {"first": wrong}});
        let asked = client.call_modern(params).await["result"].clone();
        assert!(asked["inputRequests"]["first"].is_object(), "{asked}");
    }
    let twice = tool("twice", ToolEffect::Write, |context| async move {
        let ask = || Question::new("?").field(QuestionField::text("it").required()).named("same");
        context.ask(ask()).await?;
        let second = context.ask(ask()).await?;
        Ok(Output::Text(second.action().to_owned()))
    });
    let mut client = Client::of(vec![twice]).await;
    let params = json!({"name": "twice", "inputResponses": {"same": accept("a")}});
    let asked = client.call_modern(params).await["result"].clone();
    assert!(asked["inputRequests"]["same"].is_object(), "{asked}");
}

#[tokio::test]
async fn choices_are_spelled_as_the_client_knows_them() {
    let choosing = || {
        tool("choose", ToolEffect::ReadOnly, |context| async move {
            let options =
                [FieldOption::new("s").title("Sea"), FieldOption::new("h").title("Hills")];
            let question = Question::new("Which?").field(QuestionField::choice("view", options));
            Ok(Output::Text(context.ask(question).await?.action().to_owned()))
        })
    };
    for (version, spelled) in [("2025-06-18", "enumNames"), ("2025-11-25", "oneOf")] {
        let mut client = Client::of(vec![choosing()]).await;
        let params = json!({
            "protocolVersion": version, "capabilities": {"elicitation": {}},
            "clientInfo": {"name": "test", "version": "1"},
        });
        client.ask("initialize", params).await;
        client.tell(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client.send("tools/call", json!({"name": "choose"})).await;
        let asked = client.hear().await;
        let view = &asked["params"]["requestedSchema"]["properties"]["view"];
        assert!(view[spelled].is_array() && view["type"] == "string", "{version} {asked}");
    }
}

#[tokio::test]
async fn a_client_that_wants_a_log_is_told_what_tools_say_and_no_other() {
    let saying = || {
        tool("says", ToolEffect::ReadOnly, |context| async move {
            context.progress("one");
            context.progress("a-secret-of-the-operators");
            Ok(Output::Text("two".to_owned()))
        })
    };
    let told = |all: Vec<Value>| -> Vec<Value> {
        let messages = all.into_iter().filter(|it| it["method"] == "notifications/message");
        messages.map(|it| it["params"].clone()).collect()
    };
    let mut client = Client::begun(vec![saying()], json!({})).await;
    for (level, is_told) in [(None, false), (Some("debug"), true), (Some("warning"), false)] {
        if let Some(level) = level {
            let set = client.ask("logging/setLevel", json!({"level": level})).await;
            assert_eq!(set["result"], json!({}));
        }
        let id = client.send("tools/call", json!({"name": "says"})).await;
        let told = told(client.until(id).await);
        assert_eq!(told.len(), if is_told { 2 } else { 0 }, "{level:?} {told:?}");
        if is_told {
            assert_eq!(told[0], json!({"level": "info", "data": "one"}));
            assert!(!told[1].to_string().contains("a-secret-of"), "{told:?}");
        }
    }
    let wrong = client.ask("logging/setLevel", json!({"level": "loud"})).await;
    assert!(wrong["error"].is_object(), "{wrong}");
    // Without sessions it stands in the request.
    let mut client = Client::of(vec![saying()]).await;
    for (level, is_told) in [(None, false), (Some("info"), true), (Some("error"), false)] {
        let mut params = modern(json!({"name": "says"}));
        if let Some(level) = level {
            params["_meta"]["io.modelcontextprotocol/logLevel"] = json!(level);
        }
        let id = client.send("tools/call", params).await;
        assert_eq!(told(client.until(id).await).is_empty(), !is_told, "{level:?}");
    }
    let gone = client.ask("logging/setLevel", modern(json!({"level": "info"}))).await;
    assert_eq!(gone["error"]["code"], -32601);
}

#[tokio::test]
async fn prompts_are_filled_in_and_what_is_missing_is_asked_for() {
    let mut client = Client::begun(vec![quick()], json!({"elicitation": {}})).await;
    let prompts = client.ask("prompts/list", json!({})).await["result"]["prompts"].clone();
    let arguments = json!([{"name": "who", "required": true}, {"name": "how", "required": false}]);
    assert_eq!((&prompts[1]["name"], &prompts[1]["arguments"]), (&json!("greet"), &arguments));
    let get = |arguments: Value| json!({"name": "greet", "arguments": arguments});
    let got = client.ask("prompts/get", get(json!({"who": "Ann", "else": 1}))).await;
    let messages = got["result"]["messages"].as_array().unwrap();
    assert_eq!(messages[0]["content"]["resource"]["text"], "Be kind.");
    assert_eq!(messages[1]["content"]["text"], "Greet Ann|");
    assert!(messages.iter().all(|it| it["role"] == "user"));
    for (arguments, says) in [
        (json!({}), "needs `who`"),
        (json!({"who": ""}), "needs `who`"),
        (json!({"who": null}), "needs `who`"),
        (json!({"who": "nobody"}), "there is nobody"),
    ] {
        let refused = client.ask("prompts/get", get(arguments)).await;
        assert_eq!(refused["error"]["code"], -32602);
        assert!(refused["error"]["message"].as_str().unwrap().contains(says), "{refused}");
    }
    // Without sessions the client can ask its user.
    let mut client = Client::of(vec![quick()]).await;
    let mut get = modern(json!({"name": "greet", "arguments": {"how": "softly"}}));
    let asked = client.ask("prompts/get", get.clone()).await["result"].clone();
    let form = &asked["inputRequests"]["arguments"]["params"]["requestedSchema"];
    assert_eq!(
        (&asked["resultType"], &form["required"]),
        (&json!("input_required"), &json!(["who"]))
    );
    get["inputResponses"] = json!({"arguments": {"action": "decline"}});
    let declined = client.ask("prompts/get", get.clone()).await;
    assert_eq!(declined["error"]["code"], -32602, "{declined}");
    get["inputResponses"] = json!({"arguments": {"action": "accept", "content": {"who": "Ann"}}});
    let got = client.ask("prompts/get", get).await;
    assert_eq!(got["result"]["messages"][1]["content"]["text"], "Greet Ann|softly");
}
