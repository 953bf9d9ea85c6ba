//! Holds what is left of many conversations against itself, with the checks that all tests share: `account FOLDER`.
//!
//! The folder has `effects` (one a line, see [`check::effects`]), and a file `NAME.json` for each conversation:
//! `{"log": [EVENT…], "shown": [[EVENT…]…]}`, what was stored, and what each listener saw to the end of a run. Every run has to
//! have ended.
//! What is wrong is printed a line each; the last line is an account as JSON. The exit code is 1 where anything is wrong.
#![allow(clippy::print_stdout, reason = "it is what this program is for")]

use std::{error::Error, fs, path::Path, process::ExitCode};

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright_testkit::check;

#[derive(Deserialize)]
struct Left {
    log: Vec<Value>,
    shown: Vec<Vec<Value>>,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("which folder? account FOLDER")?;
    let folder = Path::new(&folder);
    let effects = fs::read_to_string(folder.join("effects"))?;
    let (mut problems, mut events, mut conversations) = (Vec::new(), Vec::new(), 0_usize);
    let mut files = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    for file in files {
        let path = file.path();
        if path.extension().is_none_or(|it| it != "json") {
            continue;
        }
        let left: Left = serde_json::from_slice(&fs::read(&path)?)?;
        conversations += 1;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let found = of_conversation(&left);
        problems.extend(found.into_iter().map(|it| format!("{name}: {it}")));
        events.extend(left.log);
    }
    let account = check::effects(&effects.lines().collect::<Vec<_>>(), &events);
    problems.extend(account.problems.iter().cloned());
    for problem in &problems {
        println!("{problem}");
    }
    println!(
        "{}",
        json!({
            "conversations": conversations,
            "events": events.len(),
            "calls": account.started,
            "succeeded": account.succeeded,
            "interrupted": account.interrupted,
            "begun_and_interrupted": account.begun_and_interrupted,
            "repeated": account.repeated,
            "problems": problems.len(),
        })
    );
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn of_conversation(left: &Left) -> Vec<String> {
    let mut problems = check::log(&left.log);
    let is_terminal = |it: &Value| matches!(it["type"].as_str(), Some("done" | "error"));
    if !left.log.last().is_some_and(is_terminal) {
        problems.push("the last run has not ended".to_owned());
    }
    for shown in &left.shown {
        problems.extend(check::stream(shown));
        problems.extend(check::kept(shown, &left.log));
    }
    problems
}
