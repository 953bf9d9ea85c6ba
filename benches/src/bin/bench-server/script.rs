//! Which reply a request gets.

use std::collections::HashMap;

use memchr::memmem::{Finder, FinderRev};
use toolwright_benches::scenario::{Scenario, quoted};

use crate::reply::Reply;

/// The replies of all scenarios, and how to tell from a request which one is next.
pub(crate) struct Script {
    acts: Vec<Act>,
    role: Finder<'static>,
    model: Finder<'static>,
    stream: Finder<'static>,
}

/// One scenario.
struct Act {
    /// The model's name as it stands in the request.
    model: String,
    /// By the number of tool messages in the history.
    stages: HashMap<usize, Stage>,
}

struct Stage {
    /// The results of the turn before, which must be in the history. Of that turn only: each
    /// earlier one was checked when it was the last, and a search for all of a hundred pages
    /// would be most of what the server does.
    results: Vec<FinderRev<'static>>,
    reply: Reply,
}

/// What a request is answered with.
pub(crate) struct Choice<'a> {
    pub(crate) reply: &'a Reply,
    pub(crate) streaming: bool,
}

impl Script {
    pub(crate) fn new() -> Self {
        Self {
            acts: Scenario::ALL.into_iter().map(Act::new).collect(),
            role: Finder::new(r#""role""#),
            model: Finder::new(r#""model""#),
            stream: Finder::new(r#""stream""#),
        }
    }

    /// The reply to a request, or why it deserves none.
    ///
    /// The body is searched and not parsed: parsing 220 KB of history would cost more than the
    /// client under test. Text in a message cannot mislead it, since quotes are escaped there.
    pub(crate) fn choose(&self, body: &[u8]) -> Result<Choice<'_>, &'static str> {
        let act = values(&self.model, body)
            .find_map(|value| self.acts.iter().find(|act| value.starts_with(act.model.as_bytes())))
            .ok_or("unknown model")?;
        let results =
            values(&self.role, body).filter(|value| value.starts_with(br#""tool""#)).count();
        let stage = act.stages.get(&results).ok_or("unexpected number of tool messages")?;
        // From the end, where the last results are.
        if !stage.results.iter().all(|result| result.rfind(body).is_some()) {
            return Err("a tool's result is missing");
        }
        let streaming = values(&self.stream, body).any(|value| value.starts_with(b"true"));
        Ok(Choice { reply: &stage.reply, streaming })
    }
}

impl Act {
    fn new(scenario: Scenario) -> Self {
        let model = scenario.name();
        let mut stages = HashMap::new();
        let (mut tool_messages, mut results) = (0, Vec::new());
        for calls in scenario.turns() {
            stages.insert(tool_messages, Stage { results, reply: Reply::calls(model, &calls) });
            tool_messages += calls.len();
            results = calls.iter().map(|call| FinderRev::new(&call.witness).into_owned()).collect();
        }
        let reply = Reply::text(model, scenario.expected());
        stages.insert(tool_messages, Stage { results, reply });
        Self { model: quoted(model), stages }
    }
}

/// What follows `"key":` wherever it stands in `body`, with any spacing.
fn values<'a>(key: &'a Finder<'static>, body: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    key.find_iter(body).filter_map(|at| {
        let rest = body.get(at + key.needle().len()..)?.trim_ascii_start();
        Some(rest.strip_prefix(b":")?.trim_ascii_start())
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// The request after `turns` turns, with `spoil` applied to each result.
    fn request(scenario: Scenario, turns: usize, spoil: impl Fn(String) -> String) -> Vec<u8> {
        let mut messages = vec![json!({"role": "user", "content": scenario.prompt()})];
        for call in scenario.turns().into_iter().take(turns).flatten() {
            messages.push(json!({"role": "assistant", "content": null}));
            messages.push(json!({"role": "tool", "content": spoil(call.result)}));
        }
        let request: Value =
            json!({"model": scenario.name(), "stream": true, "messages": messages});
        serde_json::to_vec_pretty(&request).unwrap()
    }

    #[test]
    fn a_true_history_is_led_to_the_answer() {
        let script = Script::new();
        for scenario in Scenario::ALL {
            let turns = scenario.turns().len();
            for turn in 0..=turns {
                let body = request(scenario, turn, |result| result);
                let choice = script.choose(&body).map_err(|why| format!("{scenario}: {why}"));
                let choice = choice.unwrap();
                assert!(choice.streaming);
                let whole = String::from_utf8_lossy(&choice.reply.whole).into_owned();
                assert_eq!(whole.contains(scenario.expected()), turn == turns);
            }
        }
    }

    #[test]
    fn a_history_without_the_results_is_rejected() {
        let script = Script::new();
        for scenario in Scenario::ALL {
            let body = request(scenario, 1, |_| "bad arguments".to_owned());
            assert!(script.choose(&body).is_err(), "{scenario}");
        }
    }

    #[test]
    fn a_missing_message_an_unknown_model_and_a_whole_reply_are_seen() {
        let script = Script::new();
        let seven = String::from_utf8(request(Scenario::Parallel, 1, |result| result)).unwrap();
        let seven = seven.replacen(r#""role": "tool""#, r#""role": "user""#, 1);
        assert!(script.choose(seven.as_bytes()).is_err());
        assert!(script.choose(br#"{"model":"other"}"#).is_err());
        assert!(!script.choose(br#"{"model":"nifty"}"#).unwrap().streaming);
    }
}
