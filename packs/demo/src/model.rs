//! The scripted demo model: what answers when no model is configured.
//!
//! It is no language model and says so. It looks for a place and an amount in the question, calls
//! the two demo tools, and puts their results into a sentence, so that a newcomer sees a run with
//! tools before having set anything up.

use toolwright_core::{Call, Conversation, Message, Model, ModelRequest, ModelResponse};
use toolwright_models::FunctionModel;

use super::market;

/// The scripted demo model.
pub(crate) fn model() -> impl Model {
    FunctionModel::new("demo:scripted", |request| Ok(reply(request)))
}

fn reply(request: &ModelRequest<'_>) -> ModelResponse {
    let messages = request.conversation.messages();
    let asked = messages
        .iter()
        .rposition(|message| matches!(&**message, Message::User(user) if user.is_turn()));
    let Some(question) = asked.and_then(|at| messages.get(at)) else {
        return ModelResponse::text(HELP);
    };
    let since: Conversation =
        messages.iter().skip(asked.unwrap_or(0)).map(|message| (**message).clone()).collect();
    let offered = |name: &str| request.tools.specs().iter().any(|spec| spec.name == name);
    if let Some(call) = market::next_call(question.content(), &since).filter(|it| offered(&it.name))
    {
        return ModelResponse::calls([call]);
    }
    if let Some(answer) = market::answer(question.content(), &since) {
        return ModelResponse::text(answer);
    }
    if since.results().next().is_some() {
        return ModelResponse::text(summary(&since));
    }
    let calls: Vec<Call> = [
        weather_call(question.content()).filter(|_| offered("get_weather")),
        tip_call(question.content()).filter(|_| offered("calculate_tip")),
        note_call(question.content()).filter(|call| offered(&call.name)),
    ]
    .into_iter()
    .flatten()
    .collect();
    if calls.is_empty() { ModelResponse::text(HELP) } else { ModelResponse::calls(calls) }
}

const HELP: &str = "I am only a script, here to show how tools are called. Ask me about the \
    weather in a city, for a tip, for a price, or to take a note: \"What's the weather in San Francisco and a \
    20% tip on $45.60?\", \"Note: buy milk\", \"Show my notes\", \"What's the current price of \
    NIFTY?\", \"Get OHLCV data for RELIANCE\". To talk to a real model, set OPENAI_API_BASE (and OPENAI_API_KEY, TOOLWRIGHT_MODEL); \
    `toolwright doctor` shows how.";

/// `weather in San Francisco and …` → the place up to the next word that cannot be part of it.
fn weather_call(question: &str) -> Option<Call> {
    let lower = question.to_lowercase();
    if !["weather", "temperature", "forecast"].iter().any(|word| lower.contains(word)) {
        return None;
    }
    let start = [" in ", " for ", " at "]
        .iter()
        .find_map(|word| lower.find(word).map(|at| at + word.len()))?;
    let rest = question.get(start..)?;
    let end = [" and ", " then ", " today", " now", " tomorrow", " right "]
        .iter()
        .filter_map(|word| rest.to_lowercase().find(word))
        .chain(rest.find(['?', '!', ';', '\n']))
        .min()
        .unwrap_or(rest.len());
    let place = rest.get(..end)?.trim().trim_end_matches(['.', ',']);
    let arguments = serde_json::json!({"location": place}).to_string();
    (!place.is_empty()).then(|| Call::new("", "get_weather", arguments))
}

/// `20% tip on $45.60` → both numbers; the percentage only if it is there.
fn tip_call(question: &str) -> Option<Call> {
    let lower = question.to_lowercase();
    if !lower.contains("tip") {
        return None;
    }
    let mut percentage = None;
    let mut amount = None;
    let words = lower.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '%')));
    for word in words {
        let number = word.trim_end_matches(['.', ',', '%']).replace(',', "");
        let Ok(number) = number.parse::<f64>() else { continue };
        let slot = if word.contains('%') { &mut percentage } else { &mut amount };
        slot.get_or_insert(number);
    }
    let mut arguments = serde_json::json!({"amount": amount?});
    if let (Some(percentage), Some(map)) = (percentage, arguments.as_object_mut()) {
        map.insert("percentage".to_owned(), percentage.into());
    }
    Some(Call::new("", "calculate_tip", arguments.to_string()))
}

/// `PolicyNote: buy milk`, `show my notes`, `delete my notes`.
fn note_call(question: &str) -> Option<Call> {
    let lower = question.to_lowercase();
    if let Some(at) = lower.find("note:").map(|at| at + "note:".len()) {
        let text = question.get(at..)?.trim();
        let arguments = serde_json::json!({"text": text}).to_string();
        return (!text.is_empty()).then(|| Call::new("", "take_note", arguments));
    }
    if !lower.contains("my notes") && !lower.contains("all notes") {
        return None;
    }
    let name = if lower.contains("delete") { "delete_notes" } else { "list_notes" };
    Some(Call::new("", name, "{}"))
}

fn summary(since: &Conversation) -> String {
    let sentences: Vec<String> = since
        .results()
        .map(|result| {
            let value = result.outcome.value().ok();
            let money = |key: &str| value.as_ref().and_then(|it| it[key].as_f64());
            match (result.outcome.status.is_ok(), money("tip"), money("total")) {
                (true, Some(tip), Some(total)) => {
                    format!("The tip is ${tip:.2}, which makes ${total:.2} in all.")
                }
                (true, ..) if result.name == "list_notes" => listed(value.as_deref()),
                (true, ..) => format!("{}.", result.outcome.text.trim_end_matches('.')),
                (false, ..) => format!("That did not work: {}", result.outcome.text),
            }
        })
        .collect();
    sentences.join(" ")
}

fn listed(notes: Option<&serde_json::Value>) -> String {
    let notes: Vec<_> = notes
        .and_then(|it| it.as_array())
        .into_iter()
        .flatten()
        .filter_map(|it| it.as_str())
        .map(|it| format!("- {it}"))
        .collect();
    if notes.is_empty() { "There are no notes.".to_owned() } else { notes.join("\n") }
}

#[cfg(test)]
mod tests {
    use super::{tip_call, weather_call};

    #[test]
    fn places_and_amounts_are_found() {
        let both = "What's the weather in San Francisco and calculate a 20% tip on $45.60?";
        let arguments = |call: Option<toolwright_core::Call>| call.map(|call| call.arguments);
        assert_eq!(arguments(weather_call(both)).unwrap(), r#"{"location":"San Francisco"}"#);
        assert_eq!(arguments(tip_call(both)).unwrap(), r#"{"amount":45.6,"percentage":20.0}"#);
        assert_eq!(
            arguments(weather_call("Weather in Austin, TX today")).unwrap(),
            r#"{"location":"Austin, TX"}"#
        );
        assert_eq!(arguments(tip_call("tip for 1,200.")).unwrap(), r#"{"amount":1200.0}"#);
        assert_eq!(arguments(weather_call("What is Rust?")), None);
        assert_eq!(arguments(tip_call("What is a tip?")), None);
    }
}
