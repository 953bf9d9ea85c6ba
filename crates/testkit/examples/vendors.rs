//! Serves every vendor's API from one small script, so that the vendors' own packages can judge it:
//! `cargo run -p toolwright-testkit --example vendors`.
//!
//! Each API is under its name (`/gemini/v1beta/models/…`). The name of the model says what it
//! answers. The first line printed is the address; the program ends when its input does, and then
//! fails if a package sent what its vendor's server would refuse.

use std::collections::HashSet;
use std::io::Read;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use toolwright_testkit::{
    BreakForm, Chunking, Failure, ModelServer, Recorded, Reply, Spoken, SpokenApi, SpokenPart,
    SpokenStop,
};

/// Base64, because Google's package decodes it.
const SEAL: &str = "c2VhbGVkIHRob3VnaHRz";

#[tokio::main]
async fn main() -> ExitCode {
    // Models that fail at first and answer when asked again, by the address they were asked at.
    let failed = Mutex::new(HashSet::new());
    let server = ModelServer::start_with(move |request| {
        let model = request.model().unwrap_or_default();
        let reply = if model == "patient" {
            let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
            let first = failed.insert(request.path.clone());
            if first { Reply::failure(Failure::RateLimited) } else { Reply::spoken(plain()) }
        } else {
            answer(model, request)
        };
        // Each reply is cut at other places.
        reply.chunking(match u64::try_from(request.number).unwrap_or_default() {
            number if number % 3 == 0 => Chunking::OneByte,
            number if number % 3 == 1 => Chunking::PerEvent,
            number => Chunking::Random(number),
        })
    })
    .await;
    println!("{}", server.base_url().trim_end_matches("/v1"));
    let ended = tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new())).await;
    if let Err(error) = ended {
        eprintln!("the input could not be read: {error}");
    }
    let problems = server.problems();
    for problem in &problems {
        eprintln!("{problem}");
    }
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn plain() -> Spoken {
    Spoken::text("31 °C in Pune ☀").usage(80, 30).of_which(64, 12)
}

/// What the model of this name says.
fn answer(model: &str, request: &Recorded) -> Reply {
    if let Some(failure) = model.strip_prefix("fail-").and_then(failure) {
        return Reply::failure(failure);
    }
    let thoughts = || Spoken::reasoning("The weather first.", Some(SEAL));
    let city = r#"{"city":"Pune","days":[1,2]}"#;
    let spoken = match model {
        "text" => plain(),
        "call" => Spoken::text("I'll look.").call("call_1", "get_weather", city),
        "calls" => Spoken::calls([("call_1", "get_weather", city), ("call_2", "now", "{}")]),
        "thought" => thoughts().and_text("31 °C").usage(80, 30).of_which(64, 12),
        "thought-call" => {
            thoughts().call("call_1", "get_weather", city).call("call_2", "now", "{}")
        }
        "redacted" => {
            let seal = Some(SEAL.to_owned());
            let part = SpokenPart::Reasoning { pieces: Vec::new(), seal, redacted: true };
            Spoken::default().then(part).and_text("31 °C")
        }
        "length" => Spoken::text("31 °").stop(SpokenStop::Length),
        "filter" => Spoken::text("31").stop(SpokenStop::Filter),
        "refusal" => Spoken::refusal("I'd rather not."),
        "schema" => Spoken::text(r#"{"city":"Pune","celsius":31}"#),
        "break" => Spoken::text("31").breaks(Failure::Overloaded, BreakForm::Usual),
        "break-flat" => Spoken::text("31").breaks(Failure::Server, BreakForm::Flat),
        "break-failed" => Spoken::text("31").breaks(Failure::Server, BreakForm::FailedOnly),
        "asked" => Spoken::text(&asked(request)),
        _ => return Reply::failure(Failure::NoModel),
    };
    Reply::spoken(spoken)
}

fn failure(name: &str) -> Option<Failure> {
    Some(match name {
        "too-long" => Failure::TooLong,
        "invalid" => Failure::Invalid,
        "key" => Failure::Key,
        "forbidden" => Failure::Forbidden,
        "model" => Failure::NoModel,
        "limit" => Failure::RateLimited,
        "quota" => Failure::Quota,
        "server" => Failure::Server,
        "overloaded" => Failure::Overloaded,
        _ => return None,
    })
}

/// The request as it is understood, so that a package sees whether it was.
fn asked(request: &Recorded) -> String {
    let api = request.api().unwrap_or(SpokenApi::Chat);
    serde_json::to_string(&api.request(request)).unwrap_or_default()
}
