//! What Gemini signs goes back to it with the very part it came with, and to nobody else.

use serde_json::{Value, json};
use toolwright_core::{Conversation, Message, ModelResponse, Outcome, RequestCache, ToolChoice};
use toolwright_testkit::{ModelServer, Reply, Script, Spoken};

use super::{NEW, OLD, assistant, config, echo, hear, hear_whole, parts, said, stopped, tools};
use crate::support::{in_runtime, model, say};

/// The content in which a reply of `of` goes back to the model `to`.
#[track_caller]
fn back(reply: ModelResponse, of: &str, to: &str) -> Value {
    let mut conversation = Conversation::from_iter([Message::user("Well?")]);
    let results: Vec<_> = reply.calls.iter().map(|it| it.id.as_str().to_owned()).collect();
    conversation.push(echo(reply, of));
    for id in results {
        conversation.push(Message::tool(id, "f", Outcome::ok("ok")));
    }
    conversation.push(Message::user("And?"));
    in_runtime(async {
        let server = ModelServer::start(Script::new().reply(Reply::text("Hi"))).await;
        let model = model(config(&server, to));
        let (choice, mut memo) = (ToolChoice::Auto, RequestCache::default());
        say(&model, &conversation, &tools(), choice, true, &mut memo).await.reply();
        server.requests()[0].body["contents"][1].clone()
    })
}

fn call(id: &str, signature: Option<&str>) -> Value {
    let mut part = json!({"functionCall": {"id": id, "name": "f", "args": {"x": 1}}});
    if let Some(signature) = signature {
        part["thoughtSignature"] = json!(signature);
    }
    part
}

#[test]
fn a_call_goes_back_with_its_own() {
    let sent = [call("a", Some("c2ln/+==")), call("b", None), call("c", Some("eg=="))];
    let events: Vec<_> =
        sent.iter().map(|it| parts(json!([it]))).chain([stopped("STOP")]).collect();
    let whole = parts(json!(sent));
    for reply in [hear(&events).reply(), hear_whole(&whole).reply()] {
        let wanted = json!({"role": "model", "parts": sent});
        assert_eq!(back(reply.clone(), NEW, NEW), wanted);
        let dummy = "skip_thought_signature_validator";
        let foreign = [call("a", Some(dummy)), call("b", None), call("c", None)];
        assert_eq!(back(reply.clone(), "another", NEW)["parts"], json!(foreign));
        let unsigned = [call("a", None), call("b", None), call("c", None)];
        assert_eq!(back(reply, NEW, OLD)["parts"], json!(unsigned));
    }
}

#[test]
fn texts_go_back_as_they_were_cut() {
    let signed = |text: &str, signature: &str| json!({"text": text, "thoughtSignature": signature});
    let thought = json!({"text": "mm", "thought": true, "thoughtSignature": "dA=="});
    for (events, wanted) in [
        // An empty one at the end, as streams have it.
        (
            vec![said("31 "), said("°C"), parts(json!([signed("", "eA==")]))],
            json!([{"text": "31 °C"}, signed("", "eA==")]),
        ),
        // The last one, as whole replies have it.
        (vec![parts(json!([signed("31 °C", "eA==")]))], json!([signed("31 °C", "eA==")])),
        (
            vec![
                said("é"),
                parts(json!([signed("ü", "eA==")])),
                said("ö"),
                parts(json!([signed("!", "eQ==")])),
            ],
            json!([{"text": "é"}, signed("ü", "eA=="), {"text": "ö"}, signed("!", "eQ==")]),
        ),
        // Thoughts that are not signed do not go back.
        (
            vec![
                parts(json!([{"text": "H", "thought": true}])),
                parts(json!([thought])),
                said("Yes"),
            ],
            json!([thought, {"text": "Yes"}]),
        ),
        (
            vec![
                said("So: "),
                parts(json!([call("a", Some("eA=="))])),
                parts(json!([signed("", "eQ==")])),
            ],
            json!([{"text": "So: "}, call("a", Some("eA==")), signed("", "eQ==")]),
        ),
        (vec![parts(json!([signed("", "eA==")]))], json!([signed("", "eA==")])),
    ] {
        let events: Vec<_> = events.into_iter().chain([stopped("STOP")]).collect();
        let reply = hear(&events).reply();
        assert_eq!(back(reply.clone(), NEW, NEW)["parts"], wanted);
        let text: String = reply.text.clone();
        let foreign = back(reply, "another", NEW);
        let shown = foreign.to_string();
        assert!(!shown.contains("eA==") && !shown.contains("eQ==") && !shown.contains("dA=="));
        assert_eq!(foreign["parts"][0]["text"] == json!(text), !text.is_empty(), "{foreign}");
    }
}

