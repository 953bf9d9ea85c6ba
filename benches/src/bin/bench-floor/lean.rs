//! A real loop written for speed.
//!
//! Bytes are cut into lines as they come, each delta is parsed into types that borrow from it,
//! arguments are decoded into typed structs, and results are appended to one request that only
//! grows: no message is serialized twice. There is no policy, retry, schema check or event, so it
//! says what is attainable and not what a complete runtime costs.

use std::{borrow::Cow, collections::HashMap, mem, rc::Rc};

use anyhow::Context;
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use serde::Deserialize;
use tokio::task::spawn_local;
use toolwright_benches::{
    measure::mark,
    scenario::{
        LOOKUP_TIME, SYSTEM, Scenario, lookup_result, page_result, quote_result, quoted,
        search_result,
    },
};

use crate::http::Pool;

/// More than any scenario has.
const MAX_ROUNDS: usize = 200;

#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(borrow)]
    choices: Vec<Choice<'a>>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow)]
    delta: Delta<'a>,
}

#[derive(Deserialize, Default)]
struct Delta<'a> {
    #[serde(borrow, default)]
    content: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    tool_calls: Vec<CallDelta<'a>>,
}

#[derive(Deserialize)]
struct CallDelta<'a> {
    index: usize,
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    function: FunctionDelta<'a>,
}

#[derive(Deserialize)]
struct FunctionDelta<'a> {
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    arguments: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Search {
    query: String,
    instrument_type: String,
}

#[derive(Deserialize)]
struct Quote {
    securities: HashMap<String, Vec<i64>>,
}

#[derive(Deserialize)]
struct Lookup {
    id: i64,
}

#[derive(Deserialize)]
struct Page {
    page: i64,
}

#[derive(Default)]
struct Call {
    id: String,
    name: String,
    arguments: String,
}

/// What the model said in one reply.
#[derive(Default)]
struct Turn {
    text: String,
    calls: Vec<Call>,
    done: bool,
}

/// Holds one conversation and returns the answer.
pub(crate) async fn conversation(pool: Rc<Pool>, opening: Rc<[u8]>) -> anyhow::Result<String> {
    let mut sender = pool.take().await?;
    let mut request = opening.to_vec();
    for _ in 0..MAX_ROUNDS {
        let body = [request.as_slice(), b"]}"].concat();
        let reply = pool.post(&mut sender, Bytes::from(body)).await?;
        let turn = read_turn(reply).await?;
        if turn.calls.is_empty() {
            pool.give_back(sender);
            return Ok(turn.text);
        }
        append_calls(&mut request, &turn.calls)?;
        append_results(&mut request, turn.calls).await?;
    }
    anyhow::bail!("no answer after {MAX_ROUNDS} rounds")
}

/// The first request without its end. The messages come last, so that a request is the one before
/// with something appended.
pub(crate) fn opening(scenario: Scenario) -> Vec<u8> {
    format!(
        r#"{{"model":"{scenario}","stream":true,"stream_options":{{"include_usage":true}},"tools":{},"messages":[{{"role":"system","content":{}}},{{"role":"user","content":{}}}"#,
        scenario.tools_json(),
        quoted(SYSTEM),
        quoted(scenario.prompt())
    )
    .into_bytes()
}

async fn read_turn(mut reply: Incoming) -> anyhow::Result<Turn> {
    let mut turn = Turn::default();
    // The beginning of a line whose end has not come yet.
    let mut pending = Vec::new();
    while let Some(frame) = reply.frame().await {
        let Ok(data) = frame?.into_data() else { continue };
        let mut rest: &[u8] = &data;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, after) = rest.split_at(end);
            if pending.is_empty() {
                turn.line(line)?;
            } else {
                pending.extend_from_slice(line);
                turn.line(&mem::take(&mut pending))?;
            }
            rest = after.get(1..).unwrap_or_default();
        }
        pending.extend_from_slice(rest);
    }
    anyhow::ensure!(turn.done, "the reply ended early");
    Ok(turn)
}

impl Turn {
    fn line(&mut self, line: &[u8]) -> anyhow::Result<()> {
        let Some(data) = line.strip_prefix(b"data:") else { return Ok(()) };
        let data = data.strip_prefix(b" ").unwrap_or(data);
        if data == b"[DONE]" {
            self.done = true;
            return Ok(());
        }
        let chunk: Chunk<'_> = serde_json::from_slice(data).context("a chunk")?;
        for Choice { delta } in chunk.choices {
            self.text.push_str(delta.content.as_deref().unwrap_or_default());
            for CallDelta { index, id, function } in delta.tool_calls {
                if self.calls.len() <= index {
                    self.calls.resize_with(index + 1, Call::default);
                }
                let Some(call) = self.calls.get_mut(index) else { continue };
                call.id.push_str(id.as_deref().unwrap_or_default());
                call.name.push_str(function.name.as_deref().unwrap_or_default());
                call.arguments.push_str(function.arguments.as_deref().unwrap_or_default());
            }
        }
        Ok(())
    }
}

fn append_calls(request: &mut Vec<u8>, calls: &[Call]) -> anyhow::Result<()> {
    request.extend_from_slice(br#",{"role":"assistant","content":null,"tool_calls":["#);
    for (index, call) in calls.iter().enumerate() {
        if index > 0 {
            request.push(b',');
        }
        request.extend_from_slice(br#"{"id":"#);
        append_string(request, &call.id)?;
        request.extend_from_slice(br#","type":"function","function":{"name":"#);
        append_string(request, &call.name)?;
        request.extend_from_slice(br#","arguments":"#);
        append_string(request, &call.arguments)?;
        request.extend_from_slice(b"}}");
    }
    request.extend_from_slice(b"]}");
    Ok(())
}

async fn append_results(request: &mut Vec<u8>, calls: Vec<Call>) -> anyhow::Result<()> {
    let mut results = Vec::with_capacity(calls.len());
    if let [call] = calls.as_slice() {
        // One call needs no task of its own.
        results.push((call.id.clone(), run_tool(&call.name, &call.arguments).await));
    } else {
        let tasks: Vec<_> = calls
            .into_iter()
            .map(|Call { id, name, arguments }| {
                (id, spawn_local(async move { run_tool(&name, &arguments).await }))
            })
            .collect();
        for (id, task) in tasks {
            results.push((id, task.await.context("a tool panicked")?));
        }
    }
    for (id, result) in results {
        request.extend_from_slice(br#",{"role":"tool","tool_call_id":"#);
        append_string(request, &id)?;
        request.extend_from_slice(br#","content":"#);
        append_string(request, &result?)?;
        request.push(b'}');
    }
    Ok(())
}

fn append_string(request: &mut Vec<u8>, text: &str) -> serde_json::Result<()> {
    serde_json::to_writer(request, text)
}

async fn run_tool(name: &str, arguments: &str) -> anyhow::Result<String> {
    Ok(match name {
        "search_instruments" => {
            let Search { query, instrument_type } = serde_json::from_str(arguments)?;
            search_result(&query, &instrument_type).to_owned()
        }
        "get_market_quote" => {
            let Quote { securities } = serde_json::from_str(arguments)?;
            quote_result(&securities).to_owned()
        }
        "slow_lookup" => {
            let Lookup { id } = serde_json::from_str(arguments)?;
            tokio::time::sleep(LOOKUP_TIME).await;
            lookup_result(id)
        }
        "fetch_page" => {
            let Page { page } = serde_json::from_str(arguments)?;
            mark();
            page_result(page)
        }
        _ => anyhow::bail!("no tool named {name}"),
    })
}
