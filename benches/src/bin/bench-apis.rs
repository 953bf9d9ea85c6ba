//! What the same conversation costs in each API, beside Chat Completions; and what a chain of models adds where
//! the first of them answers.
//!
//!   bench-apis
//!
//! One question, a reply with a call, its result, and an answer of 200 pieces, all streamed by a server in the
//! same process that has every reply ready. APIs take turns, so that what else the machine does hits all alike;
//! the least of all rounds counts, which is what was disturbed least.

use std::{hint::black_box, sync::Arc, time::Instant};

use anyhow::{Context, Result};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use toolwright::{
    model::{Api, Endpoint, EndpointConfig, FallbackModel, ModelResponse},
    prelude::*,
    testing::FunctionModel,
};
use toolwright_testkit::{Spoken, SpokenApi};

/// What the weather is.
#[tool(read_only, inline, manual)]
fn get_weather(city: String) -> String {
    format!("31 degrees in {city}")
}

/// How often each is asked between two turns, and how many turns there are.
const ASKED: usize = 40;
const TURNS: usize = 25;

fn main() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        apis().await?;
        chain().await
    })
}

async fn apis() -> Result<()> {
    let mut agents = Vec::new();
    for (api, spoken) in Api::ALL.into_iter().zip(SpokenApi::ALL) {
        let address = serve(replies(spoken)).await?;
        let base = format!("{address}{}", spoken.base_path());
        let model = Endpoint::new(EndpointConfig::new(base, "scripted").with_api(api))?;
        agents.push((api, Agent::builder(model).tool(get_weather::tool()).build()?, f64::MAX));
    }
    for _ in 0..TURNS {
        for (_, agent, least) in &mut agents {
            *least = least.min(asked(agent).await?);
        }
    }
    let chat = agents.first().map_or(1.0, |(_, _, least)| *least);
    println!("| a question, a call, an answer of 200 pieces | µs | × Chat | goal |");
    println!("|---|---|---|---|");
    for (api, _, least) in &agents {
        println!("| `{api}` | {least:.0} | {:.2} | 1.3 |", least / chat);
    }
    Ok(())
}

/// A chain of three beside one, where the first answers.
async fn chain() -> Result<()> {
    let model = || FunctionModel::new("quick", |_| Ok(ModelResponse::text("So.")));
    let mut one = (Agent::builder(model()).build()?, f64::MAX);
    let three = Agent::builder(model())
        .fallback_model(FallbackModel::new(model()))
        .fallback_model(FallbackModel::new(model()));
    let mut three = (three.build()?, f64::MAX);
    for _ in 0..TURNS * 8 {
        for (agent, least) in [&mut one, &mut three] {
            *least = least.min(asked(agent).await?);
        }
    }
    println!();
    println!("| a run whose model answers at once | µs | more | goal |");
    println!("|---|---|---|---|");
    println!("| one model | {:.2} | | |", one.1);
    println!("| a chain of three | {:.2} | {:.2} | 5 |", three.1, three.1 - one.1);
    Ok(())
}

/// How long one question takes, in microseconds.
async fn asked(agent: &Agent) -> Result<f64> {
    let began = Instant::now();
    for _ in 0..ASKED {
        let mut run = agent.run("What is the weather in Pune?");
        while let Some(event) = run.next().await {
            black_box(event);
        }
        black_box(run.finish().await?);
    }
    Ok(began.elapsed().as_secs_f64() * 1e6 / ASKED as f64)
}

/// A reply with a call, and an answer.
fn replies(api: SpokenApi) -> [Arc<[u8]>; 2] {
    let call = Spoken::default().call("call_1", "get_weather", r#"{"city":"Pune"}"#);
    let pieces = (0..200).map(|number| format!("word{number} "));
    let answer = Spoken::pieces(pieces.map(|it| it.replace(|c: char| c.is_ascii_digit(), "")));
    [call, answer].map(|spoken| {
        let body = api.stream(&spoken, "scripted");
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: {}\r\ncontent-length: {}\r\n\r\n",
            api.stream_type(),
            body.len()
        );
        Arc::from([head.into_bytes(), body.into_bytes()].concat())
    })
}

/// Serves the two replies in turn, on every connection.
async fn serve(replies: [Arc<[u8]>; 2]) -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let _ = stream.set_nodelay(true);
            tokio::spawn(answer(stream, replies.clone()));
        }
    });
    Ok(format!("http://{address}"))
}

async fn answer(mut stream: TcpStream, [call, words]: [Arc<[u8]>; 2]) -> Result<()> {
    let mut buffer = Vec::with_capacity(64 << 10);
    loop {
        let length = loop {
            if let Some(length) = request_length(&buffer) {
                break length;
            }
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        };
        let request = buffer.get(..length).context("a whole request")?;
        // The second question of a run brings the result.
        let has_result = memchr::memmem::find(request, b"31 degrees in Pune").is_some();
        let reply = if has_result { &words } else { &call };
        stream.write_all(reply).await?;
        buffer.drain(..length);
    }
}

/// How long the request at the beginning of these bytes is, once all of it is there.
fn request_length(bytes: &[u8]) -> Option<usize> {
    let head = memchr::memmem::find(bytes, b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(bytes.get(..head)?).ok()?.to_ascii_lowercase();
    let body: usize =
        text.split_once("content-length:")?.1.split("\r\n").next()?.trim().parse().ok()?;
    (bytes.len() >= head + body).then_some(head + body)
}
