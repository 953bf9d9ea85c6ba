//! The requests of a scenario, serialized beforehand.

use bytes::Bytes;
use toolwright_benches::scenario::{Call, SYSTEM, Scenario, quoted};

/// The bodies of all requests of one conversation, in order.
pub(crate) fn bodies(scenario: Scenario) -> Vec<Bytes> {
    let tools = scenario.tools_json();
    let body = |history: &str| {
        Bytes::from(format!(
            r#"{{"model":"{scenario}","messages":[{history}],"tools":{tools},"stream":true,"stream_options":{{"include_usage":true}}}}"#
        ))
    };
    let mut history = format!(
        r#"{{"role":"system","content":{}}},{{"role":"user","content":{}}}"#,
        quoted(SYSTEM),
        quoted(scenario.prompt())
    );
    let mut bodies = vec![body(&history)];
    for calls in scenario.turns() {
        history.push_str(&turn(&calls));
        bodies.push(body(&history));
    }
    bodies
}

/// The messages that one turn adds: the calls, and the result of each.
fn turn(calls: &[Call]) -> String {
    let parts: Vec<_> = calls
        .iter()
        .map(|Call { id, name, arguments, .. }| {
            format!(
                r#"{{"id":"{id}","type":"function","function":{{"name":"{name}","arguments":{}}}}}"#,
                quoted(arguments)
            )
        })
        .collect();
    let results = calls.iter().map(|Call { id, result, .. }| {
        format!(r#",{{"role":"tool","tool_call_id":"{id}","content":{}}}"#, quoted(result))
    });
    let assistant =
        format!(r#",{{"role":"assistant","content":null,"tool_calls":[{}]}}"#, parts.join(","));
    std::iter::once(assistant).chain(results).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_body_is_json_with_the_messages_so_far() {
        for (scenario, requests, last) in
            [(Scenario::Nifty, 3, 6), (Scenario::Parallel, 2, 11), (Scenario::Long, 101, 202)]
        {
            let bodies = bodies(scenario);
            assert_eq!(bodies.len(), requests);
            let body: serde_json::Value = serde_json::from_slice(bodies.last().unwrap()).unwrap();
            assert_eq!(body["messages"].as_array().unwrap().len(), last);
        }
    }
}