/// Signatures whose text was changed since go back beside it.
#[test]
fn a_text_that_was_changed() {
    let part = json!({"text": "°°°", "thoughtSignature": "eA=="});
    let reply = hear(&[said("Well, "), parts(json!([part])), stopped("STOP")]).reply();
    for (text, wanted) in [
        ("No.", json!([{"text": "", "thoughtSignature": "eA=="}, {"text": "No."}])),
        ("", json!([{"text": "", "thoughtSignature": "eA=="}])),
        ("Well, x°°", json!([{"text": "", "thoughtSignature": "eA=="}, {"text": "Well, x°°"}])),
    ] {
        let changed = ModelResponse { text: text.to_owned(), ..reply.clone() };
        assert_eq!(back(changed, NEW, NEW)["parts"], wanted);
    }
}

/// Whatever stands in the place of what was kept is nothing to be sent.
#[test]
fn what_was_not_kept_here_is_not_sent() {
    let reply = hear(&[parts(json!([call("a", Some("eA=="))])), stopped("STOP")]).reply();
    for extra in
        [json!({"thoughtSignature": 7}), json!({"role": "user", "functionCall": {}}), json!({})]
    {
        let mut changed = reply.clone();
        changed.calls[0].extra = extra.as_object().cloned();
        let kept = json!({"thoughtSignatures": [1, {"place": "x"}, {"place": "text", "from": -1}], "parts": []});
        changed.extra = kept.as_object().cloned();
        let dummy = call("a", Some("skip_thought_signature_validator"));
        assert_eq!(back(changed, NEW, NEW), json!({"role": "model", "parts": [dummy]}));
    }
}

/// Two rounds of a turn with the same reply streamed and whole: every step goes back signed.
#[tokio::test]
async fn every_step_of_a_turn_is_signed() {
    for stream in [true, false] {
        let step = |n: u8| {
            let seal = ["c2lnLUE=", "c2lnLUI="][usize::from(n)];
            Spoken::reasoning("Hm.", Some(seal)).call(format!("id{n}"), "f", "{\"x\":1}")
        };
        let script = Script::new()
            .reply(Reply::spoken(step(0)))
            .reply(Reply::spoken(step(1)))
            .reply(Reply::text("Done."));
        let server = ModelServer::start(script).await;
        let model = model(config(&server, NEW));
        let (tools, mut memo) = (tools(), RequestCache::default());
        let mut conversation = Conversation::from_iter([
            Message::user("Before?"),
            assistant("Yes.", []),
            Message::user("Well?"),
        ]);
        for n in 0..2 {
            let choice = ToolChoice::Auto;
            let heard = say(&model, &conversation, &tools, choice, stream, &mut memo).await;
            conversation.push(echo(heard.reply(), NEW));
            conversation.push(Message::tool(format!("id{n}"), "f", Outcome::ok("1")));
        }
        say(&model, &conversation, &tools, ToolChoice::Auto, stream, &mut memo).await.reply();
        let contents = &server.requests()[2].body["contents"];
        assert_eq!(contents[3]["parts"], json!([call("id0", Some("c2lnLUE="))]));
        assert_eq!(contents[5]["parts"], json!([call("id1", Some("c2lnLUI="))]));
        server.assert_clean();
    }
}
