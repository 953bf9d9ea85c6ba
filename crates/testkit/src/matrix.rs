//! [`play`]: one script, streamed and whole, cut every way, and the same result each time.

use std::fmt::{self, Debug, Display};

use crate::api::SpokenApi;
use crate::chunking::Chunking;
use crate::script::Script;
use crate::server::ModelServer;

/// The ways a body is cut. Three seeds, because each cuts at other places.
const CHUNKINGS: [Chunking; 6] = [
    Chunking::Whole,
    Chunking::OneByte,
    Chunking::PerEvent,
    Chunking::Random(1),
    Chunking::Random(2),
    Chunking::Random(3),
];

/// Lines shown before the first difference.
const CONTEXT: usize = 3;
/// Lines shown from the first difference on.
const SHOWN: usize = 12;

/// One way to play a script.
#[derive(Clone, Copy)]
struct Cell {
    stream: bool,
    chunking: Chunking,
}

impl Display for Cell {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = if self.stream { "stream" } else { "whole reply" };
        write!(formatter, "{form}, {:?}", self.chunking)
    }
}

/// Plays `script` once for each way to deliver it and demands that every time the same comes of it.
///
/// Each time there is a fresh server, whose address `run` is given together with whether to ask for
/// streams. What counts as the same is what `run` returns. A reply with a chunking of its own keeps
/// it.
///
/// # Panics
/// When a result differs from the first, or a server has complaints; with the name of the cell.
pub async fn play<T>(script: Script, run: impl AsyncFn(String, bool) -> T) -> T
where
    T: PartialEq + Debug,
{
    play_at(|server| server.base_url().to_owned(), script, run).await
}

/// The same for a client of this API: `run` is given its [address](ModelServer::url).
///
/// # Panics
/// When a result differs from the first, or a server has complaints; with the name of the cell.
pub async fn play_in<T>(api: SpokenApi, script: Script, run: impl AsyncFn(String, bool) -> T) -> T
where
    T: PartialEq + Debug,
{
    play_at(|server| server.url(api), script, run).await
}

#[allow(clippy::panic, reason = "this is an assertion")]
async fn play_at<T>(
    url: impl Fn(&ModelServer) -> String,
    script: Script,
    run: impl AsyncFn(String, bool) -> T,
) -> T
where
    T: PartialEq + Debug,
{
    let mut first: Option<(Cell, T)> = None;
    for stream in [true, false] {
        for chunking in CHUNKINGS {
            let cell = Cell { stream, chunking };
            let server = ModelServer::start(script.clone().chunking(chunking)).await;
            let result = run(url(&server), stream).await;
            let problems = server.problems();
            if !problems.is_empty() {
                panic!("[{cell}] the model server has complaints:\n  {}", problems.join("\n  "));
            }
            match &first {
                None => first = Some((cell, result)),
                Some((_, wanted)) if *wanted == result => {}
                Some((one, wanted)) => {
                    panic!("[{cell}] is not the same as [{one}]:\n{}", difference(wanted, &result));
                }
            }
        }
    }
    match first {
        Some((_, result)) => result,
        None => panic!("there is no cell"),
    }
}

/// The lines around the first difference: `-` as wanted, `+` as found.
fn difference(wanted: &impl Debug, found: &impl Debug) -> String {
    let (wanted, found) = (format!("{wanted:#?}"), format!("{found:#?}"));
    let (wanted, found): (Vec<_>, Vec<_>) = (wanted.lines().collect(), found.lines().collect());
    let same = wanted.iter().zip(&found).take_while(|(one, other)| one == other).count();
    let part = |mark: &str, lines: &[&str], from: usize, most: usize| -> String {
        lines.iter().skip(from).take(most).map(|line| format!("{mark} {line}\n")).collect()
    };
    let before = same.saturating_sub(CONTEXT);
    format!(
        "at line {}\n{}{}{}",
        same + 1,
        part(" ", &wanted, before, same - before),
        part("-", &wanted, same, SHOWN),
        part("+", &found, same, SHOWN),
    )
}
