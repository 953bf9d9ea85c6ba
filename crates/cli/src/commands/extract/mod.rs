//! `toolwright extract`: the calls in a text, as a model that only writes text would have them found.

mod cases;
mod chunks;
mod compare;
mod finding;
mod show;

use std::{
    io::{self, IsTerminal},
    path::Path,
};

use serde_json::Value;
use toolwright_dialects::{Decoder, KnownTools};
use toolwright_files::stream_text;

pub(crate) use self::chunks::Chunks;
use self::finding::Finding;
use crate::{
    args::ExtractArgs,
    error::{CommandError, Result},
    exit::Exit,
    style::{DIM, END, line, out},
};

pub(crate) fn run(args: &ExtractArgs, json: bool) -> Result<Exit> {
    if let Some(file) = &args.cases {
        return cases::run(file, args, json);
    }
    let tools = match &args.tools {
        Some(file) => tools(file)?,
        None => KnownTools::default(),
    };
    let text = piped()?;
    let decoder = Decoder::new(args.dialect.unwrap_or_default(), &tools);
    let finding = match args.chunks {
        Some(chunks) => Finding::of(decoder, chunks.cut(&text)),
        None => Finding::of(decoder, [text.as_str()]),
    };
    if json {
        out(&format!("{}\n", finding.report(None).json()?))?;
    } else {
        out(&show::finding(&finding))?;
    }
    Ok(Exit::Answered)
}

/// Larger files are no list of tools, no cases, and nothing that a model wrote.
const MOST: u64 = 256 << 20;

/// The tools in a file.
fn tools(file: &Path) -> Result<KnownTools> {
    let advice = "give a list in OpenAI's form; `toolwright tools list --json` prints one";
    let unusable = |what: String| {
        let message = format!("{} {what}", file.display());
        CommandError::unusable(message).with_advice(advice)
    };
    let list: Value = serde_json::from_str(&read(file)?)
        .map_err(|error| unusable(format!("is not JSON: {error}")))?;
    if !list.is_array() {
        return Err(unusable("is not a list".to_owned()).into());
    }
    Ok(KnownTools::from_openai(&list))
}

/// The text of a file; of standard input where it is `-`.
fn read(file: &Path) -> Result<String> {
    let text = if file.as_os_str() == "-" {
        stream_text(io::stdin(), MOST)
    } else {
        std::fs::File::open(file).and_then(|file| stream_text(file, MOST))
    };
    Ok(text.map_err(|error| {
        CommandError::unusable(format!("cannot read {}: {error}", file.display()))
            .with_advice("check the path, and that it is a text in UTF-8")
    })?)
}

/// What is to be looked at.
fn piped() -> Result<String> {
    if io::stdin().is_terminal() {
        line(&format!("{DIM}Paste what the model wrote, then Ctrl-D.{END}"));
    }
    Ok(stream_text(io::stdin(), MOST).map_err(|error| {
        CommandError::unusable(format!("cannot read the text: {error}"))
            .with_advice("pipe in what the model wrote, as UTF-8")
    })?)
}
